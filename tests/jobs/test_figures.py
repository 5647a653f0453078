"""The figures: what a job is counted as, models and prepared programs apart, shares and means of what is known."""

from __future__ import annotations

from datetime import timedelta

import pytest

from studio import jobs
from studio.contract import Report
from studio.database import Database
from studio.figures import figures
from studio.jobs import JobEnd
from studio.jobs.sweeping import expire
from studio.settings import Settings
from studio.trajectory import CapabilityUse, Header, JobStarted, MadeBy, Reported, StateChanged, ToolResult, Usage, now
from tests.jobs.making import claimed, request_for

REJECT = Report(kind="poster", verdict="reject", checks=[])
ACCEPT = Report(kind="poster", verdict="accept", checks=[])


def ended(
    db: Database,
    settings: Settings,
    state: str = "rejected",
    reason: str | None = None,
    *,
    model: str | None = None,
    submissions: int = 1,
    statuses: tuple[int, ...] = (0,),
    usage: Usage | None = None,
) -> str:
    job = jobs.create(db, request_for(), settings, caller="test")
    claim = claimed(db, job)
    if model:
        jobs.set_header(db, claim, Header(made_by=MadeBy(model=model)))
    jobs.record_event(db, claim, JobStarted(engine="local", limits={}, network="none"))
    jobs.record_event(db, claim, ToolResult(id="lost", exit_status=3))  # on a computer that was lost
    jobs.record_event(db, claim, JobStarted(engine="local", limits={}, network="none"))
    for status in statuses:
        jobs.record_event(db, claim, ToolResult(id="c", exit_status=status))
    jobs.record_event(db, claim, ToolResult(id="e", output="edited"))  # no command
    for number in range(submissions):
        report = ACCEPT if state == "accepted" and number == submissions - 1 else REJECT
        jobs.record_event(db, claim, Reported(report=report, repair=number))
    jobs.finish(db, claim, JobEnd(state, reason, usage=usage))  # type: ignore[arg-type]
    return job.id


def test_models_and_prepared_programs_stand_apart(db: Database, settings: Settings) -> None:
    spent = Usage(
        steps=10, prompt_tokens=900, completion_tokens=100, environment_tokens=300, cost_usd=0.5, wall_s=100.0,
        model_s=60.0, tool_s=30.0, inspect_s=5.0, peak_memory_bytes=200,
        capabilities=CapabilityUse(calls=8, outside=0, files=4, computation=2),
    )  # fmt: skip
    less = spent.model_copy(update={"steps": 4, "environment_tokens": 0, "peak_memory_bytes": 100, "wall_s": 50.0})
    ended(db, settings, "accepted", model="big", usage=spent, statuses=(0, 1, 127))
    ended(db, settings, "accepted", model="big", usage=less, submissions=3)
    ended(db, settings, "rejected", "checks_failed", model="big", usage=less)
    ended(db, settings, "rejected", "limit_steps", model="big")
    ended(db, settings, "failed", "model_error", model="big")
    ended(db, settings, "canceled", "canceled", model="big")
    ended(db, settings, "accepted", usage=Usage(steps=3, wall_s=8.0, tool_s=4.0))
    found = figures(db)
    (big,) = found.models
    (recipe,) = found.prepared
    assert (big.maker, big.kind, big.jobs, big.set_aside) == ("big", "poster", 5, 1)
    assert (big.accepted_at_once, big.accepted_repaired, big.rejected, big.failed) == (1, 1, 2, 1)
    assert (big.commands, big.failed_commands) == (3 + 5, 2)
    assert big.abnormal == {"limit_steps": 1, "model_error": 1}
    assert big.tokens == pytest.approx(1000)
    assert big.environment_share == pytest.approx(300 / 2700)
    assert big.command_share == pytest.approx(90 / 200)
    assert big.model_share == pytest.approx(180 / 200)
    assert big.seconds == pytest.approx(200 / 3)
    assert (big.peak_memory_bytes, big.mean_peak_memory_bytes) == (200, pytest.approx(400 / 3))
    assert big.capabilities is not None
    assert (big.capabilities.calls, big.capabilities.files, big.capabilities.outside) == (24, 0.5, 0.0)
    assert (recipe.maker, recipe.accepted_at_once, recipe.turns) == ("poster/1", 1, 3)
    assert recipe.tokens is None
    assert recipe.model_share is None
    assert recipe.capabilities is None
    assert recipe.command_share == pytest.approx(0.5)


def test_jobs_that_never_ran_are_set_aside_and_open_ones_are_not_counted(db: Database, settings: Settings) -> None:
    for _ in range(3):
        jobs.create(db, request_for(), settings, caller="test")
    waiting = jobs.list_jobs(db).data
    jobs.cancel(db, waiting[0].id)
    jobs.cancel(db, waiting[0].id)
    assert len(expire(db, 0.0)) == 2
    (recipe,) = figures(db).prepared
    assert (recipe.jobs, recipe.set_aside, recipe.turns, recipe.seconds) == (0, 3, None, None)
    jobs.create(db, request_for(), settings, caller="test")
    assert figures(db).prepared == [recipe]
    assert figures(db, now() + timedelta(hours=1)).prepared == []


def test_a_lost_job_counts_when_it_ends(db: Database, settings: Settings) -> None:
    job = jobs.create(db, request_for(), settings, caller="test")
    claim = claimed(db, job)
    jobs.record_event(db, claim, StateChanged(state="running"))
    jobs.release(db, claim, "the worker stops")
    assert figures(db).prepared == []
    jobs.cancel(db, job.id)
    assert figures(db).prepared[0].set_aside == 1
