"""`studio engine-proxy`: stands between workers in containers and a Docker engine's socket."""

from __future__ import annotations

import grp
import logging
import secrets
import signal
import threading
from pathlib import Path

import click

from studio.engine_proxy import EngineProxy
from studio.engine_proxy.bodies import Admitted
from studio.errors import ConfigurationError
from studio.sandboxes.image.contained import name_of
from studio.settings import Settings

UNIX = "unix://"


@click.command("engine-proxy")
@click.option("--listen", type=click.Path(path_type=Path), required=True, help="The Unix socket for workers.")
@click.option("--name", help="Marks its containers; default: one that is drawn and kept beside the socket.")
@click.option("--group", help="Group that may speak to it; default: this process's own.")
def command(listen: Path, name: str | None, group: str | None) -> None:
    """Admit the studio's own requests to the Docker engine at STUDIO_DOCKER_HOST, and no others."""
    settings = Settings()
    logging.basicConfig(level=settings.log_level.upper(), format="%(asctime)s %(levelname)s %(name)s: %(message)s")
    if not settings.docker_host.startswith(UNIX):
        raise ConfigurationError("STUDIO_DOCKER_HOST: the proxy reaches an engine by unix:///…")
    admitted = Admitted(
        images=frozenset({name_of("full"), name_of("minimal")}),
        memory_bytes=settings.max_memory_mb << 20,
        runtime=settings.docker_runtime,
    )
    engine = Path(settings.docker_host.removeprefix(UNIX))
    try:
        name = name or _kept_name(listen.with_name("name"))
        members = grp.getgrnam(group).gr_gid if group else None
        server = EngineProxy(listen, engine, admitted, name, members)
    except (OSError, KeyError) as error:
        raise ConfigurationError(f"cannot listen at {listen}: {error}") from None
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: threading.Thread(target=server.shutdown).start())
    click.echo(f"Engine proxy {name}: {listen}", err=True)
    with server:
        server.serve_forever()
    listen.unlink(missing_ok=True)


def _kept_name(path: Path) -> str:
    """A name of its own for each place, so that two studios on one engine do not touch each other's containers."""
    if not path.exists():
        path.write_text(secrets.token_hex(8), encoding="ascii")
    return path.read_text(encoding="ascii").strip()
