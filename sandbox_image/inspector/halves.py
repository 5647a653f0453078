"""The same work on many things by two processes: the machine of an inspection has two processors."""

from __future__ import annotations

import os
import pickle
import signal
from collections.abc import Callable, Sequence
from typing import TypeVar

T = TypeVar("T")
R = TypeVar("R")

FEWEST = 4  # things for which a second process is worth its start


def in_halves(function: Callable[[T], R], things: Sequence[T]) -> list[R]:
    """What `function` gives for each thing, in order; every second one is done by a forked child.

    The child belongs to the caller's process group, so that it ends with it. What it could not do is done again here,
    and raises here what it raises.
    """
    if len(things) < FEWEST:
        return [function(thing) for thing in things]
    reading, writing = os.pipe()
    pid = os.fork()
    if not pid:
        _do(writing, function, things[1::2])
    os.close(writing)
    done = False
    with os.fdopen(reading, "rb") as source:
        try:
            even = [function(thing) for thing in things[::2]]
            answer = source.read()
            done = True
        finally:
            if not done:
                os.kill(pid, signal.SIGKILL)
            status = os.waitpid(pid, 0)[1]
    odd: list[R] = pickle.loads(answer) if status == 0 else [function(thing) for thing in things[1::2]]
    return [(odd if number % 2 else even)[number // 2] for number in range(len(things))]


def _do(pipe: int, function: Callable[[T], R], things: Sequence[T]) -> None:
    status = 1
    try:
        with os.fdopen(pipe, "wb") as out:
            pickle.dump([function(thing) for thing in things], out, pickle.HIGHEST_PROTOCOL)
        status = 0
    finally:
        os._exit(status)
