"""A small poster brief, and commands that make outputs which its contract accepts or refuses."""

from __future__ import annotations

from studio.brief import Brief
from studio.kinds import parse_brief

BRIEF: Brief = parse_brief(
    {
        "kind": "poster",
        "title": "Open Night",
        "params": {
            "event": {"name": "Open Night", "date": "3 May 2027", "venue": "Hill House"},
            "social": [],
            "raster_height": 400,
        },
    }
)

_SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" width="420mm" height="594mm" viewBox="0 0 420 594">'
    '<rect width="420" height="594" fill="#fff"/><rect y="450" width="420" height="144" fill="#1d3461"/>'
    '<g font-family="DejaVu Sans" fill="#111"><text x="30" y="120" font-size="48">Open Night</text>'
    '<text x="30" y="220" font-size="36">3 May 2027</text><text x="30" y="320" font-size="36">Hill House</text>'
    "</g></svg>"
)

GOOD = (
    "mkdir -p /testbed/programs\n"
    "cat > /testbed/programs/make.sh <<'X'\n"
    f"cat > /testbed/output/poster.svg <<'Y'\n{_SVG}\nY\n"
    "rsvg-convert -h 400 /testbed/output/poster.svg > /testbed/output/poster.png\n"
    "echo '# Open Night' > /testbed/output/design_specs.md\n"
    "X\n"
    "bash /testbed/programs/make.sh"
)
INCOMPLETE = f"{GOOD}; rm /testbed/output/design_specs.md"
MEND = "echo '# Open Night' > /testbed/output/design_specs.md"
