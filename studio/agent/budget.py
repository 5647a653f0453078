"""What a run may use, what it has used, and what is left."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field

from studio.brief import Limits
from studio.capabilities import capabilities_of
from studio.errors import LimitReached
from studio.models.types import Message, Reply
from studio.profiles import cost_usd
from studio.sandboxes.types import ResourceUse
from studio.trajectory import CapabilityUse, FetchedFrom, NetworkUsed, Usage, parsed

CHARS_PER_TOKEN = 4.0  # for servers that count nothing; only the budget uses it, never a reported figure
MAX_HOSTS, MAX_FILES = 100, 300  # that are named in the sums
WARN_AT = (0.25, 0.1)  # shares of a budget left at which the model is told


@dataclass(frozen=True)
class Prices:
    """US dollars per million tokens; `cached` is for prompt tokens from the provider's cache, None where the same."""

    prompt: float = 0.0
    completion: float = 0.0
    cached: float | None = None

    def cost_usd(self, prompt: int, completion: int, cached: int | None = None) -> float:
        """What so many tokens cost; the cached ones are among those of the prompt."""
        return cost_usd(self, prompt, completion, cached)

    @property
    def known(self) -> bool:
        return self.prompt > 0 or self.completion > 0


@dataclass(frozen=True)
class Spent:
    """What one reply took; None where unknown. `environment_tokens` are those of its prompt that are tool results."""

    environment_tokens: int | None = None
    cost_usd: float | None = None


@dataclass
class Budget:
    """Limits and the running sums of one run, over all its sandboxes and attempts.

    Time counts from `started` (monotonic); attempts before took `before_s` of it. `again_s` is what the calls that are
    repeated took when they were recorded: the limit has counted that already, and does not count it twice.
    """

    limits: Limits
    prices: Prices
    started: float = field(default_factory=time.monotonic)
    usage: Usage = field(default_factory=Usage)
    before_s: float = 0.0
    again_s: float = 0.0
    _spent_tokens: float = 0.0
    _environment: float = 0.0
    _warned: dict[str, float] = field(default_factory=dict)

    @property
    def deadline(self) -> float:
        """The end of the run's time, by time.monotonic. What is repeated has its time also when all is used up."""
        return self.started + max(0.0, self.limits.time_s - self.before_s) + self.again_s

    def anew(self, again_s: float = 0.0) -> Budget:
        """The same limits and time on a second computer, where recorded replies are counted as they are repeated.

        What the sandboxes have used up to now stays. The calls that are repeated took `again_s` before.
        """
        used = self.usage
        kept = Usage(
            tool_s=used.tool_s,
            inspect_s=used.inspect_s,
            peak_memory_bytes=used.peak_memory_bytes,
            cpu_s=used.cpu_s,
            bytes_written=used.bytes_written,
            fetched=used.fetched,
        )
        return Budget(self.limits, self.prices, self.started, kept, self.before_s, self.again_s + again_s)

    def time_left(self) -> float:
        """Seconds left, never below 0."""
        return max(0.0, self.deadline - time.monotonic())

    def check_time(self) -> None:
        """Raises LimitReached when the time is over."""
        if self.time_left() <= 0:
            raise LimitReached("limit_time", f"the time of {self.limits.time_s} s is used up")

    def check(self) -> None:
        """Raises LimitReached when nothing more may be started."""
        self.check_time()
        if self.usage.steps >= self.limits.steps:
            raise LimitReached("limit_steps", f"all {self.limits.steps} steps are used up")
        if self._spent_tokens >= self.limits.tokens:
            raise LimitReached("limit_tokens", f"the budget of {self.limits.tokens} tokens is used up")
        if (self.usage.cost_usd or 0.0) > self.limits.cost_usd:
            raise LimitReached("limit_cost", f"the budget of {self.limits.cost_usd:g} US dollars is used up")

    def count_prepared(self) -> None:
        """One step of a recipe or a replay: no tokens, no cost."""
        self.usage.steps += 1

    def count(self, reply: Reply, messages: Sequence[Message]) -> Spent:
        """One reply of a model to `messages`, and what it took.

        `environment_tokens` is an estimate: the prompt tokens of each request times the share of its characters that
        are tool results and pictures, summed. Tokens that a server does not count are estimated for the budget only,
        at four characters each.
        """
        usage = self.usage
        usage.steps += 1
        usage.model_s += reply.seconds
        usage.capabilities = usage.capabilities or CapabilityUse()
        for call in reply.calls:
            usage.capabilities.count(capabilities_of(call.name, parsed(call.arguments)))
        total = sum(_length(message) for message in messages)
        counted = reply.usage
        if counted is None or counted.prompt_tokens is None:
            said = len(reply.text) + len(reply.reasoning) + sum(len(call.arguments) for call in reply.calls)
            self._spent_tokens += (total + said) / CHARS_PER_TOKEN
            return Spent()
        prompt, completion = counted.prompt_tokens, counted.completion_tokens or 0
        self._spent_tokens += prompt + completion
        usage.prompt_tokens = (usage.prompt_tokens or 0) + prompt
        usage.completion_tokens = (usage.completion_tokens or 0) + completion
        if counted.cached_tokens is not None:
            usage.cached_tokens = (usage.cached_tokens or 0) + counted.cached_tokens
        if counted.reasoning_tokens is not None:
            usage.reasoning_tokens = (usage.reasoning_tokens or 0) + counted.reasoning_tokens
        environment = sum(_length(message) for message in messages if message.role == "tool" or message.pictures)
        share = prompt * environment / max(1, total)
        self._environment += share
        usage.environment_tokens = round(self._environment)
        cost = None
        if self.prices.known:
            cost = self.prices.cost_usd(prompt, completion, counted.cached_tokens)
            usage.cost_usd = (usage.cost_usd or 0.0) + cost
        return Spent(round(share), cost)

    def count_sandbox(self, use: ResourceUse) -> None:
        """What one sandbox used: peaks are the highest of all, the rest are sums."""
        usage = self.usage
        if use.peak_memory_bytes is not None:
            usage.peak_memory_bytes = max(usage.peak_memory_bytes or 0, use.peak_memory_bytes)
        if use.cpu_s is not None:
            usage.cpu_s = (usage.cpu_s or 0.0) + use.cpu_s
        if use.bytes_written is not None:
            usage.bytes_written = (usage.bytes_written or 0) + use.bytes_written

    def count_fetched(self, event: NetworkUsed) -> None:
        """What was asked of one host."""
        for known in self.usage.fetched:
            if (known.host, known.port, known.admitted) == (event.host, event.port, event.admitted):
                break
        else:
            if len(self.usage.fetched) >= MAX_HOSTS:
                return
            known = FetchedFrom(host=event.host, port=event.port, admitted=event.admitted)
            self.usage.fetched.append(known)
        known.bytes += event.bytes
        known.requests += event.requests
        known.files = list(dict.fromkeys((*known.files, *event.files)))[:MAX_FILES]

    def total(self) -> Usage:
        """The sums up to now."""
        return self.usage.model_copy(update={"wall_s": round(self.before_s + time.monotonic() - self.started, 3)})

    def warning(self) -> str | None:
        """A short line for the model when a budget falls below a quarter, and again below a tenth."""
        low = False
        for name, (left, whole, _) in self._left().items():
            share = left / whole if whole else 1.0
            passed = [mark for mark in WARN_AT if share <= mark]
            if passed and min(passed) < self._warned.get(name, 1.0):
                self._warned[name] = min(passed)
                low = True
        if not low:
            return None
        told = ", ".join(f"{left:g} of {whole:g} {unit}" for left, whole, unit in self._left().values() if whole)
        return f"Budget left: {told}. Put what you have into /testbed/output and submit in time."

    def _left(self) -> dict[str, tuple[float, float, str]]:
        limits, usage = self.limits, self.usage
        left: dict[str, tuple[float, float, str]] = {
            "steps": (max(0, limits.steps - usage.steps), limits.steps, "steps"),
            "time": (round(self.time_left()), limits.time_s, "s"),
            "tokens": (max(0, round(limits.tokens - self._spent_tokens)), limits.tokens, "tokens"),
        }
        if self.prices.known:
            rest = round(max(0.0, limits.cost_usd - (usage.cost_usd or 0.0)), 4)
            left["cost"] = (rest, limits.cost_usd, "US dollars")
        return left


def _length(message: Message) -> int:
    words = len(message.text) + sum(len(call.arguments) + len(call.name) for call in message.calls)
    return words + round(CHARS_PER_TOKEN * sum(picture.tokens for picture in message.pictures))
