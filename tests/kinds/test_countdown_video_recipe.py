"""The house recipe: whatever the brief, the film is accepted; the same seed gives the same bytes."""

from __future__ import annotations

import math
import struct
import zlib
from pathlib import Path

import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st

from studio.brief import Brief, InputFile
from studio.errors import BriefError
from studio.kinds import parse_brief
from tests.kinds.video_making import NAMES, MadeFilm, brief_of, make_film, short

QUICK = {"en-tiny-frame", "en-one-grey", "zh-hant-upright-silent"}
CASES = [pytest.param(name, marks=[] if name in QUICK else [pytest.mark.slow]) for name in NAMES]


def assert_accepted(made: MadeFilm) -> None:
    report = made.outcome.report
    assert report is not None, made.outcome.message
    failed = [(finding.id, finding.message) for finding in report.failed if finding.severity == "must"]
    assert failed == []
    assert (made.outcome.state, report.verdict) == ("published", "accept")


@pytest.mark.parametrize("name", CASES)
def test_the_film_is_accepted(name: str, tmp_path: Path) -> None:
    brief = brief_of(name)
    made = make_film(tmp_path, brief)
    assert_accepted(made)
    assert brief.params["name"] in made.description
    report = made.outcome.report
    assert report is not None
    assert {finding.id for finding in report.failed} <= {"video.finale"}
    assert [preview.path for preview in report.previews] == ["thumbnail.webp"]
    numbers = [entry["n"] for entry in report.facts["video"]["numbers"]]  # type: ignore[index, call-overload, union-attr]
    assert numbers == sorted(numbers, reverse=True)


def test_the_same_seed_gives_the_same_bytes_and_another_does_not(tmp_path: Path) -> None:
    brief = short()
    first, second, other = (make_film(tmp_path, brief, seed=seed) for seed in (5, 5, 6))
    assert first.digest == second.digest
    assert first.digest != other.digest


def test_another_name_keeps_the_design(tmp_path: Path) -> None:
    one, two = make_film(tmp_path, short()), make_film(tmp_path, short(name="Bo"))
    assert one.picture == two.picture
    assert one.digest != two.digest


def test_an_attached_photo_is_shown_and_seen(tmp_path: Path) -> None:
    photo = _picture(tmp_path / "ida.png")
    brief = short(photo="ida.png", width=480, height=270)
    made = make_film(tmp_path, brief, inputs=(InputFile("ida.png", "input", photo, 1),))
    assert_accepted(made)
    assert made.outcome.report is not None
    assert "images.used" in {finding.id for finding in made.outcome.report.checks}
    assert "`ida.png`" in made.description


def test_a_photo_that_is_no_picture_is_named_as_the_only_fault(tmp_path: Path) -> None:
    broken = tmp_path / "not.png"
    broken.write_bytes(b"no picture")
    made = make_film(tmp_path, short(photo="not.png"), inputs=(InputFile("not.png", "input", broken, 1),))
    assert made.outcome.report is not None
    assert [finding.id for finding in made.outcome.report.failed] == ["images.used"]
    assert "not.png" not in made.description


def _picture(path: Path) -> Path:
    """A PNG of 120 × 120 px: a face of a kind on a sky."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    def colour(x: int, y: int) -> bytes:
        if (x - 44) ** 2 + (y - 52) ** 2 < 60 or (x - 78) ** 2 + (y - 56) ** 2 < 90:
            return bytes((40, 30, 60))
        if (x - 60) ** 2 + (y - 62) ** 2 < 1500:
            return bytes((90, 40, 50)) if y > 78 and abs(x - 64) < 16 else bytes((230, 170, 130))
        return bytes((60 + x, 120 + y // 2, 255 - x // 2))

    rows = b"".join(b"\0" + b"".join(colour(x, y) for x in range(120)) for y in range(120))
    header = struct.pack(">IIBBBBB", 120, 120, 8, 2, 0, 0, 0)
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
    )
    return path


_COLOUR = st.integers(0, 0xFFFFFF).map(lambda value: f"#{value:06X}")
_NAMES = st.sampled_from(
    [
        "Luna",
        "Bo",
        "Anna-Lena",
        "小雨",
        "ひなた",
        "민준",
        "Ольга",
        "سلمى",
        "Zoë",
        "Team 7",
        "Dr. Ada Okonkwo",
        "Jean-Luc & Mai",
    ]
)
_STYLES = st.sampled_from(["", "cute", "night sky", "paper", "lanterns", "somewhere between jazz and fog"])
_FINALES = st.sampled_from(
    ["Happy Birthday, {name}!", "{name}!", "Hurra, {name}", "Go {name}, go go go!", "It is time."]
)


@st.composite
def briefs(draw: st.DrawFn) -> Brief:
    """Any valid brief of a film that is quick to make."""
    width, height = (2 * draw(st.integers(48, 320)) for _ in range(2))
    start = draw(st.integers(0, 100))
    end = max(0, start - draw(st.integers(0, 9)))
    least = math.ceil((1.5 + 0.4 * (start - end + 1)) * 10) / 10
    params = {
        "name": draw(_NAMES),
        "start": start,
        "end": end,
        "finale": draw(_FINALES),
        "duration_s": round(max(2.0, least) + draw(st.integers(0, 50)) / 10, 1),
        "width": width,
        "height": height,
        "fps": draw(st.sampled_from([10, 12, 23.976, 24, 25, 29.97, 30, 50])),
        "colors": {role: draw(_COLOUR) for role in ("background", "primary", "secondary", "accent")},
        "style": draw(_STYLES),
        "music": draw(st.booleans()),
    }
    try:
        return parse_brief({"kind": "countdown_video", "title": "Any", "params": params})
    except BriefError:
        assume(False)  # a contradiction: too long a strip, too many letters
        raise


@pytest.mark.slow
@given(brief=briefs(), seed=st.integers(0, 2**32 - 1))
@settings(
    max_examples=25,
    deadline=None,
    derandomize=True,
    phases=[Phase.generate],
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture, HealthCheck.filter_too_much],
)
def test_any_valid_brief_is_accepted(brief: Brief, seed: int, tmp_path: Path) -> None:
    assert_accepted(make_film(tmp_path, brief, seed=seed))
