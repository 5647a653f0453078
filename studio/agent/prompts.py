"""What a model is told at the start: the system prompt, and the task with the kind's own prompt."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path

from studio.brief import InputFile, RunOptions
from studio.models.types import Message

SYSTEM_NAME = "system/3"  # a new number with each change of meaning
SYSTEM = Path(__file__).with_name("system.md").read_text(encoding="utf-8")


def opening(
    kind_prompt: str, inputs: Sequence[InputFile], run: RunOptions, engine: str, lost: str | None = None
) -> list[Message]:
    """The first messages of a conversation. `kind_prompt` is the task in words; `lost` says why a sandbox is gone."""
    limits = run.limits
    parts = [kind_prompt.strip()]
    if inputs:
        listed = "\n".join(f"- {_place(file)} ({file.size} bytes)" for file in inputs)
        parts.append(f"Attachments:\n{listed}")
    parts.append(
        f"You have at most {limits.steps} steps, {limits.time_s} s and {limits.tokens} tokens in all, "
        f"{limits.command_s} s for one command, and {run.repairs} repairs after the first submit. Start by looking at "
        "/testbed/input/brief.json."
    )
    if run.network != "none":
        parts.append(_network(run, engine))
    if lost:
        parts.append(
            f"An earlier computer was lost while this task was under way ({lost}). This is a new, empty one: "
            "start again, and avoid what ended the first."
        )
    return [Message("system", SYSTEM), Message("user", "\n\n".join(parts))]


def _network(run: RunOptions, engine: str) -> str:
    """What can be fetched, in words."""
    apt = (
        "and, as you are root, `apt-get update` and `apt-get install -y NAME` work"
        if engine == "docker"
        else "works for your user; `apt-get` does not work"
    )
    words = f"Packages can be fetched, through a proxy: `pip install NAME` {apt}."
    if run.network == "open":
        return f"{words} So can http and https addresses of the public web, by programs that heed `https_proxy`."
    return f"{words} No other address is admitted."


def prompt_hashes(kind: str, kind_prompt: str, template: str = "") -> dict[str, str]:
    """Name → SHA-256 of each prompt, for a trajectory's header.

    `kind` is the name of the kind's prompt with its version, as poster/2. The prompt as it was told differs from brief
    to brief; its `template` is the same for all.
    """
    told = {SYSTEM_NAME: _sha256(SYSTEM), f"kind/{kind}": _sha256(kind_prompt)}
    return told | ({f"template/{kind}": _sha256(template)} if template else {})


def _place(file: InputFile) -> str:
    return f"/testbed/{'input' if file.role == 'input' else 'documents'}/{file.name}"


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "replace")).hexdigest()
