"""Time for one command: as asked for a model's, with slack for a recorded one, as this machine may be slower."""

from __future__ import annotations

import json

from studio.trajectory import ToolResult
from tests.pipeline.conftest import Studio
from tests.support.openai_server import bash, says

SLOW = {"command": "sleep 2; echo done", "timeout": 1}


def result_of(studio: Studio) -> ToolResult:
    return studio.recorder.of(ToolResult)[0]


def test_a_models_command_is_stopped_when_its_time_is_over(studio: Studio) -> None:
    studio.ask(says(None, bash(str(SLOW["command"]), timeout=1)), says(None, ("submit", {})), repairs=0)
    assert result_of(studio).timed_out


def test_a_recorded_command_has_slack_on_a_slower_machine(studio: Studio) -> None:
    studio.replay(("execute_bash", json.dumps(SLOW)), ("submit", "{}"))
    assert (result_of(studio).timed_out, result_of(studio).output) == (False, "done\n")
