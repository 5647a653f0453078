"""Working an order in this process, for `make` and `replay`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import click

from studio.brief import JsonObject
from studio.cli.recording import FileRecorder, printable
from studio.cli.result_folder import TRAJECTORY, prepare, write_results
from studio.pipeline.masking import Masking
from studio.pipeline.work import Order, Outcome, header_of, work
from studio.sandboxes import engine_for
from studio.settings import Settings
from studio.trajectory import StateChanged, ToolResult

EXIT = {"published": 0, "rejected": 3, "failed": 4, "canceled": 4}
INSPECTOR_ERROR = 5


@dataclass(frozen=True)
class Finished:
    """An order's outcome, where its files are, and the results of its calls."""

    order: Order
    outcome: Outcome
    folder: Path
    results: tuple[ToolResult, ...]

    def as_json(self) -> JsonObject:
        """What `--json` prints."""
        outcome, report = self.outcome, self.outcome.report
        return {
            "state": outcome.state,
            "reason": outcome.reason,
            "message": outcome.message,
            "kind": self.order.brief.kind,
            "title": self.order.brief.title,
            "made_by": self.order.model.made_by.model_dump(mode="json"),
            "out": str(self.folder),
            "verdict": report.verdict if report else None,
            "usage": outcome.usage.model_dump(mode="json"),
        }

    def line(self) -> str:
        """The result in one line: state, kind, title, folder."""
        outcome, brief = self.outcome, self.order.brief
        reason = f" ({outcome.reason})" if outcome.reason else ""
        return f"{outcome.state}{reason}  {brief.kind}  {printable(brief.title, 120)}  {self.folder}"


def say(text: str) -> None:
    """A progress line."""
    click.echo(text, err=True)


def exit_code(outcome: Outcome) -> int:
    """The exit code that ARCHITECTURE.md gives to an outcome."""
    return INSPECTOR_ERROR if outcome.reason == "inspector_error" else EXIT[outcome.state]


def work_here(order: Order, folder: Path, settings: Settings, say: Callable[[str], None] = say) -> Finished:
    """Work the order into `folder`, progress to `say`. Ctrl-C ends it, with what is there kept.

    Raises ConfigurationError when no sandbox can be started here; nothing has been touched then.
    """
    engine = engine_for(settings, order.run.engine)
    header = Masking(settings.secrets).header(header_of(order, engine.image_digest()))
    prepare(folder, say, settings.secrets)
    write_results(folder, order.brief, None)
    recorder = FileRecorder(folder / TRAJECTORY, header, say)
    try:
        outcome = work(order, engine, recorder, folder, settings)
        recorder.record(StateChanged(state=outcome.state, reason=outcome.reason, message=outcome.message))
    except KeyboardInterrupt:
        recorder.record(StateChanged(state="canceled", reason="canceled", message="interrupted"))
        say(f"interrupted; what is there is in {folder}")
        raise
    finally:
        recorder.close()
    write_results(folder, order.brief, outcome.report)
    if outcome.state != "published":
        say(f"{outcome.state}: {printable(outcome.message, 400)}")
    return Finished(order, outcome, folder, tuple(recorder.results))
