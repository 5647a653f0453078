"""Which steps changed which file, as far as a record says."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from studio.record.steps import Step

MOST_OF_A_CALL = 200  # changed files that are recorded of one call (studio.sandboxes.types)


@dataclass(frozen=True)
class Change:
    """A file was found changed after a call of this step; `tool` is the call's name."""

    step: int
    tool: str


@dataclass
class FileHistory:
    """The changes of one file below /testbed, oldest first; there is at least one."""

    path: str
    changes: list[Change] = field(default_factory=list)

    @property
    def last(self) -> Change:
        return self.changes[-1]

    def between(self, first: int, last: int) -> list[Change]:
        """The changes of the steps `first` to `last`, both included."""
        return [change for change in self.changes if first <= change.step <= last]


def file_histories(steps: Iterable[Step]) -> list[FileHistory]:
    """The files that calls changed in the last sandbox of the job, by path.

    After each call it is recorded which files differ from what they were after the one before. So a program that runs
    on by itself is not told from the call that is carried out meanwhile, and of one call at most MOST_OF_A_CALL files
    are known.
    """
    found: dict[str, FileHistory] = {}
    for step in steps:
        if step.started:  # a new, empty computer
            found.clear()
        for call in step.calls:
            if step.started and call.at < step.started.at:  # in the computer before, which was lost
                continue
            for path in call.result.files_changed if call.result else ():
                found.setdefault(path, FileHistory(path)).changes.append(Change(step.number, call.name))
    return [found[path] for path in sorted(found)]


def last_writers(steps: Iterable[Step]) -> dict[str, int]:
    """File below /testbed → number of the step that changed it last, in the last sandbox of the job."""
    return {history.path: history.last.step for history in file_histories(steps)}
