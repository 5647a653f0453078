"""Files of text: UTF-8, without characters that no text has."""

from __future__ import annotations

import unicodedata

from sandbox_image.inspector.subject import Subject, Unfit

MAX_BYTES = 32 << 20
_ALLOWED = "\t\n\r\f"  # tab, line feed, carriage return, and the form feed between a text's pages


def text_of(subject: Subject, path: str) -> str:
    """The text, read once per process. Raises Unfit where it is not UTF-8, and says where."""
    return subject.shared(f"text {path}", lambda: decoded(path, subject.bytes_of(path, MAX_BYTES)))


def decoded(path: str, content: bytes) -> str:
    """UTF-8 (RFC 3629) as text; a byte order mark may stand before it."""
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        hint = " It begins with the mark of UTF-16." if content[:2] in (b"\xff\xfe", b"\xfe\xff") else ""
        wrong = f"byte {content[error.start]:#04x} in line {line:,}"
        raise Unfit(f"{path} is not UTF-8 text ({wrong}).{hint} Save it as UTF-8.", path) from None


def odd_character(text: str) -> tuple[str, int] | None:
    """The first control character (Unicode's Cc) that has no place in a text, or noncharacter, and its line."""
    for at, char in enumerate(text):
        if (char < " " and char not in _ALLOWED) or "\x7f" <= char <= "\x9f" or ord(char) & 0xFFFE == 0xFFFE:
            return char, text.count("\n", 0, at) + 1
    return None


def visible(text: str) -> int:
    """How many characters of it are seen: letters, marks, numbers, punctuation, symbols."""
    return sum(unicodedata.category(char)[0] in "LNPS" for char in text)
