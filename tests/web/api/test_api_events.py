"""The stream of a job's events: resumed without a gap, with running output, until the end."""

from __future__ import annotations

import contextlib
import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from studio import jobs
from studio.jobs import ENDED, Claim, JobEnd, JobView
from studio.trajectory import Note, decode_lines
from tests.web.seeding import brief
from tests.web.served import Served, served
from web.streams import MAX_STREAMS

STREAM = {"Accept": "text/event-stream"}


@contextmanager
def stream(http: httpx.Client, job_id: str, **headers: str) -> Iterator[Iterator[dict[str, Any]]]:
    """The events of an open stream, each with `id`, `event` and `data`."""
    address = f"/api/v1/jobs/{job_id}/events"
    with http.stream("GET", address, headers={**STREAM, **headers}) as answer:
        assert answer.status_code == 200
        assert answer.headers["Content-Type"].startswith("text/event-stream")
        assert answer.headers["X-Accel-Buffering"] == "no"
        yield parsed(answer)


def parsed(answer: httpx.Response) -> Iterator[dict[str, Any]]:
    found: dict[str, Any] = {}
    buffer = b""
    for chunk in answer.iter_bytes():
        *lines, buffer = (buffer + chunk).split(b"\n")
        for line in lines:
            name, _, value = line.decode().partition(": ")
            if not line and "data" in found:
                yield found
                found = {}
            elif name == "data":
                found["data"] = json.loads(value)
            elif name in ("id", "event"):
                found[name] = value


def notes(opened: Served, claim: Claim, *texts: str) -> None:
    opened.seed.record(claim, *(Note(text=text) for text in texts))


def finished(opened: Served, claim: Claim) -> JobView:
    return jobs.finish(opened.db, claim, JobEnd("failed", "no_output", "nothing was left"))


def test_everything_is_told_in_order_and_the_stream_ends_with_the_job(opened: Served, http: httpx.Client) -> None:
    job, claim = opened.seed.running(brief("Streamed"))
    text = "line\u2028separator \u0085 next, \r\n and an emoji 🎈"
    with stream(http, job.id) as events:
        first = next(events)
        notes(opened, claim, text, "second")
        finished(opened, claim)
        found = [first, *events]
    ids = [int(event["id"]) for event in found]
    assert ids == list(range(1, len(found) + 1))
    assert [event["data"]["text"] for event in found if event["event"] == "note"] == [text, "second"]
    assert found[-1]["event"] == "state"
    assert found[-1]["data"]["state"] == "failed"
    assert all(event["data"]["seq"] == int(event["id"]) for event in found)


def test_a_stream_is_resumed_without_a_gap_or_a_repeat(opened: Served, http: httpx.Client) -> None:
    job, claim = opened.seed.running(brief("Resumed"))
    notes(opened, claim, *(f"before {number}" for number in range(20)))
    seen: list[int] = []
    for number in range(4):
        with stream(http, job.id, **({"Last-Event-ID": str(seen[-1])} if seen else {})) as events:
            seen += [int(next(events)["id"]) for _ in range(5)]
        notes(opened, claim, f"while nobody listens {number}")
    finished(opened, claim)
    with stream(http, job.id, **{"Last-Event-ID": str(seen[-1])}) as events:
        seen += [int(event["id"]) for event in events]
    assert seen == list(range(1, jobs.get(opened.db, job.id).last_seq + 1))
    answer = http.get(f"/api/v1/jobs/{job.id}/events", headers={**STREAM, "Last-Event-ID": str(seen[-1])})
    assert answer.status_code == 204  # a browser stops connecting again


def test_running_output_has_no_number(opened: Served, http: httpx.Client) -> None:
    job, claim = opened.seed.running(brief("Running output"))
    opened.seed.call(claim, 1, "execute_bash", {"command": "make"}, None)
    with stream(http, job.id) as events:
        jobs.set_live(opened.db, claim, "call-1", "compiling 🎈\n")
        live = next(event for event in events if event["event"] == "live")
        assert live["data"]["text"] == "compiling 🎈\n"
        assert live["data"]["call_id"] == "call-1"
        assert "id" not in live
        jobs.set_live(opened.db, claim, "call-1", "compiling 🎈\ndone\n")
        assert next(events)["data"]["text"].endswith("done\n")
        finished(opened, claim)
        assert [event["event"] for event in events][-1] == "state"


def test_many_readers_of_one_job_hear_the_same_and_pages_still_answer(opened: Served) -> None:
    job, claim = opened.seed.running(brief("Many readers"))
    heard: list[list[int]] = []
    ready = threading.Barrier(41)

    def read() -> None:
        with (
            httpx.Client(base_url=opened.url, timeout=60) as own,
            stream(own, job.id) as events,
        ):
            numbers = [int(next(events)["id"])]
            ready.wait(60)
            heard.append(numbers + [int(event["id"]) for event in events])

    readers = [threading.Thread(target=read) for _ in range(40)]
    for reader in readers:
        reader.start()
    ready.wait(60)
    notes(opened, claim, *(f"note {number}" for number in range(30)))
    assert opened.http.get("/api/v1/artifacts").status_code == 200
    finished(opened, claim)
    for reader in readers:
        reader.join(60)
    last = jobs.get(opened.db, job.id).last_seq
    assert heard == [list(range(1, last + 1))] * 40


def test_a_server_that_is_told_to_end_ends_its_streams(tmp_path: Path) -> None:
    with served(tmp_path) as studio:
        job, _ = studio.seed.running(brief("Goes on elsewhere"))
        with httpx.Client(base_url=studio.url, timeout=60) as own, stream(own, job.id) as events:
            next(events)
            studio.server.terminate()
            rest = list(events)  # ends, though the job goes on; an open stream would hold the server for ever
        assert [event["event"] for event in rest if event["event"] == "state"] == ["state"]
        assert studio.server.wait(30) == 0


@pytest.mark.slow
def test_of_more_streams_than_there_is_room_for_the_last_are_refused_and_pages_answer(tmp_path: Path) -> None:
    with served(tmp_path) as studio, contextlib.ExitStack() as stack:
        job, _ = studio.seed.running(brief("Crowded"))
        statuses = []
        for _ in range(MAX_STREAMS + 4):
            own = stack.enter_context(httpx.Client(base_url=studio.url, timeout=60))
            answer = stack.enter_context(own.stream("GET", f"/api/v1/jobs/{job.id}/events", headers=STREAM))
            statuses.append(answer.status_code)
        assert statuses == [200] * MAX_STREAMS + [503] * 4
        assert studio.http.get("/gallery").status_code == 200


def test_events_as_pages_of_json(opened: Served, http: httpx.Client) -> None:
    job, claim = opened.seed.running(brief("Paged events"))
    notes(opened, claim, *(f"note {number}" for number in range(8)))
    found: list[int] = []
    path = f"/api/v1/jobs/{job.id}/events?limit=3"
    while path:
        answer = http.get(path, headers={"Accept": "application/json"})
        found += [event["seq"] for event in answer.json()["data"]]
        path = answer.links["next"]["url"] if "next" in answer.links else ""
    assert found == list(range(1, jobs.get(opened.db, job.id).last_seq + 1))


def test_the_record_is_json_lines(opened: Served, http: httpx.Client, tmp_path: Path) -> None:
    job = opened.seed.rejected(brief("Recorded"))
    answer = http.get(f"/api/v1/jobs/{job.id}/trajectory")
    assert answer.headers["Content-Type"].startswith("application/jsonl")
    assert answer.headers["Content-Disposition"].startswith("attachment")
    header, *events = list(decode_lines(answer.text.split("\n")))
    assert header.type == "header"
    assert [event.seq for event in events if event.type != "header"] == list(range(1, job.last_seq + 1))
    assert job.state in ENDED
