"""Named models of `studio.toml`: where each is served, what it costs, what it can do. Types and validation only.

    [models.local]
    base_url = "http://localhost:8080/v1"
    model = "qwen2.5-7b-instruct"
    key_env = "LOCAL_KEY"            # the variable that holds the key; never the key itself
    context = 32768                  # tokens
    images = false
    tools = "auto"                   # "native", "text", or "auto": native until the server refuses
    stream = "auto"                  # true, false, or "auto": whole replies where a stream tells no usage
    prices = { prompt = 0.15, completion = 0.6, cached = 0.075 }   # US dollars per million tokens
    timeouts = { connect = 10, silence = 300, whole = 900 }        # seconds
    extra_body = { temperature = 0.3 }
    extra_headers = { X-Title = "Studio" }

docs/models.md tells the rest.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from typing import Any, Literal, Protocol
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, StrictBool, ValidationError, field_validator

from studio.errors import ConfigurationError

OPENAI_URL = "https://api.openai.com/v1"
NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,39}")
RESERVED = frozenset({"recipe", "replay", "openai"})
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
# Prefixes by which providers mark their keys; and what no person would choose as a word: long, with figures in it.
_MARKED = re.compile(r"^(sk|pk|rk|gsk|xai|hf|r8|nvapi|key|or|ghp|pplx|tgp|csk|fw|AIza)[-_]?[A-Za-z0-9][\w-]{14,}$")
_RANDOM = re.compile(r"^(?=[^\s]*[0-9])(?=[^\s]*[A-Za-z])[A-Za-z0-9_\-.=+/]{32,}$")
_KEY_NAMES = re.compile(
    r"^(api[-_]?)?key$|authorization|secret|password|^(access[-_]?|auth[-_]?)?token$|api[-_]?key", re.I
)
_INSTEAD = "a key never stands in this file: put it into an environment variable and name that one in key_env"


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ModelPrices(_Strict):
    """US dollars per million tokens; `cached` is for prompt tokens that the provider had in its cache."""

    prompt: float = Field(default=0.0, ge=0)
    completion: float = Field(default=0.0, ge=0)
    cached: float | None = Field(default=None, ge=0)

    @property
    def known(self) -> bool:
        return self.prompt > 0 or self.completion > 0


class Priced(Protocol):
    """Prices in US dollars per million tokens; `cached` None where cached tokens cost what others do."""

    @property
    def prompt(self) -> float: ...
    @property
    def completion(self) -> float: ...
    @property
    def cached(self) -> float | None: ...


def cost_usd(prices: Priced, prompt: int, completion: int, cached: int | None = None) -> float:
    """What so many tokens cost; the cached ones are among those of the prompt."""
    cheap = min(cached or 0, prompt) if prices.cached is not None else 0
    return ((prompt - cheap) * prices.prompt + cheap * (prices.cached or 0.0) + completion * prices.completion) / 1e6


class Timeouts(_Strict):
    """Seconds: to connect, without a byte from the server, and for one whole reply."""

    connect: float = Field(default=10.0, gt=0)
    silence: float = Field(default=300.0, gt=0)
    whole: float = Field(default=900.0, gt=0)


class Profile(_Strict):
    """One model of one server. `name` is the table's; the unnamed profile of `openai:MODEL` is called `openai`."""

    name: str = "openai"
    base_url: str = OPENAI_URL
    model: str = Field(min_length=1)
    key_env: str | None = None
    context: int | None = Field(default=None, ge=512, description="Tokens; None where unknown.")
    images: StrictBool = False
    tools: Literal["native", "text", "auto"] = "auto"
    stream: StrictBool | Literal["auto"] = "auto"
    prices: ModelPrices = ModelPrices()
    timeouts: Timeouts = Timeouts()
    attempts: int = Field(default=5, ge=1, le=20, description="How often one reply is asked for.")
    extra_body: Mapping[str, Any] = Field(default_factory=dict)
    extra_headers: Mapping[str, str] = Field(default_factory=dict)

    @property
    def spec(self) -> str:
        """How the model is named in run options."""
        return f"openai:{self.model}" if self.name == "openai" else self.name

    @property
    def title(self) -> str:
        """How records call it: the profile's name and the model's."""
        return f"{self.name}:{self.model}"

    @property
    def needs_key(self) -> bool:
        """Is a key expected? The unnamed profile at an address of its own may do without."""
        return self.key_env is not None and (self.name != "openai" or self.base_url == OPENAI_URL)

    @property
    def address_setting(self) -> str:
        """Where a person changes the address."""
        return "STUDIO_OPENAI_BASE_URL" if self.name == "openai" else f"models.{self.name}.base_url"

    @property
    def key_setting(self) -> str:
        """Where a person sets the key."""
        if self.key_env:
            return f"the key in the variable {self.key_env}"
        return f"models.{self.name}.key_env, which names no variable"

    @field_validator("base_url")
    @classmethod
    def _address(cls, value: str) -> str:
        try:
            parts = urlsplit(value)
            port_fits = parts.port is None or parts.port > 0
        except ValueError:
            parts, port_fits = urlsplit(""), False
        if parts.scheme not in ("http", "https") or not parts.hostname or not port_fits:
            raise ValueError("must be an address such as http://localhost:8000/v1")
        if parts.username or parts.password or parts.query:
            raise ValueError(f"must have no name, password or query in it; {_INSTEAD}")
        return value.rstrip("/")

    @field_validator("key_env")
    @classmethod
    def _variable(cls, value: str | None) -> str | None:
        if value is None:
            return None
        if looks_like_key(value) or not _VARIABLE.fullmatch(value):
            raise ValueError("must be the name of an environment variable such as PROVIDER_KEY; the key is its value")
        return value


def looks_like_key(text: str) -> bool:
    """Could this be a key? Errs on the side of yes: a refusal costs a person a minute, a key in a file more."""
    bare = text.strip()
    if bare.upper() == bare and "_" in bare:  # PROVIDER_KEY_2
        return False
    return bool(_MARKED.match(bare) or _RANDOM.match(bare))


def parse_profiles(text: str, file: str) -> dict[str, Profile]:
    """The profiles of a `studio.toml`, by name. Raises ConfigurationError with the places in `file`, no values."""
    try:
        value = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigurationError(f"{file} is not TOML: {error}") from None
    problems = [f"{name}: unknown; the file has tables [models.NAME] only" for name in value if name != "models"]
    tables = value.get("models", {})
    if not isinstance(tables, dict):
        raise ConfigurationError(f"{file}: models: must be tables, [models.NAME]")
    found = {}
    for name, table in tables.items():
        where = f"models.{name}"
        if not NAME.fullmatch(name) or name in RESERVED:
            problems.append(
                f"{where}: a name has lower-case letters, figures, dots, hyphens and underscores, begins with a letter "
                f"or figure, and is none of {', '.join(sorted(RESERVED))}"
            )
        elif not isinstance(table, dict):
            problems.append(f"{where}: must be a table, [models.{name}]")
        elif "name" in table:
            problems.append(f"{where}.name: unknown; the name is the table's")
        elif keys := list(_keys_in(table, where)):
            problems += keys
        else:
            try:
                found[name] = Profile.model_validate({**table, "name": name})
            except ValidationError as error:
                problems += _problems(error, where)
    if problems:
        raise ConfigurationError("\n".join(f"{file}: {problem}" for problem in problems))
    return found


def _keys_in(value: Any, where: str) -> Iterator[str]:
    """A problem for each place that is named like a key or looks like one."""
    if isinstance(value, dict):
        for name, item in value.items():
            at = f"{where}.{name}"
            if _KEY_NAMES.search(name) and isinstance(item, str):
                yield f"{at}: {_INSTEAD}"
            elif name != "model":  # names of models are long and have figures
                yield from _keys_in(item, at)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from _keys_in(item, f"{where}.{index}")
    elif isinstance(value, str) and not where.endswith(".base_url") and looks_like_key(value):
        yield f"{where}: this looks like a key; {_INSTEAD}"


def _problems(error: ValidationError, where: str) -> list[str]:
    """Each place once: of a union every member complains."""
    return list(dict.fromkeys(_told(error, where)))


def _told(error: ValidationError, where: str) -> Iterator[str]:
    for item in error.errors(include_url=False, include_input=False):
        at = ".".join([where, *(str(part) for part in item["loc"] if part not in ("bool", "literal['auto']"))])
        kind = item["type"]
        if kind == "extra_forbidden":
            yield f"{at}: unknown; remove it or check its spelling"
        elif kind == "missing":
            yield f"{at}: is missing"
        elif ".stream" in at:
            yield f'{at}: must be true, false or "auto"'
        else:
            yield f"{at}: {item['msg'].removeprefix('Value error, ')}"
