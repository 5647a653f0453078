"""What goes into a sandbox before a run, and what is kept of it afterwards."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path

from studio.brief import Brief, InputFile, Limits
from studio.contract import MAX_FILES, MAX_OUTPUT_BYTES
from studio.errors import SandboxRefused
from studio.sandboxes.types import (
    DOCUMENTS,
    INPUT,
    WORKSPACE,
    Manifest,
    ManifestEntry,
    Network,
    Profile,
    Sandbox,
    SandboxSpec,
    Upload,
)

MIB = 1 << 20
MAX_SCRIPT_BYTES = 20 * MIB
MAX_SCRIPTS = 200
NOT_SCRIPTS = ("input/", "documents/", "output/")  # below /testbed
CACHES = frozenset({"__pycache__", "node_modules", ".cache", ".git", ".venv", ".config", ".local"})


def sandbox_spec(limits: Limits, owner: str, network: Network = "none", profile: Profile = "full") -> SandboxSpec:
    """The computer that these limits and this network ask for."""
    return SandboxSpec(
        memory_bytes=limits.memory_mb * MIB,
        workspace_bytes=limits.workspace_mb * MIB,
        command_s=limits.command_s,
        owner=owner,
        network=network,
        profile=profile,
    )


def uploads(brief: Brief | None, seed: int, inputs: Sequence[InputFile]) -> Iterator[Upload]:
    """What a run starts with: attachments; with a brief also brief.json, and run.json with what programs may use."""
    for file in inputs:
        folder = INPUT if file.role == "input" else DOCUMENTS
        yield Upload(str(folder / file.name), file.path)
    if brief is not None:
        yield Upload(str(INPUT / "brief.json"), brief_json(brief))
        yield Upload(str(INPUT / "run.json"), json.dumps({"seed": seed}).encode() + b"\n")


def brief_json(brief: Brief) -> bytes:
    """The brief as the sandbox and the result's folder hold it."""
    text = json.dumps(brief.model_dump(mode="json"), ensure_ascii=False, indent=2)
    return text.encode("utf-8", "replace") + b"\n"


def over_limits(manifest: Manifest, max_files: int = MAX_FILES, max_bytes: int = MAX_OUTPUT_BYTES) -> str | None:
    """Why the outputs are too many or too large to be fetched, or None when they are not."""
    count = sum(1 for entry in manifest.entries if entry.type != "directory")
    size = sum(entry.size for entry in manifest.files)
    if manifest.truncated or count > max_files:
        more = "more than " if manifest.truncated else ""
        return f"{more}{count} files; at most {max_files} are allowed"
    if size > max_bytes:
        return f"{size} bytes in all; at most {max_bytes} are allowed"
    return None


def fetch_outputs(sandbox: Sandbox, manifest: Manifest, folder: Path, limit: int) -> list[str]:
    """The regular files of `manifest` in `folder`, which holds nothing else afterwards.

    Raises SandboxRefused when they grew above `limit` bytes meanwhile.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    return sandbox.download(manifest, folder, limit=limit)


def keep_scripts(sandbox: Sandbox, folder: Path) -> list[str]:
    """The agent's own files under /testbed, the smallest first, within MAX_SCRIPT_BYTES and MAX_SCRIPTS."""
    everything = sandbox.manifest(str(WORKSPACE))
    kept: list[ManifestEntry] = []
    total = 0
    for entry in sorted((entry for entry in everything.files if _is_script(entry)), key=lambda entry: entry.size):
        total += entry.size
        if total > MAX_SCRIPT_BYTES or len(kept) == MAX_SCRIPTS:
            break
        kept.append(entry)
    if not kept:
        return []
    folder.mkdir(parents=True, exist_ok=True)
    try:
        return sandbox.download(Manifest(tuple(kept)), folder, root=str(WORKSPACE), limit=MAX_SCRIPT_BYTES)
    except SandboxRefused:  # something still grows; what was fetched until then stays
        return []


def _is_script(entry: ManifestEntry) -> bool:
    return entry.encodable and not entry.path.startswith(NOT_SCRIPTS) and not CACHES.intersection(entry.path.split("/"))
