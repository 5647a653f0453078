"""The page of a long record in a browser: choose, find, link, copy, fold, files and playing back, over 300 steps."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Page, expect

from studio import gallery, jobs
from studio.database.tables import JobRow
from studio.jobs import JobEnd
from studio.jobs.rows import add_event
from studio.trajectory import Call, Header, MadeBy, ToolCalled
from tests.browser.looking import DESK, PHONE, Watched, fits
from tests.browser.test_everyone import violations
from tests.record.runs import START, turn
from tests.web.seeding import brief
from tests.web.served import Served

pytestmark = [pytest.mark.browser, pytest.mark.thorough]

STEPS = 300


def _call(number: int) -> Call:
    arguments: dict[str, str] = {"command": f"python3 make.py --part {number} > /testbed/output/part.svg"}
    if number % 10 == 0:
        path = "/testbed/make.py"
        arguments = {"command": "str_replace", "path": path, "old_str": f"a\nb = {number}", "new_str": "a\nb = 0"}
    name = "str_replace_editor" if number % 10 == 0 else "execute_bash"
    return Call(id=f"c{number}", name=name, arguments=json.dumps(arguments))


@pytest.fixture(scope="module")
def path(site: Served) -> str:
    """300 turns of a second each; every tenth edits a script, two outputs speak of a lighthouse, one call fails."""
    _, claim = site.seed.running(brief("Three Hundred"))
    jobs.set_header(site.db, claim, Header(made_by=MadeBy(model="openai:m"), brief=claim.brief))
    number = jobs.get(site.db, claim.job_id).last_seq
    with site.db.session() as session:
        for step in range(1, STEPS + 1):
            said = "The Lighthouse stands. " * 2 if step in (41, 222) else ""
            output = f"line of part {step}\n" * 60 + said
            files = ["make.py"] if step % 10 == 0 else ["output/part.svg"] if step < 200 else []
            more = {"exit_status": 1 if step == 77 else 0, "files_changed": files}
            for event in turn(_call(step), output, f"Thought {step}.", **more):
                number += 1
                if isinstance(event, ToolCalled):
                    event.arguments = json.loads(_call(step).arguments)
                event.seq, event.at = number, START.replace(minute=step // 60, second=step % 60)
                add_event(session, claim.job_id, event)
        session.get_one(JobRow, claim.job_id).last_seq = number
    found = gallery.publish(site.db, claim, JobEnd("published", report=site.seed.report(claim), files=[]))
    return f"{site.url}/artifacts/{found}/trajectory"


def texts(page: Page) -> int:
    """Long outputs that the page holds."""
    return page.locator("#steps pre.output").count()


@pytest.mark.parametrize("width", [DESK, PHONE])
def test_a_long_record_is_chosen_from_searched_and_read(path: str, watched: Watched, width: int) -> None:
    page = watched.page(width)
    page.goto(path)
    expect(page.locator("#steps > .step")).to_have_count(STEPS)
    assert texts(page) == 0
    assert page.locator("#step-1").evaluate("step => getComputedStyle(step).contentVisibility") == "auto"
    assert fits(page)
    assert violations(page) == []
    page.screenshot(path=watched.screens / f"trajectory-top-{width}.png")

    page.get_by_label("Edit").check()
    expect(page.get_by_role("status")).to_have_text("30 of 300 steps")
    page.reload()
    expect(page.locator("#steps > .step:visible")).to_have_count(30)
    page.get_by_label("Edit").uncheck()
    page.get_by_label("a call that failed").check()
    expect(page.locator("#steps > .step:visible")).to_have_count(1)
    expect(page.locator("#step-77")).to_be_visible()

    page.get_by_label("a call that failed").uncheck()
    search = page.get_by_role("searchbox")
    search.fill("lighthouse")
    search.press("Enter")
    expect(page.get_by_text("4 places, in 2 steps").first).to_be_visible(timeout=20_000)
    for step, presses in ((41, 2), (222, 2), (41, 1)):
        for _ in range(presses):
            page.get_by_role("button", name="Next place").click()
            expect(page.locator("[data-found] [aria-current]")).to_have_text(f"Step {step}")
        expect(page.locator(f"#step-{step} pre.output")).to_be_in_viewport()
        assert page.evaluate("[...CSS.highlights.get('found-here')].map(String)") == ["Lighthouse"]
    page.screenshot(path=watched.screens / f"trajectory-found-{width}.png")
    search.press("Shift+Enter")
    expect(page.locator("[data-found] [aria-current]")).to_have_text("Step 222")
    assert texts(page) < 10
    assert "find=lighthouse" in page.url
    assert fits(page)

    page.goto(f"{path}#step-250")
    expect(page.locator("#step-250 .call")).to_have_attribute("open", "")
    expect(page.locator("#step-250 h3")).to_be_in_viewport()
    expect(page.locator("#step-250 del")).to_have_text("- b = 250")
    assert violations(page) == []
    page.screenshot(path=watched.screens / f"trajectory-linked-{width}.png")


def test_a_long_record_is_used_by_keyboard_folded_and_played_back(path: str, watched: Watched) -> None:
    page = watched.page(DESK, motion="reduce")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"{path}?tool=execute_bash#step-3")
    page.locator("#step-3 h3 a").focus()
    page.keyboard.press("j")
    expect(page.locator("#step-4 h3 a")).to_be_focused()
    page.keyboard.press("o")
    expect(page.locator("#step-4 pre.output")).to_contain_text("line of part 4")
    page.keyboard.press("c")
    expect(page.locator("#step-4 [data-copy]")).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == "python3 make.py --part 4 > /testbed/output/part.svg"
    page.keyboard.press("/")
    expect(page.get_by_role("searchbox")).to_be_focused()

    page.get_by_role("button", name="Unfold all").click()
    expect(page.locator("#steps .call:not([open])")).to_have_count(0)
    assert texts(page) < 60, "texts are brought as they come into view, not all"
    page.get_by_role("button", name="Fold all", exact=True).click()
    expect(page.locator("#steps .call[open]")).to_have_count(0)

    page.get_by_text("What each step wrote").click()
    part = page.locator("[data-file]", has_text="output/part.svg")
    expect(part).to_contain_text("last written at step 199 (Command)")
    page.get_by_label("From step").fill("200")
    expect(part).to_be_hidden()
    expect(page.locator("[data-file]:visible")).to_contain_text("last written at step 300 (Edit)")
    page.locator("[data-file]:visible").get_by_role("link", name="step 300").click()
    expect(page.locator("#step-300 .call")).to_have_attribute("open", "")

    page.locator("[data-now]").fill("5")
    expect(page.locator("#steps > .step:visible")).to_have_count(5)
    page.get_by_role("button", name="Play back").click()
    expect(page.locator("#step-7")).to_be_visible()
    page.get_by_role("button", name="Pause").click()
    expect(page.locator("#step-290")).to_be_hidden()
    page.evaluate("location.hash = '#step-290'")
    expect(page.locator("#step-290 h3")).to_be_in_viewport()


def test_a_long_record_is_read_without_scripts(path: str, watched: Watched) -> None:
    page = watched.page(PHONE, script=False)
    page.goto(path)
    page.get_by_role("searchbox").fill("lighthouse")
    page.get_by_label("Command").check()
    page.get_by_role("button", name="Show").first.click()
    expect(page.get_by_text("4 places, in 2 steps")).to_be_visible()
    expect(page.locator("#steps > .step[hidden]")).to_have_count(30)
    page.locator("[data-found] a").first.click()
    page.locator("#step-41 .call summary").click()
    page.locator("#step-41").get_by_role("link", name="Show all").click()
    expect(page.locator("pre.output")).to_contain_text("The Lighthouse stands.")
    page.get_by_role("link", name="Step 42").click()
    expect(page.get_by_role("heading", name="Step 42").first).to_be_attached()
    assert fits(page)
