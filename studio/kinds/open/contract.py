"""The contract of an open brief: the generic checks of each file's type, one after the other.

A check stands once for each file, with the argument `file`. Further arguments:

| check | arguments |
| --- | --- |
| `files.present` | `required`: paths |
| `files.safe` | `max_files`, `max_bytes` |
| `html.self_contained` | `beside`: what lies in the output folder may be loaded |
| `page.fits` | `widths`: CSS px |
| `midi.parses` | `longest_note_s` |
| `audio.audible` | `loudness_lufs`: the least |
| `audio.not_clipped` | `true_peak_db`: the most |
| `video.plays_in_browsers` | `index_anywhere`: the index may come last |
| `video.moves` | `longest_s`: how long it may stand still or be black |
"""

from __future__ import annotations

from dataclasses import dataclass, field

from pydantic import JsonValue

from studio.contract import MAX_FILES, MAX_OUTPUT_BYTES, Check, Contract, Severity
from studio.kinds.open.params import Deliverable, OpenParams

UNMEASURED = ("prompt", "whether what it says is true")


@dataclass(frozen=True)
class Generic:
    """A check that every file of a type is to pass."""

    id: str
    expected: str
    severity: Severity = "must"
    args: dict[str, JsonValue] = field(default_factory=dict)


_PICTURE = (
    Generic("picture.decodes", "is what its name says and decodes to the last row"),
    Generic("picture.not_blank", "is more than one flat colour"),
)
_SOUND = (
    Generic("audio.audible", "has a loudness of at least −50 LUFS", args={"loudness_lufs": -50}),
    Generic("audio.not_clipped", "has a true peak of at most −0.1 dBTP", "should", {"true_peak_db": -0.1}),
)
_READABLE = Generic("text.readable", "is UTF-8 text without control characters, and says something")

CHECKS: dict[str, tuple[Generic, ...]] = {
    "text/html": (
        Generic("html.complete", "is one whole document that ends with </html>"),
        Generic(
            "html.self_contained",
            "works with all network blocked: loads nothing but what is in it or lies beside it",
            args={"beside": True},
        ),
        Generic(
            "html.no_errors", "has no uncaught exception and no console error, loading and with every control used"
        ),
        Generic("page.not_blank", "shows something, and says something, 1280 px and 390 px wide"),
        Generic("page.fits", "does not scroll sideways, 1280 px and 390 px wide", "should", {"widths": [390, 1280]}),
    ),
    "image/svg+xml": (
        Generic("svg.well_formed", "is well-formed XML with an svg root and no entity declarations"),
        Generic("svg.safe", "runs no script and loads nothing but #… and data:"),
        Generic("svg.not_blank", "shows something when it is drawn as an image"),
    ),
    "image/png": _PICTURE,
    "image/jpeg": _PICTURE,
    "application/pdf": (
        Generic("pdf.opens", "opens without a password, and its pages can be drawn, the first 60 at most"),
        Generic("pdf.not_blank", "shows something"),
        Generic("pdf.fonts", "has its fonts embedded", "should"),
    ),
    "video/mp4": (
        Generic("video.decodes", "decodes to the last frame and sample"),
        Generic(
            "video.plays_in_browsers", "is H.264 in 4:2:0 and even sizes, sound AAC", args={"index_anywhere": True}
        ),
        Generic("video.starts_at_once", "has its index before the data (faststart)", "should"),
        Generic("video.not_blank", "shows something"),
        Generic("video.moves", "is not black and does not stand still for more than 2 s", "should", {"longest_s": 2}),
    ),
    "audio/wav": (Generic("audio.decodes", "decodes to the last sample, its header true to them"), *_SOUND),
    "audio/mpeg": (Generic("audio.decodes", "decodes to the last sample"), *_SOUND),
    "audio/midi": (
        Generic(
            "midi.parses", "is a standard MIDI file of format 0 or 1, every note ended", args={"longest_note_s": 300}
        ),
    ),
    "text/markdown": (_READABLE,),
    "text/plain": (_READABLE,),
    "text/csv": (Generic("csv.parses", "is a UTF-8 table with the same number of fields in each row"),),
    "application/json": (Generic("json.parses", "is one JSON value (RFC 8259) in UTF-8"),),
}


def open_contract(params: OpenParams) -> Contract:
    """All checks of a brief; the same parameters give the same contract."""
    required: list[JsonValue] = list(params.required)
    checks = [
        Check(
            id="files.present",
            expected=f"there and not empty: {', '.join(params.required)}",
            args={"required": required},
        ),
        Check(
            id="files.safe",
            expected=f"regular files only, at most {MAX_FILES}, {MAX_OUTPUT_BYTES >> 20} MiB together",
            args={"max_files": MAX_FILES, "max_bytes": MAX_OUTPUT_BYTES},
        ),
    ]
    checks += [_check(generic, each) for each in params.deliverables for generic in CHECKS[each.media_type]]
    return Contract(kind="open", entry=params.deliverables[0].path, checks=tuple(checks), unmeasured=UNMEASURED)


def _check(generic: Generic, deliverable: Deliverable) -> Check:
    args: dict[str, JsonValue] = {"file": deliverable.path, **generic.args}
    where = "" if deliverable.must else ", where it is there,"
    return Check(
        id=generic.id,
        if_present=None if deliverable.must else deliverable.path,
        severity=generic.severity,
        expected=f"{deliverable.path}{where} {generic.expected}",
        args=args,
    )
