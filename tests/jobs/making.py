"""Requests for posters, and claims on their jobs."""

from __future__ import annotations

from studio import jobs
from studio.brief import JobRequest
from studio.database import Database
from studio.jobs import Claim, JobView


def request_for(title: str = "A poster", **more: object) -> JobRequest:
    event = {"name": title, "date": "May 1", "venue": "Hall 1"}
    return JobRequest.model_validate({"brief": {"kind": "poster", "title": title, "params": {"event": event}}, **more})


def claimed(db: Database, job: JobView, lease_s: float = 20.0) -> Claim:
    claim = jobs.claim(db, job.id, "worker-1", lease_s)
    assert claim is not None
    return claim
