"""Where a finding is: boxes lie on what they name, each with the page in whose units it is; also of what holds."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.cli.delivered import stage, take_manifest
from studio.contract import Place, Report
from studio.inspection import inspect
from studio.kinds import get_kind, parse_brief
from studio.sandboxes.types import Engine
from tests.inspection.conftest import ENTRY, Judge
from tests.inspection.pages import DRAWN, STOPS, brief

FAINT = b"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="100 50 420 594">
<rect x="100" y="50" width="420" height="594" fill="#fff"/>
<text x="200" y="150" font-family="DejaVu Sans" font-size="30">Night Swim</text>
<text x="200" y="400" font-family="DejaVu Sans" font-size="20" fill="#ddd">Doors at nine</text>
<text x="200" y="500" font-family="DejaVu Sans" font-size="20" fill="#eee">Bring a towel</text></svg>"""


def middle(place: Place | None) -> tuple[float, float]:
    assert place is not None
    assert place.box is not None
    x, y, width, height = place.box
    return x + width / 2, y + height / 2


def test_boxes_on_a_drawing_are_in_its_own_units(judge: Judge) -> None:
    report = judge({ENTRY: FAINT}, "poster.contrast", "poster.text")
    contrast, text = report.checks
    assert [place.label for place in contrast.places] == ["Bring a towel", "Doors at nine"], "the faintest first"
    assert contrast.place == contrast.places[0]
    for place, baseline in zip(contrast.places, (500, 400), strict=True):
        assert place.page == (100, 50, 420, 594)
        assert place.box is not None
        assert place.box[0] == pytest.approx(200, abs=4)
        assert middle(place)[1] == pytest.approx(baseline - 7, abs=4)
    assert text.verdict == "pass"
    assert text.place is not None
    assert text.place.label == "Night Swim"
    assert middle(text.place)[1] == pytest.approx(139, abs=5)


def map_report(engine: Engine, folder: Path, html: str) -> Report:
    """The report on a page by the checks that see it on a screen."""
    delivered, staged = folder / "delivered", folder / "staged"
    delivered.mkdir()
    (delivered / "map.html").write_text(html, encoding="utf-8")
    manifest = take_manifest(delivered)
    stage(delivered, manifest, staged)
    folder.chmod(0o755)
    asked = parse_brief(brief())
    contract = get_kind("travel_map").contract(asked)
    checks = tuple(each for each in contract.checks if each.id in ("map.markers", "map.popups", "page.fits"))
    contract = contract.model_copy(update={"checks": checks})
    return inspect(engine, asked, contract, staged, manifest, (), folder / "previews")


def test_markers_of_a_map_and_what_is_too_wide_are_found_on_the_screen(engine: Engine, tmp_path: Path) -> None:
    wide = DRAWN.replace("</h1>", '</h1><p style="width:700px;margin:0">Far too wide</p>')
    report = map_report(engine, tmp_path, wide)
    found = {finding.id: finding for finding in report.checks}
    held, fits = found["map.markers"], found["page.fits"]
    assert held.verdict == "pass", held.message
    assert sorted(place.label for place in held.places) == sorted(stop["name"] for stop in STOPS)
    assert {place.page for place in held.places} == {(0, 0, 1280, 800)}
    # The drawing is 600 px wide for 360 units; pages.DRAWN says where its first marker is.
    pier = next(place for place in held.places if place.label == "Lantern Pier")
    assert middle(pier)[0] == pytest.approx(600 / 360 * ((28.97 - 28.94) * 5000 + 20), abs=3)
    assert fits.verdict == "fail"
    assert fits.place is not None
    assert fits.place.page == (0, 0, 390, 844)
    assert fits.place.box is not None
    assert fits.place.box[2] == pytest.approx(700, abs=1)
    assert {"wide.webp", "phone.webp"} <= {preview.path for preview in report.previews}
