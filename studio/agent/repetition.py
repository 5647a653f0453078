"""Seeing that a model goes round in circles: the same calls with the same results, again and again."""

from __future__ import annotations

from studio.errors import Stuck

ROUNDS = {1: 3, 2: 2, 3: 3}  # length of a circle in steps → how often it comes in a row until it counts
FORGIVEN = 20  # steps without a circle after which the model may be nudged again

REPEATING = (
    "The last three steps were the same call with the same result. Doing it again will change nothing: look at why, or "
    "try another way."
)
CYCLING = (
    "The last {steps} steps went in a circle: the same calls in turn, with the same results. Going on like this will "
    "change nothing: look at why, or try another way."
)


class Repetition:
    """Watches the steps of one conversation. A step is what was called and what came of it, as a hashable value."""

    def __init__(self) -> None:
        self._steps: list[object] = []
        self._since_nudge: int | None = None
        self._free = 0  # steps that still belong to the circle that the model was told of

    def seen(self, step: object) -> str | None:
        """What to tell the model, once, when it repeats itself. Raises Stuck when it goes on after that."""
        self._steps = [*self._steps, step][-max(length * rounds for length, rounds in ROUNDS.items()) :]
        if self._since_nudge is not None:
            self._since_nudge += 1
            if self._since_nudge > FORGIVEN:
                self._since_nudge = None
        if self._free:
            self._free -= 1
            return None
        length = self._circle()
        if length is None:
            return None
        if self._since_nudge is not None:
            raise Stuck("the model repeated the same calls with the same results, also after it was told")
        self._since_nudge, self._free = 0, length - 1
        return REPEATING if length == 1 else CYCLING.format(steps=length * ROUNDS[length])

    def _circle(self) -> int | None:
        for length, rounds in ROUNDS.items():
            tail = self._steps[-length * rounds :]
            if len(tail) == length * rounds and all(tail[i] == tail[i % length] for i in range(len(tail))):
                return length
        return None
