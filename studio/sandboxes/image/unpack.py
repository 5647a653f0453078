"""The unpack phase: mmdebstrap makes the root folder from archives that are there, without a network.

As root, or through sudo, it writes the folder itself. Otherwise it works in a user namespace and hands out an archive,
which is unpacked with all files owned by this user: the root is only ever mounted read-only.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from studio.errors import ConfigurationError
from studio.sandboxes.image import host, lists
from studio.sandboxes.image.debian import Archive, Plan
from studio.sandboxes.image.model import Progress, Report

INSIDE = "/var/tmp/stage"
ARCHIVES = "/var/cache/apt/archives"
INDEX = "/var/lib/apt/lists"
GRACE_S = 5.0
PREFERENCES = "/etc/apt/preferences.d"


def stage(folder: Path, wheels: Path, web: Path) -> None:
    """Put everything that provision.sh needs into one new folder."""
    (folder / "certs").mkdir(parents=True)
    shutil.copytree(wheels, folder / "wheels")
    shutil.copytree(web, folder / "web")
    for certificate in lists.certificates():
        shutil.copyfile(certificate, folder / "certs" / certificate.name)
    for name in ("provision.sh", "bootstrap.py", "topojson.py"):
        shutil.copyfile(lists.HERE / name, folder / name)
    shutil.copyfile(lists.HERE / "requirements" / "python.txt", folder / "python.txt")
    shutil.copyfile(lists.HERE / "README-in-image", folder / "README")


def unpack(archive: Archive, plan: Plan, staged: Path, root: Path, log: Path, report: Report, lock: int) -> None:
    """Make `root`, telling of each package. The record goes to `log`.

    The child inherits `lock`, so that nobody else builds while it still runs. Raises ConfigurationError.
    """
    before, direct = way()
    command = [
        *before, "mmdebstrap", "--mode=unshare", "--variant=apt", "--verbose", "--skip=update,cleanup/apt",
        f"--format={'directory' if direct else 'tar'}", f"--include={','.join(lists.packages())}",
        '--aptopt=APT::Install-Recommends "false"', '--aptopt=Acquire::Languages "none"',
        *(f"--dpkgopt={option}" for option in (*lists.dpkg_options(), "force-unsafe-io")),
        *package_hooks(archive, direct), *_stage_hooks(staged, direct),
        lists.SUITE, str(root) if direct else "-", str(archive.sources),
    ]  # fmt: skip
    with log.open("w", encoding="utf-8") as sink, _running(command, root, direct, lock) as (process, tar):
        assert process.stderr is not None
        seen = 0
        for raw in process.stderr:
            line = raw.decode("utf-8", "replace")
            sink.write(line)
            if match := re.match(r"(?:Unpacking|Setting up) ([^\s:]+)", line):
                seen += 1
                done = min(0.99, seen / (2 * len(plan.files)))
                report(Progress("install", f"Installing {match[1]}", fraction=done))
            elif line.startswith("STAGE "):
                report(Progress("finish", f"Setting up: {line[6:].strip()}"))
        code = process.wait() or (tar.wait() if tar else 0)
    if code != 0:
        lines = [line[:300] for line in log.read_text("utf-8").splitlines() if line.startswith(("E:", "ERROR"))]
        raise ConfigurationError(f"The image could not be unpacked: {' '.join(lines[:2])} All of it is in {log}.")


def way() -> tuple[tuple[str, ...], bool]:
    """What to put before the command, and whether it writes the folder itself."""
    before = host.as_root()
    if before == ():
        return (), True
    if host.can_unshare():
        return (), False
    if before is None:
        raise ConfigurationError(
            "Unpacking the image needs root, sudo, or ranges of user ids. For the last: sudo apt-get install uidmap, "
            "and sudo usermod --add-subuids 100000-165535 --add-subgids 100000-165535 $USER"
        )
    return before, True


@contextmanager
def _running(
    command: Sequence[str], root: Path, direct: bool, lock: int
) -> Iterator[tuple[subprocess.Popen[bytes], subprocess.Popen[bytes] | None]]:
    """mmdebstrap, and where it hands out an archive the tar that unpacks it; both are ended on the way out."""
    stdout = subprocess.DEVNULL if direct else subprocess.PIPE
    process = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=stdout, stderr=subprocess.PIPE, pass_fds=(lock,), process_group=0
    )
    tar = None
    try:
        if process.stdout is not None:
            root.mkdir()
            keep = ["--no-same-owner", "--preserve-permissions", "--exclude=./dev/*"]
            tar = subprocess.Popen(["tar", "--extract", f"--directory={root}", *keep], stdin=process.stdout)
            process.stdout.close()
        yield process, tar
    finally:
        _end(process)
        if tar is not None:
            tar.wait()


def _end(process: subprocess.Popen[bytes]) -> None:
    """End a build that is still running, with everything that it started in its namespaces."""
    if process.stderr is not None:
        process.stderr.close()  # nobody must wait for a reader
    for number in (signal.SIGTERM, signal.SIGKILL):
        if process.poll() is not None:
            return
        with suppress(PermissionError, ProcessLookupError):  # sudo, which hands the first signal on
            os.killpg(process.pid, number)
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout=GRACE_S)
    process.wait()


def _prepare_hook() -> str:
    """A root with /usr merged from the start, and the folders that the next hooks fill."""
    links = "bin sbin lib lib64" if lists.architecture() == "amd64" else "bin sbin lib"
    merged = f'for name in {links}; do mkdir -p "$1/usr/$name" && ln -s "usr/$name" "$1/$name" || exit 1; done'
    return f'--setup-hook={merged}; mkdir -p "$1{ARCHIVES}" "$1{INDEX}" "$1{PREFERENCES}"'


def _provision_hook() -> str:
    return f'--customize-hook=chroot "$1" env -i PATH=/usr/sbin:/usr/bin sh {INSIDE}/provision.sh {INSIDE} >&2'


def package_hooks(archive: Archive, direct: bool) -> Sequence[str]:
    """Hooks that give a fresh root what was fetched of Debian's archive.

    `direct`: hard links, as both lie on the same file system; else copies that mmdebstrap makes from outside its user
    namespace, which cannot reach this user's files.
    """
    if direct:
        debs, index, preferences = (shlex.quote(str(p)) for p in (archive.debs, archive.index, archive.preferences))
        return (
            _prepare_hook(),
            f'--setup-hook=ln {debs}/*.deb "$1{ARCHIVES}/" && cp {index}/*_* "$1{INDEX}/" '
            f'&& cp {preferences} "$1{PREFERENCES}/studio"',
        )
    debs = " ".join(shlex.quote(str(path)) for path in sorted(archive.debs.glob("*.deb")))
    indexes = " ".join(shlex.quote(str(path)) for path in sorted(archive.index.glob("*_*")))
    return (
        _prepare_hook(),
        f"--setup-hook=copy-in {debs} {ARCHIVES}",
        f"--setup-hook=copy-in {indexes} {INDEX}",
        f"--setup-hook=upload {shlex.quote(str(archive.preferences))} {PREFERENCES}/studio",
    )


def _stage_hooks(staged: Path, direct: bool) -> Sequence[str]:
    parts = shlex.quote(str(staged))
    if direct:
        return (f'--customize-hook=mkdir -p "$1{INSIDE}" && cp -r {parts}/. "$1{INSIDE}"', _provision_hook())
    return (f"--customize-hook=copy-in {parts} {Path(INSIDE).parent}", _provision_hook())
