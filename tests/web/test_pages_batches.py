"""`/batches` over HTTP: a table is seen as briefs before it runs; a batch's page tells how it stands."""

from __future__ import annotations

import re
from collections.abc import Iterator

import httpx
import pytest

from studio import jobs
from tests.web.reading import page, text_of, token, value_of
from tests.web.served import Served, served

TEMPLATE = '{"title": "{name}, {venue}", "params": {"event": {"date": "1 May"}}}'


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("batches")) as found:
        yield found


def send(site: Served, do: str, table: str | None = None, **fields: str) -> httpx.Response:
    parts = {"file": ("evenings.csv", table.encode())} if table is not None else {"file": ("", b"")}
    data = {"csrf_token": token(site), "kind": "poster", "template": TEMPLATE, "do": do, **fields}
    return site.http.post("/batches", data=data, files=parts, headers={"Accept": "text/html"})


def test_a_table_is_seen_before_it_runs(site: Served) -> None:
    answer = send(site, "see", "name;venue\nNight Swim;Pool\n;Hall\nDay Walk;Park\n")
    assert answer.status_code == 200, text_of(answer.text)
    text = text_of(answer.text)
    assert "2 of 3 lines can run" in text
    assert "Night Swim, Pool" in text
    assert "Line 3 /brief/params/event/name required field is missing (column 'name')" in text
    assert "Run 2 lines" in text
    upload = value_of(answer.text, "upload")
    assert upload
    ran = send(site, "run", upload=upload)
    assert ran.status_code == 303, text_of(ran.text)
    shown = text_of(page(site, ran.headers["Location"]))
    assert "evenings.csv" in shown
    assert "1 of 3 lines done" in shown
    assert "1 refused" in re.sub(r"refused (\d+)", r"\1 refused", shown)
    assert "evenings.csv" in text_of(page(site, "/batches"))


def test_a_batch_shows_works_and_can_be_canceled(site: Served) -> None:
    ran = send(site, "run", "name;venue\nDone;Pool\nLater;Hall\n", name="Two evenings")
    address = ran.headers["Location"]
    batch_id = address.rsplit("/", 1)[-1]
    jobs = site.http.get("/api/v1/jobs", params={"batch": batch_id}).json()["data"]
    site.publish(next(job["id"] for job in jobs if job["title"].startswith("Done")))
    markup = page(site, address)
    assert "Accepted works" in text_of(markup)
    assert f"/api/v1/batches/{batch_id}/archive" in markup
    assert "line 2" in text_of(page(site, f"/jobs/{jobs[-1]['id']}"))
    news = site.http.get(f"{address}/progress").json()
    assert news["ended"] is False
    assert "Done, Pool" in news["results"]
    canceled = site.http.post(f"{address}/cancel", data={"csrf_token": token(site)})
    assert canceled.status_code == 303
    assert "Canceled" in text_of(page(site, address))
    assert site.http.get(f"{address}/progress").json()["ended"] is True


@pytest.mark.parametrize(
    ("table", "fields", "said"),
    [
        (None, {}, "choose a table"),
        ("", {}, "the file is empty"),
        ("name;vnue\nA;B\n", {}, "is 'venue' meant?"),
        ("name\nA\n", {"template": "{"}, "the template is not JSON"),
        ("name\nA\n", {"kind": "", "template": ""}, "of which kind are the briefs"),
        (None, {"upload": "01a22b13-e665-77fb-b9d8-b6c147c58288"}, "there is no upload"),
    ],
)
def test_what_is_wrong_is_said_and_nothing_typed_is_lost(
    site: Served, table: str | None, fields: dict[str, str], said: str
) -> None:
    answer = send(site, "run", table, name="Kept name", **fields)
    assert answer.status_code == 422
    assert said in text_of(answer.text)
    assert value_of(answer.text, "name") == "Kept name"


def test_odd_cells_are_text(site: Served) -> None:
    answer = send(site, "see", 'name;venue\n"<script>alert(1)</script> {{7*7}}";"<b>Pool"\n')
    assert answer.status_code == 200
    assert "<script>alert(1)" not in answer.text
    assert "<script>alert(1)</script> {{7*7}}, <b>Pool" in text_of(answer.text)


def test_a_sample_fills_the_template(site: Served) -> None:
    link = re.search(r'href="(/batches\?kind=poster&amp;sample=[^"]+)"', page(site, "/batches"))
    assert link
    markup = page(site, link[1].replace("&amp;", "&"))
    assert "&#34;event&#34;" in markup
    page(site, "/batches?kind=poster&sample=none-such", 404)


def test_documents_and_pictures_of_the_form_keep_their_roles(site: Served) -> None:
    fields = {
        "csrf_token": token(site),
        "/brief/title": "With files",
        "/brief/params/event/name": "With files",
        "/brief/params/event/date": "1 May",
        "/brief/params/event/venue": "Hall",
        "/brief/params/speakers/0/name": "Ada",
        "/brief/params/speakers/0/photo": "ada.png",
        "/run/variants": "2",
    }
    files = [("files", ("ada.png", b"\x89PNG")), ("documents", ("programme.txt", b"words"))]
    seen = site.http.post("/new/poster", data={**fields, "do": "check"}, files=files, headers={"Accept": "text/html"})
    assert '<option value="ada.png">' in seen.text
    assert "a document" in text_of(seen.text)
    kept = dict(re.findall(r'name="(/attachments/[^"]+)" value="([^"]*)"', seen.text))
    made = site.http.post("/new/poster", data={**fields, **kept, "do": "make"}, files=[("files", ("", b""))])
    assert made.status_code == 303, text_of(made.text)
    job_id = made.headers["Location"].rsplit("/", 1)[-1]
    assert [(item.name, item.role) for item in jobs.inputs(site.db, job_id)] == [
        ("ada.png", "input"),
        ("programme.txt", "document"),
    ]
    assert "Variants this is 1; the others: 2" in text_of(page(site, made.headers["Location"]))
