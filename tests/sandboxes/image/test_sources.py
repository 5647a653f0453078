"""Mirrors are read from the host's apt configuration, in each of its formats, and turned to the image's release."""

from __future__ import annotations

from pathlib import Path

from studio.sandboxes.image import sources

KEYRING = Path("/usr/share/keyrings/debian-archive-keyring.gpg")


def lines(folder: Path) -> list[str]:
    return sources.lines(sources.read(folder), KEYRING)


def configure(folder: Path, **files: str) -> Path:
    (folder / "sources.list.d").mkdir()
    for name, text in files.items():
        stem, _, end = name.rpartition("_")
        path = folder / "sources.list" if stem == "sources" else folder / "sources.list.d" / f"{stem}.{end}"
        path.write_text(text, "utf-8")
    return folder


def test_deb822_of_a_newer_release(tmp_path: Path) -> None:
    text = """\
# the main archive
Types: deb deb-src
URIs: http://mirror.example/debian
Suites: trixie trixie-updates
Components: main non-free-firmware
Signed-By: /usr/share/keyrings/debian-archive-keyring.pgp

Types: deb
URIs: http://mirror.example/debian-security/
Suites: trixie-security
Components: main
Signed-By: /usr/share/keyrings/debian-archive-keyring.pgp

Types: deb
Enabled: no
URIs: http://old.example/debian
Suites: trixie
Components: main
"""
    assert lines(configure(tmp_path, debian_sources=text)) == [
        f"deb [signed-by={KEYRING}] http://mirror.example/debian bookworm main",
        f"deb [signed-by={KEYRING}] http://mirror.example/debian bookworm-updates main",
        f"deb [signed-by={KEYRING}] http://mirror.example/debian-security/ bookworm-security main",
    ]


def test_one_line_format_with_options_and_comments(tmp_path: Path) -> None:
    text = """\
# deb http://commented.example/debian bookworm main
deb [arch=amd64 check-valid-until=no] http://snapshot.example/archive/debian bookworm main contrib # why
deb-src http://src.example/debian bookworm main
deb http://sec.example/debian-security bookworm-security main
"""
    found = lines(configure(tmp_path, sources_list=text))
    options = f"[signed-by={KEYRING} check-valid-until=no]"
    assert found == [
        f"deb {options} http://snapshot.example/archive/debian bookworm main",
        f"deb {options} http://snapshot.example/archive/debian bookworm-updates main",
        f"deb [signed-by={KEYRING}] http://sec.example/debian-security bookworm-security main",
    ]


def test_what_is_not_debian_is_left_out(tmp_path: Path) -> None:
    found = lines(
        configure(
            tmp_path,
            docker_list="deb [signed-by=/etc/apt/keyrings/d.asc] https://down.example/linux/debian bookworm stable\n",
            vendor_list="deb [signed-by=/usr/share/keyrings/vendor.gpg] https://vendor.example/debian bookworm main\n",
            tool_list="deb https://tool.example/debian bookworm stable\n",
            node_sources="Types: deb\nURIs: https://node.example/node_20.x\nSuites: nodistro\nComponents: main\n",
            ubuntu_sources="Types: deb\nURIs: http://archive.example/ubuntu\nSuites: noble\nComponents: main\n",
        )
    )
    assert found == []


def test_where_no_mirror_is_named_the_builder_knows_some(tmp_path: Path) -> None:
    (tmp_path / "sources.list").write_text("deb http://archive.example/ubuntu noble main\n", "utf-8")
    found = sources.for_image(tmp_path / "scratch", tmp_path)
    assert [line.split()[-2] for line in found] == ["bookworm", "bookworm-updates", "bookworm-security"]


def test_file_of_mirrors_is_followed(tmp_path: Path) -> None:
    listed = tmp_path / "debian.list"
    listed.write_text("https://near.example/debian priority:1\nhttps://far.example/debian\n", "utf-8")
    text = f"Types: deb\nURIs: mirror+file://{listed}\nSuites: bookworm\nComponents: main\n"
    (tmp_path / "apt").mkdir()
    found = lines(configure(tmp_path / "apt", debian_sources=text))
    assert found[0].endswith("https://near.example/debian bookworm main")
