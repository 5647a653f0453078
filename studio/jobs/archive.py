"""Everything of one job as the members of an archive: what it left, what was asked, what was found, its record."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from datetime import datetime
from typing import BinaryIO, cast

from studio.archives import Member
from studio.blobs import Blobs
from studio.database import Database
from studio.jobs.queries import files, get, scripts, trajectory_lines
from studio.jobs.views import FileView

IN_MEMORY = 4 << 20


def members(db: Database, blobs: Blobs, job_id: str) -> Iterator[Member]:
    """`output/`, `scripts/`, `brief.json`, `report.json` and `trajectory.jsonl`. Raises NotFound at once.

    These are the names of the folder that `studio make` leaves, so that `inspect` and `replay` take them.
    """
    job = get(db, job_id)
    at = job.finished_at or job.created_at

    def found() -> Iterator[Member]:
        for folder, kept in (("output", files(db, job_id)), ("scripts", scripts(db, job_id))):
            for file in kept:
                yield _stored(blobs, f"{folder}/{file.path}", file, at)
        yield _written("brief.json", iter([job.brief.model_dump_json(indent=2)]), at)
        if job.report is not None:
            yield _written("report.json", iter([job.report.model_dump_json(by_alias=True, indent=2)]), at)
        yield _written("trajectory.jsonl", trajectory_lines(db, job_id), at)

    return found()


def _stored(blobs: Blobs, path: str, file: FileView, at: datetime) -> Member:
    return Member(path, lambda: blobs.open(file.sha256), file.bytes, at)


def _written(path: str, lines: Iterator[str], at: datetime) -> Member:
    """A text that is put together now: its size has to be known before it is sent."""
    spool = tempfile.SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115  # closed by whoever reads it
    for line in lines:
        spool.write(line.encode("utf-8", "replace") + b"\n")
    size = spool.tell()
    spool.seek(0)
    return Member(path, lambda: cast("BinaryIO", spool), size, at)
