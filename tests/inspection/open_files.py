"""A good file of every type that an open brief may ask for, and files that each fail one check of theirs."""

from __future__ import annotations

from functools import cache

from studio.sandboxes.types import Sandbox, Upload
from tests.inspection.music import GOOD_MIDI, GOOD_WAV, header, track, wav
from tests.inspection.pictures import png

_PROGRAM = """
import subprocess
from PIL import Image, ImageDraw
W = "/testbed/made/"
def run(*words): subprocess.run(words, check=True, cwd=W)
picture = Image.new("RGB", (96, 64), "#f4efe6")
ImageDraw.Draw(picture).ellipse((8, 8, 56, 56), fill="#b3422b")
picture.save(W + "good.jpg", quality=88)
Image.new("RGB", (96, 64), "#b3422b").save(W + "flat.jpg", quality=88)
SVG = '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="100"><g font-family="DejaVu Sans">%s</g></svg>'
for name, text in (("good", '<text x="20" y="60">Night Swim</text>'), ("blank", "")):
    open(W + name + ".svg", "w").write(SVG % text)
    run("rsvg-convert", "-f", "pdf", "-o", name + ".pdf", name + ".svg")
run("ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=s=160x120:r=10:d=2", "-c:v", "libx264", "-preset",
    "ultrafast", "-pix_fmt", "yuv420p", "-movflags", "+faststart", "good.mp4")
run("ffmpeg", "-v", "error", "-f", "lavfi", "-i", "sine=440:d=2", "-af", "volume=0.5", "-c:a", "libmp3lame", "good.mp3")
"""

# A document of one page whose text is in a font that it only names; offsets are those of the text below.
BARE_FONT = (
    b"%PDF-1.4\n"
    b"1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
    b"2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n"
    b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 100]/Contents 4 0 R"
    b"/Resources<</Font<</F 5 0 R>>>>>>endobj\n"
    b"4 0 obj<</Length 44>>stream\nBT /F 24 Tf 20 40 Td (Night Swim) Tj ET     \nendstream endobj\n"
    b"5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj\n"
    b"trailer<</Root 1 0 R>>\n%%EOF\n"
)

PAGE = (
    b'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8"><title>Tides</title>'
    b'<link rel="icon" href="/nowhere.ico"><link rel="stylesheet" href="page.css"></head>'
    b'<body><h1>Tides</h1><p id="said"></p><script src="page.js"></script></body></html>\n'
)
BESIDE = {
    "page.css": b"h1{color:#123}",
    "page.js": b'fetch("good.csv").then(r => r.text()).then(t => { said.textContent = t.length + " letters"; });',
}
OTHER_PAGE = PAGE.replace(b'<script src="page.js">', b"<script>nobody.knows();")
SILENCE = wav([0.0] * 44_100)


@cache
def _made(sandbox: Sandbox) -> dict[str, bytes]:
    sandbox.upload([Upload("/testbed/made/make.py", _PROGRAM.encode())])
    status, _, words = sandbox.run(["python3", "/testbed/made/make.py"])
    assert status == 0, words
    names = ("good.jpg", "flat.jpg", "good.svg", "blank.svg", "good.pdf", "blank.pdf", "good.mp4", "good.mp3")
    return {name: sandbox.read(f"/testbed/made/{name}", 4 << 20) for name in names}


def good_files(sandbox: Sandbox) -> dict[str, bytes]:
    """One of each type, named good.*; the page has a style sheet, a script and figures beside it."""
    made = _made(sandbox)
    return {
        **{name: content for name, content in made.items() if name.startswith("good.")},
        "good.html": PAGE,
        **BESIDE,
        "good.png": png(40, 30, split=(0, 0, 60)),
        "good.wav": GOOD_WAV,
        "good.mid": GOOD_MIDI,
        "good.md": "# Ebbe\n\nÜber Gezeiten. 潮汐。\n".encode(),
        "good.txt": b"Tides come and go.\n",
        "good.csv": b'day,height\n1,"3.2, about"\n\n2,"3.4\nor so"\n',
        "good.json": b'{"tides": [1.5, -2e10, null, "\\u00e9"]}\n',
    }


def failing_files(sandbox: Sandbox) -> dict[str, tuple[str, bytes, str]]:
    """Check → the name and content of a file that fails it, and words that the message must hold."""
    made = _made(sandbox)
    cut = made["good.jpg"][: len(made["good.jpg"]) * 2 // 3]
    forever = header(1, kind=0) + track([(0, bytes([0x90, 60, 80])), (900, bytes([0x80, 60, 0]))])
    return {
        "html.complete": ("cut.html", PAGE[:-9], "</html>"),
        "html.self_contained": ("web.html", PAGE.replace(b"page.css", b"https://example.org/a.css"), "example.org"),
        "html.no_errors": ("wrong.html", OTHER_PAGE, "nobody is not defined"),
        "page.not_blank": ("empty.html", b"<!DOCTYPE html><html><title>x</title></html>", "one flat colour"),
        "svg.well_formed": ("cut.svg", made["good.svg"][:-7], "not well-formed"),
        "svg.safe": ("active.svg", made["good.svg"].replace(b"<text", b"<script>1</script><text"), "<script>"),
        "svg.not_blank": ("blank.svg", made["blank.svg"], "nothing in it is painted"),
        "picture.decodes": ("cut.jpg", cut, "truncated"),
        "picture.not_blank": ("flat.jpg", made["flat.jpg"], "one flat colour"),
        "pdf.opens": ("cut.pdf", made["good.pdf"][:-300], "%%EOF"),
        "pdf.not_blank": ("blank.pdf", made["blank.pdf"], "one flat colour"),
        "pdf.fonts": ("bare.pdf", BARE_FONT, "Helvetica"),
        "audio.decodes": ("cut.mp3", b"ID3 is all there is of it" * 40, "no MPEG audio frame"),
        "audio.audible": ("silent.wav", SILENCE, "silent"),
        "midi.parses": ("long.mid", forever, "longer than"),
        "text.readable": ("odd.txt", b"Tides\x1b[1m come\n", "U+001B in line 1"),
        "csv.parses": ("ragged.csv", b"day,height\n1,3.2\n2\n", "line 3: 1 field "),
        "json.parses": ("comma.json", b'{"tides": [1, 2,]}', "Take out the comma"),
    }
