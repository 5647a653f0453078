"""What the commands share that talk to a running studio: its address and key, and a job told in lines."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import Any, TypeVar

import click

from studio.cli.recording import printable
from studio.client import Job, Live, Studio
from studio.errors import StudioError
from studio.settings import Settings
from studio.trajectory import (
    Event,
    JobStarted,
    ModelFault,
    ModelReply,
    NetworkUsed,
    Note,
    Reported,
    StateChanged,
    ToolCalled,
    ToolResult,
)

Command = TypeVar("Command", bound=Callable[..., Any])
_SHOWN_CHARS = 400


def remote_options(function: Command) -> Command:
    """The options by which a studio is reached."""
    key = click.option("--key", help="Access key (STUDIO_API_KEY).")
    url = click.option("--url", help="Address of the studio (STUDIO_URL; default: the one on this machine).")
    return url(key(function))


def connect(url: str | None, key: str | None) -> Studio:
    """The studio that the options, else the settings name."""
    settings = Settings()
    host = f"[{settings.host}]" if ":" in settings.host else settings.host
    address = url or settings.url or f"http://{host}:{settings.port}"
    stored = settings.api_key.get_secret_value() if settings.api_key else None
    return Studio(address, key or stored)


def plain(text: str) -> str:
    """`text` for a terminal: what came out of a sandbox must not steer it. Line breaks and tabs stay."""
    return "".join(char if char in "\n\t" or char.isprintable() else "\N{REPLACEMENT CHARACTER}" for char in text)


def describe(job: Job) -> str:
    """A job in one line."""
    reason = f" ({job.reason})" if job.reason else ""
    return f"{job.state}{reason}  {job.kind}  {printable(job.title)}  {job.id}"


def exit_code(job: Job) -> int:
    """The exit code that tells how a job ended (ARCHITECTURE.md, "States and reasons")."""
    if job.state in ("published", "accepted"):
        return 0
    if job.state == "rejected":
        return 3
    return 5 if job.reason == "inspector_error" else 4


def page_of(studio: Studio, job: Job) -> str:
    """Where a person looks at a job, or at what it made."""
    return f"{studio.url}/artifacts/{job.artifact}" if job.artifact else f"{studio.url}/jobs/{job.id}"


def follow(studio: Studio, job_id: str, *, as_json: bool) -> int:
    """Tell what happens in a job until it has ended; the exit code of its end."""
    for item in studio.events(job_id):
        if as_json:
            if not isinstance(item, Live):
                click.echo(item.model_dump_json(by_alias=True))
                sys.stdout.flush()
        elif (line := tell(item)) is not None:
            click.echo(line)
            sys.stdout.flush()
    job = studio.job(job_id)
    if not job.ended:
        raise StudioError(f"the stream ended, but the job is {job.state}")
    if not as_json:
        if job.message:
            click.echo(plain(job.message), err=True)
        click.echo(f"{describe(job)}\n{page_of(studio, job)}", err=True)
    return exit_code(job)


def tell(event: Event | Live) -> str | None:
    """One event for a person who reads along; None for what is not worth a line."""
    if isinstance(event, Live):
        return None  # its end comes with the result
    at = f"{event.at.astimezone():%H:%M:%S}"
    text = _words(event)
    return None if text is None else f"{at}  {text}"


def _words(event: Event) -> str | None:
    match event:
        case StateChanged():
            return f"● {event.state}" + (f" ({event.reason})" if event.reason else "")
        case JobStarted():
            return f"  attempt {event.attempt} on {event.engine}, network: {event.network}"
        case ModelReply() if event.text.strip():
            return f"  “{printable(event.text, _SHOWN_CHARS)}”"
        case ModelFault():
            again = f"; again in {event.will_retry_in_s:g} s" if event.will_retry_in_s is not None else ""
            return f"  the model's provider: {printable(event.message, _SHOWN_CHARS)}{again}"
        case ToolCalled():
            return f"  $ {event.name} {printable(_arguments(event.arguments), _SHOWN_CHARS)}"
        case ToolResult():
            ended = f"exit {event.exit_status}" if event.exit_status is not None else ""
            state = "timed out" if event.timed_out else "failed" if event.is_error else ended
            return f"    {state or 'done'} in {event.seconds:.1f} s  {printable(event.output, _SHOWN_CHARS)}".rstrip()
        case Reported():
            failed = [finding.id for finding in event.report.failed if finding.severity == "must"]
            passed = sum(finding.verdict == "pass" for finding in event.report.checks)
            missed = f"; not: {', '.join(failed)}" if failed else ""
            return f"  inspected: {event.report.verdict}, {passed} of {len(event.report.checks)} checks hold{missed}"
        case NetworkUsed():
            did = f"fetched {event.bytes / 1e6:.1f} MB from" if event.admitted else "refused:"
            return f"    {did} {printable(event.host, _SHOWN_CHARS)}:{event.port}"
        case Note():
            return f"  note ({event.author}): {printable(event.text, _SHOWN_CHARS)}"
    return None


def _arguments(value: object) -> str:
    if isinstance(value, dict) and isinstance(value.get("command"), str):
        return " ".join(str(value[name]) for name in ("command", "path") if isinstance(value.get(name), str))
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
