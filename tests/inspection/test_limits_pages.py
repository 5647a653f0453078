"""Limits of checks of pages: just inside passes, just outside fails and says what to change."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.sandboxes.types import Sandbox
from tests.inspection.boundaries.boundary import assert_each_holds
from tests.inspection.boundaries.of_pages import BOUNDARIES

pytestmark = pytest.mark.thorough


def test_each_holds(bench: Sandbox, darkroom: Sandbox, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with capsys.disabled():
        assert_each_holds(BOUNDARIES, bench, darkroom, tmp_path)
