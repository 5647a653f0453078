"""`studio contact-sheet`: many results on one page, and the random briefs that it makes them from."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import pytest

from studio.errors import BriefError
from studio.examples import random_brief
from studio.examples.words import WORLDS
from studio.kinds import all_kinds
from tests.support.command import run

WITH_RECIPE = [kind.name for kind in all_kinds().values() if kind.has_recipe]


@pytest.mark.parametrize("kind", WITH_RECIPE)
def test_random_briefs_are_valid_differ_and_come_again(kind: str) -> None:
    briefs = [random_brief(kind, 1, number) for number in range(24)]
    assert {brief.kind for brief in briefs} == {kind}
    assert {brief.language for brief in briefs} == {world.language for world in WORLDS}
    assert len({brief.model_dump_json() for brief in briefs}) == 24
    assert briefs == [random_brief(kind, 1, number) for number in range(24)]
    assert briefs != [random_brief(kind, 2, number) for number in range(24)]


def test_a_kind_that_only_words_describe_has_no_random_briefs() -> None:
    with pytest.raises(BriefError) as caught:
        random_brief("open", 1, 1)
    assert "poster" in caught.value.problems[0].message


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["poster", "--out", "a.png"], "--briefs"),
        (["poster", "--random", "2", "--briefs", ".", "--out", "a.png"], "either"),
        (["poster", "--random", "2", "--out", "a.gif"], ".png"),
        (["poster", "--briefs", ".", "--out", "a.png"], "no *.json brief"),
        (["sonnet", "--random", "2", "--out", "a.png"], "sonnet"),
    ],
)
def test_usage_that_cannot_be_is_refused(arguments: list[str], words: str, tmp_path: Path) -> None:
    done = run("contact-sheet", *arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert words in done.stderr


@pytest.mark.thorough
def test_a_page_of_results(tmp_path: Path) -> None:
    briefs = tmp_path / "briefs"
    briefs.mkdir()
    event = {"name": "Night Swim", "date": "Friday", "venue": "Old Lido"}
    for number, name in enumerate(("Night Swim", "سباحة ليلية", "夜泳")):
        params = {"event": {**event, "name": name}, "raster_height": 500, "social": []}
        value = {"kind": "poster", "title": name, "params": params}
        (briefs / f"{number}.json").write_text(json.dumps(value), encoding="utf-8")
    done = run("contact-sheet", "poster", "--briefs", "briefs", "--columns", "2", "--out", "a.png", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "3 of 3 published" in done.stdout
    head = (tmp_path / "a.png").read_bytes()[:24]
    assert head[:8] == b"\x89PNG\r\n\x1a\n"
    # Two columns of 320, a gap of 16, edges of 24; two rows of 292 and a gap below a head of 64, an edge of 24.
    assert struct.unpack(">II", head[16:24]) == (704, 688)
