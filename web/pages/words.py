"""What templates need to say things: filters for times, sizes and values, and globals for pictures and scripts."""

from __future__ import annotations

import hashlib
import math
import re
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Protocol
from urllib.parse import quote

from flask import Blueprint, Response, url_for
from markupsafe import Markup, escape
from pydantic import JsonValue

from studio.gallery import ArtifactView
from studio.jobs import FileView
from web import content
from web.i18n import date, decimal, dollars, gettext, minute, ngettext, whole
from web.pages.evidence import ordered
from web.pages.steps import asked, call_title, edited, passage
from web.pages.values import value_of
from web.pages.viewing import badge_of
from web.said import isolated
from web.security import csp_nonce
from web.serving import shown_type
from web.state import Setup, studio

words = Blueprint("words", __name__)

STATIC = Path(__file__).parent.parent / "static"
_UNITS = ("bytes", "kB", "MB", "GB", "TB")
_MEASURED_CHARS = 400
SHAPE_STEP, SHAPES = 1.06, 24


class HasSize(Protocol):
    """Anything with a size in pixels."""

    @property
    def width(self) -> int | None: ...

    @property
    def height(self) -> int | None: ...


class HasPreviews(Protocol):
    """An artifact as far as its thumbnail goes."""

    content_token: str
    previews: list[FileView]


@dataclass(frozen=True)
class Picture:
    """A picture on a page; its size in pixels, where known, keeps its place while it loads."""

    url: str
    width: int | None
    height: int | None


@words.app_template_filter()
def when(moment: datetime) -> Markup:
    """A time with its minute, as an element that machines can read too."""
    return _time(moment, gettext("%(day)s, %(time)s UTC", day=date(moment), time=minute(moment)))


@words.app_template_filter()
def day(moment: datetime) -> Markup:
    """A time's day."""
    return _time(moment, date(moment))


@words.app_template_filter()
def clock(moment: datetime) -> Markup:
    """A time's hour, minute and second."""
    return _time(moment, f"{moment.astimezone(UTC):%H:%M:%S}")


def _time(moment: datetime, shown: str) -> Markup:
    at = moment.astimezone(UTC)
    return Markup('<time datetime="{}">{}</time>').format(at.isoformat(timespec="seconds"), shown)


@words.app_template_filter()
def span(seconds: float) -> str:
    """A duration: "0.4 s", "12 s", "3 min 5 s", "2 h 10 min"."""
    if seconds < 9.95:
        return gettext("%(number)s s", number=decimal(seconds, 1))
    whole_s = round(seconds)
    if whole_s < 60:
        return gettext("%(number)s s", number=whole_s)
    if whole_s < 3600:
        return gettext("%(minutes)s min %(seconds)s s", minutes=whole_s // 60, seconds=whole_s % 60)
    return gettext("%(hours)s h %(minutes)s min", hours=whole(whole_s // 3600), minutes=whole_s % 3600 // 60)


@words.app_template_filter()
def timecode(seconds: float) -> str:
    """A place in a film or a piece: "0:07", "12:30"."""
    return f"{int(seconds) // 60}:{int(seconds) % 60:02}"


@words.app_template_filter("bytes")
def size(count: int) -> str:
    """A size in decimal units: "812 bytes", "1.2 MB"."""
    value, unit = float(count), 0
    while value >= 1000 and unit < len(_UNITS) - 1:
        value, unit = value / 1000, unit + 1
    if unit == 0:
        return ngettext("%(count)s byte", "%(count)s bytes", count, count=count)
    return f"{decimal(value, 1 if value < 100 else 0)} {_UNITS[unit]}"


@words.app_template_filter()
def grouped(number: int) -> str:
    """A whole number with its thousands apart."""
    return whole(number)


words.add_app_template_filter(dollars, "dollars")


@words.app_template_filter()
def measured(value: JsonValue) -> str:
    """A measured value in few words."""
    text = _measured(value)
    return text if len(text) <= _MEASURED_CHARS else text[:_MEASURED_CHARS] + "…"


def _measured(value: JsonValue) -> str:
    if value is None:
        return "—"
    if isinstance(value, bool):
        return gettext("yes") if value else gettext("no")
    if isinstance(value, float):
        return f"{value:.4g}"
    if isinstance(value, list | tuple):
        return gettext(", ").join(_measured(item) for item in value) or gettext("none")
    if isinstance(value, dict):
        return gettext("; ").join(f"{name}: {_measured(item)}" for name, item in value.items()) or gettext("none")
    return str(value) if not isinstance(value, str) else value or "—"


@words.app_template_filter()
def lower_first(text: str) -> str:
    """`text` with its first letter small, for the middle of a sentence."""
    return text[:1].lower() + text[1:]


@words.app_template_filter()
def capitalize_first(text: str) -> str:
    """`text` with its first letter large; markup before it is left alone."""
    found = re.match(r"(\s*(?:<[^>]*>\s*)*)(.?)", str(escape(text)), re.DOTALL)
    if found is None:
        return text
    return Markup(found[1] + found[2].upper() + str(escape(text))[found.end() :])


@words.app_template_filter()
def is_color(text: str) -> bool:
    """Can a colour control show this?"""
    return bool(re.fullmatch(r"#[0-9A-Fa-f]{6}", text))


@words.app_template_filter()
def moment(seconds: float) -> str:
    """A place in a film or a piece to the tenth of a second: "0:07.5"."""
    tenths = round(seconds * 10)
    return f"{tenths // 600}:{tenths % 600 / 10:04.1f}"


words.add_app_template_filter(passage, "passage")
words.add_app_template_filter(asked, "asked")
words.add_app_template_filter(edited, "edited")
words.add_app_template_filter(call_title, "call_title")
words.add_app_template_filter(value_of, "value_of")
words.add_app_template_filter(isolated, "isolated")
words.add_app_template_filter(ordered, "ordered")
words.add_app_template_filter(badge_of, "badge")


@words.app_template_global()
def thumbnail(view: HasPreviews) -> Picture | None:
    """The picture that stands for an artifact on a wall."""
    named = [file for file in view.previews if file.path.startswith("thumbnail")]
    found = next(iter(named or view.previews), None)
    if found is None:
        return None
    return Picture(preview_url(view.content_token, found.path), found.width, found.height)


@words.app_template_filter()
def shape_class(picture: HasSize) -> str:
    """The class by which the style sheet knows a picture's shape: width ÷ height in steps of 6 %."""
    ratio = (picture.width or 1) / (picture.height or 1)
    return f"r{min(max(round(math.log(ratio, SHAPE_STEP)), -SHAPES), SHAPES)}"


@words.app_template_filter()
def film_of(artifact: ArtifactView) -> str:
    """Where the film is that a tile plays while somebody points at it; nothing where the work is none."""
    if not (shown_type(artifact.entry) or "").startswith("video/"):
        return ""
    return content.url(artifact.content_token, artifact.entry)


@words.app_template_global()
def download_url(artifact: ArtifactView, path: str) -> str:
    """Where a file of an artifact is to be had as an attachment, under its own name."""
    return f"/api/v1/artifacts/{artifact.id}/files/{quote(path)}"


@words.app_template_global()
def preview_url(token: str, path: str) -> str:
    """Where a browser finds one of the inspector's pictures."""
    return content.url(token, content.PREVIEWS + path)


@words.app_template_global()
def asset(name: str) -> str:
    """The address of one of the studio's own files; it changes with the file, so that no browser keeps an old one."""
    return url_for("static", filename=name, v=_version(name, (STATIC / name).stat().st_mtime_ns))


@cache
def _version(name: str, changed: int) -> str:
    return hashlib.sha256((STATIC / name).read_bytes()).hexdigest()[:12]


@words.get("/style.css")
def style() -> Response:
    """The style sheet: one file for a browser, several for whoever writes it."""
    response = Response("\n".join(sheet.read_text(encoding="utf-8") for sheet in sheets()), mimetype="text/css")
    response.headers["Cache-Control"] = "public, max-age=31536000, immutable"
    return response


def sheets() -> list[Path]:
    """The sheets in their order: tokens.css with scales and colours, studio.css, then those of single pages."""
    first = ("tokens.css", "studio.css")
    return sorted(
        STATIC.glob("*.css"), key=lambda path: (first.index(path.name) if path.name in first else len(first), path.name)
    )


@words.app_template_global()
def style_url() -> str:
    """The address of the style sheet; it changes with what is in it."""
    return url_for("words.style", v=_version_of_sheets(tuple((str(p), p.stat().st_mtime_ns) for p in sheets())))


@cache
def _version_of_sheets(changed: tuple[tuple[str, int], ...]) -> str:
    return hashlib.sha256(b"".join(Path(name).read_bytes() for name, _ in changed)).hexdigest()[:12]


@words.app_template_global()
def script(name: str) -> Markup:
    """A module of the studio's own, allowed to run by the page's nonce."""
    return Markup('<script type="module" src="{}" nonce="{}"></script>').format(asset(name), csp_nonce())


@words.app_template_global()
def setup_state() -> Setup:
    """How far the first set-up is."""
    return studio().setup.read()


@words.app_template_global()
def setup_ready() -> bool:
    """Can jobs be worked?"""
    return setup_state().ready
