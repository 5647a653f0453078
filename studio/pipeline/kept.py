"""What is kept of a run: outputs, previews and the agent's scripts, as blobs. Files are copied, never looked into."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path, PurePosixPath

from studio.blobs import Blobs
from studio.contract import MAX_FILES, Report
from studio.jobs import FileView

MAX_SCRIPTS = 500
AT_ONCE = 8
OTHER = "application/octet-stream"

# By name only: what a file says of itself is a stranger's word.
MEDIA_TYPES = {
    ".css": "text/css",
    ".csv": "text/csv",
    ".gif": "image/gif",
    ".htm": "text/html",
    ".html": "text/html",
    ".jpeg": "image/jpeg",
    ".jpg": "image/jpeg",
    ".js": "text/javascript",
    ".json": "application/json",
    ".md": "text/markdown",
    ".mid": "audio/midi",
    ".midi": "audio/midi",
    ".mp3": "audio/mpeg",
    ".mp4": "video/mp4",
    ".musicxml": "application/vnd.recordare.musicxml+xml",
    ".pdf": "application/pdf",
    ".png": "image/png",
    ".py": "text/x-python",
    ".sh": "text/x-shellscript",
    ".svg": "image/svg+xml",
    ".txt": "text/plain",
    ".wav": "audio/wav",
    ".webp": "image/webp",
}


def media_type(path: str) -> str:
    """The media type that a file's name stands for."""
    return MEDIA_TYPES.get(PurePosixPath(path).suffix.lower(), OTHER)


def keep(blobs: Blobs, folder: Path, report: Report | None) -> list[FileView]:
    """Store what `folder` holds below output/, previews/ and scripts/; what is neither file nor folder is left out.

    Of the previews only those that the report names are kept, with the size in pixels that it gives.
    """
    found: list[tuple[Path, str, dict[str, object]]] = []
    found += [(path, name, {"role": "output"}) for path, name in _files(folder / "output", MAX_FILES)]
    for preview in report.previews if report else []:
        path = folder / "previews" / preview.path
        if _is_file(path):
            size = {"width": preview.width, "height": preview.height}
            found.append((path, preview.path, {"role": "preview", **size}))
    found += [(path, name, {"role": "script"}) for path, name in _files(folder / "scripts", MAX_SCRIPTS)]
    # At once, as each waits for the disk to say that it is written, and a disk says so of many as soon as of one.
    with ThreadPoolExecutor(AT_ONCE, thread_name_prefix="keep") as pool:
        return list(pool.map(lambda one: _stored(blobs, *one), found))


def _stored(blobs: Blobs, path: Path, name: str, more: dict[str, object]) -> FileView:
    sha256 = blobs.put(path)
    told = {"path": name, "media_type": media_type(name), "bytes": blobs.path(sha256).stat().st_size, "sha256": sha256}
    return FileView.model_validate(told | more)


def _files(root: Path, most: int) -> Iterator[tuple[Path, str]]:
    """At most `most` regular files below `root` with their relative names, in order; links are not followed."""
    count = 0
    for folder, folders, names in os.walk(root):
        folders.sort()
        for name in sorted(names):
            path = Path(folder, name)
            relative = path.relative_to(root).as_posix()
            if count < most and _is_file(path) and _is_utf8(relative):
                count += 1
                yield path, relative


def _is_file(path: Path) -> bool:
    try:
        return stat.S_ISREG(path.lstat().st_mode)
    except OSError:
        return False


def _is_utf8(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True
