"""Making room in a conversation that is too long for the model: old results become a line that says how to see them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from studio.models.types import Message

LEAST_CHARS = 600  # a shorter result is not worth folding
KEPT_CHARS = 160


def folded(messages: Sequence[Message]) -> list[Message] | None:
    """The conversation with the older half of its long results folded; None where nothing is left to fold."""
    long = [
        index for index, message in enumerate(messages) if message.role == "tool" and len(message.text) > LEAST_CHARS
    ]
    if not long:
        return None
    older = set(long[: (len(long) + 1) // 2])
    return [_fold(message) if index in older else message for index, message in enumerate(messages)]


def _fold(message: Message) -> Message:
    return replace(
        message,
        text=f"{message.text[:KEPT_CHARS]}\n[… {len(message.text) - KEPT_CHARS} characters of this result are left out "
        "to save room. Nothing is lost in the sandbox: run the command again, or view the file, to see them.]",
    )
