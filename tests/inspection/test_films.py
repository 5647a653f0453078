"""Every check of films, and of the text beside them, has a delivery that passes it and one that fails it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from studio.brief import Brief
from studio.cli.delivered import stage, take_manifest
from studio.contract import Check, Contract, Report
from studio.inspection import inspect
from studio.sandboxes.types import Engine, Sandbox
from tests.inspection.films import FILM, GOOD, TEXT, Show, film

JudgeFilm: TypeAlias = Callable[..., Report]

ARGS: dict[str, dict[str, Any]] = {
    "video.decodes": {"file": FILM},
    "video.plays_in_browsers": {"file": FILM},
    "video.duration": {"file": FILM, "seconds": 5.0, "tolerance_s": 0.5},
    "video.size": {"file": FILM, "width": 320, "height": 180},
    "video.fps": {"file": FILM, "fps": 12, "tolerance": 0.01},
    "video.moves": {"file": FILM, "longest_s": 2.0},
    "video.not_blank": {"file": FILM},
    "video.starts_at_once": {"file": FILM},
    "video.counts": {"file": FILM, "numbers": [3, 2, 1], "share": 0.8, "within_s": 1.0, "finale_s": 1.5},
    "video.finale": {"file": FILM, "text": "Mia", "last_s": 2.0},
    "text.present": {"file": TEXT, "strings": ["3", "Mia"]},
}

# Check → the film that fails it, and words that the message must hold.
FAILING: dict[str, tuple[Show | bytes, str]] = {
    "video.decodes": (b"cut", "Encode it again"),
    "video.plays_in_browsers": (GOOD(mux=()), "+faststart"),
    "video.duration": (GOOD(finale_s=3.0), "The film lasts 6.00 s"),
    "video.size": (GOOD(width=322), "322 × 180"),
    "video.fps": (GOOD(fps=10), "10 frames a second"),
    "video.moves": (GOOD(still_from_s=1.2), "stands still"),
    "video.not_blank": (GOOD(black=True), "one flat colour"),
    "video.starts_at_once": (GOOD(mux=()), "+faststart"),
    "video.counts": (GOOD(labels=("3", "x", "y")), "cannot be read"),
    "video.finale": (GOOD(finale="Happy Birthday!"), "'Mia' cannot be read"),
    "text.present": (b"# A countdown from 3\n", '"Mia"'),
}


def test_nothing_is_without_examples() -> None:
    from sandbox_image.inspector import registry

    own = {name for name, entry in registry.all_checks().items() if entry.group in ("video", "text")}
    assert own == set(ARGS) == set(FAILING)


@pytest.fixture
def judge_film(engine: Engine, darkroom: Sandbox, tmp_path: Path) -> JudgeFilm:
    """judge_film(show, "video.moves", …, longest_s=3): the report on a film by some checks."""

    def one(
        content: Show | bytes,
        *ids: str,
        words: bytes = b"Counts from 3 to 1 for Mia.\n",
        kind: str = "checks alone",
        **more: Any,
    ) -> Report:
        delivered = tmp_path / "delivered"
        delivered.mkdir()
        (delivered / FILM).write_bytes(content if isinstance(content, bytes) else film(darkroom, content))
        (delivered / TEXT).write_bytes(words)
        manifest = take_manifest(delivered)
        stage(delivered, manifest, tmp_path / "staged")
        tmp_path.chmod(0o755)
        checks = tuple(Check(id=each, expected="", args={**ARGS[each], **more}) for each in ids)
        contract = Contract(kind=kind, entry=FILM, checks=checks)
        brief = Brief(kind="countdown_video", title="A film", language="en")
        return inspect(engine, brief, contract, tmp_path / "staged", manifest, (), tmp_path / "previews")

    return one


def verdicts(report: Report) -> dict[str, str]:
    return {finding.id: finding.verdict for finding in report.checks}


def test_a_good_film_passes_them_all(judge_film: JudgeFilm, tmp_path: Path) -> None:
    report = judge_film(GOOD, *ARGS, kind="countdown_video")
    assert verdicts(report) == dict.fromkeys(ARGS, "pass"), report.failed
    facts: Any = report.facts["video"]
    assert (facts["width"], facts["height"], facts["fps"]) == (320, 180, 12.0)
    assert abs(facts["duration_s"] - 5) < 0.1
    assert [entry["n"] for entry in facts["numbers"]] == [3, 2, 1]
    assert all(abs(entry["time_s"] - at) < 0.6 for entry, at in zip(facts["numbers"], (0.5, 1.5, 2.5), strict=True))
    assert [preview.path for preview in report.previews] == ["thumbnail.webp"]
    assert (tmp_path / "previews" / "thumbnail.webp").stat().st_size > 500


@pytest.mark.parametrize("check", FAILING)
def test_fails(check: str, judge_film: JudgeFilm, darkroom: Sandbox) -> None:
    broken, words = FAILING[check]
    if check == "text.present":
        assert isinstance(broken, bytes)
        report = judge_film(b"no film", check, words=broken)
    elif broken == b"cut":
        whole = film(darkroom, GOOD)
        report = judge_film(whole[: len(whole) * 55 // 100], check)
    else:
        report = judge_film(broken, check)
    assert verdicts(report) == {check: "fail"}, report.checks
    assert words in report.checks[0].message


def test_what_is_no_film_fails_each_check_and_says_so(judge_film: JudgeFilm) -> None:
    asked = sorted(ARGS.keys() - {"text.present"})
    report = judge_film(b"#EXTM3U\n#EXTINF:9,\n/etc/passwd\n" * 20, *asked)
    assert verdicts(report) == dict.fromkeys(asked, "fail")
    assert all("MP4" in finding.message for finding in report.checks)


@pytest.mark.parametrize(
    ("show", "words"),
    [
        (GOOD(codec=("-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv444p")), "yuv420p"),
        (GOOD(codec=("-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p10le")), "yuv420p10le"),
        (GOOD(codec=("-c:v", "libx265", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-tag:v", "hvc1")), "libx264"),
        (GOOD(codec=("-c:v", "mpeg4",)), "libx264"),
        (GOOD(sound=("-c:a", "libmp3lame",)), "-c:a aac"),
    ],
)  # fmt: skip
def test_what_browsers_do_not_play(show: Show, words: str, judge_film: JudgeFilm) -> None:
    report = judge_film(show, "video.plays_in_browsers")
    assert report.verdict == "reject"
    assert words in report.checks[0].message


@pytest.mark.parametrize(
    "show",
    [
        GOOD(sound=()),
        GOOD(mux=("-movflags", "frag_keyframe+empty_moov+default_base_moof")),
        GOOD(codec=("-c:v", "libx264", "-profile:v", "main", "-bf", "3", "-g", "250", "-pix_fmt", "yuv420p")),
        GOOD(codec=("-c:v", "libx264", "-pix_fmt", "yuvj420p")),
    ],
)
def test_what_browsers_play(show: Show, judge_film: JudgeFilm) -> None:
    report = judge_film(show, "video.decodes", "video.plays_in_browsers", "video.duration", "video.fps")
    assert report.verdict == "accept", report.failed


@pytest.mark.parametrize(
    ("show", "args"),
    [
        (GOOD(labels=("12", "11", "10", "9", "8"), slot_s=0.5), {"numbers": [12, 11, 10, 9, 8]}),
        (GOOD(labels=("2", "1"), slot_s=2.5), {"numbers": [2, 1]}),
        (GOOD(ink="#8A2BE2", ground="#2E8B57"), {}),  # colours of one brightness
        (GOOD(ink="#1A1A1A", ground="#F2E8D5", share=0.3), {}),
        (GOOD(labels=("5", "4", "x", "2", "1")), {"numbers": [5, 4, 3, 2, 1]}),  # four of five are enough
        (GOOD(labels=("102", "101", "100")), {"numbers": [102, 101, 100]}),
    ],
)
def test_counts_that_are_good(show: Show, args: dict[str, Any], judge_film: JudgeFilm) -> None:
    report = judge_film(show, "video.counts", **args)
    assert report.verdict == "accept", report.failed


@pytest.mark.parametrize(
    ("show", "args"),
    [
        (GOOD(labels=("5", "4", "3", "", "")), {"numbers": [5, 4, 3, 2, 1]}),
        (GOOD(labels=("4", "5", "2", "3", "1")), {"numbers": [5, 4, 3, 2, 1]}),
        (GOOD(labels=("5", "4", "3", "2", "1"), slot_s=0.4, finale_s=8), {"numbers": [5, 4, 3, 2, 1]}),  # rushed
        (GOOD(labels=("", "", "", "", "3", "2", "1")), {}),  # late
        (GOOD(labels=("3 2 1",) * 3), {}),  # all at once
        (GOOD(black=True), {}),
    ],
)
def test_counts_that_are_not(show: Show, args: dict[str, Any], judge_film: JudgeFilm) -> None:
    report = judge_film(show, "video.counts", **args)
    assert report.verdict == "reject", report.checks


def test_black_is_told_as_black(judge_film: JudgeFilm) -> None:
    report = judge_film(GOOD(black=True), "video.moves")
    assert "black for 5.0 s" in report.checks[0].message


def test_a_name_must_stay_to_the_end(judge_film: JudgeFilm) -> None:
    early = GOOD(labels=("3", "2", "1", "Happy Birthday, Mia!", "Bye", "Bye"), finale="Bye")
    assert judge_film(early, "video.finale").verdict == "reject"


def test_accents_are_read_as_plain_letters(judge_film: JudgeFilm) -> None:
    show = GOOD(finale="Für Großmutter Käthe", width=640, height=360)
    assert judge_film(show, "video.finale", text="Großmutter Käthe").verdict == "accept"
