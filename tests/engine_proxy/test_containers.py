"""What a body of `containers/create` may say: what the studio itself sends, and nothing else."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from typing import Any

import pytest

from studio.engine_proxy.bodies import LABELS, OWN_LABEL
from studio.sandboxes.container_config import sealed
from studio.sandboxes.docker import Facts
from studio.sandboxes.types import SandboxSpec
from tests.engine_proxy.conftest import IMAGE, Client
from tests.support.engine_server import EngineServer

FACTS = Facts("1", "elsewhere", 2, 1, (), shares_this_machine=False)
NAME = "sb-0123456789ab"
CREATE = f"/v1.41/containers/create?name={NAME}"


def body(spec: SandboxSpec | None = None) -> dict[str, Any]:
    """The body that the studio sends for a sandbox."""
    labels = dict.fromkeys(sorted(LABELS), "x")
    return sealed(IMAGE, spec or SandboxSpec(), FACTS, labels, runtime=None, bind=False)


SPECS = (
    SandboxSpec(),
    SandboxSpec(memory_bytes=4 << 30, workspace_bytes=2 << 30, cpus=1, pids=64, open_files=64, file_bytes=1 << 20),
)


@pytest.mark.parametrize("spec", SPECS)
def test_what_the_studio_sends_is_made_with_the_proxys_label(
    proxy: Client, engine: EngineServer, spec: SandboxSpec
) -> None:
    sent = body(spec)
    answer = proxy.ask("POST", CREATE, sent)
    assert answer.status == 201, answer.words
    assert answer.json == {"Id": f"{1:064x}", "Warnings": []}
    assert engine.created == [{**sent, "Labels": {**sent["Labels"], OWN_LABEL: "mine"}}]
    assert engine.asked == [("POST", f"/containers/create?name={NAME}")]


def at(**changed: Any) -> Callable[[dict[str, Any]], None]:
    """Changes fields; a name with two underscores is one of HostConfig's."""

    def change(value: dict[str, Any]) -> None:
        for name, given in changed.items():
            place = value["HostConfig"] if name.startswith("host__") else value
            place[name.removeprefix("host__")] = given

    return change


def without(*path: str) -> Callable[[dict[str, Any]], None]:
    def change(value: dict[str, Any]) -> None:
        for name in path[:-1]:
            value = value[name]
        del value[path[-1]]

    return change


def label(name: str, given: str) -> Callable[[dict[str, Any]], None]:
    return lambda value: value["Labels"].update({name: given})


def folder(path: str, options: str) -> Callable[[dict[str, Any]], None]:
    return lambda value: value["HostConfig"]["Tmpfs"].update({path: options})


ROOT = {"Type": "bind", "Source": "/", "Target": "/testbed/output", "ReadOnly": True}
REFUSED: dict[str, tuple[Callable[[dict[str, Any]], None], str]] = {
    "another image": (at(Image="debian:bookworm-slim"), "Image"),
    "an image that looks like ours": (at(Image=f"evil/{IMAGE}"), "Image"),
    "an image by its id": (at(Image="sha256:" + "0" * 64), "Image"),
    "a bind": (at(host__Binds=["/:/host"]), "HostConfig.Binds"),
    "an empty list of binds": (at(host__Binds=[]), "HostConfig.Binds"),
    "a bind as a mount": (at(host__Mounts=[ROOT]), "HostConfig.Mounts"),
    "a volume": (at(Volumes={"/x": {}}), "Volumes"),
    "volumes of another": (at(host__VolumesFrom=["x"]), "HostConfig.VolumesFrom"),
    "privileged": (at(host__Privileged=True), "HostConfig.Privileged"),
    "privileged in small letters": (at(host__privileged=True), "HostConfig.privileged"),
    "a second HostConfig in small letters": (at(hostconfig={"Privileged": True}), "hostconfig"),
    "a capability": (at(host__CapAdd=["SYS_ADMIN"]), "HostConfig.CapAdd"),
    "no capability dropped": (at(host__CapDrop=[]), "HostConfig.CapDrop"),
    "one capability dropped": (at(host__CapDrop=["NET_RAW"]), "HostConfig.CapDrop"),
    "a device": (at(host__Devices=[{"PathOnHost": "/dev/sda"}]), "HostConfig.Devices"),
    "a rule for devices": (at(host__DeviceCgroupRules=["a *:* rwm"]), "HostConfig.DeviceCgroupRules"),
    "a device by request": (at(host__DeviceRequests=[{"Count": -1}]), "HostConfig.DeviceRequests"),
    "the host's network": (at(host__NetworkMode="host"), "HostConfig.NetworkMode"),
    "the default network": (at(host__NetworkMode="bridge"), "HostConfig.NetworkMode"),
    "the compose network": (at(host__NetworkMode="studio_inside"), "HostConfig.NetworkMode"),
    "another's network": (at(host__NetworkMode=f"container:{'a' * 64}"), "HostConfig.NetworkMode"),
    "a network beside": (at(NetworkingConfig={"EndpointsConfig": {"x": {}}}), "NetworkingConfig"),
    "the network enabled": (at(NetworkDisabled=False), "NetworkDisabled"),
    "the host's processes": (at(host__PidMode="host"), "HostConfig.PidMode"),
    "the host's memory segments": (at(host__IpcMode="host"), "HostConfig.IpcMode"),
    "the host's users": (at(host__UsernsMode="host"), "HostConfig.UsernsMode"),
    "the host's name": (at(host__UTSMode="host"), "HostConfig.UTSMode"),
    "the host's control groups": (at(host__CgroupnsMode="host"), "HostConfig.CgroupnsMode"),
    "a parent of control groups": (at(host__CgroupParent="/"), "HostConfig.CgroupParent"),
    "no filter of system calls": (
        at(host__SecurityOpt=["no-new-privileges", "seccomp=unconfined"]),
        "HostConfig.SecurityOpt",
    ),
    "new privileges": (at(host__SecurityOpt=[]), "HostConfig.SecurityOpt"),
    "no AppArmor": (
        lambda value: value["HostConfig"]["SecurityOpt"].append("apparmor=unconfined"),
        "HostConfig.SecurityOpt",
    ),
    "a root that can be written": (at(host__ReadonlyRootfs=False), "HostConfig.ReadonlyRootfs"),
    "nothing hidden": (at(host__MaskedPaths=[]), "HostConfig.MaskedPaths"),
    "settings of the kernel": (at(host__ReadonlyPaths=[]), "HostConfig.ReadonlyPaths"),
    "a setting of the kernel": (at(host__Sysctls={"kernel.shm_rmid_forced": "1"}), "HostConfig.Sysctls"),
    "a folder over the root's": (folder("/etc", "rw"), "HostConfig.Tmpfs"),
    "a folder with setuid files": (folder("/tmp", "rw,exec,suid,size=1"), "HostConfig.Tmpfs./tmp"),
    "a folder without a size": (folder("/tmp", "rw,exec,nosuid,nodev"), "HostConfig.Tmpfs./tmp"),
    "a folder above the memory": (
        folder("/tmp", f"rw,exec,nosuid,nodev,size={1 << 40},mode=1777,uid=1000,gid=1000"),
        "HostConfig.Tmpfs./tmp",
    ),
    "no limit of memory": (at(host__Memory=0), "HostConfig.Memory"),
    "no field for memory": (without("HostConfig", "Memory"), "HostConfig.Memory"),
    "too much memory": (at(host__Memory=64 << 30, host__MemorySwap=64 << 30), "STUDIO_MAX_MEMORY_MB"),
    "swap": (at(host__MemorySwap=-1), "HostConfig.MemorySwap"),
    "memory as a text": (at(host__Memory="2147483648"), "HostConfig.Memory"),
    "no limit of processes": (at(host__PidsLimit=-1), "HostConfig.PidsLimit"),
    "too many processes": (at(host__PidsLimit=100_000), "HostConfig.PidsLimit"),
    "no quota": (at(host__CpuQuota=-1), "HostConfig.CpuQuota"),
    "realtime": (at(host__CpuRealtimeRuntime=1), "HostConfig.CpuRealtimeRuntime"),
    "no killing above the memory": (at(host__OomKillDisable=True), "HostConfig.OomKillDisable"),
    "never chosen to be killed": (at(host__OomScoreAdj=-1000), "HostConfig.OomScoreAdj"),
    "a limit left out": (lambda value: value["HostConfig"]["Ulimits"].pop(), "HostConfig.Ulimits"),
    "too many open files": (
        lambda value: value["HostConfig"]["Ulimits"][2].update(Soft=1 << 20, Hard=1 << 20),
        "HostConfig.Ulimits.nofile",
    ),
    "a log": (at(host__LogConfig={"Type": "syslog"}), "HostConfig.LogConfig"),
    "a log with options": (at(host__LogConfig={"Type": "none", "Config": {"x": "y"}}), "HostConfig.LogConfig"),
    "always started again": (at(host__RestartPolicy={"Name": "always"}), "HostConfig.RestartPolicy"),
    "another runtime": (at(host__Runtime="runc-debug"), "HostConfig.Runtime"),
    "a published port": (at(host__PortBindings={"80/tcp": [{"HostPort": "80"}]}), "HostConfig.PortBindings"),
    "a name for an address": (at(host__ExtraHosts=["a:127.0.0.1"]), "HostConfig.ExtraHosts"),
    "a link": (at(host__Links=["x:y"]), "HostConfig.Links"),
    "a group": (at(host__GroupAdd=["docker"]), "HostConfig.GroupAdd"),
    "a volume driver": (at(host__VolumeDriver="local"), "HostConfig.VolumeDriver"),
    "an init from the host": (at(host__Init=True), "HostConfig.Init"),
    "root inside": (at(User="0:0"), "User"),
    "no user": (without("User"), "User"),
    "another program": (at(Entrypoint=["/bin/sh"]), "Entrypoint"),
    "arguments": (at(Cmd=["-c", "id"]), "Cmd"),
    "a variable": (at(Env=["LD_PRELOAD=/testbed/x.so"]), "Env"),
    "a terminal": (at(Tty=True), "Tty"),
    "a check of health": (at(Healthcheck={"Test": ["CMD", "id"]}), "Healthcheck"),
    "without its labels": (at(Labels={}), "Labels"),
    "the proxy's own label": (label(OWN_LABEL, "another"), "Labels"),
    "a label of compose": (label("com.docker.compose.project", "studio"), "Labels"),
    "a label without end": (label("sandbox-studio.job", "x" * 1000), "Labels"),
    "not the studio's host name": (at(Hostname="postgres"), "Hostname"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_anything_else_is_refused_with_the_field_named(proxy: Client, engine: EngineServer, name: str) -> None:
    change, field = REFUSED[name]
    value = copy.deepcopy(body())
    change(value)
    answer = proxy.ask("POST", CREATE, value)
    assert answer.status == 403
    assert field in answer.words
    assert engine.asked == []


def test_every_field_is_needed_and_no_other_is_taken_anywhere(proxy: Client, engine: EngineServer) -> None:
    value = body()
    for place in ((), ("HostConfig",), ("HostConfig", "LogConfig"), ("HostConfig", "RestartPolicy")):
        for name in _inside(value, place):
            changed = copy.deepcopy(value)
            del _inside(changed, place)[name]
            assert proxy.ask("POST", CREATE, changed).status == 403, (place, name)
        changed = copy.deepcopy(value)
        _inside(changed, place)["Unknown"] = None
        assert proxy.ask("POST", CREATE, changed).status == 403, place
    assert engine.asked == []


def _inside(value: dict[str, Any], place: tuple[str, ...]) -> dict[str, Any]:
    for name in place:
        value = value[name]
    return value


def test_a_body_that_two_readers_could_read_otherwise_is_refused(proxy: Client, engine: EngineServer) -> None:
    text = json.dumps(body())
    twice = text.replace('"NetworkMode": "none"', '"NetworkMode": "host", "NetworkMode": "none"')
    for broken in (twice.encode(), b"[]", b"", b"{", text.encode() + b"{}", b"[" * 100_000, b'{"Image": NaN}'):
        assert proxy.ask("POST", CREATE, broken).status in (400, 403)
    assert engine.asked == []


@pytest.mark.parametrize(
    "query",
    ["", "?name=web", f"?name={NAME}&name=web", f"?name={NAME}&platform=linux", "?name=sb-0123456789ab%2F..", "?name"],
)
def test_a_container_has_a_name_of_the_studios(proxy: Client, engine: EngineServer, query: str) -> None:
    assert proxy.ask("POST", f"/containers/create{query}", body()).status in (400, 403)
    assert engine.asked == []


def test_the_runtime_is_the_one_that_the_operator_chose() -> None:
    from studio.engine_proxy.bodies import Admitted, admitted
    from studio.engine_proxy.refusal import Refused

    chosen = Admitted(frozenset({IMAGE}), 4 << 30, runtime="runsc")
    value = body()
    with pytest.raises(Refused, match="Runtime"):
        admitted(value, chosen, "mine")
    value["HostConfig"]["Runtime"] = "runsc"
    assert admitted(value, chosen, "mine")["HostConfig"]["Runtime"] == "runsc"
