"""What a visitor without a key or a sign-in may see: the public works, where the operator opens the gallery, and works
behind their links.

A visitor never gets a page that is made for operators with something left out of it; what is shown to visitors has
routes and templates of its own, or answers from what is public alone.
"""

from __future__ import annotations

from studio import gallery
from studio.gallery import ArtifactView, Audience
from studio.settings import Settings
from web.security import principal
from web.state import studio

OPERATOR_WORDS = "the operator"


def audience() -> Audience:
    """Whose lists the present request sees."""
    return "everyone" if principal().anonymous else "operators"


def artifact(artifact_id: str) -> ArtifactView:
    """The work as the present request may see it. Raises NotFound."""
    found = gallery.get(studio().db, artifact_id, audience())
    return for_visitors(found, studio().settings) if principal().anonymous else found


def for_visitors(found: ArtifactView, settings: Settings) -> ArtifactView:
    """A work without what belongs to its job: whose it is, what it took (unless its record is open), where it is."""
    changed: dict[str, object] = {"links": {name: found.links[name] for name in ("self", "page")}, "parent": None}
    if found.shown_anyway:
        changed["shown_anyway"] = found.shown_anyway.model_copy(update={"by": OPERATOR_WORDS})
    if not settings.anonymous_record:
        changed["usage"] = None
    return found.model_copy(update=changed)
