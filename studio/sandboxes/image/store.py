"""Where images lie, and which of them is the one that the lists of this checkout describe.

<image_dir>/local/<digest>/rootfs      the root folder
<image_dir>/local/<digest>/info.json   written last; the folder is renamed into place when all of it is there
<image_dir>/downloads/                 archives, kept between builds
<image_dir>/lock                       held by the one process that builds
"""

from __future__ import annotations

import fcntl
import os
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from studio.errors import ConfigurationError, ImageMissing
from studio.sandboxes.image import lists
from studio.sandboxes.image.model import Image

ENGINE = "local"


class Info(BaseModel):
    """The file `info.json` beside a root folder."""

    model_config = ConfigDict(frozen=True)

    digest: str
    size_bytes: int
    parts: dict[str, int]
    python: str
    packages: int
    built_at: str


def folder(image_dir: Path, digest: str) -> Path:
    """The folder of one image."""
    return image_dir / ENGINE / digest


def load(image_dir: Path, digest: str) -> Image | None:
    """The finished image with this digest, or None."""
    home = folder(image_dir, digest)
    try:
        info = Info.model_validate_json((home / "info.json").read_bytes())
    except (FileNotFoundError, NotADirectoryError, ValidationError):
        return None
    return Image(
        engine=ENGINE,
        digest=digest,
        path=home / "rootfs",
        size_bytes=info.size_bytes,
        parts=info.parts,
        python=info.python,
        packages=info.packages,
        built_at=info.built_at,
    )


def find(image_dir: Path) -> Image | None:
    """The image that the lists describe, or None while it is not built."""
    return load(image_dir, lists.digest())


def require(image_dir: Path) -> Image:
    """The image that the lists describe. Raises ImageMissing with the remedy."""
    image = find(image_dir)
    if image is None:
        raise ImageMissing(
            f"The sandbox image is not built in {image_dir}. Build it with `studio image build` (or `make image`)."
        )
    return image


@contextmanager
def building(image_dir: Path, on_wait: Callable[[], None]) -> Iterator[int]:
    """Hold the lock of the image folder; `on_wait` is called once if another process holds it.

    Gives the lock's descriptor: a child that inherits it keeps the lock, even when this process is killed.
    """
    try:
        image_dir.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(image_dir / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise ConfigurationError(
            f"Images cannot be kept in {image_dir}: {error.strerror}. Name another folder in STUDIO_IMAGE_DIR."
        ) from error
    try:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            on_wait()
            fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield descriptor
    finally:
        os.close(descriptor)


def others(image_dir: Path, keep: str) -> list[Path]:
    """Folders of images other than `keep`, and of builds that did not finish."""
    home = image_dir / ENGINE
    return sorted(path for path in home.iterdir() if path.name != keep) if home.is_dir() else []


def remove(path: Path, as_root: tuple[str, ...]) -> None:
    """Remove an image folder, with `as_root` before the command where its files belong to root."""
    before = as_root if path.is_dir() and any(entry.stat().st_uid == 0 for entry in path.iterdir()) else ()
    subprocess.run([*before, "rm", "-rf", "--one-file-system", str(path)], check=True)
