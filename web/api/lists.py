"""Pages of lists over HTTP: the next page's address stands in the body as a cursor and in a Link header."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import urlencode

from flask import request
from pydantic import BaseModel, Field
from werkzeug.wrappers import Response

from web.api.routing import Query, reply

NEXT_LINK = {"Link": 'The next page, as `<…>; rel="next"`; missing on the last one.'}


class PageQuery(Query):
    """Where a page begins and how long it is."""

    cursor: Annotated[str, Field(max_length=200)] | None = Field(
        default=None, description="`next_cursor` of the page before."
    )
    limit: int = Field(default=50, ge=1, le=100)


def reply_page(page: BaseModel, next_cursor: str | None, parameter: str = "cursor") -> Response:
    """A page as JSON, with a Link to the one behind it."""
    headers = {}
    if next_cursor is not None:
        query = {**request.args.to_dict(flat=True), parameter: next_cursor}
        headers["Link"] = f'<{request.path}?{urlencode(query)}>; rel="next"'
    return reply(page, headers=headers)
