"""Checks of the output folder itself, from the manifest alone: nothing is opened, no link is followed."""

from __future__ import annotations

from collections import Counter

from sandbox_image.inspector.registry import check
from sandbox_image.inspector.subject import Entry, Evidence, Json, Spot, Subject

_NAMED = {
    "directory": "a folder",
    "symlink": "a symbolic link",
    "fifo": "a named pipe",
    "socket": "a socket",
    "device": "a device",
}
_KINDS = {
    "symlink": "a symbolic link; write the file's own content instead",
    "fifo": "a named pipe; remove it",
    "socket": "a socket; remove it",
    "device": "a device; remove it",
    "other": "not a regular file; remove it",
}


@check("files.present")
def present(subject: Subject, args: dict[str, Json]) -> Evidence:
    """Every required deliverable is a regular file with something in it (POSIX lstat: `st_mode`, `st_size`)."""
    files = {entry.path: entry for entry in subject.entries}
    missing, empty = [], []
    for path in args["required"]:
        entry = files.get(path)
        if entry is None or entry.type != "file":
            missing.append(path)
        elif entry.size == 0:
            empty.append(path)
    sentences = [_missing(path, files) for path in missing]
    sentences += [f"{path} is empty; write its content." for path in empty]
    there = len(args["required"]) - len(sentences)
    return Evidence(
        not sentences,
        f"{there} of {len(args['required'])}",
        " ".join(sentences),
        file=(missing + empty)[0] if sentences else None,
        spots=tuple(Spot(file=path) for path in missing + empty),
    )


def _missing(path: str, files: dict[str, Entry]) -> str:
    name = path.rsplit("/", 1)[-1]
    elsewhere = next((p for p, e in files.items() if e.type == "file" and p.rsplit("/", 1)[-1] == name), None)
    if elsewhere:
        return f"{path} is missing, but there is {elsewhere}; move it to {path}."
    if (found := files.get(path)) is not None:
        return f"{path} is {_NAMED.get(found.type, 'no regular file')}; write it as a regular file."
    return f"{path} is missing; write it into the output folder."


@check("files.safe")
def safe(subject: Subject, args: dict[str, Json]) -> Evidence:
    """Regular files and folders only, few and small enough, names that stay inside and are valid UTF-8.

    A hard link counts where two names of the outputs share an inode (POSIX lstat: `st_nlink`, `st_ino`).
    """
    faults: list[tuple[str, str]] = []
    for entry in subject.entries:
        if reason := _fault(entry):
            faults.append((entry.path, reason))
    files = [entry for entry in subject.entries if entry.type == "file"]
    inodes = Counter(entry.inode for entry in files if entry.nlink > 1)
    for entry in files:
        if entry.nlink > 1 and inodes[entry.inode] > 1:
            faults.append((entry.path, "a hard link of another output; write a copy"))
    total = sum(entry.size for entry in files)
    sentences = [f"{path!r} is {reason}." for path, reason in faults[:5]]
    if len(faults) > 5:
        sentences.append(f"{len(faults) - 5} more names are not allowed.")
    if subject.truncated or len(files) > args["max_files"]:
        count = f"more than {len(files)}" if subject.truncated else str(len(files))
        sentences.insert(
            0,
            f"There are {count} files, at most {args['max_files']} are taken; keep the deliverables, remove what "
            "helped to make them.",
        )
    if total > args["max_bytes"]:
        sentences.insert(
            0,
            f"The files have {total:,} bytes together, at most {args['max_bytes']:,} are taken; make them smaller or "
            "remove some.",
        )
    measured = {"files": len(files), "bytes": total}
    places = list(dict.fromkeys(path for path, _ in faults))
    if not places and total > args["max_bytes"]:
        places = [max(files, key=lambda entry: entry.size).path]
    spots = tuple(Spot(file=path) for path in places)
    return Evidence(not sentences, measured, " ".join(sentences), file=places[0] if places else None, spots=spots)


def _fault(entry: Entry) -> str | None:
    if not entry.encodable:
        return "not a UTF-8 name; rename it"
    parts = entry.path.split("/")
    if entry.path.startswith("/") or ".." in parts or "" in parts or "\0" in entry.path:
        return "a name that leaves the folder; rename it"
    if entry.type not in ("file", "directory"):
        return _KINDS.get(entry.type, _KINDS["other"])
    return None
