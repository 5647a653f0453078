"""What the form's template shows of a draft: controls with their problems, a list of them, and the implied contract."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace

from pydantic import ValidationError

from studio import jobs
from studio.brief import JsonObject, Limits
from studio.database import Database
from studio.errors import Problem
from studio.jobs.bounds import NETWORKS
from studio.models.listing import specs
from studio.settings import Settings
from web.forms import Node, fill, leaves, unmatched
from web.i18n import gettext
from web.pages.draft import PARAMS, Draft, spoken
from web.said import say


def _n(word: str) -> str:
    return word


_WORDS = (
    ("required field is missing", _n("Fill this in.")),
    ("Input should be a valid integer", _n("Give a whole number.")),
    ("Input should be a valid number", _n("Give a number.")),
    ("String should match pattern '^#", _n("Give a colour as #RRGGBB.")),
    ("String should match pattern", _n("This has characters that cannot stand here; see what is said above.")),
    ("String should have at least 1 character", _n("Fill this in.")),
    ("Input should be a finite number", _n("Give a number.")),
)


@dataclass(frozen=True)
class Trouble:
    """One problem in the list above the form; `id` is the control that it is about, where there is one."""

    message: str
    label: str = ""
    id: str = ""


def form_context(draft: Draft, db: Database, settings: Settings, *, extra_row: str | None = None) -> JsonObject:
    """Everything that `new.html` needs besides the name of the sample."""
    brief_shape, params_shape, run_shape, tags_shape = spoken(draft.kind)
    problems = [Problem(problem.pointer, plain(problem.message)) for problem in draft.problems]
    ignored = {_pointer(name) for name in draft.kind.recipe_ignores}
    fills = (
        (brief_shape, draft.brief, "/brief"),
        (params_shape, draft.params, PARAMS),
        (run_shape, draft.run, "/run"),
        (tags_shape, draft.tags, "/tags"),
    )
    nodes = [
        fill(shape, value, problems, pointer=pointer, ignored=ignored, extra_row=extra_row)
        for shape, value, pointer in fills
    ]
    nodes = _one_focus(nodes)
    brief_node, params_node, run_node, tags_node = nodes
    children = (_within_bounds(child, settings) for child in run_node.children)
    run_node = replace(run_node, children=(*(child for child in children if child), tags_node))
    whole = Node(params_shape, "", children=tuple(nodes))
    attachments = [problem for problem in problems if problem.pointer.startswith("/attachments")]
    return {
        "kind": draft.kind,
        "samples": draft.kind.samples(),
        "brief_node": brief_node,
        "params_node": params_node,
        "run_node": run_node,
        "run_open": extra_row == "/tags" or settings.default_model != "recipe" or not draft.kind.has_recipe,
        "attachments": draft.attachments,
        "attachment_problems": [problem.message for problem in attachments],
        "troubles": troubles(whole, problems),
        "models": [name for name in specs(settings) if draft.kind.has_recipe or name != "recipe"],
        **contract_context(draft, db, settings),
    }


def _within_bounds(node: Node, settings: Settings) -> Node | None:
    """The control with the choices that the operator leaves; None where none is left."""
    if node.shape.name != "network" or node.problems:
        return node
    left = NETWORKS[: NETWORKS.index(settings.max_network) + 1]
    return replace(node, shape=replace(node.shape, choices=left)) if len(left) > 1 else None


def plain(message: str) -> str:
    """A refusal in the words of a form, beside the field that still shows what was typed."""
    message = re.sub(r" \(got .*\)$", "", message, flags=re.DOTALL).removeprefix("Value error, ")
    for start, words in _WORDS:
        if message.startswith(start):
            return gettext(words)
    message = say(message)
    return message[:1].upper() + message[1:]


def _pointer(name: str) -> str:
    """The pointer of a field that a kind names: `prompt`, `params.style` or `/params/style`."""
    return "/brief/" + name.strip("/").replace(".", "/")


def _one_focus(nodes: list[Node]) -> list[Node]:
    """Only the first control that asks for the focus keeps it."""
    given = False
    result = []
    for node in nodes:
        result.append(_unfocused(node) if given else node)
        given = given or any(item.focus for item in leaves(node))
    return result


def _unfocused(node: Node) -> Node:
    return replace(node, focus=False, children=tuple(_unfocused(child) for child in node.children))


def troubles(whole: Node, problems: Iterable[Problem]) -> list[Trouble]:
    """Every problem in the order of the form, those that belong to no control first."""
    problems = list(problems)
    found = [
        Trouble(f"{problem.pointer}: {problem.message}" if problem.pointer else problem.message, id=_files(problem))
        for problem in unmatched(whole, problems)
    ]
    for node, label in _labelled(whole, ""):
        found += [Trouble(message, label, node.id) for message in node.problems]
    return found


def _files(problem: Problem) -> str:
    return "files" if problem.pointer.startswith("/attachments") else ""


def _labelled(node: Node, above: str, number: int | None = None) -> Iterable[tuple[Node, str]]:
    """Each node with a label that says where it is: "Speaker 2, Name"."""
    own = node.shape.label + (f" {number}" if number else "")
    path = own if not above else above + gettext(", ") + own
    yield node, path
    is_list = node.shape.control in ("list", "pairs")
    root = node.pointer in ("", "/brief", PARAMS, "/run")
    for index, child in enumerate(node.children, start=1):
        yield from _labelled(child, "" if root or is_list else path, index if is_list else None)


def empty_fields(context: JsonObject, pointers: Iterable[str]) -> list[Trouble]:
    """The controls of needed fields that nothing filled; `pointers` are from the brief's root."""
    nodes = {
        node.pointer: (node, label)
        for name in ("brief_node", "params_node")
        for node, label in _labelled(context[name], "")
    }
    wanted = [nodes["/brief" + pointer] for pointer in pointers if "/brief" + pointer in nodes]
    return [Trouble("", label, node.id) for node, label in wanted]


@dataclass(frozen=True)
class Most:
    """The most that a language model may take for one work: tokens, and US dollars."""

    tokens: int
    cost_usd: float


def _limits(draft: Draft, model: str, settings: Settings) -> Most | None:
    """What ends a run of the chosen model at the latest; None where prepared programs or a record make the work."""
    limits = draft.run.get("limits")
    try:
        known = Limits.model_validate(limits if isinstance(limits, dict) else {})
    except ValidationError:
        return None
    if settings.profile(model) is None:
        return None
    return Most(min(known.tokens, settings.max_tokens), min(known.cost_usd, settings.max_cost_usd))


def contract_context(draft: Draft, db: Database, settings: Settings) -> JsonObject:
    """The contract that the parameters imply; how many problems stand in its way where they do not hold.

    With it what past runs of the chosen model took.
    """
    brief, problems = draft.placeholder()
    model = str(draft.run.get("model") or settings.default_model)
    return {
        "contract": draft.kind.contract(brief) if brief else None,
        "contract_troubles": len(problems),
        "estimate": jobs.estimate(db, draft.kind.name, model, settings),
        "limits": _limits(draft, model, settings),
    }
