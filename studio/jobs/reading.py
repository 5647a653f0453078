"""What is sent to make a job: a brief alone, or a request with a brief in it."""

from __future__ import annotations

from pydantic import JsonValue, ValidationError

from studio.brief import JobRequest, JsonObject, problems_of
from studio.errors import BriefError, Problem
from studio.kinds import get_kind

_REQUEST_ONLY = frozenset(JobRequest.model_fields) - {"brief"}


def read_request(value: JsonObject) -> JobRequest:
    """The request that an object means. Raises BriefError; pointers are from the object's root as it was sent."""
    bare = is_bare(value)
    try:
        return JobRequest.model_validate({"brief": value} if bare else value)
    except ValidationError as error:
        problems = [*problems_of(error), *_of_the_kind(value if bare else value.get("brief"))]
        raise as_sent(BriefError(problems), bare=bare) from None


def _of_the_kind(brief: JsonValue) -> list[Problem]:
    """An unknown kind is said at once, and not only when everything else is mended."""
    kind = brief.get("kind") if isinstance(brief, dict) else None
    if not isinstance(kind, str):
        return []
    try:
        get_kind(kind)
    except BriefError as error:
        return [Problem("/brief" + item.pointer, item.message) for item in error.problems]
    return []


def is_bare(value: JsonObject) -> bool:
    """Is the object a brief alone?"""
    return "brief" not in value and not _REQUEST_ONLY & value.keys()


def as_sent(error: BriefError, *, bare: bool) -> BriefError:
    """The same problems, pointed at from the root of the object as it was sent."""
    if not bare:
        return error
    return BriefError([Problem(item.pointer.removeprefix("/brief"), item.message) for item in error.problems])
