"""What may stand in the place of a parameter in the studio's URLs."""

from __future__ import annotations

import re
from urllib.parse import quote

from werkzeug.routing import BaseConverter, PathConverter, ValidationError


def quoted(path: str) -> str:
    """A file's name as it stands in a URL. Slashes stay, unless clients would resolve `..` or empty parts away."""
    plain = all(part not in ("", ".", "..") for part in path.split("/"))
    return quote(path, safe="/" if plain else "")


class FilePath(PathConverter):
    """The name of a file among others, slashes and line breaks included. It is looked up as it is, never resolved."""

    part_isolating = False  # a subclass whose regex names no slash would else match one segment only
    regex = r"(?s:.+?)"

    def to_python(self, value: str) -> str:
        if "\0" in value:  # no file has it in its name, and not every database takes it
            raise ValidationError
        return value


class RowId(BaseConverter):
    """The id of a job, artifact or upload; in lower case, whatever was typed."""

    regex = r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}"

    def to_python(self, value: str) -> str:
        if not re.fullmatch(self.regex, value):
            raise ValidationError
        return value.lower()
