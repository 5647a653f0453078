"""What a run made beside what another one made: by SHA-256, and where bytes differ by how it looks, sounds or plays.

Files are compared inside a sandbox of their own; what it says is a stranger's word, validated and capped.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from studio.blobs import Blobs
from studio.contract import MAX_FILES
from studio.errors import SandboxError
from studio.inspection import archive
from studio.jobs import ComparedFile, FileView
from studio.sandboxes.types import Engine, SandboxSpec, Upload

FOLDER = "/tmp/comparison"  # in the sandbox
TIME_S = 300.0
ANSWER_BYTES = 1 << 20
_PROGRAM = (
    f"import sys; sys.path.insert(0, '{FOLDER}/inspector.zip'); "
    "from sandbox_image.inspector.comparing import main; main()"
)

log = logging.getLogger(__name__)


class _Told(BaseModel):
    """One answer as it comes out of the sandbox."""

    model_config = ConfigDict(extra="ignore")

    path: str = Field(max_length=4096)
    alike: bool
    detail: str = Field(default="", max_length=400)


_TOLD: TypeAdapter[list[_Told]] = TypeAdapter(list[_Told])


def compare_outputs(
    engine: Engine, blobs: Blobs, recorded: Sequence[FileView], made: Sequence[FileView], owner: str
) -> list[ComparedFile]:
    """Each file of either side by its path. Never raises for what a file is; a lost sandbox makes its files differ."""
    old, new = ({file.path: file for file in files} for files in (recorded, made))
    found = {
        path: ComparedFile(path=path, verdict="differs", detail="not made" if path in old else "not in the record")
        for path in old.keys() ^ new.keys()
    }
    pairs = {path: (old[path], new[path]) for path in old.keys() & new.keys()}
    for path, (before, after) in pairs.items():
        if before.sha256 == after.sha256:
            found[path] = ComparedFile(path=path, verdict="same")
    differing = {path: pair for path, pair in sorted(pairs.items()) if path not in found}
    if differing:
        found |= _compared_inside(engine, blobs, differing, owner)
    return [found[path] for path in sorted(found)][:MAX_FILES]


def _compared_inside(
    engine: Engine, blobs: Blobs, pairs: dict[str, tuple[FileView, FileView]], owner: str
) -> dict[str, ComparedFile]:
    found = {path: ComparedFile(path=path, verdict="differs", detail="could not be compared") for path in pairs}
    try:
        sandbox = engine.start(SandboxSpec(owner=owner))
        try:
            sandbox.upload(_uploads(blobs, pairs))
            argv = ["python3", "-I", "-c", _PROGRAM, FOLDER]
            _, printed, said = sandbox.run(argv, timeout_s=TIME_S, limit=ANSWER_BYTES)
        finally:
            sandbox.kill()
        told = _TOLD.validate_json(printed)
    except SandboxError as error:
        log.warning("the comparison's sandbox: %s", error)
        return found
    except ValidationError:
        log.warning("the comparison cannot be read: %s", said[-2000:].decode("utf-8", "replace"))
        return found
    for item in told:
        if item.path in found:
            verdict = "alike" if item.alike else "differs"
            found[item.path] = ComparedFile.model_validate(
                {"path": item.path, "verdict": verdict, "detail": item.detail}
            )
    return found


def _uploads(blobs: Blobs, pairs: dict[str, tuple[FileView, FileView]]) -> Iterator[Upload]:
    yield Upload(f"{FOLDER}/inspector.zip", archive())
    listed = []
    for number, (path, (before, after)) in enumerate(pairs.items()):
        suffix = PurePosixPath(path).suffix.lower()
        names = {"old": f"old-{number}{suffix}", "new": f"new-{number}{suffix}"}
        listed.append({"path": path, **names})
        yield Upload(f"{FOLDER}/{names['old']}", blobs.path(before.sha256))
        yield Upload(f"{FOLDER}/{names['new']}", blobs.path(after.sha256))
    yield Upload(f"{FOLDER}/pairs.json", json.dumps(listed).encode())
