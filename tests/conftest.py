"""The two pairs of stores that a studio can stand on: files in its data directory, or PostgreSQL and Redis."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count
from typing import TypeAlias

import pytest

from tests.support import servers
from tests.support.servers import Postgres

Stores: TypeAlias = dict[str, str]

EMBEDDED, SERVERS = "embedded", "servers"
BOTH = (EMBEDDED, pytest.param(SERVERS, marks=pytest.mark.thorough))
_numbers = count()


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    """A PostgreSQL server for the time of the tests."""
    if not servers.are_installed():
        pytest.skip(servers.MISSING)
    with servers.postgres() as server:
        yield server


@pytest.fixture(scope="session")
def redis() -> Iterator[str]:
    """A Redis server for the time of the tests."""
    if not servers.are_installed():
        pytest.skip(servers.MISSING)
    with servers.redis() as url:
        yield url


@pytest.fixture(params=BOTH)
def stores(request: pytest.FixtureRequest) -> Iterator[Stores]:
    """The settings that choose a pair of stores, which are this test's alone; the servers' in CI."""
    if request.param == EMBEDDED:
        yield {}
        return
    server: Postgres = request.getfixturevalue("postgres")
    broker: str = request.getfixturevalue("redis")
    url = server.migrated()
    yield {"database_url": url, "broker_url": f"{broker}{next(_numbers)}"}
    server.drop(url)
