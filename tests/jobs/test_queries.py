"""Lists, positions, tokens."""

from __future__ import annotations

from datetime import timedelta

import pytest

from studio import jobs
from studio.database import Database
from studio.errors import BriefError, NotFound
from studio.jobs import JobEnd
from tests.jobs.conftest import Make
from tests.jobs.making import claimed


def test_pages_show_each_job_once_newest_first(db: Database, make: Make) -> None:
    made = [make(f"Poster {number}").id for number in range(7)]
    seen: list[str] = []
    cursor: str | None = None
    for size in (3, 3, 1):
        page = jobs.list_jobs(db, cursor=cursor, limit=3)
        assert len(page.data) == size
        seen += [job.id for job in page.data]
        cursor = page.next_cursor
    assert cursor is None
    assert seen == made[::-1]


def test_filters(db: Database, make: Make) -> None:
    first, second, third = make(tags=["x"]), make(tags=["x", "y"]), make()
    jobs.cancel(db, second.id)

    def ids(**wanted: object) -> list[str]:
        return [job.id for job in jobs.list_jobs(db, **wanted).data]  # type: ignore[arg-type]

    assert ids(tag="x") == [second.id, first.id]
    assert ids(tag="x", state="queued") == [first.id]
    assert ids(state=["queued", "canceled"]) == [third.id, second.id, first.id]
    assert ids(kind="poster", state="canceled") == [second.id]
    assert ids(kind="sculpture") == []
    assert ids(since=third.created_at) == [third.id]
    assert ids(since=third.created_at + timedelta(seconds=1)) == []
    assert jobs.counts(db) == {"queued": 2, "canceled": 1}


@pytest.mark.parametrize(
    ("wanted", "where"),
    [
        ({"state": "sleeping"}, "/state"),
        ({"cursor": "abc"}, "/cursor"),
        ({"cursor": "é"}, "/cursor"),
        ({"limit": 0}, "/limit"),
        ({"limit": 101}, "/limit"),
    ],
)
def test_a_bad_question_names_its_field(db: Database, wanted: dict[str, object], where: str) -> None:
    with pytest.raises(BriefError) as caught:
        jobs.list_jobs(db, **wanted)  # type: ignore[arg-type]
    assert caught.value.problems[0].pointer == where


def test_the_place_in_the_queue(db: Database, make: Make) -> None:
    first, second, third = make(), make(), make()
    assert [jobs.position(db, job.id) for job in (first, second, third)] == [1, 2, 3]
    claimed(db, first)
    assert [jobs.position(db, job.id) for job in (first, second, third)] == [None, 1, 2]
    with pytest.raises(NotFound):
        jobs.position(db, "nothing")


def test_an_unknown_job_is_not_found(db: Database) -> None:
    for ask in (jobs.get, jobs.events, jobs.files, jobs.previews, jobs.scripts):
        with pytest.raises(NotFound):
            ask(db, "nothing")


def test_the_content_token_is_a_dns_label_that_names_one_job(db: Database, make: Make) -> None:
    one, other = make(), make()
    assert one.content_token != other.content_token
    assert len(one.content_token) >= 32
    assert set(one.content_token) <= set("0123456789abcdef")
    assert jobs.by_token(db, one.content_token).id == one.id
    assert one.content_token not in one.model_dump_json()
    with pytest.raises(NotFound):
        jobs.by_token(db, "0" * 40)


def test_pulses_tell_what_is_new(db: Database, make: Make) -> None:
    job, other = make(), make()
    before = jobs.pulses(db, [job.id, other.id])
    jobs.finish(db, claimed(db, job), JobEnd("failed", "no_output"))
    after = jobs.pulses(db, [job.id, other.id])
    assert after[other.id] == before[other.id]
    assert after[job.id].last_seq > before[job.id].last_seq
    assert after[job.id].ended
    assert not before[job.id].ended
