"""What is kept of a run's folder."""

from __future__ import annotations

import os
from pathlib import Path

from studio.blobs import Blobs
from studio.contract import Preview, Report
from studio.pipeline.kept import keep, media_type


def test_regular_files_are_kept_by_their_role_and_nothing_else(tmp_path: Path) -> None:
    folder, blobs = tmp_path / "run", Blobs(tmp_path / "blobs")
    for name in ("output/a/poster.svg", "output/é 🎹.png", "previews/t.webp", "previews/more.webp", "scripts/make.py"):
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(name)
    (folder / "output" / "link").symlink_to("/etc/passwd")
    (folder / "output" / "folder").symlink_to("/etc")
    os.mkfifo(folder / "output" / "fifo")
    Path(os.fsdecode(os.fsencode(folder / "output") + b"/bad\xff")).write_text("no UTF-8")
    report = Report(
        kind="poster",
        verdict="accept",
        checks=[],
        previews=[Preview(path="t.webp", width=3, height=4), Preview(path="gone.webp", width=1, height=1)],
    )
    kept = {(file.role, file.path): file for file in keep(blobs, folder, report)}
    assert set(kept) == {
        ("output", "a/poster.svg"),
        ("output", "é 🎹.png"),
        ("preview", "t.webp"),
        ("script", "make.py"),
    }
    assert (kept["preview", "t.webp"].width, kept["preview", "t.webp"].height) == (3, 4)
    for (role, path), file in kept.items():
        assert blobs.path(file.sha256).read_text() == f"{role}s/{path}".replace("outputs/", "output/")
    assert keep(blobs, tmp_path / "no-such-folder", report) == []


def test_a_media_type_comes_from_the_name_alone() -> None:
    assert media_type("a/B.SVG") == "image/svg+xml"
    assert media_type("page.html.exe") == media_type("noname") == "application/octet-stream"
