"""The host's own Debian mirrors, turned into sources of the image's release.

Formats: the one-line format (`*.list`) and deb822 (`*.sources`) of sources.list(5). What is not Debian's archive is
left out: it is named by its keyring where there is one, else by the end of its path and by the component `main`.
"""

from __future__ import annotations

import re
import shlex
import shutil
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from studio.errors import ConfigurationError
from studio.sandboxes.image.lists import SUITE

APT = Path("/etc/apt")
KEYRINGS = tuple(Path("/usr/share/keyrings") / f"debian-archive-keyring.{end}" for end in ("gpg", "pgp"))
SUITES = frozenset({"bookworm", "trixie", "forky", "sid", "stable", "oldstable", "testing", "unstable"})


@dataclass(frozen=True)
class Source:
    """One archive of the host's configuration."""

    uri: str
    suite: str
    components: tuple[str, ...]
    signed_by: str
    check_valid_until: bool

    @property
    def security(self) -> bool:
        return self.suite.endswith(("-security", "/updates")) or "debian-security" in self.uri

    @property
    def is_debian(self) -> bool:
        """Whether this is a mirror of Debian's own archive."""
        if "main" not in self.components or re.split(r"[-/]", self.suite)[0] not in SUITES:
            return False
        if self.signed_by:
            return "debian-archive" in self.signed_by
        return re.search(r"/debian(-security)?(\.list)?/?$", urlsplit(self.uri).path) is not None


def keyring() -> Path | None:
    """The keyring of Debian's archive on this machine, or None."""
    return next((path for path in KEYRINGS if path.exists()), None)


def read(folder: Path = APT) -> list[Source]:
    """The Debian archives that the apt configuration in `folder` names, each once."""
    found: list[Source] = []
    for path in [folder / "sources.list", *sorted((folder / "sources.list.d").glob("*"))]:
        if not path.is_file():
            continue
        text = path.read_text("utf-8", "replace")
        if path.suffix == ".list":
            found.extend(_one_line(text))
        elif path.suffix == ".sources":
            found.extend(_deb822(text))
    return list(dict.fromkeys(source for source in found if source.is_debian))


def lines(sources: list[Source], signed_by: Path) -> list[str]:
    """Lines of a sources.list for the image's release: the release, its updates, and its security archive."""
    result: dict[str, None] = {}
    for source in sources:
        options = f"signed-by={signed_by}" + ("" if source.check_valid_until else " check-valid-until=no")
        for suite in [f"{SUITE}-security"] if source.security else [SUITE, f"{SUITE}-updates"]:
            result[f"deb [{options}] {_plain(source.uri)} {suite} main"] = None
    return list(result)


def for_image(scratch: Path, folder: Path = APT) -> list[str]:
    """Lines for the image: from the mirrors that `folder` names, else from mmdebstrap's defaults (as on Ubuntu).

    Raises ConfigurationError when there is no keyring, or no mirror at all.
    """
    signed_by = keyring()
    if signed_by is None:
        raise ConfigurationError(
            "Debian's keyring is missing. Install with: sudo apt-get install debian-archive-keyring"
        )
    return lines(read(folder), signed_by) or lines(_defaults(scratch), signed_by)


def _defaults(scratch: Path) -> list[Source]:
    """mmdebstrap's own mirrors: it is asked for a root, and stopped before it fetches anything."""
    scratch.mkdir(parents=True, exist_ok=True)
    listed, nothing = scratch / "default-sources", scratch / "nothing"
    hook = f'cat "$1/etc/apt/sources.list" >{shlex.quote(str(listed))}; exit 1'
    command = ["mmdebstrap", "--mode=chrootless", "--variant=custom", f"--setup-hook={hook}", SUITE, str(nothing)]
    subprocess.run(command, capture_output=True, check=False)
    shutil.rmtree(nothing, ignore_errors=True)
    found = list(_one_line(listed.read_text("utf-8"))) if listed.exists() else []
    if not found:
        raise ConfigurationError("No mirror of Debian is configured in /etc/apt; add one, signed by Debian's keyring.")
    return found


def _plain(uri: str) -> str:
    """The address itself, where the configuration names a file of addresses (`mirror+file:`)."""
    if not uri.startswith("mirror+file:"):
        return uri
    listed = Path(urlsplit(uri).path).read_text("utf-8").split()
    return next((word for word in listed if "://" in word), uri)


def _one_line(text: str) -> Iterator[Source]:
    for line in text.splitlines():
        match = re.match(r"deb\s+(?:\[([^\]]*)\]\s+)?(\S+)\s+(\S+)\s+([^#]+)", line.strip())
        if match:
            options, uri, suite, components = match.groups()
            values = dict(word.split("=", 1) for word in (options or "").split() if "=" in word)
            yield Source(
                uri, suite, tuple(components.split()), values.get("signed-by", ""),
                values.get("check-valid-until", "yes") not in ("no", "false"),
            )  # fmt: skip


def _deb822(text: str) -> Iterator[Source]:
    bare = "\n".join(line for line in text.splitlines() if not line.startswith("#"))
    for paragraph in re.split(r"\n\s*\n", bare):
        fields: dict[str, str] = {}
        name = ""
        for line in paragraph.splitlines():
            if line[:1].isspace():
                fields[name] = f"{fields.get(name, '')}\n{line.strip()}"
            elif ":" in line:
                name, value = line.split(":", 1)
                name = name.strip().lower()
                fields[name] = value.strip()
        if "deb" not in fields.get("types", "").split() or fields.get("enabled", "yes").lower() in ("no", "false"):
            continue
        for uri in fields.get("uris", "").split():
            for suite in fields.get("suites", "").split():
                yield Source(
                    uri, suite, tuple(fields.get("components", "").split()), fields.get("signed-by", ""),
                    fields.get("check-valid-until", "yes").lower() not in ("no", "false"),
                )  # fmt: skip
