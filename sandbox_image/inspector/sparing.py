"""A browser that paints only what is looked at: everything else happens in its page as ever.

In a page that is clicked through, painting is most of the work, and nobody sees it. So each frame is asked for here
(the protocol's domain HeadlessExperimental): scripts, styles, layout and observers take part in all of them, at the
usual pace; only some are painted too. They are when a picture is taken, when the page waits for it (a transition that
has yet to begin, an idle callback, a view transition: `waits.js` tells), and once a second in any case.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

from sandbox_image.inspector.browser import Browser
from sandbox_image.inspector.subject import Json

FRAME_S = 1 / 60
BRISK_S = 1 / 240  # the same where somebody waits for the next frame
PAINT_S = 1.0  # a frame is painted at least so often
LOST_S = 1.0  # an answer that did not come by then does not come: the page went elsewhere


class SparingBrowser(Browser):
    """One running browser with one page, of which most frames are not painted; all of them with `paints`."""

    def __init__(self, cpu_seconds: int, *, paints: bool = False) -> None:
        self._paints = paints
        if not paints:
            self._more_flags = ("--enable-begin-frame-control", "--run-all-compositor-stages-before-draw")
            self._target = {"enableBeginFrameControl": True}
        super().__init__(cpu_seconds)

    def _start(self) -> None:
        self._running = False
        self._frame: int | None = None  # number of the command for the frame that is under way
        self._pace = FRAME_S
        self._framed = self._painted = 0.0  # when the last one began
        self._wanting = self._taking = False  # is the next one to be painted, are all of them?
        super()._start()
        if not self._paints:
            self.call("HeadlessExperimental.beginFrame")  # one that is answered: it is known to work
            self._running = True

    @contextmanager
    def brisk(self) -> Iterator[None]:
        """Frames follow each other faster, as somebody waits for them."""
        self._pace = BRISK_S
        try:
            yield
        finally:
            self._pace = FRAME_S

    def paint(self) -> None:
        """Have the next frame painted."""
        self._wanting = True

    @contextmanager
    def painting(self) -> Iterator[None]:
        """Every frame is painted."""
        self._taking = True
        try:
            yield
        finally:
            self._taking = False

    def screenshot(self) -> bytes:
        """The viewport as PNG, transparent where nothing is painted."""
        with self.painting():
            return super().screenshot()

    def _ready(self, deadline: float) -> bool:
        while self._running:
            now = time.monotonic()
            if self._frame is not None and now > self._framed + LOST_S:
                self._frame = None
            due = self._framed + (self._pace if self._frame is None else LOST_S)
            if now >= due:
                self._begin_frame(now)
                continue
            if super()._ready(min(deadline, due)):
                return True
            if time.monotonic() >= deadline:
                return False
        return super()._ready(deadline)

    def _begin_frame(self, now: float) -> None:
        painted = self._wanting or self._taking or now > self._painted + PAINT_S
        try:
            self._frame = self.post("HeadlessExperimental.beginFrame", {"noDisplayUpdates": not painted})
        except BrokenPipeError:
            self._running = False  # what is read next tells that the browser is gone
        self._framed = now
        if painted:
            self._painted, self._wanting = now, False

    def _receive(self, deadline: float, method: str) -> Json:
        answer = super()._receive(deadline, method)
        if "id" in answer and answer["id"] == self._frame:
            self._frame = None
        return answer
