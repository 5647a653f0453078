"""Which files below /testbed a call changed, seen by comparing times, sizes and inodes before and after."""

from __future__ import annotations

import os

MAX_ENTRIES = 20_000
MAX_NAMES = 200

Snapshot = dict[str, tuple[int, int, int]]


def snapshot(root: str) -> Snapshot | None:
    """(mtime in ns, size, inode) of everything but folders; None when there is too much to look at."""
    found: Snapshot = {}
    folders = [root]
    seen = 0
    while folders:
        folder = folders.pop()
        try:
            entries = os.scandir(folder)
        except OSError:
            continue
        with entries:
            for entry in entries:
                seen += 1
                if seen > MAX_ENTRIES:
                    return None
                try:
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(entry.path)
                        continue
                    status = entry.stat(follow_symlinks=False)
                except OSError:
                    continue
                found[entry.path] = (status.st_mtime_ns, status.st_size, status.st_ino)
    return found


def changed(root: str, before: Snapshot | None, after: Snapshot | None) -> list[str]:
    """Paths relative to `root` that were made, rewritten or removed; sorted, at most 200."""
    if before is None or after is None:
        return []
    names = {path for path, status in after.items() if before.get(path) != status}
    names.update(path for path in before if path not in after)
    start = len(root.rstrip("/")) + 1
    return sorted(os.fsencode(path)[start:].decode("utf-8", "replace") for path in names)[:MAX_NAMES]
