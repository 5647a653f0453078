"""submit, status, watch, cancel and keys, as a person runs them, against a real server."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from studio import jobs
from studio.jobs import JobEnd
from studio.trajectory import Note
from tests.web.seeding import brief
from tests.web.served import Served, served

STUDIO = Path(sys.executable).with_name("studio")


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("open")) as studio:
        yield studio


def command(opened: Served, *words: str, stdin: str | None = None, **changed: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "STUDIO_URL": opened.url, **changed}
    return subprocess.run([STUDIO, *words], env=environment, input=stdin, text=True, capture_output=True, timeout=60)


def test_a_dry_run_says_what_a_brief_would_take_and_makes_nothing(opened: Served, tmp_path: Path) -> None:
    file = tmp_path / "brief.json"
    file.write_text(json.dumps(brief("Never made")), encoding="utf-8")
    checked = command(opened, "submit", "--brief", str(file), "--dry-run")
    assert checked.returncode == 0, checked.stderr
    assert checked.stdout.startswith("Valid: poster 'Never made' by recipe; ")
    assert "No past runs of this kind and model yet." in checked.stdout
    assert "Never made" not in {job.title for job in jobs.list_jobs(opened.db).data}
    wrong = command(opened, "submit", "--brief", str(file), "--dry-run", "--set", "params.event.name=")
    assert (wrong.returncode, "/brief/params/event/name" in wrong.stderr) == (2, True)


def test_a_brief_is_submitted_looked_at_and_canceled_twice(opened: Served, tmp_path: Path) -> None:
    file = tmp_path / "brief.json"
    file.write_text(json.dumps(brief("Submitted")), encoding="utf-8")
    picture = tmp_path / "Übersicht 🎈.png"
    picture.write_bytes(b"\x89PNG")
    made = command(
        *(opened, "submit", "--brief", str(file), "--set", "params.event.name=Set by hand", "--run", "seed=9"),
        *("--document", str(picture), "--tag", "from the line"),
    )
    assert made.returncode == 0, made.stderr
    job_id = made.stdout.strip()
    assert f"{opened.url}/jobs/{job_id}" in made.stderr
    job = jobs.get(opened.db, job_id)
    assert job.brief.params["event"]["name"] == "Set by hand"
    assert (job.run.seed, job.tags) == (9, ["from the line"])
    assert [item.name for item in jobs.inputs(opened.db, job_id)] == [picture.name]
    status = command(opened, "status", job_id)
    assert status.returncode == 0
    assert status.stdout.startswith("queued  poster  Submitted")
    for _ in range(2):
        canceled = command(opened, "cancel", job_id)
        assert (canceled.returncode, canceled.stdout.partition(" ")[0]) == (0, "canceled")
    assert json.loads(command(opened, "status", job_id, "--json").stdout)["state"] == "canceled"
    assert command(opened, "watch", job_id).returncode == 4


def test_a_brief_from_standard_input_and_one_of_single_values(opened: Served) -> None:
    piped = command(opened, "submit", "--brief", "-", "--json", stdin=json.dumps(brief("Piped")))
    assert json.loads(piped.stdout)["title"] == "Piped"
    sets = [f"params.event.{name}=x" for name in ("name", "date", "venue")]
    made = command(opened, "submit", "poster", "--json", *(word for item in sets for word in ("--set", item)))
    assert made.returncode == 0, made.stderr
    assert json.loads(made.stdout)["title"] == "x"


@pytest.mark.parametrize(
    ("words", "stdin", "said"),
    [
        (["submit"], None, "KIND"),
        (["submit", "--brief", "-"], "{not json", "not JSON"),
        (["submit", "--brief", "/nowhere/brief.json"], None, "cannot be read"),
        (["submit", "castle"], None, "/brief/kind"),
        (["submit", "poster"], None, "/brief/params/event"),
        (["submit", "poster", "--brief", "-"], '{"kind": "map"}', "/brief/kind"),
        (["submit", "--brief", "-", "--run", "model=replay:x.jsonl"], json.dumps(brief()), "/run/model"),
        (["submit", "--brief", "-", "--attach", "/nowhere.png"], json.dumps(brief()), "/attachments/0"),
        (["submit", "--brief", "-", "--set", "nonsense"], json.dumps(brief()), "PATH=VALUE"),
    ],
)
def test_a_bad_brief_is_exit_2_with_the_place(opened: Served, words: list[str], stdin: str | None, said: str) -> None:
    found = command(opened, *words, stdin=stdin)
    assert found.returncode == 2, found.stderr
    assert said in found.stderr
    assert "Traceback" not in found.stderr


@pytest.mark.parametrize(
    "words", [["status", "nonsense"], ["watch", "00000000-0000-7000-8000-000000000000"], ["cancel", "../jobs"]]
)
def test_an_unknown_job_is_told_in_a_line(opened: Served, words: list[str]) -> None:
    found = command(opened, *words)
    assert found.returncode == 2
    assert found.stderr.startswith("not_found: ")
    assert words[1] in found.stderr
    assert "Traceback" not in found.stderr


def test_no_studio_at_the_address(opened: Served) -> None:
    found = command(opened, "status", "00000000-0000-7000-8000-000000000000", "--url", "http://127.0.0.1:9")
    assert found.returncode == 4
    assert "no studio answers at http://127.0.0.1:9" in found.stderr


@pytest.mark.parametrize(
    ("end", "code"),
    [
        (JobEnd("rejected", "checks_failed", "1 of 9 checks failed"), 3),
        (JobEnd("failed", "sandbox_lost", "the sandbox died"), 4),
        (JobEnd("failed", "inspector_error", "no report"), 5),
    ],
)
def test_watching_tells_what_happens_and_how_it_ended(opened: Served, end: JobEnd, code: int) -> None:
    job, claim = opened.seed.running(brief("Watched"))
    watcher = subprocess.Popen(
        [STUDIO, "watch", job.id, "--url", opened.url], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert watcher.stdout is not None
    assert watcher.stdout.readline()  # it is connected
    opened.seed.work(claim)
    opened.seed.record(claim, Note(text="a note with \x1b[31mcolour"))
    jobs.finish(opened.db, claim, end)
    out, err = watcher.communicate(timeout=60)
    assert watcher.returncode == code
    assert "execute_bash" in out
    assert "a note with" in out
    assert "\x1b" not in out
    assert end.message in err
    assert f"{end.state} ({end.reason})" in err


def test_submit_and_wait_until_it_is_published(opened: Served) -> None:
    waiting: list[subprocess.CompletedProcess[str]] = []
    text = json.dumps(brief("Waited for until published"))
    thread = threading.Thread(
        target=lambda: waiting.append(command(opened, "submit", "--brief", "-", "--wait", "--json", stdin=text))
    )
    thread.start()
    while not (found := jobs.list_jobs(opened.db, state="queued").data) or found[0].title != json.loads(text)["title"]:
        assert thread.is_alive()
        thread.join(0.05)
    opened.publish(found[0].id)
    thread.join(60)
    assert waiting[0].returncode == 0, waiting[0].stderr
    types = [json.loads(line)["type"] for line in waiting[0].stdout.splitlines()]
    assert types[0] == types[-1] == "state"


def test_keys_are_made_listed_and_revoked(tmp_path: Path) -> None:
    environment = {**os.environ, "STUDIO_DATA_DIR": str(tmp_path)}

    def keys(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run([STUDIO, "keys", *words], env=environment, text=True, capture_output=True, timeout=60)

    made = keys("create", "ci", "--scope", "create")
    text = made.stdout.strip()
    assert made.returncode == 0
    assert text.startswith("studio_")
    listed = keys("list", "--json").stdout
    assert json.loads(listed)["scopes"] == ["read", "create"]
    assert text not in listed
    assert keys("revoke", "ci").returncode == 0
    assert "revoked" in keys("list").stdout
    assert keys("create", "x", "--scope", "all").returncode == 2
    assert keys("sign-in").stdout.startswith("/sign-in/")


def test_words_make_the_next_version(opened: Served) -> None:
    work = opened.seed.rejected(brief("Pale"))
    refused = command(opened, "revise", work.id, "Darker letters")
    assert refused.returncode == 2
    assert "/run/model" in refused.stderr
    assert "never read words" in refused.stderr
    unknown = command(opened, "revise", work.id, "Darker letters", "--run", "model=openai:some-model")
    assert unknown.returncode == 2
    assert "STUDIO_OPENAI_API_KEY" in unknown.stderr
    running, _ = opened.seed.running(brief("Under way"))
    early = command(opened, "revise", running.id, "Darker letters", "--run", "model=openai:some-model")
    assert early.returncode == 4
    assert "give its model a note" in early.stderr
