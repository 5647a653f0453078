"""What goes on the poster: the brief's parameters as plain values, and the words found in them."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from .script import clusters, is_wide

_TITLES = "dr prof mr mrs ms mx sir dame dipl-ing ing rev hon mag pd frau herr mme m mlle sr sra dra डॉ प्रो"
_HONORIFICS = frozenset(_TITLES.split())


@dataclass(frozen=True)
class Person:
    """A speaker; missing fields are empty."""

    name: str
    title: str
    company: str
    topic: str
    photo: str

    @property
    def role(self) -> str:
        """Title and company on one line where both are short; used for measuring only."""
        return ", ".join(part for part in (self.title, self.company) if part)


@dataclass(frozen=True)
class Content:
    """Everything that is printed."""

    name: str
    slogan: str
    date: str
    time: str
    venue: str
    address: str
    hall: str
    speakers: tuple[Person, ...]
    highlights: tuple[str, ...]
    url: str
    early: str
    regular: str
    deadline: str
    hosts: tuple[str, ...]
    sponsors: tuple[str, ...]
    logos: tuple[str, ...]
    contact: tuple[str, ...]
    language: str
    width_mm: float
    height_mm: float
    bleed_mm: float
    raster_height: int
    palette: Mapping[str, str]
    social: tuple[tuple[str, int, int], ...]
    only_address: bool = False  # show the address as a line instead of registration with a code

    @property
    def texts(self) -> Iterator[str]:
        """Every string that may be printed, with the address as it is shown."""
        yield from (self.name, self.slogan, self.date, self.time, self.venue, self.address, self.hall)
        for person in self.speakers:
            yield from (person.name, person.title, person.company, person.topic)
        yield from self.highlights
        yield from (self.shown_url, self.early, self.regular, self.deadline)
        yield from (*self.hosts, *self.sponsors, *self.contact)

    @property
    def shown_url(self) -> str:
        """The address without what every reader knows."""
        return self.url.split("://", 1)[-1].removesuffix("/")

    @property
    def has_registration(self) -> bool:
        """Whether there is anything to say about getting in."""
        return bool(self.url or self.early or self.regular or self.deadline)


def read_content(brief: Mapping[str, Any]) -> Content:
    """The content of a validated brief."""
    params = brief["params"]
    event, page = params["event"], params["page"]
    registration, organizers = params["registration"], params["organizers"]
    time = " ".join(part for part in (event.get("time"), _zone(event)) if part)
    people = tuple(
        Person(*(person.get(field) or "" for field in ("name", "title", "company", "topic", "photo")))
        for person in params["speakers"]
    )
    return Content(
        name=event["name"],
        slogan=event.get("slogan") or "",
        date=event["date"],
        time=time,
        venue=event["venue"],
        address=event.get("address") or "",
        hall=event.get("hall") or "",
        speakers=people,
        highlights=tuple(params["highlights"]),
        url=registration.get("url") or "",
        early=_on_one_line(registration.get("early_bird_price") or ""),
        regular=_on_one_line(registration.get("regular_price") or ""),
        deadline=registration.get("deadline") or "",
        hosts=tuple(organizers["host"]),
        sponsors=tuple(organizers["sponsors"]),
        logos=tuple(organizers["logos"]),
        contact=tuple(str(value) for value in params["contact"].values() if value),
        language=brief["language"],
        width_mm=float(page["width_mm"]),
        height_mm=float(page["height_mm"]),
        bleed_mm=float(page.get("bleed_mm") or 0.0),
        raster_height=int(params["raster_height"]),
        palette=params["palette"],
        social=tuple((item["name"], item["width"], item["height"]) for item in params["social"]),
    )


def _on_one_line(price: str) -> str:
    """A short price with number and currency held together."""
    return price.replace(" ", "\u00a0") if len(price) <= 10 else price


def _zone(event: Mapping[str, Any]) -> str:
    zone = event.get("timezone") or ""
    return f"({zone})" if zone and event.get("time") else zone


def initials(name: str) -> str:
    """One or two characters that stand for a person without a photo; empty where the name has no letter."""
    words = [word for word in name.split() if word.strip(".,").lower() not in _HONORIFICS] or name.split()
    heads = [head for word in words if (head := _first_letter(word))]
    if not heads:
        return ""
    first = heads[0]
    if is_wide(first[0]) or "\uac00" <= first[0] <= "\ud7a3" or len(heads) == 1 or not _cased(first + heads[-1]):
        return first.upper() if _cased(first) else first
    return (first + heads[-1]).upper()


def _first_letter(word: str) -> str:
    for cluster in clusters(word):
        if unicodedata.category(cluster[0])[0] == "L" and not "\u0e40" <= cluster[0] <= "\u0e44":
            return cluster if len(cluster) <= 4 else cluster[0]
    return ""


def _cased(text: str) -> bool:
    """Latin, Greek, Cyrillic and the like, whose letters stand by themselves."""
    return all(ord(char) < 0x0590 for char in text)
