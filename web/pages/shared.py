"""What a visitor sees of one work: at its address in an open gallery, or behind its link. A page of its own, which has
nothing of jobs and settings; and its Open Graph tags, for those who show a link as a card (https://ogp.me).
"""

from __future__ import annotations

from dataclasses import dataclass

from flask import Blueprint, Response, render_template, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from studio import gallery
from studio.errors import NotFound
from studio.gallery import ArtifactView
from web import visitors
from web.api.files import as_download
from web.pages.viewing import text_equivalent, viewer_of, work_of_artifact
from web.pages.words import preview_url
from web.state import studio

shared = Blueprint("shared", __name__)

DESCRIPTION = 200  # characters


@dataclass(frozen=True)
class Card:
    """A work as a card elsewhere: absolute addresses, and the picture's size in pixels where known."""

    url: str
    title: str
    description: str
    image: str | None = None
    width: int | None = None
    height: int | None = None


@shared.get("/s/<token>")
def page(token: str) -> Response:
    found = visitors.for_visitors(gallery.by_share(studio().db, token), studio().settings)
    response = Response(page_for_visitors(found, share_token=token), mimetype="text/html")
    response.headers["X-Robots-Tag"] = "noindex"  # who has the link decides who else gets it
    return response


@shared.get("/s/<token>/files/<file:path>")
def file(token: str, path: str) -> BaseResponse:
    found = gallery.by_share(studio().db, token)
    if all(known.path != path for known in found.files):
        raise NotFound("there is no such file")
    return as_download(found.job_id, path)


def page_for_visitors(found: ArtifactView, share_token: str | None = None) -> str:
    """The page of a work that a visitor may see; with a token its addresses are those of the link."""
    work = work_of_artifact(found)
    own = url_for("shared.page", token=share_token) if share_token else f"/artifacts/{found.id}"
    downloads = {
        known.path: url_for("shared.file", token=share_token, path=known.path)
        if share_token
        else url_for("api.artifact_file", artifact_id=found.id, path=known.path)
        for known in found.files
    }
    return render_template(
        "shared.html",
        artifact=found,
        report=found.report,
        viewer=viewer_of(work, request.args.get("file")),
        equivalent=text_equivalent(work),
        downloads=downloads,
        card=_card(found, own),
        open_gallery=studio().settings.anonymous_gallery,
        open_record=studio().settings.anonymous_record and found.visibility == "public",
    )


def _card(found: ArtifactView, own: str) -> Card:
    base = studio().site.public or request.host_url.rstrip("/")
    text = " ".join(found.brief.prompt.split())
    text = text if len(text) <= DESCRIPTION else text[: DESCRIPTION - 1].rsplit(" ", 1)[0] + "…"
    named = [preview for preview in found.previews if preview.path.startswith("thumbnail")]
    picture = next(iter(named or found.previews), None)
    if picture is None:
        return Card(base + own, found.title, text)
    url = preview_url(found.content_token, picture.path)
    return Card(
        base + own, found.title, text, base + url if url.startswith("/") else url, picture.width, picture.height
    )
