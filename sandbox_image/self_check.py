"""`studio-check`: the inspection's own checks on the outputs, run by whoever makes them, before a submit.

Runs inside the sandbox, beside the inspector's archive and the contract. Its word counts for nothing: the verdict comes
from a clean sandbox.
"""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

OUTPUT = Path("/testbed/output")
MAX_ENTRIES = 5000
TYPES = {
    stat.S_IFREG: "file",
    stat.S_IFDIR: "directory",
    stat.S_IFLNK: "symlink",
    stat.S_IFIFO: "fifo",
    stat.S_IFSOCK: "socket",
    stat.S_IFBLK: "device",
    stat.S_IFCHR: "device",
}


def entries(root: Path) -> Iterator[dict[str, Any]]:
    """Every name below `root`, by lstat, in order."""
    for folder, folders, files in os.walk(root):
        folders.sort()
        for name in sorted([*folders, *files]):
            path = Path(folder, name)
            found = path.lstat()
            raw = os.fsencode(path.relative_to(root))
            yield {
                "path": raw.decode("utf-8", "backslashreplace"),
                "type": TYPES.get(stat.S_IFMT(found.st_mode), "other"),
                "size": found.st_size,
                "blocks": found.st_blocks,
                "mode": found.st_mode,
                "nlink": found.st_nlink,
                "inode": found.st_ino,
                "link_target": None,
                "encodable": raw.decode("utf-8", "replace").encode() == raw,
            }


def main() -> int:
    """Print each check's verdict; 0 when no check that must pass failed."""
    here = Path(__file__).resolve().parent
    contract = json.loads((here / "contract.json").read_text())
    listed = list(entries(OUTPUT))
    there = {None, *(entry["path"] for entry in listed)}
    contract["checks"] = [check for check in contract["checks"] if check.get("if_present") in there]
    with tempfile.TemporaryDirectory() as made:
        folder = Path(made)
        (folder / "contract.json").write_text(json.dumps(contract))
        (folder / "brief.json").write_bytes((here / "brief.json").read_bytes())
        manifest = {"entries": listed[:MAX_ENTRIES], "truncated": len(listed) > MAX_ENTRIES}
        (folder / "manifest.json").write_text(json.dumps(manifest))
        inspector = [sys.executable, "-I", str(here / "inspector.zip"), str(folder), str(OUTPUT)]
        done = subprocess.run(inspector, stdout=subprocess.PIPE, check=False)
    if done.returncode:
        print(f"the checks could not be run (status {done.returncode})")
        return 1
    answers = {(answer["id"], answer.get("file")): answer for answer in json.loads(done.stdout)["checks"]}
    return told(contract["checks"], answers)


def told(checks: list[dict[str, Any]], answers: dict[tuple[str, str | None], dict[str, Any]]) -> int:
    """One line a check; more where it did not pass. A check that is there for several files names the file."""
    blocked = 0
    times = Counter(check["id"] for check in checks)
    for check in checks:
        file = check["args"].get("file")
        answer = answers.get((check["id"], file), {"verdict": "error", "message": "no answer"})
        about = f" {file}" if times[check["id"]] > 1 else ""
        print(f"{answer['verdict']:<5} {check['id']}{about} ({check['severity']})")
        if answer["verdict"] != "pass":
            blocked += check["severity"] == "must"
            print(f"      {answer.get('message', '')}")
            print(
                f"      expected {check['expected']}; measured {json.dumps(answer.get('measured'), ensure_ascii=False)}"
            )
    print(f"{blocked} of {len(checks)} checks stand in the way of a submit")
    return 1 if blocked else 0


if __name__ == "__main__":
    sys.exit(main())
