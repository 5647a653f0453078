"""The score as MusicXML 4.0 (score-partwise), the form that notation programs exchange."""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

from .marks import Mark, Slur, marks_of, slurs_of, staccato
from .notation import LEFT, LOWER, RIGHT, TYPES, Written, bars_of, written_key
from .performance import Performance
from .piece import QUARTER, Piece


def musicxml(piece: Piece, performance: Performance) -> str:
    """The whole file as text."""
    title = escape(piece.request.title)
    sheet = _Sheet(piece, performance)
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<score-partwise version="4.0">',
        f"<work><work-title>{title}</work-title></work>",
        "<identification><encoding><software>Sandbox Studio</software></encoding></identification>",
        '<part-list><score-part id="P1"><part-name print-object="no">Piano</part-name></score-part></part-list>',
        '<part id="P1">',
    ]
    for number, content in enumerate(bars_of(piece)):
        lines += sheet.measure(number, content)
    lines += ["</part>", "</score-partwise>", ""]
    return "\n".join(lines)


class _Sheet:
    """Writes one measure after the other."""

    def __init__(self, piece: Piece, performance: Performance) -> None:
        self._piece, self._bpm = piece, performance.bpm
        self._marks = marks_of(piece, performance)
        slurs = slurs_of(piece)
        self._begin = {slur.begin: slur for slur in slurs}
        self._end: dict[int, Slur] = {slur.end: slur for slur in slurs}
        self._short = staccato(piece)
        self._last = piece.slots[-1].start

    def measure(self, number: int, content: dict[int, list[Written]]) -> list[str]:
        bar = self._piece.bars.bar
        start = number * bar
        lines = [f'<measure number="{number + 1}">']
        if number == 0:
            lines.append(self._attributes())
        marks = [mark for mark in self._marks if start <= mark.tick < start + bar]
        for index, voice in enumerate(voice for voice in (RIGHT, LEFT, LOWER) if voice in content):
            if index:
                lines.append(f"<backup><duration>{bar}</duration></backup>")
            for note in content[voice]:
                if voice == RIGHT:
                    while marks and marks[0].tick <= note.start:
                        lines.append(self._direction(marks.pop(0)))
                lines += self._note(note, LOWER in content)
            if voice == RIGHT:
                lines += [self._direction(mark) for mark in marks]
        if number == self._piece.request.total_bars - 1:
            lines.append('<barline location="right"><bar-style>light-heavy</bar-style></barline>')
        elif any(section.first_bar == number + 1 for section in self._piece.sections):
            lines.append('<barline location="right"><bar-style>light-light</bar-style></barline>')
        lines.append("</measure>")
        return lines

    def _attributes(self) -> str:
        key = written_key(self._piece.key)
        beats, unit = self._piece.request.meter.split("/")
        return (
            f"<attributes><divisions>{QUARTER}</divisions><key><fifths>{key.sharps}</fifths>"
            f"<mode>{'minor' if key.minor else 'major'}</mode></key>"
            f"<time><beats>{beats}</beats><beat-type>{unit}</beat-type></time><staves>2</staves>"
            '<clef number="1"><sign>G</sign><line>2</line></clef>'
            '<clef number="2"><sign>F</sign><line>4</line></clef></attributes>'
        )

    def _direction(self, mark: Mark) -> str:
        place, staff, inner = "above", 1, ""
        if mark.kind == "tempo":
            dot = "<beat-unit-dot/>" if self._piece.request.compound else ""
            inner = (
                f'<direction-type><words font-weight="bold">{escape(mark.text)}\u00a0\u00a0</words></direction-type>'
            )
            inner += (
                f"<direction-type><metronome><beat-unit>quarter</beat-unit>{dot}"
                f"<per-minute>{self._bpm:.0f}</per-minute></metronome></direction-type>"
            )
        elif mark.kind == "section":
            inner = f"<direction-type><rehearsal>{escape(mark.text)}</rehearsal></direction-type>"
        elif mark.kind == "dynamics":
            place, inner = "below", f"<direction-type><dynamics><{mark.text}/></dynamics></direction-type>"
        elif mark.kind in ("crescendo", "diminuendo", "stop"):
            place, inner = "below", f"<direction-type><wedge type={quoteattr(mark.kind)}/></direction-type>"
        else:
            place, staff = ("below", 2) if mark.kind == "pedal" else ("above", 1)
            inner = f'<direction-type><words font-style="italic">{escape(mark.text)}</words></direction-type>'
        return f'<direction placement="{place}">{inner}<staff>{staff}</staff></direction>'

    def _note(self, note: Written, two: bool) -> list[str]:
        staff = 1 if note.voice == RIGHT else 2
        kind, dots = TYPES.get(note.length, ("", 0))
        whole_rest = not note.tones and not kind or (not note.tones and note.length == self._piece.bars.bar)
        shape = "" if whole_rest else f"<type>{kind}</type>{'<dot/>' * dots}"
        if not note.tones:
            rest = '<rest measure="yes"/>' if whole_rest else "<rest/>"
            hidden = ' print-object="no"' if note.voice == LOWER else ""
            return [
                f"<note{hidden}>{rest}<duration>{note.length}</duration><voice>{note.voice}</voice>{shape}"
                f"<staff>{staff}</staff></note>"
            ]
        stem = ""
        if staff == 2 and two:
            stem = f"<stem>{'down' if note.voice == LOWER else 'up'}</stem>"
        beams = "".join(f'<beam number="{level}">{state}</beam>' for level, state in enumerate(note.beams, start=1))
        lines = []
        for index, tone in enumerate(note.tones):
            alter = f"<alter>{tone.accidental}</alter>" if tone.accidental else ""
            ties = '<tie type="stop"/>' * note.tied_from + '<tie type="start"/>' * note.tied_to
            sign = f"<accidental>{tone.sign}</accidental>" if tone.sign else ""
            lines.append(
                f"<note>{'<chord/>' if index else ''}<pitch><step>{tone.name}</step>{alter}"
                f"<octave>{tone.octave}</octave></pitch><duration>{note.length}</duration>{ties}"
                f"<voice>{note.voice}</voice>{shape if kind else ''}{sign}{stem}<staff>{staff}</staff>"
                f"{'' if index else beams}{self._notations(note, index == 0)}</note>"
            )
        return lines

    def _notations(self, note: Written, first: bool) -> str:
        found = '<tied type="stop"/>' * note.tied_from + '<tied type="start"/>' * note.tied_to
        if first and note.voice == RIGHT and not note.tied_from:
            if note.start in self._end:
                found += '<slur type="stop" number="1"/>'
            if note.start in self._begin:
                found += '<slur type="start" number="1" placement="above"/>'
            if note.start in self._short:
                found += "<articulations><staccato/></articulations>"
        if note.rolled:
            found += "<arpeggiate/>"
        if first and note.start == self._last and note.voice in (RIGHT, LEFT):
            found += "<fermata/>"
        return f"<notations>{found}</notations>" if found else ""
