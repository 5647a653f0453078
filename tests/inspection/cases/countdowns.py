"""Countdown films as ffmpeg's users, editors and models make them."""

from __future__ import annotations

from studio.brief import Brief
from studio.sandboxes.types import Sandbox
from tests.inspection.cases.case import Case, Files
from tests.inspection.films import FILM, GOOD, TEXT, Show, film

FFMPEG = ("ffmpeg", "-v", "error", "-y")
X264 = ("-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p")
INDEX = ("-movflags", "+faststart")
FIVE = ("5", "4", "3", "2", "1")


def _case(
    name: str, verdict: str, how: str, show: Show, fails: str = "", quick: bool = False, words: str = "Mia",
    numbers: int | None = None, language: str = "en", **params: object,
) -> Case:  # fmt: skip
    """`numbers` is how many the brief asks for, where these are not the labels."""
    seconds = len(show.labels) * show.slot_s + show.finale_s
    asked = {
        "name": words,
        "start": numbers or len(show.labels),
        "duration_s": seconds,
        "width": show.width,
        "height": show.height,
        "fps": show.fps,
    }
    brief = Brief(kind="countdown_video", title="A film", language=language, params={**asked, **params})

    def make(darkroom: Sandbox) -> Files:
        return {FILM: film(darkroom, show), TEXT: f"# From {asked['start']} on\n\nIt counts for {words}.\n"}

    return Case(name, verdict, how, brief, make, tuple(fails.split()), quick)  # type: ignore[arg-type]


def _again(*options: str) -> tuple[tuple[str, ...], ...]:
    """ffmpeg once more over the film, with other options."""
    return (*FFMPEG, "-i", "film.mp4", *options, *INDEX, "new.mp4"), ("mv", "new.mp4", "film.mp4")


UPRIGHT = (
    *_again("-vf", "transpose=1", *X264, "-c:a", "copy"),
    *_again("-c", "copy", "-metadata:s:v", "rotate=90"),
)
COVERED = (
    (*FFMPEG, "-f", "lavfi", "-i", "color=red:s=64x64", "-frames:v", "1", "cover.png"),
    *_again("-i", "cover.png", "-map", "0", "-map", "1", "-c", "copy", "-disposition:v:1", "attached_pic"),
)
RENAMED = (
    (*FFMPEG, "-i", "film.mp4", "-c:v", "libvpx", "-b:v", "500k", "-deadline", "realtime", "-an", "new.webm"),
    ("mv", "new.webm", "film.mp4"),
)
LATER = (*_again("-g", "6", *X264, "-c:a", "copy"), (*FFMPEG, "-ss", "1.25", "-i", "film.mp4", "-c", "copy", *INDEX,
         "new.mp4"), ("mv", "new.mp4", "film.mp4"))  # fmt: skip
CLAIM = "b = bytearray(open('film.mp4', 'rb').read()); at = b.find(b'mvhd') + 20; b[at:at + 4] = b'\\xEE\\x6B\\x28\\0'"
CLAIMING = (("python3", "-c", CLAIM + "; open('film.mp4', 'wb').write(b)"),)
TWO_SOUNDS = _again("-f", "lavfi", "-i", "sine=500:d=5", "-map", "0", "-map", "1:a", "-c:v", "copy", "-c:a", "aac")
UNEVEN = _again("-vf", "select='if(lt(t,2),not(mod(n,3)),1)'", "-fps_mode", "vfr", *X264, "-c:a", "copy")
TEN = ("10", "9", "8", "7", "6", "5", "4", "3", "2", "1")
PULLED = ("-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-vf", "setsar=4/3")
SHORT = GOOD(finale_s=1.9, bar=False)

CASES = [
    _case("a flip clock", "accept", "a dark slit across each figure", GOOD(lines=(3, 400)), quick=True),
    _case("a clock of seven segments", "accept", "red figures, those not lit can just be seen",
          GOOD(unlit="#2A1018", ink="#FF3B30", ground="#0D0B12"), quick=True),
    _case("segments drawn as lines", "accept", "ten to one, without the bars that are not lit",
          GOOD(labels=("10", "9", "8", "7", "6", "5", "4", "3", "2", "1"), unlit="none", width=640, height=360)),
    _case("segments that count up", "reject", "range(1, 6), on a clock",
          GOOD(labels=("1", "2", "3", "4", "5"), unlit="none"), "video.counts", numbers=5),
    _case("under scan lines", "accept", "the look of an old screen", GOOD(lines=(2, 5), width=640, height=360)),
    _case("thin white words on black", "accept", "the plainest title card there is",
          SHORT(ground="#000000", width=640, height=360, share=0.3, finale="Mia")),
    _case("GO after the last number", "accept", "a start as in a race",
          GOOD(labels=(*FIVE, "GO"), slot_s=0.9), numbers=5, duration_s=7.4),
    _case("four of five numbers", "accept", "3 is drawn as a picture", GOOD(labels=("5", "4", "", "2", "1"))),
    _case("upright in the camera, turned by the player", "accept", "a display matrix of 90°", GOOD(after=UPRIGHT)),
    _case("pixels a hair from square", "accept", "scale left 1215:1216",
          GOOD(codec=(*X264, "-vf", "setsar=1215/1216"))),
    _case("wide pixels, shown in the right size", "accept", "240 × 180 with pixels of 4:3",
          GOOD(codec=(*X264, "-vf", "scale=240:180,setsar=4/3"))),
    _case("with a cover", "accept", "an attached picture as a second video stream", GOOD(after=COVERED)),
    _case("in fragments", "accept", "recorded for streaming",
          GOOD(mux=("-movflags", "frag_keyframe+empty_moov+default_base_moof"))),
    _case("silence as sound", "accept", "anullsrc, as nobody had music", GOOD(audio="anullsrc=r=48000:cl=stereo")),
    _case("sixty frames a second", "accept", "smooth on a phone", GOOD(fps=60)),
    _case("a name in Cyrillic", "accept", "a brief in Russian", GOOD(width=640, height=360, finale="Ксения"),
          words="Ксения", language="ru", finale="{name}"),
    _case("words that fade out early", "accept", "the last second belongs to the dark",
          GOOD(labels=("3", "2", "1", "Hi, Mia!", "Hi, Mia!"), finale_s=1.0, finale=""), numbers=3, duration_s=6.0),
    _case("old-style figures", "accept", "EB Garamond, in which 1 is a small capital I",
          GOOD(labels=TEN, width=640, height=360, face="opentype/ebgaramond/EBGaramond12-Italic.otf")),
    _case("figures of a fifteenth of the height", "accept", "a font size of a tenth of the frame",
          GOOD(labels=FIVE, width=1280, height=720, share=0.1)),
    _case("figures larger than the frame", "accept", "cut off by a hair above and below",
          GOOD(labels=FIVE, width=640, height=360, share=1.4)),
    _case("hairline figures", "accept", "Bebas Neue Thin",
          GOOD(labels=TEN, width=640, height=360, face="opentype/bebas-neue/BebasNeue-Thin.otf")),
    _case("29.97 frames a second for 30", "accept", "an editor's preset for television",
          GOOD(fps=30, after=_again("-vf", "fps=30000/1001", *X264, "-c:a", "copy"))),
    _case("an uneven rate", "accept", "frames that repeat the one before were dropped", GOOD(fps=24, after=UNEVEN),
          "video.fps"),
    _case("cut by an edit list", "accept", "-ss with -c copy: the player skips what comes before",
          GOOD(labels=("X", *FIVE), finale_s=2.25, after=LATER), numbers=5, duration_s=7.0),
    _case("two sounds", "accept", "music and a spoken version", GOOD(after=TWO_SOUNDS)),
    _case("a header that claims 46 days", "reject", "a length in the wrong time scale", GOOD(after=CLAIMING),
          "video.duration"),
    _case("sound alone", "reject", "-vn left from another task", GOOD(after=_again("-vn", "-c:a", "copy")),
          "video.decodes video.plays_in_browsers video.counts"),
    _case("lossless", "reject", "-qp 0 for the best quality, which makes profile High 4:4:4 Predictive",
          GOOD(codec=("-c:v", "libx264", "-preset", "ultrafast", "-qp", "0", "-pix_fmt", "yuv420p")),
          "video.plays_in_browsers"),
    _case("ten bits", "reject", "-pix_fmt yuv420p10le against banding",
          GOOD(codec=("-c:v", "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p10le")),
          "video.plays_in_browsers"),
    _case("pixels of 4:3 by mistake", "reject", "setsar copied from a recipe for DVDs", GOOD(codec=PULLED),
          "video.size", quick=True),
    _case("a misspelled name", "reject", "typed from memory",
          GOOD(width=640, height=360, finale="Happy Birthday, Valentino!"), "video.finale", words="Valentina"),
    _case("a template's blank", "reject", "the finale was never formatted", GOOD(finale="Happy Birthday, {name}!"),
          "video.finale"),
    _case("words instead of numbers", "reject", "three, two, one", GOOD(labels=("three", "two", "one"), share=0.3),
          "video.counts"),
    _case("a number left out", "reject", "range(5, 0, -2)", GOOD(labels=("5", "3", "1"), slot_s=5 / 3),
          "video.counts", numbers=5),
    _case("twice", "reject", "the loop runs again for the refrain", GOOD(labels=FIVE * 2, slot_s=0.5),
          "video.counts", numbers=5),
    _case("black for three seconds at first", "reject", "a fade that waits for its sound",
          GOOD(labels=FIVE, after=_again("-vf", "drawbox=c=black:t=fill:enable='lt(t,3)'", *X264, "-c:a", "copy")),
          "video.moves"),
    _case("three seconds without a movement", "reject", "long slots on a still ground",
          GOOD(labels=("2", "1"), slot_s=3.0, bar=False, finale_s=1.9), "video.moves"),
    _case("sound two seconds longer", "reject", "no -shortest", GOOD(after=_again("-af", "apad=pad_dur=2", "-c:v",
          "copy", "-c:a", "aac")), "video.duration"),
    _case("WebM under another name", "reject", "mv film.webm countdown.mp4", GOOD(after=RENAMED), "video.decodes"),
    _case("VP9 in MP4", "reject", "the encoder that was at hand",
          GOOD(codec=("-c:v", "libvpx-vp9", "-b:v", "400k", "-deadline", "realtime", "-pix_fmt", "yuv420p")),
          "video.plays_in_browsers"),
]  # fmt: skip
