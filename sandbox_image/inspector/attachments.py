"""Are attached pictures to be seen in delivered pictures?"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from sandbox_image.inspector.sighting import Candidate, Sighting, candidate, sighting, sought
from sandbox_image.inspector.subject import Evidence, Json, Spot, Subject, Unfit

INPUT = Path("/testbed/input")
FINE, ENOUGH = 2, 6  # attachments not seen, after which the search is coarser, and after which it ends


def in_files(subject: Subject, args: dict[str, Json]) -> Evidence:
    """Each attachment is looked for in the delivered pictures (`inspector/sighting.py`)."""
    from sandbox_image.inspector.pictures import open_png

    paths = list(args["files"])
    candidates = [candidate(open_png(path, subject.file(path))) for path in paths]
    return of_attachments(args["images"], candidates, paths)


def of_attachments(images: Sequence[Json], candidates: Sequence[Candidate], names: Sequence[str]) -> Evidence:
    """The evidence on attachments (`{name, pointer}` each), looked for in `candidates`, which are called `names`.

    For any kind: candidates may be files, screenshots or frames.
    """
    measured: dict[str, float] = {}
    sentences: list[str] = []
    spots: list[Spot] = []
    for image, found in _looked_for(images, candidates):
        name = image["name"]
        measured[name] = found.score if found else 0.0
        if found is None:
            sentences.append(
                f"{name} ({image['pointer']}) is no picture that can be read; attach it as PNG, JPEG, WebP, GIF or SVG."
            )
        elif not found.seen:
            sentences.append(
                f"{name} ({image['pointer']}) is not to be seen in {' or '.join(names)}; place "
                f"/testbed/input/{name} itself, large enough and not covered."
            )
        elif found.box and len(names) == len(candidates):
            spots.append(Spot(found.box, name, file=names[found.candidate]))
    if sentences:
        return Evidence(False, measured, " ".join(sentences), file=names[0])
    return Evidence(True, measured, file=names[0] if spots else None, spots=tuple(spots))


def _looked_for(images: Sequence[Json], candidates: Sequence[Candidate]) -> Iterator[tuple[Json, Sighting | None]]:
    """Each attachment with how it was seen, None where it is no picture. After some that are not, the search ends."""
    known: dict[str, Sighting | None] = {}
    for image in images:
        name = image["name"]
        if name not in known:
            unseen = sum(not (found and found.seen) for found in known.values())
            if unseen >= ENOUGH:
                return
            path = INPUT / name
            if path.parent != INPUT or not path.is_file():
                raise Unfit(f"the attachment {name} ({image['pointer']}) was not sent with the brief; attach it.")
            reference = sought(path, name)
            known[name] = sighting(reference, candidates, fine=unseen < FINE) if reference else None
        yield image, known[name]
