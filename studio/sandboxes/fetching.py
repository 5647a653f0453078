"""Writing what came out of a sandbox into a folder of this machine: names are checked here, links never followed."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path

from pydantic import TypeAdapter, ValidationError

from studio.errors import SandboxRefused
from studio.sandboxes.connection import Lost
from studio.sandboxes.types import EntryType, ManifestEntry

MAX_PARTS = 64
MAX_NAME_BYTES = 255

_Row = tuple[str, EntryType, int, int, int, int, int, str | None, bool]
_ROWS = TypeAdapter(list[_Row])


def entries(text: bytes) -> Iterator[ManifestEntry]:
    """Rows of a manifest as the tool host sends them. Raises Lost when they are of another form."""
    try:
        rows = _ROWS.validate_python(json.loads(text), strict=False)
    except (ValueError, RecursionError, ValidationError):
        raise Lost("the tool host sent no proper manifest") from None
    for path, kind, size, blocks, mode, nlink, inode, target, encodable in rows:
        yield ManifestEntry(path, kind, size, blocks, mode, nlink, inode, target, encodable)


def parts(path: str) -> list[str]:
    """The parts of a relative path that stays below its root. Raises SandboxRefused for any other."""
    names = path.split("/")
    for name in names:
        if name in {"", ".", ".."} or "\0" in name or len(name.encode("utf-8", "replace")) > MAX_NAME_BYTES:
            raise SandboxRefused(f"an output is called {path[:200]!r}, which cannot be a file here")
    if len(names) > MAX_PARTS:
        raise SandboxRefused(f"an output lies more than {MAX_PARTS} folders deep")
    return names


class Folder:
    """A target folder, into which files are written through descriptors; whatever lies in the way is never followed."""

    def __init__(self, target: Path) -> None:
        target.mkdir(parents=True, exist_ok=True)
        self._root = os.open(target, os.O_RDONLY | os.O_DIRECTORY)

    def __enter__(self) -> Folder:
        return self

    def __exit__(self, *_: object) -> None:
        os.close(self._root)

    def create(self, path: str) -> int:
        """A descriptor of a new file. Raises SandboxRefused when the name is taken by something else."""
        *above, last = parts(path)
        folder = os.dup(self._root)
        try:
            for name in above:
                inside = self._enter(folder, name)
                os.close(folder)
                folder = inside
            flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC
            descriptor = os.open(last, flags, 0o644, dir_fd=folder)
            # Readable by the unprivileged user of the sandbox that inspects it, whatever this process's umask is.
            os.fchmod(descriptor, 0o644)
            return descriptor
        except OSError as error:
            raise SandboxRefused(f"the output {path[:200]!r} cannot be written: {error.strerror}") from None
        finally:
            os.close(folder)

    def _enter(self, folder: int, name: str) -> int:
        flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
        try:
            return os.open(name, flags, dir_fd=folder)
        except FileNotFoundError:
            os.mkdir(name, 0o755, dir_fd=folder)
            inside = os.open(name, flags, dir_fd=folder)
            os.fchmod(inside, 0o755)
            return inside
