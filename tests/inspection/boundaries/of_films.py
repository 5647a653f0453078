"""Limits of checks of films."""

from __future__ import annotations

from collections.abc import Callable

from studio.sandboxes.types import Sandbox
from tests.inspection.boundaries.boundary import Boundary, Files, Side
from tests.inspection.films import FILM, GOOD, Show, film

H264 = ("-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p")
FASTSTART = ("-movflags", "+faststart")
FLAT = "color=0x305080:s=320x180:r=12:d=2"
FULL_RANGE = ("-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuvj420p")
FOUR_FOUR_FOUR = ("-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv444p")


def shown(show: Show) -> Callable[[Sandbox], Files]:
    """A countdown."""
    return lambda sandbox: {FILM: film(sandbox, show)}


def clip(source: str, *more: str) -> Callable[[Sandbox], Files]:
    """What a source of ffmpeg's shows, as H.264, with other options."""
    options = more or (*H264, *FASTSTART)

    def make(sandbox: Sandbox) -> Files:
        argv = ["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", source, *options, "/testbed/clip.mp4"]
        status, _, words = sandbox.run(argv)
        assert status == 0, words
        return {FILM: sandbox.read("/testbed/clip.mp4", 8 << 20)}

    return make


def cut(by: int) -> Callable[[Sandbox], Files]:
    """A film that lacks its last bytes."""

    def make(sandbox: Sandbox) -> Files:
        whole = film(sandbox, GOOD)
        return {FILM: whole[: len(whole) - by]}

    return make


def lasting(frames: int) -> Side:
    """So many frames, twelve a second."""
    return Side(
        f"{frames} frames, {frames / 12:.3f} s",
        clip("testsrc=s=160x90:r=12:d=9", "-frames:v", str(frames), *H264, *FASTSTART),
    )


def at_rate(rate: str) -> Side:
    """Two seconds at so many frames a second."""
    return Side(f"{int(rate) / 100:g}", clip(f"testsrc=s=160x90:r={rate}/100:d=2"))


def still_for(seconds: float) -> Side:
    """Five seconds, of which the last do not move."""
    return Side(f"{seconds:g} s", shown(GOOD(still_from_s=5 - seconds, sound=())))


def black_for(seconds: float) -> Side:
    """Five seconds that end in black."""
    return Side(
        f"{seconds:g} s", clip(f"testsrc=s=160x90:r=12:d=5,drawbox=c=black:t=fill:enable='gte(t,{5 - seconds:g})'")
    )


def boxed(width: int, height: int) -> Side:
    """One colour with a box in another one."""
    box = f"drawbox=x=32:y=32:w={width}:h={height}:c=white:t=fill"
    return Side(f"{width * height} of 57,600 px", clip(f"{FLAT},{box}"))


def counting(*labels: str, slot_s: float = 1.0, finale_s: float = 2.0, said: str = "") -> Side:
    """What is shown one after the other before the last words."""
    show = GOOD(labels=labels, slot_s=slot_s, finale_s=finale_s, sound=())
    return Side(said or " ".join(label or "–" for label in labels), shown(show))


def late(slots: int) -> Side:
    """Numbers that begin so many half seconds after their time."""
    each = ("3", "3", "2", "2", "1", "1")
    return counting(*([""] * slots), *each, slot_s=0.5, said=f"{slots / 2:g} s late")


def leaving(seconds: float) -> Side:
    """A name that is gone so long before the end."""
    show = GOOD(labels=("3", "2", "1", "Happy Birthday, Mia!"), finale="Bye", finale_s=seconds, sound=())
    return Side(f"gone {seconds:g} s before the end", shown(show))


FIVE = {"file": FILM, "numbers": [5, 4, 3, 2, 1], "share": 0.8, "within_s": 1.0, "finale_s": 1.5}
THREE = {**FIVE, "numbers": [3, 2, 1]}
LENGTH = {"file": FILM, "seconds": 5.0, "tolerance_s": 0.5}
MOVES = {"file": FILM, "longest_s": 2.0}
RATE = {"file": FILM, "fps": 30, "tolerance": 0.01}
PLAIN = {"file": FILM}

BOUNDARIES = [
    Boundary(
        "video.decodes", "whole to its last byte",
        Side("whole", cut(0)), Side("1 byte less", cut(1)),
        ("the file ends before its last box does", "Encode it again and let ffmpeg finish"), PLAIN, "time",
    ),
    Boundary(
        "video.plays_in_browsers", "the index before the data",
        Side("moov, mdat", shown(GOOD)), Side("mdat, moov", shown(GOOD(mux=()))),
        ("The index (moov) comes after the data", "add `-movflags +faststart`"), PLAIN,
    ),
    Boundary(
        "video.plays_in_browsers", "the colours of every second pixel, 4:2:0",
        Side("yuvj420p", clip("testsrc=s=160x90:r=12:d=1", *FULL_RANGE, *FASTSTART)),
        Side("yuv444p", clip("testsrc=s=160x90:r=12:d=1", *FOUR_FOUR_FOUR, *FASTSTART)),
        ("The pixel format is yuv444p; add `-pix_fmt yuv420p`",), PLAIN,
    ),
    Boundary(
        "video.plays_in_browsers", "even sides",
        Side("160 × 90", clip("testsrc=s=160x90:r=12:d=1")),
        Side("161 × 91", clip("testsrc=s=161x91:r=12:d=1", *FOUR_FOUR_FOUR, *FASTSTART)),
        ("The size 161 × 91 is odd; make both sides even",), PLAIN,
    ),
    Boundary(
        "video.plays_in_browsers", "sound in AAC",
        Side("aac", shown(GOOD)), Side("mp3", shown(GOOD(sound=("-c:a", "libmp3lame")))),
        ("The sound is mp3; encode it with `-c:a aac`",), PLAIN,
    ),
    Boundary(
        "video.starts_at_once", "the index before the data, or fragments",
        Side("fragments", shown(GOOD(mux=("-movflags", "frag_keyframe+empty_moov+default_base_moof")))),
        Side("mdat, moov", shown(GOOD(mux=()))),
        ("The index (moov) comes after the data", "add `-movflags +faststart`"), PLAIN,
    ),
    Boundary(
        "video.duration", "at most 0.5 s longer than 5 s",
        lasting(66), lasting(67),
        ("The film lasts 5.58 s; 5 s are asked for, ± 0.5 s: cut 0.58 s",), LENGTH, "time",
    ),
    Boundary(
        "video.duration", "at most 0.5 s shorter than 5 s",
        lasting(54), lasting(53),
        ("The film lasts 4.42 s; 5 s are asked for, ± 0.5 s: add 0.58 s",), LENGTH, "time",
    ),
    Boundary(
        "video.size", "exactly",
        Side("320 × 180", shown(GOOD)), Side("322 × 180", shown(GOOD(width=322))),
        ("The film shows 322 × 180 px; make it 320 × 180 px",), {**PLAIN, "width": 320, "height": 180},
    ),
    Boundary(
        "video.fps", "within 1 % of 30",
        at_rate("3029"), at_rate("3031"),
        ("The film has 30.31 frames a second; write it with 30",), RATE,
    ),
    Boundary(
        "video.fps", "within 1 % of 30, below",
        at_rate("2971"), at_rate("2969"),
        ("The film has 29.69 frames a second; write it with 30",), RATE,
    ),
    Boundary(
        "video.moves", "not still for more than 2 s (and 0.15 s)",
        still_for(2.0), still_for(2.4),
        ("The picture stands still for 2.", "s on; let the background move"), MOVES, "time",
    ),
    Boundary(
        "video.moves", "not black for more than 2 s (and 0.15 s)",
        black_for(2.0), black_for(2.4),
        ("The picture is black for 2.", "s on; show something there"), MOVES, "time",
    ),
    Boundary(
        "video.not_blank", "0.05 % of a frame in another colour",
        boxed(8, 6), boxed(4, 4),
        ("Every frame of countdown.mp4 is one flat colour; look at a frame",), PLAIN,
    ),
    Boundary(
        "video.counts", "80 % of the numbers",
        counting("5", "4", "x", "2", "1"), counting("5", "4", "x", "x", "1"),
        ("3, 2 cannot be read within 1 s of their slots", "Show each number large"), FIVE, "time",
    ),
    Boundary(
        "video.counts", "within 1 s of its slot of 2.2 or 2.3 s",
        late(6), late(7),
        ("outside its slot", "Show each number large"), THREE, "time",
    ),
    Boundary(
        "video.counts", "in order",
        counting("5", "4", "3", "2", "1"), counting("5", "4", "2", "3", "1"),
        ("The numbers do not come in order; count from 5 to 1, each once",), FIVE, "time",
    ),
    Boundary(
        "video.finale", "the name in the last 2 s",
        leaving(1.5), leaving(2.3),
        ("'Mia' cannot be read in the last 2 s; what was read: '", "Show the name large"),
        {**PLAIN, "text": "Mia", "last_s": 2.0}, "time",
    ),
]  # fmt: skip
