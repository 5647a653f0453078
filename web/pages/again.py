"""The buttons of a work: reproduce it. Remixes go through the form of the brief (web.pages.make)."""

from __future__ import annotations

from flask import Blueprint, redirect, url_for
from werkzeug.wrappers import Response

from studio import jobs as service
from tasks.generate import enqueue
from web.security import principal
from web.state import studio

again = Blueprint("again", __name__)


@again.post("/jobs/<id:job_id>/reproduce")
def reproduce(job_id: str) -> Response:
    services = studio()
    job = service.reproduce(services.db, job_id, services.settings, caller=principal().name)
    enqueue(job.id, services.db, services.settings)
    return redirect(url_for("jobs.one", job_id=job.id), 303)
