"""Errors as a person or a program is told of them: `application/problem+json` (RFC 9457), or a page.

Every answer with an error status comes from here, those of Flask and Werkzeug included, so no traceback leaves.
"""

from __future__ import annotations

import logging
import uuid
from collections.abc import Sequence

from flask import Flask, g, render_template, request
from flask_wtf.csrf import CSRFError
from pydantic import BaseModel, ConfigDict, Field
from werkzeug.exceptions import HTTPException, InternalServerError, RequestEntityTooLarge
from werkzeug.http import HTTP_STATUS_CODES
from werkzeug.wrappers import Response

from studio.errors import BriefError, ConfigurationError, Conflict, NotFound, Problem, StudioError
from web import i18n
from web.i18n import gettext

MEDIA_TYPE = "application/problem+json"
_STATUSES: tuple[tuple[type[StudioError], int], ...] = (
    (BriefError, 422),
    (NotFound, 404),
    (Conflict, 409),
    (ConfigurationError, 503),
)
_log = logging.getLogger(__name__)


class ProblemItem(BaseModel):
    """One thing that is wrong: where in the body (JSON Pointer) or which parameter, and what to do."""

    pointer: str = Field(description="JSON Pointer (RFC 6901) from the body's root; empty for the body as a whole.")
    detail: str


class ProblemDocument(BaseModel):
    """An error after RFC 9457."""

    model_config = ConfigDict(title="Problem")

    type: str = Field(default="about:blank", description="A URI that names the sort of problem.")
    title: str
    status: int
    detail: str
    errors: list[ProblemItem] = Field(default_factory=list)
    request_id: str


class Refused(HTTPException):
    """An HTTP error with words of our own, and headers where the status asks for them."""

    def __init__(
        self, code: int, detail: str, *, problems: Sequence[Problem] = (), headers: dict[str, str] | None = None
    ) -> None:
        super().__init__(detail)
        self.code = code
        self.problems = tuple(problems)
        self.headers = headers or {}


def request_id() -> str:
    """The name under which the log knows the present request."""
    if "request_id" not in g:
        g.request_id = uuid.uuid4().hex
    found: str = g.request_id
    return found


def wants_page() -> bool:
    """Does whoever asks want a page rather than JSON?"""
    if i18n.for_programs(request.path):
        return False
    return request.accept_mimetypes.best_match(["application/json", "text/html"], "text/html") == "text/html"


def answer(
    status: int, detail: str, *, kind: str | None = None, problems: Sequence[Problem] = ()
) -> tuple[ProblemDocument, Response]:
    """The problem and the response that carries it, a page or JSON by what the client wants."""
    document = ProblemDocument(
        type=f"urn:sandbox-studio:problem:{kind}" if kind else "about:blank",
        title=HTTP_STATUS_CODES.get(status, "Error"),
        status=status,
        detail=detail,
        errors=[ProblemItem(pointer=item.pointer, detail=item.message) for item in problems],
        request_id=request_id(),
    )
    if wants_page():
        return document, Response(_page(document), status, mimetype="text/html")
    return document, Response(document.model_dump_json(), status, mimetype=MEDIA_TYPE)


def _page(document: ProblemDocument) -> str:
    try:
        return render_template("error.html", problem=document)
    except Exception:  # the page of an error must not depend on what may be at fault
        _log.exception("the page of the error could not be rendered")
        return render_template("plain.html", title=document.title, text=document.detail)


def install(app: Flask) -> None:
    """Answer every error of `app` from here."""

    @app.errorhandler(StudioError)
    def studio_error(error: StudioError) -> Response:
        status = next((code for base, code in _STATUSES if isinstance(error, base)), 500)
        if status == 500:
            return unexpected(error)
        problems = error.problems if isinstance(error, BriefError) else ()
        return answer(status, str(error), kind=error.reason, problems=problems)[1]

    @app.errorhandler(HTTPException)
    def http_error(error: HTTPException) -> Response:
        if error.code is None or error.code < 400:  # a redirect
            return error.get_response(request.environ)
        if error.code >= 500 and not isinstance(error, Refused):
            return unexpected(error)
        detail = error.description or HTTP_STATUS_CODES.get(error.code, "")
        if isinstance(error, RequestEntityTooLarge):
            megabytes = (app.config["MAX_CONTENT_LENGTH"] or 0) // (1 << 20)
            detail = gettext("The request's body is too large; at most %(size)s MB are accepted.", size=megabytes)
        elif isinstance(error, CSRFError):
            detail = gettext(
                "The form's security token is missing or too old. Reload the page and send the form again."
            )
        problems = error.problems if isinstance(error, Refused) else ()
        response = answer(error.code, detail, problems=problems)[1]
        if isinstance(error, Refused):
            response.headers.update(error.headers)
        for name, value in error.get_headers(request.environ):
            if name.lower() not in {"content-type", "content-length"}:
                response.headers[name] = value
        return response

    @app.errorhandler(Exception)
    def unexpected(error: BaseException) -> Response:
        cause = error.original_exception if isinstance(error, InternalServerError) else None
        _log.error("request %s %s %s failed", request_id(), request.method, request.path, exc_info=cause or error)
        detail = gettext("The studio met a fault of its own; its log has the details under %(id)s.", id=request_id())
        return answer(500, detail, kind="internal_error")[1]
