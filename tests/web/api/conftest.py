"""Two studios: one that is open to its machine, one that asks for keys."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import httpx
import pytest

from studio import keys
from studio.database import Database
from tests.web.served import Served, served


@pytest.fixture(scope="session")
def opened(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A studio on loopback without a key: open to this machine."""
    with served(tmp_path_factory.mktemp("open")) as studio:
        yield studio


@pytest.fixture(scope="session")
def http(opened: Served) -> httpx.Client:
    return opened.http


@dataclass
class Keyed:
    """A studio that asks for keys; the texts of one key for each scope, one that is revoked, a sign-in token."""

    studio: Served
    keys: dict[str, str]
    sign_in: str


@dataclass
class Prepared:
    keys: dict[str, str] = field(default_factory=dict)
    sign_in: str = ""

    def __call__(self, db: Database) -> None:
        for scope in ("read", "create", "admin", "revoked"):
            view, text = keys.create(db, scope, ["create" if scope == "revoked" else scope])
            self.keys[scope] = text
            if scope == "revoked":
                keys.revoke(db, view.id)
        self.sign_in = keys.sign_in_token(db)


@pytest.fixture(scope="session")
def keyed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Keyed]:
    """A studio that is bound as off loopback (the test itself reaches it on loopback)."""
    prepared = Prepared()
    with served(tmp_path_factory.mktemp("keyed"), prepare=prepared, host="0.0.0.0") as studio:  # noqa: S104
        yield Keyed(studio, prepared.keys, prepared.sign_in)
