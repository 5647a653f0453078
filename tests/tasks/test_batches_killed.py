"""A batch while its worker is killed twice: every line comes to exactly one end. Written for any kind."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest

from studio import batches, gallery, jobs
from studio.batches import BatchView, Line, Plan
from studio.brief import JobRequest, JsonObject
from studio.database import Database
from studio.settings import Settings
from tasks.batches import feed_window
from tasks.generate import enqueue
from tests.tasks.making import House, wait_for


@dataclass(frozen=True)
class Case:
    """A kind's small briefs: what all lines share, a good row by its number, rows that are refused."""

    template: JsonObject
    good: Callable[[int], JsonObject]
    bad: tuple[JsonObject, ...]

    def lines(self, count: int, bad_at: dict[int, JsonObject]) -> Iterator[Line]:
        plan = Plan(template=self.template)
        for number in range(1, count + 1):
            yield plan.line(number, bad_at.get(number) or self.good(number))


POSTER = Case(
    template={
        "kind": "poster",
        "params": {
            "event": {"date": "1 May", "venue": "Hall"},
            "page": {"width_mm": 105, "height_mm": 148},
            "raster_height": 420,
            "social": [],
        },
    },
    good=lambda number: {"name": f"Evening {number}"},
    bad=(
        {"name": ""},
        {"name": "No such field", "colour": "red"},
        {"name": "Odd seed", "run.seed": -1},
        {"name": "Odd page", "page": {"width_mm": "wide", "height_mm": 1}},
        {"name": "Odd language", "language": "??"},
        {"name": "Same id", "custom_id": "1"},
        {"name": "No file", "logos": ["nowhere.png"]},
    ),
)


@pytest.fixture
def steady_house(settings: Settings, db: Database) -> Iterator[House]:
    """One whose leases outlast a machine that is busy with other tests."""
    found = House(settings.model_copy(update={"lease_s": 20.0}))
    yield found
    found.end()


def done_lines(db: Database, batch: BatchView) -> int:
    return batches.get(db, batch.id).counts.published


def killed_twice(db: Database, settings: Settings, house: House, case: Case, count: int) -> None:
    """Run `count` lines with all of the case's bad ones among them; the worker is killed twice on the way."""
    step = count // len(case.bad)
    bad_at = {step * (index + 1): row for index, row in enumerate(case.bad)}
    batch = batches.create(db, case.lines(count, bad_at), settings, caller="test")
    house.upkeep()
    worker = house.worker()
    for kill in (1, 2):
        wait_for(lambda kill=kill: done_lines(db, batch) >= kill, "an accepted work")  # type: ignore[misc]
        worker.kill()
        worker.wait()
        worker = house.worker()
    wait_for(lambda: batches.get(db, batch.id).ended, "the end of the batch", patience_s=60.0 + 20.0 * count)

    found = batches.get(db, batch.id)
    good = count - len(case.bad)
    assert (found.state, found.counts.published, found.counts.refused) == ("completed", good, len(case.bad)), found
    results, errors = list(batches.results(db, batch.id)), list(batches.errors(db, batch.id))
    assert sorted([line.line for line in results] + [line.line for line in errors]) == list(range(1, count + 1))
    assert [line.line for line in errors] == list(bad_at)
    assert all(line.errors and line.errors[0].detail for line in errors)
    made = Counter(job.custom_id for job in all_jobs(db, batch.id))
    assert set(made.values()) == {1}, "one job for each line"
    assert len({line.artifact for line in results}) == len(results) == artifacts(db), "one artifact for each"


def all_jobs(db: Database, batch_id: str) -> Iterator[jobs.JobView]:
    cursor = None
    while True:
        page = jobs.list_jobs(db, batch=batch_id, cursor=cursor, limit=100)
        yield from page.data
        if (cursor := page.next_cursor) is None:
            return


def artifacts(db: Database) -> int:
    count, cursor = 0, None
    while True:
        page = gallery.list_artifacts(db, cursor=cursor, limit=100)
        count += len(page.data)
        if (cursor := page.next_cursor) is None:
            return count


def test_twelve_lines_with_seven_bad_ones(db: Database, settings: Settings, steady_house: House) -> None:
    killed_twice(db, settings, steady_house, POSTER, 12)


@pytest.mark.slow
def test_two_hundred_lines_with_seven_bad_ones(db: Database, settings: Settings, steady_house: House) -> None:
    killed_twice(db, settings, steady_house, POSTER, 200)


def test_a_form_waits_for_one_job_of_a_batch_at_most(db: Database, settings: Settings, house: House) -> None:
    plan = Plan(template=POSTER.template)
    batch = batches.create(db, (plan.line(n, POSTER.good(n)) for n in range(1, 7)), settings, caller="test")
    assert len(feed_window(db, settings)) == 6, "all of them are on the queue before the form's job"
    one = house.settings.model_copy(update={"workers": 1})
    house.settings = one
    house.worker()
    wait_for(lambda: batches.get(db, batch.id).counts.running, "the first job of the batch")
    started = {job.id for job in all_jobs(db, batch.id) if job.state != "queued"}
    brief = json.loads(json.dumps({**POSTER.template, "title": "From the form"}))
    brief["params"]["event"]["name"] = "From the form"
    asked = jobs.create(db, JobRequest.model_validate({"brief": brief}), settings, caller="test")
    enqueue(asked.id, db, settings)
    wait_for(lambda: jobs.get(db, asked.id).ended, "the form's job")
    mine = jobs.get(db, asked.id).started_at
    assert mine is not None
    before = [job for job in all_jobs(db, batch.id) if job.started_at and job.started_at < mine]
    assert len({job.id for job in before} - started) <= 1, "at most one job of the batch began after the form was sent"
