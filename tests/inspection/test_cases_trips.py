"""Our own maps, right and wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.sandboxes.types import Engine, Sandbox
from tests.inspection.cases.case import judge_cases
from tests.inspection.cases.trips import CASES

pytestmark = pytest.mark.thorough


@pytest.mark.parametrize("quick", [True, pytest.param(False, marks=pytest.mark.slow)])
def test_each_is_judged_as_it_deserves(
    quick: bool, engine: Engine, darkroom: Sandbox, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cases = [case for case in CASES if case.quick is quick]
    with capsys.disabled():
        mistakes = judge_cases(cases, engine, darkroom, tmp_path)
    assert not mistakes, "\n".join(mistakes)
