"""Runs in a sandbox: inspects many spoiled files one after the other, two at a time, and prints what came of each.

`inside.py FOLDER FORMAT SEED FIRST COUNT`; FOLDER holds inspector.zip, the whole file `seed.FORMAT` and contract.json.
"""

from __future__ import annotations

import base64
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

FOLDER, FORMAT, SEED = Path(sys.argv[1]), sys.argv[2], sys.argv[3]
FIRST, COUNT = int(sys.argv[4]), int(sys.argv[5])
NAMES = {
    "svg": "poster.svg",
    "html": "map.html",
    "png": "poster.png",
    "mp4": "countdown.mp4",
    "wav": "preview.wav",
    "midi": "composition.mid",
    "jpeg": "photo.jpg",
    "mp3": "song.mp3",
    "pdf": "paper.pdf",
    "json": "list.json",
    "manifest": "ok.txt",
}
sys.path[:0] = [str(FOLDER / "inspector.zip"), str(FOLDER)]


def spoiled(number: int) -> tuple[str, bytes]:
    """What was done, and the file."""
    from markup_mutations import by_format
    from mutations import BY_FORMAT

    draw = random.Random(f"{FORMAT}:{SEED}:{number}")
    content = (FOLDER / f"seed.{FORMAT}").read_bytes()
    ways = {**BY_FORMAT, **by_format()}[FORMAT]
    done = []
    for _ in range(draw.choice((1, 1, 1, 2))):
        way = draw.choice(ways)
        if content:
            content = way(content, draw)
            done.append(way.__name__)
    return " + ".join(done), content


def inspected(number: int) -> dict[str, Any]:
    """The inspector's report on one file, as far as it is asked for here."""
    from sandbox_image.inspector.runner import inspect

    way, content = spoiled(number)
    work = Path(f"/tmp/work-{os.getpid()}")
    outputs = work / "outputs"
    outputs.mkdir(parents=True, exist_ok=True)
    name = NAMES[FORMAT]
    if FORMAT == "manifest":
        (outputs / name).write_bytes(b"here\n")
        described = content
    else:
        (outputs / name).write_bytes(content)
        entry = {"path": name, "type": "file", "size": len(content)}
        described = json.dumps({"entries": [entry], "truncated": False}).encode()
    for path, value in (
        ("manifest", described),
        ("contract", (FOLDER / "contract.json").read_bytes()),
        ("brief", b"{}"),
    ):
        (work / f"{path}.json").write_bytes(value)
    # What an inspection leaves that was cut off: in use each has a sandbox of its own, here hundreds share one.
    for old in work.glob("tmp-*"):
        shutil.rmtree(old, ignore_errors=True)  # a browser that was killed may still be at its last file
    left = work / f"tmp-{number}"
    left.mkdir()
    tempfile.tempdir = os.environ["TMPDIR"] = str(left)
    began = time.monotonic()
    try:
        report = inspect(work, outputs, work / "previews")
    except Exception as error:
        return {
            "number": number,
            "way": way,
            "crash": f"{type(error).__name__}: {error!s:.300}",
            "verdicts": {},
            "seconds": 0,
        }
    seconds = time.monotonic() - began
    verdicts = {finding["id"]: finding["verdict"] for finding in report["checks"]}
    said = {finding["id"]: finding["message"][:200] for finding in report["checks"] if finding["verdict"] == "error"}
    good = set(verdicts.values()) == {"pass"} and (FORMAT != "html" or "page.not_blank" in verdicts)
    shown = ORACLES[FORMAT](outputs / name, described) if good else None
    return {
        "number": number,
        "way": way,
        "verdicts": verdicts,
        "said": said,
        "seconds": round(seconds, 2),
        "shown": shown,
    }


def by_ffmpeg(file: Path, described: bytes) -> bool:
    command = ["ffmpeg", "-v", "error", "-xerror", "-nostdin", "-i", str(file), "-f", "null", "-"]
    return subprocess.run(command, capture_output=True, timeout=60, check=False).returncode == 0


def by_mido(file: Path, described: bytes) -> bool:
    """mido reads it, but for the name of a key that there is not, which players pass over."""
    import mido
    from mido.midifiles.meta import KeySignatureError

    try:
        return bool(mido.MidiFile(str(file)).length >= 0)
    except KeySignatureError:
        return True
    except Exception:
        return False


def by_chromium(file: Path, described: bytes) -> bool:
    """Image.decode() resolves for what can be shown (HTML Living Standard, 4.8.3)."""
    from sandbox_image.inspector.browser import Browser

    kind = {".svg": "image/svg+xml", ".png": "image/png", ".jpg": "image/jpeg"}[file.suffix]
    address = f"data:{kind};base64," + base64.b64encode(file.read_bytes()).decode()
    browser = Browser()
    try:
        decode = "const i = new Image(); i.src = a; try {await i.decode(); return true} catch {return false}"
        return bool(browser.evaluate(f"async (a) => {{{decode}}}", address))
    finally:
        browser.close()


def as_page(file: Path, described: bytes) -> bool:
    """A browser of its own, with scripts off: there are words on the page."""
    from sandbox_image.inspector.browser import Browser

    browser = Browser()
    try:
        browser.open(file.read_text("utf-8", "replace"), 1280, 800)
        return bool(browser.evaluate("() => document.body.innerText.trim().length > 2"))
    finally:
        browser.close()


def by_poppler(file: Path, described: bytes) -> bool:
    """Its first page is drawn: bytes of a picture come out."""
    command = ["pdftoppm", "-r", "20", "-f", "1", "-l", "1", str(file)]
    done = subprocess.run(command, capture_output=True, timeout=60, check=False)
    return done.returncode == 0 and len(done.stdout) > 100


def by_python(file: Path, described: bytes) -> bool:
    """Python's own reader takes it, with its additions (NaN and such) refused, and numbers of any length."""

    def refused(word: str) -> None:
        raise ValueError(word)

    try:
        json.loads(file.read_bytes().decode("utf-8"), parse_constant=refused, parse_int=str)
    except (ValueError, RecursionError):
        return False
    return True


def by_names(file: Path, described: bytes) -> bool:
    """Nothing but regular files and folders, with names that stay inside."""
    entries = json.loads(described)["entries"]
    names = [entry["path"] for entry in entries]
    inside = all(
        name and "\0" not in name and not name.startswith("/") and ".." not in name.split("/") for name in names
    )
    return inside and all(entry["type"] in ("file", "directory") and entry["encodable"] for entry in entries[1:])


ORACLES = {
    "svg": by_chromium,
    "png": by_chromium,
    "html": as_page,
    "mp4": by_ffmpeg,
    "wav": by_ffmpeg,
    "midi": by_mido,
    "jpeg": by_chromium,
    "mp3": by_ffmpeg,
    "pdf": by_poppler,
    "json": by_python,
    "manifest": by_names,
}


def main() -> None:
    """Two processes, every second file each; a line of JSON for each file."""
    children = []
    for half in (0, 1):
        pid = os.fork()
        if not pid:
            for number in range(FIRST + half, FIRST + COUNT, 2):
                os.write(1, json.dumps(inspected(number)).encode() + b"\n")  # a line is one write: they do not mix
            os._exit(0)
        children.append(pid)
    sys.exit(max(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) != 0 for pid in children))


main()
