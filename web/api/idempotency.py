"""`Idempotency-Key`: a request that is sent again, because its answer was lost, is not done again."""

from __future__ import annotations

import re
from collections.abc import Callable

from flask import g, request
from werkzeug.wrappers import Response

from studio import answers
from studio.answers import Answer
from studio.brief import JsonObject
from studio.errors import BriefError, Problem
from web.api.routing import JSON
from web.security import principal
from web.state import studio

HEADER: dict[str, JsonObject] = {
    "Idempotency-Key": {
        "description": "1 to 255 visible ASCII characters. Sent again within 24 hours, by the same caller and with the "
        "same body, it gets the first answer once more; with another body 422, while it is worked on 409.",
        "schema": {"type": "string", "pattern": r"^[\x21-\x7e]{1,255}$"},
    }
}
_KEPT_HEADERS = ("Location", "Preference-Applied")


def once(route: str, work: Callable[[], Response]) -> Response:
    """What `work` answers; where the request carries a key that was answered before, that answer.

    Raises BriefError, Conflict.
    """
    key = request.headers.get("Idempotency-Key")
    if key is None:
        return work()
    if not re.fullmatch(r"[\x21-\x7e]{1,255}", key):
        raise BriefError([Problem("", "the Idempotency-Key must be 1 to 255 visible ASCII characters")])
    db = studio().db
    found = answers.begin(db, caller=principal().name, route=route, key=key, body_sha256=g.body_sha256)
    if isinstance(found, Answer):
        return Response(found.body, found.status, found.headers, mimetype=JSON)
    try:
        response = work()
    except BaseException:
        answers.forget(db, found)
        raise
    kept = {name: response.headers[name] for name in _KEPT_HEADERS if name in response.headers}
    answers.finish(db, found, Answer(response.status_code, kept, response.get_data(as_text=True)))
    return response
