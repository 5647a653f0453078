"""The named models of a studio, and their test: what the command line and the settings page show."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from studio.errors import NotFound
from studio.profiles import Profile
from studio.settings import Settings

MOST_TOKENS = 150_000  # that a test sends at most
MOST_USD = 0.5
MOST_S = 600.0


@dataclass(frozen=True)
class Named:
    """A model that can be named: its profile, and whether its key is there (None where it needs none)."""

    spec: str
    profile: Profile
    has_key: bool | None


@dataclass(frozen=True)
class Line:
    """One line of a test. `ok` None: not tried."""

    name: str
    ok: bool | None
    found: str
    remedy: str
    seconds: float


@dataclass(frozen=True)
class Cost:
    """What the test came to, in words and in figures; US dollars None without prices."""

    words: str
    requests: int
    prompt_tokens: int
    completion_tokens: int
    usd: float | None


def named_models(settings: Settings) -> list[Named]:
    """The models of studio.toml in its order. Raises ConfigurationError."""
    return [_named(profile, settings) for profile in settings.profiles.values()]


def specs(settings: Settings) -> list[str]:
    """What may stand in run.model here, for hints beside a field."""
    names = ["recipe", settings.default_model, *settings.profiles]
    if settings.has_openai:
        names.append("openai:MODEL")
    return list(dict.fromkeys(names))


def find_model(spec: str, settings: Settings) -> Named:
    """The model that `spec` names. Raises NotFound."""
    profile = settings.profile(spec)
    if profile is None:
        known = ", ".join(settings.profiles) or "none; name one in studio.toml"
        raise NotFound(f"there is no model {spec[:60]!r}; models here: {known}; or openai:MODEL")
    return _named(profile, settings)


def run_test(
    model: Named,
    settings: Settings,
    *,
    most_tokens: int = MOST_TOKENS,
    most_usd: float = MOST_USD,
    most_s: float = MOST_S,
) -> Iterator[Line | Cost]:
    """The lines of a model's test as they come, at the end what it cost."""
    from studio.models.probing import Prober  # noqa: PLC0415  # the provider's package takes a second to import

    key = settings.key_of(model.profile)
    prober = Prober(model.profile, key, most_tokens=most_tokens, most_usd=most_usd, most_s=most_s)
    for probe in prober.run():
        yield Line(probe.name, probe.ok, probe.found, probe.remedy, round(probe.seconds, 2))
    spent = prober.spent
    usd = spent.cost_usd(model.profile)
    yield Cost(spent.words(model.profile), spent.requests, spent.prompt_tokens, spent.completion_tokens, usd)


def _named(profile: Profile, settings: Settings) -> Named:
    has_key = settings.key_of(profile) is not None
    return Named(profile.spec, profile, has_key if has_key or profile.needs_key else None)
