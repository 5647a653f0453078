"""Batches and attachments in a real browser: a table dropped, seen, run; pictures dropped on a form."""

from __future__ import annotations

import base64

import pytest
from playwright.sync_api import Page, expect

from studio import batches, jobs
from studio.jobs import JobEnd
from tests.browser.looking import DESK, PHONE, Watched, fits
from tests.web.served import Served

pytestmark = pytest.mark.browser

TEMPLATE = '{"title": "{name}", "params": {"event": {"date": "1 May 2027"}}}'
NAMES = ("Night Swim", "港湾音乐会", "Lantern Walk", "Chamber Evening", "Harbour Jazz", "Open Observatory")
TABLE = "name;venue\n" + "".join(f"{name};Hall {n}\n" for n, name in enumerate(NAMES)) + ";Nowhere\n"
PNG = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAQAAAAECAIAAAAmkwkpAAAAE0lEQVR4nGP8z4AATEhsPBwGRgYAI0sBBwSzTzEAAAAASUVORK5CYII="
)

# Puts a file onto an element as a person's drop does.
DROP = """([zone, name, type, content]) => {
  const bytes = Uint8Array.from(atob(content), (char) => char.charCodeAt(0));
  const dataTransfer = new DataTransfer();
  dataTransfer.items.add(new File([bytes], name, { type }));
  for (const kind of ["dragover", "drop"]) {
    document.querySelector(zone).dispatchEvent(new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true }));
  }
}"""


def drop(page: Page, zone: str, name: str, kind: str, content: bytes) -> None:
    page.evaluate(DROP, [zone, name, kind, base64.b64encode(content).decode()])


def work(site: Served, batch_id: str) -> None:
    """The batch's jobs to their ends; one of them is rejected."""
    batches.feed(site.db, site.settings)
    queued = jobs.list_jobs(site.db, batch=batch_id, state="queued").data
    for job in queued[1:]:
        site.publish(job.id)
    claim = jobs.claim(site.db, queued[0].id, "worker", 60.0)
    assert claim is not None
    report = site.seed.report(claim, {"poster.contrast": "make the text darker"})
    jobs.finish(site.db, claim, JobEnd("rejected", "checks_failed", report=report))
    batches.advance(site.db)


@pytest.mark.parametrize("width", [PHONE, DESK])
def test_a_table_is_dropped_seen_and_run(site: Served, watched: Watched, width: int) -> None:
    page = watched.page(width, "dark" if width == PHONE else "light")
    page.goto(f"{site.url}/batches")
    page.locator("summary", has_text="Template").click()
    page.get_by_role("textbox", name="Template").fill(TEMPLATE)
    page.get_by_label("Kind").select_option("poster")
    drop(page, "[data-drop]", "evenings.csv", "text/csv", TABLE.encode())
    watched.keep(page, "batches")
    page.get_by_role("button", name="See the briefs").click()
    expect(page.get_by_role("heading", name="6 of 7 lines can run")).to_be_visible()
    expect(page.get_by_text("Line 8")).to_be_visible()
    assert fits(page)
    watched.keep(page, "batches-seen")
    page.get_by_role("button", name="Run 6 lines").click()
    expect(page.get_by_role("heading", name="evenings.csv")).to_be_visible()
    expect(page.get_by_role("progressbar")).to_be_visible()
    watched.keep(page, "batch-running")
    work(site, page.url.rsplit("/", 1)[-1])
    expect(page.get_by_text("Completed")).to_be_visible()
    expect(page.get_by_role("heading", name="Accepted works")).to_be_visible()
    expect(page.locator(".tile")).to_have_count(5)
    with page.expect_download() as download:
        page.get_by_role("link", name="Everything as one ZIP").click()
    assert download.value.suggested_filename == "evenings-csv.zip"
    assert fits(page)
    watched.keep(page, "batch-completed")
    page.goto(f"{site.url}/batches")
    assert fits(page)
    watched.keep(page, "batches-list")


def test_pictures_and_documents_are_dropped_on_a_form(site: Served, watched: Watched) -> None:
    page = watched.page(DESK)
    page.goto(f"{site.url}/new/poster?sample=01-ai-conference")
    drop(page, "[data-drop=input]", "ada.png", "image/png", PNG)
    drop(page, "[data-drop=input]", "wei.png", "image/png", PNG)
    drop(page, "[data-drop=document]", "programme.txt", "text/plain", b"words")
    expect(page.locator("[data-drop=input] img")).to_have_count(2)
    expect(page.locator("[data-drop=document] li")).to_have_text("programme.txt")
    offered = page.locator("#attached-names option").evaluate_all("(all) => all.map((option) => option.value)")
    assert offered == ["ada.png", "wei.png"], "what the fields `photo` and `logos` choose among"
    page.get_by_label("Photo").first.fill("ada.png")
    page.locator("[data-drop=input]").scroll_into_view_if_needed()
    watched.keep(page, "new-attached")
    page.get_by_role("button", name="Make it").click()
    page.wait_for_url("**/jobs/*")
    job_id = page.url.rsplit("/", 1)[-1]
    found = [(item.name, item.role) for item in jobs.inputs(site.db, job_id)]
    assert found == [("ada.png", "input"), ("wei.png", "input"), ("programme.txt", "document")]
