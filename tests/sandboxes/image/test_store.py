"""Where images lie, which one is meant, and what is said when it is not there."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from studio.errors import ImageMissing
from studio.sandboxes.image import Image, find, lists, parts, require
from studio.sandboxes.image.build import prune
from studio.sandboxes.image.store import building
from studio.settings import Settings

STUDIO = str(Path(sys.executable).with_name("studio"))


def test_image_holds_to_its_size_and_says_what_takes_it(image: Image) -> None:
    assert image.size_bytes <= 1_400_000_000
    assert set(image.parts) == {"base", "python", "fonts", "media", "ocr", "browser", "web"}
    assert sum(image.parts.values()) == image.size_bytes
    assert parts.measure(image.path, lists.groups()) == dict(image.parts)


def test_info_is_json_for_programs(image: Image) -> None:
    done = subprocess.run([STUDIO, "image", "info", "--json"], capture_output=True, text=True, check=True)
    told = json.loads(done.stdout)["local"]
    assert told["ready"] is True
    assert (told["digest"], told["size_bytes"]) == (image.digest, image.size_bytes)
    assert Path(told["path"]).is_dir()


def test_missing_image_is_named_with_its_remedy(tmp_path: Path) -> None:
    environment = {**os.environ, "STUDIO_IMAGE_DIR": str(tmp_path)}
    done = subprocess.run([STUDIO, "image", "info"], capture_output=True, text=True, check=True, env=environment)
    assert "studio image build" in done.stdout
    with pytest.raises(ImageMissing, match="studio image build"):
        require(tmp_path)


def test_folder_that_cannot_hold_images_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    environment = {**os.environ, "STUDIO_IMAGE_DIR": str(tmp_path / "file")}
    done = subprocess.run([STUDIO, "image", "build"], capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 4
    assert "STUDIO_IMAGE_DIR" in done.stderr
    assert "Traceback" not in done.stderr


def test_half_written_image_does_not_count(tmp_path: Path) -> None:
    home = tmp_path / "local" / lists.digest()
    (home / "rootfs").mkdir(parents=True)
    assert find(tmp_path) is None
    (home / "info.json").write_text('{"digest": "', "utf-8")
    assert find(tmp_path) is None


def test_prune_keeps_the_image_in_use_and_the_downloads(tmp_path: Path) -> None:
    for name in (lists.digest(), "0" * 64, f".{'1' * 64}.building"):
        (tmp_path / "local" / name / "rootfs" / "etc").mkdir(parents=True)
    (tmp_path / "downloads").mkdir()
    removed = prune(Settings(image_dir=tmp_path))
    assert sorted(path.name for path in removed) == [f".{'1' * 64}.building", "0" * 64]
    assert [path.name for path in (tmp_path / "local").iterdir()] == [lists.digest()]
    assert (tmp_path / "downloads").is_dir()


def test_second_builder_waits_for_the_first(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from studio.sandboxes.image.store import building\n"
        "with building(Path(sys.argv[1]), lambda: print('waiting', flush=True)): print('mine', flush=True)"
    )
    with building(tmp_path, lambda: None):
        other = subprocess.Popen([sys.executable, "-c", program, str(tmp_path)], stdout=subprocess.PIPE, text=True)
        assert other.stdout is not None
        assert other.stdout.readline() == "waiting\n"
        assert other.poll() is None
    said, _ = other.communicate(timeout=30)
    assert said == "mine\n"


def test_every_ingredient_decides_the_digest(tmp_path: Path) -> None:
    copy = tmp_path / "sandbox_image"
    shutil.copytree(lists.HERE, copy, ignore=shutil.ignore_patterns("__pycache__", "node_modules"))

    def told() -> str:
        program = "from studio.sandboxes.image import lists; print(lists.HERE, lists.digest())"
        root = str(Path(__file__).parents[3])
        environment = {**os.environ, "PYTHONPATH": f"{tmp_path}:{root}", "PYTHONSAFEPATH": "1"}
        done = subprocess.run(
            [sys.executable, "-c", program], capture_output=True, text=True, check=True, env=environment, cwd=tmp_path
        )
        where, digest = done.stdout.split()
        assert Path(where) == copy
        return digest

    assert told() == lists.digest()
    with (copy / "packages" / "base.txt").open("a") as out:
        out.write("# only a remark\n")
    seen = {told()}
    assert seen == {lists.digest()}
    for name in ("packages/base.txt", "requirements/python.txt", "provision.sh", "npm/package-lock.json"):
        with (copy / name).open("a") as out:
            out.write("nothing\n")
        seen.add(told())
    (copy / "certs" / "company.crt").write_text("a certificate")
    seen.add(told())
    assert len(seen) == 6
