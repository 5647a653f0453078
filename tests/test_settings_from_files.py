"""Secrets in files, as containers are given them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PROGRAM = "from studio.settings import Settings; s = Settings(); print(s.openai_api_key.get_secret_value(), s.port, s)"


def told(**variables: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if not name.startswith("STUDIO_")} | variables
    return subprocess.run(
        [sys.executable, "-c", PROGRAM], env=environment, capture_output=True, text=True, check=False, timeout=60
    )


def test_a_secret_may_stand_in_a_file_that_its_variable_names(tmp_path: Path) -> None:
    (tmp_path / "key").write_text("sk-from-a-file\n", encoding="utf-8")
    (tmp_path / "port").write_text("9000", encoding="utf-8")
    files = {"STUDIO_OPENAI_API_KEY_FILE": str(tmp_path / "key"), "STUDIO_PORT_FILE": str(tmp_path / "port")}
    said = told(**files).stdout
    assert said.startswith("sk-from-a-file 9000 ")
    assert "sk-from-a-file" not in said.partition(" ")[2]
    assert told(**files, STUDIO_PORT="9100").stdout.startswith("sk-from-a-file 9100 ")


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    said = told(STUDIO_OPENAI_API_KEY_FILE=str(tmp_path / "none")).stderr
    assert "ConfigurationError: STUDIO_OPENAI_API_KEY_FILE" in said.replace("studio.errors.", "")
    assert str(tmp_path / "none") in said
