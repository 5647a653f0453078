"""The `studio` command: one module per command, imported only when it is called.

Exit codes: 0 published or accepted, 2 bad brief, usage or id, 3 rejected, 4 failed, canceled or expired, 5 inspector
error, 130 interrupted (ARCHITECTURE.md).
"""

from __future__ import annotations

import sys


def main() -> None:
    """The front door of the command line. Even its imports take a moment, in which Ctrl-C may come."""
    try:
        from studio.cli.front import run

        run()
    except KeyboardInterrupt:
        sys.exit(130)
