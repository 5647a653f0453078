"""The field types of an attachment that a brief names."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from pydantic import AfterValidator, Field

from studio.brief import attachment_problem
from studio.printable import BlankIsNone


def _attachment(name: str) -> str:
    if reason := attachment_problem(name):
        raise ValueError(f"names an attachment: {reason}")
    return name


Attachment: TypeAlias = Annotated[str, Field(min_length=1, max_length=200), AfterValidator(_attachment)]
MaybeAttachment: TypeAlias = Annotated[Attachment | None, BlankIsNone]
