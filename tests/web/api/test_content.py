"""The content origin: files of a model, cut off from the studio, by an address that nobody can guess."""

from __future__ import annotations

import re
from pathlib import Path

import httpx
import pytest

from studio import gallery, jobs
from studio.gallery import ArtifactView
from studio.jobs import JobEnd, JobView
from tests.web.seeding import brief
from tests.web.served import Served, served

PAGE = b"<!doctype html><title>Made</title><script>document.title = 'ran'</script>"


@pytest.fixture(scope="module")
def artifact(opened: Served) -> ArtifactView:
    return gallery.get(opened.db, opened.seed.published(brief("Shown")))


def made_of_all_sorts(studio: Served) -> JobView:
    _, claim = studio.seed.running(brief("All sorts"))
    contents = {
        "index.html": PAGE,
        "app.js": b"export const a = 1",
        "look.css": b"p {}",
        "notes.md": b"# Notes",
        "evil.svg": b"<svg xmlns='http://www.w3.org/2000/svg'><script>1</script></svg>",
        "program.exe": b"MZ",
        'odd "name" 🎈\n.bin': b"\0",
        "page.xhtml": b"<html/>",
        "clip.mp4": bytes(range(256)),
    }
    files = [studio.seed.stored(name, content, "text/html") for name, content in contents.items()]
    return jobs.finish(studio.db, claim, JobEnd("rejected", "checks_failed", files=files))


@pytest.fixture(scope="module")
def sorts(opened: Served) -> JobView:
    return made_of_all_sorts(opened)


def get(studio: Served, token: str, path: str, **headers: str) -> httpx.Response:
    return studio.http.get(path, headers={"Host": f"{token}.localhost:{studio.port}", **headers})


def test_an_artifact_s_files_and_previews(opened: Served, artifact: ArtifactView) -> None:
    for path in ("/poster.svg", "/_previews/thumbnail.svg", "/social_media_versions/instagram.svg"):
        answer = get(opened, artifact.content_token, path)
        assert answer.status_code == 200, path
        assert answer.headers["Content-Type"] == "image/svg+xml"
        assert "immutable" in answer.headers["Cache-Control"]
        assert "Set-Cookie" not in answer.headers
        assert answer.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    etag = answer.headers["ETag"]
    assert get(opened, artifact.content_token, path, **{"If-None-Match": etag}).status_code == 304


def test_a_page_may_run_scripts_and_reach_nothing_else(opened: Served, sorts: JobView) -> None:
    answer = get(opened, sorts.content_token, "/index.html")
    assert answer.content == PAGE
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src 'unsafe-inline' 'self' data: blob:" in policy
    assert "connect-src 'self'" in policy
    assert "form-action 'none'" in policy
    ancestors = re.search(r"frame-ancestors ([^;]+)", policy)
    assert ancestors
    assert f"http://localhost:{opened.port}" in ancestors[1].split()
    assert f"http://127.0.0.1:{opened.port}" in ancestors[1].split()
    assert "*" not in ancestors[1]
    assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_svg_is_an_image_and_runs_nothing(opened: Served, sorts: JobView) -> None:
    policy = get(opened, sorts.content_token, "/evil.svg").headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "script-src" not in policy
    assert re.search(r"(^|; )sandbox($|;)", policy)


@pytest.mark.parametrize(
    ("path", "media_type", "shown"),
    [
        ("app.js", "text/javascript; charset=utf-8", True),
        ("look.css", "text/css; charset=utf-8", True),
        ("notes.md", "text/plain; charset=utf-8", True),
        ("clip.mp4", "video/mp4", True),
        ("program.exe", "application/octet-stream", False),
        ("page.xhtml", "application/octet-stream", False),
        ("odd%20%22name%22%20%F0%9F%8E%88%0A.bin", "application/octet-stream", False),
    ],
)
def test_types_follow_from_names_not_from_what_the_sandbox_said(
    opened: Served, sorts: JobView, path: str, media_type: str, shown: bool
) -> None:
    answer = get(opened, sorts.content_token, f"/{path}")
    assert answer.headers["Content-Type"] == media_type
    kind = answer.headers["Content-Disposition"].partition(";")[0]
    assert kind == ("inline" if shown else "attachment")


def test_an_odd_name_is_given_after_rfc_6266(opened: Served, sorts: JobView) -> None:
    answer = get(opened, sorts.content_token, "/odd%20%22name%22%20%F0%9F%8E%88%0A.bin")
    said = answer.headers["Content-Disposition"]
    assert said == "attachment; filename=\"odd _name_ _.bin\"; filename*=UTF-8''odd%20%22name%22%20%F0%9F%8E%88_.bin"


def test_video_is_served_by_range(opened: Served, sorts: JobView) -> None:
    answer = get(opened, sorts.content_token, "/clip.mp4", Range="bytes=100-103")
    assert (answer.status_code, answer.content) == (206, bytes([100, 101, 102, 103]))
    assert get(opened, sorts.content_token, "/clip.mp4", Range="bytes=999-").status_code == 416


@pytest.mark.parametrize(
    "path", ["/", "/api/v1/jobs", "/gallery", "/..%2f..%2fsecret_key", "/_previews/../x", "/static/x"]
)
def test_the_content_origin_serves_nothing_of_the_studio(opened: Served, sorts: JobView, path: str) -> None:
    answer = get(opened, sorts.content_token, path)
    assert answer.status_code == 404
    assert "Set-Cookie" not in answer.headers


def test_only_the_token_that_owns_a_file_finds_it(opened: Served, sorts: JobView, artifact: ArtifactView) -> None:
    assert get(opened, artifact.content_token, "/index.html").status_code == 404
    assert get(opened, "0" * 40, "/index.html").status_code == 404
    wrong_port = {"Host": f"{sorts.content_token}.localhost:{opened.port + 1}"}
    assert opened.http.get("/index.html", headers=wrong_port).status_code == 421
    assert get(opened, "a.b", "/index.html").status_code == 421
    assert get(opened, sorts.content_token, "/index.html", Origin="https://evil.example").status_code == 200
    post = {"Host": f"{sorts.content_token}.localhost:{opened.port}"}
    assert opened.http.post("/index.html", headers=post).status_code == 405


def test_the_studio_s_own_address_has_no_such_files(opened: Served, sorts: JobView) -> None:
    assert opened.http.get(f"/content/{sorts.content_token}/index.html").status_code == 404


def test_without_a_second_origin_files_are_sandboxed_below_the_studio(tmp_path: Path) -> None:
    with served(tmp_path, host="0.0.0.0") as studio:  # noqa: S104
        job = made_of_all_sorts(studio)
        answer = studio.http.get(f"/content/{job.content_token}/index.html")
        assert answer.status_code == 200
        policy = answer.headers["Content-Security-Policy"]
        assert policy.endswith("; sandbox allow-scripts")
        assert "allow-same-origin" not in policy
        assert f"connect-src {studio.url}/content/{job.content_token}/;" in policy
        assert "'self'" not in policy
        assert "Set-Cookie" not in answer.headers
        svg = studio.http.get(f"/content/{job.content_token}/evil.svg").headers["Content-Security-Policy"]
        assert svg.endswith("; sandbox")
        assert studio.http.get(f"/content/{'0' * 40}/index.html").status_code == 404
        assert studio.http.get("/gallery").status_code == 401
