"""`/gallery`, `/artifacts/{id}` and its trajectory: what was accepted, each with how it was checked and made."""

from __future__ import annotations

from flask import Blueprint, render_template, request

from studio import gallery as service
from studio import jobs as service_of_jobs
from studio.kinds import all_kinds
from studio.record.steps import capability_use, steps_of
from web.api.files import all_events, writers_of
from web.pages.person import words_for
from web.pages.versions import line_of
from web.pages.viewing import text_equivalent, viewer_of, work_of_artifact
from web.state import studio

gallery = Blueprint("gallery", __name__)

PAGE = 24
FILTERS = ("q", "kind", "model", "language", "tag")


@gallery.get("/gallery")
def wall() -> str:
    chosen = {name: request.args.get(name, "").strip() or None for name in FILTERS}
    cursor = request.args.get("cursor") or None
    page = service.list_artifacts(
        studio().db,
        service.Wanted(
            kind=chosen["kind"], model=chosen["model"], language=chosen["language"], tag=chosen["tag"], q=chosen["q"]
        ),
        cursor=cursor,
        limit=PAGE,
    )
    return render_template(
        "gallery.html",
        page=page,
        chosen=chosen,
        chosen_set={name: value for name, value in chosen.items() if value},
        kinds=list(all_kinds().values()),
    )


@gallery.get("/artifacts/<id:artifact_id>")
def artifact(artifact_id: str) -> str:
    found = service.get(studio().db, artifact_id)
    work = work_of_artifact(found)
    return render_template(
        "artifact.html",
        artifact=found,
        report=found.report,
        words=words_for(service_of_jobs.get(studio().db, found.job_id), studio().settings),
        line=line_of(found.job_id, request.args.get("beside"), request.args.get("file")),
        viewer=viewer_of(work, request.args.get("file")),
        equivalent=text_equivalent(work),
        reproductions=service_of_jobs.reproductions(studio().db, found.job_id, limit=1),
        writers=writers_of(found.job_id),
    )


@gallery.get("/artifacts/<id:artifact_id>/trajectory")
def trajectory(artifact_id: str) -> str:
    found = service.get(studio().db, artifact_id)
    steps = steps_of(all_events(studio().db, found.job_id))
    return render_template(
        "trajectory.html",
        artifact=found,
        steps=steps,
        header=service_of_jobs.header(studio().db, found.job_id),
        capability_use=capability_use(steps),
        trajectory_url=f"/api/v1/artifacts/{found.id}/trajectory",
    )
