"""Files of jobs over HTTP: downloads that run nothing, by range and by hash, whatever they are called."""

from __future__ import annotations

import hashlib
from contextlib import closing
from http.client import HTTPConnection
from urllib.parse import quote

import httpx
import pytest

from studio import gallery, jobs
from studio.jobs import JobEnd, JobView
from tests.web.seeding import brief
from tests.web.served import Served

NAMES = [
    "quo\"te's.txt",
    "emoji 🎈/плакат.png",
    "two\nlines.svg",
    "../../etc/passwd",
    "/absolute.txt",
    "rtl \u202egnp.exe",
    "100%.html",
    "a;b=c.js",
    "back\\slash.css",
    "//double//slash",
    "query?x=1#y",
    " blank ",
    "no ending",
]


@pytest.fixture(scope="module")
def odd(opened: Served) -> JobView:
    """A job whose files have odd names; the content of each is its name."""
    _, claim = opened.seed.running(brief("Odd files"))
    files = [opened.seed.stored(name, name.encode(), "text/html") for name in NAMES]
    files.append(opened.seed.stored("thumbnail.webp", b"RIFF", "image/webp", role="preview", width=4, height=4))
    return jobs.finish(opened.db, claim, JobEnd("rejected", "checks_failed", files=files))


@pytest.mark.parametrize("name", NAMES)
def test_a_file_is_found_by_its_very_name_and_only_downloaded(http: httpx.Client, odd: JobView, name: str) -> None:
    answer = http.get(f"/api/v1/jobs/{odd.id}/files/{quote(name, safe='')}")
    assert answer.status_code == 200, answer.text
    assert answer.content == name.encode()
    headers = answer.headers
    assert headers["Content-Disposition"].startswith("attachment; filename=")
    assert "\n" not in headers["Content-Disposition"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert "sandbox" in headers["Content-Security-Policy"]
    assert "default-src 'none'" in headers["Content-Security-Policy"]
    active = ("text/html", "image/svg", "text/javascript", "text/css", "application/xml")
    assert not headers["Content-Type"].startswith(active)


def test_the_listed_addresses_lead_to_the_files(http: httpx.Client, odd: JobView) -> None:
    listed = http.get(f"/api/v1/jobs/{odd.id}/files").json()["data"]
    assert sorted(file["path"] for file in listed) == sorted(NAMES)
    for file in listed:
        content = http.get(file["download"]).content
        assert content == file["path"].encode()
        assert hashlib.sha256(content).hexdigest() == file["sha256"]
    previews = http.get(f"/api/v1/jobs/{odd.id}/files", params={"role": "preview"}).json()["data"]
    assert [(file["path"], file["width"]) for file in previews] == [("thumbnail.webp", 4)]
    assert http.get(previews[0]["download"]).content == b"RIFF"


@pytest.mark.parametrize(
    "path",
    [
        "..%2f..%2f..%2fstudio.sqlite3",
        "../../../../../etc/passwd",
        "%2e%2e/%2e%2e/secret_key",
        "%2fetc%2fpasswd",
        "poster.svg%00.png",
        "",
        "..",
    ],
)
def test_nothing_but_the_job_s_files_is_served(opened: Served, odd: JobView, path: str) -> None:
    connection = HTTPConnection("127.0.0.1", opened.port)  # it sends paths as they are, `..` too
    with closing(connection):
        for base in (f"/api/v1/jobs/{odd.id}/files/", "/static/"):
            connection.request("GET", base + path, headers={"Host": f"localhost:{opened.port}"})
            answer = connection.getresponse()
            assert answer.status == 404
            assert b"root:" not in answer.read()


def test_ranges_and_conditions(opened: Served, http: httpx.Client) -> None:
    artifact = gallery.get(opened.db, opened.seed.published(brief("Ranges")))
    address = f"/api/v1/artifacts/{artifact.id}/files/poster.svg"
    whole = http.get(address)
    sha256 = next(file.sha256 for file in artifact.files if file.path == "poster.svg")
    assert whole.headers["ETag"] == f'"{sha256}"'
    assert hashlib.sha256(whole.content).hexdigest() == sha256
    assert http.get(address, headers={"If-None-Match": f'"{sha256}"'}).status_code == 304
    part = http.get(address, headers={"Range": "bytes=10-19"})
    assert (part.status_code, part.content) == (206, whole.content[10:20])
    assert part.headers["Content-Range"] == f"bytes 10-19/{len(whole.content)}"
    end = http.get(address, headers={"Range": "bytes=-5"})
    assert (end.status_code, end.content) == (206, whole.content[-5:])
    changed = http.get(address, headers={"Range": "bytes=0-4", "If-Range": '"another"'})
    assert (changed.status_code, changed.content) == (200, whole.content)
    beyond = http.get(address, headers={"Range": "bytes=999999999-"})
    assert beyond.status_code == 416
    assert beyond.headers["Content-Type"] == "application/problem+json"
    assert http.head(address).headers["Content-Length"] == str(len(whole.content))


def test_the_gallery_by_filters(opened: Served, http: httpx.Client) -> None:
    made = opened.seed.published(brief("Zwölf Monde", language="de"), tags=["moon"])
    for query in ({"tag": "moon"}, {"language": "de"}, {"q": "zwölf"}, {"model": "recipe", "tag": "moon"}):
        found = http.get("/api/v1/artifacts", params=query).json()["data"]
        assert made in [item["id"] for item in found], query
    assert http.get("/api/v1/artifacts", params={"q": "no such words"}).json() == {"data": [], "next_cursor": None}
    one = http.get(f"/api/v1/artifacts/{made}").json()
    assert one["report"]["verdict"] == "accept"
    assert "content_token" not in one
    assert [file["path"] for file in one["files"]]


def test_a_rejected_job_keeps_its_files_but_the_gallery_does_not_show_it(opened: Served, http: httpx.Client) -> None:
    job = opened.seed.rejected(brief("Kept though rejected"))
    assert http.get(f"/api/v1/jobs/{job.id}/files/poster.svg").status_code == 200
    shown = http.get("/api/v1/artifacts", params={"q": "Kept though rejected"}).json()["data"]
    assert shown == []
