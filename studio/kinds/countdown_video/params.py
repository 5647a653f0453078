"""The parameters of a countdown brief: for whom, from where to where, how long, how large, in which colours."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from typing import Annotated, TypeAlias

from pydantic import AfterValidator, Field

from studio.brief import Strict, pointer
from studio.errors import Problem
from studio.kinds.attached import MaybeAttachment
from studio.printable import Color, Printed, Visible

MIN_FINALE_S = 1.5
MIN_NUMBER_S = 0.4
MAX_RATIO = 4.0
MAX_FRAME_PIXELS = 3840 * 2160
MAX_FILM_PIXELS = 5_000_000_000  # width × height × frames: what is drawn and judged within the usual limits
MIN_LETTER_PX = 11.0  # a letter of the finale must find a square of this side, or nobody can read it
DEFAULT_FINALE = "Happy Birthday, {name}!"


def _template(text: str) -> str:
    for found in re.findall(r"\{[^{}]*\}?", text):
        if found != "{name}":
            raise ValueError(f"has {found[:40]!r}; the only placeholder is {{name}}, which becomes the name")
    return text


def _even(value: int) -> int:
    if value % 2:
        raise ValueError(f"must be even, as H.264 in yuv420p has no odd sizes; take {value - 1} or {value + 1}")
    return value


Name: TypeAlias = Annotated[str, Field(min_length=1, max_length=80), Printed, Visible]
Finale: TypeAlias = Annotated[str, Field(min_length=1, max_length=160), Printed, Visible, AfterValidator(_template)]
Side: TypeAlias = Annotated[int, Field(ge=96, le=3840), AfterValidator(_even)]


class Colors(Strict):
    """Four colours; figures and words get readable shades of them."""

    background: Color = Field(default="#FDE7EF", title="Background")
    primary: Color = Field(default="#D6246E", title="Primary")
    secondary: Color = Field(default="#1D86B0", title="Secondary")
    accent: Color = Field(default="#F6B93B", title="Accent")


class CountdownVideoParams(Strict):
    """A countdown for someone. Only the name is required."""

    name: Name = Field(title="Name", description="For whom it counts.", examples=["Luna"])
    start: int = Field(default=10, ge=0, le=100, title="First number")
    end: int = Field(default=1, ge=0, le=100, title="Last number", description="Not above the first.")
    photo: MaybeAttachment = Field(
        default=None, title="Photo", description="File name of an attached picture, shown in the finale."
    )
    finale: Finale = Field(
        default=DEFAULT_FINALE,
        title="Finale",
        description="The last words; {name} becomes the name. Without it the name gets a line of its own.",
        examples=["Happy Birthday, {name}!"],
    )
    duration_s: float = Field(
        default=12,
        ge=2,
        le=120,
        title="Duration in seconds",
        description="The finale has at least the last 1.5 s; the numbers share the rest equally.",
    )
    width: Side = Field(default=1280, title="Width in pixels", description="Even.")
    height: Side = Field(default=720, title="Height in pixels", description="Even.")
    fps: float = Field(default=30, ge=10, le=60, title="Frames a second")
    colors: Colors = Field(default_factory=Colors, title="Colours")
    style: Annotated[str, Field(max_length=300), Printed] = Field(
        default="", title="Style", description="In your own words.", examples=["cute animals, pastel"]
    )
    music: bool = Field(default=True, title="Music", description="A soft track; else the film is silent.")

    @property
    def numbers(self) -> list[int]:
        """What is counted, in order."""
        return list(range(self.start, self.end - 1, -1))

    @property
    def words(self) -> str:
        """The finale as it is shown."""
        return self.finale.replace("{name}", self.name) if "{name}" in self.finale else f"{self.finale} {self.name}"


def contradictions(params: CountdownVideoParams) -> Sequence[Problem]:
    """What cannot all be true at once; pointers from the brief's root."""
    if params.end > params.start:
        message = (
            f"it counts down from {params.start} to {params.end}, so the last number is above the first; swap them"
        )
        return [Problem(pointer("params", "end"), message), *_frame(params)]
    return [*_time(params), *_frame(params)]


def _time(params: CountdownVideoParams) -> list[Problem]:
    count = len(params.numbers)
    share = (params.duration_s - MIN_FINALE_S) / count
    if share >= MIN_NUMBER_S - 1e-9:
        return []
    needed = count * MIN_NUMBER_S + MIN_FINALE_S
    most = int((params.duration_s - MIN_FINALE_S) / MIN_NUMBER_S + 1e-9)
    message = (
        f"{count} numbers ({params.start} to {params.end}) in {params.duration_s:g} s − {MIN_FINALE_S:g} s for the "
        f"finale = {max(0.0, share):.2f} s each, and at least {MIN_NUMBER_S:g} s is needed; take {needed:g} s or "
        f"longer, or {'at most ' + str(most) + ' numbers' if most else 'fewer numbers'}"
    )
    return [Problem(pointer("params", "duration_s"), message)]


def _frame(params: CountdownVideoParams) -> list[Problem]:
    found = []
    width, height = params.width, params.height
    size = f"{width} × {height} px"
    ratio = max(width, height) / min(width, height)
    if ratio > MAX_RATIO:
        message = f"{size} is {ratio:.1f} times as long as it is short; at most {MAX_RATIO:g} times is allowed"
        found.append(Problem(pointer("params", "width" if width > height else "height"), message))
    if width * height > MAX_FRAME_PIXELS:
        most = f"at most {MAX_FRAME_PIXELS / 1e6:.1f} are allowed"
        message = f"{size} are {width * height / 1e6:.1f} million pixels a frame; {most}"
        found.append(Problem(pointer("params", "height"), message))
    frames = params.duration_s * params.fps
    pixels = width * height * frames
    if not found and pixels > MAX_FILM_PIXELS:
        longest = MAX_FILM_PIXELS / (width * height * params.fps)
        message = (
            f"{size} × {params.fps:g} fps × {params.duration_s:g} s = {pixels / 1e9:.1f} thousand million pixels; "
            f"at most {MAX_FILM_PIXELS / 1e9:g} are allowed, so take {longest:.0f} s, "
            "a smaller frame or fewer frames a second"
        )
        found.append(Problem(pointer("params", "duration_s"), message))
    letters = sum(1.8 if unicodedata.east_asian_width(char) in "WF" else 1.0 for char in params.words)
    side = (0.86 * width * 0.5 * height / letters) ** 0.5
    if side < MIN_LETTER_PX:
        message = (
            f"the finale's {len(params.words)} characters on {size} leave each {side:.1f} × {side:.1f} px, and "
            f"{MIN_LETTER_PX:g} are needed to read them; take a larger frame or fewer words"
        )
        found.append(Problem(pointer("params", "finale"), message))
    return found
