"""What the figures are made of: counts on a job under way, and one narrow row of each job that ended."""

from __future__ import annotations

from typing import Any

from sqlalchemy import ColumnElement, select
from sqlalchemy.orm import Session

from studio.database.tables import JobFiguresRow, JobRow
from studio.jobs.views import ENDED
from studio.trajectory import CapabilityUse, Event, JobStarted, MadeBy, Reported, ToolResult, Usage


def counted(event: Event) -> dict[str, int | ColumnElement[int]]:
    """The columns of a job's row that change with an event.

    A new computer begins at nothing: what was called in the one before is called again there, and counts once.
    """
    if isinstance(event, JobStarted):
        return {"commands": 0, "failed_commands": 0, "submissions": 0}
    if isinstance(event, Reported):
        return {"submissions": JobRow.submissions + 1}
    if isinstance(event, ToolResult) and (event.exit_status is not None or event.timed_out):
        failed = event.timed_out or event.exit_status != 0
        return {"commands": JobRow.commands + 1, "failed_commands": JobRow.failed_commands + int(failed)}
    return {}


def keep_figures(session: Session, job_id: str) -> None:
    """Write the row of a job that has ended in this transaction; nothing of one that goes on, or only compares."""
    session.flush()
    job = session.scalars(select(JobRow).where(JobRow.id == job_id).execution_options(populate_existing=True)).one()
    if job.state not in ENDED or job.purpose != "make" or session.get(JobFiguresRow, job_id) is not None:
        return
    usage = Usage.model_validate(job.usage) if job.usage else Usage()
    session.add(JobFiguresRow(**figures_of(job, usage)))


def figures_of(job: JobRow, usage: Usage) -> dict[str, Any]:
    """The columns of the row."""
    by = MadeBy.model_validate(job.made_by)
    used = usage.capabilities or CapabilityUse()
    known = usage.capabilities is not None
    return {
        "job_id": job.id,
        "kind": job.kind,
        "maker": maker_of(by)[:200],
        "prepared": by.prepared,
        "state": job.state,
        "reason": job.reason,
        "submissions": job.submissions,
        "steps": usage.steps,
        "commands": job.commands,
        "failed_commands": job.failed_commands,
        "prompt_tokens": usage.prompt_tokens,
        "completion_tokens": usage.completion_tokens,
        "environment_tokens": usage.environment_tokens,
        "cost_usd": usage.cost_usd,
        "wall_s": usage.wall_s,
        "model_s": usage.model_s,
        "tool_s": usage.tool_s,
        "inspect_s": usage.inspect_s,
        "peak_memory_bytes": usage.peak_memory_bytes,
        "calls": used.calls if known else None,
        "outside": used.outside if known else None,
        "files": used.files if known else None,
        "computation": used.computation if known else None,
        "finished_at": job.finished_at,
    }


def maker_of(by: MadeBy) -> str:
    """By whom a job counts: the model, the recipe by its name, `derived` for those from records, or `replay`."""
    if by.model is not None:
        return by.model
    return "derived" if by.derived_from else by.recipe or "replay"
