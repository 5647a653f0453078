"""A folder of files that a person hands over to be judged: listed by lstat, copied as bytes, never opened as more."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from studio.errors import BriefError, Problem, SandboxRefused
from studio.sandboxes.fetching import Folder
from studio.sandboxes.types import EntryType, Manifest, ManifestEntry

MAX_ENTRIES = 5000
_COPY_BYTES = 1 << 20


def take_manifest(root: Path) -> Manifest:
    """Everything below `root`, no link followed. Raises BriefError when it is no folder that can be read."""
    try:
        if not stat.S_ISDIR(root.lstat().st_mode):
            raise NotADirectoryError(20, "it is not a folder")
        entries: list[ManifestEntry] = []
        for entry in _walk(root, ""):
            if len(entries) >= MAX_ENTRIES:
                return Manifest(tuple(entries), truncated=True)
            entries.append(entry)
    except OSError as error:
        raise BriefError([Problem("", f"{str(root)!r} cannot be judged: {error.strerror}")]) from None
    return Manifest(tuple(entries))


def _walk(root: Path, below: str) -> Iterator[ManifestEntry]:
    with os.scandir(root / below) as found:
        names = sorted(entry.name for entry in found)
    for name in names:
        path = f"{below}/{name}" if below else name
        info = (root / path).lstat()
        kind = _kind(info.st_mode)
        yield ManifestEntry(
            path=path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace"),
            type=kind,
            size=info.st_size,
            blocks=info.st_blocks,
            mode=stat.S_IMODE(info.st_mode),
            nlink=info.st_nlink,
            inode=info.st_ino,
            link_target=_shown(str((root / path).readlink())) if kind == "symlink" else None,
            encodable=not any("\udc80" <= char <= "\udcff" for char in path),
        )
        if kind == "directory":
            yield from _walk(root, path)


def _kind(mode: int) -> EntryType:
    if stat.S_ISREG(mode):
        return "file"
    if stat.S_ISDIR(mode):
        return "directory"
    if stat.S_ISLNK(mode):
        return "symlink"
    if stat.S_ISFIFO(mode):
        return "fifo"
    if stat.S_ISSOCK(mode):
        return "socket"
    return "device" if stat.S_ISCHR(mode) or stat.S_ISBLK(mode) else "other"


def _shown(target: str) -> str:
    return target.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")[:4096]


def stage(root: Path, manifest: Manifest, target: Path) -> None:
    """Copy the regular files of `manifest` into `target`; what cannot be a file there, or is one no more, is left out.

    Raises BriefError when a file cannot be read.
    """
    with Folder(target) as folder:
        for entry in manifest.files:
            if not entry.encodable:
                continue
            try:
                source = os.open(root / entry.path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
            except OSError as error:
                message = f"{entry.path!r} cannot be read: {error.strerror}"
                raise BriefError([Problem("", message)]) from None
            try:
                if stat.S_ISREG(os.fstat(source).st_mode):
                    _copy(source, folder.create(entry.path), entry.size)
            except SandboxRefused:
                continue  # files.safe says what is wrong with the name
            finally:
                os.close(source)


def _copy(source: int, target: int, size: int) -> None:
    try:
        while size > 0 and (chunk := os.read(source, min(size, _COPY_BYTES))):
            os.write(target, chunk)
            size -= len(chunk)
    finally:
        os.close(target)
