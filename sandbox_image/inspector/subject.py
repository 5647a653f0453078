"""What is judged: contract, brief, manifest and the folder of outputs; and what one check answers."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias, TypeVar, cast

Json: TypeAlias = Any  # a JSON value
Box: TypeAlias = tuple[float, float, float, float]  # x, y, width, height
T = TypeVar("T")


class Unfit(Exception):
    """A file is missing, broken or too heavy, so what was asked of it does not hold: the check fails."""

    def __init__(self, message: str, file: str | None = None) -> None:
        self.file = file
        super().__init__(message)


@dataclass(frozen=True)
class Spot:
    """A place that a finding is about (studio.contract.Place); without `page` it is that of the file (`places`)."""

    box: Box | None = None
    label: str = ""
    time_s: float | None = None
    until_s: float | None = None
    page: Box | None = None
    file: str | None = None  # else that of the evidence


@dataclass(frozen=True)
class Evidence:
    """What one check found. `message` tells the maker what to change; `spots`, where there are any, are all places."""

    passed: bool
    measured: Json = None
    message: str = ""
    file: str | None = None
    box: Box | None = None
    time_s: float | None = None
    spots: tuple[Spot, ...] = ()


@dataclass(frozen=True)
class Entry:
    """One name of the manifest (SCHEMAS.md, Manifest)."""

    path: str
    type: str
    size: int
    nlink: int = 1
    inode: int = 0
    link_target: str | None = None
    encodable: bool = True


@dataclass(frozen=True)
class Asked:
    """One check of the contract: its id and the arguments to measure it by."""

    id: str
    args: dict[str, Json]

    @property
    def file(self) -> str | None:
        """The one deliverable that is looked at, where it is one."""
        found = self.args.get("file")
        return found if isinstance(found, str) else None

    @property
    def name(self) -> str:
        """What tells this check from the others of its contract: a check may be there once for each file."""
        return f"{self.id} {self.file}" if self.file else self.id


@dataclass
class Subject:
    """One delivery under inspection. A group's process has its own; nothing is shared between groups."""

    kind: str
    entry: str
    checks: tuple[Asked, ...]
    brief: dict[str, Json]
    entries: tuple[Entry, ...]
    truncated: bool
    outputs: Path
    lost: frozenset[str] = frozenset()  # stages that hung or crashed in an earlier process of this group
    facts: dict[str, Json] = field(default_factory=dict)
    on_stage: Callable[[str | None], None] = lambda name: None
    _shared: dict[str, Any] = field(default_factory=dict)
    _noted: dict[str, str] = field(default_factory=dict)  # which file each name's facts are about

    @classmethod
    def read(cls, folder: Path, outputs: Path) -> Subject:
        """The subject that the studio described in `folder` (contract.json, brief.json, manifest.json)."""
        contract = json.loads((folder / "contract.json").read_bytes())
        manifest = json.loads((folder / "manifest.json").read_bytes())
        names = Entry.__dataclass_fields__
        return cls(
            kind=contract["kind"],
            entry=contract["entry"],
            checks=tuple(Asked(item["id"], item["args"]) for item in contract["checks"]),
            brief=json.loads((folder / "brief.json").read_bytes()),
            entries=tuple(Entry(**{k: v for k, v in e.items() if k in names}) for e in manifest["entries"]),
            truncated=manifest["truncated"],
            outputs=outputs,
        )

    def note(self, path: str, name: str, values: dict[str, Json]) -> None:
        """Facts under a name, for a viewer: of the entry where it has such facts, else of the first file that has."""
        noted = self._noted.get(name)
        if noted in (None, path) or path == self.entry:
            known = self.facts.get(name, {}) if noted == path else {}
            self.facts[name] = {**known, **values}
            self._noted[name] = path

    def file(self, path: str) -> Path:
        """Where the deliverable `path` can be read. Raises Unfit when it is not there as a regular file."""
        found = next((entry for entry in self.entries if entry.path == path and entry.encodable), None)
        if found is None:
            raise Unfit(f"{path} is missing; write it into the output folder.", path)
        if found.type != "file":
            raise Unfit(f"{path} is a {found.type}, not a regular file; write the content itself.", path)
        target = self.outputs / path
        if target.is_symlink() or not target.is_file():
            raise Unfit(f"{path} was not read, as the outputs break `files.safe`; mend that first.", path)
        return target

    def bytes_of(self, path: str, limit: int = 64 << 20) -> bytes:
        """The content of a deliverable. Raises Unfit when it is missing or above `limit` bytes."""
        target = self.file(path)
        if (size := target.stat().st_size) > limit:
            raise Unfit(f"{path} has {size} bytes; more than {limit >> 20} MiB are not read. Make it smaller.", path)
        return target.read_bytes()

    def shared(self, stage: str, make: Callable[[], T]) -> T:
        """What `make` gives, made once per process and used by several checks.

        A stage that failed is not tried again. Nor is one that hung or crashed in an earlier process of the group:
        TimeoutError is raised at once.
        """
        if stage in self.lost:
            raise TimeoutError(f"{stage} hung or crashed before")
        if stage not in self._shared:
            self.on_stage(stage)
            try:
                self._shared[stage] = make()
            except (Unfit, TimeoutError) as problem:
                self._shared[stage] = problem
            finally:
                self.on_stage(None)
        value = self._shared[stage]
        if isinstance(value, Unfit):
            raise Unfit(str(value), value.file)
        if isinstance(value, TimeoutError):
            raise TimeoutError(str(value))
        return cast(T, value)
