"""What a job will take, by what accepted jobs of the same kind and model took."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from statistics import median

from pydantic import BaseModel, Field
from sqlalchemy import select

from studio.database import Database
from studio.database.tables import JobRow
from studio.settings import Settings
from studio.trajectory import Usage

MOST_RUNS = 200  # the newest
NONE_YET = "No past runs of this kind and model yet."


class Spread(BaseModel):
    """The middle of some values, and the one that nine in ten do not exceed."""

    median: float
    p90: float


class Estimate(BaseModel):
    """What accepted jobs of a kind and model took: tokens in and out, US dollars, seconds; null where unknown."""

    runs: int = Field(description="How many past runs it stands on.")
    tokens: Spread | None = None
    cost_usd: Spread | None = None
    seconds: Spread | None = None
    words: str = Field(description="The same in a sentence.")


def estimate(db: Database, kind: str, spec: str, settings: Settings) -> Estimate:
    """By the newest accepted jobs of `kind` that the model `spec`, or the kind's recipe, made.

    Nothing is known of what a replay will take, nor of a model that is none.
    """
    profile = settings.profile(spec)
    if profile is None and spec != "recipe":
        return _of([])
    model = JobRow.made_by["model"].as_string()
    recipe = JobRow.made_by["recipe"].as_string()
    query = select(JobRow.usage).where(
        JobRow.kind == kind,
        JobRow.state == "published",
        recipe.is_not(None) if profile is None else model == profile.title,
        JobRow.made_by["replay_of"].as_string().is_(None),
    )
    with db.reading() as session:
        found = session.scalars(query.order_by(JobRow.id.desc()).limit(MOST_RUNS)).all()
    return _of([Usage.model_validate(usage) for usage in found if usage])


def _of(usages: Sequence[Usage]) -> Estimate:
    tokens = _spread(_tokens(usage) for usage in usages)
    cost = _spread(usage.cost_usd for usage in usages)
    seconds = _spread(usage.wall_s for usage in usages)
    if seconds is None:
        return Estimate(runs=0, words=NONE_YET)
    told = [f"{_time(seconds.median)} (nine in ten within {_time(seconds.p90)})"]
    if tokens:
        told.append(f"{tokens.median:,.0f} tokens (within {tokens.p90:,.0f})")
    if cost:
        told.append(f"{_money(cost.median)} (within {_money(cost.p90)})")
    runs = f"{len(usages)} accepted run{'s' if len(usages) > 1 else ''}"
    words = f"By {runs} of this kind and model: about {', '.join(told)}."
    return Estimate(runs=len(usages), tokens=tokens, cost_usd=cost, seconds=seconds, words=words)


def _tokens(usage: Usage) -> float | None:
    return None if usage.prompt_tokens is None else usage.prompt_tokens + (usage.completion_tokens or 0)


def _spread(values: Iterable[float | None]) -> Spread | None:
    """Median and 90th percentile by nearest rank, of the values that are known."""
    known = sorted(value for value in values if value is not None)
    if not known:
        return None
    return Spread(median=median(known), p90=known[math.ceil(0.9 * len(known)) - 1])


def _time(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 100 else f"{seconds / 60:.0f} min"


def _money(dollars: float) -> str:
    return f"${dollars:.2f}" if dollars >= 0.1 else f"${dollars:.4f}"
