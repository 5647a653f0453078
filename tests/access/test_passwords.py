"""The operator's password: what is kept of it, who it lets in, and how often one may be wrong."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import select, update

from studio import audit, keys, passwords
from studio.database import Database
from studio.database.access_tables import PasswordRow, SignInTryRow
from studio.errors import BriefError
from studio.trajectory import now
from tests.conftest import Stores

WORDS = "seven quiet herons at dawn"


@pytest.fixture
def db(tmp_path: Path, stores: Stores) -> Iterator[Database]:
    database = Database(stores.get("database_url") or f"sqlite:///{tmp_path / 'studio.sqlite3'}")
    database.migrate()
    yield database
    database.close()


def test_only_the_password_lets_in_and_only_its_hash_is_kept(db: Database) -> None:
    assert not passwords.is_set(db)
    assert passwords.enter(db, "", "1.2.3.4").stamp is None
    passwords.set_password(db, WORDS)
    with db.reading() as session:
        kept = session.scalars(select(PasswordRow.hash)).one()
    assert kept.startswith("$argon2id$")
    assert WORDS not in kept
    assert passwords.enter(db, WORDS, "1.2.3.4").stamp == passwords.stamp(db)
    assert passwords.enter(db, WORDS.upper(), "1.2.3.4").stamp is None
    assert passwords.enter(db, WORDS * 1000, "1.2.3.4").stamp is None
    actions = [(entry.action, entry.words) for entry in audit.entries(db).data]
    assert ("sign_in", "by password, from 1.2.3.4") in actions
    assert ("sign_in.failed", "by password, from 1.2.3.4") in actions


def test_another_password_ends_what_the_old_one_opened(db: Database) -> None:
    passwords.set_password(db, WORDS)
    before = passwords.stamp(db)
    passwords.set_password(db, WORDS + "!")
    assert passwords.stamp(db) not in (None, before)
    assert passwords.enter(db, WORDS, "a").stamp is None
    assert passwords.remove_password(db)
    assert not passwords.remove_password(db)
    assert passwords.enter(db, WORDS + "!", "a").stamp is None


@pytest.mark.parametrize("text", ["", "short words", "x" * 1001])
def test_a_short_or_endless_password_is_refused(db: Database, text: str) -> None:
    with pytest.raises(BriefError, match="12 to 1000"):
        passwords.set_password(db, text)


def test_after_five_wrong_ones_even_the_right_one_waits_from_that_address(db: Database) -> None:
    passwords.set_password(db, WORDS)
    for _ in range(5):
        assert passwords.enter(db, "wrong", "9.9.9.9") == passwords.Entered()
    refused = passwords.enter(db, WORDS, "9.9.9.9")
    assert refused.stamp is None
    assert 0 < refused.wait_s <= 15 * 60 + 1
    assert passwords.enter(db, WORDS, "8.8.8.8").stamp, "another address is not kept out"
    with db.session() as session:
        session.execute(update(SignInTryRow).values(created_at=now() - timedelta(minutes=16)))
    assert passwords.enter(db, WORDS, "9.9.9.9").stamp


def test_keys_and_sign_ins_are_in_the_audit_log(db: Database) -> None:
    view, _ = keys.create(db, "robot", ["read"])
    keys.revoke(db, "robot")
    token = keys.sign_in_token(db)
    assert keys.use_sign_in(db, token)
    assert not keys.use_sign_in(db, token)
    assert [(entry.action, entry.subject) for entry in audit.entries(db).data] == [
        ("sign_in", "operator"),
        ("key.revoke", view.id),
        ("key.create", view.id),
    ]
