"""The JSON API under `/api/v1`, and the two routes by which a machine asks how the studio is.

Routes are declared in the modules named by what they are about; `routing` makes the blueprint from the declarations,
`openapi` the document.
"""

from flask import Blueprint

from web.api import again, artifacts, batches, events, files, jobs, keeping, kinds, openapi, person, uploads
from web.api.health import blueprint as health
from web.api.routing import router

__all__ = [
    "again",
    "artifacts",
    "batches",
    "blueprint",
    "events",
    "files",
    "health",
    "jobs",
    "keeping",
    "kinds",
    "openapi",
    "person",
    "uploads",
]

blueprint = Blueprint("api", __name__, url_prefix="/api/v1")
router.install(blueprint)
