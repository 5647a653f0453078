"""`studio bench web`: what the pages cost when the gallery is full, in a studio of its own that is gone afterwards."""

from __future__ import annotations

import json
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import click
import httpx

from studio import jobs
from studio.bench import seeding
from studio.bench import web as pages
from studio.blobs import open_blobs
from studio.brief import JobRequest
from studio.cli.supervisor import listen, web_argv
from studio.database import Database, open_database
from studio.errors import ConfigurationError
from studio.kinds import get_kind
from studio.settings import Settings

START_S = 30.0


@click.command("web")
@click.option("--few", type=click.IntRange(30, 10_000), default=pages.FEW, show_default=True, help="Works at first.")
@click.option("--many", type=click.IntRange(100, 1_000_000), default=pages.MANY, show_default=True, help="Works then.")
@click.option("--rounds", type=click.IntRange(5, 1000), default=pages.ROUNDS, show_default=True, help="Of each page.")
@click.option("--streams", type=click.IntRange(1, 200), default=pages.STREAMS, show_default=True)
@click.option(
    "--database-url", "urls", multiple=True, help="Twice: two empty databases; default: SQLite in two new folders."
)
@click.option("--json", "as_json", is_flag=True, help="Machine-readable.")
def command(few: int, many: int, rounds: int, streams: int, urls: tuple[str, ...], as_json: bool) -> None:
    """Pages of the gallery at few and at many works, and while event streams are open."""
    if len(urls) not in (0, 2):
        raise click.UsageError("give --database-url twice, or not at all")
    everything = pages.QUESTIONS | pages.BESIDE
    with ExitStack() as stack:
        small = stack.enter_context(_studio(few, urls[0] if urls else None))
        large = stack.enter_context(_studio(many, urls[1] if urls else None))
        paces = pages.ask(small.http, large.http, everything, rounds)
        path = f"/api/v1/jobs/{large.running}/events"
        open_ones = pages.with_streams(large.http, "127.0.0.1", large.port, path, streams, rounds)
    if as_json:
        click.echo(json.dumps(pages.as_json(paces, open_ones), indent=2))
    else:
        judged, beside = ({name: paces[name] for name in part} for part in (pages.QUESTIONS, pages.BESIDE))
        click.echo(pages.table(judged, beside, open_ones, few, many))


@dataclass(frozen=True)
class _Studio:
    """A studio that is served: a client of it, its port, and the id of a job that runs."""

    http: httpx.Client
    port: int
    running: str


@contextmanager
def _studio(works: int, database_url: str | None) -> Iterator[_Studio]:
    """A studio with so many works, in a folder that is gone afterwards."""
    with tempfile.TemporaryDirectory(prefix="studio-bench-") as scratch, listen("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        changed = {"data_dir": Path(scratch), "database_url": database_url, "broker_url": None, "host": "127.0.0.1"}
        settings = Settings().model_copy(update={**changed, "port": port})
        db = open_database(settings)
        try:
            db.migrate()
            _refuse_used(db)
            started = time.monotonic()
            running = _seeded(db, settings, works)
            click.echo(f"{works:,} works, seeded in {time.monotonic() - started:.0f} s", err=True)
            with _serving(settings, listener) as http:
                yield _Studio(http, port, running)
        finally:
            db.close()


def _refuse_used(db: Database) -> None:
    """Raises ConfigurationError where somebody's work is in it."""
    if jobs.list_jobs(db, limit=1).data:
        raise ConfigurationError("--database-url: this database is in use; give an empty one")


def _seeded(db: Database, settings: Settings, works: int) -> str:
    """The works, and a job that runs, for the streams; its id."""
    seeding.seed(db, open_blobs(settings), works, lambda text: click.echo(text, err=True))
    brief = get_kind("poster").samples()[0].brief
    job = jobs.create(db, JobRequest(brief=brief), settings, caller="bench")
    jobs.claim(db, job.id, "bench", 86_400.0)
    return job.id


@contextmanager
def _serving(settings: Settings, listener: socket.socket) -> Iterator[httpx.Client]:
    """The web process of these settings for the time of the block, and a client of it. Raises ConfigurationError."""
    changed = {"database_url": settings.database_url or "", "broker_url": "", "public_url": ""}
    own = settings.environment(**changed, content_origin="http://{token}.localhost")
    with (settings.data_dir / "web.log").open("wb") as log:
        server = subprocess.Popen(
            web_argv(listener),
            env=own,
            pass_fds=(listener.fileno(),),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )
    host = {"Host": f"localhost:{settings.port}"}
    try:
        with httpx.Client(base_url=f"http://127.0.0.1:{settings.port}", headers=host, timeout=60) as http:
            _wait(http, server)
            yield http
    finally:
        server.terminate()
        server.wait(30)


def _wait(http: httpx.Client, server: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + START_S
    while time.monotonic() < deadline and server.poll() is None:
        try:
            if http.get("/healthz").status_code == 200:
                return
        except httpx.TransportError:
            pass
        time.sleep(0.1)
    raise ConfigurationError("the web server of the measurement does not answer")
