"""Pictures with QR codes, made in a sandbox."""

from __future__ import annotations

import json
from collections.abc import Sequence

from studio.sandboxes.types import Sandbox

_PROGRAM = """
import io, json, sys
import segno
from PIL import Image, ImageOps
texts, module, inverted = json.loads(sys.argv[1])
sheet = Image.new("RGB", (700, 990), "#F5EFE3")
for number, each in enumerate(texts):
    code = io.BytesIO()
    segno.make(each, error="m", micro=False, encoding="utf-8").save(code, kind="png", scale=8)
    picture = Image.open(code).convert("RGB")
    side = round(picture.width / 8 * module)
    picture = picture.resize((side, side), Image.Resampling.LANCZOS)
    sheet.paste(ImageOps.invert(picture) if inverted else picture, (30 + 220 * number, 500))
target = io.BytesIO()
sheet.save(target, "PNG")
sys.stdout.buffer.write(target.getvalue())
"""


def code_sheet(sandbox: Sandbox, texts: Sequence[str], module: float = 4, inverted: bool = False) -> bytes:
    """A PNG with a code for each of the texts, `module` px a module; `inverted`: light on dark."""
    argument = json.dumps([list(texts), module, inverted])
    status, picture, words = sandbox.run(["python3", "-c", _PROGRAM, argument])
    assert status == 0, words
    return picture
