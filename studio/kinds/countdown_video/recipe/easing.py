"""How things move: never linear. Arguments and results are shares of a whole unless said otherwise."""

from __future__ import annotations

import math


def clamp(value: float, low: float = 0.0, high: float = 1.0) -> float:
    """The value within its bounds."""
    return low if value < low else min(value, high)


def span(time: float, start: float, length: float) -> float:
    """How far a stretch of time has gone, 0..1."""
    return clamp((time - start) / length) if length > 0 else float(time >= start)


def smooth(share: float) -> float:
    """Cubic, slow at both ends."""
    share = clamp(share)
    return share * share * (3 - 2 * share)


def out_cubic(share: float) -> float:
    """Quick, then slow."""
    return 1 - (1 - clamp(share)) ** 3


def in_cubic(share: float) -> float:
    """Slow, then quick."""
    return clamp(share) ** 3


def in_back(share: float, pull: float = 2.2) -> float:
    """Draws back before it goes: anticipation."""
    share = clamp(share)
    return share * share * ((pull + 1) * share - pull)


def spring(share: float, damping: float = 5.2, swings: float = 1.6) -> float:
    """A damped spring from 0 to 1 that overshoots by about an eighth."""
    share = clamp(share)
    if share >= 1:
        return 1.0
    fade = math.exp(-damping * share) * (1 - smooth(max(0.0, share - 0.7) / 0.3))
    return 1 - fade * math.cos(math.tau * swings * share)


def wave(time: float, period: float, phase: float = 0.0) -> float:
    """A sine of this period, −1..1."""
    return math.sin(math.tau * (time / period + phase))
