"""What is on the image works there: with no network, and the image read-only."""

from __future__ import annotations

import json
import os
import stat
from pathlib import Path

import pytest

from studio.sandboxes.image import Image
from tests.sandboxes.image.conftest import Run

LIBRARIES = (
    "numpy", "scipy.signal", "scipy.io.wavfile", "matplotlib.pyplot", "PIL.Image", "midiutil", "mido", "ffmpeg",
    "fluidsynth", "segno", "fontTools.ttLib", "brotli", "uharfbuzz", "verovio", "lxml.etree", "tinycss2", "pyloudnorm",
    "websocket",
)  # fmt: skip
PROGRAMS = (
    "python3", "file", "free", "ps", "jq", "unzip", "zip", "less", "ffmpeg", "ffprobe", "convert", "identify",
    "fluidsynth", "rsvg-convert", "pdftoppm", "pdfinfo", "pdffonts", "zbarimg", "tesseract", "fc-match", "chromium",
    "chromium-headless-shell", "bc", "tree", "curl",
)  # fmt: skip
FAMILIES = (
    "DejaVu Sans", "DejaVu Serif", "Noto Sans", "Noto Serif", "Noto Sans CJK SC", "Noto Sans CJK JP",
    "Noto Serif CJK SC", "Noto Sans Arabic", "Noto Sans Devanagari", "Noto Sans Thai", "Noto Sans Hebrew",
    "Noto Color Emoji", "Inter", "EB Garamond", "Bebas Neue", "League Spartan", "GFS Didot", "Lobster Two",
    "Yanone Kaffeesatz",
)  # fmt: skip

PAGE = """<!doctype html><meta charset="utf-8"><style>
body { margin: 0; background: white; color: black } span { position: absolute; top: 20px; font: 80px/100px 'Noto Sans' }
</style><span style="left:0">永</span><span style="left:100px">和</span><span style="left:200px">🎉</span>"""
LOOK = """
import json
from PIL import Image
picture = Image.open("page.png").convert("RGB")
cells = [picture.crop((x, 0, x + 100, 140)) for x in (0, 100, 200)]
dark = [sum(sum(p) < 300 for p in c.getdata()) for c in cells]
vivid = [sum(max(p) - min(p) > 100 for p in c.getdata()) for c in cells]
print(json.dumps({"dark": dark, "vivid": vivid, "same": cells[0].tobytes() == cells[1].tobytes()}))
"""
PIECE = """
from midiutil import MIDIFile
piece = MIDIFile(1)
piece.addTempo(0, 0, 120)
for beat, pitch in enumerate([60, 64, 67, 72]):
    piece.addNote(0, 0, pitch, beat, 1, 90)
with open("piece.mid", "wb") as out:
    piece.writeFile(out)
"""
LOUDNESS = """
import sys
import numpy
from scipy.io import wavfile
for name in sys.argv[1:]:
    rate, samples = wavfile.read(name)
    print(len(samples) / rate, numpy.abs(samples.astype(float)).max() / 32768)
"""


def test_every_python_library_is_importable(run: Run) -> None:
    program = "import importlib, sys\nfor name in sys.argv[1:]: importlib.import_module(name)\nprint('all')"
    assert run("python3", "-W", "error::ImportWarning", "-c", program, *LIBRARIES).split()[-1] == "all"


def test_every_program_is_there(run: Run) -> None:
    found = run("sh", "-c", 'for name; do command -v "$name" >/dev/null || echo "$name"; done', "sh", *PROGRAMS)
    assert found.split() == []


def test_every_font_family_is_found_under_its_name(run: Run) -> None:
    listed = run("fc-list", ":", "family").replace("\\", "")
    families = {name for line in listed.splitlines() for name in line.split(",")}
    assert [name for name in FAMILIES if name not in families] == []
    assert "NotoSans-Bold.ttf" in run("fc-match", "Noto Sans:bold")
    assert "NotoSerif-Regular.ttf" in run("fc-match", "Noto Serif")


def test_browser_draws_chinese_and_emoji(run: Run, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(PAGE, "utf-8")
    run("chromium", "--headless", "--hide-scrollbars", "--window-size=300,140", "--screenshot=page.png", "page.html")
    seen = json.loads(run("python3", "-W", "ignore", "-c", LOOK))
    assert min(seen["dark"][:2]) > 300
    assert not seen["same"], "two different characters look the same: a font is missing"
    assert seen["vivid"][2] > 500, "the emoji has no colours"


def test_browser_prints_a_page_as_pdf(run: Run, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(PAGE, "utf-8")
    run("chromium", "--headless", "--print-to-pdf=page.pdf", "page.html")
    assert "Pages:           1" in run("pdfinfo", "page.pdf")


@pytest.mark.parametrize("soundfont", ["sf3/MuseScore_General_Lite.sf3", "sf3/default-GM.sf3", "sf2/TimGM6mb.sf2"])
def test_synthesizer_plays_a_piece(run: Run, soundfont: str) -> None:
    run("python3", "-c", PIECE)
    run("fluidsynth", "-ni", "-F", "piece.wav", f"/usr/share/sounds/{soundfont}", "piece.mid")
    seconds, peak = (float(word) for word in run("python3", "-W", "ignore", "-c", LOUDNESS, "piece.wav").split())
    assert seconds > 2
    assert peak > 0.02


def test_ffmpeg_makes_what_browsers_play(run: Run) -> None:
    run(
        "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=d=1:s=320x180", "-f", "lavfi", "-i", "sine=d=1", "-c:v",
        "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac", "-movflags", "+faststart", "out.mp4",
    )  # fmt: skip
    told = run("ffprobe", "-v", "error", "-show_entries", "stream=codec_name", "-of", "csv=p=0", "out.mp4")
    assert told.split() == ["h264", "aac"]
    run("ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=d=0.2:s=320x180", "-c:v", "libx265", "out.mkv")


def test_text_recognition_has_the_promised_languages_and_reads(run: Run) -> None:
    listed = run("tesseract", "--list-langs").split()
    assert {"eng", "chi_sim", "chi_tra", "jpn", "kor", "ara", "rus"} <= set(listed)
    run(
        "convert", "-size", "700x120", "xc:white", "-fill", "black", "-font",
        "/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc", "-pointsize", "60",
        "-annotate", "+20+80", "生日快乐", "a.png",
    )  # fmt: skip
    assert "生日快乐" in run("tesseract", "a.png", "-", "-l", "chi_sim", "--psm", "7").replace(" ", "")


def test_bar_code_is_written_and_read(run: Run) -> None:
    run("python3", "-c", "import segno; segno.make('https://example.org/?q=1').save('code.png', scale=6)")
    assert run("zbarimg", "-q", "--raw", "code.png").strip() == "https://example.org/?q=1"


def test_drawing_becomes_a_picture(run: Run, tmp_path: Path) -> None:
    (tmp_path / "a.svg").write_text(
        '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><rect width="9" height="9"/></svg>'
    )
    run("rsvg-convert", "-o", "a.png", "a.svg")
    assert "PNG 40x30" in run("identify", "a.png")


def test_leaflet_and_the_outline_of_the_world_are_files(run: Run) -> None:
    assert "Leaflet 1.9.4" in run("head", "-c", "300", "/opt/studio/web/leaflet/leaflet.js")
    for name in ("land-110m", "land-50m", "countries-110m"):
        shapes = json.loads(run("cat", f"/opt/studio/web/world/{name}.geojson"))["features"]
        points = [point for shape in shapes for point in _points(shape["geometry"]["coordinates"])]
        assert len(points) > 3000
        assert all(-180.001 <= x <= 180.001 and -90.001 <= y <= 90.001 for x, y in points)
    france = next(shape for shape in shapes if shape["properties"]["name"] == "France")
    assert any(0 < x < 5 and 45 < y < 50 for x, y in _points(france["geometry"]["coordinates"]))


def _points(nested: list[object]) -> list[list[float]]:
    if nested and isinstance(nested[0], int | float):
        return [nested]  # type: ignore[list-item]
    return [point for part in nested for point in _points(part)]  # type: ignore[arg-type]


def test_pip_and_virtual_environments_work_without_ceremony(run: Run) -> None:
    assert "numpy" in run("python3", "-m", "pip", "list", "--disable-pip-version-check")
    run("python3", "-m", "venv", "/tmp/v")


def test_nothing_of_the_host_and_no_rights_to_gain(image: Image, run: Run) -> None:
    assert run("cat", "/etc/hostname").strip() == "sandbox"
    assert run("cat", "/etc/resolv.conf") == ""
    assert "studio:x:1000:1000::/home/studio:/bin/bash" in run("cat", "/etc/passwd")
    gaining = [
        path
        for top in ("usr/bin", "usr/sbin", "usr/lib")
        for folder, _, names in os.walk(image.path / top)
        for path in (Path(folder) / name for name in names)
        if path.lstat().st_mode & (stat.S_ISUID | stat.S_ISGID) and path.is_file()
    ]
    assert gaining == []


def test_certificates_of_this_machine_are_trusted_inside(image: Image) -> None:
    local = sorted(Path("/usr/local/share/ca-certificates").glob("**/*.crt"))
    inside = image.path / "usr/local/share/ca-certificates/studio"
    assert {path.name for path in local} <= ({path.name for path in inside.iterdir()} if inside.is_dir() else set())


def test_readme_names_only_what_is_there(run: Run) -> None:
    readme = run("cat", "/opt/studio/README")
    for word in readme.replace(",", " ").split():
        if word.startswith(("/usr/share/sounds/", "/opt/studio/web/")) and not word.endswith("/"):
            run("test", "-e", word)
