"""Visitors without a key: the open gallery, links, what they never see; and the operator's sign-in by password."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import httpx
import pytest

from studio import gallery, keys, passwords
from studio.database import Database
from tests.web.reading import text_of
from tests.web.seeding import brief
from tests.web.served import Served, served

pytestmark = pytest.mark.thorough
HTML = {"Accept": "text/html"}
WORDS = "seven quiet herons at dawn"


@dataclass
class Shown:
    """A studio that asks for a key, with one work of each visibility."""

    site: Served
    own: str
    linked: str
    public: str
    hidden: str
    link: str
    key: str

    def visit(self, path: str, **headers: str) -> httpx.Response:
        """As somebody who has neither a key nor a cookie."""
        return httpx.get(
            f"http://127.0.0.1:{self.site.port}{path}", headers={"Host": f"localhost:{self.site.port}", **headers}
        )

    def page(self, path: str) -> httpx.Response:
        return self.visit(path, **HTML)


def shown(site: Served, key: str) -> Shown:
    prompt = "A calm poster with one strong motif."
    own, linked, public, hidden = (
        site.seed.published(brief(title, prompt), model="some-model", tags=["quiet"])
        for title in ("Own Work", "Linked Work", "Public <Work>", "Hidden Work")
    )
    link = gallery.set_visibility(site.db, linked, "unlisted", caller="op").links["share"]
    for work in (public, hidden):
        gallery.set_visibility(site.db, work, "public", caller="op")
    gallery.hide(site.db, hidden, "a reason of ours", caller="op")
    return Shown(site, own, linked, public, hidden, link, key)


def make_key(texts: list[str]) -> Callable[[Database], None]:
    def prepare(db: Database) -> None:
        texts.append(keys.create(db, "k", ["admin"])[1])

    return prepare


@pytest.fixture(scope="module")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shown]:
    """The gallery is open to visitors."""
    texts: list[str] = []
    folder = tmp_path_factory.mktemp("open")
    with served(folder, prepare=make_key(texts), anonymous_gallery="1") as site:
        yield shown(site, texts[0])


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shown]:
    """It is not."""
    texts: list[str] = []
    with served(tmp_path_factory.mktemp("closed"), prepare=make_key(texts)) as site:
        yield shown(site, texts[0])


def test_visitors_find_public_works_alone(opened: Shown) -> None:
    wall = opened.page("/gallery")
    assert wall.status_code == 200
    assert "Public <Work>" in text_of(wall.text)
    for other in ("Own Work", "Linked Work", "Hidden Work", "/jobs", "/settings", "/audit", "/stats"):
        assert other not in wall.text
    for path in ("/gallery?q=work", "/gallery?tag=quiet", "/gallery?sort=title", "/gallery?made=model&sort=stars"):
        text = text_of(opened.page(path).text)
        assert "Public" in text, path
        assert "Own" not in text, path
    listed = opened.visit("/api/v1/artifacts").json()["data"]
    assert [item["id"] for item in listed] == [opened.public]
    assert listed[0]["usage"] is None
    assert "job" not in listed[0]["links"]
    assert opened.visit("/api/v1/facets").json()["total"] == 1
    assert opened.page("/").headers["Location"] == "/gallery"


def test_a_public_work_is_a_page_with_a_card_and_nothing_of_its_job(opened: Shown) -> None:
    page = opened.page(f"/artifacts/{opened.public}")
    assert page.status_code == 200
    job = gallery.get(opened.site.db, opened.public).job_id
    assert job not in page.text
    assert "Make another" not in page.text
    assert '<meta property="og:title" content="Public &lt;Work&gt;">' in page.text
    assert f'"og:url" content="http://localhost:{opened.site.port}/artifacts/{opened.public}"' in page.text
    assert '<meta property="og:image" content="http://' in page.text
    assert 'property="og:image:width" content="420"' in page.text
    file = opened.visit(f"/api/v1/artifacts/{opened.public}/files/poster.svg")
    assert file.status_code == 200
    assert file.headers["Content-Disposition"].startswith("attachment")


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("/gallery?hidden=1", 403),
        ("/artifacts/{own}", 404),
        ("/artifacts/{linked}", 404),
        ("/artifacts/{hidden}", 404),
        ("/artifacts/{public}/trajectory", 401),
        ("/api/v1/artifacts/{own}", 404),
        ("/api/v1/artifacts/{own}/files/poster.svg", 404),
        ("/api/v1/artifacts/{public}/files/make.py?role=script", 404),
        ("/api/v1/artifacts/{public}/archive", 401),
        ("/api/v1/artifacts/{public}/trajectory", 401),
        ("/api/v1/artifacts?hidden=true", 403),
        ("/jobs", 401),
        ("/settings", 401),
        ("/stats", 401),
        ("/audit", 401),
        ("/batches", 401),
        ("/new/poster", 401),
        ("/api/v1/jobs", 401),
        ("/api/v1/stats", 401),
        ("/api/v1/audit", 401),
        ("/s/nothing", 404),
    ],
)
def test_the_rest_is_closed_to_visitors(opened: Shown, path: str, status: int) -> None:
    asked = path.format(own=opened.own, linked=opened.linked, hidden=opened.hidden, public=opened.public)
    assert opened.page(asked).status_code == status


@pytest.mark.parametrize("act", ["star", "tags", "visibility", "hide", "unhide"])
def test_visitors_change_nothing(opened: Shown, act: str) -> None:
    host = {"Host": f"localhost:{opened.site.port}"}
    base = f"http://127.0.0.1:{opened.site.port}"
    assert httpx.post(f"{base}/api/v1/artifacts/{opened.public}/{act}", json={}, headers=host).status_code == 401
    assert httpx.post(f"{base}/artifacts/{opened.public}/{act}", headers=host).status_code == 401


@pytest.mark.parametrize("which", ["opened", "closed"])
def test_a_link_works_in_an_open_and_in_a_closed_studio(which: str, request: pytest.FixtureRequest) -> None:
    found: Shown = request.getfixturevalue(which)
    page = found.page(found.link)
    assert page.status_code == 200
    assert "Linked Work" in text_of(page.text)
    assert page.headers["X-Robots-Tag"] == "noindex"
    assert page.headers["Referrer-Policy"] == "same-origin"
    assert f'content="http://localhost:{found.site.port}{found.link}"' in page.text
    assert f"{found.link}/files/poster.svg" in page.text
    assert found.visit(f"{found.link}/files/poster.svg").status_code == 200
    for other in ("make.py", "thumbnail.svg", "..%2Fsecret_key"):
        assert found.visit(f"{found.link}/files/{other}").status_code == 404


def test_a_closed_studio_shows_visitors_nothing_but_links(closed: Shown) -> None:
    for path in ("/", "/gallery", f"/artifacts/{closed.public}", "/api/v1/artifacts", "/api/v1/facets"):
        assert closed.page(path).status_code == 401, path
    refused = closed.page("/gallery")
    assert 'href="/sign-in"' in refused.text


def test_a_key_keeps_works_by_api_and_the_link_follows(opened: Shown) -> None:
    site, header = opened.site, {"Authorization": f"Bearer {opened.key}"}

    def post(path: str, body: object = None) -> httpx.Response:
        return site.http.post(f"/api/v1/artifacts/{opened.own}/{path}", json=body or {}, headers=header)

    assert post("star").json() == {"starred": True, "stars": 1}
    assert post("star").json()["stars"] == 1
    gone = site.http.request(
        "DELETE", f"/api/v1/artifacts/{opened.own}/star", headers={**header, "Content-Type": "application/json"}
    )
    assert gone.json() == {"starred": False, "stars": 0}
    assert post("tags", {"tags": ["a", "b", "a"]}).json()["tags"] == ["a", "b"]
    assert post("tags", {"tags": ["x" * 41]}).status_code == 422
    shared = post("visibility", {"visibility": "unlisted"}).json()["links"]["share"]
    assert opened.page(shared).status_code == 200
    assert post("hide", {"reason": ""}).status_code == 422
    assert post("hide", {"reason": "for the test"}).json()["hidden"]["reason"] == "for the test"
    assert post("hide", {"reason": "for the test"}).status_code == 409
    assert opened.page(shared).status_code == 404
    assert post("unhide").json()["hidden"] is None
    assert opened.page(shared).status_code == 200
    assert post("visibility", {"visibility": "operators"}).json()["links"].get("share") is None
    assert opened.page(shared).status_code == 404
    actions = [entry["action"] for entry in site.http.get("/api/v1/audit?limit=3", headers=header).json()["data"]]
    assert actions == ["artifact.visibility", "artifact.unhide", "artifact.hide"]


def signs_in(site: Served, browser: httpx.Client, password: str) -> httpx.Response:
    form = browser.get("/sign-in", headers=HTML)
    token = re.search(r'name="csrf_token" value="([^"]+)"', form.text)
    assert token
    return browser.post("/sign-in", data={"csrf_token": token[1], "password": password}, headers=HTML)


def test_the_operator_signs_in_by_password_at_a_bounded_pace(closed: Shown) -> None:
    site = closed.site
    with httpx.Client(base_url=site.url) as browser:
        assert "studio keys password" in browser.get("/sign-in", headers=HTML).text
        passwords.set_password(site.db, WORDS)
        assert signs_in(site, browser, "wrong").status_code == 403
        entered = signs_in(site, browser, WORDS)
        assert (entered.status_code, entered.headers["Location"]) == (303, "/")
        assert browser.get("/settings").status_code == 200
        passwords.set_password(site.db, WORDS + "!")
        assert browser.get("/settings").status_code == 401, "the old password opens nothing any more"
        for _ in range(5):
            assert signs_in(site, browser, "wrong").status_code == 403
        late = signs_in(site, browser, WORDS + "!")
        assert late.status_code == 429
        assert int(late.headers["Retry-After"]) > 0
        assert "Try again in 15 minutes" in text_of(late.text)
    assert WORDS not in site.log
