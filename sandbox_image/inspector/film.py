"""A delivered film: what its header says, and one pass of ffmpeg over every frame and sample of it.

The pass leaves small grey frames (for stillness and blackness) and, a few times a second, a picture to read.
Files are a stranger's: one demuxer, local files only, sizes looked at before anything is decoded.
"""

from __future__ import annotations

import io
import json
import re
import subprocess
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from pathlib import Path
from typing import Any, TypeAlias

from sandbox_image.inspector.mp4 import Layout, read_layout
from sandbox_image.inspector.numerals import Shape
from sandbox_image.inspector.subject import Json, Subject, Unfit

Array: TypeAlias = Any  # numpy.ndarray
Image: TypeAlias = Any  # PIL.Image.Image

DECODE_LIMIT_S = 52.0
MAX_FRAME_PIXELS = 40_000_000
SPECK = 0.002  # of a frame
SQUARE = 0.01  # by which pixels may be wider or narrower than high, unseen
GREY = (160, 90)  # px
GREY_RATE = 10  # a second
READ_SIDE = 480  # px, the short side of pictures to read
MAX_STILL = 4 << 20  # bytes
WRITTEN_S = 0.02  # after which one looks again for a still that is written
COARSE_S = 0.5  # by which the time that ffmpeg tells may be off
EXTRA_S = 30.0  # what is decoded beyond the length that the brief asks for

_INPUT = ["-protocol_whitelist", "file,pipe", "-f", "mov"]
_ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin", "LANG": "C.UTF-8"}
# Words of our own outputs, which say nothing about the file.
_OWN = re.compile(
    r"\[(null|rawvideo|image2|image2pipe|mjpeg|swscaler|Parsed_|out#|graph|auto_)|deprecated pixel format"
)


@dataclass(frozen=True)
class Header:
    """What ffprobe reads from the file's header; None where it says nothing."""

    layout: Layout
    video: dict[str, Json]
    audio: dict[str, Json] | None
    duration_s: float

    @property
    def size(self) -> tuple[int, int]:
        """Width and height as shown: turned by the display matrix, and by square pixels."""
        width, height = int(self.video["width"]), int(self.video["height"])
        # A pixel's width by its height (ISO/IEC 14496-12, 12.1.4.2, `pasp`); scaling often leaves one a hair off.
        shape = re.fullmatch(r"([1-9]\d*):([1-9]\d*)", str(self.video.get("sample_aspect_ratio", "")))
        ratio = int(shape[1]) / int(shape[2]) if shape else 1.0
        if abs(ratio - 1) > SQUARE:
            width = max(1, round(width * min(ratio, 100.0)))
        turns = [item.get("rotation", 0) for item in self.video.get("side_data_list", [])]
        return (height, width) if any(abs(int(turn)) % 180 == 90 for turn in turns) else (width, height)

    @property
    def fps(self) -> float:
        """Frames a second on average."""
        rate = self.video.get("avg_frame_rate", "0/0")
        return float(Fraction(rate)) if re.fullmatch(r"\d+/[1-9]\d*", rate) else 0.0


@dataclass
class Film:
    """A film after the pass."""

    header: Header
    faults: list[str]  # what ffmpeg said about the file, at most a few lines
    frames: int
    seconds: float  # length of the picture, as decoded
    grey: Array  # uint8, count × height × width, GREY_RATE a second
    stills: list[bytes]  # JPEG, `still_rate` a second
    still_rate: float
    known: list[list[Shape]] = field(default_factory=list)  # the shapes in the first stills

    @classmethod
    def of(cls, subject: Subject, path: str) -> Film:
        """The film at `path`, decoded once per process. Raises Unfit, TimeoutError."""
        return subject.shared(f"film {path}", lambda: _decoded(subject, path))

    def times(self) -> list[float]:
        """When each still is shown, in seconds."""
        return [number / self.still_rate for number in range(len(self.stills))]

    def still(self, number: int) -> Image:
        """A still as an RGB picture."""
        return _opened(self.stills[number])

    @cached_property
    def steps(self) -> Array:
        """For each grey frame, whether it differs from the frame at which the last rest began."""
        import numpy

        moved = numpy.zeros(len(self.grey), bool)
        if not len(self.grey):
            return moved
        moved[0] = True
        rest = self.grey[0].astype(numpy.int16)
        for number in range(1, len(self.grey)):
            frame = self.grey[number].astype(numpy.int16)
            # A codec refines a still picture by a few levels; a thing that moves changes some pixels by more.
            if int((abs(frame - rest) > 14).sum()) >= 4:
                moved[number] = True
                rest = frame
        return moved


def _opened(jpeg: bytes) -> Image:
    import PIL.Image

    return PIL.Image.open(io.BytesIO(jpeg), formats=["JPEG"]).convert("RGB")


def read_header(subject: Subject, path: str) -> Header:
    """The header of a film, read once per process. Raises Unfit when there is no picture in it."""
    return subject.shared(f"header {path}", lambda: _header(path, subject.file(path)))


def _header(path: str, file: Path) -> Header:
    layout = read_layout(path, file)
    command = ["ffprobe", "-v", "error", *_INPUT, "-show_format", "-show_streams", "-of", "json", str(file)]
    stdout, stderr, _ = _run(command, 20.0, "ffprobe did not end")
    try:
        told = json.loads(stdout or b"{}")
    except ValueError:
        told = {}
    streams = told.get("streams", [])
    video = next((s for s in streams if s.get("codec_type") == "video" and _is_film(s)), None)
    if video is None or not video.get("width") or not video.get("height"):
        said = stderr.decode("utf-8", "replace").strip().splitlines()[-1:] or ["it has no video stream"]
        raise Unfit(f"{path} cannot be read as a film: {_plain(said[0], file):.160}. Encode it again.", path)
    if video["width"] * video["height"] > MAX_FRAME_PIXELS:
        raise Unfit(f"{path} claims {video['width']} × {video['height']} px, more than is decoded.", path)
    audio = next((s for s in streams if s.get("codec_type") == "audio"), None)
    seconds = told.get("format", {}).get("duration") or video.get("duration") or 0
    return Header(layout, video, audio, float(seconds))


def _is_film(stream: dict[str, Json]) -> bool:
    return not stream.get("disposition", {}).get("attached_pic")


def _plain(line: str, file: Path) -> str:
    """A line of ffmpeg without addresses and folders."""
    return re.sub(r" @ 0x[0-9a-f]+", "", line.replace(str(file), file.name)).replace(str(file.parent) + "/", "")


def _run(
    command: list[str], limit_s: float, late: str, meanwhile: Callable[[Callable[[], bool]], None] | None = None
) -> tuple[bytes, bytes, int]:
    """Standard output and error, and the status. Raises TimeoutError, which says `late`.

    What is to be done `meanwhile` ends when what it is given says that the program has ended.
    """
    deadline = time.monotonic() + limit_s
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=_ENVIRONMENT) as process:
        try:
            if meanwhile:
                meanwhile(lambda: process.poll() is not None or time.monotonic() > deadline)
            stdout, stderr = process.communicate(timeout=max(0.0, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            raise TimeoutError(late) from None
        finally:
            process.kill()
    return stdout, stderr, process.returncode


class _Ahead:
    """Looks for shapes in the first stills while the others are still being decoded."""

    def __init__(self, stills: Path, wanted: bool) -> None:
        self.shapes: list[list[Shape]] = []
        self._stills = stills
        self._wanted = wanted
        self._at = 0

    def look(self, ended: Callable[[], bool]) -> None:
        """Import what the checks of a film need; then look at one still after the other."""
        import PIL.Image  # noqa: F401
        import scipy.ndimage  # noqa: F401

        from sandbox_image.inspector.numerals import shapes

        while self._wanted and not ended():
            jpeg = self._next()
            if jpeg is None:
                time.sleep(WRITTEN_S)
                continue
            try:
                self.shapes.append(shapes(_opened(jpeg)))
            except (OSError, ValueError, MemoryError):
                return  # whoever looks at this still again tells of it

    def _next(self) -> bytes | None:
        """The next still that is written wholly."""
        if not self._stills.exists():
            return None
        with self._stills.open("rb") as source:
            source.seek(self._at)
            content = source.read(MAX_STILL)
        end = content.find(b"\xff\xd9")
        if end < 0:
            return None
        self._at += end + 2
        return content[: end + 2]


def _decoded(subject: Subject, path: str) -> Film:
    header = read_header(subject, path)
    file = subject.file(path)
    wanted = next((asked.args for asked in subject.checks if asked.id == "video.duration"), {})
    counts = next((asked.args for asked in subject.checks if asked.id == "video.counts"), {})
    length = float(wanted.get("seconds", header.duration_s or 60.0))
    rate = still_rate(length, len(counts.get("numbers", ())), float(counts.get("finale_s", 1.5)))
    width, height = header.size
    shrink = min(1.0, READ_SIDE / min(width, height))
    size = f"{max(2, round(width * shrink))}:{max(2, round(height * shrink))}"
    with tempfile.TemporaryDirectory(prefix="film-") as folder:
        grey, stills = Path(folder, "grey"), Path(folder, "stills")
        command = ["ffmpeg", "-v", "error", "-nostdin", "-y", "-threads", "2", "-t", f"{length + EXTRA_S:.3f}", *_INPUT,
                   "-i", str(file), "-progress", "pipe:1",
                   "-map", "0:v:0", "-fps_mode", "passthrough", "-f", "null", "-",
                   "-map", "0:v:0", "-vf", f"fps={GREY_RATE},scale={GREY[0]}:{GREY[1]}:flags=area,format=gray",
                   "-f", "rawvideo", str(grey),
                   "-map", "0:v:0", "-vf", f"fps={rate:g},scale={size}:flags=area,format=yuvj444p", "-c:v", "mjpeg",
                   "-q:v", "2", "-threads", "1", "-f", "image2pipe", str(stills)]  # fmt: skip
        if header.audio:
            command += ["-map", "0:a", "-f", "null", "-"]
        late = f"it was not decoded in {DECODE_LIMIT_S:.0f} s"
        ahead = _Ahead(stills, bool(counts))
        stdout, stderr, status = _run(command, DECODE_LIMIT_S, late, ahead.look)
        import numpy

        small = numpy.fromfile(grey, numpy.uint8) if grey.exists() else numpy.zeros(0, numpy.uint8)
        jpegs = split_jpegs(stills.read_bytes()) if stills.exists() else []
    each = GREY[0] * GREY[1]
    small = small[: len(small) // each * each].reshape(-1, GREY[1], GREY[0])
    lines = [_plain(line, file) for line in stderr.decode("utf-8", "replace").splitlines() if line.strip()]
    faults = list(dict.fromkeys(line for line in lines if not _OWN.search(line)))[:20]
    if status and not faults:
        faults = [f"ffmpeg ended with status {status}"]
    frames, reached = _progress(stdout)
    seconds = _length(header, frames, reached or len(small) / GREY_RATE)
    return Film(header, faults, frames, seconds, small, jpegs, rate, ahead.shapes[: len(jpegs)])


def _length(header: Header, frames: int, reached_s: float) -> float:
    """How long the picture lasts: so many frames at the film's rate.

    Where that is far from the time that was reached, the latter is taken; it is that of all outputs, of which some have
    only a few frames a second.
    """
    exact = frames / header.fps if header.fps else reached_s
    return exact if abs(exact - reached_s) <= COARSE_S else reached_s


def still_rate(length: float, count: int, finale_s: float) -> float:
    """Stills a second: four for each number's slot, between 2 and 10."""
    slot = min(1.0, (length - finale_s) / count) if count else 1.0
    return round(min(10.0, max(2.0, 4 / max(slot, 0.1))), 2)


def _progress(told: bytes) -> tuple[int, float]:
    """Frames written and the time reached, from ffmpeg's last progress report."""
    frames = re.findall(rb"^frame=\s*(\d+)", told, re.MULTILINE)
    times = re.findall(rb"^out_time_us=\s*(\d+)", told, re.MULTILINE)
    return (int(frames[-1]) if frames else 0), (int(times[-1]) / 1e6 if times else 0.0)


def split_jpegs(content: bytes) -> list[bytes]:
    """The JPEG files that stand one after the other; their markers cannot occur within one (ITU-T T.81, B.1.1.5)."""
    found, at = [], 0
    while (start := content.find(b"\xff\xd8\xff", at)) >= 0:
        end = content.find(b"\xff\xd9", start)
        if end < 0:
            break
        found.append(content[start : end + 2])
        at = end + 2
    return found


def longest_rest(film: Film) -> tuple[float, float]:
    """The longest time without movement, and when it began, in seconds."""
    return _longest([not moved for moved in film.steps], film)


def longest_black(film: Film) -> tuple[float, float]:
    """The longest time in which there is nothing but black, and when it began.

    Black is below an eighth of white, as thin white words on black are not when they are made small. Specks are black.
    """
    dark = [float((frame >= 32).mean()) < SPECK for frame in film.grey]
    return _longest(dark, film)


def _longest(flags: list[bool], film: Film) -> tuple[float, float]:
    best, began, run = 0, 0, 0
    for number, flag in enumerate([*flags, False]):
        if flag:
            run += 1
        else:
            if run > best:
                best, began = run, number - run
            run = 0
    return best / GREY_RATE, began / GREY_RATE
