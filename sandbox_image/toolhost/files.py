"""Files as the studio sees them: by lstat, and opened part by part so that no symbolic link is ever followed."""

from __future__ import annotations

import os
import stat

from sandbox_image.toolhost.errors import Refused, reason

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

MAX_ENTRIES = 5_000
MAX_TARGET = 1_000
CHUNK = 1 << 20

_TYPES = {
    stat.S_IFREG: "file",
    stat.S_IFDIR: "directory",
    stat.S_IFLNK: "symlink",
    stat.S_IFIFO: "fifo",
    stat.S_IFSOCK: "socket",
    stat.S_IFBLK: "device",
    stat.S_IFCHR: "device",
}


def name(path: bytes) -> tuple[str, bool]:
    """A path as text, and whether it is UTF-8; what is not is escaped with backslashes."""
    try:
        return path.decode(), True
    except UnicodeDecodeError:
        return path.decode("utf-8", "backslashreplace"), False


def manifest(root: str) -> tuple[list[list[object]], bool]:
    """Rows (path, type, size, blocks, mode, nlink, inode, link target, is UTF-8) of all below `root`, in order.

    True with it when there are more than 5,000. A root that is no folder gives one row called ".".
    """
    rows: list[list[object]] = []
    try:
        folders = [(b"", open_folder(root))]
    except FileNotFoundError:
        return rows, False
    except OSError:
        try:
            return [_row(b".", os.lstat(root), None)], False
        except OSError:
            return rows, False
    truncated = False
    while folders:
        prefix, folder = folders.pop()
        try:
            for entry in sorted(os.fsencode(entry) for entry in os.listdir(folder)):
                if len(rows) >= MAX_ENTRIES:
                    truncated = True
                    break
                try:
                    status = os.stat(entry, dir_fd=folder, follow_symlinks=False)
                    link = os.readlink(entry, dir_fd=folder) if stat.S_ISLNK(status.st_mode) else None
                except OSError:
                    continue
                rows.append(_row(prefix + entry, status, link))
                if stat.S_ISDIR(status.st_mode) and len(folders) < 500:
                    try:
                        inside = os.open(entry, _FOLDER, dir_fd=folder)
                    except OSError:
                        continue
                    folders.append((prefix + entry + b"/", inside))
        finally:
            os.close(folder)
    rows.sort(key=lambda row: str(row[0]))
    return rows, truncated


def _row(path: bytes, status: os.stat_result, link: bytes | None) -> list[object]:
    text, encodable = name(path)
    target = None if link is None else name(link)[0][:MAX_TARGET]
    kind = _TYPES.get(stat.S_IFMT(status.st_mode), "other")
    mode = stat.S_IMODE(status.st_mode)
    return [text, kind, status.st_size, status.st_blocks, mode, status.st_nlink, status.st_ino, target, encodable]


_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def open_folder(path: str) -> int:
    """A descriptor of a folder, no part of whose absolute path is a symbolic link. Raises OSError."""
    return _descend(path, _FOLDER)


def _descend(path: str, flags: int) -> int:
    parts = [part for part in os.fsencode(path).split(b"/") if part]
    folder = os.open("/", _FOLDER)
    for part in parts[:-1]:
        try:
            inside = os.open(part, _FOLDER, dir_fd=folder)
        finally:
            os.close(folder)
        folder = inside
    if not parts:
        return folder
    try:
        return os.open(parts[-1], flags, dir_fd=folder)
    finally:
        os.close(folder)


def read(path: str, limit: int, send: Callable[[bytes], None]) -> int:
    """Send the bytes of a regular file in chunks; returns their number. Raises Refused."""
    check_path(path)
    try:
        descriptor = _descend(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        raise Refused(f"{path} cannot be read: {reason(error)}") from None
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise Refused(f"{path} is no regular file")
        if status.st_size > limit:
            raise Refused(f"{path} has {status.st_size} bytes; at most {limit} are read")
        total = 0
        while data := os.read(descriptor, CHUNK):
            total += len(data)
            if total > limit:
                raise Refused(f"{path} grew above {limit} bytes while it was read")
            send(data)
        return total
    except OSError as error:
        raise Refused(f"{path} cannot be read: {reason(error)}") from None
    finally:
        os.close(descriptor)


def write(path: str, content: bytes | bytearray, mode: int, more: bool) -> None:
    """Write a file, or its next part when `more`; makes parent folders. Raises Refused."""
    check_path(path)
    try:
        if not more:
            os.makedirs(os.path.dirname(path), exist_ok=True)
        flags = os.O_WRONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
        descriptor = os.open(path, flags | (os.O_APPEND if more else os.O_CREAT | os.O_TRUNC), 0o600)
        try:
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise Refused(f"{path} is no regular file")
            write_all(descriptor, content)
            os.fchmod(descriptor, mode)
        finally:
            os.close(descriptor)
    except OSError as error:
        raise Refused(f"{path} cannot be written: {reason(error)}") from None


def write_all(descriptor: int, content: bytes | bytearray) -> None:
    """Write every byte. Raises OSError."""
    view = memoryview(content)
    while view:
        view = view[os.write(descriptor, view) :]


def check_path(path: str) -> None:
    """Raises Refused unless `path` is absolute, has no NUL and no `..`."""
    if not path.startswith("/") or "\0" in path or ".." in path.split("/"):
        raise Refused(f"{path!r} is no absolute path without '..'")
