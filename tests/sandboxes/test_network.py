"""What a sandbox with a network reaches: the registries of its package clients, what the operator admits, no more."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from studio.errors import ConfigurationError
from studio.sandboxes import engine_for
from studio.sandboxes.egress import squid
from studio.sandboxes.egress.gate import service_name
from studio.sandboxes.records import Records
from studio.sandboxes.types import Engine, Fetched, Network, Sandbox, SandboxSpec
from studio.settings import Settings
from tests.sandboxes.conftest import ENGINES
from tests.sandboxes.hostility import eventually, python

needs_squid = pytest.mark.skipif(squid.program() is None, reason=f"the proxy Squid is not here: {squid.REMEDY}")


class Asked(ThreadingHTTPServer):
    """A server on this machine that keeps the paths that it was asked for."""

    daemon_threads = True

    def __init__(self) -> None:
        self.paths: list[str] = []
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:  # noqa: N802  # the base class names it so
                outer.paths.append(self.path)
                if self.path == "/silent":
                    return
                self.send_response(200)
                self.end_headers()
                self.wfile.write(b"from this machine\n")

            def log_message(self, *args: object) -> None:
                """Nothing is printed."""

        super().__init__(("0.0.0.0", 0), Handler)
        self.port = self.server_address[1]
        self._thread = threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.02})
        self._thread.start()

    def end(self) -> None:
        self.shutdown()
        self.server_close()
        self._thread.join()


@pytest.fixture(scope="module")
def server() -> Iterator[Asked]:
    found = Asked()
    yield found
    found.end()


@pytest.fixture(scope="module", params=ENGINES)
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def settings(server: Asked, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    """The operator admits the server on this machine by its address and port, and a domain."""
    allow = f"127.0.0.1:{server.port} .localhost"
    return Settings(data_dir=tmp_path_factory.mktemp("studio"), egress_allow=allow)


@pytest.fixture(scope="module")
def engine(name: str, settings: Settings) -> Engine:
    return engine_for(settings, name)


@pytest.fixture(scope="module", params=["packages", "open"])
def connected(engine: Engine, request: pytest.FixtureRequest) -> Iterator[Sandbox]:
    network: Network = request.param
    sandbox = engine.start(SandboxSpec(network=network))
    yield sandbox
    sandbox.kill()


def told_of(sandbox: Sandbox, requests: int) -> list[Fetched]:
    """What it tells once it has told of so many requests: the log follows the answers."""
    told: list[Fetched] = []

    def enough() -> bool:
        told.extend(sandbox.fetched())
        return sum(one.requests for one in told) >= requests

    assert eventually(enough), told
    return told


def answer(sandbox: Sandbox, url: str) -> str:
    """The status that `curl` got through the proxy: of the server, or of the proxy that refused a tunnel."""
    command = f"curl -gsk -o /dev/null -m 20 --noproxy '' -w '%{{http_code}} %{{http_connect}}\\n' '{url}'"
    status, tunnel = sandbox.execute(command).output.split()[:2]
    return tunnel if status == "000" else status


@needs_squid
def test_what_is_admitted_is_fetched_and_told(connected: Sandbox, server: Asked) -> None:
    connected.fetched()
    assert answer(connected, f"http://127.0.0.1:{server.port}/packages/tune%201.0.tar.gz") == "200"
    assert server.paths[-1] == "/packages/tune%201.0.tar.gz"
    [told] = told_of(connected, 1)
    assert (told.host, told.port, told.admitted, told.requests) == ("127.0.0.1", server.port, True, 1)
    assert told.files == ("tune 1.0.tar.gz",)
    assert told.bytes > len("from this machine")
    assert connected.fetched() == []


@needs_squid
def test_nothing_of_this_machine_its_network_or_its_cloud_is_reached(connected: Sandbox, server: Asked) -> None:
    """But the one address and port that the operator admits."""
    connected.fetched()
    before = len(server.paths)
    port, own = server.port, own_address()
    refused = [
        "http://127.0.0.1/", f"https://127.0.0.1:{port % 65535 + 1}/", f"http://127.0.0.2:{port}/", "https://127.0.0.1:22/",
        f"http://localhost:{port}/", "http://localhost/", "https://localhost/", f"http://a.localhost:{port}/",
        f"http://[::1]:{port}/", "http://[::ffff:127.0.0.1]/", f"http://0.0.0.0:{port}/", "http://2130706433/",
        f"http://{own}:{port}/", f"http://{own}/", "http://169.254.169.254/latest/meta-data/", "https://169.254.169.254/",
        "http://[fe80::1]/", "http://[fd00:ec2::254]/", "http://10.0.0.1/", "https://192.168.0.1/", "http://172.16.0.1/",
        "http://100.100.100.200/",
    ]  # fmt: skip
    for url in refused:
        assert answer(connected, url) == "403", url
    assert len(server.paths) == before
    told = told_of(connected, len(refused))
    assert not [one for one in told if one.admitted]
    assert answer(connected, f"http://127.0.0.1:{port}/again") == "200"


def own_address() -> str:
    """An address of this machine in its network."""
    lines = Path("/proc/net/fib_trie").read_text().splitlines()
    local = [before.split()[-1] for before, line in zip(lines, lines[1:], strict=False) if "host LOCAL" in line]
    return next((address for address in local if not address.startswith("127.")), "127.0.0.3")


PAST_THE_PROXY = """
for family, address in ((2, ("127.0.0.1", %d)), (2, (%r, %d)), (2, ("8.8.8.8", 53)), (10, ("::1", %d))):
    for kind in (1, 2):
        try:
            with socket.socket(family, kind) as s:
                s.settimeout(3); s.connect(address); s.send(b"x"); s.send(b"y"); print("reached", address)
        except OSError as e: pass
try: print(socket.getaddrinfo("localhost.localdomain", 80))
except OSError: print("no names")
print([name for _, name in socket.if_nameindex()])
"""


@needs_squid
def test_past_the_proxy_there_is_no_network(connected: Sandbox, server: Asked) -> None:
    program = PAST_THE_PROXY % (server.port, own_address(), server.port, server.port)
    assert python(connected, program).split("\n")[-3:] == ["no names", "['lo']", ""]
    assert "reached" not in python(connected, program)


@needs_squid
def test_only_reading_is_admitted(connected: Sandbox, server: Asked) -> None:
    command = f"curl -s -o /dev/null --noproxy '' -d x -w '%{{http_code}}' http://127.0.0.1:{server.port}/"
    assert connected.execute(command).output == "403"


@needs_squid
def test_a_refusal_says_in_plain_words_what_is_admitted_and_what_to_do(connected: Sandbox, server: Asked) -> None:
    asked = "curl -s --noproxy '' http://127.0.0.2:9/x"
    said = connected.execute(asked).output.splitlines()
    assert said[0] == "This address is not admitted: http://127.0.0.2:9/x"
    assert "STUDIO_EGRESS_ALLOW" in said[1]
    assert len(said) == 2
    assert "GET" in connected.execute(f"curl -s --noproxy '' -d x http://127.0.0.1:{server.port}/").output
    broken = f"http://127.0.0.1:{server.port}/silent"
    assert connected.execute(f"curl -s --noproxy '' {broken}").output == "127.0.0.1 answered nothing.\n"


@needs_squid
def test_many_connections_at_once_and_a_flood_of_hosts_are_borne(connected: Sandbox, server: Asked) -> None:
    program = """
held = []
for n in range(200):
    s = socket.socket(); s.settimeout(5)
    try: s.connect(("127.0.0.1", 3128)); held.append(s)
    except OSError: break
for s in held: s.close()
for n in range(150):
    s = socket.create_connection(("127.0.0.1", 3128), 5)
    s.sendall(b"GET http://10.7.0.%d/ HTTP/1.0\\r\\n\\r\\n" % n)
    while s.recv(4096): pass
"""
    # The log follows the answers: once it tells of this one, what other tests asked for has been told too.
    assert answer(connected, "http://10.7.1.1/before") == "403"
    assert eventually(lambda: any(one.host == "10.7.1.1" for one in connected.fetched()))
    python(connected, program)
    told = told_of(connected, 150)
    assert sum(one.requests for one in told) == 150
    assert not any(one.admitted for one in told)
    assert answer(connected, f"http://127.0.0.1:{server.port}/after") == "200"


def squids(settings: Settings) -> list[str]:
    """The proxies of this studio that run, by their names."""
    mark = service_name(Records(settings.data_dir).studio).encode()
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            found += [word.decode() for word in path.read_bytes().split(b"\0") if word.startswith(mark)]
    return found


@needs_squid
def test_when_it_ends_its_proxy_ends_and_what_it_fetched_is_still_told(
    engine: Engine, name: str, settings: Settings, server: Asked
) -> None:
    engine.start(SandboxSpec(network="packages")).kill()
    others = set(squids(settings))
    before = len(list(Path("/proc/self/fd").iterdir()))
    sandbox = engine.start(SandboxSpec(network="packages"))
    [own] = set(squids(settings)) - others
    sandbox.execute(f"(curl -s --noproxy '' http://127.0.0.1:{server.port}/held-{name}; sleep 60) >/dev/null 2>&1 &")
    assert eventually(lambda: f"/held-{name}" in server.paths)
    sandbox.kill()
    assert [one.files for one in sandbox.fetched()] == [(f"held-{name}",)]
    assert own not in squids(settings)
    assert eventually(lambda: len(list(Path("/proc/self/fd").iterdir())) == before)
    assert not [*Path("/dev/shm").glob(f"{own}*"), *settings.data_dir.glob("doors/*")]


@needs_squid
def test_an_address_that_is_none_is_refused_with_its_place(tmp_path: Path, name: str) -> None:
    settings = Settings(data_dir=tmp_path, egress_allow="mirror.example.org http://other/")
    with pytest.raises(ConfigurationError, match=r"STUDIO_EGRESS_ALLOW: 'http://other/' is no host"):
        engine_for(settings, name).start(SandboxSpec(network="packages"))
    assert list((tmp_path / "sandboxes").glob("*")) == []
    assert list((tmp_path / "doors").glob("*")) == []
