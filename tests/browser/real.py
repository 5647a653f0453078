"""One real work of each kind in a studio: made by the recipe in a sandbox, judged by the inspector, small and quick."""

from __future__ import annotations

from collections.abc import Mapping

from studio import gallery, jobs
from studio.blobs import open_blobs
from studio.brief import JobRequest, JsonObject
from studio.contract import Place
from studio.jobs import JobEnd
from studio.pipeline.run import run_job
from studio.sandboxes import engine_for
from tests.web.served import Served

STOPS = [
    {"day": 1, "name": "Old Lighthouse", "lat": 41.015, "lon": 28.98, "start": "09:00", "tip": "Climb early"},
    {"day": 1, "name": "Fish Market", "lat": 41.022, "lon": 28.975, "start": "12:00", "activity": "Lunch"},
    {"day": 2, "name": "Cistern", "lat": 41.008, "lon": 28.978, "start": "10:00", "tip": "Bring a coat"},
]
BRIEFS: dict[str, JsonObject] = {
    "travel_map": {"title": "Two days by the water", "params": {"destination": "Old port", "days": 2, "stops": STOPS}},
    "countdown_video": {
        "title": "Mira turns six",
        "params": {"name": "Mira", "start": 3, "duration_s": 4, "width": 480, "height": 270, "fps": 15},
    },
    "piano_piece": {
        "title": "By the window",
        "params": {
            "duration_s": {"min": 14, "max": 24},
            "structure": [{"name": "Intro", "bars": 2}, {"name": "Theme", "bars": 6}, {"name": "Outro", "bars": 2}],
        },
    },
    "poster": {
        "title": "Night Swim",
        "params": {
            "event": {"name": "Night Swim", "date": "21 August", "venue": "Old Lido"},
            "raster_height": 900,
            "social": [],
        },
    },
}


def rejected(site: Served, work: gallery.ArtifactView, places: Mapping[str, list[Place]]) -> str:
    """The page of a job that left the files of a work, and whose report has these checks fail at these places."""
    job, claim = site.seed.running({"kind": work.kind, **BRIEFS[work.kind]})
    report = site.seed.report(claim, dict.fromkeys(places, "It is not as it should be."))
    for finding in report.checks:
        found = places.get(finding.id, [])
        finding.place, finding.places = (found[0] if found else None), found
    report.facts = work.report.facts if work.report else {}
    jobs.finish(site.db, claim, JobEnd("rejected", "checks_failed", report=report, files=[*work.files, *work.previews]))
    return f"{site.url}/jobs/{job.id}"


def make(site: Served, kind: str) -> gallery.ArtifactView:
    """An artifact of the kind, put there by the very function that a worker calls."""
    request = JobRequest.model_validate({"brief": {"kind": kind, **BRIEFS[kind]}})
    job = jobs.create(site.db, request, site.settings, caller="test")
    engine = engine_for(site.settings)
    run_job(job.id, site.db, open_blobs(site.settings), engine, site.settings, "worker-test")
    ended = jobs.get(site.db, job.id)
    assert ended.artifact, (ended.state, ended.reason, ended.message, ended.report)
    return gallery.get(site.db, ended.artifact)
