"""The verdict on a run's outputs: fetch them, inspect them in a fresh sandbox, and tell the agent what failed."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from pathlib import Path

from studio.agent import Attendant, Budget, Recorder
from studio.brief import Brief, InputFile
from studio.contract import Contract, Finding, Report
from studio.errors import InspectorError, SandboxLost, SandboxRefused
from studio.inspection import inspect
from studio.models.types import Picture
from studio.pipeline.started import StartedSandboxes
from studio.pipeline.workplace import fetch_outputs, over_limits
from studio.sandboxes.types import Manifest, Sandbox
from studio.tools import Submission
from studio.tools.looking import look
from studio.trajectory import Reported, StateChanged

MAX_LISTED = 40
MAX_SENTENCE = 600
MAX_SHOWN = 4  # previews after one submit

STILL_WRITING = (
    "The outputs changed while they were being fetched, so they were not inspected. Stop the programs that still write "
    "into /testbed/output, then submit again."
)


@dataclass(frozen=True)
class Case:
    """What is judged by what: the brief with its contract and attachments, and the folder that results go to."""

    brief: Brief
    contract: Contract
    inputs: tuple[InputFile, ...]
    folder: Path
    repairs: int
    attempt: int
    owner: str  # the job that its sandboxes belong to
    shows_pictures: bool = False  # to whoever submits


class Judge:
    """Judges the outputs of one sandbox; keeps the last manifest and report."""

    def __init__(
        self, case: Case, sandbox: Sandbox, engine: StartedSandboxes, recorder: Recorder, budget: Budget
    ) -> None:
        self.case = case
        self.manifest: Manifest | None = None
        self.report: Report | None = None
        self.too_large: str | None = None
        self.submissions = 0
        self._sandbox = sandbox
        self._engine = engine
        self._recorder = recorder
        self._budget = budget

    @property
    def output(self) -> Path:
        return self.case.folder / "output"

    def submit(self, summary: str) -> Submission:
        """What `submit` comes to. The run ends when nothing failed that a repair could mend, or no repair is left."""
        try:
            report = self.judge(repair=self.submissions)
        except SandboxRefused:
            self._state("running")
            return Submission(STILL_WRITING, ends=False)
        self.submissions += 1
        left = self.case.repairs - (self.submissions - 1)
        ends = report.verdict != "reject" or left <= 0
        if not ends:
            self._state("running")
        words = describe(report, repairs_left=0 if ends else left)
        if ends or not self.case.shows_pictures:
            return Submission(words, ends=ends)
        pictures = self._previews(report)
        if pictures:
            words += f"\nThe inspection's own pictures of it follow: {', '.join(name for name, _ in pictures)}."
        return Submission(words, ends=ends, pictures=tuple(picture for _, picture in pictures))

    def _previews(self, report: Report) -> list[tuple[str, Picture]]:
        """The inspector's pictures, sized in the agent's sandbox; those that cannot be had are left out."""
        attend = Attendant(self._recorder, self._engine.kill_all)
        shown: list[tuple[str, Picture]] = []
        for preview in report.previews[:MAX_SHOWN]:
            content = (self.case.folder / "previews" / preview.path).read_bytes()
            found = attend(lambda _, content=content: look(self._sandbox, content))  # type: ignore[misc]
            if isinstance(found, Picture):
                shown.append((preview.path, found))
        return shown

    def look(self) -> Manifest:
        """What lies in the output folder now."""
        self.manifest = Attendant(self._recorder, self._engine.kill_all)(lambda _: self._sandbox.manifest())
        return self.manifest

    def judge(self, repair: int) -> Report:
        """Inspect what lies in the output folder now. Raises InspectorError, or SandboxRefused while it still grows."""
        self._state("inspecting")
        started = time.monotonic()
        contract = self.case.contract
        attend = Attendant(self._recorder, self._engine.kill_all)
        try:
            manifest, self.report = self.look(), None
            self.too_large = over_limits(manifest, contract.max_files, contract.max_bytes)
            self._fetch(attend, manifest)
            report = attend(lambda _: self._inspect(manifest))
        finally:
            self._budget.usage.inspect_s += time.monotonic() - started
        self.report = report
        self._recorder.record(Reported(attempt=self.case.attempt, report=report, repair=repair))
        return report

    def keep(self) -> None:
        """Fetch what lies there without judging it, within the limits."""
        contract, manifest = self.case.contract, self.look()
        if over_limits(manifest, contract.max_files, contract.max_bytes) is None:
            fetch_outputs(self._sandbox, manifest, self.output, contract.max_bytes)

    def _inspect(self, manifest: Manifest) -> Report:
        case = self.case
        try:
            return inspect(
                self._engine,
                case.brief,
                case.contract,
                self.output,
                manifest,
                case.inputs,
                case.folder / "previews",
                owner=case.owner,
            )
        except SandboxLost as error:  # the judging one: the agent's is not to be replaced for that
            raise InspectorError(f"the sandbox of the inspection was lost: {error}") from None

    def _fetch(self, attend: Attendant, manifest: Manifest) -> None:
        wanted = Manifest() if self.too_large else manifest
        attend(lambda _: fetch_outputs(self._sandbox, wanted, self.output, self.case.contract.max_bytes))

    def _state(self, state: str) -> None:
        self._recorder.record(StateChanged(attempt=self.case.attempt, state=state))


def describe(report: Report, repairs_left: int) -> str:
    """The report in words for the agent: each check that did not pass, what was expected and what was measured."""
    if report.verdict == "accept":
        shoulds = [_line(finding) for finding in report.failed]
        return "\n".join(["Accepted: every must-check passed.", *shoulds[:MAX_LISTED]])
    failed = report.failed
    musts = sum(finding.severity == "must" for finding in failed)
    of = sum(finding.severity == "must" for finding in report.checks)
    lines = [f"Not accepted: {musts} of {of} checks that must pass did not."]
    lines += [_line(finding) for finding in failed[:MAX_LISTED]]
    if len(failed) > MAX_LISTED:
        lines.append(f"… and {len(failed) - MAX_LISTED} more.")
    if repairs_left:
        times = "once more" if repairs_left == 1 else f"{repairs_left} more times"
        lines.append(f"Mend what must pass and submit again; that is possible {times}. A should does not block.")
    else:
        lines.append("No repair is left; the run ends here.")
    return "\n".join(lines)


def _line(finding: Finding) -> str:
    parts = [f"- {finding.id} ({finding.severity}, {finding.verdict}): {finding.message[:MAX_SENTENCE]}"]
    if finding.expected:
        parts.append(f"expected {finding.expected[:MAX_SENTENCE]}")
    if finding.measured is not None:
        parts.append(f"measured {json.dumps(finding.measured, ensure_ascii=False)[:MAX_SENTENCE]}")
    if finding.place is not None:
        place = finding.place
        where = place.file
        if place.box is not None:
            where += " at " + ", ".join(f"{value:g}" for value in place.box)
        if place.time_s is not None:
            where += f" at {place.time_s:g} s"
        parts.append(where)
    return " | ".join(parts)
