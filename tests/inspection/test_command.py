"""`studio inspect`: a person's folder, judged; its table, its JSON, its exit codes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.inspection.conftest import Draw
from tests.inspection.pictures import svg, text

STUDIO = [sys.executable, "-c", "from studio.cli import main; main()", "inspect"]
PARAMS = {
    "event": {"name": "Night Swim", "date": "21 June", "venue": "The Quarry"},
    "raster_height": 594,
    "social": [],
}
POSTER = svg(text("Night Swim"), text("21 June", y=300), text("The Quarry", y=400), height=1527.4)


def run(*arguments: str | Path, stdin: str = "") -> subprocess.CompletedProcess[str]:
    words = [*STUDIO, *map(str, arguments)]
    return subprocess.run(words, capture_output=True, text=True, input=stdin, timeout=150, check=False)


@pytest.fixture
def brief(tmp_path: Path) -> Path:
    file = tmp_path / "brief.json"
    file.write_text(json.dumps({"kind": "poster", "params": PARAMS}))
    return file


@pytest.fixture
def delivery(tmp_path: Path, draw: Draw) -> Path:
    folder = tmp_path / "poster"
    folder.mkdir()
    (folder / "poster.svg").write_bytes(POSTER)
    (folder / "poster.png").write_bytes(draw(POSTER, 420))
    (folder / "design_specs.md").write_text("# Design\n\nOne column.\n")
    return folder


def test_accepted(delivery: Path, brief: Path, tmp_path: Path) -> None:
    done = run(delivery, "--brief", brief, "--previews", tmp_path / "pictures")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "accept" in done.stdout
    assert "poster.contrast" in done.stdout
    assert "Not measured: prompt" in done.stdout
    assert (tmp_path / "pictures" / "thumbnail.webp").read_bytes()[:4] == b"RIFF"


def test_rejected_with_the_report_alone_on_stdout(delivery: Path, brief: Path) -> None:
    (delivery / "design_specs.md").unlink()
    done = run(delivery, "--brief", brief, "--json")
    report = json.loads(done.stdout)
    assert done.returncode == 3
    assert report["schema"] == "studio.report/1"
    assert report["verdict"] == "reject"
    failed = [each["id"] for each in report["checks"] if each["verdict"] == "fail" and each["severity"] == "must"]
    assert failed == ["files.present"]
    assert {each["path"]: each["media_type"] for each in report["files"]} == {
        "poster.png": "image/png",
        "poster.svg": "image/svg+xml",
    }
    assert [(each["path"], each["width"]) for each in report["previews"]] == [("thumbnail.webp", 640)]


def test_a_folder_full_of_traps(delivery: Path, brief: Path) -> None:
    (delivery / "passwd").symlink_to("/etc/passwd")
    os.mkfifo(delivery / "pipe")
    os.link(delivery / "poster.png", delivery / "again.png")
    (delivery / os.fsdecode(b"caf\xe9.txt")).write_text("x")
    done = run(delivery, "--brief", brief, "--json")
    assert done.returncode == 3
    report = json.loads(done.stdout)
    failed = [each for each in report["checks"] if each["verdict"] != "pass" and each["severity"] == "must"]
    assert [each["id"] for each in failed] == ["files.safe"]
    for words in ("symbolic link", "named pipe", "hard link", "UTF-8"):
        assert words in failed[0]["message"]


def test_too_many_files_are_not_even_copied(delivery: Path, brief: Path) -> None:
    for number in range(300):
        (delivery / f"frame_{number}.ppm").write_bytes(b"P6 1 1 255\n\0\0\0")
    done = run(delivery, "--brief", brief)
    assert done.returncode == 3
    assert "303 files" in done.stdout
    assert "break `files.safe`" in done.stdout


def test_a_sparse_giant_is_refused_by_its_size(delivery: Path, brief: Path) -> None:
    with (delivery / "giant.bin").open("wb") as file:
        file.truncate(10 << 30)
    assert run(delivery, "--brief", brief).returncode == 3


@pytest.mark.parametrize(
    ("content", "words"),
    [("{", "not JSON"), ('{"kind": "cake"}', "/kind"), ('{"kind": "poster", "params": {}}', "/params/event")],
)
def test_bad_brief(content: str, words: str, delivery: Path) -> None:
    done = run(delivery, "--brief", "-", stdin=content)
    assert done.returncode == 2
    assert words in done.stderr
    assert "Traceback" not in done.stderr


def test_no_such_folder(brief: Path, tmp_path: Path) -> None:
    done = run(tmp_path / "nowhere", "--brief", brief)
    assert done.returncode == 2
    assert "nowhere" in done.stderr


@pytest.mark.parametrize(("option", "value"), [("--engine", "none"), ("--previews", __file__)])
def test_an_option_that_cannot_be_used(option: str, value: str, delivery: Path, brief: Path) -> None:
    done = run(delivery, "--brief", brief, option, value)
    assert (done.returncode, done.stdout) == (2, "")
    assert option in done.stderr
