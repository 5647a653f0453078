"""Every ending of a run, with real sandboxes and inspections: the state, the reason, and what is kept."""

from __future__ import annotations

import json
import time

import pytest

from studio.brief import RunOptions
from studio.errors import Canceled, LeaseLost, SandboxLost
from studio.pipeline.work import Order, header_of
from studio.sandboxes.types import Sandbox, SandboxSpec
from studio.settings import Settings
from studio.trajectory import (
    Event,
    JobStarted,
    ModelFault,
    ModelReply,
    ModelRequest,
    Note,
    Reported,
    SandboxUsed,
    StateChanged,
    ToolCalled,
    ToolResult,
)
from tests.pipeline.conftest import KEY, Studio
from tests.support.openai_server import Answer, bash, fails, says
from tests.support.posters import BRIEF, GOOD, INCOMPLETE, MEND
from tests.support.recorders import MemoryRecorder

SUBMIT = ("submit", {"summary": "Done."})
POSTER = {"poster.svg", "poster.png", "design_specs.md"}
LOOK = bash("ls /testbed/input")


def test_an_accepted_submit_is_published(studio: Studio) -> None:
    outcome = studio.ask(says("I make it.", bash(GOOD)), says("Done.", SUBMIT))
    assert (outcome.state, outcome.reason) == ("published", None)
    assert outcome.report is not None
    assert outcome.report.verdict == "accept"
    assert studio.outputs() == POSTER
    assert (studio.folder / "scripts" / "programs" / "make.sh").is_file()
    assert (studio.folder / "previews" / "thumbnail.webp").is_file()
    assert outcome.usage.steps == 2
    assert (outcome.usage.prompt_tokens, outcome.usage.completion_tokens) == (200, 20)
    assert 0 < (outcome.usage.environment_tokens or 0) < 100
    assert outcome.usage.inspect_s > 0
    types = [event.type for event in studio.recorder.events]
    step = ["model.request", "model.reply", "tool.call"]
    assert types == [
        "job.started", "state", *step, "tool.result", *step, "state", "report", "tool.result",
        "sandbox.used",
    ]  # fmt: skip
    [used] = studio.recorder.of(SandboxUsed)
    figures = (outcome.usage.peak_memory_bytes, outcome.usage.cpu_s, outcome.usage.bytes_written)
    assert (used.peak_memory_bytes, used.cpu_s, used.bytes_written) == figures
    assert None not in figures[1:]
    assert [event.state for event in studio.recorder.of(StateChanged)] == ["running", "inspecting"]


def test_the_model_is_told_the_task_and_finds_its_files(studio: Studio) -> None:
    show = bash("cd /testbed/input; cat run.json; jq -r .title brief.json")
    studio.ask(says(None, show), says("No."), limits={"steps": 2})
    first, second = studio.servers[0].requests
    assert first["messages"][0]["role"] == "system"
    assert "/testbed/input/brief.json" in first["messages"][0]["content"]
    assert "at most 2 steps" in first["messages"][1]["content"]
    shown = next(message for message in second["messages"] if message["role"] == "tool")["content"]
    assert shown == '{"seed": 7}\nOpen Night\n[exit status 0, in /testbed/input]'


def test_what_failed_is_told_and_can_be_mended(studio: Studio) -> None:
    outcome = studio.ask(
        says(None, bash(INCOMPLETE)), says(None, SUBMIT), says(None, bash(MEND)), says(None, SUBMIT), repairs=1
    )
    assert outcome.state == "published"
    refused, accepted = studio.recorder.of(Reported)
    assert (refused.report.verdict, refused.repair, accepted.report.verdict, accepted.repair) == (
        "reject",
        0,
        "accept",
        1,
    )
    told = studio.servers[0].requests[2]["messages"][-1]["content"]
    assert "files.present (must, fail)" in told
    assert "design_specs.md" in told
    assert "possible once more" in told
    assert [e.state for e in studio.recorder.of(StateChanged)] == ["running", "inspecting", "running", "inspecting"]


def test_the_checks_can_be_run_before_a_submit(studio: Studio) -> None:
    studio.ask(
        says(None, bash(f"({INCOMPLETE}); studio-check"), bash(f"{MEND}; bash -c studio-check")), limits={"steps": 1}
    )
    before, after = studio.recorder.of(ToolResult)
    assert before.exit_status == 1
    assert "fail  files.present (must)" in before.output
    assert "design_specs.md" in before.output
    assert after.exit_status == 0, after.output
    assert "\n0 of " in after.output


def test_when_repairs_are_used_up_it_is_rejected_and_kept(studio: Studio) -> None:
    outcome = studio.ask(says(None, bash(INCOMPLETE)), says(None, SUBMIT), repairs=1)
    assert (outcome.state, outcome.reason) == ("rejected", "checks_failed")
    assert "files.present" in outcome.message
    assert len(studio.recorder.of(Reported)) == 2
    assert studio.outputs() == {"poster.svg", "poster.png"}
    assert outcome.report is not None


def test_a_recipe_without_a_further_call_is_rejected_by_its_one_report(studio: Studio) -> None:
    outcome = studio.replay(("execute_bash", json.dumps({"command": INCOMPLETE})), ("submit", ""))
    assert (outcome.state, outcome.reason) == ("rejected", "checks_failed")
    assert len(studio.recorder.of(Reported)) == 1
    assert not studio.recorder.of(ModelReply)
    assert outcome.usage.prompt_tokens is None
    assert outcome.usage.steps == 2


@pytest.mark.parametrize(
    ("command", "state", "reason"),
    [(GOOD, "published", None), (INCOMPLETE, "rejected", "limit_steps"), ("true", "failed", "limit_steps")],
)
def test_at_a_limit_what_lies_there_is_inspected_once(
    studio: Studio, command: str, state: str, reason: str | None
) -> None:
    outcome = studio.ask(says(None, bash(command)), limits={"steps": 1})
    assert (outcome.state, outcome.reason) == (state, reason)
    assert len(studio.recorder.of(Reported)) == (command != "true")


@pytest.mark.parametrize(
    ("command", "state", "reason"),
    [(GOOD, "published", None), (INCOMPLETE, "rejected", "checks_failed"), ("true", "failed", "no_output")],
)
def test_a_model_that_stops_without_submitting_is_nudged_then_judged(
    studio: Studio, command: str, state: str, reason: str | None
) -> None:
    outcome = studio.ask(says(None, bash(command)), says("All done!"))
    assert (outcome.state, outcome.reason) == (state, reason)
    assert len(studio.recorder.of(Note)) == 2
    assert "made no tool call" in studio.servers[0].requests[-1]["messages"][-1]["content"]


def test_repetition_is_nudged_once_then_ends(studio: Studio) -> None:
    outcome = studio.ask(says(None, bash("cat /testbed/nothing")))
    assert (outcome.state, outcome.reason) == ("failed", "stuck")
    assert outcome.usage.steps == 4
    assert [note.text[:20] for note in studio.recorder.of(Note)] == ["The last three steps"]


def test_time_ends_a_command_and_the_run(studio: Studio) -> None:
    outcome = studio.ask(says(None, bash("echo begun; sleep 100", timeout=90)), limits={"time_s": 10, "command_s": 90})
    assert (outcome.state, outcome.reason) == ("failed", "limit_time")
    (result,) = studio.recorder.of(ToolResult)
    assert result.timed_out
    assert "begun" in result.output


def test_tokens_end_a_run_and_the_model_is_told_before(studio: Studio) -> None:
    usage = {"prompt_tokens": 390, "completion_tokens": 10}
    answers = [says(None, bash(f"echo {n}"), usage=usage) for n in range(4)]
    outcome = studio.ask(*answers, limits={"tokens": 1000})
    assert (outcome.state, outcome.reason) == ("failed", "limit_tokens")
    assert outcome.usage.steps == 3
    assert "200 of 1000 tokens" in studio.servers[0].requests[-1]["messages"][-1]["content"]


def test_cost_ends_a_run(studio: Studio) -> None:
    studio.settings = studio.settings.model_copy(update={"price_prompt_usd": 10_000.0})
    outcome = studio.ask(says(None, LOOK), limits={"cost_usd": 0.5})
    assert (outcome.state, outcome.reason) == ("failed", "limit_cost")
    assert outcome.usage.cost_usd == pytest.approx(1.0)


@pytest.mark.parametrize(
    "command",
    ["truncate -s 300M /testbed/output/poster.svg", "cd /testbed/output; for n in $(seq 201); do echo > $n.txt; done"],
)
def test_outputs_over_the_limits_are_never_fetched(studio: Studio, command: str) -> None:
    outcome = studio.ask(says(None, bash(command)), says(None, SUBMIT), repairs=0)
    assert (outcome.state, outcome.reason) == ("rejected", "outputs_too_large")
    assert studio.outputs() == set()
    assert outcome.manifest is not None
    assert outcome.manifest.files


def test_too_large_outputs_can_be_mended(studio: Studio) -> None:
    shrink = bash(f"rm /testbed/output/*; {GOOD}")
    flood = bash("truncate -s 300M /testbed/output/poster.svg")
    outcome = studio.ask(says(None, flood), says(None, SUBMIT), says(None, shrink), says(None, SUBMIT))
    assert outcome.state == "published"
    assert "files.safe" in studio.servers[0].requests[2]["messages"][-1]["content"]


def test_a_refusing_provider_fails_the_run_and_keeps_what_was_made(studio: Studio) -> None:
    outcome = studio.ask(says(None, bash(GOOD)), fails(401, f"bad key {KEY}"))
    assert (outcome.state, outcome.reason) == ("failed", "model_error")
    assert "STUDIO_OPENAI_API_KEY" in outcome.message
    (fault,) = studio.recorder.of(ModelFault)
    assert fault.status == 401
    assert studio.outputs() == POSTER
    assert (studio.folder / "scripts" / "programs" / "make.sh").is_file()
    assert KEY not in outcome.message + fault.message


def dying(studio: Studio, times: int) -> MemoryRecorder:
    """A recorder that kills the sandbox in the middle of a command, so many times: as if the machine had reaped it."""
    deaths: list[str] = []

    def die(text: str) -> None:
        if "begun" in text and len(deaths) < times:
            deaths.append(text)
            studio.recorder.sandboxes[-1].kill()

    return MemoryRecorder(on_live=die)


def test_a_lost_sandbox_is_replaced_once_and_the_model_told(studio: Studio) -> None:
    studio.recorder = dying(studio, times=1)
    outcome = studio.ask(
        says(None, bash("date +%N; echo before > kept.txt")),
        says(None, bash("echo begun; sleep 100")),
        says(None, bash(f"cat kept.txt; {GOOD}")),
        says(None, SUBMIT),
    )
    assert outcome.state == "published"
    assert len(studio.recorder.of(JobStarted)) == 2
    assert len({sandbox.id for sandbox in studio.recorder.sandboxes}) == 2
    asked = studio.servers[0].requests
    assert len(asked) == 4, "no reply is asked for twice"
    assert (outcome.usage.steps, outcome.usage.prompt_tokens) == (4, 400), "and none is counted twice"
    *_, before, fatal, told = asked[2]["messages"]
    assert before["role"] == "assistant"
    assert "lost while this call was under way" in fatal["content"], "what may have ended the first is not done again"
    assert "was lost" in told["content"]
    assert "call 1, execute_bash" in told["content"], "the time of day is another one now"
    assert [result.output.split("\n")[0] for result in studio.recorder.of(ToolResult)][3] == "before"


def test_a_recipe_starts_over_in_a_second_sandbox_then_fails(studio: Studio) -> None:
    studio.recorder = dying(studio, times=2)
    outcome = studio.replay(("execute_bash", '{"command": "echo begun; sleep 100"}'), ("submit", ""))
    assert (outcome.state, outcome.reason) == ("failed", "sandbox_lost")
    assert len(studio.recorder.of(ToolCalled)) == 2


class Switch:
    """Raises an ending once it is switched on, as a recorder does after a cancel."""

    def __init__(self, ending: Exception) -> None:
        self.ending = ending
        self.on_at: float | None = None

    def turn_on(self, *_: object) -> None:
        self.on_at = self.on_at or time.monotonic()

    def check(self) -> None:
        if self.on_at is not None:
            raise self.ending


def test_a_cancel_in_the_middle_of_a_command_kills_the_sandbox_at_once(studio: Studio) -> None:
    switch = Switch(Canceled("a person said so"))
    studio.recorder = MemoryRecorder(
        on_live=lambda text: switch.turn_on() if "begun" in text else None, on_check=switch.check
    )
    outcome = studio.ask(says(None, bash("echo begun; sleep 100; echo late")))
    assert (outcome.state, outcome.reason) == ("canceled", "canceled")
    assert switch.on_at is not None
    assert time.monotonic() - switch.on_at < 20  # not the 100 s of the command
    (sandbox,) = studio.recorder.sandboxes
    with pytest.raises(SandboxLost):
        sandbox.execute("true")


def test_a_cancel_while_a_reply_is_awaited_ends_the_run(studio: Studio) -> None:
    switch = Switch(Canceled("a person said so"))
    studio.recorder = MemoryRecorder(
        on_event=lambda event: switch.turn_on() if isinstance(event, ModelRequest) else None, on_check=switch.check
    )
    outcome = studio.ask(Answer("{}", hold=True))
    assert outcome.state == "canceled"


def test_a_lost_lease_is_not_an_outcome(studio: Studio) -> None:
    studio.recorder = MemoryRecorder(on_check=Switch(LeaseLost("another worker has it")).check)

    def lose(event: Event) -> None:
        if isinstance(event, ToolCalled):
            raise LeaseLost("another worker has it")

    studio.recorder = MemoryRecorder(on_event=lose)
    with pytest.raises(LeaseLost):
        studio.ask(says(None, LOOK))
    with pytest.raises(SandboxLost):
        studio.recorder.sandboxes[0].execute("true")


def test_a_bug_fails_the_run_with_a_reference(studio: Studio, caplog: pytest.LogCaptureFixture) -> None:
    def break_down(event: Event) -> None:
        if isinstance(event, ToolResult):
            raise ZeroDivisionError("no such thing")

    studio.recorder = MemoryRecorder(on_event=break_down)
    outcome = studio.ask(says(None, bash(GOOD)))
    assert (outcome.state, outcome.reason) == ("failed", "internal_error")
    reference = outcome.message.rpartition(" ")[2]
    assert reference in caplog.text
    assert "no such thing" not in outcome.message
    assert studio.outputs() == POSTER


def test_an_inspection_that_cannot_be_had_is_an_inspector_error(studio: Studio) -> None:
    studio.engine = WithoutInspection(studio)  # type: ignore[assignment]
    outcome = studio.ask(says(None, bash(GOOD)), says(None, SUBMIT))
    assert (outcome.state, outcome.reason) == ("failed", "inspector_error")
    assert studio.outputs() == POSTER


class WithoutInspection:
    """An engine on which a second computer, the one that judges, cannot be started."""

    def __init__(self, studio: Studio) -> None:
        self._engine = studio.engine
        self.name = studio.engine.name

    def start(self, spec: SandboxSpec) -> Sandbox:
        if spec.outputs is not None:
            raise SandboxLost("it died at its start")
        return self._engine.start(spec)


def test_every_call_of_a_reply_is_answered_in_order(studio: Studio) -> None:
    calls = [
        ("execute_bash", '{"command": "echo one"'),
        ("fly", {}),
        ("execute_bash", {"cmd": "ls"}),
        ("str_replace_editor", {"command": "create", "path": "/etc/x", "file_text": "x"}),
        ("str_replace_editor", {"command": "create", "path": "/testbed/x", "file_text": "x", "mode": 7}),
        bash("echo three; exit 3"),
        ("submit", {}),
        bash("echo too late"),
    ]
    outcome = studio.ask(says(None, *calls), repairs=0)
    assert (outcome.state, outcome.reason) == ("rejected", "checks_failed")
    results = studio.recorder.of(ToolResult)
    assert [result.id for result in results] == [call.id for call in studio.recorder.of(ToolCalled)]
    said = [result.shown or result.output for result in results]
    assert "not JSON" in said[0]
    assert "no tool called 'fly'" in said[1]
    assert "`command` is missing" in said[2]
    assert "Unknown arguments: cmd" in said[2]
    assert results[3].is_error
    assert "ignored unknown arguments: mode" in said[4]
    assert results[5].exit_status == 3
    assert "Not accepted" in said[6]
    assert "Not run" in said[7]


def test_calls_with_the_same_id_are_told_apart(studio: Studio) -> None:
    studio.ask(says(None, bash("echo 1")), says(None, bash("echo 2")), limits={"steps": 2})
    ids = [event.id for event in studio.recorder.of(ToolCalled)]
    assert len(set(ids)) == 2
    sent = studio.servers[0].requests[1]["messages"]
    assert sent[-2]["tool_calls"][0]["id"] == sent[-1]["tool_call_id"]


def test_the_key_is_masked_wherever_it_turns_up(studio: Studio) -> None:
    half = len(KEY) // 2
    command = f"printf %s {KEY[:half]}; sleep 0.3; echo {KEY[half:]}"
    studio.ask(says(f"The key is {KEY}.", bash(command)), limits={"steps": 1})
    kept = "".join(event.model_dump_json() for event in studio.recorder.events) + studio.recorder.printed
    assert KEY not in kept
    assert "•••" in studio.recorder.printed
    assert "•••" in studio.recorder.of(ToolResult)[0].output


def test_live_output_comes_while_the_command_runs(studio: Studio) -> None:
    before: list[bool] = []
    studio.recorder = MemoryRecorder(on_live=lambda text: before.append(not studio.recorder.of(ToolResult)))
    studio.ask(says(None, bash("for n in 1 2 3; do echo line $n; sleep 0.2; done")), limits={"steps": 1})
    assert "line 1\nline 2\nline 3" in studio.recorder.printed
    assert all(before)


def test_a_header_says_what_made_it(studio: Studio, settings: Settings) -> None:
    model = studio.provider(says("x"))
    header = header_of(Order("test", BRIEF, RunOptions(), (), model, seed=7), "abc")
    assert header.made_by.model == "openai:scripted"
    assert header.run["seed"] == 7
    assert header.image_digest == "abc"
    assert set(header.prompts) == {"system/3", "kind/poster/3", "template/poster/3"}
    assert header.brief == BRIEF
