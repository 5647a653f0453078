"""`studio make` as a person uses it."""

from __future__ import annotations

import json
import signal
import subprocess
import time
from contextlib import chdir
from pathlib import Path
from typing import Any

import click
import pytest

from studio.cli.make import command
from studio.errors import BriefError
from tests.support.command import PROGRAM, ROOT, run, start
from tests.support.openai_server import OpenAIServer, bash, says, serving
from tests.support.posters import BRIEF, INCOMPLETE, MEND

VALID = (
    "--set", "params.event.name=Open Night", "--set", "params.event.date=3 May 2027",
    "--set", "params.event.venue=Hill House",
)  # fmt: skip
SMALL = (*VALID, "--set", "params.social=[]", "--set", "params.raster_height=400")
KEY = "sk-scripted-key-000111222"
SUBMIT = ("submit", {})
TWICE = '{"title": "One", "title": "Two"}'


def provider(server: OpenAIServer) -> dict[str, str]:
    return {"STUDIO_OPENAI_BASE_URL": server.url, "STUDIO_OPENAI_API_KEY": KEY}


def events(folder: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (folder / "trajectory.jsonl").read_text().split("\n") if line]


def test_the_recipe_makes_a_poster_of_a_few_values(tmp_path: Path) -> None:
    done = run("make", "poster", *SMALL, "--run", "seed=7", "--json", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert (told["state"], told["reason"], told["verdict"]) == ("published", None, "accept")
    assert (told["kind"], told["title"], told["out"]) == ("poster", "Open Night", "studio-out/Open-Night")
    assert told["usage"]["cost_usd"] is None
    folder = tmp_path / told["out"]
    assert (folder / "output" / "poster.svg").is_file()
    assert json.loads((folder / "report.json").read_text())["schema"] == "studio.report/1"
    assert json.loads((folder / "brief.json").read_text())["params"]["event"]["name"] == "Open Night"
    assert any((folder / "previews").iterdir())
    assert any((folder / "scripts").rglob("*.py"))
    header, *rest = events(folder)
    assert header["type"] == "header"
    assert header["made_by"]["recipe"].startswith("poster/")
    assert header["run"]["seed"] == 7
    assert [event["seq"] for event in rest] == list(range(1, len(rest) + 1))
    assert rest[-1]["state"] == "published"
    assert "inspecting" in done.stderr


def test_a_model_mends_what_was_refused(tmp_path: Path) -> None:
    (tmp_path / "brief.json").write_text(json.dumps(BRIEF.model_dump(mode="json")))
    notes = tmp_path / "notes.txt"
    notes.write_text("Bring a coat.")
    look = bash("cat /testbed/input/notes.txt /testbed/documents/notes.txt")
    answers = [says("Look.", look, bash(INCOMPLETE)), says(None, SUBMIT), says(None, bash(MEND)), says("Done.", SUBMIT)]
    with serving(*answers) as server:
        done = run(
            "make", "poster", "--brief", "brief.json", "--attach", "notes.txt", "--document", "notes.txt",
            "--model", "openai:scripted", "--out", "here", cwd=tmp_path, settings=provider(server),
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        assert server.requests[0]["model"] == "scripted"
    assert done.stdout == "published  poster  Open Night  here\n"
    assert "must files.present (fail)" in done.stderr
    record = events(tmp_path / "here")
    results = [event for event in record if event["type"] == "tool.result"]
    assert results[0]["output"] == "Bring a coat.Bring a coat."
    assert [event["report"]["verdict"] for event in record if event["type"] == "report"] == ["reject", "accept"]
    assert all(KEY not in path.read_text(errors="replace") for path in (tmp_path / "here").glob("*.*"))


def test_a_key_that_the_server_gives_back_reaches_no_sandbox_and_no_file(tmp_path: Path) -> None:
    leak = bash(f"echo {KEY} > /testbed/output/notes.txt; echo {KEY} > /testbed/seen.txt")
    broken = ("execute_bash", "{" + KEY)
    answers = [says(f"Your key is {KEY}.", leak, broken), says(None, SUBMIT), says("Done.")]
    with serving(*answers) as server:
        done = run("make", "poster", *SMALL, "--model", "openai:m", "--out", "here", cwd=tmp_path,
                   settings=provider(server))  # fmt: skip
    assert done.returncode == 3, done.stderr
    assert (tmp_path / "here" / "output" / "notes.txt").read_text() == "•••\n"
    start_of_it = KEY[: len(KEY) - 4].encode()
    assert not [path for path in tmp_path.rglob("*") if path.is_file() and start_of_it in path.read_bytes()]
    assert KEY[:-4] not in done.stdout + done.stderr


def test_an_interrupt_during_the_imports_shows_no_traceback(tmp_path: Path) -> None:
    process = start("make", "poster", *SMALL, cwd=tmp_path)
    maps = Path(f"/proc/{process.pid}/maps")
    while process.poll() is None and "pydantic_core" not in maps.read_text():
        time.sleep(0.001)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out) == (130, "")
    assert "Traceback" not in err


def test_a_full_disk_is_no_fault_of_the_studio() -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run([*PROGRAM, "--help"], cwd=ROOT, stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 4
    assert done.stderr == "No space left on device: make room, or choose a place that can be written.\n"


@pytest.mark.parametrize(
    ("answers", "code", "line"),
    [
        ([says(None, bash(INCOMPLETE)), says(None, SUBMIT)], 3, "rejected (checks_failed)"),
        ([says("No idea.")], 4, "failed (no_output)"),
    ],
)
def test_exit_codes_tell_how_it_ended(tmp_path: Path, answers: list[Any], code: int, line: str) -> None:
    with serving(*answers) as server:
        done = run(
            "make", "poster", *SMALL, "--model", "openai:m", "--run", "repairs=0", "--out", "here",
            cwd=tmp_path, settings=provider(server),
        )  # fmt: skip
    assert done.returncode == code
    assert done.stdout.startswith(line)
    assert (tmp_path / "here" / "trajectory.jsonl").is_file()


def test_an_interrupt_kills_the_sandbox_and_keeps_the_record(tmp_path: Path) -> None:
    record = tmp_path / "here" / "trajectory.jsonl"
    with serving(says(None, bash("sleep 98765.25"))) as server:
        process = start(
            "make", "poster", *SMALL, "--model", "openai:m", "--out", "here", cwd=tmp_path, settings=provider(server)
        )
        while not (record.exists() and '"tool.call"' in record.read_text() and running("98765.25")):
            assert process.poll() is None, process.communicate()
            time.sleep(0.05)
        process.send_signal(signal.SIGINT)
        _out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in err
    assert events(tmp_path / "here")[-1]["state"] == "canceled"
    assert not running("98765.25")


def running(word: str) -> bool:
    """Whether a process with this word among its arguments lives on this machine, in whatever sandbox."""
    for arguments in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if word.encode() in arguments.read_bytes().split(b"\0"):
                return True
        except OSError:
            continue
    return False


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("nope", *VALID), "/kind: unknown kind 'nope'"),
        (("poster",), "/params/event: required field is missing"),
        (("poster", *VALID, "--set", "params.colour=red"), "/params/colour: unknown field"),
        (("poster", *VALID, "--set", "params.event.name=2026"), "to give text, write '\"2026\"'"),
        (("poster", *VALID, "--set", "params.speakers.1.name=Ada"), "/params/speakers/1: is no position"),
        (("poster", *VALID, "--set", "params.speakers.0000001.name=Ada"), "/params/speakers/0000001: is no position"),
        (("poster", *VALID, "--set", "params.event.name.first=Ada"), "/params/event/name: is not an object"),
        (("poster", *VALID, "--set", "title"), "is not PATH=VALUE"),
        (("poster", *VALID, "--set", "kind=map"), "/kind: the brief says 'map'"),
        (("poster", *VALID, "--set", "language=not a tag"), "/language:"),
        (("poster", *VALID, "--set", "params.speakers.0={\"name\": \"Ada\", \"photo\": \"ada.png\"}"),
         "/params/speakers/0/photo: there is no attachment called 'ada.png'"),
        (("poster", *VALID, "--run", "seed=-1"), "/run/seed:"),
        (("poster", *VALID, "--run", "speed=1"), "/run/speed: unknown field"),
        (("poster", *VALID, "--run", "limits.steps=100000"), "/run/limits/steps: must be at most"),
        (("poster", *VALID, "--engine", "none"), "/run/engine:"),
        (("poster", *VALID, "--model", "gpt"), "/run/model: 'gpt' is not a model"),
        (("poster", *VALID, "--model", "replay:none.jsonl"), "/run/model: none.jsonl cannot be read"),
        (("poster", *VALID, "--attach", "none.png"), "/attachments/0: 'none.png' does not exist"),
        (("poster", *VALID, "--attach", "brief.json"), "/attachments/0/name: 'brief.json' is reserved"),
        (("poster", "--brief", "none.json"), "cannot be read"),
        (("poster", "--brief", "broken.json"), "the brief is not JSON"),
        (("poster", "--brief", "list.json"), "must be a JSON object"),
        (("poster", "--brief", "twice.json"), "the name 'title' stands twice"),
        (("poster", *VALID, "--out", "full"), "is not empty and is no former result"),
    ],
)  # fmt: skip
def test_bad_input_is_refused_in_words(tmp_path: Path, arguments: tuple[str, ...], said: str) -> None:
    fill(tmp_path)
    with chdir(tmp_path), pytest.raises((BriefError, click.UsageError)) as caught:  # both end with exit code 2
        command.main(list(arguments), standalone_mode=False)
    assert said in str(caught.value)
    assert not (tmp_path / "studio-out").exists()
    assert [path.name for path in (tmp_path / "full").iterdir()] == ["letter.txt"]


def fill(folder: Path) -> None:
    """Files that a command may be pointed at by mistake."""
    (folder / "full").mkdir()
    (folder / "full" / "letter.txt").write_text("mine")
    for name, text in (
        ("brief.json", "{}"),
        ("broken.json", '{"kind": "poster",'),
        ("list.json", "[1]"),
        ("twice.json", TWICE),
    ):
        (folder / name).write_text(text)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("poster", "--set", "params.event.name=x"), "/params/event/date: required field is missing\n"),
        (("poster", "--brief", "broken.json"), "/: the brief is not JSON"),
        (("poster", *VALID, "--out", "full"), "is not empty and is no former result"),
        (("poster", "--loud"), "No such option"),
        (("poster", *VALID, "--model", "openai:x"), "/run/model: no provider is set up; set STUDIO_OPENAI_API_KEY"),
    ],
)
def test_a_refusal_ends_with_exit_code_2_and_no_traceback(
    tmp_path: Path, arguments: tuple[str, ...], said: str
) -> None:
    fill(tmp_path)
    done = run("make", *arguments, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert said in done.stderr


@pytest.mark.parametrize(
    "name", ["../../etc/passwd", 'say "hi"', "🎉 night", "line\nbreak", "\u202eright to left", "'; rm -rf /"]
)
def test_odd_names_work_or_are_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "brief.json").write_text(json.dumps({"params": {"event": {"name": name, "date": "x", "venue": "y"}}}))
    with serving(says("No idea.")) as server:
        done = run(
            "make", "poster", "--brief", "brief.json", "--model", "openai:m", "--run", "limits.steps=1",
            cwd=tmp_path, settings=provider(server),
        )  # fmt: skip
    assert done.returncode in (2, 4)
    if done.returncode == 2:
        assert "/params/event/name" in done.stderr
    else:
        (folder,) = (tmp_path / "studio-out").iterdir()
        assert (folder / "trajectory.jsonl").is_file()
        assert done.stdout.startswith("failed (limit_steps)")
        assert len(done.stdout.splitlines()) == 1


def test_a_former_result_is_replaced_and_the_default_folder_never(tmp_path: Path) -> None:
    with serving(says("No idea.")) as server:
        arguments = ("make", "poster", *SMALL, "--model", "openai:m", "--run", "limits.steps=1")
        for _ in range(2):
            run(*arguments, cwd=tmp_path, settings=provider(server))
        twice = [run(*arguments, "--out", "here", cwd=tmp_path, settings=provider(server)) for _ in range(2)]
    assert sorted(path.name for path in (tmp_path / "studio-out").iterdir()) == ["Open-Night", "Open-Night-2"]
    assert "replacing the former result" in twice[1].stderr
    assert twice[1].returncode == 4
