"""The only reader of the environment and of `studio.toml`: every setting of the studio, with its default.

Settings come from `STUDIO_*` variables; named models from `studio.toml` (studio/profiles.py), whose keys come from the
variables that it names. Secrets are `SecretStr`, so that a printed or logged Settings shows none.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Literal
from urllib.parse import unquote, urlsplit

from pydantic import AliasChoices, Field, SecretStr
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict

from studio.errors import ConfigurationError
from studio.profiles import OPENAI_URL, ModelPrices, Profile, parse_profiles

CONFIG_NAME = "studio.toml"
OPENAI_KEY = "STUDIO_OPENAI_API_KEY"


def user_folder() -> Path:
    """The user's data folder for the studio, after the XDG Base Directory Specification."""
    base = os.environ.get("XDG_DATA_HOME") or ""
    root = Path(base) if base.startswith("/") else Path.home() / ".local" / "share"
    return root / "sandbox-studio"


def wants_tracebacks() -> bool:
    """Did whoever started this ask for tracebacks? Asked of the environment alone, as Settings may be what fails."""
    return os.environ.get("STUDIO_LOG_LEVEL", "").upper() == "DEBUG"


def _from_file(variable: str) -> str | None:
    """The text of the file that VARIABLE_FILE names, as containers are given secrets. Raises ConfigurationError."""
    path = os.environ.get(f"{variable}_FILE")
    if not path:
        return None
    try:
        return Path(path).read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{variable}_FILE: {path} cannot be read: {error}") from None


class _Files(PydanticBaseSettingsSource):
    """Values that stand in files: STUDIO_NAME_FILE names the one with the value of STUDIO_NAME."""

    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[str | None, str, bool]:
        return _from_file(f"STUDIO_{field_name.upper()}"), field_name, False

    def __call__(self) -> dict[str, object]:
        found = {name: self.get_field_value(field, name)[0] for name, field in self.settings_cls.model_fields.items()}
        return {name: value for name, value in found.items() if value}  # an empty file gives nothing


class Settings(BaseSettings):
    """All settings; constructed once at each front door and handed down."""

    model_config = SettingsConfigDict(env_prefix="STUDIO_", extra="ignore", frozen=True)

    data_dir: Path = Field(default_factory=user_folder, description="Database, queue, blobs, logs.")
    image_dir: Path = Field(
        default_factory=lambda: user_folder() / "images",
        description="Sandbox images; shared by all data directories of a user.",
    )
    config: Path | None = Field(
        default=None, description="Named models; default: studio.toml here, else in the data directory."
    )
    host: str = "127.0.0.1"
    port: int = Field(default=8765, ge=0, le=65535)
    content_origin: str | None = Field(
        default=None, description="Origin for untrusted files, e.g. https://{token}.example.net"
    )
    public_url: str | None = Field(
        default=None, description="Address by which people open the studio, where a proxy stands before it."
    )
    tile_sources: str = Field(
        default="https://tile.openstreetmap.org https://*.tile.openstreetmap.org",
        description="Origins from which a map made here may load its tiles, with blanks between; empty for none.",
    )
    url: str | None = Field(default=None, description="The studio that submit, status, watch and cancel talk to.")
    api_key: SecretStr | None = Field(default=None, description="The key that they present.")
    database_url: str | None = Field(
        default=None, repr=False, description="postgresql://…; default: SQLite in the data directory."
    )
    database_password: SecretStr | None = Field(default=None, description="Its password, where it stands in no URL.")
    broker_url: str | None = Field(
        default=None, repr=False, description="redis://… or amqp://…; default: a folder in the data directory."
    )
    broker_password: SecretStr | None = Field(default=None, description="Its password, where it stands in no URL.")
    engine: Literal["auto", "docker", "local"] = "auto"
    engine_elsewhere: bool = Field(
        default=False, description="This process reaches no engine: workers in other places have one each."
    )
    docker_host: str = Field(
        default="unix:///var/run/docker.sock",
        validation_alias=AliasChoices("docker_host", "STUDIO_DOCKER_HOST", "DOCKER_HOST"),
        description="Where a Docker engine listens: unix:///… or tcp://….",
    )
    docker_runtime: str | None = Field(default=None, description="Runtime of its containers, e.g. runsc (gVisor).")
    image_profile: Literal["full", "minimal"] = Field(
        default="full", description="The image that jobs work in; what they make is judged on the full one."
    )
    max_network: Literal["none", "packages", "open"] = Field(
        default="packages", description="The most that a job may ask for: package registries, or all of the public web."
    )
    egress_allow: str = Field(
        default="", description="Hosts that such a job may reach too: host, host:port or .domain, with blanks between."
    )
    workers: int = Field(default=2, ge=1, le=64, description="Jobs worked at once on this machine.")
    allow_unprotected: bool = Field(default=False, description="Start off loopback though a protection is missing.")
    openai_base_url: str | None = None
    openai_api_key: SecretStr | None = None
    default_model: str = "recipe"
    draft_model: str | None = Field(
        default=None, description="Fills forms from a sentence; default: default_model, else the first named model."
    )
    drafts_a_day: int = Field(default=200, ge=0, description="Calls a day for filling forms; 0: plain rules only.")
    drafts_cost_usd: float = Field(default=1.0, ge=0, description="US dollars a day for filling forms.")
    default_visibility: Literal["operators", "unlisted", "public"] = Field(
        default="operators", description="Who may see an accepted work: operators, whoever has its link, anybody."
    )
    anonymous_gallery: bool = Field(default=False, description="May a visitor without a key see the public works?")
    anonymous_record: bool = Field(default=False, description="May they read how a work was made, step by step?")
    anonymous_paid: bool = Field(default=False, description="May a visitor without a key start a paid model?")
    price_prompt_usd: float = Field(default=0.0, ge=0, description="US dollars per million prompt tokens.")
    price_completion_usd: float = Field(default=0.0, ge=0, description="US dollars per million completion tokens.")
    price_cached_usd: float | None = Field(
        default=None, ge=0, description="The same for prompt tokens that the provider had cached; default: as others."
    )
    max_steps: int = Field(default=200, ge=1)
    max_time_s: int = Field(default=3600, ge=10)
    max_tokens: int = Field(default=5_000_000, ge=1000)
    max_cost_usd: float = Field(default=20.0, ge=0)
    daily_tokens: int | None = Field(
        default=None, ge=0, description="Tokens that all jobs may take of paid models in a day (UTC); none: no cap."
    )
    daily_cost_usd: float | None = Field(
        default=None, ge=0, description="US dollars that all jobs may cost in a day (UTC); none: no cap."
    )
    max_memory_mb: int = Field(default=4096, ge=512)
    max_workspace_mb: int = Field(default=2048, ge=64)
    max_command_s: int = Field(default=900, ge=1)
    max_repairs: int = Field(default=10, ge=0)
    batch_window: int = Field(default=32, ge=1, description="Jobs of batches that are queued or worked at once.")
    batch_hours: float = Field(default=72.0, gt=0, description="A batch that is not through by then expires.")
    queue_hours: float = Field(default=24.0, gt=0)
    lease_s: float = Field(default=20.0, gt=0)
    heartbeat_s: float = Field(default=5.0, gt=0)
    sweep_s: float = Field(default=5.0, gt=0)
    attempts: int = Field(default=3, ge=1)
    log_level: str = "INFO"

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """What is given in the call counts first, then the variable, then the file that one names."""
        return init_settings, env_settings, _Files(settings_cls)

    @property
    def config_file(self) -> Path | None:
        """The `studio.toml` that counts; None without one. Raises ConfigurationError where a named one is missing."""
        if self.config is not None:
            if not self.config.is_file():
                raise ConfigurationError(f"STUDIO_CONFIG: there is no file {self.config}")
            return self.config
        places = (Path(CONFIG_NAME), self.data_dir / CONFIG_NAME)
        return next((place.absolute() for place in places if place.is_file()), None)

    @cached_property
    def profiles(self) -> Mapping[str, Profile]:
        """Named models by name. Raises ConfigurationError with the places that are wrong."""
        path = self.config_file
        if path is None:
            return {}
        try:
            text = path.read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise ConfigurationError(f"{path} cannot be read: {error}") from None
        return parse_profiles(text, str(path))

    @property
    def has_openai(self) -> bool:
        """May `openai:MODEL` be named: is there a key, or a server that needs none?"""
        return self.openai_api_key is not None or self.openai_base_url is not None

    def profile(self, spec: str) -> Profile | None:
        """The provider's model that `spec` names (`NAME` of studio.toml, or `openai:MODEL`); None where none."""
        if found := self.profiles.get(spec):
            return found
        model = spec.removeprefix("openai:")
        if model == spec or not model or model.strip() != model:
            return None
        # Unchecked, as an address that is none shall be told when it is used.
        return Profile.model_construct(
            model=model,
            base_url=self.openai_base_url or OPENAI_URL,
            key_env=OPENAI_KEY,
            prices=ModelPrices(
                prompt=self.price_prompt_usd, completion=self.price_completion_usd, cached=self.price_cached_usd
            ),
        )

    def key_of(self, profile: Profile) -> str | None:
        """The key of a profile, from the variable that it names; None where that is empty."""
        if profile.key_env == OPENAI_KEY and self.openai_api_key is not None:
            return self.openai_api_key.get_secret_value()
        if not profile.key_env:
            return None
        return (os.environ.get(profile.key_env) or _from_file(profile.key_env) or "").strip() or None

    def environment(self, **changed: str) -> dict[str, str]:
        """The environment of a child process that shall see these settings, `changed` names without the prefix."""
        own = {
            "data_dir": str(self.data_dir),
            "image_dir": str(self.image_dir),
            "host": self.host,
            "port": str(self.port),
            "workers": str(self.workers),
            "engine": self.engine,
            "log_level": self.log_level,
            **({"config": str(self.config_file.absolute())} if self.config_file else {}),
            **({"database_url": self.database_url} if self.database_url else {}),
            **({"broker_url": self.broker_url} if self.broker_url else {}),
            **changed,
        }
        return {**os.environ, **{f"STUDIO_{name.upper()}": value for name, value in own.items()}}

    @cached_property
    def secrets(self) -> tuple[str, ...]:
        """Values that must be masked wherever text is stored."""
        keys = (self.openai_api_key, self.api_key, self.database_password, self.broker_password)
        own = [key.get_secret_value() for key in keys if key]
        own += [
            unquote(found) for url in (self.database_url, self.broker_url) if (found := urlsplit(url or "").password)
        ]
        return tuple(dict.fromkeys(filter(None, [*own, *map(self.key_of, self.profiles.values())])))
