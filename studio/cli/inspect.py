"""`studio inspect`: judge a folder of files by a brief, in this process, without a database."""

from __future__ import annotations

import json
import tempfile
from collections import Counter
from pathlib import Path

import click
from pydantic import JsonValue

from studio.brief import Brief
from studio.cli.delivered import stage, take_manifest
from studio.cli.order import gather_inputs, read_brief_file
from studio.cli.recording import printable
from studio.contract import Finding, Report
from studio.inspection import inspect
from studio.kinds import get_kind, parse_brief
from studio.kinds.titles import default_title
from studio.sandboxes import engine_for
from studio.sandboxes.types import Manifest
from studio.settings import Settings

EXIT_CODES = {"accept": 0, "reject": 3, "error": 5}
_MARKS = {"pass": "ok", "fail": "FAIL", "error": "ERROR"}


@click.command()
@click.argument("directory", metavar="DIR", type=click.Path(path_type=Path))
@click.option(
    "--brief", "brief_file", required=True, type=click.Path(path_type=Path, allow_dash=True), help="The brief, in JSON."
)
@click.option("--attach", multiple=True, type=click.Path(path_type=Path), help="A file that the brief names.")
@click.option("--document", multiple=True, type=click.Path(path_type=Path), help="A document that the brief came with.")
@click.option(
    "--engine", type=click.Choice(["auto", "docker", "local"]), default="auto", help="What starts the sandbox."
)
@click.option("--previews", type=click.Path(path_type=Path), help="Keep the pictures that the inspection makes here.")
@click.option("--json", "as_json", is_flag=True, help="Print the report alone.")
def command(
    directory: Path,
    brief_file: Path,
    attach: tuple[Path, ...],
    document: tuple[Path, ...],
    engine: str,
    previews: Path | None,
    as_json: bool,
) -> int:
    """Judge the files in DIR by a brief, in a fresh sandbox.

    Exit code 0: accepted, 3: rejected, 5: the inspector could not measure everything, 2: a bad brief.
    """
    brief = _brief(brief_file)
    inputs = gather_inputs(attach, document)
    if previews is not None:
        _make_folder(previews)
    manifest = take_manifest(directory)
    contract = get_kind(brief.kind).contract(brief)
    total = sum(entry.size for entry in manifest.files)
    within = not manifest.truncated and len(manifest.files) <= contract.max_files and total <= contract.max_bytes
    with tempfile.TemporaryDirectory(prefix="studio-inspect-") as scratch:
        staged = Path(scratch) / "output"
        # The sandbox's unprivileged user reads them from here.
        Path(scratch).chmod(0o755)
        stage(directory, manifest if within else Manifest(), staged)
        report = inspect(
            engine_for(Settings(), engine),
            brief,
            contract,
            staged,
            manifest,
            inputs,
            previews or Path(scratch) / "previews",
        )
    if as_json:
        click.echo(json.dumps(report.model_dump(mode="json", by_alias=True), indent=2))
    else:
        click.echo(table(report))
    return EXIT_CODES[report.verdict]


def _make_folder(previews: Path) -> None:
    try:
        previews.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise click.UsageError(f"--previews {previews} cannot be used: {error.strerror}") from None


def _brief(file: Path) -> Brief:
    value = read_brief_file(file)
    if "title" not in value and isinstance(value.get("kind"), str):
        value["title"] = default_title(get_kind(value["kind"]), value.get("params"))
    return parse_brief(value)


def table(report: Report) -> str:
    """The report for a person: one line a check, then what to change, then what was not measured."""
    names = _names(report)
    width = max(map(len, names), default=0)
    lines = [_row(finding, name, width) for finding, name in zip(report.checks, names, strict=True)]
    for finding in report.failed:
        lines += ["", f"{finding.id}: {printable(finding.message, 1000)}"]
        if finding.expected:
            lines.append(f"  expected: {printable(finding.expected, 300)}")
    lines += ["", f"{report.verdict}, {report.elapsed_s:.1f} s. Not measured: {', '.join(report.unmeasured)}."]
    return "\n".join(lines)


def _words(measured: JsonValue) -> str:
    if isinstance(measured, dict):
        return ", ".join(f"{key} {value}" for key, value in measured.items())
    return str(measured)


def _names(report: Report) -> list[str]:
    """Each finding's id; with its file, where the contract has the check once for each of several."""
    times = Counter(finding.id for finding in report.checks)
    return [
        f"{finding.id} {printable(finding.place.file, 40)}" if times[finding.id] > 1 and finding.place else finding.id
        for finding in report.checks
    ]


def _row(finding: Finding, name: str, width: int) -> str:
    mark = "warn" if finding.verdict == "fail" and finding.severity == "should" else _MARKS[finding.verdict]
    measured = "" if finding.measured is None else printable(_words(finding.measured), 80)
    return f"{mark:5} {name:{width}}  {measured}".rstrip()
