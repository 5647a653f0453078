"""Files by their content: written once under their SHA-256, never changed. A folder of this machine."""

from __future__ import annotations

import hashlib
import os
import re
import stat
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, BinaryIO

from studio.errors import NotFound
from studio.settings import Settings

CHUNK = 1 << 20
SHA256 = re.compile(r"[0-9a-f]{64}")


class Blobs:
    """A folder of blobs: `sha256/ab/cd/abcd…`. What is there is whole: it was written aside, synced and renamed."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def put(self, file: Path) -> str:
        """Store a regular file; its SHA-256. Raises ValueError for anything else (a link is not followed).

        One that is there already is only read: jobs of one kind have the same programs.
        """
        descriptor = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
        with os.fdopen(descriptor, "rb") as source:
            if not stat.S_ISREG(os.fstat(source.fileno()).st_mode):
                raise ValueError(f"{file.name} is not a regular file")
            sha256 = hashlib.file_digest(source, "sha256").hexdigest()
            if self._place(sha256).is_file():
                return sha256
            source.seek(0)
            return self.put_stream(source)[0]

    def put_stream(self, source: IO[bytes], limit: int | None = None) -> tuple[str, int]:
        """Store what a stream holds; SHA-256 and size. Raises ValueError above `limit` bytes, and stores nothing."""
        digest, size = hashlib.sha256(), 0
        with self._aside() as (target, aside):
            while chunk := source.read(CHUNK):
                size += len(chunk)
                if limit is not None and size > limit:
                    raise ValueError(f"more than {limit} bytes")
                digest.update(chunk)
                target.write(chunk)
            target.flush()
            os.fsync(target.fileno())
            sha256 = digest.hexdigest()
            place = self._place(sha256)
            if not place.exists():
                place.parent.mkdir(parents=True, exist_ok=True)
                aside.chmod(0o444)
                aside.rename(place)
                _sync_folder(place.parent)
        return sha256, size

    def path(self, sha256: str) -> Path:
        """Where the blob lies. Raises NotFound."""
        place = self._place(sha256)
        if not place.is_file():
            raise NotFound(f"there is no blob {sha256[:64]}")
        return place

    def open(self, sha256: str) -> BinaryIO:
        """The blob's bytes. Raises NotFound."""
        return self.path(sha256).open("rb")

    def _place(self, sha256: str) -> Path:
        if not SHA256.fullmatch(sha256):
            raise NotFound("not the name of a blob")
        return self.folder / "sha256" / sha256[:2] / sha256[2:4] / sha256

    @contextmanager
    def _aside(self) -> Iterator[tuple[BinaryIO, Path]]:
        """A file in the same file system that is gone at the end unless it was renamed."""
        folder = self.folder / "new"
        folder.mkdir(parents=True, exist_ok=True)
        descriptor, name = tempfile.mkstemp(dir=folder)
        aside = Path(name)
        try:
            with os.fdopen(descriptor, "wb") as target:
                yield target, aside
        finally:
            aside.unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    """Make a rename in `folder` last through a power cut."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def open_blobs(settings: Settings) -> Blobs:
    """The blob store of these settings: a folder in the data directory."""
    return Blobs(settings.data_dir / "blobs")
