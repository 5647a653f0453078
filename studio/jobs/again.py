"""New jobs from an old one: another brief by its recipe, and its own calls again, to be compared."""

from __future__ import annotations

import copy

from pydantic import Field

from studio.brief import AttachmentRef, Brief, JobRequest, JsonObject, RunOptions, Strict, Tag
from studio.database import Database
from studio.errors import BriefError, Conflict, Problem
from studio.jobs.create import create
from studio.jobs.queries import get, inputs
from studio.jobs.reading import read_request
from studio.jobs.views import JobView
from studio.kinds import get_kind
from studio.kinds.titles import default_title
from studio.settings import Settings


class RemixRequest(Strict):
    """What shall be different: a whole `brief`, or a `patch` of it (JSON Merge Patch, RFC 7396).

    What is not given is as it was: the seed, so that the design stays; limits; attachments; tags.
    """

    brief: JsonObject | None = None
    patch: JsonObject | None = None
    run: JsonObject = Field(default_factory=dict)
    attachments: list[AttachmentRef] | None = None
    tags: list[Tag] | None = None


def remix(db: Database, job_id: str, asked: RemixRequest, settings: Settings, *, caller: str) -> JobView:
    """A new job that makes a changed brief by the recipe of an accepted one; no model is asked.

    The caller enqueues it. Raises NotFound, Conflict where the job gave no accepted work, BriefError.
    """
    return create(db, remix_request(db, job_id, asked), settings, caller=caller, parent=job_id)


def remix_request(db: Database, job_id: str, asked: RemixRequest) -> JobRequest:
    """The request that a remix makes. Raises NotFound, Conflict, BriefError with pointers into what was asked."""
    old = get(db, job_id)
    spec = recipe_of(old)
    if asked.brief is not None and asked.patch is not None:
        raise BriefError([Problem("/patch", "give either a whole brief or a patch of the old one")])
    given = attachments_of(db, job_id) if asked.attachments is None else asked.attachments
    run = {**old.run.model_dump(mode="json"), "variants": 1, **asked.run, "model": spec}
    value = {
        "brief": asked.brief if asked.brief is not None else patched(old.brief, asked.patch or {}),
        "run": run,
        "attachments": [item.model_dump() for item in given],
        "tags": old.tags if asked.tags is None else asked.tags,
    }
    return read_request(value)


def recipe_of(job: JobView) -> str:
    """The model spec by which an accepted job's work can be made for other briefs. Raises Conflict."""
    if job.state != "published":
        raise Conflict(f"job {job.id} is {job.state}; only an accepted work that is shown has a recipe")
    if job.made_by.derived_from:
        return f"recipe:{job.made_by.derived_from}"
    if job.made_by.recipe and _house_recipe(job.brief) == job.made_by.recipe:
        return "recipe"
    return f"recipe:{job.id}"


def _house_recipe(brief: Brief) -> str | None:
    try:
        recipe = get_kind(brief.kind).recipe(brief)
    except BriefError:  # what it took once it may not take now
        return None
    return recipe.name if recipe else None


def attachments_of(db: Database, job_id: str) -> list[AttachmentRef]:
    """A job's attachments, to be used again."""
    return [AttachmentRef(upload=item.upload, name=item.name, role=item.role) for item in inputs(db, job_id)]


def patched(brief: Brief, patch: JsonObject) -> JsonObject:
    """The brief with a JSON Merge Patch (RFC 7396). A title that followed from the parameters follows the new ones."""
    value = brief.model_dump(mode="json")
    changed = _merged(value, patch)
    assert isinstance(changed, dict)
    kind = get_kind(brief.kind)
    if "title" not in patch and brief.title == default_title(kind, brief.params):
        changed["title"] = default_title(kind, changed.get("params"))
    return changed


def _merged(target: object, patch: object) -> object:
    if not isinstance(patch, dict):
        return copy.deepcopy(patch)
    found = dict(target) if isinstance(target, dict) else {}
    for name, value in patch.items():
        if value is None:
            found.pop(name, None)
        else:
            found[name] = _merged(found.get(name), value)
    return found


def reproduce(db: Database, job_id: str, settings: Settings, *, caller: str) -> JobView:
    """A new job that does an ended one's calls again in a fresh sandbox, and compares what they make.

    The caller enqueues it. Raises NotFound, Conflict where there is nothing to compare with, BriefError.
    """
    old = get(db, job_id)
    if old.state not in ("published", "accepted", "rejected"):
        raise Conflict(f"job {job_id} is {old.state}; only what came to a verdict can be reproduced")
    run = RunOptions.model_validate({**old.run.model_dump(mode="json"), "variants": 1, "model": f"replay:{job_id}"})
    request = JobRequest(brief=old.brief, run=run, attachments=attachments_of(db, job_id), tags=old.tags)
    return create(db, request, settings, caller=caller, parent=job_id, purpose="reproduce")
