"""Isolated computers: one client of the tool host, and the engines that start it."""

from __future__ import annotations

from studio.errors import ConfigurationError
from studio.sandboxes.types import Engine
from studio.settings import Settings


def engine_for(settings: Settings, name: str = "auto") -> Engine:
    """The engine called `name`; `auto` is what the settings say, else the local one. Raises ConfigurationError."""
    chosen = settings.engine if name == "auto" else name
    if chosen == "docker":
        from studio.sandboxes.containers import DockerEngine

        return DockerEngine(settings)
    if chosen in {"auto", "local"}:
        from studio.sandboxes.local import LocalEngine

        return LocalEngine(settings)
    raise ConfigurationError(f"there is no engine called {name!r}; choose auto, docker or local")
