"""Deliveries are judged for real: files in a folder, a sandbox, the inspector, a report."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeAlias

import pytest

from studio.brief import Brief, InputFile
from studio.cli.delivered import stage, take_manifest
from studio.contract import Check, Contract, Report
from studio.inspection import inspect
from studio.sandboxes import engine_for
from studio.sandboxes.types import Engine, Sandbox, SandboxSpec, Upload
from studio.settings import Settings
from tests.inspection import music

Files: TypeAlias = Mapping[str, bytes]
Judge: TypeAlias = Callable[..., Report]
JudgeAll: TypeAlias = Callable[..., dict[str, Report]]
Draw: TypeAlias = Callable[[bytes, int], bytes]

ENTRY, RASTER = "poster.svg", "poster.png"

# Arguments as the poster's contract gives them.
ARGS: dict[str, dict[str, object]] = {
    "files.present": {"required": [ENTRY, RASTER]},
    "files.safe": {"max_files": 200, "max_bytes": 200 << 20},
    "svg.well_formed": {"file": ENTRY},
    "svg.safe": {"file": ENTRY},
    "svg.page": {"file": ENTRY, "width_mm": 420, "height_mm": 594, "tolerance": 0.005},
    "poster.text": {"file": ENTRY, "strings": [{"text": "Night Swim", "pointer": "/params/event/name"}]},
    "poster.overlap": {"file": ENTRY},
    "poster.contrast": {
        "file": ENTRY,
        "page_width": 1080,
        "minimum": 4.5,
        "large_px": 24,
        "large_minimum": 3.0,
        "percentile": 5,
    },
    "poster.glyphs": {"file": ENTRY},
    "poster.palette": {
        "file": ENTRY,
        "palette": {"primary": "#D63A26", "secondary": "#1D3461", "background": "#F5EFE3", "text": "#1A1A22"},
        "near": 10,
        "least": {"background": 0.01, "primary": 0.003},
        "drawn": 0.1,
    },
    "poster.qr": {"file": RASTER, "url": "https://lido.example/night", "pointer": "/params/registration/url"},
    "pdf.page": {"file": "poster.pdf", "width_mm": 420, "height_mm": 594, "tolerance_mm": 0.5},
    "png.size": {"files": [{"path": RASTER, "width": 350, "height": 495, "tolerance_px": 1}]},
    "png.matches_svg": {"svg": ENTRY, "png": RASTER, "minimum": 0.97, "side_px": 512, "text_minimum": 0.8},
    "png.not_blank": {"files": [RASTER]},
    **music.ARGS,
    "images.used": {"files": [RASTER], "images": [{"name": "face.png", "pointer": "/params/speakers/0/photo"}]},
}


def contract_of(*ids: str, kind: str = "poster", if_present: str | None = None, **more: object) -> Contract:
    """A contract of some of the poster's checks; `more` overrides arguments.

    With `if_present` the last of them is asked only where there is that file.
    """
    checks = [Check(id=each, expected="", args={**ARGS.get(each, {}), **more}) for each in ids]  # type: ignore[dict-item]
    if if_present:
        checks[-1] = checks[-1].model_copy(update={"if_present": if_present})
    return Contract(kind=kind, entry=ENTRY, checks=tuple(checks))


@pytest.fixture(scope="session")
def engine(tmp_path_factory: pytest.TempPathFactory) -> Engine:
    return engine_for(Settings(data_dir=tmp_path_factory.mktemp("studio")))


def judged(
    engine: Engine,
    folder: Path,
    files: Files,
    *ids: str,
    attached: Files | None = None,
    kind: str = "checks alone",
    **more: object,
) -> Report:
    """The report on some files by some checks; files and previews lie in `folder`. `attached` came with the brief.

    Pictures are made for a `kind` that has some: most tests look at none, and a browser is not started for them.
    """
    delivered, staged = folder / "delivered", folder / "staged"
    for name, content in files.items():
        (delivered / name).parent.mkdir(parents=True, exist_ok=True)
        (delivered / name).write_bytes(content)
    manifest = take_manifest(delivered)
    stage(delivered, manifest, staged)
    folder.chmod(0o755)
    brief = Brief(kind="poster", title="A poster", language="en")
    inputs = []
    for name, content in (attached or {}).items():
        (folder / name).write_bytes(content)
        inputs.append(InputFile(name, "input", folder / name, len(content)))
    return inspect(engine, brief, contract_of(*ids, kind=kind, **more), staged, manifest, inputs, folder / "previews")


@pytest.fixture
def judge(engine: Engine, tmp_path: Path) -> Judge:
    """Judge files by some checks: judge({"poster.svg": …}, "svg.page", height_mm=600)."""

    def one(files: Files, *ids: str, **more: object) -> Report:
        return judged(engine, tmp_path, files, *ids, **more)

    return one


@pytest.fixture(scope="session")
def judge_all(engine: Engine, tmp_path_factory: pytest.TempPathFactory) -> JudgeAll:
    """Judge many drawings by the same checks, some at a time: the reports by the drawings' names."""

    def all_of(drawings: Files, *ids: str, **more: object) -> dict[str, Report]:
        def one(drawing: bytes) -> Report:
            return judged(engine, tmp_path_factory.mktemp("judged"), {ENTRY: drawing}, *ids, **more)

        with ThreadPoolExecutor(3) as pool:
            return dict(zip(drawings, pool.map(one, drawings.values()), strict=True))

    return all_of


@pytest.fixture(scope="session")
def darkroom(engine: Engine) -> Iterator[Sandbox]:
    sandbox = engine.start(SandboxSpec())
    yield sandbox
    sandbox.kill()


@pytest.fixture(scope="module")
def bench(engine: Engine) -> Iterator[Sandbox]:
    """A sandbox in which many deliveries are judged one after the other."""
    sandbox = engine.start(SandboxSpec())
    yield sandbox
    sandbox.kill()


@pytest.fixture(scope="session")
def draw(darkroom: Sandbox) -> Draw:
    """Render an SVG to a PNG of a width in px, with librsvg: not the renderer that the inspector uses."""

    def one(source: bytes, width: int) -> bytes:
        darkroom.upload([Upload("/testbed/drawn.svg", source)])
        status, picture, words = darkroom.run(["rsvg-convert", "-w", str(width), "/testbed/drawn.svg"])
        assert status == 0, words
        return picture

    return one
