"""Everything that a batch gave, as the members of one archive."""

from __future__ import annotations

import io
from collections.abc import Iterator

from pydantic import BaseModel

from studio import jobs
from studio.archives import Member, safe_name
from studio.batches.queries import Ended, all_ended, errors, get, results
from studio.blobs import Blobs
from studio.database import Database
from studio.jobs import FileView

NOT_ACCEPTED = "not accepted"


def members(db: Database, blobs: Blobs, batch_id: str) -> Iterator[Member]:
    """`results.jsonl`, `errors.jsonl`, and a folder of outputs for each line that has ended. Raises NotFound at once.

    What was not accepted lies in a folder of its own. The members are found as they are asked for.
    """
    batch = get(db, batch_id)
    at = batch.finished_at or batch.created_at

    def found() -> Iterator[Member]:
        for name, lines in (("results.jsonl", results(db, batch_id)), ("errors.jsonl", errors(db, batch_id))):
            content = _json_lines(lines)
            yield Member(name, lambda content=content: io.BytesIO(content), len(content), at)  # type: ignore[misc]
        for item in all_ended(db, batch_id):
            if item.job is not None:
                for file in jobs.files(db, item.job.id):
                    yield _member(blobs, item, file)

    return found()


def _json_lines(lines: Iterator[BaseModel]) -> bytes:
    return "".join(line.model_dump_json() + "\n" for line in lines).encode("utf-8", "replace")


def _member(blobs: Blobs, item: Ended, file: FileView) -> Member:
    assert item.job is not None
    path = f"{folder_of(item)}/{file.path}"
    if not item.accepted:
        path = f"{NOT_ACCEPTED}/{path}"
    at = item.job.finished_at or item.job.created_at
    return Member(path, lambda: blobs.open(file.sha256), file.bytes, at)


def folder_of(item: Ended) -> str:
    """The folder of a line's outputs: its number, so that folders stand in order and none is met twice, and its id."""
    number = f"{item.line.number:05d}"
    own = item.line.custom_id
    return number if own == str(item.line.number) else f"{number} {safe_name(own)}"
