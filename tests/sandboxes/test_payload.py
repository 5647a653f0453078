"""The code of the tool host travels as bytecode: at once, or to another version of Python from the second time."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

from studio.sandboxes.image import require
from studio.sandboxes.local import LocalEngine
from studio.sandboxes.payload import Payload, native, plain
from studio.sandboxes.types import SandboxSpec
from studio.settings import Settings


def test_an_image_of_this_version_gets_bytecode_made_here(tmp_path: Path) -> None:
    image = require(Settings().image_dir)
    assert Payload("0.1.2", image.digest, tmp_path).content() == plain()
    if image.python.split(".")[:2] == [str(part) for part in sys.version_info[:2]]:
        assert Payload(image.python, image.digest, tmp_path).content() == native()


def test_an_image_of_another_version_gets_source_once_and_then_its_own_bytecode(tmp_path: Path) -> None:
    image = replace(require(Settings().image_dir), python="0.1.2")  # so that this Python's bytecode is never used
    settings = Settings(data_dir=tmp_path)
    for _ in range(2):
        sandbox = LocalEngine(settings, image).start(SandboxSpec())
        assert sandbox.execute("echo works").output == "works\n"
        sandbox.kill()
    (kept,) = (tmp_path / "toolhost").iterdir()
    payload = Payload("0.1.2", image.digest, tmp_path / "toolhost")
    assert payload.content()[4:] == kept.read_bytes()
    assert not payload.wanted
    assert Payload("0.1.2", "another image", tmp_path / "toolhost").content() == plain()
