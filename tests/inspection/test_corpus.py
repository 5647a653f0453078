"""The corpus of right and wrong deliveries, found by STUDIO_TEST_CORPUS: each is judged as it says.

The programs of the corpus run in a sandbox of the image, which has what they need; only what they made is fetched.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path

import pytest

from studio.cli.delivered import stage
from studio.contract import Report
from studio.inspection import inspect
from studio.kinds import all_kinds, get_kind, parse_brief
from studio.sandboxes.types import Engine, Manifest, SandboxSpec, Upload

CORPUS = os.environ.get("STUDIO_TEST_CORPUS", "")
BUILD_S, CORPUS_BYTES = 300.0, 400 << 20

# What the names of a kind's cases begin with; those about the folder itself use several kinds.
PREFIXES = {"poster": "poster-", "travel_map": "map-", "countdown_video": "video-", "piano_piece": "piano-"}

pytestmark = [
    pytest.mark.thorough,
    pytest.mark.skipif(
        not CORPUS, reason="STUDIO_TEST_CORPUS does not name the folder of the corpus (the one with build.py)"
    ),
]


@dataclass
class Case:
    """One delivery, what is expected of its report, and why it is not judged yet, if so."""

    name: str
    folder: Path
    manifest: Manifest
    verdict: str
    fails: frozenset[str]
    warns: frozenset[str]
    waits: str = ""

    @classmethod
    def read(cls, folder: Path, manifest: Manifest) -> Case:
        expected = json.loads((folder / "expected.json").read_text())
        fails, warns = frozenset(expected["fails"]), frozenset(expected.get("warns", ()))
        case = cls(folder.name, folder, manifest, expected["verdict"], fails, warns)
        value = json.loads((folder / "brief.json").read_text())
        if value["kind"] not in all_kinds():
            case.waits = f"no kind {value['kind']} yet"
        return case

    def mistake(self, report: Report) -> str:
        """What is wrong with the report, or nothing."""
        failing = {finding.id for finding in report.checks if finding.verdict == "fail"}
        erred = [finding.id for finding in report.checks if finding.verdict == "error"]
        if erred:
            return f"error in {', '.join(erred)}"
        if self.verdict != report.verdict:
            words = [f"{finding.id}: {finding.message}" for finding in report.failed]
            return f"{report.verdict} instead of {self.verdict}: {' '.join(words)}"
        if lacking := sorted((self.fails | self.warns) - failing):
            return f"{', '.join(lacking)} did not fail"
        return ""


@pytest.fixture(scope="module")
def corpus(engine: Engine, tmp_path_factory: pytest.TempPathFactory) -> list[Case]:
    wanted = [prefix for kind, prefix in PREFIXES.items() if kind in all_kinds()]
    if len(wanted) == len(PREFIXES):
        wanted.append("files-")
    target = tmp_path_factory.mktemp("corpus")
    sandbox = engine.start(SandboxSpec(command_s=int(BUILD_S)))
    try:
        sandbox.upload(Upload(f"/testbed/corpus/{each.name}", each) for each in sorted(Path(CORPUS).glob("*.py")))
        command = [
            "env",
            "LEAFLET_DIST=/opt/studio/web/leaflet",
            "python3",
            "/testbed/corpus/build.py",
            "/testbed/made",
        ]
        status, said, words = sandbox.run([*command, *wanted], timeout_s=BUILD_S)
        assert status == 0, (said + words)[-2000:].decode("utf-8", "replace")
        sandbox.download(sandbox.manifest("/testbed/made"), target, root="/testbed/made", limit=CORPUS_BYTES)
        # Pipes and links are not fetched: what each folder holds is listed where it was made.
        folders = [folder for folder in sorted(target.iterdir()) if (folder / "expected.json").exists()]
        return [Case.read(each, sandbox.manifest(f"/testbed/made/{each.name}/output")) for each in folders]
    finally:
        sandbox.kill()


def test_each_case_is_judged_as_it_says(
    corpus: list[Case], engine: Engine, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    rows, mistakes = [], []
    for case in corpus:
        if case.waits:
            rows.append(f"{case.name:36} waits: {case.waits}")
            continue
        brief = parse_brief(json.loads((case.folder / "brief.json").read_text()))
        staged = tmp_path / case.name
        stage(case.folder / "output", case.manifest, staged)
        tmp_path.chmod(0o755)
        contract = get_kind(brief.kind).contract(brief)
        report = inspect(engine, brief, contract, staged, case.manifest, (), tmp_path / f"{case.name}.previews")
        failing = ", ".join(finding.id for finding in report.failed) or "-"
        mistake = case.mistake(report)
        rows.append(f"{case.name:36} {report.verdict:7} {report.elapsed_s:5.1f} s  {failing}  {mistake}".rstrip())
        if mistake:
            mistakes.append(f"{case.name}: {mistake}")
    with capsys.disabled():
        print("", *rows, sep="\n")  # noqa: T201  # the table is what this test is read for
    assert corpus
    assert not mistakes, "\n".join(mistakes)
