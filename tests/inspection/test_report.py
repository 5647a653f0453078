"""What a sandbox prints is a stranger's word: the contract decides what becomes of it."""

from __future__ import annotations

import json
from typing import Any

import pytest

from studio.contract import Check, Contract
from studio.errors import InspectorError
from studio.inspection import REPORT_BYTES, archive, read_report
from studio.sandboxes.types import Manifest, ManifestEntry
from tests.inspection.conftest import ENTRY, Judge
from tests.inspection.pictures import svg, text

CONTRACT = Contract(
    kind="poster",
    entry=ENTRY,
    checks=(Check(id="a", expected="one"), Check(id="b", severity="should", expected="two")),
    unmeasured=("prompt",),
)
MANIFEST = Manifest((ManifestEntry("poster.svg", "file", 5, 8, 0o644, 1, 11),))
PASSES = {"id": "a", "verdict": "pass"}


def told(*checks: dict[str, Any], **more: Any) -> bytes:
    return json.dumps({"verdict": "accept", "checks": list(checks), **more}).encode()


def test_severities_expectations_and_verdict_are_the_contracts() -> None:
    printed = told({**PASSES, "verdict": "fail", "severity": "should", "expected": "nothing"}, {**PASSES, "id": "b"})
    report = read_report(printed, CONTRACT, MANIFEST)
    assert report.verdict == "reject"
    assert [(f.id, f.severity, f.expected) for f in report.checks] == [("a", "must", "one"), ("b", "should", "two")]
    assert report.unmeasured == ["prompt"]


def test_a_check_without_an_answer_is_an_error() -> None:
    report = read_report(told({**PASSES, "id": "b"}, {**PASSES, "id": "elsewhere"}), CONTRACT, MANIFEST)
    assert [(f.id, f.verdict) for f in report.checks] == [("a", "error"), ("b", "pass")]
    assert report.verdict == "error"


def test_of_two_answers_the_first_counts() -> None:
    report = read_report(told({**PASSES, "verdict": "fail"}, PASSES, {**PASSES, "id": "b"}), CONTRACT, MANIFEST)
    assert report.verdict == "reject"


def test_only_files_of_the_manifest_are_listed() -> None:
    def file(path: str, size: int, digest: str = "0" * 64) -> dict[str, Any]:
        return {"path": path, "media_type": "image/svg+xml", "bytes": size, "sha256": digest}

    files = [file("poster.svg", 5), file("poster.svg", 6), file("other.svg", 5), file("poster.svg", 5, "../x")]
    report = read_report(told(PASSES, files=files), CONTRACT, MANIFEST)
    assert [(each.path, each.bytes) for each in report.files] == [("poster.svg", 5)]


@pytest.mark.parametrize(
    "printed",
    [
        b"",
        b"Segmentation fault",
        b'{"checks": 1}',
        b"[" * 100_000,
        told({**PASSES, "verdict": "wonderful"}),
        told(PASSES, previews=[{"path": "../../thumbnail.webp", "width": 1, "height": 1}]),
        told(PASSES, elapsed_s="Infinity"),
        b" " * (REPORT_BYTES + 1),
    ],
)
def test_what_is_no_report_is_an_inspector_error(printed: bytes) -> None:
    with pytest.raises(InspectorError):
        read_report(printed, CONTRACT, MANIFEST)


def test_the_archive_is_the_same_each_time() -> None:
    first = archive()
    archive.cache_clear()
    assert archive() == first


def test_a_check_that_the_inspector_does_not_know(judge: Judge) -> None:
    report = judge({ENTRY: svg(text("Night Swim"))}, "svg.page", "poster.scent")
    assert [finding.verdict for finding in report.checks] == ["pass", "error"]
    assert report.verdict == "error"
