"""`studio status`: how a job is."""

from __future__ import annotations

import click

from studio.cli.remote import connect, describe, page_of, plain, remote_options


@click.command()
@click.argument("job_id", metavar="JOB")
@click.option("--json", "as_json", is_flag=True, help="Print the job as JSON.")
@remote_options
def command(job_id: str, as_json: bool, url: str | None, key: str | None) -> None:
    """Say how a job is. The exit code is 0 whatever its state."""
    with connect(url, key) as studio:
        job = studio.job(job_id)
        if as_json:
            click.echo(job.model_dump_json(by_alias=True))
            return
        click.echo(describe(job))
        if job.message:
            click.echo(plain(job.message))
        for finding in job.report.failed if job.report else ():
            click.echo(f"  {finding.severity} {finding.id}: {plain(finding.message)}")
        click.echo(page_of(studio, job))
