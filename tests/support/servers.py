"""PostgreSQL and Redis from Debian's packages, each started on a Unix socket in a folder of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy import create_engine, text

from studio.database import Database

NOBODY = 65534
TEMPLATE = "studio_template"
MISSING = "PostgreSQL or Redis is not installed: apt-get install postgresql redis-server"


def postgres_programs() -> Path | None:
    """The folder of the newest PostgreSQL's programs (Debian keeps them by version), or None."""
    found = [path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/postgres")]
    return max(found, key=lambda path: int(path.parent.name), default=None)


def are_installed() -> bool:
    return postgres_programs() is not None and shutil.which("redis-server") is not None


@contextmanager
def private_folder() -> Iterator[Path]:
    """A folder with a short name, which a socket's address needs, that belongs to whoever runs the servers."""
    folder = Path(tempfile.mkdtemp(prefix="studio-", dir="/tmp"))  # noqa: S108
    if os.geteuid() == 0:
        os.chown(folder, NOBODY, NOBODY)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def unprivileged(argv: Sequence[str]) -> list[str]:
    """The same command as another user, where this is root: PostgreSQL does not run as root."""
    if os.geteuid() != 0:
        return list(argv)
    return ["setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", *argv]


@contextmanager
def running(argv: Sequence[str], folder: Path, answers: Callable[[], bool]) -> Iterator[None]:
    """A server until the block is left; it is there when `answers` says so."""
    with (folder / "log").open("wb") as log:
        process = subprocess.Popen(unprivileged(argv), cwd=folder, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    try:
        for _ in range(600):
            if answers():
                break
            assert process.poll() is None, (folder / "log").read_text("utf-8", "replace")[-2000:]
            time.sleep(0.05)
        else:
            raise AssertionError(f"{argv[0]} does not answer")
        yield
    finally:
        process.terminate()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


class Postgres:
    """A server whose databases are copies of one that has the tables already."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._admin = create_engine(self.url("postgres"), isolation_level="AUTOCOMMIT", pool_size=1)

    def url(self, name: str) -> str:
        return f"postgresql+psycopg://studio@/{name}?host={self.folder}"

    def answers(self) -> bool:
        try:
            with self._admin.connect():
                return True
        except Exception:  # the driver's own error, which only the database package knows
            return False

    def empty(self, like: str = "template0") -> str:
        """The URL of a new database."""
        name = f"t_{uuid.uuid4().hex[:12]}"
        with self._admin.connect() as connection:
            connection.execute(text(f"CREATE DATABASE {name} TEMPLATE {like}"))
        return self.url(name)

    def migrated(self) -> str:
        """The URL of a new database with the tables in it."""
        return self.empty(TEMPLATE)

    def prepare(self) -> None:
        with self._admin.connect() as connection:
            connection.execute(text(f"CREATE DATABASE {TEMPLATE}"))
        made = Database(self.url(TEMPLATE))
        made.migrate()
        made.close()

    def drop(self, url: str) -> None:
        name = url.partition("@/")[2].partition("?")[0]
        with self._admin.connect() as connection:
            connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))

    def close(self) -> None:
        self._admin.dispose()


@contextmanager
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL server. Its texts sort as people sort them, not byte by byte, as many servers' do."""
    programs = postgres_programs()
    assert programs is not None
    with private_folder() as folder:
        made = [str(programs / "initdb"), "--pgdata", str(folder / "data"), "--username=studio", "--auth=trust"]
        made += ["--no-sync", "--encoding=UTF8", "--locale-provider=icu", "--icu-locale=en-US", "--locale=C.UTF-8"]
        done = subprocess.run(unprivileged(made), cwd=folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        argv = [str(programs / "postgres"), "-D", str(folder / "data"), "-k", str(folder)]
        for option in ("listen_addresses=", "fsync=off", "max_connections=300", "shared_buffers=32MB"):
            argv += ["-c", option]
        server = Postgres(folder)
        with running(argv, folder, server.answers):
            server.prepare()
            yield server
            server.close()


@contextmanager
def redis() -> Iterator[str]:
    """A Redis server; its broker URL without the number of a database."""
    with private_folder() as folder:
        socket = folder / "redis.sock"
        argv = ["redis-server", "--port", "0", "--unixsocket", str(socket), "--save", "", "--dir", str(folder)]
        with running([*argv, "--databases", "1000"], folder, socket.exists):
            yield f"redis+socket://{socket}?virtual_host="
