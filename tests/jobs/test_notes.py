"""Notes: words to the model at work, told once and recorded; refused where nobody would read them."""

from __future__ import annotations

import pytest

from studio import jobs
from studio.database import Database
from studio.errors import Conflict, NotFound
from studio.jobs import JobEnd
from studio.jobs.notes import MAX_NOTES
from studio.trajectory import Note
from tests.jobs.conftest import Make
from tests.jobs.making import claimed

MODEL = {"model": "openai:some-model"}


def test_a_note_waits_until_it_is_told(db: Database, make: Make) -> None:
    job = make(run=MODEL)
    jobs.give_note(db, job.id, "Before it began", caller="key:ann")
    claim = claimed(db, job)
    jobs.give_note(db, job.id, "Darker; the key is sk-hidden-0123", caller="key:ann", secrets=["sk-hidden-0123"])
    waiting = jobs.notes_waiting(db, claim)
    assert [(note.author, note.text) for note in waiting] == [
        ("person", "Before it began"),
        ("person", "Darker; the key is •••"),
    ]
    number = jobs.record_event(db, claim, waiting[0])
    assert [note.text for note in jobs.notes_waiting(db, claim)] == [waiting[1].text]
    told, untold = jobs.notes(db, job.id)
    assert (told.seq, told.by, untold.seq) == (number, "key:ann", None)
    recorded = [event for event in jobs.events(db, job.id) if isinstance(event, Note)]
    assert [(event.text, event.author, event.given) for event in recorded] == [("Before it began", "person", told.id)]


def test_where_nobody_reads_a_note_is_refused(db: Database, make: Make) -> None:
    with pytest.raises(Conflict, match="prepared programs"):
        jobs.give_note(db, make().id, "Darker", caller="test")
    job = make(run=MODEL)
    jobs.finish(db, claimed(db, job), JobEnd("failed", "no_output"))
    with pytest.raises(Conflict, match="failed, so its model reads nothing more; revise"):
        jobs.give_note(db, job.id, "Darker", caller="test")
    with pytest.raises(NotFound):
        jobs.give_note(db, "nobody", "Darker", caller="test")
    with pytest.raises(NotFound):
        jobs.notes(db, "nobody")


def test_a_job_takes_so_many_notes(db: Database, make: Make) -> None:
    job = make(run=MODEL)
    for number in range(MAX_NOTES):
        jobs.give_note(db, job.id, f"{number}", caller="test")
    with pytest.raises(Conflict, match=f"{MAX_NOTES} notes"):
        jobs.give_note(db, job.id, "one more", caller="test")
