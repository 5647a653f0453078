"""`studio cancel`: end a job."""

from __future__ import annotations

import click

from studio.cli.remote import connect, describe, remote_options


@click.command()
@click.argument("job_id", metavar="JOB")
@click.option("--json", "as_json", is_flag=True, help="Print the job as JSON.")
@remote_options
def command(job_id: str, as_json: bool, url: str | None, key: str | None) -> None:
    """Cancel a job. One that has ended stays as it is, so a second cancel changes nothing."""
    with connect(url, key) as studio:
        job = studio.cancel(job_id)
        click.echo(job.model_dump_json(by_alias=True) if as_json else describe(job))
