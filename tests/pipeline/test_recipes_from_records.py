"""What one accepted run of a model is worth: a recipe for other briefs, and the same again, compared."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from studio import gallery, jobs
from studio.blobs import open_blobs
from studio.brief import JobRequest
from studio.database import Database, open_database
from studio.jobs import JobView, RemixRequest, RevisionRequest
from studio.pipeline.run import run_job
from studio.sandboxes import engine_for
from studio.settings import Settings
from studio.trajectory import Note
from tests.support.openai_server import Answer, OpenAIServer, bash, says
from tests.support.posters import BRIEF
from tests.support.programs import PROGRAM, create

pytestmark = pytest.mark.thorough

MAKE = "python3 /testbed/make.py"
SUBMIT = ("submit", {"summary": "done"})


class House:
    """A data directory, a provider that gives scripted answers, and whoever works what is asked for."""

    def __init__(self, folder: Path) -> None:
        self.server = OpenAIServer([says("Nothing was expected.")])
        self.settings = Settings(data_dir=folder, openai_base_url=self.server.url, lease_s=60.0)
        self.db: Database = open_database(self.settings)
        self.db.migrate()

    def by_model(self, *answers: Answer) -> JobView:
        self.server.answers[:0] = answers
        value = {"brief": BRIEF.model_dump(), "run": {"model": "openai:scripted"}}
        made = self.worked(jobs.create(self.db, JobRequest.model_validate(value), self.settings, caller="test"))
        self.server.requests.clear()
        return made

    def revised(self, job: JobView, words: str, *answers: Answer) -> JobView:
        self.server.answers[:0] = answers
        wanted = RevisionRequest(note=words)
        made = self.worked(jobs.revise(self.db, job.id, wanted, self.settings, caller="test"))
        self.server.requests.clear()
        return made

    def remix(self, job: JobView, **event: Any) -> JobView:
        asked = RemixRequest(patch={"params": {"event": event}})
        return self.worked(jobs.remix(self.db, job.id, asked, self.settings, caller="test"))

    def reproduce(self, job: JobView) -> JobView:
        return self.worked(jobs.reproduce(self.db, job.id, self.settings, caller="test"))

    def worked(self, job: JobView) -> JobView:
        blobs, engine = open_blobs(self.settings), engine_for(self.settings)
        run_job(job.id, self.db, blobs, engine, self.settings, "test")
        return jobs.get(self.db, job.id)

    def text(self, job: JobView, path: str) -> str:
        sha256 = jobs.file_blob(self.db, job.id, path).sha256
        return open_blobs(self.settings).path(sha256).read_text(encoding="utf-8")


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    one = House(tmp_path / "data")
    with one.server:
        yield one
    one.db.close()


def test_a_changed_brief_is_made_by_the_calls_that_mattered(house: House) -> None:
    made = house.by_model(
        says("Look.", bash("cat input/brief.json"), create("/testbed/make.py", "import nothing_of_that_name")),
        says("Run.", bash(MAKE)),
        says("Mend.", create("/testbed/make.py", PROGRAM), bash(MAKE), SUBMIT),
    )
    assert made.state == "published", made.message
    first = house.remix(made, name="Moon Night")
    assert first.state == "published", first.message
    assert "Moon Night" in house.text(first, "poster.svg")
    assert (first.parent, first.run.seed) == (made.id, made.run.seed)
    assert first.title == "Moon Night", "a title that follows from the parameters follows the new ones"
    assert (first.made_by.model, first.made_by.derived_from) == (None, made.id)
    assert first.usage is not None
    assert (first.usage.steps, first.usage.prompt_tokens, first.usage.cost_usd) == (3, None, None)
    recipe = jobs.recipe(house.db, made.id)
    assert (recipe.kept, recipe.total, recipe.reduced) == (3, 6, True)
    assert [item.number for item in recipe.dropped] == [1, 2, 3]
    (note,) = [event for event in jobs.events(house.db, first.id) if isinstance(event, Note)]
    assert "3 of its 6 calls" in note.text
    second = house.remix(first, name="Sun Night")
    assert second.made_by == first.made_by, "a remix of a remix is by the same recipe"
    assert "Sun Night" in house.text(second, "poster.svg")
    assert not [event for event in jobs.events(house.db, second.id) if isinstance(event, Note)], "verified once"
    assert house.server.requests == [], "no model was asked"
    assert len(gallery.list_artifacts(house.db, gallery.Wanted(model="recipe")).data) == 2


def test_what_only_seemed_to_be_a_dead_end_is_kept(house: House) -> None:
    """A failed command that left something where nobody looks."""
    hidden = "python3 -c 'import os; os.makedirs(\"/home/studio/.made\"); raise SystemExit(3)'"
    made = house.by_model(
        says(None, create("/testbed/make.py", PROGRAM), bash(hidden.replace("/home", "/ho" + '" + "me'))),
        says(None, bash(f'test -d "$(echo /ho)me/studio/.made" && {MAKE}'), SUBMIT),
    )
    assert made.state == "published", made.message
    again = house.remix(made, venue="Barn")
    assert again.state == "published", again.message
    recipe = jobs.recipe(house.db, made.id)
    assert (recipe.kept, recipe.total, recipe.reduced) == (4, 4, False)
    assert "so all are kept" in recipe.outcome


def test_a_revisions_recipe_starts_from_the_files_of_the_version_before(house: House) -> None:
    first = house.by_model(says(None, create("/testbed/make.py", PROGRAM), bash(MAKE), SUBMIT))
    redder = bash(f"sed -i s/#1d3461/#7a1f3d/ /testbed/make.py && {MAKE}")
    second = house.revised(first, "Make it red", says(None, bash("cat make.py")), says(None, redder, SUBMIT))
    assert (second.state, second.version) == ("published", 2), second.message
    says_so = bash(f"{MAKE} && echo '- red' >> output/design_specs.md")
    third = house.revised(second, "Say that it is red", says(None, says_so, SUBMIT))
    for source, words in ((second, ""), (third, "- red")):
        found = house.remix(source, name="Moon Night")
        assert found.state == "published", found.message
        assert "#7a1f3d" in house.text(found, "poster.svg"), "as revised"
        assert "Moon Night" in house.text(found, "poster.svg"), "of the new brief"
        assert words in house.text(found, "design_specs.md")
        assert found.made_by.derived_from == source.id
    recipe = jobs.recipe(house.db, second.id)
    assert (recipe.kept, recipe.total, recipe.reduced) == (2, 3, True), "verified from the same files too"
    again = house.reproduce(third)
    assert "to the byte" in again.message
    assert house.server.requests == [], "no model was asked"


def test_the_same_again_is_compared_to_the_byte_and_to_the_eye(house: House) -> None:
    speck = (
        'python3 -c \'import PIL.Image, random; p = PIL.Image.open("output/poster.png").convert("RGB"); '
        'p.putpixel((5, 5), (255, 255, random.randrange(200, 255))); p.save("output/poster.png")\''
    )
    same = house.by_model(says(None, create("/testbed/make.py", PROGRAM), bash(MAKE), SUBMIT))
    found = house.reproduce(same)
    assert (found.state, found.artifact, found.purpose) == ("accepted", None, "reproduce"), found.message
    assert "to the byte" in found.message
    (told,) = jobs.reproductions(house.db, same.id)
    assert (told.job, told.verdict) == (found.id, "same")
    assert {file.verdict for file in told.files} == {"same"}

    words = "date +%N > output/when.txt"
    other = house.by_model(says(None, create("/testbed/make.py", PROGRAM), bash(f"{MAKE}; {speck}; {words}"), SUBMIT))
    found = house.reproduce(other)
    (told,) = jobs.reproductions(house.db, other.id)
    verdicts = {file.path: file.verdict for file in told.files}
    assert verdicts == {
        "design_specs.md": "same", "poster.png": "alike", "poster.svg": "same", "when.txt": "differs",
    }  # fmt: skip
    assert told.verdict == "differs"
    assert "alike by" in next(file.detail for file in told.files if file.path == "poster.png")
    assert len(gallery.list_artifacts(house.db).data) == 2, "what was made to compare is not shown as a work"
