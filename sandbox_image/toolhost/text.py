"""What a terminal would have shown: UTF-8 decoded, escape codes dropped, progress bars folded, and cut to size.

Memory stays flat however much comes: a bounded head, a bounded tail, and a bounded file for what lies between.
"""

from __future__ import annotations

import codecs
import os
from typing import Any

SHOWN_CHARS = 16_000
KEPT_FROM = 1_500  # bytes; a longer output is kept in a file, so that it can be seen again
EDGE_CHARS = 7_900  # head and tail of what the model sees; the notice takes the rest
HEAD_BYTES = (1 << 20) - (132 << 10)  # with twice the tail, before that is trimmed, at most 1 MiB
TAIL_BYTES = 64 << 10
FILE_BYTES = 16 << 20
FOLDER_BYTES = 64 << 20
PENDING_CHARS = 64 << 10
FOLDER = "/tmp/.studio-output"

# Every byte that needs no folding: all but the control bytes other than tab and newline.
_PLAIN = bytes(byte for byte in range(256) if byte in (9, 10) or (byte >= 32 and byte != 127))
_patterns: list[Any] = []


def _compiled() -> list[Any]:
    """Escape sequences (ECMA-48), what a backspace deletes, and remaining control characters; `re` loads late."""
    if not _patterns:
        import re

        _patterns.extend(
            (
                re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b]*(?:\x07|\x1b\\)?|[ -/]*[0-~])"),
                re.compile(r"[^\n\x08]\x08"),
                re.compile(r"[\x00-\x08\x0b-\x1f\x7f]"),
            )
        )
    return _patterns


def fold(text: str) -> str:
    """`text` without escape codes; of a line that a carriage return rewrote, what came last."""
    escapes, backspace, controls = _compiled()
    if "\x1b" in text:
        text = escapes.sub("", text)
    if "\r" in text:
        lines = text.split("\n")
        for number, line in enumerate(lines):
            if "\r" in line:
                parts = [part for part in line.split("\r") if part]
                lines[number] = parts[-1] if parts else ""
        text = "\n".join(lines)
    while "\x08" in text:
        shorter = backspace.sub("", text)
        text = shorter if shorter != text else text.replace("\x08", "")
    return str(controls.sub("\ufffd", text))


def joined(text: str, note: str) -> str:
    """`text` with a note of the studio on a line of its own."""
    return text + ("\n" if text and note and not text.endswith("\n") else "") + note


class Capture:
    """The output of one command as it comes."""

    def __init__(self, number: int) -> None:
        self.path = f"{FOLDER}/{number}.log"
        self.raw_bytes = 0
        self.chars = 0
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._plain = True  # so far nothing needed folding
        self._pending = ""
        self._head = bytearray()
        self._tail = bytearray()
        self._first = bytearray()  # raw bytes until it is clear whether a file is needed
        self._file = -1
        self._file_fault = ""
        self._written = 0
        self._dropped = False

    def feed(self, raw: bytes) -> str:
        """Take the next bytes; returns them decoded, for whoever watches."""
        self.raw_bytes += len(raw)
        self._keep_raw(raw)
        decoded = self._decoder.decode(raw)
        if self._plain and raw.translate(None, _PLAIN):
            self._plain = False
        text = self._pending + decoded
        cut = text.rfind("\n") + 1
        if len(text) - cut > PENDING_CHARS:
            cut = len(text)
        self._pending = text[cut:]
        if cut:
            self._add(text[:cut] if self._plain else fold(text[:cut]))
        return decoded

    def finish(self, note: str = "") -> tuple[str, str, int, str | None]:
        """What the trajectory keeps, what the model sees, the characters that this lacks, the file that has all."""
        last = self._pending + self._decoder.decode(b"", final=True)
        if last:
            self._add(last if self._plain else fold(last))
        if self._file >= 0:
            os.close(self._file)
        if self._dropped:
            head, tail = self._head.decode("utf-8", "ignore"), self._tail.decode("utf-8", "ignore")
        else:
            head, tail = (self._head + self._tail).decode("utf-8", "replace"), ""
        whole = head + tail
        if self.chars <= SHOWN_CHARS:
            whole = joined(whole, note)
            return whole, whole, 0, self._kept_file()
        cut = self.chars - 2 * EDGE_CHARS
        file = self._kept_file()
        shown = whole[:EDGE_CHARS] + self._notice(cut, file) + whole[-EDGE_CHARS:]
        if self._dropped:
            whole = head + self._notice(self.chars - len(whole), file) + tail
        return joined(whole, note), joined(shown, note), cut, file

    def _add(self, text: str) -> None:
        self.chars += len(text)
        data = text.encode("utf-8", "replace")
        room = HEAD_BYTES - len(self._head)
        if room > 0:
            self._head += data[:room]
            data = data[room:]
        if data:
            self._tail += data
            if len(self._tail) > 2 * TAIL_BYTES:
                del self._tail[:-TAIL_BYTES]
                self._dropped = True

    def _keep_raw(self, raw: bytes) -> None:
        if self._file < 0:
            self._first += raw
            if len(self._first) <= KEPT_FROM or self._file_fault:
                if self._file_fault:
                    self._first.clear()
                return
            try:
                make_room()
                self._file = os.open(
                    self.path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644
                )
            except OSError as error:
                self._file_fault = error.strerror or "error"
                return
            raw = bytes(self._first)
            self._first.clear()
        if self._written < FILE_BYTES and not self._file_fault:
            try:
                self._written += os.write(self._file, raw[: FILE_BYTES - self._written])
            except OSError as error:
                self._file_fault = error.strerror or "error"

    def _kept_file(self) -> str | None:
        return self.path if self._file >= 0 and self._written else None

    def _notice(self, chars: int, file: str | None) -> str:
        if file is None:
            where = f"they could not be kept: {self._file_fault.lower()}"
        elif self._written < self.raw_bytes:
            where = f"the first {self._written:,} of {self.raw_bytes:,} bytes of the output are in {file}"
        else:
            where = f"the whole output is in {file}"
        return f"\n[... {chars:,} characters are left out here; {where} ...]\n"


def make_room() -> None:
    """Make the folder for outputs, and delete its oldest files above its limit."""
    os.makedirs(FOLDER, exist_ok=True)
    found = []
    with os.scandir(FOLDER) as entries:
        for entry in entries:
            if not entry.is_dir(follow_symlinks=False):
                status = entry.stat(follow_symlinks=False)
                found.append((status.st_mtime_ns, status.st_size, entry.path))
    found.sort()
    total = sum(size for _, size, _ in found)
    while found and total > FOLDER_BYTES - FILE_BYTES:
        _, size, path = found.pop(0)
        total -= size
        os.unlink(path)
