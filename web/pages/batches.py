"""`/batches` and `/batches/{id}`: a table becomes briefs, which are seen before they run; then their progress."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace

from flask import Blueprint, Response, redirect, render_template, request, url_for
from pydantic import BaseModel
from werkzeug.wrappers import Response as BaseResponse

from studio import batches as service
from studio import gallery, jobs, uploads
from studio.batches import BatchView, Plan, Preview, Strategy
from studio.brief import JsonObject, parse_json
from studio.errors import BriefError, NotFound, Problem
from studio.gallery import ArtifactView
from studio.kinds import all_kinds
from studio.models.listing import specs
from tasks.batches import feed_window
from web.i18n import gettext
from web.security import principal
from web.state import studio

batches = Blueprint("batches", __name__)

PAGE = 20
WALL = 24
ERRORS = 100


@dataclass(frozen=True)
class Draft:
    """What is on the form; `upload` is the file that was sent, kept so that it need not be chosen again."""

    kind: str = ""
    template: str = ""
    model: str = ""
    name: str = ""
    upload: str = ""
    filename: str = ""
    strategy: str = "each"

    def plan(self) -> Plan:
        """What holds for every line. Raises BriefError."""
        template: JsonObject | None = None
        if self.template.strip():
            try:
                template = parse_json(self.template, "template")
            except BriefError as error:
                raise BriefError([Problem("/template", problem.message) for problem in error.problems]) from None
        return Plan(self.kind or None, template, {"model": self.model} if self.model else None)


class Progress(BaseModel):
    """What is new on a batch's page, as HTML."""

    ended: bool
    title: str
    status: str
    results: str


@batches.get("/batches")
def overview() -> str:
    kind, sample, job_id = (request.args.get(name) or "" for name in ("kind", "sample", "job"))
    draft = Draft(kind=kind, model=studio().settings.default_model)
    if sample or job_id:
        draft = replace(draft, template=_template(kind, sample, job_id))
    page = service.list_batches(studio().db, cursor=request.args.get("cursor") or None, limit=PAGE)
    return _page(draft, page=page)


def _template(kind: str, sample: str, job_id: str) -> str:
    """A sample's brief, or a job's, as the text of the template. Raises NotFound."""
    if job_id:
        brief = jobs.get(studio().db, job_id).brief
    else:
        samples = all_kinds()[kind].samples() if kind in all_kinds() else ()
        found = next((item for item in samples if item.name == sample), None)
        if found is None:
            raise NotFound(gettext("there is no sample %(name)s", name=repr(sample[:60])))
        brief = found.brief
    return json.dumps(brief.model_dump(mode="json", exclude_defaults=True), ensure_ascii=False, indent=2)


@batches.post("/batches")
def send() -> BaseResponse:
    services, caller = studio(), principal().name
    draft = _posted()
    sent = request.files.get("file")
    try:
        if sent is not None and sent.filename:
            upload = uploads.create(services.db, services.blobs, sent.filename, sent.stream)
            draft = replace(draft, upload=upload.id, filename=upload.name)
        if not draft.upload:
            raise BriefError([Problem("/file", gettext("choose a table (CSV) or a file of JSON Lines"))])
        upload = uploads.get(services.db, draft.upload)
        with services.blobs.open(upload.sha256) as stream:
            lines = service.read_file(stream, upload.name, draft.plan())
            strategy: Strategy = "each" if draft.strategy == "each" else "model_then_recipe"
            if request.form.get("do") != "run":
                preview = service.preview(services.db, lines, services.settings, caller=caller, strategy=strategy)
                return Response(_page(draft, preview=preview), mimetype="text/html")
            name = draft.name.strip() or upload.name
            batch = service.create(
                services.db,
                lines,
                services.settings,
                caller=caller,
                name=name,
                strategy=strategy,
                otherwise="model" if draft.strategy == "led_then_model" else "reject",
            )
    except (BriefError, NotFound) as error:
        problems = error.problems if isinstance(error, BriefError) else (Problem("/file", str(error)),)
        return Response(_page(draft, problems=problems), 422, mimetype="text/html")
    feed_window(services.db, services.settings)
    return redirect(url_for("batches.one", batch_id=batch.id), 303)


def _posted() -> Draft:
    names = ("kind", "template", "model", "name", "upload", "filename")
    posted = {name: request.form.get(name, "").replace("\r\n", "\n") for name in names}
    return Draft(**posted, strategy=request.form.get("strategy") or "each")


def _page(
    draft: Draft,
    *,
    page: object = None,
    preview: Preview | None = None,
    problems: tuple[Problem, ...] = (),
) -> str:
    return render_template(
        "batches.html",
        draft=draft,
        page=page,
        preview=preview,
        problems=problems,
        columns=_columns(preview) if preview else [],
        kinds=list(all_kinds().values()),
        models=specs(studio().settings),
        most=service.MAX_LINES,
    )


def _columns(preview: Preview) -> list[str]:
    """The columns of the table that was sent, in its order; none where lines were briefs of their own."""
    names: dict[str, None] = {}
    for line in preview.lines:
        names |= dict.fromkeys(line.given)
    return [name for name in names if name.casefold() not in ("title", "custom_id")]


@batches.get("/batches/<id:batch_id>")
def one(batch_id: str) -> str:
    return render_template("batch.html", **_context(service.get(studio().db, batch_id)))


@batches.get("/batches/<id:batch_id>/progress")
def progress(batch_id: str) -> Response:
    context = _context(service.get(studio().db, batch_id))
    answer = Progress(
        ended=context["batch"].ended,
        title=render_template("_batch_title.html", **context),
        status=render_template("_batch.html", **context),
        results=render_template("_batch_results.html", **context),
    )
    return Response(answer.model_dump_json(), mimetype="application/json")


def _context(batch: BatchView) -> JsonObject:
    """What a batch's page shows: its newest state, the works from line `after` on, the first errors."""
    db = studio().db
    after = max(request.args.get("after", 0, type=int), 0)
    found = service.ended_lines(db, batch.id, accepted=True, after=after, limit=WALL + 1)
    errors = service.ended_lines(db, batch.id, accepted=False, limit=ERRORS + 1)
    return {
        "batch": batch,
        "counts": batch.counts,
        "works": _works([item.artifact for item in found[:WALL] if item.artifact]),
        "after": after,
        "further": found[WALL - 1].line.number if len(found) > WALL else None,
        "errors": [service.error_of(item) for item in errors[:ERRORS]],
        "more_errors": len(errors) > ERRORS,
    }


def _works(artifact_ids: list[str]) -> list[ArtifactView]:
    return [gallery.get(studio().db, artifact_id) for artifact_id in artifact_ids]


@batches.post("/batches/<id:batch_id>/cancel")
def cancel(batch_id: str) -> BaseResponse:
    service.cancel(studio().db, batch_id)
    return redirect(url_for("batches.one", batch_id=batch_id), 303)
