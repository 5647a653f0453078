"""Asking a provider for one reply until it gives one: every failed attempt is recorded, and waited for as it asks."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import replace

from studio.agent.attendance import CHECK_S, Attendant
from studio.agent.budget import Budget
from studio.agent.recorder import Recorder
from studio.errors import Canceled, ContextLengthExceeded, ModelError
from studio.models.types import Message, Model, Reply, ToolSchema
from studio.sandboxes.types import OnOutput
from studio.trajectory import ModelFault

LIVE_REPLY = "reply"  # the call id under which the words of a reply under way go to the live view
LAST_TRY_S = 30.0  # a wait that the provider asks for leaves this much of the run's time for the answer


def ask(
    model: Model,
    messages: Sequence[Message],
    tools: Sequence[ToolSchema],
    recorder: Recorder,
    budget: Budget,
    attempt: int,
) -> Reply:
    """The model's reply to `messages`; `seconds` is all that it took, with failed attempts and waits.

    Raises ModelError once no attempt is left or none can help, ContextLengthExceeded (which the caller records), and
    what the recorder raises.
    """
    started = time.monotonic()
    failed = 0
    while True:
        try:
            reply = _attempt(model, messages, tools, recorder, budget)
            return replace(reply, seconds=time.monotonic() - started)
        except ContextLengthExceeded:
            raise
        except ModelError as error:
            failed += error.retry is None or error.retry.counted
            wait = _wait(error, model, failed, budget)
            recorder.record(
                ModelFault(
                    attempt=attempt, status=error.status, message=_words(error, failed, wait), will_retry_in_s=wait
                )
            )
            if wait is None:
                raise ModelError(_words(error, failed, wait), error.status) from None
        _pause(wait, recorder)
        budget.check_time()


def _attempt(
    model: Model, messages: Sequence[Message], tools: Sequence[ToolSchema], recorder: Recorder, budget: Budget
) -> Reply:
    given_up = threading.Event()
    attend = Attendant(recorder, given_up.set, call_id=LIVE_REPLY, deadline=budget.deadline, join_s=0.0)

    def work(on_output: OnOutput) -> Reply:
        def on_text(piece: str) -> None:
            if given_up.is_set():  # nobody waits any more: the provider need not go on
                raise Canceled("the reply is no longer waited for")
            on_output(piece)

        return model.query(messages, tools, budget.time_left(), on_text)

    return attend(work)


def _wait(error: ModelError, model: Model, failed: int, budget: Budget) -> float | None:
    """Seconds until the next attempt; None where there is none."""
    if error.retry is None or failed >= model.backoff.attempts:
        return None
    asked = model.backoff.wait_s(failed) if error.retry.after_s is None else error.retry.after_s
    return round(min(asked, max(0.0, budget.time_left() - LAST_TRY_S)), 3)


def _words(error: ModelError, failed: int, wait: float | None) -> str:
    return f"{error} (after {failed} attempts)" if wait is None and failed > 1 else str(error)


def _pause(seconds: float, recorder: Recorder) -> None:
    """Wait, looking out for a cancel."""
    until = time.monotonic() + seconds
    while (left := until - time.monotonic()) > 0:
        recorder.check()
        time.sleep(min(left, CHECK_S))
    recorder.check()
