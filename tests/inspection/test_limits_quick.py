"""Limits of checks that need no browser: just inside passes, just outside fails and says what to change."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.sandboxes.types import Sandbox
from tests.inspection.boundaries import of_files, of_pictures, of_pieces
from tests.inspection.boundaries.boundary import assert_each_holds

QUICK = [*of_files.BOUNDARIES, *of_pictures.BOUNDARIES, *of_pieces.BOUNDARIES]


def test_each_holds(bench: Sandbox, darkroom: Sandbox, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with capsys.disabled():
        assert_each_holds(QUICK, bench, darkroom, tmp_path)
