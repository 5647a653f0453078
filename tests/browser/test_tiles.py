"""A map's tiles in a real browser: from the operator's sources, and from nowhere else."""

from __future__ import annotations

import base64
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import expect

from studio import jobs
from studio.jobs import JobEnd
from tests.browser.looking import Watched
from tests.web.seeding import brief
from tests.web.served import served

pytestmark = pytest.mark.browser

PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)


class Tiles(ThreadingHTTPServer):
    """A tile server; it remembers who asked from where."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, str | None]] = []
        tiles = self

        class Answer(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                tiles.asked.append((self.path, self.headers.get("Referer")))
                self.send_response(200)
                self.send_header("Content-Type", "image/png")
                self.end_headers()
                self.wfile.write(PIXEL)

            def log_message(self, format: str, *arguments: object) -> None:
                pass

        super().__init__(("127.0.0.1", 0), Answer)
        self.url = f"http://127.0.0.1:{self.server_port}"


@pytest.fixture
def tiles() -> Iterator[Tiles]:
    with Tiles() as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def test_tiles_come_from_the_operators_sources_alone(tmp_path: Path, tiles: Tiles, watched: Watched) -> None:
    with Tiles() as other, served(tmp_path, tile_sources=tiles.url) as studio:
        made = f"""<!doctype html><title>made</title><img id="a" src="{tiles.url}/1/0/0.png"><script>
          document.body.insertAdjacentHTML("beforeend", '<img src="{other.url}/1/0/0.png">');
          fetch("{tiles.url}/fetched").catch(() => {{ document.title = "refused"; }});</script>"""
        _, claim = studio.seed.running(brief("Tiles"))
        files = [studio.seed.stored("map.html", made.encode(), "text/html")]
        job = jobs.finish(studio.db, claim, JobEnd("rejected", "checks_failed", files=files))
        page = watched.page()
        page.goto(f"http://{job.content_token}.localhost:{studio.port}/map.html")
        expect(page).to_have_title("refused")
        assert page.locator("#a").evaluate("image => image.decode().then(() => image.naturalWidth)") == 1
        assert tiles.asked == [("/1/0/0.png", f"http://{job.content_token}.localhost:{studio.port}/")]
        assert other.asked == []
        watched.expect("Content Security Policy")
