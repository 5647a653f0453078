"""Where a motif plays, and what every motif is."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

from .canvas import Box
from .scheme import Scheme


@dataclass(frozen=True)
class Stage:
    """Where a motif plays: its box, and the circle in which its weight lies."""

    box: Box
    cx: float
    cy: float
    radius: float


Motif = Callable[[random.Random, Stage, Scheme], list[str]]
