"""The API's description in OpenAPI 3.1, made from the declared routes and the pydantic models."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from importlib.metadata import version
from typing import Any

from flask import current_app
from pydantic import TypeAdapter
from pydantic.json_schema import JsonSchemaMode
from werkzeug.http import HTTP_STATUS_CODES
from werkzeug.wrappers import Response

from studio.brief import JsonObject
from web.api.routing import JSON, MULTIPART, PATH_PARAMETERS, Answer, Query, Route, router
from web.problems import MEDIA_TYPE, ProblemDocument
from web.security import SAFE_METHODS

_REF = "#/components/schemas/{model}"
_ALWAYS = (401, 403, 421, 500)
_UNSAFE = (413, 415)
_TAGS = {
    "kinds": "What can be made.",
    "jobs": "One brief being worked.",
    "files": "What a job left, accepted or not.",
    "batches": "Many briefs as one request.",
    "artifacts": "The gallery: what was accepted.",
    "uploads": "Attachments.",
    "stats": "What models and prepared programs came to.",
    "audit": "Who did what to what.",
    "description": "This description.",
}


class Schemas:
    """JSON Schemas of every type that the routes name; shared ones are components."""

    def __init__(self, routes: Iterable[Route]) -> None:
        wanted: dict[tuple[str, JsonSchemaMode], TypeAdapter[Any]] = {}
        self._keys: dict[int, str] = {}
        for model, mode in _types(routes):
            key = f"{id(model)}"
            self._keys[id(model)] = key
            wanted[key, mode] = TypeAdapter(model)
        inputs = [(key, mode, adapter) for (key, mode), adapter in wanted.items()]
        self._found, shared = TypeAdapter.json_schemas(inputs, ref_template=_REF)
        self.components: JsonObject = shared.get("$defs", {})

    def of(self, model: Any, mode: JsonSchemaMode) -> JsonObject:
        found: JsonObject = self._found[self._keys[id(model)], mode]
        return found


def _types(routes: Iterable[Route]) -> Iterable[tuple[Any, JsonSchemaMode]]:
    yield ProblemDocument, "serialization"
    for route in routes:
        if route.body is not None:
            yield _body_type(route), "validation"
        if route.form is not None:
            yield route.form, "validation"
        for answer in route.answers:
            if answer.model not in (None, str, bytes):
                yield answer.model, "serialization"


def _body_type(route: Route) -> Any:
    return route.body if isinstance(route.body, type) else route.body()


@cache
def document() -> JsonObject:
    """The description of all routes, as JSON."""
    schemas = Schemas(router.routes)
    paths: dict[str, JsonObject] = {}
    for route in router.routes:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route, schemas)
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Sandbox Studio",
            "version": version("sandbox-studio"),
            "description": "Describe something to make; a model with a computer makes it, a second one checks it.",
            "license": {"name": "Apache-2.0", "identifier": "Apache-2.0"},
        },
        "servers": [{"url": "/api/v1"}],
        "security": [{"key": []}, {}],
        "tags": [{"name": name, "description": text} for name, text in _TAGS.items()],
        "paths": paths,
        "components": {
            "securitySchemes": {
                "key": {
                    "type": "http",
                    "scheme": "bearer",
                    "description": "Key of `studio keys create`; a studio that is open to its own machine needs none.",
                }
            },
            "schemas": schemas.components,
        },
    }


def _operation(route: Route, schemas: Schemas) -> JsonObject:
    operation: JsonObject = {
        "operationId": route.name,
        "summary": route.summary,
        "description": f"{route.description} Scope: `{route.scope}`.".strip(),
        "tags": [route.tag],
        "parameters": _parameters(route),
        "responses": _responses(route, schemas),
    }
    if route.body is not None:
        schema = schemas.of(_body_type(route), "validation")
        content = {route.body_type: {"schema": schema}}
        if route.form is not None:
            content[MULTIPART] = {"schema": schemas.of(route.form, "validation")}
        operation["requestBody"] = {"required": True, "content": content}
    elif route.method not in SAFE_METHODS:
        schema = {"type": "object", "maxProperties": 0}
        operation["requestBody"] = {
            "required": True,
            "description": "An empty object; its media type tells the request from a form of a foreign page.",
            "content": {JSON: {"schema": schema}},
        }
    return operation


def _parameters(route: Route) -> list[JsonObject]:
    found: list[JsonObject] = [
        {"name": name, "in": "path", "required": True, "schema": PATH_PARAMETERS[name][1]} for name in route.parameters
    ]
    if route.query is not None:
        found += _query_parameters(route.query)
    found += [{"name": name, "in": "header", "required": False, **header} for name, header in route.headers.items()]
    return found


def _query_parameters(model: type[Query]) -> list[JsonObject]:
    properties: dict[str, JsonObject] = model.model_json_schema()["properties"]
    found = []
    for name, schema in properties.items():
        choices = [choice for choice in schema.pop("anyOf", []) if choice.get("type") != "null"]
        if choices:  # a parameter that is left out, never null
            schema = {**choices[0], **{key: value for key, value in schema.items() if value is not None}}
        parameter = {"name": name, "in": "query", "required": False, "description": schema.pop("description", "")}
        found.append({**parameter, "schema": {key: value for key, value in schema.items() if key != "title"}})
    return found


def _responses(route: Route, schemas: Schemas) -> JsonObject:
    found: dict[str, JsonObject] = {}
    for answer in route.answers:
        response = found.setdefault(str(answer.status), {"description": answer.description})
        if answer.headers:
            response.setdefault("headers", {}).update(
                {name: {"description": text, "schema": {"type": "string"}} for name, text in answer.headers.items()}
            )
        if answer.model is not None:
            response.setdefault("content", {})[answer.media_type] = {"schema": _answer_schema(answer, schemas)}
    problem = {MEDIA_TYPE: {"schema": schemas.of(ProblemDocument, "serialization")}}
    unsafe = _UNSAFE if route.method not in SAFE_METHODS else ()
    for status in sorted({*_ALWAYS, *unsafe, *route.errors}):
        found[str(status)] = {"description": HTTP_STATUS_CODES[status], "content": problem}
    return found


def _answer_schema(answer: Answer, schemas: Schemas) -> JsonObject:
    return {} if answer.model in (str, bytes) else schemas.of(answer.model, "serialization")


@router.route("GET", "/openapi.json", Answer(200, "The description.", JsonObject), tag="description")
def describe() -> Response:
    """The API's description in OpenAPI 3.1"""
    text = current_app.json.dumps(document())
    return Response(text, mimetype=JSON)
