"""What the kernel has counted of processes: bytes written and memory held (proc(5))."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from pathlib import Path


def written(pids: Iterable[int]) -> int | None:
    """Bytes that processes gave to write calls, those that have ended included (io: wchar).

    A sandbox's files lie in memory, so no device and no control group counts them. Pipes count too; memory that is
    mapped does not. None where this user may not look.
    """
    total = 0
    for pid in pids:
        try:
            lines = Path(f"/proc/{pid}/io").read_text().splitlines()
        except PermissionError:
            return None
        except OSError:  # it has just ended; whoever waits for it has its count now
            continue
        total += next((int(line.split()[1]) for line in lines if line.startswith("wchar:")), 0)
    return total or None


def resident(pids: Iterable[int]) -> int | None:
    """The memory of processes, shared pages counted by share (PSS), in bytes; None where this user may not look."""
    total = 0
    for pid in pids:
        with contextlib.suppress(OSError):
            for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
                if line.startswith("Pss:"):
                    total += int(line.split()[1]) << 10
    return total or None
