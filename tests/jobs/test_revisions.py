"""Revisions: a person's words on what a job made become its next version."""

from __future__ import annotations

from typing import Any

import pytest

from studio import jobs
from studio.database import Database
from studio.errors import BriefError, Conflict, NotFound
from studio.jobs import FileView, JobEnd, JobView, RevisionRequest
from studio.settings import Settings
from tests.jobs.conftest import Make
from tests.jobs.making import claimed, request_for

MODEL = "openai:some-model"
FILES = (
    FileView(path="poster.svg", media_type="image/svg+xml", bytes=3, sha256="a" * 64),
    FileView(path="make.py", media_type="text/x-python", bytes=4, sha256="b" * 64, role="script"),
)


def ended(db: Database, job: JobView, files: tuple[FileView, ...] = FILES) -> JobView:
    return jobs.finish(db, claimed(db, job), JobEnd("rejected", "checks_failed", files=files))


def revise(db: Database, settings: Settings, job: JobView, note: str = "Larger, please", **more: Any) -> JobView:
    wanted = RevisionRequest.model_validate({"note": note, **more})
    return jobs.revise(db, job.id, wanted, settings, caller="key:ann")


def test_words_make_the_next_version(db: Database, settings: Settings, make: Make) -> None:
    first = ended(db, make(run={"model": MODEL, "seed": 7}, tags=["fair"]))
    second = revise(db, settings, first)
    assert (second.state, second.version, second.parent, second.revises) == ("queued", 2, first.id, first.id)
    assert (second.note, second.brief, second.run.model, second.run.seed) == ("Larger, please", first.brief, MODEL, 7)
    assert second.tags == ["fair"]
    assert jobs.revision_of(db, second.id) == jobs.Revision(first.id, "Larger, please")
    third, fourth = revise(db, settings, ended(db, second)), revise(db, settings, first, "Smaller")
    assert (third.version, fourth.version) == (3, 4), "two revisions of one version are two versions"
    for job in (first, second, third, fourth):
        listed = jobs.versions(db, job.id)
        assert [(item.version, item.note) for item in listed] == [
            (1, None),
            (2, "Larger, please"),
            (3, "Larger, please"),
            (4, "Smaller"),
        ]
    assert [item.version for item in jobs.versions(db, make("Another").id)] == [1]


def test_a_revision_that_is_made_again_starts_from_the_same_files(db: Database, settings: Settings, make: Make) -> None:
    second = ended(db, revise(db, settings, ended(db, make(run={"model": MODEL}))))
    again = jobs.retry(db, second.id, settings, caller="test")
    assert (again.version, again.revises, again.note) == (3, second.revises, second.note)


def test_brief_and_options_may_change_with_the_words(db: Database, settings: Settings, make: Make) -> None:
    first = ended(db, make(run={"model": MODEL, "limits": {"steps": 9, "time_s": 60}}))
    brief = request_for("Another name").brief.model_dump()
    changed = revise(db, settings, first, brief=brief, run={"repairs": 1, "limits": {"steps": 5}})
    assert changed.brief.title == "Another name"
    assert (changed.run.repairs, changed.run.limits.steps, changed.run.limits.time_s) == (1, 5, 60)


@pytest.mark.parametrize(
    ("more", "pointer", "said"),
    [
        ({}, "/run/model", "never read words"),
        ({"run": {"model": "recipe"}}, "/run/model", "never read words"),
        ({"run": {"model": "replay:00000000-0000-7000-8000-000000000000"}}, "/run/model", "never read words"),
        ({"run": {"model": MODEL, "variants": 2}}, "/run/variants", "one work"),
        ({"run": {"model": MODEL, "limits": {"steps": 999}}}, "/run/limits/steps", "at most 100"),
        ({"run": {"modl": MODEL}}, "/run/modl", "unknown field"),
        ({"brief": {"kind": "piano_piece", "title": "No"}, "run": {"model": MODEL}}, "/brief/kind", "poster"),
    ],
)
def test_what_cannot_be_revised_says_where(
    db: Database, settings: Settings, make: Make, more: dict[str, Any], pointer: str, said: str
) -> None:
    first = ended(db, make())  # made by prepared programs
    with pytest.raises(BriefError) as refused:
        revise(db, settings, first, **more)
    assert [problem.pointer for problem in refused.value.problems] == [pointer]
    assert said in refused.value.problems[0].message
    assert len(jobs.list_jobs(db).data) == 1


def test_a_work_of_prepared_programs_is_revised_by_a_model(db: Database, settings: Settings, make: Make) -> None:
    assert revise(db, settings, ended(db, make()), run={"model": MODEL}).made_by.model
    usual = settings.model_copy(update={"default_model": MODEL})
    assert revise(db, usual, ended(db, make())).run.model == MODEL


def test_only_what_ended_and_left_something_is_revised(db: Database, settings: Settings, make: Make) -> None:
    with pytest.raises(Conflict, match="give its model a note"):
        revise(db, settings, make(run={"model": MODEL}))
    with pytest.raises(Conflict, match="left no files"):
        revise(db, settings, ended(db, make(run={"model": MODEL}), files=()))
    with pytest.raises(NotFound):
        jobs.revise(db, "nobody", RevisionRequest(note="x"), settings, caller="test")
