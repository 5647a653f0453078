"""`studio make`: one brief, worked in this process, without a database."""

from __future__ import annotations

import json
from pathlib import Path

import click

from studio.brief import file_slug
from studio.cli.order import build_brief, build_run, check_named_attachments, gather_inputs, model_for
from studio.cli.result_folder import free_folder, refuse_loss, refuse_strange
from studio.cli.working import Finished, exit_code, work_here
from studio.kinds import get_kind
from studio.pipeline.work import Order
from studio.settings import Settings


@click.command()
@click.argument("kind")
@click.option("--brief", "brief_file", type=click.Path(path_type=Path, allow_dash=True), help="The brief, in JSON.")
@click.option("--set", "assignments", multiple=True, metavar="PATH=VALUE", help="A field of the brief.")
@click.option("--run", "run_assignments", multiple=True, metavar="PATH=VALUE", help="A run option, as seed=7.")
@click.option("--attach", multiple=True, type=click.Path(path_type=Path), help="A file for /testbed/input.")
@click.option("--document", multiple=True, type=click.Path(path_type=Path), help="A file for /testbed/documents.")
@click.option("--model", help="recipe, openai:MODEL or replay:FILE.")
@click.option("--engine", help="What starts sandboxes: auto or local.")
@click.option("--out", type=click.Path(path_type=Path), help="Folder of the result. [default: ./studio-out/TITLE]")
@click.option(
    "--force", is_flag=True, help="Use --out though it holds other things; what has a name of the result is replaced."
)
@click.option("--json", "as_json", is_flag=True, help="Print the result as one JSON object.")
def command(
    kind: str,
    brief_file: Path | None,
    assignments: tuple[str, ...],
    run_assignments: tuple[str, ...],
    attach: tuple[Path, ...],
    document: tuple[Path, ...],
    model: str | None,
    engine: str | None,
    out: Path | None,
    force: bool,
    as_json: bool,
) -> int:
    """Make one artifact of KIND in this process.

    The result's folder gets output/, brief.json, report.json and trajectory.jsonl. PATH is dotted, from the brief's
    root (params.event.name, params.speakers.0.name) or from the run options' (seed, limits.steps). VALUE is JSON, else
    text.
    """
    settings = Settings()
    brief = build_brief(kind, brief_file, assignments)
    run = build_run(run_assignments, model, engine, settings)
    inputs = gather_inputs(attach, document)
    check_named_attachments(brief, inputs)
    if out is None:
        folder = free_folder(Path("studio-out") / file_slug(brief.title))
    else:
        refuse_strange(out, force)
        refuse_loss(out, (*attach, *document))
        folder = out
    seed = run.seed if run.seed is not None else get_kind(brief.kind).default_seed(brief)
    order = Order(
        job_id="command-line",
        brief=brief,
        run=run,
        inputs=inputs,
        model=model_for(brief, run, settings),
        seed=seed,
    )
    finished = work_here(order, folder, settings)
    click.echo(json.dumps(finished.as_json(), ensure_ascii=True) if as_json else finished.line())
    return exit_code(finished.outcome)


__all__ = ["Finished", "command"]
