"""What a revision starts from: the files of the work before it, and in few words how that was made and judged."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from studio import jobs
from studio.blobs import Blobs
from studio.database import Database
from studio.errors import BriefError, NotFound, Problem
from studio.jobs import FileView, JobView
from studio.pipeline.judging import describe
from studio.sandboxes.types import OUTPUT, WORKSPACE, Upload
from studio.trajectory import Event, Header, MadeBy, Note, ToolCalled, ToolResult, decode_lines

MAX_NAMED = 40  # files, in the words to the model
MAX_STEPS = 14
MAX_REPORT_CHARS = 2400
MAX_LINE = 160
MAX_CHAIN = 10


@dataclass(frozen=True)
class Beginning:
    """What a run starts with besides its brief: files, and what its model is told of them.

    `note` is what the record says of it.
    """

    files: tuple[Upload, ...] = ()
    words: str = ""
    note: str = ""


def beginning_of(db: Database, blobs: Blobs, job_id: str, made_by: MadeBy) -> Beginning:
    """What a job starts from. What repeats a revision's calls starts from the same files, and is told nothing.

    Raises BriefError where the work that it revises is gone.
    """
    by = made_by
    revision = jobs.revision_of(db, job_id)
    for _ in range(MAX_CHAIN):
        source = by.replay_of or by.derived_from
        if revision is not None or source is None:
            break
        job_id = source
        revision, by = jobs.revision_of(db, job_id), jobs.get(db, job_id).made_by
    if revision is None:
        return Beginning()
    try:
        before, mine = jobs.get(db, revision.of), jobs.get(db, job_id)
    except NotFound:
        raise BriefError([Problem("", f"the job {revision.of} that it revises is gone")]) from None
    outputs, scripts = jobs.files(db, before.id), jobs.scripts(db, before.id)
    note = f"It starts from the files of version {before.version} (job {before.id})."
    if made_by.prepared:
        return Beginning(tuple(_uploads(blobs, outputs, scripts)), "", note)
    made = digest(decode_lines(jobs.trajectory_lines(db, before.id)), {*_places(outputs, scripts)})
    words = told(before, mine.version, revision.note, outputs, scripts, made)
    return Beginning(tuple(_uploads(blobs, outputs, scripts)), words, f"{note} A person says: {revision.note}")


def told(
    before: JobView, version: int, note: str, outputs: Sequence[FileView], scripts: Sequence[FileView], made: str
) -> str:
    """What the model of a revision is told after its task."""
    report = before.report
    judged = describe(report, repairs_left=0)[:MAX_REPORT_CHARS] if report else "It was never inspected."
    judged = judged.removesuffix("\nNo repair is left; the run ends here.")
    return "\n\n".join(
        (
            f"This is version {version} of a work that is there already. A person looked at version {before.version} "
            "and says:",
            "\n".join(f"> {line}" for line in note.splitlines()),
            "Do what these words ask, and leave everything else as it is. The contract is judged anew.",
            f"You do not start from nothing. /testbed/output/ holds the files of version {before.version}: "
            f"{_named(outputs)}. Its programs lie in /testbed: {_named(scripts)}. Change them and run them again, "
            "rather than write new ones.",
            f"How version {before.version} was made:\n{made}",
            f"How it was judged:\n{judged}",
        )
    )


def digest(record: Iterable[Header | Event], kept: set[str]) -> str:
    """The calls that last wrote a file that is kept, one line each; `kept` are paths relative to /testbed."""
    calls: dict[tuple[int, str], tuple[int, ToolCalled]] = {}
    writers: dict[str, tuple[int, ToolCalled]] = {}
    number = 0
    for event in record:
        if isinstance(event, ToolCalled):
            number += 1
            calls[event.attempt, event.id] = (number, event)
        elif isinstance(event, ToolResult) and (call := calls.get((event.attempt, event.id))):
            writers |= {path: call for path in event.files_changed if path in kept}
    wrote: dict[int, list[str]] = {}
    for path, (place, _) in writers.items():
        wrote.setdefault(place, []).append(path)
    named = dict(writers.values())
    lines = [
        f"- call {place} of {number}: {_line(named[place])} wrote {_some(wrote[place])}" for place in sorted(wrote)
    ]
    if len(lines) > MAX_STEPS:
        lines = [f"- … {len(lines) - MAX_STEPS} calls before that", *lines[-MAX_STEPS:]]
    return "\n".join(lines) or "The record does not tell which calls wrote its files."


def _line(call: ToolCalled) -> str:
    """A call in one line: the command's first line, or what the editor did."""
    given = call.arguments if isinstance(call.arguments, dict) else {}
    command = str(given.get("command") or "")
    if call.name == "execute_bash":
        first = next((line.strip() for line in command.splitlines() if line.strip()), "")
        more = " …" if len(command.strip().splitlines()) > 1 or len(first) > MAX_LINE else ""
        return f"`{first[:MAX_LINE]}{more}`"
    return f"{call.name} {command}".strip()[:MAX_LINE]


def _some(paths: Sequence[str]) -> str:
    shown = ", ".join(sorted(paths)[:6])
    return shown if len(paths) <= 6 else f"{shown} and {len(paths) - 6} more"


def _named(files: Sequence[FileView]) -> str:
    if not files:
        return "none were kept"
    shown = ", ".join(f"{file.path} ({file.bytes} bytes)" for file in files[:MAX_NAMED])
    return shown if len(files) <= MAX_NAMED else f"{shown} and {len(files) - MAX_NAMED} more"


def _places(outputs: Sequence[FileView], scripts: Sequence[FileView]) -> Iterator[str]:
    """The paths of kept files relative to /testbed, as a record names them."""
    yield from (f"{OUTPUT.name}/{file.path}" for file in outputs)
    yield from (file.path for file in scripts)


def _uploads(blobs: Blobs, outputs: Sequence[FileView], scripts: Sequence[FileView]) -> Iterator[Upload]:
    for file in outputs:
        yield Upload(str(OUTPUT / file.path), blobs.path(file.sha256))
    for file in scripts:
        yield Upload(str(WORKSPACE / file.path), blobs.path(file.sha256))


def no_notes() -> Sequence[Note]:
    """For a run that nobody gives notes to."""
    return ()
