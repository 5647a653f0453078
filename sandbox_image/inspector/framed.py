"""A page that a model made, opened as the gallery shows it: in its frame, under its headers, with no network.

Every request is answered here: the studio's frame, the delivered files, and nothing else. What the page throws, what
its console says and what it tries to load is kept.
"""

from __future__ import annotations

import base64
import json
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any
from urllib.parse import unquote, urlsplit

from sandbox_image.inspector.limited import cpu_seconds_under
from sandbox_image.inspector.listing import media_type
from sandbox_image.inspector.page_policy import FOREIGN, OPAQUE, STUDIO, Setting
from sandbox_image.inspector.sparing import SparingBrowser
from sandbox_image.inspector.subject import Json, Subject, Unfit

PROBES = ("waits.js", "styled.js", "probe.js", "sights.js")
CPU_SECONDS = 60  # for each of the browser's processes: a page with a hundred markers is clicked through
ANSWER_S = 25.0  # how long the page may leave a question unanswered
BUSY_S = 4.0  # of processor time in that: then it is the page that is busy, and not the machine
COUNT_EVERY_S = 0.5
SETTLE_S = 4.0  # how long a page may take after loading until nothing moves any more
LOOK_S = 0.04  # between two looks at a page that is to come to rest: three alike are rest
REST_S = 2.0  # how long a painted frame is waited for after a control was used
MOST_RESTLESS = 3
MAX_KEPT = 200

# x, y and zoom of a slippy-map tile in an address, in one of the usual forms.
_TILE = re.compile(
    r"/\d{1,2}/\d{1,7}/\d{1,7}(@\dx)?(\.\w+)?/?([?#]|$)|[?&]quadkey=|[?&](x|y|z|TILECOL|TILEROW)=\d+.*[?&]"
    r"|[?&]request=getmap\b",  # OGC 06-042, Web Map Service, 7.3
    re.I,
)
# A picture of such a tile, that a script asks for to paint it itself.
_PAINTED = re.compile(r"\.(png|jpe?g|webp|avif)([?#]|$)", re.I)
# What a library says that got none.
_UNFETCHED = re.compile(r"^console\.error: (TypeError|AJAXError|Error): Failed to fetch\b")
# Said by the frame, not by the page: what the frame forbids does nothing, and harms nothing.
_OF_THE_FRAME = ("Blocked opening", "Ignored call to 'print", "allow-modals", "Permissions policy violation")
_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".mjs": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
}


# Are they still the browser's own? Throws where not even this can be asked.
_BUILT_IN = (
    "[Array.prototype.map, Array.prototype.filter, Array.prototype.some, Array.prototype.find, Array.prototype.push,"
    " Array.prototype[Symbol.iterator], JSON.stringify, Object.values, Element.prototype.matches,"
    " Element.prototype.getBoundingClientRect, Document.prototype.querySelectorAll, String.prototype.trim]"
    ".every(own => Function.prototype.toString.call(own).includes('[native code]'))"
    " && !('toJSON' in Object.prototype)"
)
_LEFT = "{} did not stay open in its frame; it must not leave its address."
# Directive of a content security policy → what was asked for.
_ASKED = {
    "img": "Image",
    "script": "Script",
    "style": "Stylesheet",
    "font": "Font",
    "connect": "Fetch",
    "media": "Media",
}


def is_tile(url: str) -> bool:
    """Is this the address of one tile of a map?"""
    return bool(_TILE.search(url))


def _only_painted_tiles(about: str) -> bool:
    """Are pictures of tiles all that a message about what was not fetched names, but for the page itself?"""
    urls = [url for url in re.findall(r"https?://[^\s'\")]+", about) if not url.startswith((FOREIGN.base, OPAQUE.base))]
    named = [url.rstrip(".,") for url in urls if urlsplit(url).path not in ("", "/")]
    return bool(named) and all(is_tile(url) and _PAINTED.search(url) for url in named)


@dataclass(frozen=True)
class Load:
    """Something that a page tried to load: its address, and what for, as in `Image` or `Script`."""

    url: str
    kind: str

    @property
    def tile(self) -> bool:
        return self.kind in ("Image", "Fetch", "XHR") and is_tile(self.url)


@dataclass
class Heard:
    """What was heard of one page."""

    errors: list[str] = field(default_factory=list)
    loads: list[Load] = field(default_factory=list)
    icons: set[str] = field(default_factory=set)  # addresses of the page's own icons, which a frame never shows

    @property
    def faults(self) -> list[str]:
        """The errors, but for those about an icon, and about tiles where nothing else was fetched."""
        fetched = [load for load in self.loads if load.kind in ("Fetch", "XHR")]
        tiled = bool(fetched) and all(load.tile and _PAINTED.search(load.url) for load in fetched)
        own = [error for error in self.errors if not (tiled and _UNFETCHED.match(error))]
        return [error for error in own if not any(icon in error for icon in self.icons)]

    def with_(self, other: Heard) -> Heard:
        """What was heard here, and what was heard there and not here."""
        errors = list(dict.fromkeys([*self.errors, *other.errors]))
        loads = list({load.url: load for load in [*other.loads, *self.loads]}.values())
        return Heard(errors, loads, self.icons | other.icons)

    def error(self, text: str) -> None:
        flat = " ".join(text.split())[:300]
        if flat not in self.errors and len(self.errors) < MAX_KEPT:
            self.errors.append(flat)


class Framed(SparingBrowser):
    """A browser with one page of the delivery in the gallery's frame."""

    def __init__(self, subject: Subject, *, paints: bool = False) -> None:
        self._subject = subject
        self._heard: dict[str, Heard] = {}
        self.visits = 0  # how often a page was opened
        super().__init__(CPU_SECONDS, paints=paints)

    def _start(self) -> None:
        self._setting: Setting | None = None
        self._path = ""
        self._main = ""
        self._left = self._unpainted = False
        self._counted = (0.0, 0.0)  # when processor time was last looked at, and how much it was
        self._restless = 0  # how often it waited in vain for a painted frame
        self._contexts: dict[int, str] = {}  # execution context → frame
        super()._start()
        probe = "".join((files(__package__) / name).read_text("utf-8") for name in PROBES)
        still = [{"name": "prefers-reduced-motion", "value": "reduce"}]
        tree, *_ = self.call_all(
            [
                ("Page.getFrameTree", None),
                ("Page.enable", None),
                ("Runtime.enable", None),
                ("Network.enable", {"maxTotalBufferSize": 1 << 20, "maxResourceBufferSize": 1 << 20}),
                ("Log.enable", None),
                ("Fetch.enable", {"patterns": [{"urlPattern": "*"}]}),
                ("Page.addScriptToEvaluateOnNewDocument", {"source": probe}),
                ("Emulation.setEmulatedMedia", {"features": still}),
            ]
        )
        self._main = tree["frameTree"]["frame"]["id"]

    @contextmanager
    def left_when_stuck(self) -> Iterator[None]:
        """Where a page stops answering it takes its browser along: the next page is opened in a new one."""
        try:
            yield
        except (Unfit, TimeoutError):
            self._left = True
            raise

    @property
    def heard(self) -> Heard:
        """What was heard of the page that is open."""
        return self.heard_of(self._path)

    def heard_of(self, path: str) -> Heard:
        """What was heard of one delivered page so far."""
        return self._heard.setdefault(path, Heard())

    def show(self, path: str, setting: Setting, width: int, height: int) -> None:
        """Open a delivered page in a window of so many CSS px, and wait until it rests."""
        self._subject.file(path)
        self.visits += 1
        if self._left:
            self.close()
            self._start()
        self.resize(width, height, 1.0)
        self._setting, self._path = setting, path
        self._contexts.clear()
        self.call("Page.navigate", {"url": f"{STUDIO}/"})
        self.settle(loading=True)

    def settle(self, limit_s: float = SETTLE_S, *, loading: bool = False) -> None:
        """Wait until the page has loaded, waits for nothing and looks the same some times, or the limit is over."""
        deadline = time.monotonic() + (limit_s * 4 if loading else limit_s)
        before: Json = ""
        calm = 0
        while time.monotonic() < deadline:
            now: Json = {"complete": False, "waits": 0, "look": ""}
            if self._context() is not None:
                now = self.ask("state")
            if loading and now["complete"]:
                loading, deadline = False, time.monotonic() + limit_s
            calm = calm + 1 if now["complete"] and not now["waits"] and now["look"] == before else 0
            if calm >= 3:
                break
            before = now["look"]
            self.wait(LOOK_S)
        self.note_blocked()

    def note_blocked(self) -> None:
        """Keep what the policy kept the page from loading so far."""
        if self._context() is None:
            return
        self.heard.icons.update(str(icon) for icon in self.ask("icons") if icon)
        for violation in self.ask("violations"):
            if str(violation["url"]).startswith(("http:", "https:", "//")):
                kind = _ASKED.get(str(violation["directive"]).split("-")[0], "Other")
                self._load(str(violation["url"]), kind)

    def ask(self, name: str, *arguments: Json) -> Any:
        """What the probe in the page answers to one of its questions; None where the page is not there."""
        for _ in range(3):
            context = self._context()
            if context is None:
                self.wait(0.05)
                continue
            words = ", ".join(json.dumps(argument) for argument in arguments)
            expression = f'globalThis[Symbol.for("studio.probe")].answer("{name}", {words})'
            asked = {"expression": expression, "contextId": context, "returnByValue": True, "awaitPromise": True}
            try:
                result = self._call_page("Runtime.evaluate", asked)
            except RuntimeError:
                self.wait(0.05)  # the page went elsewhere while it was asked
                continue
            if "exceptionDetails" in result:
                details = result["exceptionDetails"]
                said = details.get("exception", {}).get("description") or details.get("text")
                self._refuse_changed_builtins(context)
                raise RuntimeError(f"probe {name}: {said!s:.300}")
            answer, self._unpainted = result["result"]["value"]
            if self._unpainted:
                self.paint()
            return answer
        raise Unfit(_LEFT.format(self._path), self._path)

    def _refuse_changed_builtins(self, context: int) -> None:
        """Raises Unfit where the page itself replaced what every script relies on."""
        asked = {"expression": _BUILT_IN, "contextId": context, "returnByValue": True}
        try:
            own = self.call("Runtime.evaluate", asked, limit_s=ANSWER_S).get("result", {}).get("value")
        except RuntimeError:  # the page went elsewhere meanwhile
            raise Unfit(_LEFT.format(self._path), self._path) from None
        if own is not True:
            raise Unfit(
                f"{self._path} replaces functions that are built into JavaScript, so nothing in it can be relied on; "
                "leave them as they are.",
                self._path,
            )

    def _used_so_far(self) -> float:
        """Processor time of this browser up to a moment ago, in seconds: not counted for every question."""
        if time.monotonic() > self._counted[0] + COUNT_EVERY_S:
            self._counted = (time.monotonic(), cpu_seconds_under(self._process.pid))
        return self._counted[1]

    def rest(self) -> int:
        """Wait for two frames, and for more where the page waits for a painted one; how many timers are to come."""
        limit_s = REST_S if self._restless < MOST_RESTLESS else REST_S / 20
        deadline = time.monotonic() + limit_s
        with self.brisk():
            timers = self.ask("rest")
            if self._unpainted:
                with self.painting():
                    while self._unpainted and time.monotonic() < deadline:
                        timers = self.ask("rest")
                self._restless += self._unpainted
        return int(timers or 0)

    def click(self, x: float, y: float) -> None:
        """A real click with the left button at a point of the window. Raises Unfit where it does not end."""
        where = {"x": round(x, 1), "y": round(y, 1)}
        pressed = {**where, "button": "left", "clickCount": 1}
        # They are taken in order, so only the last one is waited for.
        self.post("Input.dispatchMouseEvent", {"type": "mouseMoved", **where})
        self.post("Input.dispatchMouseEvent", {"type": "mousePressed", "buttons": 1, **pressed})
        self._call_page("Input.dispatchMouseEvent", {"type": "mouseReleased", **pressed})

    def _call_page(self, method: str, params: Json) -> Any:
        """A command that the page itself answers. Raises Unfit where that is busy with itself for too long."""
        used = self._used_so_far()
        try:
            return self.call(method, params, limit_s=ANSWER_S)
        except TimeoutError:
            if cpu_seconds_under(self._process.pid) - used < BUSY_S:
                raise
            raise Unfit(f"{self._path} stops answering: a script of it does not come to its end.", self._path) from None

    def _context(self) -> int | None:
        """The execution context of the page in the frame."""
        return next((context for context, frame in self._contexts.items() if frame != self._main), None)

    def _happened(self, event: Json) -> None:
        super()._happened(event)
        method, params = event["method"], event.get("params", {})
        if method == "Fetch.requestPaused":
            self._answer(params)
        elif method == "Runtime.executionContextCreated":
            context = params["context"]
            if context["auxData"].get("isDefault"):
                self._contexts[context["id"]] = context["auxData"]["frameId"]
        elif method == "Runtime.executionContextDestroyed":
            self._contexts.pop(params["executionContextId"], None)
        elif method == "Runtime.executionContextsCleared":
            self._contexts.clear()
        elif method == "Network.requestWillBeSent":
            self._load(params["request"]["url"], params.get("type", "Other"))
        elif method == "Page.javascriptDialogOpening":
            self.post("Page.handleJavaScriptDialog", {"accept": True})
        else:
            self._listen(method, params)

    def _listen(self, method: str, params: Json) -> None:
        if method == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            thrown = details.get("exception") or {}
            said = str(thrown.get("description") or thrown.get("value") or details.get("text", ""))
            line = f" (line {details['lineNumber'] + 1})" if details.get("lineNumber") else ""
            self.heard.error(said.split("\n    at ")[0] + line)
        elif method == "Runtime.consoleAPICalled" and params["type"] in ("error", "assert"):
            said = " ".join(str(a.get("value", a.get("description", ""))) for a in params["args"])
            self.heard.error(f"console.{params['type']}: {said}")
        elif method == "Log.entryAdded" and params["entry"]["level"] == "error":
            entry = params["entry"]
            about = f"{entry.get('url', '')} {entry['text']}"
            if not self._of_a_tile(about) and not any(words in about for words in _OF_THE_FRAME):
                self.heard.error(f"{entry['text']} {entry.get('url', '')}".strip())

    def _of_a_tile(self, about: str) -> bool:
        if "connect-src" in about or "Fetch API" in about:
            return _only_painted_tiles(about)
        if re.search(r"(script|style|font|media|frame|worker)-src", about):
            return False
        return any(is_tile(url) for url in re.findall(r"https?://[^\s'\"]+", about))

    def _load(self, url: str, kind: str) -> None:
        if self._setting and self._setting.sandboxed and url.startswith(f"{STUDIO}/"):
            return  # without an origin, what is the page's own cannot be told from the studio's
        own = self._setting and url in (f"{STUDIO}/", self._setting.base + self._path)
        if own or url.startswith(("data:", "blob:", "about:")) or len(self.heard.loads) >= MAX_KEPT:
            return
        load = Load(url[:500], kind)
        if all(each.url != load.url for each in self.heard.loads):
            self.heard.loads.append(load)

    def _answer(self, params: Json) -> None:
        """Serve the frame and the delivered files; everything else finds no network."""
        url = params["request"]["url"]
        setting = self._setting
        if setting and url == f"{STUDIO}/":
            address = setting.base + self._path
            self._fulfil(params, "text/html; charset=utf-8", setting.frame(address).encode(), {})
            return
        if setting and url.startswith(setting.base):
            path = unquote(urlsplit(url).path.removeprefix(urlsplit(setting.base).path))
            try:
                content = self._subject.bytes_of(path)
            except Unfit:
                self._fulfil(params, "text/plain", b"There is no such file.\n", {}, 404)
                return
            ending = "." + path.rsplit(".", 1)[-1].lower()
            self._fulfil(params, _TYPES.get(ending) or media_type(path, content[:4096]), content, setting.headers)
            return
        self.post("Fetch.failRequest", {"requestId": params["requestId"], "errorReason": "InternetDisconnected"})

    def _fulfil(self, params: Json, kind: str, content: bytes, headers: dict[str, str], status: int = 200) -> None:
        every = {"Content-Type": kind, **headers}
        self.post(
            "Fetch.fulfillRequest",
            {
                "requestId": params["requestId"],
                "responseCode": status,
                "responseHeaders": [{"name": name, "value": value} for name, value in every.items()],
                "body": base64.b64encode(content).decode(),
            },
        )
