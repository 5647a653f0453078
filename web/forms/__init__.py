"""Forms generated from pydantic models: what to ask (Shape), what was typed (JSON), what to show (Node).

A control is named by the JSON Pointer of its value in the request, so that a refusal finds its field.
"""

from __future__ import annotations

from web.forms.filling import Node, fill, leaves, unmatched
from web.forms.places import MAX_CHARS, read_places
from web.forms.reading import Posted, read, row_numbers, without_row
from web.forms.shapes import Shape, initial_of, shape_of

__all__ = [
    "MAX_CHARS",
    "Node",
    "Posted",
    "Shape",
    "fill",
    "initial_of",
    "leaves",
    "read",
    "read_places",
    "row_numbers",
    "shape_of",
    "unmatched",
    "without_row",
]
