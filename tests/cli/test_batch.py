"""`studio batch`, as a person runs it, against a real server; the works are made by the test."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from studio import batches, jobs
from studio.jobs import JobEnd
from tests.web.seeding import brief
from tests.web.served import Served, served

ARGV = [sys.executable, "-c", "from studio.cli import main; main()"]


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("open")) as studio:
        yield studio


@pytest.fixture
def template(tmp_path: Path) -> Path:
    path = tmp_path / "brief.json"
    path.write_text(json.dumps({**brief("{name}"), "params": {"event": {"date": "1 May"}}}), encoding="utf-8")
    return path


def command(opened: Served, *words: str | Path) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "STUDIO_URL": opened.url}
    argv = [*ARGV, "batch", *map(str, words)]
    return subprocess.run(argv, env=environment, text=True, capture_output=True, timeout=90)


def work(opened: Served, ended: threading.Event, reject: frozenset[str] = frozenset()) -> None:
    """Upkeep and a worker in one: every queued job of a batch comes to its end."""
    while not ended.is_set():
        batches.feed(opened.db, opened.settings)
        for job in jobs.list_jobs(opened.db, state="queued").data:
            if job.title in reject:
                claim = jobs.claim(opened.db, job.id, "worker", 60.0)
                assert claim is not None
                jobs.finish(opened.db, claim, JobEnd("rejected", "checks_failed", "failed: poster.text"))
            else:
                opened.publish(job.id)
        batches.advance(opened.db)
        time.sleep(0.1)


@pytest.mark.parametrize(
    ("rows", "reject", "code"),
    [
        (["A;Pool", "B;Hall"], frozenset(), 0),
        (["A;Pool", ";Hall"], frozenset(), 2),
        (["A;Pool", ";Hall", "C;Park"], frozenset({"C"}), 3),
    ],
)
def test_watched_to_the_end_and_unpacked(
    opened: Served, tmp_path: Path, template: Path, rows: list[str], reject: frozenset[str], code: int
) -> None:
    table = tmp_path / "evenings.csv"
    table.write_text("\n".join(["name;venue", *rows, ""]), encoding="utf-16")
    ended = threading.Event()
    worker = threading.Thread(target=work, args=(opened, ended, reject))
    worker.start()
    try:
        folder = tmp_path / "got"
        done = command(
            opened, table, "--template", template, "--watch", "--download", folder, "--run", "seed=3", "--json"
        )
    finally:
        ended.set()
        worker.join()
    assert done.returncode == code, done.stderr
    told = json.loads(done.stdout)
    assert (told["state"], told["name"]) == ("completed", "evenings.csv")
    assert (folder / "00002" / "poster.svg").read_bytes().startswith(b"<svg")
    results = [json.loads(line) for line in (folder / "results.jsonl").read_text().splitlines()]
    assert [line["title"] for line in results] == [row.split(";")[0] for row in rows if row[0] not in ";C"]
    assert {line["seed"] for line in results} == {3}
    if code >= 2:
        assert "line 3 refused: /brief/params/event/name" in done.stderr


def test_handed_over_and_left_alone(opened: Served, tmp_path: Path) -> None:
    lines = tmp_path / "lines.jsonl"
    lines.write_text(json.dumps({"title": "T", "params": {"event": {"name": "A", "date": "1", "venue": "B"}}}))
    words = (lines, "--kind", "poster", "--tag", "spring", "--name", "By hand", "--idempotency-key", "once")
    first, second = command(opened, *words), command(opened, *words)
    assert (first.returncode, second.returncode) == (0, 0), first.stderr
    assert first.stdout == second.stdout, "sent again with the same key it is the same batch"
    batch = batches.get(opened.db, first.stdout.strip())
    assert batch.name == "By hand"
    (job,) = jobs.list_jobs(opened.db, batch=batch.id).data
    assert job.tags == ["spring"]


@pytest.mark.parametrize(
    ("content", "words", "said"),
    [
        (None, (), "cannot be read"),
        ("", (), "empty"),
        ("name\nA\n", (), "of which kind"),
        ("name,vnue\nA,B\n", ("--kind", "poster"), "/columns/1"),
        ("name\nA\n", ("--kind", "poster", "--template", "/nowhere.json"), "cannot be read"),
    ],
)
def test_what_cannot_be_a_batch_is_exit_2(
    opened: Served, tmp_path: Path, content: str | None, words: tuple[str, ...], said: str
) -> None:
    file = tmp_path / "lines.csv"
    if content is not None:
        file.write_text(content)
    found = command(opened, file, *words)
    assert found.returncode == 2, found.stderr
    assert said in found.stderr
    assert "Traceback" not in found.stderr
