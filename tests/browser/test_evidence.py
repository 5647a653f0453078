"""What a check found, drawn on a picture in a real browser: at its place, by pointer, by keys and without a script."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from studio import jobs
from studio.contract import Place
from studio.jobs import JobEnd
from tests.browser.looking import DESK, PHONE, Watched, fits
from tests.web.served import Served

pytestmark = pytest.mark.browser

# A drawing whose units are neither pixels nor begin at zero, with a word at a known place.
PAGE = (100.0, 50.0, 200.0, 300.0)
WORD = (150.0, 275.0, 80.0, 15.0)
DRAWING = b"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="100 50 200 300">
<rect x="100" y="50" width="200" height="300" fill="#fff"/>
<rect x="150" y="275" width="80" height="15" fill="#00f"/></svg>"""

WIDER = "old => document.querySelector('.drawn a.fail .line').getBoundingClientRect().width > old * 1.3"
Opened = Callable[..., Page]


@pytest.fixture
def opened(site: Served, watched: Watched) -> Opened:
    """The page of a rejected poster whose blue word fails, and whose PNG is another picture."""

    def one(width: int = DESK, *, script: bool = True) -> Page:
        _, claim = site.seed.running()
        fails = {"poster.contrast": 'The text "שלום" cannot be read.', "png.size": "Too small."}
        report = site.seed.report(claim, fails)
        for finding in report.checks:
            if finding.id == "poster.contrast":
                finding.place = Place(file="poster.svg", box=WORD, page=PAGE, label="שלום")
            elif finding.id == "png.size":
                finding.place = Place(file="social/small.svg")
            elif finding.id == "poster.text":
                finding.place = Place(file="poster.svg", box=(110, 60, 40, 20), page=PAGE, label="Night")
        files = [
            site.seed.stored("poster.svg", DRAWING, "image/svg+xml", width=200, height=300),
            site.seed.stored("social/small.svg", DRAWING.replace(b"#00f", b"#0f0"), "image/svg+xml"),
        ]
        job = jobs.finish(site.db, claim, JobEnd("rejected", "checks_failed", report=report, files=files))
        page = watched.page(width, script=script)
        page.goto(f"{site.url}/jobs/{job.id}")
        return page

    return one


def lies_at(page: Page, box: Locator, place: tuple[float, float, float, float]) -> None:
    """The drawn box covers the share of the picture that the place says, wherever the picture is now."""
    picture, drawn = page.locator("[data-picture]").bounding_box(), box.bounding_box()
    assert picture is not None
    assert drawn is not None
    x, y, width, height = place
    scale = picture["width"] / PAGE[2], picture["height"] / PAGE[3]
    assert scale[0] == pytest.approx(scale[1], rel=0.02), "the picture has its own shape"
    assert drawn["x"] - picture["x"] == pytest.approx((x - PAGE[0]) * scale[0], abs=2)
    assert drawn["y"] - picture["y"] == pytest.approx((y - PAGE[1]) * scale[1], abs=2)
    assert drawn["width"] == pytest.approx(width * scale[0], abs=4), "with its line"
    assert drawn["height"] == pytest.approx(height * scale[1], abs=4)


@pytest.mark.parametrize("width", [DESK, PHONE])
def test_a_box_lies_on_what_it_is_about_and_is_enlarged(opened: Opened, watched: Watched, width: int) -> None:
    page = opened(width)
    box = page.locator(".drawn a.fail .line")
    expect(box).to_be_visible()
    lies_at(page, box, WORD)
    before = box.bounding_box()
    page.locator("#check-poster\\.contrast").get_by_role("link", name="שלום").click()
    page.wait_for_function(WIDER, arg=before["width"] if before else 0)
    lies_at(page, box, WORD)
    frame, drawn = page.locator("[data-frame]").bounding_box(), box.bounding_box()
    assert frame is not None
    assert drawn is not None
    assert frame["x"] <= drawn["x"]
    assert drawn["x"] + drawn["width"] <= frame["x"] + frame["width"] + 1, "it is in sight"
    assert frame["y"] <= drawn["y"]
    assert drawn["y"] + drawn["height"] <= min(frame["y"] + frame["height"], (page.viewport_size or {})["height"]) + 1
    expect(page.locator(".drawn a.fail")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"#check-poster\.contrast$"))
    assert fits(page)
    watched.keep(page, "evidence-poster")


def test_what_holds_is_drawn_while_its_row_is_looked_at(opened: Opened) -> None:
    page = opened()
    held = page.locator(".drawn a.pass .line")
    expect(held).to_be_hidden()
    page.locator("#check-poster\\.text").hover()
    expect(held).to_be_visible()
    lies_at(page, held, (110, 60, 40, 20))
    page.locator("#check-poster\\.contrast").hover()
    expect(held).to_be_hidden()
    page.locator("#check-poster\\.text").get_by_role("link", name="Night").focus()
    expect(held).to_be_visible()


def test_a_file_without_a_place_is_shown_and_boxes_stay_with_their_picture(opened: Opened) -> None:
    page = opened()
    page.locator("#check-png\\.size").get_by_role("link", name="social/small.svg").click()
    expect(page.locator(".strip [aria-current]")).to_contain_text("small")
    expect(page.locator(".drawn a.fail .line")).to_be_hidden()
    page.locator("#check-poster\\.contrast").get_by_role("link", name="שלום").click()
    expect(page.locator(".strip [aria-current]")).to_contain_text("poster.svg")
    expect(page.locator(".drawn a.fail .line")).to_be_visible()


def test_without_a_script_boxes_are_there_and_links_lead_to_them(opened: Opened) -> None:
    page = opened(script=False)
    lies_at(page, page.locator(".drawn a.fail .line"), WORD)
    page.locator("#check-poster\\.text").get_by_role("link", name="Night").click()
    expect(page).to_have_url(re.compile(r"\?file=poster\.svg#at-\d+$"))
    held = page.locator(".drawn a.pass .line")
    expect(held).to_be_visible()
    lies_at(page, held, (110, 60, 40, 20))
    expect(page.locator("#check-poster\\.contrast bdi", has_text="שלום").first).to_be_visible()


def test_what_nobody_measured_stands_in_the_same_sheet(opened: Opened) -> None:
    page = opened()
    expect(page.locator("#spec tr.unmeasured").first).to_contain_text("nobody measured this")
    expect(page.locator("#spec tbody tr").first).to_contain_text("Fail")
