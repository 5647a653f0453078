"""The daily cap on paid models, over all jobs; and estimates from past runs."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest

from studio import batches, gallery, jobs
from studio.batches import Plan
from studio.database import Database
from studio.errors import BriefError, DailyCapReached, LimitReached
from studio.jobs import JobEnd, JobView
from studio.settings import Settings
from studio.trajectory import Call, ModelReply, ModelRequest, ReplyUsage, Usage, now
from tests.jobs.conftest import Make
from tests.jobs.making import claimed, request_for

MODEL = {"run": {"model": "openai:big"}}
PRICED = {"price_prompt_usd": 2.0, "price_completion_usd": 10.0}


def capped(settings: Settings, **caps: object) -> Settings:
    return settings.model_copy(update={**PRICED, **caps})


def said(prompt: int | None, completion: int = 0, **more: object) -> ModelReply:
    usage = None if prompt is None else ReplyUsage(prompt_tokens=prompt, completion_tokens=completion)
    return ModelReply.model_validate({"usage": usage, "calls": [Call(id="1", name="submit", arguments="")], **more})


def ended_by(look: Callable[[], None]) -> tuple[str, str] | None:
    try:
        look()
    except LimitReached as error:
        return error.reason, str(error)
    return None


def test_every_reply_of_today_counts_once_over_all_jobs(db: Database, settings: Settings, make: Make) -> None:
    first, second = claimed(db, make(**MODEL)), claimed(db, make(**MODEL))
    priced = capped(settings)
    jobs.record_event(db, first, said(1000, 100))
    assert jobs.daily_spent(db, priced).tokens == 1100
    jobs.record_event(db, second, said(2000, 200))
    jobs.record_event(db, second, said(50_000, at=now() - timedelta(days=1)))
    spent = jobs.daily_spent(db, priced)
    assert spent.tokens == 3300
    assert spent.cost_usd == pytest.approx((3000 * 2 + 300 * 10) / 1e6)
    jobs.record_event(db, first, ModelRequest(messages_sha256="0" * 64, messages_bytes=4000, messages_count=3))
    jobs.record_event(db, first, said(None, text="w" * 400))
    jobs.finish(db, first, JobEnd("failed", "no_output"))
    assert jobs.daily_spent(db, priced).tokens == 3300 + 1100


def test_the_cap_ends_paid_steps_and_says_when_it_is_over(db: Database, settings: Settings, make: Make) -> None:
    claim = claimed(db, make(**MODEL))
    by_tokens, by_cost = capped(settings, daily_tokens=1000), capped(settings, daily_cost_usd=0.002)
    assert ended_by(lambda: jobs.check_daily(db, by_tokens)) is None
    jobs.record_event(db, claim, said(1000))
    reason, words = ended_by(lambda: jobs.check_daily(db, by_tokens)) or ("", "")
    assert reason == "limit_tokens"
    assert "daily cap of 1,000 tokens (STUDIO_DAILY_TOKENS)" in words
    assert f"{now() + timedelta(days=1):%Y-%m-%d} 00:00 UTC" in words
    assert (ended_by(lambda: jobs.check_daily(db, by_cost)) or [""])[0] == "limit_cost"
    assert ended_by(lambda: jobs.check_daily(db, settings)) is None


def test_new_paid_jobs_are_refused_and_recipes_go_on(db: Database, settings: Settings, make: Make) -> None:
    job = make(**MODEL)
    jobs.record_event(db, claimed(db, job), said(1000))
    full = capped(settings, daily_tokens=1000)
    for attempt in (
        lambda: jobs.create(db, request_for(**MODEL), full, caller="test"),
        lambda: jobs.retry(db, job.id, full, caller="test"),
        lambda: jobs.check(db, request_for(**MODEL), full, caller="test"),
    ):
        with pytest.raises(BriefError) as caught:
            attempt()
        (problem,) = caught.value.problems
        assert problem.pointer == "/run/model"
        assert "until then the model recipe works" in problem.message
    assert jobs.create(db, request_for(), full, caller="test").state == "queued"
    assert len(jobs.list_jobs(db).data) == 2


def test_lines_of_a_batch_wait_for_the_next_day(db: Database, settings: Settings, make: Make) -> None:
    plan = Plan(
        template={"kind": "poster", "params": {"event": {"date": "1 May", "venue": "Hall"}}},
        run={"model": "openai:big"},
    )
    lines = (plan.line(number, {"name": f"Evening {number}"}) for number in (1, 2))
    batch = batches.create(db, lines, settings, caller="test", name="Spring")
    jobs.record_event(db, claimed(db, make(**MODEL)), said(1000))
    full = capped(settings, daily_tokens=1000)
    assert batches.feed(db, full) == []
    assert batches.get(db, batch.id).state == "in_progress"
    assert len(batches.feed(db, settings)) == 2


def test_a_refusal_for_the_day_is_told_apart(db: Database, settings: Settings) -> None:
    with pytest.raises(DailyCapReached):
        jobs.create(db, request_for(**MODEL), capped(settings, daily_tokens=0), caller="test")


def accepted(db: Database, job: JobView, **usage: object) -> None:
    assert gallery.publish(db, claimed(db, job), JobEnd("published", usage=Usage.model_validate(usage)))


def test_an_estimate_stands_on_accepted_runs_of_the_kind_and_model(
    db: Database, settings: Settings, make: Make
) -> None:
    before = jobs.estimate(db, "poster", "openai:big", settings)
    assert (before.runs, before.tokens, before.words) == (0, None, "No past runs of this kind and model yet.")
    for number in range(1, 11):
        accepted(
            db,
            make(**MODEL),
            prompt_tokens=number * 1000,
            completion_tokens=100,
            cost_usd=number / 100,
            wall_s=number * 10.0,
        )
    accepted(db, make(run={"model": "openai:other"}), prompt_tokens=10**9, wall_s=1.0)
    accepted(db, make(), wall_s=3.0)
    jobs.finish(db, claimed(db, make(**MODEL)), JobEnd("failed", "no_output", usage=Usage(prompt_tokens=10**9)))
    found = jobs.estimate(db, "poster", "openai:big", settings)
    assert found.tokens is not None
    assert found.cost_usd is not None
    assert found.seconds is not None
    assert (found.runs, found.tokens.median, found.tokens.p90) == (10, 5600, 9100)
    assert (found.cost_usd.median, found.cost_usd.p90) == (pytest.approx(0.055), 0.09)
    assert (found.seconds.median, found.seconds.p90) == (55, 90)
    assert found.words == (
        "By 10 accepted runs of this kind and model: about 55 s (nine in ten within 90 s), 5,600 tokens (within "
        "9,100), $0.0550 (within $0.0900)."
    )
    recipe = jobs.estimate(db, "poster", "recipe", settings)
    assert (recipe.runs, recipe.tokens, recipe.cost_usd) == (1, None, None)
    assert jobs.estimate(db, "travel_map", "openai:big", settings).runs == 0
    assert jobs.estimate(db, "poster", "replay:0", settings).runs == 0
