"""`studio replay`: a recorded run done again in a fresh sandbox, and compared with its record."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import click

from studio.brief import Brief, InputFile, Limits, RunOptions
from studio.cli.order import build_run, check_named_attachments, gather_inputs, read_brief_file
from studio.cli.recording import FileRecorder, printable
from studio.cli.result_folder import TRAJECTORY, prepare, refuse_loss, refuse_strange, write_results
from studio.cli.working import exit_code, say, work_here
from studio.errors import SandboxLost
from studio.kinds import get_kind, parse_brief
from studio.models import Recording, ReplayModel, read_recording
from studio.pipeline.comparison import Compared, compare
from studio.pipeline.rerun import rerun
from studio.pipeline.work import Order
from studio.sandboxes import engine_for
from studio.settings import Settings
from studio.trajectory import Header, MadeBy, ToolResult

FAILED = 4


@click.command()
@click.argument("trajectory", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--brief", "brief_file", type=click.Path(path_type=Path, allow_dash=True), help="Judge it by this brief.")
@click.option("--attach", multiple=True, type=click.Path(path_type=Path), help="A file for /testbed/input.")
@click.option("--document", multiple=True, type=click.Path(path_type=Path), help="A file for /testbed/documents.")
@click.option(
    "--run", "run_assignments", multiple=True, metavar="PATH=VALUE", help="A run option, as limits.time_s=60."
)
@click.option("--engine", help="What starts sandboxes: auto, docker or local.")
@click.option("--out", required=True, type=click.Path(path_type=Path), help="Folder of the result.")
@click.option(
    "--force", is_flag=True, help="Use --out though it holds other things; what has a name of the result is replaced."
)
@click.option("--json", "as_json", is_flag=True, help="Print the result as one JSON object.")
def command(
    trajectory: Path,
    brief_file: Path | None,
    attach: tuple[Path, ...],
    document: tuple[Path, ...],
    run_assignments: tuple[str, ...],
    engine: str | None,
    out: Path,
    force: bool,
    as_json: bool,
) -> int:
    """Do the calls of TRAJECTORY again, and compare.

    TRAJECTORY is a trajectory.jsonl, messages in the OpenAI chat form, or ATIF. With a brief (given, or in its header)
    the outputs are judged as `make` judges them. With neither, the exit code is 0 when the calls end with a submit and
    the outputs hold a file. Differences from the recorded results are reported, and written to comparison.json.
    """
    settings = Settings()
    recording = read_recording(trajectory)
    brief = _brief(brief_file, recording)
    run = build_run((*_room(recording, settings), *run_assignments), "recipe", engine, settings)
    inputs = gather_inputs(attach, document)
    made_by = MadeBy(replay_of=recording.origin or trajectory.name)
    refuse_strange(out, force)
    refuse_loss(out, (trajectory, *attach, *document))
    if brief is None:
        return _bare(recording, made_by, inputs, run, out, settings, as_json)
    check_named_attachments(brief, inputs)
    order = Order(
        job_id="command-line",
        brief=brief,
        run=run.model_copy(update={"model": f"replay:{trajectory.name}"}),
        inputs=inputs,
        model=ReplayModel(recording.replies, made_by),
        seed=_seed(brief, run, recording),
    )
    finished = work_here(order, out, settings)
    compared = _report_differences(recording, finished.results, out)
    if as_json:
        click.echo(json.dumps({**finished.as_json(), **_summary(compared)}, ensure_ascii=True))
    else:
        click.echo(finished.line())
    return exit_code(finished.outcome)


def _brief(file: Path | None, recording: Recording) -> Brief | None:
    if file is not None:
        return parse_brief(read_brief_file(file))
    if recording.header is None or recording.header.brief is None:
        return None
    return parse_brief(recording.header.brief)


def _room(recording: Recording, settings: Settings) -> list[str]:
    """Run options that give a replay the steps, repairs and times that the recorded run had; given ones come after."""
    steps = max(Limits().steps, len(recording.replies))
    submits = sum(call.name == "submit" for call in recording.calls)
    repairs = max(RunOptions().repairs, submits - 1)
    room = [f"limits.steps={min(steps, settings.max_steps)}", f"repairs={min(repairs, settings.max_repairs)}"]
    recorded = recording.header.run.get("limits") if recording.header else None
    for name, most in (("time_s", settings.max_time_s), ("command_s", settings.max_command_s)):
        before = recorded.get(name) if isinstance(recorded, dict) else None
        if isinstance(before, int) and before >= 10:
            room.append(f"limits.{name}={min(before, most)}")
    return room


def _seed(brief: Brief, run: RunOptions, recording: Recording) -> int:
    """The asked seed, else the recorded one, else the brief's own."""
    if run.seed is not None:
        return run.seed
    recorded = recording.header.run.get("seed") if recording.header else None
    return recorded if isinstance(recorded, int) else get_kind(brief.kind).default_seed(brief)


def _bare(
    recording: Recording,
    made_by: MadeBy,
    inputs: tuple[InputFile, ...],
    run: RunOptions,
    out: Path,
    settings: Settings,
    as_json: bool,
) -> int:
    engine = engine_for(settings, run.engine)
    header = Header(image_digest=engine.image_digest(), made_by=made_by)
    prepare(out, say, settings.secrets)
    write_results(out, None, None)
    recorder = FileRecorder(out / TRAJECTORY, header, say)
    try:
        ended = rerun(recording, made_by, inputs, run, engine, recorder, out)
        done = ended.submitted and bool(ended.files)
        message = ended.message or _why(ended.submitted, ended.files)
    except SandboxLost as error:
        ended, done, message = None, False, f"the sandbox was lost: {error}"
    except KeyboardInterrupt:
        say(f"interrupted; what is there is in {out}")
        raise
    finally:
        recorder.close()
    compared = _report_differences(recording, recorder.results, out)
    if as_json:
        files = list(ended.files) if ended else []
        value = {"state": "replayed" if done else "failed", "message": message, "out": str(out), "files": files}
        click.echo(json.dumps({**value, **_summary(compared)}, ensure_ascii=True))
    else:
        click.echo(f"{'replayed' if done else 'failed'}  {printable(message, 200)}  {out}")
    return 0 if done else FAILED


def _why(submitted: bool, files: Sequence[str]) -> str:
    if not submitted:
        return "the calls do not end with a submit"
    return f"{len(files)} files" if files else "the output folder is empty"


def _report_differences(recording: Recording, now: Sequence[ToolResult], out: Path) -> list[Compared]:
    compared = compare(recording.calls, recording.results, now)
    text = json.dumps([asdict(item) for item in compared], ensure_ascii=False, indent=2)
    (out / "comparison.json").write_bytes(text.encode("utf-8", "replace") + b"\n")
    for item in compared:
        if item.verdict in {"differs", "not reached"}:
            detail = f": {printable(item.detail, 300)}" if item.detail else ""
            say(f"call {item.number} ({printable(item.name, 40)}) {item.verdict}{detail}")
    say(_told(compared, any(result is not None for result in recording.results)))
    return compared


def _told(compared: Sequence[Compared], recorded: bool) -> str:
    if not recorded:
        return "the recording holds no results, so there was nothing to compare with"
    same = sum(item.verdict == "same" for item in compared)
    without = sum(item.verdict == "unrecorded" for item in compared)
    return f"{same} of {len(compared)} results are as recorded" + (
        f"; of {without} there is no record" if without else ""
    )


def _summary(compared: Sequence[Compared]) -> dict[str, int]:
    return {
        "calls": len(compared),
        "same": sum(item.verdict == "same" for item in compared),
        "different": sum(item.verdict == "differs" for item in compared),
    }
