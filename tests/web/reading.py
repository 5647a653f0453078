"""Pages over HTTP as a person gets them: their markup, their words, their forms."""

from __future__ import annotations

import html
import re

import httpx

from tests.web.served import Served

NASTY = '"><script>alert(1)</script> \u202e../{{7*7}}'


def page(site: Served, path: str, status: int = 200) -> str:
    answer = site.http.get(path, headers={"Accept": "text/html"})
    assert answer.status_code == status, text_of(answer.text) + site.log[-2000:]
    assert answer.headers["Content-Type"].startswith("text/html")
    return answer.text


def text_of(markup: str) -> str:
    """What a person reads of a page, in one line."""
    bare = re.sub(r"<(script|style|template)\b.*?</\1>", " ", markup, flags=re.DOTALL)
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", bare)).split())


def token(site: Served, path: str = "/new/poster") -> str:
    found = re.search(r'name="csrf_token" value="([^"]+)"', page(site, path))
    assert found
    return found[1]


def typed(**more: str) -> dict[str, str]:
    return {
        "/brief/title": "Night Walk",
        "/brief/language": "en",
        "/brief/params/event/name": "Night Walk",
        "/brief/params/event/date": "1 May",
        "/brief/params/event/venue": "The Old Mill",
        "/run/model": "recipe",
        **more,
    }


def send(
    site: Served, fields: dict[str, str], files: list[tuple[str, bytes]] | None = None, path: str = "/new/poster"
) -> httpx.Response:
    parts = [("files", (name, content)) for name, content in files or []] or [("files", ("", b""))]
    fields = {"csrf_token": token(site), **fields}
    headers = {"Accept": "text/html", "Connection": "close"}  # a refused body ends the connection
    return site.http.post(path, data=fields, files=parts, headers=headers)


def value_of(markup: str, name: str) -> str | None:
    found = re.search(rf'name="{re.escape(name)}" value="([^"]*)"', markup)
    return html.unescape(found[1]) if found else None
