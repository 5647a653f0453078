"""The sandbox image as a Docker engine holds it: found by the digest of the lists, known by its labels."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass

from studio.errors import ImageMissing
from studio.sandboxes.docker import DockerHost
from studio.sandboxes.image import lists

REPOSITORY = "sandbox-studio"
LABEL = "sandbox-studio.image"
REMEDY = "build it with `studio image build --engine docker`"


@dataclass(frozen=True)
class ContainerImage:
    """A finished image in a Docker engine."""

    name: str
    digest: str
    size_bytes: int
    """As the engine counts it: the sum of its files."""
    parts: Mapping[str, int]
    """Space by part, as on a disk of 4 KiB blocks."""
    python: str
    packages: int
    built_at: str
    profile: str


def name_of(profile: str = "full") -> str:
    """What the image of today's lists is called in the engine."""
    short = digest_of(profile)[:16]
    return f"{REPOSITORY}:{short}" if profile == "full" else f"{REPOSITORY}:{profile}-{short}"


def digest_of(profile: str) -> str:
    """The digest of everything that goes into a profile's image."""
    return lists.digest() if profile == "full" else lists.minimal_digest()


def find(host: DockerHost, profile: str = "full") -> ContainerImage | None:
    """The image that the lists describe, or None while it is not built. Raises ConfigurationError."""
    stored = host.image(name_of(profile))
    if stored is None or f"{LABEL}.python" not in stored.labels:
        return None
    return ContainerImage(
        name=name_of(profile),
        digest=digest_of(profile),
        size_bytes=stored.size_bytes,
        parts={str(part): int(size) for part, size in json.loads(stored.labels[f"{LABEL}.parts"]).items()},
        python=stored.labels[f"{LABEL}.python"],
        packages=int(stored.labels[f"{LABEL}.packages"]),
        built_at=stored.labels[f"{LABEL}.built"],
        profile=profile,
    )


def require(host: DockerHost, profile: str = "full") -> ContainerImage:
    """The image that the lists describe. Raises ImageMissing with the remedy."""
    image = find(host, profile)
    if image is None:
        raise ImageMissing(f"The sandbox image is not built in the Docker engine at {host.url}. B{REMEDY[1:]}.")
    return image
