"""Are attached pictures to be seen in a film?"""

from __future__ import annotations

from sandbox_image.inspector.attachments import of_attachments
from sandbox_image.inspector.film import Film
from sandbox_image.inspector.sighting import candidate
from sandbox_image.inspector.subject import Evidence, Json, Subject, Unfit

LOOKED_AT = (0.97, 0.9, 0.2, 0.55)  # shares of the film; people come into the last words most often


def in_film(subject: Subject, args: dict[str, Json]) -> Evidence:
    """Each attachment is looked for in a few stills, the last first (`inspector/sighting.py`)."""
    path = args["film"]
    film = Film.of(subject, path)
    if not film.stills:
        raise Unfit(f"No frame of {path} can be decoded.", path)
    numbers = dict.fromkeys(min(len(film.stills) - 1, round(share * len(film.stills))) for share in LOOKED_AT)
    return of_attachments(args["images"], [candidate(film.still(number)) for number in numbers], [path])
