"""Checks of a piano piece's MIDI file: that it plays, on a piano, as long, as fast and in the key asked for."""

from __future__ import annotations

from collections import defaultdict

from sandbox_image.inspector import midi_music
from sandbox_image.inspector.midi_file import MAX_BYTES
from sandbox_image.inspector.midi_music import Note, music_of
from sandbox_image.inspector.registry import Picture, check, preview
from sandbox_image.inspector.subject import Evidence, Json, Spot, Subject

TEMPO_TOLERANCE = 0.001  # relative: a tempo is stored in whole microseconds a quarter
DURATION_TOLERANCE_S = 0.05
DRUM_BANKS = (120, 126, 127)  # bank select MSB of drum kits: GM2 (120), XG (126 and 127)
LOWEST, HIGHEST = 21, 108  # A0 and C8, the keys of a piano
MOST_AT_ONCE = 10
TENTH = 16  # semitones of a major tenth
TOGETHER_S = 0.03  # onsets this close are one chord
FACT_NOTES, FACT_PEDALS = 6000, 3000


@check("midi.parses")
def parses(subject: Subject, args: dict[str, Json]) -> Evidence:
    """A standard MIDI file (SMF 1.0): chunks and events whole, every note ended, no absurd time."""
    path = args["file"]
    music = music_of(subject, path)
    if music.problem:
        return Evidence(False, f"{len(music.notes)} notes", music.problem, file=path, time_s=music.problem_s)
    longest = max(music.notes, key=lambda note: note.end_s - note.start_s)
    if (length := longest.end_s - longest.start_s) > args["longest_note_s"]:
        words = f"A note of {length:,.0f} s at {longest.start_s:.1f} s is longer than a piano sounds; end it sooner."
        return Evidence(False, f"{length:.0f} s", words, file=path, time_s=longest.start_s)
    return Evidence(True, f"{len(music.notes)} notes, format {music.score.format}")


@check("midi.piano_only")
def piano_only(subject: Subject, args: dict[str, Json]) -> Evidence:
    """Programs 0–7 only, the pianos of General MIDI 1, and nothing on channel 10, its drums (or in a drum bank)."""
    path = args["file"]
    music = music_of(subject, path)
    for event in music.score.events:
        if event.kind == 0xC0 and event.meta < 0 and event.content[0] > 7:
            words = f"Channel {event.channel + 1} has program {event.content[0] + 1}; use 1 to 8, the pianos."
            return Evidence(False, f"program {event.content[0] + 1}", words, path, time_s=music.seconds(event.tick))
        if event.kind == 0xB0 and event.content[0] == 0 and event.content[1] in DRUM_BANKS:
            words = f"Channel {event.channel + 1} selects bank {event.content[1]}, a drum kit; take it out."
            return Evidence(False, f"bank {event.content[1]}", words, path, time_s=music.seconds(event.tick))
    drums = [note for note in music.notes if note.channel == 9]
    if drums:
        words = (
            f"{len(drums)} note{'s are' if len(drums) > 1 else ' is'} on channel 10, the drums; move or remove them."
        )
        return Evidence(False, f"{len(drums)} notes", words, path, time_s=drums[0].start_s)
    return Evidence(True, "piano only")


@check("midi.tempo")
def tempo(subject: Subject, args: dict[str, Json]) -> Evidence:
    """The median over time of the tempo events (SMF 1.0), in the meter's beat: half of the time is slower.

    Rubato and a ritardando may leave the range. The beat has `beat_quarters` quarters, 1.5 in x/8.
    """
    path = args["file"]
    music = music_of(subject, path)
    measured = midi_music.median_tempo(music) / args["beat_quarters"]
    good = args["min"] * (1 - TEMPO_TOLERANCE) <= measured <= args["max"] * (1 + TEMPO_TOLERANCE)
    if good:
        return Evidence(True, round(measured, 2))
    beat = "dotted quarters" if args["beat_quarters"] == 1.5 else "quarters"
    begin, end = midi_music.longest_at(music, measured * args["beat_quarters"])
    words = f"The tempo is {measured:.1f} {beat} a minute; bring it into {args['min']:g}–{args['max']:g}."
    return Evidence(False, round(measured, 2), words, path, spots=(Spot(time_s=begin, until_s=end),))


@check("midi.duration")
def duration(subject: Subject, args: dict[str, Json]) -> Evidence:
    """From the first onset to the last release, in seconds by the tempo events (SMF 1.0)."""
    path = args["file"]
    music = music_of(subject, path)
    measured = music.last_s - music.first_s
    good = args["min"] - DURATION_TOLERANCE_S <= measured <= args["max"] + DURATION_TOLERANCE_S
    words = f"The music lasts {measured:.2f} s; make it {args['min']:g} to {args['max']:g} s long."
    return Evidence(good, round(measured, 2), "" if good else words, None if good else path, time_s=music.last_s)


@check("midi.bars")
def bars(subject: Subject, args: dict[str, Json]) -> Evidence:
    """The brief's meter and number of bars, by the file's time signatures (SMF 1.0).

    The last bar may be the one of the last onset or of the last release, as a last chord may ring on; an upbeat in the
    second half of the first bar, or in a shorter bar before it, is a bar or none.
    """
    path = args["file"]
    music = music_of(subject, path)
    beats, unit, wanted = args["beats"], args["unit"], args["bars"]
    meter = midi_music.main_meter(music)
    if meter is not None and meter != (beats, unit):
        words = f"The time signature is {meter[0]}/{meter[1]}; write the piece in {beats}/{unit}, as the brief asks."
        at = next(tick for tick, *shown in music.meters if tuple(shown) == meter)
        return Evidence(False, f"{meter[0]}/{meter[1]}", words, path, time_s=music.seconds(at))
    lines = midi_music.bar_lines(music, beats, unit)
    slack = music.score.ticks_per_quarter // 8  # a release may come a little late
    first = min(note.on_tick for note in music.notes)
    skipped = max(0, sum(1 for line in lines if line <= first + slack) - 1)
    by_onset = sum(1 for line in lines if line <= max(note.on_tick for note in music.notes)) - skipped
    by_release = sum(1 for line in lines if line + slack < max(note.off_tick for note in music.notes)) - skipped
    after = [line for line in lines if line > first]
    whole = music.score.ticks_per_quarter * 4 * beats / unit
    short = bool(after) and after[0] - lines[skipped] < whole
    upbeat = bool(after) and (short or first - lines[skipped] >= (after[0] - lines[skipped]) / 2)
    good = by_onset - upbeat <= wanted <= max(by_onset, by_release)
    count = max(by_onset, by_release)
    change = f"leave out {count - wanted}" if count > wanted else f"write {wanted - count} more"
    words = f"There are {count} bars of {beats}/{unit}; the brief's structure has {wanted}: {change}."
    if good:
        return Evidence(True, wanted)
    beyond = lines[skipped + wanted] if skipped + wanted < len(lines) else max(note.off_tick for note in music.notes)
    spot = Spot(time_s=music.seconds(beyond), until_s=music.last_s if count > wanted else None)
    return Evidence(False, count, words, path, spots=(spot,))


@check("midi.key")
def key(subject: Subject, args: dict[str, Json]) -> Evidence:
    """The brief's key or its relative is what the notes say, or what key signature and last bass note say together.

    Notes: Krumhansl and Kessler's profiles (1982) over durations (`midi_music.key_by_notes`). A piece that dwells on
    another degree leans to that in these; where its notes are the key's own scale and it closes on the tonic's chord,
    they say the key all the same (`midi_music.closes_in`).
    """
    path = args["file"]
    music = music_of(subject, path)
    tonic, minor = args["tonic"], args["minor"]
    relative = (tonic + 3) % 12 if minor else (tonic + 9) % 12
    found, found_minor, strength = midi_music.key_by_notes(music.notes)
    by_notes = (found, found_minor) in ((tonic, minor), (relative, not minor))
    bass = min(note.pitch for note in midi_music.last_notes(music)) % 12
    major = relative if minor else tonic
    signatures = [sharps for _, sharps, _ in music.keys]
    # A signature of n sharps is the major key n fifths above C.
    by_signature = bool(signatures) and signatures[-1] * 7 % 12 == major and bass == tonic
    good = by_notes or by_signature or midi_music.closes_in(music, tonic, minor)
    heard = midi_music.key_name(found, found_minor)
    measured = f"{heard}, r = {strength:.2f}"
    if good:
        return Evidence(True, measured)
    wanted = midi_music.key_name(tonic, minor)
    scale = midi_music.scale_of(tonic, minor)
    strange = next((note for note in music.notes if note.pitch % 12 not in scale), None)
    words = f"The notes say {heard}; write the piece in {wanted}, as the brief asks."
    if strange:
        words += f" {midi_music.pitch_name(strange.pitch)} at {strange.start_s:.1f} s is the first outside of it."
    at = strange.start_s if strange else max(note.start_s for note in midi_music.last_notes(music))
    return Evidence(False, measured, words, path, time_s=at)


@check("midi.playable")
def playable(subject: Subject, args: dict[str, Json]) -> Evidence:
    """A pianist can play it: A0 to C8, at most ten keys at once, each hand's struck chord within a major tenth.

    A0 to C8 are notes 21 to 108 (MIDI 1.0, note numbers; middle C is 60), the 88 keys of a piano.

    A chord belongs to its hands by track or channel; where that is too wide, any split into two hands will do.
    """
    path = args["file"]
    music = music_of(subject, path)
    outside = [note for note in music.notes if not LOWEST <= note.pitch <= HIGHEST]
    if outside:
        words = (
            f"Pitch {outside[0].pitch} at {outside[0].start_s:.1f} s is not on a piano (21 to 108); move it by octaves."
        )
        return Evidence(False, outside[0].pitch, words, path, time_s=outside[0].start_s)
    most, when = _most_at_once(music.notes)
    if most > MOST_AT_ONCE:
        words = f"{most} keys are down at {when:.1f} s, ten fingers hold at most {MOST_AT_ONCE}; leave some out."
        return Evidence(False, f"{most} at once", words, path, time_s=when)
    widest, there = 0, music.first_s
    for when, chord in _chords(music.notes):
        span = _span(chord)
        widest, there = max((widest, there), (span, when), key=lambda found: found[0])
        if span > TENTH:
            words = f"A hand must reach {span} semitones at {when:.1f} s, a tenth is {TENTH}; move a note or roll it."
            return Evidence(False, f"{span} semitones", words, path, time_s=when)
    return Evidence(True, {"at_once": most, "widest_semitones": widest}, file=path, time_s=there)


def _most_at_once(notes: tuple[Note, ...]) -> tuple[int, float]:
    """The largest number of keys down at one time, and when. Releases count before onsets."""
    changes = sorted(
        [(note.start_s, 1) for note in notes] + [(note.end_s - TOGETHER_S / 3, -1) for note in notes],
    )
    now, most, when = 0, 0, 0.0
    for at, change in changes:
        now += change
        if now > most:
            most, when = now, at
    return most, when


def _chords(notes: tuple[Note, ...]) -> list[tuple[float, list[tuple[int, int]]]]:
    """Notes struck together: time and (pitch, hand) of each."""
    groups: list[tuple[float, list[tuple[int, int]]]] = []
    for note, hand in sorted(zip(notes, midi_music.hands(notes), strict=True), key=lambda row: row[0].start_s):
        if not groups or note.start_s - groups[-1][0] > TOGETHER_S:
            groups.append((note.start_s, []))
        groups[-1][1].append((note.pitch, hand))
    return groups


def _span(chord: list[tuple[int, int]]) -> int:
    """Semitones that the wider hand must reach, as written or in the best split by pitch."""
    by_hand: dict[int, list[int]] = defaultdict(list)
    for pitch, hand in chord:
        by_hand[hand].append(pitch)
    written = max(max(pitches) - min(pitches) for pitches in by_hand.values())
    if written <= TENTH:
        return written
    pitches = sorted(pitch for pitch, _ in chord)
    splits = [max(pitches[at - 1] - pitches[0], pitches[-1] - pitches[at]) for at in range(1, len(pitches))]
    return min([written, *splits])


@preview("thumbnail.webp", ("piano_piece",), endings=(".mid", ".midi"))
def thumbnail(subject: Subject) -> Picture:
    """The piano roll: time from left to right, pitch upwards, the hands in two colours. Also gives the facts."""
    from sandbox_image.inspector.piano_roll import draw_roll

    path = subject.entry
    music = subject.shared(f"reading {path}", lambda: midi_music.read_music(path, subject.bytes_of(path, MAX_BYTES)))
    hands = midi_music.hands(music.notes)
    subject.note(path, "midi", _facts(music, hands))
    return draw_roll(music, hands)


def _facts(music: midi_music.Music, hands: list[int]) -> Json:
    """What a viewer needs to draw the piece; long pieces are cut to a bound."""
    notes = [
        [round(note.start_s, 3), round(note.end_s - note.start_s, 3), note.pitch, note.velocity, hand]
        for note, hand in zip(music.notes[:FACT_NOTES], hands, strict=False)
    ]
    meter = midi_music.main_meter(music)
    facts: Json = {
        "notes": notes,
        "note_count": len(music.notes),
        "pedal": [[round(at, 3), value] for at, value in music.pedals[:FACT_PEDALS]],
    }
    if music.notes:
        quarters = midi_music.median_tempo(music)
        compound = meter is not None and meter[1] == 8 and meter[0] % 3 == 0 and meter[0] > 3
        lines = midi_music.bar_lines(music, *(meter or (4, 4)))
        facts |= {
            "tempo": round(quarters / (1.5 if compound else 1.0), 1),
            "duration_s": round(music.last_s - music.first_s, 2),
            "end_s": round(music.end_s, 2),
            "meter": f"{meter[0]}/{meter[1]}" if meter else None,
            "bars": sum(1 for line in lines if line < max(note.off_tick for note in music.notes)),
            "bar_lines": [round(music.seconds(line), 3) for line in lines[:2000]],
        }
    return facts
