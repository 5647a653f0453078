"""Films made in a sandbox, for deliveries to judge: plain numbers, a bar that moves, last words."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, replace

from studio.sandboxes.types import Sandbox, Upload

FILM, TEXT = "countdown.mp4", "description.md"


@dataclass(frozen=True)
class Show:
    """What is shown. `codec` and `mux` are options of ffmpeg; `still_from_s`: from then on nothing moves."""

    labels: tuple[str, ...] = ("3", "2", "1")
    slot_s: float = 1.0
    finale: str = "Happy Birthday, Mia!"
    finale_s: float = 2.0
    width: int = 320
    height: int = 180
    fps: int = 12
    ink: str = "#FFFFFF"
    ground: str = "#14213D"
    still_from_s: float = 1000.0
    black: bool = False
    share: float = 0.6  # of the frame's height: the size of the numbers
    codec: tuple[str, ...] = ("-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p")
    sound: tuple[str, ...] = ("-c:a", "aac")
    mux: tuple[str, ...] = ("-movflags", "+faststart")
    lines: tuple[int, ...] = ()  # height and distance in px of lines in the ground's colour across the figures
    unlit: str = ""  # colour of the bars that are not lit, where the numbers are figures of seven segments; or "none"
    face: str = "truetype/dejavu/DejaVuSans-Bold.ttf"  # of the numbers, below /usr/share/fonts
    bar: bool = True
    audio: str = "sine=330"
    after: tuple[tuple[str, ...], ...] = ()  # commands that change /testbed/film.mp4

    def __call__(self, **changes: object) -> Show:
        return replace(self, **changes)  # type: ignore[arg-type]


GOOD = Show()

_PROGRAM = """
import json, subprocess, sys
from PIL import Image, ImageDraw, ImageFont
LIT = ("abcdef", "bc", "abged", "abgcd", "fgbc", "afgcd", "afgedc", "abc", "abcdefg", "abcdfg")
def bars(draw, text, middle, high, ink, unlit):
    wide, thick, gap = high * 0.5, high * 0.12, high * 0.02
    left, top = middle[0] - len(text) * high * 0.34 + high * 0.09, middle[1] - high / 2
    for char in text:
        half, foot, right = top + high / 2, top + high, left + wide
        for name, box in (("a", (left, top, right, top + thick)), ("d", (left, foot - thick, right, foot)),
                          ("g", (left, half - thick / 2, right, half + thick / 2)),
                          ("f", (left, top, left + thick, half)), ("b", (right - thick, top, right, half)),
                          ("e", (left, half, left + thick, foot)), ("c", (right - thick, half, right, foot))):
            x0, y0, x1, y1 = box
            flat = name in "adg"
            box = (x0 + thick, y0, x1 - thick, y1) if flat else (x0, y0 + thick / 2 + gap, x1, y1 - thick / 2 - gap)
            lit = name in LIT[int(char)]
            if lit or unlit != "none":
                draw.rectangle(box, fill=ink if lit else unlit)
        left += high * 0.68
show = json.loads(sys.argv[1])
size, fps = (show["width"], show["height"]), show["fps"]
counted = len(show["labels"]) * show["slot_s"]
seconds = counted + show["finale_s"]
plain = "/usr/share/fonts/truetype/dejavu/DejaVuSans-Bold.ttf"
command = ["ffmpeg", "-v", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgb24", "-s", "%dx%d" % size, "-r", str(fps),
           "-i", "-"]
if show["sound"]:
    command += ["-f", "lavfi", "-i", "%s:d=%s" % (show["audio"], seconds), *show["sound"]]
process = subprocess.Popen([*command, *show["codec"], *show["mux"], "/testbed/film.mp4"], stdin=subprocess.PIPE)
for number in range(round(seconds * fps)):
    time = min(number / fps, show["still_from_s"])
    image = Image.new("RGB", size, "#000000" if show["black"] else show["ground"])
    if not show["black"]:
        draw = ImageDraw.Draw(image)
        if show["bar"]:
            draw.rectangle([0, size[1] - 8, size[0] * time / seconds, size[1]], fill="#FCA311")
        text = show["labels"][int(time / show["slot_s"])] if time < counted else show["finale"]
        points = int(size[1] * show["share"])
        face = "/usr/share/fonts/" + show["face"] if time < counted else plain
        while ImageFont.truetype(face, points).getlength(text) > size[0] * 0.9:
            points -= 2
        middle = (size[0] / 2, size[1] / 2)
        if show["unlit"] and text.isdigit():
            bars(draw, text, middle, size[1] * show["share"], show["ink"], show["unlit"])
        else:
            draw.text(middle, text, font=ImageFont.truetype(face, points), fill=show["ink"], anchor="mm")
        if show["lines"] and time < counted:
            high, step = show["lines"]
            for top in range(size[1] // 2 % step - high // 2, size[1] - 10, step):
                draw.rectangle([0, top, size[0], top + high - 1], fill=show["ground"])
    process.stdin.write(image.tobytes())
process.stdin.close()
status = process.wait()
for command in show["after"]:
    status = status or subprocess.run(command, cwd="/testbed").returncode
sys.exit(status)
"""

_made: dict[Show, bytes] = {}


def film(sandbox: Sandbox, show: Show) -> bytes:
    """The film as an MP4; made once."""
    if show not in _made:
        sandbox.upload([Upload("/testbed/film.py", _PROGRAM.encode())])
        status, _, words = sandbox.run(["python3", "/testbed/film.py", json.dumps(asdict(show))])
        assert status == 0, words
        _made[show] = sandbox.read("/testbed/film.mp4", 32 << 20)
    return _made[show]
