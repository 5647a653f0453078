"""Batches: many briefs as one request, as an array, as JSON Lines, or as a table over a template."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain
from typing import Any

from flask import g, request
from pydantic import BaseModel, ConfigDict, Field, ValidationError
from werkzeug.datastructures import FileStorage
from werkzeug.wrappers import Response

from studio import archives, batches
from studio.batches import BatchView, Line, Otherwise, Plan, Preview, Strategy
from studio.brief import JsonObject, file_slug, parse_json, problems_of
from studio.database import Page
from studio.errors import BriefError, Problem
from tasks.batches import feed_window
from web.api.idempotency import HEADER, once
from web.api.lists import NEXT_LINK, PageQuery, reply_page
from web.api.routing import MULTIPART, UPLOAD_HEADER, Answer, Query, reply, router
from web.security import principal
from web.serving import disposition
from web.state import studio

JSON_LINES = "application/jsonl"
ZIP = "application/zip"
_LOCATION = {"Location": "Path of the batch."}
_AT_ONCE = 64 << 10  # of an answer in JSON Lines


class NewBatch(BaseModel):
    """Lines, each a brief or a request as `POST /jobs` takes it; or a template and rows of values for its fields.

    A row's names are paths (`params.event.name`, `event.name`) or, where it is the only one, a field's own name. `kind`
    and `run` hold for every line that does not say otherwise.
    """

    model_config = ConfigDict(extra="forbid")

    lines: list[JsonObject] | None = Field(default=None, max_length=batches.MAX_LINES)
    template: JsonObject | None = None
    rows: list[JsonObject] | None = Field(default=None, max_length=batches.MAX_LINES)
    kind: str | None = Field(default=None, max_length=60)
    run: JsonObject | None = None
    tags: list[str] = Field(default_factory=list, max_length=20)
    name: str = Field(default="", max_length=200)
    strategy: Strategy = Field(
        default="each",
        description="`model_then_recipe`: the first line by its model; once one is accepted, the others by its recipe.",
    )
    otherwise: Otherwise = Field(default="reject", description="Who tries a line that this recipe cannot make.")


class BatchForm(BaseModel):
    """A file of lines: JSON Lines, a JSON array, or CSV with a header. `template` and `run` are JSON."""

    model_config = ConfigDict(
        json_schema_extra={
            "properties": {
                "file": {"type": "string", "contentMediaType": "application/octet-stream"},
                "template": {"type": "string"},
                "kind": {"type": "string"},
                "run": {"type": "string"},
                "tag": {"type": "array", "items": {"type": "string"}},
                "name": {"type": "string"},
                "strategy": {"enum": ["each", "model_then_recipe"]},
                "otherwise": {"enum": ["reject", "model"]},
            },
            "required": ["file"],
        }
    )


class CreateBatchQuery(Query):
    """How to take the request."""

    dry_run: bool = Field(default=False, description="Validate only; nothing is made.")


class Asked(BaseModel):
    """A batch as it was asked for, in whichever form."""

    model_config = ConfigDict(arbitrary_types_allowed=True)

    plan: Plan
    lines: Any
    name: str
    strategy: Strategy = "each"
    otherwise: Otherwise = "reject"


@cache
def _body() -> Any:
    return list[JsonObject] | NewBatch


def _read(value: Any) -> Asked:
    if isinstance(value, list):
        return _asked(NewBatch.model_construct(lines=value))
    try:
        return _asked(NewBatch.model_validate(value))
    except ValidationError as error:
        raise BriefError(problems_of(error)) from None


def _asked(body: NewBatch) -> Asked:
    if (body.lines is None) == (body.rows is None):
        raise BriefError([Problem("", "give either `lines`, or `rows` with a `template`")])
    template = body.template
    if body.rows is not None and template is None:
        template = {}
    plan = Plan(body.kind, template, body.run, tuple(body.tags))
    values = body.lines if body.lines is not None else body.rows or []
    return Asked(
        plan=plan, lines=_lines(plan, values), name=body.name, strategy=body.strategy, otherwise=body.otherwise
    )


def _lines(plan: Plan, values: Iterable[Any]) -> Iterator[Line]:
    return (plan.line(number, value) for number, value in enumerate(values, start=1))


def _sent_file() -> Asked:
    """The parts of a multipart body. Raises BriefError."""
    file = request.files.get("file")
    if file is None or not file.filename:
        raise BriefError([Problem("/file", "send the lines as a file, in a part called `file`")])
    plan = Plan(
        request.form.get("kind") or None,
        _json_part("template"),
        _json_part("run"),
        tuple(tag for tag in request.form.getlist("tag") if tag.strip()),
    )
    g.body_sha256 = _form_sha256(file)
    lines = batches.read_file(file.stream, file.filename, plan)  # type: ignore[arg-type]
    chosen = {name: request.form[name] for name in ("strategy", "otherwise") if request.form.get(name)}
    try:
        named = {"plan": plan, "lines": lines, "name": request.form.get("name") or file.filename}
        return Asked.model_validate(named | chosen)
    except ValidationError as error:
        raise BriefError(problems_of(error)) from None


def _json_part(name: str) -> JsonObject | None:
    sent = request.files.get(name)
    text = sent.stream.read() if sent else request.form.get(name, "")
    if not text.strip():
        return None
    try:
        return parse_json(text, name)
    except BriefError as error:
        raise BriefError([Problem(f"/{name}", problem.message) for problem in error.problems]) from None


def _form_sha256(file: FileStorage) -> str:
    """What the request says, whatever the boundary between its parts is."""
    digest = hashlib.sha256(repr(sorted(request.form.items(multi=True))).encode())
    while chunk := file.stream.read(1 << 20):
        digest.update(chunk)
    file.stream.seek(0)
    return digest.hexdigest()


@router.route(
    "POST",
    "/batches",
    Answer(202, "The batch, its lines stored.", BatchView, headers=_LOCATION),
    Answer(200, "Only with `dry_run`: the briefs that it makes, and the lines that are refused.", Preview),
    tag="batches",
    query=CreateBatchQuery,
    body=_body,
    form=BatchForm,
    read=_read,
    any_json=True,
    headers={
        UPLOAD_HEADER: {
            "description": "`1` with a multipart body: tells the request from a form of a foreign page.",
            "schema": {"type": "string"},
        },
        **HEADER,
    },
    errors=(400, 409, 422),
)
def create_batch(query: CreateBatchQuery, body: Asked | None = None) -> Response:
    """Make many

    An array of briefs or requests; an object with `lines`, or with a `template` and `rows`; or a file: JSON Lines, or
    CSV whose columns fill fields by name. A line that does not hold is kept as an error with its number, the others
    run. At most 10,000 lines.
    """
    asked = _sent_file() if request.mimetype == MULTIPART else body
    assert asked is not None
    services, caller = studio(), principal().name
    asked.plan.base  # noqa: B018  # what is wrong with the whole is said before anything is stored
    if query.dry_run:
        return reply(
            batches.preview(services.db, asked.lines, services.settings, caller=caller, strategy=asked.strategy)
        )
    return once("/batches", lambda: _created(asked, caller))


def _created(asked: Asked, caller: str) -> Response:
    services = studio()
    batch = batches.create(
        services.db,
        asked.lines,
        services.settings,
        caller=caller,
        name=asked.name,
        strategy=asked.strategy,
        otherwise=asked.otherwise,
    )
    feed_window(services.db, services.settings)
    return reply(batches.get(services.db, batch.id), 202, {"Location": f"/api/v1/batches/{batch.id}"})


@router.route(
    "GET",
    "/batches",
    Answer(200, "Batches, newest first.", Page[BatchView], headers=NEXT_LINK),
    tag="batches",
    query=PageQuery,
    errors=(422,),
)
def list_batches(query: PageQuery) -> Response:
    """List batches"""
    page = batches.list_batches(studio().db, cursor=query.cursor, limit=query.limit)
    return reply_page(page, page.next_cursor)


@router.route("GET", "/batches/{batch_id}", Answer(200, "The batch.", BatchView), tag="batches", errors=(404,))
def get_batch(batch_id: str) -> BatchView:
    """One batch, with its counts"""
    return batches.get(studio().db, batch_id)


@router.route(
    "POST", "/batches/{batch_id}/cancel", Answer(200, "The batch.", BatchView), tag="batches", errors=(404, 422)
)
def cancel_batch(batch_id: str) -> BatchView:
    """Cancel a batch

    What waits is not run, what runs is canceled, what is done stays. A batch that has ended stays as it is.
    """
    return batches.cancel(studio().db, batch_id)


@router.route(
    "GET",
    "/batches/{batch_id}/results",
    Answer(200, "Lines whose works were accepted so far, one JSON object a line.", str, JSON_LINES),
    tag="batches",
    errors=(404,),
)
def batch_results(batch_id: str) -> Response:
    """What was accepted"""
    return _as_lines(batches.results(studio().db, batch_id))


@router.route(
    "GET",
    "/batches/{batch_id}/errors",
    Answer(200, "Lines that ended without an accepted work, one JSON object a line.", str, JSON_LINES),
    tag="batches",
    errors=(404,),
)
def batch_errors(batch_id: str) -> Response:
    """What was not

    Lines that were refused, each with JSON Pointers to what is wrong; and jobs that were rejected, failed, expired or
    were canceled.
    """
    return _as_lines(batches.errors(studio().db, batch_id))


def _as_lines(models: Iterable[BaseModel]) -> Response:
    def chunks() -> Iterator[bytes]:
        chunk = b""
        for model in models:
            chunk += model.model_dump_json().encode("utf-8", "replace") + b"\n"
            if len(chunk) >= _AT_ONCE:
                yield chunk
                chunk = b""
        yield chunk

    return Response(chunks(), mimetype=JSON_LINES)


@router.route(
    "GET",
    "/batches/{batch_id}/archive",
    Answer(200, "A ZIP: results.jsonl, errors.jsonl, a folder of files for each line that has ended.", bytes, ZIP),
    tag="batches",
    errors=(404,),
)
def batch_archive(batch_id: str) -> Response:
    """Everything as one ZIP

    Written while it is sent. Every name in it can be unpacked on any system.
    """
    services = studio()
    batch = batches.get(services.db, batch_id)
    chunks = archives.stream(batches.members(services.db, services.blobs, batch_id))
    first = next(chunks, b"")  # what cannot be begun is an error with its status
    name = f"{file_slug(batch.name or 'batch')}.zip"
    headers = {"Content-Disposition": disposition("attachment", name), "Cache-Control": "private, no-cache"}
    return Response(chain((first,), chunks), mimetype=ZIP, headers=headers)
