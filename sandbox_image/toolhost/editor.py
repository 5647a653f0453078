"""`str_replace_editor`: view, create, str_replace, insert, undo_edit, on bytes.

Encoding, line endings, tabs and the last newline of a file stay as they are: only what was asked for changes.
"""

from __future__ import annotations

import os
import stat

from sandbox_image.toolhost import files
from sandbox_image.toolhost.errors import ToolFault, reason
from sandbox_image.toolhost.viewing import Text, read_regular, view

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

UNDO_BYTES = 16 << 20
UNDO_STEPS = 100


class Editor:
    """The editor with what it can undo."""

    def __init__(self) -> None:
        self._past: list[tuple[str, bytes | None]] = []  # path and what it held; None: it was not there

    def carry_out(self, header: dict[str, Any], texts: list[bytes | None]) -> tuple[str, str | None]:
        """One call; `texts` are file_text, old_str, new_str. Returns words and the media type of a viewed image.

        Raises ToolFault with what was expected.
        """
        command, path = header["command"], header["path"]
        file_text, old, new = texts
        if not path.startswith("/"):
            raise ToolFault(f"path must be absolute, for example /testbed/{path.removeprefix('./') or 'work.py'}")
        if "\0" in path:
            raise ToolFault("path must not contain a NUL character")
        try:
            if command == "view":
                return view(path, header.get("view_range"))
            if command == "create":
                return self._create(path, file_text), None
            if command == "str_replace":
                return self._replace(path, old, new or b""), None
            if command == "insert":
                return self._insert(path, header.get("insert_line"), new), None
            return self._undo(path), None
        except OSError as error:
            raise ToolFault(f"{path}: {reason(error)}") from None

    def _create(self, path: str, content: bytes | None) -> str:
        if content is None:
            raise ToolFault("create needs file_text: the whole content of the file (it may be empty)")
        if os.path.isdir(path):
            raise ToolFault(f"{path} is a folder; give the path of a file in it")
        before = read_regular(path) if os.path.lexists(path) else None
        parent = os.path.dirname(path)
        if os.path.exists(parent) and not os.path.isdir(parent):
            raise ToolFault(f"{parent} is not a directory, so nothing can be made in it")
        os.makedirs(parent, exist_ok=True)
        self._store(path, content, before)
        if before is None:
            return f"Created {path} ({len(content):,} bytes)."
        return f"Overwrote {path}, which was there before: {len(content):,} bytes now, {len(before):,} before."

    def _replace(self, path: str, old: bytes | None, new: bytes) -> str:
        if not old:
            raise ToolFault("str_replace needs old_str: text that occurs exactly once in the file")
        data = read_regular(path)
        text = Text(data)
        needle, fresh = text.native(old), text.native(new)
        places = _places(data, needle)
        if not places and text.crlf:
            needle, fresh = text.native(_crlf(old)), text.native(_crlf(new))
            places = _places(data, needle)
        if not places:
            raise ToolFault(f"old_str does not occur in {path}; it must match exactly, with its spaces and line breaks")
        if len(places) > 1:
            lines = ", ".join(str(text.line_of(place)) for place in places[:20])
            more = " and more" if len(places) > 20 else ""
            raise ToolFault(
                f"old_str occurs {len(places)} times in {path} (lines {lines}{more}); "
                "it must occur once: add what is around it"
            )
        start = places[0]
        self._store(path, data[:start] + fresh + data[start + len(needle) :], data)
        return f"Replaced one occurrence in {path}, at line {text.line_of(start)}."

    def _insert(self, path: str, line: int | None, new: bytes | None) -> str:
        if line is None or new is None:
            raise ToolFault("insert needs insert_line (0 is the beginning) and new_str")
        data = read_regular(path)
        text = Text(data)
        ends = text.line_ends()
        if not 0 <= line <= len(ends):
            raise ToolFault(f"insert_line must be between 0 and {len(ends)}, the number of lines in {path}; got {line}")
        if text.crlf and b"\r" not in new:
            new = _crlf(new)
        newline = text.native(b"\r\n" if text.crlf else b"\n")
        fresh = text.native(new)
        place = ends[line - 1] if line else text.mark
        before, after = data[:place], data[place:]
        if line and not before.endswith(newline):
            fresh = newline + fresh  # after a last line without its newline, which the file keeps lacking
        elif not fresh.endswith(newline):
            fresh += newline
        self._store(path, before + fresh + after, data)
        return (
            f"Inserted {new.count(bytes([10])) + (not new.endswith(bytes([10])))} line(s) in {path} after line {line}."
        )

    def _undo(self, path: str) -> str:
        for index in range(len(self._past) - 1, -1, -1):
            if self._past[index][0] == path:
                before = self._past.pop(index)[1]
                if before is None:
                    os.unlink(path)
                    return f"Undone: {path} is gone again."
                _write(path, before)
                return f"Undone: {path} is as before the last edit ({len(before):,} bytes)."
        raise ToolFault(f"there is no edit of {path} to undo; only edits by this tool can be undone")

    def _store(self, path: str, content: bytes, before: bytes | None) -> None:
        _write(path, content)
        self._past.append((path, before))
        size = sum(len(old or b"") for _, old in self._past)
        while len(self._past) > UNDO_STEPS or size > UNDO_BYTES:
            size -= len(self._past.pop(0)[1] or b"")


def _places(data: bytes, needle: bytes) -> list[int]:
    """Where `needle` occurs, overlaps included, at most 1,000."""
    found: list[int] = []
    place = data.find(needle)
    while place >= 0 and len(found) < 1000:
        found.append(place)
        place = data.find(needle, place + 1)
    return found


def _crlf(text: bytes) -> bytes:
    return text.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")


def _write(path: str, content: bytes) -> None:
    """Replace a file by a new one of the same mode, so that a full disk leaves the old one as it was."""
    path = os.path.realpath(path)
    try:
        status = os.stat(path)
    except FileNotFoundError:
        status = None
    if status is not None and (status.st_nlink > 1 or not stat.S_ISREG(status.st_mode)):
        target = path  # a hard link stays one
        flags = os.O_WRONLY | os.O_TRUNC | os.O_NONBLOCK
    else:
        target = os.path.join(os.path.dirname(path), f".studio-edit-{os.urandom(4).hex()}")
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL
    descriptor = os.open(target, flags | os.O_CLOEXEC, 0o644)
    try:
        files.write_all(descriptor, content)
        if status is not None:
            os.fchmod(descriptor, stat.S_IMODE(status.st_mode))
    except OSError:
        if target != path:
            os.unlink(target)
        raise
    finally:
        os.close(descriptor)
    if target != path:
        os.rename(target, path)
