"""Run options within the operator's bounds, and which models a job may name."""

from __future__ import annotations

from uuid import UUID

from studio.brief import Brief, Limits, RunOptions, pointer
from studio.errors import BriefError, Problem
from studio.kinds import get_kind
from studio.models import NO_RECIPE, provider_profile
from studio.sandboxes.types import SandboxSpec
from studio.settings import Settings
from studio.trajectory import DERIVED, MadeBy

MIB = 1 << 20
NETWORKS = ("none", "packages", "open")
SPARE_MB = 512  # what programs need beside files on tmpfs (SANDBOX.md, "Limits")


def bounded(run: RunOptions, settings: Settings) -> RunOptions:
    """`run` with the operator's defaults filled in.

    A default that is above the operator's maximum is lowered to it; a value that the request itself gave is refused.
    Raises BriefError with pointers below /run.
    """
    problems: list[Problem] = []
    given = run.limits.model_fields_set if "limits" in run.model_fields_set else set()
    maxima: dict[str, float] = {
        "steps": settings.max_steps,
        "time_s": settings.max_time_s,
        "tokens": settings.max_tokens,
        "cost_usd": settings.max_cost_usd,
        "memory_mb": settings.max_memory_mb,
        "workspace_mb": settings.max_workspace_mb,
        "command_s": settings.max_command_s,
    }
    limits: dict[str, float] = {}
    for name, most in maxima.items():
        value = getattr(run.limits, name)
        if value > most and name in given:
            problems.append(_above(value, most, "limits", name))
        limits[name] = min(value, most)
    problems += _fit_memory(limits, given)
    problems += _network(run, settings)
    if run.repairs > settings.max_repairs and "repairs" in run.model_fields_set:
        problems.append(_above(run.repairs, settings.max_repairs, "repairs"))
    if problems:
        raise BriefError(problems)
    return run.model_copy(
        update={
            "limits": Limits.model_validate(limits),
            "repairs": min(run.repairs, settings.max_repairs),
            "model": run.model if "model" in run.model_fields_set else settings.default_model,
            "engine": run.engine if "engine" in run.model_fields_set else settings.engine,
        }
    )


def _network(run: RunOptions, settings: Settings) -> list[Problem]:
    most = settings.max_network
    if NETWORKS.index(run.network) <= NETWORKS.index(most):
        return []
    message = f"may be at most {most!r} here (got {run.network!r}); the operator sets that by STUDIO_MAX_NETWORK"
    return [Problem("/run/network", message)]


def _above(value: float, most: float, *path: str) -> Problem:
    return Problem(pointer("run", *path), f"must be at most {most:g}, the operator's maximum (got {value:g})")


def _fit_memory(limits: dict[str, float], given: set[str]) -> list[Problem]:
    """Files on tmpfs count as memory: a workspace that does not fit is lowered, or refused when it was asked for."""
    spec = SandboxSpec()
    fixed = (spec.tmp_bytes + spec.shm_bytes + spec.home_bytes) // MIB + SPARE_MB
    room = limits["memory_mb"] - fixed
    if limits["workspace_mb"] <= room:
        return []
    if "workspace_mb" in given:
        message = (
            f"does not fit: workspace {limits['workspace_mb']:g} + {fixed} MiB for other folders and programs "
            f"is above memory_mb {limits['memory_mb']:g}; lower it to {room:g} or raise memory_mb"
        )
        return [Problem("/run/limits/workspace_mb", message)]
    limits["workspace_mb"] = room
    return []


def made_by(spec: str, brief: Brief, settings: Settings, *, anonymous: bool) -> MadeBy:
    """Who will make it, by the model's spec: `recipe`, `recipe:JOB`, a named model, `openai:MODEL` or `replay:JOB`.

    Raises BriefError at /run/model, or below /brief where the kind's recipe cannot make this brief. Whether the job
    that is named is there is not looked at.
    """
    name, _, rest = spec.partition(":")
    if spec == "recipe":
        return _by_recipe(brief)
    if name == "recipe":
        try:
            return MadeBy(recipe=f"{DERIVED}{UUID(rest)}")
        except ValueError:
            raise _refused("a recipe from a record is named by its job: recipe:JOB_ID") from None
    if name == "replay" and rest:
        try:
            return MadeBy(replay_of=str(UUID(rest)))
        except ValueError:
            raise _refused(
                "a recorded run is named by its job: replay:JOB_ID; files only on the command line"
            ) from None
    profile = provider_profile(spec, settings)
    if anonymous and not settings.anonymous_paid:
        raise _refused("a visitor without a key may not start a paid model; sign in, send a key, or use recipe")
    return MadeBy(model=profile.title)


def _by_recipe(brief: Brief) -> MadeBy:
    try:
        recipe = get_kind(brief.kind).recipe(brief)
    except BriefError as error:
        raise below("/brief", error) from None
    if recipe is None:
        raise _refused(NO_RECIPE)
    return MadeBy(recipe=recipe.name)


def _refused(message: str) -> BriefError:
    return BriefError([Problem("/run/model", message)])


def below(prefix: str, error: BriefError) -> BriefError:
    """The same problems with their pointers below `prefix`."""
    return BriefError([Problem(prefix + problem.pointer, problem.message) for problem in error.problems])
