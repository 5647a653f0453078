"""Types of the image part."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

Stage: TypeAlias = Literal["system", "plan", "fetch", "install", "finish", "ready"]
"""What is being done: packages of the machine, reckoning, download, unpacking, trimming and measuring, nothing more."""


@dataclass(frozen=True)
class Progress:
    """One step of a set-up, for a person. `done_bytes` of `total_bytes` are known only while `stage` is `fetch`."""

    stage: Stage
    message: str
    done_bytes: int | None = None
    total_bytes: int | None = None
    fraction: float | None = None
    """How much of this stage is done, 0..1, where that is known."""


Report: TypeAlias = Callable[[Progress], None]
"""Is told of each step; called from the thread that called `ensure`."""


@dataclass(frozen=True)
class Image:
    """A finished sandbox image."""

    engine: str
    digest: str
    """SHA-256 over everything that goes in; the same lists give the same digest."""
    path: Path
    """The root folder, to be mounted read-only."""
    size_bytes: int
    """Space on disk."""
    parts: Mapping[str, int]
    """Space on disk by part; they add up to `size_bytes`."""
    python: str
    """Version of the image's Python, as in `3.11.2`."""
    packages: int
    """Number of Debian packages."""
    built_at: str
    """UTC, RFC 3339."""
