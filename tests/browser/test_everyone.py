"""Pages for everyone: axe finds nothing, at both widths, light and dark, in both languages; and no page complains."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import axe_playwright_python
import pytest
from playwright.sync_api import Page, expect

from tests.browser.looking import DESK, PHONE, Watched, fits
from tests.web.seeding import brief
from tests.web.served import Served, served

pytestmark = pytest.mark.browser

AXE = (Path(axe_playwright_python.__file__).parent / "axe.min.js").read_text(encoding="utf-8")
RUN = """async () => {
  const found = await axe.run(document, { iframes: false, resultTypes: ["violations"] });
  return found.violations.map(({ id, nodes: [node] }) => `${id}: ${node.html.slice(0, 160)} ${node.failureSummary}`);
}"""
LONG = "An Unusually Long Title for a Symposium on the History of Lighthouses, Foghorns and Keepers Who Never Came Back"


@pytest.fixture(scope="module")
def seeded(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("everyone"), tile_sources="") as found:
        yield found


@pytest.fixture(scope="module")
def paths(seeded: Served) -> list[str]:
    seed = seeded.seed
    for title, language in ((LONG, "de"), ("ليلة الموسيقى في الميناء", "ar"), ("湖畔音乐会", "zh-Hans")):
        seed.published(brief(title, language=language))
    artifact = seed.published(brief("Evening", "Blue and gold."), model="provider/a-model-with-a-long-name-2026")
    rejected, failed = seed.rejected(brief("Too Pale a Night")), seed.failed(brief(LONG))
    running, claim = seed.running(brief("Right Now"))
    seed.work(claim)
    return [
        "/", "/gallery", "/gallery?q=nothing-like-this", "/jobs", "/batches", "/settings", "/stats",
        "/new/poster?sample=01-ai-conference", "/new/travel_map?sample=01-tokyo", "/new/countdown_video",
        "/new/piano_piece", "/new/open", f"/artifacts/{artifact}", f"/artifacts/{artifact}/trajectory",
        f"/jobs/{rejected.id}", f"/jobs/{failed.id}", f"/jobs/{running.id}", f"/jobs/{rejected.id}/revise",
    ]  # fmt: skip


def violations(page: Page) -> list[str]:
    page.evaluate(AXE)
    found: list[str] = page.evaluate(RUN)
    return found


def opened(watched: Watched, width: int, scheme: str, language: str) -> Page:
    page = watched.page(width, scheme)
    page.set_extra_http_headers({"Accept-Language": language})
    return page


def examine(page: Page, site: Served, paths: list[str]) -> None:
    found = {}
    for path in paths:
        page.goto(site.url + path)
        if wrong := violations(page):
            found[path] = wrong
        assert fits(page), path
    assert found == {}


def test_the_first_pages_are_for_everyone(seeded: Served, paths: list[str], watched: Watched) -> None:
    examine(opened(watched, PHONE, "light", "zh-CN"), seeded, paths[:2])


@pytest.mark.thorough
@pytest.mark.parametrize(("width", "scheme", "language"), [(DESK, "light", "en"), (PHONE, "dark", "zh-CN")])
def test_every_page_is_for_everyone(
    seeded: Served, paths: list[str], watched: Watched, width: int, scheme: str, language: str
) -> None:
    examine(opened(watched, width, scheme, language), seeded, paths)


@pytest.mark.slow
@pytest.mark.parametrize(("width", "scheme", "language"), [(DESK, "dark", "zh-CN"), (PHONE, "light", "en")])
def test_every_page_is_for_everyone_the_other_way_round(
    seeded: Served, paths: list[str], watched: Watched, width: int, scheme: str, language: str
) -> None:
    examine(opened(watched, width, scheme, language), seeded, paths)


@pytest.mark.thorough
def test_errors_and_the_brief_as_json_are_for_everyone(seeded: Served, watched: Watched) -> None:
    page = opened(watched, DESK, "dark", "zh-CN")
    page.goto(seeded.url + "/nowhere")
    assert violations(page) == []
    page.goto(seeded.url + "/new/poster")
    page.get_by_role("button", name="检查要求").click()
    expect(page.get_by_role("alert")).to_contain_text("需要修改")
    assert violations(page) == []
    page.get_by_role("button", name="以 JSON 编辑").click()
    expect(page.locator("#json")).to_be_visible()
    assert violations(page) == []
    watched.expect("404", "422")


def test_the_language_is_switched_by_keyboard_and_kept(seeded: Served, watched: Watched) -> None:
    page = watched.page(PHONE)
    page.goto(seeded.url + "/gallery?kind=poster")
    page.get_by_role("button", name="简体中文").focus()
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("画廊")
    assert page.url.endswith("/gallery?kind=poster")
    assert page.evaluate("document.documentElement.lang") == "zh-Hans"
    page.goto(seeded.url + "/jobs")
    expect(page.locator("h1")).to_have_text("任务")


def test_titles_of_other_directions_keep_theirs(seeded: Served, paths: list[str], watched: Watched) -> None:
    page = watched.page()
    page.goto(seeded.url + "/gallery")
    title = page.locator(".tile strong", has_text="ليلة")
    assert title.evaluate("element => getComputedStyle(element).direction") == "rtl"
    by = page.locator(".tile", has_text="ليلة").locator(".by")
    assert by.evaluate("element => getComputedStyle(element).direction") == "ltr"
