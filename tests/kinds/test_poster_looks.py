"""Posters as they are seen: seeds that can be told apart, layouts by content, wide pages, print with a bleed."""

from __future__ import annotations

import json
from itertools import combinations
from pathlib import Path
from statistics import median
from typing import Any

import pytest

import studio.kinds.poster as poster
from studio.brief import Brief
from studio.examples import random_brief
from studio.kinds import parse_brief
from studio.sandboxes import engine_for
from studio.sandboxes.types import SandboxSpec, Upload
from studio.settings import Settings
from tests.kinds.conftest import small

pytestmark = pytest.mark.thorough
HERE = Path(__file__).parent
RECIPE = Path(poster.__file__).parent / "recipe"
FOLDER = "/tmp/posters"  # noqa: S108  # in the sandbox
# Mean distance in OKLab of thumbnails of 64 px. 0.02 can just be seen side by side; words and ground stay the same,
# so even two motifs that share nothing differ on a part of the page only.
APART, USUAL = 0.03, 0.08
POINTS = 72 / 25.4
MARGIN = 0.05  # of the page's width, at either side


def measured(tmp_path: Path, wanted: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What the measuring program tells of each poster."""
    files = [Upload(f"{FOLDER}/poster/{path.name}", path.read_bytes()) for path in RECIPE.glob("*.py")]
    files.append(Upload(f"{FOLDER}/poster_measure.py", (HERE / "poster_measure.py").read_bytes()))
    files.append(Upload(f"{FOLDER}/wanted.json", json.dumps(wanted).encode()))
    sandbox = engine_for(Settings(data_dir=tmp_path / "studio")).start(SandboxSpec(owner="posters"))
    try:
        sandbox.upload(files)
        argv = ["python3", "-I", f"{FOLDER}/poster_measure.py", FOLDER]
        status, told, words = sandbox.run(argv, timeout_s=900, limit=64 << 20)
    finally:
        sandbox.kill()
    assert status == 0, words.decode("utf-8", "replace")[-2000:]
    found: list[dict[str, Any]] = json.loads(told)
    return found


def one(brief: Brief, seed: int = 1, **more: Any) -> dict[str, Any]:
    return {"brief": brief.model_dump(mode="json"), "seed": seed, **more}


def apart(first: dict[str, Any], second: dict[str, Any]) -> float:
    pairs = list(zip(first["pixels"], second["pixels"], strict=True))
    return sum(sum((a - b) ** 2 for a, b in zip(*pair, strict=True)) ** 0.5 for pair in pairs) / len(pairs)


def test_two_seeds_differ_clearly_and_the_same_seed_does_not(tmp_path: Path) -> None:
    briefs = [small(), random_brief("poster", 1, 5)]
    told = measured(tmp_path, [one(brief, seed) for brief in briefs for seed in (1, 2, 3, 4, 5, 1)])
    for first in (0, 6):
        *seeds, again = told[first : first + 6]
        assert again == seeds[0]
        distances = [apart(a, b) for a, b in combinations(seeds, 2)]
        assert min(distances) >= APART, distances
        assert median(distances) >= USUAL, distances


def on(page: tuple[float, float], number: int, **params: Any) -> Brief:
    value = random_brief("poster", 3, number).model_dump(mode="json")
    value["params"] |= {"page": {"width_mm": page[0], "height_mm": page[1]}, **params}
    return parse_brief(value)


def test_the_layout_follows_shape_and_content(tmp_path: Path) -> None:
    people = [{"name": f"Ada Lovelace {number}", "topic": "Engines"} for number in range(9)]
    few, many = {"speakers": [], "highlights": []}, {"speakers": people}
    tall, lying, wide = (420, 594), (594, 420), (900, 420)
    briefs = [on(tall, 0, **few), on(tall, 0, **many), on(lying, 0, **few), on(wide, 0, **few)]
    briefs += [on(wide, 0, speakers=people[:2]), on(wide, 0, **many)]
    layouts = [each["layout"] for each in measured(tmp_path, [one(brief) for brief in briefs])]
    assert layouts == ["giant", "cards", "open", "open", "banner", "lying"]


def test_no_column_runs_beyond_a_wide_page(tmp_path: Path) -> None:
    entry = {"url": "https://studio.example/night", "early_bird_price": "¥ 80", "regular_price": "1 200 ¥ an der Tür"}
    pages = [(900, 420), (1200, 400), (1000, 200)]
    briefs = [on(pages[number % 3], number, registration=entry) for number in range(8)]
    for brief, told in zip(briefs, measured(tmp_path, [one(brief) for brief in briefs]), strict=True):
        for label, left, top, right, bottom in told["boxes"]:
            assert left >= MARGIN, (brief.language, label)
            assert right <= 1 - MARGIN, (brief.language, label)
            assert top >= 0, (brief.language, label)
            assert bottom <= 1, (brief.language, label)


def test_the_pdf_is_the_page_in_vectors_and_bleeds_where_asked(tmp_path: Path) -> None:
    page = {"width_mm": 297, "height_mm": 420}
    plain, bled = small(page=page), small(page={**page, "bleed_mm": 5})
    pairs = [one(brief, 4, pdf=True) for brief in (plain, bled, bled)]
    told = [each["pdf"] for each in measured(tmp_path, pairs)]
    assert told[1] == told[2], "the same bytes"
    for pdf, bleed in zip(told, (0, 5), strict=False):
        assert pdf["pages"] == 1
        left, bottom, right, top = pdf["boxes"]["TrimBox:"]
        assert (right - left, top - bottom) == pytest.approx((297 * POINTS, 420 * POINTS), abs=0.02)
        reach = pdf["boxes"]["BleedBox:"]
        beyond = (left - reach[0], bottom - reach[1], reach[2] - right, reach[3] - top)
        assert beyond == pytest.approx((bleed * POINTS,) * 4, abs=0.02)
        assert pdf["boxes"]["MediaBox:"] == reach
        assert (pdf["pictures"], set(pdf["fonts"])) == (0, {"yes"})
        assert " ".join(pdf["text"].split()).lower().count("night swim") == 1
        assert [255, 255, 255] not in pdf["corners"], "colour to the edge of the sheet"
