"""The test of a model in a browser: asked for by a button, followed without loading the page, and without script."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from studio import model_tests
from tests.browser.looking import DESK, PHONE, Watched, fits
from tests.support.openai_server import OpenAIServer, bash, says
from tests.web.served import Served, served

pytestmark = [pytest.mark.browser, pytest.mark.thorough]


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder: Path = tmp_path_factory.mktemp("tested")
    with OpenAIServer([says("ready", bash("echo hello"))]) as provider:
        text = f'[models.local]\nbase_url = "{provider.url}"\nmodel = "scripted"\ncontext = 2048\n'
        (folder / "studio.toml").write_text(text, encoding="utf-8")
        with served(folder) as found:
            yield found


@pytest.mark.parametrize("width", [DESK, PHONE])
def test_lines_appear_as_they_come(own: Served, watched: Watched, width: int) -> None:
    page = watched.page(width)
    page.goto(f"{own.url}/settings")
    page.get_by_role("button", name="Test local").click()
    expect(page.get_by_role("heading", name="Test of local")).to_be_visible()
    expect(page.get_by_text("A worker takes it up in a moment.")).to_be_visible()
    page.evaluate("window.stays = true")
    assert model_tests.work_next(own.db, own.settings)
    expect(page.get_by_text(", no price set")).to_be_visible()
    expect(page.get_by_text("answers without a key: ready")).to_be_visible()
    expect(page.get_by_text("Look again")).to_have_count(0)
    assert page.evaluate("window.stays"), "the page was not loaded anew"
    assert fits(page)
    watched.keep(page, "settings-tested")


def test_it_works_without_script(own: Served, watched: Watched) -> None:
    page = watched.page(script=False)
    page.goto(f"{own.url}/settings")
    page.get_by_role("button", name="Test local").click()
    page.get_by_role("link", name="Look again").click()
    assert model_tests.work_next(own.db, own.settings)
    page.get_by_role("link", name="Look again").click()
    expect(page.get_by_text(", no price set")).to_be_visible()
