"""What answers the agent: `recipe`, `replay:FILE`, a named model of studio.toml, or `openai:MODEL`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from studio.errors import BriefError, Problem
from studio.models.recording import RecordedResult, Recording, from_events, read_recording
from studio.models.replay import ReplayModel
from studio.models.types import Message, Model, Reply, ToolSchema
from studio.profiles import Profile
from studio.settings import Settings
from studio.trajectory import Call, MadeBy

__all__ = [
    "NO_RECIPE",
    "Message",
    "Model",
    "RecordedResult",
    "Recording",
    "ReplayModel",
    "Reply",
    "ToolSchema",
    "from_events",
    "made_by",
    "make_model",
    "provider_profile",
    "read_recording",
]

NO_RECIPE = (
    "this kind has no recipe, so prepared programs cannot make it; name a model: openai:MODEL, "
    "or replay:… for a recorded run"
)
FORMS = "recipe, openai:MODEL, a named model of studio.toml, or on the command line replay:FILE"


def made_by(spec: str, settings: Settings, *, recipe: str | None = None) -> MadeBy:
    """What a run with this model spec will be said to be made by. Raises BriefError at /run/model."""
    scheme, _, rest = spec.partition(":")
    if spec == "recipe":
        return MadeBy(recipe=recipe)
    if scheme == "replay" and rest:
        return MadeBy(replay_of=Path(rest).name)
    return MadeBy(model=provider_profile(spec, settings).title)


def provider_profile(spec: str, settings: Settings) -> Profile:
    """The provider's model that `spec` names, fit to be asked: where it needs a key, the key is there.

    Raises BriefError at /run/model: no such model, no key where one is needed.
    """
    profile = settings.profile(spec)
    if profile is None:
        named = f"; named here: {', '.join(settings.profiles)}" if settings.profiles else ""
        raise _refused(f"{spec[:80]!r} is not a model; write {FORMS}{named}")
    if profile.name == "openai":
        if not settings.has_openai:
            raise _refused(
                "no provider is set up; set STUDIO_OPENAI_API_KEY, or STUDIO_OPENAI_BASE_URL of a server without keys"
            )
    elif profile.needs_key and settings.key_of(profile) is None:
        raise _refused(f"the model {profile.name} needs its key: set the variable {profile.key_env}")
    return profile


def _refused(message: str) -> BriefError:
    return BriefError([Problem("/run/model", message)])


def make_model(
    spec: str, settings: Settings, *, recipe: str | None = None, recipe_calls: Sequence[Call] | None = None
) -> Model:
    """The model that `spec` names. A recipe's name and calls are handed in, for kinds know them and models do not.

    Raises BriefError at /run/model: unknown form, no recipe, no readable recording, no key where one is needed.
    """
    maker = made_by(spec, settings, recipe=recipe)
    if spec == "recipe":
        if recipe_calls is None:
            raise BriefError([Problem("/run/model", NO_RECIPE)])
        return ReplayModel([(call,) for call in recipe_calls], maker)
    if spec.startswith("replay:"):
        try:
            recording = read_recording(Path(spec.removeprefix("replay:")))
        except BriefError as error:
            raise BriefError([Problem("/run/model", problem.message) for problem in error.problems]) from None
        return ReplayModel(recording.replies, maker)
    from studio.models.openai import OpenAIModel  # noqa: PLC0415  # the package takes a second to import

    profile = provider_profile(spec, settings)
    return OpenAIModel(profile, api_key=settings.key_of(profile))
