"""Every check that the inspector knows has a delivery that passes it and one that fails it."""

from __future__ import annotations

from pathlib import Path

import pytest

from sandbox_image.inspector import registry
from studio.kinds import all_kinds
from studio.kinds.open import contract as open_contract
from tests.inspection import music, pages
from tests.inspection.conftest import ENTRY, RASTER, Draw, Judge
from tests.inspection.pictures import png, svg, text

GOOD = svg(text("Night Swim"), text("21 June", y=300))
TWO_TONE = png(350, 495, split=(0, 0, 60))

# Check → the delivery that passes, the delivery that fails, words that the message of the failure must hold.
EXAMPLES: dict[str, tuple[dict[str, bytes], dict[str, bytes], str]] = {
    "files.present": ({ENTRY: GOOD, RASTER: TWO_TONE}, {ENTRY: GOOD, RASTER: b""}, "poster.png is empty"),
    "files.safe": ({ENTRY: GOOD}, {f"{number}.txt": b"x" for number in range(201)}, "201 files"),
    "svg.well_formed": ({ENTRY: GOOD}, {ENTRY: svg(text("R&D"))}, "&amp;"),
    "svg.safe": ({ENTRY: GOOD}, {ENTRY: svg("<script>1</script>")}, "<script>"),
    "svg.page": ({ENTRY: GOOD}, {ENTRY: svg(width=1080, height=1080)}, "420 : 594"),
    "poster.text": ({ENTRY: GOOD}, {ENTRY: svg(text("Day Swim"))}, "Night Swim"),
    "poster.overlap": ({ENTRY: GOOD}, {ENTRY: svg(text("Night"), text("Swim", x=100, y=210))}, "over each other"),
    "poster.contrast": ({ENTRY: GOOD}, {ENTRY: svg(text("Night Swim", fill="#CCCCCC"))}, "text darker"),
    "poster.glyphs": ({ENTRY: GOOD}, {ENTRY: svg(text("\uf073 21 June"))}, "U+F073"),
    "poster.palette": (
        {ENTRY: svg(text("Night Swim", size=160, fill="#D63A26"), ground="#F5EFE3")},
        {ENTRY: svg(text("Night Swim"), ground="#101418")},
        "#F5EFE3",
    ),
    "png.size": ({RASTER: TWO_TONE}, {RASTER: png(350, 494)}, "350 × 495"),
    "png.not_blank": ({RASTER: TWO_TONE}, {RASTER: png(350, 495)}, "flat colour"),
    **music.EXAMPLES,
}


def test_no_check_is_without_examples() -> None:
    # Films have theirs in test_films.py, what only open briefs ask for in test_open_files.py.
    generic = {check.id for checks in open_contract.CHECKS.values() for check in checks}
    own = {name for name, entry in registry.all_checks().items() if entry.group != "video"}
    drawn = {"png.matches_svg", "poster.qr", "pdf.page"}  # the last two in test_poster_means.py
    assert own - generic == {*EXAMPLES, *drawn, *pages.EXAMPLES} - generic


def test_the_inspector_knows_every_check_of_every_contract() -> None:
    asked = {
        check.id
        for kind in all_kinds().values()
        for sample in kind.samples()
        for check in kind.contract(sample.brief).checks
    }
    assert asked <= set(registry.all_checks())


@pytest.mark.parametrize("check", EXAMPLES)
def test_passes(check: str, judge: Judge) -> None:
    report = judge(EXAMPLES[check][0], check)
    assert [(finding.id, finding.verdict) for finding in report.checks] == [(check, "pass")], report.checks
    assert report.verdict == "accept"


@pytest.mark.parametrize("check", EXAMPLES)
def test_fails(check: str, judge: Judge) -> None:
    _, broken, words = EXAMPLES[check]
    report = judge(broken, check)
    assert report.verdict == "reject"
    assert words in report.checks[0].message


def test_png_matches_svg(judge: Judge, draw: Draw) -> None:
    report = judge({ENTRY: GOOD, RASTER: draw(GOOD, 700)}, "png.matches_svg")
    assert report.verdict == "accept", report.checks


def test_png_of_an_older_draft(judge: Judge, draw: Draw) -> None:
    older = draw(GOOD.replace(b"21 June", b"27 June"), 700)
    report = judge({ENTRY: GOOD, RASTER: older}, "png.matches_svg")
    assert report.verdict == "reject"
    assert "21" in report.checks[0].message


def test_each_fails_when_its_file_is_missing(judge: Judge) -> None:
    asked = sorted(EXAMPLES.keys() - {"files.safe"})
    report = judge({"notes.txt": b"nothing else was made"}, *asked)
    found = {finding.id: finding.verdict for finding in report.checks if "missing" in finding.message}
    assert found == dict.fromkeys(asked, "fail"), report.checks


def test_the_preview_is_the_png_or_else_the_drawing(judge: Judge, tmp_path: Path) -> None:
    report = judge({ENTRY: GOOD}, "svg.page", kind="poster")
    assert [(each.path, each.width, each.height) for each in report.previews] == [("thumbnail.webp", 640, 905)]
    drawn = (tmp_path / "previews" / "thumbnail.webp").read_bytes()
    report = judge({ENTRY: GOOD, RASTER: TWO_TONE}, "svg.page", kind="poster")
    assert [(each.path, each.width, each.height) for each in report.previews] == [("thumbnail.webp", 640, 905)]
    assert (tmp_path / "previews" / "thumbnail.webp").read_bytes() != drawn


def test_nothing_to_preview(judge: Judge) -> None:
    report = judge({"notes.txt": b"x"}, "files.safe", kind="poster")
    assert report.previews == []
    assert [(each.path, each.media_type, each.bytes) for each in report.files] == [("notes.txt", "text/plain", 1)]
