"""The gallery's filters and keys, the figures, and what is done to a work, in a real browser."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from playwright.sync_api import Page, expect

from studio import gallery, passwords
from tests.browser.looking import DESK, PHONE, Watched, fits
from tests.web.seeding import brief
from tests.web.served import Served, served

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

WORDS = "seven quiet herons at dawn"


@dataclass
class Hung:
    site: Served
    first: str
    shared: str


@pytest.fixture(scope="module")
def hung(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hung]:
    with served(tmp_path_factory.mktemp("hung"), anonymous_gallery="1") as site:
        works = [
            site.seed.published(
                brief(f"Harbour Night {number}", "With lanterns.", "zh" if number % 3 == 0 else "en"),
                model="some-model-1" if number % 2 else None,
                tags=["lanterns"] if number % 2 else ["music", "灯笼"],
            )
            for number in range(9)
        ]
        site.seed.rejected(brief("Too Pale"))
        site.seed.failed(brief("Lost"))
        gallery.hide(site.db, works[0], "shows a person who did not agree", caller="operator")
        link = gallery.set_visibility(site.db, works[1], "unlisted", caller="operator").links["share"]
        passwords.enter(site.db, "wrong", "192.0.2.1")
        yield Hung(site, works[-1], link)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [DESK, PHONE])
def test_pages_fit_and_complain_of_nothing(hung: Hung, watched: Watched, width: int, scheme: str) -> None:
    page = watched.page(width, scheme)
    for name, path in {
        "gallery-filtered": "/gallery?kind=poster&tag=lanterns&sort=title",
        "gallery-found": "/gallery?q=harbour&made=model",
        "gallery-hidden": "/gallery?hidden=1",
        "stats": "/stats",
        "stats-week": "/stats?days=7",
        "audit": "/audit",
        "artifact-kept": f"/artifacts/{hung.first}",
        "shared": hung.shared,
        "sign-in": "/sign-in",
    }.items():
        page.goto(hung.site.url + path)
        expect(page.locator("h1")).to_have_count(1)
        assert fits(page), path
        watched.keep(page, f"kept-{name}-{scheme}")


def shows(page: Page, *titles: str) -> None:
    expect(page.locator(".tile strong")).to_have_text(list(titles))


def shows_many(page: Page, number: int) -> None:
    expect(page.locator(".tile")).to_have_count(number)


@pytest.mark.parametrize("width", [DESK, PHONE])
def test_filters_stand_in_the_address_and_are_taken_away_one_by_one(hung: Hung, watched: Watched, width: int) -> None:
    page = watched.page(width)
    page.goto(hung.site.url + "/gallery")
    if width == PHONE:
        expect(page.get_by_label("Tag")).to_be_hidden()
        page.get_by_text("Filters and order").click()
    page.get_by_label("Tag").select_option(label="lanterns (4)")
    page.get_by_label("Order").select_option(label="by title")
    page.get_by_role("button", name="Show").click()
    shows(page, *(f"Harbour Night {number}" for number in (1, 3, 5, 7)))
    assert "tag=lanterns" in page.url
    assert "sort=title" in page.url
    page.get_by_role("link", name="Take away: lanterns").click()
    shows_many(page, 8)
    assert "sort=title" in page.url
    page.go_back()
    shows_many(page, 4)


def test_the_gallery_goes_by_keyboard_and_leaves_other_keys_alone(hung: Hung, watched: Watched) -> None:
    page = watched.page()
    page.goto(hung.site.url + "/gallery")
    focus = "document.activeElement.matches('.tile > a') ? document.activeElement.textContent.trim() : 'elsewhere'"
    page.keyboard.press("ArrowDown")
    assert page.evaluate(focus) == "elsewhere", "the arrows scroll until a work is chosen"
    page.keyboard.press("j")
    assert page.evaluate(focus) == "Harbour Night 8"
    page.keyboard.press("ArrowRight")
    assert page.evaluate(focus) == "Harbour Night 7"
    page.keyboard.press("k")
    assert page.evaluate(focus) == "Harbour Night 8"
    page.keyboard.press("ArrowDown")
    below = page.evaluate(focus)
    assert below not in ("Harbour Night 8", "elsewhere")
    page.keyboard.press("ArrowUp")
    assert page.evaluate(focus) == "Harbour Night 8"
    page.keyboard.press("End")
    assert page.evaluate(focus) == "Harbour Night 1"
    page.keyboard.press("/")
    page.keyboard.type("night j/k 5")
    expect(page.get_by_role("searchbox")).to_have_value("night j/k 5")
    page.get_by_role("searchbox").fill("night 5")
    page.keyboard.press("Enter")
    shows(page, "Harbour Night 5")
    page.keyboard.press("j")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Harbour Night 5")


def test_a_work_is_starred_tagged_shared_and_hidden(hung: Hung, watched: Watched) -> None:
    page = watched.page()
    page.goto(f"{hung.site.url}/artifacts/{hung.first}")
    page.get_by_role("button", name="Star").click()
    expect(page.get_by_role("button", name="Star")).to_have_attribute("aria-pressed", "true")
    expect(page.get_by_text("1 star", exact=True)).to_be_visible()
    page.get_by_label("Tags, with commas between").fill("evening，灯笼, evening")
    page.get_by_role("button", name="Keep").click()
    expect(page.get_by_label("Tags, with commas between")).to_have_value("evening, 灯笼")
    page.get_by_label("Who may see it").select_option(label="whoever has the link")
    page.get_by_role("button", name="Set").click()
    link = page.get_by_label("Its link").input_value()
    assert re.fullmatch(rf"{re.escape(hung.site.url)}/s/[\w-]{{32}}", link)
    visitor = watched.page()
    visitor.goto(link)
    expect(visitor.locator("h1")).to_have_text("Harbour Night 8")
    expect(visitor.get_by_text("Keeping")).to_have_count(0)
    page.get_by_text("Hide it").click()
    page.get_by_label("Why").fill("not yet")
    page.get_by_role("button", name="Hide", exact=True).click()
    expect(page.get_by_text("Hidden by local: not yet")).to_be_visible()
    visitor.reload()
    watched.expect("404")
    page.get_by_role("button", name="Show it again").click()
    expect(page.get_by_text("Hidden by")).to_have_count(0)
    visitor.reload()
    expect(visitor.locator("h1")).to_have_text("Harbour Night 8")


def test_the_figures_say_in_words_what_their_bars_show(hung: Hung, watched: Watched) -> None:
    page = watched.page(script=False)
    page.goto(hung.site.url + "/stats")
    recipe = page.locator(".maker-card", has_text="poster/1")
    expect(recipe.get_by_text("5 accepted at once")).to_be_visible()
    expect(recipe.get_by_text("1 rejected")).to_be_visible()
    expect(recipe.get_by_text("1 failed")).to_be_visible()
    expect(recipe.get_by_text("Tokens")).to_have_count(0)
    model = page.locator(".maker-card", has_text="some-model-1")
    expect(model.get_by_text("4 accepted at once")).to_be_visible()
    assert page.locator("svg.bar:not([aria-hidden=true])").count() == 0
