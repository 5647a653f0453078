"""Pages with a map: what people and models really make is accepted, what does not work is refused."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sandbox_image.inspector.page_policy import FOREIGN, OPAQUE, STUDIO
from studio.brief import Brief, InputFile
from studio.cli.delivered import stage, take_manifest
from studio.contract import Report
from studio.inspection import inspect
from studio.kinds import get_kind, parse_brief
from studio.sandboxes.types import Engine, Sandbox
from tests.inspection.pages import DRAWN, EXAMPLES, GOOD, LEAFLET, OSM, PLACES, STOPS, STYLE, Page, brief
from tests.inspection.pictures import png
from web.content import page_policy

PLAN = "# Two days\n\n" + "\n".join(f"- {stop['start']} {stop['name']}" for stop in STOPS)
JudgePage = Callable[..., Report]


@pytest.fixture(scope="session")
def leaflet(darkroom: Sandbox) -> dict[str, str]:
    """What is put in the place of each mark of a page."""
    names = {LEAFLET: "leaflet.js", STYLE: "leaflet.css"}
    return {mark: darkroom.read(f"/opt/studio/web/leaflet/{name}", 1 << 20).decode() for mark, name in names.items()}


@pytest.fixture
def judge_page(engine: Engine, leaflet: dict[str, str], tmp_path: Path) -> JudgePage:
    """Judge a page by some checks of the kind's contract, or by all: judge_page(html, "map.markers")."""

    def one(
        html: str | None, *ids: str, plan: str = PLAN, asked: Brief | None = None, inputs: tuple[InputFile, ...] = ()
    ) -> Report:
        delivered, staged = tmp_path / "delivered", tmp_path / "staged"
        delivered.mkdir()
        if html is not None:
            for mark, content in leaflet.items():
                html = html.replace(mark, content)
            (delivered / "map.html").write_text(html, encoding="utf-8")
        (delivered / "itinerary.md").write_text(plan, encoding="utf-8")
        manifest = take_manifest(delivered)
        stage(delivered, manifest, staged)
        tmp_path.chmod(0o755)
        parsed = parse_brief(asked or brief())
        contract = get_kind("travel_map").contract(parsed)
        checks = tuple(check for check in contract.checks if not ids or check.id in ids)
        asked_for = contract.model_copy(update={"checks": checks})
        return inspect(engine, parsed, asked_for, staged, manifest, inputs, tmp_path / "previews")

    return one


def failing(report: Report) -> dict[str, str]:
    return {finding.id: finding.message for finding in report.failed}


def test_the_policy_is_the_gallerys() -> None:
    assert FOREIGN.policy == page_policy("'self'", [STUDIO], sandboxed=False)
    assert OPAQUE.policy == page_policy(OPAQUE.own, [STUDIO], sandboxed=True)


def test_a_good_page_passes_every_check(judge_page: JudgePage, tmp_path: Path) -> None:
    report = judge_page(GOOD.html)
    assert failing(report) == {}
    assert report.verdict == "accept"
    previews = {each.path: each.width for each in report.previews}
    assert previews == {"thumbnail.webp": 640, "wide.webp": 1280, "phone.webp": 640}
    assert all((tmp_path / "previews" / each.path).exists() for each in report.previews)


@pytest.mark.parametrize("check", sorted(EXAMPLES.keys() - {"images.used", "text.present"}))
def test_fails(check: str, judge_page: JudgePage) -> None:
    html, words = EXAMPLES[check]
    report = judge_page(html, check, "map.popups")
    assert words in failing(report)[check]


def test_an_itinerary_that_forgets_a_stop(judge_page: JudgePage) -> None:
    plan, words = EXAMPLES["text.present"]
    report = judge_page(GOOD.html, "text.present", plan=plan)
    assert words in failing(report)["text.present"]
    assert report.verdict == "accept"


@pytest.mark.parametrize("shown", [True, False])
def test_a_photo_of_the_brief_is_looked_for(shown: bool, judge_page: JudgePage, tmp_path: Path) -> None:
    picture = tmp_path / "pier.png"
    picture.write_bytes(png(64, 48, (20, 60, 120), split=(230, 200, 150)))
    stops = [{**STOPS[0], "photo": "pier.png"}, *STOPS[1:]]
    page = GOOD
    if shown:
        coded = base64.b64encode(picture.read_bytes()).decode()
        page = Page(
            popup=f""".addTo(map).bindPopup(words(s) + '<img width="80" src="data:image/png;base64,{coded}">')"""
        )
    inputs = (InputFile("pier.png", "input", picture, picture.stat().st_size),)
    report = judge_page(page.html, "images.used", "map.popups", asked=brief(stops), inputs=inputs)
    assert (failing(report) == {}) is shown
    assert shown or "pier.png" in failing(report)["images.used"]


SIDE = """
const card = document.body.appendChild(document.createElement('aside'));
"""
TABS = """
const groups = {1: L.layerGroup().addTo(map), 2: L.layerGroup()};
"""
TAB_BUTTONS = """
for (const day of [1, 2]) {
  const tab = document.body.insertBefore(document.createElement('div'), document.body.firstChild);
  tab.textContent = 'Day ' + day; tab.style.cursor = 'pointer';
  tab.addEventListener('click', () => [1, 2].forEach(d => d === day ? groups[d].addTo(map) : groups[d].remove()));
}
"""
NEXT_DAY = """
let day = 1;
const next = document.body.appendChild(document.createElement('button'));
next.textContent = 'Next'; next.onclick = () => { groups[day].remove(); day = day % 2 + 1; groups[day].addTo(map); };
"""
CANVAS = "L.map('map', {preferCanvas: true});"

ACCEPTED = {
    "no library, marks of an SVG": DRAWN,
    "a variable that is global": replace(GOOD, before="window.map = L.map('map'); const map = window.map;").html,
    "no global at all": replace(GOOD, more="delete window.L;").html,
    "tiles that do not load": replace(GOOD, more=OSM).html,
    "circles on a canvas": replace(
        GOOD, before=f"const map = {CANVAS}", marker="L.circleMarker([s.lat, s.lon], {radius: 9})"
    ).html,
    "vectors": replace(GOOD, marker="L.circleMarker([s.lat, s.lon], {radius: 9})").html,
    "a panel instead of popups": replace(
        GOOD, before=GOOD.before + SIDE, popup=".addTo(map).on('click', () => { card.innerHTML = words(s); })"
    ).html,
    "one tab a day": replace(
        GOOD, view=GOOD.view + TABS, popup=".addTo(groups[s.day]).bindPopup(words(s))", more=TAB_BUTTONS
    ).html,
    "a button to the next day": replace(
        GOOD, view=GOOD.view + TABS, popup=".addTo(groups[s.day]).bindPopup(words(s))", more=NEXT_DAY
    ).html,
    "two stops that hide each other until one zooms in": replace(
        GOOD, view="map.setView([41.01, 28.97], 5);"
    ).html,
    "other notations of times": replace(
        GOOD,
        popup=""".addTo(map).bindPopup(words(s).replace('09:00', '9 AM').replace('10:30', '10:30 AM')
        .replace('13:00', '1 pm').replace('10:00', '10h00').replace('11:00', '上午11点')
        .replace('15:30', '下午3点半'))""",
    ).html,
    "longitudes once around the globe": replace(
        GOOD, view="map.fitBounds(STOPS.map(s => [s.lat, s.lon + 360]));",
        lines=GOOD.lines.replace("s.lon]", "s.lon + 360]"),
        marker="L.marker([s.lat, s.lon + 360], {icon: PIN, title: s.name})",
    ).html,
    "a dialog of the browser": replace(
        GOOD, body="<button onclick=\"window.print()\">Print</button>" + GOOD.body
    ).html,
    "a map below the window": replace(
        GOOD, body="<h1>Two days</h1><p style='height:900px'>Much is told before the map.</p><div id=map></div>"
    ).html,
}  # fmt: skip


QUICK = {
    "no library, marks of an SVG",
    "circles on a canvas",
    "one tab a day",
    "every popup shows the last stop",
    "a map that needs storage",
}


def some_slow(names: Iterable[str]) -> list[Any]:
    return [pytest.param(name, marks=[] if name in QUICK else [pytest.mark.slow]) for name in names]


@pytest.mark.parametrize("name", some_slow(ACCEPTED))
def test_accepted(name: str, judge_page: JudgePage) -> None:
    assert failing(judge_page(ACCEPTED[name])) == {}


REFUSED = {
    "every popup shows the last stop": (
        replace(GOOD, popup=".addTo(map).bindPopup(() => words(STOPS.at(-1)))").html,
        "map.popups",
        "Lantern Pier",
    ),
    "a veil over the map": (
        replace(GOOD, body=GOOD.body + '<div style="position:fixed;inset:0;z-index:9999"></div>').html,
        "map.markers",
        "under <div>",
    ),
    "a map that needs storage": (
        replace(GOOD, before="localStorage.setItem('seen', '1'); const map = L.map('map');").html,
        "html.no_errors",
        "localStorage",
    ),
    "a promise that nobody catches": (
        replace(GOOD, more="Promise.reject(new Error('no weather'));").html,
        "html.no_errors",
        "no weather",
    ),
    "a failing fetch": (
        replace(GOOD, more="fetch('https://api.example/weather').catch(() => {});").html,
        "html.self_contained",
        "api.example",
    ),
    "a marker at 0,0": (
        replace(GOOD, more="L.marker([0, 0], {icon: PIN, title: 'Hotel'}).addTo(map).bindPopup('Hotel 09:00');").html,
        "map.place",
        "",
    ),
    "one line for all days": (
        replace(GOOD, lines="L.polyline(STOPS.map(s => [s.lat, s.lon])).addTo(map);").html,
        "map.routes",
        "line of its own",
    ),
    "an answer with a code fence": (
        "```html\n" + GOOD.html + "```\n",
        "html.complete",
        "```",
    ),
    "a script that breaks off": (
        GOOD.html[: GOOD.html.rindex("STOPS.forEach") + 40],
        "html.complete",
        "breaks off inside <script>",
    ),
    "a method of every object that throws": (
        replace(GOOD, more="Object.prototype.toJSON = () => { throw 1; };").html,
        "map.markers",
        "built into JavaScript",
    ),
    "two pages in one": (GOOD.html + GOOD.html, "html.complete", "more than one"),
}


@pytest.mark.parametrize("name", some_slow(REFUSED))
def test_refused(name: str, judge_page: JudgePage) -> None:
    html, check, words = REFUSED[name]
    report = judge_page(html)
    assert check in failing(report)
    assert words in failing(report)[check]
    assert report.verdict == "reject"


def test_stops_that_the_model_chose(judge_page: JudgePage) -> None:
    plan = "# Two days\n\n" + "\n".join(f"- {place['name']}" for place in PLACES)
    assert failing(judge_page(replace(GOOD, stops=PLACES).html, asked=brief([]), plan=plan)) == {}


@pytest.mark.parametrize(
    ("page", "check", "words"),
    [
        (replace(GOOD, stops=PLACES[:5]), "map.markers", "5 markers"),
        (replace(GOOD, stops=PLACES, popup=".addTo(map).bindPopup(s.name)"), "map.popups", "no time"),
        (replace(GOOD, stops=[*PLACES, {**PLACES[0], "lat": 28.95, "lon": 41.0}]), "map.place", "swapped"),
        (replace(GOOD, stops=[*PLACES, {**PLACES[0], "lat": 48.0}]), "map.place", "km from the centre"),
    ],
)
def test_what_a_model_chose_badly(page: Page, check: str, words: str, judge_page: JudgePage) -> None:
    assert words in failing(judge_page(page.html, asked=brief([])))[check]


def test_a_page_that_is_missing_fails_whatever_is_asked_of_it(judge_page: JudgePage) -> None:
    report = judge_page(None)
    about_the_page = [f for f in report.checks if f.id.split(".")[0] in ("html", "page", "map")]
    assert len(about_the_page) == 10
    assert [f.id for f in about_the_page if f.verdict != "fail" or "missing" not in f.message] == []


@pytest.mark.slow
def test_a_page_that_never_comes_to_its_end_is_refused(judge_page: JudgePage) -> None:
    report = judge_page(replace(GOOD, more="for (;;) {}").html, "html.complete", "html.no_errors", "page.fits")
    assert report.verdict == "reject"
    assert list(failing(report)) == ["html.no_errors", "page.fits"]
    assert "does not come to its end" in failing(report)["page.fits"]


@pytest.mark.thorough
def test_a_page_that_takes_itself_away_is_refused(judge_page: JudgePage) -> None:
    report = judge_page(replace(GOOD, more="document.documentElement.remove();").html)
    assert {"page.not_blank", "map.markers"} <= failing(report).keys()
    assert [finding.id for finding in report.checks if finding.verdict == "error"] == []
