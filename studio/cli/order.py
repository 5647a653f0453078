"""From the words of a command line to a brief, run options and attachments; every refusal is a BriefError."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from pydantic import ValidationError

from studio.brief import (
    Brief,
    InputFile,
    JsonObject,
    RunOptions,
    check_attachments,
    check_references,
    parse_json,
    problems_of,
)
from studio.cli.assignments import assign, with_hints
from studio.errors import BriefError, Problem
from studio.kinds import get_kind, parse_brief
from studio.kinds.titles import default_title
from studio.models import Model, make_model
from studio.settings import Settings

MAX_BRIEF_BYTES = 4 << 20


def read_brief_file(path: Path) -> JsonObject:
    """The JSON object in `path`; `-` is standard input. Raises BriefError."""
    try:
        text = _read_limited("/dev/stdin" if str(path) == "-" else path)
    except OSError as error:
        raise BriefError([Problem("", f"the brief {path} cannot be read: {error.strerror or error}")]) from None
    return parse_json(text)


def _read_limited(path: str | Path) -> bytes:
    with Path(path).open("rb") as file:
        text = file.read(MAX_BRIEF_BYTES + 1)
    if len(text) > MAX_BRIEF_BYTES:
        raise BriefError([Problem("", f"the brief is larger than {MAX_BRIEF_BYTES >> 20} MiB")])
    return text.removeprefix(b"\xef\xbb\xbf")


def build_brief(kind_name: str, file: Path | None, assignments: Sequence[str]) -> Brief:
    """The brief of a file with assignments on top. Raises BriefError with pointers from the brief's root."""
    kind = get_kind(kind_name)
    value: JsonObject = read_brief_file(file) if file is not None else {}
    read_as_json = assign(value, assignments)
    if value.setdefault("kind", kind_name) != kind_name:
        said = str(value["kind"])[:60]
        raise BriefError(
            [Problem("/kind", f"the brief says {said!r}, the command says {kind_name!r}; use one of them")]
        )
    if "title" not in value:
        value["title"] = default_title(kind, value.get("params"))
    try:
        return parse_brief(value)
    except BriefError as error:
        raise with_hints(error, read_as_json) from None


def build_run(assignments: Sequence[str], model: str | None, engine: str | None, settings: Settings) -> RunOptions:
    """Run options within the operator's bounds. Raises BriefError with pointers below /run."""
    from studio.jobs.bounds import bounded  # noqa: PLC0415  # brings the database's package along

    value: JsonObject = {}
    read_as_json = assign(value, assignments, "run")
    if model is not None:
        value["model"] = model
    if engine is not None:
        value["engine"] = engine
    try:
        run = RunOptions.model_validate(value)
    except ValidationError as error:
        raise with_hints(BriefError(problems_of(error, "run")), read_as_json) from None
    return bounded(run, settings)


def gather_inputs(attached: Sequence[Path], documents: Sequence[Path]) -> tuple[InputFile, ...]:
    """The attachments as local files. Raises BriefError at /attachments/N (attached files first, then documents)."""
    roles: list[tuple[Path, Literal["input", "document"]]] = [(path, "input") for path in attached]
    roles += [(path, "document") for path in documents]
    files, problems = [], []
    for index, (path, role) in enumerate(roles):
        if reason := _unreadable(path):
            problems.append(Problem(f"/attachments/{index}", f"{str(path)!r} {reason}"))
        else:
            files.append(InputFile(path.name, role, path, path.stat().st_size))
    if problems:
        raise BriefError(problems)
    check_attachments(files)
    return tuple(files)


def check_named_attachments(brief: Brief, inputs: Sequence[InputFile]) -> None:
    """Raises BriefError where the brief places an attachment that was not given."""
    check_references(brief, (file.name for file in inputs if file.role == "input"))


def model_for(brief: Brief, run: RunOptions, settings: Settings) -> Model:
    """What will answer. Raises BriefError at /run/model, or at the field that a recipe cannot do without."""
    if run.model != "recipe":
        return make_model(run.model, settings)
    recipe = get_kind(brief.kind).recipe(brief)
    if recipe is None:
        return make_model(run.model, settings)
    return make_model(run.model, settings, recipe=recipe.name, recipe_calls=recipe.calls)


def _unreadable(path: Path) -> str | None:
    try:
        if not path.exists():
            return "does not exist"
        if not path.is_file():
            return "is not a regular file"
    except OSError as error:
        return f"cannot be read: {error.strerror or error}"
    return None if os.access(path, os.R_OK) else "cannot be read: no permission"
