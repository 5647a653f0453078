"""The parameters of an open brief: which files are to be made, of which types, and which of them must be there."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import Annotated

from pydantic import AfterValidator, BeforeValidator, Field

from studio.brief import Strict, pointer
from studio.errors import Problem
from studio.kinds.open.media import KNOWN, MediaName, ending_problem, read_media_type

MAX_DELIVERABLES = 20
MAX_PATH_BYTES, MAX_NAME_BYTES, MAX_DEPTH = 400, 200, 8
RESERVED = "_previews"  # the folder below which the studio shows its own pictures of a work


def _safe_path(path: str) -> str:
    """`path` as it is. Raises ValueError with the reason why no file of the output folder can be called so."""
    parts = path.split("/")
    if path.startswith("/"):
        raise ValueError("starts with a slash; write it relative to the output folder, as in chart.svg or data/a.csv")
    if "\\" in path:
        raise ValueError("contains a backslash; divide folders with /")
    if "" in parts or "." in parts or ".." in parts:
        raise ValueError("contains an empty part, '.' or '..'; write the plain path within the output folder")
    if odd := next((char for char in path if unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp")), None):
        raise ValueError(f"contains U+{ord(odd):04X}, which no file name should have; remove it")
    if any(part != part.strip() or part.endswith(".") for part in parts):
        raise ValueError("has a part that begins or ends with a space, or ends with a full stop; remove those")
    if parts[0].casefold() == RESERVED:
        raise ValueError(f"the folder {RESERVED} is the studio's own; choose another")
    longest = max(len(part.encode()) for part in parts)
    if len(parts) > MAX_DEPTH or longest > MAX_NAME_BYTES or len(path.encode()) > MAX_PATH_BYTES:
        raise ValueError(
            f"is too long: at most {MAX_DEPTH} parts of {MAX_NAME_BYTES} bytes each, {MAX_PATH_BYTES} bytes in all"
        )
    return path


class Deliverable(Strict):
    """One file to be made."""

    path: Annotated[str, Field(min_length=1, max_length=400), AfterValidator(_safe_path)] = Field(
        title="File", description="Its path in the output folder.", examples=["index.html"]
    )
    media_type: Annotated[MediaName, BeforeValidator(read_media_type)] = Field(
        title="Type", description=f"A media type: {KNOWN}."
    )
    must: bool = Field(default=False, title="Must be there", description="The first file always must.")


def _first_must(deliverables: list[Deliverable]) -> list[Deliverable]:
    if not deliverables or deliverables[0].must:
        return deliverables
    return [deliverables[0].model_copy(update={"must": True}), *deliverables[1:]]


class OpenParams(Strict):
    """Files of any of the known types. The first is what is shown."""

    deliverables: Annotated[
        list[Deliverable],
        Field(min_length=1, max_length=MAX_DELIVERABLES, title="Files"),
        AfterValidator(_first_must),
    ] = Field(description="What is to be made; the first is shown and must be there, others only where they say so.")

    @property
    def required(self) -> list[str]:
        """The paths of all files that must be there, the entry first."""
        return [each.path for each in self.deliverables if each.must]


def contradictions(params: OpenParams) -> Sequence[Problem]:
    """Names that do not fit a type, stand twice, or would have to be a file and a folder at once."""
    found = []
    seen: dict[str, str] = {}
    for index, each in enumerate(params.deliverables):
        where = pointer("params", "deliverables", index, "path")
        if reason := ending_problem(each.path, each.media_type):
            found.append(Problem(where, reason))
        folded = _folded(each.path)
        if folded in seen:
            found.append(Problem(where, f"{each.path!r} stands twice{_alike(each.path, seen[folded])}; rename one"))
        seen.setdefault(folded, each.path)
    for index, each in enumerate(params.deliverables):
        inside = next(
            (seen[_folded(str(up))] for up in PurePosixPath(each.path).parents if _folded(str(up)) in seen), ""
        )
        if inside:
            message = f"{each.path!r} lies in {inside!r}, which is a file of this brief; choose another folder"
            found.append(Problem(pointer("params", "deliverables", index, "path"), message))
    return found


def _folded(path: str) -> str:
    """Paths that some file systems take for the same are equal here: case and composition of letters do not count."""
    return unicodedata.normalize("NFC", path.casefold())


def _alike(path: str, other: str) -> str:
    return "" if path == other else f" (as {other!r}, which some file systems take for the same)"
