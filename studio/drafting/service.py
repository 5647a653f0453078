"""Drafts as they are kept: who filled them, what is missing, what it cost; and the day's cap on asking a model."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import datetime, timedelta

from pydantic import BaseModel, Field
from sqlalchemy import func, select

from studio.brief import JsonObject
from studio.database import Database, alone, new_id
from studio.database.tables import DraftRow
from studio.drafting.asking import ask, read
from studio.drafting.filling import Filled, fill_by_rule
from studio.errors import BriefError, ModelError, NotFound, Problem
from studio.jobs import ANONYMOUS, daily_cap_in
from studio.kinds import all_kinds
from studio.models import Reply, make_model
from studio.profiles import cost_usd
from studio.secrets import known, masked
from studio.settings import Settings
from studio.trajectory import now

MAX_SENTENCE = 2000
RULE = "rule"
_DAY = timedelta(days=1)

log = logging.getLogger(__name__)


class DraftView(BaseModel):
    """A brief filled in from a sentence, to be corrected by a person. Nothing of it is queued."""

    id: str
    sentence: str
    kind: str
    brief: JsonObject = Field(description="The brief as far as it is filled.")
    missing: list[str] = Field(description="JSON Pointers, from the brief's root, of needed fields that are empty.")
    by: str = Field(description="The model that filled it, or `rule`: plain rules.")
    problem: str = Field(description="Why no model filled it, where one should have.")
    prompt_tokens: int | None
    completion_tokens: int | None
    cost_usd: float | None
    created_at: datetime


@dataclass(frozen=True)
class _Outcome:
    filled: Filled
    by: str = RULE
    problem: str = ""
    asked: bool = False
    reply: Reply | None = None
    cost_usd: float | None = None


def drafting_model(settings: Settings) -> str | None:
    """The model that fills drafts: the one that the operator names, else the default, else the first named one."""
    candidates = (settings.draft_model, settings.default_model, *settings.profiles)
    return next((spec for spec in candidates if spec and settings.profile(spec) is not None), None)


def start(db: Database, sentence: str, settings: Settings, *, caller: str) -> DraftView:
    """Fill a brief from a sentence and keep it. Raises BriefError at /sentence when it is empty or too long."""
    sentence = sentence.strip()
    if not sentence or "\0" in sentence:
        raise BriefError([Problem("/sentence", "say in a sentence what shall be made")])
    if len(sentence) > MAX_SENTENCE:
        raise BriefError([Problem("/sentence", f"at most {MAX_SENTENCE} characters; put the rest into the brief")])
    row_id = new_id()
    spec, problem = drafting_model(settings), ""
    if spec is not None and caller == ANONYMOUS and not settings.anonymous_paid:
        spec, problem = None, "a visitor without a key may not ask a paid model"
    if spec is not None:
        problem = _reserve(db, row_id, sentence, spec, settings, caller)
    if spec is None or problem:
        outcome = _Outcome(fill_by_rule(sentence, all_kinds()), problem=problem)
    else:
        outcome = _asked(sentence, spec, settings)
    return _keep(db, row_id, sentence, outcome, settings, caller)


def get(db: Database, draft_id: str) -> DraftView:
    """One draft. Raises NotFound."""
    with db.reading() as session:
        row = session.get(DraftRow, draft_id)
        if row is None:
            raise NotFound(f"there is no draft {draft_id[:60]}")
        return _view(row)


def _asked(sentence: str, spec: str, settings: Settings) -> _Outcome:
    """What the model makes of it; where it fails, what plain rules do."""
    kinds = all_kinds()
    try:
        model = make_model(spec, settings)
    except BriefError as error:
        return _Outcome(fill_by_rule(sentence, kinds), problem=error.problems[0].message)  # nobody was asked
    reply: Reply | None = None
    try:
        reply = ask(model, sentence, kinds)
        filled = read(reply, sentence, kinds)
    except ModelError as error:
        log.warning("a draft's model failed: %s", error)
        cost = _cost(reply, spec, settings) if reply else None
        plain = fill_by_rule(sentence, kinds)
        return _Outcome(plain, problem=str(error), asked=True, reply=reply, cost_usd=cost)
    return _Outcome(filled, by=spec, asked=True, reply=reply, cost_usd=_cost(reply, spec, settings))


def _cost(reply: Reply, spec: str, settings: Settings) -> float | None:
    profile, used = settings.profile(spec), reply.usage
    if profile is None or used is None or not profile.prices.known:
        return None
    return cost_usd(profile.prices, used.prompt_tokens or 0, used.completion_tokens or 0, used.cached_tokens)


def _reserve(db: Database, row_id: str, sentence: str, spec: str, settings: Settings, caller: str) -> str:
    """Count this call before it is made, so that many at once stay within the cap; why it may not be made, else ""."""
    kinds = all_kinds()
    with db.session() as session:
        alone(session, "drafts")
        query = select(func.count(), func.sum(DraftRow.cost_usd))
        query = query.where(DraftRow.created_at > now() - _DAY, DraftRow.asked)
        count, spent = session.execute(query).one()
        if count >= settings.drafts_a_day:
            return f"the {settings.drafts_a_day} calls a day for filling forms are used up"
        if (spent or 0.0) >= settings.drafts_cost_usd:
            return f"the ${settings.drafts_cost_usd:g} a day for filling forms are used up"
        if words := daily_cap_in(db, session, settings):
            return words
        plain = fill_by_rule(sentence, kinds)
        session.add(_row(row_id, sentence, _Outcome(plain, by=spec, asked=True), settings, caller))
    return ""


def _keep(db: Database, row_id: str, sentence: str, outcome: _Outcome, settings: Settings, caller: str) -> DraftView:
    with db.session() as session:
        row = session.merge(_row(row_id, sentence, outcome, settings, caller))
        return _view(row)


def _row(row_id: str, sentence: str, outcome: _Outcome, settings: Settings, caller: str) -> DraftRow:
    used = outcome.reply.usage if outcome.reply else None
    return DraftRow(
        id=row_id,
        sentence=masked(sentence, settings.secrets),
        kind=outcome.filled.kind.name,
        brief=known(settings.secrets).walked(outcome.filled.brief),
        missing=list(outcome.filled.missing),
        by=outcome.by[:200],
        problem=masked(outcome.problem, settings.secrets),
        asked=outcome.asked,
        prompt_tokens=used.prompt_tokens if used else None,
        completion_tokens=used.completion_tokens if used else None,
        cost_usd=outcome.cost_usd,
        caller=caller,
        created_at=now(),
    )


def _view(row: DraftRow) -> DraftView:
    return DraftView(
        id=row.id,
        sentence=row.sentence,
        kind=row.kind,
        brief=row.brief,
        missing=row.missing,
        by=row.by,
        problem=row.problem,
        prompt_tokens=row.prompt_tokens,
        completion_tokens=row.completion_tokens,
        cost_usd=row.cost_usd,
        created_at=row.created_at,
    )
