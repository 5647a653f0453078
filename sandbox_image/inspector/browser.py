"""Chromium's headless shell over the DevTools protocol, spoken through its two pipes (`--remote-debugging-pipe`).

Messages are JSON objects that end with a NUL byte. The sandbox around the inspector confines the browser, so it runs
without its own; it has no network, and every page that it opens forbids what could run. A page that never comes to its
end meets the limit of processor time; the limits of wall time are wider, so that a busy machine refuses no good file.
"""

from __future__ import annotations

import base64
import json
import os
import resource
import select
import shutil
import subprocess
import tempfile
import time
from collections.abc import Sequence
from typing import Any

from sandbox_image.inspector.subject import Json, Unfit

PROGRAM = "chromium-headless-shell"
START_LIMIT_S = 30.0
WALL_LIMIT_S = 40.0  # for one command
CPU_SECONDS = 15  # for each of the browser's processes
MAX_MESSAGE = 256 << 20

_FLAGS = (
    "--headless",
    "--no-sandbox",
    "--no-zygote",
    "--in-process-gpu",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--mute-audio",
    "--no-first-run",
    "--disable-extensions",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-lcd-text",
    "--disable-breakpad",
    "--force-color-profile=srgb",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--disable-features=Translate,BackForwardCache,PaintHolding,MediaRouter,OptimizationHints,IsolateSandboxedIframes",
    "--enable-features=NetworkServiceInProcess2",  # there is no network: a process for it is not worth its start
    "--disable-site-isolation-trials",  # a page in a frame stays in the one process that is spoken to
    "--js-flags=--max-old-space-size=512",
    "--remote-debugging-pipe",
)


_HEAVY = f"the browser gave up on this file, or needed more than {CPU_SECONDS} s to draw it; make it simpler."


class Browser:
    """One running browser with one page.

    Its methods raise Unfit when a file used up the processor time or crashed the page, TimeoutError when wall time ran
    out without that, RuntimeError when the browser refused a command.
    """

    _more_flags: tuple[str, ...] = ()
    _target: Json = {}  # more about its page

    def __init__(self, cpu_seconds: int = CPU_SECONDS) -> None:
        self._cpu_seconds = cpu_seconds
        self._start()

    def _start(self) -> None:
        cpu_seconds = self._cpu_seconds
        to_browser, self._out = os.pipe()
        self._in, from_browser = os.pipe()
        self._home = tempfile.mkdtemp(prefix="browser-")
        self._next = 0
        self._pending = bytearray()

        def place_pipes() -> None:
            # The browser reads its commands from descriptor 3 and answers on 4.
            first, second = os.dup(to_browser), os.dup(from_browser)
            os.dup2(first, 3)
            os.dup2(second, 4)
            unlimited = resource.getrlimit(resource.RLIMIT_AS)[1]
            resource.setrlimit(resource.RLIMIT_AS, (unlimited, unlimited))
            resource.setrlimit(resource.RLIMIT_CPU, (cpu_seconds, cpu_seconds))

        self._process = subprocess.Popen(
            [PROGRAM, *_FLAGS, *self._more_flags, f"--user-data-dir={self._home}", "about:blank"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            close_fds=False,
            preexec_fn=place_pipes,
            env={"HOME": self._home, "PATH": os.environ.get("PATH", "/usr/bin:/bin"), "LANG": "C.UTF-8"},
        )
        os.close(to_browser)
        os.close(from_browser)
        self._session: str | None = None
        try:
            blank = {"url": "about:blank", **self._target}
            target = self.call("Target.createTarget", blank, limit_s=START_LIMIT_S, page=False)
            self._session = self.call(
                "Target.attachToTarget", {"targetId": target["targetId"], "flatten": True}, page=False
            )["sessionId"]
            self.call("Inspector.enable")
        except Unfit:
            self.close()
            raise RuntimeError("the browser did not start") from None  # it has not seen any file yet

    def call(self, method: str, params: Json = None, limit_s: float = WALL_LIMIT_S, page: bool = True) -> Any:
        """The result of one protocol command."""
        wanted = self.post(method, params, limit_s, page)
        deadline = time.monotonic() + limit_s
        while True:
            answer = self._receive(deadline, method)
            if "method" in answer:
                self._happened(answer)
            elif answer.get("id") == wanted:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error'].get('message')}")
                return answer["result"]

    def call_all(self, commands: Sequence[tuple[str, Json]], limit_s: float = WALL_LIMIT_S) -> list[Any]:
        """The results of several protocol commands, which are under way at the same time."""
        asked = {self.post(method, params, limit_s): method for method, params in commands}
        results: dict[int, Any] = {}
        deadline = time.monotonic() + limit_s
        while len(results) < len(asked):
            answer = self._receive(deadline, commands[0][0])
            if "method" in answer:
                self._happened(answer)
            elif answer.get("id") in asked:
                if "error" in answer:
                    raise RuntimeError(f"{asked[answer['id']]}: {answer['error'].get('message')}")
                results[answer["id"]] = answer["result"]
        return [results[number] for number in asked]

    def post(self, method: str, params: Json = None, limit_s: float = WALL_LIMIT_S, page: bool = True) -> int:
        """Send one command and wait for nothing; its number."""
        self._next += 1
        message: Json = {"id": self._next, "method": method, "params": params or {}}
        if page:
            message["sessionId"] = self._session
        self._send(json.dumps(message).encode() + b"\0", time.monotonic() + limit_s)
        return self._next

    def wait(self, seconds: float) -> None:
        """Take in what happens in the page for so long."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            if b"\0" in self._pending or self._ready(deadline):
                answer = self._receive(time.monotonic() + WALL_LIMIT_S, "an event")
                if "method" in answer:
                    self._happened(answer)

    def _happened(self, event: Json) -> None:
        """An event of the protocol; subclasses look at more of them."""
        if event["method"] == "Inspector.targetCrashed":
            raise Unfit(_HEAVY)

    def evaluate(self, function: str, *arguments: Json) -> Any:
        """The JSON value that a JavaScript function returns in the page (a promise is awaited)."""
        document = self.call("Runtime.evaluate", {"expression": "document"})["result"]["objectId"]
        result = self.call(
            "Runtime.callFunctionOn",
            {
                "functionDeclaration": function,
                "objectId": document,
                "arguments": [{"value": value} for value in arguments],
                "returnByValue": True,
                "awaitPromise": True,
            },
        )
        if "exceptionDetails" in result:
            details = result["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description") or details.get("text"))
        return result["result"].get("value")

    def open(self, html: str, width: int, height: int, scale: float = 1.0) -> None:
        """Show an HTML page at a size in CSS px, `scale` device pixels each; no script of the page itself runs."""
        self.resize(width, height, scale)
        self.call("Emulation.setScriptExecutionDisabled", {"value": True})
        self.call("Emulation.setDefaultBackgroundColorOverride", {"color": {"r": 0, "g": 0, "b": 0, "a": 0}})
        address = "data:text/html;charset=utf-8;base64," + base64.b64encode(html.encode()).decode()
        self.call("Page.enable")
        self.call("Page.navigate", {"url": address})
        # The answer comes when the page is under way; on a busy machine its head and body come later.
        ready = {"expression": "location.protocol === 'data:' && document.readyState === 'complete'"}
        deadline = time.monotonic() + START_LIMIT_S
        while self.call("Runtime.evaluate", ready)["result"].get("value") is not True:
            if time.monotonic() > deadline:
                raise RuntimeError("the browser did not load the inspector's own page in time")
            time.sleep(0.005)

    def resize(self, width: int, height: int, scale: float) -> None:
        """Set the viewport: CSS px, and device pixels per CSS px."""
        self.call(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": scale, "mobile": False},
        )

    def screenshot(self) -> bytes:
        """The viewport as PNG, transparent where nothing is painted."""
        result = self.call("Page.captureScreenshot", {"format": "png", "optimizeForSpeed": True})
        return base64.b64decode(result["data"])

    def close(self) -> None:
        """End the browser at once, and leave nothing of it."""
        self._process.kill()
        self._process.wait()
        os.close(self._out)
        os.close(self._in)
        shutil.rmtree(self._home, ignore_errors=True)

    def _send(self, content: bytes, deadline: float) -> None:
        view = memoryview(content)
        while view:
            ready = select.select([], [self._out], [], max(0.0, deadline - time.monotonic()))[1]
            if not ready:
                raise TimeoutError("the browser stopped listening")
            view = view[os.write(self._out, view[: 1 << 12]) :]

    def _ready(self, deadline: float) -> bool:
        """Does the browser say something before the deadline (time.monotonic)?"""
        return bool(select.select([self._in], [], [], max(0.0, deadline - time.monotonic()))[0])

    def _receive(self, deadline: float, method: str) -> Json:
        while (end := self._pending.find(b"\0")) < 0:
            if len(self._pending) > MAX_MESSAGE:
                raise Unfit("the browser answered with far too much for this file; make it simpler.")
            if not self._ready(deadline):
                raise TimeoutError(f"the browser did not finish {method} in time")
            chunk = os.read(self._in, 1 << 20)
            if not chunk:
                raise Unfit(_HEAVY)
            self._pending += chunk
        message = json.loads(self._pending[:end])
        del self._pending[: end + 1]
        return message
