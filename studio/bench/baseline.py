"""Runs in a sandbox: what an inspection's parts cost by themselves (`bench/inspect.py` says what is in each).

`baseline.py WHAT FOLDER OUTPUTS` prints {"seconds": …, "runs": …}; `record` inspects once and leaves in KEPT what
Tesseract was given.
"""

from __future__ import annotations

import io
import json
import shutil
import subprocess
import sys
import tarfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

KEPT, RUNS = Path("/tmp/kept.tar"), Path("/tmp/kept")
PATIENCE_S = 2.0


def record(folder: Path, outputs: Path) -> None:
    """Inspect, and copy each folder of pictures that Tesseract is pointed at before it starts."""
    from sandbox_image.inspector import runner

    RUNS.mkdir()

    def started(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "subprocess.Popen" and arguments[0] == "tesseract":
            words = [str(word) for word in arguments[1]]
            target = RUNS / str(time.monotonic_ns())
            shutil.copytree(Path(words[1]).parent, target)
            words[1] = str(target / Path(words[1]).name)
            (target / "command.json").write_text(json.dumps(words))

    sys.addaudithook(started)
    runner.inspect(folder, outputs, folder / "previews")
    with tarfile.open(KEPT, "w") as archive:
        archive.add(RUNS, RUNS.name)


def countdown_video(folder: Path, outputs: Path) -> int:
    """Decode, then read what was kept, two at a time."""
    film = outputs / json.loads((folder / "contract.json").read_bytes())["entry"]
    subprocess.run(["ffmpeg", "-v", "error", "-nostdin", "-i", str(film), "-f", "null", "-"], check=True)
    commands = [json.loads(each.read_text()) for each in sorted(RUNS.glob("*/command.json"))]
    with ThreadPoolExecutor(2) as pool:
        list(pool.map(_read, commands))
    return len(commands)


def _read(command: list[str]) -> None:
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True, env=_ENVIRONMENT)


_ENVIRONMENT = {"PATH": "/usr/local/bin:/usr/bin:/bin", "OMP_THREAD_LIMIT": "1", "LANG": "C.UTF-8"}


def unpack() -> None:
    """Lay the kept pictures where their commands look for them."""
    if not KEPT.exists():
        return
    with tarfile.open(KEPT) as archive:
        archive.extractall("/tmp")  # its own, of the same kind of sandbox
    for command in RUNS.glob("*/command.json"):
        listing = command.parent / "list"
        if listing.exists():
            names = [command.parent / Path(line).name for line in listing.read_text().split()]
            listing.write_text("".join(f"{name}\n" for name in names))


def travel_map(folder: Path, outputs: Path) -> int:
    """Start Chromium, load the page, click each marker that is seen, take a screenshot."""
    from sandbox_image.inspector.framed import Framed
    from sandbox_image.inspector.page_policy import FOREIGN
    from sandbox_image.inspector.subject import Subject

    subject = Subject.read(folder, outputs)
    browser = Framed(subject, paints=True)
    browser.show(subject.entry, FOREIGN, 1280, 800)
    browser.ask("mark")
    for marker in browser.ask("markers"):
        point = browser.ask("point", marker["id"]) if marker["shown"] else {}
        if "x" in point:
            browser.ask("watch")
            browser.click(point["x"], point["y"])
            deadline = time.monotonic() + PATIENCE_S
            while not browser.ask("shown") and time.monotonic() < deadline:
                browser.wait(0.01)
            browser.ask("reset")
    browser.screenshot()
    browser.close()
    return 0


def poster(folder: Path, outputs: Path) -> int:
    """Start Chromium, lay the drawing out, take it with and without its texts; decode the delivered pictures."""
    from PIL import Image

    from sandbox_image.inspector.rendering import Rendering
    from sandbox_image.inspector.subject import Subject

    subject = Subject.read(folder, outputs)
    drawing = Rendering.of(subject, subject.entry)
    drawing.picture()
    drawing.picture("ground", tuple(run.index for run in drawing.runs))
    for entry in subject.entries:
        if entry.path.endswith(".png"):
            Image.open(io.BytesIO(subject.bytes_of(entry.path))).load()
    return 0


def piano_piece(folder: Path, outputs: Path) -> int:
    """Let ffmpeg measure the recording; start Python with the libraries that read score and samples."""
    meter = ["-af", "ebur128=peak=true", "-f", "null", "-"]
    command = ["ffmpeg", "-v", "error", "-nostdin", "-i", str(outputs / "preview.wav"), *meter]
    subprocess.run(command, check=True)
    subprocess.run(["python3", "-I", "-c", "import mido, pyloudnorm, scipy.signal, PIL.Image"], check=True)
    return 0


def main() -> None:
    what, folder, outputs = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    sys.path.insert(0, str(folder / "inspector.zip"))
    if what == "record":
        record(folder, outputs)
        return
    unpack()
    if what in ("travel_map", "poster"):
        import numpy  # noqa: F401

        from sandbox_image.inspector import framed, rendering  # noqa: F401
    began = time.monotonic()
    runs = globals()[what](folder, outputs)
    print(json.dumps({"seconds": time.monotonic() - began, "runs": runs}))  # noqa: T201  # its answer


if __name__ == "__main__":
    main()
