"""What people do to a work that hangs: tags, stars, who may see it, hiding it; and the log of what was done."""

from __future__ import annotations

import re

from flask import Blueprint, redirect, render_template, request, url_for
from markupsafe import Markup
from pydantic import ValidationError
from werkzeug.wrappers import Response

from studio import audit as service_of_audit
from studio import gallery
from studio.brief import problems_of
from studio.errors import BriefError
from studio.gallery import HideRequest, TagsRequest, VisibilityRequest
from web.i18n import gettext
from web.security import principal, require
from web.state import studio

keeping = Blueprint("keeping", __name__)

PAGE = 50


def _back(artifact_id: str, anchor: str) -> Response:
    return redirect(url_for("gallery.artifact", artifact_id=artifact_id, _anchor=anchor), 303)


@keeping.post("/artifacts/<id:artifact_id>/star")
def star(artifact_id: str) -> Response:
    liked = request.form.get("liked") != "0"
    gallery.star(studio().db, artifact_id, caller=principal().name, liked=liked)
    return _back(artifact_id, "star")


@keeping.post("/artifacts/<id:artifact_id>/tags")
def tags(artifact_id: str) -> Response:
    """All tags as one line, with commas between, of either script."""
    given = [tag.strip() for tag in re.split("[,，、;；\n]", request.form.get("tags", ""))]
    try:
        wanted = TagsRequest.model_validate({"tags": [tag for tag in given if tag]})
    except ValidationError as error:
        raise BriefError(problems_of(error)) from None
    gallery.retag(studio().db, artifact_id, wanted.tags, caller=principal().name)
    return _back(artifact_id, "tags")


@keeping.post("/artifacts/<id:artifact_id>/visibility")
def visibility(artifact_id: str) -> Response:
    require("admin")
    try:
        wanted = VisibilityRequest.model_validate({"visibility": request.form.get("visibility")})
    except ValidationError as error:
        raise BriefError(problems_of(error)) from None
    gallery.set_visibility(studio().db, artifact_id, wanted.visibility, caller=principal().name)
    return _back(artifact_id, "visibility")


@keeping.post("/artifacts/<id:artifact_id>/hide")
def hide(artifact_id: str) -> Response:
    require("admin")
    services = studio()
    try:
        wanted = HideRequest.model_validate({"reason": request.form.get("reason", "")})
    except ValidationError as error:
        raise BriefError(problems_of(error)) from None
    gallery.hide(services.db, artifact_id, wanted.reason, caller=principal().name, secrets=services.settings.secrets)
    return _back(artifact_id, "hidden")


@keeping.post("/artifacts/<id:artifact_id>/unhide")
def unhide(artifact_id: str) -> Response:
    require("admin")
    gallery.unhide(studio().db, artifact_id, caller=principal().name)
    return _back(artifact_id, "visibility")


@keeping.app_template_filter()
def key(name: str) -> Markup:
    """A key of the keyboard."""
    return Markup("<kbd>{}</kbd>").format(name)


@keeping.app_template_filter()
def action_label(action: str) -> str:
    """What was done, in words; an action that has none keeps its name."""
    words = {
        "artifact.publish_anyway": gettext("Work shown though rejected"),
        "artifact.tags": gettext("Tags changed"),
        "artifact.visibility": gettext("Visibility changed"),
        "artifact.hide": gettext("Work hidden"),
        "artifact.unhide": gettext("Work shown again"),
        "key.create": gettext("Key made"),
        "key.revoke": gettext("Key revoked"),
        "password.set": gettext("Password set"),
        "password.remove": gettext("Password removed"),
        "sign_in": gettext("Signed in"),
        "sign_in.failed": gettext("Sign-in failed"),
    }
    return words.get(action, action)


@keeping.get("/audit")
def audit() -> str:
    require("admin")
    subject = request.args.get("subject", "").strip()[:200] or None
    page = service_of_audit.entries(studio().db, subject=subject, cursor=request.args.get("cursor") or None, limit=PAGE)
    return render_template("audit.html", page=page, subject=subject)
