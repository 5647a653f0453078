"""The viewers in a real browser with real works: what they show, that they seek, that the roll follows the sound."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, Response, expect

from studio import gallery, jobs
from studio.contract import Place, Report
from studio.jobs import JobEnd
from studio.settings import Settings
from tests.browser import real
from tests.browser.looking import DESK, PHONE, Watched, fits
from tests.browser.real import rejected
from tests.web.served import Served, served

pytestmark = pytest.mark.browser

SEEK = """(media, second) => new Promise((done, fail) => {
  media.addEventListener("seeked", () => done(media.currentTime), { once: true });
  media.addEventListener("error", () => fail(new Error(media.error?.message)), { once: true });
  media.currentTime = second;
})"""
UNTIL = """(media, second) => new Promise(done => {
  const look = () => { if (media.ended || media.currentTime > second) done(media.ended); };
  media.addEventListener("timeupdate", look);
  media.addEventListener("ended", look);
  media.muted = true;
  media.play();
})"""  # plays until then, or to the end; was it the end?
LOADED = """media => media.readyState >= 1 || new Promise(done => media.addEventListener("loadedmetadata", done))"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A studio whose maps may load no tiles, so that nothing here depends on a network."""
    with served(tmp_path_factory.mktemp("real"), tile_sources="", image_dir=Settings().image_dir) as found:
        yield found


@pytest.fixture(scope="module")
def works(site: Served) -> dict[str, gallery.ArtifactView]:
    return {kind: real.make(site, kind) for kind in real.BRIEFS}


def opened(
    site: Served,
    work: gallery.ArtifactView,
    watched: Watched,
    width: int = DESK,
    scheme: str = "light",
    motion: str = "no-preference",
) -> Page:
    page = watched.page(width, scheme, motion=motion)
    page.goto(f"{site.url}/artifacts/{work.id}")
    return page


def tiles_are_refused(watched: Watched) -> None:
    """The page asks for tiles, and the policy of this studio refuses them; nothing else may be complained of."""
    watched.complaints = [text for text in watched.complaints if "/{z}" not in text and "tile" not in text]


@pytest.mark.parametrize("width", [DESK, PHONE])
def test_a_map_works_in_its_frame(
    site: Served, works: dict[str, gallery.ArtifactView], watched: Watched, width: int
) -> None:
    page = opened(site, works["travel_map"], watched, width)
    frame = page.locator(".page-viewer iframe")
    expect(frame).to_have_attribute("sandbox", "allow-scripts allow-same-origin")
    assert f"//{works['travel_map'].content_token}.localhost:" in (frame.get_attribute("src") or "")
    box = frame.bounding_box()
    assert box is not None
    assert box["height"] >= 440
    inside = page.frame_locator(".page-viewer iframe")
    expect(inside.get_by_text("Old Lighthouse").first).to_be_visible()
    inside.locator(".leaflet-marker-icon").first.click()
    expect(inside.get_by_text("Climb early").last).to_be_visible()
    assert fits(page)
    expect(page.get_by_role("link", name="Full size")).to_have_attribute("href", frame.get_attribute("src") or "")
    expect(page.get_by_role("heading", name="The same plan in words")).to_be_visible()
    watched.keep(page, "viewer-map")
    tiles_are_refused(watched)


@pytest.mark.parametrize("width", [DESK, PHONE])
def test_a_film_is_sought_by_ranges_and_by_its_numbers(
    site: Served, works: dict[str, gallery.ArtifactView], watched: Watched, width: int
) -> None:
    page = watched.page(width)
    answers: list[Response] = []
    page.on("response", lambda answer: answers.append(answer))
    page.goto(f"{site.url}/artifacts/{works['countdown_video'].id}")
    film = page.locator("video")
    film.evaluate(LOADED)
    assert film.evaluate("film => [film.videoWidth, film.videoHeight]") == [480, 270]
    assert film.evaluate("film => film.duration") == pytest.approx(4, abs=0.5)
    assert film.evaluate(SEEK, 3.5) == pytest.approx(3.5, abs=0.1)
    assert {answer.status for answer in answers if answer.url.endswith(".mp4")} == {206}
    number = page.get_by_role("navigation", name="Places in the film").get_by_role("link").nth(1)
    number.click()
    expect(number).to_have_attribute("aria-current", "true")
    assert page.url.endswith(works["countdown_video"].id), "the page stays"
    assert film.evaluate("film => film.currentTime") == pytest.approx(
        float(number.get_attribute("data-seek") or -1), abs=0.1
    )
    box, room = film.bounding_box(), page.locator(".viewer").bounding_box()
    assert box is not None
    assert room is not None
    assert box["width"] > 0.85 * room["width"], "it has the width that there is"
    expect(page.get_by_role("heading", name="What is seen and heard")).to_be_visible()
    expect(page.locator(".equivalent pre")).to_contain_text("Mira")
    assert fits(page)
    watched.keep(page, "viewer-film")


def test_a_film_plays_to_its_end(site: Served, works: dict[str, gallery.ArtifactView], watched: Watched) -> None:
    page = opened(site, works["countdown_video"], watched)
    film = page.locator("video")
    film.evaluate(LOADED)
    film.evaluate(SEEK, 2.5)
    assert film.evaluate(UNTIL, 1000)
    expect(page.locator(".chapters [aria-current]")).to_have_text("Finale")


def where(page: Page) -> float:
    return float(page.locator("audio").evaluate("sound => sound.currentTime"))


def picture(page: Page) -> str:
    """The roll as it is drawn now."""
    return str(page.locator(".roll canvas").evaluate("canvas => canvas.toDataURL()"))


@pytest.mark.parametrize("width", [DESK, PHONE])
def test_the_roll_follows_the_sound(
    site: Served, works: dict[str, gallery.ArtifactView], watched: Watched, width: int
) -> None:
    page = opened(site, works["piano_piece"], watched, width)
    page.locator("audio").evaluate(LOADED)
    roll = page.get_by_role("slider")
    first = picture(page)
    assert page.locator("audio").evaluate(SEEK, 7.0) == pytest.approx(7.0, abs=0.05)
    expect(roll).to_have_attribute("aria-valuenow", "7.0")
    expect(page.locator("[data-where]")).to_contain_text("Bar 4, 0:07")
    moved = picture(page)
    assert moved != first, "the roll shows another place"
    page.locator("audio").evaluate(UNTIL, 7.6)
    page.locator("audio").evaluate("sound => sound.pause()")
    expect(roll).not_to_have_attribute("aria-valuenow", "7.0")
    assert picture(page) != moved, "it moves with the sound"
    assert fits(page)
    watched.keep(page, "viewer-music")


def test_the_roll_is_sought_by_pointer_and_by_keys(
    site: Served, works: dict[str, gallery.ArtifactView], watched: Watched
) -> None:
    page = opened(site, works["piano_piece"], watched)
    page.locator("audio").evaluate(LOADED)
    roll = page.get_by_role("slider")
    roll.click(position={"x": 40 + 3 * 72, "y": 100})  # three seconds to the right of the keys
    expect(roll).to_have_attribute("aria-valuenow", "3.0")
    roll.press("ArrowRight")
    expect(roll).to_have_attribute("aria-valuenow", "4.0")
    roll.press("Home")
    expect(roll).to_have_attribute("aria-valuenow", "0.0")
    roll.press("PageUp")
    expect(page.locator("[data-where]")).to_contain_text("Bar 2")
    roll.press("Space")
    expect(page.locator("audio")).to_have_js_property("paused", False)
    roll.press("Space")
    expect(page.locator("audio")).to_have_js_property("paused", True)
    wave = page.locator("[data-wave]")
    box = wave.bounding_box()
    assert box is not None
    wave.click(position={"x": box["width"] / 2, "y": 20})
    half = float(page.locator("audio").evaluate("sound => sound.duration")) / 2
    assert where(page) == pytest.approx(half, abs=0.1)


def test_for_those_who_want_no_motion_the_roll_turns_its_pages(
    site: Served, works: dict[str, gallery.ArtifactView], watched: Watched
) -> None:
    page = opened(site, works["piano_piece"], watched, motion="reduce")
    sound = page.locator("audio")
    sound.evaluate(LOADED)
    roll = page.get_by_role("slider")
    sound.evaluate(SEEK, 6.5)
    before = numbers(page)
    sound.evaluate(SEEK, 8.0)
    expect(roll).to_have_attribute("aria-valuenow", "8.0")
    assert numbers(page) == before, "the page stands still while the playhead crosses it"


def numbers(page: Page) -> bytes:
    """A picture of the first bars' numbers above the roll, left of the playhead."""
    box = page.locator(".roll canvas").bounding_box()
    assert box is not None
    return page.screenshot(clip={"x": box["x"] + 44, "y": box["y"] + 1, "width": 400, "height": 17})


def test_the_sheet_is_written_out_and_both_hands_are_named(
    site: Served, works: dict[str, gallery.ArtifactView], watched: Watched
) -> None:
    page = opened(site, works["piano_piece"], watched, scheme="dark")
    expect(page.get_by_role("heading", name="The written sheet")).to_be_visible()
    expect(page.locator(".equivalent pre")).to_contain_text("A minor")
    expect(page.locator(".legend")).to_contain_text("Right hand")
    expect(page.locator(".legend")).to_contain_text("10 bars")
    watched.keep(page, "viewer-music-dark")


def test_without_a_script_there_are_the_pictures_and_the_sound(
    site: Served, works: dict[str, gallery.ArtifactView], watched: Watched
) -> None:
    page = watched.page(script=False)
    page.goto(f"{site.url}/artifacts/{works['piano_piece'].id}")
    expect(page.locator(".roll img")).to_be_visible()
    expect(page.locator("audio")).to_be_visible()
    page.goto(f"{site.url}/artifacts/{works['countdown_video'].id}")
    expect(page.locator("video")).to_be_visible()


@pytest.mark.parametrize("width", [DESK, PHONE])
def test_tiles_say_what_they_are(
    site: Served, works: dict[str, gallery.ArtifactView], watched: Watched, width: int
) -> None:
    page = watched.page(width)
    for path in ("/gallery", "/"):
        page.goto(site.url + path)
        for words in ("Countdown video, 4 s", "Travel map, 2 days", "Piano piece, A minor", "Poster"):
            expect(page.locator(".kind", has_text=words).first).to_be_visible()
        assert fits(page)
        watched.keep(page, "four-kinds-gallery" if path == "/gallery" else "four-kinds-start")


def test_a_film_plays_on_its_tile_while_one_points_at_it(
    site: Served, works: dict[str, gallery.ArtifactView], watched: Watched
) -> None:
    page, still = watched.page(), watched.page(motion="reduce")
    page.goto(site.url + "/gallery")
    tile = page.locator(".tile", has_text="Mira turns six").get_by_role("link")
    tile.hover()
    expect(tile.locator("video.seen")).to_be_visible(timeout=20_000)
    page.get_by_role("heading", name="Gallery").hover()
    expect(tile.locator("video")).to_have_count(0)
    tile.focus()
    expect(tile.locator("video.seen")).to_be_visible(timeout=20_000)
    still.goto(site.url + "/gallery")
    still.locator(".tile", has_text="Mira turns six").get_by_role("link").hover()
    still.wait_for_timeout(600)
    expect(still.locator(".tile video")).to_have_count(0)


@pytest.mark.parametrize("width", [DESK, PHONE])
@pytest.mark.parametrize("kind", ["travel_map", "countdown_video", "piano_piece"])
def test_forms_of_all_kinds_fit(site: Served, watched: Watched, kind: str, width: int) -> None:
    page = watched.page(width)
    page.goto(f"{site.url}/new/{kind}")
    page.locator(".starts a").nth(1).click()
    page.wait_for_load_state()
    assert fits(page)
    watched.keep(page, f"form-{kind}")


def test_what_a_rejected_job_left_is_in_the_same_viewer(
    site: Served, works: dict[str, gallery.ArtifactView], watched: Watched
) -> None:
    work = works["piano_piece"]
    job, claim = site.seed.running({"kind": "piano_piece", **real.BRIEFS["piano_piece"]})
    page = watched.page()
    page.goto(f"{site.url}/jobs/{job.id}")  # open while it runs
    expect(page.locator(".status")).to_contain_text("Running")
    fails = {"midi.key": "The notes are in C major; A minor was asked for."}
    report: Report = site.seed.report(claim, fails)
    report.facts = work.report.facts if work.report else {}
    jobs.finish(site.db, claim, JobEnd("rejected", "checks_failed", report=report, files=[*work.files, *work.previews]))
    expect(page.get_by_role("slider")).to_be_visible(timeout=20_000)
    page.reload()
    page.locator("audio").evaluate(LOADED)
    page.locator("audio").evaluate(SEEK, 2.0)
    expect(page.get_by_role("slider")).to_have_attribute("aria-valuenow", "2.0")
    expect(page.locator("#job-result")).to_contain_text("The notes are in C major")
    assert fits(page)
    watched.keep(page, "job-rejected-music")


def test_a_place_in_a_film_shows_its_frame(
    site: Served, works: dict[str, gallery.ArtifactView], watched: Watched
) -> None:
    still = Place(file="countdown.mp4", time_s=1.5, until_s=2.5)
    url = rejected(site, works["countdown_video"], {"video.moves": [still]})
    page = watched.page()
    page.goto(url)
    film = page.locator("video")
    film.evaluate(LOADED)
    line = page.locator(".timeline .ground").bounding_box()
    stretch = page.locator(".timeline .fail .line").bounding_box()
    assert line is not None
    assert stretch is not None
    length = float(film.evaluate("film => film.duration"))
    assert (stretch["x"] - line["x"]) / line["width"] == pytest.approx(1.5 / length, abs=0.01)
    assert stretch["width"] / line["width"] == pytest.approx(1 / length, abs=0.01)
    page.locator("#check-video\\.moves").get_by_role("link", name="0:01.5 to 0:02.5").press("Enter")
    page.wait_for_function("() => document.querySelector('video').currentTime > 1")
    assert film.evaluate("film => film.currentTime") == pytest.approx(1.6, abs=0.05)
    expect(film).to_have_js_property("paused", True)
    expect(page.locator(".timeline a.fail")).to_be_focused()
    watched.keep(page, "evidence-film")


def test_a_place_in_a_piece_is_marked_on_its_roll(
    site: Served, works: dict[str, gallery.ArtifactView], watched: Watched
) -> None:
    chord = Place(file="composition.mid", time_s=7.0)
    page = watched.page()
    page.goto(rejected(site, works["piano_piece"], {"midi.parses": [chord]}))
    page.locator("audio").evaluate(LOADED)
    page.get_by_role("link", name="0:07.0, bar 4").first.click()
    expect(page.get_by_role("slider")).to_have_attribute("aria-valuenow", "7.0")
    mark, roll = page.locator(".roll-mark.fail").bounding_box(), page.locator(".roll").bounding_box()
    assert mark is not None
    assert roll is not None
    playhead = 40 + 0.33 * (roll["width"] - 40)  # right of the keys, where it stays while the roll moves
    assert mark["x"] - roll["x"] == pytest.approx(playhead, abs=4)
    page.get_by_role("slider").press("Home")
    expect(page.get_by_role("slider")).to_have_attribute("aria-valuenow", "0.0")
    moved = page.locator(".roll-mark.fail").bounding_box()
    assert moved is not None
    assert moved["x"] - mark["x"] == pytest.approx(7 * 72 - (playhead - 40), abs=6), "it moves with the notes"
    watched.keep(page, "evidence-music")


@pytest.mark.parametrize("width", [DESK, PHONE])
def test_the_markers_of_a_map_are_drawn_on_its_screenshot(
    site: Served, works: dict[str, gallery.ArtifactView], watched: Watched, width: int
) -> None:
    work = works["travel_map"]
    page = opened(site, work, watched, width)
    seen = page.locator(".screen.window-1280")
    expect(seen).to_be_hidden()
    # By its key: just after a jump Chromium may still give a click to the map's frame, which was there before.
    page.locator("#check-map\\.markers").get_by_role("link", name="Cistern").press("Enter")
    expect(seen).to_be_visible()
    assert work.report is not None
    found = next(finding for finding in work.report.checks if finding.id == "map.markers")
    place = next(place for place in found.places if place.label == "Cistern")
    picture, drawn = seen.locator("img").bounding_box(), seen.locator("a.here .line").bounding_box()
    assert picture is not None
    assert drawn is not None
    assert place.box is not None
    scale = picture["width"] / 1280
    assert drawn["x"] - picture["x"] == pytest.approx(place.box[0] * scale, abs=2)
    assert drawn["y"] - picture["y"] == pytest.approx(place.box[1] * scale, abs=2)
    assert fits(page)
    watched.keep(page, "evidence-map")
    tiles_are_refused(watched)
