"""Spoiled files of every format, many in one sandbox: the inspector answers each check, in time, and accepts nothing
that ffmpeg or Chromium cannot show."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from studio.contract import Check, Contract
from studio.inspection import archive
from studio.sandboxes.types import Engine, Sandbox, SandboxSpec, Upload
from tests.inspection.fuzz.wholes import CHECKS, checks_of, wholes

pytestmark = pytest.mark.thorough

SEED = 20260807
FEW, MANY, BATCH = 20, 500, 20
FEW_FROM = 80  # numbers with no drawing or page that needs its limit of time
WHOLE_LIMIT_S = 115.0  # of one inspection: what the inspector gives itself, and a little
FOLDER = "/testbed/fuzz"
HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def sandbox(engine: Engine) -> Iterator[Sandbox]:
    one = engine.start(SandboxSpec())
    files = [Upload(f"{FOLDER}/{name}", HERE / name) for name in ("inside.py", "mutations.py", "markup_mutations.py")]
    one.upload([*files, Upload(f"{FOLDER}/inspector.zip", archive())])
    one.upload(Upload(f"{FOLDER}/seed.{name}", content) for name, content in wholes(one).items())
    yield one
    one.kill()


def fuzz(sandbox: Sandbox, format_: str, first: int, count: int, *, all_checks: bool = True) -> list[dict[str, Any]]:
    """What came of the spoiled files with these numbers."""
    wanted = checks_of(format_, all_checks)
    checks = tuple(Check(id=each, expected="", args=args) for each, args in wanted.items())
    contract = Contract(kind="fuzz", entry="none", checks=checks)
    sandbox.upload([Upload(f"{FOLDER}/contract.json", contract.model_dump_json().encode())])
    argv = ["python3", "-I", f"{FOLDER}/inside.py", FOLDER, format_, str(SEED), str(first), str(count)]
    status, said, words = sandbox.run(argv, timeout_s=60.0 + WHOLE_LIMIT_S * count, limit=8 << 20)
    assert status == 0, f"{format_}, seed {SEED}, {first}…: {words[-1500:].decode('utf-8', 'replace')}"
    return [json.loads(line) for line in said.splitlines()]


def faults(format_: str, found: list[dict[str, Any]], wanted: int, *, all_checks: bool = True) -> list[str]:
    """What is wrong with the inspector's answers, each with what it takes to see it again."""
    asked = checks_of(format_, all_checks).keys()
    told = [] if len(found) == wanted else [f"{len(found)} of {wanted} files were answered"]
    for each in found:
        where = f"{format_}, seed {SEED}, number {each['number']} ({each['way']})"
        if "crash" in each:
            told.append(f"{where}: the inspector crashed: {each['crash']}")
        elif each["verdicts"].keys() != asked:
            told.append(f"{where}: answered {sorted(each['verdicts'])}")
        elif each["seconds"] > WHOLE_LIMIT_S:
            told.append(f"{where}: took {each['seconds']} s")
        elif each["shown"] is False:
            told.append(f"{where}: was accepted and cannot be shown")
        told += [
            f"{where}: {name}: {words}" for name, words in each.get("said", {}).items() if "inspector failed" in words
        ]
    return told


@pytest.mark.parametrize("format_", CHECKS)
def test_a_few(format_: str, sandbox: Sandbox) -> None:
    found = fuzz(sandbox, format_, FEW_FROM, FEW, all_checks=False)
    assert not (wrong := faults(format_, found, FEW, all_checks=False)), "\n".join(wrong)
    assert any("fail" in each["verdicts"].values() for each in found)


@pytest.mark.slow
@pytest.mark.parametrize("format_", CHECKS)
def test_many(format_: str, sandbox: Sandbox, capsys: pytest.CaptureFixture[str]) -> None:
    found: list[dict[str, Any]] = []
    for first in range(0, MANY, BATCH):
        found += fuzz(sandbox, format_, first, BATCH)
    verdicts = Counter(
        "error" if "error" in (all_ := set(each["verdicts"].values())) else "reject" if "fail" in all_ else "accept"
        for each in found
    )
    seconds = [each["seconds"] for each in found]
    with capsys.disabled():
        print(f"\n{format_:9}", dict(verdicts), f"{sum(seconds):.0f} s, longest {max(seconds):.1f} s")  # noqa: T201
    assert not (wrong := faults(format_, found, MANY)), "\n".join(wrong)
