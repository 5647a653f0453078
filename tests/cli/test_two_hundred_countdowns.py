"""Two hundred countdowns from a spreadsheet, by the command line, while the worker is killed twice on the way."""

from __future__ import annotations

import csv
import json
import os
import re
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.support.started import STUDIO, Started, answer

LINES, GROWTH = 200, 1.3
TEMPLATE = {
    "kind": "countdown_video",
    "params": {"start": 3, "duration_s": 4.5, "width": 320, "height": 180, "fps": 10, "music": False},
}
BAD = {
    20: {"name": ""},
    50: {"name": "Odd frames", "fps": "many"},
    80: {"name": "Backwards", "start": "1", "end": "4"},
    110: {"name": "Too short", "duration_s": "0.5"},
    140: {"name": "Odd width", "width": "321"},
    170: {"name": "Colour", "primary": "reddish"},
    199: {"name": "Same line", "custom_id": "birthday-3"},
}
COLUMNS = ("custom_id", "name", "start", "end", "duration_s", "width", "fps", "primary")

pytestmark = pytest.mark.slow


@pytest.fixture
def up(tmp_path: Path) -> Iterator[Started]:
    started = Started(["up"], tmp_path / "data", STUDIO_LEASE_S="20")
    yield started
    started.process.send_signal(signal.SIGINT)
    started.finish(60)


def spreadsheet(path: Path) -> None:
    """Two hundred lines as a spreadsheet program of western Europe saves them: semicolons, and a mark at the start."""
    with path.open("w", encoding="utf-8-sig", newline="") as out:
        table = csv.DictWriter(out, COLUMNS, delimiter=";", restval="")
        table.writeheader()
        for number in range(1, LINES + 1):
            good = {"custom_id": f"birthday-{number}", "name": f"Luna {number}"}
            table.writerow({**good, **BAD.get(number, {})})


def memory_mb(up: Started, program: str) -> float:
    """The proportional memory of the studio's processes that run `program`, in MB (proc(5), smaps_rollup)."""
    total = 0
    for pid in members(up, program):
        try:
            shares = Path(f"/proc/{pid}/smaps_rollup").read_text()
        except OSError:
            continue  # it ended meanwhile
        found = re.search(r"^Pss:\s+(\d+) kB", shares, re.MULTILINE)
        total += int(found[1]) if found else 0
    return total / 1024


def members(up: Started, program: str) -> list[int]:
    found = []
    for pid in up.members():
        try:
            line = Path(f"/proc/{pid}/cmdline").read_bytes()
        except OSError:
            continue
        if program.encode() in line:
            found.append(pid)
    return found


def counts(url: str) -> dict[str, int]:
    """The counts of the one batch, as the API gives them; the web's answer is waited for."""
    for _ in range(60):
        try:
            batches = httpx.get(f"{url}/api/v1/batches", timeout=30.0).json()["data"]
            return dict(batches[0]["counts"]) if batches else {}
        except httpx.TransportError:
            time.sleep(1.0)
    raise AssertionError(f"{url} does not answer")


def test_each_line_comes_to_its_end_once_and_memory_stays_flat(up: Started, tmp_path: Path) -> None:
    spreadsheet(tmp_path / "guests.csv")
    (tmp_path / "template.json").write_text(json.dumps(TEMPLATE))
    url = up.line(r"(http://localhost:\d+)")[1]
    assert answer(f"{url}/readyz").status_code == 200
    words = [*STUDIO, "batch", "guests.csv", "--template", "template.json", "--model", "recipe", "--watch"]
    sending = subprocess.Popen(
        [*words, "--download", "made", "--url", url],
        cwd=tmp_path,
        env={**os.environ},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    samples: list[tuple[int, float, float]] = []
    kills = [LINES // 5, LINES // 2]
    while sending.poll() is None:
        time.sleep(2.0)
        done = counts(url).get("published", 0)
        if kills and done >= kills[0]:
            kills.pop(0)
            for pid in members(up, "tasks.worker"):
                os.kill(pid, signal.SIGKILL)
        samples.append((done, memory_mb(up, "gunicorn"), memory_mb(up, "tasks.worker")))
    out, err = sending.communicate()
    table = "\n".join(
        f"{done:4} published  web {web:6.1f} MB  worker {worker:6.1f} MB" for done, web, worker in samples
    )
    (tmp_path / "memory.txt").write_text(table)

    assert not kills, "both kills came while it ran"
    assert sending.returncode == 2, f"seven lines are refused: {err}"
    told = sorted(int(number) for number in re.findall(r"^line (\d+)\b.* refused: /\S+: .+$", err, re.MULTILINE))
    assert told == [number + 1 for number in BAD], err  # the header is line 1
    found = counts(url)
    assert (found["published"], found["refused"]) == (LINES - len(BAD), len(BAD)), found
    films = list((tmp_path / "made").rglob("countdown.mp4"))
    assert len(films) == LINES - len(BAD)
    assert len({film.parent for film in films}) == len(films), "each line has one folder of its own"

    for column, name in ((1, "web"), (2, "worker")):
        after_kills = [sample[column] for sample in samples if sample[0] >= LINES * 0.6]
        third = len(after_kills) // 3
        early, late = max(after_kills[:third]), max(after_kills[-third:])
        assert late <= early * GROWTH, f"{name}: {early:.0f} MB, then {late:.0f} MB\n{table}"
