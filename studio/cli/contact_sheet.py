"""`studio contact-sheet`: many results of one kind side by side, for whoever changes a recipe."""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import click

from studio.brief import MAX_SEED, Brief, RunOptions
from studio.cli.order import model_for, read_brief_file
from studio.cli.recording import printable
from studio.cli.working import work_here
from studio.contract import Report
from studio.errors import InspectorError
from studio.examples import random_brief
from studio.inspection import archive
from studio.kinds import get_kind, parse_brief
from studio.pipeline.work import Order
from studio.sandboxes import engine_for
from studio.sandboxes.types import SandboxSpec, Upload
from studio.settings import Settings

FORMATS = {".png": "png", ".jpg": "jpeg", ".jpeg": "jpeg", ".webp": "webp"}
MOST = 100
LIMIT_S = 120.0
SHEET_BYTES = 64 << 20
FOLDER = "/tmp/sheet"  # in the sandbox


@dataclass(frozen=True)
class Cell:
    """One result: its preview (None where there is none), and what stands below it."""

    picture: bytes | None
    title: str
    note: str
    good: bool


@click.command()
@click.argument("kind")
@click.option("--briefs", type=click.Path(path_type=Path, exists=True, file_okay=False), help="A folder of *.json.")
@click.option("--random", "count", type=click.IntRange(1, MOST), help="So many random briefs, in several languages.")
@click.option("--from", "first", type=click.IntRange(0, MAX_SEED), default=1, help="Other random briefs.")
@click.option("--seed", type=click.IntRange(0, MAX_SEED), help="One seed for all. [default: from each brief]")
@click.option("--model", default="recipe", help="recipe, or what `studio make --model` takes.")
@click.option("--columns", type=click.IntRange(1, 12), default=4, show_default=True)
@click.option("--out", type=click.Path(path_type=Path), required=True, help="A .png, .jpg or .webp file.")
@click.option("--keep", type=click.Path(path_type=Path), help="A folder for the results themselves.")
def command(
    kind: str,
    briefs: Path | None,
    count: int | None,
    first: int,
    seed: int | None,
    model: str,
    columns: int,
    out: Path,
    keep: Path | None,
) -> int:
    """Make KIND from many briefs, and put the pictures on one page.

    Exit code 0 when every result is published, 4 otherwise; the page shows those too, with the reason.
    """
    if (briefs is None) == (count is None):
        raise click.UsageError("give either --briefs FOLDER or --random N")
    if out.suffix.lower() not in FORMATS:
        raise click.UsageError(f"--out {out} must end in {', '.join(FORMATS)}")
    get_kind(kind)
    settings = Settings()
    wanted = _of_folder(kind, briefs) if briefs else [random_brief(kind, first, each) for each in range(count or 0)]
    with tempfile.TemporaryDirectory(prefix="studio-sheet-") as scratch:
        Path(scratch).chmod(0o755)  # the sandbox's unprivileged user reads from here
        cells = []
        for number, brief in enumerate(wanted, start=1):
            click.echo(f"{number} of {len(wanted)}: {printable(brief.title, 80)}", err=True)
            cells.append(_made(brief, seed, model, (keep or Path(scratch)) / f"{number:03}", settings))
        out.write_bytes(_sheet(cells, f"{get_kind(kind).label} · {model} · {len(cells)}", columns, out, settings))
    good = sum(cell.good for cell in cells)
    click.echo(f"{good} of {len(cells)} published: {out}")
    return 0 if good == len(cells) else 4


def _of_folder(kind: str, folder: Path) -> list[Brief]:
    found = [parse_brief(read_brief_file(path)) for path in sorted(folder.glob("*.json"))]
    found = [brief for brief in found if brief.kind == kind]
    if not found:
        raise click.UsageError(f"--briefs {folder} holds no *.json brief of {kind!r}")
    return found


def _made(brief: Brief, seed: int | None, model: str, folder: Path, settings: Settings) -> Cell:
    run = RunOptions(model=model)
    own = get_kind(brief.kind).default_seed(brief) if seed is None else seed
    order = Order("contact-sheet", brief, run, (), model_for(brief, run, settings), seed=own)
    outcome = work_here(order, folder, settings, say=lambda text: None).outcome
    picture = folder / "previews" / "thumbnail.webp"
    words = "published" if outcome.state == "published" else f"{outcome.state}: {_why(outcome.report, outcome.message)}"
    return Cell(
        picture=picture.read_bytes() if picture.is_file() else None,
        title=brief.title,
        note=f"{brief.language} · seed {own} · {words}",
        good=outcome.state == "published",
    )


def _why(report: Report | None, message: str) -> str:
    failed = Counter(finding.id for finding in report.failed) if report else {}
    return ", ".join(failed) or message


def _sheet(cells: list[Cell], heading: str, columns: int, out: Path, settings: Settings) -> bytes:
    """The page as a picture, drawn in a sandbox: the previews show what a model made."""
    described = {
        "heading": heading,
        "columns": min(columns, len(cells)),
        "cells": [
            {
                "picture": f"{number}.webp" if cell.picture else None,
                "title": cell.title,
                "note": cell.note,
                "good": cell.good,
            }
            for number, cell in enumerate(cells)
        ],
    }
    files = [
        Upload(f"{FOLDER}/inspector.zip", archive()),
        Upload(f"{FOLDER}/sheet.json", json.dumps(described).encode()),
        *(Upload(f"{FOLDER}/{number}.webp", cell.picture) for number, cell in enumerate(cells) if cell.picture),
    ]
    sandbox = engine_for(settings).start(SandboxSpec(owner="contact-sheet"))
    try:
        sandbox.upload(files)
        program = f"import sys; sys.path.insert(0, {FOLDER + '/inspector.zip'!r}); sys.argv[0] = ''; import runpy; "
        program += "runpy.run_module('sandbox_image.inspector.contact_sheet', run_name='__main__')"
        argv = ["python3", "-I", "-c", program, FOLDER, FORMATS[out.suffix.lower()]]
        status, picture, words = sandbox.run(argv, timeout_s=LIMIT_S, limit=SHEET_BYTES)
    finally:
        sandbox.kill()
    if status != 0 or not picture:
        raise InspectorError(f"the page of pictures could not be drawn: {words.decode('utf-8', 'replace')[-400:]}")
    return picture
