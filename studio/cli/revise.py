"""`studio revise`: the next version of a work, by a person's words."""

from __future__ import annotations

import click

from studio.brief import JsonObject
from studio.cli.assignments import assign, with_hints
from studio.cli.remote import connect, describe, follow, page_of, remote_options
from studio.errors import BriefError


@click.command()
@click.argument("job_id", metavar="JOB")
@click.argument("words")
@click.option("--model", help="Who changes it: a name of studio.toml or openai:MODEL. [default: who made it]")
@click.option("--run", "runs", multiple=True, metavar="PATH=VALUE", help="Set a run option, e.g. limits.steps=20.")
@click.option("--watch", is_flag=True, help="Tell what happens until it has ended; the exit code says how.")
@click.option("--json", "as_json", is_flag=True, help="Print the job as JSON; with --watch its events, one a line.")
@remote_options
def command(
    job_id: str,
    words: str,
    model: str | None,
    runs: tuple[str, ...],
    watch: bool,
    as_json: bool,
    url: str | None,
    key: str | None,
) -> int:
    """Have a model change what JOB made, accepted or not, as WORDS say. It starts from its files and programs."""
    run: JsonObject = {}
    read_as_json = assign(run, runs, "run")
    if model is not None:
        run["model"] = model
    with connect(url, key) as studio:
        try:
            job = studio.revise(job_id, words, run=run or None)
        except BriefError as error:
            raise with_hints(error, read_as_json) from None
        if watch:
            return follow(studio, job.id, as_json=as_json)
        click.echo(job.model_dump_json(by_alias=True) if as_json else job.id)
        click.echo(f"{describe(job)}\n{page_of(studio, job)}", err=True)
        return 0
