"""The local engine started by somebody who is not root, and so without control groups: the same, by other means."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import studio
from studio.settings import Settings
from tests.sandboxes.test_network import needs_squid

NOBODY = "65534"
PROGRAM = """
import json, os
from pathlib import Path
from studio.errors import SandboxLost
from studio.sandboxes import engine_for
from studio.sandboxes.egress.squid import program
from studio.sandboxes.types import SandboxSpec
from studio.settings import Settings

MIB = 1 << 20
engine = engine_for(Settings())
found = {"uid": os.getuid()}
sandbox = engine.start(SandboxSpec(pids=64, workspace_bytes=16 * MIB))
found["id"] = sandbox.execute("id -u; pwd; touch /etc/x").output
found["outside"] = Path(f"/proc/{sandbox._process.inner}/status").read_text().split("Uid:")[1].split()[0]
found["disk"] = sandbox.execute("head -c 17M /dev/zero > big").output
found["forks"] = sandbox.execute("for n in $(seq 100); do sleep 5 & done; kill $(jobs -p)").output
used = sandbox.use()
found["used"] = [used.cpu_s, used.bytes_written]
found["settings"] = sandbox.execute("echo x > /proc/sys/kernel/core_pattern").output
found["protections"] = {p.name: (p.holds, p.how) for p in engine.protections()}
sandbox.kill()
sandbox = engine.start(SandboxSpec(memory_bytes=896 * MIB, workspace_bytes=16 * MIB))
try:
    sandbox.execute("python3 -c 'x = []\\nwhile True: x.append(bytearray(4 << 20))'", 60)
except SandboxLost as lost:
    found["memory"] = str(lost)
found["peak"] = sandbox.use().peak_memory_bytes
if program():
    sandbox = engine.start(SandboxSpec(network="packages"))
    fetch = "curl -s -o /dev/null -w '%{http_code}' http://10.0.0.1/; curl -s --noproxy '*' http://10.0.0.1/ || echo no"
    found["fetched"] = sandbox.execute(fetch).output
    sandbox.kill()
    found["told"] = [(one.host, one.admitted) for one in sandbox.fetched()]
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def found(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    if os.geteuid() != 0:
        pytest.skip("only root can become somebody else; the other tests ran as an ordinary user already")
    folder = tmp_path_factory.mktemp("nobody")
    stage = Path("/mnt")
    source = Path(studio.__file__).parents[1]
    packages = next(path for path in sys.path if path.endswith("site-packages"))
    # A mount namespace of its own, in which nobody can reach the code, its libraries, the interpreter and the image.
    mounts = {"code": source, "packages": packages, "python": sys.base_prefix, "images": Settings().image_dir}
    script = "mount -t tmpfs none /mnt; mkdir /mnt/data; chmod 777 /mnt/data; " + "; ".join(
        f"mkdir /mnt/{name} && mount --bind '{path}' /mnt/{name}" for name, path in mounts.items()
    )
    command = f'{script}; exec setpriv --reuid {NOBODY} --regid {NOBODY} --clear-groups "$@"'
    version = f"python{sys.version_info.major}.{sys.version_info.minor}"
    environment = {
        "PATH": "/usr/bin:/bin",
        "PYTHONPATH": f"{stage}/code:{stage}/packages",
        "PYTHONDONTWRITEBYTECODE": "1",
        "STUDIO_ENGINE": "local",
        "STUDIO_DATA_DIR": str(stage / "data"),
        "STUDIO_IMAGE_DIR": str(stage / "images"),
    }
    done = subprocess.run(
        ["unshare", "--mount", "sh", "-ec", command, "sh", str(stage / "python/bin" / version), "-c", PROGRAM],
        env=environment,
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def test_it_runs_as_its_own_user_inside_and_as_the_starter_outside(found: dict[str, Any]) -> None:
    assert str(found["uid"]) == NOBODY
    assert found["id"] == "1000\n/testbed\ntouch: cannot touch '/etc/x': Read-only file system\n"
    assert found["outside"] == NOBODY


def test_disk_processes_and_memory_are_limited_without_control_groups(found: dict[str, Any]) -> None:
    assert "No space left" in found["disk"]
    assert "Resource temporarily unavailable" in found["forks"]
    assert found["memory"] == "the sandbox is gone: it was killed above its memory limit of 896 MiB"
    assert found["peak"] > 500 << 20


def test_what_it_has_used_is_known_all_the_same(found: dict[str, Any]) -> None:
    cpu_s, written = found["used"]
    assert cpu_s > 0
    assert written >= 16 << 20


@needs_squid
def test_the_way_to_the_network_needs_no_root_either(found: dict[str, Any]) -> None:
    assert found["fetched"] == "403no\n"
    assert found["told"] == [["10.0.0.1", False]]


def test_kernel_settings_stay_closed(found: dict[str, Any]) -> None:
    assert "Read-only file system" in found["settings"]


def test_the_doctor_would_say_how_the_limits_hold(found: dict[str, Any]) -> None:
    assert found["protections"]["memory limit"][0]
    assert "watcher" in found["protections"]["memory limit"][1]
