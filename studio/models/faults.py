"""What a server's refusal means, by its status and its words; servers agree on neither.

Sources are the servers' own messages: OpenAI, Azure, vLLM, SGLang, llama.cpp, Ollama, LM Studio and common gateways.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from studio.models.wire import sound
from studio.profiles import Profile

SHOWN_CHARS = 400
RETRIED = frozenset({408, 409, 425, 429})

_CONTEXT = re.compile(
    r"context[_ ]length|maximum context|context[_ ]window|available context size|exceed_context_size|context size"
    r"|prompt (is )?too long|input (is|length|tokens?)[^.]{0,60}(too long|exceed)"
    r"|exceeds? (the )?(maximum|max) (model |input )?(length|len|tokens)"
    r"|longer than the (model's|maximum)|too many (input )?tokens|token count[^.]{0,40}exceeds|max_model_len"
    r"|reduce the length of (the|your)|too large for model|context the overflows",
    re.I,
)
_TOOLS = re.compile(r"\btools?\b|tool[_-](choice|call|use)|function[ _-]?call|--jinja|\bfunctions\b", re.I)
_STREAM = re.compile(r"\bstream(ing)?\b", re.I)
_STREAM_OPTIONS = re.compile(r"stream_options|include_usage", re.I)
_QUOTA = re.compile(
    r"insufficient_quota|billing|credit balance|payment|out of credits|insufficient (funds|balance|credits)", re.I
)

_FILTER = re.compile(
    r"content[_ ](filter|management|policy)|responsible ?ai|safety (system|filter)|moderation|flagged", re.I
)


@dataclass(frozen=True)
class Refusal:
    """An answer that is no reply: `status` of HTTP, `code` and `said` as far as the server gave them."""

    status: int
    said: str
    code: str = ""

    @property
    def words(self) -> str:
        return f"{self.code} {self.said}"

    @property
    def of_context(self) -> bool:
        """Is the conversation too long?"""
        return self.status in (400, 413, 422, 500) and bool(_CONTEXT.search(self.words)) and not self.of_rate

    @property
    def of_rate(self) -> bool:
        return self.status == 429

    @property
    def of_quota(self) -> bool:
        """Is there nothing left to spend, so that waiting does not help?"""
        return self.status == 402 or (self.of_rate and bool(_QUOTA.search(self.words)))

    @property
    def of_filter(self) -> bool:
        """Did a filter of contents refuse it?"""
        return self.status in (400, 403, 422) and bool(_FILTER.search(self.words))

    @property
    def of_tools(self) -> bool:
        """Does the server, or the model, take no tools?"""
        return self.status in (400, 404, 405, 422, 500, 501) and bool(_TOOLS.search(self.words))

    @property
    def of_stream_options(self) -> bool:
        return self.status in (400, 422) and bool(_STREAM_OPTIONS.search(self.words))

    @property
    def of_stream(self) -> bool:
        return self.status in (400, 405, 422, 501) and bool(_STREAM.search(self.words))

    @property
    def transient(self) -> bool:
        """May the same request be answered later?"""
        return (self.status in RETRIED or self.status >= 500) and self.status != 501 and not self.of_quota


def refusal(status: int, body: Any) -> Refusal:
    """What an error's body says: `{"error": {"message", "code"}}`, `{"message"}`, `{"detail"}`, or plain text."""
    if isinstance(body, str):
        try:
            body = json.loads(body)
        except (ValueError, RecursionError):
            return Refusal(status, " ".join(re.sub(r"<[^>]*>", " ", body).split())[:SHOWN_CHARS])
    inner = body.get("error", body) if isinstance(body, dict) else body
    if isinstance(inner, dict):
        said = inner.get("message") or inner.get("detail") or inner.get("error") or ""
        code = " ".join(str(inner[name]) for name in ("type", "code") if isinstance(inner.get(name), str))
        given = inner.get("code") or inner.get("status")
        if status == 200:  # an error told by a good answer
            status = given if isinstance(given, int) and 400 <= given < 600 else 502
        return Refusal(status, _plain(said), code[:120])
    return Refusal(502 if status == 200 else status, _plain(inner or ""))


def _plain(said: Any) -> str:
    text = said if isinstance(said, str) else json.dumps(said, ensure_ascii=False, default=str)
    return " ".join(sound(text).replace("\0", "").split())[:SHOWN_CHARS]


def remedy_for(refused: Refusal, profile: Profile) -> str:
    """What a person does about it; empty where nothing is known."""
    if refused.of_quota:
        return "the account has nothing left to spend; add to it, or use another profile"
    if refused.of_filter:
        return "the provider's content filter refuses it; say it in other words, or use another model"
    if refused.status >= 500:
        return "the provider has a fault; try again later"
    return {
        401: f"check {_key(profile)}",
        403: f"the key may not use {profile.model}; check its permissions, and {_key(profile)}",
        404: f"there is no model {profile.model!r} there; check the name and {_address(profile)}",
        405: f"check {_address(profile)}",
        429: "the rate limit or quota is used up; wait, or raise it with the provider",
        400: "the request was refused; check the profile's extra_body, and what this model takes",
    }.get(refused.status, "")


def _address(profile: Profile) -> str:
    begun = (profile.base_url or "").rstrip("/")
    return profile.address_setting + ("" if begun.endswith("/v1") or not begun else ", which mostly ends with /v1")


def _key(profile: Profile) -> str:
    return profile.key_setting.removeprefix("the key in the variable ") if profile.key_env else profile.key_setting


def retry_after(headers: Mapping[str, str], now: datetime | None = None) -> float | None:
    """Seconds to wait by `Retry-After` (RFC 9110, 10.2.3: seconds or HTTP date) or `retry-after-ms`; None without."""
    exact = _number(headers.get("retry-after-ms"))
    if exact is not None:
        return exact / 1000
    value = headers.get("retry-after")
    seconds = _number(value)
    if seconds is not None or not value:
        return seconds
    try:
        then = parsedate_to_datetime(value)
    except (TypeError, ValueError):
        return None
    then = then if then.tzinfo else then.replace(tzinfo=UTC)
    return max(0.0, (then - (now or datetime.now(UTC))).total_seconds())


def _number(text: str | None) -> float | None:
    if text is None or not re.fullmatch(r"\s*\d{1,9}(\.\d{1,6})?\s*", text):
        return None
    return float(text)
