"""Steps of a record: who wrote a file last, and what its calls use."""

from __future__ import annotations

from studio.record.steps import capability_use, last_writers, steps_of
from studio.trajectory import CapabilityUse, Event, ToolCalled, ToolResult
from tests.record.runs import run_of_a_model


def test_a_file_was_written_by_the_last_step_that_changed_it_in_the_last_sandbox() -> None:
    steps = steps_of(run_of_a_model())
    numbers = {step.calls[0].id: step.number for step in steps if step.calls}
    assert last_writers(steps) == {"output/a.txt": numbers["c2"], "make.py": numbers["c3"]}


def test_prepared_programs_write_in_steps_of_one_call() -> None:
    events: list[Event] = []
    for ident, changed in (("1", ["make.py"]), ("2", ["output/a.txt"]), ("3", [])):
        events.append(ToolCalled(id=ident, name="execute_bash", arguments={"command": "ls"}))
        events.append(ToolResult(id=ident, files_changed=changed))
    assert last_writers(steps_of(events)) == {"make.py": 1, "output/a.txt": 2}


def test_times_tokens_and_capabilities_of_steps() -> None:
    steps = steps_of(run_of_a_model())
    (second,) = [step for step in steps if step.calls and step.calls[0].id == "c2"]
    assert (second.model_s, second.tool_s, second.tokens) == (1.5, 0.5, 1040)
    assert capability_use(steps) == CapabilityUse(calls=3)  # their arguments are kept as raw texts
