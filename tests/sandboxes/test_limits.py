"""Each limit is exceeded: what happens is contained, said, and leaves the sandbox or at least the next one at work."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.errors import ConfigurationError
from studio.sandboxes.types import Engine, Sandbox, SandboxSpec
from tests.sandboxes.conftest import MIB, Open

FORK = """
import os, signal, time
children = []
try:
    while True:
        child = os.fork()
        if child == 0: time.sleep(60); os._exit(0)
        children.append(child)
except BlockingIOError as error: print(len(children), error)
for child in children: os.kill(child, signal.SIGKILL)
"""
EAT = "python3 -c 'x = []\nwhile True: x.append(bytearray(4 << 20))'"


def test_memory_of_a_program_costs_that_program_and_is_said(start: Open) -> None:
    sandbox = start(memory_bytes=896 * MIB, workspace_bytes=16 * MIB)
    sandbox.execute("kept=yes")
    result = sandbox.execute(EAT, 60)
    assert result.exit_status == 137
    assert "The memory limit of 896 MiB was reached: the system killed a process." in result.shown
    again = sandbox.execute("echo $kept")
    assert again.output == "yes\n"
    assert (sandbox.use().peak_memory_bytes or 0) <= 896 * MIB


def test_what_it_has_used_is_counted(start: Open) -> None:
    sandbox = start()
    sandbox.execute("head -c 20M /dev/zero > /testbed/x; python3 -c 'sum(range(3_000_000))'")
    used = sandbox.use()
    assert used.bytes_written is not None
    assert 20 * MIB <= used.bytes_written < 40 * MIB
    assert (used.cpu_s or 0) > 0.01
    assert (used.peak_memory_bytes or 0) > 20 * MIB
    sandbox.kill()
    assert (sandbox.use().bytes_written or 0) >= 20 * MIB


def test_files_count_as_memory(start: Open) -> None:
    sandbox = start(memory_bytes=896 * MIB, workspace_bytes=250 * MIB, tmp_bytes=8 * MIB, shm_bytes=8 * MIB)
    program = "x = bytearray(700 << 20); print('allocated')"
    assert sandbox.execute(f'python3 -c "{program}"', 60).output == "allocated\n"
    assert sandbox.execute("head -c 240M /dev/zero > full").exit_status == 0
    assert "memory limit" in sandbox.execute(f'python3 -c "{program}"', 60).output


@pytest.mark.parametrize(
    ("folder", "field"),
    [("/testbed", "workspace_bytes"), ("/tmp", "tmp_bytes"), ("/home/studio", "home_bytes"), ("/dev/shm", "shm_bytes")],
)
def test_a_full_folder_is_full_and_no_more(start: Open, folder: str, field: str) -> None:
    sandbox = start(**{field: 12 * MIB})
    result = sandbox.execute(f"head -c 13M /dev/zero > {folder}/big; stat -c %s {folder}/big")
    assert "No space left on device" in result.output
    assert int(result.output.split()[-1]) <= 12 * MIB
    assert sandbox.execute(f"rm {folder}/big && echo x > {folder}/small && cat {folder}/small").output == "x\n"


def test_the_number_of_processes(start: Open) -> None:
    sandbox = start(pids=64)
    result = sandbox.execute(f"python3 -c '{FORK}'", 30)
    number, words = result.output.split(" ", 1)
    assert 40 < int(number) < 64
    assert "Resource temporarily unavailable" in words
    assert sandbox.execute("echo fine").output == "fine\n"


def test_the_size_of_one_file(start: Open) -> None:
    sandbox = start(file_bytes=2 * MIB)
    result = sandbox.execute("head -c 3M /dev/zero > big; echo $?; stat -c %s big; truncate -s 3M other")
    assert "File too large" in result.output
    assert f"{2 * MIB}\n" in result.output
    assert sandbox.execute("echo fine").output == "fine\n"


def test_the_number_of_open_files(start: Open) -> None:
    sandbox = start(open_files=256)
    result = sandbox.execute("python3 -c 'x = [open(\"/dev/null\") for _ in range(257)]'; ulimit -n 257")
    assert "Too many open files" in result.output
    assert "cannot modify limit" in result.output


def test_processors_are_counted_truly(start: Open) -> None:
    assert (
        start(cpus=1).execute("nproc; python3 -c 'import os; print(len(os.sched_getaffinity(0)))'").output == "1\n1\n"
    )


def test_no_core_is_dumped(sandbox: Sandbox) -> None:
    assert sandbox.execute("ulimit -c; sh -c 'kill -SEGV $$'; ls -A").output.startswith("0\n")


def test_the_time_of_a_command(start: Open) -> None:
    sandbox = start(command_s=1)
    result = sandbox.execute("sleep 30")
    assert result.timed_out
    assert "Stopped after 1 s" in result.shown
    assert sandbox.execute("sleep 1.2; echo patience", 5).output == "patience\n"


def test_the_limits_of_a_program_apart_from_the_shell(start: Open) -> None:
    sandbox = start(memory_bytes=896 * MIB, workspace_bytes=16 * MIB, open_files=256)
    assert sandbox.run(["sh", "-c", "ulimit -n"])[1] == b"256\n"
    status, _, _ = sandbox.run(["python3", "-c", "x = []\nwhile True: x.append(bytearray(4 << 20))"])
    assert status is None
    assert sandbox.execute("echo fine").output.startswith("fine\n")


def test_folders_that_leave_no_memory_for_programs_are_refused(engine: Engine) -> None:
    with pytest.raises(ConfigurationError, match="lower limits.workspace_mb or raise limits.memory_mb"):
        engine.start(SandboxSpec(memory_bytes=1024 * MIB, workspace_bytes=512 * MIB))


def test_smallest_limits_that_a_run_may_ask_for(start: Open, tmp_path: Path) -> None:
    sandbox = start(memory_bytes=896 * MIB, workspace_bytes=16 * MIB)
    assert sandbox.execute("echo fine").output == "fine\n"
