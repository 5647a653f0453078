"""New jobs: what is accepted, what is refused and where the fault is said to be."""

from __future__ import annotations

import io
from typing import Any

import pytest

from studio import jobs, uploads
from studio.blobs import open_blobs
from studio.database import Database
from studio.errors import BriefError, NotFound
from studio.settings import Settings
from tests.jobs.conftest import Make
from tests.jobs.making import claimed, request_for


def refusals(db: Database, settings: Settings, *, caller: str = "test", **more: object) -> dict[str, str]:
    with pytest.raises(BriefError) as caught:
        jobs.create(db, request_for(**more), settings, caller=caller)  # type: ignore[arg-type]
    assert jobs.list_jobs(db).data == []
    return {problem.pointer: problem.message for problem in caught.value.problems}


def test_a_new_job_is_queued_with_everything_filled_in(db: Database, make: Make) -> None:
    job = make("Spring fair", tags=["b", "a", "b"], custom_id="7")
    found = jobs.get(db, job.id)
    assert found == job
    assert (found.state, found.attempt, found.kind, found.title) == ("queued", 0, "poster", "Spring fair")
    assert found.brief.params["raster_height"] == 1920
    assert found.made_by.recipe
    assert found.run.seed is not None
    assert (found.tags, found.custom_id) == (["b", "a"], "7")
    assert [event.type for event in jobs.events(db, job.id)] == ["state"]


def test_the_default_seed_does_not_hang_on_names(make: Make) -> None:
    assert make("One name").run.seed == make("Another name").run.seed
    assert make("One name", run={"seed": 5}).run.seed == 5


def test_an_unknown_kind_is_refused(db: Database, settings: Settings) -> None:
    request = request_for().model_copy(deep=True)
    request.brief.kind = "sculpture"
    with pytest.raises(BriefError) as caught:
        jobs.create(db, request, settings, caller="test")
    assert [problem.pointer for problem in caught.value.problems] == ["/brief/kind"]


def test_all_faults_are_told_at_once(db: Database, settings: Settings) -> None:
    request = request_for(run={"limits": {"steps": 101}}, attachments=[{"upload": "none", "name": "a.png"}])
    del request.brief.params["event"]["venue"]
    with pytest.raises(BriefError) as caught:
        jobs.create(db, request, settings, caller="test")
    found = {problem.pointer for problem in caught.value.problems}
    assert found == {"/brief/params/event/venue", "/run/limits/steps", "/attachments/0/upload"}


@pytest.mark.parametrize(
    ("run", "where", "word"),
    [
        ({"limits": {"steps": 101}}, "/run/limits/steps", "100"),
        ({"limits": {"time_s": 99_999}}, "/run/limits/time_s", "3600"),
        ({"limits": {"memory_mb": 999_999}}, "/run/limits/memory_mb", "4096"),
        ({"limits": {"memory_mb": 1024, "workspace_mb": 512}}, "/run/limits/workspace_mb", "160"),
        ({"repairs": 11}, "/run/repairs", "10"),
        ({"network": "open"}, "/run/network", "STUDIO_MAX_NETWORK"),
        ({"model": "replay:/etc/passwd"}, "/run/model", "replay:JOB_ID"),
        ({"model": "replay:trajectory.jsonl"}, "/run/model", "command line"),
        ({"model": "replay:01890000-0000-7000-8000-000000000000"}, "/run/model", "no job"),
        ({"model": "gpt"}, "/run/model", "openai:MODEL"),
        ({"model": "openai:"}, "/run/model", "openai:MODEL"),
    ],
)
def test_run_options_are_held_within_the_operators_bounds(
    db: Database, settings: Settings, run: dict[str, Any], where: str, word: str
) -> None:
    assert word in refusals(db, settings, run=run)[where]


def test_defaults_above_the_operators_maximum_are_lowered(db: Database, settings: Settings) -> None:
    small = settings.model_copy(update={"max_steps": 10, "max_repairs": 1, "max_memory_mb": 1024})
    job = jobs.create(db, request_for(), small, caller="test")
    assert (job.run.limits.steps, job.run.repairs) == (10, 1)
    assert (job.run.limits.memory_mb, job.run.limits.workspace_mb) == (1024, 160)


def test_the_operator_chooses_the_default_model(db: Database, settings: Settings) -> None:
    chosen = settings.model_copy(update={"default_model": "openai:some-model"})
    assert jobs.create(db, request_for(), chosen, caller="test").made_by.model == "openai:some-model"


def test_a_paid_model_needs_a_provider_and_somebody_who_pays(db: Database, settings: Settings) -> None:
    run = {"model": "openai:some-model"}
    assert "anonymous" not in refusals(db, settings, caller=jobs.ANONYMOUS, run=run)["/run/model"]
    no_provider = settings.model_copy(update={"openai_api_key": None})
    assert "STUDIO_OPENAI_API_KEY" in refusals(db, no_provider, run=run)["/run/model"]
    for caller, allowed in ((jobs.ANONYMOUS, True), ("key:mine", False)):
        either = settings.model_copy(update={"anonymous_paid": allowed})
        assert jobs.create(db, request_for(run=run), either, caller=caller).made_by.model == "openai:some-model"


def test_a_network_is_for_whom_the_operator_lets_and_never_for_a_visitor(db: Database, settings: Settings) -> None:
    wanted: dict[str, Any] = {"network": "packages"}
    closed = settings.model_copy(update={"max_network": "none"})
    assert "'none'" in refusals(db, closed, run=wanted)["/run/network"]
    assert "without a key" in refusals(db, settings, caller=jobs.ANONYMOUS, run=wanted)["/run/network"]
    opened = settings.model_copy(update={"max_network": "open"})
    for network, bounds in (("none", closed), ("packages", settings), ("open", opened)):
        job = jobs.create(db, request_for(run={"network": network}), bounds, caller="key:mine")
        assert job.run.network == network


def test_a_job_that_has_ended_can_be_replayed_by_its_id(db: Database, make: Make) -> None:
    first = make()
    with pytest.raises(BriefError, match="still queued"):
        make(run={"model": f"replay:{first.id}"})
    jobs.finish(db, claimed(db, first), jobs.JobEnd("failed", "no_output"))
    assert make(run={"model": f"replay:{first.id}"}).made_by.replay_of == first.id


@pytest.mark.parametrize("name", ["../a.png", "a/b", "brief.json", "line\nbreak", "x" * 201, ".."])
def test_an_attachments_odd_name_is_refused(db: Database, settings: Settings, name: str) -> None:
    sent = uploads.create(db, open_blobs(settings), "fine.png", io.BytesIO(b"bytes"))
    found = refusals(db, settings, attachments=[{"upload": sent.id, "name": name}])
    assert list(found) == ["/attachments/0/name"]


def test_attachments_with_the_same_name_or_too_many_bytes_are_refused(db: Database, settings: Settings) -> None:
    blobs = open_blobs(settings)
    sent = uploads.create(db, blobs, "logo.png", io.BytesIO(b"1"))
    twice = [{"upload": sent.id, "name": "logo.png"}] * 2
    assert list(refusals(db, settings, attachments=twice)) == ["/attachments/1/name"]
    big = uploads.create(db, blobs, "big.bin", io.BytesIO(bytes(30 << 20)))
    both = [{"upload": big.id, "name": name} for name in ("a.bin", "b.bin")]
    assert list(refusals(db, settings, attachments=both)) == ["/attachments"]


def test_names_that_people_write_work(db: Database, settings: Settings, make: Make) -> None:
    names = ["quotes \"and\" 'more'.png", "emoji 🎹.png", "שלום.png", "‮evil.png", "中文 名.png"]
    blobs = open_blobs(settings)
    sent = [uploads.create(db, blobs, name, io.BytesIO(name.encode())) for name in names]
    title = "🎉 \"Fest\" שלום <b>'x'</b> ../.."
    job = make(title, attachments=[{"upload": item.id, "name": item.name, "role": "document"} for item in sent])
    assert jobs.get(db, job.id).title == title
    assert [(item.name, item.role) for item in jobs.inputs(db, job.id)] == [(name, "document") for name in names]


def test_a_character_that_no_text_column_takes_is_refused(db: Database, settings: Settings) -> None:
    request = request_for()
    request.brief.prompt = "a\0b"
    with pytest.raises(BriefError) as caught:
        jobs.create(db, request, settings, caller="test")
    assert [problem.pointer for problem in caught.value.problems] == ["/brief/prompt"]


def test_a_dry_run_stores_nothing(db: Database, settings: Settings) -> None:
    checked = jobs.check(db, request_for(), settings, caller="test")
    assert checked.brief.params["raster_height"] == 1920
    assert jobs.list_jobs(db).data == []


def test_retry_is_a_new_job_from_the_same_request(db: Database, settings: Settings, make: Make) -> None:
    sent = uploads.create(db, open_blobs(settings), "logo.png", io.BytesIO(b"1"))
    old = make("Again", tags=["t"], attachments=[{"upload": sent.id, "name": "l.png"}], run={"seed": 9})
    jobs.finish(db, claimed(db, old), jobs.JobEnd("failed", "no_output"))
    new = jobs.retry(db, old.id, settings, caller="test")
    assert new.id != old.id
    assert (new.state, new.parent, new.brief, new.run, new.tags) == ("queued", old.id, old.brief, old.run, ["t"])
    assert jobs.inputs(db, new.id) == jobs.inputs(db, old.id)
    assert jobs.get(db, old.id).state == "failed"
    with pytest.raises(NotFound):
        jobs.retry(db, "nothing", settings, caller="test")


def test_an_upload_above_the_limit_is_refused_and_leaves_nothing(db: Database, settings: Settings) -> None:
    with pytest.raises(BriefError, match="at most"):
        uploads.create(db, open_blobs(settings), "big.bin", io.BytesIO(bytes((50 << 20) + 1)))
    assert [path for path in (settings.data_dir / "blobs").rglob("*") if path.is_file()] == []
    with pytest.raises(NotFound):
        uploads.get(db, "nothing")
