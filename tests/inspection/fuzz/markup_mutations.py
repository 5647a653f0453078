"""Ways to spoil drawings, pages and manifests; see `mutations.py`."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable

Mutation = Callable[[bytes, random.Random], bytes]

NUMBERS = ("0", "-1", "1e308", "-1e308", "1e-308", "NaN", "99999999999", "0.0000001", "1e9%", "", "∞", "2147483648")


def _inside(content: bytes, more: str) -> bytes:
    """Put in before the last closing tag."""
    place = content.rfind(b"</")
    return content[:place] + more.encode() + content[place:] if place > 0 else content + more.encode()


def number(content: bytes, draw: random.Random) -> bytes:
    found = list(re.finditer(rb'="([-\d. ]+)"', content))
    if not found:
        return content[: len(content) // 2]
    one = draw.choice(found)
    return content[: one.start(1)] + draw.choice(NUMBERS).encode() + content[one.end(1) :]


def deep(content: bytes, draw: random.Random) -> bytes:
    depth, name = draw.choice((50, 390, 401, 2000, 100_000)), draw.choice(("g", "a", "tspan", "svg"))
    return _inside(content, f"<{name}>" * depth + f"</{name}>" * draw.choice((depth, depth, 0)))


def deep_page(content: bytes, draw: random.Random) -> bytes:
    depth, name = draw.choice((50, 513, 20_000)), draw.choice(("div", "b", "table", "font", "svg"))
    return _inside(content, f"<{name}>" * depth + "deep")


def entities(content: bytes, draw: random.Random) -> bytes:
    bomb = '<!ENTITY a0 "ha">' + "".join(f'<!ENTITY a{n + 1} "{f"&a{n};" * 10}">' for n in range(9))
    more = draw.choice(
        (
            bomb,
            '<!ENTITY a9 SYSTEM "file:///etc/passwd">',
            '<!ENTITY a9 "&a9;">',
            '<!ENTITY % p SYSTEM "http://a.example/x">%p;',
            '<!ENTITY a9 "' + "x" * 500_000 + '">',
        )
    )
    start = content.find(b"<svg")
    spoiled = b"<!DOCTYPE svg [" + more.encode() + b"]>" + content[max(0, start) :]
    return _inside(spoiled, "<text>&a9;</text>")


def copies(content: bytes, draw: random.Random) -> bytes:
    """Groups of copies of groups of copies."""
    wide, levels = draw.choice(((2, 4), (10, 4), (10, 9))), ""
    for n in range(wide[1]):
        levels += f'<g id="m{n + 1}">' + f'<use href="#m{n}"/>' * wide[0] + "</g>"
    own = draw.choice(
        ("", '<use id="self" href="#self"/>', '<g id="c1"><use href="#c2"/></g><g id="c2"><use href="#c1"/></g>')
    )
    return _inside(content, f'<defs><rect id="m0" width="1" height="1"/>{levels}</defs><use href="#m{wide[1]}"/>{own}')


def heavy(content: bytes, draw: random.Random) -> bytes:
    return _inside(
        content,
        draw.choice(
            (
                '<filter id="f"><feGaussianBlur stdDeviation="90000"/></filter>'
                '<rect width="999" height="999" filter="url(#f)"/>',
                '<filter id="t"><feTurbulence baseFrequency="9" numOctaves="99999"/></filter>'
                '<rect width="99" height="99" filter="url(#t)"/>',
                '<pattern id="p" width="0.0001" height="0.0001"><rect width="1" height="1"/></pattern>'
                '<rect width="99" height="99" fill="url(#p)"/>',
                '<path d="M0 0' + "L9e30 9e30 L0 0" * 5000 + '"/>',
                '<rect width="9" height="9" stroke-dasharray="1e-9" stroke="red"/>',
                '<mask id="k"><rect width="9" height="9" mask="url(#k)"/></mask>'
                '<rect width="9" height="9" mask="url(#k)"/>',
                "<style>@keyframes a{to{x:9px}} rect{animation:a 1ms infinite}</style>",
                "<style>" + "a{" * 50_000 + "</style>",
                f'<image width="9" height="9" href="data:image/png;base64,{"A" * 200_000}"/>',
                "<text>" + "\u0301" * 20_000 + "</text>",
                "<script>for(;;);</script>",
                '<foreignObject width="9" height="9"><p xmlns="http://www.w3.org/1999/xhtml">x</p></foreignObject>',
            )
        ),
    )


def recoded(content: bytes, draw: random.Random) -> bytes:
    text = content.decode("utf-8", "replace")
    return draw.choice(
        (
            text.encode("utf-16"),
            text.encode("utf-16-le"),
            b"\xef\xbb\xbf" + content,
            b'<?xml version="1.0" encoding="utf-7"?>' + content,
            b'<?xml version="1.0" encoding="idna"?>' + content,
            content.replace(b">", b">\xff", 1),
            content.replace(b" ", b"\0", 2),
        )
    )


def unbalanced(content: bytes, draw: random.Random) -> bytes:
    found = list(re.finditer(rb"</?[a-z][^>]*>", content))
    one = draw.choice(found) if found else None
    return (
        content[: one.start()]
        + draw.choice((b"", one.group() * 2, b"<", b"&", b"<!--", b"<![CDATA["))
        + content[one.end() :]
        if one
        else b"<"
    )


SCRIPTS = (
    "throw 1",
    "location='https://a.example/'",
    "document.open();document.write('')",
    "window.close()",
    "alert(1);confirm(2)",
    "document.documentElement.remove()",
    "setInterval(()=>document.body.append('x'),1)",
    "open('https://a.example')",
    "let s='x';while(s.length<1e8)s+=s;document.title=s.length",
    "location.reload()",
    "history.back()",
    "top.location='about:blank'",
    "for(let i=0;i<200000;i++)document.body.append(document.createElement('i'))",
    "Object.prototype.toJSON=()=>{throw 1}",
    "Array.prototype.map=null;JSON.stringify=()=>'{}'",
    "document.body.innerHTML=''",
    "postMessage(new Array(1e6).fill(1),'*')",
    "console.error('x'.repeat(1e7))",
    "Promise.reject(1)",
    "localStorage.x=1",
    "fetch('https://a.example/x')",
    "crypto.subtle.x.y",
)


def script(content: bytes, draw: random.Random) -> bytes:
    return _inside(content, f"<script>{draw.choice(SCRIPTS)}</script>")


def endless(content: bytes, draw: random.Random) -> bytes:
    return _inside(
        content, draw.choice(("<script>for(;;);</script>", "<script>setTimeout(()=>{for(;;);},50)</script>"))
    )


def tags(content: bytes, draw: random.Random) -> bytes:
    return _inside(
        content,
        draw.choice(
            (
                '<meta http-equiv="refresh" content="0">',
                "<frameset><frame></frameset>",
                "<plaintext>",
                "<!--",
                "<title>",
                "<textarea>",
                '<iframe srcdoc="<script>for(;;);</script>"></iframe>',
                "<style>*{display:none}</style>",
                '<base href="https://a.example/">',
                "<style>body{width:9e9px;height:9e9px}</style>",
                '<a href="https://a.example" ping="https://a.example">x</a>',
                '<img src="x" onerror="throw 3">',
                "<template><b>",
                '<script src="https://a.example/x.js"></script>',
            )
        ),
    )


NAMES = (
    "../out",
    "/etc/passwd",
    "a/../b",
    "a//b",
    "",
    ".",
    "a\0b",
    "\ud800",
    "é" * 300,
    "a/" * 900 + "b",
    "picture.png",
    "ok.txt",
)
TYPES = ("file", "directory", "symlink", "fifo", "socket", "device", "other", "", "FILE")
SIZES = (0, 1, 1 << 40, -1, 1 << 70)


def manifest(content: bytes, draw: random.Random) -> bytes:
    """Entries that no honest folder has."""
    value = json.loads(content)
    for _ in range(draw.choice((1, 1, 3, 40))):
        value["entries"].append(
            {
                "path": draw.choice(NAMES),
                "type": draw.choice(TYPES),
                "size": draw.choice(SIZES),
                "nlink": draw.choice((1, 2, 1 << 40)),
                "inode": draw.choice((0, 5)),
                "link_target": draw.choice((None, "/etc/passwd", "x" * 5000)),
                "encodable": draw.choice((True, True, False)),
            }
        )
    value["truncated"] = draw.choice((False, False, True))
    return json.dumps(value).encode()


def common(*more: Mutation) -> tuple[Mutation, ...]:
    from mutations import cut_out, double, emptied, flip_bits, noise, truncate

    return (flip_bits, flip_bits, truncate, cut_out, double, noise, emptied, *more)


def by_format() -> dict[str, tuple[Mutation, ...]]:
    page = (unbalanced, unbalanced, recoded, deep_page, script, script, script, tags, tags)
    drawing = (number, number, deep, deep, entities, entities, copies, heavy, heavy, recoded, unbalanced)
    # A page that never comes to its end costs the limit of an answer; one in a hundred is enough.
    return {"svg": common(*drawing), "html": common(*page * 6, endless), "manifest": (manifest,)}
