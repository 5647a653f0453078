"""An HTML file as text: is it one document, and is it whole?"""

from __future__ import annotations

import re
from html.parser import HTMLParser

from sandbox_image.inspector.subject import Unfit

_DECLARED = re.compile(rb"<meta[^>]{0,200}charset\s*=\s*[\"']?([\w-]{2,40})", re.I)
_AFTER = re.compile(r"\s*(<!--.*?-->\s*)*", re.S)


def text_of(path: str, content: bytes) -> str:
    """The text, by its byte order mark, its declared encoding, else UTF-8. Raises Unfit where that cannot be."""
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        encoding = "utf-16"
    else:
        declared = _DECLARED.search(content[:2048])
        encoding = declared[1].decode("ascii", "replace") if declared else "utf-8"
    try:
        return content.decode("utf-8-sig" if encoding.lower().replace("-", "") == "utf8" else encoding)
    except (UnicodeDecodeError, LookupError):
        raise Unfit(f"{path} is not valid {encoding}; write it as UTF-8.", path) from None


class _Tags(HTMLParser):
    """Counts what there is of the frame of a document; scripts and styles are skipped as a browser does."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.doctypes = self.pages = self.bodies = 0
        self.ended = False
        self.open_text: str | None = None
        self.template = 0

    def handle_decl(self, decl: str) -> None:
        self.doctypes += decl.lower().startswith("doctype")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.pages += tag == "html"
        self.bodies += tag == "body"
        if tag in ("script", "style", "title", "textarea"):
            self.open_text = tag

    def handle_endtag(self, tag: str) -> None:
        if tag == self.open_text:
            self.open_text = None
        self.ended = tag == "html" or self.ended


def faults(text: str) -> list[str]:
    """What keeps the text from being one whole document, as sentences without a subject; empty where nothing does."""
    found = []
    start = text.lstrip("\ufeff \t\r\n\f")
    while start.startswith("<!--") and "-->" in start:
        start = start.split("-->", 1)[1].lstrip()
    if not re.match(r"<(!doctype|html|\?xml)\b", start, re.I):
        found.append(f"begins with {start[:40]!r} instead of <!DOCTYPE html>; write nothing before it.")
    tags = _Tags()
    tags.feed(text)
    tags.close()
    if tags.open_text:
        found.append(f"breaks off inside <{tags.open_text}>; write it to its end.")
    if tags.pages > 1 or tags.doctypes > 1 or tags.bodies > 1:
        found.append("holds more than one document; keep one.")
    end = text.lower().rfind("</html")
    close = text.find(">", end) if end >= 0 else -1
    if close < 0 or not tags.ended:
        found.append("does not end with </html>; write it to its end.")
    elif not _AFTER.fullmatch(text, close + 1):
        found.append(f"goes on after </html> with {text[close + 1 :].strip()[:40]!r}; end the file there.")
    return found
