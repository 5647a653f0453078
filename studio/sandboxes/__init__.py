"""Isolated computers: one client of the tool host, and the engines that start it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from studio.errors import ConfigurationError
from studio.sandboxes.types import Engine
from studio.settings import Settings

if TYPE_CHECKING:
    from studio.sandboxes.image.model import Report


def engine_for(settings: Settings, name: str = "auto") -> Engine:
    """The engine called `name`; `auto` is what the settings say. Raises ConfigurationError."""
    return chosen(settings, name)[0]


def chosen(settings: Settings, name: str = "auto") -> tuple[Engine, str]:
    """The engine called `name`, and why it is that one, for a person.

    `auto` is what the settings say; where they say `auto` too, Docker where it answers and has the image, else the
    local one. Raises ConfigurationError.
    """
    wanted = settings.engine if name == "auto" else name
    if wanted not in {"auto", "docker", "local"}:
        raise ConfigurationError(f"there is no engine called {name!r}; choose auto, docker or local")
    why = "as asked for"
    if wanted in {"auto", "docker"}:
        from studio.sandboxes.containers import DockerEngine

        docker = DockerEngine(settings)
        if wanted == "docker":
            return docker, why
        if docker.ready():
            return docker, f"a Docker engine answers at {settings.docker_host} and has the image"
        why = f"no Docker engine with the image at {settings.docker_host}"
    from studio.sandboxes.local import LocalEngine

    return LocalEngine(settings), why


def prepare_image(settings: Settings, report: Report) -> None:
    """Have the image of the chosen engine built. Raises ConfigurationError."""
    engine = engine_for(settings)
    if engine.name == "docker":
        from studio.sandboxes.image import containing

        containing.ensure(report, settings)
    else:
        from studio.sandboxes.image import build

        build.ensure(report, settings)
