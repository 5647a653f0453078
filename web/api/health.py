"""Is the process alive, and is everything there that it needs; each thing by its name."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from flask import Blueprint
from pydantic import BaseModel
from werkzeug.wrappers import Response

from studio import keys
from studio.errors import ConfigurationError
from studio.sandboxes import engine_for
from tasks.app import queue_folder, reach
from web.api.routing import JSON
from web.problems import MEDIA_TYPE, ProblemDocument, request_id
from web.state import Studio, studio

blueprint = Blueprint("health", __name__)


class Part(BaseModel):
    """One thing that the studio needs."""

    name: str
    ready: bool
    detail: str = ""


class Readiness(BaseModel):
    """Everything that the studio needs is there."""

    status: str = "ready"
    parts: list[Part]


class NotReady(ProblemDocument):
    """A problem (RFC 9457) that also says of each part whether it is there."""

    parts: list[Part]


@blueprint.get("/healthz", endpoint="alive")
def alive() -> dict[str, str]:
    """The process answers. Says nothing else, and needs no key."""
    return {"status": "ok"}


@blueprint.get("/readyz", endpoint="ready")
def ready() -> Response:
    """Database, broker, blob store and engine; 503 when one of them is not there."""
    services = studio()
    looks: dict[str, Callable[[Studio], None]] = {
        "database": _database,
        "broker": _broker,
        "blobs": _blobs,
        **({} if services.settings.engine_elsewhere else {"engine": _engine}),
    }
    parts = [_part(name, look, services) for name, look in looks.items()]
    missing = [part for part in parts if not part.ready]
    if not missing:
        return Response(Readiness(parts=parts).model_dump_json(), mimetype=JSON)
    problem = NotReady(
        title="Service Unavailable",
        status=503,
        detail="; ".join(f"{part.name}: {part.detail}" for part in missing),
        request_id=request_id(),
        parts=parts,
    )
    return Response(problem.model_dump_json(), 503, mimetype=MEDIA_TYPE)


def _part(name: str, look: Callable[[Studio], None], services: Studio) -> Part:
    try:
        look(services)
    except ConfigurationError as error:
        return Part(name=name, ready=False, detail=str(error))
    except Exception as error:  # whatever the part's own library raises means that it is not there
        return Part(name=name, ready=False, detail=f"does not answer ({type(error).__name__})")
    return Part(name=name, ready=True)


def _database(services: Studio) -> None:
    keys.any_valid(services.db)


def _writable(folder: Path, what: str) -> None:
    if not folder.is_dir() or not os.access(folder, os.W_OK | os.X_OK):
        raise ConfigurationError(f"{what} is not a folder that can be written to")


def _broker(services: Studio) -> None:
    if services.settings.broker_url:
        reach(services.settings)
    else:
        _writable(queue_folder(services.settings), "the queue")


def _blobs(services: Studio) -> None:
    folder = services.blobs.folder
    _writable(folder if folder.exists() else services.settings.data_dir, "the blob store")


def _engine(services: Studio) -> None:
    engine_for(services.settings).image_digest()
