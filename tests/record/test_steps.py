"""Steps of a record: who wrote a file last, and what its calls use."""

from __future__ import annotations

from studio.record.files import last_writers
from studio.record.steps import capability_use, steps_of
from studio.trajectory import CapabilityUse, Event, ModelRequest, ToolCalled, ToolResult
from tests.record.runs import bash, run_of_a_model, turn


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


def test_a_call_says_from_which_step_on_the_model_saw_less_of_it() -> None:
    folds = ModelRequest(messages_sha256="", messages_bytes=1, messages_count=1, folded=1, newly_folded=["c1"])
    leaves_out = folds.model_copy(update={"newly_folded": [], "newly_left_out": ["c1"], "left_out": 1})
    events: list[Event] = [
        *turn(bash("c1", "ls"), "one", output_file="/tmp/.studio-output/1.log"),
        *(folds, *turn(bash("c2", "ls"), "two")[1:], leaves_out, *turn(bash("c3", "ls"), "three")[1:]),
    ]
    first, second, third = (step for step in steps_of(events) if step.number)
    (call,) = first.calls
    assert (call.folded_at, call.left_out_at, call.again) == (2, 3, "/tmp/.studio-output/1.log")
    assert second.calls[0].folded_at is None
    assert third.request == leaves_out
