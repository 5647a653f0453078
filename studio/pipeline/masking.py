"""Secrets known to the studio never reach a record: they are replaced in whatever is stored or shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from studio.agent import Recorder
from studio.models.types import Message, Model, OnText, Reply, ToolSchema, ignore_text
from studio.sandboxes.types import Sandbox
from studio.secrets import known
from studio.trajectory import EVENT, Event, Header


class Masking:
    """Replaces each secret by a mask."""

    def __init__(self, secrets: Sequence[str]) -> None:
        self._secrets = known(tuple(secrets))

    def text(self, text: str) -> str:
        """`text` without the secrets."""
        return self._secrets.masked(text)

    def header(self, header: Header) -> Header:
        """The header with every string in it masked."""
        return Header.model_validate(self._secrets.walked(header.model_dump(mode="json", by_alias=True)))

    def event(self, event: Event) -> Event:
        """The event with every string in it masked; the same object when nothing had to be."""
        value = event.model_dump(by_alias=True)
        masked = self._secrets.walked(value)
        return event if masked == value else EVENT.validate_python(masked)

    def recorder(self, recorder: Recorder) -> Recorder:
        """A recorder that masks before it keeps anything."""
        return _MaskedRecorder(recorder, self) if self._secrets else recorder

    def model(self, model: Model) -> Model:
        """A provider whose replies are masked before anything is done with them; prepared calls stay as they are."""
        return _MaskedModel(model, self) if self._secrets and not model.made_by.prepared else model

    def reply(self, reply: Reply) -> Reply:
        """The reply without the secrets."""
        calls = tuple(call.model_copy(update=self._secrets.walked(call.model_dump())) for call in reply.calls)
        return replace(
            reply,
            text=self.text(reply.text),
            reasoning=self.text(reply.reasoning),
            calls=calls,
            remarks=tuple(map(self.text, reply.remarks)),
            advice=self.text(reply.advice),
        )

    def longest_start(self, text: str) -> int:
        """How many characters at the end of `text` could be the beginning of a secret."""
        return self._secrets.longest_start(text)


class _MaskedModel:
    """A server that gives the key back must not get it into a sandbox, nor from there into files that are kept."""

    def __init__(self, inner: Model, masking: Masking) -> None:
        self.made_by = inner.made_by
        self.backoff = inner.backoff
        self.abilities = inner.abilities
        self._inner = inner
        self._masking = masking

    def query(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolSchema],
        timeout_s: float,
        on_text: OnText = ignore_text,
    ) -> Reply:
        """The inner model's reply, masked; its pieces are masked by the recorder, which knows where one ends."""
        return self._masking.reply(self._inner.query(messages, tools, timeout_s, on_text))


class _MaskedRecorder:
    def __init__(self, inner: Recorder, masking: Masking) -> None:
        self._inner = inner
        self._masking = masking
        self._held: tuple[str, str] = ("", "")  # a call, and the end of its output that may become a secret

    def record(self, event: Event) -> None:
        self._held = ("", "")
        self._inner.record(self._masking.event(event))

    def live(self, call_id: str, text: str) -> None:
        held = self._held[1] if self._held[0] == call_id else ""
        text = self._masking.text(held + text)
        kept = self._masking.longest_start(text)
        self._held = (call_id, text[len(text) - kept :])
        if shown := text[: len(text) - kept]:
            self._inner.live(call_id, shown)

    def check(self) -> None:
        self._inner.check()

    def opened(self, sandbox: Sandbox) -> None:
        self._inner.opened(sandbox)

    def closed(self) -> None:
        self._inner.closed()
