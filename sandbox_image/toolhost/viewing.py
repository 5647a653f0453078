"""What `view` shows: numbered lines of a text, a folder two deep, a binary in one sentence."""

from __future__ import annotations

import os
import stat

from sandbox_image.toolhost.errors import ToolFault

MAX_BYTES = 64 << 20
SHOWN_CHARS = 16_000
MAX_NAMES = 500
MAX_LINE = 2_000

# First bytes → media type of what a model with eyes can be shown.
_IMAGES = (
    (b"\x89PNG\r\n\x1a\n", "image/png"),
    (b"\xff\xd8\xff", "image/jpeg"),
    (b"GIF87a", "image/gif"),
    (b"GIF89a", "image/gif"),
)


def read_regular(path: str) -> bytes:
    """The bytes of a regular file of at most 64 MiB; links are followed. Raises ToolFault, OSError."""
    descriptor = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        status = os.fstat(descriptor)
        if stat.S_ISDIR(status.st_mode):
            raise ToolFault(f"{path} is a folder; this command needs a file")
        if not stat.S_ISREG(status.st_mode):
            raise ToolFault(f"{path} is no regular file")
        if status.st_size > MAX_BYTES:
            raise ToolFault(
                f"{path} has {status.st_size:,} bytes; this tool reads at most {MAX_BYTES:,}. Use execute_bash"
            )
        with open(descriptor, "rb", closefd=False) as file:
            return file.read()
    finally:
        os.close(descriptor)


class Text:
    """How a file's bytes are text: by byte order mark, else UTF-8, else Latin-1 (every byte a character)."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.mark = 0  # bytes of the byte order mark
        for encoding, mark in (("utf-8", b"\xef\xbb\xbf"), ("utf-16-le", b"\xff\xfe"), ("utf-16-be", b"\xfe\xff")):
            if data.startswith(mark):
                self.encoding, self.mark = encoding, len(mark)
                break
        else:
            try:
                data.decode()
                self.encoding = "utf-8"
            except UnicodeDecodeError:
                self.encoding = "latin-1"
        self.newline = "\n".encode(self.encoding)
        breaks = data.count(self.newline)
        self.crlf = bool(breaks) and data.count("\r\n".encode(self.encoding)) == breaks

    def native(self, text: bytes) -> bytes:
        """UTF-8 text in the file's encoding. Raises ToolFault when that cannot hold it."""
        if self.encoding == "utf-8":
            return text
        try:
            return text.decode().encode(self.encoding)
        except UnicodeEncodeError:
            raise ToolFault(f"the file is not UTF-8 but {self.encoding}, which cannot hold all of this text") from None

    def line_ends(self) -> list[int]:
        """The offset just after each line; a last line without newline counts."""
        ends = []
        place = self.mark
        while (found := self._find(place)) >= 0:
            place = found + len(self.newline)
            ends.append(place)
        if place < len(self.data):
            ends.append(len(self.data))
        return ends

    def _find(self, start: int) -> int:
        found = self.data.find(self.newline, start)
        while found >= 0 and (found - self.mark) % len(self.newline):
            found = self.data.find(self.newline, found + 1)
        return found

    def line_of(self, place: int) -> int:
        """The number, from 1, of the line that holds the byte at `place`."""
        return self.data.count(self.newline, 0, place) + 1

    def decoded(self) -> str:
        """The whole text without its byte order mark."""
        return self.data[self.mark :].decode(self.encoding, "replace")


def view(path: str, lines: list[int] | None) -> tuple[str, str | None]:
    """Words about `path`, and the media type when it is an image. Raises ToolFault, OSError."""
    if os.path.isdir(path):
        if lines:
            raise ToolFault("view_range is for files; a folder is shown two levels deep")
        return _folder(path), None
    data = read_regular(path)
    image = next((media for magic, media in _IMAGES if data.startswith(magic)), None)
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        image = "image/webp"
    text = Text(data)
    if image or (b"\0" in data[:8192] and not text.encoding.startswith("utf-16")):
        return _binary(path, data, image), image
    return _numbered(path, text.decoded(), lines), None


def _numbered(path: str, text: str, span: list[int] | None) -> str:
    rows = text.split("\n")
    if rows[-1] == "":
        rows.pop()
    first, last = 1, len(rows)
    if span:
        first, last = span[0], len(rows) if span[1] == -1 else span[1]
        if not 1 <= first <= max(1, len(rows)) or last < first:
            raise ToolFault(
                f"view_range must be [first, last] with 1 <= first <= last (or -1 for the end); "
                f"{path} has {len(rows)} lines; got {span}"
            )
        last = min(last, len(rows))
    if not rows:
        return f"{path} is empty."
    shown: list[str] = []
    size = 0
    for number in range(first, last + 1):
        row = rows[number - 1].removesuffix("\r")
        if len(row) > MAX_LINE:
            row = f"{row[:MAX_LINE]}... [{len(row) - MAX_LINE:,} more characters in this line]"
        row = f"{number:6}\t{row}"
        size += len(row) + 1
        if size > SHOWN_CHARS and shown:
            shown.append(f"[... lines {number} to {last} are left out; ask for them with view_range ...]")
            break
        shown.append(row)
    return "\n".join(shown)


def _binary(path: str, data: bytes, image: str | None) -> str:
    size = f"{len(data):,} bytes"
    if image:
        pixels = _pixels(data, image)
        measured = f"{pixels[0]} x {pixels[1]} pixels, " if pixels else ""
        return f"{path} is an image ({image}), {measured}{size}."
    return f"{path} is a binary file, {size}; it begins with {data[:16].hex(' ')}. Try `file {path}`."


def _pixels(data: bytes, image: str) -> tuple[int, int] | None:
    """Width and height as the header says: PNG (IHDR), GIF (screen descriptor), WebP (VP8, VP8L, VP8X), JPEG (SOFn)."""
    if image == "image/png":
        found = data[16:24]
        return (int.from_bytes(found[:4], "big"), int.from_bytes(found[4:], "big")) if len(found) == 8 else None
    if image == "image/gif":
        found = data[6:10]
        return (int.from_bytes(found[:2], "little"), int.from_bytes(found[2:], "little")) if len(found) == 4 else None
    if image == "image/webp":
        return _webp_pixels(data[12:16], data[20:30])
    place = 2
    while place + 9 <= len(data) and data[place] == 0xFF:
        marker = data[place + 1]
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            sizes = data[place + 5 : place + 9]
            return int.from_bytes(sizes[2:], "big"), int.from_bytes(sizes[:2], "big")
        place += 1 if marker == 0xFF else 2 + int.from_bytes(data[place + 2 : place + 4], "big")
    return None


def _webp_pixels(chunk: bytes, content: bytes) -> tuple[int, int] | None:
    """Of a WebP's first chunk (RFC 9649, sections 2.5 to 2.7)."""
    if len(content) < 10:
        return None
    if chunk == b"VP8X":
        return int.from_bytes(content[4:7], "little") + 1, int.from_bytes(content[7:10], "little") + 1
    if chunk == b"VP8L":
        bits = int.from_bytes(content[1:5], "little")
        return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1
    if chunk == b"VP8 ":
        return int.from_bytes(content[6:8], "little") & 0x3FFF, int.from_bytes(content[8:10], "little") & 0x3FFF
    return None


def _folder(path: str) -> str:
    """Names two deep, folders with a slash at the end, hidden ones left out."""
    names: list[str] = []

    def walk(folder: str, prefix: str, depth: int) -> None:
        try:
            entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        except OSError as error:
            names.append(f"{prefix}[{error.strerror}]")
            return
        for entry in entries:
            if entry.name.startswith("."):
                continue
            inside = entry.is_dir(follow_symlinks=False)
            shown = os.fsencode(entry.name).decode("utf-8", "backslashreplace")
            if entry.is_symlink():
                shown += " -> " + os.fsencode(os.readlink(entry.path)).decode("utf-8", "backslashreplace")
            size = "" if inside or entry.is_symlink() else f"  ({entry.stat(follow_symlinks=False).st_size:,} bytes)"
            names.append(f"{prefix}{shown}{'/' if inside else size}")
            if len(names) > MAX_NAMES:
                return
            if inside and depth < 2:
                walk(entry.path, f"{prefix}{shown}/", depth + 1)

    walk(path, "", 1)
    if not names:
        return f"{path} is an empty folder."
    more = "\n[... more is left out ...]" if len(names) > MAX_NAMES else ""
    return f"{path}, two levels deep, without hidden files:\n" + "\n".join(names[:MAX_NAMES]) + more
