"""Uploads, reading, the manifest and the download of outputs: by lstat, never through a link, within limits."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from studio.errors import SandboxRefused
from studio.sandboxes.fetching import parts
from studio.sandboxes.types import Manifest, ManifestEntry, Sandbox, Upload
from tests.sandboxes.conftest import MIB, Open


def names(manifest: Manifest) -> dict[str, str]:
    return {entry.path: entry.type for entry in manifest.entries}


def test_the_folders_are_there(sandbox: Sandbox) -> None:
    result = sandbox.execute("cd /testbed && ls -d input documents output && stat -c %U output && echo $HOME && id -u")
    assert result.output == "documents\ninput\noutput\nstudio\n/home/studio\n1000\n"


@pytest.mark.parametrize(
    "name", ["plain.txt", "with space.txt", "名前-🎨.txt", "quote'\"$x`.txt", "line\nbreak", "-rf"]
)
def test_an_upload_keeps_its_bytes_and_its_name(sandbox: Sandbox, name: str, tmp_path: Path) -> None:
    content = bytes(range(256)) * 10
    local = tmp_path / "local"
    local.write_bytes(content)
    sandbox.upload([Upload(f"/testbed/input/{name}", content, 0o640), Upload(f"/testbed/documents/a/{name}", local)])
    assert sandbox.read(f"/testbed/input/{name}", MIB) == content
    assert sandbox.read(f"/testbed/documents/a/{name}", MIB) == content
    entry = sandbox.manifest("/testbed/input").entries[0]
    assert (entry.path, entry.size, entry.mode) == (name, 2560, 0o640)


def test_a_large_and_an_empty_upload(sandbox: Sandbox, tmp_path: Path) -> None:
    large = tmp_path / "large"
    large.write_bytes(os.urandom(20 * MIB + 7))
    sandbox.upload([Upload("/testbed/input/large", large, 0o755), Upload("/testbed/input/empty", b"")])
    assert sandbox.read("/testbed/input/large", 21 * MIB) == large.read_bytes()
    assert sandbox.read("/testbed/input/empty", 0) == b""
    assert sandbox.execute("test -x input/large && echo runs").output == "runs\n"


def test_an_upload_where_it_cannot_be_is_refused_and_nothing_breaks(sandbox: Sandbox) -> None:
    for path in ("relative", "/etc/new", "/testbed/../etc/new", "/testbed/nul\0", "/proc/sys/kernel/domainname"):
        with pytest.raises(SandboxRefused):
            sandbox.upload([Upload(path, b"x")])
    sandbox.execute("ln -s /tmp/target /testbed/link; mkfifo /testbed/fifo")
    for path in ("/testbed/link", "/testbed/fifo"):
        with pytest.raises(SandboxRefused):
            sandbox.upload([Upload(path, b"x")])
    assert sandbox.execute("ls /tmp/target").exit_status != 0


def test_reading_follows_no_link_and_keeps_the_limit(sandbox: Sandbox) -> None:
    sandbox.execute(
        "cd output; echo secret > ../real; ln -s ../real link; mkdir ../dir; echo x > ../dir/x; ln -s ../dir d"
    )
    sandbox.execute("mkfifo fifo; head -c 1001 /dev/zero > big; ln -s /dev/zero zero")
    for path, why in (
        ("link", "symbolic link|symlink|too many"),
        ("d/x", "directory|symbolic|too many"),
        ("fifo", "no regular file"),
        ("zero", "symbolic|too many"),
        ("big", "1001 bytes; at most 1000"),
        ("absent", "no such file"),
        (".", "no regular file"),
    ):
        with pytest.raises(SandboxRefused, match=f"(?i){why}"):
            sandbox.read(f"/testbed/output/{path}", 1000)
    assert sandbox.read("/testbed/output/big", 1001) == b"\0" * 1001


def test_the_manifest_names_everything_and_what_it_is(sandbox: Sandbox) -> None:
    sandbox.execute(
        r"""cd output; mkdir -p a/b; printf 12345 > a/b/file; ln -s /etc/shadow link; mkfifo fifo
        ln a/b/file hard; truncate -s 100M sparse; : > $'bad\xff name'; : > 'ünï'
        python3 -c 'import socket; socket.socket(socket.AF_UNIX).bind("sock")'"""
    )
    manifest = sandbox.manifest()
    assert names(manifest) == {
        "a": "directory",
        "a/b": "directory",
        "a/b/file": "file",
        "bad\\xff name": "file",
        "fifo": "fifo",
        "hard": "file",
        "link": "symlink",
        "sock": "socket",
        "sparse": "file",
        "ünï": "file",
    }
    found = {entry.path: entry for entry in manifest.entries}
    assert found["link"].link_target == "/etc/shadow"
    assert found["hard"].inode == found["a/b/file"].inode
    assert found["hard"].nlink == 2
    assert (found["sparse"].size, found["sparse"].blocks) == (100 * MIB, 0)
    assert not found["bad\\xff name"].encodable
    assert found["ünï"].encodable
    assert not manifest.truncated


def test_a_manifest_of_too_many_names_is_cut_and_says_so(sandbox: Sandbox) -> None:
    sandbox.execute("cd output; python3 -c 'for n in range(6000): open(str(n), \"w\")'")
    manifest = sandbox.manifest()
    assert manifest.truncated
    assert len(manifest.entries) == 5000


def test_an_output_folder_that_is_gone_or_replaced(sandbox: Sandbox) -> None:
    sandbox.execute("rmdir output")
    assert sandbox.manifest().entries == ()
    sandbox.execute("ln -s /etc output")
    assert names(sandbox.manifest()) == {".": "symlink"}


def test_a_download_has_the_regular_files_and_nothing_else(sandbox: Sandbox, folder: Path) -> None:
    sandbox.execute(
        "cd output; mkdir -p a/b; printf 12345 > a/b/f; ln -s f a/b/l; mkfifo fifo; : > empty; chmod 0 empty"
    )
    sandbox.execute(r"cd output; chmod 600 empty; printf x > $'bad\xff'; printf é > 'é 🎨'; chmod +x 'é 🎨'")
    written = sandbox.download(sandbox.manifest(), folder, limit=1000)
    assert sorted(written) == ["a/b/f", "empty", "é 🎨"]
    assert sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()) == sorted(written)
    assert (folder / "a/b/f").read_bytes() == b"12345"
    assert stat.S_IMODE((folder / "é 🎨").stat().st_mode) == 0o644


def test_a_download_above_its_limit_is_refused(sandbox: Sandbox, folder: Path) -> None:
    sandbox.execute("cd output; head -c 600 /dev/zero > a; head -c 600 /dev/zero > b")
    with pytest.raises(SandboxRefused, match="at most 400"):
        sandbox.download(sandbox.manifest(), folder, limit=1000)


@pytest.mark.parametrize(
    "path", ["../out", "a/../../out", "/etc/x", "", "a//b", "a/./b", "nul\0", "x" * 256, "a/" * 70 + "b"]
)
def test_a_name_that_leaves_the_target_is_refused_on_this_side(sandbox: Sandbox, folder: Path, path: str) -> None:
    with pytest.raises(SandboxRefused):
        parts(path)
    entry = ManifestEntry(path, "file", 1, 8, 0o644, 1, 1)
    with pytest.raises(SandboxRefused):
        sandbox.download(Manifest((entry,)), folder, limit=1000)
    assert [found for found in folder.parent.rglob("*") if found.is_file()] == []
    assert sandbox.execute("echo fine").output == "fine\n"


def test_a_download_never_writes_through_a_link_of_the_target(sandbox: Sandbox, folder: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    folder.mkdir()
    (folder / "a").symlink_to(outside)
    sandbox.execute("mkdir output/a; echo x > output/a/x")
    with pytest.raises(SandboxRefused):
        sandbox.download(sandbox.manifest(), folder, limit=1000)
    assert list(outside.iterdir()) == []


def test_a_program_apart_from_the_shell(sandbox: Sandbox) -> None:
    sandbox.execute("cd /tmp; x=1")
    assert sandbox.run(["sh", "-c", "pwd; cat; echo err >&2; exit 3"], stdin=b"in\xff") == (
        3,
        b"/testbed\nin\xff",
        b"err\n",
    )
    assert sandbox.run(["sh", "-c", "kill -9 $$"])[0] is None
    assert sandbox.run(["yes"], timeout_s=0.5, limit=1000) == (None, b"y\n" * 500, b"")
    assert sandbox.run(["true"], stdin=b"x" * 3 * MIB)[0] == 0
    assert len(sandbox.run(["cat"], stdin=b"x" * 3 * MIB)[1]) == 3 * MIB
    with pytest.raises(SandboxRefused, match="no-such-program cannot be started"):
        sandbox.run(["no-such-program"])
    assert sandbox.run(["sh", "-c", "sleep 60 & echo on"], timeout_s=10) == (0, b"on\n", b"")
    assert sandbox.execute("pwd; echo $x").output == "/tmp\n1\n"


def test_given_outputs_are_there_and_read_only(start: Open, tmp_path: Path) -> None:
    given = tmp_path / "given"
    (given / "sub").mkdir(parents=True)
    (given / "sub" / "file").write_text("made before")
    (given / "link").symlink_to("/etc/hostname")
    given.chmod(0o755)
    sandbox = start(outputs=given)
    assert sandbox.execute("cat output/sub/file").output == "made before"
    assert "Read-only file system" in sandbox.execute("echo x > output/new; rm -r output/sub").output
    assert names(sandbox.manifest()) == {"link": "symlink", "sub": "directory", "sub/file": "file"}
    assert sandbox.execute("echo kept > /testbed/mine && cat /testbed/mine").output == "kept\n"
    assert (given / "sub" / "file").read_text() == "made before"
