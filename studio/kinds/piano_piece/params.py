"""The parameters of a piano piece: mood, key, meter, tempo, length and form, and what cannot be met together.

`bpm` counts the meter's beat: a quarter in 2/4, 3/4 and 4/4, a dotted quarter in 6/8, 9/8 and 12/8.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BeforeValidator, Field

from studio.brief import Strict, pointer
from studio.errors import Problem
from studio.kinds.piano_piece.keys import KeyName, read_key
from studio.printable import Printed, Visible

Meter: TypeAlias = Literal["2/4", "3/4", "4/4", "6/8", "9/8", "12/8"]

MAX_SECTIONS = 40
MAX_BARS = 400
MAX_SECONDS = 600


def _none_is_empty(value: Any) -> Any:
    """An empty field of a form means: not given."""
    return "" if value is None else value


class Tempo(Strict):
    """Beats a minute. The median over time must lie within; rubato and a ritardando may leave it."""

    min: float = Field(default=90, ge=20, le=320, title="At least")
    max: float = Field(default=110, ge=20, le=320, title="At most")


class Length(Strict):
    """Seconds from the first note's begin to the last note's end."""

    min: float = Field(default=20, ge=1, le=MAX_SECONDS, title="At least")
    max: float = Field(default=30, ge=1, le=MAX_SECONDS, title="At most")


class Section(Strict):
    """A part of the form."""

    name: Annotated[str, Field(min_length=1, max_length=60), Printed, Visible] = Field(
        title="Name", examples=["Main Theme"]
    )
    bars: int = Field(ge=1, le=64, title="Bars")


def _usual_form() -> list[Section]:
    return [
        Section(name="Intro", bars=4),
        Section(name="Main Theme", bars=8),
        Section(name="Outro", bars=4),
    ]


class PianoPieceParams(Strict):
    """A piece for piano. Everything has a default."""

    mood: Annotated[str, BeforeValidator(_none_is_empty), Field(max_length=200), Printed] = Field(
        default="", title="Mood", description="A word or a few, in any language.", examples=["calm"]
    )
    key: Annotated[KeyName, BeforeValidator(read_key)] = Field(
        default="A minor", title="Key", description="Major or minor, on any tonic.", examples=["F# minor"]
    )
    meter: Meter = Field(default="3/4", title="Meter")
    bpm: Tempo = Field(
        default_factory=Tempo,
        title="Tempo",
        description="Beats a minute; the beat is a quarter, or a dotted quarter in 6/8, 9/8 and 12/8.",
    )
    duration_s: Length = Field(default_factory=Length, title="Length in seconds")
    structure: list[Section] = Field(
        default_factory=_usual_form,
        min_length=1,
        max_length=MAX_SECTIONS,
        title="Form",
        description="The sections in order, each with its number of bars.",
    )

    @property
    def bars(self) -> int:
        """The number of bars of the whole piece."""
        return sum(section.bars for section in self.structure)

    @property
    def beats(self) -> int:
        """Beats a bar, as `bpm` counts them."""
        number, unit = meter_parts(self.meter)
        return number // 3 if unit == 8 else number

    @property
    def beat_quarters(self) -> float:
        """What the beat lasts in quarters."""
        return 1.5 if self.meter.endswith("/8") else 1.0


def meter_parts(meter: str) -> tuple[int, int]:
    """The two numbers of a time signature."""
    number, unit = meter.split("/")
    return int(number), int(unit)


def contradictions(params: PianoPieceParams) -> Sequence[Problem]:
    """What cannot all be true at once; pointers from the brief's root."""
    found = []
    for name, span in (("bpm", params.bpm), ("duration_s", params.duration_s)):
        if span.min > span.max:
            message = f"min {span.min:g} is above max {span.max:g}; the range is empty"
            found.append(Problem(pointer("params", name), message))
    if params.bars > MAX_BARS:
        message = f"the sections have {params.bars} bars together; at most {MAX_BARS} are allowed"
        found.append(Problem(pointer("params", "structure"), message))
    return found or _length(params)


def _length(params: PianoPieceParams) -> list[Problem]:
    """Whether so many bars can last so long: bars × beats a bar × 60 ÷ beats a minute."""
    bpm, wanted, beats = params.bpm, params.duration_s, params.bars * params.beats
    shortest, longest = beats * 60 / bpm.max, beats * 60 / bpm.min
    if shortest <= wanted.max and longest >= wanted.min:
        return []
    # Whole seconds say enough, unless they would hide the difference.
    gap = shortest - wanted.max if shortest > wanted.max else wanted.min - longest
    places = 0 if longest - shortest > 3 and gap > 1 else 1 if gap > 0.15 else 3
    low, high = f"{shortest:.{places}f}", f"{longest:.{places}f}"
    takes = f"{low}–{high}" if low != high else low
    speed = f"{bpm.min:g}–{bpm.max:g}" if bpm.min != bpm.max else f"{bpm.min:g}"
    asked = f"{wanted.min:g}–{wanted.max:g}" if wanted.min != wanted.max else f"{wanted.min:g}"
    arithmetic = f"{params.bars} bars × {params.beats} beats × 60 ÷ BPM"
    least = beats * 60 / wanted.max
    most = beats * 60 / wanted.min
    message = (
        f"{params.bars} bars of {params.meter} at {speed} BPM take {takes} s, not {asked} s ({arithmetic}); "
        f"ask for another length, for about {beats * 60 / (wanted.min + wanted.max) * 2:.0f} BPM "
        f"({least:.1f}–{most:.1f} would do), or for about "
        f"{max(1, round((wanted.min + wanted.max) / 2 * (bpm.min + bpm.max) / 120 / params.beats))} bars"
    )
    return [Problem(pointer("params", "duration_s"), message)]
