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

What good looks like: the map is the hero at 1280 px and on a phone of 390 px, a side panel (a sheet at the bottom on \
a phone) holds the days as chapters, and choosing a stop there flies to it and opens its popup. One hue per day at \
equal lightness, 3:1 or more on the ground, and told apart without colour too: a number on each marker, a dash \
pattern per day. Routes are smooth, show their direction, follow the order of time and take the short way over the \
antimeridian; each day says how far it is and roughly how long on foot. Under the tiles, which often do not load, \
lies a base that you draw yourself: tinted areas of the days, rings of distance, a scale, a compass, names that avoid \
each other; land and water from /opt/studio/web/world from country scale up. Keyboard and screen reader reach every \
stop; motion stops under prefers-reduced-motion; it prints well. Beyond that, surprise us.

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
