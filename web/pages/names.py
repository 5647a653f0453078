"""Words for what the studio calls by a name of its own: states, reasons, checks, kinds, choices, statuses of HTTP.

`_n` marks a word for the catalogue; it is translated when it is said.
"""

from __future__ import annotations

from collections.abc import Mapping

from flask import Blueprint
from pydantic import JsonValue

from studio.jobs.estimates import Estimate
from studio.kinds import all_kinds
from web.i18n import decimal, dollars, gettext, ngettext, pgettext, whole
from web.said import say


def _n(word: str) -> str:
    return word


STATES = {
    "queued": _n("Queued"),
    "running": _n("Running"),
    "inspecting": _n("Being checked"),
    "publishing": _n("Being published"),
    "published": _n("Published"),
    "accepted": _n("Accepted"),
    "rejected": _n("Rejected"),
    "failed": _n("Failed"),
    "canceling": _n("Being canceled"),
    "canceled": _n("Canceled"),
    "expired": _n("Expired"),
    "refused": _n("Refused"),
    "waiting": _n("Waiting"),
}
REASONS = {
    "limit_steps": _n("It used up its steps."),
    "limit_time": _n("It used up its time."),
    "limit_tokens": _n("It used up its tokens."),
    "limit_cost": _n("It used up its money."),
    "stuck": _n("The model repeated itself without getting anywhere."),
    "checks_failed": _n("Something that must hold does not."),
    "inspector_error": _n("Nothing failed, but something that must hold could not be measured."),
    "no_output": _n("Nothing was handed in, and no file was left."),
    "outputs_too_large": _n("The files are too many or too large."),
    "queue_time": _n("It waited in the queue longer than the studio allows."),
    "model_error": _n("The model’s provider refused, or stayed down."),
    "sandbox_lost": _n("The sandbox died, and a second one too."),
    "attempts": _n("It was tried as often as the studio allows, and never came to an end."),
    "internal_error": _n("The studio met a fault of its own."),
    "canceled": _n("A person ended it."),
}
CHECKS = {
    "files.present": _n("All files are there"),
    "files.safe": _n("Files are plain and within the limits"),
    "html.complete": _n("The page is complete"),
    "html.self_contained": _n("Works without a network"),
    "html.no_errors": _n("No error in the page"),
    "page.not_blank": _n("The page shows something"),
    "page.fits": _n("Fits a phone and a desk"),
    "map.markers": _n("Every stop is on the map"),
    "map.popups": _n("Every stop tells about itself"),
    "map.routes": _n("Each day has its line"),
    "map.place": _n("Stops are where they should be"),
    "map.attribution": _n("Map data is credited"),
    "svg.well_formed": _n("The SVG is well formed"),
    "svg.safe": _n("The SVG loads and runs nothing"),
    "svg.page": _n("The page has its shape"),
    "svg.not_blank": _n("The drawing shows something"),
    "poster.text": _n("Every word is on the poster"),
    "poster.contrast": _n("Text can be read on its ground"),
    "poster.overlap": _n("Texts keep apart and on the page"),
    "poster.glyphs": _n("Every character can be drawn"),
    "poster.palette": _n("The palette is used"),
    "images.used": _n("Attached pictures are used"),
    "pdf.page": _n("The PDF has its page"),
    "poster.qr": _n("The QR code leads where it should"),
    "png.size": _n("Pictures have their sizes"),
    "png.matches_svg": _n("The PNG shows what the SVG shows"),
    "png.not_blank": _n("Pictures show something"),
    "picture.decodes": _n("The picture is whole"),
    "picture.not_blank": _n("The picture shows something"),
    "pdf.opens": _n("The document opens, every page"),
    "pdf.not_blank": _n("The document shows something"),
    "pdf.fonts": _n("Fonts are in the document"),
    "video.not_blank": _n("The video shows something"),
    "video.starts_at_once": _n("The video starts at once"),
    "video.decodes": _n("Every frame and sample decodes"),
    "video.plays_in_browsers": _n("Plays in browsers"),
    "video.duration": _n("The video has its length"),
    "video.size": _n("The video has its size"),
    "video.fps": _n("The video has its frame rate"),
    "video.moves": _n("The picture moves"),
    "video.counts": _n("The numbers can be read in time"),
    "video.finale": _n("The finale shows the name"),
    "midi.parses": _n("The MIDI file is sound"),
    "midi.piano_only": _n("Only a piano plays"),
    "midi.tempo": _n("The tempo is as asked"),
    "midi.duration": _n("The piece has its length"),
    "midi.bars": _n("The piece has its bars"),
    "midi.key": _n("The piece is in its key"),
    "midi.playable": _n("Two hands can play it"),
    "audio.decodes": _n("Every sample decodes"),
    "audio.duration": _n("The recording has its length"),
    "audio.audible": _n("The recording can be heard"),
    "audio.not_clipped": _n("The recording is not clipped"),
    "audio.matches_midi": _n("The recording is of this piece"),
    "text.readable": _n("The text can be read"),
    "csv.parses": _n("The table is one"),
    "json.parses": _n("The JSON is valid"),
    "text.present": _n("The text names what is shown"),
}
UNMEASURED = {
    "prompt": _n("whether it follows the prompt"),
    "style": _n("whether it is beautiful, and the style that was asked for"),
    "mood": _n("the mood"),
    "colours": _n("the colours"),
}
STATUSES = {
    400: _n("That request is not understood"),
    401: _n("Sign in first"),
    403: _n("This is not allowed"),
    404: _n("There is no such page"),
    405: _n("That cannot be done here"),
    409: _n("Not in this state"),
    413: _n("That is too large"),
    415: _n("That cannot be read"),
    421: _n("Wrong address"),
    422: _n("That cannot be used"),
    429: _n("Too many requests"),
    500: _n("A fault of the studio"),
    503: _n("Not ready"),
}

names = Blueprint("names", __name__)


def _named(table: Mapping[str, str], name: str, otherwise: str) -> str:
    word = table.get(name)
    return gettext(word) if word else otherwise


@names.app_template_filter()
def state_name(state: str) -> str:
    return _named(STATES, state, state)


@names.app_template_filter()
def reason_text(reason: str) -> str:
    """Why a job ended, in a sentence; nothing for a reason that is unknown."""
    return _named(REASONS, reason, "")


@names.app_template_filter()
def check_name(check: str) -> str:
    return _named(CHECKS, check, check)


@names.app_template_filter()
def unmeasured_text(name: str) -> str:
    """What a name in a report's `unmeasured` means."""
    return _named(UNMEASURED, name, say(name))


@names.app_template_filter()
def status_title(status: int) -> str:
    """What an HTTP status says to a person."""
    return gettext(STATUSES.get(status, _n("That did not work")))


@names.app_template_filter()
def kind_label(name: str) -> str:
    """A kind's name for people; a kind that is gone keeps its own."""
    kind = all_kinds().get(name)
    return pgettext("field", kind.label) if kind else name


@names.app_template_filter()
def kind_summary(name: str) -> str:
    return pgettext("field", all_kinds()[name].summary)


@names.app_template_filter()
def choice_name(choice: JsonValue) -> str:
    """A choice of a form for people; one that is a name or a figure stays as it is."""
    return pgettext("field", choice) if isinstance(choice, str) and choice else str(choice)


@names.app_template_filter()
def estimated(estimate: Estimate) -> str:
    """What past runs took, in a sentence."""
    if estimate.seconds is None:
        return gettext("No past runs of this kind and model yet.")
    told = [
        gettext(
            "%(time)s (nine in ten within %(most)s)",
            time=_time(estimate.seconds.median),
            most=_time(estimate.seconds.p90),
        )
    ]
    if found := estimate.tokens:
        told.append(gettext("%(tokens)s tokens (within %(most)s)", tokens=whole(found.median), most=whole(found.p90)))
    if cost := estimate.cost_usd:
        told.append(gettext("%(cost)s (within %(most)s)", cost=dollars(cost.median), most=dollars(cost.p90)))
    return ngettext(
        "By %(num)s accepted run of this kind and model: about %(told)s.",
        "By %(num)s accepted runs of this kind and model: about %(told)s.",
        estimate.runs,
        told=gettext(", ").join(told),
    )


def _time(seconds: float) -> str:
    if seconds < 100:
        return gettext("%(number)s s", number=decimal(seconds, 0))
    return gettext("%(number)s min", number=decimal(seconds / 60, 0))
