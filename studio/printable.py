"""Field types that every kind shares: words that can be printed, attachments by name, colours, empty form fields."""

from __future__ import annotations

import unicodedata
from typing import Annotated, Any, TypeAlias

from pydantic import AfterValidator, BeforeValidator, Field

# Invisible characters that turn the direction of everything after them; no printed text needs one.
_OVERRIDES = frozenset("\u202a\u202b\u202c\u202d\u202e")
_UNPRINTABLE = {"Cc": "a control character", "Cs": "half of a surrogate pair", "Co": "a private-use character"}


def printable(text: str) -> str:
    """`text` on one line. Raises ValueError naming the first character that cannot be printed."""
    folded = " ".join(text.split())
    for char in folded:
        if char in _OVERRIDES:
            raise ValueError(f"contains U+{ord(char):04X}, an invisible change of direction; remove it")
        if reason := _UNPRINTABLE.get(unicodedata.category(char)):
            raise ValueError(f"contains U+{ord(char):04X}, {reason}; remove it")
    return folded


def visible(text: str) -> str:
    """`text` as it is. Raises ValueError when nothing of it would be seen."""
    if not any(unicodedata.category(char)[0] in "LNPS" for char in text):
        raise ValueError("must contain at least one visible character")
    return text


def blank_is_none(value: Any) -> Any:
    """An empty field of a form means: not given."""
    return None if isinstance(value, str) and not value.strip() else value


Printed = AfterValidator(printable)
Visible = AfterValidator(visible)
BlankIsNone = BeforeValidator(blank_is_none)

Color: TypeAlias = Annotated[str, Field(pattern=r"^#[0-9A-Fa-f]{6}$")]
