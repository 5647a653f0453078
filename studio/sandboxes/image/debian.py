"""The download phase for Debian packages: a private apt root, so that nothing of the host's own apt state is touched.

apt itself resolves, resumes partial files, and verifies signatures and hashes.
"""

from __future__ import annotations

import re
import subprocess
import time
from dataclasses import dataclass
from pathlib import Path

from studio.errors import ConfigurationError
from studio.sandboxes.image import lists
from studio.sandboxes.image.model import Progress, Report

TRIES = 3
PREFERENCES = """\
Explanation: the root is merged from the start, so the package that merges one later, and its Perl, are not needed
Package: usrmerge
Pin: release *
Pin-Priority: -1
"""


@dataclass(frozen=True)
class Plan:
    """What the image needs from Debian's archive."""

    files: dict[str, int]
    """Name in the archive folder → size in bytes."""
    missing_bytes: int
    bytes_per_second: float | None
    """As measured while the index was fetched; None when nothing was."""


@dataclass(frozen=True)
class Archive:
    """A private apt root under `home`."""

    home: Path

    @property
    def debs(self) -> Path:
        return self.home / "archives"

    @property
    def index(self) -> Path:
        return self.home / "state" / "lists"

    @property
    def sources(self) -> Path:
        return self.home / "sources.list"

    @property
    def preferences(self) -> Path:
        return self.home / "preferences"

    def prepare(self, sources: list[str]) -> None:
        """Write the configuration: these sources, and the host's own settings of how to reach them."""
        for path in (self.debs / "partial", self.index / "partial", self.home / "empty"):
            path.mkdir(parents=True, exist_ok=True)
        (self.home / "state" / "status").touch()
        self.preferences.write_text(PREFERENCES, "utf-8")
        text = "".join(f"{line}\n" for line in sources)
        if not self.sources.exists() or self.sources.read_text("utf-8") != text:
            self.sources.write_text(text, "utf-8")
        own = {
            "Dir::State": self.home / "state",
            "Dir::State::status": self.home / "state" / "status",
            "Dir::Cache": self.home,
            "Dir::Cache::archives": self.debs,
            "Dir::Etc::main": "/dev/null",
            "Dir::Etc::parts": self.home / "empty",
            "Dir::Etc::preferences": self.preferences,
            "Dir::Etc::preferencesparts": self.home / "empty",
            "Dir::Etc::sourcelist": self.sources,
            "Dir::Etc::sourceparts": self.home / "empty",
            "APT::Architecture": lists.architecture(),
            "APT::Install-Recommends": "false",
            "APT::Sandbox::User": "",
            "Acquire::Languages": "none",
            "Acquire::Retries": "3",
        }
        settings = [f'{name} "{value}";' for name, value in own.items()]
        (self.home / "apt.conf").write_text("\n".join([*_reaching(), *settings, ""]), "utf-8")

    def update(self) -> float | None:
        """Fetch the index; bytes per second, or None when nothing new was fetched."""
        began = time.monotonic()
        for attempt in range(TRIES):
            done = self._apt("update", "-o", "APT::Update::Error-Mode=any")
            if done.returncode == 0:
                break
            if attempt == TRIES - 1:
                raise ConfigurationError(f"Debian's package index could not be fetched: {_complaint(done.stderr)}")
            time.sleep(2 * attempt + 1)
        fetched = re.search(r"Fetched ([\d.,]+) (k|M|G)?B", done.stdout)
        if not fetched:
            return None
        size = float(fetched[1].replace(",", "")) * {"k": 1e3, "M": 1e6, "G": 1e9}.get(fetched[2] or "", 1)
        return size / max(time.monotonic() - began, 0.1) if size > 1e6 else None

    def plan(self, rate: float | None) -> Plan:
        """Resolve all packages. Raises ConfigurationError when a package is not to be had."""
        done = self._apt("install", "--print-uris", "-qq", "-y", *self._wanted())
        if done.returncode != 0:
            raise ConfigurationError(f"The image's packages cannot be resolved: {_complaint(done.stderr)}")
        listed = re.findall(r"^'[^']+' (\S+) (\d+) ", done.stdout, re.MULTILINE)
        # apt lists only what its archive folder does not hold yet; what it holds counts by its own size.
        missing = {name: int(size) for name, size in listed}
        present = {path.name: path.stat().st_size for path in self.debs.glob("*.deb")}
        partial = sum(path.stat().st_size for path in (self.debs / "partial").glob("*.deb"))
        return Plan({**present, **missing}, max(0, sum(missing.values()) - partial), rate)

    def fetch(self, plan: Plan, report: Report, total: int) -> None:
        """Download what is missing, telling of the bytes; `total` is that of the whole set-up."""
        for attempt in range(TRIES):
            complaint = self._download(plan, report, total)
            if complaint is None:
                return
            if attempt < TRIES - 1:
                report(Progress("fetch", f"The download broke ({complaint}); going on where it stopped.", None, total))
                time.sleep(2 * attempt + 1)
        raise ConfigurationError(
            f"Debian's packages could not all be fetched: {complaint} What was fetched is kept; start again to go on."
        )

    def tidy(self, plan: Plan) -> None:
        """Remove archives that this plan does not use: older versions."""
        for path in self.debs.glob("*.deb"):
            if path.name not in plan.files:
                path.unlink()

    def _download(self, plan: Plan, report: Report, total: int) -> str | None:
        command = self._command("install", "--download-only", "-y", "-q", "-o", "APT::Status-Fd=1", *self._wanted())
        with (self.home / "fetch.log").open("wb") as log:
            process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, env=None)
            assert process.stdout is not None
            for raw in process.stdout:
                line = raw.decode("utf-8", "replace")
                if line.startswith("dlstatus:") and total:
                    done = int(plan.missing_bytes * float(line.split(":")[2]) / 100)
                    report(Progress("fetch", "Debian packages", done, total))
            code = process.wait()
        return None if code == 0 else _complaint((self.home / "fetch.log").read_text("utf-8", "replace"))

    def _wanted(self) -> list[str]:
        return ["?essential", "apt", *lists.packages()]

    def _command(self, *arguments: str) -> list[str]:
        return ["env", f"APT_CONFIG={self.home / 'apt.conf'}", "LC_ALL=C.UTF-8", "apt-get", *arguments]

    def _apt(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(self._command(*arguments), capture_output=True, text=True, check=False)


def _reaching() -> list[str]:
    """The host's settings of how archives are reached (proxies, certificates, retries), without its hooks."""
    dump = subprocess.run(["apt-config", "dump"], capture_output=True, text=True, check=True).stdout
    wanted = re.compile(r"Acquire::(https?|ftp|Check-Valid-Until|Max-FutureTime|ForceIPv[46]|Queue-Mode)\b")
    return [line for line in dump.splitlines() if wanted.match(line)]


def _complaint(text: str) -> str:
    """The first errors of apt, without their mark."""
    errors = [line[2:].strip() for line in text.splitlines() if line.startswith("E:")]
    return " ".join(errors[:2]) or text.strip()[-300:] or "apt-get said nothing more."
