"""The figures of the stats page: what models, and apart from them prepared programs, came to, by kind.

Sums over one narrow row a job (`job_figures`): 100,000 of them take about a third of a second, once. A share or a mean
counts the jobs that the figure is known of, and is None where that is none.
"""

from __future__ import annotations

import threading
from datetime import datetime
from typing import Any
from weakref import WeakKeyDictionary

from pydantic import BaseModel, Field
from sqlalchemy import ColumnElement, Integer, Select, case, cast, func, select

from studio.database import Database
from studio.database.tables import JobFiguresRow as Row

ACCEPTED = ("published", "accepted")
# Ends that say nothing of the work: a person's, and the queue's.
OUTSIDE = ("canceled", "expired")
KEPT = 16  # spans of time whose figures are at hand
NORMAL_REASONS = ("checks_failed", "canceled", "queue_time")

_lock = threading.Lock()
_known: WeakKeyDictionary[Database, dict[datetime | None, tuple[int, Figures]]] = WeakKeyDictionary()


class CapabilityShares(BaseModel):
    """Of a model's calls, the share that used each capability; one call may use several (docs/capabilities.md)."""

    calls: int
    outside: float
    files: float
    computation: float


class MakerFigures(BaseModel):
    """What one maker came to with one kind. Shares are 0 to 1; tokens, turns and times are means of a job."""

    maker: str = Field(description="A model's name; or a recipe's, `derived` for recipes from records, or `replay`.")
    kind: str
    jobs: int = Field(description="Ended jobs, without those that a person canceled or that waited too long.")
    accepted_at_once: int = Field(description="Accepted as first submitted.")
    accepted_repaired: int = Field(description="Accepted after one or more repairs.")
    rejected: int
    failed: int
    set_aside: int = Field(description="Canceled, or expired in the queue: not among `jobs`.")
    turns: float | None = Field(default=None, description="A model's replies, or prepared calls.")
    tokens: float | None = Field(default=None, description="Of prompts and completions.")
    environment_share: float | None = Field(default=None, description="Of prompt tokens: results of tools.")
    cost_usd: float | None = None
    seconds: float | None = None
    command_share: float | None = Field(default=None, description="Of the time: running commands.")
    model_share: float | None = Field(default=None, description="Of the time: waiting for replies.")
    inspect_share: float | None = Field(default=None, description="Of the time: checking what was made.")
    peak_memory_bytes: int | None = Field(default=None, description="The most of any of these jobs.")
    mean_peak_memory_bytes: float | None = None
    commands: int = 0
    failed_commands: int = 0
    abnormal: dict[str, int] = Field(default_factory=dict, description="Abnormal ends by their reason.")
    capabilities: CapabilityShares | None = None

    @property
    def accepted(self) -> int:
        return self.accepted_at_once + self.accepted_repaired

    @property
    def accepted_share(self) -> float | None:
        return self.accepted / self.jobs if self.jobs else None

    @property
    def failed_command_share(self) -> float | None:
        return self.failed_commands / self.commands if self.commands else None

    @property
    def abnormal_ends(self) -> int:
        return sum(self.abnormal.values())


class Figures(BaseModel):
    """Models and prepared programs apart: the latter have no thoughts, no tokens, and count in no figure of a model."""

    since: datetime | None = None
    models: list[MakerFigures] = Field(default_factory=list)
    prepared: list[MakerFigures] = Field(default_factory=list)


def figures(db: Database, since: datetime | None = None) -> Figures:
    """The figures of jobs that ended at `since` or later; of all without it.

    They are summed anew only when another job has ended: rows are added, never changed.
    """
    with db.reading() as session:
        ended = session.scalar(_since(select(func.count()).select_from(Row), since))
        with _lock:
            known = _known.setdefault(db, {}).get(since)
        if known and known[0] == ended:
            return known[1]
        found = Figures(since=since)
        abnormal: dict[tuple[str, bool, str], dict[str, int]] = {}
        for maker, prepared, kind, reason, number in session.execute(_since(_reasons(), since)):
            abnormal.setdefault((maker, prepared, kind), {})[reason] = number
        for row in session.execute(_since(_sums(), since)).mappings():
            view = _view(dict(row), abnormal.get((row["maker"], row["prepared"], row["kind"]), {}))
            (found.prepared if row["prepared"] else found.models).append(view)
    with _lock:
        kept = _known[db]
        if len(kept) >= KEPT:
            kept.clear()
        kept[since] = (ended, found)
    return found


def _since(query: Select[*tuple[Any, ...]], since: datetime | None) -> Select[*tuple[Any, ...]]:
    return query if since is None else query.where(Row.finished_at >= since)


def _when(condition: ColumnElement[bool], value: object = 1) -> ColumnElement[int]:
    return func.coalesce(func.sum(case((condition, value), else_=0)), 0)


def _sums() -> Select[*tuple[Any, ...]]:
    judged, accepted = Row.state.not_in(OUTSIDE), Row.state.in_(ACCEPTED)
    tokens = Row.prompt_tokens + func.coalesce(Row.completion_tokens, 0)
    environment = Row.environment_tokens.is_not(None)
    called = Row.calls.is_not(None)
    return (
        select(
            Row.maker.label("maker"),
            Row.kind.label("kind"),
            Row.prepared.label("prepared"),
            _when(judged).label("jobs"),
            _when(accepted & (Row.submissions <= 1)).label("accepted_at_once"),
            _when(accepted & (Row.submissions > 1)).label("accepted_repaired"),
            _when(Row.state == "rejected").label("rejected"),
            _when(Row.state == "failed").label("failed"),
            _when(~judged).label("set_aside"),
            func.avg(case((judged, Row.steps))).label("turns"),
            func.avg(case((judged, tokens))).label("tokens"),
            _when(environment, Row.environment_tokens).label("environment"),
            _when(environment, Row.prompt_tokens).label("of_environment"),
            func.avg(Row.cost_usd).label("cost_usd"),
            func.avg(case((judged & (Row.wall_s > 0), Row.wall_s))).label("seconds"),
            func.sum(Row.wall_s).label("wall_s"),
            func.sum(Row.tool_s).label("tool_s"),
            func.sum(Row.model_s).label("model_s"),
            func.sum(Row.inspect_s).label("inspect_s"),
            func.max(Row.peak_memory_bytes).label("peak_memory_bytes"),
            func.avg(Row.peak_memory_bytes).label("mean_peak_memory_bytes"),
            cast(func.sum(Row.commands), Integer).label("commands"),
            cast(func.sum(Row.failed_commands), Integer).label("failed_commands"),
            *(
                _when(called, column).label(column.key)
                for column in (Row.calls, Row.outside, Row.files, Row.computation)
            ),
        )
        .group_by(Row.maker, Row.kind, Row.prepared)
        .order_by(Row.maker, Row.kind)
    )


def _reasons() -> Select[*tuple[Any, ...]]:
    return (
        select(Row.maker, Row.prepared, Row.kind, Row.reason, func.count())
        .where(Row.reason.is_not(None), Row.reason.not_in(NORMAL_REASONS))
        .group_by(Row.maker, Row.prepared, Row.kind, Row.reason)
        .order_by(func.count().desc(), Row.reason)
    )


def _share(part: float | None, whole: float | None) -> float | None:
    return min(1.0, float(part or 0) / float(whole)) if whole else None


def _view(row: dict[str, object], abnormal: dict[str, int]) -> MakerFigures:
    values: dict[str, object] = {name: row[name] for name in row.keys() & MakerFigures.model_fields.keys()}
    calls = int(str(row["calls"]))
    if calls:
        shares = {name: _share(_number(row[name]), calls) for name in ("outside", "files", "computation")}
        values["capabilities"] = {"calls": calls, **shares}
    values["environment_share"] = _share(_number(row["environment"]), _number(row["of_environment"]))
    for name in ("command", "model", "inspect"):
        spent = "tool_s" if name == "command" else f"{name}_s"
        known = not (name == "model" and row["prepared"])
        values[f"{name}_share"] = _share(_number(row[spent]), _number(row["wall_s"])) if known else None
    return MakerFigures.model_validate({**values, "abnormal": abnormal})


def _number(value: object) -> float | None:
    return None if value is None else float(str(value))
