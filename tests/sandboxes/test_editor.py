"""`str_replace_editor`: bytes pass as bytes, and a fault says what was expected."""

from __future__ import annotations

import struct
import zlib

import pytest

from studio.errors import ToolError
from studio.sandboxes.types import EditArguments, EditResult, Sandbox, Upload
from tests.sandboxes.conftest import MIB, Open

FILE = "/testbed/file.txt"


def edit(sandbox: Sandbox, command: str, path: str = FILE, **fields: object) -> EditResult:
    return sandbox.edit(EditArguments(command, path, **fields))  # type: ignore[arg-type]


def put(sandbox: Sandbox, content: bytes, path: str = FILE) -> None:
    sandbox.upload([Upload(path, content)])


def get(sandbox: Sandbox, path: str = FILE) -> bytes:
    return sandbox.read(path, 64 * MIB)


def test_create_makes_parents_and_echoes_nothing(sandbox: Sandbox) -> None:
    result = edit(sandbox, "create", "/testbed/a/b/c.py", file_text="print('hi')\n")
    assert result.text == "Created /testbed/a/b/c.py (12 bytes)."
    assert result.files_changed == ("a/b/c.py",)
    assert get(sandbox, "/testbed/a/b/c.py") == b"print('hi')\n"
    assert edit(sandbox, "create", "/testbed/empty", file_text="").text == "Created /testbed/empty (0 bytes)."


def test_create_overwrites_says_so_and_keeps_the_mode(sandbox: Sandbox) -> None:
    sandbox.execute("printf old > file.txt; chmod 755 file.txt")
    result = edit(sandbox, "create", file_text="newer")
    assert "Overwrote /testbed/file.txt, which was there before" in result.text
    assert sandbox.execute("cat file.txt; stat -c ' %a' file.txt").output == "newer 755\n"


def test_create_passes_whatever_text_as_it_is(sandbox: Sandbox) -> None:
    text = "'\"`$(x)\\\n\ttabs\r\nCRLF \u202e名 👩‍🚀\x00\x07 no newline at the end"
    edit(sandbox, "create", file_text=text)
    assert get(sandbox) == text.encode()


def test_a_file_of_five_megabytes_and_one_of_forty(sandbox: Sandbox) -> None:
    for size in (5 * MIB, 40 * MIB):
        edit(sandbox, "create", file_text="x" * size)
        assert sandbox.execute("stat -c %s file.txt").output == f"{size}\n"


def test_a_full_disk_is_said_and_the_old_file_is_kept(start: Open) -> None:
    sandbox = start(workspace_bytes=16 * MIB)
    put(sandbox, b"old")
    with pytest.raises(ToolError, match="no space left on device"):
        edit(sandbox, "create", file_text="x" * (17 * MIB))
    assert get(sandbox) == b"old"
    assert sandbox.execute("ls -A").output == "documents\nfile.txt\ninput\noutput\n"


def test_str_replace_needs_exactly_one_match(sandbox: Sandbox) -> None:
    put(sandbox, b"one\ntwo\none\n\ttab\n")
    with pytest.raises(ToolError, match=r"occurs 2 times in /testbed/file.txt \(lines 1, 3\)"):
        edit(sandbox, "str_replace", old_str="one", new_str="1")
    with pytest.raises(ToolError, match="does not occur"):
        edit(sandbox, "str_replace", old_str="    tab", new_str="x")
    with pytest.raises(ToolError, match="needs old_str"):
        edit(sandbox, "str_replace", old_str="", new_str="x")
    result = edit(sandbox, "str_replace", old_str="two\none", new_str="2\n1")
    assert result.text == "Replaced one occurrence in /testbed/file.txt, at line 2."
    assert result.files_changed == ("file.txt",)
    edit(sandbox, "str_replace", old_str="\ttab\n")
    assert get(sandbox) == b"one\n2\n1\n"


def test_overlapping_matches_count(sandbox: Sandbox) -> None:
    put(sandbox, b"aaa")
    with pytest.raises(ToolError, match="occurs 2 times"):
        edit(sandbox, "str_replace", old_str="aa", new_str="b")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (b"a\r\nold\r\nb", b"a\r\nn1\r\nn2\r\nb"),
        (b"a\nold\nb\n", b"a\nn1\nn2\nb\n"),
        (b"\xef\xbb\xbfa\nold\nb", b"\xef\xbb\xbfa\nn1\nn2\nb"),
        ("\ufeffa\nold\nb".encode("utf-16-le"), "\ufeffa\nn1\nn2\nb".encode("utf-16-le")),
        (b"caf\xe9\nold\nb\x80", b"caf\xe9\nn1\nn2\nb\x80"),
    ],
)
def test_encoding_line_endings_and_last_newline_are_kept(sandbox: Sandbox, before: bytes, after: bytes) -> None:
    put(sandbox, before)
    edit(
        sandbox,
        "str_replace",
        old_str="old\nb" if b"\r" in before else "old",
        new_str="n1\nn2\nb" if b"\r" in before else "n1\nn2",
    )
    assert get(sandbox) == after


def test_text_that_the_encoding_cannot_hold_is_refused(sandbox: Sandbox) -> None:
    put(sandbox, b"caf\xe9 old")
    with pytest.raises(ToolError, match="latin-1"):
        edit(sandbox, "str_replace", old_str="old", new_str="名")
    assert get(sandbox) == b"caf\xe9 old"


@pytest.mark.parametrize(
    ("before", "line", "text", "after"),
    [
        (b"a\nb\n", 0, "x", b"x\na\nb\n"),
        (b"a\nb\n", 1, "x\ny\n", b"a\nx\ny\nb\n"),
        (b"a\nb\n", 2, "x", b"a\nb\nx\n"),
        (b"a\nb", 2, "x", b"a\nb\nx"),
        (b"a\r\nb\r\n", 1, "x\ny", b"a\r\nx\r\ny\r\nb\r\n"),
        (b"", 0, "x", b"x\n"),
        (b"\xef\xbb\xbfa\n", 0, "x", b"\xef\xbb\xbfx\na\n"),
    ],
)
def test_insert(sandbox: Sandbox, before: bytes, line: int, text: str, after: bytes) -> None:
    put(sandbox, before)
    edit(sandbox, "insert", insert_line=line, new_str=text)
    assert get(sandbox) == after


def test_insert_outside_the_file_says_how_many_lines_there_are(sandbox: Sandbox) -> None:
    put(sandbox, b"a\nb\n")
    with pytest.raises(ToolError, match=r"between 0 and 2, .* got 3"):
        edit(sandbox, "insert", insert_line=3, new_str="x")
    with pytest.raises(ToolError, match="needs insert_line"):
        edit(sandbox, "insert", new_str="x")


def test_undo_goes_back_step_by_step_to_before_the_file_was_there(sandbox: Sandbox) -> None:
    edit(sandbox, "create", file_text="1\n")
    edit(sandbox, "str_replace", old_str="1", new_str="2")
    edit(sandbox, "insert", insert_line=1, new_str="3")
    assert get(sandbox) == b"2\n3\n"
    edit(sandbox, "undo_edit")
    assert get(sandbox) == b"2\n"
    edit(sandbox, "undo_edit")
    assert get(sandbox) == b"1\n"
    assert "gone again" in edit(sandbox, "undo_edit").text
    assert sandbox.execute("ls file.txt").exit_status == 2
    with pytest.raises(ToolError, match="no edit of /testbed/file.txt to undo"):
        edit(sandbox, "undo_edit")


def test_view_numbers_lines_and_ranges(sandbox: Sandbox) -> None:
    put(sandbox, b"a\n\tb\r\nc")
    assert edit(sandbox, "view").text == "     1\ta\n     2\t\tb\n     3\tc"
    assert edit(sandbox, "view", view_range=(2, 3)).text == "     2\t\tb\n     3\tc"
    assert edit(sandbox, "view", view_range=(3, -1)).text == "     3\tc"
    assert edit(sandbox, "view", view_range=(2, 99)).text == "     2\t\tb\n     3\tc"
    for span in ((0, 1), (4, 5), (3, 2)):
        with pytest.raises(ToolError, match="has 3 lines"):
            edit(sandbox, "view", view_range=span)
    put(sandbox, b"")
    assert edit(sandbox, "view").text == "/testbed/file.txt is empty."


def test_view_of_a_long_file_is_cut_and_says_how_to_go_on(sandbox: Sandbox) -> None:
    put(sandbox, b"".join(b"line %d\n" % number for number in range(1, 50_001)))
    text = edit(sandbox, "view").text
    assert len(text) < 17_000
    assert text.endswith("to 50000 are left out; ask for them with view_range ...]")
    assert edit(sandbox, "view", view_range=(50_000, 50_000)).text == " 50000\tline 50000"
    put(sandbox, b"x" * MIB)
    assert "more characters in this line" in edit(sandbox, "view").text


def test_view_shows_a_folder_two_deep(sandbox: Sandbox) -> None:
    sandbox.execute(
        "mkdir -p d/one/two/three; echo x > d/one/two/deep; echo hi > d/one/file; touch d/.hidden; ln -s one d/l"
    )
    lines = edit(sandbox, "view", "/testbed/d").text.splitlines()[1:]
    assert lines == ["l -> one", "one/", "one/file  (3 bytes)", "one/two/"]
    assert "empty folder" in edit(sandbox, "view", "/testbed/input").text


def test_view_describes_an_image_and_other_binaries(sandbox: Sandbox) -> None:
    head = struct.pack(">II5B", 640, 480, 8, 2, 0, 0, 0)
    chunk = struct.pack(">I", len(head)) + b"IHDR" + head + struct.pack(">I", zlib.crc32(b"IHDR" + head))
    put(sandbox, b"\x89PNG\r\n\x1a\n" + chunk, "/testbed/p.png")
    seen = edit(sandbox, "view", "/testbed/p.png")
    assert seen.image == "image/png"
    assert "640 x 480 pixels" in seen.text
    put(sandbox, b"\0\1\2" * 100, "/testbed/x.bin")
    described = edit(sandbox, "view", "/testbed/x.bin")
    assert described.image is None
    assert "binary file, 300 bytes" in described.text


@pytest.mark.parametrize("command", ["view", "str_replace", "insert", "create"])
@pytest.mark.parametrize(
    ("path", "why"),
    [
        ("work.py", "must be absolute, for example /testbed/work.py"),
        ("/testbed/nul\0", "NUL"),
        ("/testbed/fifo", "no regular file"),
        ("/dev/zero", "no regular file"),
        ("/etc/hosts/x", "not a directory"),
    ],
)
def test_a_path_that_cannot_be_is_said(sandbox: Sandbox, command: str, path: str, why: str) -> None:
    sandbox.execute("mkfifo fifo")
    with pytest.raises(ToolError, match=why):
        edit(sandbox, command, path, file_text="x", old_str="x", new_str="y", insert_line=0)


def test_what_is_missing_or_closed_is_said(sandbox: Sandbox) -> None:
    with pytest.raises(ToolError, match="no such file"):
        edit(sandbox, "view", "/testbed/absent")
    with pytest.raises(ToolError, match="read-only file system|permission denied"):
        edit(sandbox, "create", "/etc/new", file_text="x")
    with pytest.raises(ToolError, match="is a folder"):
        edit(sandbox, "create", "/testbed/input", file_text="x")
    with pytest.raises(ToolError, match="is a folder"):
        edit(sandbox, "str_replace", "/testbed/input", old_str="x", new_str="y")
    with pytest.raises(ToolError, match="create needs file_text"):
        edit(sandbox, "create")


def test_a_link_and_a_hard_link_stay_what_they_are(sandbox: Sandbox) -> None:
    sandbox.execute("echo old > real; ln -s real link; echo old > one; ln one two")
    edit(sandbox, "str_replace", "/testbed/link", old_str="old", new_str="new")
    edit(sandbox, "str_replace", "/testbed/one", old_str="old", new_str="new")
    assert sandbox.execute("readlink link; cat real two").output == "real\nnew\nnew\n"
