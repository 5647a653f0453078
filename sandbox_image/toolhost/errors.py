"""The two ways in which a request fails without harm to the sandbox."""

from __future__ import annotations


class ToolFault(Exception):
    """The model can mend it: the message says what was expected."""


class Refused(Exception):
    """The studio asked for what cannot be given: a link, a special file, something over a limit."""


def reason(error: OSError) -> str:
    """An operating system's error in words, without its number."""
    return (error.strerror or str(error)).lower()
