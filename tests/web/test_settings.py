"""`/settings`: the named models and their test, for the operator alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from studio import jobs, keys, model_tests
from studio.database import Database
from studio.errors import BriefError
from tests.support.openai_server import OpenAIServer, fails, says
from tests.web.reading import page, text_of, token
from tests.web.served import Served, served

FORM = {"Accept": "text/html"}


@pytest.fixture(scope="module")
def provider() -> Iterator[OpenAIServer]:
    with OpenAIServer([fails(401, "bad key")]) as running:
        yield running


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory, provider: OpenAIServer) -> Iterator[Served]:
    folder: Path = tmp_path_factory.mktemp("settings")
    text = (
        f'[models.local]\nbase_url = "{provider.url}"\nmodel = "scripted"\ncontext = 8192\n\n'
        '[models.hosted]\nmodel = "big"\nkey_env = "STUDIO_TEST_NO_SUCH_KEY"\n'
    )
    (folder / "studio.toml").write_text(text, encoding="utf-8")
    with served(folder) as found:
        yield found


def test_the_models_are_listed_and_offered(site: Served) -> None:
    text = text_of(page(site, "/settings"))
    assert "local scripted" in text
    assert "8,192 tokens" in text or "8 192 tokens" in text or "8192 tokens" in text
    assert "not set: STUDIO_TEST_NO_SUCH_KEY" in text
    assert "Paid models today 0 tokens" in text
    assert "There is no cap." in text
    assert "Models here: recipe , local , hosted" in text_of(page(site, "/new/poster"))


def asked(site: Served, model: str) -> str:
    """Press the button; the address of the page that follows the test."""
    data = {"csrf_token": token(site, "/settings"), "model": model}
    answer = site.http.post("/settings/models/test", data=data, headers=FORM)
    assert answer.status_code == 303, text_of(answer.text)
    return answer.headers["Location"].partition("#")[0]


def test_the_button_asks_a_worker_and_the_page_shows_the_lines_of_the_test(
    site: Served, provider: OpenAIServer
) -> None:
    place = asked(site, "local")
    assert provider.requests == [], "nobody waits for a provider while a page is made"
    waiting = page(site, place)
    assert "Test of local" in text_of(waiting)
    assert "A worker takes it up in a moment. Look again" in text_of(waiting)
    assert "settings.js" in waiting
    assert asked(site, "local") == place, "one test at a time"
    assert model_tests.work_next(site.db, site.settings)
    done = page(site, place)
    text = text_of(done)
    assert "Key and model no the server at" in text
    assert "answered 401: bad key" in text
    assert "Tool call not tried" in text
    assert "It took 1 request," in text
    assert "Look again" not in text
    assert "settings.js" not in done
    part = site.http.get(f"/settings/models/tests/{place.partition('=')[2]}", headers=FORM)
    assert text_of(part.text) in text
    assert asked(site, "local") != place, "a new one after its end"
    assert not jobs.daily_spent(site.db, site.settings).tokens


def test_what_a_test_took_counts_for_the_daily_cap(site: Served, provider: OpenAIServer) -> None:
    provider.answers[:0] = [says("ready"), *[fails(401, "bad key")] * 4]
    while model_tests.work_next(site.db, site.settings):
        pass
    own = site.settings.model_copy(update={"daily_tokens": 110})
    assert jobs.daily_spent(site.db, own).tokens == 110
    with pytest.raises(BriefError, match="STUDIO_DAILY_TOKENS"):
        model_tests.ask(site.db, "local", own, caller="test")


def test_an_unknown_model_and_a_form_without_its_token_are_refused(site: Served, provider: OpenAIServer) -> None:
    before = len(provider.requests)
    data = {"csrf_token": token(site, "/settings"), "model": "none"}
    answer = site.http.post("/settings/models/test", data=data, headers=FORM)
    assert answer.status_code == 422
    assert "there is no model 'none'" in text_of(answer.text)
    assert site.http.post("/settings/models/test", data={"model": "local"}, headers=FORM).status_code == 400
    assert len(provider.requests) == before
    assert site.http.get("/settings?test=nothing", headers=FORM).status_code == 404


def test_only_the_operator_sees_it(tmp_path: Path) -> None:
    texts: list[str] = []

    def prepare(db: Database) -> None:
        for scopes in (("read", "create"), ("admin",)):
            texts.append(keys.create(db, "k", scopes)[1])  # type: ignore[arg-type]

    with served(tmp_path, prepare=prepare) as site:
        guest, operator = ({"Authorization": f"Bearer {text}", **FORM} for text in texts)
        assert site.http.get("/settings", headers=guest).status_code == 403
        assert site.http.get("/settings", headers=operator).status_code == 200
        assert "/settings" not in site.http.get("/", headers=guest).text
        assert "/settings" in site.http.get("/", headers=operator).text
