"""The body that makes a job: a brief alone, or a request with a brief in it; in the words of each kind."""

from __future__ import annotations

from functools import cache
from typing import Any, Literal, Union

from pydantic import Field, create_model

from studio.brief import Brief, JobRequest
from studio.jobs.reading import as_sent, is_bare, read_request
from studio.kinds import all_kinds

__all__ = ["as_sent", "body_type", "is_bare", "read_request"]


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
