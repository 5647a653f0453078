"""What in an SVG could run or load something: scripts, event handlers, active foreign content, outside references.

After SVG 2 (linking, scripting, foreignObject), HTML (event handler attributes, `javascript:` URLs) and SMIL animation
of links. What stands only in namespaces that no browser draws (editors' own data) is inert and left alone.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain
from urllib.parse import unquote_to_bytes

from sandbox_image.inspector import css_references
from sandbox_image.inspector.subject import Unfit
from sandbox_image.inspector.svg_document import SVG, XHTML, XLINK, Element, local_name, parse

MAX_NESTING = 3  # SVG in a data: URI in an SVG …

_EVENT = re.compile(r"^on[a-z]{3,}$", re.IGNORECASE)
_EVENT_LOOKALIKES = {"only", "once", "online"}
_SCHEME = re.compile(r"^([a-z][a-z0-9+.-]*):", re.IGNORECASE)
_IGNORED = re.compile(r"[\x00-\x20]+")  # URL Standard: stripped at the ends, tab and newline anywhere
_SCRIPT_SCHEMES = {"javascript", "vbscript", "livescript"}
# fmt: off
_ACTIVE_XHTML = frozenset((
    "script", "iframe", "frame", "frameset", "object", "embed", "applet", "portal", "fencedframe", "base", "form",
    "input", "button", "select", "textarea", "video", "audio", "source", "track", "link", "meta", "noscript",
    "template", "canvas",
))
# fmt: on
_LINK_ATTRIBUTES = frozenset({"href", "src"})
_XHTML_LINK_ATTRIBUTES = frozenset(("href", "src", "data", "action", "formaction", "poster", "background", "manifest"))
_WORDS = ("aria-", "data-", "id", "class", "title", "alt", "name", "content", "lang", "role")
_LOADABLE = re.compile(
    r"^(image/(png|jpe?g|gif|webp|avif|bmp|svg\+xml)|font/.*|application/(x-)?font.*|application/vnd\.ms-fontobject"
    r"|application/octet-stream|text/css|text/plain)$"
)
_XINCLUDE = "http://www.w3.org/2001/XInclude"


@dataclass(frozen=True)
class Danger:
    """One thing that must not be there, in words, and the line of the file."""

    words: str
    line: int

    def __str__(self) -> str:
        return f"line {self.line}: {self.words}"


def dangers(root: Element, depth: int = 0) -> Iterator[Danger]:
    """Everything in the document that runs or loads something, in document order."""
    for node in chain(root.itersiblings(preceding=True), root.itersiblings(), root.iter()):
        if node.tag is not None and not isinstance(node.tag, str):
            yield from _in_instruction(node, depth)
            continue
        namespace, name = local_name(node)
        if namespace not in (SVG, XHTML, None, _XINCLUDE):
            continue
        yield from _in_element(node, namespace, name, depth)
        for key, value in node.attrib.items():
            yield from _in_attribute(node, namespace, name, key, value, depth)


def _in_instruction(node: Element, depth: int) -> Iterator[Danger]:
    if getattr(node, "target", None) != "xml-stylesheet":
        return
    href = node.get("href") if node.text else None
    if "css" not in (node.get("type") or "text/css") or href is None:
        yield Danger("an xml-stylesheet instruction; put the style into a <style> element", node.sourceline or 0)
    elif reason := _loads(href, depth):
        yield Danger(f"an xml-stylesheet instruction {reason}; put the style into a <style> element", 0)


def _in_element(node: Element, namespace: str | None, name: str, depth: int) -> Iterator[Danger]:
    lower, line = name.lower(), node.sourceline or 0
    if namespace == _XINCLUDE:
        yield Danger("an XInclude; put the content itself there", line)
    elif lower in ("script", "handler", "listener"):
        yield Danger(f"a <{name}> element; a poster needs no script, remove it", line)
    elif lower in _ACTIVE_XHTML and namespace == XHTML:
        yield Danger(f"active content <{name}> in a foreignObject; keep to text, or use SVG's own elements", line)
    elif lower in ("iframe", "object", "embed", "audio", "video", "canvas") and namespace == SVG:
        yield Danger(f"an active element <{name}>; remove it", line)
    elif lower == "style":
        for url in css_references.in_stylesheet("".join(node.itertext())):
            if reason := _loads(url, depth):
                yield Danger(f"a style sheet {reason}", line)
    elif lower in ("set", "animate", "animatetransform", "animatemotion") and namespace in (SVG, None):
        yield from _in_animation(node, line, depth)


def _in_animation(node: Element, line: int, depth: int) -> Iterator[Danger]:
    """SMIL can set a link after the file was looked at: such values are judged like the link itself."""
    target = (node.get("attributeName") or "").strip().lower().rsplit(":", 1)[-1]
    values = [node.get(key) or "" for key in ("to", "from", "by")] + (node.get("values") or "").split(";")
    if _EVENT.match(target):
        yield Danger(f"an animation of the event handler {target}", line)
    for value in values:
        if target in _LINK_ATTRIBUTES:
            reason = _loads(value, depth) if value.strip() else None
        else:
            reason = next(filter(None, (_loads(url, depth) for url in css_references.in_value(value))), None)
        if reason:
            yield Danger(f"an animation of {target} {reason}", line)


def _in_attribute(node: Element, home: str | None, element: str, key: str, value: str, depth: int) -> Iterator[Danger]:
    links = _XHTML_LINK_ATTRIBUTES if home == XHTML else _LINK_ATTRIBUTES
    namespace, _, name = key[1:].partition("}") if key.startswith("{") else ("", "", key)
    line, lower = node.sourceline or 0, name.lower()
    if namespace == "http://www.w3.org/XML/1998/namespace":
        if lower == "base" and value.strip():
            yield Danger("xml:base turns every reference to somewhere else; remove it", line)
        return
    if namespace not in ("", XLINK):
        return
    if not namespace and _EVENT.match(name) and lower not in _EVENT_LOOKALIKES:
        yield Danger(f"the event handler {name} on <{element}>; remove it", line)
    elif not namespace and lower == "style":
        for url in css_references.in_declarations(value):
            if reason := _loads(url, depth):
                yield Danger(f"the style of <{element}> {reason}", line)
    elif lower in links and (not namespace or lower == "href"):
        is_link = element.lower() in ("a", "area") and lower == "href"
        reason = _link_runs(value) if is_link else _loads(value, depth)
        if reason:
            yield Danger(f"{name} of <{element}> {reason}", line)
    elif not namespace and lower in ("srcset", "ping", "imagesrcset"):
        yield Danger(f"{name} on <{element}>; remove it", line)
    elif not namespace and lower == "srcdoc":
        yield Danger(f"srcdoc on <{element}>; remove it", line)
    elif "(" in value and not namespace and not lower.startswith(_WORDS):
        for url in css_references.in_value(value):
            if reason := _loads(url, depth):
                yield Danger(f"{name} of <{element}> {reason}", line)


def _scheme(url: str) -> str:
    """The scheme of a URL as a browser reads it, or '' for a relative one."""
    found = _SCHEME.match(_IGNORED.sub("", url[:200]))
    return found[1].lower() if found else ""


def _link_runs(url: str) -> str | None:
    """Why a link that a person may follow must not stand; plain addresses load nothing by themselves."""
    scheme = _scheme(url)
    if scheme in _SCRIPT_SCHEMES:
        return f"is a {scheme}: link; remove it"
    if scheme in ("data", "blob", "filesystem") and not _is_picture(url):
        return f"is a {scheme}: link that opens a document; remove it"
    return None


def _is_picture(url: str) -> bool:
    return _IGNORED.sub("", url[:60]).lower().startswith("data:image/") and "svg" not in url[:60].lower()


def _loads(url: str, depth: int) -> str | None:
    """Why a reference is more than `#…` or harmless `data:`; None when it may stand."""
    bare = url.strip("".join(map(chr, range(0x21))))
    if not bare or bare.startswith("#"):
        return None
    scheme = _scheme(url)
    if scheme in _SCRIPT_SCHEMES:
        return f"runs script ({scheme}:); remove it"
    if scheme != "data":
        return f"loads {bare[:80]!r}; embed it as a data: URI or draw it"
    return _in_embedded(bare, depth)


def _in_embedded(url: str, depth: int) -> str | None:
    """Judge a data: URI (RFC 2397): its type, and what is in it where that is SVG or CSS."""
    head, _, body = url.partition(",")
    kind = head[head.find(":") + 1 :].split(";", 1)[0].strip().lower() or "text/plain"
    if not _LOADABLE.match(kind):
        return f"embeds {kind}, which is neither picture, font nor style; remove it"
    if kind not in ("image/svg+xml", "text/css"):
        return None
    if depth >= MAX_NESTING:
        return f"embeds {kind} more than {MAX_NESTING} deep; flatten it"
    content = unquote_to_bytes(re.sub(r"\s+", "", body) if "base64" in head.lower() else body)
    if "base64" in head.lower():
        try:
            content = base64.b64decode(content + b"=" * (-len(content) % 4))
        except (ValueError, binascii.Error):
            return None  # nothing that a browser could show
    if kind == "text/css":
        inner = (_loads(each, depth + 1) for each in css_references.in_stylesheet(content.decode("utf-8", "replace")))
        reason = next(filter(None, inner), None)
        return f"embeds a style sheet that {reason}" if reason else None
    try:
        nested = parse("an embedded SVG", content)
    except Unfit as problem:
        return f"embeds an SVG that cannot be read ({problem})"
    found = next(dangers(nested.root, depth + 1), None)
    return f"embeds an SVG with {found.words}" if found else None
