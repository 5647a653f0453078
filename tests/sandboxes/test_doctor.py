"""`studio doctor`: what is missing is named with its remedy; the exit code says whether all is here."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from studio.doctor import examine, system
from studio.sandboxes import protections
from studio.settings import Settings


def doctor(*arguments: str, **settings: object) -> subprocess.CompletedProcess[str]:
    environment = {
        **os.environ,
        "STUDIO_ENGINE": "local",
        **{f"STUDIO_{name.upper()}": str(value) for name, value in settings.items()},
    }
    return subprocess.run(
        [sys.executable, "-c", "from studio.cli import main; main()", "doctor", *arguments],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )


def test_on_this_machine_all_that_is_needed_is_here(tmp_path: Path) -> None:
    done = doctor("--json", data_dir=tmp_path)
    told = json.loads(done.stdout)
    missing = [check for check in told["checks"] if check["required"] and not check["ok"]]
    assert missing == []
    assert told["ok"] is True
    assert done.returncode == 0
    names = {check["name"] for check in told["checks"]}
    assert {"Python", "bwrap", "sandbox image", "user namespaces", "system call filter", "memory limit"} <= names
    assert {
        "unprivileged outside",
        "no capabilities",
        "no network",
        "read-only root",
        "kernel settings closed",
    } <= names


def test_for_a_person_it_is_one_line_each(tmp_path: Path) -> None:
    done = doctor(data_dir=tmp_path)
    assert "ok      sandbox image: " in done.stdout
    assert done.stdout.endswith("All that is needed is here.\n")


def test_an_image_that_is_not_built_is_said_with_its_remedy(tmp_path: Path) -> None:
    done = doctor(data_dir=tmp_path / "data", image_dir=tmp_path / "images")
    assert done.returncode == 4
    assert "MISSING sandbox image: not built" in done.stdout
    assert "studio image build" in done.stdout
    assert "seen from inside a sandbox: not looked at" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


def test_a_data_directory_that_cannot_be(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("")
    found = {finding.name: finding for finding in examine(Settings(data_dir=file / "below", image_dir=tmp_path))}
    assert not found["data directory"].ok
    assert "STUDIO_DATA_DIR" in found["data directory"].remedy


@pytest.mark.parametrize(
    ("release", "ok", "words"),
    [
        ('ID=debian\nVERSION_ID="12"\nPRETTY_NAME="Debian 12"', True, ""),
        ('ID=ubuntu\nID_LIKE=debian\nVERSION_ID="24.04"\nPRETTY_NAME="Ubuntu 24.04"', True, ""),
        ('ID=debian\nVERSION_ID="11"\nPRETTY_NAME="Debian 11"', False, "Debian 12"),
        ('ID=fedora\nVERSION_ID=43\nPRETTY_NAME="Fedora Linux 43"', False, "Docker"),
        ("", False, "Docker"),
    ],
)
def test_other_systems_are_recognised(tmp_path: Path, release: str, ok: bool, words: str) -> None:
    path = tmp_path / "os-release"
    path.write_text(release)
    finding = system(path)
    assert finding.ok is ok
    assert words in finding.remedy
    assert not system(tmp_path / "absent").ok


@pytest.mark.parametrize(
    ("file", "value", "words"),
    [
        ("kernel/apparmor_restrict_unprivileged_userns", "1", "AppArmor profile"),
        ("kernel/unprivileged_userns_clone", "0", "kernel.unprivileged_userns_clone=1"),
        ("user/max_user_namespaces", "0", "user.max_user_namespaces"),
    ],
)
def test_what_closes_user_namespaces_is_named(tmp_path: Path, file: str, value: str, words: str) -> None:
    setting = tmp_path / file
    setting.parent.mkdir(parents=True)
    setting.write_text(f"{value}\n")
    assert words in protections.namespace_remedy(tmp_path)
    setting.write_text("5\n")
    assert words not in protections.namespace_remedy(tmp_path)
