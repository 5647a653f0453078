"""`studio submit`: hand a brief to a running studio."""

from __future__ import annotations

from pathlib import Path

import click

from studio.answered import Checked
from studio.brief import MAX_SEED, MAX_VARIANTS, JsonObject
from studio.cli.assignments import assign, with_hints
from studio.cli.order import gather_inputs, read_brief_file
from studio.cli.remote import connect, describe, follow, page_of, remote_options
from studio.errors import BriefError, Problem
from studio.kinds import all_kinds
from studio.kinds.titles import default_title


def brief_of(kind: str | None, file: Path | None) -> JsonObject:
    """The brief as it is sent, before single values are set; the studio that gets it judges it. Raises BriefError."""
    brief = read_brief_file(file) if file is not None else {}
    if kind is not None and brief.setdefault("kind", kind) != kind:
        said = str(brief["kind"])[:60]
        raise BriefError([Problem("/brief/kind", f"the brief says {said!r}, the command says {kind!r}; use one")])
    return brief


def add_title(brief: JsonObject) -> None:
    """Give a brief without a title the one that its parameters suggest."""
    known = all_kinds().get(str(brief.get("kind")))
    if "title" not in brief and known is not None:
        brief["title"] = default_title(known, brief.get("params"))


def told(checked: Checked) -> str:
    """A valid request in words: what would be made by which model, how it is checked, what it may take."""
    brief, run = checked.request.brief, checked.request.run
    musts = sum(check.severity == "must" for check in checked.contract.checks)
    return (
        f"Valid: {brief.kind} {brief.title!r} by {run.model}; {musts} checks must pass.\n"
        f"At most {run.limits.steps} steps, {run.limits.time_s} s, {run.limits.tokens:,} tokens, "
        f"${run.limits.cost_usd:g}. {checked.estimate.words}"
    )


@click.command()
@click.argument("kind", required=False)
@click.option("--brief", "brief_file", type=click.Path(path_type=Path), help="JSON file; - is standard input.")
@click.option("--set", "sets", multiple=True, metavar="PATH=VALUE", help="Set a value of the brief, e.g. params.a.b=1.")
@click.option("--model", help="recipe, a name of studio.toml, openai:MODEL or replay:JOB.")
@click.option("--run", "runs", multiple=True, metavar="PATH=VALUE", help="Set a run option, e.g. seed=7.")
@click.option("--attach", multiple=True, type=click.Path(path_type=Path), help="An input file.")
@click.option("--document", multiple=True, type=click.Path(path_type=Path), help="A document to read.")
@click.option("--tag", "tags", multiple=True, help="A tag; may be given several times.")
@click.option("--seed", type=click.IntRange(0, MAX_SEED), help="Another number gives another design.")
@click.option("--variants", type=click.IntRange(1, MAX_VARIANTS), help="So many works of the brief, all different.")
@click.option("--wait", is_flag=True, help="Tell what happens until it has ended; the exit code says how.")
@click.option("--dry-run", is_flag=True, help="Only check it, and say what past runs of it took; nothing is made.")
@click.option("--json", "as_json", is_flag=True, help="Print the job as JSON; with --wait its events, one a line.")
@remote_options
def command(
    kind: str | None,
    brief_file: Path | None,
    sets: tuple[str, ...],
    model: str | None,
    runs: tuple[str, ...],
    attach: tuple[Path, ...],
    document: tuple[Path, ...],
    tags: tuple[str, ...],
    seed: int | None,
    variants: int | None,
    wait: bool,
    dry_run: bool,
    as_json: bool,
    url: str | None,
    key: str | None,
) -> int:
    """Hand a brief to a running studio: of KIND, or read from --brief, or both."""
    if kind is None and brief_file is None:
        raise click.UsageError("give a KIND or --brief FILE")
    brief = brief_of(kind, brief_file)
    run: JsonObject = {}
    read_as_json = assign(brief, sets, "brief") | assign(run, runs, "run")
    run |= {
        name: value for name, value in (("model", model), ("seed", seed), ("variants", variants)) if value is not None
    }
    add_title(brief)
    inputs = gather_inputs(attach, document)
    with connect(url, key) as studio:
        uploads = studio.upload((file.name, file.path) for file in inputs) if inputs else []
        named = [
            {"upload": upload.id, "name": file.name, "role": file.role}
            for upload, file in zip(uploads, inputs, strict=True)
        ]
        try:
            if dry_run:
                checked = studio.check(brief, run=run, attachments=named, tags=tags)
                click.echo(checked.model_dump_json() if as_json else told(checked))
                return 0
            job = studio.create(brief, run=run, attachments=named, tags=tags)
        except BriefError as error:
            raise with_hints(error, read_as_json) from None
        if not wait:
            click.echo(job.model_dump_json(by_alias=True) if as_json else "\n".join((job.id, *job.siblings)))
            click.echo(f"{describe(job)}\n{page_of(studio, job)}", err=True)
            return 0
        return max(follow(studio, job_id, as_json=as_json) for job_id in (job.id, *job.siblings))
