"""Reads a WAV file (RIFF; Multimedia Programming Interface and Data Specifications 1.0), and tells where it lies."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias

from sandbox_image.inspector.subject import Unfit

Array: TypeAlias = Any  # numpy.ndarray

PCM, FLOAT, EXTENSIBLE = 1, 3, 0xFFFE
MAX_SAMPLES = 90_000_000  # over all channels, 360 MB as 32-bit floats
MAX_CHUNKS = 10_000
_GUID_TAIL = bytes.fromhex("000000001000800000aa00389b71")  # of KSDATAFORMAT_SUBTYPE_*, after the format's number
_BITS = {PCM: (8, 16, 24, 32), FLOAT: (32, 64)}


@dataclass(frozen=True)
class Wave:
    """A recording as its header describes it, and where its samples lie in the file."""

    path: str
    file: Path
    format: int
    bits: int
    channels: int
    rate: int
    begin: int
    frames: int

    @property
    def seconds(self) -> float:
        """How long it plays."""
        return self.frames / self.rate


def open_wave(path: str, file: Path) -> Wave:
    """The header, held against the file. Raises Unfit with what is not true."""
    size = file.stat().st_size
    with file.open("rb") as source:
        head = source.read(12)
        if head[:4] != b"RIFF" or head[8:12] != b"WAVE":
            kind = "an RF64 file" if head[:4] in (b"RF64", b"BW64") else "not a WAV file: it does not begin with RIFF"
            raise Unfit(f"{path} is {kind}; write plain WAV.", path)
        promised = int.from_bytes(head[4:8], "little") + 8
        form, data = b"", None
        at = 12
        for _ in range(MAX_CHUNKS):
            source.seek(at)
            name = source.read(8)
            if len(name) < 8:
                break
            length = int.from_bytes(name[4:8], "little")
            if name[:4] == b"data":
                if data is not None:
                    raise Unfit(f"{path} has two data chunks, and players take one; write it anew.", path)
                data = (at + 8, length)
            if at + 8 + length > size:
                called = name[:4].decode("latin-1").strip()
                what = f"the {called} chunk" if called.isascii() and called.isprintable() else f"what is at byte {at}"
                words = f"{what} promises {length:,} bytes and {max(0, size - at - 8):,} are there"
                raise Unfit(f"{path}: {words}; write the header after the samples.", path)
            if name[:4] == b"LIST" and length < 4:  # a list names its type first; FFmpeg refuses the whole file
                raise Unfit(f"{path} has a LIST chunk of {length} bytes, too short for its type; write it anew.", path)
            if name[:4] == b"fmt " and not form:
                form = source.read(min(length, 64))
            at += 8 + length + length % 2
    if abs(promised - size) > 1:  # the byte that fills up an odd chunk is often forgotten
        raise Unfit(f"{path}: the header promises {promised:,} bytes and the file has {size:,}; write it anew.", path)
    if len(form) < 16 or data is None:
        raise Unfit(f"{path} has no {'format' if len(form) < 16 else 'data'} chunk; write it anew.", path)
    return _described(path, file, form, *data)


def _described(path: str, file: Path, form: bytes, begin: int, length: int) -> Wave:
    kind, channels, rate, per_second, block, bits = struct.unpack("<HHIIHH", form[:16])
    if kind == EXTENSIBLE:
        if len(form) < 40 or form[26:40] != _GUID_TAIL:
            raise Unfit(f"{path} has an extensible format that is not PCM; write PCM samples.", path)
        kind = int.from_bytes(form[24:26], "little")
    if bits not in _BITS.get(kind, ()):
        raise Unfit(f"{path} holds format {kind} with {bits} bits; write PCM of 16 or 24 bits.", path)
    if not 1 <= channels <= 8 or not 4000 <= rate <= 384_000:
        raise Unfit(f"{path} claims {channels} channels at {rate} Hz; write one or two at 44100 Hz.", path)
    if block != channels * bits // 8 or per_second != block * rate:
        raise Unfit(f"{path}: the header's bytes a frame or a second do not fit its format; write it anew.", path)
    if length % block or not length:
        what = "no samples" if not length else "a last frame that is cut short"
        raise Unfit(f"{path} has {what}; write it anew.", path)
    return Wave(path, file, kind, bits, channels, rate, begin, length // block)


def read_samples(wave: Wave) -> Array:
    """All samples as 32-bit floats, full scale 1.0, shape (frames, channels). Raises Unfit."""
    import numpy

    if wave.frames * wave.channels > MAX_SAMPLES:
        minutes = wave.seconds / 60
        raise Unfit(f"{wave.path} has {minutes:.0f} minutes of sound; that much is not decoded.", wave.path)
    found = numpy.empty((wave.frames, wave.channels), numpy.float32)
    block = wave.channels * wave.bits // 8
    step = 1 << 20
    with wave.file.open("rb") as source:
        source.seek(wave.begin)
        for at in range(0, wave.frames, step):
            raw = source.read(min(step, wave.frames - at) * block)
            part = _decoded(numpy.frombuffer(raw, numpy.uint8), wave).reshape(-1, wave.channels)
            found[at : at + len(part)] = part
    if wave.format == FLOAT and not numpy.isfinite(found).all():
        raise Unfit(f"{wave.path} holds samples that are no numbers; render it anew.", wave.path)
    return found


def _decoded(raw: Array, wave: Wave) -> Array:
    """Bytes as floats: 8-bit PCM is unsigned, wider PCM signed, all little-endian."""
    import numpy

    if wave.format == FLOAT:
        with numpy.errstate(over="ignore"):
            return raw.view("<f4" if wave.bits == 32 else "<f8").astype(numpy.float32)
    if wave.bits == 8:
        return (raw.astype(numpy.float32) - 128) / 128
    if wave.bits == 24:
        parts = raw.reshape(-1, 3).astype(numpy.int32)
        joined = (parts[:, 0] << 8) | (parts[:, 1] << 16) | (parts[:, 2] << 24)
        return (joined >> 8).astype(numpy.float32) / 8388608
    width = {16: "<i2", 32: "<i4"}[wave.bits]
    return raw.view(width).astype(numpy.float32) / (1 << wave.bits - 1)
