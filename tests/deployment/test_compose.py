"""What a person has who brings docker-compose.yml up: works of each kind, and walls between the containers."""

from __future__ import annotations

import json
import time

import pytest

from studio.kinds import all_kinds, parse_brief
from tests.deployment.conftest import ROOT, Deployment, docker, inspected

KINDS = [name for name, kind in all_kinds().items() if kind.has_recipe]
OWN_SOCKET = "/run/studio-engine/engine.sock"


def waited(deployment: Deployment, service: str, state: str) -> bool:
    for _ in range(150):
        seen = docker("inspect", "--format", "{{.State.Health.Status}}", deployment.container(service)).strip()
        if seen == state:
            return True
        time.sleep(2)
    return False


@pytest.mark.parametrize("kind", KINDS)
def test_a_work_of_each_kind_is_made_through_the_web_container(deployment: Deployment, kind: str) -> None:
    brief = json.dumps(parse_brief(all_kinds()[kind].samples()[0].brief).model_dump(mode="json"))
    made = deployment.inside("web", "sh", "-c", f"cat >/tmp/brief.json <<'X'\n{brief}\nX\necho kept")
    assert made.strip() == "kept"
    said = deployment.studio("submit", "--brief", "/tmp/brief.json", "--wait", "--json").splitlines()
    last = json.loads(said[-1])
    assert "published" in json.dumps(last), said[-3:]


def test_each_job_had_a_container_and_none_is_left(deployment: Deployment) -> None:
    assert docker("ps", "--all", "--quiet", "--filter", "label=sandbox-studio.job").split() == []
    log = deployment.compose("logs", "--no-color", "worker")
    assert "published as" in log


def test_every_service_is_well(deployment: Deployment) -> None:
    services = deployment.compose("config", "--services").split()
    assert set(services) == {"web", "worker", "upkeep", "redis", "postgres", "egress", "engine-proxy"}
    for service in services:
        assert waited(deployment, service, "healthy"), service


def test_only_the_engine_proxy_has_the_engines_socket_and_it_has_no_network(deployment: Deployment) -> None:
    for service in deployment.compose("config", "--services").split():
        found = json.dumps(inspected(deployment.container(service))["Mounts"])
        assert ("docker.sock" in found) == (service == "engine-proxy"), service
    assert inspected(deployment.container("engine-proxy"))["HostConfig"]["NetworkMode"] == "none"  # type: ignore[index]


def test_the_web_container_has_no_engine_at_all(deployment: Deployment) -> None:
    look = "import os; print(os.path.exists('/var/run/docker.sock'), os.listdir('/run/studio-engine'))"
    assert deployment.python("web", look).split() == ["False", "[]"]
    assert not [name for name in deployment.inside("web", "env").splitlines() if name.startswith("STUDIO_DOCKER")]


def test_the_worker_gets_sealed_sandboxes_and_nothing_else_from_the_engine(deployment: Deployment) -> None:
    program = f"""
import http.client, json, socket
def ask(method, path, body=None):
    connection = http.client.HTTPConnection("engine")
    connection.sock = socket.socket(socket.AF_UNIX); connection.sock.connect({OWN_SOCKET!r})
    connection.request(method, path, body and json.dumps(body)); answer = connection.getresponse()
    return answer.status, answer.read().decode()
root = {{"Image": "debian:bookworm-slim", "HostConfig": {{"Binds": ["/:/host"], "Privileged": True}}}}
print(ask("POST", "/v1.41/containers/create?name=sb-0123456789ab", root)[0])
print(ask("POST", "/v1.41/build")[0], ask("GET", "/v1.41/images/json")[0], ask("POST", "/v1.41/volumes/create")[0])
print(ask("POST", "/v1.41/containers/{deployment.container("postgres")}/exec", {{"Cmd": ["id"]}})[0])
print(ask("DELETE", "/v1.41/containers/{deployment.container("postgres")}?force=1")[0])
print(ask("GET", "/_ping")[0])
"""
    assert deployment.python("worker", program).split() == ["403", "403", "403", "403", "403", "404", "200"]
    assert deployment.container("postgres")


def test_nobody_is_root_or_has_a_capability_but_where_it_is_needed(deployment: Deployment) -> None:
    for service in ("web", "worker", "upkeep"):
        assert deployment.inside(service, "id", "-u").strip() == "1000"
        assert "CapEff:\t0000000000000000" in deployment.inside(service, "cat", "/proc/self/status")
        assert (
            deployment.inside(service, "sh", "-c", "touch /opt/studio/x 2>/dev/null || echo refused").strip()
            == "refused"
        )


def test_no_password_stands_in_a_containers_settings_or_log(deployment: Deployment) -> None:
    secrets = [(ROOT / "secrets" / name).read_text() for name in ("database_password", "queue_password")]
    told = deployment.compose("logs", "--no-color")
    for service in deployment.compose("config", "--services").split():
        told += json.dumps(inspected(deployment.container(service))) + docker(
            "top", deployment.container(service), "-eo", "pid,args"
        )
    assert not [secret for secret in secrets if secret in told]


def test_the_way_out_is_the_egress_proxy_and_leads_only_to_hosts_that_are_named(deployment: Deployment) -> None:
    direct = "import socket; s = socket.socket(); s.settimeout(3); print(s.connect_ex(('192.0.2.1', 443)) != 0)"
    for service in ("worker", "web", "upkeep"):
        assert deployment.python(service, direct).strip() == "True"
    through = """
import http.client
for host, port in (("example.org", 443), ("postgres", 5432), ("169.254.169.254", 80), ("127.0.0.1", 443)):
    connection = http.client.HTTPConnection("egress", 3128, timeout=20)
    connection.set_tunnel(host, port)
    try:
        connection.connect()
        print("open")
    except OSError as error:
        print(str(error).split()[3])
"""
    assert deployment.python("worker", through).split() == ["403"] * 4
