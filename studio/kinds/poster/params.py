"""The parameters of a poster brief: what must be on it, how large it is, in which colours.

All of an event's values are free text as printed, dates and times too. White space of any kind folds to one blank;
characters that cannot be printed are refused. Titles, descriptions and examples make the web form.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Sequence
from typing import Annotated, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, JsonValue, model_validator

from studio.brief import Strict, pointer
from studio.errors import Problem
from studio.kinds.attached import Attachment, MaybeAttachment
from studio.printable import BlankIsNone, Color, Printed, Visible

MAX_SPEAKERS = 40
MAX_HIGHLIGHTS = 30
MAX_RATIO = 10.0
MAX_RASTER_PIXELS = 50_000_000
MIN_RASTER_SIDE = 100
MAX_RASTER_HEIGHT = 8000
# Pixels of the PNG per printed character, measured over many layouts: below this, letters are under 4 px high.
MIN_PIXELS_PER_CHARACTER = 80


def _web_address(url: str) -> str:
    if not url.lower().startswith(("http://", "https://")) or len(url.split("://", 1)[1]) < 3:
        raise ValueError("must be a whole address that starts with https:// or http://")
    if " " in url:
        raise ValueError("an address has no blanks; write them as %20")
    return url


Short: TypeAlias = Annotated[str, Field(min_length=1, max_length=120), Printed, Visible]
Long: TypeAlias = Annotated[str, Field(min_length=1, max_length=300), Printed, Visible]
MaybeShort: TypeAlias = Annotated[Short | None, BlankIsNone]
MaybeLong: TypeAlias = Annotated[Long | None, BlankIsNone]
WebAddress: TypeAlias = Annotated[str, Field(max_length=500), Printed, AfterValidator(_web_address)]


class Event(Strict):
    """What happens, when and where."""

    name: Long = Field(
        title="Name of the event",
        description="The largest words of the poster.",
        examples=["Night of the Open Observatory"],
    )
    slogan: MaybeLong = Field(default=None, title="Slogan", description="One line under the name.")
    date: Short = Field(title="Date", description="As it shall be printed.", examples=["Saturday, 12 September 2026"])
    time: MaybeShort = Field(
        default=None, title="Time", description="As it shall be printed.", examples=["20:00–23:30"]
    )
    timezone: MaybeShort = Field(default=None, title="Time zone", examples=["CET"])
    venue: Long = Field(title="Venue", description="The name of the place.", examples=["Hilltop Observatory"])
    address: MaybeLong = Field(default=None, title="Address")
    hall: MaybeShort = Field(default=None, title="Hall or room")


class Speaker(Strict):
    """A person on the poster."""

    name: Long = Field(title="Name")
    title: MaybeLong = Field(default=None, title="Title or role", examples=["Professor of Astronomy"])
    company: MaybeLong = Field(default=None, title="Company or institution")
    topic: MaybeLong = Field(default=None, title="Topic of the talk")
    photo: MaybeAttachment = Field(
        default=None, title="Photo", description="File name of an attached picture; without one, initials in a frame."
    )


class Registration(Strict):
    """How to get in."""

    url: Annotated[WebAddress | None, BlankIsNone] = Field(
        default=None,
        title="Web address",
        description="Printed with a QR code beside it.",
        examples=["https://observatory.example/night"],
    )
    early_bird_price: MaybeShort = Field(default=None, title="Early-bird price", examples=["€12"])
    regular_price: MaybeShort = Field(default=None, title="Regular price", examples=["€18"])
    deadline: MaybeShort = Field(default=None, title="Register by")


class Organizers(Strict):
    """Who is behind it."""

    host: list[Long] = Field(default_factory=list, max_length=12, title="Hosts")
    sponsors: list[Long] = Field(default_factory=list, max_length=24, title="Sponsors")
    logos: list[Attachment] = Field(
        default_factory=list, max_length=12, title="Logos", description="File names of attached pictures."
    )


class Contact(BaseModel):
    """Ways to ask. Besides the named ones any further name may be used, such as `twitter`."""

    model_config = ConfigDict(extra="allow", str_strip_whitespace=True)
    __pydantic_extra__: dict[str, MaybeShort] = Field(init=False)

    email: MaybeShort = Field(default=None, title="E-mail")
    phone: MaybeShort = Field(default=None, title="Telephone")
    website: MaybeShort = Field(default=None, title="Website")

    @model_validator(mode="after")
    def _few(self) -> Contact:
        extra = self.__pydantic_extra__
        if len(extra) > 8:
            raise ValueError(
                f"has {len(extra)} further entries besides email, phone and website; at most 8 are allowed"
            )
        for name in extra:
            if len(name) > 40:
                raise ValueError(f"has an entry whose name is {len(name)} characters long; at most 40 are allowed")
        return self


class Page(Strict):
    """The sheet, in millimetres."""

    width_mm: float = Field(default=420, ge=50, le=2000, title="Width in mm")
    height_mm: float = Field(default=594, ge=50, le=2000, title="Height in mm")
    bleed_mm: float = Field(
        default=0,
        ge=0,
        le=10,
        title="Bleed in mm",
        description="For a printer: poster.pdf gets so much colour beyond each edge, to be cut off.",
    )


class Palette(Strict):
    """Five colours. Text that would be unreadable on its ground gets a readable shade of the same hue."""

    primary: Color = Field(default="#D63A26", title="Primary")
    secondary: Color = Field(default="#1D3461", title="Secondary")
    accent: Color = Field(default="#F2B134", title="Accent")
    background: Color = Field(default="#F5EFE3", title="Background")
    text: Color = Field(default="#1A1A22", title="Text")


class SocialVersion(Strict):
    """A picture of the same event for a social medium, laid out anew for its shape."""

    name: str = Field(
        pattern=r"^[a-z0-9_-]{1,40}$",
        title="Name",
        description="Becomes the file name: small letters, digits, '_' and '-'.",
        examples=["instagram"],
    )
    width: int = Field(ge=64, le=4096, title="Width in pixels")
    height: int = Field(ge=64, le=4096, title="Height in pixels")


def _usual_versions() -> list[SocialVersion]:
    return [
        SocialVersion(name="instagram", width=1080, height=1080),
        SocialVersion(name="twitter", width=1200, height=675),
    ]


class PosterParams(Strict):
    """A poster for an event. Only the event's name, date and venue are required."""

    event: Event = Field(title="Event")
    speakers: list[Speaker] = Field(default_factory=list, max_length=MAX_SPEAKERS, title="Speakers")
    highlights: list[Long] = Field(
        default_factory=list, max_length=MAX_HIGHLIGHTS, title="Highlights", description="What one should not miss."
    )
    registration: Registration = Field(default_factory=Registration, title="Registration")
    organizers: Organizers = Field(default_factory=Organizers, title="Organizers")
    contact: Contact = Field(default_factory=Contact, title="Contact")
    page: Page = Field(default_factory=Page, title="Page")
    raster_height: int = Field(
        default=1920,
        ge=200,
        le=MAX_RASTER_HEIGHT,
        title="Height of the PNG in pixels",
        description="Its width follows the page.",
    )
    palette: Palette = Field(default_factory=Palette, title="Palette")
    social: list[SocialVersion] = Field(default_factory=_usual_versions, max_length=12, title="Social media versions")

    @property
    def raster_width(self) -> int:
        """Width of poster.png in pixels, from the page's ratio."""
        return max(1, round(self.raster_height * self.page.width_mm / self.page.height_mm))


def contradictions(params: PosterParams) -> Sequence[Problem]:
    """What cannot all be true at once; pointers from the brief's root."""
    return [*(_page(params) or _words(params)), *_social(params)]


def _page(params: PosterParams) -> list[Problem]:
    page, width, height = params.page, params.raster_width, params.raster_height
    ratio = max(page.width_mm, page.height_mm) / min(page.width_mm, page.height_mm)
    if ratio > MAX_RATIO:
        message = (
            f"{page.width_mm:g} × {page.height_mm:g} mm is {ratio:.1f} times as long as it is short; "
            f"at most {MAX_RATIO:g} times is allowed"
        )
        return [Problem(pointer("params", "page"), message)]
    sides = f"{height} px × {page.width_mm:g} mm ÷ {page.height_mm:g} mm makes the PNG {width} × {height} px"
    if width * height > MAX_RASTER_PIXELS:
        message = f"{sides}, {width * height / 1e6:.1f} million pixels; at most {MAX_RASTER_PIXELS / 1e6:g} are allowed"
        return [Problem(pointer("params", "raster_height"), message)]
    if width < MIN_RASTER_SIDE:
        message = f"{sides}; it must be at least {MIN_RASTER_SIDE} px wide, so ask for a larger raster_height"
        return [Problem(pointer("params", "raster_height"), message)]
    return []


def _words(params: PosterParams) -> list[Problem]:
    width, height = params.raster_width, params.raster_height
    count = _characters(params.model_dump(exclude={"page", "palette", "social", "raster_height"}))
    each = width * height / max(1, count)
    if each >= MIN_PIXELS_PER_CHARACTER:
        return []
    needed = math.ceil(math.sqrt(MIN_PIXELS_PER_CHARACTER * count * params.page.height_mm / params.page.width_mm) / 10)
    possible = needed * 10 <= MAX_RASTER_HEIGHT
    remedy = (
        f"ask for a raster_height of {needed * 10} or more, or shorten the texts" if possible else "shorten the texts"
    )
    message = (
        f"the poster's words are {count} characters (ideographs count twice); on {width} × {height} px each has "
        f"{each:.0f} px², and {MIN_PIXELS_PER_CHARACTER} are needed for letters 4 px high: {remedy}"
    )
    return [Problem(pointer("params", "raster_height"), message)]


def _characters(value: JsonValue) -> int:
    """How many printed characters a value has; ideographs and the like count twice."""
    if isinstance(value, str):
        return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in value)
    if isinstance(value, dict):
        return sum(_characters(item) for item in value.values())
    return sum(_characters(item) for item in value) if isinstance(value, list) else 0


def _social(params: PosterParams) -> list[Problem]:
    found = []
    seen: dict[str, int] = {}
    for index, version in enumerate(params.social):
        where = pointer("params", "social", index)
        if version.name in seen:
            message = f"version {seen[version.name]} is called {version.name!r} too; names must be unique"
            found.append(Problem(f"{where}/name", message))
        seen.setdefault(version.name, index)
        ratio = max(version.width, version.height) / min(version.width, version.height)
        if ratio > MAX_RATIO:
            message = (
                f"{version.width} × {version.height} px is {ratio:.1f} times as long as it is short; "
                f"at most {MAX_RATIO:g} times is allowed"
            )
            found.append(Problem(where, message))
    return found
