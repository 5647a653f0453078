"""A sandbox that is killed while it starts is replaced once, as one that is killed later."""

from __future__ import annotations

from studio.settings import Settings
from studio.trajectory import JobStarted, Note
from tests.pipeline.conftest import Studio
from tests.support.killing import first_is_killed


def test_the_second_sandbox_does_the_work(studio: Studio, settings: Settings) -> None:
    with first_is_killed(settings.data_dir) as killed:
        outcome = studio.replay(("execute_bash", '{"command": "echo here > /testbed/output/a"}'))
    assert len(killed) == 1
    assert studio.outputs() == {"a"}, outcome
    assert outcome.reason not in ("configuration", "sandbox_lost")
    assert any("lost" in note.text for note in studio.recorder.of(Note))
    assert studio.recorder.of(JobStarted)
