"""`studio up`: web, worker and upkeep under one supervisor."""

from __future__ import annotations

import ipaddress
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import click

from studio.cli.supervisor import Supervisor, hold, listen, web_argv
from studio.database import Database, open_database
from studio.errors import ConfigurationError
from studio.keys import sign_in_token
from studio.sandboxes import engine_for
from studio.settings import Settings
from tasks.app import worker_argv
from tasks.upkeep import upkeep_argv
from web.security import is_open
from web.security_hosts import Site


def is_loopback(host: str) -> bool:
    """Is `host` an address that only this machine can reach?"""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def is_any(host: str) -> bool:
    """Does `host` stand for all addresses of this machine, so that no browser can open it by that name?"""
    try:
        return ipaddress.ip_address(host).is_unspecified
    except ValueError:
        return False


@dataclass(frozen=True)
class Serving:
    """A web process that answers: its settings with the port that it really has, and its URL."""

    settings: Settings
    url: str


def serve_web(supervisor: Supervisor, say: Callable[[str], None]) -> Serving:
    """Migrate the database, take a port, start the web process, and say the URL."""
    settings = supervisor.settings
    Site.of(settings)  # raises here, not in a child, what contradicts itself
    database = open_database(settings)
    database.migrate()
    listener = supervisor.keep(listen(settings.host, settings.port))
    port = listener.getsockname()[1]
    if settings.port and port != settings.port:
        say(f"Port {settings.port} is taken; using {port}.")
    supervisor.add("web", web_argv(listener), pass_fds=(listener.fileno(),), port=str(port))
    for line in site_words(settings, database, port):
        say(line)
    return Serving(settings.model_copy(update={"port": port}), site_url(settings, port))


def site_url(settings: Settings, port: int) -> str:
    """The address by which people open the studio. Raises ConfigurationError."""
    shown = "localhost" if is_loopback(settings.host) or is_any(settings.host) else settings.host
    return Site.of(settings).public or f"http://{f'[{shown}]' if ':' in shown else shown}:{port}"


def site_words(settings: Settings, database: Database, port: int) -> list[str]:
    """What the start says: the address, and how to sign in where that is needed. Raises ConfigurationError."""
    url = site_url(settings, port)
    words = [f"Sandbox Studio: {url}"]
    if is_any(settings.host) and not Site.of(settings).public:
        words.append(f"It listens on every address of this machine ({settings.host}); from another one, use its name.")
    if not is_open(Site.of(settings), database):
        words.append(f"Sign in once, within an hour: {url}/sign-in/{sign_in_token(database)}")
    return words


def serve_jobs(supervisor: Supervisor, port: int) -> None:
    """Start the worker and upkeep."""
    supervisor.add("worker", worker_argv(supervisor.settings), port=str(port))
    supervisor.add("upkeep", upkeep_argv(supervisor.settings), port=str(port))


def require_protections(settings: Settings) -> None:
    """Off loopback, refuse to start where a protection is missing, unless the operator allows it."""
    if not is_loopback(settings.host):
        refuse_unprotected(settings, f"on {settings.host}")


def refuse_unprotected(settings: Settings, place: str) -> None:
    """Raises ConfigurationError where a protection is missing, unless the operator allows it."""
    if settings.allow_unprotected:
        return
    missing = [item for item in engine_for(settings).protections() if item.required and not item.holds]
    if missing:
        words = "; ".join(f"{item.name}: {item.remedy or item.how}" for item in missing)
        raise ConfigurationError(
            f"Not starting {place}, as protections are missing here. {words}. "
            "Mend them (`studio doctor`), or set STUDIO_ALLOW_UNPROTECTED=1 if you know what that means."
        )


@click.command()
@click.option("--host", help="Address to listen on (STUDIO_HOST).")
@click.option("--port", type=int, help="Port; a taken one moves on to the next (STUDIO_PORT).")
@click.option("--data-dir", type=click.Path(path_type=Path), help="Where everything is kept (STUDIO_DATA_DIR).")
def command(host: str | None, port: int | None, data_dir: Path | None) -> None:
    """Serve the studio on this machine: web, worker and upkeep."""
    changed = {"host": host, "port": port, "data_dir": data_dir}
    settings = Settings(**{name: value for name, value in changed.items() if value is not None})  # type: ignore[arg-type]
    require_protections(settings)
    with hold(settings.data_dir) as lock, Supervisor(settings, lambda text: click.echo(text, err=True)) as supervisor:
        serving = serve_web(supervisor, click.echo)
        lock.seek(0)
        lock.truncate()
        lock.write(serving.url)
        lock.flush()
        serve_jobs(supervisor, serving.settings.port)
        supervisor.run()
        click.echo("Stopping…", err=True)
