"""Inspection: a fresh sandbox, the inspector, a Report.

The inspector travels as an archive with each inspection, so that it never differs in version from the studio. What
comes back is a stranger's word: sizes are capped, the form is validated, severities and verdict follow the contract.
"""

from __future__ import annotations

import io
import json
import logging
import marshal
import re
import zipfile
from collections.abc import Sequence
from dataclasses import asdict
from functools import cache
from importlib.util import MAGIC_NUMBER, source_hash
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

import sandbox_image
from studio.brief import Brief, InputFile
from studio.contract import (
    MAX_FILES,
    MAX_PLACES,
    Check,
    Contract,
    Finding,
    Place,
    Preview,
    Report,
    ReportedFile,
    verdict_of,
)
from studio.errors import InspectorError, SandboxError, SandboxLost
from studio.sandboxes.types import DOCUMENTS, INPUT, OUTPUT, Engine, Manifest, Sandbox, SandboxSpec, Upload

WALL_LIMIT_S = 120.0
REPORT_BYTES = 4 << 20
PREVIEW_BYTES = 4 << 20
FOLDER = "/tmp/inspection"  # in the sandbox

_log = logging.getLogger(__name__)
_SHA256 = re.compile(r"^[0-9a-f]{64}$")


class _Answer(BaseModel):
    """One finding as the inspector tells it; severity and expectation are not its to say."""

    model_config = ConfigDict(extra="ignore")

    id: str = Field(max_length=80)
    file: str | None = Field(default=None, max_length=4000)
    verdict: Literal["pass", "fail", "error"]
    measured: JsonValue = None
    message: str = Field(default="", max_length=4000)
    place: Place | None = None
    places: list[Place] = Field(default_factory=list, max_length=MAX_PLACES)


class _Told(BaseModel):
    """The report as it comes out of the sandbox."""

    model_config = ConfigDict(extra="ignore")

    checks: list[_Answer] = Field(max_length=500)
    files: list[ReportedFile] = Field(default_factory=list, max_length=MAX_FILES + 1)
    previews: list[Preview] = Field(default_factory=list, max_length=20)
    facts: dict[str, JsonValue] = Field(default_factory=dict)
    elapsed_s: float = Field(default=0.0, ge=0, allow_inf_nan=False)


@cache
def archive() -> bytes:
    """The inspector's sources as a zip that Python runs, each with its bytecode, which a Python of this version loads
    in half the time; another one passes it over (PEP 552: unchecked, as both come in one archive)."""
    root = Path(sandbox_image.__file__).parent
    sources = sorted(p for p in (root / "inspector").rglob("*") if p.suffix in (".py", ".js"))
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w", zipfile.ZIP_DEFLATED) as packed:
        entries = {"sandbox_image/__init__.py": b"", "__main__.py": _MAIN.encode()}
        entries |= {f"sandbox_image/{source.relative_to(root).as_posix()}": source.read_bytes() for source in sources}
        for name, source_bytes in entries.items():
            packed.writestr(zipfile.ZipInfo(name), source_bytes, zipfile.ZIP_DEFLATED)
            if name.endswith(".py"):
                packed.writestr(zipfile.ZipInfo(f"{name}c"), _bytecode(name, source_bytes), zipfile.ZIP_DEFLATED)
    return content.getvalue()


def _bytecode(name: str, source: bytes) -> bytes:
    """A .pyc file (PEP 552) that is taken without a look at its source."""
    unchecked = (1).to_bytes(4, "little")
    code = marshal.dumps(compile(source, name, "exec", dont_inherit=True))
    return MAGIC_NUMBER + unchecked + source_hash(source) + code


_MAIN = "from sandbox_image.inspector.runner import main\nmain()\n"


def inspect(
    engine: Engine,
    brief: Brief,
    contract: Contract,
    outputs: Path,
    manifest: Manifest,
    inputs: Sequence[InputFile],
    previews: Path,
    owner: str = "command-line",
) -> Report:
    """Judge `outputs` (regular files on this machine, fetched by `manifest`) in a fresh sandbox of `engine`.

    Pictures are written into `previews`. Raises InspectorError only when no report could be had at all.
    """
    contract = contract.for_delivery({entry.path for entry in manifest.entries})
    try:
        sandbox = engine.start(SandboxSpec(outputs=outputs.resolve(), owner=owner))
    except SandboxError as error:
        raise InspectorError(f"the inspector's sandbox did not start: {error}") from error
    try:
        sandbox.upload(describe_to_inspector(brief, contract, manifest, inputs))
        report = read_report(_run(sandbox), contract, manifest)
        report.previews = _fetch(sandbox, report.previews, previews)
        return report
    except SandboxLost as error:
        raise InspectorError(f"the inspector's sandbox died: {error}") from error
    except SandboxError as error:
        raise InspectorError(f"the inspector could not work: {error}") from error
    finally:
        sandbox.kill()


def describe_to_inspector(
    brief: Brief, contract: Contract, manifest: Manifest, inputs: Sequence[InputFile]
) -> list[Upload]:
    """What an inspection puts into its sandbox: the inspector, and what it judges by."""
    described = {"entries": [asdict(entry) for entry in manifest.entries], "truncated": manifest.truncated}
    brief_json = brief.model_dump_json().encode()
    files = [
        Upload(f"{FOLDER}/inspector.zip", archive()),
        Upload(f"{FOLDER}/contract.json", contract.model_dump_json().encode()),
        Upload(f"{FOLDER}/brief.json", brief_json),
        Upload(f"{FOLDER}/manifest.json", json.dumps(described).encode()),
        Upload(str(INPUT / "brief.json"), brief_json),
    ]
    folders = {"input": INPUT, "document": DOCUMENTS}
    return files + [Upload(str(folders[each.role] / each.name), each.path) for each in inputs]


def _run(sandbox: Sandbox) -> bytes:
    """Run the inspector; what it printed. Raises InspectorError when it did not come to its end."""
    argv = ["python3", "-I", f"{FOLDER}/inspector.zip", FOLDER, str(OUTPUT)]
    status, stdout, stderr = sandbox.run(argv, timeout_s=WALL_LIMIT_S, limit=REPORT_BYTES + 1)
    if stderr:
        _log.warning("inspector: %s", stderr[:4000].decode("utf-8", "replace"))
    if status is None:
        raise InspectorError(f"the inspector was stopped after {WALL_LIMIT_S:.0f} s")
    if status != 0:
        last = stderr.decode("utf-8", "replace").strip().splitlines()[-1:]
        raise InspectorError(f"the inspector ended with status {status}: {' '.join(last)[:300]}")
    return stdout


def read_report(printed: bytes, contract: Contract, manifest: Manifest) -> Report:
    """The report in what a sandbox printed, by the contract: each check once, with the contract's severity.

    A check without an answer is an error; files that the manifest does not have are left out; the verdict is computed
    here. Raises InspectorError when there is no report to read.
    """
    if len(printed) > REPORT_BYTES:
        raise InspectorError(f"the inspector's report is longer than {REPORT_BYTES} bytes")
    try:
        told = _Told.model_validate_json(printed)
    except ValidationError as error:
        raise InspectorError(f"the inspector's report cannot be read: {error.error_count()} faults") from error
    answers = {(answer.id, answer.file): answer for answer in reversed(told.checks)}
    findings = [_finding(check, answers.get((check.id, check.file))) for check in contract.checks]
    sizes = {entry.path: entry.size for entry in manifest.files}
    files = [
        file
        for file in told.files
        if file.path in sizes and _SHA256.match(file.sha256) and file.bytes == sizes[file.path]
    ]
    return Report(
        kind=contract.kind,
        verdict=verdict_of(findings),
        checks=findings,
        files=files,
        previews=told.previews,
        facts=told.facts,
        unmeasured=list(contract.unmeasured),
        elapsed_s=round(told.elapsed_s, 3),
    )


def _finding(check: Check, answer: _Answer | None) -> Finding:
    if answer is None:
        answer = _Answer(id=check.id, verdict="error", message="The inspector gave no answer to this check.")
    return Finding(
        id=check.id,
        severity=check.severity,
        expected=check.expected[:2000],
        verdict=answer.verdict,
        measured=answer.measured,
        message=answer.message,
        place=answer.place or (Place(file=check.file) if check.file else None),
        places=answer.places,
    )


def _fetch(sandbox: Sandbox, declared: Sequence[Preview], target: Path) -> list[Preview]:
    """Fetch the declared pictures, unopened; those that are missing, too large or no WebP are left out."""
    target.mkdir(parents=True, exist_ok=True)
    fetched = []
    for preview in declared:
        try:
            content = sandbox.read(f"{FOLDER}/previews/{preview.path}", PREVIEW_BYTES)
        except SandboxLost:
            raise
        except SandboxError as error:
            _log.warning("preview %s: %s", preview.path, error)
            continue
        # Only the first bytes are looked at (RIFF container, WebP form type): nothing is decoded on this side.
        if content[:4] == b"RIFF" and content[8:12] == b"WEBP" and 0 < min(preview.width, preview.height) <= 16383:
            (target / preview.path).write_bytes(content)
            fetched.append(preview)
    return fetched
