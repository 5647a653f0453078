"""`studio bench`: measurements on this machine."""

from __future__ import annotations

import json
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path

import click

from studio.bench import inspect as inspecting
from studio.bench import jobs as pacing
from studio.bench import plain_container
from studio.bench.sandbox import CALLS, GOALS, STARTS, WORDS, Figures, measure
from studio.cli.bench_web import command as web
from studio.cli.delivered import stage, take_manifest
from studio.cli.order import build_run, model_for
from studio.cli.working import work_here
from studio.database import open_database
from studio.errors import ConfigurationError, InspectorError
from studio.inspection import describe_to_inspector, inspect
from studio.kinds import get_kind, parse_brief
from studio.pipeline.work import Order
from studio.sandboxes import engine_for
from studio.settings import Settings
from tasks.app import worker_argv
from tasks.generate import enqueue

ENGINES = ("docker", "local")
GRACE_S = 20.0


@click.group("bench")
def command() -> None:
    """Measure on this machine."""


command.add_command(web)


@command.command()
@click.option("--engine", type=click.Choice(["auto", *ENGINES]), default="auto", help="Default: each that there is.")
@click.option("--starts", type=click.IntRange(1, 1000), default=STARTS, show_default=True)
@click.option("--calls", type=click.IntRange(1, 10_000), default=CALLS, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Machine-readable.")
def sandbox(engine: str, starts: int, calls: int, as_json: bool) -> None:
    """What starting, using and removing a sandbox costs."""
    settings = Settings()
    names = [name for name in ENGINES if _is_there(settings, name)] if engine == "auto" else [engine]
    figures = {name: measure(engine_for(settings, name), starts, calls) for name in names}
    if "docker" in names:
        figures["baseline"] = plain_container.measure(settings, starts, calls)
    if as_json:
        click.echo(json.dumps({name: _told(of) for name, of in figures.items()}, indent=2))
        return
    for name, of in figures.items():
        what = "a plain container, each call an exec" if name == "baseline" else f"{name} engine"
        click.echo(f"{what}, {starts} starts, {calls} calls")
        for field, words, unit in WORDS:
            value, goal = asdict(of)[field], GOALS.get(name, {}).get(field)
            shown = "unknown" if value is None else f"{value:.2f} {unit}"
            reach = "" if goal is None else f"  (to reach: {goal:g} {unit})"
            click.echo(f"  {words:40} {shown:>12}{reach}")


def _is_there(settings: Settings, name: str) -> bool:
    try:
        engine_for(settings, name).image_digest()
    except ConfigurationError:
        return name == "local"  # where there is none at all, measuring it says what is missing
    return True


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


@command.command("inspect")
@click.option("--kind", "kinds", multiple=True, type=click.Choice(list(inspecting.GOALS)), help="Default: all four.")
@click.option("--repetitions", type=click.IntRange(1, 100), default=inspecting.REPETITIONS, show_default=True)
@click.option("--json", "as_json", is_flag=True, help="Machine-readable.")
def inspect_(kinds: tuple[str, ...], repetitions: int, as_json: bool) -> None:
    """What an inspection costs beside the decoding, reading and drawing that it cannot do without."""
    settings = Settings()
    engine = engine_for(settings)
    ratios = []
    with tempfile.TemporaryDirectory(prefix="studio-bench-") as scratch:
        Path(scratch).chmod(0o755)  # the sandbox's unprivileged user reads the outputs from here
        for kind in kinds or inspecting.GOALS:
            delivery = _delivery(kind, Path(scratch) / kind, settings)

            def judge(of: inspecting.Delivery, previews: Path = Path(scratch) / f"{kind}-previews") -> None:
                report = inspect(engine, of.brief, of.contract, of.outputs, of.manifest, of.inputs, previews)
                if report.verdict != "accept":
                    failed = ", ".join(finding.id for finding in report.failed)
                    raise InspectorError(f"what the house recipe made is not accepted: {failed}")

            described = describe_to_inspector(delivery.brief, delivery.contract, delivery.manifest, delivery.inputs)
            ratios.append(inspecting.measure(engine, delivery, judge, described, repetitions))
    click.echo(json.dumps(inspecting.as_json(ratios), indent=2) if as_json else inspecting.table(ratios))


def _delivery(kind: str, folder: Path, settings: Settings) -> inspecting.Delivery:
    """The first sample of the kind, made by the house recipe."""
    brief = parse_brief(get_kind(kind).samples()[0].brief)
    run = build_run([], "recipe", None, settings)
    seed = get_kind(kind).default_seed(brief)
    work_here(Order("command-line", brief, run, (), model_for(brief, run, settings), seed), folder, settings)
    manifest = take_manifest(folder / "output")
    folder.chmod(0o755)
    stage(folder / "output", manifest, folder / "staged")
    return inspecting.Delivery(brief, get_kind(kind).contract(brief), folder / "staged", manifest)


@command.command()
@click.option("--kind", type=click.Choice(list(inspecting.GOALS)), default=pacing.KIND, show_default=True)
@click.option("--workers", multiple=True, type=click.IntRange(1, 64), default=pacing.WORKERS, show_default=True)
@click.option("--jobs", "each", type=click.IntRange(1, 100), default=pacing.JOBS, show_default=True, help="By worker.")
@click.option("--engine", type=click.Choice(["auto", *ENGINES]), help="Default: STUDIO_ENGINE.")
@click.option("--json", "as_json", is_flag=True, help="Machine-readable.")
def jobs(kind: str, workers: tuple[int, ...], each: int, engine: str | None, as_json: bool) -> None:
    """Recipe jobs a minute by number of workers, and the share of a job's time that is the studio's own."""
    paces = []
    for number in workers:
        with tempfile.TemporaryDirectory(prefix="studio-bench-") as scratch:
            Path(scratch).chmod(0o755)
            changed = {"data_dir": Path(scratch), "workers": number, "database_url": None, "broker_url": None}
            settings = Settings().model_copy(update=changed | ({"engine": engine} if engine else {}))
            engine_for(settings).image_digest()
            paces.append(_pace(settings, kind, number * each))
    if as_json:
        click.echo(json.dumps({"kind": kind, "paces": [asdict(pace) for pace in paces]}, indent=2))
    else:
        click.echo(pacing.table(kind, paces))


def _pace(settings: Settings, kind: str, count: int) -> pacing.Pace:
    db = open_database(settings)
    db.migrate()
    try:
        return pacing.measure(
            db, settings, kind, count, _working, lambda job_id: enqueue(job_id, db, settings),
            lambda words: click.echo(words, err=True),
        )  # fmt: skip
    finally:
        db.close()


@contextmanager
def _working(settings: Settings) -> Iterator[None]:
    """A worker for the time of the block."""
    own = settings.environment(database_url="", broker_url="", engine=settings.engine)
    with (settings.data_dir / "worker.log").open("ab") as log:
        worker = subprocess.Popen(worker_argv(settings), env=own, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    try:
        yield
    finally:
        worker.terminate()
        try:
            worker.wait(GRACE_S)
        except subprocess.TimeoutExpired:
            worker.kill()
            worker.wait()
