"""Batches that a model begins and the recipe of its accepted work goes on with."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio import batches, jobs
from studio.batches import BatchView, Otherwise, Plan
from studio.brief import JsonObject
from studio.database import Database
from studio.jobs import JobView
from studio.settings import Settings
from tests.batches.test_batches import PLAN, end, names

MODEL = "openai:m"
LED = Plan(template=PLAN.template, run={"model": MODEL})


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(data_dir=tmp_path / "data", batch_window=4, openai_base_url="http://127.0.0.1:9/v1")


def made(
    db: Database, settings: Settings, rows: list[JsonObject], otherwise: Otherwise = "reject", plan: Plan = LED
) -> BatchView:
    lines = (plan.line(number, row) for number, row in enumerate(rows, start=1))
    return batches.create(db, lines, settings, caller="test", strategy="model_then_recipe", otherwise=otherwise)


def fed(db: Database, settings: Settings) -> list[JobView]:
    return [jobs.get(db, job_id) for job_id in batches.feed(db, settings)]


def test_one_line_at_a_time_by_the_model_until_one_is_accepted(db: Database, settings: Settings) -> None:
    batch = made(db, settings, names(5))
    (first,) = fed(db, settings)
    assert (first.custom_id, first.run.model) == ("1", MODEL)
    assert fed(db, settings) == [], "the others wait for it"
    end(db, first.id, "rejected")
    (second,) = fed(db, settings)
    assert (second.custom_id, second.made_by.model) == ("2", MODEL)
    end(db, second.id)
    rest = fed(db, settings)
    assert [job.custom_id for job in rest] == ["3", "4", "5"]
    assert {job.run.model for job in rest} == {f"recipe:{second.id}"}
    assert {job.made_by.derived_from for job in rest} == {second.id}
    assert batches.get(db, batch.id).lead == second.id
    for job in rest:
        end(db, job.id, "rejected" if job.custom_id == "4" else "published")
    assert fed(db, settings) == []
    batches.advance(db)
    found = batches.get(db, batch.id)
    assert (found.state, found.counts.published, found.counts.rejected) == ("completed", 3, 2)


def test_what_the_recipe_cannot_make_the_model_tries_where_the_batch_says_so(db: Database, settings: Settings) -> None:
    batch = made(db, settings, names(3), otherwise="model")
    (first,) = fed(db, settings)
    end(db, first.id)
    second, third = fed(db, settings)
    end(db, second.id)
    end(db, third.id, "rejected")
    batches.advance(db)
    assert batches.get(db, batch.id).state == "in_progress", "a line is still to be tried"
    (again,) = fed(db, settings)
    assert (again.custom_id, again.run.model, again.parent) == ("3", MODEL, third.id)
    end(db, again.id, "rejected")
    assert fed(db, settings) == [], "the model tries once"
    batches.advance(db)
    found = batches.get(db, batch.id)
    assert (found.state, found.counts.total, found.counts.published, found.counts.rejected) == ("completed", 3, 2, 1)
    assert [line.job for line in batches.errors(db, batch.id)] == [again.id]


def test_when_no_work_is_accepted_the_model_has_tried_every_line(db: Database, settings: Settings) -> None:
    batch = made(db, settings, names(2))
    for _ in range(2):
        (job,) = fed(db, settings)
        end(db, job.id, "rejected")
    assert fed(db, settings) == []
    batches.advance(db)
    assert batches.get(db, batch.id).state == "failed"


def test_lines_without_a_model_or_of_another_kind_are_refused(db: Database, settings: Settings) -> None:
    poster = {"event": {"name": "A", "date": "1 May", "venue": "Hall"}}
    lines: list[JsonObject] = [
        {"brief": {"kind": "poster", "title": "A", "params": poster}},
        {"brief": {"kind": "poster", "title": "B", "params": poster}, "run": {"model": "recipe"}},
        {"brief": {"kind": "piano_piece", "title": "C"}},
    ]
    batch = made(db, settings, lines, plan=Plan(run={"model": MODEL}))
    assert (batch.strategy, batch.counts.waiting, batch.counts.refused) == ("model_then_recipe", 1, 2)
    first, second = batches.errors(db, batch.id)
    assert (first.errors[0].pointer, second.errors[0].pointer) == ("/run/model", "/brief/kind")
