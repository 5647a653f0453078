"""A tool host that was taken over: whatever it sends, the client ends the sandbox and says so."""

from __future__ import annotations

import os
import subprocess
import sys
import time
import tracemalloc
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from studio.errors import SandboxLost, SandboxRefused
from studio.sandboxes.client import ToolHostSandbox
from studio.sandboxes.connection import Connection
from studio.sandboxes.types import EditArguments, ResourceUse, Sandbox, SandboxSpec, Upload

# Reads one request as a tool host does, then sends what it was told to.
PEER = """
import os, sys, time
def exactly(size):
    data = b''
    while len(data) < size: data += os.read(0, size - len(data)) or sys.exit()
    return data
def frame(text, body=b''):
    text = text if isinstance(text, bytes) else text.encode()
    os.write(1, len(text).to_bytes(4, 'big') + text + body)
exactly(int.from_bytes(exactly(4), 'big'))
"""


class Peer:
    """A process that talks over two pipes, without a sandbox around it: the engine of these tests."""

    id = "peer"
    engine = "peer"

    def __init__(self, program: str) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-I", "-c", PEER + program], stdin=subprocess.PIPE, stdout=subprocess.PIPE
        )
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.connection = Connection(os.dup(self.process.stdout.fileno()), os.dup(self.process.stdin.fileno()))
        self.process.stdin.close()
        self.process.stdout.close()

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def why(self) -> str | None:
        return None

    def kills(self) -> int:
        return 0

    def use(self) -> ResourceUse:
        return ResourceUse()

    def resident(self) -> int | None:
        return None


@pytest.fixture
def hostile() -> Iterator[Callable[[str], Sandbox]]:
    made: list[ToolHostSandbox] = []

    def one(program: str) -> Sandbox:
        made.append(ToolHostSandbox(Peer(program), SandboxSpec()))
        return made[-1]

    yield one
    for sandbox in made:
        sandbox.kill()


DONE = 'frame(\'{"id":1,"event":"done",%s}\')'
RESULT = (
    '"kept":0,"exit_status":%s,"timed_out":false,"cut_chars":%s,"output_file":null,"cwd":%s,"seconds":%s,'
    '"files_changed":%s,"shell_restarted":false'
)


@pytest.mark.parametrize(
    "program",
    [
        "sys.exit()",
        "os.write(1, b'hello, this is no frame')",
        "os.write(1, b'\\xff\\xff\\xff\\xff')",
        "os.write(1, b'\\0\\0\\0\\0')",
        "frame('not json')",
        "frame('[' * 100000)",
        "frame('[]')",
        "frame('{}')",
        'frame(\'{"id":2,"event":"done"}\')',
        'frame(\'{"id":true,"event":"done"}\')',
        'frame(\'{"id":1,"event":"surprise"}\')',
        'frame(\'{"id":1,"event":"done","body":-1}\')',
        'frame(\'{"id":1,"event":"done","body":99999999999}\')',
        'frame(\'{"id":1,"event":"done"}\')',
        'frame(\'{"id":1,"event":"error","kind":7,"message":[]}\')',
        "frame(b'\\xff\\xfe')",
        DONE % (RESULT % ("256", "0", '"/"', "0", "[]")),
        DONE % (RESULT % ('"0"', "0", '"/"', "0", "[]")),
        DONE % (RESULT % ("true", "0", '"/"', "0", "[]")),
        DONE % (RESULT % ("0", "-1", '"/"', "0", "[]")),
        DONE % (RESULT % ("0", "0", "7", "0", "[]")),
        DONE % (RESULT % ("0", "0", '"/"', "NaN", "[]")),
        DONE % (RESULT % ("0", "0", '"/"', "0", "[7]")),
        DONE % (RESULT % ("0", "0", '"/"', "0", str(["x"] * 300).replace("'", '"'))),
    ],
)
def test_what_is_no_answer_ends_the_sandbox(hostile: Callable[[str], Sandbox], program: str) -> None:
    sandbox = hostile(program)
    with pytest.raises(SandboxLost, match="the sandbox is gone: the tool host"):
        sandbox.execute("true", 5.0)
    with pytest.raises(SandboxLost):
        sandbox.execute("true")


def test_a_proper_answer_of_the_same_peer_is_taken(hostile: Callable[[str], Sandbox]) -> None:
    result = hostile(DONE % (RESULT % ("0", "0", '"/"', "0", "[]"))).execute("true", 5.0)
    assert (result.exit_status, result.cwd) == (0, "/")


def test_a_flood_of_proper_frames_stays_within_the_limit(hostile: Callable[[str], Sandbox]) -> None:
    chunk = 'while True: frame(\'{"id":1,"event":"chunk","stream":"%s","body":1000000}\', b\'x\' * 1000000)'
    tracemalloc.start()
    try:
        with pytest.raises(SandboxLost, match="more than it may"):
            hostile(chunk % "out").run(["true"], limit=5_000_000)
        with pytest.raises(SandboxLost, match="more than it may"):
            hostile(chunk % "file").read("/testbed/x", 5_000_000)
        assert tracemalloc.get_traced_memory()[1] < 64 << 20
    finally:
        tracemalloc.stop()
    with pytest.raises(SandboxLost, match="no proper manifest"):
        hostile(chunk % "rows").manifest()
    with pytest.raises(SandboxLost, match="no proper stream|more than it may"):
        hostile('frame(\'{"id":1,"event":"chunk","stream":"other","body":1}\', b\'x\')').run(["true"])


def test_a_manifest_without_end_or_of_another_form(hostile: Callable[[str], Sandbox]) -> None:
    row = b'["a","file",1,8,420,1,1,null,true]'
    many = f"b'[' + b','.join([{row!r}] * 6000) + b']'"
    for rows in (many, *map(repr, (b'[["a","file"]]', b'[["a","planet",1,8,420,1,1,null,true]]', b"{}"))):
        program = f'rows = {rows}\nframe(\'{{"id":1,"event":"chunk","body":%d}}\' % len(rows), rows)'
        with pytest.raises(SandboxLost):
            hostile(program).manifest()


def test_a_manifest_of_evil_names_fetches_nothing(hostile: Callable[[str], Sandbox], tmp_path: Path) -> None:
    row = b'[["../../evil","file",1,8,420,1,1,null,true]]'
    program = (
        f'rows = {row!r}\nframe(\'{{"id":1,"event":"chunk","body":%d}}\' % len(rows), rows)\n'
        'frame(\'{"id":1,"event":"done","truncated":false}\')'
    )
    sandbox = hostile(program)
    manifest = sandbox.manifest()
    with pytest.raises(SandboxRefused, match="evil"):
        sandbox.download(manifest, tmp_path / "deep" / "target", limit=1000)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_output_events_do_not_fill_the_memory(hostile: Callable[[str], Sandbox]) -> None:
    sandbox = hostile('while True: frame(\'{"id":1,"event":"output","body":100000}\', b\'x\' * 100000)')
    tracemalloc.start()
    try:
        with pytest.raises(SandboxLost, match="did not answer in time"):
            sandbox.execute("true", -19.0)
        assert tracemalloc.get_traced_memory()[1] < 32 << 20
    finally:
        tracemalloc.stop()


def test_silence_is_waited_for_only_so_long(hostile: Callable[[str], Sandbox]) -> None:
    began = time.monotonic()
    with pytest.raises(SandboxLost, match="did not answer in time"):
        hostile("time.sleep(600)").execute("true", -19.0)
    assert time.monotonic() - began < 60


def test_a_peer_that_reads_nothing(hostile: Callable[[str], Sandbox]) -> None:
    sandbox = hostile("time.sleep(600)")
    with pytest.raises(SandboxLost, match="takes no more requests|did not answer"):
        sandbox.run(["true"], stdin=b"x" * 4_000_000, timeout_s=-19.0)
    with pytest.raises(SandboxLost):
        sandbox.upload([Upload("/x", b"x")])
    with pytest.raises(SandboxLost):
        sandbox.edit(EditArguments("view", "/x"))
