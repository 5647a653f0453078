"""The body that makes a job: a brief alone, or a request with a brief in it; in the words of each kind."""

from __future__ import annotations

from functools import cache
from typing import Any, Literal, Union

from pydantic import Field, JsonValue, ValidationError, create_model

from studio.brief import Brief, JobRequest, JsonObject, problems_of
from studio.errors import BriefError, Problem
from studio.kinds import all_kinds, get_kind

_REQUEST_ONLY = frozenset(JobRequest.model_fields) - {"brief"}


def read_request(value: JsonObject) -> JobRequest:
    """The request that a body means. Raises BriefError; pointers are from the body's root as it was sent."""
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
    """Is the body a brief alone?"""
    return "brief" not in value and not _REQUEST_ONLY & value.keys()


def as_sent(error: BriefError, *, bare: bool) -> BriefError:
    """The same problems, pointed at from the root of the body as it was sent."""
    if not bare:
        return error
    return BriefError([Problem(item.pointer.removeprefix("/brief"), item.message) for item in error.problems])


@cache
def body_type() -> Any:
    """The type of the body for the API's description: a brief of any kind, alone or within a request."""
    briefs: list[Any] = []
    for kind in all_kinds().values():
        name: Any = Literal[kind.name]
        fields: dict[str, Any] = {"kind": (name, ...), "params": (kind.params_model, ...)}
        doc = f"A brief of the kind `{kind.name}`."
        briefs.append(create_model(f"{kind.name.title()}Brief", __base__=Brief, __doc__=doc, **fields))
    if not briefs:
        return JobRequest
    any_brief: Any = Union[tuple(briefs)]  # noqa: UP007  # made at run time, one member for each kind
    request = create_model("NewJob", __base__=JobRequest, __doc__=JobRequest.__doc__, brief=(any_brief, Field(...)))
    return Union[(request, *briefs)]  # noqa: UP007
