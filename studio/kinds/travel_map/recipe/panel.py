"""The panel's words as HTML: the head, the days to choose from, the days as chapters."""

from __future__ import annotations

import base64
import io
from dataclasses import dataclass
from html import escape
from pathlib import Path

from PIL import Image, ImageOps

from .trip import Day, Stop, Trip
from .words import Words

PHOTO_PX = (640, 420)


@dataclass(frozen=True)
class Rows:
    """What rows of stops show besides words: pictures, squares of the grid, stars, colours; by the stops' numbers."""

    photos: dict[int, str]
    squares: dict[int, str]
    starred: set[int]
    fields: dict[int, str]  # the colours of their cards, where they are not their day's


def header(trip: Trip, words: Words) -> str:
    """Title, destination, who and what for, and three figures."""
    above = trip.destination if trip.destination.casefold() not in trip.title.casefold() else ""
    below = " · ".join(text for text in (trip.travellers, trip.theme) if text)
    facts = [(words["days"], str(len(trip.days))), (words["stops"], str(len(trip.stops)))]
    if trip.km > 0:
        facts.append((words["km"].replace("{}", "").strip(), words.number(trip.km)))
    cells = "".join(f"<div><dt>{escape(name)}</dt><dd>{escape(value)}</dd></div>" for name, value in facts)
    wide = sum(2 if ord(char) > 0x2E7F else 1 for char in trip.title)
    size = "short" if wide <= 12 else "medium" if wide <= 28 else "long"
    parts = (
        _text("p", above, "above") if above else "",
        _text("h1", trip.title, size),
        _text("p", below, "below") if below else "",
        f"<dl>{cells}</dl>",
    )
    return '<header id="head">' + "\n".join(part for part in parts if part) + "</header>"


def filters(trip: Trip, words: Words) -> str:
    """One button for all days, and one for each."""
    if len(trip.days) < 2:
        return ""
    buttons = [f'<button type="button" data-day="0" aria-pressed="true">{escape(words["all"])}</button>']
    for day in trip.days:
        off = "" if day.stops else " disabled"
        buttons.append(
            f'<button type="button" class="day-{day.number}" data-day="{day.number}" aria-pressed="false"'
            f' aria-label="{escape(words.day(day.number))}"{off}>{day.number}</button>'
        )
    return f'<div class="filters" role="group" aria-label="{escape(words["days"])}">{"".join(buttons)}</div>'


def chapter(day: Day, words: Words, rows: Rows) -> str:
    """One day: its name, how far it is, its stops with the legs between."""
    about = ""
    if day.legs:
        walk = f" · {words.on_foot(day.walk_min)}" if day.walk_min else ""
        about = f"<p>{escape(words.distance(day.km) + walk)}</p>"
    elif not day.stops:
        about = f"<p>{escape(words['leisure'])}</p>"
    listed = []
    if day.approach:
        listed.append(f'<li class="leg"><span>{escape(words.distance(day.approach))}</span></li>')
    for index, stop in enumerate(day.stops):
        listed.append(_row(stop, words, rows))
        if index < len(day.legs):
            listed.append(f'<li class="leg"><span>{escape(words.distance(day.legs[index]))}</span></li>')
    return (
        f'<section class="chapter day-{day.number}" data-day="{day.number}">'
        f"<header>{_text('h2', words.day(day.number))}{about}</header>"
        f"<ol>{''.join(listed)}</ol></section>"
    )


def _text(tag: str, text: str, classes: str = "") -> str:
    attribute = f' class="{classes}"' if classes else ""
    return f'<{tag}{attribute} dir="auto">{escape(text)}</{tag}>'


def _row(stop: Stop, words: Words, rows: Rows) -> str:
    photo, square = rows.photos.get(stop.number), rows.squares.get(stop.number)
    picture = f'<img src="{photo}" alt="" width="64" height="64" loading="lazy">' if photo else ""
    parts = [
        f'<span class="time"><bdi dir="ltr">{escape(stop.time)}</bdi></span>' if stop.time else "",
        _text("strong", stop.name),
        _text("span", stop.activity, "activity") if stop.activity else "",
        f'<span class="tip" dir="auto"><b>{escape(words["tip"])}</b> {escape(stop.tip)}</span>' if stop.tip else "",
    ]
    beside = f'<span class="square" dir="ltr">{square}</span>' if square else ""
    star = " starred" if stop.number in rows.starred else ""
    field = rows.fields.get(stop.number)
    colour = f' style="--field:{field}"' if field else ""
    number = f'<i aria-hidden="true">{stop.number}</i>'
    return (
        f'<li class="stop{star}"{colour}><button type="button" data-stop="{stop.number}">{number}'
        f'<span class="words">{"".join(parts)}</span>{beside}{picture}</button></li>'
    )


def photo(file: Path) -> str | None:
    """A smaller JPEG of a picture as a data: URI; None where the file is no picture."""
    try:
        with Image.open(file) as opened:
            image = ImageOps.exif_transpose(opened)
            flat = Image.new("RGB", image.size, "white")
            rgba = image.convert("RGBA")
            flat.paste(rgba, mask=rgba.getchannel("A"))
    except (OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        return None
    flat.thumbnail(PHOTO_PX)
    content = io.BytesIO()
    flat.save(content, "JPEG", quality=82)
    return "data:image/jpeg;base64," + base64.b64encode(content.getvalue()).decode()
