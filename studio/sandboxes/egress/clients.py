"""Which hosts the package clients are configured with: asked of the clients themselves, never written down here.

Those of the image are asked inside, before anything of a job is there; this machine's pip and npm are asked for an
index of the operator's, which the image then uses too.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol
from urllib.parse import urlsplit, urlunsplit

from studio.sandboxes.egress.rules import Admitted, of_address
from studio.sandboxes.types import Upload

HOME = "/home/studio"
ASKING_S = 30.0
# apt names what it would fetch of its sources (apt-get(8), --print-uris); pip has an index built in, whose files lie
# with another host.
INSIDE = r"""
import json, subprocess
def lines(*command):
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    return done.stdout.split("\n")
apt = [line.split("'")[1] for line in lines("/usr/bin/apt-get", "--print-uris", "update") if line.startswith("'")]
try:
    from pip._internal.models.index import PyPI
    pip = [PyPI.url, "https://" + PyPI.file_storage_domain]
except Exception:
    pip = []
print(json.dumps({"apt": apt, "pip": pip, "pip_config": lines("python3", "-m", "pip", "config", "list")}))
"""
SETTING = re.compile(r"^\S*?\.?(index-url|extra-index-url)='(.*)'$")


class Asked(Protocol):
    """What is needed of a sandbox to ask in it."""

    def run(self, argv: list[str], *, timeout_s: float = 60.0) -> tuple[int | None, bytes, bytes]: ...


@dataclass(frozen=True)
class Clients:
    """The hosts of the image's clients, and the settings that they are given in their user's home."""

    admitted: frozenset[Admitted]
    settings: tuple[Upload, ...] = ()


@dataclass(frozen=True)
class Indexes:
    """What pip is configured with; addresses without a name and password, which enter no sandbox."""

    main: str | None = None
    extra: tuple[str, ...] = ()


def ask(sandbox: Asked) -> Clients:
    """The hosts that the image's own clients and this machine's indexes name."""
    status, out, _ = sandbox.run(["python3", "-I", "-c", INSIDE], timeout_s=ASKING_S)
    told = json.loads(out) if status == 0 else {}
    own, here = indexes(told.get("pip_config", [])), host_indexes()
    chosen = Indexes(own.main or here.main, own.extra or here.extra)
    given = []
    if chosen != own:
        given.append(Upload(f"{HOME}/.config/pip/pip.conf", _pip_conf(chosen).encode()))
    addresses = [*told.get("apt", []), *([chosen.main] if chosen.main else told.get("pip", [])), *chosen.extra]
    if registry := npm_registry():
        addresses.append(registry)
        given.append(Upload(f"{HOME}/.npmrc", f"registry={registry}\n".encode()))
    found = (of_address(address) for address in addresses)
    return Clients(frozenset(one for one in found if one is not None), tuple(given))


def _pip_conf(chosen: Indexes) -> str:
    lines = ["[global]"]
    if chosen.main:
        lines.append(f"index-url = {chosen.main}")
    if chosen.extra:
        lines.append(f"extra-index-url = {' '.join(chosen.extra)}")
    return "\n".join((*lines, ""))


def indexes(listed: list[str]) -> Indexes:
    """The indexes in what `pip config list` prints; those that are no http(s) address are passed over."""
    found: dict[str, list[str]] = {"index-url": [], "extra-index-url": []}
    for line in listed:
        if match := SETTING.match(line.strip()):
            words = match[2].replace("\\n", " ").split()
            # A later line is of a narrower configuration (pip, "Configuration": precedence), and replaces the earlier.
            found[match[1]] = [_bare(word) for word in words if of_address(word) is not None] or found[match[1]]
    return Indexes(next(iter(found["index-url"]), None), tuple(found["extra-index-url"]))


def _bare(address: str) -> str:
    parts = urlsplit(address)
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit((parts.scheme, host, parts.path, "", ""))


@lru_cache(maxsize=1)
def host_indexes() -> Indexes:
    """What this machine's pip is configured with."""
    return indexes(_said([sys.executable, "-m", "pip", "config", "list"]).splitlines())


@lru_cache(maxsize=1)
def npm_registry() -> str | None:
    """The registry that this machine's npm is configured with, where there is an npm."""
    if shutil.which("npm") is None:
        return None
    address = _said(["npm", "config", "get", "registry"]).strip()
    return _bare(address) if of_address(address) else None


def _said(command: list[str]) -> str:
    try:
        done = subprocess.run(
            command, capture_output=True, text=True, timeout=ASKING_S, stdin=subprocess.DEVNULL, cwd="/", check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return done.stdout
