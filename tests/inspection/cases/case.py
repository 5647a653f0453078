"""Deliveries as people and models make them, each with the verdict that is right and how one gets there.

Every case is made by a program here and judged whole, by all checks of its kind's contract.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from studio.brief import Brief
from studio.cli.delivered import stage, take_manifest
from studio.contract import Report
from studio.inspection import inspect
from studio.kinds import get_kind, parse_brief
from studio.sandboxes.types import Engine, Sandbox

Files: TypeAlias = Mapping[str, str | bytes]


@dataclass(frozen=True)
class Case:
    """One delivery. `fails` are the checks that must fail, of an accepted one those that only warn.

    Those that are `quick` are judged in every run of the tests, the others in the long one.
    """

    name: str
    verdict: Literal["accept", "reject"]
    how: str  # how a person or a model gets there
    brief: Brief
    make: Callable[[Sandbox], Files]
    fails: tuple[str, ...] = ()
    quick: bool = False


def judge_cases(cases: Sequence[Case], engine: Engine, darkroom: Sandbox, folder: Path) -> list[str]:
    """Judge all, two at a time, and print them as a table; what is wrong with the verdicts."""
    folder.chmod(0o755)
    made = [case.make(darkroom) for case in cases]

    def one(number: int) -> Report:
        return _judge(cases[number], made[number], engine, folder / str(number))

    with ThreadPoolExecutor(2) as pool:
        reports = list(pool.map(one, range(len(cases))))
    mistakes = [_mistake(case, report) for case, report in zip(cases, reports, strict=True)]
    print()  # noqa: T201  # the table is what these tests are read for
    for case, report, mistake in zip(cases, reports, mistakes, strict=True):
        failing = ", ".join(finding.id for finding in report.failed) or "-"
        mark = "  <- " + mistake if mistake else ""
        print(f"{case.name:44} {report.verdict:7} {failing}  ({case.how}){mark}")  # noqa: T201
    return [mistake for mistake in mistakes if mistake]


def _judge(case: Case, files: Files, engine: Engine, folder: Path) -> Report:
    delivered, staged = folder / "delivered", folder / "staged"
    for name, content in files.items():
        (delivered / name).parent.mkdir(parents=True, exist_ok=True)
        (delivered / name).write_bytes(content.encode() if isinstance(content, str) else content)
    folder.chmod(0o755)
    manifest = take_manifest(delivered)
    stage(delivered, manifest, staged)
    brief = parse_brief(case.brief)
    return inspect(engine, brief, get_kind(brief.kind).contract(brief), staged, manifest, (), folder / "previews")


def _mistake(case: Case, report: Report) -> str:
    failing = {finding.id for finding in report.failed}
    said = " ".join(f"{finding.id}: {finding.message}" for finding in report.failed)
    if report.verdict != case.verdict:
        return f"{case.name}: {report.verdict} instead of {case.verdict}. {said}"
    if lacking := sorted(set(case.fails) - failing):
        return f"{case.name}: {', '.join(lacking)} did not fail. {said}"
    if case.verdict == "accept" and (more := sorted(failing - set(case.fails))):
        return f"{case.name}: {', '.join(more)} failed. {said}"
    return ""
