"""`studio reproduce`: a job's recorded calls again in a fresh sandbox, and what they make compared."""

from __future__ import annotations

import click

from studio.cli.recording import printable
from studio.cli.remote import connect, describe, follow, page_of, remote_options
from studio.errors import NotFound

DIFFERS = 3


@click.command()
@click.argument("some_id", metavar="ID")
@click.option("--wait", is_flag=True, help="Tell what happens until it has ended, and how its files compare.")
@click.option("--json", "as_json", is_flag=True, help="Print the job as JSON; with --wait its events, one a line.")
@remote_options
def command(some_id: str, wait: bool, as_json: bool, url: str | None, key: str | None) -> int:
    """Do the recorded calls of ID, a job or its artifact, again in a fresh sandbox, and compare what they make.

    With --wait the exit code is 0 where every file is the same or alike, 3 where one differs.
    """
    with connect(url, key) as studio:
        job = studio.reproduce(studio.job_of(some_id))
        if not wait:
            click.echo(job.model_dump_json(by_alias=True) if as_json else job.id)
            click.echo(f"{describe(job)}\n{page_of(studio, job)}", err=True)
            return 0
        code = follow(studio, job.id, as_json=as_json)
        try:
            found = studio.reproduction(job.id)
        except NotFound:
            return code
        for file in found.files:
            detail = f"  {printable(file.detail, 200)}" if file.detail else ""
            click.echo(f"{file.verdict}  {printable(file.path, 200)}{detail}", err=True)
        return DIFFERS if found.verdict == "differs" else 0
