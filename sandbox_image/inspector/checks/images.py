"""Checks of attachments: is each picture that the brief places to be seen in what was made?"""

from __future__ import annotations

from sandbox_image.inspector.registry import check
from sandbox_image.inspector.subject import Evidence, Json, Subject

GROUP = "web page"


@check("images.used", limit_s=90.0)
def used(subject: Subject, args: dict[str, Json]) -> Evidence:
    """Each attachment is looked for in the delivered pictures (`files`), in frames of the film (`film`), or on the page
    (`file`), clicks included.

    Pictures and frames: masked normalised cross-correlation (Padfield, IEEE TIP 21(5), 2012; `sighting`). Pages:
    Pearson's correlation of 16 × 16 greys, whole or cut to a square (`page_pictures`).
    """
    if "files" in args:
        from sandbox_image.inspector.attachments import in_files

        return in_files(subject, args)
    if "film" in args:
        from sandbox_image.inspector.film_pictures import in_film

        return in_film(subject, args)
    from sandbox_image.inspector.page_pictures import on_page

    return on_page(subject, args)
