"""The loop between a model and a sandbox: run → step → query → execute, within budgets.

Each event is recorded before the next thing happens. A run ends by name: `run` returns how it ended, or raises
LimitReached, Stuck, Canceled, LeaseLost, ModelError or SandboxLost.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from enum import Enum

from studio.agent.asking import ask
from studio.agent.attendance import Attendant
from studio.agent.budget import Budget
from studio.agent.context import Context
from studio.agent.fetching import record_network
from studio.agent.folding import fold_pictures
from studio.agent.past import NoPast, Past, Repeated
from studio.agent.recorder import Recorder
from studio.agent.repetition import Repetition
from studio.errors import ContextLengthExceeded, ModelError, Stuck
from studio.models.types import Message, Model, Picture, Reply
from studio.sandboxes.types import Sandbox
from studio.tools import SCHEMAS, Answer, Submission, Workbench, answer_call
from studio.trajectory import Call, ModelFault, ModelReply, ModelRequest, Note, ToolCalled, ToolResult, parsed

MAX_KEPT_CHARS = 1 << 20
SLACK = 3.0  # times as long as asked, for a recorded command
SILENT_REPLIES = 2  # replies without a call that are answered with a nudge; the next one ends the run

NO_CALL = (
    "That reply made no tool call, so nothing happened. Go on by calling a tool; when the files in /testbed/output are "
    "ready, call submit."
)
PICTURES = "What is to be seen"
NO_PICTURES = (
    "The server takes no pictures; from here on the model is told of them in words. Remedy: set images = false in the "
    "model's table of studio.toml."
)
PERSON_SAYS = "A word from the person who asked for this, given while you work:\n\n{}"
AFTER_THE_END = "Not run: the submit before it ended the run."


class Finish(Enum):
    """How a run came to its end by itself."""

    SUBMITTED = "submitted"  # a submit that ends the run
    STOPPED = "stopped"  # the model makes no more calls
    EXHAUSTED = "exhausted"  # a recipe or a replay has no further call


class Agent:
    """One conversation with one sandbox. `allowed` is called before each paid step; it raises LimitReached."""

    def __init__(
        self,
        model: Model,
        sandbox: Sandbox,
        recorder: Recorder,
        budget: Budget,
        submit: Callable[[str], Submission],
        messages: Sequence[Message],
        *,
        attempt: int = 1,
        past: Past | None = None,
        allowed: Callable[[], None] = lambda: None,
        notes: Callable[[], Sequence[Note]] = tuple,
    ) -> None:
        self.model = model
        self.sandbox = sandbox
        self.recorder = recorder
        self.budget = budget
        self.messages = list(messages)
        self.calls_since_submit = 0
        self.context = Context(model.abilities.context, SCHEMAS)
        self._submit = submit
        self._allowed = allowed
        self._notes = notes  # a person's words since it was last asked
        self._attempt = attempt
        self._past: Past = past or NoPast()
        self._prepared = model.made_by.prepared
        self._shows_pictures = model.abilities.images
        self._silent = 0
        self._empty = 0  # of the silent replies those without a word
        self._ids: set[str] = set()
        self._repetition = Repetition()
        self._repeats = False  # the last reply was a recorded one

    def run(self) -> Finish:
        """Step until the run ends."""
        while True:
            if finish := self.step():
                return finish

    def step(self) -> Finish | None:
        """One reply and the answers to its calls. Returns how the run ended, or None when it goes on."""
        self.recorder.check()
        self.budget.check()
        # Here every call has its result, so that no word comes between the two.
        for note in (*self._past.notes(), *self._notes()):
            self._pass_on(note)
        reply = self.query()
        if reply.exhausted:
            return Finish.EXHAUSTED
        if reply.text or reply.calls:
            self.messages.append(Message("assistant", reply.text, reply.calls))
        if not reply.calls:
            return self._nudge_silent(reply)
        self._silent = self._empty = 0
        answers = self._answer_all(reply.calls)
        if any(answer.ends for answer in answers):
            return Finish.SUBMITTED
        if not self._prepared:
            if reply.advice:
                self._tell(reply.advice)
            self._show(answers)
            self._look_for_repetition(reply.calls, answers)
            if warning := self.budget.warning():
                self._tell(warning)
        return None

    def query(self) -> Reply:
        """The model's next reply, recorded and counted."""
        if self._prepared:
            reply = self._named(self.model.query(self.messages, SCHEMAS, self.budget.time_left()))
            if not reply.exhausted:
                self.budget.count_prepared()
            return reply
        told = self._past.reply()
        self._repeats = told is not None
        if told is not None:
            return self._repeat(told)
        reply = self._named(self._asked())
        self.context.learn(self.messages, reply.usage)
        spent = self.budget.count(reply, self.messages)
        self.recorder.record(
            ModelReply(
                attempt=self._attempt,
                text=reply.text,
                reasoning=reply.reasoning,
                calls=list(reply.calls),
                finish_reason=reply.finish_reason,
                usage=reply.usage,
                environment_tokens=spent.environment_tokens,
                cost_usd=spent.cost_usd,
                seconds=reply.seconds,
                request_id=reply.request_id,
            )
        )
        for remark in reply.remarks:
            self.recorder.record(Note(attempt=self._attempt, text=remark))
        return reply

    def _repeat(self, told: Repeated) -> Reply:
        """A recorded reply: counted and recorded as a repetition; nobody is asked."""
        reply = self._named(told.reply)
        self.budget.count(reply, self.messages)
        self.recorder.record(
            ModelReply(
                attempt=self._attempt,
                text=reply.text,
                reasoning=reply.reasoning,
                calls=list(reply.calls),
                finish_reason=reply.finish_reason,
                replayed=told.seq,
            )
        )
        return reply

    def make_room(self) -> bool:
        """Shorten the conversation, which is too long for the model; False where nothing is left to fold."""
        shorter = self.context.harder(self.messages)
        if shorter is not None:
            self.messages = shorter
        return shorter is not None

    def _asked(self) -> Reply:
        """The provider's reply. A conversation that is too long for it is folded, and goes on."""
        self._allowed()
        self.messages = self.context.fit(self.messages)
        while True:
            self.recorder.record(self._request())
            try:
                return ask(self.model, self.messages, SCHEMAS, self.recorder, self.budget, self._attempt)
            except ContextLengthExceeded as error:
                again = 0.0 if self.make_room() else None
                fault = ModelFault(
                    attempt=self._attempt, status=error.status, message=str(error), will_retry_in_s=again
                )
                self.recorder.record(fault)
                if again is None:
                    raise
            except ModelError as error:
                if not self._refuses_pictures(error):
                    raise
                self._shows_pictures = False
                self.messages = fold_pictures(self.messages, 0)
                self.recorder.record(Note(attempt=self._attempt, text=NO_PICTURES))

    def _refuses_pictures(self, error: ModelError) -> bool:
        """Did the server refuse the request for the pictures in it?"""
        sent = any(message.pictures for message in self.messages)
        return (
            sent and error.status in (400, 415, 422) and any(word in str(error).lower() for word in ("image", "vision"))
        )

    def execute(self, call: Call) -> Answer:
        """Answer one call, with its events."""
        self.budget.check_time()
        self.recorder.record(
            ToolCalled(attempt=self._attempt, id=call.id, name=call.name, arguments=parsed(call.arguments))
        )
        started = time.monotonic()
        bench = Workbench(
            sandbox=self.sandbox,
            command_s=self.budget.limits.command_s,
            time_left=self.budget.time_left,
            attend=Attendant(self.recorder, self.sandbox.kill, call_id=call.id),
            submit=self._submit,
            shows_pictures=self._shows_pictures,
            slack=SLACK if self._prepared or self._repeats else 1.0,
        )
        answer = self._past.instead(call) or answer_call(call, bench)
        seconds = time.monotonic() - started
        if call.name == "submit":
            self.calls_since_submit = 0
        else:
            self.calls_since_submit += 1
            self.budget.usage.tool_s += seconds
        self._record_answer(call, replace(answer, seconds=answer.seconds or seconds))
        record_network(self.sandbox, self.recorder, self.budget, self._attempt)
        return answer

    def _answer_all(self, calls: Sequence[Call]) -> list[Answer]:
        answers: list[Answer] = []
        for call in calls:
            if any(answer.ends for answer in answers):
                answer = Answer(shown=AFTER_THE_END, is_error=True)
                self.recorder.record(
                    ToolCalled(attempt=self._attempt, id=call.id, name=call.name, arguments=parsed(call.arguments))
                )
                self._record_answer(call, answer)
            else:
                answer = self.execute(call)
            answers.append(answer)
            self.context.keep(call, answer.output_file)
            self.messages.append(Message("tool", answer.shown, call_id=call.id))
        return answers

    def _record_answer(self, call: Call, answer: Answer) -> None:
        output = answer.shown if answer.output is None else answer.output
        result = ToolResult(
            attempt=self._attempt,
            id=call.id,
            output=output[:MAX_KEPT_CHARS],
            shown=answer.shown if answer.shown != output else None,
            exit_status=answer.exit_status,
            is_error=answer.is_error,
            timed_out=answer.timed_out,
            cut_chars=answer.cut_chars,
            output_file=answer.output_file,
            cwd=answer.cwd,
            seconds=round(answer.seconds, 4),
            files_changed=list(answer.files_changed),
        )
        self.recorder.record(result)
        self._past.came(result)

    def _show(self, answers: Sequence[Answer]) -> None:
        """The pictures of a step, after the results of all its calls: a result itself holds words only."""
        pictures = tuple(picture for answer in answers for picture in answer.pictures)
        if pictures and self._shows_pictures:
            sizes = ", ".join(f"{picture.width} x {picture.height}" for picture in pictures)
            words = f"{PICTURES} ({sizes} pixels, in the order of the results above):"
            self.messages.append(Message("user", words, pictures=pictures, passing=True))

    def _nudge_silent(self, reply: Reply) -> Finish | None:
        self._silent += 1
        self._empty += not reply.text.strip()
        if not self._prepared and self._empty > SILENT_REPLIES:
            raise Stuck("the model gave nothing but empty replies, also after it was told")
        if self._prepared or self._silent > SILENT_REPLIES:
            return Finish.STOPPED
        self._tell(reply.advice or NO_CALL)
        return None

    def _look_for_repetition(self, calls: Sequence[Call], answers: Sequence[Answer]) -> None:
        same = tuple((call.name, call.arguments, answer.shown) for call, answer in zip(calls, answers, strict=True))
        if words := self._repetition.seen(same):
            self._tell(words)

    def _tell(self, text: str) -> None:
        self._pass_on(Note(text=text))

    def _pass_on(self, note: Note) -> None:
        self.recorder.record(note.model_copy(update={"attempt": self._attempt}))
        text = PERSON_SAYS.format(note.text) if note.author == "person" else note.text
        self.messages.append(Message("user", text, passing=note.author == "studio"))

    def _request(self) -> ModelRequest:
        text = json.dumps(
            [
                (m.role, m.text, m.call_id, [call.model_dump() for call in m.calls], *map(_digest, m.pictures))
                for m in self.messages
            ],
            ensure_ascii=False,
        ).encode("utf-8", "replace")
        folded, left_out = self.context.news(self.messages)
        return ModelRequest(
            attempt=self._attempt,
            messages_sha256=hashlib.sha256(text).hexdigest(),
            messages_bytes=len(text),
            messages_count=len(self.messages),
            folded=self.context.folded(self.messages),
            left_out=self.context.left_out,
            newly_folded=folded,
            newly_left_out=left_out,
            pictures=sum(len(message.pictures) for message in self.messages),
        )

    def _named(self, reply: Reply) -> Reply:
        """The reply with an id of its own for each call: some servers give none, or the same one each time."""
        calls = []
        for call in reply.calls:
            name = call.id or "call"
            number = 1
            while name in self._ids:
                number += 1
                name = f"{call.id or 'call'}-{number}"
            self._ids.add(name)
            calls.append(call if name == call.id else call.model_copy(update={"id": name}))
        return replace(reply, calls=tuple(calls))


def _digest(picture: Picture) -> str:
    return hashlib.sha256(picture.content).hexdigest()
