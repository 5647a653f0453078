"""How much context really reaches a model: a server that silently cuts the beginning of a prompt is found.

A prompt begins with a word that only it holds and ends with the question for it. How long it may be is found by
bisection, within a bound on the tokens that are sent.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from studio.errors import ContextLengthExceeded, ModelError
from studio.models.types import Message, Reply
from studio.profiles import Profile

FIRST_TOKENS = 1500
UNKNOWN_MOST = 32_768  # as far as is looked where the profile does not say
NEAR = 0.1  # the share of the context to which it is found
ANSWER_TOKENS = 300  # what the question and the answer take
FULL = 0.95  # of the context that a profile says must hold as prompt
CHARS_PER_TOKEN = 4.0  # until the server has counted one
LOST = 0.85  # a count below this share of what was sent means that the server has cut
SHORT_TOKENS = 300

_NOUNS = """
harbour lantern gravel orchard copper window violin meadow ladder kettle marble thunder ribbon cedar
compass blanket velvet anchor pepper saddle candle bridge walnut mirror feather tunnel basket carpet
"""
_WORDS = tuple(_NOUNS.split())


@dataclass(frozen=True)
class Context:
    """What was found: `holds` tokens of prompt came through, None where nothing was learnt."""

    ok: bool | None
    words: str
    remedy: str = ""
    holds: int | None = None


@dataclass
class _Search:
    """How far it has been looked. `recalls`: the model tells the word back, so that its absence means something."""

    ask: Callable[[Sequence[Message]], Reply]
    left: int
    dice: random.Random
    chars_per_token: float = CHARS_PER_TOKEN
    recalls: bool = True
    counts: bool = False
    holds: int = 0
    fails: int | None = None
    sent: int = 0
    why: str = ""

    def affordable(self, tokens: int) -> bool:
        return self.sent + tokens + ANSWER_TOKENS <= self.left

    def calibrate(self) -> None:
        """A short prompt: how many characters are a token, and does the model do what it is asked?"""
        told, counted, chars = self._asked(SHORT_TOKENS)
        self.recalls, self.counts = told, bool(counted)
        if counted:
            self.chars_per_token = chars / counted
        self.holds = counted or SHORT_TOKENS

    def tried(self, tokens: int) -> bool:
        """Does a prompt of about so many tokens come through whole? Raises ModelError for any other failure."""
        try:
            told, counted, _ = self._asked(tokens)
        except ContextLengthExceeded as error:
            self.fails, self.why = tokens, f"refused openly ({error.status})"
            return False
        cut = counted is not None and counted < LOST * tokens
        if told or (not self.recalls and not cut):
            self.holds = max(self.holds, counted or tokens)
            return True
        self.fails = tokens
        if cut:
            self.why = f"cut silently: of about {tokens} tokens the server counted {counted}"
        else:  # near the border a count says little; what was seen further up says more
            self.why = self.why or "not read to its beginning: the word there was not told back"
        return False

    def _asked(self, tokens: int) -> tuple[bool, int | None, int]:
        """Was the word told back; the server's count, and the characters of the prompt."""
        marker = f"{self.dice.choice(_WORDS)}-{self.dice.randrange(1000, 10_000)}"
        text = self._prompt(marker, int(tokens * self.chars_per_token))
        self.sent += tokens
        reply = self.ask([Message("user", text)])
        counted = reply.usage.prompt_tokens if reply.usage else None
        return marker.casefold() in (reply.text + reply.reasoning).casefold(), counted or None, len(text)

    def _prompt(self, marker: str, chars: int) -> str:
        begin = f"Remember this word: {marker}\n\nBelow is a list without meaning.\n"
        end = "\nWhich word were you asked to remember at the very beginning? Answer with that word alone."
        lines: list[str] = []
        size = len(begin) + len(end)
        while size < chars:
            line = f"{len(lines) + 1}. {' '.join(self.dice.choice(_WORDS) for _ in range(8))}"
            lines.append(line)
            size += len(line) + 1
        return begin + "\n".join(lines) + end


def probe_context(
    ask: Callable[[Sequence[Message]], Reply], profile: Profile, most_tokens: int, *, seed: int
) -> Context:
    """The context that is really there, sending at most `most_tokens` tokens in all."""
    search = _Search(ask, most_tokens, random.Random(seed))
    goal = int((profile.context or UNKNOWN_MOST) * FULL) - ANSWER_TOKENS
    if not search.affordable(SHORT_TOKENS + min(FIRST_TOKENS, goal)):
        return Context(None, f"not tried: the bound leaves {most_tokens} tokens")
    try:
        search.calibrate()
        if not search.recalls and not search.counts:
            return Context(None, "not measured: the model does not tell a word back, and the server counts no tokens")
        _climb(search, goal)
        _halve(search)
    except ModelError as error:
        if search.holds <= SHORT_TOKENS:
            raise
        search.why = f"ended by an error: {str(error)[:160]}"
    return _told(search, profile, goal)


def _climb(search: _Search, goal: int) -> None:
    """A short prompt, then at once the whole context; where the bound allows only less, half of what is left."""
    first = min(FIRST_TOKENS, goal)
    if not search.tried(first) or first == goal:
        return
    size = goal if search.affordable(goal) else min(goal, (search.left - search.sent) // 2)
    if size > first:
        search.tried(size)


def _halve(search: _Search) -> None:
    while search.fails is not None and search.fails - search.holds > NEAR * search.fails:
        middle = (search.holds + search.fails) // 2
        if middle <= search.holds or not search.affordable(middle):
            return
        known = search.holds, search.fails
        search.tried(middle)
        if (search.holds, search.fails) == known:  # the server's count does not follow what is sent
            return


def _told(search: _Search, profile: Profile, goal: int) -> Context:
    where = f"models.{profile.name}.context"
    holds = search.holds
    by_count = "" if search.recalls else " by the server's count (the model does not tell a word back)"
    if search.fails is None:
        said = f"at least {holds} tokens come through{by_count}"
        if holds + ANSWER_TOKENS < goal * (1 - NEAR):
            return Context(True, f"{said}; the bound on tokens allowed no more", holds=holds)
        if profile.context is None:
            return Context(True, said, f"set {where} to what the model has, or to {holds}", holds)
        return Context(True, f"{said}, as the profile says ({profile.context})", holds=holds)
    raise_it = (
        "give the server more context (Ollama: OLLAMA_CONTEXT_LENGTH; llama.cpp: --ctx-size; "
        f"vLLM: --max-model-len), or set {where} = {max(512, holds + ANSWER_TOKENS)}"
    )
    said = f"about {holds} tokens come through{by_count}; more was {search.why}"
    if profile.context is None:
        return Context(True, said, f"set {where} = {holds + ANSWER_TOKENS}", holds)
    return Context(False, f"{said}; the profile says {profile.context}", raise_it, holds)
