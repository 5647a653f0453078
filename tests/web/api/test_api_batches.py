"""Batches over HTTP: every form in which lines may come, what is told of them, and what is refused."""

from __future__ import annotations

import io
import json
import zipfile
from typing import Any

import httpx
import pytest

from tests.web.api.test_api_jobs import pointers, problem
from tests.web.seeding import brief
from tests.web.served import Served

BATCHES = "/api/v1/batches"
OWN = {"X-Studio-Upload": "1"}
TABLE = 'name;date;venue\nNight Swim;1 May;Pool\n;2 May;Pool\n"Dæg; 2";3 May;Hall\n'


def accepted(answer: httpx.Response) -> dict[str, Any]:
    assert answer.status_code == 202, answer.text
    batch: dict[str, Any] = answer.json()
    assert answer.headers["Location"] == f"{BATCHES}/{batch['id']}"
    return batch


def lines_of(http: httpx.Client, batch: dict[str, Any], what: str) -> list[dict[str, Any]]:
    answer = http.get(batch["links"][what])
    assert answer.status_code == 200
    assert answer.headers["Content-Type"].startswith("application/jsonl")
    return [json.loads(line) for line in answer.text.splitlines()]


def test_an_array_of_briefs_and_requests(http: httpx.Client) -> None:
    body = [brief("A"), {"brief": brief("B"), "custom_id": "b", "tags": ["many"]}, {"kind": "castle"}, 7]
    batch = accepted(http.post(BATCHES, json=body))
    assert batch["state"] == "in_progress"
    counts = batch["counts"]
    assert (counts["total"], counts["queued"], counts["refused"]) == (4, 2, 2), "a window of it is queued at once"
    errors = lines_of(http, batch, "errors")
    assert [(line["line"], line["custom_id"], line["state"]) for line in errors] == [
        (3, "3", "refused"),
        (4, "4", "refused"),
    ]
    assert "/kind" in [item["pointer"] for item in errors[0]["errors"]]
    jobs = http.get("/api/v1/jobs", params={"batch": batch["id"]}).json()["data"]
    assert sorted(job["custom_id"] for job in jobs) == ["1", "b"]
    assert {job["batch"] for job in jobs} == {batch["id"]}
    assert http.get(batch["links"]["self"]).json() == batch
    assert batch["id"] in [item["id"] for item in http.get(BATCHES).json()["data"]]


def test_a_template_and_rows_of_values(http: httpx.Client) -> None:
    body = {"template": brief("T"), "rows": [{"name": "One", "run.seed": 5}, {"name": 1}], "name": "Rows"}
    batch = accepted(http.post(BATCHES, json=body))
    assert batch["name"] == "Rows"
    (job,) = http.get("/api/v1/jobs", params={"batch": batch["id"]}).json()["data"]
    assert (job["brief"]["params"]["event"]["name"], job["run"]["seed"]) == ("One", 5)
    (error,) = lines_of(http, batch, "errors")
    assert error["errors"][0]["pointer"] == "/brief/params/event/name"
    assert "column 'name'" in error["errors"][0]["detail"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_a_table_as_a_file(http: httpx.Client, encoding: str) -> None:
    answer = http.post(
        BATCHES,
        files={"file": ("evenings.csv", TABLE.encode(encoding))},
        data={"template": json.dumps(brief("{name}")), "run": '{"seed": 3}', "tag": ["a", "b"]},
        headers=OWN,
    )
    batch = accepted(answer)
    assert (batch["name"], batch["counts"]["queued"]) == ("evenings.csv", 3)
    jobs = http.get("/api/v1/jobs", params={"batch": batch["id"]}).json()["data"]
    assert {job["title"] for job in jobs} >= {"Night Swim", "Dæg; 2"}
    assert all((job["run"]["seed"], job["tags"]) == (3, ["a", "b"]) for job in jobs)


def test_json_lines_as_a_file(http: httpx.Client) -> None:
    text = "\n".join([json.dumps(brief("A")), "{broken", json.dumps({"brief": brief("B"), "custom_id": "ü"})])
    batch = accepted(http.post(BATCHES, files={"file": ("a.jsonl", text.encode())}, headers=OWN))
    (error,) = lines_of(http, batch, "errors")
    assert (error["line"], "JSON" in error["errors"][0]["detail"]) == (2, True)


def test_a_dry_run_shows_the_briefs_and_makes_nothing(http: httpx.Client) -> None:
    before = http.get(BATCHES).json()
    answer = http.post(BATCHES, params={"dry_run": 1}, json=[brief("Seen"), {}])
    assert answer.status_code == 200
    assert (answer.json()["good"], answer.json()["total"]) == (1, 2)
    assert answer.json()["lines"][0]["title"] == "Seen"
    assert http.get(BATCHES).json() == before


@pytest.mark.parametrize(
    ("body", "where"),
    [
        ([], "/lines"),
        ({}, ""),
        ({"lines": [], "rows": []}, ""),
        ({"lines": [{}], "nonsense": 1}, "/nonsense"),
        ({"lines": [{}], "kind": "castle"}, "/kind"),
        ("text", ""),
    ],
)
def test_a_batch_that_is_wrong_as_a_whole(http: httpx.Client, body: object, where: str) -> None:
    assert where in pointers(problem(http.post(BATCHES, json=body), 422))


def test_a_file_that_is_wrong_as_a_whole(http: httpx.Client) -> None:
    sent = {"file": ("a.csv", b"name,vnue\nA,B\n")}
    document = problem(http.post(BATCHES, files=sent, data={"kind": "poster"}, headers=OWN), 422)
    assert pointers(document) == ["/columns/1"]
    assert pointers(problem(http.post(BATCHES, files={"x": b"1"}, headers=OWN), 422)) == ["/file"]
    wrong = http.post(BATCHES, files=sent, data={"template": "{"}, headers=OWN)
    assert pointers(problem(wrong, 422)) == ["/template"]
    problem(http.post(BATCHES, files=sent), 400)
    problem(http.post(BATCHES, content=b"name\nA\n", headers={"Content-Type": "text/csv"}), 415)


def test_the_same_key_and_file_make_one_batch(http: httpx.Client) -> None:
    def send(text: str) -> httpx.Response:
        sent = {"file": ("a.csv", text.encode())}
        return http.post(BATCHES, files=sent, data={"kind": "poster"}, headers={**OWN, "Idempotency-Key": "batch-1"})

    first, second = send(TABLE), send(TABLE)
    assert accepted(first)["id"] == accepted(second)["id"]
    problem(send(TABLE + "More;1;2\n"), 422)


def test_results_errors_and_archive(opened: Served, http: httpx.Client) -> None:
    batch = accepted(http.post(BATCHES, json=[{"brief": brief("Made"), "custom_id": "../made"}, {}, brief("Waits")]))
    job_id = next(
        job["id"]
        for job in http.get("/api/v1/jobs", params={"batch": batch["id"]}).json()["data"]
        if job["custom_id"] == "../made"
    )
    opened.publish(job_id)
    (result,) = lines_of(http, batch, "results")
    assert (result["custom_id"], result["job"], result["state"]) == ("../made", job_id, "published")
    assert http.get(result["links"]["artifact"]).json()["title"] == "Made"
    answer = http.get(batch["links"]["archive"])
    assert answer.headers["Content-Type"] == "application/zip"
    assert answer.headers["Content-Disposition"].startswith("attachment;")
    with zipfile.ZipFile(io.BytesIO(answer.content)) as packed:
        assert packed.testzip() is None
        assert {"results.jsonl", "errors.jsonl"} < set(packed.namelist())
        assert any(name.endswith("/poster.svg") for name in packed.namelist())
        assert not any(".." in name.split("/") for name in packed.namelist())
    canceled = http.post(batch["links"]["cancel"], json={})
    assert canceled.json()["state"] == "canceled"
    assert canceled.json()["counts"]["published"] == 1, "what is done is kept"
    assert http.post(batch["links"]["cancel"], json={}).json() == canceled.json()


@pytest.mark.parametrize("path", ["", "/results", "/errors", "/archive"])
def test_no_such_batch(http: httpx.Client, path: str) -> None:
    problem(http.get(f"{BATCHES}/01a22b13-e665-77fb-b9d8-b6c147c58288{path}"), 404)


def test_variants_are_jobs_that_lead_to_each_other(http: httpx.Client) -> None:
    job = http.post("/api/v1/jobs", json={"brief": brief("Two"), "run": {"variants": 2}}).json()
    other = http.get(job["links"]["variant_2"]).json()
    assert (other["state"], other["links"]["variant_1"]) == ("queued", job["links"]["self"])
    assert other["run"]["seed"] != job["run"]["seed"]
    document = problem(http.post("/api/v1/jobs", json={"brief": brief(), "run": {"variants": 5}}), 422)
    assert pointers(document) == ["/run/variants"]


def test_attachments_that_do_not_fit_are_refused_at_their_place(http: httpx.Client) -> None:
    def sent(name: str, content: bytes = b"x") -> str:
        answer = http.post("/api/v1/uploads", files={"file": (name, content)}, headers=OWN)
        assert answer.status_code == 201, answer.text
        found: str = answer.json()["data"][0]["id"]
        return found

    photo = sent("photo.png")
    same = [{"upload": photo, "name": "a.png"}, {"upload": photo, "name": "a.png"}]
    reserved = [{"upload": photo, "name": "brief.json"}, {"upload": photo, "name": "../a.png"}]
    placed = brief(speakers=[{"name": "Ada", "photo": "b.png"}])
    for body, where in (
        ({"brief": brief(), "attachments": same}, ["/attachments/1/name"]),
        ({"brief": brief(), "attachments": reserved}, ["/attachments/0/name", "/attachments/1/name"]),
        ({"brief": placed, "attachments": same[:1]}, ["/brief/params/speakers/0/photo"]),
        ({"brief": placed, "attachments": [{"upload": photo, "name": "b.png", "role": "document"}]},
         ["/brief/params/speakers/0/photo"]),
    ):  # fmt: skip
        assert pointers(problem(http.post("/api/v1/jobs", json=body), 422)) == where
    both = [{"upload": photo, "name": "b.png"}, {"upload": photo, "name": "b.png", "role": "document"}]
    assert http.post("/api/v1/jobs", json={"brief": placed, "attachments": both}).status_code == 202
    large = sent("large.bin", bytes(30 << 20))
    twice = [{"upload": large, "name": name} for name in ("a.bin", "b.bin")]
    document = problem(http.post("/api/v1/jobs", json={"brief": brief(), "attachments": twice}), 422)
    assert pointers(document) == ["/attachments"]
