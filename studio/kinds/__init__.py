"""The kinds of artifact that the studio makes: one folder each, found here by name.

A kind is a sub-package that offers `KIND`, an instance of ArtifactKind.
"""

from __future__ import annotations

import pkgutil
from functools import cache
from importlib import import_module

from pydantic import ValidationError

from studio.brief import Brief, JsonObject, problems_of
from studio.errors import BriefError, Problem
from studio.kinds.base import ArtifactKind, Recipe, Sample

__all__ = ["ArtifactKind", "Recipe", "Sample", "all_kinds", "get_kind", "parse_brief"]


@cache
def all_kinds() -> dict[str, ArtifactKind]:
    """Every kind by its name, in alphabetical order."""
    found: dict[str, ArtifactKind] = {}
    for module in sorted(pkgutil.iter_modules(__path__), key=lambda item: item.name):
        if module.ispkg:
            kind = import_module(f"{__name__}.{module.name}").KIND
            found[kind.name] = kind
    return found


def get_kind(name: str) -> ArtifactKind:
    """The kind called `name`. Raises BriefError at /kind when there is none."""
    try:
        return all_kinds()[name]
    except KeyError:
        known = ", ".join(all_kinds())
        raise BriefError([Problem("/kind", f"unknown kind {name[:60]!r}; the studio makes: {known}")]) from None


def parse_brief(value: JsonObject | Brief) -> Brief:
    """A wholly validated brief, its parameters with defaults. Raises BriefError, pointers from the brief's root."""
    if isinstance(value, Brief):
        brief = value
    else:
        try:
            brief = Brief.model_validate(value)
        except ValidationError as error:
            raise BriefError(problems_of(error)) from None
    return get_kind(brief.kind).parse(brief)
