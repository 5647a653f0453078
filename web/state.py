"""What a request needs of the studio: settings, database, blobs, set-up progress, and who may come in."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path

from flask import current_app
from pydantic import BaseModel, ConfigDict, ValidationError

from studio.blobs import Blobs
from studio.database import Database
from studio.settings import Settings
from web.security_hosts import Site
from web.streams import EventHub


class Setup(BaseModel):
    """How far the first set-up is; `ready` when jobs can be worked. Sizes in bytes."""

    model_config = ConfigDict(extra="ignore")

    stage: str = "ready"
    message: str = ""
    done_bytes: int | None = None
    total_bytes: int | None = None
    ready: bool = True


@dataclass(frozen=True)
class SetupState:
    """Reads the progress that the set-up writes to `setup.json`; without the file nothing is being set up."""

    path: Path

    def read(self) -> Setup:
        try:
            return Setup.model_validate(json.loads(self.path.read_text(encoding="utf-8")))
        except (FileNotFoundError, NotADirectoryError):
            return Setup()
        except (OSError, ValueError, ValidationError):
            return Setup(stage="unknown", message="The progress of the set-up cannot be read.", ready=False)


@dataclass(frozen=True)
class Studio:
    """The services of one web process; at hand in every request as `studio()`."""

    settings: Settings
    db: Database
    blobs: Blobs
    setup: SetupState
    site: Site
    events: EventHub = field(repr=False)


def studio() -> Studio:
    """The services of the application that answers the present request."""
    found: Studio = current_app.extensions["studio"]
    return found
