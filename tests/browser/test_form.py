"""What a form does in the browser: places on a map, words that survive a reload, dates from a calendar, JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from playwright.sync_api import Page, expect

from studio.settings import Settings
from tests.browser.looking import DESK, PHONE, Watched, fits
from tests.web.served import Served, served

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

STOPS = "[data-rows='/brief/params/stops'] > ol > li"


@pytest.fixture(scope="module")
def trips(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A studio that has the image's libraries, and no tiles from elsewhere."""
    with served(tmp_path_factory.mktemp("trips"), tile_sources="", image_dir=Settings().image_dir) as found:
        yield found


def with_map(page: Page, site: Served) -> None:
    page.goto(site.url + "/new/travel_map?sample=01-tokyo")
    page.get_by_role("button", name="Choose stops on a map").click()
    expect(page.locator(".stop-pin")).to_have_count(12)


@pytest.mark.parametrize("width", [DESK, PHONE])
def test_stops_are_chosen_on_the_map(trips: Served, watched: Watched, width: int) -> None:
    page = watched.page(width)
    with_map(page, trips)
    box = page.locator(".stop-map")
    box.click(position={"x": 60, "y": 200})
    expect(page.locator(STOPS)).to_have_count(13)
    expect(page.locator(".stop-pin")).to_have_count(13)
    last = page.locator(STOPS).last
    assert 34 < float(last.locator("[name$='/lat']").input_value()) < 37
    assert 138 < float(last.locator("[name$='/lon']").input_value()) < 141
    expect(last.locator("[name$='/name']")).to_have_value("Stop 13")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")  # the map's middle, by keyboard alone
    expect(page.locator(STOPS)).to_have_count(14)
    assert fits(page)
    watched.keep(page, "form-map")


def test_a_dragged_number_moves_its_stop(trips: Served, watched: Watched) -> None:
    page = watched.page()
    with_map(page, trips)
    first = page.locator(STOPS).first.locator("[name$='/lon']")
    before = float(first.input_value())
    pin = page.locator(".stop-pin", has_text="1").first.bounding_box()
    assert pin is not None
    page.mouse.move(pin["x"] + 14, pin["y"] + 14)
    page.mouse.down()
    page.mouse.move(pin["x"] + 94, pin["y"] + 14, steps=4)
    page.mouse.up()
    expect(first).not_to_have_value(str(before))
    assert float(first.input_value()) > before


def test_what_was_typed_survives_a_reload(site: Served, watched: Watched) -> None:
    page = watched.page()
    page.goto(site.url + "/new/poster")
    page.locator("[name='/brief/title']").fill("Not Lost")
    page.get_by_role("button", name="Add speaker").click()
    page.keyboard.type("Ada")
    page.wait_for_function("() => Object.values(sessionStorage).some(text => text.includes('Ada'))")
    page.reload()
    expect(page.get_by_role("status").filter(has_text="is back")).to_be_visible()
    expect(page.locator("[name='/brief/title']")).to_have_value("Not Lost")
    expect(page.locator("[name='/brief/params/speakers/0/name']")).to_have_value("Ada")
    page.get_by_role("button", name="Start afresh").click()
    expect(page.locator("[name='/brief/title']")).to_have_value("")


def test_what_was_sent_is_not_brought_back(site: Served, watched: Watched) -> None:
    page = watched.page()
    page.goto(site.url + "/new/poster?sample=03-almost-nothing")
    page.locator("[name='/brief/title']").fill("Sent Away")
    page.get_by_role("button", name="Make it").click()
    page.wait_for_url("**/jobs/*")
    page.goto(site.url + "/new/poster?sample=03-almost-nothing")
    expect(page.locator("[name='/brief/title']")).not_to_have_value("Sent Away")
    expect(page.locator("[data-kept]")).to_be_hidden()


def test_a_calendar_writes_the_date_in_the_language_of_the_brief(site: Served, watched: Watched) -> None:
    page = watched.page()
    page.goto(site.url + "/new/poster")
    date = page.locator("[name='/brief/params/event/date']")
    calendar = page.get_by_label("Date: choose from a calendar")
    calendar.fill("2026-09-12")
    expect(date).to_have_value(re.compile("^Saturday,? 12 September 2026$"))
    page.locator("[name='/brief/language']").fill("zh-Hans")
    calendar.fill("2026-09-13")
    expect(date).to_have_value("2026年9月13日星期日")


def test_a_form_becomes_json_and_a_form_again(site: Served, watched: Watched) -> None:
    page = watched.page()
    page.goto(site.url + "/new/poster?sample=01-ai-conference")
    page.get_by_role("button", name="As JSON").click()
    text = page.locator("#json")
    text.fill(text.input_value().replace("AGI Summit 2026", "Another Summit"))
    page.get_by_role("button", name="As a form").click()
    expect(page.locator("[name='/brief/title']")).to_have_value("Another Summit")
    expect(page.locator("[name='/brief/params/contact/+/0/value']")).to_have_value("@AGISummit2026")


def test_tiles_may_come_from_where_the_operator_allows_and_only_for_a_map(tmp_path: Path, trips: Served) -> None:
    tiles = "https://tile.openstreetmap.org"
    with served(tmp_path, tile_sources=tiles, image_dir=Settings().image_dir) as allowed:
        policies = [
            httpx.get(f"{site.url}/new/{kind}").headers["Content-Security-Policy"]
            for site, kind in ((allowed, "travel_map"), (allowed, "poster"), (trips, "travel_map"))
        ]
    assert [tiles in policy for policy in policies] == [True, False, False]
