"""The web application behind a real server: gunicorn as `studio up` starts it, on a port of its own."""

from __future__ import annotations

import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from studio import gallery, jobs
from studio.blobs import open_blobs
from studio.cli.supervisor import listen, web_argv
from studio.database import Database, open_database
from studio.jobs import JobEnd
from studio.settings import Settings
from tests.web.seeding import Seed


@dataclass(frozen=True)
class Served:
    """A studio that answers at `url`; `seed` puts jobs into it as a worker would."""

    url: str
    port: int
    settings: Settings
    db: Database
    seed: Seed
    http: httpx.Client  # sends `Host: localhost:PORT`
    server: subprocess.Popen[bytes]

    def publish(self, job_id: str) -> None:
        """Work a queued job to its end, as a worker would."""
        claim = jobs.claim(self.db, job_id, "worker-test", 3600.0)
        assert claim is not None
        self.seed.work(claim)
        end = JobEnd("published", report=self.seed.report(claim), files=self.seed.files(claim.brief.title))
        assert gallery.publish(self.db, claim, end)

    @property
    def log(self) -> str:
        return (self.settings.data_dir / "web.log").read_text(encoding="utf-8")


@contextmanager
def served(folder: Path, *, prepare: Callable[[Database], None] | None = None, **given: object) -> Iterator[Served]:
    """A studio on an empty data directory; `given` are settings, `prepare` gets the database before the start."""
    with listen("127.0.0.1", 0) as listener:
        port = listener.getsockname()[1]
        settings = Settings.model_validate({"data_dir": folder, "image_dir": folder / "images", **given, "port": port})
        db = open_database(settings)
        db.migrate()
        if prepare is not None:
            prepare(db)
        names = {name: str(value) for name, value in given.items()}
        with (folder / "web.log").open("wb") as log:
            server = subprocess.Popen(
                web_argv(listener),
                env=settings.environment(port=str(port), **names),
                pass_fds=(listener.fileno(),),
                stdout=log,
                stderr=log,
            )
    url = f"http://localhost:{port}"
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", headers={"Host": f"localhost:{port}"}, timeout=30) as http:
        try:
            _wait(http, server)
            yield Served(url, port, settings, db, Seed(db, open_blobs(settings), settings), http, server)
        finally:
            server.terminate()
            server.wait(30)
            db.close()


def _wait(http: httpx.Client, server: subprocess.Popen[bytes]) -> None:
    for _ in range(300):
        try:
            if http.get("/healthz").status_code == 200:
                return
        except httpx.TransportError:
            pass
        assert server.poll() is None, "the web server ended"
        time.sleep(0.1)
    raise AssertionError("the web server does not answer")
