"""`studio batch`: hand many briefs to a running studio, from a file of lines or a table."""

from __future__ import annotations

import shutil
import sys
import tempfile
import time
import zipfile
from pathlib import Path

import click

from studio.brief import JsonObject
from studio.cli.assignments import assign
from studio.cli.order import read_brief_file
from studio.cli.recording import printable
from studio.cli.remote import connect, remote_options
from studio.client import Batch, NoAnswer, Studio, safe_path
from studio.errors import BriefError, Problem, StudioError

POLL_S = 1.0
GIVE_UP_S = 60.0
_SHOWN_ERRORS = 50
# The exit code that a line's end stands for; the batch's is the worst of them (ARCHITECTURE.md).
_CODES = {"published": 0, "refused": 2, "rejected": 3}


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--kind", help="The kind of every brief that does not name one.")
@click.option("--template", type=click.Path(path_type=Path), help="A brief (JSON) whose fields the lines fill.")
@click.option("--model", help="recipe, a name of studio.toml, openai:MODEL or replay:JOB.")
@click.option("--run", "runs", multiple=True, metavar="PATH=VALUE", help="Set a run option of every line, e.g. seed=7.")
@click.option("--tag", "tags", multiple=True, help="A tag of every job; may be given several times.")
@click.option("--name", help="What the batch is called. [default: the file's name]")
@click.option(
    "--strategy",
    type=click.Choice(["each", "model_then_recipe"]),
    help="model_then_recipe: the first line by its model, the others by the recipe of its accepted work.",
)
@click.option("--otherwise", type=click.Choice(["reject", "model"]), help="Who tries a line that this recipe cannot.")
@click.option("--idempotency-key", help="Sent again with the same key and file, no second batch is made.")
@click.option("--watch", is_flag=True, help="Wait for the end; the exit code is the worst of its lines'.")
@click.option("--download", type=click.Path(path_type=Path), help="Wait, then put all files into this folder.")
@click.option("--json", "as_json", is_flag=True, help="Print the batch as JSON at the end.")
@remote_options
def command(
    file: Path,
    kind: str | None,
    template: Path | None,
    model: str | None,
    runs: tuple[str, ...],
    tags: tuple[str, ...],
    name: str | None,
    strategy: str | None,
    otherwise: str | None,
    idempotency_key: str | None,
    watch: bool,
    download: Path | None,
    as_json: bool,
    url: str | None,
    key: str | None,
) -> int:
    """Hand the lines of FILE to a running studio, each a brief: JSON Lines, a JSON array, or CSV with a header.

    Columns fill fields by their names (venue, event.name, params.palette.primary, run.seed) over --template. A line
    that does not hold is told with its number; the others run.

    Exit code, with --watch or --download: the worst of its lines' (0 published, 2 refused, 3 rejected, 4 failed,
    canceled or expired, 5 inspector error).
    """
    run: JsonObject = {}
    assign(run, runs, "run")
    if model is not None:
        run["model"] = model
    brief = read_brief_file(template) if template is not None else None
    _refuse_unreadable(file)
    if download is not None and download.exists() and not download.is_dir():
        raise click.UsageError(f"--download {download} is not a folder")
    with connect(url, key) as studio:
        batch = studio.batch(
            file,
            kind=kind,
            template=brief,
            run=run,
            tags=tags,
            name=name,
            key=idempotency_key,
            strategy=strategy,
            otherwise=otherwise,
        )
        click.echo(f"{_told(batch)}\n{studio.url}/batches/{batch.id}", err=True)
        if not watch and download is None:
            click.echo(batch.model_dump_json() if as_json else batch.id)
            _tell_errors(studio, batch)
            return 0
        batch = _watched(studio, batch)
        code = _tell_errors(studio, batch)
        if download is not None:
            _unpacked(studio, batch, download)
        click.echo(batch.model_dump_json() if as_json else batch.id)
        return code


def _refuse_unreadable(file: Path) -> None:
    try:
        with file.open("rb"):
            return
    except OSError as error:
        raise BriefError([Problem("/file", f"{str(file)!r} cannot be read: {error.strerror or error}")]) from None


def _told(batch: Batch) -> str:
    """A batch in one line."""
    counts = ", ".join(f"{number} {name}" for name, number in batch.counts.items() if number and name != "total")
    name = f"  {printable(batch.name)}" if batch.name else ""
    return f"{batch.state}  {batch.done} of {batch.counts.get('total', 0)} ({counts}){name}  {batch.id}"


def _watched(studio: Studio, batch: Batch) -> Batch:
    """The batch at its end; each change is told on the way. A studio that starts anew is waited for."""
    told = _told(batch)
    reached = time.monotonic()
    while not batch.ended:
        time.sleep(POLL_S)
        try:
            batch = studio.batch_state(batch.id)
            reached = time.monotonic()
        except NoAnswer:
            if time.monotonic() - reached > GIVE_UP_S:
                raise
        if (line := _told(batch)) != told:
            click.echo(line, err=True)
            sys.stderr.flush()
            told = line
    if batch.message:
        click.echo(printable(batch.message, 400), err=True)
    return batch


def _tell_errors(studio: Studio, batch: Batch) -> int:
    """Tell the lines that gave no accepted work; the worst exit code among all lines."""
    worst = 0
    for count, line in enumerate(studio.line_errors(batch.id), start=1):
        worst = max(worst, 5 if line.get("reason") == "inspector_error" else _CODES.get(str(line.get("state")), 4))
        if count <= _SHOWN_ERRORS:
            click.echo(_line_told(line), err=True)
        elif count == _SHOWN_ERRORS + 1:
            click.echo(f"… more of them: {studio.url}/batches/{batch.id}", err=True)
    return worst


def _line_told(line: JsonObject) -> str:
    problems = [f"{item.get('pointer') or '/'}: {item.get('detail')}" for item in line.get("errors", ())]
    said = "; ".join(problems) or str(line.get("message") or line.get("reason") or "")
    number, own = line.get("line"), line.get("custom_id")
    called = f" ({own})" if str(own) != str(number) else ""
    return printable(f"line {number}{called} {line.get('state')}: {said}", 600)


def _unpacked(studio: Studio, batch: Batch, folder: Path) -> None:
    """All files of the batch in `folder`; nothing is written outside of it."""
    with tempfile.NamedTemporaryFile(suffix=".zip") as held:
        studio.batch_archive(batch.id, Path(held.name))
        try:
            with zipfile.ZipFile(held.name) as packed:
                for info in packed.infolist():
                    target = folder / safe_path(info.filename)
                    target.parent.mkdir(parents=True, exist_ok=True)
                    with packed.open(info) as source, target.open("wb") as out:
                        shutil.copyfileobj(source, out)
        except zipfile.BadZipFile:
            raise StudioError("the archive that came is not whole; ask for it again with --download") from None
        except OSError as error:
            raise click.UsageError(f"--download {folder} cannot be used: {error.strerror or error}") from None
