"""The sandbox image of this machine: what is in it, whether it is there, and how it is made.

Modules: `model` (types), `store` (where images lie), `lists` (what goes in, and its digest), `sources`, `debian`,
`wheels` and `web` (the download phase), `unpack` (the phase after it),
`host` (what the machine itself needs), `parts` (how large it became), `build` (all of it in order).
"""

from __future__ import annotations

from studio.sandboxes.image.build import ensure
from studio.sandboxes.image.model import Image, Progress, Report
from studio.sandboxes.image.store import find, require

__all__ = ["Image", "Progress", "Report", "ensure", "find", "require"]
