"""A brief while a person writes it: the request as JSON, typed so far, with whatever is wrong with it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache

from pydantic import JsonValue, ValidationError
from werkzeug.datastructures import FileStorage

from studio import jobs, uploads
from studio.blobs import Blobs
from studio.brief import Brief, JobRequest, JsonObject, RunOptions, problems_of
from studio.database import Database
from studio.drafting import DraftView
from studio.errors import BriefError, NotFound, Problem
from studio.jobs.bounds import bounded
from studio.kinds import ArtifactKind
from studio.settings import Settings
from web.forms import Posted, Shape, initial_of, read, row_numbers, shape_of
from web.i18n import gettext, page_language, pgettext
from web.said import say

BRIEF_FIELDS = ("title", "language", "prompt")
RUN_FIELDS = ("model", "seed", "variants", "repairs", "network", "limits")
PARAMS = "/brief/params"


@dataclass(frozen=True)
class Attached:
    """A file that was sent for this brief; `size` in bytes, where it is known."""

    upload: str
    name: str
    role: str = "input"
    size: int | None = None


@dataclass(frozen=True)
class Draft:
    """What is on the form. `request` is there once everything in it holds."""

    kind: ArtifactKind
    brief: JsonObject  # title, language, prompt: as typed
    params: JsonValue
    run: JsonObject
    tags: JsonValue = None
    attachments: tuple[Attached, ...] = ()
    problems: tuple[Problem, ...] = ()
    request: JobRequest | None = None

    def with_prompt(self, prompt: str) -> Draft:
        return replace(self, brief={**self.brief, "prompt": prompt})

    def with_problems(self, problems: Iterable[Problem]) -> Draft:
        return replace(self, problems=(*self.problems, *problems), request=None)

    @property
    def value(self) -> JsonObject:
        """The request as it would be sent."""
        files = [{"upload": file.upload, "name": file.name, "role": file.role} for file in self.attachments]
        params = self.params if self.params is not None else {}
        brief = {"kind": self.kind.name, **self.brief, "params": params}
        return {"brief": brief, "run": self.run, "tags": self.tags or [], "attachments": files}

    def checked(self, db: Database, settings: Settings, caller: str) -> Draft:
        """The same with all its problems, or with the request that it makes."""
        try:
            request = JobRequest.model_validate(self.value)
        except ValidationError as error:
            found = problems_of(error)
            if not any(problem.pointer.startswith(PARAMS) for problem in found):
                found += self.params_problems()
            return self.with_problems(found)
        try:
            jobs.check(db, request, settings, caller=caller)
        except BriefError as error:
            return self.with_problems(error.problems)
        return self if self.problems else replace(self, request=request)

    def params_problems(self) -> list[Problem]:
        """What is wrong with the parameters alone, whatever the rest of the brief is like."""
        return self.placeholder()[1]

    def placeholder(self) -> tuple[Brief | None, list[Problem]]:
        """A brief with these parameters and words that stand in for the typed ones; or what is wrong with them."""
        params = self.params if isinstance(self.params, dict) else {}
        brief = Brief(kind=self.kind.name, title="untitled", prompt="unwritten", params=params)
        try:
            return self.kind.parse(brief), []
        except BriefError as error:
            return None, [Problem("/brief" + problem.pointer, problem.message) for problem in error.problems]


@cache
def shapes(kind: ArtifactKind) -> tuple[Shape, Shape, Shape, Shape]:
    """The shapes of a kind's form: the brief's own fields, its parameters, the run options, the tags."""
    brief = shape_of(Brief, "brief", only=BRIEF_FIELDS)
    run = shape_of(RunOptions, "run", only=RUN_FIELDS)
    tags = next(child for child in shape_of(JobRequest).children if child.name == "tags")
    order = {name: index for index, name in enumerate(BRIEF_FIELDS)}
    fields = sorted(brief.children, key=lambda child: order[child.name])
    if kind.prompt_needed:
        fields = [replace(child, required=True) if child.name == "prompt" else child for child in fields]
    brief = replace(brief, children=tuple(fields))
    return brief, shape_of(kind.params_model, "params"), run, tags


def spoken(kind: ArtifactKind) -> tuple[Shape, Shape, Shape, Shape]:
    """The same with labels and hints in the language of the page."""
    return _spoken(kind, page_language())


@cache
def _spoken(kind: ArtifactKind, language: str) -> tuple[Shape, Shape, Shape, Shape]:
    brief, params, run, tags = (_said(shape) for shape in shapes(kind))
    return brief, params, run, tags


def _said(shape: Shape) -> Shape:
    return replace(
        shape,
        label=pgettext("field", shape.label) if shape.label else "",
        hint=pgettext("field", shape.hint) if shape.hint else "",
        unit="" if shape.unit in shape.label else shape.unit,  # said once
        children=tuple(_said(child) for child in shape.children),
        item=_said(shape.item) if shape.item else None,
    )


def of_sample(kind: ArtifactKind, name: str | None, settings: Settings) -> Draft:
    """An untouched form, or one of the kind's samples. Raises NotFound for an unknown sample."""
    run = bounded(RunOptions(), settings).model_dump(mode="json", include=set(RUN_FIELDS))
    if run["model"] == "recipe" and not kind.has_recipe:
        run["model"] = ""  # for a person to fill in
    if name is None:
        return Draft(kind, {"language": "en"}, initial_of(kind.params_model), run)
    for sample in kind.samples():
        if sample.name == name:
            return _of_brief(kind, sample.brief, run)
    raise NotFound(gettext("there is no sample %(name)s", name=repr(name[:60])))


def _of_brief(kind: ArtifactKind, brief: Brief, run: JsonObject) -> Draft:
    own = {name: getattr(brief, name) for name in BRIEF_FIELDS}
    return Draft(kind, own, {**initial_of(kind.params_model), **brief.params}, run)


def of_job(db: Database, job_id: str, kind: ArtifactKind) -> Draft:
    """The brief of a job, to be changed. Raises NotFound."""
    job = jobs.get(db, job_id)
    if job.kind != kind.name:
        raise NotFound(gettext("Job %(id)s is not of the kind %(kind)s.", id=job_id[:60], kind=kind.name))
    run = job.run.model_dump(mode="json", include=set(RUN_FIELDS))
    files = tuple(Attached(file.upload, file.name, file.role, file.size) for file in jobs.inputs(db, job_id))
    return replace(_of_brief(kind, job.brief, run), tags=list(job.tags), attachments=files)


def of_sentence(found: DraftView, kind: ArtifactKind, settings: Settings) -> Draft:
    """The form as it was filled from a sentence. Raises NotFound where it is of another kind."""
    if found.kind != kind.name:
        raise NotFound(gettext("Draft %(id)s is not of the kind %(kind)s.", id=found.id, kind=kind.name))
    own = {name: found.brief[name] for name in BRIEF_FIELDS}
    untouched = of_sample(kind, None, settings)
    return replace(untouched, brief=own, params={**initial_of(kind.params_model), **found.brief["params"]})


def remix_of(db: Database, job_id: str, kind: ArtifactKind) -> Draft:
    """The brief of an accepted job, to be changed and made by its recipe. Raises NotFound, Conflict."""
    draft = of_job(db, job_id, kind)
    return replace(draft, run={**draft.run, "model": jobs.recipe_of(jobs.get(db, job_id))})


def of_form(kind: ArtifactKind, posted: Posted) -> Draft:
    """What a posted form says."""
    brief, params, run, tags = shapes(kind)
    own, ran = read(brief, posted, "/brief"), read(run, posted, "/run")
    return Draft(
        kind,
        own if isinstance(own, dict) else {},
        read(params, posted, PARAMS),
        ran if isinstance(ran, dict) else {},
        read(tags, posted, "/tags"),
        _attached(posted),
    )


def _attached(posted: Posted) -> tuple[Attached, ...]:
    found = []
    for number in row_numbers(posted, "/attachments"):
        fields = {name: _one(posted, f"/attachments/{number}/{name}") for name in ("upload", "name", "role")}
        if fields["upload"]:
            found.append(Attached(fields["upload"], fields["name"], fields["role"] or "input"))
    return tuple(found)


def _one(posted: Posted, name: str) -> str:
    values = posted.get(name)
    return values[-1] if values else ""


def save_files(db: Database, blobs: Blobs, draft: Draft, files: Mapping[str, Sequence[FileStorage]]) -> Draft:
    """Store the files that came with the form, by their role, so that they need not be chosen again."""
    attached, problems = [], list(draft.problems)
    for file in draft.attachments:
        try:
            attached.append(replace(file, size=uploads.get(db, file.upload).size))
        except NotFound:
            problems.append(
                Problem("/attachments", gettext("%(file)s is no longer there; attach it again.", file=repr(file.name)))
            )
    for role, sent in ((role, sent) for role, several in files.items() for sent in several):
        if not sent.filename:
            continue
        try:
            upload = uploads.create(db, blobs, sent.filename, sent.stream)
            attached.append(Attached(upload.id, upload.name, role, upload.size))
        except BriefError as error:
            problems += [Problem("/attachments", f"{sent.filename!r}: {say(item.message)}") for item in error.problems]
    return replace(draft, attachments=tuple(attached), problems=tuple(problems))
