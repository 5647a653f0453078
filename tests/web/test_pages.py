"""The pages over HTTP, without a browser: what they say, what they escape, and that nothing typed is lost."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from studio import gallery, jobs
from tests.web.reading import NASTY, page, send, text_of, token, typed
from tests.web.seeding import brief
from tests.web.served import Served, served


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("studio")) as found:
        yield found


# --- Start and gallery


def test_the_start_page_shows_the_newest_artifact_and_the_kinds(site: Served) -> None:
    site.seed.published(brief("First Light"))
    shown = page(site, "/")
    assert "First Light" in text_of(shown)
    assert 'href="/new/poster"' in shown
    assert re.search(r'<img src="http://[a-z0-9]+\.localhost:\d+/_previews/thumbnail\.svg" width="420"', shown)


@pytest.mark.parametrize(
    ("sentence", "kind", "filled", "empty"),
    [
        ("A poster for Open Night at Hill House", "poster", "Hill House", "Left empty: Event, Date"),
        ("给奶奶的生日倒计时", "countdown_video", "奶奶", None),
    ],
)
def test_a_sentence_becomes_a_filled_form(
    site: Served, sentence: str, kind: str, filled: str, empty: str | None
) -> None:
    before = len(jobs.list_jobs(site.db).data)
    answer = site.http.post("/start", data={"csrf_token": token(site), "sentence": sentence})
    assert answer.status_code == 303
    assert answer.headers["Location"].startswith(f"/new/{kind}?draft=")
    shown = page(site, answer.headers["Location"])
    said = text_of(shown)
    assert sentence in said
    assert f'value="{filled}"' in shown
    assert "Filled in by plain rules from your sentence; no model took part." in said
    assert (empty or "") in said
    assert ("Left empty" in said) == (empty is not None)
    assert len(jobs.list_jobs(site.db).data) == before, "nothing is queued"
    refused = site.http.post("/start", data={"csrf_token": token(site), "sentence": " "})
    assert refused.status_code == 422
    assert "Say in a sentence what shall be made." in text_of(refused.text)


def test_tiles_say_who_made_it(site: Served) -> None:
    site.seed.published(brief("By Programs"), tags=["who"])
    site.seed.published(brief("By a Model"), model="some-model-1", tags=["who"])
    shown = text_of(page(site, "/gallery?tag=who"))
    assert "By a Model Poster · some-model-1" in shown
    assert "By Programs Poster · rendered by prepared programs; no model took part" in shown


@pytest.mark.parametrize(
    "query", ["q=zebra", "language=pt", "model=model-of-zebras", "tag=stripes", "q=zebra&kind=poster"]
)
def test_the_gallery_can_be_filtered(site: Served, query: str) -> None:
    site.seed.published(brief("A Zebra at Night", language="pt"), model="model-of-zebras", tags=["stripes"])
    shown = text_of(page(site, f"/gallery?{query}"))
    assert "A Zebra at Night" in shown
    assert "First Light" not in shown


def test_more_pages_hold_each_artifact_once_and_keep_the_filter(site: Served) -> None:
    wanted = {site.seed.published(brief(f"Many {n}"), tags=["many"]) for n in range(26)}
    found, at = [], "/gallery?tag=many"
    while at:
        shown = page(site, at)
        found += re.findall(r'class="tile[^>]*>\s*<a href="/artifacts/([0-9a-f-]+)"', shown)
        more = re.search(r'rel="next" href="([^"]+)"', shown)
        at = html.unescape(more[1]) if more else ""
    assert len(found) == 26
    assert set(found) == wanted


def test_an_empty_result_says_so(site: Served) -> None:
    assert "Nothing here is like this." in text_of(page(site, "/gallery?q=nothing-is-called-so"))


# --- Artifacts


def test_an_artifact_shows_its_checks_what_was_not_measured_and_how_it_was_made(site: Served) -> None:
    artifact = site.seed.published(brief("Spec", prompt="Blue, please."))
    shown = page(site, f"/artifacts/{artifact}")
    words = text_of(shown)
    assert "Text can be read on its ground poster.contrast every text at least 4.5 : 1" in words
    assert "Whether it follows the prompt — nobody measured this Not measured" in words
    assert "Rendered by the prepared programs poster/1 in 3 steps" in words
    assert "not read by prepared programs" in words
    assert "social_media_versions/instagram.svg" in words
    assert re.search(r'<img data-picture src="http://[a-z0-9]+\.localhost:\d+/poster\.svg"', shown)


def test_a_version_can_be_looked_at_without_a_script(site: Served) -> None:
    artifact = site.seed.published(brief("Versions"))
    shown = page(site, f"/artifacts/{artifact}?file=social_media_versions/twitter.svg")
    assert re.search(r'<img data-picture src="[^"]*/social_media_versions/twitter\.svg"', shown)


def test_the_text_equivalent_is_text(site: Served) -> None:
    artifact = site.seed.published(
        brief("Words"), text="# Ground\n<img src=x onerror=alert(1)>\n\x00\udcff".encode("utf-8", "replace").decode()
    )
    shown = page(site, f"/artifacts/{artifact}")
    assert "&lt;img src=x onerror=alert(1)&gt;" in shown
    assert "<img src=x" not in shown


def test_downloads_lead_to_the_file(site: Served) -> None:
    artifact = site.seed.published(brief("Down"))
    links = re.findall(
        r'<a href="(/api/v1/artifacts/[^"]+/files/[^"]+)" download', page(site, f"/artifacts/{artifact}")
    )
    assert len(links) == 4
    for link in links:
        assert site.http.get(link).headers["Content-Disposition"].startswith("attachment")


def test_the_trajectory_shows_each_step(site: Served) -> None:
    artifact = site.seed.published(brief("Steps"), model="some-model-1")
    words = text_of(page(site, f"/artifacts/{artifact}/trajectory"))
    for part in (
        "Made by some-model-1 in 3 steps",
        "with 6,630 tokens",
        "I will draw the poster as one SVG",
        "Margins first.",
        "cat /testbed/input/brief.json",
        "exit 1",
        "Traceback: no such font",
        "changed: make.py",
        "Accepted 15 of 15 checks hold",
    ):
        assert part in words
    assert 'id="step-3"' in page(site, f"/artifacts/{artifact}/trajectory")


def test_a_long_output_is_cut_in_its_middle_and_says_by_how_much(site: Served) -> None:
    _, claim = site.seed.running(brief("Long"))
    site.seed.call(claim, 1, "execute_bash", {"command": "seq 1 9999"}, "a" * 10_000 + "M" + "z" * 10_000)
    shown = page(site, f"/jobs/{claim.job_id}")
    assert "8,001 characters are left out here" in text_of(shown)
    assert "aM" not in shown


# --- What strangers write


def test_what_strangers_write_is_escaped_everywhere(site: Served) -> None:
    name = NASTY.replace("\u202e", "")
    job, claim = site.seed.running(brief(name, prompt=NASTY), tags=[NASTY[:40]])
    site.seed.turn(claim, 1, NASTY, "execute_bash", {"command": NASTY}, NASTY, files_changed=[NASTY])
    site.seed.call(claim, 2, NASTY, {NASTY: NASTY}, NASTY, exit_status=None)
    shown = [page(site, path) for path in ("/jobs", f"/jobs/{job.id}")]
    report = site.seed.report(claim, {"poster.text": NASTY})
    report.checks[0].expected = report.checks[0].measured = NASTY
    report.unmeasured.append(NASTY)
    jobs.finish(
        site.db, claim, jobs.JobEnd("rejected", "checks_failed", NASTY, report=report, files=site.seed.files("x"))
    )
    artifact = site.seed.published(brief(name, prompt=NASTY), model=NASTY, tags=[NASTY[:40]])
    paths = (
        "/",
        "/gallery",
        f"/jobs/{job.id}",
        f"/artifacts/{artifact}",
        f"/artifacts/{artifact}/trajectory",
        f"/new/poster?job={job.id}",
    )
    shown += [page(site, path) for path in paths]
    for markup in shown:
        assert "<script>alert" not in markup
        assert "alert(1)" in markup  # it is there, as text
        assert "49" not in re.sub(r"[0-9a-f-]{12,}|#[0-9A-F]{6}|\d{3,}", "", markup.split("alert(1)")[1][:60])


def test_no_page_has_an_inline_script_or_style(site: Served) -> None:
    artifact = site.seed.published(brief("Clean"))
    _, claim = site.seed.running(brief("Clean Too"))
    for path in (
        "/",
        "/gallery",
        "/jobs",
        "/new/poster",
        f"/artifacts/{artifact}",
        f"/artifacts/{artifact}/trajectory",
        f"/jobs/{claim.job_id}",
    ):
        shown = page(site, path)
        assert all('src="/static/' in tag and "nonce=" in tag for tag in re.findall(r"<script[^>]*>", shown))
        assert not re.search(r"<style|\sstyle=|\son[a-z]+=\"|javascript:", shown)
        assert len(re.findall(r'rel="stylesheet"', shown)) == 1


# --- Jobs


def test_jobs_are_listed_by_state(site: Served) -> None:
    site.seed.failed(brief("Lost at Sea"))
    shown = text_of(page(site, "/jobs?state=failed"))
    assert "Lost at Sea" in shown
    assert "The sandbox died, and a second one too." in shown
    assert "Night Walk" not in shown


def test_a_running_job_refreshes_without_a_script_and_an_ended_one_does_not(site: Served) -> None:
    _, claim = site.seed.running(brief("Running"))
    shown = page(site, f"/jobs/{claim.job_id}")
    assert '<noscript><meta http-equiv="refresh" content="3"></noscript>' in shown
    assert "Running step 0" not in text_of(shown)
    job = site.seed.rejected(brief("Over"))
    assert "http-equiv" not in page(site, f"/jobs/{job.id}")


def test_a_rejected_job_shows_what_failed_and_its_files(site: Served) -> None:
    job = site.seed.rejected(brief("Too Pale"))
    shown = page(site, f"/jobs/{job.id}")
    words = text_of(shown)
    assert "What does not hold Fail Text can be read on its ground" in words
    assert "make the text darker or the ground lighter. in poster.svg 1 “9:00”" in words
    assert re.search(r'href="http://[a-z0-9]+\.localhost:\d+/poster\.svg"', shown)


def test_progress_tells_the_last_step_again_and_what_is_new(site: Served) -> None:
    job, claim = site.seed.running(brief("Progress"))
    site.seed.work(claim)
    before = page(site, f"/jobs/{job.id}")
    last = re.findall(r'id="step-(\d+)"[^>]* data-seq="(\d+)"', before)[-1]
    site.seed.call(claim, 3, "execute_bash", {"command": "echo new"}, "new\n")
    news = site.http.get(f"/jobs/{job.id}/progress", params={"step": last[0], "seq": last[1], "attempt": 1}).json()
    assert re.findall(r'id="step-(\d+)"', news["steps"]) == ["2", "3"]
    assert not news["ended"]
    after = page(site, f"/jobs/{job.id}")
    for block in re.findall(r'<li class="step[^"]*".*?</li>', news["steps"], re.DOTALL):
        assert block in after


def test_a_second_attempt_is_marked(site: Served) -> None:
    job, claim = site.seed.running(brief("Twice"))
    site.seed.work(claim)
    jobs.release(site.db, claim, "the worker was stopped")
    again = jobs.claim(site.db, job.id, "worker-2", 3600.0)
    assert again
    site.seed.call(again, 1, "execute_bash", {"command": "echo again"}, "again\n")
    words = text_of(page(site, f"/jobs/{job.id}"))
    assert re.search(r"Step 2 .* Attempt 2 Step 3 .* echo again", words)


def test_cancel_and_try_again(site: Served) -> None:
    job = site.seed.queued(brief("Never Mind"))
    path = f"/jobs/{job.id}"
    answer = site.http.post(f"{path}/cancel", data={"csrf_token": token(site, path)})
    assert answer.headers["Location"].startswith(path)
    assert "Canceled A person ended it." in text_of(page(site, path))
    assert site.http.post(f"{path}/cancel", data={"csrf_token": token(site, path)}).status_code == 303
    answer = site.http.post(f"{path}/retry", data={"csrf_token": token(site, path)})
    assert answer.status_code == 303
    assert jobs.get(site.db, answer.headers["Location"].rsplit("/", 1)[1]).parent == job.id


# --- Errors and set-up


@pytest.mark.parametrize(
    ("path", "status", "words"),
    [
        ("/nowhere", 404, "There is no such page"),
        ("/new/unicorn", 404, "the studio does not make 'unicorn'; it makes: "),
        ("/jobs/00000000-0000-7000-8000-000000000000", 404, "there is no job"),
        ("/artifacts/00000000-0000-7000-8000-000000000000/trajectory", 404, "there is no artifact"),
        ("/jobs?state=asleep", 422, "unknown state 'asleep'"),
        ("/gallery?cursor=zzz", 422, "not a cursor of this list"),
        ("/new/poster?sample=none", 404, "there is no sample 'none'"),
        ("/new/poster?job=none", 404, "there is no job"),
    ],
)
def test_errors_are_pages_too(site: Served, path: str, status: int, words: str) -> None:
    shown = text_of(page(site, path, status))
    assert words in shown
    assert "Reference" in shown
    assert "Traceback" not in shown


def test_a_body_that_is_too_large_is_told_so(site: Served) -> None:
    answer = send(site, typed(do="make", **{"/brief/prompt": "x" * (3 << 20)}))
    assert answer.status_code == 413
    assert "That is too large" in text_of(answer.text)


def test_the_set_up_is_shown_while_it_goes_on(site: Served) -> None:
    progress: Path = site.settings.data_dir / "setup.json"
    progress.write_text(
        '{"stage": "fetch", "message": "Fetching packages", "done_bytes": 150000000, "total_bytes": 600000000,'
        ' "ready": false}'
    )
    try:
        shown = page(site, "/")
        assert "The studio is setting itself up. Fetching packages 150 MB of 600 MB" in text_of(shown)
        assert site.http.get("/setup.json").json()["done_bytes"] == 150000000
    finally:
        progress.unlink()
    assert "setting itself up" not in page(site, "/")


def test_an_empty_studio_has_pages_too(tmp_path: Path) -> None:
    with served(tmp_path) as empty:
        assert "Nothing hangs here yet." in text_of(page(empty, "/"))
        assert "Nothing hangs here yet." in text_of(page(empty, "/gallery"))
        assert "No job yet." in text_of(page(empty, "/jobs"))
        assert gallery.list_artifacts(empty.db).data == []
