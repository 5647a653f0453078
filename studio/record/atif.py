"""A record in the Agent Trajectory Interchange Format, ATIF 1.8 (Harbor, RFC 0001, "Trajectory format")."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal

from pydantic import BaseModel, Field

from studio.brief import JsonObject
from studio.record.chat import ChatMessage
from studio.record.turns import Turn, last_attempt, turns_of
from studio.trajectory import Call, Event, Header, ModelFault, Note, parsed

VERSION = "ATIF-v1.8"
RAW = "raw_arguments"  # in a call's `extra`: its arguments as they were written, where they are no JSON object


class AtifAgent(BaseModel):
    """What made the run."""

    name: str = "sandbox-studio"
    version: str
    model_name: str | None = None
    tool_definitions: list[JsonObject] | None = None
    extra: JsonObject | None = None


class AtifCall(BaseModel):
    """A tool call."""

    tool_call_id: str
    function_name: str
    arguments: JsonObject
    extra: JsonObject | None = None


class AtifResult(BaseModel):
    """What a call came to, as the model saw it."""

    source_call_id: str
    content: str
    extra: JsonObject | None = None


class AtifObservation(BaseModel):
    """The results of a step's calls."""

    results: list[AtifResult]


class AtifMetrics(BaseModel):
    """Tokens and US dollars of one reply."""

    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    cached_tokens: int | None = None
    cost_usd: float | None = None
    extra: JsonObject | None = None


class AtifFinalMetrics(BaseModel):
    """Sums over the steps."""

    total_prompt_tokens: int | None = None
    total_completion_tokens: int | None = None
    total_cached_tokens: int | None = None
    total_cost_usd: float | None = None
    total_steps: int = 0


class AtifStep(BaseModel):
    """What was told, or one turn; `llm_call_count` 0 is a call of a recipe or a replay."""

    step_id: int = 0
    timestamp: str | None = None
    source: Literal["system", "user", "agent"]
    message: str = ""
    reasoning_content: str | None = None
    tool_calls: list[AtifCall] | None = None
    observation: AtifObservation | None = None
    metrics: AtifMetrics | None = None
    llm_call_count: int | None = None
    extra: JsonObject | None = None


class Atif(BaseModel):
    """A trajectory."""

    schema_version: str = VERSION
    trajectory_id: str | None = None
    agent: AtifAgent
    steps: list[AtifStep]
    notes: str | None = None
    final_metrics: AtifFinalMetrics | None = None
    extra: JsonObject = Field(default_factory=dict)

    def as_json(self) -> str:
        """The trajectory as a JSON object, without what is not there."""
        return self.model_dump_json(exclude_none=True)


def as_atif(
    items: Iterable[Header | Event], opening: Iterable[ChatMessage], tools: list[JsonObject], job_id: str | None = None
) -> Atif:
    """The last attempt. The record's own first line is kept in `extra`, by which a replay knows the brief."""
    header, events = last_attempt(items)
    header = header or Header()
    steps = [AtifStep(source=_source(message), message=message.content or "") for message in opening]
    for said in turns_of(events):
        at = said.at.isoformat()
        if isinstance(said, Turn):
            steps.append(_turn(said))
        elif isinstance(said, Note):
            steps.append(
                AtifStep(source="user" if said.author == "person" else "system", timestamp=at, message=said.text)
            )
        else:
            steps.append(AtifStep(source="system", timestamp=at, message=_fault(said)))
    for number, step in enumerate(steps, start=1):
        step.step_id = number
    made_by = header.made_by
    return Atif(
        trajectory_id=job_id,
        agent=AtifAgent(
            version=header.versions.get("sandbox-studio", "unknown"),
            model_name=made_by.model,
            tool_definitions=tools or None,
            extra=made_by.model_dump(exclude_none=True) or None,
        ),
        steps=steps,
        notes="Rendered by prepared programs; no model took part." if made_by.prepared else None,
        final_metrics=_sums(steps),
        extra={"header": header.model_dump(mode="json", by_alias=True)},
    )


def _source(message: ChatMessage) -> Literal["system", "user"]:
    return "system" if message.role == "system" else "user"


def _fault(fault: ModelFault) -> str:
    status = f" ({fault.status})" if fault.status else ""
    return f"The provider failed{status}: {fault.message}"


def _turn(turn: Turn) -> AtifStep:
    reply = turn.reply
    results = [_result(turn, call) for call in turn.calls if call.id in turn.results]
    reports = [
        {"verdict": event.report.verdict, "repair": event.repair, "failed": [f.id for f in event.report.failed]}
        for event in turn.reports
    ]
    return AtifStep(
        source="agent",
        timestamp=turn.at.isoformat(),
        message=reply.text if reply else "",
        reasoning_content=(reply.reasoning or None) if reply else None,
        tool_calls=[_call(call) for call in turn.calls] or None,
        observation=AtifObservation(results=results) if results else None,
        metrics=_metrics(turn),
        llm_call_count=1 if reply else 0,
        extra={"reports": reports} if reports else None,
    )


def _call(call: Call) -> AtifCall:
    value = parsed(call.arguments)
    if isinstance(value, dict):
        return AtifCall(tool_call_id=call.id, function_name=call.name, arguments=value)
    return AtifCall(tool_call_id=call.id, function_name=call.name, arguments={}, extra={RAW: call.arguments})


def _result(turn: Turn, call: Call) -> AtifResult:
    result = turn.results[call.id]
    more = result.model_dump(
        include={"exit_status", "is_error", "timed_out", "cut_chars", "seconds", "files_changed"}, exclude_defaults=True
    )
    shown = result.output if result.shown is None else result.shown
    return AtifResult(source_call_id=call.id, content=shown, extra=more or None)


def _metrics(turn: Turn) -> AtifMetrics | None:
    reply = turn.reply
    if reply is None:
        return None
    used = reply.usage
    more: JsonObject = {"seconds": reply.seconds}
    if used and used.reasoning_tokens is not None:
        more["reasoning_tokens"] = used.reasoning_tokens
    if reply.environment_tokens is not None:
        more["environment_tokens"] = reply.environment_tokens
    return AtifMetrics(
        prompt_tokens=used.prompt_tokens if used else None,
        completion_tokens=used.completion_tokens if used else None,
        cached_tokens=used.cached_tokens if used else None,
        cost_usd=reply.cost_usd,
        extra=more,
    )


def _sums(steps: list[AtifStep]) -> AtifFinalMetrics:
    found = [step.metrics for step in steps if step.metrics]

    def total(name: str) -> float | None:
        values = [getattr(metrics, name) for metrics in found]
        known = [value for value in values if value is not None]
        return sum(known) if known else None

    return AtifFinalMetrics.model_validate(
        {f"total_{name}": total(name) for name in ("prompt_tokens", "completion_tokens", "cached_tokens", "cost_usd")}
        | {"total_steps": len(steps)}
    )
