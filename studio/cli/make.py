"""`studio make`: one brief, worked in this process, without a database."""

from __future__ import annotations

import json
from pathlib import Path

import click

from studio.brief import MAX_SEED, MAX_VARIANTS, file_slug, variant_seeds
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
@click.option("--seed", type=click.IntRange(0, MAX_SEED), help="Another number gives another design.")
@click.option("--variants", type=click.IntRange(1, MAX_VARIANTS), help="So many works of the brief, all different.")
@click.option("--model", help="recipe, a name of studio.toml, openai:MODEL or replay:FILE.")
@click.option("--engine", help="What starts sandboxes: auto, docker or local.")
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
    seed: int | None,
    variants: int | None,
    model: str | None,
    engine: str | None,
    out: Path | None,
    force: bool,
    as_json: bool,
) -> int:
    """Make one artifact of KIND in this process.

    The result's folder gets output/, brief.json, report.json and trajectory.jsonl. PATH is dotted, from the brief's
    root (params.event.name, params.speakers.0.name) or from the run options' (seed, limits.steps). VALUE is JSON, else
    text. With --variants above 1 the folder gets variant-1, variant-2 … each with these.
    """
    settings = Settings()
    brief = build_brief(kind, brief_file, assignments)
    asked = [f"{name}={value}" for name, value in (("seed", seed), ("variants", variants)) if value is not None]
    run = build_run([*run_assignments, *asked], model, engine, settings)
    inputs = gather_inputs(attach, document)
    check_named_attachments(brief, inputs)
    if out is None:
        folder = free_folder(Path("studio-out") / file_slug(brief.title))
    else:
        refuse_strange(out, force)
        refuse_loss(out, (*attach, *document))
        folder = out
    first = run.seed if run.seed is not None else get_kind(brief.kind).default_seed(brief)
    codes = []
    for number, own in enumerate(variant_seeds(first, run.variants), start=1):
        order = Order(
            job_id="command-line",
            brief=brief,
            run=run.model_copy(update={"seed": own, "variants": 1}),
            inputs=inputs,
            model=model_for(brief, run, settings),
            seed=own,
        )
        finished = work_here(order, folder if run.variants == 1 else folder / f"variant-{number}", settings)
        click.echo(json.dumps(finished.as_json(), ensure_ascii=True) if as_json else finished.line())
        codes.append(exit_code(finished.outcome))
    return max(codes)


__all__ = ["Finished", "command"]
