"""What a named model really can: key, tool call, streaming, pictures, and the context that reaches it.

Each probe is one or a few small requests; what all of them cost is counted. Raises nothing: what fails is a finding.
"""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from studio.errors import ModelError
from studio.models.context_probe import probe_context
from studio.models.openai import OpenAIModel
from studio.models.pictures import COLORS, two_halves
from studio.models.types import Message, Reply, ToolSchema
from studio.profiles import Profile

PATIENCE_S = 120.0  # for one small request
TOOL = ToolSchema(
    name="execute_bash",
    description="Run a command in bash and return its output.",
    parameters={
        "type": "object",
        "properties": {"command": {"type": "string", "description": "The command."}},
        "required": ["command"],
        "additionalProperties": False,
    },
)
SYSTEM = Message("system", "You are being tested. Do exactly what is asked, without any explanation.")
_OF_IMAGES = re.compile(r"\bimages?\b|image_url|vision|multi-?modal|mmproj|content (type|part)", re.I)
ASK_TOOL = "Run the command `echo hello` with your tool."


@dataclass(frozen=True)
class Probe:
    """One line of the test: `ok` None means not tried. `value` is a number that others may use, such as tokens."""

    name: str
    ok: bool | None
    found: str
    remedy: str = ""
    seconds: float = 0.0
    value: int | None = None


@dataclass
class Spent:
    """Sums over all requests; tokens that a server does not count are missing in them."""

    requests: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    uncounted: int = 0

    def cost_usd(self, profile: Profile) -> float | None:
        """US dollars, None without prices."""
        if not profile.prices.known:
            return None
        return (
            self.prompt_tokens * profile.prices.prompt + self.completion_tokens * profile.prices.completion
        ) / 1_000_000

    def words(self, profile: Profile) -> str:
        """What it came to, for a person."""
        cost = self.cost_usd(profile)
        word = "request" if self.requests == 1 else "requests"
        told = f"{self.requests} {word}, {self.prompt_tokens} + {self.completion_tokens} tokens"
        if self.uncounted:
            told += f" ({self.uncounted} of them uncounted by the server)"
        return told + (f", {cost:.4f} US dollars" if cost is not None else ", no price set")


class Prober:
    """Tests one profile; `run` gives the lines as they come, `spent` what they cost."""

    def __init__(
        self, profile: Profile, api_key: str | None, *, most_tokens: int, most_usd: float, most_s: float
    ) -> None:
        self.profile = profile
        self._until = time.monotonic() + most_s
        self.spent = Spent()
        self._key = api_key
        self._most_tokens = most_tokens
        self._most_usd = most_usd

    def run(self) -> Iterator[Probe]:
        """Every probe in order. Without an answer to the first, the rest is not tried."""
        first = self._timed("key and model", self._key_and_model)
        yield first
        rest: Sequence[tuple[str, Callable[[], Probe]]] = (
            ("tool call", self._tool_call),
            ("streaming", self._streaming),
            ("pictures", self._pictures),
            ("context", self._context),
        )
        for name, probe in rest:
            yield self._timed(name, probe) if first.ok else Probe(name, None, "not tried")

    def ask(self, messages: Sequence[Message], tools: Sequence[ToolSchema] = (), **changed: object) -> Reply:
        """One reply, counted; what the server cannot do is left out once. Raises ModelError."""
        model = OpenAIModel(self.profile.model_copy(update=changed), api_key=self._key)
        try:
            for _ in range(3):
                try:
                    return self._counted(model.query(messages, tools, self._patience()))
                except ModelError as error:
                    self.spent.requests += 1
                    if error.retry is None or error.retry.counted:
                        raise
            raise ModelError("the server refuses every form of the request")
        finally:
            model.close()

    def _patience(self) -> float:
        """Seconds for one request. Raises ModelError when the time of the whole test is used up."""
        left = self._until - time.monotonic()
        if left <= 0:
            raise ModelError("not tried: the time of the test is used up; the server is too slow")
        return min(PATIENCE_S, left)

    def _counted(self, reply: Reply) -> Reply:
        self.spent.requests += 1
        usage = reply.usage
        if usage is None or usage.prompt_tokens is None:
            self.spent.uncounted += 1
        else:
            self.spent.prompt_tokens += usage.prompt_tokens
            self.spent.completion_tokens += usage.completion_tokens or 0
        return reply

    def _timed(self, name: str, probe: Callable[[], Probe]) -> Probe:
        started = time.monotonic()
        try:
            found = probe()
        except ModelError as error:
            said, _, remedy = str(error).partition(". Remedy: ")
            found = Probe(name, False, said, remedy)
        return replace(found, seconds=time.monotonic() - started)

    def _key_and_model(self) -> Probe:
        if self.profile.needs_key and self._key is None:
            said = f"the variable {self.profile.key_env} is not set"
            return Probe("key and model", False, said, f"set {self.profile.key_env}, and start the studio again")
        reply = self.ask([SYSTEM, Message("user", "Answer with the one word: ready")])
        answer = " ".join(reply.text.split())[:60]
        if not answer and not reply.reasoning:
            return Probe(
                "key and model",
                False,
                "the answer is empty",
                "check the name of the model, and the server's chat template",
            )
        key = "with the key" if self._key else "without a key"
        return Probe("key and model", True, f"{self.profile.model} answers {key}: {answer or '(reasoning only)'}")

    def _tool_call(self) -> Probe:
        reply = self.ask([SYSTEM, Message("user", ASK_TOOL)], [TOOL])
        right = any("echo hello" in call.arguments for call in reply.calls)
        prose = any("written into the words" in remark for remark in reply.remarks)
        by_text = self.profile.tools == "text" or any("text protocol" in remark for remark in reply.remarks)
        where = f"models.{self.profile.name}.tools" if self.profile.name != "openai" else "a profile's tools"
        if right and by_text:
            refused = "" if self.profile.tools == "text" else "the server refuses tool definitions; "
            return Probe(
                "tool call", True, f"{refused}calls come by the text protocol", f'set {where} = "text"' * bool(refused)
            )
        if right and prose:
            remedy = f'start the server with its tool call parser and chat template, or set {where} = "text"'
            return Probe("tool call", True, "calls come as words, and are read from there", remedy)
        if right:
            return Probe("tool call", True, "calls come in the server's own form")
        said = " ".join(reply.text.split())[:80] or "nothing"
        remedy = f'use a model that knows tool calls, or try {where} = "text"'
        return Probe("tool call", False, f"no call came; it said: {said}", "" if by_text else remedy)

    def _streaming(self) -> Probe:
        where = f"models.{self.profile.name}.stream"
        if self.profile.stream is False:
            return Probe("streaming", None, "not tried: the profile says stream = false")
        pieces: list[str] = []
        model = OpenAIModel(self.profile, api_key=self._key)
        try:
            reply = self._counted(
                model.query(
                    [SYSTEM, Message("user", "Count from 1 to 20, with blanks between.")],
                    (),
                    self._patience(),
                    pieces.append,
                )
            )
        finally:
            model.close()
        if not model.streams and not pieces:
            return Probe(
                "streaming", False, "replies come whole; words are not seen while they come", f"set {where} = false"
            )
        if reply.usage is None:
            remedy = (
                "" if not self.profile.prices.known else f"set {where} = false, so that tokens and cost are counted"
            )
            return Probe("streaming", True, f"{len(pieces)} pieces, without usage: tokens are estimated", remedy)
        return Probe("streaming", True, f"{len(pieces)} pieces, with usage at the end")

    def _pictures(self) -> Probe:
        where = f"models.{self.profile.name}.images"
        left, right = random.sample(list(COLORS), 2)
        words = "Which two colours does the picture have, left and right? Answer with the two names of colours alone."
        shown = Message("user", words, pictures=(two_halves(left, right),))
        try:
            said = self.ask([SYSTEM, shown]).text.casefold()
        except ModelError as error:
            if not _OF_IMAGES.search(str(error)) and (error.retry is not None or error.status in (None, 401, 403)):
                raise
            found = f"refused: {str(error).partition('. Remedy: ')[0][:200]}"
            return Probe("pictures", not self.profile.images, found, f"set {where} = false" * self.profile.images)
        seen = left in said and right in said
        if seen:
            remedy = "" if self.profile.images else f"set {where} = true, so that it sees what it makes"
            return Probe("pictures", True, f"seen: {left} and {right}", remedy)
        found = f"not seen: it was {left} and {right}, the answer {' '.join(said.split())[:60]!r}"
        return Probe("pictures", not self.profile.images, found, f"set {where} = false" * self.profile.images)

    def _context(self) -> Probe:
        found = probe_context(
            lambda messages: self.ask(messages), self.profile, self._left_tokens(), seed=random.randrange(1 << 30)
        )
        return Probe("context", found.ok, found.words, found.remedy, value=found.holds)

    def _left_tokens(self) -> int:
        """What may still be sent, by the bounds on tokens and on cost."""
        left = self._most_tokens - self.spent.prompt_tokens
        if self.profile.prices.prompt > 0:
            usd = self._most_usd - (self.spent.cost_usd(self.profile) or 0.0)
            left = min(left, int(usd / self.profile.prices.prompt * 1_000_000))
        return max(0, left)
