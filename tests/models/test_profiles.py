"""Named models of `studio.toml`: what they say, what is refused, and that no key ever stands there."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from studio.errors import BriefError, ConfigurationError
from studio.models import made_by, make_model
from studio.models.listing import named_models, specs
from studio.profiles import looks_like_key, parse_profiles
from studio.settings import Settings

WHOLE = """
[models.local]
base_url = "http://localhost:8080/v1/"
model = "qwen2.5-7b-instruct"
context = 32768
images = true
tools = "text"
stream = false
attempts = 3
prices = { prompt = 0.15, completion = 0.6, cached = 0.075 }
timeouts = { connect = 5, silence = 60, whole = 300 }
extra_body = { temperature = 0.3 }
extra_headers = { X-Title = "Studio" }

[models.hosted]
model = "big-model"
key_env = "STUDIO_TEST_NO_SUCH_KEY"
"""


def settings_of(folder: Path, text: str) -> Settings:
    (folder / "studio.toml").write_text(text, encoding="utf-8")
    return Settings(data_dir=folder, openai_api_key=None, openai_base_url=None)


def test_a_profile_says_where_and_what(tmp_path: Path) -> None:
    settings = settings_of(tmp_path, WHOLE)
    local = settings.profiles["local"]
    assert local.base_url == "http://localhost:8080/v1"
    assert (local.context, local.images, local.tools, local.stream, local.attempts) == (32768, True, "text", False, 3)
    assert (local.prices.prompt, local.prices.completion, local.prices.cached) == (0.15, 0.6, 0.075)
    assert local.timeouts.silence == 60
    assert made_by("local", settings).model == "local:qwen2.5-7b-instruct"
    assert specs(settings) == ["recipe", "local", "hosted"]


def test_a_profile_whose_key_is_missing_says_which_variable(tmp_path: Path) -> None:
    settings = settings_of(tmp_path, WHOLE)
    with pytest.raises(BriefError, match="/run/model: the model hosted needs its key: .*STUDIO_TEST_NO_SUCH_KEY"):
        make_model("hosted", settings)
    assert [(model.spec, model.has_key) for model in named_models(settings)] == [("local", None), ("hosted", False)]


def test_keys_come_from_the_environment_and_are_secrets(tmp_path: Path) -> None:
    # The variable is one that is always there: what matters is that its value is read and masked.
    settings = settings_of(tmp_path, '[models.a]\nmodel = "m"\nkey_env = "PATH"\n')
    assert settings.key_of(settings.profiles["a"]) == os.environ["PATH"]
    assert os.environ["PATH"] in settings.secrets


def test_an_unknown_model_names_those_that_are_there(tmp_path: Path) -> None:
    with pytest.raises(BriefError, match="named here: local, hosted"):
        make_model("locl", settings_of(tmp_path, WHOLE))


def test_the_file_may_be_named(tmp_path: Path) -> None:
    named = tmp_path / "mine.toml"
    named.write_text('[models.a]\nmodel = "m"\n', encoding="utf-8")
    settings = Settings(data_dir=tmp_path, config=named)
    assert list(settings.profiles) == ["a"]
    assert settings.environment()["STUDIO_CONFIG"] == str(named)
    with pytest.raises(ConfigurationError, match="STUDIO_CONFIG: there is no file"):
        _ = Settings(config=tmp_path / "none.toml").profiles


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("models = 3", "models: must be tables"),
        ("[model.a]\nmodel = 'm'", "model: unknown; the file has tables [models.NAME] only"),
        ("[models.a]\nmodel = ", "is not TOML"),
        ("[models.a]", "models.a.model: is missing"),
        ("[models.a]\nmodel = 'm'\nmodle = 'x'", "models.a.modle: unknown"),
        ("[models.a]\nmodel = 'm'\ncontext = 'long'", "models.a.context: "),
        ("[models.a]\nmodel = 'm'\nstream = 'yes'", 'models.a.stream: must be true, false or "auto"'),
        ("[models.a]\nmodel = 'm'\ntools = 'json'", "models.a.tools: "),
        ("[models.a]\nmodel = 'm'\nprices = { prompt = -1 }", "models.a.prices.prompt: "),
        ("[models.a]\nmodel = 'm'\nbase_url = 'localhost:8000'", "models.a.base_url: must be an address"),
        (
            "[models.a]\nmodel = 'm'\nbase_url = 'http://me:pw@host/v1'",
            "models.a.base_url: must have no name, password",
        ),
        ("[models.a]\nmodel = 'm'\nname = 'b'", "models.a.name: unknown"),
        ("[models.recipe]\nmodel = 'm'", "models.recipe: a name has"),
        ("[models.'A B']\nmodel = 'm'", "models.A B: a name has"),
        ("[models.a]\nmodel = 'm'\napi_key = 'x'", "models.a.api_key: a key never stands in this file"),
        ("[models.a]\nmodel = 'm'\nkey_env = 'sk-abcdefghijklmnop1234'", "models.a.key_env: "),
        (
            "[models.a]\nmodel = 'm'\nextra_headers = { Authorization = 'Bearer x' }",
            "models.a.extra_headers.Authorization",
        ),
        (
            "[models.a]\nmodel = 'm'\nextra_body = { x = ['gsk_abcdefghijklmnop1234'] }",
            "models.a.extra_body.x.0: this looks",
        ),
    ],
)
def test_a_mistake_is_told_by_its_place(text: str, said: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        parse_profiles(text, "studio.toml")
    assert said in str(caught.value)
    assert "abcdefghijklmnop" not in str(caught.value)
    assert str(caught.value).startswith("studio.toml")


@pytest.mark.parametrize("text", ["PROVIDER_KEY", "OPENAI_API_KEY_2", "MyKey", "HF_TOKEN"])
def test_names_of_variables_are_no_keys(text: str) -> None:
    assert not looks_like_key(text)
