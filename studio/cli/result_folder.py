"""The folder that `make` and `replay` leave: output/, previews/, scripts/, and the record beside them."""

from __future__ import annotations

import json
import logging
import shutil
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

import click

from studio.brief import Brief
from studio.contract import Report
from studio.pipeline.workplace import brief_json
from studio.secrets import MaskingFormatter

TRAJECTORY = "trajectory.jsonl"
OURS = ("output", "previews", "scripts", "brief.json", "report.json", "comparison.json", TRAJECTORY, "studio.log")


def free_folder(base: Path) -> Path:
    """`base`, or the first of base-2, base-3 … that is not there yet."""
    folder, number = base, 1
    while folder.exists():
        number += 1
        folder = base.with_name(f"{base.name}-{number}")
    return folder


def refuse_strange(folder: Path, force: bool) -> None:
    """Raises a usage error when `folder` holds something that no run left there: nothing is overwritten unasked."""
    try:
        if folder.exists() and not folder.is_dir():
            raise click.UsageError(f"--out {folder} is not a folder")
        if force or not folder.exists() or not any(folder.iterdir()) or _former(folder):
            return
    except OSError as error:
        raise click.UsageError(f"--out {folder} cannot be used: {error.strerror}") from None
    raise click.UsageError(
        f"--out {folder} is not empty and is no former result; choose another folder, or add --force to use it"
    )


def refuse_loss(folder: Path, needed: Iterable[Path]) -> None:
    """Raises a usage error when one of the files that are `needed` would be taken away with the former result."""
    places = [(folder / name).resolve() for name in OURS]
    for path in needed:
        found = path.resolve()
        if any(found == place or place in found.parents for place in places):
            raise click.UsageError(f"{path} lies in --out {folder}, where it would be replaced; choose another folder")


def prepare(folder: Path, say: Callable[[str], None], secrets: Sequence[str] = ()) -> None:
    """Make the folder, and take away what a former run left in it. `secrets` are kept out of its log."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        former = [folder / name for name in OURS if (folder / name).exists()]
        if former:
            say(f"replacing the former result in {folder}")
        for path in former:
            if path.is_dir() and not path.is_symlink():
                shutil.rmtree(path)
            else:
                path.unlink()
    except OSError as error:
        raise click.UsageError(f"--out {folder} cannot be used: {error.strerror}") from None
    _log_into(folder / "studio.log", secrets)


def write_results(folder: Path, brief: Brief | None, report: Report | None) -> None:
    """brief.json and, where there is one, report.json."""
    (folder / "output").mkdir(exist_ok=True)
    if brief is not None:
        (folder / "brief.json").write_bytes(brief_json(brief))
    if report is not None:
        text = json.dumps(report.model_dump(mode="json", by_alias=True), ensure_ascii=False, indent=2)
        (folder / "report.json").write_bytes(text.encode("utf-8", "replace") + b"\n")


def _former(folder: Path) -> bool:
    try:
        with (folder / TRAJECTORY).open(encoding="utf-8", errors="replace") as lines:
            return '"header"' in lines.readline(1 << 16)
    except OSError:
        return False


def _log_into(path: Path, secrets: Sequence[str]) -> None:
    """Faults of the studio go to a file beside the result; a person gets a sentence with a reference to it."""
    logger = logging.getLogger("studio")
    handler = logging.FileHandler(path, delay=True, encoding="utf-8")
    handler.setFormatter(MaskingFormatter(secrets))
    logger.addHandler(handler)
    logger.propagate = False
