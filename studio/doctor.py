"""`studio doctor`: each thing that is needed here: found or missing, and what to do."""

from __future__ import annotations

import os
import platform
import shutil
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from studio.errors import ConfigurationError
from studio.models.listing import named_models
from studio.sandboxes import chosen
from studio.sandboxes.egress import squid
from studio.sandboxes.image import find
from studio.sandboxes.image.sources import keyring
from studio.sandboxes.types import Engine
from studio.settings import Settings

LEAST_PYTHON = (3, 11)
LEAST_DEBIAN = 12
IMAGE_BYTES = 4 << 30  # archives, root folder, and room to unpack
WORK_BYTES = 1 << 30
SANDBOX_BYTES = 2 << 30


@dataclass(frozen=True)
class Finding:
    """One thing: is it as it must be, what was found, and the remedy where it is not."""

    name: str
    ok: bool
    found: str
    remedy: str = ""
    required: bool = True


def examine(settings: Settings, os_release: Path = Path("/etc/os-release")) -> list[Finding]:
    """Everything that the studio needs on this machine, in the order in which to mend it."""
    built = find(settings.image_dir) is not None
    engine, why = chosen(settings)
    local = engine.name == "local"
    findings = [_python(), system(os_release), Finding("engine", True, f"{engine.name}: {why}")]
    if local:
        findings += [*_programs(built), _keyring(built), _image(settings)]
    else:
        findings.append(_engine_image(engine))
    findings += [
        _folder("data directory", settings.data_dir),
        _disk(settings.image_dir, built or not local),
        _memory(settings),
    ]
    findings += [*_proxy(settings), *_models(settings)]
    try:
        protections = engine.protections()
    except ConfigurationError as error:
        return [*findings, Finding("sandboxes", False, str(error))]
    return findings + [
        Finding(item.name, item.holds, item.how, "" if item.holds else item.remedy, item.required)
        for item in protections
    ]


def _python() -> Finding:
    found = platform.python_version()
    return Finding("Python", sys.version_info >= LEAST_PYTHON, found, "install Python 3.11 or later")


def system(os_release: Path) -> Finding:
    """Is this Debian, or near enough to it, that the local engine's image can be built here?"""
    told = _release(os_release)
    name = told.get("PRETTY_NAME") or platform.system()
    family = {told.get("ID", ""), *told.get("ID_LIKE", "").split()}
    version = told.get("VERSION_ID", "").split(".")[0]
    if told.get("ID") == "debian" and version.isdigit() and int(version) < LEAST_DEBIAN:
        return Finding("system", False, name, f"use Debian {LEAST_DEBIAN} or later", required=False)
    if not family & {"debian", "ubuntu"}:
        remedy = (
            "the local engine is made for Debian and Ubuntu; elsewhere a Docker engine serves: "
            "`studio image build --engine docker`"
        )
        return Finding("system", False, name, remedy, required=False)
    return Finding("system", True, name, required=False)


def _release(path: Path) -> Mapping[str, str]:
    try:
        lines = path.read_text("utf-8").splitlines()
    except OSError:
        return {}
    pairs = (line.partition("=") for line in lines if "=" in line)
    return {key: value.strip().strip("\"'") for key, _, value in pairs}


def _programs(built: bool) -> list[Finding]:
    wanted = [("bwrap", "bubblewrap", True), ("mmdebstrap", "mmdebstrap", not built)]
    if os.geteuid() == 0:
        wanted += [(name, "util-linux", True) for name in ("unshare", "setpriv")] + [("mount", "mount", True)]
    else:
        wanted.append(("newuidmap", "uidmap", not built))
    return [_program(name, package, required) for name, package, required in wanted]


def _program(name: str, package: str, required: bool) -> Finding:
    path = shutil.which(name)
    return Finding(name, path is not None, path or "missing", f"sudo apt-get install {package}", required)


def _keyring(built: bool) -> Finding:
    path = keyring()
    remedy = "sudo apt-get install debian-archive-keyring (Ubuntu does not install it by itself)"
    return Finding("Debian's archive keys", path is not None, str(path or "missing"), remedy, not built)


def _image(settings: Settings) -> Finding:
    image = find(settings.image_dir)
    if image is None:
        return Finding("sandbox image", False, "not built", "build it with `studio image build` (or `make image`)")
    return Finding("sandbox image", True, f"{image.size_bytes / 1e9:.2f} GB, {image.digest[:12]}, {image.path}")


def _engine_image(engine: Engine) -> Finding:
    try:
        return Finding("sandbox image", True, f"{engine.image_digest()[:12]}, in the {engine.name} engine")
    except ConfigurationError as error:
        return Finding("sandbox image", False, str(error), "build it with `studio image build --engine docker`")


def _proxy(settings: Settings) -> list[Finding]:
    """What a job's network takes, where the operator allows one."""
    if settings.max_network == "none":
        return []
    path = squid.program()
    remedy = f"jobs cannot fetch packages without it: {squid.REMEDY}; or set STUDIO_MAX_NETWORK=none"
    return [Finding("proxy Squid", path is not None, path or "missing", remedy, required=False)]


def _models(settings: Settings) -> list[Finding]:
    """The named models: is the file in order, is each key there? Nobody is asked over the network."""
    try:
        models = named_models(settings)
    except ConfigurationError as error:
        return [Finding("models", False, str(error), "mend studio.toml")]
    return [
        Finding(
            f"model {model.spec}",
            model.has_key is not False,
            f"{model.profile.model} at {model.profile.base_url}",
            f"set the variable {model.profile.key_env}; then `studio models test {model.spec}`",
            required=False,
        )
        for model in models
    ]


def _folder(name: str, path: Path) -> Finding:
    """Can something be made there, or where its first missing folder would be?"""
    place = _existing(path)
    ok = place.is_dir() and os.access(place, os.W_OK | os.X_OK)
    return Finding(name, ok, str(path), f"make {place} writable, or set STUDIO_DATA_DIR to a folder that is")


def _existing(path: Path) -> Path:
    return next(place for place in (path.absolute(), *path.absolute().parents) if place.exists())


def _disk(path: Path, built: bool) -> Finding:
    needed = WORK_BYTES if built else IMAGE_BYTES
    free = shutil.disk_usage(_existing(path)).free
    remedy = f"free at least {needed >> 30} GiB, or set STUDIO_IMAGE_DIR and STUDIO_DATA_DIR to a larger disk"
    return Finding("free disk", free >= needed, f"{free / 1e9:.1f} GB", remedy)


def _memory(settings: Settings) -> Finding:
    total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    wanted = settings.workers * SANDBOX_BYTES
    remedy = f"with {settings.workers} jobs at once {wanted >> 30} GiB may be needed; lower STUDIO_WORKERS"
    return Finding("memory", total >= wanted, f"{total / 1e9:.1f} GB", remedy, required=False)
