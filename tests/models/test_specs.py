"""Model specs: what can be named, and what is refused with a pointer."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import SecretStr

from studio.errors import BriefError
from studio.models import make_model
from studio.settings import Settings
from studio.trajectory import Call

KEYED = Settings(openai_api_key=SecretStr("sk-scripted-key-000111222"))
BARE = Settings(openai_api_key=None, openai_base_url=None)
CALLS = (Call(id="1", name="submit", arguments=""),)


def refusal(spec: str, settings: Settings = KEYED) -> str:
    with pytest.raises(BriefError) as caught:
        make_model(spec, settings)
    (problem,) = caught.value.problems
    assert problem.pointer == "/run/model"
    return problem.message


@pytest.mark.parametrize("spec", ["", "gpt", "openai:", "openai: x", "recipes", "replay:", "ollama:x"])
def test_an_unknown_spec_is_refused_with_the_forms(spec: str) -> None:
    assert "openai:MODEL" in refusal(spec)


def test_a_kind_without_recipe_says_so() -> None:
    assert "no recipe" in refusal("recipe")


def test_a_provider_needs_a_key_or_a_server() -> None:
    assert "STUDIO_OPENAI_API_KEY" in refusal("openai:some-model", BARE)


def test_a_missing_recording_is_refused(tmp_path: Path) -> None:
    assert "cannot be read" in refusal(f"replay:{tmp_path / 'none.jsonl'}")


def test_each_spec_says_what_makes_it(tmp_path: Path) -> None:
    recorded = tmp_path / "run.json"
    recorded.write_text('[{"role": "assistant", "tool_calls": [{"id": "1", "function": {"name": "submit"}}]}]')
    recipe = make_model("recipe", BARE, recipe="poster/1", recipe_calls=CALLS)
    replay = make_model(f"replay:{recorded}", BARE)
    provider = make_model("openai:some-model", KEYED)
    assert recipe.made_by.recipe == "poster/1"
    assert replay.made_by.replay_of == "run.json"
    assert provider.made_by.model == "openai:some-model"
    assert [model.made_by.prepared for model in (recipe, replay, provider)] == [True, True, False]
