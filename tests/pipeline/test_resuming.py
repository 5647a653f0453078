"""What is taken up of a conversation's record: its replies in order, a person's words at their place, what was lost."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from studio.agent import Budget, Prices
from studio.brief import Limits
from studio.pipeline.resuming import LOST_UNDER_IT, Resumption, count_before, used_before
from studio.trajectory import (
    Call,
    Event,
    JobStarted,
    ModelReply,
    ModelRequest,
    NetworkUsed,
    Note,
    SandboxUsed,
    StateChanged,
    ToolCalled,
    ToolResult,
)


def begun(seq: int) -> JobStarted:
    return JobStarted(seq=seq, engine="local", limits={}, network="none")


def asked(seq: int) -> ModelRequest:
    return ModelRequest(seq=seq, messages_sha256="", messages_bytes=0, messages_count=0)


def call(name: str) -> Call:
    return Call(id=name, name="execute_bash", arguments=f'{{"command": "{name}"}}')


def replied(seq: int, *names: str, replayed: int | None = None) -> ModelReply:
    return ModelReply(seq=seq, calls=[call(name) for name in names], replayed=replayed)


def called(seq: int, name: str) -> ToolCalled:
    return ToolCalled(seq=seq, id=name, name="execute_bash")


def came(seq: int, name: str, output: str = "as ever", status: int = 0) -> ToolResult:
    return ToolResult(seq=seq, id=name, output=output, exit_status=status)


FIRST: list[Event] = [
    *(begun(1), asked(2), replied(3, "a"), called(4, "a"), came(5, "a")),
    Note(seq=6, author="person", text="make it blue"),
    *(asked(7), replied(8, "b", "c"), called(9, "b"), came(10, "b"), called(11, "c")),
]


def gone_through(past: Resumption, outputs: dict[str, str]) -> list[str]:
    """What an agent does with it, in words."""
    story: list[str] = []
    while True:
        story += [f"{note.author}: {note.text}" for note in past.notes()]
        told = past.reply()
        if told is None:
            return story
        for one in told.reply.calls:
            answer = past.instead(one)
            story.append(f"{one.id}{' not run' if answer else ''}")
            past.came(came(0, one.id, answer.shown if answer else outputs.get(one.id, "as ever")))


def test_a_persons_words_stand_at_their_place_and_differences_are_told_at_the_end() -> None:
    *story, last = gone_through(Resumption(FIRST), {"b": "another thing"})
    assert story == ["a", "person: make it blue", "b", "c"], "a call under way when the worker died is carried out"
    assert last.startswith("studio: The computer that you worked on was lost.")
    assert "- call 2, execute_bash" in last
    assert "call 1" not in last
    assert "call 3" not in last, "of it nothing is known"


def test_a_call_that_the_computer_was_lost_under_is_not_carried_out_again() -> None:
    *story, last = gone_through(Resumption(FIRST, lost="out of memory"), {})
    assert story == ["a", "person: make it blue", "b", "c not run"]
    assert "(out of memory)" in last
    second: list[Event] = [
        *(*FIRST, begun(12), replied(13, "a", replayed=3), called(14, "a"), came(15, "a")),
        Note(seq=16, author="person", text="make it blue", replayed=6),
        *(replied(17, "b", "c", replayed=8), called(18, "b"), came(19, "b")),
        *(called(20, "c"), came(21, "c", LOST_UNDER_IT)),
        *(Note(seq=22, text="The computer …"), asked(23), replied(24, "d"), called(25, "d"), came(26, "d")),
    ]
    *story, _ = gone_through(Resumption(second), {})
    assert story == ["a", "person: make it blue", "b", "c not run", "d"], "nor by the next worker; each once"


def test_what_was_paid_and_not_repeated_is_known_and_a_lost_reply_is_marked() -> None:
    past = Resumption([*FIRST, came(12, "c"), asked(13)])
    assert "2 replies are repeated" in past.begins
    assert "event 13 was lost on its way" in past.begins
    assert len(past.rest) == 2
    past.reply()
    assert len(past.rest) == 1
    untouched = Resumption([begun(1), asked(2)])
    assert untouched.rest == ()
    assert untouched.notes() == []
    assert "event 2" in untouched.begins


def test_what_earlier_attempts_took_is_summed_without_the_wait_between_them() -> None:
    noon = datetime(2026, 3, 1, 12, tzinfo=UTC)

    def at(event: Event, seconds: int, attempt: int) -> Event:
        return event.model_copy(update={"at": noon + timedelta(seconds=seconds), "attempt": attempt})

    took = ToolResult(seq=6, id="a", seconds=7.0)
    judged = ToolCalled(seq=7, id="s", name="submit")
    events = [
        at(StateChanged(seq=1, state="queued"), 0, 1),
        *(at(begun(2), 600, 1), at(called(3, "a"), 601, 1), at(took, 640, 1)),
        at(StateChanged(seq=8, state="queued"), 5000, 1),
        *(at(begun(9), 6000, 2), at(judged, 6001, 2), at(ToolResult(seq=11, id="s", seconds=3.0), 6010, 2)),
    ]
    used = used_before(events)
    assert (used.wall_s, used.tool_s, used.inspect_s) == (50.0, 7.0, 3.0)
    assert Resumption(events).repeats_s == 0.0, "no reply is there to repeat"
    budget = Budget(Limits(), Prices())
    events.append(at(SandboxUsed(peak_memory_bytes=5, cpu_s=1.5, bytes_written=7), 6010, 2))
    events.append(at(NetworkUsed(host="mirror", port=80, bytes=9, admitted=True), 6010, 2))
    count_before(events, budget)
    assert (budget.usage.cpu_s, budget.usage.peak_memory_bytes, budget.usage.fetched[0].bytes) == (1.5, 5, 9)
    assert budget.before_s == budget.usage.wall_s > 0
