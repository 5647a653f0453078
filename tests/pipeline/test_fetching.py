"""On the image that has next to nothing a model installs ffmpeg and FluidSynth first; what it fetched is shown."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from studio import jobs
from studio.blobs import open_blobs
from studio.brief import Brief
from studio.kinds import get_kind
from studio.pipeline.run import run_job
from studio.sandboxes import engine_for
from studio.sandboxes.egress import squid
from studio.trajectory import JobStarted, NetworkUsed
from tests.support.openai_server import bash, says, serving
from tests.web.served import served

APT = (
    "set -e; apt-get -q update; apt-get -q install -y {}; pip install --no-cache-dir -q {}; rm -rf /var/cache/apt/*.bin"
)
NEEDED = {
    "countdown_video": (
        "ffmpeg libcairo2 fonts-inter fonts-noto-core fonts-noto-color-emoji fonts-bebas-neue fonts-league-spartan",
        "uharfbuzz pyloudnorm",
        "ffmpeg_",
    ),
    "piano_piece": ("fluidsynth musescore-general-soundfont-small", "mido pyloudnorm", "fluidsynth_"),
}

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not os.environ.get("STUDIO_TEST_DOCKER"), reason="no Docker engine was asked for"),
    pytest.mark.skipif(squid.program() is None, reason=f"the proxy Squid is not here: {squid.REMEDY}"),
]


def recipe_calls(brief: Brief) -> list[tuple[str, Any]]:
    """What a model might write: the programs of the house."""
    recipe = get_kind(brief.kind).recipe(brief)
    assert recipe is not None
    return [(call.name, json.loads(call.arguments)) for call in recipe.calls]


@pytest.mark.parametrize("kind", sorted(NEEDED))
def test_on_the_minimal_image_a_model_installs_what_it_needs_and_its_work_is_accepted(
    tmp_path: Path, kind: str
) -> None:
    brief = get_kind(kind).samples()[0].brief
    packages, libraries, fetched = NEEDED[kind]
    answers = [
        says("First see what is here.", bash("which ffmpeg fluidsynth || echo neither")),
        says("I fetch what I need.", bash(APT.format(packages, libraries), timeout=600)),
        says("Now I make it.", *recipe_calls(brief)),
    ]
    given = {"engine": "docker", "image_profile": "minimal", "openai_api_key": "sk-scripted-key-000111222"}
    with serving(*answers) as provider, served(tmp_path, **given, openai_base_url=provider.url) as site:
        run = {"model": "openai:scripted", "network": "packages", "limits": {"command_s": 600}}
        asked = site.http.post("/api/v1/jobs", json={"brief": brief.model_dump(mode="json"), "run": run})
        assert asked.status_code == 202, asked.text
        job_id = asked.json()["id"]
        run_job(job_id, site.db, open_blobs(site.settings), engine_for(site.settings), site.settings, "test")

        told = site.http.get(f"/api/v1/jobs/{job_id}").json()
        assert (told["state"], told["reason"]) == ("published", None), told["message"]
        assert provider.requests[1]["messages"][-1]["content"].startswith("neither")
        assert "apt-get install" in provider.requests[0]["messages"][1]["content"]
        events = jobs.events(site.db, job_id, limit=1000)
        assert [event.network for event in events if isinstance(event, JobStarted)] == ["packages"]
        used = [event for event in events if isinstance(event, NetworkUsed)]
        assert all(event.admitted for event in used)
        assert any(name.startswith(fetched) for event in used for name in event.files)
        assert {(one["port"], one["admitted"]) for one in told["usage"]["fetched"]} == {(80, True), (443, True)}
        assert sum(one["bytes"] for one in told["usage"]["fetched"]) == sum(event.bytes for event in used) > 10_000_000
        page = site.http.get(f"/artifacts/{told['artifact']}").text
        assert "Fetched on the way" in page
        assert f"<bdi>{used[0].host}</bdi>" in page
        assert fetched in page
        record = site.http.get(f"/artifacts/{told['artifact']}/trajectory").text
        assert "fetched from" in record
