"""Every page in a real browser: two widths, light and dark, by keyboard, without a script, without a complaint."""

from __future__ import annotations

import json

import pytest
from playwright.sync_api import Page, Request, expect

from studio import gallery, jobs
from tests.browser.looking import DESK, PHONE, Watched, fits
from tests.web.seeding import brief
from tests.web.served import Served

pytestmark = pytest.mark.browser

LONG = "Symposium über Donaudampfschifffahrtsgesellschaftskapitänsmützen und vergleichende Hutforschung, Rotterdam 2026"


@pytest.fixture(scope="module")
def paths(site: Served) -> dict[str, str]:
    """A studio with something of everything, by the names of its pages."""
    seed = site.seed
    for title, language, size, model in (
        ("Night of the Open Observatory", "en", (420, 594), None),
        ("港湾音乐会", "zh", (420, 594), "some-model-1"),
        ("أمسية موسيقى الحجرة في الميناء القديم", "ar", (420, 594), None),
        ("Harbour Jazz", "en", (640, 360), "provider/some-model-with-a-very-long-name-2026-05-01"),
        ("Square Dance", "en", (500, 500), None),
        (LONG, "de", (420, 594), None),
    ):
        seed.published(
            brief(title, "A calm poster with one strong motif.", language), size=size, model=model, tags=["seeded"]
        )
    artifact = seed.published(
        brief("Evening of Chamber Music", "Blue and gold."), model="some-model-1", text="# Colours\n" * 30
    )
    rejected, failed = seed.rejected(brief("Too Pale a Night")), seed.failed(brief(LONG))
    running, claim = seed.running(brief("Right Now"))
    seed.work(claim)
    seed.call(claim, 3, "execute_bash", {"command": "for i in $(seq 100); do echo line $i; done"}, None)
    jobs.set_live(site.db, claim, "call-3", "line 1\nline 2\n")
    queued = seed.queued(brief("Waiting"))
    return {
        "start": "/",
        "gallery": "/gallery",
        "gallery-empty": "/gallery?q=nothing-like-this",
        "new": "/new/poster",
        "new-sample": "/new/poster?sample=01-ai-conference",
        "jobs": "/jobs",
        "job-queued": f"/jobs/{queued.id}",
        "job-live": f"/jobs/{running.id}",
        "job-rejected": f"/jobs/{rejected.id}",
        "job-failed": f"/jobs/{failed.id}",
        "artifact-model": f"/artifacts/{artifact}",
        "trajectory-model": f"/artifacts/{artifact}/trajectory",
    }


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [DESK, PHONE])
def test_every_page_fits_and_complains_of_nothing(
    site: Served, paths: dict[str, str], watched: Watched, width: int, scheme: str
) -> None:
    page = watched.page(width, scheme)
    for name, path in paths.items():
        page.goto(site.url + path)
        expect(page.locator("h1")).to_have_count(1)
        assert fits(page), path
        watched.keep(page, f"seeded-{name}-{scheme}")


def test_pages_fit_the_narrowest_phone(site: Served, paths: dict[str, str], watched: Watched) -> None:
    page = watched.page(PHONE)
    page.set_viewport_size({"width": 360, "height": 740})
    for path in paths.values():
        page.goto(site.url + path)
        assert fits(page), path


def test_an_error_is_a_page(site: Served, watched: Watched) -> None:
    page = watched.page()
    page.goto(site.url + "/nowhere")
    expect(page.locator("h1")).to_have_text("There is no such page")
    watched.keep(page, "error")
    watched.expect("404")


def test_first_paint_needs_one_page_and_one_style_sheet(site: Served, paths: dict[str, str], watched: Watched) -> None:
    for path in paths.values():
        page = watched.page()
        kinds: list[str] = []

        def note(request: Request, kinds: list[str] = kinds) -> None:
            kinds.append(request.resource_type)

        page.on("request", note)
        page.goto(site.url + path, wait_until="load")
        assert kinds.count("document") == 1, path
        assert kinds.count("stylesheet") == 1, path
        assert kinds.count("font") == 0, path
        assert not page.evaluate(
            "[...document.scripts].some(script => script.src && script.type !== 'module' && !script.defer)"
        )
        sizes = page.evaluate(
            "performance.getEntriesByType('resource')"
            ".filter(e => e.initiatorType === 'script').map(e => e.decodedBodySize)"
        )
        assert sum(sizes) <= 60_000, path


def test_pictures_keep_their_place_while_they_load(site: Served, paths: dict[str, str], watched: Watched) -> None:
    for path in (paths["start"], paths["gallery"]):
        page = watched.page()
        page.goto(site.url + path)
        shift = page.evaluate(
            """() => new Promise(done => {
              let sum = 0;
              new PerformanceObserver(list => { for (const e of list.getEntries()) sum += e.value; })
                .observe({ type: "layout-shift", buffered: true });
              setTimeout(() => done(sum), 300);
            })"""
        )
        assert shift < 0.02, path


# --- Keyboard


def focused(page: Page) -> str:
    """The focused control: its words if it is a button or a link, else its name in the form."""
    return str(
        page.evaluate(
            """() => {
              const at = document.activeElement;
              return at.getAttribute("aria-label") ?? (at.textContent.trim() || at.name);
            }"""
        )
    )


def tab_to(page: Page, name: str, most: int = 80) -> None:
    for _ in range(most):
        page.keyboard.press("Tab")
        if focused(page) == name:
            return
    raise AssertionError(f"{name!r} is not reached by Tab")


def test_the_keyboard_reaches_and_fills_the_form(site: Served, watched: Watched) -> None:
    page = watched.page()
    page.goto(site.url)
    page.keyboard.press("Tab")
    assert focused(page) == "Skip to the content"
    page.keyboard.press("Enter")
    tab_to(page, "Poster")
    page.keyboard.press("Enter")
    page.wait_for_url("**/new/poster")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    tab_to(page, "/brief/title")
    ring = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert ring == "solid"
    page.keyboard.type("By Keyboard")
    for name, text in (("name", "By Keyboard"), ("date", "1 May"), ("venue", "Hall")):
        tab_to(page, f"/brief/params/event/{name}")
        page.keyboard.type(text)
    tab_to(page, "Add speaker")
    page.keyboard.press("Enter")
    assert focused(page) == "/brief/params/speakers/0/name"
    page.keyboard.type("Ada")
    tab_to(page, "Remove this speaker")
    page.keyboard.press("Space")
    assert focused(page) == "Add speaker"
    tab_to(page, "Make it", most=200)
    page.keyboard.press("Enter")
    page.wait_for_url("**/jobs/*")
    expect(page.locator("h1")).to_have_text("By Keyboard")


def test_enter_in_a_field_checks_and_sends_nothing(site: Served, watched: Watched) -> None:
    page = watched.page()
    page.goto(site.url + "/new/poster?sample=01-ai-conference")
    page.locator("[name='/brief/title']").press("Enter")
    page.wait_for_load_state()
    assert page.url.endswith("/new/poster")
    expect(page.locator("[name='/brief/params/event/name']")).to_have_value("AGI Summit 2026")


# --- The form


def test_a_wrong_brief_comes_back_whole_with_the_focus_on_the_first_problem(site: Served, watched: Watched) -> None:
    page = watched.page()
    page.goto(site.url + "/new/poster?sample=01-ai-conference")
    page.locator("[name='/brief/params/raster_height']").fill("tall")
    page.locator("[name='/brief/params/social/1/name']").fill("Big Screen")
    page.get_by_role("button", name="Make it").click()
    expect(page.get_by_role("alert")).to_contain_text("2 things to mend")
    assert focused(page) == "/brief/params/raster_height"
    expect(page.locator("[name='/brief/params/raster_height']")).to_have_value("tall")
    expect(page.locator("[name='/brief/params/contact/+/0/value']")).to_have_value("@AGISummit2026")
    page.get_by_role("link", name="Social version 2, Name").click()
    assert focused(page) == "/brief/params/social/1/name"
    watched.keep(page, "form-wrong")
    watched.expect("422")


def test_rows_come_and_go_at_once_and_are_sent(site: Served, watched: Watched) -> None:
    page = watched.page()
    page.goto(site.url + "/new/poster?sample=01-ai-conference")
    page.locator("[name='remove'][value='/brief/params/highlights/1']").click()
    page.get_by_role("button", name="Add highlight").click()
    page.keyboard.type("A new one")
    page.get_by_role("button", name="Add sponsor").click()
    page.keyboard.type("Ebb & Co")
    page.get_by_role("button", name="Check the brief").click()
    page.wait_for_load_state()
    values = [page.locator(f"[name='/brief/params/highlights/{n}']").input_value() for n in range(5)]
    assert values[0].startswith("20+")
    assert values[1].startswith("Panel")
    assert values[4] == "A new one"
    expect(page.locator("[name='/brief/params/organizers/sponsors/4']")).to_have_value("Ebb & Co")


def test_a_colour_can_be_typed_or_chosen(site: Served, watched: Watched) -> None:
    page = watched.page()
    page.goto(site.url + "/new/poster")
    text = page.locator("[name='/brief/params/palette/primary']")
    picker = page.get_by_label("Primary: choose")
    text.fill("#00aa55")
    expect(picker).to_have_value("#00aa55")
    picker.fill("#123456")
    expect(text).to_have_value("#123456")


def test_the_contract_follows_what_one_types(site: Served, watched: Watched) -> None:
    page = watched.page()
    page.goto(site.url + "/new/poster")
    promise = page.locator("[data-contract-here]")
    expect(promise).to_contain_text("not complete yet: 3 things")
    for name in ("name", "date", "venue"):
        page.locator(f"[name='/brief/params/event/{name}']").fill("x")
    expect(promise).to_contain_text("poster.png 1358 × 1920 px")


def test_what_was_typed_is_there_when_one_comes_back(site: Served, watched: Watched) -> None:
    page = watched.page()
    page.goto(site.url + "/new/poster")
    page.locator("[name='/brief/title']").fill("Kept")
    page.goto(site.url + "/gallery")
    page.go_back()
    expect(page.locator("[name='/brief/title']")).to_have_value("Kept")


# --- A job as it runs


def test_a_job_is_followed_while_it_runs(site: Served, watched: Watched) -> None:
    job, claim = site.seed.running(brief("Followed"))
    page, second = watched.page(), watched.page(PHONE)
    page.goto(f"{site.url}/jobs/{job.id}")
    expect(page.locator(".status")).to_contain_text("Running")
    site.seed.work(claim)
    expect(page.locator("#step-2")).to_contain_text("wrote poster.svg")
    site.seed.call(claim, 3, "execute_bash", {"command": "sleep 9"}, None)
    expect(page.locator("#step-3")).to_contain_text("running…")
    jobs.set_live(site.db, claim, "call-3", "working <b>hard</b>\n")
    expect(page.locator("#step-3 pre.live")).to_have_text("working <b>hard</b>\n")
    page.locator("#step-2 summary").first.click()
    second.goto(f"{site.url}/jobs/{job.id}")  # opened late, beside the first
    expect(second.locator("#step-3 pre.live")).to_contain_text("working")
    report = site.seed.report(claim, {"poster.overlap": "Two texts lie on each other."})
    jobs.finish(site.db, claim, jobs.JobEnd("rejected", "checks_failed", report=report, files=site.seed.files("x")))
    for each in (page, second):
        expect(each.locator("#job-state")).to_have_attribute("data-state", "rejected")
        expect(each.locator("#job-result")).to_contain_text("Two texts lie on each other.")
        expect(each.locator(".step")).to_have_count(3)
    expect(page.locator("#step-2 .call")).not_to_have_attribute("open", "")  # what was folded stays folded


def test_a_published_job_turns_into_its_artifact(site: Served, watched: Watched) -> None:
    job, claim = site.seed.running(brief("Turned"))
    page = watched.page()
    page.goto(f"{site.url}/jobs/{job.id}")
    report = site.seed.report(claim)
    gallery.publish(site.db, claim, jobs.JobEnd("published", report=report, files=site.seed.files("Turned")))
    page.get_by_role("link", name="Open the artifact").click()
    expect(page.locator("h1")).to_have_text("Turned")


def test_without_a_script_the_page_refreshes_itself(site: Served, watched: Watched) -> None:
    job, claim = site.seed.running(brief("Plain"))
    page = watched.page(script=False)
    page.goto(f"{site.url}/jobs/{job.id}")
    site.seed.work(claim)
    expect(page.locator("#step-2")).to_contain_text("wrote poster.svg")
    jobs.cancel(site.db, job.id)
    expect(page.locator(".status")).to_contain_text("Being canceled")


# --- Artifacts


@pytest.fixture
def opened(site: Served, paths: dict[str, str], watched: Watched) -> Page:
    page = watched.page()
    page.goto(site.url + paths["artifact-model"])
    return page


def test_the_picture_can_be_enlarged_by_buttons_and_keys(opened: Page) -> None:
    picture = opened.locator("[data-picture]")
    small = picture.evaluate("image => image.clientWidth")
    opened.get_by_role("button", name="Larger").click()
    assert picture.evaluate("image => image.clientWidth") > 1.4 * small
    opened.locator("[data-frame]").focus()
    opened.keyboard.press("+")
    assert picture.evaluate("image => image.clientWidth") > 2 * small
    opened.keyboard.press("0")
    assert picture.evaluate("image => image.clientWidth") == small


def test_a_link_leads_to_a_step(site: Served, paths: dict[str, str], watched: Watched) -> None:
    page = watched.page()
    page.goto(f"{site.url}{paths['trajectory-model']}#step-3")
    expect(page.locator("#step-3")).to_be_in_viewport()
    expect(page.locator("#step-3")).to_contain_text("Traceback: no such font")
    page.get_by_role("navigation", name="Steps").get_by_role("link", name="1").click()
    expect(page.locator("#step-1 .call pre").first).to_be_visible()


def test_nothing_moves_for_those_who_want_no_motion(site: Served, paths: dict[str, str], watched: Watched) -> None:
    still, moving = watched.page(motion="reduce"), watched.page()
    for page, count in ((still, 0), (moving, 1)):
        page.goto(site.url + paths["job-live"])
        assert page.evaluate("document.getAnimations().length") == count


def test_tiles_fill_in_on_the_start_page(site: Served, watched: Watched) -> None:
    job, claim = site.seed.running(brief("Filling In"))
    page = watched.page()
    page.goto(site.url)
    pending = page.locator(".tile.pending", has_text="Filling In")
    expect(pending).to_contain_text("Running")
    page.get_by_label("What shall be made?").fill("half a sentence")
    report = site.seed.report(claim)
    gallery.publish(site.db, claim, jobs.JobEnd("published", report=report, files=site.seed.files("Filling In")))
    expect(page.locator(".hung")).to_contain_text("Filling In", timeout=15_000)
    expect(pending).to_have_count(0)
    expect(page.get_by_label("What shall be made?")).to_have_value("half a sentence")


def test_the_set_up_is_followed_until_it_is_done(site: Served, watched: Watched) -> None:
    progress = site.settings.data_dir / "setup.json"
    words = {"stage": "fetch", "message": "Fetching packages", "done_bytes": 150_000_000, "total_bytes": 600_000_000}
    page = watched.page()
    try:
        progress.write_text(json.dumps({**words, "ready": False}))
        page.goto(site.url)
        banner = page.get_by_role("region", name="Set-up")
        expect(banner).to_contain_text("Fetching packages")
        expect(banner.get_by_role("progressbar")).to_have_attribute("value", "150000000")
        watched.keep(page, "setup")
        progress.write_text(json.dumps({**words, "message": "Unpacking", "done_bytes": 300_000_000, "ready": False}))
        expect(banner).to_contain_text("Unpacking")
        progress.write_text(json.dumps({"stage": "ready", "ready": True}))
        expect(banner).to_have_count(0)
    finally:
        progress.unlink()
