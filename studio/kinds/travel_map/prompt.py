"""What a model is told about a travel map's brief."""

from __future__ import annotations

from studio.brief import Brief
from studio.kinds.travel_map.params import TravelMapParams

TEMPLATE = """\
Plan a trip and show it as an interactive map. The whole brief is in /testbed/input/brief.json (its `params`), \
attachments lie beside it, documents in /testbed/documents; /testbed/input/run.json holds a `seed` for choices \
that may vary.

What the person wants, in their own words:
{wish}

Destination: {destination}, {days}.{who} Language of every text (BCP 47): {language}.
{stops}

Deliver to /testbed/output:
- map.html, one file that works with no network: Leaflet is at /opt/studio/web/leaflet; paste its script and style \
into the page, and its images, if you use them, as data: URIs. It is shown in a frame without cookies, storage, \
pop-up windows or permissions.
- itinerary.md, the same plan as text: each day's stops with time, activity and tip.

How it is judged, by programs in a clean sandbox:
{checks}
A marker is clicked with a real mouse, each time from the page's first view; where only some are shown at first, tabs \
and day filters are opened. A page without Leaflet gives each marker a role, a name, `data-lat` and `data-lon`.

What good looks like: the map is the hero at 1280 px and on a phone of 390 px; it looks like something a person would \
hang up. Take one look and carry it through ground, routes, pins, panel and popup, chosen by the trip (city walk, \
country tour, world journey; its theme): a printed city plan with hatched areas and a lettered grid, a chart by night \
with rings and lit routes, a travel poster with a flat field of colour a day and a great title over the map, a \
diagram of lines, or your own. Pair a display face with a plain one. Never invent streets, rivers or coasts: pattern \
and paper only; land and water from /opt/studio/web/world from country scale up. Tiles often do not load: the base \
must carry it.
Days are chapters, cards or a timeline in a panel (a sheet at the bottom on a phone); choosing a stop there flies to \
it and opens its popup. One hue per day at equal lightness, routes 3:1 and words 4.5:1 on the ground, told apart \
without colour too: numbers, dash patterns, a key. Names overlap neither each other nor pins; the first and last stop \
and a day's highlight stand out; stops at one place are spread; a crowded group far from the rest gets an inset. \
Routes are smooth, show direction, follow time and take the short way over the antimeridian; each day says how far it \
is and roughly how long on foot. A scale and a compass. Keyboard and screen reader reach every stop; motion stops \
under prefers-reduced-motion. On A4 it prints the whole trip on one page and each day on one, with its map. Surprise \
us.

Write programs that read brief.json instead of copying its values, so that the design survives a changed brief. \
Python with NumPy, a headless Chromium and Noto fonts for many scripts are installed; `cat /opt/studio/README` says \
what else. Look at screenshots at 1280 and 390 px before you submit; `studio-check` runs the same checks on your \
outputs.
"""


def travel_map_prompt(brief: Brief, params: TravelMapParams, checks: list[tuple[str, str]]) -> str:
    """The task in words; `checks` are pairs of a check's id and what it expects."""
    who = f" Travellers: {params.travellers}." if params.travellers else ""
    if params.theme:
        who += f" Theme: {params.theme}."
    if params.stops:
        count = f"{len(params.stops)} stop{'s' if len(params.stops) > 1 else ''}"
        stops = (
            f"The brief gives {count}: show every one at its position, in order, with the words that it has; write "
            "nothing into fields that the brief leaves empty."
        )
    else:
        stops = (
            "Choose the stops: at least three a day, real places at their real positions, in an order that a day can "
            "hold, each with a time, an activity and a tip."
        )
        if params.middle:
            lat, lon = params.middle
            stops += f" All lie within {params.reach_km:g} km of latitude {lat:g}, longitude {lon:g}."
    return TEMPLATE.format(
        wish=brief.prompt.strip() or "(nothing further; the parameters say it all)",
        destination=params.destination,
        days=f"{params.days} day{'s' if params.days > 1 else ''}",
        who=who,
        language=brief.language,
        stops=stops,
        checks="\n".join(f"- {name}: {expected}" for name, expected in checks),
    )
