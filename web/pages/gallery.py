"""`/gallery` and `/artifacts/{id}`: what was accepted, each with how it was checked."""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from flask import Blueprint, render_template, request, url_for
from werkzeug.datastructures import MultiDict

from studio import gallery as service
from studio import jobs as service_of_jobs
from studio.gallery import Facet, Facets, Sort
from web import visitors
from web.api.files import writers_of
from web.i18n import gettext
from web.pages.person import words_for
from web.pages.shared import page_for_visitors
from web.pages.versions import line_of
from web.pages.viewing import text_equivalent, viewer_of, work_of_artifact
from web.security import principal, require
from web.state import studio

gallery = Blueprint("gallery", __name__)

PAGE = 24
FILTERS = ("q", "kind", "made", "model", "language", "tag")


@dataclass(frozen=True)
class Choice:
    """One value of a filter on the form; `number` is None where it is not counted."""

    value: str
    number: int | None
    chosen: bool


@gallery.get("/gallery")
def wall() -> str:
    chosen = _chosen(request.args)
    sort = _sort(request.args.get("sort", ""), bool(chosen.get("q")))
    hidden = request.args.get("hidden") == "1"
    if hidden:
        require("admin")
    audience = "hidden" if hidden else visitors.audience()
    page = service.list_artifacts(
        studio().db,
        service.Wanted(**chosen, audience=audience),
        sort=sort,
        cursor=request.args.get("cursor") or None,
        limit=PAGE,
    )
    facets = service.facets(studio().db, audience)
    kept = {**chosen, **({"sort": sort} if sort else {}), **({"hidden": "1"} if hidden else {})}
    return render_template(
        "gallery.html",
        page=page,
        chosen=chosen,
        kept=kept,
        sort=sort,
        hidden=hidden,
        hidden_number=service.facets(studio().db, "hidden").total if principal().may("admin") else 0,
        total=facets.total,
        choices={name: _choices(facets, name, chosen.get(name)) for name in FILTERS[1:]},
        without={name: _address({key: value for key, value in kept.items() if key != name}) for name in chosen},
    )


def _address(query: dict[str, str]) -> str:
    return f"{url_for('gallery.wall')}?{urlencode(query)}" if query else url_for("gallery.wall")


def _chosen(args: MultiDict[str, str]) -> dict[str, str]:
    """The filters that are set, as the address has them."""
    found = {name: args.get(name, "").strip()[:200].replace("\0", "") for name in FILTERS}
    return {name: value for name, value in found.items() if value}


def _sort(given: str, words: bool) -> Sort | None:
    """The order that the address asks for, where it goes with the rest of the address."""
    possible: tuple[Sort, ...] = ("newest",) if words else ("title", "stars")
    return next((sort for sort in possible if sort == given), None)


def _choices(facets: Facets, name: str, chosen: str | None) -> list[Choice]:
    """The values of a filter; the chosen one too where it is not among those with the most works."""
    counted: list[Facet] = getattr(facets, name)
    found = [Choice(facet.value, facet.number, facet.value == chosen) for facet in counted]
    if chosen and not any(choice.chosen for choice in found):
        found.append(Choice(chosen, None, True))
    return found


@gallery.app_template_filter()
def made_label(value: str) -> str:
    """By whom, in words."""
    words = {"model": gettext("models"), "recipe": gettext("prepared programs"), "replay": gettext("recorded runs")}
    return words.get(value, value)


@gallery.get("/artifacts/<id:artifact_id>")
def artifact(artifact_id: str) -> str:
    found = visitors.artifact(artifact_id)
    if principal().anonymous:
        return page_for_visitors(found)
    work = work_of_artifact(found)
    return render_template(
        "artifact.html",
        artifact=found,
        report=found.report,
        words=words_for(service_of_jobs.get(studio().db, found.job_id), studio().settings),
        line=line_of(found.job_id, request.args.get("beside"), request.args.get("file")),
        viewer=viewer_of(work, request.args.get("file")),
        equivalent=text_equivalent(work),
        reproductions=service_of_jobs.reproductions(studio().db, found.job_id, limit=1),
        writers=writers_of(found.job_id),
        starred=service.is_starred(studio().db, found.id, caller=principal().name),
    )
