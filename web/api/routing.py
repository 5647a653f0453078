"""The API's routes, each declared once: the router and the OpenAPI document are both made from the declaration."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, Literal, TypeAlias

from flask import Blueprint, g, request
from pydantic import BaseModel, ConfigDict, ValidationError
from werkzeug.wrappers import Response

from studio.brief import JsonObject, parse_json, parse_value, pointer, problems_of
from studio.errors import BriefError, Problem
from studio.keys import Scope
from web.problems import Refused
from web.security import SAFE_METHODS, require

JSON = "application/json"
MULTIPART = "multipart/form-data"
UPLOAD_HEADER = "X-Studio-Upload"

Method: TypeAlias = Literal["GET", "POST", "DELETE"]
View: TypeAlias = Callable[..., "BaseModel | Response"]

# Parameter of a path → the converter that reads it, and its JSON Schema.
PATH_PARAMETERS: dict[str, tuple[str, JsonObject]] = {
    "job_id": ("id", {"type": "string", "format": "uuid"}),
    "batch_id": ("id", {"type": "string", "format": "uuid"}),
    "artifact_id": ("id", {"type": "string", "format": "uuid"}),
    "kind": ("string", {"type": "string"}),
    "path": ("file", {"type": "string", "minLength": 1}),
}


class Query(BaseModel):
    """Query parameters; an unknown one is a spelling mistake that should be heard of."""

    model_config = ConfigDict(extra="forbid", frozen=True)


class Empty(BaseModel):
    """No body, or an empty object."""

    model_config = ConfigDict(extra="forbid")


@dataclass(frozen=True)
class Answer:
    """One way in which a route answers."""

    status: int
    description: str
    model: Any = None  # a pydantic model or a type that pydantic knows
    media_type: str = JSON
    headers: Mapping[str, str] = field(default_factory=dict)  # name → what it says


@dataclass(frozen=True)
class Route:
    """One route as it is declared. `body` is what pydantic makes the schema from; `read` turns JSON into it."""

    method: Method
    path: str
    name: str
    summary: str
    description: str
    tag: str
    answers: tuple[Answer, ...]
    query: type[Query] | None = None
    body: Any = None
    body_type: str = JSON
    form: Any = None  # what pydantic describes the parts of a multipart body by, where that may come in place of JSON
    read: Callable[[Any], Any] | None = None
    any_json: bool = False  # the body may be JSON that is no object
    headers: Mapping[str, JsonObject] = field(default_factory=dict)  # request headers: name → parameter object
    scope: Scope = "read"
    errors: tuple[int, ...] = ()

    @property
    def parameters(self) -> tuple[str, ...]:
        return tuple(re.findall(r"\{(\w+)\}", self.path))

    @property
    def body_types(self) -> tuple[str, ...]:
        """The media types that a body may have."""
        return (self.body_type, MULTIPART) if self.form is not None else (self.body_type,)

    @property
    def rule(self) -> str:
        """The path in the router's own notation."""
        return re.sub(r"\{(\w+)\}", lambda found: f"<{PATH_PARAMETERS[found[1]][0]}:{found[1]}>", self.path)


class Router:
    """Collects routes, and makes the blueprint from them."""

    def __init__(self) -> None:
        self.routes: list[Route] = []
        self._views: list[tuple[Route, View]] = []

    def route(self, method: Method, path: str, *answers: Answer, tag: str, **declared: Any) -> Callable[[View], View]:
        """Declare a route. Its view gets the path's parameters, and `query` and `body` where these are declared.

        The first line of the view's docstring is the summary, the rest of it the description.
        """

        def declare(view: View) -> View:
            summary, _, description = (view.__doc__ or "").partition("\n")
            text = re.sub(r"\s*\n\s*", " ", description.strip())
            scope: Scope = "read" if method in SAFE_METHODS else "create"
            settings = {"scope": scope, **declared}
            route = Route(method, path, view.__name__, summary.strip(), text, tag, answers, **settings)
            self.routes.append(route)
            self._views.append((route, view))
            return view

        return declare

    def install(self, blueprint: Blueprint) -> None:
        """Put every route on `blueprint`."""
        for route, view in self._views:
            blueprint.add_url_rule(route.rule, route.name, _bound(route, view), methods=[route.method])


def _bound(route: Route, view: View) -> Callable[..., Response]:
    @wraps(view)
    def answer(**given: Any) -> Response:
        require(route.scope)
        if route.query is not None:
            given["query"] = read_query(route.query)
        if route.method not in SAFE_METHODS:
            check_media_type(route)
            if request.mimetype == JSON:
                body = _read_body(route)
                if route.read is not None:
                    given["body"] = body
        result = view(**given)
        return result if isinstance(result, Response) else reply(result, route.answers[0].status)

    return answer


def reply(model: BaseModel, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """A model as JSON."""
    text = model.model_dump_json(by_alias=True)
    return Response(text, status, mimetype=JSON, headers=dict(headers or {}))


def read_query(model: type[Query]) -> Query:
    """The query parameters of the request. Raises BriefError."""
    given = request.args.to_dict(flat=True)
    if odd := [name for name, value in given.items() if "\0" in value]:
        raise BriefError([Problem(pointer(name), "must not contain U+0000") for name in odd])
    try:
        return model.model_validate(given)
    except ValidationError as error:
        raise BriefError(problems_of(error)) from None


def check_media_type(route: Route) -> None:
    """Unsafe methods take JSON, which no form of a foreign page can send; multipart needs a header of its own.

    Asked for without a body too, and whether there is a key or not.
    """
    if request.mimetype not in route.body_types:
        said = f"not {request.mimetype!r}" if request.mimetype else "and the request has none"
        wanted = " or ".join(route.body_types)
        raise Refused(
            415, f"The Content-Type must be {wanted}, {said}.", headers={"Accept": ", ".join(route.body_types)}
        )
    if request.mimetype == MULTIPART and request.headers.get(UPLOAD_HEADER) != "1":
        raise Refused(400, f"Send the header `{UPLOAD_HEADER}: 1` with an upload.")


def _read_body(route: Route) -> Any:
    raw = request.get_data(cache=False)
    if request.content_length is None:
        request.stream.read(1)  # a chunked body is cut at the limit without a word; reading on raises 413
    g.body_sha256 = hashlib.sha256(raw).hexdigest()
    if route.read is None:
        if raw.strip():
            read_model(Empty)(parse_json(raw, "body"))
        return None
    return route.read(parse_value(raw, "body") if route.any_json else parse_json(raw, "body"))


def read_model(model: type[BaseModel]) -> Callable[[JsonObject], BaseModel]:
    """A reader of bodies that validates them by `model`; it raises BriefError."""

    def read(value: JsonObject) -> BaseModel:
        try:
            return model.model_validate(value)
        except ValidationError as error:
            raise BriefError(problems_of(error)) from None

    return read


router = Router()
