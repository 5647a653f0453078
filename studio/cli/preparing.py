"""What `studio demo` runs beside its pages: builds the sandbox image, and tells how far it is.

A process of its own, so that it can be ended like any other: it is in the demo's process group, where Ctrl-C and sudo's
question for a password reach it, and the kernel interrupts it when the demo is gone.
"""

from __future__ import annotations

import ctypes
import json
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from studio.errors import StudioError
from studio.sandboxes import image, prepare_image
from studio.settings import Settings

if TYPE_CHECKING:
    from collections.abc import Iterator

_PR_SET_PDEATHSIG = 1
_GRACE_S = 15.0
_libc = ctypes.CDLL(None, use_errno=True)


class SetupNotice:
    """Tells the pages, by a small file, how far the set-up is; and a person, by lines on standard error."""

    def __init__(self, data_dir: Path) -> None:
        self._path = data_dir / "setup.json"
        self._said = ("", 0.0)

    def __call__(self, progress: image.Progress) -> None:
        self.write(progress.stage, progress.message, progress.done_bytes, progress.total_bytes)
        text, now = f"{progress.stage}: {progress.message}", time.monotonic()
        if text != self._said[0] and now - self._said[1] > 0.5:
            click.echo(text, err=True)
            self._said = (text, now)

    def write(self, stage: str, message: str, done: int | None, total: int | None, *, ready: bool = False) -> None:
        notice = {"stage": stage, "message": message, "done_bytes": done, "total_bytes": total, "ready": ready}
        fresh = self._path.with_suffix(".tmp")
        fresh.write_text(json.dumps(notice), encoding="utf-8")
        fresh.replace(self._path)


def _interrupt_with_parent() -> None:
    _libc.prctl(_PR_SET_PDEATHSIG, signal.SIGINT)
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # held back until `main` can answer it


@contextmanager
def preparing(settings: Settings) -> Iterator[subprocess.Popen[bytes]]:
    """The process that builds what is missing; interrupted, and waited for, when the block is left before its end."""
    process = subprocess.Popen(
        [sys.executable, "-m", "studio.cli.preparing"],
        env=settings.environment(),
        stdin=None,
        preexec_fn=_interrupt_with_parent,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGINT)
            try:
                process.wait(_GRACE_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


def main() -> int:
    """Build what is missing. Status 0: ready; 4: it cannot be, and the words were said; 130: interrupted."""
    settings = Settings()
    notice = SetupNotice(settings.data_dir)
    try:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGINT})
        prepare_image(settings, notice)
    except StudioError as error:
        notice.write("stopped", str(error), None, None)
        click.echo(str(error), err=True)
        return 4
    except KeyboardInterrupt:
        return 130
    notice.write("ready", "", None, None, ready=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
