"""A picture as a model is shown it: sized and encoded inside the sandbox, never decoded on this side."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import sandbox_image
from studio.errors import SandboxRefused
from studio.models.types import Picture
from studio.sandboxes.types import Sandbox

SIDE = 1024  # pixels of the longer side
MAX_BYTES = 512 << 10
TIME_S = 20.0
_MAGIC = {"image/png": b"\x89PNG\r\n\x1a\n", "image/jpeg": b"\xff\xd8\xff"}


@cache
def program() -> str:
    """The program that does it inside."""
    return Path(sandbox_image.__file__).with_name("shown.py").read_text("utf-8")


def look(sandbox: Sandbox, picture: str | bytes) -> Picture | str:
    """The picture at a path in the sandbox, or that of these bytes, at most SIDE pixels a side; or why there is none.

    What comes back is a stranger's word: its size is capped, its first bytes must be those of its media type, and its
    pixels as it tells them only count for the estimate of tokens. Raises SandboxLost.
    """
    source, content = (picture, b"") if isinstance(picture, str) else ("-", picture)
    argv = ["python3", "-I", "-c", program(), source, str(SIDE), str(MAX_BYTES)]
    try:
        status, out, _ = sandbox.run(argv, stdin=content, timeout_s=TIME_S, limit=MAX_BYTES + 100)
    except SandboxRefused as error:
        return str(error)
    head, _, encoded = out.partition(b"\n")
    words = head.decode("ascii", "replace").split()
    if status != 0 or len(words) != 3 or not words[1].isdigit() or not words[2].isdigit():
        return "no picture can be read from it" if status is not None else "reading it took too much time or memory"
    media, width, height = words[0], int(words[1]), int(words[2])
    if not 0 < min(width, height) <= max(width, height) <= SIDE or len(encoded) > MAX_BYTES:
        return "it is too large"
    if media not in _MAGIC or not encoded.startswith(_MAGIC[media]):
        return "it is none of PNG and JPEG"
    return Picture(media, encoded, width, height)
