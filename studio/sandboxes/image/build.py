"""Building the image: what the machine needs, the download phase, then the unpack phase by mmdebstrap."""

from __future__ import annotations

import re
import shutil
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from studio.errors import ConfigurationError
from studio.sandboxes.image import debian, host, lists, parts, sources, store, unpack, web, wheels
from studio.sandboxes.image.model import Image, Progress, Report
from studio.settings import Settings

UNPACK_S = 90  # on a machine with two cores
UNPACKED = 1_700_000_000  # bytes: the root, and the parts while they are being put in
USUAL_RATE = 5e6  # bytes per second, where nothing has been measured


def ensure(report: Report, settings: Settings | None = None, *, force: bool = False) -> Image:
    """The image that the lists describe, built if it is not there; `force` builds it anew, with today's packages.

    Told to `report` from this thread. Raises ConfigurationError with the remedy.
    """
    image_dir = (settings or Settings()).image_dir.absolute()
    image = store.find(image_dir)
    if image is not None and not force:
        host.prepare(report, to_build=False)
        report(Progress("ready", f"Sandbox image {image.digest[:12]} is there", fraction=1.0))
        return image
    host.prepare(report)
    waiting = Progress("plan", "Another process is building the sandbox image; waiting for it")
    with store.building(image_dir, lambda: report(waiting)) as lock:
        image = store.find(image_dir)  # the other process may have made it
        if image is None or force:
            image = _build(image_dir, report, lock)
    report(Progress("ready", f"Sandbox image {image.digest[:12]} is built", fraction=1.0))
    return image


def prune(settings: Settings) -> list[Path]:
    """Remove images of other lists and unfinished builds; the folders removed."""
    removed = []
    with store.building(settings.image_dir, lambda: None):
        for path in store.others(settings.image_dir, lists.digest()):
            store.remove(path, host.as_root() or ())
            removed.append(path)
    return removed


@dataclass(frozen=True)
class Fetched:
    """What the download phase gives: everything that an image is made of lies on this machine."""

    archive: debian.Archive
    plan: debian.Plan
    wheels: Path
    web: Path


def fetch(image_dir: Path, report: Report) -> Fetched:
    """The download phase, the same for every engine. Raises ConfigurationError with the remedy."""
    downloads = image_dir / "downloads"
    archive = debian.Archive(downloads / "debian")
    report(Progress("plan", "Asking Debian's archive for the package index"))
    archive.prepare(sources.for_image(downloads))
    plan = archive.plan(archive.update())
    total = plan.missing_bytes + wheels.missing_bytes(downloads) + web.missing_bytes(downloads)
    _say_what_comes(total, plan, report)
    _need_space(image_dir, total)
    archive.fetch(plan, report, total)
    if wheels.missing_bytes(downloads):
        report(Progress("fetch", "Python libraries", plan.missing_bytes, total))
    wheel_folder = wheels.fetch(downloads)
    if web.missing_bytes(downloads):
        report(Progress("fetch", "Web libraries", total - web.missing_bytes(downloads), total))
    return Fetched(archive, plan, wheel_folder, web.fetch(downloads))


def _build(image_dir: Path, report: Report, lock: int) -> Image:
    fetched = fetch(image_dir, report)
    digest = lists.digest()
    home = store.folder(image_dir, f".{digest}.building")
    _discard(home)
    with ExitStack() as cleanup:
        home.mkdir(parents=True)
        cleanup.callback(_discard, home)
        staged = home / "stage"
        unpack.stage(staged, fetched.wheels, fetched.web)
        unpack.unpack(fetched.archive, fetched.plan, staged, home / "rootfs", image_dir / "build.log", report, lock)
        shutil.rmtree(staged)
        report(Progress("finish", "Measuring"))
        info = _info(home / "rootfs", digest)
        (home / "info.json").write_text(info.model_dump_json(indent=2) + "\n", "utf-8")
        final = store.folder(image_dir, digest)
        _discard(final)
        home.rename(final)
    fetched.archive.tidy(fetched.plan)
    return store.require(image_dir)


def _discard(home: Path) -> None:
    if home.exists():
        store.remove(home, host.as_root() or ())


def _say_what_comes(total: int, plan: debian.Plan, report: Report) -> None:
    seconds = total / (plan.bytes_per_second or USUAL_RATE)
    minutes = max(1, round((seconds + UNPACK_S) / 60))
    fetched = f"{total / 1e6:.0f} MB to fetch" if total else "nothing to fetch"
    report(Progress("plan", f"{len(plan.files)} Debian packages: {fetched}, about {minutes} min in all", 0, total))


def _need_space(image_dir: Path, fetched: int) -> None:
    free = shutil.disk_usage(image_dir).free
    needed = fetched + UNPACKED
    if free < needed:
        raise ConfigurationError(
            f"The image needs {needed / 1e9:.1f} GB in {image_dir}, and {free / 1e9:.1f} GB are free. Make room, or "
            "name another folder in STUDIO_IMAGE_DIR."
        )


def _info(root: Path, digest: str) -> store.Info:
    sizes = parts.measure(root, lists.groups())
    versions = parts.installed(root)
    return store.Info(
        digest=digest,
        size_bytes=sum(sizes.values()),
        parts=sizes,
        python=re.split(r"[-+~]", versions["python3.11"])[0],
        packages=len(versions),
        built_at=datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
    )
