"""Who may see a work: operators, whoever has its link, everybody; and works that are shown no more."""

from __future__ import annotations

import pytest

from studio import audit, gallery
from studio.database import Database
from studio.errors import Conflict, NotFound
from studio.gallery import Audience, Wanted
from tests.gallery.conftest import Publish


def titles(db: Database, audience: Audience = "everyone", **wanted: str) -> list[str]:
    return [item.title for item in gallery.list_artifacts(db, Wanted(**wanted, audience=audience)).data]  # type: ignore[arg-type]


def test_only_public_works_are_everyone_s(db: Database, publish: Publish) -> None:
    own, linked, public = publish("Own"), publish("Linked", tags=["t"]), publish("Public", tags=["t"])
    gallery.set_visibility(db, linked, "unlisted", caller="op")
    gallery.set_visibility(db, public, "public", caller="op")
    assert titles(db) == titles(db, tag="t") == titles(db, q="poster public") + ["Public"] == ["Public"]
    assert titles(db, q="linked") == titles(db, q="own") == []
    assert titles(db, "operators") == ["Public", "Linked", "Own"]
    assert gallery.facets(db, "everyone").total == 1
    assert [(facet.value, facet.number) for facet in gallery.facets(db, "everyone").tag] == [("t", 1)]
    assert gallery.get(db, public, "everyone").title == "Public"
    for hidden in (own, linked):
        with pytest.raises(NotFound):
            gallery.get(db, hidden, "everyone")


def test_a_link_leads_to_its_work_until_the_work_is_the_operators_again(db: Database, publish: Publish) -> None:
    work = publish("Linked")
    assert gallery.get(db, work).share_token is None
    shared = gallery.set_visibility(db, work, "unlisted", caller="op")
    assert shared.share_token
    assert shared.links["share"] == f"/s/{shared.share_token}"
    assert gallery.by_share(db, shared.share_token).id == work
    public = gallery.set_visibility(db, work, "public", caller="op")
    assert public.share_token == shared.share_token, "the link goes on"
    assert public.content_token == shared.content_token
    closed = gallery.set_visibility(db, work, "operators", caller="op")
    assert closed.share_token is None
    assert closed.content_token != shared.content_token, "addresses of its files that others have lead nowhere"
    with pytest.raises(NotFound):
        gallery.by_share(db, shared.share_token)
    with pytest.raises(NotFound):
        gallery.by_token(db, shared.content_token)
    again = gallery.set_visibility(db, work, "unlisted", caller="op")
    assert again.share_token not in (None, shared.share_token)


def test_a_hidden_work_is_in_no_list_and_behind_no_link(db: Database, publish: Publish) -> None:
    work = publish("Seen")
    token = gallery.set_visibility(db, work, "public", caller="op").share_token
    hidden = gallery.hide(db, work, "shows a person who did not agree", caller="op")
    assert hidden.hidden is not None
    assert (hidden.hidden.by, hidden.hidden.reason) == ("op", "shows a person who did not agree")
    assert titles(db) == titles(db, "operators") == []
    assert titles(db, "hidden") == ["Seen"]
    for sort in ("title", "stars"):
        assert gallery.list_artifacts(db, sort=sort).data == []  # type: ignore[arg-type]
    assert token
    for missing in (lambda: gallery.by_share(db, token), lambda: gallery.get(db, work, "everyone")):
        with pytest.raises(NotFound):
            missing()
    with pytest.raises(Conflict):
        gallery.hide(db, work, "again", caller="op")
    assert gallery.unhide(db, work, caller="op").hidden is None
    assert titles(db) == titles(db, "operators") == ["Seen"]
    with pytest.raises(Conflict):
        gallery.unhide(db, work, caller="op")


def test_what_was_done_is_in_the_audit_log(db: Database, publish: Publish) -> None:
    work = publish("Logged", tags=["a"])
    gallery.retag(db, work, ["a"], caller="key:1")  # changes nothing
    gallery.retag(db, work, ["b"], caller="key:1")
    gallery.set_visibility(db, work, "public", caller="operator")
    gallery.set_visibility(db, work, "public", caller="operator")
    key = "sk-not-a-real-key-1234"
    gallery.hide(db, work, f"a reason with {key}", caller="operator", secrets=(key,))
    gallery.unhide(db, work, caller="operator")
    entries = audit.entries(db, subject=work).data
    assert [(entry.caller, entry.action) for entry in entries] == [
        ("operator", "artifact.unhide"),
        ("operator", "artifact.hide"),
        ("operator", "artifact.visibility"),
        ("key:1", "artifact.tags"),
    ]
    assert "sk-not" not in entries[1].words
    page = audit.entries(db, limit=3)
    assert page.next_cursor
    rest = audit.entries(db, cursor=page.next_cursor)
    assert [entry.id for entry in page.data + rest.data] == [entry.id for entry in audit.entries(db).data]


def test_a_star_is_one_caller_s_and_counts_once(db: Database, publish: Publish) -> None:
    work = publish("Liked")
    for caller in ("a", "a", "b"):
        gallery.star(db, work, caller=caller)
    assert gallery.get(db, work).stars == 2
    assert gallery.is_starred(db, work, caller="a")
    for _ in range(2):
        gallery.star(db, work, caller="a", liked=False)
    assert gallery.get(db, work).stars == 1
    assert not gallery.is_starred(db, work, caller="a")
    with pytest.raises(NotFound):
        gallery.star(db, "00000000-0000-7000-8000-000000000000", caller="a")


def test_nothing_of_unknown_works(db: Database) -> None:
    unknown = "00000000-0000-7000-8000-000000000000"
    for act in (
        lambda: gallery.retag(db, unknown, ["a"], caller="op"),
        lambda: gallery.set_visibility(db, unknown, "public", caller="op"),
        lambda: gallery.hide(db, unknown, "a reason", caller="op"),
        lambda: gallery.unhide(db, unknown, caller="op"),
        lambda: gallery.by_share(db, "nothing"),
    ):
        with pytest.raises(NotFound):
            act()
