"""Packages fetched while a job runs: from the registries that the package clients are configured with, as root in a
container that is watched, or by pip for its user on the local engine."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from studio.errors import SandboxLost
from studio.sandboxes import engine_for
from studio.sandboxes.types import Fetched, Sandbox, SandboxSpec
from studio.settings import Settings
from tests.sandboxes.conftest import ENGINES, MIB, NOT_ASKED, Open
from tests.sandboxes.hostility import python
from tests.sandboxes.test_network import needs_squid

asked = pytest.mark.skipif("docker" not in ENGINES, reason=NOT_ASKED)


@pytest.fixture(scope="module")
def container(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Sandbox]:
    """One that may fetch packages, root inside."""
    settings = Settings(data_dir=tmp_path_factory.mktemp("studio"))
    sandbox = engine_for(settings, "docker").start(SandboxSpec(network="packages"))
    yield sandbox
    sandbox.kill()


def names(told: list[Fetched]) -> list[str]:
    return [name for one in told if one.admitted for name in one.files]


@needs_squid
@pytest.mark.thorough
def test_pip_fetches_and_what_is_not_admitted_is_refused(start: Open) -> None:
    sandbox = start(network="packages")
    done = sandbox.execute(
        "pip install --no-cache-dir six==1.17.0 && python3 -c 'import six; print(six.__version__)'", 120
    )
    assert done.output.endswith("1.17.0\n"), done.output
    told = sandbox.fetched()
    assert {(one.port, one.admitted) for one in told} == {(443, True)}
    assert sum(one.bytes for one in told) > 10_000
    done = sandbox.execute("pip install --no-cache-dir -i https://index.invalid/simple --retries 0 attrs", 120)
    assert done.exit_status == 1
    assert [(one.host, one.admitted) for one in sandbox.fetched()] == [("index.invalid", False)]


@needs_squid
@pytest.mark.thorough
@asked
def test_apt_get_installs_a_program_in_a_container(container: Sandbox) -> None:
    done = container.execute("apt-get -q update && apt-get -q install -y sl && ls -l /usr/games/sl", 300)
    assert done.exit_status == 0, done.output
    assert any(name.startswith("sl_") and name.endswith(".deb") for name in names(container.fetched()))
    assert container.execute("dpkg -s sl | grep Status").output == "Status: install ok installed\n"


@needs_squid
def test_apt_get_on_the_local_engine_says_why_not_and_what_to_do(tmp_path_factory: pytest.TempPathFactory) -> None:
    engine = engine_for(Settings(data_dir=tmp_path_factory.mktemp("studio")), "local")
    sandbox = engine.start(SandboxSpec(network="packages"))
    try:
        for command in ("apt-get install -y ffmpeg", "apt update"):
            done = sandbox.execute(command)
            assert done.exit_status == 100
            assert "run.engine=docker" in done.output
            assert "pip install works" in done.output
        assert sandbox.execute("df --output=size -m /home/studio | tail -1").output.strip() == "192"
    finally:
        sandbox.kill()


# Root in a container.

ATTEMPTS = """
import subprocess
libc = ctypes.CDLL(None, use_errno=True)
def tried(name, done):
    try: print(name, "DONE" if done() else "no")
    except OSError: print(name, "no")
def written(path, text="1"):
    with open(path, "w") as f: f.write(text)
    return True
tried("mount", lambda: libc.mount(b"none", b"/mnt", b"tmpfs", 0, None) == 0)
tried("unshare", lambda: libc.unshare(0x20000) == 0 or libc.unshare(0x10000000) == 0)
tried("sysctl", lambda: written("/proc/sys/kernel/core_pattern", "|/tmp/x"))
tried("sysrq", lambda: written("/proc/sysrq-trigger", "h"))
tried("sys", lambda: written("/sys/kernel/uevent_helper", "/tmp/x"))
tried("memory", lambda: open("/proc/kcore", "rb").read(1))
tried("device", lambda: os.mknod("/tmp/disk", 0o60600, os.makedev(254, 0)) is None)
tried("raw", lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1))
tried("packet", lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW, 0))
tried("chroot", lambda: os.chroot("/tmp") is None)
tried("host name", lambda: socket.sethostname("other") is None)
tried("clock", lambda: libc.settimeofday(b"\\0" * 16, None) == 0)
tried("nice", lambda: os.nice(-5) is not None)
tried("tool host's pipes", lambda: os.open("/proc/1/fd/1", os.O_WRONLY))
tried("tool host's memory", lambda: open("/proc/1/mem", "rb"))
tried("tool host's trace", lambda: libc.ptrace(16, 1, 0, 0) == 0)
tried("the door", lambda: socket.socket(socket.AF_UNIX).connect("/run/studio/door") is None)
tried("into the door", lambda: written("/run/studio/planted"))
os.kill(1, 9); os.kill(1, 15)
print("alive")
"""


@needs_squid
@asked
def test_root_in_a_container_gets_nowhere(container: Sandbox) -> None:
    seen = python(container, ATTEMPTS).split("\n")
    assert seen[-2] == "alive"
    assert [line for line in seen if "DONE" in line] == []
    assert len([line for line in seen if line.endswith(" no")]) == 18
    assert container.execute("grep CapEff /proc/self/status").output.split()[1] == "00000000000000db"


@needs_squid
@pytest.mark.thorough
@asked
def test_a_root_filled_to_its_limit_ends_the_container_with_its_reason(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    engine = engine_for(Settings(data_dir=tmp_path_factory.mktemp("studio")), "docker")
    sandbox = engine.start(SandboxSpec(network="packages", workspace_bytes=64 * MIB))
    try:
        with pytest.raises(SandboxLost, match="above its disk limit of 64 MiB for its root"):
            sandbox.execute("head -c 100M /dev/zero > /var/tmp/full; sleep 60", 90)
    finally:
        sandbox.kill()
