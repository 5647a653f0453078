"""Blobs: whole or not at all, under the name of their content."""

from __future__ import annotations

import hashlib
import io
import os
import threading
from pathlib import Path

import pytest

from studio.blobs import Blobs
from studio.errors import NotFound


@pytest.fixture
def blobs(tmp_path: Path) -> Blobs:
    return Blobs(tmp_path / "blobs")


def stored(blobs: Blobs) -> list[Path]:
    return sorted(path for path in blobs.folder.rglob("*") if path.is_file())


def test_a_file_is_found_by_its_content(blobs: Blobs, tmp_path: Path) -> None:
    content = os.urandom(3 << 20)
    (tmp_path / "file").write_bytes(content)
    name = blobs.put(tmp_path / "file")
    assert name == hashlib.sha256(content).hexdigest()
    with blobs.open(name) as found:
        assert found.read() == content
    assert blobs.path(name).relative_to(blobs.folder).parts == ("sha256", name[:2], name[2:4], name)


def test_the_same_content_is_kept_once_also_when_many_write_it(blobs: Blobs) -> None:
    content = os.urandom(1 << 20)
    threads = [threading.Thread(target=lambda: blobs.put_stream(io.BytesIO(content))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    (only,) = stored(blobs)
    assert only.read_bytes() == content


def test_a_stream_above_the_limit_leaves_nothing(blobs: Blobs) -> None:
    assert blobs.put_stream(io.BytesIO(b"12345"), limit=5)[1] == 5
    before = stored(blobs)
    with pytest.raises(ValueError, match="more than 5"):
        blobs.put_stream(io.BytesIO(b"123456"), limit=5)
    assert stored(blobs) == before


def test_a_stream_that_breaks_leaves_nothing(blobs: Blobs) -> None:
    class Broken(io.RawIOBase):
        def readable(self) -> bool:
            return True

        def read(self, size: int = -1) -> bytes:
            raise OSError("the connection was cut")

    with pytest.raises(OSError, match="cut"):
        blobs.put_stream(Broken())
    assert stored(blobs) == []


def test_only_regular_files_are_taken(blobs: Blobs, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("secret")
    (tmp_path / "link").symlink_to(tmp_path / "secret")
    os.mkfifo(tmp_path / "fifo")
    for name in ("link", "fifo", "."):
        with pytest.raises((ValueError, OSError)):
            blobs.put(tmp_path / name)
    assert stored(blobs) == []


@pytest.mark.parametrize("name", ["", "../../../etc/passwd", "a" * 63, "A" * 64, "0" * 64, "a" * 64 + "\n"])
def test_what_is_no_blob_is_not_found(blobs: Blobs, name: str) -> None:
    with pytest.raises(NotFound):
        blobs.path(name)
