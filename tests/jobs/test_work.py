"""What workers do to jobs: one wins, old ones change nothing, the record has no gap."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest

from studio import gallery, jobs
from studio.contract import Finding, Report
from studio.database import Database, open_database
from studio.errors import Canceled, LeaseLost, NotFound
from studio.jobs import Claim, FileView, JobEnd, sweeping
from studio.settings import Settings
from studio.trajectory import Header, JobStarted, Note, StateChanged, ToolCalled, ToolResult, Usage, decode_lines
from tests.jobs.conftest import Make
from tests.jobs.making import claimed

REPORT = Report(
    kind="poster", verdict="reject", checks=[Finding(id="files.present", severity="must", verdict="fail")], elapsed_s=1
)


def test_of_many_claimants_one_wins(db: Database, settings: Settings, make: Make) -> None:
    job = make()
    won: list[Claim | None] = []
    gate = threading.Barrier(8)

    def try_it(number: int) -> None:
        mine = open_database(settings)
        gate.wait()
        won.append(jobs.claim(mine, job.id, f"worker-{number}"))
        mine.close()

    threads = [threading.Thread(target=try_it, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    (winner,) = [claim for claim in won if claim]
    found = jobs.get(db, job.id)
    assert (found.state, found.attempt, winner.attempt) == ("running", 1, 1)
    assert found.started_at is not None


def test_a_doubled_message_finds_nothing_to_claim(db: Database, make: Make) -> None:
    job = make()
    claim = claimed(db, job)
    assert jobs.claim(db, job.id, "worker-2") is None
    jobs.finish(db, claim, JobEnd("failed", "no_output"))
    assert jobs.claim(db, job.id, "worker-2") is None
    assert jobs.claim(db, "no-such-job", "worker-2") is None


def test_events_are_numbered_without_a_gap_over_all_attempts(db: Database, make: Make) -> None:
    job = make()
    first = claimed(db, job, lease_s=-1)
    for text in ("one", "two"):
        jobs.record_event(db, first, Note(text=text))
    (lost,) = sweeping.lost(db)
    assert sweeping.take_back(db, lost, attempts=3) == "queued"
    second = claimed(db, job)
    jobs.record_event(db, second, Note(text="three"))
    found = jobs.events(db, job.id)
    assert [event.seq for event in found] == [1, 2, 3, 4, 5]
    assert [event.attempt for event in found] == [0, 1, 1, 1, 2]
    assert [event.seq for event in jobs.events(db, job.id, after=3)] == [4, 5]
    assert [event.seq for event in jobs.events(db, job.id, after=1, limit=2)] == [2, 3]


def test_whoever_lost_the_job_changes_nothing(db: Database, settings: Settings, make: Make) -> None:
    job = make()
    old = claimed(db, job, lease_s=-1)
    (lost,) = sweeping.lost(db)
    sweeping.take_back(db, lost, attempts=3)
    new = claimed(db, job)
    before = (jobs.get(db, job.id), jobs.events(db, job.id))
    late = [
        lambda: jobs.record_event(db, old, Note(text="late")),
        lambda: jobs.record_event(db, old, StateChanged(state="inspecting")),
        lambda: jobs.set_live(db, old, "call", "late"),
        lambda: jobs.set_header(db, old, Header()),
        lambda: jobs.heartbeat(db, old),
        lambda: jobs.look(db, old),
        lambda: jobs.finish(db, old, JobEnd("failed", "no_output")),
        lambda: jobs.release(db, old, "late"),
        lambda: gallery.publish(db, old, JobEnd("published")),
    ]
    for write in late:
        with pytest.raises(LeaseLost):
            write()
    assert (jobs.get(db, job.id), jobs.events(db, job.id)) == before
    assert jobs.live(db, job.id) is None
    assert gallery.list_artifacts(db).data == []
    assert gallery.publish(db, new, JobEnd("published")) is not None
    with pytest.raises(LeaseLost):
        gallery.publish(db, new, JobEnd("published"))
    assert len(gallery.list_artifacts(db).data) == 1


def test_working_states_are_shown_as_they_are_recorded(db: Database, make: Make) -> None:
    job = make()
    claim = claimed(db, job)
    for state in ("running", "inspecting", "running", "publishing"):
        jobs.record_event(db, claim, StateChanged(state=state))
        assert jobs.get(db, job.id).state == state
    with pytest.raises(ValueError, match="finish"):
        jobs.record_event(db, claim, StateChanged(state="published"))


def test_live_output_goes_when_the_result_is_there(db: Database, make: Make) -> None:
    job = make()
    claim = claimed(db, job)
    jobs.record_event(db, claim, ToolCalled(id="c1", name="execute_bash"))
    jobs.set_live(db, claim, "c1", "one\n")
    jobs.set_live(db, claim, "c1", "é" * 100_000 + "the end\0")
    live = jobs.live(db, job.id)
    assert live is not None
    assert len(live.text.encode()) <= 64 * 1024 + 2
    assert live.text.endswith("the end�")
    assert jobs.pulses(db, [job.id, "unknown"])[job.id].live_at == live.updated_at
    jobs.record_event(db, claim, ToolResult(id="c1", output="all"))
    assert jobs.live(db, job.id) is None


def test_secrets_are_masked_before_they_are_stored(db: Database, settings: Settings, make: Make) -> None:
    secret = 'sk-a"secret\\value'
    job = make()
    claim = claimed(db, job)
    jobs.record_event(db, claim, ToolResult(id="c", output=f"key={secret}!"), [secret])
    jobs.set_live(db, claim, "c2", f"key={secret}!", [secret])
    live = jobs.live(db, job.id)
    assert live is not None
    assert live.text == "key=•••!"
    report = REPORT.model_copy(update={"facts": {"seen": secret}})
    jobs.finish(db, claim, JobEnd("failed", "no_output", message=f"said {secret}", report=report), [secret])
    assert jobs.get(db, job.id).message == "said •••"
    stored = b"".join(path.read_bytes() for path in settings.data_dir.glob("studio.sqlite3*"))
    assert b"a\\" + b'"secret' not in stored
    assert b'a"secret' not in stored


def test_the_end_is_stored_whole(db: Database, make: Make) -> None:
    job = make()
    claim = claimed(db, job)
    files = [
        FileView(path="poster.svg", media_type="image/svg+xml", bytes=3, sha256="a" * 64),
        FileView(path="make.py", media_type="text/x-python", bytes=4, sha256="b" * 64, role="script"),
        FileView(path="t.webp", media_type="image/webp", bytes=5, sha256="c" * 64, role="preview", width=6, height=7),
    ]
    end = JobEnd("rejected", "checks_failed", "why", Usage(steps=4), REPORT, files)
    seen = jobs.finish(db, claim, end)
    assert seen == jobs.get(db, job.id)
    assert (seen.state, seen.reason, seen.message, seen.usage) == ("rejected", "checks_failed", "why", Usage(steps=4))
    assert seen.report == REPORT
    assert seen.finished_at is not None
    assert [jobs.files(db, job.id), jobs.scripts(db, job.id), jobs.previews(db, job.id)] == [[file] for file in files]
    assert jobs.file_blob(db, job.id, "poster.svg") == files[0]
    assert jobs.file_blob(db, job.id, "t.webp", "preview").width == 6
    with pytest.raises(NotFound):
        jobs.file_blob(db, job.id, "make.py")
    assert gallery.list_artifacts(db).data == []
    last = jobs.events(db, job.id)[-1]
    assert isinstance(last, StateChanged)
    assert (last.state, last.reason) == ("rejected", "checks_failed")


def test_the_trajectory_is_the_header_and_every_event(db: Database, make: Make) -> None:
    job = make()
    waiting = list(decode_lines(jobs.trajectory_lines(db, job.id)))
    assert isinstance(waiting[0], Header)
    assert waiting[0].brief == job.brief
    claim = claimed(db, job)
    jobs.set_header(db, claim, Header(image_digest="d1", brief=job.brief, made_by=job.made_by))
    jobs.record_event(db, claim, JobStarted(engine="local", limits={}, network="none"))
    for number in range(600):
        jobs.record_event(db, claim, Note(text=f"{number}\n\u2028"))
    found = list(decode_lines(jobs.trajectory_lines(db, job.id)))
    assert isinstance(found[0], Header)
    assert found[0].image_digest == "d1"
    assert [event.seq for event in found[1:] if not isinstance(event, Header)] == list(range(1, 603))
    with pytest.raises(NotFound):
        jobs.trajectory_lines(db, "nothing")


def test_cancel_of_a_queued_job_is_immediate_and_idempotent(db: Database, make: Make) -> None:
    job = make()
    first = jobs.cancel(db, job.id)
    assert (first.state, first.reason) == ("canceled", "canceled")
    assert jobs.cancel(db, job.id) == first
    assert jobs.claim(db, job.id, "worker") is None
    assert len(jobs.events(db, job.id)) == 2
    with pytest.raises(NotFound):
        jobs.cancel(db, "nothing")


def test_cancel_of_a_running_job_waits_for_its_worker(db: Database, make: Make) -> None:
    job = make()
    claim = claimed(db, job)
    assert jobs.cancel(db, job.id).state == "canceling"
    assert jobs.cancel(db, job.id).state == "canceling"
    assert jobs.look(db, claim) == "canceling"
    assert jobs.heartbeat(db, claim) == "canceling"
    with pytest.raises(Canceled):
        jobs.record_event(db, claim, StateChanged(state="inspecting"))
    jobs.record_event(db, claim, ToolResult(id="c", output="cut short"))
    assert jobs.finish(db, claim, JobEnd("canceled", "canceled")).state == "canceled"
    assert jobs.cancel(db, job.id).state == "canceled"


@pytest.mark.parametrize("state", ["published", "rejected", "failed"])
def test_a_cancel_that_meets_the_end_wins(db: Database, make: Make, state: str) -> None:
    job = make()
    claim = claimed(db, job)
    jobs.cancel(db, job.id)
    if state == "published":
        assert gallery.publish(db, claim, JobEnd("published")) is None
    else:
        jobs.finish(db, claim, JobEnd(state, "checks_failed"))  # type: ignore[arg-type]
    found = jobs.get(db, job.id)
    assert (found.state, found.reason, found.artifact) == ("canceled", "canceled", None)
    assert gallery.list_artifacts(db).data == []


def test_a_job_given_back_is_queued_and_no_attempt_is_lost(db: Database, make: Make) -> None:
    job = make()
    for number in range(1, 6):
        claim = claimed(db, job)
        assert claim.attempt == number
        jobs.release(db, claim, "stopping")
        assert jobs.get(db, job.id).state == "queued"
    claim = claimed(db, job)
    jobs.cancel(db, job.id)
    jobs.release(db, claim, "stopping")
    assert jobs.get(db, job.id).state == "canceled"


def test_a_heartbeat_keeps_the_job(db: Database, make: Make) -> None:
    job = make()
    claim = claimed(db, job, lease_s=-1)
    (lost,) = sweeping.lost(db)
    assert jobs.heartbeat(db, claim, 20) == "running"
    assert sweeping.lost(db) == []
    assert sweeping.take_back(db, lost, attempts=3) is None, "its worker came back in between"
    assert sweeping.living(db, [job.id, "other"]) == {job.id: claim.fence}


def test_the_third_lost_attempt_is_the_last(db: Database, make: Make) -> None:
    job = make()
    states = []
    for _ in range(3):
        claimed(db, job, lease_s=-1)
        (lost,) = sweeping.lost(db)
        states.append(sweeping.take_back(db, lost, attempts=3))
        assert sweeping.take_back(db, lost, attempts=3) is None, "a second upkeep finds nothing to do"
    assert states == ["queued", "queued", "failed"]
    found = jobs.get(db, job.id)
    assert (found.state, found.reason, found.attempt) == ("failed", "attempts", 3)
    assert "worker-1" in found.message


def test_a_job_whose_worker_died_while_it_was_canceled_is_canceled(db: Database, make: Make) -> None:
    job = make()
    claimed(db, job, lease_s=-1)
    jobs.cancel(db, job.id)
    (lost,) = sweeping.lost(db)
    assert sweeping.take_back(db, lost, attempts=3) == "canceled"
    assert jobs.get(db, job.id).reason == "canceled"


def test_a_job_that_waited_too_long_expires(db: Database, make: Make) -> None:
    job, running = make(), make()
    claimed(db, running)
    assert sweeping.expire(db, queue_hours=24) == []
    assert sweeping.expire(db, queue_hours=-1) == [job.id]
    assert sweeping.expire(db, queue_hours=-1) == []
    found = jobs.get(db, job.id)
    assert (found.state, found.reason) == ("expired", "queue_time")
    assert jobs.claim(db, job.id, "worker") is None


def test_a_message_is_sent_again_at_growing_intervals(db: Database, make: Make) -> None:
    job = make()
    assert sweeping.unsent(db, pause_s=60) == []
    assert sweeping.unsent(db, pause_s=0) == [job.id]
    for _ in range(3):
        sweeping.sent(db, job.id)
    pause = timedelta(seconds=60)
    assert sweeping.unsent(db, pause_s=pause.total_seconds()) == []
    assert sweeping.unsent(db, pause_s=0) == [job.id]
    claimed(db, job)
    assert sweeping.unsent(db, pause_s=0) == []
