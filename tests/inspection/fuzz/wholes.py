"""One whole file of each format, small and good, and the checks that it is judged by."""

from __future__ import annotations

import struct

from pydantic import JsonValue

from studio.sandboxes.types import Sandbox
from tests.inspection.pictures import png, svg, text

_FILE = {
    "svg": "poster.svg",
    "html": "map.html",
    "mp4": "countdown.mp4",
    "wav": "preview.wav",
    "midi": "composition.mid",
    "jpeg": "photo.jpg",
    "mp3": "song.mp3",
    "pdf": "paper.pdf",
    "json": "list.json",
}


def _of(format_: str, **more: JsonValue) -> dict[str, JsonValue]:
    return {"file": _FILE[format_], **more}


CHECKS: dict[str, dict[str, dict[str, JsonValue]]] = {
    "svg": {
        "svg.well_formed": _of("svg"),
        "svg.safe": _of("svg"),
        "svg.page": _of("svg", width_mm=420, height_mm=594, tolerance=0.005),
        "poster.overlap": _of("svg"),
    },
    "html": {"html.complete": _of("html"), "html.self_contained": _of("html"), "page.not_blank": _of("html")},
    "png": {
        "png.size": {"files": [{"path": "poster.png", "width": 120, "height": 80, "tolerance_px": 1}]},
        "png.not_blank": {"files": ["poster.png"]},
    },
    "mp4": {
        "video.decodes": _of("mp4"),
        "video.plays_in_browsers": _of("mp4"),
        "video.duration": _of("mp4", seconds=2.0, tolerance_s=0.5),
        "video.size": _of("mp4", width=96, height=64),
        "video.moves": _of("mp4", longest_s=2.0),
    },
    "wav": {
        "audio.decodes": _of("wav"),
        "audio.audible": _of("wav", midi="composition.mid", loudness_lufs=-35, silence_s=3),
        "audio.not_clipped": _of("wav", true_peak_db=-0.1),
    },
    "midi": {"midi.parses": _of("midi", longest_note_s=30), "midi.piano_only": _of("midi")},
    "jpeg": {"picture.decodes": _of("jpeg"), "picture.not_blank": _of("jpeg")},
    "mp3": {"audio.decodes": _of("mp3"), "audio.audible": _of("mp3", loudness_lufs=-50)},
    "pdf": {"pdf.opens": _of("pdf"), "pdf.not_blank": _of("pdf"), "pdf.fonts": _of("pdf")},
    "json": {"json.parses": _of("json")},
    "manifest": {
        "files.present": {"required": ["ok.txt"]},
        "files.safe": {"max_files": 200, "max_bytes": 200 << 20},
    },
}

# They start a second browser, or load much to measure loudness by.
COSTLY = ("page.not_blank", "audio.audible", "audio.not_clipped")


def checks_of(format_: str, all_: bool) -> dict[str, dict[str, JsonValue]]:
    """Every check of a format, or only those that are quick."""
    return {name: args for name, args in CHECKS[format_].items() if all_ or name not in COSTLY}


_FILM = """
ffmpeg -v error -y -f lavfi -i testsrc2=s=96x64:r=12:d=2 -f lavfi -i sine=440:d=2 -c:v libx264 -preset ultrafast \
  -pix_fmt yuv420p -c:a aac -movflags +faststart /testbed/whole.mp4
ffmpeg -v error -y -f lavfi -i sine=440:d=2:r=8000 -c:a pcm_s16le -bitexact /testbed/whole.wav
ffmpeg -v error -y -f lavfi -i sine=440:d=2:r=22050 -b:a 32k /testbed/whole.mp3
ffmpeg -v error -y -f lavfi -i testsrc2=s=96x64 -frames:v 1 /testbed/whole.jpeg
rsvg-convert -f pdf -o /testbed/whole.pdf <<'X'
<svg xmlns="http://www.w3.org/2000/svg" width="300" height="200"><rect width="200" height="90" fill="#a32"/>\
<text x="20" y="150" font-family="DejaVu Sans" font-size="30">Night Swim</text></svg>
X
"""

_PAGE = b"""<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><title>Two days</title>
<style>body { font: 16px sans-serif } p { color: #223344 }</style></head>
<body><h1>Two days</h1><p>Lantern Pier, 09:00</p><button id="b">Day 2</button><p id="p"></p>
<script>document.getElementById('b').onclick = () => {
  document.getElementById('p').textContent = 'Ferry Point';
};</script>
</body></html>
"""


def wholes(sandbox: Sandbox) -> dict[str, bytes]:
    """The files by their formats; those that need a program are made in the sandbox."""
    status, _, words = sandbox.run(["sh", "-ec", _FILM])
    assert status == 0, words
    return {
        "svg": svg(text("Night Swim", size=60), '<rect x="10" y="900" width="400" height="300" fill="#AA3322"/>'),
        "html": _PAGE,
        "png": png(120, 80, (200, 40, 30), split=(20, 40, 90)),
        "mp4": sandbox.read("/testbed/whole.mp4", 1 << 20),
        "wav": sandbox.read("/testbed/whole.wav", 1 << 20),
        "midi": _midi(),
        "json": b'{"trip": [{"day": 1, "stops": ["pier", "f\\u00e4hre"]}, {"day": 2, "lat": -1.5e3}], "done": true}',
        **{name: sandbox.read(f"/testbed/whole.{name}", 1 << 20) for name in ("jpeg", "mp3", "pdf")},
        "manifest": b'{"entries": [{"path": "ok.txt", "type": "file", "size": 5}], "truncated": false}',
    }


def _midi() -> bytes:
    """Eight quarter notes at 120 beats a minute."""
    events = b"\x00\xff\x51\x03\x07\xa1\x20" + b"".join(
        bytes((0, 0x90, pitch, 80, 0x83, 0x60, 0x80, pitch, 0)) for pitch in (60, 62, 64, 65, 67, 69, 71, 72)
    )
    track = events + b"\x00\xff\x2f\x00"
    return b"MThd" + struct.pack(">IHHH", 6, 0, 1, 480) + b"MTrk" + struct.pack(">I", len(track)) + track
