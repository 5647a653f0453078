"""How much of a root folder each part takes: read from dpkg's own records, nothing in the root is run."""

from __future__ import annotations

import os
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from pathlib import Path
from stat import S_ISDIR, S_ISREG

BLOCK = 4096  # what a file takes is a whole number of these, on the usual file systems


def measure(root: Path, groups: Mapping[str, Iterable[str]], skip: Collection[str] = ()) -> dict[str, int]:
    """Bytes on disk by part; the values add up to all of `root` but the folders of it that are to be skipped.

    A Debian package belongs to the first group that needs it; a file of no package to the part of its place: Python
    libraries to `python`, `/opt/studio` to `web`, the rest to `base`.
    """
    owner = _owners(root, groups)
    sizes = dict.fromkeys([*groups, "web"], 0)
    seen: set[int] = set()
    for path, status in _walk(root, {str(root / name.lstrip("/")) for name in skip}):
        if status.st_ino in seen:
            continue
        seen.add(status.st_ino)
        name = "/" + os.path.relpath(path, root)
        part = owner.get(name) or _by_place(name)
        sizes[part] = sizes.get(part, 0) + _space(status)
    return sizes


def installed(root: Path) -> dict[str, str]:
    """Version of each installed package, from dpkg's status file."""
    return {fields["Package"]: fields["Version"] for fields in _status(root)}


def _space(status: os.stat_result) -> int:
    """Bytes on disk. Not `st_blocks`, which is not final until the file system has written everything."""
    if S_ISDIR(status.st_mode):
        return BLOCK
    return -(-status.st_size // BLOCK) * BLOCK if S_ISREG(status.st_mode) else 0


def _by_place(name: str) -> str:
    if name.startswith(("/usr/local/lib/python", "/usr/lib/python", "/opt/studio/matplotlib")):
        return "python"
    if name.startswith("/opt/studio/web"):
        return "web"
    return "fonts" if name.startswith("/var/cache/fontconfig") else "base"


def _owners(root: Path, groups: Mapping[str, Iterable[str]]) -> dict[str, str]:
    needs: dict[str, set[str]] = {}
    provides: dict[str, set[str]] = {}
    essential = set()
    for fields in _status(root):
        name = fields["Package"]
        needs[name] = set(_names(fields.get("Depends", ""))) | set(_names(fields.get("Pre-Depends", "")))
        for virtual in _names(fields.get("Provides", "")):
            provides.setdefault(virtual, set()).add(name)
        if fields.get("Essential") == "yes" or fields.get("Priority") == "required" or name == "apt":
            essential.add(name)
    part: dict[str, str] = {}
    for group, names in groups.items():
        todo = [*names, *(essential if group == "base" else ())]
        while todo:
            name = todo.pop()
            if name in needs and name not in part:
                part[name] = group
                todo.extend(needs[name])
            else:
                todo.extend(other for other in provides.get(name, ()) if other not in part)
    files: dict[str, str] = {}
    for listing in (root / "var/lib/dpkg/info").glob("*.list"):
        group = part.get(listing.stem.split(":")[0], "base")
        for line in listing.read_text("utf-8", "surrogateescape").splitlines():
            files[_resolved(line)] = group
    return files


def _resolved(name: str) -> str:
    """The place of a packaged file on a root where /bin, /lib and /sbin are links into /usr."""
    return "/usr" + name if re.match(r"/(bin|sbin|lib\w*)/", name) else name


def _names(relation: str) -> list[str]:
    """Package names of a dependency field, alternatives included."""
    return re.findall(r"(?:^|[,|])\s*([a-z0-9][a-z0-9+.-]+)", relation)


def _status(root: Path) -> Iterator[dict[str, str]]:
    text = (root / "var/lib/dpkg/status").read_text("utf-8")
    for paragraph in text.split("\n\n"):
        fields = dict(line.split(": ", 1) for line in paragraph.splitlines() if re.match(r"[\w-]+: ", line))
        if fields.get("Status", "").endswith(" installed"):
            yield fields


def _walk(root: Path, skip: Collection[str]) -> Iterator[tuple[str, os.stat_result]]:
    todo = [str(root)]
    yield str(root), root.lstat()
    while todo:
        try:
            entries = list(os.scandir(todo.pop()))
        except PermissionError:  # root's own folders, empty, where somebody else measures
            continue
        for entry in entries:
            if entry.path in skip:
                continue
            yield entry.path, entry.stat(follow_symlinks=False)
            if entry.is_dir(follow_symlinks=False):
                todo.append(entry.path)
