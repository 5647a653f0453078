"""What the proxy answers in place of the engine."""

from __future__ import annotations


class Refused(Exception):
    """The request is not among those that are admitted; the words say what was wrong."""

    status = 403


class Unreadable(Refused):
    """It is no proper request."""

    status = 400


class Absent(Refused):
    """There is no such container or image, or it is another's: which of both is not told."""

    status = 404


class NoEngine(Refused):
    """The engine does not answer."""

    status = 502
