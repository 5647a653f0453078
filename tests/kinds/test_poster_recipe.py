"""The house recipe: whatever the brief, the poster is accepted; the same seed gives the same bytes."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import pytest

from studio.brief import InputFile
from studio.kinds import get_kind
from tests.kinds.conftest import BRIEFS, Made, Make, brief_of, small

QUICK = {"03-almost-nothing", "ar-poetry-night", "en-24-speakers", "mixed-tiny-raster"}
NAMES = sorted([path.stem for path in BRIEFS.glob("*.json")] + [s.name for s in get_kind("poster").samples()])
CASES = [pytest.param(name, marks=[] if name in QUICK else [pytest.mark.slow]) for name in NAMES]


def choices(made: Made) -> list[str]:
    """What the design notes say was chosen."""
    section = made.notes.split("## Design\n", 1)[1].split("###", 1)[0]
    return [line for line in section.splitlines() if line.startswith("- ")]


@pytest.mark.parametrize("name", CASES)
def test_the_poster_is_accepted(name: str, make: Make) -> None:
    brief = brief_of(name)
    made = make(brief)
    report = made.outcome.report
    assert report is not None
    assert [(finding.id, finding.message) for finding in report.failed] == []
    assert (made.outcome.state, report.verdict) == ("published", "accept")
    assert brief.params["event"]["name"] in made.notes
    assert report.facts["contrast"]["lowest"] >= 4.5  # type: ignore[index, call-overload, operator]


def test_the_same_seed_gives_the_same_bytes_and_another_does_not(make: Make) -> None:
    brief = small()
    first, second, other = make(brief, seed=5), make(brief, seed=5), make(brief, seed=6)
    assert first.digests == second.digests
    assert first.digests["poster.png"] != other.digests["poster.png"]


def test_another_name_keeps_the_design(make: Make) -> None:
    named = small(event={"name": "Long Day’s Run", "date": "Sunday 3 May", "venue": "Park"})
    one, two = make(small()), make(named)
    assert choices(one) == choices(two)
    assert one.digests["poster.png"] != two.digests["poster.png"]


def test_an_attached_photo_and_a_logo_are_placed(make: Make, tmp_path: Path) -> None:
    inputs = tuple(_picture(tmp_path, name, colour) for name, colour in (("ada.png", 200), ("logo.png", 90)))
    speakers = [{"name": "Ada Okonkwo", "photo": "ada.png"}, {"name": "Li Wei"}]
    organizers = {"host": ["Lido"], "logos": ["logo.png"]}
    made = make(small(speakers=speakers, organizers=organizers), inputs=inputs)
    assert made.outcome.state == "published"
    assert made.svg.count("<image ") == 2
    assert ">LW<" in made.svg  # the initials of the one without a picture


def _picture(folder: Path, name: str, level: int) -> InputFile:
    """A grey PNG of 40 × 30 px."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    rows = (b"\0" + bytes([level, level, level]) * 40) * 30
    header = struct.pack(">IIBBBBB", 40, 30, 8, 2, 0, 0, 0)
    content = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    path = folder / name
    path.write_bytes(content)
    return InputFile(name, "input", path, len(content))
