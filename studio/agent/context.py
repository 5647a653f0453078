"""The conversation within the model's context: what is old becomes a line that says how to see it again.

Nothing is lost by it: files stay in the sandbox, and so do long outputs (toolhost/text.py). Folding happens seldom and
then a good deal at once, so that in between the beginning of the requests stays the same and a provider's cache holds.
Every call keeps its result, as providers refuse one without the other. The system prompt, the task, a person's words,
the last steps and the last report stay as they are for as long as there is room at all.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from studio.agent import left_out
from studio.agent.folding import Step, cut_longest, fold_pictures, fold_step, reports, size_of, split
from studio.models.types import Message, ToolSchema
from studio.trajectory import Call, ReplyUsage

UNKNOWN_CONTEXT = 128_000  # tokens, where nobody said: a longer conversation is dear, and seldom better
REPLY_SHARE, REPLY_MOST = 8, 8192  # an eighth is left for the reply, at most so many tokens
FULL = 0.9  # of the room: from here on it is folded, as sizes are estimates
AFTERWARDS = 0.55  # of the room: to here
BYTES_PER_TOKEN = 3.0  # of UTF-8, until the provider has counted: English has about four, Chinese three, figures two
FEWEST, MOST = 1 / 6, 1.0  # tokens per byte that are believed
WHOLE = (8, 4, 2)  # how many of the last steps stay whole, in turn, until there is room
AT_LEAST = (2, 1)  # where that is not enough
KEPT_PICTURES = 2  # messages with pictures that stay
SHRINK = 0.7  # of what the provider refused as too long

Change = Callable[[list[Message]], list[Message]]


class Context:
    """Keeps one conversation within `tokens` (None: unknown), with the tools that are told of in each request."""

    def __init__(self, tokens: int | None, tools: Sequence[ToolSchema]) -> None:
        whole = tokens or UNKNOWN_CONTEXT
        self._room = whole - min(whole // REPLY_SHARE, REPLY_MOST)
        self._tools = sum(len(f"{tool.name}{tool.description}{tool.parameters}") for tool in tools)
        self._per_byte = 1 / BYTES_PER_TOKEN
        self._files: dict[str, str] = {}
        self._folded: set[str] = set()
        self._gone: set[str] = set()  # calls of steps that are left out
        self._known: set[str] = set()  # of both, what `news` has told
        self._told: list[str] = []

    @property
    def left_out(self) -> int:
        """How many steps of the beginning are a line each, or less."""
        return len(self._told)

    def folded(self, messages: Sequence[Message]) -> int:
        """How many results in `messages` are folded."""
        return sum(message.call_id in self._folded for message in messages if message.role == "tool")

    def news(self, messages: Sequence[Message]) -> tuple[list[str], list[str]]:
        """The calls whose results were folded, and those that were left out, since this was last asked for."""
        folded = [m.call_id for m in messages if m.role == "tool" and m.call_id and m.call_id in self._folded]
        news = [name for name in folded if f"folded {name}" not in self._known]
        gone = sorted(name for name in self._gone if f"gone {name}" not in self._known)
        self._known |= {f"folded {name}" for name in news} | {f"gone {name}" for name in gone}
        return news, gone

    def keep(self, call: Call, file: str | None) -> None:
        """Note the file in the sandbox that holds all of a call's output."""
        if file:
            self._files[call.id] = file

    def tokens(self, messages: Sequence[Message]) -> int:
        """The tokens of a request, estimated: bytes by the provider's last count, pictures by their pixels."""
        pictures = sum(picture.tokens for message in messages for picture in message.pictures)
        return round((self._tools + sum(map(size_of, messages))) * self._per_byte) + pictures

    def learn(self, messages: Sequence[Message], usage: ReplyUsage | None) -> None:
        """Take the provider's count of what was sent as the measure of what follows."""
        if usage is None or not usage.prompt_tokens:
            return
        pictures = sum(picture.tokens for message in messages for picture in message.pictures)
        size = self._tools + sum(map(size_of, messages))
        self._per_byte = min(MOST, max(FEWEST, (usage.prompt_tokens - pictures) / size))

    def fit(self, messages: list[Message]) -> list[Message]:
        """`messages`, folded where they have come near to the end of the context."""
        if self.tokens(messages) <= FULL * self._room:
            return messages
        return self._shrunk(messages)

    def harder(self, messages: list[Message]) -> list[Message] | None:
        """`messages` made shorter, as the provider found them too long; None where nothing is left to fold.

        From then on the context counts as that much smaller.
        """
        before = self.tokens(messages)
        self._room = round(min(self._room, before) * SHRINK)
        shorter = self._shrunk(messages)
        return shorter if self.tokens(shorter) < before else None

    def _shrunk(self, messages: list[Message]) -> list[Message]:
        goal = AFTERWARDS * self._room
        most, some, few = (self._old_results(kept, goal) for kept in WHOLE)
        gently = (_old_pictures, most, some, self._old_steps(WHOLE[0], goal), few)
        for change in gently:
            messages = change(messages)
            if self.tokens(messages) <= goal:
                return messages
        goal = FULL * self._room  # the last steps are worth more than a long time until the next folding
        for kept in AT_LEAST:
            for change in (self._old_results(kept, goal), self._old_steps(kept, goal)):
                messages = change(messages)
                if self.tokens(messages) <= goal:
                    return messages
        while self.tokens(messages) > goal and (shorter := cut_longest(messages)) is not None:
            cut = (new for new, old in zip(shorter, messages, strict=True) if new is not old)
            self._folded |= {message.call_id for message in cut if message.role == "tool" and message.call_id}
            messages = shorter
        return messages

    def _old_results(self, kept: int, goal: float) -> Change:
        def change(messages: list[Message]) -> list[Message]:
            head, steps = split(messages)
            last = reports(steps)
            excess = self.tokens(messages) - goal
            for index, step in enumerate(steps[:-kept]):
                if excess <= 0:
                    break
                steps[index], ids = fold_step(step, self._files, spare=last)
                self._folded |= ids
                excess -= self.tokens(step) - self.tokens(steps[index])
            return _joined(head, steps)

        return change

    def _old_steps(self, kept: int, goal: float) -> Change:
        """Leave out whole steps from the beginning; a person's words in them stay, and so does the last report."""

        def change(messages: list[Message]) -> list[Message]:
            head, steps = split(messages)
            last = reports(steps)
            old, rest = steps[:-kept], steps[-kept:]
            stay: list[Step] = []
            words: list[Message] = []
            excess = self.tokens(messages) - goal
            for step in old:
                if excess <= 0 or any(message.call_id in last for message in step):
                    stay.append(step)
                    continue
                self._told.append(left_out.line(step))
                self._gone |= {call.id for call in step[0].calls}
                said = [message for message in step if message.role == "user" and not message.passing]
                words += said
                excess -= self.tokens(step) - self.tokens(said)
            if len(stay) == len(old):
                return messages
            # A fifth of what is aimed at is enough for the list of what was done.
            digest = left_out.digest(self._told, round(goal / self._per_byte / 5))
            begin = [message for message in head if not left_out.is_digest(message)]
            return _joined([*begin, digest, *words], [*stay, *rest])

        return change


def _old_pictures(messages: list[Message]) -> list[Message]:
    return fold_pictures(messages, KEPT_PICTURES)


def _joined(head: Sequence[Message], steps: Sequence[Step]) -> list[Message]:
    return [*head, *(message for step in steps for message in step)]
