"""What a hostile program tries to read, write and reach from inside: contained, and the next sandbox works."""

from __future__ import annotations

import os
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from studio.errors import SandboxRefused
from studio.sandboxes.types import Engine, Sandbox
from tests.sandboxes.conftest import MIB
from tests.sandboxes.hostility import assert_next_one_works, commands_with, eventually, python


@pytest.fixture(autouse=True)
def next_one_unharmed(engine: Engine) -> Iterator[None]:
    yield
    assert_next_one_works(engine)


# What there is to read.


def test_the_workers_environment_and_keys(sandbox: Sandbox) -> None:
    assert "PYTEST_CURRENT_TEST" in os.environ
    seen = sandbox.execute("env; cat /proc/[0-9]*/environ 2>/dev/null | tr '\\0' '\\n'").output
    assert "PYTEST_CURRENT_TEST" not in seen
    names = {line.split("=")[0] for line in sandbox.execute("env").output.splitlines()}
    assert names <= {
        *("PATH", "HOME", "USER", "LOGNAME", "SHELL", "LANG", "TERM", "PWD", "SHLVL", "_", "OLDPWD"),
        *("PYTHONUNBUFFERED", "PYTHONDONTWRITEBYTECODE", "PIP_DISABLE_PIP_VERSION_CHECK"),
    }
    assert sandbox.execute("cat /proc/1/environ").exit_status != 0


def test_the_workers_home_and_files(sandbox: Sandbox, tmp_path: Path) -> None:
    secret = tmp_path / "planted-secret"
    secret.write_text("secret of the host")
    for path in (secret, Path.home() / ".profile", Path(__file__)):
        assert sandbox.execute(f"cat '{path}'").exit_status != 0
    assert sandbox.execute("ls /root").exit_status != 0
    assert sandbox.execute("ls /home").output == "studio\n"


def test_processes_of_the_host(sandbox: Sandbox) -> None:
    commands = sandbox.execute("cat /proc/[0-9]*/cmdline | tr '\\0' ' '").output
    assert "pytest" not in commands
    assert len(sandbox.execute("ls -d /proc/[0-9]*").output.split()) < 8


def test_the_docker_socket_and_sockets_without_a_path(sandbox: Sandbox) -> None:
    assert sandbox.execute("ls /var/run/docker.sock /run/docker.sock /run/containerd").output.count("No such file") == 3
    with socket.socket(socket.AF_UNIX) as listener:
        name = f"\0studio-escape-{os.getpid()}"
        listener.bind(name)
        listener.listen()
        said = python(
            sandbox,
            f"try: socket.socket(socket.AF_UNIX).connect({name!r}); print('reached')\n"
            "except OSError as e: print(E[e.errno])",
        )
        assert said == "ECONNREFUSED\n"


def test_the_roots_shadow_file(sandbox: Sandbox) -> None:
    for command in ("cat /etc/shadow", "cat /etc/gshadow", "cat /proc/1/root/etc/shadow", "su -c id </dev/null"):
        result = sandbox.execute(command)
        assert result.exit_status != 0
        assert "root:" not in result.output


# What there is to write.


def test_kernel_settings(sandbox: Sandbox) -> None:
    before = Path("/proc/sys/kernel/core_pattern").read_text()
    writes = sandbox.execute(
        "for f in kernel/core_pattern kernel/hostname vm/overcommit_memory net/ipv4/ip_forward kernel/printk"
        " user/max_user_namespaces;"
        " do echo 1 > /proc/sys/$f && echo WROTE $f; done; echo b > /proc/sysrq-trigger && echo WROTE sysrq;"
        " find /proc/sys -writable -type f 2>/dev/null | sed 's/^/WRITABLE /'"
    )
    assert "WROTE" not in writes.output
    assert "WRITABLE" not in writes.output
    assert "Read-only file system" in writes.output
    assert Path("/proc/sys/kernel/core_pattern").read_text() == before


def test_sys_and_control_groups(sandbox: Sandbox) -> None:
    assert sandbox.execute("ls -A /sys").output == ""
    assert sandbox.execute("find / -name cgroup.procs -not -path '/proc/*' 2>/dev/null").output == ""
    assert sandbox.execute("mkdir /sys/fs").exit_status != 0


def test_outside_the_writable_folders(sandbox: Sandbox) -> None:
    find = (
        "find / \\( -path /proc -o -path /testbed -o -path /tmp -o -path /home/studio -o -path /dev/shm \\) -prune -o"
        " \\( -type d -o -type f \\) -print0 2>/dev/null"
    )
    look = 'xargs -0 sh -c \'for f; do [ -w "$f" ] && { [ -f "$f" ] || [ -d "$f" ]; } && echo "$f"; done; true\' sh'
    found = sandbox.execute(f"{find} | {look} | grep -vx /dev/pts", 60)  # a file system that makes terminals only
    assert found.output == ""
    for path in (
        "/etc/passwd",
        "/usr/bin/planted",
        "/dev/planted",
        "/opt/studio/bootstrap.py",
        "/run/planted",
        "/var/tmp/x",
    ):
        assert sandbox.execute(f"echo planted > {path}").exit_status != 0
    memory = sandbox.execute("for f in /proc/1/mem /proc/1/oom_score_adj /proc/1/clear_refs; do echo 1 > $f; done")
    assert memory.output.count("denied") == 3


def test_dev_shm_can_be_filled_to_its_size_only(sandbox: Sandbox) -> None:
    result = sandbox.execute("head -c 1G /dev/zero > /dev/shm/x; stat -c %s /dev/shm/x")
    assert "No space left" in result.output
    assert int(result.output.split()[-1]) == 64 * MIB


# Networks.


def test_no_network_is_reached(sandbox: Sandbox) -> None:
    reached: list[object] = []
    with (
        socket.create_server(("0.0.0.0", 0)) as listener,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as datagrams,
    ):
        port = listener.getsockname()[1]
        datagrams.bind(("0.0.0.0", port))
        datagrams.settimeout(0.01)

        def accept() -> None:
            while True:
                try:
                    reached.append(listener.accept())
                except OSError:
                    return

        threading.Thread(target=accept, daemon=True).start()
        own = {info[4][0] for info in socket.getaddrinfo(socket.gethostname(), None, socket.AF_INET)}
        hosts = [
            "127.0.0.1",
            *sorted(str(address) for address in own),
            "10.0.0.1",
            "192.168.0.1",
            "169.254.169.254",
            "192.0.2.1",
        ]
        program = f"""
for host in {hosts!r}:
    for port in ({port}, 80, 443):
        s = socket.socket(); s.settimeout(1)
        try: s.connect((host, port)); print('reached', host, port)
        except OSError: pass
    u = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    try: u.sendto(b'x', (host, {port}))
    except OSError: pass
for family, address in ((socket.AF_INET6, '2001:db8::1'), (socket.AF_INET6, '::1')):
    s = socket.socket(family); s.settimeout(1)
    try: s.connect((address, {port})); print('reached', address)
    except OSError: pass
try: print('resolved', socket.getaddrinfo('example.org', 80))
except OSError: pass
print(sorted(name for _, name in socket.if_nameindex()))
"""
        assert python(sandbox, program) == "['lo']\n"
        with pytest.raises(TimeoutError):
            datagrams.recv(1)
        listener.shutdown(socket.SHUT_RDWR)
    assert reached == []


def test_its_own_loopback_works(sandbox: Sandbox) -> None:
    program = "s = socket.create_server(('127.0.0.1', 0)); socket.create_connection(s.getsockname()); print('ok')"
    assert python(sandbox, program) == "ok\n"


def test_raw_and_special_sockets(sandbox: Sandbox) -> None:
    program = """
for family, kind, number in ((2, 3, 1), (2, 3, 255), (10, 3, 58), (17, 3, 768), (40, 1, 0)):
    try: socket.socket(family, kind, number); print('open', family)
    except OSError as e: print(E[e.errno])
"""
    assert set(python(sandbox, program).split()) <= {"EPERM", "EACCES", "EAFNOSUPPORT"}


# What the outputs may hold.


def test_special_names_and_files_in_the_outputs(sandbox: Sandbox, folder: Path, tmp_path: Path) -> None:
    sandbox.execute(
        r"""cd output; ln -s /etc/passwd link; ln -s ../../../.. up; echo x > real; ln real hard; mkfifo fifo
        mknod device c 1 5; mknod block b 8 0; mkdir '..x' ' '
        echo y > '..x/...'; echo z > $'new\nline'; echo w > 'a\b'"""
    )
    manifest = sandbox.manifest()
    kinds = {entry.path: entry.type for entry in manifest.entries}
    assert "device" not in kinds.values()
    assert (kinds["link"], kinds["up"], kinds["fifo"]) == ("symlink", "symlink", "fifo")
    written = sandbox.download(manifest, folder, limit=MIB)
    assert sorted(written) == ["..x/...", "a\\b", "hard", "new\nline", "real"]
    assert all(path.resolve().is_relative_to(folder.resolve()) for path in folder.rglob("*"))
    assert not any(path.is_symlink() for path in folder.rglob("*"))
    assert {path.name for path in tmp_path.iterdir()} == {"fetched"}


def test_a_folder_swapped_for_a_link_between_manifest_and_download(sandbox: Sandbox, folder: Path) -> None:
    sandbox.execute("mkdir output/d; echo mine > output/d/passwd")
    manifest = sandbox.manifest()
    sandbox.execute("rm -r output/d; ln -s /etc output/d")
    with pytest.raises(SandboxRefused):
        sandbox.download(manifest, folder, limit=MIB)
    assert "root:" not in "".join(path.read_text() for path in folder.rglob("*") if path.is_file())


# The pipe and the tool host.


def test_an_output_flood_on_every_way_out(sandbox: Sandbox, folder: Path) -> None:
    assert sandbox.execute("yes & yes >&2", 1.0).timed_out
    assert sandbox.run(["sh", "-c", "yes & yes >&2"], timeout_s=1.0, limit=MIB)[0] is None
    ended = "pkill yes; while pgrep -x yes >/dev/null; do sleep 0.05; done; echo quiet"
    assert sandbox.execute(ended).output.endswith("quiet\n")


def test_closing_every_descriptor_of_the_shell(sandbox: Sandbox) -> None:
    result = sandbox.execute('for n in $(seq 0 300); do eval "exec $n>&-"; done', 1.0)
    assert result.exit_status is None or result.shell_restarted
    assert sandbox.execute("echo alive").output == "alive\n"


def test_frames_forged_through_proc(sandbox: Sandbox) -> None:
    forge = r"""for fd in /proc/1/fd/* /proc/1/fd/0 /proc/1/fd/1 /proc/1/fd/3 /proc/1/fd/4 /proc/1/fd/5; do
        printf '\0\0\0\033{"id":1,"event":"done"}' > $fd && echo FORGED; done"""
    result = sandbox.execute(forge)
    assert "FORGED" not in result.output
    assert "denied" in result.output
    assert sandbox.execute("echo true").output == "true\n"


def test_killing_the_tool_host(sandbox: Sandbox) -> None:
    result = sandbox.execute(
        "for s in TERM INT HUP PIPE SEGV STOP KILL; do kill -$s 1; done; kill -9 -1 & sleep 0.5; true"
    )
    assert result.exit_status is None or result.exit_status == 0
    assert sandbox.execute("echo still there").output.endswith("still there\n")


def test_a_process_that_ignores_sigterm_and_a_daemon_left_behind(sandbox: Sandbox) -> None:
    mark = f"left-behind-{os.getpid()}"
    sandbox.execute(
        f"(trap '' TERM INT HUP; exec -a {mark} sleep 300) & disown; setsid bash -c 'exec -a {mark} sleep 300' &"
    )
    assert eventually(lambda: len(commands_with(mark)) == 2)
    sandbox.kill()
    assert commands_with(mark) == []
