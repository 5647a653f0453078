"""`studio health`: does what a part of a studio needs answer? For the health checks of containers.

It runs every minute, so each look imports only what it takes itself.
"""

from __future__ import annotations

import urllib.request
from collections.abc import Callable

import click

from studio.errors import ConfigurationError
from studio.settings import Settings

ANSWER_S = 10.0


@click.command()
@click.argument("names", nargs=-1, required=True, type=click.Choice(["web", "database", "queue", "engine"]))
def command(names: tuple[str, ...]) -> int:
    """Look at each of NAMES as this process is set up. Status 0: all of them answer; 4: one does not."""
    settings = Settings()
    missing = {name: words for name in names if (words := _look(name, settings))}
    for name, words in missing.items():
        click.echo(f"{name}: {words}", err=True)
    return 4 if missing else 0


def _look(name: str, settings: Settings) -> str:
    """What is wrong with it; "" where nothing is."""
    try:
        LOOKS[name](settings)
    except ConfigurationError as error:
        return str(error)
    except Exception as error:  # whatever the part's own library raises means that it is not there
        return f"does not answer ({type(error).__name__})"
    return ""


def _web(settings: Settings) -> None:
    direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    with direct.open(f"http://127.0.0.1:{settings.port}/healthz", timeout=ANSWER_S) as answer:
        answer.read()


def _database(settings: Settings) -> None:
    from studio import keys
    from studio.database import open_database

    database = open_database(settings)
    try:
        keys.any_valid(database)
    finally:
        database.close()


def _queue(settings: Settings) -> None:
    from tasks.app import reach

    if settings.broker_url:
        reach(settings)


def _engine(settings: Settings) -> None:
    from studio.sandboxes import engine_for

    engine_for(settings).image_digest()


LOOKS: dict[str, Callable[[Settings], None]] = {
    "web": _web,
    "database": _database,
    "queue": _queue,
    "engine": _engine,
}
