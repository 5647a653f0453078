"""`studio remix`: another work like an accepted one, by its recipe."""

from __future__ import annotations

from pathlib import Path

import click

from studio.brief import MAX_SEED, JsonObject
from studio.cli.assignments import assign, with_hints
from studio.cli.order import read_brief_file
from studio.cli.remote import connect, describe, follow, page_of, remote_options
from studio.errors import BriefError


@click.command()
@click.argument("some_id", metavar="ID")
@click.option("--brief", "brief_file", type=click.Path(path_type=Path), help="A whole brief (JSON) instead of the old.")
@click.option(
    "--set", "sets", multiple=True, metavar="PATH=VALUE", help="Change a value of the brief: params.name=Mia."
)
@click.option("--run", "runs", multiple=True, metavar="PATH=VALUE", help="Set a run option, e.g. limits.time_s=60.")
@click.option("--seed", type=click.IntRange(0, MAX_SEED), help="Another number gives another design.")
@click.option("--wait", is_flag=True, help="Tell what happens until it has ended; the exit code says how.")
@click.option("--json", "as_json", is_flag=True, help="Print the job as JSON; with --wait its events, one a line.")
@remote_options
def command(
    some_id: str,
    brief_file: Path | None,
    sets: tuple[str, ...],
    runs: tuple[str, ...],
    seed: int | None,
    wait: bool,
    as_json: bool,
    url: str | None,
    key: str | None,
) -> int:
    """Make another work like that of ID, an accepted job or its artifact. No model takes part.

    The brief is the old one with what --set changes; its recipe makes it, and its own contract judges it. An unchanged
    seed keeps the design.
    """
    run: JsonObject = {}
    assign(run, runs, "run")
    if seed is not None:
        run["seed"] = seed
    with connect(url, key) as studio:
        job_id = studio.job_of(some_id)
        brief = read_brief_file(brief_file) if brief_file else studio.job(job_id).brief.model_dump(mode="json")
        before = dict(brief)
        read_as_json = assign(brief, sets, "brief")
        if brief_file is None and brief.get("title") == before.get("title"):
            brief.pop("title", None)  # the studio knows whether it follows from the parameters
        try:
            job = studio.remix(job_id, **({"brief": brief} if brief_file else {"patch": brief}), run=run)
        except BriefError as error:
            raise with_hints(error, read_as_json) from None
        if not wait:
            click.echo(job.model_dump_json(by_alias=True) if as_json else job.id)
            click.echo(f"{describe(job)}\n{page_of(studio, job)}", err=True)
            return 0
        return follow(studio, job.id, as_json=as_json)
