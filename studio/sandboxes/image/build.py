"""Building the image: what the machine needs, the download phase, then the unpack phase by mmdebstrap."""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from collections.abc import Sequence
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path

from studio.errors import ConfigurationError
from studio.sandboxes.image import debian, host, lists, parts, sources, store, web, wheels
from studio.sandboxes.image.model import Image, Progress, Report
from studio.settings import Settings

UNPACK_S = 90  # on a machine with two cores
USUAL_RATE = 5e6  # bytes per second, where nothing has been measured


def ensure(report: Report, settings: Settings | None = None, *, force: bool = False) -> Image:
    """The image that the lists describe, built if it is not there; `force` builds it anew, with today's packages.

    Told to `report` from this thread. Raises ConfigurationError with the remedy.
    """
    image_dir = (settings or Settings()).image_dir.absolute()
    image = store.find(image_dir)
    if image is not None and not force:
        host.prepare(report)
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


def _build(image_dir: Path, report: Report, lock: int) -> Image:
    downloads = image_dir / "downloads"
    archive = debian.Archive(downloads / "debian")
    report(Progress("plan", "Asking Debian's archive for the package index"))
    archive.prepare(_sources(downloads))
    plan = archive.plan(archive.update())
    total = plan.missing_bytes + wheels.missing_bytes(downloads) + web.missing_bytes(downloads)
    _say_what_comes(total, plan, report)
    archive.fetch(plan, report, total)
    report(Progress("fetch", "Python libraries", plan.missing_bytes, total))
    wheel_folder = wheels.fetch(downloads)
    report(Progress("fetch", "Web libraries", total - web.missing_bytes(downloads), total))
    web_folder = web.fetch(downloads)
    report(Progress("fetch", "All parts are there", total, total))

    digest = lists.digest()
    home = store.folder(image_dir, f".{digest}.building")
    _discard(home)
    with ExitStack() as cleanup:
        home.mkdir(parents=True)
        cleanup.callback(_discard, home)
        stage = _staged(home / "stage", wheel_folder, web_folder)
        _unpack(archive, stage, home, plan, report, lock)
        shutil.rmtree(stage)
        report(Progress("finish", "Measuring"))
        info = _info(home / "rootfs", digest)
        (home / "info.json").write_text(info.model_dump_json(indent=2) + "\n", "utf-8")
        final = store.folder(image_dir, digest)
        _discard(final)
        home.rename(final)
    archive.tidy(plan)
    return store.require(image_dir)


def _discard(home: Path) -> None:
    if home.exists():
        store.remove(home, host.as_root() or ())


def _sources(downloads: Path) -> list[str]:
    """Lines of a sources.list: from the host's own mirrors of Debian, else from mmdebstrap's defaults."""
    signed_by = sources.keyring()
    if signed_by is None:
        raise ConfigurationError(
            "Debian's keyring is missing. Install with: sudo apt-get install debian-archive-keyring"
        )
    own = sources.lines(sources.read(), signed_by)
    if own:
        return own
    downloads.mkdir(parents=True, exist_ok=True)
    listed = downloads / "default-sources"
    hook = f'cat "$1/etc/apt/sources.list" >{shlex.quote(str(listed))}; exit 1'  # stops before anything is fetched
    command = ["mmdebstrap", "--mode=chrootless", "--variant=custom", f"--setup-hook={hook}", lists.SUITE]
    subprocess.run([*command, str(downloads / "nothing")], capture_output=True, check=False)
    shutil.rmtree(downloads / "nothing", ignore_errors=True)
    if not listed.exists():
        raise ConfigurationError("No mirror of Debian is configured in /etc/apt; add one, signed by Debian's keyring.")
    found = re.findall(r"^deb (?:\[[^\]]*\] )?(.+)$", listed.read_text("utf-8"), re.MULTILINE)
    return [f"deb [signed-by={signed_by}] {line}" for line in found]


def _say_what_comes(total: int, plan: debian.Plan, report: Report) -> None:
    seconds = total / (plan.bytes_per_second or USUAL_RATE)
    minutes = max(1, round((seconds + UNPACK_S) / 60))
    fetched = f"{total / 1e6:.0f} MB to fetch" if total else "nothing to fetch"
    report(Progress("plan", f"{len(plan.files)} Debian packages: {fetched}, about {minutes} min in all", 0, total))


def _staged(stage: Path, wheel_folder: Path, web_folder: Path) -> Path:
    """Put everything that provision.sh needs into one folder."""
    (stage / "certs").mkdir(parents=True)
    shutil.copytree(wheel_folder, stage / "wheels")
    shutil.copytree(web_folder, stage / "web")
    for certificate in lists.certificates():
        shutil.copyfile(certificate, stage / "certs" / certificate.name)
    for name in ("provision.sh", "bootstrap.py", "topojson.py"):
        shutil.copyfile(lists.HERE / name, stage / name)
    shutil.copyfile(lists.HERE / "requirements" / "python.txt", stage / "python.txt")
    shutil.copyfile(lists.HERE / "README-in-image", stage / "README")
    return stage


def _unpack(archive: debian.Archive, stage: Path, home: Path, plan: debian.Plan, report: Report, lock: int) -> None:
    """Run mmdebstrap without a network, on the archives that are there."""
    direct = host.as_root() == () or not host.can_unshare()
    before = host.as_root() if direct else ()
    if before is None:
        raise ConfigurationError(
            "Unpacking the image needs root, sudo, or ranges of user ids: sudo apt-get install uidmap, then "
            "sudo usermod --add-subuids 100000-165535 --add-subgids 100000-165535 $USER"
        )
    root = home / "rootfs"
    command = [
        *before, "mmdebstrap", "--mode=unshare", "--variant=apt", "--verbose",
        "--format=directory" if direct else "--format=tar",
        "--skip=update,cleanup/apt", f"--include={','.join(lists.packages())}",
        '--aptopt=APT::Install-Recommends "false"', '--aptopt=Acquire::Languages "none"',
        f"--dpkgopt={lists.HERE / 'dpkg.cfg'}", "--dpkgopt=force-unsafe-io",
        *_hooks(archive, stage, direct),
        lists.SUITE, str(root) if direct else "-", str(archive.sources),
    ]  # fmt: skip
    log = home.parent.parent / "build.log"
    with log.open("w", encoding="utf-8") as sink, ExitStack() as stack:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL if direct else subprocess.PIPE,
            stderr=subprocess.PIPE, pass_fds=(lock,),
        )  # fmt: skip
        stack.callback(process.wait)
        stack.callback(process.terminate)
        tar = None if direct else _extracting(root, process)
        assert process.stderr is not None
        seen = 0
        for raw in process.stderr:
            line = raw.decode("utf-8", "replace")
            sink.write(line)
            if re.match(r"(Unpacking|Setting up) ", line):
                seen += 1
                name = line.split()[1 if line.startswith("U") else 2]
                report(Progress("install", f"Installing {name}", fraction=min(0.99, seen / (2 * len(plan.files)))))
            elif line.startswith("STAGE "):
                report(Progress("finish", f"Setting up: {line[6:].strip()}"))
        code = process.wait() or (tar.wait() if tar else 0)
    if code != 0:
        lines = [line for line in log.read_text("utf-8").splitlines() if line.startswith(("E:", "ERROR"))]
        raise ConfigurationError(
            f"The image could not be unpacked: {' '.join(lines[:3])} The whole record is in {log}."
        )


def _extracting(root: Path, process: subprocess.Popen[bytes]) -> subprocess.Popen[bytes]:
    """Unpack the archive that comes out of mmdebstrap, all files owned by this user: the root is read-only anyway."""
    root.mkdir()
    options = ["--no-same-owner", "--preserve-permissions", "--exclude=./dev/*"]
    tar = subprocess.Popen(["tar", "--extract", f"--directory={root}", *options], stdin=process.stdout)
    assert process.stdout is not None
    process.stdout.close()
    return tar


def _hooks(archive: debian.Archive, stage: Path, direct: bool) -> Sequence[str]:
    """Bring the archives, index and staged parts in, run provision.sh, and take them out again."""
    inside = "/var/tmp/stage"
    run = f'chroot "$1" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin sh {inside}/provision.sh {inside} >&2'
    if direct:
        debs, index, staged = (shlex.quote(str(path)) for path in (archive.debs, archive.index, stage))
        enter = f'mkdir -p "$1/var/cache/apt/archives" "$1/var/lib/apt/lists" && ' \
                f'ln {debs}/*.deb "$1/var/cache/apt/archives/" && cp {index}/*_* "$1/var/lib/apt/lists/"'  # fmt: skip
        return (f"--setup-hook={enter}", f'--customize-hook=mkdir -p "$1{inside}" && cp -r {staged}/. "$1{inside}"',
                f"--customize-hook={run}")  # fmt: skip
    names = " ".join(shlex.quote(str(path)) for path in sorted(archive.debs.glob("*.deb")))
    indexes = " ".join(shlex.quote(str(path)) for path in sorted(archive.index.glob("*_*")))
    return (
        '--setup-hook=mkdir -p "$1/var/cache/apt/archives" "$1/var/lib/apt/lists"',
        f"--setup-hook=copy-in {names} /var/cache/apt/archives", f"--setup-hook=copy-in {indexes} /var/lib/apt/lists",
        f"--customize-hook=copy-in {shlex.quote(str(stage))} /var/tmp", f"--customize-hook={run}",
    )  # fmt: skip


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
