"""`studio export`: the record of a run in a form that others read."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Literal, cast
from uuid import UUID

import click

from studio.cli.remote import connect, remote_options
from studio.errors import BriefError, Problem
from studio.models.recording import read_lines
from studio.pipeline.exporting import Form, export
from studio.trajectory import encode


@click.command()
@click.argument("source", metavar="JOB|TRAJECTORY")
@click.option("--format", "form", type=click.Choice(["studio", "atif", "openai"]), default="atif", show_default=True)
@click.option("--out", type=click.Path(dir_okay=False, path_type=Path), help="File to write, else standard output.")
@remote_options
def command(source: str, form: str, out: Path | None, url: str | None, key: str | None) -> None:
    """Give the record of a run as `studio` (JSON Lines), `atif` (Agent Trajectory Interchange Format) or `openai`.

    The source is a trajectory.jsonl, or the id of a job of a served studio. ATIF and OpenAI messages hold the last
    attempt; `studio replay` takes all three.
    """
    path = Path(source)
    if path.is_file():
        _write(_of_file(path, form), out)
    elif _is_id(source):
        with connect(url, key) as studio:
            _write(studio.trajectory(source, cast("Form | Literal['studio']", form)), out)
    else:
        raise BriefError([Problem("", f"{source} is neither a file nor the id of a job")])


def _of_file(path: Path, form: str) -> Iterator[bytes]:
    items = read_lines(path)
    if form == "studio":
        for item in items:
            yield encode(item).encode() + b"\n"
    else:
        yield export(iter(items), cast("Form", form)).encode("utf-8", "replace") + b"\n"


def _is_id(text: str) -> bool:
    try:
        UUID(text)
    except ValueError:
        return False
    return True


def _write(chunks: Iterable[bytes], out: Path | None) -> None:
    chunks = iter(chunks)
    first = next(chunks, b"")  # a record that cannot be had leaves no file
    if out is None:
        for chunk in (first, *chunks):
            sys.stdout.buffer.write(chunk)
        sys.stdout.buffer.flush()
        return
    try:
        with out.open("wb") as file:
            file.write(first)
            file.writelines(chunks)
    except OSError as error:
        raise click.UsageError(f"--out {out} cannot be written: {error.strerror}") from None
