"""images.used: an attachment is found however it is placed, and missed when it is not there."""

from __future__ import annotations

import json
from collections.abc import Callable

import pytest

from studio.sandboxes.types import Sandbox, Upload
from tests.inspection.conftest import RASTER, Judge

# Draws two faces, a logo, and pages; `page(face, how)` puts a picture on a page of words and shapes.
STUDIO = """
import io, json, random, sys
import numpy
from PIL import Image, ImageDraw, ImageEnhance, ImageFilter, ImageFont, ImageOps

def face(seed, width=480, height=640):
    noise = numpy.random.default_rng(seed).integers(0, 255, (8, 6, 3), dtype=numpy.uint8)
    picture = Image.fromarray(noise).resize((width, height), Image.Resampling.BICUBIC)
    draw, at = ImageDraw.Draw(picture), random.Random(seed)
    tone = lambda: tuple(at.randint(40, 230) for _ in range(3))
    dx, dy = at.randint(-40, 40), at.randint(-60, 60)
    draw.ellipse((150 + dx, 90 + dy, 340 + dx, 330 + dy), fill=tone())
    draw.ellipse((170 + dx, 140 + dy, 320 + dx, 430 + dy), fill=tone())
    for x in (205, 275):
        draw.ellipse((x + dx, 220 + dy, x + 26 + dx, 240 + dy), fill=(20, 20, 30))
    return picture.filter(ImageFilter.GaussianBlur(1.2))

def logo():
    picture = Image.new("RGBA", (420, 140), (0, 0, 0, 0))
    draw = ImageDraw.Draw(picture)
    draw.polygon([(60, 15), (115, 120), (5, 120)], fill=(10, 90, 160, 255))
    draw.text((130, 40), "Globex", fill=(10, 90, 160, 255), font=ImageFont.truetype("DejaVuSans-Bold.ttf", 48))
    return picture

def page(ground="#f4efe6"):
    picture = Image.new("RGB", (700, 990), ground)
    draw, at = ImageDraw.Draw(picture), random.Random(3)
    for _ in range(40):
        x, y, r = at.randint(350, 700), at.randint(0, 330), at.randint(4, 60)
        draw.ellipse((x - r, y - r, x + r, y + r), fill=tuple(at.randint(60, 220) for _ in range(3)))
    font = ImageFont.truetype("DejaVuSans-Bold.ttf", 54)
    draw.text((40, 80), "Night\\nSwim", fill="#123", font=font)
    for line in range(9):
        draw.text((40, 640 + 30 * line), "Words of the programme, one line of many", fill="#234", font_size=20)
    return picture

def placed(picture, how):
    sheet = page("#101828" if how == "white" else "#f4efe6")
    if picture.mode == "RGBA":
        picture = picture.resize((150, 50), Image.Resampling.LANCZOS)
        if how == "white":
            picture = Image.merge("RGBA", [Image.new("L", picture.size, 255)] * 3 + [picture.getchannel("A")])
        sheet.paste(picture.convert("RGB"), (60, 560), picture.getchannel("A"))
        return sheet
    size = {"wide": (300, 170), "small": (48, 48)}.get(how, (130, 130))
    picture = ImageOps.fit(picture, size, Image.Resampling.LANCZOS, centering=(0.5, 0.4))
    if how == "grey":
        picture = ImageOps.grayscale(picture).convert("RGB")
    if how == "duotone":
        picture = ImageOps.colorize(ImageOps.grayscale(picture), "#201060", "#ffe0c0")
    if how == "dark":
        picture = ImageEnhance.Brightness(picture).enhance(0.6)
    mask = Image.new("L", size, 255)
    if how in ("circle", "small"):
        mask = Image.new("L", size, 0)
        ImageDraw.Draw(mask).ellipse((0, 0, size[0] - 1, size[1] - 1), fill=255)
    sheet.paste(picture, (60, 400), mask)
    return sheet

made = {"face": lambda: face(1), "other": lambda: face(2), "logo": logo, "page": page,
        "flat": lambda: Image.new("RGB", (200, 200), (200, 30, 40))}
what, how = json.loads(sys.argv[1])
picture = made[what]()
target = io.BytesIO()
(placed(picture, how) if how else picture).save(target, "PNG")
sys.stdout.buffer.write(target.getvalue())
"""

Paint = Callable[..., bytes]


@pytest.fixture
def paint(darkroom: Sandbox) -> Paint:
    """A picture, or with `how` a page that it was placed on, as PNG."""

    def one(what: str, how: str = "") -> bytes:
        darkroom.upload([Upload("/testbed/paint.py", STUDIO.encode())])
        status, picture, words = darkroom.run(["python3", "/testbed/paint.py", json.dumps([what, how])])
        assert status == 0, words
        return picture

    return one


@pytest.mark.parametrize("how", ["plain", "circle", "small", "wide", "grey", "duotone", "dark"])
def test_a_photo_is_found_however_it_is_placed(judge: Judge, paint: Paint, how: str) -> None:
    report = judge({RASTER: paint("face", how)}, "images.used", attached={"face.png": paint("face")})
    assert report.verdict == "accept", report.checks


@pytest.mark.parametrize("how", ["plain", "white"])
def test_a_logo_is_found_also_when_it_was_made_white(judge: Judge, paint: Paint, how: str) -> None:
    report = judge({RASTER: paint("logo", how)}, "images.used", attached={"face.png": paint("logo")})
    assert report.verdict == "accept", report.checks


@pytest.mark.parametrize("attached", ["face", "logo", "flat"])
def test_a_picture_that_is_not_there_is_missed(judge: Judge, paint: Paint, attached: str) -> None:
    report = judge({RASTER: paint("other", "circle")}, "images.used", attached={"face.png": paint(attached)})
    assert report.verdict == "reject"
    assert "/params/speakers/0/photo" in report.checks[0].message
    assert "/testbed/input/face.png" in report.checks[0].message


def test_an_svg_is_drawn_before_it_is_looked_for(judge: Judge, paint: Paint, darkroom: Sandbox) -> None:
    source = (
        b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 100"><path d="M10 90 50 10 90 90z" fill="#0a7"/>'
        b'<text x="96" y="70" font-size="40" font-family="DejaVu Sans" fill="#a06">Orb</text></svg>'
    )
    darkroom.upload([Upload("/testbed/logo.svg", source)])
    page = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 700 990"><rect width="700" height="990" fill="#eee"/>'
    inner = source.replace(b"<svg ", b'<svg x="90" y="500" width="160" height="80" ')
    darkroom.upload([Upload("/testbed/page.svg", page + inner + b"</svg>")])
    status, picture, words = darkroom.run(["rsvg-convert", "-w", "700", "/testbed/page.svg"])
    assert status == 0, words
    assert judge({RASTER: picture}, "images.used", attached={"face.png": source}).verdict == "accept"


def test_what_is_no_picture_or_was_not_sent_is_said(judge: Judge, paint: Paint) -> None:
    report = judge({RASTER: paint("page")}, "images.used", attached={"face.png": b"not a picture"})
    assert report.verdict == "reject"
    assert "no picture that can be read" in report.checks[0].message
    assert "was not sent" in judge({RASTER: paint("page")}, "images.used").checks[0].message


def test_a_missing_page_is_said(judge: Judge, paint: Paint) -> None:
    report = judge({"notes.txt": b"nothing else"}, "images.used", attached={"face.png": paint("face")})
    assert report.checks[0].verdict == "fail"
    assert "poster.png is missing" in report.checks[0].message
