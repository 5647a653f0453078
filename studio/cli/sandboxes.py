"""`studio sandboxes`: what this studio has started on this machine's engines, and its removal by hand."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict

import click

from studio.database import open_database
from studio.jobs import sweeping
from studio.sandboxes.housekeeping import Housekeeping
from studio.sandboxes.records import COMMAND_LINE
from studio.settings import Settings


@click.group("sandboxes")
def command() -> None:
    """The sandboxes of this studio: list them, or remove what no live job has."""


@command.command("ls")
@click.option("--json", "as_json", is_flag=True, help="Machine-readable.")
def listing(as_json: bool) -> None:
    """List the sandboxes of this studio, whatever engine they run on."""
    settings = Settings()
    listed = Housekeeping(settings).listed()
    lives = _living(settings)
    rows = [
        {**asdict(one), "owned": one.starter_lives is not False and (one.owner == COMMAND_LINE or lives(one.owner))}
        for one in listed.started
    ]
    for name, reason in listed.not_asked.items():
        if settings.engine == name:
            click.echo(f"{name} was not asked: {reason}", err=True)
    if as_json:
        click.echo(json.dumps(rows, indent=2))
        return
    if not rows:
        click.echo("No sandbox of this studio is there.")
    for row in rows:
        state = "runs" if row["runs"] else "has ended"
        owner = "the command line" if row["owner"] == COMMAND_LINE else f"job {row['owner']}"
        left = "" if row["owned"] else ", left behind: `studio sandboxes reap` removes it"
        click.echo(f"{row['id']}  {row['engine']:<6}  {state}, of {owner}, started by process {row['starter']}{left}")


@command.command()
@click.option("--all", "everything", is_flag=True, help="Also what live jobs have; those jobs are made again.")
def reap(everything: bool) -> None:
    """Remove the sandboxes that no live job has, as upkeep does."""
    settings = Settings()
    keeping = Housekeeping(settings)
    removed = keeping.remove_all() if everything else keeping.reap(_living(settings))
    for name in removed:
        click.echo(f"removed {name}")
    if not removed:
        click.echo("Nothing to remove.")


def _living(settings: Settings) -> Callable[[str], bool]:
    """Does a worker hold this job now?"""
    db = open_database(settings)
    db.migrate()
    return lambda owner: bool(sweeping.living(db, [owner]))
