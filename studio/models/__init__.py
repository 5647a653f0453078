"""What answers the agent: `recipe`, `replay:FILE`, or `openai:MODEL`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from studio.errors import BriefError, Problem
from studio.models.recording import RecordedResult, Recording, from_events, read_recording
from studio.models.replay import ReplayModel
from studio.models.types import Message, Model, Reply, ToolSchema
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
    "read_recording",
]

NO_RECIPE = (
    "this kind has no recipe, so prepared programs cannot make it; name a model: openai:MODEL, "
    "or replay:… for a recorded run"
)
FORMS = "recipe, openai:MODEL, or on the command line replay:FILE"


def made_by(spec: str, *, recipe: str | None = None) -> MadeBy:
    """What a run with this model spec will be said to be made by. Raises BriefError at /run/model."""
    scheme, _, rest = spec.partition(":")
    if spec == "recipe":
        return MadeBy(recipe=recipe)
    if scheme == "replay" and rest:
        return MadeBy(replay_of=Path(rest).name)
    if scheme == "openai" and rest.strip() == rest and rest:
        return MadeBy(model=spec)
    raise BriefError([Problem("/run/model", f"{spec[:80]!r} is not a model; write {FORMS}")])


def make_model(
    spec: str, settings: Settings, *, recipe: str | None = None, recipe_calls: Sequence[Call] | None = None
) -> Model:
    """The model that `spec` names. A recipe's name and calls are handed in, for kinds know them and models do not.

    Raises BriefError at /run/model: unknown form, no recipe, no readable recording, no key where one is needed.
    """
    maker = made_by(spec, recipe=recipe)
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
    if settings.openai_api_key is None and settings.openai_base_url is None:
        raise BriefError(
            [Problem("/run/model", "set STUDIO_OPENAI_API_KEY, or STUDIO_OPENAI_BASE_URL of a server without keys")]
        )
    from studio.models.openai import OpenAIModel  # noqa: PLC0415  # the package takes a second to import

    return OpenAIModel.from_settings(spec.removeprefix("openai:"), settings)
