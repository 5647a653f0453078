"""The record of a run over HTTP: its forms, its figures, who wrote which file; and everything of a job as one ZIP."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from atif import Trajectory

from studio import gallery, jobs
from studio.database.tables import JobRow
from studio.jobs import JobEnd
from studio.jobs.rows import add_event
from studio.models import read_recording
from studio.trajectory import CapabilityUse, FetchedFrom, Header, JobStarted, MadeBy, ModelRequest, NetworkUsed, Usage
from tests.record.runs import bash, turn
from tests.web.reading import page, text_of
from tests.web.seeding import brief
from tests.web.served import Served, served

USAGE = Usage(
    steps=3,
    prompt_tokens=6000,
    completion_tokens=630,
    cached_tokens=1500,
    environment_tokens=1200,
    cost_usd=0.0123,
    model_s=9.6,
    tool_s=1.2,
    peak_memory_bytes=210_000_000,
    cpu_s=4.0,
    bytes_written=1_500_000,
    capabilities=CapabilityUse(calls=3, outside=1, files=2, computation=1),
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("records")) as found:
        yield found


@pytest.fixture(scope="module")
def artifact(site: Served) -> gallery.ArtifactView:
    """A model's work in three steps; the second writes the poster, the third the text and a script."""
    _, claim = site.seed.running(brief("Recorded"))
    by = Header(
        made_by=MadeBy(model="openai:m"),
        brief=claim.brief,
        versions={"sandbox-studio": "9.8.7"},
        image_digest="sha256:" + "5" * 64,
        prompts={"system/1": "c" * 64},
    )
    jobs.set_header(site.db, claim, by)
    steps = [
        ("ls; curl http://example.org", []),
        ("python3 make.py", ["output/poster.svg", "output/design_specs.md"]),
        ("cat > make.py", ["output/design_specs.md", "make.py"]),
    ]
    for number, (command, changed) in enumerate(steps, start=1):
        site.seed.turn(
            claim, number, f"Step {number}.", "execute_bash", {"command": command}, "done", files_changed=changed
        )
    script = site.seed.stored("make.py", b"print(1)\n", "text/x-python", role="script")
    end = JobEnd("published", usage=USAGE, report=site.seed.report(claim), files=[*site.seed.files("R"), script])
    found = gallery.publish(site.db, claim, end)
    assert found is not None
    return gallery.get(site.db, found)


def test_the_files_say_which_step_changed_them_last(site: Served, artifact: gallery.ArtifactView) -> None:
    listed = site.http.get(f"/api/v1/jobs/{artifact.job_id}/files").json()["data"]
    steps = {file["path"]: file["step"] for file in listed}
    assert (steps["poster.svg"], steps["design_specs.md"]) == (2, 3)
    assert steps["social_media_versions/twitter.svg"] is None
    scripts = site.http.get(f"/api/v1/jobs/{artifact.job_id}/files?role=script").json()["data"]
    assert [(file["path"], file["step"]) for file in scripts] == [("make.py", 3)]
    shown = page(site, f"/artifacts/{artifact.id}")
    assert f'href="/artifacts/{artifact.id}/trajectory#step-2">written at step 2</a>' in shown


def test_a_rejected_jobs_files_lead_to_the_steps_on_its_page(site: Served) -> None:
    _, claim = site.seed.running(brief("Not quite"))
    site.seed.call(claim, 1, "execute_bash", {"command": "make"}, "", files_changed=["output/poster.svg"])
    report = site.seed.report(claim, {"poster.contrast": "too pale"})
    end = JobEnd("rejected", "checks_failed", usage=Usage(steps=1), report=report, files=site.seed.files("N"))
    job = jobs.finish(site.db, claim, end)
    shown = page(site, f"/jobs/{job.id}")
    assert '<a href="#step-1">written at step 1</a>' in shown
    assert 'id="step-1"' in shown
    assert f'href="/api/v1/jobs/{job.id}/archive"' in shown
    assert "Running its calls 0.0 s" in text_of(shown)


@pytest.mark.parametrize("where", ["jobs", "artifacts"])
def test_the_record_is_had_in_three_forms(
    site: Served, artifact: gallery.ArtifactView, where: str, tmp_path: Path
) -> None:
    ident = artifact.job_id if where == "jobs" else artifact.id
    path = f"/api/v1/{where}/{ident}/trajectory"
    made = []
    for form in ("studio", "atif", "openai"):
        answer = site.http.get(path, params={"format": form})
        assert answer.status_code == 200
        assert answer.headers["Content-Disposition"].startswith("attachment")
        assert answer.headers["Content-Type"].startswith(
            "application/json" if form != "studio" else "application/jsonl"
        )
        (tmp_path / form).write_bytes(answer.content)
        made.append(read_recording(tmp_path / form))
    assert [recording.calls for recording in made] == [made[0].calls] * 3
    assert len(made[0].calls) == 3
    assert [result.output for result in made[2].results if result] == ["done"] * 3
    found = Trajectory.model_validate(json.loads((tmp_path / "atif").read_bytes()))
    assert found.trajectory_id == artifact.job_id
    assert site.http.get(path, params={"format": "xml"}).status_code == 422


@pytest.mark.parametrize("where", ["jobs", "artifacts"])
def test_everything_is_one_zip(site: Served, artifact: gallery.ArtifactView, where: str, tmp_path: Path) -> None:
    ident = artifact.job_id if where == "jobs" else artifact.id
    answer = site.http.get(f"/api/v1/{where}/{ident}/archive")
    assert answer.headers["Content-Type"] == "application/zip"
    assert 'filename="recorded.zip"' in answer.headers["Content-Disposition"].lower()
    with zipfile.ZipFile(io.BytesIO(answer.content)) as packed:
        assert packed.testzip() is None
        names = set(packed.namelist())
        assert {"output/poster.svg", "scripts/make.py", "brief.json", "report.json", "trajectory.jsonl"} <= names
        assert json.loads(packed.read("brief.json"))["title"] == "Recorded"
        assert json.loads(packed.read("report.json"))["verdict"] == "accept"
        packed.extract("trajectory.jsonl", tmp_path)
    assert len(read_recording(tmp_path / "trajectory.jsonl").calls) == 3
    missing = site.http.get(f"/api/v1/{where}/00000000-0000-7000-8000-000000000000/archive")
    assert missing.status_code == 404


def test_the_page_of_the_record_shows_figures_of_steps_and_of_all(site: Served, artifact: gallery.ArtifactView) -> None:
    shown = page(site, f"/artifacts/{artifact.id}/trajectory")
    words = text_of(shown)
    for part in (
        "model 3.2 s · tools 0.4 s · 2,000 in",
        "210 out",
        "6,000, 1,500 of them cached, about 20% from the computer",
        "Cost US$0.012",
        "Waiting for the model 9.6 s",
        "Peak memory 210 MB",
        "1.5 MB, to files and pipes",
        "Its 3 calls used outside resources 1, files 2, computation 1 times",
        "sha256:555555555555",
        "sandbox-studio 9.8.7",
        "ls; curl http://example.org outside resources files",
    ):
        assert part in words, part
    assert re.findall(r'data-uses="([^"]*)"', shown) == ["outside files", "computation", "files"]


def test_the_record_says_what_the_model_no_longer_saw(site: Served) -> None:
    _, claim = site.seed.running(brief("Long talk"))
    jobs.set_header(site.db, claim, Header(made_by=MadeBy(model="openai:m"), brief=claim.brief))
    asked = ModelRequest(messages_sha256="", messages_bytes=1, messages_count=1, folded=1, left_out=1)
    folds = asked.model_copy(update={"newly_folded": ["c2"], "newly_left_out": ["c1"]})
    site.seed.record(
        claim,
        *turn(bash("c1", "ls"), "one"),
        *turn(bash("c2", "cat long"), "two", output_file="/tmp/.studio-output/2.log"),
        *(folds, *turn(bash("c3", "ls"), "three")[1:], asked, *turn(bash("c4", "ls"), "four")[1:]),
    )
    found = gallery.publish(site.db, claim, JobEnd("published", report=site.seed.report(claim), files=[]))
    words = text_of(page(site, f"/artifacts/{found}/trajectory"))
    assert "From step 3 on the model saw this step only as a line in a list of what was done." in words
    assert "From step 3 on the model saw only a line of this result. All of it stayed on its computer, in" in words
    assert "/tmp/.studio-output/2.log" in words
    said = "the model was shown less from here on: 1 earlier result as a line, the first step as a line"
    assert words.count(said) == 1
    assert words.count("1 folded, 1 left out") == 2


def test_prepared_programs_have_no_figures_about_models(site: Served) -> None:
    made = site.seed.published(brief("Prepared"))
    words = text_of(page(site, f"/artifacts/{made}/trajectory"))
    assert "Tokens, cost —" in words
    assert "calls used" not in words
    assert "Waiting for the model" not in words


def test_a_page_of_three_hundred_steps_holds_them_all_and_stays_small(site: Served) -> None:
    _, claim = site.seed.running(brief("Long way"))
    jobs.set_header(site.db, claim, Header(made_by=MadeBy(model="openai:m"), brief=claim.brief))
    number = jobs.get(site.db, claim.job_id).last_seq
    with site.db.session() as session:
        for step in range(1, 301):
            events = turn(bash(f"c{step}", f"python3 make.py {step}"), f"line {step}\n" * 40, f"Thought {step}.")
            for event in events:
                number += 1
                event.seq = number
                add_event(session, claim.job_id, event)
        session.get_one(JobRow, claim.job_id).last_seq = number
    found = gallery.publish(site.db, claim, JobEnd("published", report=site.seed.report(claim), files=[]))
    shown = page(site, f"/artifacts/{found}/trajectory")
    assert len(re.findall(r'<li class="step', shown)) == 300
    assert 'id="step-300"' in shown
    assert len(shown) < 300 * 3000
    assert shown.count("<details") > 300
    assert " open" not in re.sub(r"<summary.*?</summary>", "", shown.split('id="steps"')[1].split("</ol>")[0])


def test_a_job_that_has_begun_has_a_record_in_every_form(site: Served) -> None:
    job, claim = site.seed.running(brief("Under way"))
    site.seed.record(claim, JobStarted(engine="local", limits={}, network="none"))
    for form in ("atif", "openai"):
        answer = site.http.get(f"/api/v1/jobs/{job.id}/trajectory", params={"format": form})
        assert answer.status_code == 200
        assert "Under way" in answer.text


def test_what_was_fetched_is_shown_by_host_on_page_and_api(site: Served) -> None:
    _, claim = site.seed.running(brief("Fetched"))
    site.seed.call(claim, 1, "execute_bash", {"command": "apt-get install sl; curl evil"}, "done")
    names = [f"sl_5.02-{number}_<b>.deb" for number in range(20)]
    asked = [
        NetworkUsed(host="mirror.example.org", port=8080, bytes=2_000_000, admitted=True, requests=20, files=names),
        NetworkUsed(host="<script>.example.com", port=443, bytes=0, admitted=False),
    ]
    for event in asked:
        jobs.record_event(site.db, claim, event)
    fetched = [FetchedFrom(**event.model_dump(include=set(FetchedFrom.model_fields))) for event in asked]
    end = JobEnd("published", usage=Usage(fetched=fetched), report=site.seed.report(claim), files=site.seed.files("F"))
    found = gallery.publish(site.db, claim, end)
    assert found is not None
    for path in (f"/artifacts/{found}", f"/jobs/{claim.job_id}"):
        words = text_of(page(site, path))
        assert "Fetched on the way" in words
        assert "mirror.example.org :8080 2.0 MB, 20 requests" in words
        assert "20 files by name" in words
        assert "sl_5.02-7_<b>.deb" in words
        assert "<script>.example.com refused" in words
    steps = text_of(page(site, f"/artifacts/{found}/trajectory"))
    assert "fetched from mirror.example.org :8080, 2.0 MB: sl_5.02-0_<b>.deb" in steps
    assert "and 8 more" in steps
    assert "refused: <script>.example.com" in steps
    told = site.http.get(f"/api/v1/artifacts/{found}").json()["usage"]["fetched"]
    assert [(one["host"], one["port"], one["bytes"], one["admitted"]) for one in told] == [
        ("mirror.example.org", 8080, 2_000_000, True),
        ("<script>.example.com", 443, 0, False),
    ]


def test_the_form_offers_the_networks_that_the_operator_allows(site: Served) -> None:
    control = re.search(r'<select[^>]*name="/run/network".*?</select>', page(site, "/new/poster"), re.DOTALL)
    assert control
    assert re.findall(r"<option[^>]*>([^<]+)<", control[0])[-2:] == ["none", "packages"]


def test_the_artifacts_page_says_what_its_computer_used(site: Served, artifact: gallery.ArtifactView) -> None:
    said = "4.0 s of processor time, at most 210 MB of memory, 1.5 MB written"
    assert said in text_of(page(site, f"/artifacts/{artifact.id}"))
