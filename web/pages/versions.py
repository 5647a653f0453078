"""Versions of a work side by side: old and new in small viewers, and what changed in files and report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from studio import jobs
from studio.contract import Finding, Report
from studio.errors import NotFound
from studio.jobs import ENDED, FileView, Version
from web.pages.viewing import Viewer, Work, viewer_of, work_of_job
from web.state import studio

MAX_CHANGES = 24


@dataclass(frozen=True)
class Side:
    """One of two versions that are compared."""

    version: Version
    work: Work
    viewer: Viewer


@dataclass(frozen=True)
class Change:
    """A check whose verdict or measured value is another one; None where the other version was not asked it."""

    old: Finding | None
    new: Finding | None

    @property
    def id(self) -> str:
        return (self.new or self.old).id  # type: ignore[union-attr]  # one of them is there

    @property
    def turned(self) -> bool:
        """Is the verdict another one, and not only the measured value?"""
        return self.old is None or self.new is None or self.old.verdict != self.new.verdict


@dataclass(frozen=True)
class Pair:
    """Two versions, the older one first, and what is different."""

    old: Side
    new: Side
    changes: tuple[Change, ...]
    added: tuple[str, ...]
    removed: tuple[str, ...]
    rewritten: tuple[str, ...]

    @property
    def same(self) -> bool:
        return not (self.added or self.removed or self.rewritten)


@dataclass(frozen=True)
class Line:
    """All versions of a work, and the pair that is shown; `here` is the job whose page it is."""

    here: str
    versions: tuple[Version, ...]
    pair: Pair | None = None

    @property
    def others(self) -> tuple[Version, ...]:
        """The versions that can be put beside the one of the page."""
        return tuple(version for version in self.versions if version.job != self.here and version.state in ENDED)


def line_of(job_id: str, beside: str | None = None, wanted: str | None = None) -> Line:
    """The versions that a job is one of. `beside` is the job to compare with, `wanted` the picture's path.

    Without `beside` that is the version that it revises, else the newest later one that left something.
    """
    found = tuple(jobs.versions(studio().db, job_id))
    line = Line(job_id, found)
    here = next(version for version in found if version.job == job_id)
    chosen = next((version for version in line.others if version.job == beside), None) or _usual(line, here)
    if chosen is None or here.state not in ENDED:
        return line
    old, new = sorted((chosen, here), key=lambda version: version.version)
    sides = [_side(version, wanted) for version in (old, new)]
    if not all(side.work.files for side in sides):
        return line
    return Line(job_id, found, _pair(*sides))


def _usual(line: Line, here: Version) -> Version | None:
    if here.revises:
        return next((version for version in line.others if version.job == here.revises), None)
    later = [version for version in line.others if version.version > here.version]
    return next((version for version in reversed(later) if version.artifact), later[-1] if later else None)


def _side(version: Version, wanted: str | None) -> Side:
    db = studio().db
    try:
        job = jobs.get(db, version.job)
        work = work_of_job(job, jobs.files(db, job.id), jobs.previews(db, job.id))
    except NotFound:
        work = Work("", "", None, [], [], None)
    return Side(version, work, viewer_of(work, wanted))


def _pair(old: Side, new: Side) -> Pair:
    before, after = _hashes(old.work.files), _hashes(new.work.files)
    return Pair(
        old,
        new,
        changes=tuple(_changes(old.work.report, new.work.report))[:MAX_CHANGES],
        added=tuple(sorted(after.keys() - before.keys())),
        removed=tuple(sorted(before.keys() - after.keys())),
        rewritten=tuple(sorted(path for path in before.keys() & after.keys() if before[path] != after[path])),
    )


def _hashes(files: list[FileView]) -> dict[str, str]:
    return {file.path: file.sha256 for file in files}


def _changes(old: Report | None, new: Report | None) -> list[Change]:
    """Findings that differ, those with another verdict first."""
    before, after = _numbered(old), _numbered(new)
    found = []
    for key in dict.fromkeys([*after, *before]):
        was, now = before.get(key), after.get(key)
        if was is None or now is None or (was.verdict, was.measured) != (now.verdict, now.measured):
            found.append(Change(was, now))
    return sorted(found, key=lambda change: not change.turned)


def _numbered(report: Report | None) -> dict[tuple[str, int], Finding]:
    """Findings by check and, as a check may be asked of several files, by their place among its own."""
    return dict(_with_numbers(report)) if report else {}


def _with_numbers(report: Report) -> Iterator[tuple[tuple[str, int], Finding]]:
    seen: Counter[str] = Counter()
    for finding in report.checks:
        yield (finding.id, seen[finding.id]), finding
        seen[finding.id] += 1
