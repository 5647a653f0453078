"""Steps of a record chosen by what they call and use, and searched for words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from studio.record.steps import Step, StepCall
from studio.trajectory import as_text


@dataclass(frozen=True)
class Choice:
    """Which steps a person wants to see: with a call of one of `tools`, using all of `uses`, with a call that failed.

    What is empty or False chooses nothing.
    """

    tools: frozenset[str] = frozenset()
    uses: frozenset[str] = frozenset()
    failed: bool = False

    def admits(self, step: Step) -> bool:
        if self.tools and not any(call.name in self.tools for call in step.calls):
            return False
        if self.failed and not any(call.failed for call in step.calls):
            return False
        return self.uses <= set(step.capabilities)


@dataclass(frozen=True)
class Places:
    """How often the words stand in one step."""

    step: int
    count: int


def places_in(steps: Iterable[Step], words: str) -> list[Places]:
    """The steps that have `words`, whatever their case, in order; none for no words."""
    wanted = words.casefold()
    if not wanted:
        return []
    counted = [Places(step.number, sum(text.casefold().count(wanted) for text in _texts(step))) for step in steps]
    return [places for places in counted if places.count]


def _texts(step: Step) -> Iterator[str]:
    if step.reply:
        yield step.reply.reasoning
        yield step.reply.text
    for call in step.calls:
        yield from _arguments(call)
        if call.result:
            yield call.result.output
            yield from call.result.files_changed
    for note in step.notes:
        yield note.text


def _arguments(call: StepCall) -> Iterator[str]:
    if isinstance(call.arguments, dict):
        yield from (as_text(value) for value in call.arguments.values())
    else:
        yield as_text(call.arguments)
