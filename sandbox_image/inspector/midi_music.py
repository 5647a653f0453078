"""What a MIDI file plays: notes in seconds, the tempo over time, bars, hands, and what key the notes say."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from sandbox_image.inspector.midi_file import MAX_BYTES, Event, Score, read_score
from sandbox_image.inspector.subject import Subject, Unfit

DEFAULT_TEMPO = 500_000  # microseconds a quarter, where a file says nothing (Standard MIDI Files 1.0, set tempo)
MAX_SECONDS = 3600.0
CLOSE_S = 0.25  # before the last release: what ends so late belongs to the last chord
STRANGE_SHARE = 0.03  # of all durations, that notes outside of a scale may have: passing notes
SLOWEST, FASTEST = 5.0, 1000.0  # quarters a minute that anybody may mean

# Krumhansl and Kessler's probe-tone ratings (Psychological Review 89, 1982), from the tonic upwards.
_MAJOR = (6.35, 2.23, 3.48, 2.33, 4.38, 4.09, 2.52, 5.19, 2.39, 3.66, 2.29, 2.88)
_MINOR = (6.33, 2.68, 3.52, 5.38, 2.60, 3.53, 2.54, 4.75, 3.98, 2.69, 3.34, 3.17)
_NAMES = ("C", "C♯/D♭", "D", "D♯/E♭", "E", "F", "F♯/G♭", "G", "G♯/A♭", "A", "A♯/B♭", "B")


@dataclass(frozen=True)
class Note:
    """A struck key: ticks and seconds from the file's begin, pitch and velocity as MIDI has them."""

    on_tick: int
    off_tick: int
    start_s: float
    end_s: float
    pitch: int
    velocity: int
    track: int
    channel: int


@dataclass
class Music:
    """What a file plays. `problem` says what is wrong with a file that is readable all the same."""

    path: str
    score: Score
    notes: tuple[Note, ...] = ()
    problem: str = ""
    problem_s: float | None = None
    tempos: list[tuple[int, int]] = field(default_factory=list)  # (tick, microseconds a quarter)
    meters: list[tuple[int, int, int]] = field(default_factory=list)  # (tick, beats, unit)
    keys: list[tuple[int, int, bool]] = field(default_factory=list)  # (tick, sharps, minor)
    pedals: list[tuple[float, int]] = field(default_factory=list)  # (second, value of controller 64)
    _times: list[float] = field(default_factory=list)

    def seconds(self, tick: int) -> float:
        """The time of a tick in seconds, by the tempo events."""
        at = bisect_right(self.tempos, (tick, 1 << 60)) - 1
        begin, tempo = self.tempos[at]
        return self._times[at] + (tick - begin) * tempo / self.score.ticks_per_quarter / 1e6

    @property
    def first_s(self) -> float:
        return min(note.start_s for note in self.notes)

    @property
    def last_s(self) -> float:
        """The last release, in seconds from the file's begin."""
        return max(note.end_s for note in self.notes)

    @property
    def end_s(self) -> float:
        """The end of the last track."""
        return self.seconds(self.score.end_tick)


def music_of(subject: Subject, path: str) -> Music:
    """What the deliverable `path` plays, with at least one note. Raises Unfit."""
    music = subject.shared(f"reading {path}", lambda: read_music(path, subject.bytes_of(path, MAX_BYTES)))
    if not music.notes:
        raise Unfit(f"{path} has no note; write the piece into it.", path)
    return music


def read_music(path: str, content: bytes) -> Music:
    """Read a whole file. Raises Unfit where it cannot be read or its time makes no sense."""
    score = read_score(path, content)
    events = sorted(score.events, key=lambda event: event.tick)
    music = Music(path, score)
    _read_meta(music, events)
    if (end := music.end_s) > MAX_SECONDS:
        raise Unfit(
            f"{path} lasts {end:,.0f} s by its times; make it shorter: what is longer than an hour is not played.", path
        )
    _read_notes(music, events)
    return music


def _read_meta(music: Music, events: Sequence[Event]) -> None:
    tempos: dict[int, int] = {0: DEFAULT_TEMPO}
    for event in events:
        if event.meta == 0x51 and len(event.content) == 3:
            tempo = int.from_bytes(event.content, "big")
            if not SLOWEST <= 6e7 / max(1, tempo) <= FASTEST:
                words = f"{music.path} sets {6e7 / max(1, tempo):,.0f} quarters a minute at tick {event.tick}"
                raise Unfit(f"{words}; nobody plays that: set {SLOWEST:g} to {FASTEST:,g}.", music.path)
            tempos[event.tick] = tempo
        elif event.meta == 0x58 and len(event.content) >= 2:
            if event.content[0] == 0 or event.content[1] > 6:
                told = f"{event.content[0]}/2^{event.content[1]}"
                raise Unfit(f"{music.path} has the time signature {told}; write one such as 3/4.", music.path)
            music.meters.append((event.tick, event.content[0], 1 << event.content[1]))
        elif event.meta == 0x59 and len(event.content) == 2:
            sharps = int.from_bytes(event.content[:1], "big", signed=True)
            music.keys.append((event.tick, sharps, event.content[1] == 1))
    music.tempos = sorted(tempos.items())
    times = [0.0]
    for (begin, tempo), (end, _) in zip(music.tempos, music.tempos[1:], strict=False):
        times.append(times[-1] + (end - begin) * tempo / music.score.ticks_per_quarter / 1e6)
    music._times = times


def _read_notes(music: Music, events: Sequence[Event]) -> None:
    """Pair what is switched on with what is switched off, the oldest first."""
    sounding: dict[tuple[int, int], list[Event]] = defaultdict(list)
    notes: list[Note] = []

    def close(event: Event, tick: int) -> None:
        notes.append(
            Note(
                event.tick,
                tick,
                music.seconds(event.tick),
                music.seconds(tick),
                event.content[0],
                event.content[1],
                event.track,
                event.channel,
            )
        )

    for event in events:
        if event.kind == 0x90 and event.meta < 0 and event.content[1] > 0:
            sounding[event.channel, event.content[0]].append(event)
        elif event.kind in (0x80, 0x90) and event.meta < 0:
            if held := sounding[event.channel, event.content[0]]:
                close(held.pop(0), event.tick)
        elif event.kind == 0xB0 and event.content[0] in (120, 123):  # all sound off, all notes off
            for key, held in sounding.items():
                if key[0] == event.channel:
                    for each in held:
                        close(each, event.tick)
                    held.clear()
        elif event.kind == 0xB0 and event.content[0] == 64:
            music.pedals.append((music.seconds(event.tick), event.content[1]))
    stuck = [each for held in sounding.values() for each in held]
    for each in stuck:
        close(each, music.score.end_tick)
    if stuck:
        first = min(stuck, key=lambda each: each.tick)
        music.problem_s = music.seconds(first.tick)
        count = f"{len(stuck)} notes are" if len(stuck) > 1 else "1 note is"
        music.problem = (
            f"{count} switched on and never off, the first at {music.problem_s:.1f} s "
            f"(pitch {first.content[0]}); give each note its note-off."
        )
    music.notes = tuple(sorted(notes, key=lambda note: (note.on_tick, note.pitch)))


def tempo_spans(music: Music) -> list[tuple[float, float, float]]:
    """Quarters a minute, begin and end in seconds, of each stretch between the first onset and the last release."""
    begin, end = music.first_s, music.last_s
    bounds = [*(music.seconds(tick) for tick, _ in music.tempos), max(end, music.seconds(music.tempos[-1][0]))]
    spans = []
    for (_, tempo), start, stop in zip(music.tempos, bounds, bounds[1:], strict=False):
        if max(start, begin) < min(max(start, stop), end):
            spans.append((6e7 / tempo, max(start, begin), min(stop, end)))
    return spans


def median_tempo(music: Music) -> float:
    """The median over time of the tempo between the first onset and the last release, in quarters a minute."""
    spans = sorted((bpm, stop - start) for bpm, start, stop in tempo_spans(music))
    half, passed = sum(span for _, span in spans) / 2, 0.0
    for bpm, span in spans:
        passed += span
        if passed >= half:
            return bpm
    return 6e7 / music.tempos[-1][1]


def longest_at(music: Music, bpm: float) -> tuple[float, float]:
    """Begin and end, in seconds, of the longest stretch at so many quarters a minute."""
    spans = [(start, stop) for found, start, stop in tempo_spans(music) if found == bpm]
    return max(spans, key=lambda span: span[1] - span[0], default=(music.first_s, music.last_s))


def bar_lines(music: Music, beats: int, unit: int) -> list[int]:
    """Ticks at which bars begin, up to the one after the last release; without time signatures, in `beats`/`unit`."""
    changes = {tick: (number, part) for tick, number, part in music.meters} or {0: (beats, unit)}
    changes.setdefault(0, (beats, unit))
    ticks, last = sorted(changes), max(note.off_tick for note in music.notes)
    lines: list[int] = []
    for tick, after in zip(ticks, [*ticks[1:], last + 1], strict=True):
        number, part = changes[tick]
        length = Fraction(music.score.ticks_per_quarter * 4 * number, part)
        count = max(0, -int((tick - after) // length)) if after > tick else 0
        if len(lines) + count > 100_000:
            raise Unfit(f"{music.path} has more than 100,000 bars by its time signatures.", music.path)
        lines += [int(tick + length * index) for index in range(count)]
    return lines


def main_meter(music: Music) -> tuple[int, int] | None:
    """The time signature that holds longest, or None where the file has none."""
    if not music.meters:
        return None
    held: Counter[tuple[int, int]] = Counter()
    end = max(note.off_tick for note in music.notes)
    for (tick, beats, unit), after in zip(music.meters, [*(row[0] for row in music.meters[1:]), end], strict=True):
        held[beats, unit] += max(0, min(after, end) - tick)
    return held.most_common(1)[0][0]


def key_by_notes(notes: Sequence[Note]) -> tuple[int, bool, float]:
    """Tonic (0 = C), whether minor, and the correlation, of the key whose profile fits the durations best.

    Krumhansl, Cognitive Foundations of Musical Pitch (1990), chapter 4: Pearson's correlation of the summed durations
    of the twelve pitch classes with each of the 24 rotated profiles.
    """
    weights = [0.0] * 12
    for note in notes:
        weights[note.pitch % 12] += note.end_s - note.start_s
    best = (0, False, -2.0)
    for minor, profile in ((False, _MAJOR), (True, _MINOR)):
        for tonic in range(12):
            found = _correlation(weights, [profile[(pitch - tonic) % 12] for pitch in range(12)])
            if found > best[2]:
                best = (tonic, minor, found)
    return best


def scale_of(tonic: int, minor: bool) -> frozenset[int]:
    """The pitch classes of a key: of a minor one with the sixth and seventh in both forms."""
    steps = (0, 2, 3, 5, 7, 8, 9, 10, 11) if minor else (0, 2, 4, 5, 7, 9, 11)
    return frozenset((tonic + step) % 12 for step in steps)


def last_notes(music: Music) -> list[Note]:
    """What sounds when the piece ends."""
    end = music.last_s
    return [note for note in music.notes if note.end_s >= end - CLOSE_S]


def closes_in(music: Music, tonic: int, minor: bool) -> bool:
    """Does a piece whose notes are nearly all of one key's scale end on the chord of its tonic, that in the bass?"""
    scale = scale_of(tonic, minor)
    lengths = [(note.pitch % 12 in scale, note.end_s - note.start_s) for note in music.notes]
    strange = sum(length for own, length in lengths if not own)
    last = {note.pitch % 12 for note in last_notes(music)}
    bass = min(note.pitch for note in last_notes(music)) % 12
    # The triad, with its seventh and ninth where they colour it; a fourth or sixth makes it another chord.
    chord = {(tonic + step) % 12 for step in ((0, 2, 3, 7, 10) if minor else (0, 2, 4, 7, 11))}
    whole = sum(length for _, length in lengths)
    return bass == tonic and last <= chord and strange <= STRANGE_SHARE * whole


def _correlation(first: Sequence[float], second: Sequence[float]) -> float:
    middle, other = sum(first) / len(first), sum(second) / len(second)
    product = sum((a - middle) * (b - other) for a, b in zip(first, second, strict=True))
    spread = sum((a - middle) ** 2 for a in first) * sum((b - other) ** 2 for b in second)
    return product / spread**0.5 if spread > 0 else 0.0


def key_name(tonic: int, minor: bool) -> str:
    """Such as "A minor"."""
    return f"{_NAMES[tonic % 12]} {'minor' if minor else 'major'}"


def pitch_name(pitch: int) -> str:
    """Such as "F♯4" (middle C is C4)."""
    return f"{_NAMES[pitch % 12]}{pitch // 12 - 1}"


def hands(notes: Sequence[Note]) -> list[int]:
    """For each note, 0 for the right hand and 1 for the left.

    By track, else by channel, where two of them have notes: the higher on average is the right hand. Otherwise by
    pitch, at middle C.
    """
    for part in ([note.track for note in notes], [note.channel for note in notes]):
        pitches: dict[int, list[int]] = defaultdict(list)
        for each, note in zip(part, notes, strict=True):
            pitches[each].append(note.pitch)
        if len(pitches) == 2:
            high = max(pitches, key=lambda each: sum(pitches[each]) / len(pitches[each]))
            return [0 if each == high else 1 for each in part]
    return [0 if note.pitch >= 60 else 1 for note in notes]
