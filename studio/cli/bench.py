"""`studio bench`: measurements on this machine."""

from __future__ import annotations

import json
from dataclasses import asdict

import click

from studio.bench.sandbox import CALLS, GOALS, STARTS, Figures, measure
from studio.sandboxes import engine_for
from studio.settings import Settings

ENGINES = ("local",)


@click.group("bench")
def command() -> None:
    """Measure on this machine."""


@command.command()
@click.option("--engine", type=click.Choice(["auto", *ENGINES]), default="auto", help="Default: each that there is.")
@click.option("--starts", type=click.IntRange(1, 1000), default=STARTS, show_default=True)
@click.option("--calls", type=click.IntRange(1, 10_000), default=CALLS, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Machine-readable.")
def sandbox(engine: str, starts: int, calls: int, as_json: bool) -> None:
    """What starting, using and removing a sandbox costs."""
    settings = Settings()
    names = ENGINES if engine == "auto" else (engine,)
    figures = {name: measure(engine_for(settings, name), starts, calls) for name in names}
    if as_json:
        click.echo(json.dumps({name: _told(of) for name, of in figures.items()}, indent=2))
        return
    for name, of in figures.items():
        click.echo(f"{name} engine, {starts} starts, {calls} calls")
        for field, words, goal, unit in GOALS:
            value = asdict(of)[field]
            shown = "unknown" if value is None else f"{value:.2f} {unit}"
            reach = "" if goal is None else f"  (to reach: {goal:g} {unit})"
            click.echo(f"  {words:40} {shown:>12}{reach}")


def _told(of: Figures) -> dict[str, object]:
    def rounded(value: float | None) -> float | None:
        return None if value is None else round(value, 2)

    return {
        "start_ms": {"median": rounded(of.start_median_ms), "p95": rounded(of.start_p95_ms)},
        "call_ms": rounded(of.call_ms),
        "remove_ms": rounded(of.remove_ms),
        "write_5mb_ms": rounded(of.write_5mb_ms),
        "idle_mb": rounded(of.idle_mb),
    }
