"""Pages are not painted while they are clicked through: what waits for a painted frame happens all the same."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.inspection.pages import GOOD
from tests.inspection.test_pages import SIDE, TAB_BUTTONS, TABS, JudgePage, failing, judge_page, leaflet

__all__ = ["judge_page", "leaflet"]  # fixtures

pytestmark = pytest.mark.thorough

FADING = "aside{opacity:0;transition:opacity .3s}aside.on{opacity:1}"
BY_FRAMES = "on('click', () => { card.innerHTML = words(s); requestAnimationFrame(() => card.className = 'on'); })"

PAGES = {
    "days by view transitions, markers in an idle moment, words that fade in": replace(
        GOOD,
        before=GOOD.before + SIDE,
        view=GOOD.view + TABS + "requestIdleCallback(() => {",
        style=FADING,
        popup=f".addTo(groups[s.day]).{BY_FRAMES}",
        more="});" + TAB_BUTTONS.replace("() => [1, 2]", "() => document.startViewTransition(() => [1, 2]")
        .replace("groups[d].remove())", "groups[d].remove()))"),
    ).html,
    "a popup at the end of an animation": replace(
        GOOD,
        popup=""".addTo(map).on('click', e => {
            const show = () => e.target.bindPopup(words(s)).openPopup();
            e.target._icon.animate([{opacity: .4}, {opacity: 1}], 200).onfinish = show; })""",
    ).html,
}  # fmt: skip


@pytest.mark.parametrize("name", PAGES)
def test_accepted(name: str, judge_page: JudgePage) -> None:  # noqa: F811 - the fixture
    assert failing(judge_page(PAGES[name])) == {}


@pytest.mark.slow
def test_a_click_that_never_ends_fails_by_itself(judge_page: JudgePage) -> None:  # noqa: F811 - the fixture
    endless = replace(GOOD, popup=".addTo(map).on('click', () => { for (;;) {} })").html
    report = judge_page(endless, "page.fits", "map.popups")
    assert list(failing(report)) == ["map.popups"]
    assert "stops answering" in failing(report)["map.popups"]
