"""The start page: what the studio makes, by example; and the box for a sentence, which finds a kind and a sample."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

from flask import Blueprint, Response, redirect, render_template, request, url_for
from werkzeug.wrappers import Response as BaseResponse

from studio import gallery, jobs
from studio.jobs import ENDED, STATES
from studio.kinds import ArtifactKind, Sample, all_kinds
from web.state import studio

start = Blueprint("start", __name__)

NEWEST = 9
MAKING = 6
MAX_SENTENCE = 2000


@start.get("/")
def home() -> str:
    newest = gallery.list_artifacts(studio().db, limit=NEWEST).data
    making = jobs.list_jobs(studio().db, state=[state for state in STATES if state not in ENDED], limit=MAKING).data
    return render_template("start.html", newest=newest, making=making, kinds=list(all_kinds().values()))


@start.get("/start")
def find() -> BaseResponse:
    """The form of the kind and sample that fit a sentence, with the sentence as its prompt."""
    sentence = request.args.get("q", "").strip()[:MAX_SENTENCE]
    kind, sample = best_start(sentence, all_kinds().values())
    return redirect(url_for("make.form", kind_name=kind.name, sample=sample.name, prompt=sentence or None), 303)


def best_start(sentence: str, kinds: Iterable[ArtifactKind]) -> tuple[ArtifactKind, Sample]:
    """The kind and the sample that share most words with a sentence; the first of all where none does.

    Scripts without spaces are compared by pairs of characters. The kind's own words count more than its samples'.
    """
    wanted = _terms(sentence)
    ranked: list[tuple[int, int, ArtifactKind, Sample]] = []
    for kind in kinds:
        own = len(wanted & _terms(f"{kind.name} {kind.label} {kind.summary}"))
        for sample in kind.samples():
            brief = sample.brief
            shared = len(wanted & _terms(f"{brief.title} {brief.prompt} {' '.join(_strings(brief.params))}"))
            ranked.append((-(3 * own + shared), len(ranked), kind, sample))
    _, _, kind, sample = min(ranked, key=lambda entry: entry[:2])
    return kind, sample


def _terms(text: str) -> set[str]:
    folded = unicodedata.normalize("NFKC", text).casefold()
    found = {word.rstrip("s") for word in re.findall(r"[^\W\d_]{3,}", folded)}
    for run in re.findall(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{2,}", folded):
        found |= {run[index : index + 2] for index in range(len(run) - 1)}
    return found


def _strings(value: object) -> Iterable[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _strings(item)
    elif isinstance(value, list):
        for item in value:
            yield from _strings(item)


@start.get("/setup.json")
def setup_progress() -> Response:
    """How far the first set-up is, for the banner."""
    return Response(studio().setup.read().model_dump_json(), mimetype="application/json")
