"""SVG files as safe trees: no entity is declared or expanded, nothing is fetched, depth and size are bounded.

Expat reads the file first and refuses what must not be there (an entity declaration, absurd depth); only then does lxml
build the tree that checks walk.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, TypeAlias
from xml.parsers import expat

from sandbox_image.inspector.subject import Subject, Unfit

Element: TypeAlias = Any  # lxml has no types of its own

SVG = "http://www.w3.org/2000/svg"
XHTML = "http://www.w3.org/1999/xhtml"
XLINK = "http://www.w3.org/1999/xlink"
MAX_BYTES = 64 << 20
MAX_DEPTH = 400  # nested deeper, browsers and printers give up in different ways
MAX_ELEMENTS = 500_000

_DECLARED = re.compile(rb"""^<\?xml\s[^>]*?encoding\s*=\s*["']([A-Za-z0-9._-]+)["']""")

# CSS Values 4, "Absolute Lengths": pixels per unit.
_UNITS = {"": 1.0, "px": 1.0, "in": 96.0, "cm": 96 / 2.54, "mm": 96 / 25.4, "q": 96 / 101.6, "pt": 96 / 72, "pc": 16.0}
_LENGTH = re.compile(r"^\s*([+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)\s*([a-zA-Z]*)\s*$")


@dataclass(frozen=True)
class SvgDocument:
    """A parsed SVG file."""

    path: str
    root: Element  # the root element
    elements: int

    def text(self) -> str:
        """The document as XML text without its prolog, for a page to take in."""
        from lxml import etree

        return str(etree.tostring(self.root, encoding="unicode"))


def load(subject: Subject, path: str) -> SvgDocument:
    """The SVG document at `path`, parsed once per process. Raises Unfit saying what is wrong."""
    return subject.shared(f"parsing {path}", lambda: parse(path, subject.bytes_of(path, MAX_BYTES)))


def parse(path: str, content: bytes) -> SvgDocument:
    """Parse one SVG file. Raises Unfit when it is not well-formed XML with an SVG root, or is not safe to read on."""
    from lxml import etree

    content = _as_utf8(path, content)
    elements = _screen(path, content)
    # huge_tree only lifts limits on single texts (embedded fonts): depth and entities were bounded by the screening.
    parser = etree.XMLParser(
        encoding="utf-8", resolve_entities=False, no_network=True, load_dtd=False, dtd_validation=False, huge_tree=True
    )
    try:
        root = etree.fromstring(content, parser)
    except etree.XMLSyntaxError as error:
        raise Unfit(f"{path} is not well-formed XML: {error!s:.200}.", path) from None
    if root.tag != f"{{{SVG}}}svg":
        name = etree.QName(root)
        where = f"in the namespace {name.namespace}" if name.namespace else "in no namespace"
        raise Unfit(
            f'The root of {path} is <{name.localname}> {where}; it must be <svg xmlns="{SVG}">, or nothing is drawn.',
            path,
        )
    return SvgDocument(path, root, elements)


def _as_utf8(path: str, content: bytes) -> bytes:
    """The content in UTF-8 without its encoding declaration (XML 1.0, appendix F)."""
    name = "utf-8-sig"
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        name = "utf-16"
    elif found := _DECLARED.match(content.removeprefix(b"\xef\xbb\xbf")):
        name = found[1].decode("ascii").lower()
        name = "utf-8-sig" if name in ("utf-8", "utf8") else name
    try:
        text = content.decode(name)
    except (LookupError, UnicodeDecodeError) as error:
        raise Unfit(f"{path} cannot be decoded as {name}: {error!s:.120}. Save it as UTF-8.", path) from None
    text = re.sub(r"^<\?xml\s.*?\?>", "", text, count=1, flags=re.DOTALL)
    return text.encode("utf-8", "surrogatepass")


def _screen(path: str, content: bytes) -> int:
    """Read with Expat, refusing what must not be there; gives the number of elements."""
    parser = expat.ParserCreate()
    parser.SetParamEntityParsing(expat.XML_PARAM_ENTITY_PARSING_NEVER)
    depth = count = 0

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal depth, count
        depth += 1
        count += 1
        if depth > MAX_DEPTH:
            raise Unfit(
                f"{path} nests elements more than {MAX_DEPTH} deep (line {parser.CurrentLineNumber}); flatten it.", path
            )
        if count > MAX_ELEMENTS:
            raise Unfit(f"{path} has more than {MAX_ELEMENTS:,} elements; make it simpler.", path)

    def end(name: str) -> None:
        nonlocal depth
        depth -= 1

    def entity(name: str, *rest: object) -> None:
        raise Unfit(
            f"{path} declares the entity {name[:40]!r} (line {parser.CurrentLineNumber}); "
            "write the characters themselves and remove the declaration.",
            path,
        )

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.EntityDeclHandler = entity
    try:
        parser.Parse(content, True)
    except expat.ExpatError as error:
        reason = expat.errors.messages[error.code]
        raise Unfit(
            f"{path} is not well-formed XML: {reason} (line {error.lineno}, column {error.offset + 1})."
            + _hint(content, error.lineno, error.offset),
            path,
        ) from None
    return count


def _hint(content: bytes, line: int, column: int) -> str:
    lines = content.splitlines()
    text = lines[line - 1].decode("utf-8", "replace") if 0 < line <= len(lines) else ""
    near = text[max(0, column - 20) : column + 20]
    if "&" in near:
        return f' Near "{near}": write "&amp;" for "&".'
    return f' Near "{near}".' if near.strip() else ""


def pixels(length: str | None) -> float | None:
    """An absolute CSS length in px, or None when there is none (absent, a percentage, `auto`, `em`)."""
    found = _LENGTH.match(length or "")
    if not found or found[2].lower() not in _UNITS:
        return None
    return float(found[1]) * _UNITS[found[2].lower()]


def view_box(root: Element) -> tuple[float, float, float, float] | None:
    """The four numbers of `viewBox` (SVG 2, 8.6), or None when it is absent or says nothing."""
    parts = re.split(r"[\s,]+", (root.get("viewBox") or "").strip())
    try:
        numbers = [float(part) for part in parts]
    except ValueError:
        return None
    if len(numbers) != 4 or numbers[2] <= 0 or numbers[3] <= 0:
        return None
    return numbers[0], numbers[1], numbers[2], numbers[3]


def local_name(element: Element) -> tuple[str | None, str]:
    """Namespace and local name of an element; processing instructions and comments have neither."""
    if not isinstance(element.tag, str):
        return None, ""
    tag = element.tag
    if tag.startswith("{"):
        namespace, _, name = tag[1:].partition("}")
        return namespace, name
    return None, tag
