"""Decodes an MP3 file (ISO/IEC 11172-3 and 13818-3, layer III) with ffmpeg: one demuxer, local files only."""

from __future__ import annotations

import re
import subprocess
import tempfile
from dataclasses import replace
from pathlib import Path

from sandbox_image.inspector.subject import Unfit
from sandbox_image.inspector.wave_file import Wave, open_wave

DECODE_LIMIT_S = 50.0
MAX_BYTES = 250 << 20  # of decoded sound, 24 minutes of stereo at 44100 Hz
SYNC_WITHIN = 64 << 10  # bytes in which the first frame must begin, behind tags
_INPUT = ["-protocol_whitelist", "file,pipe", "-f", "mp3"]
_ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8"}


def decode_mpeg(path: str, file: Path) -> Wave:
    """The sound as 16-bit PCM in a file of this process. Raises Unfit with what ffmpeg has to say, TimeoutError."""
    if not _begins(file):
        raise Unfit(f"{path} is not an MP3 file: no MPEG audio frame begins in it. Encode it with libmp3lame.", path)
    target = Path(tempfile.mkdtemp(prefix="mp3-"), "decoded.wav")
    command = ["ffmpeg", "-v", "error", "-nostdin", *_INPUT, "-i", str(file), "-map", "0:a:0", "-c:a", "pcm_s16le",
               "-fs", str(MAX_BYTES), "-bitexact", "-f", "wav", str(target)]  # fmt: skip
    try:
        done = subprocess.run(command, capture_output=True, timeout=DECODE_LIMIT_S, check=False, env=_ENVIRONMENT)
    except subprocess.TimeoutExpired:
        raise TimeoutError(f"it was not decoded in {DECODE_LIMIT_S:.0f} s") from None
    said = [re.sub(r" @ 0x[0-9a-f]+", "", line) for line in done.stderr.decode("utf-8", "replace").splitlines()]
    if done.returncode or said or not target.exists():
        words = "; ".join(dict.fromkeys(said[:3])).replace(str(file), path) or "ffmpeg gives no sound for it"
        raise Unfit(f"{path} is broken: {words:.300}. Encode it again and let ffmpeg finish.", path)
    if target.stat().st_size >= MAX_BYTES:
        raise Unfit(f"{path} has more than {MAX_BYTES >> 20} MiB of sound; that much is not decoded.", path)
    return replace(open_wave(path, target), path=path)


def _begins(file: Path) -> bool:
    """Does a frame of layer III begin near the start, behind an ID3v2 tag (11 sync bits, version, layer, rate)?"""
    with file.open("rb") as source:
        head = source.read(10)
        if head[:3] == b"ID3" and len(head) == 10:
            source.seek(
                10 + sum((byte & 0x7F) << shift for byte, shift in zip(head[6:10], (21, 14, 7, 0), strict=True))
            )
        else:
            source.seek(0)
        content = source.read(SYNC_WITHIN)
    return bool(re.search(rb"\xff[\xe2\xe3\xf2\xf3\xfa\xfb][\x10-\xeb]", content))
