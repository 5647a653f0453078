"""`studio image`: the sandbox image of this machine."""

from __future__ import annotations

import json
import shutil
import sys

import click

from studio.sandboxes.image import Image, Progress, ensure, find
from studio.sandboxes.image.build import prune
from studio.sandboxes.image.lists import digest
from studio.sandboxes.image.store import folder
from studio.settings import Settings

ENGINE = click.Choice(["local"])


@click.group("image")
def command() -> None:
    """The sandbox image: build it, or say what is there."""


@command.command()
@click.option("--engine", type=ENGINE, default="local", show_default=True, help="Which engine's image.")
@click.option("--force", is_flag=True, help="Build it anew, with today's packages.")
@click.option("--prune", "prune_others", is_flag=True, help="Then remove images of other lists.")
@click.option("--json", "as_json", is_flag=True, help="Print what `info --json` prints, when it is done.")
def build(engine: str, force: bool, prune_others: bool, as_json: bool) -> None:
    """Build the image if it is not there; downloads are kept and go on where they stopped."""
    settings = Settings()
    image = ensure(Teller(), settings, force=force)
    if prune_others:
        for path in prune(settings):
            click.echo(f"removed {path}", err=True)
    _print(image, settings, as_json)


@command.command()
@click.option("--engine", type=ENGINE, default="local", show_default=True, help="Which engine's image.")
@click.option("--json", "as_json", is_flag=True, help="Machine-readable.")
def info(engine: str, as_json: bool) -> None:
    """Say whether the image is there, where, and how large each part is."""
    settings = Settings()
    _print(find(settings.image_dir), settings, as_json)


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


def _print(image: Image | None, settings: Settings, as_json: bool) -> None:
    if as_json:
        where = image.path if image else folder(settings.image_dir, digest()) / "rootfs"
        told = {
            "ready": image is not None,
            "digest": image.digest if image else digest(),
            "path": str(where),
            "size_bytes": image.size_bytes if image else 0,
            "parts": dict(image.parts) if image else {},
        }
        if image:
            told |= {"python": image.python, "packages": image.packages, "built_at": image.built_at}
        click.echo(json.dumps({"local": told}, indent=2))
        return
    if image is None:
        click.echo("The sandbox image is not built. Build it with `studio image build`.")
        return
    click.echo(f"{image.path}\n{image.digest}, built {image.built_at}, Python {image.python}")
    for name, size in sorted(image.parts.items(), key=lambda part: -part[1]):
        click.echo(f"  {name:8} {size / 1e6:7.1f} MB")
    click.echo(f"  {'all':8} {image.size_bytes / 1e6:7.1f} MB")
