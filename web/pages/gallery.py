"""`/gallery`, `/artifacts/{id}` and its trajectory: what was accepted, each with how it was checked and made."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import PurePosixPath

from flask import Blueprint, render_template, request

from studio import gallery as service
from studio.gallery import ArtifactView
from studio.jobs import FileView
from studio.kinds import all_kinds
from web import content
from web.pages.jobs import all_events
from web.pages.steps import Passage, passage, steps_of
from web.state import studio

gallery = Blueprint("gallery", __name__)

PAGE = 24
FILTERS = ("q", "kind", "model", "language", "tag")
PICTURES = frozenset({".svg", ".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif"})
TEXT_CHARS = 40_000


@dataclass(frozen=True)
class Shown:
    """A picture among the deliverables, as the viewer shows it."""

    path: str
    url: str
    label: str
    width: int | None = None
    height: int | None = None


@gallery.get("/gallery")
def wall() -> str:
    chosen = {name: request.args.get(name, "").strip() or None for name in FILTERS}
    cursor = request.args.get("cursor") or None
    page = service.list_artifacts(studio().db, **chosen, cursor=cursor, limit=PAGE)
    return render_template(
        "gallery.html",
        page=page,
        chosen=chosen,
        chosen_set={name: value for name, value in chosen.items() if value},
        kinds=list(all_kinds().values()),
    )


@gallery.get("/artifacts/<id:artifact_id>")
def artifact(artifact_id: str) -> str:
    found = service.get(studio().db, artifact_id)
    pictures = pictures_of(found)
    wanted = request.args.get("file")
    view = next((picture for picture in pictures if picture.path == wanted), pictures[0] if pictures else None)
    return render_template(
        "artifact.html",
        artifact=found,
        report=found.report,
        pictures=pictures,
        view=view,
        equivalent=text_equivalent(found),
    )


def pictures_of(found: ArtifactView) -> list[Shown]:
    """The pictures among an artifact's files, the one that is shown first of all."""
    files = [file for file in found.files if PurePosixPath(file.path).suffix.lower() in PICTURES]
    files.sort(key=lambda file: (file.path != found.entry, file.path.count("/"), file.path))
    return [_shown(found, file) for file in files]


def _shown(found: ArtifactView, file: FileView) -> Shown:
    path = PurePosixPath(file.path)
    label = path.name if len(path.parts) == 1 else path.stem
    width, height = file.width, file.height
    if file.path == found.entry and width is None and found.previews:
        width, height = found.previews[0].width, found.previews[0].height  # its shape, for its place on the page
    return Shown(file.path, content.url(found.content_token, file.path), label, width, height)


def text_equivalent(found: ArtifactView) -> Passage | None:
    """The artifact in words, where its kind has such a file: as text, never as markup."""
    file = next((file for file in found.files if file.path == found.text_equivalent), None)
    if file is None:
        return None
    with studio().blobs.open(file.sha256) as stream:
        return passage(stream.read(4 * TEXT_CHARS).decode("utf-8", "replace"), TEXT_CHARS)


@gallery.get("/artifacts/<id:artifact_id>/trajectory")
def trajectory(artifact_id: str) -> str:
    found = service.get(studio().db, artifact_id)
    return render_template(
        "trajectory.html",
        artifact=found,
        steps=steps_of(all_events(found.job_id)),
        trajectory_url=f"/api/v1/jobs/{found.job_id}/trajectory",
    )
