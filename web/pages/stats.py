"""`/stats`: what models, and apart from them prepared programs, came to, by kind."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import timedelta

from flask import Blueprint, render_template, request

from studio.figures import MakerFigures, figures
from studio.trajectory import now
from web.i18n import decimal, gettext, whole
from web.state import studio

stats = Blueprint("stats", __name__)

SPANS = (None, 30, 7)  # days


@dataclass(frozen=True)
class Part:
    """A part of a bar: the class of its colour, where it begins and how long it is, both in per cent."""

    look: str
    begin: float
    length: float


@stats.get("/stats")
def show() -> str:
    days = request.args.get("days", None, type=int)
    days = days if days in SPANS else None
    hour = now().replace(minute=0, second=0, microsecond=0)  # so that the sums of a span are made once an hour
    found = figures(studio().db, hour - timedelta(days=days) if days else None)
    return render_template("stats.html", figures=found, days=days, spans=SPANS)


@stats.app_template_filter()
def outcome_bar(of: MakerFigures) -> list[Part]:
    """How its jobs ended, as one bar."""
    counts = (
        ("once", of.accepted_at_once),
        ("repaired", of.accepted_repaired),
        ("rejected", of.rejected),
        ("failed", of.failed),
    )
    return _bar([(look, count / of.jobs) for look, count in counts] if of.jobs else [])


@stats.app_template_filter()
def time_bar(of: MakerFigures) -> list[Part]:
    """What its time went to, as one bar."""
    shares = (("model", of.model_share), ("command", of.command_share), ("inspect", of.inspect_share))
    return _bar([(look, share or 0.0) for look, share in shares])


@stats.app_template_filter()
def share_bar(share: float) -> list[Part]:
    """One share of a whole."""
    return _bar([("share", share)])


def _bar(shares: list[tuple[str, float]]) -> list[Part]:
    parts, begin = [], 0.0
    for look, share in shares:
        length = min(100 * share, 100 - begin)
        if length > 0:
            parts.append(Part(look, round(begin, 2), round(length, 2)))
        begin += length
    return parts


@stats.app_template_filter()
def maker_label(of: MakerFigures, prepared: bool) -> str:
    """Who made it: a model by its name, prepared programs by theirs."""
    if not prepared:
        return of.maker
    return {"derived": gettext("recipes from records"), "replay": gettext("recorded runs")}.get(of.maker, of.maker)


@stats.app_template_filter()
def mean(value: float | None) -> str:
    """A mean with no more digits than tell something: "3.4", "128", "12,000"."""
    if value is None:
        return "—"
    return whole(round(value)) if value >= 20 else decimal(value, 1)
