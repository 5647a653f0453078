"""`studio watch`: read along while a job is worked."""

from __future__ import annotations

import click

from studio.cli.remote import connect, follow, remote_options


@click.command()
@click.argument("job_id", metavar="JOB")
@click.option("--json", "as_json", is_flag=True, help="Print each event as JSON, one a line.")
@remote_options
def command(job_id: str, as_json: bool, url: str | None, key: str | None) -> int:
    """Tell what happens in a job until it has ended.

    Exit code: 0 published, 3 rejected, 4 failed, canceled or expired, 5 inspector error.
    """
    with connect(url, key) as studio:
        return follow(studio, job_id, as_json=as_json)
