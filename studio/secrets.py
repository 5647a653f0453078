"""Secrets that the studio knows, in the forms in which they may turn up in a text; each is replaced by a mask.

The forms: as it is, as in a JSON string, percent-encoded (RFC 3986, and as in a form), base64 of both alphabets at each
of the three places that it may have in what was encoded (RFC 4648), hexadecimal, and as in HTML.
"""

from __future__ import annotations

import base64
import html
import json
import logging
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any
from urllib.parse import quote, quote_plus

MASK = "•••"
SHORTEST = 8  # a shorter "secret", such as the word that local servers take for a key, would blank ordinary text
_PIECE = 12


class Secrets:
    """Finds the secrets in texts. Make it by `known`."""

    def __init__(self, secrets: Sequence[str]) -> None:
        long_enough = [secret for secret in secrets if len(secret) >= SHORTEST]
        forms = {form for secret in long_enough for form in _forms(secret)}
        self.forms = tuple(sorted(forms, key=len, reverse=True))  # the longest first: one may be a part of another
        encoded = {form for secret in long_enough for form in _base64_forms(secret)}
        self._wrapped = tuple((_pieces(form), _across_lines(form)) for form in sorted(encoded) if len(form) > _PIECE)
        self._longest = max(map(len, self.forms), default=0)

    def __bool__(self) -> bool:
        return bool(self.forms)

    def masked(self, text: str) -> str:
        """`text` (plain, or JSON) without the secrets."""
        for form in self.forms:
            text = text.replace(form, MASK)
        for pieces, pattern in self._wrapped:
            if any(piece in text for piece in pieces):
                text = pattern.sub(MASK, text)
        return text

    def longest_start(self, text: str) -> int:
        """How many characters at the end of `text` could be the beginning of a secret."""
        for length in range(min(len(text), self._longest - 1), 0, -1):
            end = text[-length:]
            if any(form.startswith(end) for form in self.forms):
                return length
        return 0

    def walked(self, value: Any) -> Any:
        """A JSON value with every string in it masked, names included."""
        if isinstance(value, str):
            return self.masked(value)
        if isinstance(value, dict):
            return {self.walked(key): self.walked(item) for key, item in value.items()}
        if isinstance(value, list):
            return [self.walked(item) for item in value]
        return value


@lru_cache(maxsize=16)
def known(secrets: tuple[str, ...]) -> Secrets:
    """The secrets with their forms, which are made once."""
    return Secrets(secrets)


def masked(text: str, secrets: Sequence[str]) -> str:
    """`text` (plain, or JSON) without the secrets."""
    return known(tuple(secrets)).masked(text)


class MaskingFormatter(logging.Formatter):
    """Lines of a log without the secrets, tracebacks included."""

    def __init__(self, secrets: Sequence[str]) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")
        self._secrets = known(tuple(secrets))

    def format(self, record: logging.LogRecord) -> str:
        """The line."""
        return self._secrets.masked(super().format(record))


def _forms(secret: str) -> Iterator[str]:
    yield secret
    for ascii_only in (False, True):
        yield json.dumps(secret, ensure_ascii=ascii_only)[1:-1]
    yield repr(secret)[1:-1]
    yield html.escape(secret)
    for encoded in (quote(secret), quote(secret, safe=""), quote_plus(secret)):
        yield encoded
        yield re.sub("%[0-9A-F]{2}", lambda found: found[0].lower(), encoded)
    raw = secret.encode("utf-8", "replace")
    yield raw.hex()
    yield raw.hex().upper()
    yield from _base64_forms(secret)


def _base64_forms(secret: str) -> Iterator[str]:
    """The characters of each encoding that depend on the secret alone, whatever stands before and behind it."""
    raw = secret.encode("utf-8", "replace")
    for before, dropped in ((0, 0), (1, 2), (2, 3)):
        text = base64.b64encode(bytes(before) + raw).decode()
        rest = (before + len(raw)) % 3
        text = text[dropped : len(text) - {0: 0, 1: 3, 2: 2}[rest]]
        if len(text) >= SHORTEST:
            yield text
            yield text.replace("+", "-").replace("/", "_")


def _pieces(form: str) -> list[str]:
    return [form[at : at + _PIECE] for at in range(0, len(form) - _PIECE + 1, _PIECE)]


def _across_lines(form: str) -> re.Pattern[str]:
    """The form with line breaks in it, as `base64` writes it, plain or in a JSON string."""
    return re.compile(r"(?:\s|\\[rn])*".join(map(re.escape, form)))
