"""What a pydantic model looks like in a form: its fields as a tree of Shapes, and the values nobody has touched."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

from pydantic import BaseModel, JsonValue, TypeAdapter

from studio.brief import JsonObject
from web.i18n import gettext

Control: TypeAlias = Literal["text", "area", "integer", "number", "color", "choice", "flag", "group", "list", "pairs"]

WITHOUT_END = 1e9  # a bound from here on is none to a person
SHORT_TO = 20  # a text that is no longer gets a short line
AREA_FROM = 600  # a text that may be longer than this gets more than one line

PAIRS = "+"

UNITS = {"mm": "mm", "km": "km", "s": "s", "px": "px", "bpm": "BPM", "mb": "MB", "usd": "US$", "fps": "fps"}


@dataclass(frozen=True)
class Shape:
    """What one value of a model looks like in a form; a tree, as the model is.

    `pairs` is what a model takes besides its named fields: rows of a name and a value, posted below `PAIRS`.
    """

    name: str
    control: Control
    label: str
    hint: str = ""
    example: str = ""
    required: bool = False
    nullable: bool = False
    default: JsonValue = None
    unit: str = ""
    minimum: float | None = None
    maximum: float | None = None
    above: bool = False  # the minimum itself is excluded
    max_length: int | None = None
    choices: tuple[JsonValue, ...] = ()
    children: tuple[Shape, ...] = ()
    item: Shape | None = None

    @property
    def range(self) -> str:
        """What a number may be, in words: "1–14", "−90 to 90", "up to 20,040"; nothing where it has no upper bound that
        a person could reach for.
        """
        if self.minimum is None or self.maximum is None or self.maximum >= WITHOUT_END:
            return ""
        low, high = _written(self.minimum), _written(self.maximum)
        if self.above:
            return gettext("above %(low)s, up to %(high)s", low=low, high=high)
        return gettext("%(low)s to %(high)s", low=low, high=high) if self.minimum < 0 else f"{low}–{high}"

    @property
    def short(self) -> bool:
        """Is this a text of a few characters, such as a time of day?"""
        return self.control == "text" and self.max_length is not None and self.max_length <= SHORT_TO


def _written(number: float) -> str:
    return f"{number:,.15g}".replace("-", "\N{MINUS SIGN}")


def label_of(name: str) -> str:
    """A label from a field's name: `early_bird_price` → "Early bird price"; a unit at its end goes to the unit."""
    words = name.split("_")
    if len(words) > 1 and words[-1] in UNITS:
        words.pop()
    text = " ".join(words)
    return (text[:1].upper() + text[1:]).replace("Url", "URL")


def shape_of(model: type[BaseModel], name: str = "", only: Sequence[str] | None = None) -> Shape:
    """The shape of a model, from its JSON Schema; `only` picks some of its fields."""
    schema = model.model_json_schema(by_alias=True)
    shape = _shape(name, schema, schema.get("$defs", {}), required=True)
    if only is None:
        return shape
    children = tuple(child for child in shape.children if child.name in only)
    return Shape(shape.name, "group", shape.label, required=True, children=children)


def _resolved(schema: JsonObject, definitions: JsonObject) -> JsonObject:
    """The schema with `$ref` followed and the null of an optional value left out; outer words win."""
    for key in ("anyOf", "oneOf", "allOf"):
        options = [option for option in schema.get(key, []) if option.get("type") != "null"]
        if options:
            outer = {name: value for name, value in schema.items() if name != key}
            return {**_resolved(options[0], definitions), **outer}
    if reference := schema.get("$ref"):
        outer = {name: value for name, value in schema.items() if name != "$ref"}
        return {**_resolved(definitions[reference.rsplit("/", 1)[-1]], definitions), **outer}
    return schema


def _shape(name: str, schema: JsonObject, definitions: JsonObject, *, required: bool) -> Shape:
    title_here = schema.get("title")
    nullable = any(option.get("type") == "null" for option in schema.get("anyOf", []))
    schema = _resolved(schema, definitions)
    if title_here is None and re.fullmatch(r"[A-Z][a-z]+", found := schema.get("title", "")):
        title_here = found  # pydantic leaves a field's title out where it is the model's own
    automatic = name.replace("_", " ").title()
    label = title_here if title_here and title_here not in (automatic, name) else label_of(name)
    common: dict[str, Any] = {
        "label": label,
        "hint": schema.get("description", ""),
        "example": str(next(iter(schema.get("examples", ())), "")),
        "required": required and not nullable,
        "nullable": nullable,
        "default": schema.get("default"),
    }
    if "properties" in schema:
        wanted = set(schema.get("required", ()))
        children = tuple(
            _shape(key, child, definitions, required=key in wanted) for key, child in schema["properties"].items()
        )
        if further := schema.get("additionalProperties"):
            children += (_pairs(further, definitions),)
        return Shape(name, "group", children=children, **common)
    if schema.get("type") == "array":
        singular = name[:-1] if name.endswith("s") and not name.endswith("ss") else name
        item = _shape(singular, schema["items"], definitions, required=True)
        if item.control == "group" and (title := _resolved(schema["items"], definitions).get("title")):
            item = replace(item, label=re.sub(r"(?<=[a-z])(?=[A-Z])", " ", title).capitalize())
        return Shape(name, "list", item=item, maximum=schema.get("maxItems"), **common)
    unit = schema.get("unit") or UNITS.get(name.rsplit("_", 1)[-1] if "_" in name else name, "")
    return Shape(
        name,
        _control(schema),
        unit=unit,
        minimum=schema.get("minimum", schema.get("exclusiveMinimum")),
        above="exclusiveMinimum" in schema,
        maximum=schema.get("maximum", schema.get("exclusiveMaximum")),
        max_length=schema.get("maxLength"),
        choices=tuple(schema.get("enum", ())),
        **common,
    )


def _pairs(schema: JsonObject | bool, definitions: JsonObject) -> Shape:
    """Rows of a name and a value, for a model that takes further fields."""
    value = _shape("value", schema if isinstance(schema, dict) else {}, definitions, required=True)
    item = Shape(
        "entry", "group", "Entry", required=True, children=(Shape("key", "text", "Name", required=True), value)
    )
    return Shape(PAIRS, "pairs", "More", item=item)


def _control(schema: JsonObject) -> Control:
    if "enum" in schema:
        return "choice"
    kind = schema.get("type")
    if kind == "boolean":
        return "flag"
    if kind in ("integer", "number"):
        return "integer" if kind == "integer" else "number"
    if schema.get("format") == "color" or schema.get("pattern", "").startswith("^#["):
        return "color"
    return "area" if schema.get("maxLength", 0) > AREA_FROM else "text"


def initial_of(model: type[BaseModel]) -> JsonObject:
    """The values of a model that nobody has filled in: its defaults, and those of the models in it."""
    found: JsonObject = {}
    for name, info in model.model_fields.items():
        inner = info.annotation
        if info.is_required():
            if isinstance(inner, type) and issubclass(inner, BaseModel):
                found[name] = initial_of(inner)
            continue
        value = TypeAdapter(Any).dump_python(info.get_default(call_default_factory=True), mode="json")
        if value is not None:
            found[name] = value
    return found


def defaults_of(shape: Shape) -> JsonValue:
    """The value of a form that nobody has touched."""
    if shape.default is not None:
        return shape.default
    if shape.control == "group":
        values = {child.name: defaults_of(child) for child in shape.children}
        return {name: value for name, value in values.items() if value is not None}
    return None
