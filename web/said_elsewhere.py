"""Sentences that pages show and no source of the studio has as they are said: those of pydantic and of Werkzeug."""

PYDANTIC = (
    "Input should be greater than {1}",
    "Input should be greater than or equal to {1}",
    "Input should be less than {1}",
    "Input should be less than or equal to {1}",
    "String should have at most {1} characters",
    "String should have at least {1} characters",
    "List should have at most {1} items after validation, not {2}",
    "List should have at least {1} items after validation, not {2}",
    "List should have at least {1} item after validation, not {2}",
    "Input should be a valid string",
    "Input should be a valid boolean",
    "Input should be {1} or {2}",
    "unknown field; remove it or check its spelling",
)

# Parts of sentences that are put together from pieces.
PIECES = (
    "at most {1} numbers",
    "{1} days",
    "1 day",
    "{1} names {2}",
)

WERKZEUG = (
    "The browser (or proxy) sent a request that this server could not understand.",
    "The method is not allowed for the requested URL.",
    "The data value transmitted exceeds the capacity limit.",
    "The requested URL was not found on the server. If you entered the URL manually please check your spelling and try "
    "again.",
)
