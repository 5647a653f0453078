"""Tests of what a named model really can, as the settings page has them: asked for there, carried out by a worker.

A worker has the keys and the way to the providers, and nobody waits for a page meanwhile. The row is the truth: it
holds the lines as they come, and what was found when it has ended.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from datetime import timedelta
from typing import Literal, TypeAlias

from pydantic import BaseModel
from sqlalchemy import select, update

from studio import jobs
from studio.database import Database, alone, new_id
from studio.database.tables import ModelTestRow
from studio.errors import BriefError, NotFound, Problem, StudioError
from studio.models.listing import Cost, Line, find_model, run_test
from studio.secrets import known
from studio.settings import Settings
from studio.trajectory import now

TOUCH_S = 10.0  # how often a test under way says that it lives
LOST = timedelta(seconds=6 * TOUCH_S)  # nothing came for so long: whoever ran it died
UNCLAIMED = timedelta(seconds=20)  # after which no worker seems to be there

State: TypeAlias = Literal["waiting", "running", "ended", "lost"]

log = logging.getLogger(__name__)


class ModelTestView(BaseModel):
    """A test and what it has found so far. `took` says what it cost, once it has ended."""

    id: str
    model: str
    state: State
    unclaimed: bool
    lines: list[Line]
    problem: str
    took: str

    @property
    def over(self) -> bool:
        """Nothing more will come."""
        return self.state in ("ended", "lost")


def ask(db: Database, spec: str, settings: Settings, *, caller: str) -> ModelTestView:
    """Ask for a test of a model; the one that is under way already where there is one.

    Raises NotFound where nothing is called so, ConfigurationError, and BriefError where the daily cap is used up.
    """
    model = find_model(spec, settings).spec
    with db.session() as session:
        alone(session, "model tests", model)
        if words := jobs.daily_cap_in(db, session, settings):
            raise BriefError([Problem("/model", words)])
        living = select(ModelTestRow).where(ModelTestRow.model == model, ModelTestRow.state.in_(("waiting", "running")))
        for row in session.scalars(living.order_by(ModelTestRow.id.desc())):
            if not (view := _view(row)).over:
                return view
        moment = now()
        row = ModelTestRow(
            id=new_id(), model=model, caller=caller, state="waiting", lines=[], problem="", took="", tokens=0,
            cost_usd=None, created_at=moment, touched_at=moment,
        )  # fmt: skip
        session.add(row)
        return _view(row)


def get(db: Database, test_id: str) -> ModelTestView:
    """One test as it stands. Raises NotFound."""
    with db.reading() as session:
        row = session.get(ModelTestRow, test_id)
        if row is None:
            raise NotFound(f"there is no test {test_id[:60]}")
        return _view(row)


def work_next(db: Database, settings: Settings) -> bool:
    """Carry out the test that has waited longest; False where none waits."""
    waiting = select(ModelTestRow.id).where(ModelTestRow.state == "waiting").order_by(ModelTestRow.id).limit(1)
    with db.reading() as session:  # a look costs no writer anything
        test_id = session.scalar(waiting)
    if test_id is None:
        return False
    take = update(ModelTestRow).where(ModelTestRow.id == test_id, ModelTestRow.state == "waiting")
    with db.session() as session:
        model = session.scalar(take.values(state="running", touched_at=now()).returning(ModelTestRow.model))
    if model is not None:  # else another worker was quicker
        with _touched(db, test_id):
            _carry_out(db, test_id, model, settings)
    return True


def _carry_out(db: Database, test_id: str, model: str, settings: Settings) -> None:
    secrets = known(settings.secrets)
    lines: list[object] = []
    ending: dict[str, object] = {"state": "ended"}
    try:
        for item in run_test(find_model(model, settings), settings):
            if isinstance(item, Cost):
                tokens = item.prompt_tokens + item.completion_tokens
                ending |= {"took": item.words, "tokens": tokens, "cost_usd": item.usd}
            else:
                lines.append(secrets.walked(asdict(item)))
                _keep(db, test_id, lines=lines)
    except StudioError as error:
        ending["problem"] = secrets.masked(str(error))
    except Exception:
        log.exception("test %s of the model %s", test_id, model)
        ending["problem"] = "An error inside the studio; the log of the worker has it."
    _keep(db, test_id, **ending)


@contextmanager
def _touched(db: Database, test_id: str) -> Iterator[None]:
    """While the block runs the row says that somebody is at it."""
    over = threading.Event()

    def touch() -> None:
        while not over.wait(TOUCH_S):
            try:
                _keep(db, test_id)
            except Exception:
                log.exception("test %s of a model could not be touched", test_id)

    thread = threading.Thread(target=touch, name=f"touch-{test_id}", daemon=True)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def _keep(db: Database, test_id: str, **values: object) -> None:
    with db.session() as session:
        session.execute(update(ModelTestRow).where(ModelTestRow.id == test_id).values(**values, touched_at=now()))


def _view(row: ModelTestRow) -> ModelTestView:
    silent = now() - row.touched_at
    return ModelTestView(
        id=row.id,
        model=row.model,
        state="lost" if row.state == "running" and silent > LOST else row.state,  # type: ignore[arg-type]  # as stored
        unclaimed=row.state == "waiting" and silent > UNCLAIMED,
        lines=[Line(**line) for line in row.lines],
        problem=row.problem,
        took=row.took,
    )
