"""Set-up says what to do, and nothing in it names an address."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LOCKS = (
    "requirements.lock", "requirements-dev.lock", "setup/build.lock",
    "sandbox_image/requirements/python.txt", "sandbox_image/requirements/node.txt",
)  # fmt: skip


@pytest.mark.parametrize("name", LOCKS)
def test_lock_pins_everything_with_hashes_and_names_no_address(name: str) -> None:
    text = (ROOT / name).read_text("utf-8")
    pins = re.findall(r"^([\w.\[\]-]+)==(\S+)", text, re.MULTILINE)
    assert pins
    bare = [line for line in text.splitlines() if re.match(r"[\w.-]+", line) and "==" not in line]
    assert bare == []
    for block in re.split(r"\n(?=[\w])", text):
        if "==" in block.split("\n")[0] and not block.startswith("#"):
            assert "--hash=sha256:" in block, block.split("\n")[0]
    assert "://" not in text
    assert "index-url" not in text
    assert "find-links" not in text


def test_npm_lock_pins_with_integrity_and_names_no_address() -> None:
    text = (ROOT / "sandbox_image/npm/package-lock.json").read_text("utf-8")
    assert "://" not in text
    assert text.count('"integrity": "sha512-') == text.count('"node_modules/')


def test_without_a_new_python_it_says_what_to_install(tmp_path: Path) -> None:
    programs = tmp_path / "bin"
    programs.mkdir()
    for name in ("bash", "dirname", "cat", "sha256sum", "cut", "grep", "env"):
        (programs / name).symlink_to(shutil.which(name) or "")
    old = programs / "python3"
    old.write_text("#!/bin/sh\nexit 1\n", "utf-8")  # as a Python older than 3.11 answers the question
    old.chmod(0o755)
    checkout = tmp_path / "checkout"
    (checkout / "setup").mkdir(parents=True)
    for name in ("setup/python", "setup/build.lock", "requirements.lock", "pyproject.toml"):
        shutil.copy(ROOT / name, checkout / name)
    done = subprocess.run(
        [str(checkout / "setup/python")], capture_output=True, text=True, check=False, env={"PATH": str(programs)}
    )
    assert done.returncode == 1
    assert "Python 3.11 or newer is needed" in done.stderr
    assert "apt-get install python3" in done.stderr
    assert not (checkout / ".venv").exists()


@pytest.mark.parametrize("target", ["demo", "test", "test-all", "check", "up", "image", "bench", "lock"])
def test_each_target_is_one_line_that_sets_up_first(target: str) -> None:
    done = subprocess.run(["make", "-n", target], cwd=ROOT, capture_output=True, text=True, check=True)
    told = [line for line in done.stdout.splitlines() if not line.startswith("make")]
    assert len(told) == 1
    assert told[0].startswith("setup/python")
