"""The music: a soft bed of chords, a note for each number that climbs to the finale, a chord that rings at the end.

Synthesised with NumPy; mastered to −16 LUFS (ITU-R BS.1770) with true peaks below −1.5 dB.
"""

from __future__ import annotations

import math
import wave
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyloudnorm
from scipy import ndimage, signal

from .stage import Beats, Stage

RATE = 44100
LOUDNESS = -16.0
CEILING = 10 ** (-1.9 / 20)

MAJOR, MINOR, PENTATONIC = (0, 2, 4, 5, 7, 9, 11), (0, 2, 3, 5, 7, 8, 10), (0, 2, 4, 7, 9)
# One period of a soft tone: six harmonics.
_TURN = np.arange(4096) / 4096
_PERIOD = sum(np.sin(math.tau * harmonic * _TURN) / harmonic**2.2 for harmonic in range(1, 7))

# Roots and chord tones in semitones above the key's own: four chords that lead home, and the last one.
_BRIGHT = ((0, 4, 7, 14), (9, 12, 16, 19), (5, 9, 12, 16), (7, 11, 14, 17))
_NIGHT = ((-3, 0, 4, 7), (5, 9, 12, 16), (0, 4, 7, 14), (7, 11, 14, 17))


@dataclass(frozen=True)
class Voice:
    """A struck or plucked sound: partials as (ratio, level, seconds to 1/e), and the share of noise at its start."""

    partials: tuple[tuple[float, float, float], ...]
    noise: float = 0.0


VOICES = {
    "box": Voice(((1, 1.0, 0.55), (2, 0.35, 0.35), (3.01, 0.22, 0.2), (5.4, 0.16, 0.09), (9.1, 0.06, 0.04)), 0.02),
    "marimba": Voice(((1, 1.0, 0.34), (3.93, 0.35, 0.1), (9.2, 0.14, 0.04)), 0.04),
    "bell": Voice(((0.5, 0.25, 1.2), (1, 1.0, 0.9), (2.0, 0.5, 0.6), (2.76, 0.22, 0.4), (5.4, 0.1, 0.2)), 0.0),
    "pluck": Voice(
        ((1, 1.0, 0.6), (2, 0.6, 0.42), (3, 0.4, 0.3), (4, 0.25, 0.2), (5, 0.18, 0.14), (6, 0.1, 0.1)), 0.03
    ),
}
WORLD_VOICES = {"party": "box", "paper": "marimba", "cosmos": "bell", "lanterns": "pluck"}


class Score:
    """Two channels to which sounds are added."""

    def __init__(self, seconds: float, seed: int) -> None:
        self.samples = np.zeros((2, round(seconds * RATE)))
        self.random = np.random.default_rng(seed)

    def add(self, sound: Any, start: float, pan: float, level: float) -> None:
        """A mono sound from `start` seconds; pan −1..1 with constant power."""
        at = round(start * RATE)
        room = self.samples.shape[1] - at
        if room <= 0:
            return
        part = sound[:room] * level
        angle = (pan + 1) * math.pi / 4
        self.samples[0, at : at + len(part)] += math.cos(angle) * part
        self.samples[1, at : at + len(part)] += math.sin(angle) * part

    def strike(self, voice: Voice, pitch: float, start: float, pan: float, level: float) -> None:
        """A note of a voice; pitch as a MIDI number."""
        hertz = 440 * 2 ** ((pitch - 69) / 12)
        time = np.arange(round(RATE * 3.0)) / RATE
        sound = np.zeros_like(time)
        for ratio, share, fade in voice.partials:
            if hertz * ratio < 16000:
                # Five times its fade it is 43 dB lower.
                part = time[: round(RATE * min(3.0, 5 * fade))]
                sound[: len(part)] += share * np.sin(math.tau * hertz * ratio * part) * np.exp(part / -fade)
        if voice.noise:
            click = time[: round(RATE * 0.05)]
            sound[: len(click)] += voice.noise * self.random.standard_normal(len(click)) * np.exp(click / -0.008)
        attack = round(RATE * 0.002)
        sound[:attack] *= np.arange(attack) / attack
        self.add(sound, start, pan, level)

    def pad(self, pitch: float, start: float, length: float, pan: float, level: float) -> None:
        """A soft held tone that swells and fades."""
        time = np.arange(round(RATE * (length + 0.8))) / RATE
        sound = np.zeros_like(time)
        for cents in (-7, 0, 6):
            hertz = 440 * 2 ** ((pitch - 69 + cents / 100) / 12)
            sound += _PERIOD[((hertz * time + cents / 10) * len(_PERIOD)).astype(np.int64) % len(_PERIOD)]
        shape = np.minimum(1, time / 0.5) * np.clip((length + 0.8 - time) / 0.8, 0, 1)
        self.add(sound / 3 * np.sin(shape * math.pi / 2) ** 2, start, pan, level)


def climb(count: int, scale: tuple[int, ...]) -> list[int]:
    """Semitones of `count` notes that rise over at most two octaves and end just below the last chord's top."""
    steps = len(scale)
    reach = min(count - 1, 2 * steps - 1)
    found = []
    for number in range(count):
        step = 2 * steps - 1 - reach + round(reach * number / max(1, count - 1))
        found.append(scale[step % steps] + 12 * (step // steps))
    return found


def write_sound(path: Path, stage: Stage, world: str) -> None:
    """Write the music as a 16-bit stereo WAV exactly as long as the film."""
    rng = stage.random("sound")
    beats = stage.beats
    voice = VOICES[WORLD_VOICES.get(world, "box")]
    key = rng.choice((60, 62, 65, 57, 64)) if not stage.scheme.dark else rng.choice((57, 60, 62))
    chords = _NIGHT if stage.scheme.dark else _BRIGHT
    scale = PENTATONIC if world == "lanterns" or rng.random() < 0.4 else MAJOR
    score = Score(beats.duration, rng.randrange(1 << 30))
    _bed(score, beats, key - 12, chords)
    _steps(score, beats, key, scale, voice)
    _ending(score, beats, key, voice)
    samples = _master(_room(score.samples, score.random), beats)
    with wave.open(str(path), "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(np.round(samples.T * 32767).astype("<i2").tobytes())


def _bed(score: Score, beats: Beats, key: int, chords: tuple[tuple[int, ...], ...]) -> None:
    """Chords of about two seconds until the finale, so that the last leads into it."""
    count = max(1, round(beats.finale / 2.0))
    length = beats.finale / count
    for number in range(count):
        chord = chords[(number - count) % len(chords)] if count >= len(chords) else chords[number - count]
        for place, tone in enumerate(chord):
            pan = (-0.5, 0.4, -0.2, 0.55)[place]
            score.pad(key + tone, number * length, length, pan, 0.10 + 0.03 * number / count)
        score.pad(key - 12 + chord[0], number * length, length, 0.0, 0.12)


def _steps(score: Score, beats: Beats, key: int, scale: tuple[int, ...], voice: Voice) -> None:
    """A note at each number, its echo an octave above, and quiet ticks each second where a number lasts longer."""
    tones = climb(len(beats.numbers), scale)
    for number, tone in enumerate(tones):
        start = number * beats.slot + 0.02
        rise = number / max(1, len(tones) - 1)
        pan = 0.35 * (-1) ** number
        score.strike(voice, key + tone, start, pan, 0.42 + 0.16 * rise)
        score.strike(voice, key + tone - 12, start, 0.0, 0.22)
        score.strike(voice, key + tone + 12, start + min(0.25, beats.slot / 2), -pan, 0.10 + 0.06 * rise)
        later = 1.0
        while later < beats.slot - 0.4:
            score.strike(voice, key + tone, start + later, -pan, 0.12)
            later += 1.0


def _ending(score: Score, beats: Beats, key: int, voice: Voice) -> None:
    """A swell of air into the finale; then the key's chord, broken upwards, over a deep root."""
    swell = min(1.2, beats.finale)
    time = np.arange(round(RATE * swell)) / RATE
    air = signal.lfilter([0.25], [1, -0.75], score.random.standard_normal(len(time)))
    score.add(air * (time / swell) ** 3, beats.finale - swell, 0.0, 0.05)
    length = beats.duration - beats.finale
    for place, tone in enumerate((0, 4, 7, 12, 16, 19, 24)):
        pan = 0.6 * math.sin(place * 2.1)
        score.strike(voice, key + tone, beats.finale + 0.045 * place, pan, 0.5 - 0.03 * place)
        if place < 5:
            score.pad(key - 12 + tone, beats.finale, length, -pan, 0.17)
    score.strike(VOICES["bell"], key - 24, beats.finale, 0.0, 0.5)
    bursts = np.arange(round(RATE * 0.6)) / RATE
    for late, pan in ((0.0, -0.5), (0.09, 0.5)):
        pop = signal.lfilter([0.3], [1, -0.7], score.random.standard_normal(len(bursts))) * np.exp(-bursts / 0.07)
        score.add(pop, beats.finale + late, pan, 0.16)
    for place, tone in enumerate((24, 28, 31, 36, 31, 28, 31, 36, 40)):
        score.strike(voice, key + tone - 12, beats.finale + 0.5 + 0.125 * place, 0.5 * (-1) ** place, 0.12)


def _room(samples: Any, random: np.random.Generator) -> Any:
    """A small bright hall: decaying noise as its impulse response."""
    time = np.arange(round(RATE * 1.4)) / RATE
    wet = []
    for channel in samples:
        answer = random.standard_normal(len(time)) * np.exp(-time / 0.32) * np.minimum(1, time / 0.012)
        answer = signal.lfilter([0.35], [1, -0.65], answer)
        wet.append(signal.fftconvolve(channel, answer / np.sqrt((answer**2).sum()))[: samples.shape[1]])
    return samples + 0.28 * np.array(wet)


def _master(samples: Any, beats: Beats) -> Any:
    """Fades at both ends, the loudness as wanted, peaks held below the ceiling."""
    count = samples.shape[1]
    ramp = round(min(0.5, 0.3 * (beats.duration - beats.finale)) * RATE)
    samples = samples * np.minimum(1, np.arange(count) / 400)
    samples[:, count - ramp :] *= np.cos(np.linspace(0, math.pi / 2, ramp)) ** 1.2
    samples = signal.sosfilt(signal.butter(2, 35, "highpass", fs=RATE, output="sos"), samples)
    meter = pyloudnorm.Meter(RATE)
    for _ in range(2):
        level = meter.integrated_loudness(samples.T)
        if not math.isfinite(level):
            break
        samples = _limited(samples * 10 ** ((LOUDNESS - level) / 20))
    return samples


def _limited(samples: Any) -> Any:
    """Hold true peaks (four times oversampled) below the ceiling by a gain that looks ahead 4 ms."""
    peaks = np.abs(samples).max(axis=0)
    # Only what is near the ceiling can pass it between samples.
    for start in range(0, samples.shape[1], RATE):
        part = slice(start, start + RATE)
        if peaks[part].max() > 0.6 * CEILING:
            fine = np.abs(signal.resample_poly(samples[:, part], 4, 1, axis=1)).max(axis=0)
            peaks[part] = np.maximum(peaks[part], fine.reshape(-1, 4).max(axis=1))
    if peaks.max() <= CEILING:
        return samples
    window = round(0.004 * RATE) * 2 + 1
    gain = np.minimum(1, CEILING / np.maximum(ndimage.maximum_filter1d(peaks, window), 1e-9))
    return samples * ndimage.uniform_filter1d(gain, window)
