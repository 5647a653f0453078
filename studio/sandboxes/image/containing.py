"""Building the image in a Docker engine, from what the download phase has put on this machine.

The context holds every package, so the build has no network. Its base comes from a registry where one answers; else it
is made by mmdebstrap of the same archive and imported under the name that the Dockerfile asks for.
"""

from __future__ import annotations

import io
import json
import re
import subprocess
import tarfile
import tempfile
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import IO, Any

from studio.errors import ConfigurationError
from studio.sandboxes.docker import DockerHost
from studio.sandboxes.image import host, lists, store, unpack
from studio.sandboxes.image.build import Fetched, fetch
from studio.sandboxes.image.contained import LABEL, REPOSITORY, ContainerImage, digest_of, find, name_of, require
from studio.sandboxes.image.model import Progress, Report
from studio.settings import Settings

DOCKERFILE = lists.HERE / "Dockerfile"
STAGE_LABEL = f"{REPOSITORY}.stage"


def ensure(report: Report, settings: Settings, *, profile: str = "full", force: bool = False) -> ContainerImage:
    """The image that the lists describe, in the engine; built if it is not there, anew with `force`.

    Raises ConfigurationError with the remedy.
    """
    engine = DockerHost(settings)
    image = find(engine, profile)
    if image is not None and not force:
        report(Progress("ready", f"Sandbox image {image.name} is there", fraction=1.0))
        return image
    host.prepare(report)
    image_dir = settings.image_dir.absolute()
    waiting = Progress("plan", "Another process is building the sandbox image; waiting for it")
    with store.building(image_dir, lambda: report(waiting)):
        image = find(engine, profile)
        if image is None or force:
            fetched = fetch(image_dir, report)
            _base(engine, fetched, report)
            _build(engine, fetched, profile, image_dir, report)
    report(Progress("ready", f"Sandbox image {name_of(profile)} is built", fraction=1.0))
    return require(engine, profile)


def prune(settings: Settings) -> list[str]:
    """Remove the engine's images of other lists; their names."""
    engine = DockerHost(settings)
    keep = {name_of("full"), name_of("minimal")}
    others = [name for name in engine.image_names(REPOSITORY) if name not in keep]
    for name in others:
        engine.remove_image(name)
    return others


def base_name() -> str:
    """The image that the Dockerfile builds on, as it names it."""
    found = re.search(r"^FROM (\S+) AS root$", DOCKERFILE.read_text("utf-8"), re.MULTILINE)
    assert found is not None
    return found[1]


def _base(engine: DockerHost, fetched: Fetched, report: Report) -> None:
    """Have the base there: what the engine holds, a registry's, or one made here."""
    name = base_name()
    if engine.image(name) is not None:
        return
    report(Progress("plan", f"Asking for {name}"))
    if engine.pull(name):
        return
    report(Progress("install", f"No registry gives {name}: making it of Debian's packages"))
    before, direct = unpack.way()
    command = [
        *before, "mmdebstrap", "--mode=unshare", "--variant=apt", "--quiet", "--format=tar",
        "--skip=update,cleanup/apt",
        *(f"--dpkgopt={option}" for option in (*lists.dpkg_options(), "force-unsafe-io")),
        *unpack.package_hooks(fetched.archive, direct),
        f'--customize-hook=rm -rf "$1{unpack.ARCHIVES}"/*.deb "$1{unpack.INDEX}"/*_*',
        lists.SUITE, "-", str(fetched.archive.sources),
    ]  # fmt: skip
    repository, tag = name.split(":")
    with tempfile.TemporaryDirectory(dir=fetched.archive.home) as scratch:
        root = Path(scratch) / "root.tar"
        with root.open("wb") as sink:
            done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=sink, stderr=subprocess.PIPE, check=False)
        if done.returncode != 0:
            raise ConfigurationError(f"{name} could not be made: {done.stderr.decode('utf-8', 'replace')[-400:]}")
        engine.load_root(root, repository, tag)


def _build(engine: DockerHost, fetched: Fetched, profile: str, image_dir: Path, report: Report) -> None:
    draft = f"{REPOSITORY}:building-{digest_of(profile)[:16]}"
    measured: Mapping[str, Any] | None = None
    log = image_dir / "build-docker.log"
    with tempfile.TemporaryDirectory(dir=image_dir, prefix=".context-") as scratch, log.open("w") as sink:
        report(Progress("install", "Sending the packages to the Docker engine"))
        with (Path(scratch) / "context.tar").open("w+b") as archive:
            _context(archive, fetched, profile, Path(scratch))
            archive.seek(0)
            seen = 0
            for line in _lines(engine.build(archive, draft, arguments={"PROFILE": profile})):
                sink.write(line + "\n")
                if match := re.match(r"(?:Unpacking|Setting up) ([^\s:]+)", line):
                    seen += 1
                    done = min(0.99, seen / (2 * len(fetched.plan.files)))
                    report(Progress("install", f"Installing {match[1]}", fraction=done))
                elif line.startswith("STAGE "):
                    report(Progress("finish", f"Setting up: {line[6:].strip()}"))
                elif line.startswith("MEASURED "):
                    measured = json.loads(line[9:])
                elif re.match(r"Step \d+/\d+ : COPY --from", line):
                    report(Progress("finish", "Joining it into one layer"))
    if measured is None:
        raise ConfigurationError(f"the build in the Docker engine did not come to its end; all of it is in {log}")
    _label(engine, draft, profile, measured)
    engine.remove_image(draft)
    engine.drop_stages(STAGE_LABEL)


def _label(engine: DockerHost, draft: str, profile: str, measured: Mapping[str, Any]) -> None:
    """Give it its name, with what was measured as labels: any studio that uses the engine reads them there."""
    labels = {
        "digest": digest_of(profile),
        "python": re.split(r"[-+~]", str(measured["python"]))[0],
        "packages": str(int(measured["packages"])),
        "parts": json.dumps(measured["parts"]),
        "built": datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z"),
    }
    lines = [f"FROM {draft}", *(f"LABEL {LABEL}.{name}={json.dumps(value)}" for name, value in labels.items())]
    with io.BytesIO() as archive:
        _add(archive, {"Dockerfile": "\n".join(lines).encode()})
        archive.seek(0)
        for _ in engine.build(archive, name_of(profile)):
            pass


def _context(archive: IO[bytes], fetched: Fetched, profile: str, scratch: Path) -> None:
    """Write the build context: what was fetched, the lists of the profile, and the programs that work on them."""
    staged = scratch / "stage"
    unpack.stage(staged, fetched.wheels, fetched.web)
    packages, groups = lists.packages(), lists.groups()
    if profile == "minimal":
        packages = lists.minimal_packages()
        python = tuple(name for name in packages if name.startswith("python3"))
        groups = {"base": tuple(name for name in packages if name not in python), "python": python}
        (staged / "python.txt").write_text(lists.minimal_requirements(), "utf-8")
        (staged / "README").write_bytes((lists.HERE / "minimal" / "README").read_bytes())
    own = fetched.archive
    debs, index = sorted(own.debs.glob("*.deb")), sorted(own.index.glob("*_*"))
    texts = {
        "Dockerfile": DOCKERFILE.read_bytes(),
        "measure.py": (lists.HERE / "measure.py").read_bytes(),
        "parts.py": Path(__file__).with_name("parts.py").read_bytes(),
        "packages": "\n".join(packages).encode(),
        "groups.json": json.dumps(groups).encode(),
        "dpkg.cfg": "".join(f"{line}\n" for line in (*lists.dpkg_options(), "force-unsafe-io")).encode(),
    }
    files = {"apt/sources.list": own.sources, "apt/preferences": own.preferences}
    files |= {f"apt/archives/{path.name}": path for path in debs} | {f"apt/lists/{path.name}": path for path in index}
    files |= {f"stage/{p.relative_to(staged).as_posix()}": p for p in sorted(staged.rglob("*")) if p.is_file()}
    _add(archive, texts, files)


def _add(archive: IO[bytes], texts: Mapping[str, bytes], files: Mapping[str, Path] | None = None) -> None:
    """Write a tar archive whose entries are root's and of one time, so that the same content is the same layer."""
    with tarfile.open(fileobj=archive, mode="w") as tar:
        for name, text in texts.items():
            entry = tarfile.TarInfo(name)
            entry.size = len(text)
            tar.addfile(entry, io.BytesIO(text))
        for name, path in (files or {}).items():
            entry = tarfile.TarInfo(name)
            entry.size = path.stat().st_size
            with path.open("rb") as content:
                tar.addfile(entry, content)


def _lines(pieces: Iterator[str]) -> Iterator[str]:
    """Whole lines of a text that comes in pieces."""
    rest = ""
    for piece in pieces:
        *whole, rest = (rest + piece).split("\n")
        yield from whole
    if rest:
        yield rest
