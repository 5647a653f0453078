"""Bombs and system calls of a hostile program: contained, reported, and the next sandbox works."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from studio.errors import SandboxLost, SandboxRefused
from studio.sandboxes.types import Engine, Sandbox
from tests.sandboxes.conftest import MIB, Open
from tests.sandboxes.hostility import assert_next_one_works, python


@pytest.fixture(autouse=True)
def next_one_unharmed(engine: Engine) -> Iterator[None]:
    yield
    assert_next_one_works(engine)


# Bombs.


def test_a_fork_bomb(start: Open) -> None:
    sandbox = start(pids=128)
    result = sandbox.execute(":(){ :|:& };: ; sleep 1", 5)
    assert len(result.output) < MIB
    sandbox.kill()
    with pytest.raises(SandboxLost):
        sandbox.execute("true")


def test_a_memory_bomb_of_many_processes(start: Open) -> None:
    sandbox = start(memory_bytes=896 * MIB, workspace_bytes=16 * MIB)
    result = sandbox.execute(
        "for n in 1 2 3 4; do python3 -c 'x = []\nwhile True: x.append(bytearray(4 << 20))' & done; wait", 60
    )
    assert "memory limit of 896 MiB" in result.output
    assert (sandbox.use().peak_memory_bytes or 0) <= 896 * MIB


def test_the_disk_is_filled(start: Open) -> None:
    sandbox = start(workspace_bytes=64 * MIB)
    result = sandbox.execute(
        "cat /dev/zero > a; cat /dev/zero > /tmp/a; cat /dev/zero > ~/a; df --output=pcent /testbed"
    )
    assert result.output.count("No space left") == 3
    assert "100%" in result.output
    assert sandbox.execute("echo; echo still here").output == "\nstill here\n"


def test_a_million_small_files(start: Open) -> None:
    small = MIB
    sandbox = start(memory_bytes=520 * MIB, workspace_bytes=4 * MIB, tmp_bytes=small, shm_bytes=small, home_bytes=small)
    program = "import os\nfor n in range(1000000): os.mknod(str(n))\nprint('made')"
    try:
        said = sandbox.execute(f"python3 -c '{program}'", 60).output
    except SandboxLost as lost:
        said = str(lost)
    assert "memory limit" in said
    assert "made" not in said


def test_a_sparse_output_of_ten_gigabytes(sandbox: Sandbox, folder: Path) -> None:
    made = sandbox.execute("truncate -s 10G output/sparse; dd if=/dev/zero of=output/end bs=1 count=1 seek=10G")
    assert made.output.count("File too large") >= 1
    sandbox.execute("truncate -s 500M output/sparse")
    manifest = sandbox.manifest()
    assert max(entry.size for entry in manifest.files) <= 512 * MIB
    with pytest.raises(SandboxRefused):
        sandbox.download(manifest, folder, limit=200 * MIB)
    assert sum(path.stat().st_size for path in folder.rglob("*") if path.is_file()) <= 200 * MIB


# System calls.

CALLS = """
libc = ctypes.CDLL(None, use_errno=True)
def call(name, number, *arguments):
    ctypes.set_errno(0)
    answer = libc.syscall(*(ctypes.c_long(a) if isinstance(a, int) else a for a in (number, *arguments)))
    print(name, E.get(ctypes.get_errno(), 'none') if answer < 0 else 'ALLOWED')
"""


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="the numbers of system calls below are those of x86_64")
def test_system_calls_that_nobody_in_there_needs(sandbox: Sandbox) -> None:
    program = (
        CALLS
        + """
call('mount', 165, b'none', b'/tmp', b'tmpfs', 0, None)
call('umount2', 166, b'/testbed', 2)
call('pivot_root', 155, b'/tmp', b'/tmp')
call('chroot', 161, b'/tmp')
call('open_tree', 428, -100, b'/', 1)
call('fsopen', 430, b'tmpfs', 0)
call('unshare-user', 272, 0x10000000)
call('unshare-mount', 272, 0x00020000)
call('setns', 308, 0, 0)
call('clone-user', 56, 0x10000000 | 17, 0, 0, 0, 0)
call('clone-net', 56, 0x40000000 | 17, 0, 0, 0, 0)
call('clone3', 435, 0, 0)
call('add_key', 248, b'user', b'planted', b'x', 1, -3)
call('keyctl', 250, 0, -3, 0)
call('request_key', 249, b'user', b'x', None, 0)
call('bpf', 321, 0, None, 0)
call('perf_event_open', 298, None, 0, -1, -1, 0)
call('userfaultfd', 323, 0)
call('io_uring_setup', 425, 1, None)
call('init_module', 175, None, 0, b'')
call('kexec_load', 246, 0, 0, None, 0)
call('reboot', 169, 0xfee1dead, 672274793, 0, None)
call('open_by_handle_at', 304, 0, None, 0)
call('settimeofday', 164, None, None)
call('swapon', 167, b'/tmp/x', 0)
call('iopl', 172, 3)
call('syslog', 103, 3, None, 0)
call('acct', 163, b'/tmp/x')
call('quotactl', 179, 0, None, 0, None)
call('personality', 135, 0x0040000)
call('kcmp', 312, 1, 1, 0, 0, 0)
call('move_pages', 279, 1, 0, None, None, None, 0)
"""
    )
    answers = dict(line.split() for line in python(sandbox, program).splitlines())
    assert len(answers) == 32
    assert answers.pop("clone3") == "ENOSYS"
    assert set(answers.values()) == {"EPERM"}, answers


def test_ptrace_and_memory_of_the_tool_host(sandbox: Sandbox) -> None:
    program = (
        CALLS
        + """
call('attach', 101, 16, 1, None, None)
call('seize', 101, 0x4206, 1, None, None)
buffer = ctypes.create_string_buffer(8)
class V(ctypes.Structure): _fields_ = (('base', ctypes.c_void_p), ('length', ctypes.c_size_t))
here = V(ctypes.addressof(buffer), 8)
call('write', 311, 1, ctypes.byref(here), 1, ctypes.byref(here), 1, 0)
call('pidfd_getfd', 438, os.pidfd_open(1), 0, 0)
"""
    )
    if os.uname().machine == "x86_64":
        answers = dict(line.split() for line in python(sandbox, program).splitlines())
        assert set(answers.values()) == {"EPERM"}, answers
    assert sandbox.execute("cat /proc/1/mem /proc/1/maps /proc/1/stack").output.count("denied") == 3


def test_a_character_pushed_into_a_terminal(sandbox: Sandbox) -> None:
    program = """
import fcntl, glob
for path in ['/dev/tty', *glob.glob('/dev/pts/[0-9]*')]:
    try:
        fd = os.open(path, os.O_RDWR | os.O_NOCTTY)
        fcntl.ioctl(fd, 0x5412, b'x')
        print('PUSHED', path)
    except OSError as e: print(E[e.errno])
"""
    assert set(python(sandbox, program).split()) <= {"ENXIO", "EPERM", "EIO"}


def test_setuid_files(sandbox: Sandbox) -> None:
    sandbox.execute("cp /bin/bash /testbed/sh; chmod 6755 /testbed/sh")
    assert sandbox.execute(
        "/testbed/sh -p -c 'id -u; id -ru; grep -E \"CapEff|NoNewPrivs\" /proc/self/status'"
    ).output == ("1000\n1000\nCapEff:\t0000000000000000\nNoNewPrivs:\t1\n")
    options = sandbox.execute("awk '{print $5, $6}' /proc/self/mountinfo").output.splitlines()
    writable = [line for line in options if line.split()[1].split(",")[0] == "rw"]
    assert any(line.startswith("/testbed ") for line in writable)
    assert all("nosuid" in line for line in writable)
    assert python(sandbox, "try: os.setuid(0); print('root')\nexcept OSError as e: print(E[e.errno])") in (
        "EPERM\n",
        "EINVAL\n",
    )


FOREIGN = """
import struct
def tried(name, ending):
    with open(name, "wb") as file: file.write(ending)
    os.chmod(name, 0o755)
    child = os.fork()
    if not child:
        try: os.execv(name, [name])
        except OSError: os._exit(126)
    _, status = os.waitpid(child, 0)
    print(os.waitstatus_to_exitcode(status))
# A 32-bit program of Linux (elf(5)) that ends with 7: mov eax, 1; mov ebx, 7; int 0x80.
at = 0x08048000
code = bytes.fromhex("b801000000bb07000000cd80f4")
head = b"\\x7fELF\\1\\1\\1" + bytes(9) + struct.pack("<HHIIIIIHHHHHH", 2, 3, 1, at + 84, 52, 0, 0, 52, 32, 1, 0, 0, 0)
tried("/tmp/of32", head + struct.pack("<IIIIIIII", 1, 0, at, at, 84 + len(code), 84 + len(code), 5, 4096) + code)
# The same as a 64-bit program by the other numbers that x86_64 has (x32): mov eax, 0x4000003c; mov edi, 7; syscall.
at = 0x400000
code = bytes.fromhex("b83c000040bf070000000f05f4")
head = b"\\x7fELF\\2\\1\\1" + bytes(9) + struct.pack("<HHIQQQIHHHHHH", 2, 62, 1, at + 120, 64, 0, 0, 64, 56, 1, 0, 0, 0)
tried("/tmp/ofx32", head + struct.pack("<IIQQQQQQ", 1, 5, 0, at, at, 120 + len(code), 120 + len(code), 4096) + code)
# And by its own, which shows that the program is one.
code = bytes.fromhex("b83c000000bf070000000f05f4")
tried("/tmp/of64", head + struct.pack("<IIQQQQQQ", 1, 5, 0, at, at, 120 + len(code), 120 + len(code), 4096) + code)
"""


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="the programs are of x86_64 and its relatives")
def test_programs_of_another_architecture_make_no_system_call(sandbox: Sandbox) -> None:
    of_32, of_x32, own = python(sandbox, FOREIGN).split()
    assert own == "7"
    assert "7" not in (of_32, of_x32)
