"""The page of a record in a browser: its figures, and steps chosen by what they use."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from studio import gallery, jobs
from studio.jobs import JobEnd
from studio.trajectory import Header, MadeBy
from tests.browser.looking import DESK, PHONE, Watched, fits
from tests.web.seeding import brief
from tests.web.served import Served
from tests.web.test_records import USAGE

pytestmark = pytest.mark.browser

COMMANDS = ["curl -s http://example.org | head", "ls -la /testbed/input", "python3 make.py", "python3 make.py > log"]


@pytest.fixture(scope="module")
def path(site: Served) -> str:
    _, claim = site.seed.running(brief("Chosen Steps"))
    prompts = {"system/1": "c" * 64}
    header = Header(made_by=MadeBy(model="openai:m"), brief=claim.brief, image_digest="sha256:5", prompts=prompts)
    jobs.set_header(site.db, claim, header)
    for number, command in enumerate(COMMANDS, start=1):
        site.seed.turn(claim, number, f"Step {number}.", "execute_bash", {"command": command}, "done")
    end = JobEnd("published", usage=USAGE, report=site.seed.report(claim), files=site.seed.files("C"))
    return f"{site.url}/artifacts/{gallery.publish(site.db, claim, end)}/trajectory"


@pytest.mark.parametrize("width", [DESK, PHONE])
def test_steps_are_chosen_by_what_they_use(path: str, watched: Watched, width: int) -> None:
    page = watched.page(width)
    page.goto(path)
    page.get_by_text("Figures of the whole run").click()
    expect(page.get_by_text("Peak memory")).to_be_visible()
    assert fits(page)
    watched.keep(page, "record-figures")
    page.get_by_label("files").check()
    page.get_by_label("computation").check()
    expect(page.locator(".step:visible")).to_have_count(1)
    expect(page.locator("#step-4")).to_be_visible()
    expect(page.get_by_role("status")).to_have_text("1 of 4 steps")
    watched.keep(page, "record-chosen")
    page.goto(f"{path}#step-1")
    expect(page.locator("#step-1")).to_be_visible()
    expect(page.get_by_role("status")).to_have_text("")
