"""Budgets: what is counted, what is estimated, when the model is told, when it ends."""

from __future__ import annotations

import time

import pytest

from studio.agent import Budget, Prices
from studio.brief import Limits
from studio.errors import LimitReached
from studio.models import Message, Reply
from studio.sandboxes.types import ResourceUse
from studio.trajectory import Call, ReplyUsage

MESSAGES = [Message("user", "u" * 300), Message("tool", "t" * 100, call_id="1")]


def reply(prompt: int | None = 1000, completion: int | None = 100, **more: int) -> Reply:
    return Reply(usage=ReplyUsage(prompt_tokens=prompt, completion_tokens=completion, **more), seconds=2.0)


def ended_by(budget: Budget) -> str | None:
    try:
        budget.check()
    except LimitReached as error:
        return error.reason
    return None


def test_sums_and_the_share_of_tool_results() -> None:
    budget = Budget(Limits(), Prices(prompt=2.0, completion=10.0))
    budget.count(reply(cached_tokens=600), MESSAGES)
    budget.count(reply(prompt=2000, reasoning_tokens=50), MESSAGES)
    usage = budget.total()
    assert (usage.steps, usage.prompt_tokens, usage.completion_tokens) == (2, 3000, 200)
    assert (usage.cached_tokens, usage.reasoning_tokens) == (600, 50)
    assert usage.environment_tokens == 750  # a quarter of the characters, 3000 tokens
    assert usage.cost_usd == pytest.approx((3000 * 2 + 200 * 10) / 1e6)
    assert usage.model_s == 4.0


def test_unknown_stays_unknown_but_is_budgeted() -> None:
    budget = Budget(Limits(tokens=1000), Prices())
    long = [Message("user", "u" * 4004)]
    budget.count(Reply(calls=(Call(id="1", name="submit", arguments=""),)), long)
    assert budget.total().prompt_tokens is None
    assert budget.total().cost_usd is None
    assert ended_by(budget) == "limit_tokens"


def test_prepared_steps_cost_nothing() -> None:
    budget = Budget(Limits(steps=2), Prices(prompt=1.0))
    budget.count_prepared()
    assert ended_by(budget) is None
    budget.count_prepared()
    assert ended_by(budget) == "limit_steps"
    assert (budget.total().prompt_tokens, budget.total().cost_usd) == (None, None)


def test_time_and_cost_end_a_run() -> None:
    late = Budget(Limits(time_s=10), Prices(), started=time.monotonic() - 11)
    assert ended_by(late) == "limit_time"
    assert late.time_left() == 0
    dear = Budget(Limits(cost_usd=0.001), Prices(prompt=2.0))
    assert ended_by(dear) is None
    dear.count(reply(), MESSAGES)
    assert ended_by(dear) == "limit_cost"


def test_the_model_is_told_twice_as_a_budget_shrinks() -> None:
    budget = Budget(Limits(steps=20), Prices())
    told = []
    for _ in range(20):
        budget.count_prepared()
        told.append(budget.warning())
    assert [index for index, line in enumerate(told, start=1) if line] == [15, 18]
    assert "5 of 20 steps" in str(told[14])
    assert "submit in time" in str(told[14])


def test_what_several_sandboxes_used() -> None:
    budget = Budget(Limits(), Prices())
    budget.count_sandbox(ResourceUse(100, 1.5, None))
    budget.count_sandbox(ResourceUse(70, 2.0, 10))
    usage = budget.total()
    assert (usage.peak_memory_bytes, usage.cpu_s, usage.bytes_written) == (100, 3.5, 10)


def test_time_of_attempts_before_counts_and_what_is_repeated_is_not_counted_twice() -> None:
    budget = Budget(Limits(time_s=1000), Prices(), before_s=900.0).anew(again_s=50.0)
    assert 149.0 < budget.time_left() <= 150.0
    assert 900.0 <= (budget.total().wall_s or 0.0) < 901.0
    used_up = Budget(Limits(time_s=1000), Prices(), before_s=3000.0).anew(again_s=50.0)
    assert 49.0 < used_up.time_left() <= 50.0, "what is there is made again, and then it ends"
