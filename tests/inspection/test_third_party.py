"""Files that none of this project made, judged as open briefs: none is refused that a person could use."""

from __future__ import annotations

from pathlib import Path

import pytest

from studio.cli.delivered import stage, take_manifest
from studio.inspection import inspect
from studio.kinds import get_kind, parse_brief
from studio.kinds.open.media import MEDIA_TYPES
from studio.sandboxes.types import Engine
from tests.inspection.third_party import PACKAGES, Package, Unreachable, delivered, fetched

_BY_ENDING = {ending: media.name for media in MEDIA_TYPES.values() for ending in media.endings}


def test_there_are_files_of_every_type() -> None:
    names = [name for package in PACKAGES for name in package.files]
    assert len(names) >= 20
    assert {_BY_ENDING[Path(name).suffix] for name in names} == set(MEDIA_TYPES) - {"text/plain"}


@pytest.mark.slow
@pytest.mark.parametrize("package", PACKAGES, ids=lambda package: f"{package.client}-{package.name}")
def test_files_of(package: Package, engine: Engine, tmp_path: Path) -> None:
    try:
        source = fetched(package, tmp_path)
    except Unreachable as reason:
        pytest.skip(f"not reachable here: {reason}")
    delivered(package, source, tmp_path / "delivered")
    wanted = [{"path": name, "media_type": _BY_ENDING[Path(name).suffix], "must": True} for name in package.files]
    value = {"kind": "open", "title": package.name, "prompt": "Judge it.", "params": {"deliverables": wanted}}
    brief = parse_brief(value)
    manifest = take_manifest(tmp_path / "delivered")
    stage(tmp_path / "delivered", manifest, tmp_path / "staged")
    tmp_path.chmod(0o755)
    contract = get_kind("open").contract(brief)
    report = inspect(engine, brief, contract, tmp_path / "staged", manifest, (), tmp_path / "previews")
    refused: dict[str, list[str]] = {name: [] for name in package.files}
    for finding in report.failed:
        if finding.severity == "must" and finding.place and finding.place.file in refused:
            refused[finding.place.file].append(finding.id)
    assert "error" not in {finding.verdict for finding in report.checks}
    for name, check in package.files.items():
        assert (check in refused[name]) if check else not refused[name], (name, refused[name])
