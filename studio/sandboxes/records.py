"""What this studio has started on this machine: one small file for each sandbox, so that what a killed worker left can
be found and removed."""

from __future__ import annotations

import contextlib
import hashlib
import os
import re
import secrets
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path

from pydantic import BaseModel, ValidationError

COMMAND_LINE = "command-line"


class Record(BaseModel):
    """Who started a sandbox for whom. A process is known by its id and the time of its start."""

    id: str
    owner: str
    starter: int
    starter_began: int
    process: int
    process_began: int


class Records:
    """The folder `<data_dir>/sandboxes`."""

    def __init__(self, data_dir: Path) -> None:
        self._data_dir = data_dir
        self._folder = data_dir / "sandboxes"

    @cached_property
    def studio(self) -> str:
        """What all sandboxes of this studio are known by: drawn once and kept in the data directory.

        Its path would not do: two studios in containers of their own may have the same one, and share an engine.
        """
        path = self._data_dir / "studio_id"
        with contextlib.suppress(OSError):
            if not path.exists():
                self._data_dir.mkdir(parents=True, exist_ok=True)
                fresh = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
                fresh.write_text(secrets.token_hex(6))
                with contextlib.suppress(FileExistsError):  # another process was quicker
                    os.link(fresh, path)
                fresh.unlink()
            known = path.read_text().strip()
            if re.fullmatch(r"[0-9a-f]{12}", known):
                return f"sandbox-studio-{known}"
        # A folder that cannot be written keeps nothing, and has nobody to share an engine with.
        return "sandbox-studio-" + hashlib.sha256(os.fsencode(self._data_dir.resolve())).hexdigest()[:12]

    def keep(self, name: str, owner: str, process: int) -> None:
        """Note a sandbox that this process has started."""
        self._folder.mkdir(parents=True, exist_ok=True)
        own = os.getpid()
        record = Record(
            id=name,
            owner=owner,
            starter=own,
            starter_began=began(own) or 0,
            process=process,
            process_began=began(process) or 0,
        )
        (self._folder / f"{name}.json").write_text(record.model_dump_json())

    def drop(self, name: str) -> None:
        """Forget a sandbox that is gone."""
        with contextlib.suppress(OSError):
            (self._folder / f"{name}.json").unlink(missing_ok=True)

    def all(self) -> Iterator[Record]:
        """Every record that can be read."""
        for path in sorted(self._folder.glob("*.json")):
            with contextlib.suppress(OSError, ValidationError):
                yield Record.model_validate_json(path.read_bytes())


def began(pid: int) -> int | None:
    """When a process began, in clock ticks since the machine's start (proc(5), field 22); None when there is none."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
    except OSError:
        return None
    return None if fields[0] in (b"Z", b"X") else int(fields[19])


def runs(pid: int, start: int) -> bool:
    """Is the process that was meant still there?"""
    return start != 0 and began(pid) == start
