"""What happens in a job: as a stream while it happens, as pages, and as the whole record."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Literal

from flask import request
from pydantic import BaseModel, Field
from werkzeug.wrappers import Response

from studio import jobs
from studio.brief import JsonObject
from studio.jobs import LiveOutput
from studio.pipeline.exporting import export
from studio.trajectory import Event, decode_lines
from web.api.lists import NEXT_LINK, reply_page
from web.api.routing import JSON, Answer, Query, router
from web.problems import Refused
from web.state import studio
from web.streams import EventHub, Item, TooManyStreams

EVENT_STREAM = "text/event-stream"
JSON_LINES = "application/jsonl"
_RECONNECT_MS = 2000


class EventQuery(Query):
    """Which events."""

    after: int = Field(default=0, ge=0, le=2**31 - 1, description="Only events with a greater number (`seq`).")
    limit: int = Field(default=100, ge=1, le=100, description="Of a JSON page; a stream tells everything.")


class EventPage(BaseModel):
    """Events in order; `next_cursor` is the `after` of the next page, null when there is none yet."""

    data: list[Event]
    next_cursor: str | None = None


class TrajectoryQuery(Query):
    """In which form."""

    format: Literal["studio", "atif", "openai"] = Field(
        default="studio",
        description="`studio`: JSON Lines. `atif`: Agent Trajectory Interchange Format. `openai`: chat messages.",
    )


TRAJECTORY_ANSWERS = (
    Answer(200, "JSON Lines: the header, then each event.", str, JSON_LINES),
    Answer(200, "With `format=atif`: a trajectory in ATIF 1.8. With `format=openai`: messages.", JsonObject, JSON),
)


@router.route(
    "GET",
    "/jobs/{job_id}/events",
    Answer(200, "A stream of events, until the job has ended.", str, EVENT_STREAM),
    Answer(200, "With `Accept: application/json`: a page of events.", EventPage, JSON, NEXT_LINK),
    Answer(204, "The job has ended and everything was told; do not connect again."),
    tag="jobs",
    query=EventQuery,
    headers={
        "Last-Event-ID": {
            "description": "The number of the last event that was seen; a stream goes on behind it.",
            "schema": {"type": "string"},
        }
    },
    errors=(404, 422, 503),
)
def job_events(job_id: str, query: EventQuery) -> Response:
    """A job's events, as they come

    Server-Sent Events: `event` is the type, `id` the number, `data` the event as JSON. The type `live` has no id: it
    carries the end of what the running command has printed. A comment is sent every 15 seconds.
    """
    job = jobs.get(studio().db, job_id)
    if request.accept_mimetypes.best_match([EVENT_STREAM, JSON], EVENT_STREAM) == JSON:
        found = jobs.events(studio().db, job_id, after=query.after, limit=query.limit + 1)
        page = EventPage(data=found[: query.limit])
        if len(found) > query.limit:
            page.next_cursor = str(page.data[-1].seq)
        return reply_page(page, page.next_cursor, "after")
    after = _last_seen(query.after)
    if job.ended and after >= job.last_seq:
        return Response(status=204)
    stream = _stream(studio().events, job_id, after)
    next(stream)  # takes a place, so that a refusal is an answer and not a broken stream
    headers = {"Cache-Control": "no-cache", "X-Accel-Buffering": "no"}
    return Response(stream, mimetype=EVENT_STREAM, headers=headers)


def _last_seen(after: int) -> int:
    """Where a stream goes on: what a browser says when it connects again goes before the address."""
    said = request.headers.get("Last-Event-ID", "").strip()
    return int(said) if said.isascii() and said.isdigit() and len(said) < 10 else after


def _stream(hub: EventHub, job_id: str, after: int) -> Iterator[str]:
    try:
        with hub.place():
            yield ""
            yield f"retry: {_RECONNECT_MS}\n\n"
            for item in hub.follow(job_id, after):
                yield _line(item)
    except TooManyStreams:
        raise Refused(503, "Too many streams are open; try again in a moment.", headers={"Retry-After": "5"}) from None


def _line(item: Item) -> str:
    """One item in the format of Server-Sent Events (HTML Living Standard, 9.2)."""
    if item is None:
        return ": ping\n\n"
    if isinstance(item, LiveOutput):
        text = json.dumps(item.model_dump(mode="json"), ensure_ascii=False).encode("utf-8", "replace").decode()
        return f"event: live\ndata: {text}\n\n"
    return f"id: {item.seq}\nevent: {item.type}\ndata: {item.text}\n\n"


@router.route(
    "GET",
    "/jobs/{job_id}/trajectory",
    *TRAJECTORY_ANSWERS,
    tag="jobs",
    query=TrajectoryQuery,
    errors=(404, 422),
)
def job_trajectory(job_id: str, query: TrajectoryQuery) -> Response:
    """The record of a job

    In another format than the studio's own it is the last attempt, as a conversation.
    """
    return as_trajectory(job_id, query)


def as_trajectory(job_id: str, query: TrajectoryQuery) -> Response:
    """The record of a job as an attachment. Raises NotFound."""
    lines = jobs.trajectory_lines(studio().db, job_id)
    if query.format == "studio":
        headers = {"Content-Disposition": f'attachment; filename="trajectory-{job_id}.jsonl"'}
        return Response((line + "\n" for line in lines), mimetype=JSON_LINES, headers=headers)
    headers = {"Content-Disposition": f'attachment; filename="trajectory-{job_id}.{query.format}.json"'}
    text = export(decode_lines(lines), query.format, job_id)
    return Response(text.encode("utf-8", "replace"), mimetype=JSON, headers=headers)
