"""The parameters of a travel map: where the trip goes, for how many days, and its stops where they are known.

Latitudes and longitudes are degrees on WGS 84, north and east positive. Times are those of a 24-hour clock. White
space of any kind folds to one blank; characters that cannot be printed are refused. Titles and descriptions make the
web form.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Annotated, Any, TypeAlias

from pydantic import AfterValidator, BeforeValidator, Field

from studio.brief import Strict, pointer
from studio.errors import Problem
from studio.kinds.attached import MaybeAttachment
from studio.kinds.travel_map.sphere import Position, distance_km, middle
from studio.printable import BlankIsNone, Printed, Visible, blank_is_none

MAX_DAYS = 14
MAX_STOPS = 100
USUAL_RADIUS_KM = 60.0
MARGIN = 1.1  # how far beyond the farthest stop the usual radius reaches
HALF_WAY_ROUND_KM = 20_040.0

_TIME = re.compile(r"(\d{1,2}):(\d\d)", re.ASCII)


def _clock(text: str) -> str:
    """The time as HH:MM. Raises ValueError for anything that no clock shows."""
    found = _TIME.fullmatch(text.strip())
    hours, minutes = (int(found[1]), int(found[2])) if found else (99, 99)
    if minutes > 59 or hours * 60 + minutes > 24 * 60:
        raise ValueError("must be a time of day such as 09:30, from 00:00 to 24:00")
    return f"{hours:02}:{minutes:02}"


def _empty_is_none(value: Any) -> Any:
    """An empty group of a form means: not given."""
    return None if isinstance(value, dict) and all(blank_is_none(each) is None for each in value.values()) else value


Name: TypeAlias = Annotated[str, Field(min_length=1, max_length=120), Printed, Visible]
Words: TypeAlias = Annotated[str, Field(min_length=1, max_length=300), Printed, Visible]
MaybeName: TypeAlias = Annotated[Name | None, BlankIsNone]
MaybeWords: TypeAlias = Annotated[Words | None, BlankIsNone]
Time: TypeAlias = Annotated[str, Field(max_length=20), AfterValidator(_clock)]
MaybeTime: TypeAlias = Annotated[Time | None, BlankIsNone]


class Center(Strict):
    """A place on Earth."""

    lat: float = Field(ge=-90, le=90, allow_inf_nan=False, title="Latitude", description="Degrees, north positive.")
    lon: float = Field(ge=-180, le=180, allow_inf_nan=False, title="Longitude", description="Degrees, east positive.")

    @property
    def position(self) -> Position:
        return self.lat, self.lon


class Stop(Strict):
    """One place of the trip, in the order of the visit."""

    day: int = Field(ge=1, le=MAX_DAYS, title="Day")
    name: Name = Field(title="Name", examples=["Senso-ji"])
    lat: float = Field(ge=-90, le=90, allow_inf_nan=False, title="Latitude", description="Degrees, north positive.")
    lon: float = Field(ge=-180, le=180, allow_inf_nan=False, title="Longitude", description="Degrees, east positive.")
    start: MaybeTime = Field(default=None, title="From", description="24-hour clock.", examples=["09:00"])
    end: MaybeTime = Field(default=None, title="Until", description="24-hour clock.", examples=["10:30"])
    activity: MaybeWords = Field(default=None, title="Activity", description="What to do there, one line.")
    tip: MaybeWords = Field(default=None, title="Tip")
    photo: MaybeAttachment = Field(default=None, title="Photo", description="File name of an attached picture.")

    @property
    def position(self) -> Position:
        return self.lat, self.lon


class TravelMapParams(Strict):
    """A trip on a map. Only the destination is required; without stops a model chooses them."""

    destination: Name = Field(title="Destination", examples=["Tokyo"])
    days: int = Field(default=3, ge=1, le=MAX_DAYS, title="Days")
    travellers: MaybeName = Field(default=None, title="Travellers", examples=["a couple"])
    theme: MaybeWords = Field(default=None, title="Theme", examples=["food, photography and culture"])
    center: Annotated[Center | None, BeforeValidator(_empty_is_none)] = Field(
        default=None, title="Centre", description="Where the trip takes place; else the middle of the stops."
    )
    radius_km: float | None = Field(
        default=None,
        gt=0,
        le=HALF_WAY_ROUND_KM,
        allow_inf_nan=False,
        title="Radius in km",
        description="No stop lies farther from the centre. Without it: 60, or what the given stops need.",
    )
    stops: Annotated[list[Stop], BeforeValidator(lambda value: [] if value is None else value)] = Field(
        default_factory=list,
        max_length=MAX_STOPS,
        title="Stops",
        description="In the order of the visit, unless their times tell another. Without them a model chooses.",
    )

    @property
    def middle(self) -> Position | None:
        """The centre, or the middle of the stops on the sphere; None where neither is given."""
        if self.center:
            return self.center.position
        return middle([stop.position for stop in self.stops]) if self.stops else None

    @property
    def reach_km(self) -> float:
        """The radius, or 60 km, or 1.1 × the farthest stop's distance from the centre where that is more."""
        if self.radius_km is not None:
            return self.radius_km
        centre = self.middle
        farthest = max((distance_km(centre, stop.position) for stop in self.stops), default=0.0) if centre else 0.0
        return min(max(USUAL_RADIUS_KM, MARGIN * farthest), HALF_WAY_ROUND_KM)


def contradictions(params: TravelMapParams) -> Sequence[Problem]:
    """What cannot all be true at once; pointers from the brief's root.

    A day without a stop is none: it is a day at leisure.
    """
    found = []
    centre = params.middle
    for index, stop in enumerate(params.stops):
        where = pointer("params", "stops", index)
        if stop.day > params.days:
            days = f"{params.days} day{'s' if params.days > 1 else ''}"
            found.append(Problem(f"{where}/day", f"the trip has {days}, this stop is on day {stop.day}"))
        if stop.start and stop.end and stop.end < stop.start:
            message = f"ends at {stop.end}, before it starts at {stop.start}; after midnight is the next day, or 24:00"
            found.append(Problem(f"{where}/end", message))
        if params.radius_km is not None and centre is not None:
            away = distance_km(centre, stop.position)
            if away > params.radius_km:
                message = (
                    f"is {away:,.1f} km from the centre ({centre[0]:.4f}, {centre[1]:.4f}), farther than the radius of "
                    f"{params.radius_km:g} km; mend the position, or give a larger radius_km"
                )
                found.append(Problem(where, message))
    return found
