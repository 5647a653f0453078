"""The main job in a real browser, at two widths: fill the form, watch the job, open the artifact, read the record."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.looking import DESK, PHONE, Watched, fits

pytestmark = pytest.mark.browser
END_MS = 120_000


def fill_in(page: Page, url: str, name: str) -> None:
    """From the start page to the form of a poster, filled in by hand."""
    page.goto(url)
    page.get_by_role("link", name="Poster", exact=True).click()
    page.get_by_label("Title", exact=False).first.fill(name)
    page.get_by_label("Name of the event").fill(name)
    page.get_by_label("Date", exact=False).first.fill("Saturday, 4 July 2026")
    page.get_by_label("Venue").fill("Old Mill, Upper Floor")
    page.get_by_role("button", name="Add speaker").click()
    page.locator("[name='/brief/params/speakers/0/name']").fill("Dr. Ada Núñez")
    page.locator("[name='/brief/params/speakers/0/topic']").fill("Tides & Clocks")
    page.get_by_role("button", name="Add highlight").click()
    page.keyboard.type("Supper at sunset")


@pytest.mark.parametrize("width", [DESK, PHONE])
def test_from_the_form_to_the_record(whole: str, watched: Watched, width: int) -> None:
    page = watched.page(width)
    name = f"Night of Tides {width}"
    fill_in(page, whole, name)
    expect(page.locator("[data-contract-here]")).to_contain_text("Text can be read on its ground")
    expect(page.locator("[data-contract-here]")).to_contain_text("Nobody measures")
    assert fits(page)
    watched.keep(page, "form")
    page.get_by_role("button", name="Make it").click()

    page.wait_for_url(re.compile(r"/jobs/[0-9a-f-]{36}$"))
    job_url = page.url
    expect(page.locator(".call").first).to_be_visible(timeout=END_MS)
    watched.keep(page, "job-running")
    expect(page.locator("#job-state")).to_have_attribute("data-ended", "yes", timeout=END_MS)
    assert page.locator("#job-state").get_attribute("data-state") == "published", page.locator("#status").inner_text()
    expect(page).to_have_title(re.compile("^Published: Night of Tides"))
    expect(page.locator(".log")).to_contain_text("python3 -m poster.make")
    expect(page.locator(".log")).to_contain_text("Judged: Accepted")
    assert fits(page)
    watched.keep(page, "job-published")

    page.get_by_role("link", name="Open the artifact").click()
    picture = page.locator("[data-picture]")
    expect(picture).to_be_visible()
    assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 0
    assert picture.get_attribute("src") != page.url
    assert ".localhost:" in (picture.get_attribute("src") or "")
    expect(page.get_by_text("Rendered by prepared programs; no model took part")).to_be_visible()
    expect(page.locator("#spec")).to_contain_text("Every word is on the poster")
    expect(page.locator("#spec")).to_contain_text("nobody measured this")
    for link in page.locator(".strip a").all():
        link.click()
        assert picture.evaluate("image => image.decode().then(() => image.naturalWidth)") > 0
    assert fits(page)
    watched.keep(page, "artifact")

    page.get_by_role("link", name="Read every step").click()
    expect(page.locator(".step")).not_to_have_count(0)
    page.get_by_role("button", name="Unfold all").click()
    expect(page.locator(".step").first.locator("pre").first).to_be_visible()
    page.get_by_role("button", name="Fold all", exact=True).click()
    expect(page.locator(".step").first.locator("pre").first).to_be_hidden()
    assert fits(page)
    watched.keep(page, "trajectory")

    # Opened after its end, the job's page shows the same.
    late = watched.page(width)
    late.goto(job_url)
    expect(late.locator(".log")).to_contain_text("Judged: Accepted")
    expect(late.get_by_role("link", name="Open the artifact")).to_be_visible()
    late.goto(f"{whole}/gallery")
    expect(late.locator(".tile").first).to_contain_text(name)
    watched.keep(late, "gallery")


def test_a_running_job_is_canceled_from_its_page(whole: str, watched: Watched) -> None:
    page = watched.page()
    fill_in(page, whole, "Not After All")
    page.get_by_role("button", name="Make it").click()
    page.get_by_role("button", name="Cancel the job").click()
    expect(page.locator("#job-state")).to_have_attribute("data-state", "canceled", timeout=END_MS)
    expect(page.locator(".status")).to_contain_text("A person ended it.")
