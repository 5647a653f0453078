"""Makes the composition, its recording, the sheet and the engraved score from /testbed/input/brief.json and run.json.

Run as `python3 -m piano.make` in /testbed. The same brief, seed and image give the same bytes.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

from .musicxml import musicxml
from .performance import perform
from .piece import Piece, Request, compose
from .recording import render
from .score_file import write_midi
from .sheet import sheet_music

INPUT = Path("/testbed/input")
OUTPUT = Path("/testbed/output")
RENDERED_REST_S = 6.0


def main() -> None:
    """Read the brief and the seed, compose, play, write, say what was made."""
    brief = json.loads((INPUT / "brief.json").read_text(encoding="utf-8"))
    run = json.loads((INPUT / "run.json").read_text(encoding="utf-8"))
    piece = compose(Request.read(brief), int(run.get("seed") or 0))
    performance = perform(piece)
    OUTPUT.mkdir(exist_ok=True)
    write_midi(OUTPUT / "composition.mid", piece, performance)
    (OUTPUT / "sheet_music.md").write_text(sheet_music(piece, performance), encoding="utf-8")
    score = musicxml(piece, performance)
    (OUTPUT / "score.musicxml").write_text(score, encoding="utf-8")
    _engrave(score, piece)
    with tempfile.TemporaryDirectory() as folder:
        played = Path(folder) / "played.mid"
        write_midi(played, piece, performance, rest_s=RENDERED_REST_S)
        render(played, performance.seconds, OUTPUT / "preview.wav")
    said = f"{piece.mood.name}, {piece.look.name}, {performance.bpm:.1f} a minute"
    print(f"{said}, {performance.seconds:.2f} s, {len(performance.keys)} notes")


def _engrave(score: str, piece: Piece) -> None:
    """The engraved score, where the computer has what it takes; it is no required part."""
    try:
        from .engraving import engrave
    except ImportError as missing:
        print(f"no engraved score: {missing}")
        return
    (OUTPUT / "score.svg").write_bytes(engrave(score, piece.request.title, piece.request.language))


if __name__ == "__main__":
    main()
