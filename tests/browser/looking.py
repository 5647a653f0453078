"""Pages in a browser, watched: whatever a page complains about is remembered, and pictures of it are kept."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from playwright.sync_api import Browser, BrowserContext, Page, Response

PHONE, DESK = 390, 1280
HEIGHTS = {PHONE: 844, DESK: 900}


@dataclass
class Watched:
    """A browser whose pages are watched for errors in the console, refused resources and failed requests."""

    browser: Browser
    screens: Path
    complaints: list[str] = field(default_factory=list)
    contexts: list[BrowserContext] = field(default_factory=list)

    def page(
        self, width: int = DESK, scheme: str = "light", *, script: bool = True, motion: str = "no-preference"
    ) -> Page:
        """A new page in a context of its own, as wide as a phone or a desk's screen."""
        context = self.browser.new_context(
            viewport={"width": width, "height": HEIGHTS[width]},
            color_scheme="dark" if scheme == "dark" else "light",
            java_script_enabled=script,
            reduced_motion="reduce" if motion == "reduce" else "no-preference",
        )
        context.set_default_timeout(20_000)
        self.contexts.append(context)
        page = context.new_page()
        page.on("console", lambda said: self._console(said.type, said.text))
        page.on("pageerror", lambda error: self.complaints.append(f"uncaught: {error}"))
        page.on("response", self._response)
        return page

    def _console(self, kind: str, text: str) -> None:
        if kind in ("error", "warning"):
            self.complaints.append(f"console {kind}: {text}")

    def _response(self, response: Response) -> None:
        if response.status >= 400:
            self.complaints.append(f"{response.status} {response.url}")

    def keep(self, page: Page, name: str) -> None:
        """Keep a picture of the whole page."""
        self.screens.mkdir(parents=True, exist_ok=True)
        width = (page.viewport_size or {"width": 0})["width"]
        page.screenshot(path=self.screens / f"{name}-{width}.png", full_page=True)

    def expect(self, *parts: str) -> None:
        """Take complaints that a test provokes off the list; each must be there."""
        for part in parts:
            found = [text for text in self.complaints if part in text]
            assert found, f"nothing complained of {part!r}: {self.complaints}"
            self.complaints = [text for text in self.complaints if part not in text]

    def close(self) -> None:
        for context in self.contexts:
            context.close()
        assert self.complaints == []


def fits(page: Page) -> bool:
    """Does nothing stick out at the side?"""
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))
