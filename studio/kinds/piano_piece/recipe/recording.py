"""Renders a MIDI file with FluidSynth and levels the sound: −18 LUFS, peaks below −1 dBTP, a faded end."""

from __future__ import annotations

import subprocess
import wave
from pathlib import Path
from typing import Any, TypeAlias

import numpy
import pyloudnorm
from scipy.ndimage import minimum_filter1d, uniform_filter1d
from scipy.signal import resample_poly

Array: TypeAlias = Any  # numpy.ndarray

RATE = 44100
LOUDNESS_LUFS = -18.0
PEAK_DB = -1.3
TAIL_S = 1.8  # after the last release
FADE_S = 1.2
SOUNDFONTS = (
    "/usr/share/sounds/sf3/MuseScore_General_Lite.sf3",
    "/usr/share/sounds/sf3/default-GM.sf3",
    "/usr/share/sounds/sf2/default-GM.sf2",
    "/usr/share/sounds/sf2/TimGM6mb.sf2",
)


def render(midi: Path, seconds: float, target: Path) -> None:
    """Write the recording of `midi`, whose last release is at `seconds`, as 16-bit stereo."""
    samples = _played(midi)
    wanted = round((seconds + TAIL_S) * RATE)
    sound = numpy.zeros((wanted, 2))
    sound[: min(wanted, len(samples))] = samples[:wanted]
    fade = round(FADE_S * RATE)
    sound[-fade:] *= (numpy.cos(numpy.linspace(0, numpy.pi, fade)) / 2 + 0.5)[:, None]
    sound = _levelled(sound)
    with wave.open(str(target), "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(RATE)
        file.writeframes(numpy.round(sound * 32767).astype("<i2").tobytes())


def _played(midi: Path) -> Array:
    """What FluidSynth plays, as floats, with a gentle room."""
    font = next((path for path in SOUNDFONTS if Path(path).exists()), None)
    if font is None:
        raise SystemExit("no soundfont was found below /usr/share/sounds")
    raw = midi.with_suffix(".raw")
    options = {
        "synth.reverb.active": "1",
        "synth.chorus.active": "0",
        "synth.reverb.room-size": "0.55",
        "synth.reverb.damp": "0.4",
        "synth.reverb.width": "0.8",
        "synth.reverb.level": "0.32",
        "synth.dynamic-sample-loading": "1",
        "synth.cpu-cores": "1",
        "audio.file.type": "raw",
        "audio.file.format": "float",
        "audio.file.endian": "little",
    }
    settings = [part for name, value in options.items() for part in ("-o", f"{name}={value}")]
    command = ["fluidsynth", "-ni", "-q", "-g", "0.5", "-r", str(RATE), *settings, "-F", str(raw), font, str(midi)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    samples = numpy.fromfile(raw, "<f4").reshape(-1, 2).astype(float)
    raw.unlink()
    return samples


def _levelled(sound: Array) -> Array:
    """At the wanted loudness (ITU-R BS.1770-4); the few peaks that would be too high are rounded off."""
    loudness = pyloudnorm.Meter(RATE).integrated_loudness(sound)
    sound = sound * 10 ** ((LOUDNESS_LUFS - loudness) / 20)
    limit = 10 ** (PEAK_DB / 20)
    over = numpy.abs(resample_poly(sound, 4, 1, axis=0)).reshape(-1, 4, 2).max(axis=(1, 2))
    if over.max() > limit:
        reach = round(0.006 * RATE)
        gain = minimum_filter1d(numpy.minimum(1.0, limit / numpy.maximum(over, 1e-9)), 2 * reach + 1)
        gain = uniform_filter1d(uniform_filter1d(gain, reach), reach)
        sound = sound * gain[:, None]
        peak = numpy.abs(resample_poly(sound, 4, 1, axis=0)).max()
        sound *= min(1.0, limit / peak)
    return sound
