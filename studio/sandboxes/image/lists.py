"""What goes into the image: the files of `sandbox_image/`, and the digest over all of them."""

from __future__ import annotations

import hashlib
import os
import re
from pathlib import Path

import sandbox_image

SUITE = "bookworm"
"""The Debian release of the image, whatever the host runs."""

HERE = Path(sandbox_image.__file__ or "").resolve().parent
HOST_CERTIFICATES = Path("/usr/local/share/ca-certificates")
ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64"}
INGREDIENTS = (
    "provision.sh", "dpkg.cfg", "README-in-image", "bootstrap.py", "topojson.py",
    "requirements/python.txt", "npm/package.json", "npm/package-lock.json",
)  # fmt: skip


def machine() -> str:
    """The kernel's name of the processor, as in `x86_64`."""
    return os.uname().machine


def architecture() -> str:
    """Debian's name of the processor, as in `amd64`."""
    return ARCHITECTURES.get(machine(), machine())


def groups() -> dict[str, tuple[str, ...]]:
    """Debian packages by part, from `packages/*.txt`, in the order in which the parts claim shared packages."""
    order = ("base", "python", "fonts", "media", "ocr", "browser")
    found = {path.stem: _entries(path) for path in sorted((HERE / "packages").glob("*.txt"))}
    return {name: found[name] for name in sorted(found, key=lambda name: order.index(name) if name in order else 99)}


def minimal_packages() -> tuple[str, ...]:
    """Debian packages of the profile `minimal`."""
    return _entries(HERE / "minimal" / "packages.txt")


def minimal_requirements() -> str:
    """The part of the pinned requirements that the profile `minimal` has, hashes included."""
    wanted = set(_entries(HERE / "minimal" / "python.txt"))
    text = (HERE / "requirements" / "python.txt").read_text("utf-8")
    pinned = re.findall(r"^[a-z0-9].*(?:\n[ \t].*)*", text, re.MULTILINE)
    return "".join(f"{entry}\n" for entry in pinned if entry.split("==")[0].strip() in wanted)


def minimal_digest() -> str:
    """SHA-256 over everything that goes into the image of profile `minimal`, in hexadecimal."""
    own = [path.read_bytes() for path in sorted((HERE / "minimal").iterdir())]
    return hashlib.sha256(b"\0".join([digest().encode(), *own])).hexdigest()


def packages() -> tuple[str, ...]:
    """All Debian packages that the image asks for by name, sorted."""
    return tuple(sorted({name for names in groups().values() for name in names}))


def dpkg_options() -> tuple[str, ...]:
    """dpkg's options that say what is left out of every package."""
    return _entries(HERE / "dpkg.cfg")


def certificates() -> tuple[Path, ...]:
    """Certificates that programs inside shall trust: dropped in `sandbox_image/certs/`, or local to this machine."""
    found = sorted((HERE / "certs").glob("*.crt"))
    names = {path.name for path in found}
    return (*found, *(path for path in sorted(HOST_CERTIFICATES.glob("**/*.crt")) if path.name not in names))


def digest() -> str:
    """SHA-256 over everything that goes into the image, in hexadecimal."""
    total = hashlib.sha256(f"studio.image/1 {SUITE} {architecture()}\n".encode())
    inside = [HERE / name for name in INGREDIENTS] + sorted((HERE / "packages").glob("*.txt"))
    for path in (*inside, *certificates()):
        name = path.relative_to(HERE).as_posix() if path.is_relative_to(HERE) else f"certs/{path.name}"
        # Comments in a list are not in the image.
        content = "\n".join(_entries(path)).encode() if path.suffix == ".txt" else path.read_bytes()
        total.update(f"{name} {hashlib.sha256(content).hexdigest()}\n".encode())
    return total.hexdigest()


def _entries(path: Path) -> tuple[str, ...]:
    lines = (line.split("#", 1)[0].strip() for line in path.read_text("utf-8").splitlines())
    return tuple(line for line in lines if line)
