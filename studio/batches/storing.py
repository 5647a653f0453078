"""New batches: read line by line, each judged as a request for a job is, each stored as it comes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from itertools import islice

from sqlalchemy import delete, select, update

from studio import jobs
from studio.batches.lines import Line
from studio.batches.queries import get
from studio.batches.views import (
    LED,
    BatchView,
    LineError,
    LineProblem,
    Otherwise,
    Preview,
    PreviewLine,
    Strategy,
)
from studio.brief import JobRequest
from studio.database import Database, new_id
from studio.database.tables import BatchLineRow, BatchRow
from studio.errors import BriefError, Problem
from studio.secrets import known, masked
from studio.settings import Settings
from studio.trajectory import now

MAX_LINES = 10_000
AT_ONCE = 100  # lines in one transaction, so that nobody waits long for the database
SHOWN_LINES, SHOWN_ERRORS = 50, 200
MAX_PROBLEMS = 50


@dataclass(frozen=True)
class Judged:
    """A line with the request that it makes, as it was asked and with every default filled in; or what is wrong."""

    line: Line
    custom_id: str
    request: JobRequest | None = None
    checked: JobRequest | None = None
    problems: tuple[Problem, ...] = ()


def judge(db: Database, lines: Iterable[Line], settings: Settings, *, caller: str) -> Iterator[Judged]:
    """Each line, judged by itself and against those before it. Raises BriefError when there are too many or none."""
    seen: dict[str, int] = {}
    count = 0
    for line in lines:
        count += 1
        if count > MAX_LINES:
            message = f"a batch may have {MAX_LINES:,} lines; send the rest as another batch"
            raise BriefError([Problem("/lines", message)])
        found = _judged(db, line, settings, caller, seen)
        seen.setdefault(found.custom_id, line.number)
        yield found
    if not count:
        raise BriefError([Problem("/lines", "there is no line in it")])


def _judged(db: Database, line: Line, settings: Settings, caller: str, seen: dict[str, int]) -> Judged:
    problems: list[Problem] = []
    request: JobRequest | None = None
    checked: JobRequest | None = None
    if secrets := known(settings.secrets):  # whoever writes a key of this studio into a line shall not find it stored
        line = replace(line, value=secrets.walked(line.value), given=secrets.walked(dict(line.given)))
    own = _own_id(line)
    if own and "\0" in own:
        problems.append(Problem("/custom_id", "must not contain U+0000"))
        own = None
    try:
        request = line.request()
        if request.run.variants > 1:
            message = "a line makes one work; for more, give more lines with a seed each"
            problems.append(Problem("/run/variants", message))
        checked = jobs.check(db, request, settings, caller=caller, today=False)
    except BriefError as error:
        problems += line.told(error).problems if request is not None else error.problems
    if own is None:
        own = str(line.number)
        if own in seen:  # someone's own id looks like this line's number
            own = f"line-{line.number}"
    elif own in seen:
        problems.append(Problem("/custom_id", f"line {seen[own]} has the custom_id {own[:60]!r} already"))
    if problems or request is None:
        return Judged(line, own[:200], problems=tuple(problems[:MAX_PROBLEMS]))
    return Judged(line, own, request.model_copy(update={"custom_id": own}), checked)


def _own_id(line: Line) -> str | None:
    given = (line.value or {}).get("custom_id")
    return given.strip().encode("utf-8", "replace").decode() or None if isinstance(given, str) else None


def led(found: Iterable[Judged], strategy: Strategy) -> Iterator[Judged]:
    """The same lines; where a model is to begin, those are refused that name none or are of another kind."""
    kind: str | None = None
    for item in found:
        if strategy == LED and item.checked is not None:
            kind = kind or item.checked.brief.kind
            if problem := _unled(item.checked, kind):
                item = Judged(item.line, item.custom_id, problems=(problem,))
        yield item


def _unled(request: JobRequest, kind: str) -> Problem | None:
    spec = request.run.model
    if spec.partition(":")[0] in ("recipe", "replay"):
        return Problem("/run/model", f"the strategy {LED} begins with a language model; name one, not {spec[:60]!r}")
    if request.brief.kind != kind:
        return Problem("/brief/kind", f"the strategy {LED} has one recipe for all lines, and the first is a {kind}")
    return None


def create(
    db: Database,
    lines: Iterable[Line],
    settings: Settings,
    *,
    caller: str,
    name: str = "",
    strategy: Strategy = "each",
    otherwise: Otherwise = "reject",
) -> BatchView:
    """Store every line of a new batch; those that hold wait for their turn, the others keep what is wrong with them.

    Raises BriefError for what is wrong with the whole (an unreadable file, no line, too many): nothing is kept then.
    """
    moment = now()
    batch = BatchRow(
        id=new_id(),
        name=masked(" ".join(name.split())[:200], settings.secrets),
        state="validating",
        message="",
        caller=caller,
        total=0,
        created_at=moment,
        touched_at=moment,
        expires_at=moment + timedelta(hours=settings.batch_hours),
        strategy=strategy,
        otherwise=otherwise,
    )
    with db.session() as session:
        session.add(batch)
    try:
        judged = led(judge(db, lines, settings, caller=caller), strategy)
        while some := list(islice(judged, AT_ONCE)):
            _store(db, batch.id, some)
    except BaseException:
        forget(db, batch.id)
        raise
    _begin(db, batch.id)
    return get(db, batch.id)


def _store(db: Database, batch_id: str, some: Iterable[Judged]) -> None:
    rows = [_row(batch_id, item) for item in some]
    with db.session() as session:
        session.add_all(rows)
        grown = {"total": BatchRow.total + len(rows), "touched_at": now()}
        session.execute(update(BatchRow).where(BatchRow.id == batch_id).values(**grown))


def _row(batch_id: str, item: Judged) -> BatchLineRow:
    return BatchLineRow(
        batch_id=batch_id,
        number=item.line.number,
        custom_id=item.custom_id,
        state="waiting" if item.request else "refused",
        # As it was asked: what the operator's defaults are is seen to when it becomes a job.
        request=item.request.model_dump(mode="json", exclude_unset=True) if item.request else None,
        problems=None if item.request else [told(problem) for problem in item.problems],
    )


def told(problem: Problem) -> dict[str, str]:
    """A problem as the row keeps it and the API shows it."""
    return LineProblem(pointer=problem.pointer, detail=problem.message).model_dump()


def _begin(db: Database, batch_id: str) -> None:
    """From `validating` on; where it was canceled meanwhile, its lines are."""
    lines = (BatchLineRow.batch_id == batch_id, BatchLineRow.state == "waiting")
    with db.session() as session:
        batch = session.get_one(BatchRow, batch_id, with_for_update=True)
        if batch.ending:
            session.execute(update(BatchLineRow).where(*lines).values(state=batch.ending, request=None))
        if session.scalar(select(BatchLineRow.number).where(*lines).limit(1)) is not None:
            batch.state = "in_progress"
        else:
            batch.state = batch.ending or "failed"
            batch.message = "" if batch.ending else "No line can be run."
            batch.finished_at = now()


def forget(db: Database, batch_id: str) -> None:
    """Remove a batch that was never begun."""
    with db.session() as session:
        session.execute(delete(BatchLineRow).where(BatchLineRow.batch_id == batch_id))
        session.execute(delete(BatchRow).where(BatchRow.id == batch_id, BatchRow.state == "validating"))


def preview(
    db: Database, lines: Iterable[Line], settings: Settings, *, caller: str, strategy: Strategy = "each"
) -> Preview:
    """What these lines would become; nothing is stored. Raises BriefError as `create` does."""
    found = Preview()
    for item in led(judge(db, lines, settings, caller=caller), strategy):
        found.total += 1
        if item.checked is not None:
            found.good += 1
            if len(found.lines) < SHOWN_LINES:
                found.lines.append(_previewed(item, item.checked))
        elif len(found.errors) < SHOWN_ERRORS:
            problems = [LineProblem(pointer=problem.pointer, detail=problem.message) for problem in item.problems]
            found.errors.append(
                LineError(custom_id=item.custom_id, line=item.line.number, state="refused", errors=problems)
            )
    return found


def _previewed(item: Judged, request: JobRequest) -> PreviewLine:
    return PreviewLine(
        custom_id=item.custom_id,
        line=item.line.number,
        kind=request.brief.kind,
        title=request.brief.title,
        language=request.brief.language,
        params=request.brief.params,
        given=dict(item.line.given),
    )
