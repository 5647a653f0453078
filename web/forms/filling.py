"""A form with its values and problems, ready for a template: a tree of Nodes beside the tree of Shapes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from pydantic import JsonValue

from studio.brief import JsonObject
from studio.brief import pointer as pointer_of
from studio.errors import Problem
from web.forms.shapes import PAIRS, Shape, defaults_of

_CLOCK = re.compile(r"(?:([01]\d|2[0-3]):[0-5]\d)?")  # what <input type=time> takes


@dataclass(frozen=True)
class Node:
    """One control with its value and problems, ready for a template. `blank` is the row that a list can add."""

    shape: Shape
    pointer: str
    value: str = ""
    problems: tuple[str, ...] = ()
    ignored: bool = False
    focus: bool = False
    children: tuple[Node, ...] = ()
    blank: Node | None = field(default=None)

    @property
    def id(self) -> str:
        return "f" + self.pointer

    @property
    def names_file(self) -> bool:
        """Is the value the name of an attached file? (KINDS.md: a `photo`, each entry of `logos`.)"""
        return self.shape.name == "photo" or "/logos/" in self.pointer

    @property
    def takes_places(self) -> bool:
        """Is it a list of places, each with a latitude and a longitude?"""
        item = self.shape.item
        return item is not None and {"lat", "lon"} <= {child.name for child in item.children}

    @property
    def tells_date(self) -> bool:
        """Is it a date as it is printed, which a calendar can write?"""
        return self.shape.control == "text" and self.shape.name in ("date", "deadline")

    @property
    def tells_time(self) -> bool:
        """Is it a time of day that a browser's own control can show?"""
        return self.shape.short and self.shape.name in ("start", "end") and bool(_CLOCK.fullmatch(self.value))

    @property
    def troubled(self) -> bool:
        """Is something wrong here or below?"""
        return bool(self.problems) or any(child.troubled for child in self.children)

    @property
    def filled(self) -> bool:
        """Has a person (or a sample) written something here or below?"""
        if self.shape.control in ("group", "list", "pairs"):
            return any(child.filled for child in self.children)
        return bool(self.value)


def fill(
    shape: Shape,
    value: JsonValue,
    problems: Sequence[Problem] = (),
    *,
    pointer: str = "",
    ignored: Iterable[str] = (),
    extra_row: str | None = None,
) -> Node:
    """The form with its values and problems. `extra_row` is the pointer of a list that gets one empty row more.

    Focus goes to the row just added, else to the first problem.
    """
    said: dict[str, list[str]] = {}
    for problem in problems:
        said.setdefault(problem.pointer, []).append(problem.message)
    filler = _Filler(said, frozenset(ignored), extra_row)
    return filler.node(shape, value, pointer)


class _Filler:
    """Walks a shape and a value side by side."""

    def __init__(self, said: dict[str, list[str]], ignored: frozenset[str], extra_row: str | None) -> None:
        self.said = said
        self.ignored = ignored
        self.extra_row = extra_row
        self.focus_given = False

    def node(self, shape: Shape, value: JsonValue, pointer: str, *, new: bool = False) -> Node:
        ignored = pointer in self.ignored
        problems = tuple(self.said.get(pointer, ()))
        if shape.control == "group":
            values = value if isinstance(value, dict) else {}
            named = {child.name for child in shape.children}
            further: JsonObject = {name: values[name] for name in values if name not in named}
            children = tuple(
                self.pairs(child, further, pointer)
                if child.control == "pairs"
                else self.node(child, values.get(child.name), f"{pointer}/{child.name}", new=new)
                for child in shape.children
            )
            return Node(shape, pointer, problems=problems, ignored=ignored, children=children)
        if shape.control == "list":
            return self._list(shape, value, pointer, problems, ignored)
        return self._leaf(shape, value, pointer, problems, new=new)

    def _leaf(
        self, shape: Shape, value: JsonValue, pointer: str, problems: tuple[str, ...], *, new: bool = False
    ) -> Node:
        ignored = pointer in self.ignored
        text = shown(value)
        focus = (new or (bool(problems) and self.extra_row is None)) and not self.focus_given
        self.focus_given = self.focus_given or focus
        return Node(shape, pointer, text, problems, ignored, focus)

    def pairs(self, shape: Shape, further: JsonObject, owner: str) -> Node:
        """The rows of further fields; a problem with one is found under its own name."""
        assert shape.item is not None
        key, held = shape.item.children
        here = f"{owner}/{shape.name}"
        rows = []
        for index, (name, value) in enumerate(further.items()):
            row = f"{here}/{index}"
            said = tuple(self.said.get(owner + pointer_of(name), ()))
            children = (
                self._leaf(key, name, f"{row}/key", ()),
                self._leaf(held, value, f"{row}/value", said),
            )
            rows.append(Node(shape.item, row, children=children))
        if self.extra_row == here:
            rows.append(self.node(shape.item, {}, f"{here}/{len(rows)}", new=True))
        blank = fill(shape.item, {}, pointer=f"{here}/-")
        return Node(shape, here, children=tuple(rows), blank=blank)

    def _list(self, shape: Shape, value: JsonValue, pointer: str, problems: tuple[str, ...], ignored: bool) -> Node:
        assert shape.item is not None
        rows = list(value) if isinstance(value, list) else []
        children = [self.node(shape.item, row, f"{pointer}/{index}") for index, row in enumerate(rows)]
        if self.extra_row == pointer:
            children.append(self.node(shape.item, defaults_of(shape.item), f"{pointer}/{len(rows)}", new=True))
        blank = fill(shape.item, defaults_of(shape.item), pointer=f"{pointer}/-")
        return Node(shape, pointer, "", problems, ignored, children=tuple(children), blank=blank)


def leaves(node: Node) -> Iterable[Node]:
    """All nodes of the form, a list and a group before what is in it."""
    yield node
    for child in node.children:
        yield from leaves(child)


def unmatched(node: Node, problems: Sequence[Problem]) -> list[Problem]:
    """Problems that no control of the form can show beside itself."""
    seen = {item.pointer for item in leaves(node)}
    for item in leaves(node):
        if item.shape.control == "pairs":
            owner = item.pointer.removesuffix("/" + PAIRS)
            seen.update(owner + pointer_of(row.children[0].value) for row in item.children)
    return [problem for problem in problems if problem.pointer not in seen]


def shown(value: JsonValue) -> str:
    """A value as the text of its control."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    return f"{value:.15g}" if isinstance(value, float) else str(value)
