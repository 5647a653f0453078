"""A sandbox that somebody kills while it starts is lost; it does not mean that none can be started here."""

from __future__ import annotations

import os
import signal
from dataclasses import replace
from pathlib import Path

import pytest

from studio.errors import ConfigurationError, SandboxLost
from studio.sandboxes import engine_for
from studio.sandboxes.image import require
from studio.sandboxes.launching import launch
from studio.sandboxes.local import LocalEngine
from studio.sandboxes.records import Records
from studio.sandboxes.types import SandboxSpec
from studio.settings import Settings
from tests.support.killing import first_is_killed


def test_a_kill_is_a_loss_and_the_next_one_starts(tmp_path: Path) -> None:
    engine = engine_for(Settings(data_dir=tmp_path, engine="local"))
    with first_is_killed(tmp_path) as killed, pytest.raises(SandboxLost):
        engine.start(SandboxSpec()).execute("true")
    assert len(killed) == 1
    sandbox = engine.start(SandboxSpec())
    try:
        assert sandbox.execute("echo here").output == "here\n"
    finally:
        sandbox.kill()
    assert not list(Records(tmp_path).all())


@pytest.mark.parametrize(("signal_", "lost"), [(signal.SIGKILL, True), (signal.SIGTERM, True), (signal.SIGSEGV, False)])
def test_which_ends_are_losses(signal_: signal.Signals, lost: bool, tmp_path: Path) -> None:
    process = launch("sb-killed", SandboxSpec(), require(Settings().image_dir).path, Records(tmp_path))
    os.kill(process.process.pid, signal_)
    assert process.why()
    process.kill()
    process.connection.close()
    assert process.was_killed is lost


def test_ones_own_kill_is_no_loss(tmp_path: Path) -> None:
    process = launch("sb-ended", SandboxSpec(), require(Settings().image_dir).path, Records(tmp_path))
    process.kill()
    process.connection.close()
    assert not process.was_killed


def test_a_launcher_that_is_not_fit_is_a_matter_of_configuration(tmp_path: Path) -> None:
    """An image without the program that begins in it."""
    settings = Settings(data_dir=tmp_path, engine="local")
    empty = tmp_path / "rootfs"
    empty.mkdir()
    tmp_path.chmod(0o755)
    with pytest.raises(ConfigurationError):
        LocalEngine(settings, replace(require(settings.image_dir), path=empty)).start(SandboxSpec())
