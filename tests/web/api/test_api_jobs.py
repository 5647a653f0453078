"""Jobs over HTTP: made, listed, looked at, canceled; and every way in which a request is refused."""

from __future__ import annotations

import json
import uuid
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from studio import jobs
from tests.web.seeding import brief
from tests.web.served import Served

PROBLEM = "application/problem+json"
NO_JOB = "3f2b6c1e-8d47-4a53-9f0e-5b7a1c2d3e4f"  # well formed, and nobody's


def problem(answer: httpx.Response, status: int) -> dict[str, Any]:
    """The problem document of an answer, which must have `status`."""
    assert answer.status_code == status, answer.text
    assert answer.headers["Content-Type"] == PROBLEM
    document: dict[str, Any] = answer.json()
    assert document["status"] == status
    assert document["title"]
    assert document["detail"]
    assert document["request_id"] == answer.headers["X-Request-Id"]
    assert "Traceback" not in answer.text
    return document


def pointers(document: dict[str, Any]) -> list[str]:
    return [item["pointer"] for item in document["errors"]]


def test_a_bare_brief_becomes_a_queued_job(http: httpx.Client) -> None:
    answer = http.post("/api/v1/jobs", json=brief("Open day"))
    assert answer.status_code == 202
    job = answer.json()
    assert (job["state"], job["kind"], job["title"]) == ("queued", "poster", "Open day")
    assert answer.headers["Location"] == f"/api/v1/jobs/{job['id']}"
    assert http.get(answer.headers["Location"]).json() == job | {"report": None}
    assert "content_token" not in job


def test_a_request_carries_run_options_tags_and_an_id_of_its_own(http: httpx.Client) -> None:
    body = {"brief": brief(), "run": {"seed": 7, "repairs": 0}, "tags": ["spring"], "custom_id": "line-1"}
    job = http.post("/api/v1/jobs", json=body).json()
    assert (job["run"]["seed"], job["run"]["repairs"]) == (7, 0)
    assert (job["tags"], job["custom_id"]) == (["spring"], "line-1")
    listed = http.get("/api/v1/jobs", params={"tag": "spring"}).json()["data"]
    assert job["id"] in [item["id"] for item in listed]


def test_a_dry_run_makes_nothing_and_shows_the_contract(http: httpx.Client) -> None:
    before = http.get("/api/v1/jobs", params={"limit": 1}).json()["data"]
    answer = http.post("/api/v1/jobs", params={"dry_run": 1}, json=brief("Not made"))
    assert answer.status_code == 200
    assert answer.json()["contract"]["checks"]
    assert answer.json()["request"]["brief"]["title"] == "Not made"
    assert answer.json()["estimate"].keys() == {"runs", "tokens", "cost_usd", "seconds", "words"}
    assert http.get("/api/v1/jobs", params={"limit": 1}).json()["data"] == before


ODD = [
    'He said "come" & <b>stay</b>',
    "Fête 🎉👩‍👩‍👧 ﷽",
    "../../etc/passwd",
    "two\nlines\tand a tab",
    "מסיבת אביב في الحديقة",
    "'; DROP TABLE jobs; --",
]


@pytest.mark.parametrize("name", ODD)
def test_odd_names_are_kept_as_they_are(http: httpx.Client, name: str) -> None:
    job = http.post("/api/v1/jobs", json=brief(name)).json()
    found = http.get(f"/api/v1/jobs/{job['id']}").json()
    one_line = " ".join(name.split())  # a poster sets its own lines, and a gallery too
    assert (found["title"], found["brief"]["params"]["event"]["name"]) == (one_line, one_line)


def test_a_name_that_would_turn_the_line_around_is_refused_with_the_place(http: httpx.Client) -> None:
    answer = http.post("/api/v1/jobs", json=brief("Open \u202eyad"))
    assert pointers(problem(answer, 422)) == ["/title"]
    given = brief("Open day")
    given["params"]["event"]["name"] = "Open \u202eyad"
    assert pointers(problem(http.post("/api/v1/jobs", json=given), 422)) == ["/params/event/name"]


@pytest.mark.parametrize(
    ("body", "where"),
    [
        (b"{not json", ""),
        (b"", ""),
        (b"[]", ""),
        (b'"text"', ""),
        (b"\xff\xfe\x00", ""),
        (b"[" * 100_000, ""),
        (b'{"kind": NaN}', ""),
        (b'{"kind": ' + b"9" * 5000 + b"}", ""),
        (b'{"title": 1e999}', ""),
        (b"{}", "/kind"),
        (b'{"kind": "poster"}', "/title"),
        (b'{"kind": "castle", "title": "A", "params": {}}', "/kind"),
        (b'{"kind": "poster", "title": "A", "params": {}}', "/params/event"),
        (b'{"kind": "poster", "title": "A", "params": {"event": {}}}', "/params/event/name"),
        (b'{"kind": "poster", "title": "A", "colour": "red"}', "/colour"),
        (b'{"kind": "poster", "title": "\\ud800"}', "/title"),
        (b'{"kind": "poster", "title": 3}', "/title"),
        (b'{"brief": {"kind": "poster"}}', "/brief/title"),
        (b'{"run": {}}', "/brief"),
        (b'{"brief": 1}', "/brief"),
    ],
)
def test_what_is_no_brief_is_refused_with_the_place(http: httpx.Client, body: bytes, where: str) -> None:
    answer = http.post("/api/v1/jobs", content=body, headers={"Content-Type": "application/json"})
    assert where in pointers(problem(answer, 422))


@pytest.mark.parametrize(
    ("more", "where"),
    [
        ({"run": {"model": "replay:/etc/passwd"}}, "/run/model"),
        ({"run": {"model": "no-such-provider:x"}}, "/run/model"),
        ({"run": {"limits": {"steps": 10**9}}}, "/run/limits/steps"),
        ({"run": {"network": "open"}}, "/run/network"),
        ({"run": {"seed": -1}}, "/run/seed"),
        ({"tags": ["x" * 41]}, "/tags/0"),
        ({"attachments": [{"upload": NO_JOB, "name": "a.png"}]}, "/attachments/0/upload"),
        ({"surprise": 1}, "/surprise"),
    ],
)
def test_wrong_options_are_refused_with_the_place(http: httpx.Client, more: dict[str, Any], where: str) -> None:
    answer = http.post("/api/v1/jobs", json={"brief": brief(), **more})
    assert where in pointers(problem(answer, 422))


def test_all_problems_of_a_request_come_at_once(http: httpx.Client) -> None:
    body = {"brief": {"kind": "poster", "title": "A", "params": {"event": {"name": ""}}}, "run": {"model": "x"}}
    found = pointers(problem(http.post("/api/v1/jobs", json=body), 422))
    assert any(where.startswith("/brief/params/event") for where in found)


def test_a_body_that_is_not_json_by_its_type_is_refused(http: httpx.Client) -> None:
    text = json.dumps(brief())
    for media_type in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"):
        answer = http.post("/api/v1/jobs", content=text, headers={"Content-Type": media_type})
        problem(answer, 415)
    problem(http.post("/api/v1/jobs", content=text), 415)
    assert http.post(
        "/api/v1/jobs", content=text, headers={"Content-Type": "application/json; charset=utf-8"}
    ).is_success


def test_an_oversized_body_is_refused(opened: Served) -> None:
    headers = {"Content-Type": "application/json"}
    too_much = (60 << 20) + 1
    # On connections of their own: a server may close one whose body it did not read.
    problem(httpx.post(f"{opened.url}/api/v1/jobs", content=b" " * too_much, headers=headers), 413)
    chunks = (b" " * (1 << 20) for _ in range(61))  # no Content-Length
    problem(httpx.post(f"{opened.url}/api/v1/jobs", content=chunks, headers=headers), 413)
    assert opened.http.get("/healthz").status_code == 200


@pytest.mark.parametrize("path", ["", "/report", "/events", "/trajectory", "/files", "/files/poster.svg"])
@pytest.mark.parametrize("name", [NO_JOB, "nonsense", "..%2f..%2fetc", "0", "%00"])
def test_an_unknown_job_is_not_found(http: httpx.Client, name: str, path: str) -> None:
    problem(http.get(f"/api/v1/jobs/{name}{path}"), 404)


def test_unknown_paths_and_methods_are_problems(http: httpx.Client) -> None:
    problem(http.get("/api/v1/nothing"), 404)
    answer = http.put("/api/v1/jobs", json={})
    problem(answer, 405)
    assert "POST" in answer.headers["Allow"]
    problem(http.post("/api/v1/openapi.json", json={}), 405)
    problem(http.get("/nothing", headers={"Accept": "application/json"}), 404)
    page = http.get("/nothing", headers={"Accept": "text/html"})
    assert (page.status_code, page.headers["Content-Type"]) == (404, "text/html; charset=utf-8")


def test_a_second_cancel_changes_nothing(http: httpx.Client) -> None:
    job = http.post("/api/v1/jobs", json=brief("Canceled twice")).json()
    first = http.post(f"/api/v1/jobs/{job['id']}/cancel", json={})
    second = http.post(f"/api/v1/jobs/{job['id']}/cancel", json={})
    assert first.status_code == second.status_code == 200
    assert first.json()["state"] == "canceled"
    assert first.json() == second.json()
    problem(http.post(f"/api/v1/jobs/{uuid.uuid4()}/cancel", json={}), 404)


def test_a_job_is_made_again(http: httpx.Client) -> None:
    job = http.post("/api/v1/jobs", json=brief("Again")).json()
    http.post(f"/api/v1/jobs/{job['id']}/cancel", json={})
    answer = http.post(f"/api/v1/jobs/{job['id']}/retry", json={})
    assert answer.status_code == 202
    assert answer.json()["id"] != job["id"]
    assert answer.json()["brief"] == job["brief"]
    assert answer.headers["Location"].endswith(answer.json()["id"])


def test_the_list_is_paged_without_a_gap(opened: Served, http: httpx.Client) -> None:
    made = [opened.seed.queued(brief(f"Page {number}"), tags=["paged"]).id for number in range(7)]
    found: list[str] = []
    path = "/api/v1/jobs?tag=paged&limit=3"
    while path:
        answer = http.get(path)
        found += [item["id"] for item in answer.json()["data"]]
        path = answer.links["next"]["url"] if "next" in answer.links else ""
        assert bool(path) == bool(answer.json()["next_cursor"])
    assert found == made[::-1]


@pytest.mark.parametrize(
    "query",
    [
        "limit=0",
        "limit=101",
        "limit=x",
        "cursor=%21",
        "state=sleeping",
        "since=soon",
        "since=5",
        "since=2026-01-01T00:00:00",
        "sate=1",
    ],
)
def test_a_wrong_query_is_refused(http: httpx.Client, query: str) -> None:
    document = problem(http.get(f"/api/v1/jobs?{query}"), 422)
    assert pointers(document) == ["/" + query.partition("=")[0]]


def test_the_report_of_a_rejected_job(opened: Served, http: httpx.Client) -> None:
    job = opened.seed.rejected()
    report = http.get(f"/api/v1/jobs/{job.id}/report").json()
    assert (report["schema"], report["verdict"]) == ("studio.report/1", "reject")
    queued = opened.seed.queued()
    problem(http.get(f"/api/v1/jobs/{queued.id}/report"), 404)


def test_waiting_holds_the_answer_until_the_job_ended(opened: Served, http: httpx.Client) -> None:
    answer = http.post("/api/v1/jobs", json=brief("Waited for"), headers={"Prefer": "respond-async, wait=1"})
    assert answer.status_code == 202
    assert answer.headers["Preference-Applied"] == "wait=1"
    assert answer.json()["state"] == "queued"  # no worker runs here


def test_a_repeated_request_with_an_idempotency_key_is_done_once(http: httpx.Client) -> None:
    key = {"Idempotency-Key": "line-1/2026"}
    first = http.post("/api/v1/jobs", json=brief("Done once"), headers=key)
    again = http.post("/api/v1/jobs", json=brief("Done once"), headers=key)
    assert first.status_code == again.status_code == 202
    assert first.json() == again.json()
    assert first.headers["Location"] == again.headers["Location"]
    problem(http.post("/api/v1/jobs", json=brief("Another"), headers=key), 422)
    other = http.post("/api/v1/jobs", json=brief("Done once"), headers={"Idempotency-Key": "line-2"})
    assert other.json()["id"] != first.json()["id"]
    problem(http.post("/api/v1/jobs", json=brief(), headers={"Idempotency-Key": "a b"}), 422)


def test_a_refused_request_does_not_use_up_its_key(http: httpx.Client) -> None:
    key = {"Idempotency-Key": "mended"}
    problem(http.post("/api/v1/jobs", json={"brief": brief(), "run": {"model": "x"}}, headers=key), 422)
    assert http.post("/api/v1/jobs", json={"brief": brief()}, headers=key).status_code == 202


def test_of_many_requests_with_one_key_one_works(opened: Served) -> None:
    def send(_: int) -> httpx.Response:
        headers = {"Idempotency-Key": "at-once", "Prefer": "wait=1"}
        return httpx.post(f"{opened.url}/api/v1/jobs", json=brief("At once"), headers=headers, timeout=60)

    with ThreadPoolExecutor(6) as pool:
        answers = list(pool.map(send, range(6)))
    assert {answer.status_code for answer in answers} <= {202, 409}
    assert len({answer.json()["id"] for answer in answers if answer.status_code == 202}) == 1


def test_uploads_become_attachments_of_a_job(http: httpx.Client) -> None:
    names = ["плакат 🎈.png", 'quo"te.txt']
    files = [("file", (name, f"content of {name}".encode())) for name in names]
    answer = http.post("/api/v1/uploads", files=files, headers={"X-Studio-Upload": "1"})
    assert answer.status_code == 201, answer.text
    stored = answer.json()["data"]
    assert [item["name"] for item in stored] == names
    attachments = [{"upload": item["id"], "name": item["name"], "role": "document"} for item in stored]
    made = http.post("/api/v1/jobs", json={"brief": brief(), "attachments": attachments})
    assert made.status_code == 202, made.text


@pytest.mark.parametrize("name", ["a/b.txt", "..", "brief.json", "x" * 300, "back\\slash"])
def test_an_upload_with_an_impossible_name_is_refused(http: httpx.Client, name: str) -> None:
    answer = http.post("/api/v1/uploads", files={"file": (name, b"x")}, headers={"X-Studio-Upload": "1"})
    assert pointers(problem(answer, 422)) == ["/file/0/name"]


def test_an_upload_says_by_a_header_that_it_is_one(http: httpx.Client) -> None:
    problem(http.post("/api/v1/uploads", files={"file": ("a.txt", b"x")}), 400)
    problem(http.post("/api/v1/uploads", json={}, headers={"X-Studio-Upload": "1"}), 415)
    answer = http.post("/api/v1/uploads", files={"other": ("a.txt", b"x")}, headers={"X-Studio-Upload": "1"})
    assert pointers(problem(answer, 422)) == ["/file"]


def test_kinds_and_their_samples(http: httpx.Client) -> None:
    assert "poster" in [kind["name"] for kind in http.get("/api/v1/kinds").json()["data"]]
    kind = http.get("/api/v1/kinds/poster").json()
    assert kind["params"]["properties"]
    for sample in kind["samples"]:
        assert http.post("/api/v1/jobs?dry_run=1", json=sample["brief"]).status_code == 200
    problem(http.get("/api/v1/kinds/castle"), 404)


def test_health_names_each_part(http: httpx.Client) -> None:
    assert http.get("/healthz").json() == {"status": "ok"}
    answer = http.get("/readyz")
    parts = {part["name"]: part["ready"] for part in answer.json()["parts"]}
    assert parts == {"database": True, "broker": parts["broker"], "blobs": True, "engine": False}
    assert answer.status_code == 503
    assert answer.headers["Content-Type"] == PROBLEM
    assert "studio image build" in answer.json()["detail"]


def test_the_job_that_was_made_is_on_the_queue(opened: Served, http: httpx.Client) -> None:
    job = http.post("/api/v1/jobs", json=brief("On the queue")).json()
    assert jobs.get(opened.db, job["id"]).state == "queued"
    waiting = [path.read_text() for path in (opened.settings.data_dir / "queue").rglob("*.msg")]
    assert len([text for text in waiting if text]) >= 1
