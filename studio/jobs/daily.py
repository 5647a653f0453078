"""The studio-wide daily cap on tokens and cost of paid models, counted over the jobs, drafts and tests of models.

What counts is every reply that a provider gave since 00:00 UTC, whatever became of its job: the events hold them. A
draft counts from the moment at which its model is asked, by what one takes about, until its reply tells the figures.
The cap ends paid steps only; recipes, replays and plain rules go on. Each worker looks before each paid step, so that
the cap is passed by at most one reply for each job that runs. Runs on the command line (`studio make`) have no database
and no cap.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Literal
from weakref import WeakKeyDictionary

from pydantic import BaseModel, ConfigDict
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from studio.database import Database
from studio.database.tables import DraftRow, EventRow, JobRow, ModelTestRow
from studio.errors import DailyCapReached, LimitReached, Problem
from studio.profiles import Profile, cost_usd
from studio.settings import Settings
from studio.trajectory import MadeBy, ReplyUsage, now

CHARS_PER_TOKEN = 4.0  # for servers that count nothing
COUNTED = ("model.request", "model.reply")
DRAFT_PROMPT, DRAFT_REPLY = 4000, 800  # tokens of a draft under way, or of one that the server counted nothing of


@dataclass(frozen=True)
class Spent:
    """What paid models took today, over all jobs."""

    tokens: int = 0
    cost_usd: float = 0.0


@dataclass(frozen=True)
class _Cap:
    reason: Literal["limit_tokens", "limit_cost"]
    words: str


class _Told(BaseModel):
    """What counts of an event: a request's size, for replies whose tokens the server did not count; a reply's usage."""

    model_config = ConfigDict(extra="ignore")

    type: str
    at: datetime
    messages_bytes: int = 0
    text: str = ""
    reasoning: str = ""
    usage: ReplyUsage | None = None
    cost_usd: float | None = None
    replayed: int | None = None  # the reply is a recorded one, which nobody is paid for again


@dataclass
class _Counted:
    """What was counted of one job up to event `seq`."""

    seq: int = 0
    asked_bytes: int = 0
    tokens: float = 0.0
    cost_usd: float = 0.0


@dataclass
class _Ledger:
    """Counts the events of a day, each once; what is known stays at hand, so that a look reads what is new only."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    day: datetime | None = None
    jobs: dict[str, _Counted] = field(default_factory=dict)

    def spent(self, session: Session, settings: Settings) -> Spent:
        with self.lock:
            day = _day()
            if day != self.day:
                self.day, self.jobs = day, {}
            oldest = day - timedelta(hours=settings.queue_hours, seconds=settings.attempts * settings.max_time_s)
            query = select(JobRow.id, JobRow.last_seq, JobRow.run["model"].as_string()).where(
                JobRow.id >= _first_id(oldest), JobRow.made_by["model"].as_string().is_not(None)
            )
            for job_id, last, spec in session.execute(query):
                counted = self.jobs.setdefault(job_id, _Counted())
                if last > counted.seq:
                    self._read(session, job_id, counted, settings.profile(spec), day)
                    counted.seq = max(counted.seq, last)
            drafts, tests = _drafts(session, settings, day), _tests(session, day)
            tokens = round(sum(counted.tokens for counted in self.jobs.values()))
            cost = sum(counted.cost_usd for counted in self.jobs.values())
            return Spent(tokens + drafts.tokens + tests.tokens, cost + drafts.cost_usd + tests.cost_usd)

    @staticmethod
    def _read(session: Session, job_id: str, counted: _Counted, profile: Profile | None, day: datetime) -> None:
        query = select(EventRow.seq, EventRow.body).where(
            EventRow.job_id == job_id, EventRow.seq > counted.seq, EventRow.type.in_(COUNTED)
        )
        for seq, body in session.execute(query.order_by(EventRow.seq)):
            told = _Told.model_validate_json(body)
            counted.seq = seq
            if told.type == "model.request":
                counted.asked_bytes = told.messages_bytes
            elif told.at >= day and told.replayed is None:
                _add(counted, told, profile)


_ledgers: WeakKeyDictionary[Database, _Ledger] = WeakKeyDictionary()
_opening = threading.Lock()


def daily_spent(db: Database, settings: Settings) -> Spent:
    """What paid models took since 00:00 UTC."""
    with db.reading() as session:
        return _ledger(db).spent(session, settings)


def check_daily(db: Database, settings: Settings) -> None:
    """Raises LimitReached (`limit_tokens`, `limit_cost`) where no paid step may be made today any more."""
    with db.reading() as session:
        cap = _reached(db, session, settings)
    if cap:
        raise LimitReached(cap.reason, cap.words)


def refuse_paid(db: Database, by: MadeBy, settings: Settings) -> None:
    """Raises DailyCapReached for a job of a paid model where the day's cap is used up."""
    if by.model is None:
        return
    with db.reading() as session:
        cap = _reached(db, session, settings)
    if cap:
        raise DailyCapReached([Problem("/run/model", f"{cap.words}; until then the model recipe works")])


def daily_cap_in(db: Database, session: Session, settings: Settings) -> str:
    """Why no paid step may be made today any more, as this transaction sees it; "" where one may."""
    cap = _reached(db, session, settings)
    return cap.words if cap else ""


def _ledger(db: Database) -> _Ledger:
    with _opening:
        return _ledgers.setdefault(db, _Ledger())


def _reached(db: Database, session: Session, settings: Settings) -> _Cap | None:
    if settings.daily_tokens is None and settings.daily_cost_usd is None:
        return None
    spent = _ledger(db).spent(session, settings)
    if settings.daily_tokens is not None and spent.tokens >= settings.daily_tokens:
        return _Cap("limit_tokens", _words(f"{settings.daily_tokens:,} tokens (STUDIO_DAILY_TOKENS)"))
    if settings.daily_cost_usd is not None and spent.cost_usd >= settings.daily_cost_usd:
        return _Cap("limit_cost", _words(f"{settings.daily_cost_usd:g} US dollars (STUDIO_DAILY_COST_USD)"))
    return None


def _drafts(session: Session, settings: Settings, day: datetime) -> Spent:
    """What filling forms took: by the server's figures, or as estimated where a model filled one and none are known."""
    query = select(
        DraftRow.by,
        func.count(),
        func.count(DraftRow.prompt_tokens),
        func.sum(DraftRow.prompt_tokens),
        func.sum(DraftRow.completion_tokens),
        func.sum(DraftRow.cost_usd),
    ).where(DraftRow.created_at >= day, DraftRow.asked)
    tokens, cost = 0, 0.0
    for by, drafts, counted, prompt, completion, usd in session.execute(query.group_by(DraftRow.by)):
        tokens += (prompt or 0) + (completion or 0)
        cost += usd or 0.0
        if profile := settings.profile(by):  # plain rules are none: there the model failed
            tokens += (drafts - counted) * (DRAFT_PROMPT + DRAFT_REPLY)
            cost += (drafts - counted) * cost_usd(profile.prices, DRAFT_PROMPT, DRAFT_REPLY)
    return Spent(tokens, cost)


def _tests(session: Session, day: datetime) -> Spent:
    query = select(func.sum(ModelTestRow.tokens), func.sum(ModelTestRow.cost_usd))
    tokens, cost = session.execute(query.where(ModelTestRow.created_at >= day)).one()
    return Spent(tokens or 0, cost or 0.0)


def _words(cap: str) -> str:
    return (
        f"the studio's daily cap of {cap} for paid models is used up; it begins anew at "
        f"{_day() + timedelta(days=1):%Y-%m-%d %H:%M} UTC"
    )


def _add(counted: _Counted, told: _Told, profile: Profile | None) -> None:
    usage = told.usage
    if usage is None or usage.prompt_tokens is None:
        counted.tokens += (counted.asked_bytes + len(told.text) + len(told.reasoning)) / CHARS_PER_TOKEN
        return
    prompt, completion = usage.prompt_tokens, usage.completion_tokens or 0
    counted.tokens += prompt + completion
    if told.cost_usd is not None:
        counted.cost_usd += told.cost_usd
    elif profile is not None:
        counted.cost_usd += cost_usd(profile.prices, prompt, completion, usage.cached_tokens)


def _day() -> datetime:
    return now().replace(hour=0, minute=0, second=0, microsecond=0)


def _first_id(moment: datetime) -> str:
    """The least UUIDv7 of that moment (RFC 9562, 5.7: its first 48 bits are milliseconds since 1970)."""
    digits = f"{int(moment.timestamp() * 1000):012x}"
    return f"{digits[:8]}-{digits[8:]}"
