"""Limits of checks: a delivery just inside, which passes, and one just outside, which fails and says what to change.

The real inspector judges them one after the other in one sandbox, each in a folder of its own.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, TypeAlias

from studio.brief import Brief
from studio.cli.delivered import take_manifest
from studio.contract import Check, Contract, Finding
from studio.inspection import describe_to_inspector, read_report
from studio.sandboxes.types import INPUT, Manifest, Sandbox, Upload

ROOT = "/testbed/boundaries"
LIMIT_S = 30.0  # of one inspection
REPORT_BYTES = 64 << 20
HERE = Path(__file__).parent
PROGRAM, ARCHIVE = "inside.py", "inspector.zip"


@dataclass(frozen=True)
class Sparse:
    """A file of so many bytes, all zero."""

    size: int


@dataclass(frozen=True)
class Link:
    """Another name of a file: a hard link or a symbolic one."""

    target: str
    hard: bool = False


Files: TypeAlias = Mapping[str, "bytes | Sparse | Link"]
Place: TypeAlias = Literal["file", "time", "box", "nowhere"]


@dataclass(frozen=True)
class Side:
    """A delivery at one side of a limit: its value in words, its files (or what makes them in a sandbox), arguments."""

    shown: str
    files: Files | Callable[[Sandbox], Files]
    args: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Boundary:
    """One limit of a check. `words` are in the message of the failure: the value, or the remedy; `place` is where."""

    check: str
    limit: str
    inside: Side
    outside: Side
    words: tuple[str, ...]
    args: Mapping[str, object] = field(default_factory=dict)
    place: Place = "file"
    beside: Mapping[str, Mapping[str, object]] = field(default_factory=dict)  # further checks of the contract
    attached: Callable[[Sandbox], Mapping[str, bytes]] | None = None  # what came with the brief


@dataclass(frozen=True)
class Judged:
    """A boundary and what the inspector said of its two sides."""

    boundary: Boundary
    inside: Finding
    outside: Finding

    @property
    def row(self) -> str:
        """Check, limit, and what stood and was measured at each side."""
        sides = [(self.boundary.inside, self.inside), (self.boundary.outside, self.outside)]
        told = [f"{side.shown} → {_short(finding.measured)} {finding.verdict}" for side, finding in sides]
        return f"{self.boundary.check:24} {self.boundary.limit:52} {told[0]:60} {told[1]}"

    @property
    def mistakes(self) -> list[str]:
        """What is wrong with the verdicts and with the evidence of the failure."""
        where, found = f"{self.boundary.check} ({self.boundary.limit})", []
        if self.inside.verdict != "pass":
            found.append(f"{where}: {self.boundary.inside.shown}: {self.inside.verdict}: {self.inside.message}")
        if self.outside.verdict != "fail":
            found.append(f"{where}: {self.boundary.outside.shown}: {self.outside.verdict}: {self.outside.message}")
            return found
        message = self.outside.message
        found += [f"{where}: {words!r} is not in: {message}" for words in self.boundary.words if words not in message]
        if len(message) < 25 or not message.endswith((".", "…")):
            found.append(f"{where}: no sentence: {message}")
        if (place := self._place()) != self.boundary.place:
            found.append(f"{where}: the place is told by {place}, not {self.boundary.place}")
        return found

    def _place(self) -> Place:
        place = self.outside.place
        if place is None:
            return "nowhere"
        if place.box is not None:
            return "box" if place.page is not None else "nowhere"
        return "file" if place.time_s is None else "time"


def _short(measured: object) -> str:
    told = json.dumps(measured, ensure_ascii=False) if not isinstance(measured, str) else measured
    return told if len(told) <= 60 else told[:59] + "…"


def judge(boundaries: Sequence[Boundary], sandbox: Sandbox, maker: Sandbox, folder: Path) -> Iterator[Judged]:
    """What the inspector in `sandbox` says of both sides of each; files that programs make are made in `maker`."""
    contracts: list[tuple[Contract, Manifest]] = []
    uploads = [Upload(f"{ROOT}/{PROGRAM}", HERE / PROGRAM)]
    for boundary in boundaries:
        attached = boundary.attached(maker) if boundary.attached else {}
        uploads += [Upload(str(INPUT / name), content) for name, content in attached.items()]
        for side in (boundary.inside, boundary.outside):
            number = len(contracts)
            files = side.files(maker) if callable(side.files) else side.files
            check = Check(id=boundary.check, expected=boundary.limit, args={**boundary.args, **side.args})  # type: ignore[dict-item]
            others = [Check(id=name, expected="", args=dict(args)) for name, args in boundary.beside.items()]  # type: ignore[arg-type]
            contract = Contract(kind="checks alone", entry="none", checks=(check, *others))
            manifest, sent = _laid_out(files, folder / str(number))
            contracts.append((contract, manifest))
            uploads += [Upload(f"{ROOT}/{number}/outputs/{name}", content) for name, content in sent.items()]
            sparse = {name: each.size for name, each in files.items() if isinstance(each, Sparse)}
            uploads.append(Upload(f"{ROOT}/{number}/sparse.json", json.dumps(sparse).encode()))
            uploads += _described(contract, manifest, f"{ROOT}/{number}")
    archive = next(each for each in _described_all(*contracts[0]) if each.path.endswith(ARCHIVE))
    sandbox.upload([Upload(f"{ROOT}/{ARCHIVE}", archive.content), *uploads])
    argv = ["python3", "-I", f"{ROOT}/{PROGRAM}", ROOT, str(len(contracts))]
    status, said, words = sandbox.run(argv, timeout_s=60 + LIMIT_S * len(contracts), limit=REPORT_BYTES)
    assert status == 0, words[-2000:].decode("utf-8", "replace")
    lines = said.splitlines()
    assert len(lines) == len(contracts)
    found = [read_report(line, *each).checks[0] for line, each in zip(lines, contracts, strict=True)]
    for number, boundary in enumerate(boundaries):
        yield Judged(boundary, found[2 * number], found[2 * number + 1])


def _described_all(contract: Contract, manifest: Manifest) -> list[Upload]:
    brief = Brief(kind="poster", title="A limit", language="en")
    return describe_to_inspector(brief, contract, manifest, ())


def _described(contract: Contract, manifest: Manifest, folder: str) -> list[Upload]:
    """What an inspection is told, put into a folder of its own."""
    wanted = ("contract.json", "brief.json", "manifest.json")
    told = {each.path.rsplit("/", 1)[-1]: each for each in reversed(_described_all(contract, manifest))}
    return [Upload(f"{folder}/{name}", told[name].content) for name in wanted]


def _laid_out(files: Files, folder: Path) -> tuple[Manifest, dict[str, bytes]]:
    """The files laid out on this machine, for the manifest; and what of them is sent: a symbolic link is not."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            path.write_bytes(content)
        elif isinstance(content, Sparse):
            with path.open("wb") as target:
                target.truncate(content.size)
        elif content.hard:
            path.hardlink_to(folder / content.target)
        else:
            path.symlink_to(content.target)
    sent = {name: content for name, content in files.items() if isinstance(content, bytes)}
    return take_manifest(folder), sent


def assert_each_holds(boundaries: Sequence[Boundary], sandbox: Sandbox, maker: Sandbox, folder: Path) -> None:
    """Judge all, print them as a table, and say what is wrong with any."""
    mistakes: list[str] = []
    print()  # noqa: T201  # the table is what these tests are read for
    for judged in judge(boundaries, sandbox, maker, folder):
        print(judged.row)  # noqa: T201
        mistakes += judged.mistakes
    assert not mistakes, "\n".join(mistakes)
