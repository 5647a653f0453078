"""Is the process alive, and is everything there that it needs."""

from flask import Blueprint

blueprint = Blueprint("health", __name__)


@blueprint.get("/healthz", endpoint="alive")
def alive() -> dict[str, str]:
    return {"status": "ok"}
