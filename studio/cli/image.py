"""`studio image`: the sandbox image of this machine."""

from __future__ import annotations

import json
import shutil
import sys
from typing import Any

import click

from studio.sandboxes.docker import DockerHost
from studio.sandboxes.image import Image, Progress, containing, ensure, find
from studio.sandboxes.image.build import prune
from studio.sandboxes.image.contained import ContainerImage, digest_of, name_of
from studio.sandboxes.image.contained import find as contained_image
from studio.sandboxes.image.lists import digest
from studio.sandboxes.image.store import folder
from studio.settings import Settings

ENGINE = click.Choice(["local", "docker"])
PROFILE = click.Choice(["full", "minimal"])


@click.group("image")
def command() -> None:
    """The sandbox image: build it, or say what is there."""


@command.command()
@click.option("--engine", type=ENGINE, default="local", show_default=True, help="Which engine's image.")
@click.option("--profile", type=PROFILE, default="full", show_default=True, help="minimal: with --engine docker only.")
@click.option("--force", is_flag=True, help="Build it anew, with today's packages.")
@click.option("--prune", "prune_others", is_flag=True, help="Then remove images of other lists.")
@click.option("--json", "as_json", is_flag=True, help="Print what `info --json` prints, when it is done.")
def build(engine: str, profile: str, force: bool, prune_others: bool, as_json: bool) -> None:
    """Build the image if it is not there; downloads are kept and go on where they stopped."""
    settings = Settings()
    if engine == "docker":
        contained = containing.ensure(Teller(), settings, profile=profile, force=force)
        removed = containing.prune(settings) if prune_others else []
        told = {"docker" if profile == "full" else f"docker-{profile}": _of_container(contained, profile)}
    elif profile != "full":
        raise click.UsageError("the local engine has no profile minimal; add --engine docker")
    else:
        image = ensure(Teller(), settings, force=force)
        removed = [str(path) for path in prune(settings)] if prune_others else []
        told = {"local": _of_root(image, settings)}
    for name in removed:
        click.echo(f"removed {name}", err=True)
    _print(told, as_json)


@command.command()
@click.option("--engine", type=ENGINE, help="Which engine's image; default: each that there is.")
@click.option("--json", "as_json", is_flag=True, help="Machine-readable.")
def info(engine: str | None, as_json: bool) -> None:
    """Say whether the image is there, where, and how large each part is."""
    settings = Settings()
    told = {}
    if engine != "docker":
        told["local"] = _of_root(find(settings.image_dir), settings)
    host = DockerHost(settings)
    if engine == "docker" or (engine is None and host.answers()):
        told["docker"] = _of_container(contained_image(host), "full")
        minimal = contained_image(host, "minimal")
        if minimal is not None:
            told["docker-minimal"] = _of_container(minimal, "minimal")
    _print(told, as_json)


class Teller:
    """Tells a person on standard error: one line that moves on a terminal, else a line now and then."""

    def __init__(self) -> None:
        self.moving = sys.stderr.isatty()
        self.last = ("", -1)

    def __call__(self, progress: Progress) -> None:
        text, tenth = progress.message, -1
        if progress.stage == "fetch" and progress.total_bytes and progress.done_bytes is not None:
            tenth = 10 * progress.done_bytes // progress.total_bytes
            text = f"{text}: {progress.done_bytes / 1e6:.0f} of {progress.total_bytes / 1e6:.0f} MB"
        elif progress.stage == "install" and progress.fraction is not None:
            tenth = int(10 * progress.fraction)
            text = f"{text} ({100 * progress.fraction:.0f} %)"
        if self.moving:
            width = shutil.get_terminal_size().columns - 1
            click.echo(f"\r\x1b[K{text[:width]}", nl=tenth < 0, err=True)
        elif (progress.stage, tenth) != self.last or tenth < 0:
            click.echo(text, err=True)
        self.last = (progress.stage, tenth)


def _of_root(image: Image | None, settings: Settings) -> dict[str, Any]:
    where = image.path if image else folder(settings.image_dir, digest()) / "rootfs"
    return {
        "ready": image is not None,
        "digest": image.digest if image else digest(),
        "path": str(where),
        **_size(image),
    }


def _of_container(image: ContainerImage | None, profile: str) -> dict[str, Any]:
    about = {"ready": image is not None, "digest": digest_of(profile), "name": name_of(profile)}
    return {**about, **_size(image)}


def _size(image: Image | ContainerImage | None) -> dict[str, Any]:
    if image is None:
        return {"size_bytes": 0, "parts": {}}
    return {
        "size_bytes": image.size_bytes,
        "parts": dict(image.parts),
        "python": image.python,
        "packages": image.packages,
        "built_at": image.built_at,
    }


def _print(told: dict[str, dict[str, Any]], as_json: bool) -> None:
    if as_json:
        click.echo(json.dumps(told, indent=2))
        return
    for engine, of in told.items():
        if not of["ready"]:
            option = "" if engine == "local" else " --engine docker"
            click.echo(f"{engine}: the sandbox image is not built. Build it with `studio image build{option}`.")
            continue
        click.echo(f"{engine}: {of.get('path') or of['name']}")
        click.echo(f"{of['digest']}, built {of['built_at']}, Python {of['python']}")
        for name, size in sorted(of["parts"].items(), key=lambda part: -part[1]):
            click.echo(f"  {name:8} {size / 1e6:7.1f} MB")
        click.echo(f"  {'all':8} {of['size_bytes'] / 1e6:7.1f} MB")
