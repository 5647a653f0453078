"""The checks by their ids, and the makers of previews. A module under `checks/` is a group: one limited process."""

from __future__ import annotations

import pkgutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import PurePosixPath
from typing import TypeAlias

from sandbox_image.inspector.subject import Evidence, Json, Subject

OPEN = "open"  # the kind whose entry may be of any type
ANY = "*"  # stands for every ending that no maker names

Measure: TypeAlias = Callable[[Subject, dict[str, Json]], Evidence]


@dataclass(frozen=True)
class Picture:
    """A preview: WebP bytes and its size in pixels."""

    content: bytes
    width: int
    height: int


Draw: TypeAlias = Callable[[Subject], Picture]


@dataclass(frozen=True)
class CheckEntry:
    """One check: who measures it, in which group, and for how long at most."""

    id: str
    group: str
    measure: Measure
    limit_s: float


@dataclass(frozen=True)
class PreviewEntry:
    """One maker of a preview; where several make the same name, the first rank that succeeds is taken.

    It draws for the `kinds`, and for the kind `open`, whose entry may be anything, by the ending of that.
    """

    name: str
    group: str
    kinds: tuple[str, ...]
    rank: int
    draw: Draw
    endings: tuple[str, ...] = ()


_checks: dict[str, CheckEntry] = {}
_previews: list[PreviewEntry] = []


def _group(module: str) -> str:
    """Modules may name a GROUP, to share one process and what is made in it; else each is its own."""
    return str(getattr(sys.modules[module], "GROUP", module.rsplit(".", 1)[-1]))


def check(check_id: str, limit_s: float = 40.0) -> Callable[[Measure], Measure]:
    """Register the function that measures `check_id`; it is stopped after `limit_s` seconds of wall time."""

    def register(measure: Measure) -> Measure:
        if check_id in _checks:
            raise ValueError(f"two functions measure {check_id}")
        _checks[check_id] = CheckEntry(check_id, _group(measure.__module__), measure, limit_s)
        return measure

    return register


def preview(name: str, kinds: tuple[str, ...], rank: int = 0, endings: tuple[str, ...] = ()) -> Callable[[Draw], Draw]:
    """Register the function that draws the preview `name` for artifacts of `kinds`, and open ones by the endings."""

    def register(draw: Draw) -> Draw:
        _previews.append(PreviewEntry(name, _group(draw.__module__), kinds, rank, draw, endings))
        return draw

    return register


@cache
def _load() -> None:
    package = import_module(".checks", __package__)
    for module in pkgutil.iter_modules(package.__path__):
        import_module(f".checks.{module.name}", __package__)


def find_check(check_id: str) -> CheckEntry | None:
    """The check called `check_id`, or None when this inspector does not know it."""
    _load()
    return _checks.get(check_id)


def all_checks() -> dict[str, CheckEntry]:
    """Every check that this inspector can measure, by id."""
    _load()
    return dict(_checks)


def previews_of(kind: str, entry: str) -> list[PreviewEntry]:
    """The makers of previews for a kind and its entry file, the preferred ones first."""
    _load()
    ending = PurePosixPath(entry).suffix.lower()
    fitting = [maker for maker in _previews if kind in maker.kinds or (kind == OPEN and ending in maker.endings)]
    if kind == OPEN and not fitting:
        fitting = [maker for maker in _previews if ANY in maker.endings]
    return sorted(fitting, key=lambda maker: maker.rank)
