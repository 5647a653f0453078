"""`studio health`: does what a part of a studio needs answer? For the health checks of containers."""

from __future__ import annotations

from collections.abc import Callable

import click
import httpx

from studio import keys
from studio.database import open_database
from studio.errors import ConfigurationError
from studio.sandboxes import engine_for
from studio.settings import Settings
from tasks.app import reach

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


def _database(settings: Settings) -> None:
    database = open_database(settings)
    try:
        keys.any_valid(database)
    finally:
        database.close()


def _web(settings: Settings) -> None:
    url = f"http://127.0.0.1:{settings.port}/healthz"
    httpx.get(url, timeout=ANSWER_S, trust_env=False).raise_for_status()


LOOKS: dict[str, Callable[[Settings], object]] = {
    "web": _web,
    "database": _database,
    "queue": lambda settings: reach(settings) if settings.broker_url else None,
    "engine": lambda settings: engine_for(settings).image_digest(),
}
