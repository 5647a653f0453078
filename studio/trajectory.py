"""The record of a run: the Event union (`studio.event/1`), and its form as JSON Lines. Types and codecs only.

The first line of `trajectory.jsonl` is the header, each further line one event (SCHEMAS.md, "Event").
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Annotated, Any, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, JsonValue, TypeAdapter, ValidationError, model_validator

from studio.brief import Brief, JsonObject
from studio.capabilities import Capability, capabilities_of
from studio.contract import Report

DERIVED = "job:"  # how the name of a recipe from a job's record begins


def now() -> datetime:
    """The present, in UTC."""
    return datetime.now(UTC)


class MadeBy(BaseModel):
    """What made it: a provider's model, a recipe, or a replay of a recorded run.

    A recipe is a kind's own, as `poster/1`, or one from a job's record, as `job:ID`.
    """

    model: str | None = None
    recipe: str | None = None
    replay_of: str | None = None

    @property
    def prepared(self) -> bool:
        """Rendered by prepared programs: no model took part."""
        return self.model is None

    @property
    def derived_from(self) -> str | None:
        """The job from whose record the recipe is."""
        return self.recipe.removeprefix(DERIVED) if self.recipe and self.recipe.startswith(DERIVED) else None


class CapabilityUse(BaseModel):
    """How many calls there were, and how many of them used what; a call may use several (docs/capabilities.md)."""

    calls: int = 0
    outside: int = 0
    files: int = 0
    computation: int = 0

    def count(self, used: Iterable[Capability]) -> None:
        """One more call."""
        self.calls += 1
        for capability in used:
            setattr(self, capability, getattr(self, capability) + 1)


class FetchedFrom(BaseModel):
    """What was fetched from one host, or asked of it and refused (`admitted` False)."""

    host: str
    port: int
    bytes: int = 0
    requests: int = 0
    admitted: bool = True
    files: list[str] = Field(default_factory=list, description="Names of what came without encryption, at most 300.")


class Usage(BaseModel):
    """Sums over a run; None where unknown. Recipes and replays have no tokens, no cost and no capability use.

    `bytes_written` is what the sandbox's processes gave to write calls, to files and to pipes.
    """

    steps: int = 0
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cached_tokens: int | None = None
    reasoning_tokens: int | None = None
    environment_tokens: int | None = None
    cost_usd: float | None = None
    model_s: float = 0.0
    tool_s: float = 0.0
    inspect_s: float = 0.0
    wall_s: float = 0.0
    peak_memory_bytes: int | None = None
    cpu_s: float | None = None
    bytes_written: int | None = None
    capabilities: CapabilityUse | None = None
    fetched: list[FetchedFrom] = Field(default_factory=list, description="By host, at most 100.")


class ReplyUsage(BaseModel):
    """Token counts of one reply, as the provider gave them."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cached_tokens: int | None = None
    reasoning_tokens: int | None = None


class Call(BaseModel):
    """A tool call as the model made it: `arguments` is its raw JSON text, which may be broken."""

    id: str
    name: str
    arguments: str


class _Event(BaseModel):
    model_config = ConfigDict(extra="ignore")

    seq: int = 0  # given by the recorder, from 1 upward over all attempts of a job
    attempt: int = 1
    at: datetime = Field(default_factory=now)


class Header(BaseModel):
    """The first line of a trajectory."""

    model_config = ConfigDict(extra="ignore", populate_by_name=True)

    type: Literal["header"] = "header"
    schema_: Literal["studio.event/1"] = Field(default="studio.event/1", alias="schema")
    versions: dict[str, str] = Field(default_factory=dict)
    image_digest: str | None = None
    prompts: dict[str, str] = Field(default_factory=dict, description="Name of each prompt and its SHA-256.")
    made_by: MadeBy = Field(default_factory=MadeBy)
    brief: Brief | None = None
    run: JsonObject = Field(default_factory=dict)
    at: datetime = Field(default_factory=now)


class JobStarted(_Event):
    type: Literal["job.started"] = "job.started"
    engine: str
    limits: JsonObject
    network: str


class ModelRequest(_Event):
    """What was asked. The `newly_…` fields are ids of calls of which the model sees less from this request on."""

    type: Literal["model.request"] = "model.request"
    messages_sha256: str
    messages_bytes: int
    messages_count: int
    folded: int = Field(default=0, description="Results that are only a line in it, to save room.")
    left_out: int = Field(default=0, description="Steps of the beginning that are left out of it, to save room.")
    newly_folded: list[str] = Field(default_factory=list, description="Calls whose results became a line, or shorter.")
    newly_left_out: list[str] = Field(default_factory=list, description="Calls whose steps became a line of a list.")
    pictures: int = 0


class ModelReply(_Event):
    """One reply. `replayed` is the number of the event that it repeats: nothing was asked for or paid again.

    `environment_tokens` estimates how many of its prompt's tokens were tool results (studio.agent.budget).
    """

    type: Literal["model.reply"] = "model.reply"
    text: str = ""
    reasoning: str = ""
    calls: list[Call] = Field(default_factory=list)
    finish_reason: str | None = None
    usage: ReplyUsage | None = None
    environment_tokens: int | None = None
    cost_usd: float | None = None
    seconds: float = 0.0
    request_id: str | None = None
    replayed: int | None = None


class ModelFault(_Event):
    type: Literal["model.error"] = "model.error"
    status: int | None = None
    message: str
    will_retry_in_s: float | None = None


class ToolCalled(_Event):
    """A call as it is carried out; `capabilities` is what it uses by the rule, unless its record says so already."""

    type: Literal["tool.call"] = "tool.call"
    id: str
    name: str
    arguments: JsonValue = None  # parsed where it was JSON, else the raw text
    capabilities: list[Capability] = Field(default_factory=list)

    @model_validator(mode="after")
    def _classified(self) -> ToolCalled:
        if "capabilities" not in self.model_fields_set:
            self.capabilities = capabilities_of(self.name, self.arguments)
        return self


class ToolResult(_Event):
    """`output` is what the trajectory keeps (≤ 1 MiB); `shown` what the model saw where that differs."""

    type: Literal["tool.result"] = "tool.result"
    id: str
    output: str = ""
    shown: str | None = None
    exit_status: int | None = None
    is_error: bool = False
    timed_out: bool = False
    cut_chars: int = 0
    output_file: str | None = None
    cwd: str | None = None
    seconds: float = 0.0
    files_changed: list[str] = Field(default_factory=list)


class Reported(_Event):
    type: Literal["report"] = "report"
    report: Report
    repair: int


class NetworkUsed(_Event):
    """What a call, and what it left running, asked of one host; `admitted` False: it was refused."""

    type: Literal["network"] = "network"
    host: str
    port: int
    bytes: int
    admitted: bool
    requests: int = 1
    files: list[str] = Field(default_factory=list, description="Last names of what was fetched without encryption.")


class SandboxUsed(_Event):
    """What a sandbox has used when it is ended, None where this machine cannot tell (`Usage` has the sums)."""

    type: Literal["sandbox.used"] = "sandbox.used"
    peak_memory_bytes: int | None = None
    cpu_s: float | None = None
    bytes_written: int | None = None


class Note(_Event):
    type: Literal["note"] = "note"
    author: Literal["person", "studio"] = "studio"
    text: str
    given: str | None = None  # id of the person's words, where they were given to the running job
    replayed: int | None = None  # number of the event that it repeats


class StateChanged(_Event):
    type: Literal["state"] = "state"
    state: str
    reason: str | None = None
    message: str = ""


Event: TypeAlias = Annotated[
    JobStarted
    | ModelRequest
    | ModelReply
    | ModelFault
    | ToolCalled
    | ToolResult
    | Reported
    | NetworkUsed
    | SandboxUsed
    | Note
    | StateChanged,
    Field(discriminator="type"),
]

EVENT: TypeAdapter[Event] = TypeAdapter(Event)


def parsed(arguments: str) -> JsonValue:
    """A call's arguments as `ToolCalled` keeps them: parsed where the text is JSON, else the text itself."""
    try:
        value: JsonValue = json.loads(arguments, strict=False) if arguments.strip() else {}
    except (ValueError, RecursionError):
        return arguments
    return value


def as_text(arguments: JsonValue) -> str:
    """The text of a call's arguments, from what `parsed` made of it."""
    return arguments if isinstance(arguments, str) else json.dumps(arguments, ensure_ascii=False)


def encode(item: Header | Event) -> str:
    """One line of JSON, without the newline; lone surrogates are replaced."""
    text = json.dumps(item.model_dump(mode="json", by_alias=True), ensure_ascii=False, separators=(",", ":"))
    return text.encode("utf-8", "replace").decode()


def decode_lines(lines: Iterable[str]) -> Iterator[Header | Event]:
    """The header and events of JSON Lines. Raises ValueError naming the line that cannot be read."""
    for number, line in enumerate(lines, start=1):
        if not line.strip():
            continue
        try:
            value: Any = json.loads(line)
            yield Header.model_validate(value) if value.get("type") == "header" else EVENT.validate_python(value)
        except ValidationError as error:
            raise ValueError(f"line {number} is no event of a trajectory: {_first_fault(error)}") from None
        except (ValueError, AttributeError, RecursionError):
            raise ValueError(f"line {number} is not a JSON object") from None


def _first_fault(error: ValidationError) -> str:
    """The first thing that is wrong, in one line."""
    fault = error.errors(include_url=False, include_input=False)[0]
    where = ".".join(str(part) for part in fault["loc"])
    return f"{where + ': ' if where else ''}{' '.join(fault['msg'].split())[:160]}"
