"""Makes the map and the itinerary from /testbed/input/brief.json and run.json.

Run as `python3 -m travel_map.make` in /testbed. The same brief, seed and image give the same bytes.
"""

from __future__ import annotations

import json
import random
from pathlib import Path

from .itinerary import itinerary
from .page import page
from .trip import read_trip
from .words import Words

INPUT = Path("/testbed/input")
OUTPUT = Path("/testbed/output")


def main() -> None:
    """Read the brief and the seed, make both files, say so."""
    brief = json.loads((INPUT / "brief.json").read_text(encoding="utf-8"))
    run = json.loads((INPUT / "run.json").read_text(encoding="utf-8"))
    trip = read_trip(brief)
    words = Words(trip.language)
    OUTPUT.mkdir(exist_ok=True)
    html = page(trip, words, random.Random(int(run.get("seed") or 0)), INPUT)
    (OUTPUT / "map.html").write_text(html, encoding="utf-8")
    (OUTPUT / "itinerary.md").write_text(itinerary(trip, words), encoding="utf-8")
    print(f"made: map.html ({len(html) // 1024} KB), itinerary.md; {len(trip.stops)} stops in {len(trip.days)} days")


if __name__ == "__main__":
    main()
