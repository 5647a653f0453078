"""The JSON API under `/api/v1`, and the two routes by which a machine asks how the studio is."""

from flask import Blueprint

from web.api import health as _health
from web.api.routing import Router

router = Router()
blueprint = Blueprint("api", __name__, url_prefix="/api/v1")
health = _health.blueprint
