"""Checks of recordings: that they play, are loud enough, do not clip, and follow a MIDI file where there is one."""

from __future__ import annotations

import math
from typing import Any

from sandbox_image.inspector import sound
from sandbox_image.inspector.midi_music import music_of
from sandbox_image.inspector.mpeg_audio import decode_mpeg
from sandbox_image.inspector.registry import Picture, check, preview
from sandbox_image.inspector.subject import Evidence, Json, Spot, Subject, Unfit
from sandbox_image.inspector.wave_file import Wave, open_wave, read_samples

EARLY_S = 0.3  # by which a recording may end before the last release
LATE_TOLERANCE_S = 0.15  # FluidSynth itself goes on for three seconds, and effects and encoders add a little
ENDINGS = (".wav", ".mp3")
MAX_REST_S = 3.0  # after the last release, that a MIDI file's own end may add; before the first sound
SLACK_S, MAX_EARLY_S = 0.5, 10.0


def _wave(subject: Subject, path: str) -> Wave:
    """The recording's header; an MP3 file, told by its name, is decoded to a WAV file first."""
    if path.lower().endswith(".mp3"):
        return subject.shared(f"header of {path}", lambda: decode_mpeg(path, subject.file(path)))
    return subject.shared(f"header of {path}", lambda: open_wave(path, subject.file(path)))


def _samples(subject: Subject, path: str) -> Any:
    wave = _wave(subject, path)
    return subject.shared(f"samples of {path}", lambda: read_samples(wave))


@check("audio.decodes", limit_s=60.0)
def decodes(subject: Subject, args: dict[str, Json]) -> Evidence:
    """Every sample decodes, and the RIFF header is true to the data (RIFF 1.0; WAVE_FORMAT_EXTENSIBLE).

    PCM of 8 to 32 bits or floats, in any order of chunks, further chunks before or after the samples. An MP3 file
    (ISO/IEC 11172-3, layer III): ffmpeg decodes all of it and has nothing to say about it.
    """
    path = args["file"]
    wave = _wave(subject, path)
    _samples(subject, path)
    values: Json = {"duration_s": round(wave.seconds, 3), "rate": wave.rate, "channels": wave.channels}
    bits = {} if path.lower().endswith(".mp3") else {"bits": wave.bits}
    subject.note(path, "audio", {**values, **bits})
    described = f"{wave.bits} bits, " if bits else ""
    return Evidence(True, f"{described}{wave.rate} Hz, {wave.channels} channels, {wave.seconds:.2f} s")


@check("audio.duration")
def duration(subject: Subject, args: dict[str, Json]) -> Evidence:
    """The recording ends at most `after_s` after the MIDI file's end, and not before its last release.

    Its length by the header (RIFF 1.0: samples by rate), the MIDI file's times by its tempo events (SMF 1.0). Allowed
    on top: what effects and encoders add, and a rest before the first note that a recording may leave out.
    """
    path = args["file"]
    music = music_of(subject, args["midi"])
    measured = _wave(subject, path).seconds
    most = max(music.last_s, min(music.end_s, music.last_s + MAX_REST_S)) + args["after_s"] + LATE_TOLERANCE_S
    least = music.last_s - music.first_s - EARLY_S
    good = least <= measured <= most
    words = f"{path} lasts {measured:.2f} s and {args['midi']} ends at {music.last_s:.2f} s; "
    words += "cut the rest off." if measured > most else "render it to its end."
    spot = Spot(time_s=most, until_s=measured) if measured > most else Spot(time_s=measured, until_s=music.last_s)
    return Evidence(good, round(measured, 2), "" if good else words, None if good else path, spots=(spot,))


@check("audio.audible")
def audible(subject: Subject, args: dict[str, Json]) -> Evidence:
    """Integrated loudness (ITU-R BS.1770-4) of at least `loudness_lufs`, and no long silence inside the piece.

    Silence: peaks of 50 ms windows below −60 dBFS, between the MIDI file's first onset and last release. Without
    `silence_s` pauses do not count: speech and sounds have them.
    """
    path = args["file"]
    wave, samples = _wave(subject, path), _samples(subject, path)
    loudness = sound.loudness_lufs(samples, wave.rate)
    shown = round(loudness, 1) if math.isfinite(loudness) else None
    if loudness < args["loudness_lufs"]:
        level = f"{loudness:.1f} LUFS" if shown is not None else "silent"
        words = f"{path} is {level}; raise it to about −18 LUFS, and look whether what makes the sound was found."
        return Evidence(False, shown, words, path)
    subject.note(path, "audio", {"loudness_lufs": shown})
    if "silence_s" not in args:
        return Evidence(True, shown)
    begin, end = 0.0, wave.seconds
    try:
        music = music_of(subject, args["midi"])
        begin, end = music.first_s, music.last_s
    except Unfit:
        pass  # the MIDI file has checks of its own; without it the whole recording is the piece
    length, at = sound.longest_silence(samples, wave.rate, begin, end)
    if length > args["silence_s"]:
        words = f"{path} is silent for {length:.2f} s from {at:.1f} s on; let the piece sound to its end."
        measured: Json = {"loudness_lufs": shown, "silence_s": round(length, 2)}
        return Evidence(False, measured, words, path, spots=(Spot(time_s=at, until_s=at + length),))
    return Evidence(True, shown)


@check("audio.not_clipped")
def not_clipped(subject: Subject, args: dict[str, Json]) -> Evidence:
    """True peak, four times oversampled (ITU-R BS.1770-4, Annex 2), of at most `true_peak_db`."""
    path = args["file"]
    samples, rate = _samples(subject, path), _wave(subject, path).rate
    peak = sound.true_peak_db(samples)
    shown = round(peak, 2) if math.isfinite(peak) else None
    subject.note(path, "audio", {"true_peak_db": shown})
    good = peak <= args["true_peak_db"]
    words = f"{path} reaches {peak:.2f} dBTP; lower it to −1 dBTP or less."
    if not len(samples):
        return Evidence(good, shown)
    return Evidence(good, shown, "" if good else words, path, time_s=sound.loudest_s(samples, rate))


@check("audio.matches_midi")
def matches_midi(subject: Subject, args: dict[str, Json]) -> Evidence:
    """The recording's pitch classes follow the MIDI file's over time: correlation of chromagrams (`sound.likeness`).

    Chromagrams after Fujishima (ICMC 1999), compared by Pearson's correlation.

    It may begin with a silence, as long as `audio.audible` allows, or without the rest before the first note. Where
    another speed fits clearly better (`sound.pace`), it is a recording of another tempo.
    """
    path = args["file"]
    music = music_of(subject, args["midi"])
    wave = _wave(subject, path)
    heard = sound.chroma_of_sound(_samples(subject, path), wave.rate)
    frames = max(len(heard), round(music.last_s / sound.FRAME_S))
    early = SLACK_S + min(music.first_s, MAX_EARLY_S)
    written = sound.chroma_of_music(music, frames)
    found = sound.likeness(heard, written, early, MAX_REST_S)
    speed = sound.pace(heard, written, early, MAX_REST_S, args["minimum"])
    if found >= args["minimum"] and speed == 1.0:
        return Evidence(True, round(found, 3))
    begin, end = sound.least_alike(heard, written)
    words = f"{path} does not follow {args['midi']} (correlation {found:.2f}), least of all from {begin:.1f} s on; "
    measured: Json = round(found, 3)
    if speed != 1.0:
        words = f"{path} plays about {speed:.2f} times as fast as {args['midi']} is written; "
        measured = {"correlation": round(found, 3), "speed": round(speed, 2)}
    spot = Spot(time_s=begin, until_s=end)
    return Evidence(False, measured, words + "render it from that file.", path, spots=(spot,))


@preview("waveform.webp", ("piano_piece",), endings=ENDINGS)
def waveform(subject: Subject) -> Picture:
    """The recording's envelope."""
    from sandbox_image.inspector.piano_roll import draw_wave

    path = subject.entry if subject.entry.lower().endswith(ENDINGS) else "preview.wav"
    return draw_wave(_samples(subject, path))


@preview("thumbnail.webp", (), endings=ENDINGS)
def thumbnail(subject: Subject) -> Picture:
    """Of a work that is a recording, the envelope too."""
    return waveform(subject)
