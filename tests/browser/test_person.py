"""A person in it, in a real browser: a run that is refused, told why, given a note, mended and accepted; its revision.

The provider is a scripted server; sandboxes, inspector and pages are real.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from studio.blobs import open_blobs
from studio.pipeline.run import run_job
from studio.sandboxes import engine_for
from studio.settings import Settings
from tests.browser.looking import DESK, PHONE, Watched, fits
from tests.support.openai_server import Answer, OpenAIServer, bash, says
from tests.support.posters import INCOMPLETE, MEND
from tests.web.seeding import brief
from tests.web.served import Served, served

pytestmark = [pytest.mark.thorough, pytest.mark.browser]
PATIENCE_S = 150
SUBMIT = ("submit", {"summary": "The poster, its picture and the sheet of colours."})
FILLED = {
    "kind": "poster",
    "title": "Open Night",
    "language": "en",
    "params": {"event": {"name": "Open Night", "date": "3 May 2027"}, "social": [], "raster_height": 400},
}


def ground(before: str, after: str) -> tuple[str, Any]:
    """The poster with another ground, drawn anew."""
    return bash(
        f"cd /testbed && sed -i 's/{before}/{after}/' programs/make.sh && bash programs/make.sh && grep -o '{after}' "
        "output/poster.svg"
    )


class Provider:
    """A scripted provider that thinks about its third step until it is told to go on."""

    def __init__(self) -> None:
        self.go = threading.Event()
        self.steps = [
            says("I draw the poster from one program.", bash(INCOMPLETE)),
            says("I hand it in.", SUBMIT),
            says("The sheet of colours is missing; I write it.", bash(MEND)),
            says("And a darker ground, as you ask.", ground("#1d3461", "#0b1a33")),
            says("Now everything is there.", SUBMIT),
            says("Version 1 stands here. I change its ground alone.", ground("#0b1a33", "#7a1f2b")),
            says("The ground is red now.", SUBMIT),
        ]
        self.told: list[str] = []

    def __call__(self, request: dict[str, Any]) -> Answer:
        if "tools" not in request:  # the form of a brief
            return says(json.dumps(FILLED))
        if len(self.steps) == 5:
            assert self.go.wait(PATIENCE_S)
        self.told = [message["content"] for message in request["messages"] if message["role"] == "user"]
        return self.steps.pop(0)


@contextmanager
def working(site: Served, page: Page) -> Iterator[Future[None]]:
    """The job whose page is open, worked as a worker does, beside the browser."""
    job_id = page.url.partition("#")[0].rpartition("/")[2]
    with ThreadPoolExecutor(1) as beside:
        settings = site.settings
        yield beside.submit(run_job, job_id, site.db, open_blobs(settings), engine_for(settings), settings, "w")


def ended(page: Page) -> None:
    state = page.locator("#job-state")
    expect(state).to_have_attribute("data-ended", "yes", timeout=PATIENCE_S * 1000)
    assert state.get_attribute("data-state") == "published", page.locator("#status").inner_text()


def at_both_widths(watched: Watched, page: Page, name: str) -> None:
    """Pictures of the page as a desk and as a phone show it; nothing sticks out at the side."""
    phone = watched.page(PHONE)
    phone.goto(page.url)
    for shown in (page, phone):
        assert fits(shown)
        watched.keep(shown, name)
    phone.context.close()
    watched.contexts.remove(phone.context)


def test_from_a_sentence_to_the_second_version(watched: Watched, tmp_path: Path) -> None:
    provider = Provider()
    with OpenAIServer(provider) as server:
        given = {"openai_base_url": server.url, "default_model": "openai:scripted", "image_dir": Settings().image_dir}
        with served(tmp_path / "studio", **given) as site:
            page = watched.page(DESK)
            make_the_first(site, watched, page, provider)
            make_the_second(site, watched, page)
    assert "> Make the ground red" in provider.told[0]


def make_the_first(site: Served, watched: Watched, page: Page, provider: Provider) -> None:
    page.goto(site.url)
    page.get_by_label("What shall be made?").fill("A poster for Open Night on 3 May 2027")
    at_both_widths(watched, page, "sentence")
    page.get_by_role("button", name="Start a brief").click()
    expect(page.get_by_text("Filled in by openai:scripted from your sentence")).to_be_visible()
    assert page.get_by_label("Name of the event").input_value() == "Open Night"
    at_both_widths(watched, page, "sentence-filled")
    page.get_by_role("link", name="Event, Venue").click()
    page.get_by_label("Venue").fill("Hill House")
    expect(page.locator("[data-contract-here]")).to_contain_text("Every word is on the poster")
    page.get_by_role("button", name="Make it").click()
    page.wait_for_url(re.compile(r"/jobs/[0-9a-f-]{36}$"))
    with working(site, page) as run:
        log = page.locator(".log")
        expect(log).to_contain_text("Judged: Rejected", timeout=PATIENCE_S * 1000)
        expect(log).to_contain_text("All files are there")
        expect(log).to_contain_text("Not accepted: 1 of")
        page.get_by_label("A word to the model").fill("Use a darker ground")
        page.get_by_role("button", name="Tell it").click()
        expect(page.locator("#notes-waiting")).to_contain_text("You said: Use a darker ground")
        expect(page.get_by_label("A word to the model")).to_have_value("")
        at_both_widths(watched, page, "refused-and-a-note")
        provider.go.set()
        expect(log).to_contain_text("A person: Use a darker ground", timeout=PATIENCE_S * 1000)
        ended(page)
        run.result(PATIENCE_S)
    assert any("Use a darker ground" in text for text in provider.told)
    expect(page.locator("#notes-waiting")).to_be_empty()
    expect(page.locator(".log")).to_contain_text("Judged after 1 repair: Accepted")
    assert page.get_by_label("A word to the model").count() == 0
    at_both_widths(watched, page, "mended-and-accepted")


def make_the_second(site: Served, watched: Watched, page: Page) -> None:
    page.get_by_role("link", name="Open the artifact").click()
    page.get_by_label("What shall be different?").fill("Make the ground red")
    assert page.get_by_label("By the model").input_value() == "openai:scripted"
    page.get_by_role("button", name="Make the next version").click()
    page.wait_for_url(re.compile(r"/jobs/[0-9a-f-]{36}$"))
    with working(site, page) as run:
        ended(page)
        run.result(PATIENCE_S)
    expect(page.locator("#status")).to_contain_text("Make the ground red")
    page.get_by_role("link", name="Open the artifact").click()
    pictures = page.locator(".sides img")
    expect(pictures).to_have_count(2)
    for picture in pictures.all():
        picture.scroll_into_view_if_needed()
        assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 0
    assert pictures.first.get_attribute("src") != pictures.last.get_attribute("src")
    expect(page.locator(".version-line")).to_contain_text("What changed in the report")
    expect(page.locator(".differences")).to_contain_text("poster.svg")
    at_both_widths(watched, page, "versions-side-by-side")
    page.locator(".side[data-version='1'] figcaption a").click()
    expect(page.locator(".versions li[aria-current]")).to_contain_text("Version 1")
    expect(page.locator(".sides img")).to_have_count(2)


def test_a_rejected_work_is_shown_all_the_same(site: Served, watched: Watched) -> None:
    job = site.seed.rejected(brief("Nearly Right"))
    page = watched.page(DESK)
    page.goto(f"{site.url}/jobs/{job.id}")
    expect(page.get_by_text("Send back with a note")).to_be_visible()
    page.get_by_text("Publish anyway").click()
    at_both_widths(watched, page, "rejected-and-a-person")
    page.get_by_label("Why shall it be shown?").fill("It hangs tonight, pale letters or not")
    page.get_by_role("button", name="Show it in the gallery").click()
    expect(page.locator(".anyway")).to_contain_text("1 check that must hold does not.")
    at_both_widths(watched, page, "shown-all-the-same")
    page.goto(f"{site.url}/gallery")
    expect(page.locator(".tile", has_text="Nearly Right")).to_contain_text("1 check that must hold does not")
