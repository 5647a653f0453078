"""`studio-check` in the agent's own sandbox: what the inspection will measure, at hand before a submit."""

from __future__ import annotations

from pathlib import Path

import sandbox_image
from studio.brief import Brief
from studio.contract import Contract
from studio.inspection import archive
from studio.sandboxes.types import Sandbox, Upload

FOLDER = "/home/studio/.studio-check"
DEFINE = f'studio-check() {{ python3 -I {FOLDER}/self_check.py "$@"; }}; export -f studio-check'


def install(sandbox: Sandbox, brief: Brief, contract: Contract) -> None:
    """Put the checks into the sandbox and define the command in its shell."""
    program = Path(sandbox_image.__file__).with_name("self_check.py").read_bytes()
    files = {
        "inspector.zip": archive(),
        "contract.json": contract.model_dump_json().encode(),
        "brief.json": brief.model_dump_json().encode(),
        "self_check.py": program,
    }
    sandbox.upload(Upload(f"{FOLDER}/{name}", content) for name, content in files.items())
    sandbox.execute(DEFINE, 10.0)
