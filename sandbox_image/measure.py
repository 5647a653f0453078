"""Prints how large each part of the finished root is; runs at the end of the Docker build, beside `parts.py`."""

import json
import sys
from pathlib import Path

sys.path.insert(0, "/context")
import parts  # type: ignore[import-not-found]

root = Path("/")
groups = json.loads(Path("/context/groups.json").read_text())
versions = parts.installed(root)
print(
    "MEASURED",
    json.dumps(
        {
            "parts": parts.measure(root, groups, skip=("/context", "/dev", "/proc", "/sys")),
            "python": versions["python3.11"],
            "packages": len(versions),
        }
    ),
)
