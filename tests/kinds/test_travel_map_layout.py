"""Maps as they are seen: names that overlap nothing, seeds that can be told apart, pages of paper."""

from __future__ import annotations

import json
from itertools import combinations, pairwise
from pathlib import Path
from typing import Any

import pytest

import studio.kinds.travel_map as travel_map
from studio.brief import Brief
from studio.examples import random_brief
from studio.inspection import archive
from studio.kinds import get_kind, parse_brief
from studio.sandboxes import engine_for
from studio.sandboxes.types import SandboxSpec, Upload
from studio.settings import Settings

HERE = Path(__file__).parent
RECIPE = Path(travel_map.__file__).parent / "recipe"
FOLDER = "/tmp/maps"  # noqa: S108  # in the sandbox
SIZES = [[1280, 800], [390, 844]]
APART = 0.05  # mean distance in OKLab of thumbnails of 64 px; 0.02 can just be seen side by side
A4 = (595.0, 842.0)  # pt
Box = list[float]


def measured(tmp_path: Path, wanted: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What the measuring program tells of each map."""
    sources = [path for path in RECIPE.iterdir() if path.is_file()]
    files = [Upload(f"{FOLDER}/travel_map/{path.name}", path.read_bytes()) for path in sources]
    files.append(Upload(f"{FOLDER}/inspector.zip", archive()))
    files.append(Upload(f"{FOLDER}/map_measure.py", (HERE / "map_measure.py").read_bytes()))
    files.append(Upload(f"{FOLDER}/wanted.json", json.dumps(wanted).encode()))
    sandbox = engine_for(Settings(data_dir=tmp_path / "studio")).start(SandboxSpec(owner="maps"))
    try:
        sandbox.upload(files)
        argv = ["python3", "-I", f"{FOLDER}/map_measure.py", FOLDER]
        status, told, words = sandbox.run(argv, timeout_s=900, limit=64 << 20)
    finally:
        sandbox.kill()
    assert status == 0, words.decode("utf-8", "replace")[-2000:]
    found: list[dict[str, Any]] = json.loads(told)
    return found


def one(brief: Brief, seed: int | None = None, **more: Any) -> dict[str, Any]:
    chosen = get_kind("travel_map").default_seed(brief) if seed is None else seed
    return {"brief": brief.model_dump(mode="json"), "seed": chosen, "sizes": SIZES, **more}


def overlap(a: Box, b: Box) -> float:
    width, height = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    return max(0.0, width) * max(0.0, height)


def faults(view: dict[str, Any]) -> list[str]:
    """Names over names, pins or what stands at the edges; pins out of sight or over each other."""
    found = []
    labels, pins = view["labels"], view["pins"]
    for (name, *box), (other, *its) in combinations(labels, 2):
        if overlap(box, its) > 1:
            found.append(f"{name} over {other}")
    for name, *box in labels:
        found += [f"{name} over a pin" for pin in pins if overlap(box, pin) > 1]
        found += [f"{name} over the edge" for edge in view["edges"] if overlap(box, edge) > 1]
    left, top, right, bottom = view["map"]
    for pin, other in combinations(pins, 2):
        if overlap(pin, other) > 0.1 * (pin[2] - pin[0]) ** 2:
            found.append("a pin over a pin")
    for pin in pins:
        if pin[0] < left or pin[1] < top or pin[2] > right or pin[3] > bottom:
            found.append("a pin out of sight")
        found += ["a pin under a control" for edge in view["edges"] if overlap(pin, edge) > 1]
    inset = view["inset"]
    if inset:
        found += ["a pin under the inset" for pin in pins if overlap(pin, inset["box"]) > 1]
        for (name, *box), (other, *its) in combinations(inset["names"], 2):
            if name != other and overlap(box, its) > 8:
                found.append(f"{name} over {other} in the inset")
    return found


def named(view: dict[str, Any]) -> int:
    """How many stops bear their names, on the map or in its inset."""
    return len({name for name, *_ in view["labels"]}) + len(view["inset"]["names"] if view["inset"] else [])


@pytest.mark.parametrize(
    "first", [pytest.param(0, marks=pytest.mark.thorough), *(pytest.param(n, marks=pytest.mark.slow) for n in (8, 16))]
)
def test_names_overlap_neither_each_other_nor_pins(first: int, tmp_path: Path) -> None:
    briefs = [random_brief("travel_map", 1, number) for number in range(first, first + 8)]
    for brief, told in zip(briefs, measured(tmp_path, [one(brief) for brief in briefs]), strict=True):
        for view in told["views"]:
            assert faults(view) == [], f"{brief.title}, {view['look']}"
            assert named(view) >= view["stops"], f"every stop of {brief.title} bears its name"
        assert told["bytes"] < 500_000


@pytest.mark.slow
@pytest.mark.parametrize("name", ["en-tight-cluster", "en-same-hotel", "de-alps-country", "en-round-the-world"])
def test_hard_trips_are_laid_out_too(name: str, tmp_path: Path) -> None:
    brief = parse_brief(json.loads((HERE / "map_briefs" / f"{name}.json").read_text(encoding="utf-8")))
    for view in measured(tmp_path, [one(brief)])[0]["views"]:
        assert faults(view) == []
        assert named(view) >= 0.7 * view["stops"]


@pytest.mark.thorough
def test_seeds_can_be_told_apart_and_the_trip_is_printed_day_by_day(tmp_path: Path) -> None:
    brief = parse_brief(get_kind("travel_map").samples()[0].brief)
    seeds = [one(brief, seed=seed, sizes=SIZES[:1], thumbnail=True, pdf=seed == 0) for seed in range(7)]
    told = measured(tmp_path, seeds)

    def away(a: list[Box], b: list[Box]) -> float:
        steps = (sum((x - y) ** 2 for x, y in zip(p, q, strict=True)) ** 0.5 for p, q in zip(a, b, strict=True))
        return sum(steps) / len(a)

    distances = [away(a["thumbnail"], b["thumbnail"]) for a, b in combinations(told, 2)]
    assert sum(distance > APART for distance in distances) >= 0.8 * len(distances), sorted(distances)

    pages = told[0]["pages"]
    stops = brief.params["stops"]
    assert len(pages) == 1 + brief.params["days"], "the whole trip, and each day"
    for page in pages:
        assert page["size_pt"] == pytest.approx(A4, abs=1)
    for stop in stops:
        words = " ".join(pages[stop["day"]]["text"].split())
        assert stop["name"] in words, "on the page of its day"
        assert stop["tip"] in words
    assert all(a["text"] != b["text"] for a, b in pairwise(pages))
