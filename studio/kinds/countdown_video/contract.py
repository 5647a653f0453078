"""What a countdown's outputs must satisfy: a pure function of the brief's parameters.

The arguments of each check, as the inspector measures by them:

| check | args |
| --- | --- |
| `files.present` | `required`: list of paths, each a regular file that is not empty |
| `files.safe` | `max_files`, `max_bytes` |
| `video.decodes`, `video.plays_in_browsers` | `file` |
| `video.duration` | `file`; `seconds`, `tolerance_s` |
| `video.size` | `file`; `width`, `height` in pixels |
| `video.fps` | `file`; `fps`, `tolerance`: relative deviation that is allowed |
| `video.moves` | `file`; `longest_s`: how long it may stand still or be black |
| `video.counts` | `file`; `numbers`: in order; `share`: of them that must be read; `within_s`: of its slot; `finale_s`: the least time that the finale has |
| `video.finale` | `file`; `text`: what must be read, `last_s`: in the last seconds |
| `images.used` | `images`: list of `{name, pointer}`: attachments, and where the brief places them; `film`: where each has to be seen |
| `text.present` | `file`; `strings`: what the text must name |
"""  # noqa: E501

from __future__ import annotations

import unicodedata

from pydantic import JsonValue

from studio.brief import pointer
from studio.contract import MAX_FILES, MAX_OUTPUT_BYTES, Check, Contract, Severity
from studio.kinds.countdown_video.params import MIN_FINALE_S, CountdownVideoParams

ENTRY = "countdown.mp4"
TEXT = "description.md"
UNMEASURED = ("prompt", "style", "whether the music suits", "colours")

# Scripts that the inspector's text recognition can read, by the first word of a character's Unicode name.
_READ = frozenset({"LATIN", "CYRILLIC", "CJK", "HIRAGANA", "KATAKANA", "HANGUL", "ARABIC", "DIGIT", "FULLWIDTH"})


def unreadable_scripts(name: str) -> list[str]:
    """The scripts of the name's letters and digits that OCR has no model for; "symbols" where there are no letters."""
    words = [char for char in name if unicodedata.category(char)[0] in "LN"]
    if not words:
        return ["symbols"]
    scripts = {unicodedata.name(char, "UNKNOWN").split()[0] for char in words}
    return sorted(script.capitalize() for script in scripts - _READ)


def _finale(params: CountdownVideoParams) -> Check:
    lacking = unreadable_scripts(params.name)
    severity: Severity = "should" if lacking else "must"
    expected = f"{params.name!r} can be read in the last two seconds"
    if lacking:
        expected += f" ({', '.join(lacking)} cannot be read by the inspector, so this does not block)"
    return Check(
        id="video.finale",
        severity=severity,
        expected=expected,
        args={"file": ENTRY, "text": params.name, "last_s": 2.0, "lacking": list(lacking)},
    )


def countdown_contract(params: CountdownVideoParams) -> Contract:
    """All checks of a countdown brief; the same parameters give the same contract."""
    file: dict[str, JsonValue] = {"file": ENTRY}
    numbers: list[JsonValue] = list(params.numbers)
    checks = [
        Check(
            id="files.present",
            expected=f"there and not empty: {ENTRY}, {TEXT}",
            args={"required": [ENTRY, TEXT]},
        ),
        Check(
            id="files.safe",
            expected=f"regular files only, at most {MAX_FILES}, {MAX_OUTPUT_BYTES >> 20} MiB together",
            args={"max_files": MAX_FILES, "max_bytes": MAX_OUTPUT_BYTES},
        ),
        Check(id="video.decodes", expected="every frame and sample decodes without error", args={**file}),
        Check(
            id="video.plays_in_browsers",
            expected="MP4 with H.264 in yuv420p, the index (moov) before the data or fragmented, sound in AAC",
            args={**file},
        ),
        Check(
            id="video.duration",
            expected=f"{params.duration_s:g} s ± 0.5 s",
            args={**file, "seconds": params.duration_s, "tolerance_s": 0.5},
        ),
        Check(
            id="video.size",
            expected=f"{params.width} × {params.height} px",
            args={**file, "width": params.width, "height": params.height},
        ),
        Check(
            id="video.fps",
            severity="should",
            expected=f"{params.fps:g} frames a second",
            args={**file, "fps": params.fps, "tolerance": 0.01},
        ),
        Check(
            id="video.moves",
            expected="not black and not frozen for more than 2 s",
            args={**file, "longest_s": 2.0},
        ),
        Check(
            id="video.counts",
            expected=f"{params.start} to {params.end} in order, at least 80 % of the numbers read, each within 1 s of "
            "its slot; slots are equal, one second each or all the time before the finale",
            args={**file, "numbers": numbers, "share": 0.8, "within_s": 1.0, "finale_s": MIN_FINALE_S},
        ),
        _finale(params),
    ]
    if params.photo:
        image: JsonValue = {"name": params.photo, "pointer": pointer("params", "photo")}
        args: dict[str, JsonValue] = {"film": ENTRY, "images": [image]}
        checks.append(Check(id="images.used", expected=f"to be seen in the film: {params.photo}", args=args))
    named: list[JsonValue] = [str(params.start), params.name]
    checks.append(
        Check(
            id="text.present",
            severity="should",
            expected=f"{TEXT} names the countdown and {params.name!r}",
            args={"file": TEXT, "strings": named},
        )
    )
    return Contract(kind="countdown_video", entry=ENTRY, checks=tuple(checks), unmeasured=UNMEASURED)
