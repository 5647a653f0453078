"""Lines of a batch as they are sent, each made into a request: briefs, requests, or rows of values over a template."""

from __future__ import annotations

import copy
import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cached_property

from pydantic import JsonValue

from studio.batches.columns import Column, Fields, filled
from studio.brief import JobRequest, JsonObject, pointer
from studio.errors import BriefError, Problem
from studio.jobs.reading import as_sent, is_bare, read_request
from studio.kinds import ArtifactKind, all_kinds, get_kind
from studio.kinds.titles import default_title

_PLACEHOLDER = re.compile(r"\{([^{}]{1,60})\}")


@dataclass(frozen=True)
class Line:
    """One line: the request that it makes, or what is wrong with it.

    `bare`: it was sent as a brief alone. `columns` says which column of a table filled the field at a pointer, `given`
    what stood in the columns.
    """

    number: int
    value: JsonObject | None = None
    problems: tuple[Problem, ...] = ()
    bare: bool = False
    columns: Mapping[str, str] = field(default_factory=dict)
    given: Mapping[str, str] = field(default_factory=dict)

    def request(self) -> JobRequest:
        """The request. Raises BriefError, pointers from the line's root as it was sent."""
        if self.value is None:
            raise BriefError(self.problems)
        try:
            return read_request(self.value)
        except BriefError as error:
            raise self.told(error) from None

    def told(self, error: BriefError) -> BriefError:
        """The same problems in the words of the line: from its own root, with the column where there is one."""
        problems = []
        for problem in as_sent(error, bare=self.bare).problems:
            column = next((name for at, name in self.columns.items() if _within(problem.pointer, at)), None)
            said = f" (column {column!r})" if column else ""
            problems.append(Problem(problem.pointer, problem.message + said))
        return BriefError(problems)


def _within(at: str, above: str) -> bool:
    return at == above or at.startswith(above + "/")


@dataclass(frozen=True)
class Plan:
    """What holds for every line of a batch: the kind, a template (a brief or a request), run options."""

    kind: str | None = None
    template: JsonObject | None = None
    run: JsonObject | None = None
    tags: tuple[str, ...] = ()

    @cached_property
    def base(self) -> JsonObject:
        """The request that every line begins with. Raises BriefError at /template or /kind."""
        given = self.template or {}
        base: JsonObject = copy.deepcopy({"brief": given} if is_bare(given) else given)
        brief = base.setdefault("brief", {})
        if not isinstance(brief, dict):
            raise BriefError([Problem("/template/brief", "must be a JSON object")])
        if self.kind is not None and brief.setdefault("kind", self.kind) != self.kind:
            said = str(brief["kind"])[:60]
            raise BriefError([Problem("/kind", f"the template says {said!r}, not {self.kind!r}; use one of them")])
        if "kind" in brief:
            get_kind(str(brief["kind"]))
        base["run"] = {**(base.get("run") or {}), **(self.run or {})}
        base["tags"] = [*(base.get("tags") or []), *self.tags]
        return base

    def line(self, number: int, value: JsonValue) -> Line:
        """A line that was sent as JSON: a brief, a request or, over a template, a row of values by column."""
        if not isinstance(value, dict):
            what = f"a line must be a JSON object, not {type(value).__name__}"
            return Line(number, problems=(Problem("", what),))
        if self.template is not None and not {"brief", "params"} & value.keys():
            return self._row(number, list(value.items()), as_cells=False)
        bare = is_bare(value)
        request = _merged(self.base, {"brief": value} if bare else value)
        _add_title(request)
        return Line(number, request, bare=bare)

    def row(self, number: int, cells: Sequence[tuple[str, str]]) -> Line:
        """A row of a table: pairs of column and cell. An empty cell leaves what the template says."""
        line = self._row(number, [(name, cell) for name, cell in cells if cell.strip()], as_cells=True)
        if line.value is None:
            return line
        kind = str(line.value["brief"].get("kind"))
        empty: dict[str, str] = {}  # an empty cell may be what is missing; of another kind's column it is nothing
        for name in (name for name, cell in cells if not cell.strip()):
            with suppress(BriefError):
                empty[self._column(kind, name).pointer] = name
        return replace(line, columns=empty | dict(line.columns))

    def check_columns(self, names: Sequence[str]) -> None:
        """Refuse columns that fill nothing, where the kind is known already. Raises BriefError at /columns/N."""
        kind = self.base["brief"].get("kind")
        if kind is None and not any(name.strip().casefold() in ("kind", "brief.kind") for name in names):
            message = "of which kind are the briefs? Name it, give a template, or add a column `kind`"
            raise BriefError([Problem("/kind", message)])
        problems: list[Problem] = []
        seen: dict[tuple[str, ...], str] = {}
        for index, name in enumerate(names):
            if not name.strip() or kind is None:
                continue
            try:
                column = self._column(str(kind), name)
            except BriefError as error:
                problems += [Problem(pointer("columns", index), problem.message) for problem in error.problems]
                continue
            if other := seen.get(column.path):
                message = f"the columns {other!r} and {name!r} fill the same field; take one of them out"
                problems.append(Problem(pointer("columns", index), message))
            seen[column.path] = name
        if problems:
            raise BriefError(problems)

    def _row(self, number: int, cells: Sequence[tuple[str, JsonValue]], *, as_cells: bool) -> Line:
        given = {name: cell if isinstance(cell, str) else str(cell) for name, cell in cells}
        try:
            columns = self._columns(cells)
        except BriefError as error:
            return Line(number, problems=error.problems, given=given)
        values = [
            (column, column.value(cell) if as_cells and isinstance(cell, str) else cell)
            for column, (_, cell) in zip(columns, cells, strict=True)
        ]
        request = filled(self.base, values)
        _fill_placeholders(request, given)
        _add_title(request)
        return Line(number, request, columns={column.pointer: column.name for column in columns}, given=given)

    def _columns(self, cells: Sequence[tuple[str, JsonValue]]) -> list[Column]:
        said = {name.strip().casefold().removeprefix("brief."): cell for name, cell in cells}
        kind = said.get("kind") or self.base["brief"].get("kind")
        if not isinstance(kind, str):
            raise BriefError([Problem("/brief/kind", "required field is missing")])
        return [self._column(kind.strip(), name) for name, _ in cells]

    def _column(self, kind: str, name: str) -> Column:
        if kind not in self._fields:
            self._fields[kind] = Fields(_kind(kind))
        if (kind, name) not in self._known:
            self._known[kind, name] = self._fields[kind].column(name)
        return self._known[kind, name]

    @cached_property
    def _fields(self) -> dict[str, Fields]:
        return {}

    @cached_property
    def _known(self) -> dict[tuple[str, str], Column]:
        return {}


def _kind(name: str) -> ArtifactKind:
    try:
        return get_kind(name)
    except BriefError as error:
        raise BriefError([Problem("/brief/kind", problem.message) for problem in error.problems]) from None


def _merged(below: JsonObject, above: JsonObject) -> JsonObject:
    """`above` laid over `below`, object by object; lists are taken whole."""
    found = copy.deepcopy(below)
    for key, value in above.items():
        under = found.get(key)
        if isinstance(under, dict) and isinstance(value, dict):
            found[key] = _merged(under, value)
        else:
            found[key] = copy.deepcopy(value)
    return found


def _fill_placeholders(request: JsonObject, given: Mapping[str, str]) -> None:
    """Put cells into title and prompt, where these name a column in braces: "Countdown for {name}"."""
    brief = request["brief"]
    cells = {name.strip().casefold(): cell for name, cell in given.items()}
    for name in ("title", "prompt"):
        if isinstance(text := brief.get(name), str) and name not in cells:
            brief[name] = _PLACEHOLDER.sub(lambda found: cells.get(found[1].strip().casefold(), found[0]), text)


def _add_title(request: JsonObject) -> None:
    brief = request.get("brief")
    if isinstance(brief, dict) and not brief.get("title") and (kind := all_kinds().get(str(brief.get("kind")))):
        brief["title"] = default_title(kind, brief.get("params"))
