"""Valid piano briefs of any kind, and what a theory teacher would check in a composed piece."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hypothesis import strategies as st

from studio.brief import Brief
from studio.kinds import get_kind, parse_brief
from studio.kinds.piano_piece.keys import NAMES
from studio.kinds.piano_piece.params import PianoPieceParams
from studio.kinds.piano_piece.recipe.harmony import Slot
from studio.kinds.piano_piece.recipe.piece import Piece, Request

TENTH = 16  # semitones of a major tenth
BRIEFS = Path(__file__).parent / "piano_briefs"
METERS = ("2/4", "3/4", "4/4", "6/8", "9/8", "12/8")
MOODS = ("", "calm", "cheerful", "solemn", "dreamy", "dramatic", "wistful", "欢快", "träumerisch", "nothing known")
SECTIONS = ("Intro", "Main Theme", "A", "B", "Bridge", "Outro", "前奏", "尾声", "Ω", "第二段 🎹")


def brief_of(params: dict[str, Any], language: str = "en") -> Brief:
    """A validated brief with these parameters."""
    return parse_brief({"kind": "piano_piece", "title": "A piece", "params": params, "language": language})


@st.composite
def briefs(draw: st.DrawFn, longest_s: float = 600.0) -> Brief:
    """Any brief that can be met: a form and a tempo, then a length that some tempo of the range gives."""
    meter = draw(st.sampled_from(METERS))
    form = draw(st.lists(st.tuples(st.sampled_from(SECTIONS), st.integers(1, 12)), min_size=1, max_size=4))
    low = draw(st.integers(20, 320))
    high = min(320, low + draw(st.sampled_from((0, 1, 10, 60))))
    params: dict[str, Any] = {
        "mood": draw(st.sampled_from(MOODS)),
        "key": draw(st.sampled_from(NAMES)),
        "meter": meter,
        "bpm": {"min": low, "max": high},
        "structure": [{"name": name, "bars": bars} for name, bars in form],
    }
    plain = PianoPieceParams.model_validate(params)
    beats = plain.bars * plain.beats
    if beats * 60 / high < 2:  # shorter than a length may be asked for
        params["structure"].append({"name": "Outro", "bars": 8})
        beats += 8 * plain.beats
    exact = beats * 60 / draw(st.floats(low, high))
    if exact > longest_s:
        keep = max(1, int(longest_s * low / 60 / plain.beats))
        params["structure"] = [{"name": form[0][0], "bars": min(keep, 20)}]
        exact = min(keep, 20) * plain.beats * 60 / low
    below, above = draw(st.floats(0, 5)), draw(st.floats(0, 5))
    shortest = min(600.0, max(1.0, exact - below))
    params["duration_s"] = {"min": shortest, "max": min(600.0, max(shortest, exact + above, 1.0))}
    return brief_of(params, draw(st.sampled_from(("en", "zh-Hans", "de", "ar", "sw"))))


def request_of(brief: Brief) -> Request:
    """The brief as the recipe reads it."""
    return Request.read(brief.model_dump())


def sample(name: str) -> Brief:
    """A sample of the kind, validated."""
    found = next(each.brief for each in get_kind("piano_piece").samples() if each.name == name)
    return parse_brief(found)


@dataclass(frozen=True)
class Lesson:
    """A piece under a teacher's eyes."""

    piece: Piece

    def faults(self) -> list[str]:
        """Everything that a teacher would mark, in words; nothing where the piece is clean."""
        found = [f"parallel fifths or octaves at {begin}" for begin, _ in self.parallels() + self.parallels_of_line()]
        found += [f"a leading note is left at {tick}" for tick in self.unresolved()]
        found += [f"no chord note on the strong beat at {tick}" for tick in self.weak_strong_beats()]
        found += [f"{count} high points in the phrase of bar {bar + 1}" for bar, count in self.high_points()]
        found += [f"a hand of {span} semitones at {tick}" for tick, span in self.wide_hands()]
        pitches = [note.pitch for note in self.piece.melody]
        if max(pitches) - min(pitches) > TENTH + 1:  # ten steps are 17 semitones in some modes
            found.append(f"a melody over {max(pitches) - min(pitches)} semitones")
        return found + self.weak_end()

    def parallels_of_line(self) -> list[tuple[int, int]]:
        """The same between the melody and the notes of the left hand's bass line, where that moves within a harmony."""
        line = [(struck.start, min(struck.pitches)) for struck in self.piece.left if struck.line]
        sung = self.piece.melody
        rows = [
            (tick, next(note.pitch for note in reversed(sung) if note.start <= tick), low) for tick, low in sorted(line)
        ]
        return [
            (start, end)
            for (start, high, low), (end, next_high, next_low) in zip(rows, rows[1:], strict=False)
            if (high - low) % 12 == (next_high - next_low) % 12
            and (high - low) % 12 in (0, 7)
            and high != next_high
            and (low - next_low) % 12
        ]

    def weak_strong_beats(self) -> list[int]:
        """Ticks of strong beats whose note is foreign to the harmony and no suspension (prepared, then down a step)."""
        piece, found = self.piece, []
        half = piece.bars.bar // 2 if piece.request.meter in ("4/4", "12/8") else piece.bars.bar
        sung = piece.melody
        for index, note in enumerate(sung):
            slot = self.slot_at(note.start)
            if note.start % half and note.start != slot.start:
                continue
            if note.pitch % 12 in slot.chord.classes(piece.key):
                continue
            prepared = index > 0 and sung[index - 1].pitch == note.pitch
            falls = index + 1 < len(sung) and sung[index + 1].step == note.step - 1
            if not (prepared and falls):
                found.append(note.start)
        return found

    def high_points(self) -> list[tuple[int, int]]:
        """First bar and number of highest notes of each phrase that has another number of them than one."""
        found = []
        for phrase in self.piece.phrases:
            bars = range(phrase.first_bar, phrase.first_bar + phrase.bars)
            steps = [note.step for note in self.piece.melody if note.bar in bars]
            if len(steps) > 2 and steps.count(max(steps)) > 1:
                found.append((phrase.first_bar, steps.count(max(steps))))
        return found

    def wide_hands(self) -> list[tuple[int, int]]:
        """Ticks and semitones of what one hand must strike at once beyond a tenth."""
        right: dict[int, list[int]] = {note.start: [note.pitch] for note in self.piece.melody}
        left: dict[int, list[int]] = {}
        for struck in self.piece.added:
            right.setdefault(struck.start, []).extend(struck.pitches)
        for struck in self.piece.left:
            # What is rolled is struck note by note, the thumb last.
            left.setdefault(struck.start, []).extend(struck.pitches)
        rows = [(tick, max(keys) - min(keys)) for hand in (right, left) for tick, keys in hand.items()]
        return [row for row in rows if row[1] > TENTH]

    def weak_end(self) -> list[str]:
        """What a close lacks: the tonic above and below, and before it the dominant or the subdominant."""
        piece = self.piece
        last, found = piece.slots[-1], []
        if piece.melody[-1].step % 7 or last.bass % 12 != piece.key.tonic or last.chord.roman not in ("I", "i"):
            found.append("the piece does not close on its tonic")
        others = [slot.chord.roman for slot in piece.slots if slot.chord != last.chord]
        if others and others[-1] not in ("V", "V7", "iv", "IV"):
            found.append(f"the last cadence is {others[-1]}–{last.chord.roman}")
        return found

    def slot_at(self, tick: int) -> Slot:
        return next(slot for slot in self.piece.slots if slot.start <= tick < slot.end)

    def parallels(self) -> list[tuple[int, int]]:
        """Ticks between which melody and bass move in parallel fifths or octaves: note to note, and chord to chord."""
        notes = [(note.start, note.pitch, self.slot_at(note.start).bass) for note in self.piece.melody]
        opened = {slot.start for slot in self.piece.slots}
        beginnings = [row for row in notes if row[0] in opened]
        found = []
        for rows in (notes, beginnings):
            for (start, high, low), (end, next_high, next_low) in zip(rows, rows[1:], strict=False):
                same = (high - low) % 12 == (next_high - next_low) % 12 and (high - low) % 12 in (0, 7)
                if same and high != next_high and low != next_low:
                    found.append((start, end))
        return found

    def unresolved(self) -> list[int]:
        """Ticks of leading tones in the melody or bass that do not rise when the harmony changes."""
        piece, found = self.piece, []
        for note, after in zip(piece.melody, piece.melody[1:], strict=False):
            slot, later = self.slot_at(note.start), self.slot_at(after.start)
            leading = slot.chord.leading is not None and note.step % 7 == slot.chord.leading
            if leading and slot.chord != later.chord and after.pitch != note.pitch + 1:
                found.append(note.start)
        for slot, later in zip(piece.slots, piece.slots[1:], strict=False):
            if slot.chord.leading is None or slot.chord == later.chord:
                continue
            lead = slot.chord.classes(piece.key)[slot.chord.degrees.index(slot.chord.leading)]
            if slot.bass % 12 == lead and later.bass != slot.bass + 1:
                found.append(slot.start)
        return found

    def moves(self) -> list[int]:
        """Sizes of the melody's moves in steps of the scale."""
        melody = self.piece.melody
        return [abs(after.step - note.step) for note, after in zip(melody, melody[1:], strict=False)]
