"""Chromium from the sandbox image, so that the machine needs no browser of its own; and studios for it to open."""

from __future__ import annotations

import re
import shlex
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from studio.sandboxes.image import require
from studio.settings import Settings
from tests.browser.looking import Watched
from tests.web.served import Served, served

SCREENS = Path(__file__).parents[2] / "test-output" / "screens"


@pytest.fixture(scope="session")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """The image's headless Chromium: its root read-only, the folder for temporary files and this machine's network.

    Playwright makes the profile in that folder, and speaks by the pipes 3 and 4, which bubblewrap hands on.
    """
    folder, temporary = tmp_path_factory.mktemp("chromium"), tempfile.gettempdir()
    rootfs = require(Settings().image_dir).path
    argv = ["bwrap", "--ro-bind", str(rootfs), "/", "--dev", "/dev", "--proc", "/proc"]
    argv += ["--bind", temporary, temporary, "--setenv", "HOME", str(folder), "--unshare-pid", "--die-with-parent"]
    argv += ["--", "/usr/bin/chromium-headless-shell", "--no-sandbox"]
    wrapper = folder / "chromium"
    wrapper.write_text(f'#!/bin/sh\nexec {shlex.join(argv)} "$@"\n')
    wrapper.chmod(0o755)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=wrapper)
        yield browser
        browser.close()


@pytest.fixture
def watched(chromium: Browser) -> Iterator[Watched]:
    """Opens pages, and fails the test when one of them complains."""
    found = Watched(chromium, SCREENS)
    yield found
    found.close()


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The web server alone; its jobs are seeded."""
    with served(tmp_path_factory.mktemp("seeded")) as found:
        yield found


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The URL of a whole studio as `studio up` starts it: web, worker and upkeep."""
    folder = tmp_path_factory.mktemp("whole")
    argv = [sys.executable, "-c", "from studio.cli import main; main()", "up", "--port", "0", "--data-dir", str(folder)]
    with (folder / "up.log").open("wb") as log:
        process = subprocess.Popen(argv, stdout=subprocess.PIPE, stderr=log, text=True)
    assert process.stdout is not None
    try:
        said = process.stdout.readline()
        url = re.search(r"http://\S+", said)
        assert url, said + (folder / "up.log").read_text()
        yield url[0]
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(60)
        process.stdout.close()
