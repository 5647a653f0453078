"""What a person asks for: the brief, run options, attachments, and refusals with JSON Pointers.

The parameters of each kind are pydantic models in `studio.kinds`; here a brief carries them as JSON.
"""

from __future__ import annotations

import hashlib
import json
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError

from studio.errors import BriefError, Problem
from studio.printable import Printed, Visible

JsonObject: TypeAlias = dict[str, Any]

MAX_ATTACHMENTS = 20
MAX_ATTACHMENT_BYTES = 50 * 1024 * 1024
MAX_SEED = 2**53 - 1
MAX_VARIANTS = 4
RESERVED_NAMES = frozenset({"brief.json", "run.json"})

# BCP 47, RFC 5646: the well-formed tags that people write; grandfathered ones are left out.
LANGUAGE_PATTERN = r"^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$"


class Strict(BaseModel):
    """A model that refuses what it does not know."""

    model_config = ConfigDict(extra="forbid", str_strip_whitespace=True)


class Brief(Strict):
    """A validated request of one kind. `params` are the kind's own, normalised with their defaults."""

    kind: str
    title: Annotated[str, StringConstraints(min_length=1, max_length=120), Printed, Visible]
    prompt: Annotated[str, StringConstraints(max_length=8000)] = ""
    params: JsonObject = Field(default_factory=dict)
    language: Annotated[str, StringConstraints(pattern=LANGUAGE_PATTERN, max_length=35)] = "en"


class Limits(Strict):
    """Budgets and sizes of one run; all are bounded by the operator's settings."""

    steps: int = Field(default=40, ge=1)
    time_s: int = Field(default=1200, ge=10)
    tokens: int = Field(default=1_000_000, ge=1000)
    cost_usd: float = Field(default=5.0, ge=0)
    memory_mb: int = Field(default=2048, ge=896)
    workspace_mb: int = Field(default=1024, ge=16)
    # The most that one command may take; a call that asks for no time of its own gets 120 s (studio/tools/bash.py).
    command_s: int = Field(default=600, ge=1)


class RunOptions(Strict):
    """How a brief is worked. `seed` None means: derived from the kind and the layout fields.

    `variants` above 1 makes so many jobs of the brief, each with a seed of its own; a job itself has 1.
    """

    model: str = "recipe"
    engine: Literal["auto", "docker", "local"] = "auto"
    network: Literal["none", "packages", "open"] = Field(
        default="none",
        description="What may be fetched: nothing; from the registries of pip and apt; from all of the public web.",
    )
    limits: Limits = Field(default_factory=Limits)
    repairs: int = Field(default=3, ge=0)
    seed: int | None = Field(
        default=None,
        ge=0,
        le=MAX_SEED,
        description="Another number gives another design. Empty: one that follows from the layout.",
    )
    variants: int = Field(default=1, ge=1, le=MAX_VARIANTS, description="So many works of this brief, all different.")


class AttachmentRef(Strict):
    """An upload that a job uses, under the name that it has in the sandbox."""

    upload: str
    name: str
    role: Literal["input", "document"] = "input"


Tag: TypeAlias = Annotated[str, StringConstraints(min_length=1, max_length=40)]


class JobRequest(Strict):
    """The body of `POST /jobs` and of a batch line."""

    brief: Brief
    run: RunOptions = Field(default_factory=RunOptions)
    attachments: list[AttachmentRef] = Field(default_factory=list, max_length=MAX_ATTACHMENTS)
    tags: list[Tag] = Field(default_factory=list, max_length=20)
    custom_id: Annotated[str, StringConstraints(min_length=1, max_length=200)] | None = None


@dataclass(frozen=True)
class InputFile:
    """An attachment at hand as a local file: goes to /testbed/input or /testbed/documents."""

    name: str
    role: Literal["input", "document"]
    path: Path
    size: int


def pointer(*parts: str | int) -> str:
    """A JSON Pointer (RFC 6901) from its unescaped parts."""
    return "".join("/" + str(part).replace("~", "~0").replace("/", "~1") for part in parts)


def problems_of(error: ValidationError, *prefix: str | int) -> list[Problem]:
    """The problems of a pydantic error, each with its JSON Pointer below `prefix`."""
    found = []
    for item in error.errors(include_url=False):
        message = item["msg"]
        if item["type"] == "extra_forbidden":
            message = "unknown field; remove it or check its spelling"
        elif item["type"] == "missing":
            message = "required field is missing"
        else:
            shown = repr(item.get("input"))
            if not isinstance(item.get("input"), dict | list):
                message = f"{message} (got {shown[:80]})"
        found.append(Problem(pointer(*prefix, *item["loc"]), message))
    return found


def parse_json(text: str | bytes, what: str = "brief") -> JsonObject:
    """The JSON object in `text`. Raises BriefError when it is not JSON or not an object."""
    value = parse_value(text, what)
    if not isinstance(value, dict):
        raise BriefError([Problem("", f"the {what} must be a JSON object, not {type(value).__name__}")])
    return value


def parse_value(text: str | bytes, what: str = "brief") -> Any:
    """The JSON value in `text`. Raises BriefError when it is not JSON."""
    try:
        return json.loads(
            text, parse_constant=_constant, parse_int=_whole, parse_float=_finite, object_pairs_hook=_object
        )
    except UnicodeDecodeError:
        raise BriefError([Problem("", f"the {what} is not UTF-8 text")]) from None
    except (ValueError, RecursionError) as error:
        where = f" (line {error.lineno}, column {error.colno})" if isinstance(error, json.JSONDecodeError) else ""
        raise BriefError([Problem("", f"the {what} is not JSON: {error!s:.120}{where}")]) from None


def _object(pairs: list[tuple[str, Any]]) -> JsonObject:
    """RFC 8259 leaves open which of two equal names counts, so neither does."""
    value = dict(pairs)
    if len(value) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the name {twice[:40]!r} stands twice in one object")
    return value


def _constant(name: str) -> float:
    raise ValueError(f"{name} is no JSON value")


def _whole(digits: str) -> int:
    if len(digits) > 400:
        raise ValueError(f"a number of {len(digits)} digits is too long")
    return int(digits)


def _finite(digits: str) -> float:
    value = float(digits)
    if value in (float("inf"), float("-inf")):
        raise ValueError(f"the number {digits[:40]} is too large")
    return value


def attachment_problem(name: str) -> str | None:
    """Why `name` cannot be an attachment's file name in the sandbox, or None when it can.

    Any visible Unicode name is fine; separators, control characters, `.`/`..`, reserved and overlong names are not.
    """
    if not name or name in {".", ".."} or "/" in name or "\\" in name:
        return "a file name must not be empty, '.', '..' or contain a slash"
    if any(unicodedata.category(char) in {"Cc", "Cs"} for char in name):
        return "a file name must not contain control characters"
    if len(name.encode("utf-8", "surrogatepass")) > 200:
        return "a file name must be at most 200 bytes long"
    if name.lower() in RESERVED_NAMES:
        return f"{name!r} is reserved for the studio; rename the file"
    return None


def check_attachments(files: Iterable[InputFile], prefix: str = "/attachments") -> None:
    """Refuse odd names, duplicates and too many or too large files. Raises BriefError."""
    problems: list[Problem] = []
    names: set[tuple[str, str]] = set()
    total = 0
    for index, file in enumerate(files):
        where = f"{prefix}/{index}/name"
        if reason := attachment_problem(file.name):
            problems.append(Problem(where, reason))
        if (file.role, file.name) in names:
            problems.append(Problem(where, f"two attachments are called {file.name!r}; rename one"))
        names.add((file.role, file.name))
        total += file.size
    if len(names) > MAX_ATTACHMENTS:
        problems.append(Problem(prefix, f"at most {MAX_ATTACHMENTS} attachments are allowed"))
    if total > MAX_ATTACHMENT_BYTES:
        problems.append(
            Problem(prefix, f"attachments are {total} bytes together; at most {MAX_ATTACHMENT_BYTES} are allowed")
        )
    if problems:
        raise BriefError(problems)


def attachment_references(value: Any, *where: str | int) -> Iterator[tuple[str, str]]:
    """Each attachment that a brief's parameters name, with its JSON Pointer: `photo` fields and entries of `logos`."""
    if isinstance(value, dict):
        for key, item in value.items():
            if key == "photo" and isinstance(item, str):
                yield pointer(*where, key), item
            elif key == "logos" and isinstance(item, list):
                yield from ((pointer(*where, key, index), name) for index, name in enumerate(item))
            else:
                yield from attachment_references(item, *where, key)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from attachment_references(item, *where, index)


def check_references(brief: Brief, names: Iterable[str], *prefix: str) -> None:
    """Refuse a brief that names an attachment which is not among the input files' `names`. Raises BriefError."""
    known = set(names)
    problems = [
        Problem(where, f"there is no attachment called {name!r}; attach it, or take the name out")
        for where, name in attachment_references(brief.params, *prefix, "params")
        if name not in known
    ]
    if problems:
        raise BriefError(problems)


def variant_seeds(seed: int, variants: int) -> list[int]:
    """The seeds of a brief's variants: the first is `seed`, the others lie far from it and from each other.

    Steps by 2³² ÷ the golden ratio keep a sequence well spread (Knuth, The Art of Computer Programming 3, 6.4).
    """
    return [seed, *((seed + number * 2_654_435_769) % 2**32 for number in range(1, variants))]


def file_slug(text: str, limit: int = 60) -> str:
    """A short name of letters, digits and hyphens for downloads; never empty."""
    slug = re.sub(r"[^\w]+", "-", unicodedata.normalize("NFKC", text), flags=re.UNICODE).strip("-")[:limit]
    return slug or "artifact"


def digest(value: JsonObject) -> str:
    """SHA-256 over the canonical JSON of `value`, in hex."""
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
