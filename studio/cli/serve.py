"""`studio serve`: one part of a studio in the foreground, for containers and for machines of their own.

All parts that share a database, a queue and the files of a data directory are one studio. `studio up` is the same on
one machine, all parts under one supervisor.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

import click

from studio.cli.supervisor import listen, web_argv
from studio.cli.up import refuse_unprotected, site_words
from studio.database import Database, open_database
from studio.errors import ConfigurationError
from studio.settings import Settings
from tasks.app import worker_argv
from tasks.upkeep import upkeep_argv

PARTS = ("web", "worker", "upkeep")


@click.command()
@click.argument("part", type=click.Choice(PARTS))
@click.option("--threads", type=click.IntRange(1, 4096), default=256, show_default=True, help="Of the web process.")
def command(part: str, threads: int) -> None:
    """Run one PART of a studio in this process: web, worker or upkeep. Ends by SIGTERM."""
    settings = Settings()
    _make_folder(settings)
    database = open_database(settings)
    database.migrate()  # whichever part is first; the others wait for it
    starts: dict[str, Callable[[], None]] = {
        "web": lambda: _web(settings, database, threads),
        "worker": lambda: _worker(settings),
        "upkeep": lambda: _become(upkeep_argv(settings), settings.environment()),
    }
    starts[part]()


def _make_folder(settings: Settings) -> None:
    try:
        settings.data_dir.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigurationError(f"STUDIO_DATA_DIR: {settings.data_dir} cannot be written: {error.strerror}") from None


def _web(settings: Settings, database: Database, threads: int) -> None:
    listener = listen(settings.host, settings.port, tries=1)  # whoever stands before it knows this one
    port = listener.getsockname()[1]
    for line in site_words(settings, database, port):
        click.echo(line)
    database.close()
    listener.set_inheritable(True)
    _become(web_argv(listener, threads), settings.environment(port=str(port)))


def _worker(settings: Settings) -> None:
    refuse_unprotected(settings, "a worker for others' jobs")
    _become(worker_argv(settings), settings.environment())


def _become(argv: list[str], environment: dict[str, str]) -> None:
    """Go on as another program, under the same process number: signals reach it, and its end is this one's."""
    sys.stdout.flush()
    os.execve(argv[0], argv, environment)
