"""Files of an open brief: a good one of every type is accepted, and every generic check has a file that fails it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from sandbox_image.inspector import registry
from studio.cli.delivered import stage, take_manifest
from studio.contract import Finding, Report
from studio.inspection import inspect
from studio.kinds import get_kind, parse_brief
from studio.kinds.open.contract import CHECKS
from studio.kinds.open.media import MEDIA_TYPES
from studio.sandboxes.types import Engine, Sandbox
from tests.inspection.open_files import BESIDE, OTHER_PAGE, PAGE, failing_files, good_files
from tests.inspection.pictures import png

pytestmark = pytest.mark.thorough

JudgeOpen: TypeAlias = Callable[..., Report]
_BY_ENDING = {ending: media.name for media in MEDIA_TYPES.values() for ending in media.endings}


@pytest.fixture
def judge_open(engine: Engine, tmp_path: Path) -> JudgeOpen:
    """judge_open(files, "index.html", …): the report on an open brief for these paths, `optional` for more."""

    def one(files: Mapping[str, bytes], *paths: str, optional: tuple[str, ...] = ()) -> Report:
        delivered = tmp_path / "delivered"
        for name, content in files.items():
            (delivered / name).parent.mkdir(parents=True, exist_ok=True)
            (delivered / name).write_bytes(content)
        wanted: list[Any] = [
            {"path": path, "media_type": _BY_ENDING["." + path.rsplit(".", 1)[1]], "must": path in paths}
            for path in (*paths, *optional)
        ]
        brief = parse_brief({"kind": "open", "title": "T", "prompt": "W", "params": {"deliverables": wanted}})
        manifest = take_manifest(delivered)
        stage(delivered, manifest, tmp_path / "staged")
        tmp_path.chmod(0o755)
        contract = get_kind("open").contract(brief)
        return inspect(engine, brief, contract, tmp_path / "staged", manifest, (), tmp_path / "previews")

    return one


def told(report: Report) -> dict[tuple[str, str], Finding]:
    """Findings by check and file."""
    return {(each.id, each.place.file if each.place else ""): each for each in report.checks}


def test_one_of_each_type_is_accepted(judge_open: JudgeOpen, darkroom: Sandbox, tmp_path: Path) -> None:
    files = good_files(darkroom)
    paths = [name for name in files if name.startswith("good.")]
    assert {_BY_ENDING["." + path.rsplit(".", 1)[1]] for path in paths} == set(MEDIA_TYPES)
    report = judge_open(files, "good.html", *(path for path in paths if path != "good.html"))
    assert report.failed == []
    assert report.verdict == "accept"
    asked = {(check.id, path) for path in paths for check in CHECKS[_BY_ENDING["." + path.rsplit(".", 1)[1]]]}
    assert asked <= set(told(report))
    assert [preview.path for preview in report.previews] == ["thumbnail.webp"]
    assert (tmp_path / "previews" / "thumbnail.webp").read_bytes()[:4] == b"RIFF"


def test_every_generic_check_has_a_file_that_fails_it(judge_open: JudgeOpen, darkroom: Sandbox) -> None:
    failing = failing_files(darkroom)
    films = {name for name in registry.all_checks() if name.startswith("video.")}  # theirs are in test_films.py
    elsewhere = films | {"page.fits", "audio.not_clipped"}
    assert set(failing) == {check.id for checks in CHECKS.values() for check in checks} - elsewhere
    files = {name: content for name, content, _ in failing.values()}
    found = told(judge_open({**files, **BESIDE, "good.csv": b"a,b\n"}, *files))
    for check, (name, _, words) in failing.items():
        finding = found[check, name]
        assert (check, finding.verdict) == (check, "fail"), finding
        assert words in finding.message, finding.message
        assert finding.place is not None
        assert finding.place.file == name


def test_what_is_missing_fails_where_it_must_be_there_and_has_no_line_where_it_may_be_absent(
    judge_open: JudgeOpen,
) -> None:
    report = judge_open({"a.txt": b"There.\n", "c.csv": b"x\n1,2\n"}, "a.txt", "b.json", optional=("c.csv", "d.png"))
    found = {key: finding.verdict for key, finding in told(report).items()}
    assert found == {
        ("files.present", "b.json"): "fail",
        ("files.safe", ""): "pass",
        ("text.readable", "a.txt"): "pass",
        ("json.parses", "b.json"): "fail",
        ("csv.parses", "c.csv"): "fail",
    }


def test_errors_are_told_of_the_page_that_has_them(judge_open: JudgeOpen) -> None:
    pages = {"one.html": OTHER_PAGE, "two.html": PAGE.replace(b"good.csv", b"page.css"), **BESIDE}
    pages["page.js"] = b"said.textContent = 'fine'"
    found = told(judge_open(pages, "one.html", "two.html"))
    assert found["html.no_errors", "one.html"].verdict == "fail"
    assert found["html.no_errors", "two.html"].verdict == "pass", found["html.no_errors", "two.html"].message


def test_a_file_under_the_name_of_another_type(judge_open: JudgeOpen, darkroom: Sandbox) -> None:
    files = good_files(darkroom)
    wrong = {
        "a.png": files["good.jpg"],
        "b.jpg": files["good.png"],
        "c.pdf": files["good.html"],
        "d.mp3": files["good.mp4"],
        "e.wav": files["good.mp3"],
        "f.json": files["good.csv"],
        "g.md": files["good.png"],
        "h.svg": files["good.html"],
        "i.mid": files["good.wav"],
        "j.mp4": files["good.wav"],
    }
    report = judge_open(wrong, *wrong)
    failed = {each.place.file for each in report.failed if each.place and each.severity == "must"}
    assert failed >= set(wrong)
    assert "error" not in {each.verdict for each in report.checks}
    assert "it holds JPEG" in told(report)["picture.decodes", "a.png"].message


@pytest.mark.parametrize("name", ["good.pdf", "good.mp3", "good.svg", "good.md"])
def test_every_type_has_a_thumbnail(name: str, judge_open: JudgeOpen, darkroom: Sandbox, tmp_path: Path) -> None:
    report = judge_open({name: good_files(darkroom)[name]}, name)
    assert report.verdict == "accept", report.failed
    assert "thumbnail.webp" in [preview.path for preview in report.previews]
    assert (tmp_path / "previews" / "thumbnail.webp").stat().st_size > 300


def test_a_white_icon_on_nothing_is_not_blank_and_a_white_page_is(judge_open: JudgeOpen) -> None:
    start = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">'
    icon = start + b'<path d="M4 4h16v16H4z" fill="#fff"/></svg>'
    full = start + b'<path d="M0 0h24v24H0z" fill="#fff"/></svg>'
    found = told(judge_open({"a.svg": icon, "b.svg": full, "c.png": png(9, 9)}, "a.svg", "b.svg", "c.png"))
    verdicts = {file: finding.verdict for (check, file), finding in found.items() if check.endswith("not_blank")}
    assert verdicts == {"a.svg": "pass", "b.svg": "fail", "c.png": "fail"}
