"""The loop around a provider that fails: what is tried again, how long is waited, and what the record tells."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from studio.agent import Budget, Prices
from studio.agent.asking import LAST_TRY_S, ask
from studio.brief import Limits
from studio.errors import Canceled, ContextLengthExceeded, LimitReached, ModelError
from studio.models import Message, Reply
from studio.models.openai import BY_TEXT, OpenAIModel
from studio.models.types import Backoff
from studio.tools import SCHEMAS
from studio.trajectory import ModelFault
from tests.support.openai_server import Answer, OpenAIServer, bash, delta, fails, says, scripted, serving, streams
from tests.support.recorders import MemoryRecorder

HELLO = [Message("system", "You make things."), Message("user", "Make one.")]
QUICK = Backoff(attempts=5, first_s=0.01, most_s=0.02)
FIVE = [fails(500, "out of memory")] * 5


class Asked:
    """One question to a scripted server, and its record."""

    def __init__(self, server: OpenAIServer, recorder: MemoryRecorder, limits: Limits) -> None:
        self.server = server
        self.recorder = recorder
        self.budget = Budget(limits, Prices())

    def ask(self, backoff: Backoff = QUICK, **given: object) -> Reply:
        model = OpenAIModel(scripted(self.server.url, **given), api_key=None, backoff=backoff)
        try:
            return ask(model, HELLO, SCHEMAS, self.recorder, self.budget, 1)
        finally:
            model.close()

    @property
    def faults(self) -> list[tuple[int | None, bool]]:
        """Status of each failed attempt, and whether another one was to follow."""
        return [(fault.status, fault.will_retry_in_s is not None) for fault in self.recorder.of(ModelFault)]


@contextmanager
def asking(*answers: Answer, time_s: int = 60, recorder: MemoryRecorder | None = None) -> Iterator[Asked]:
    with serving(*answers) as server:
        yield Asked(server, recorder or MemoryRecorder(), Limits(time_s=time_s))


def test_429_then_200() -> None:
    with asking(fails(429, "slow down", retry_after="0"), says("Here.")) as asked:
        assert asked.ask().text == "Here."
        assert asked.faults == [(429, True)]
        assert "slow down" in asked.recorder.of(ModelFault)[0].message


def test_what_the_server_asks_for_is_waited() -> None:
    with asking(fails(503, retry_after="0.2"), says("Here.")) as asked:
        started = time.monotonic()
        reply = asked.ask()
        assert time.monotonic() - started >= 0.2
        assert reply.seconds >= 0.2
        assert asked.recorder.of(ModelFault)[0].will_retry_in_s == 0.2


def test_a_wait_leaves_time_for_a_last_try() -> None:
    with asking(fails(429, retry_after="86400"), says("Here."), time_s=int(LAST_TRY_S)) as asked:
        assert asked.ask().text == "Here."
        assert asked.recorder.of(ModelFault)[0].will_retry_in_s == 0.0


def test_five_times_500_ends_it_with_every_attempt_in_the_record() -> None:
    with asking(*FIVE, says("Too late.")) as asked:
        with pytest.raises(ModelError, match=r"500: out of memory.*after 5 attempts") as caught:
            asked.ask()
        assert caught.value.status == 500
        assert asked.faults == [(500, True)] * 4 + [(500, False)]
        assert len(asked.server.requests) == 5


def test_the_waits_grow() -> None:
    waits = [Backoff(first_s=1.0, most_s=6.0).wait_s(failed) for failed in range(1, 6)]
    assert all(
        low <= wait <= high
        for wait, low, high in zip(waits, (0.7, 1.5, 3, 4.5, 4.5), (1.3, 2.6, 5.1, 7.6, 7.6), strict=True)
    )


@pytest.mark.parametrize("answer", [fails(401, "bad key"), fails(403), fails(404), fails(429, "insufficient_quota")])
def test_what_cannot_help_ends_at_once(answer: Answer) -> None:
    with asking(answer, says("No.")) as asked:
        with pytest.raises(ModelError, match="Remedy: "):
            asked.ask()
        assert asked.faults == [(answer.status, False)]


def test_a_stream_that_is_cut_is_asked_for_again_and_nothing_of_it_stays() -> None:
    broken = streams(delta(content="Half of"), done=False, usage=None, cut=True)
    with asking(broken, says("Whole.", bash("ls"))) as asked:
        reply = asked.ask()
        assert (reply.text, len(reply.calls)) == ("Whole.", 1)
        assert asked.faults == [(None, True)]
        assert "broke off" in asked.recorder.of(ModelFault)[0].message
        assert "Half of" in asked.recorder.printed


def test_leaving_out_what_the_server_does_not_know_is_no_lost_attempt() -> None:
    answers = (fails(400, "stream_options: unknown"), fails(400, "this model does not support tools"), says("Fine."))
    with asking(*answers) as asked:
        reply = asked.ask(Backoff(attempts=1))
        assert reply.text == "Fine."
        assert reply.remarks == (BY_TEXT,)
        assert asked.faults == [(400, True), (400, True)]


def test_a_conversation_that_is_too_long_is_left_to_the_caller() -> None:
    with asking(fails(400, "This model's maximum context length is 8192 tokens.")) as asked:
        with pytest.raises(ContextLengthExceeded):
            asked.ask()
        assert asked.faults == []


def test_a_cancel_ends_the_wait() -> None:
    seen: list[float] = []

    def check() -> None:
        seen.append(time.monotonic())
        if len(seen) > 1:
            raise Canceled("canceled on request")

    with asking(fails(500, retry_after="40"), time_s=600, recorder=MemoryRecorder(on_check=check)) as asked:
        with pytest.raises(Canceled):
            asked.ask()
        assert len(asked.server.requests) == 1


def test_a_cancel_ends_the_stream_at_the_server_too() -> None:
    def canceled(_: str) -> None:
        raise Canceled("canceled on request")

    endless = streams(*(delta(content=f"word {n} ") for n in range(4000)), pause_s=0.01)
    with asking(endless, recorder=MemoryRecorder(on_live=canceled)) as asked:
        with pytest.raises(Canceled):
            asked.ask()
        assert asked.server.gone.wait(10)


def test_the_end_of_the_time_ends_a_slow_reply() -> None:
    with asking(Answer("{}", hold=True)) as asked:
        asked.budget = Budget(asked.budget.limits, Prices(), started=time.monotonic() - 59.3)
        with pytest.raises(LimitReached):
            asked.ask()
