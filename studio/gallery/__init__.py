"""The gallery: what was accepted, hung, found, shown, and kept in order."""

from studio.gallery.indexing import index_texts
from studio.gallery.keeping import hide, is_starred, retag, set_visibility, star, unhide
from studio.gallery.listing import Wanted, base_language, by_share, by_token, facets, get, list_artifacts
from studio.gallery.publishing import model_name, publish, publish_anyway
from studio.gallery.views import (
    SORTS,
    VISIBILITIES,
    ArtifactView,
    Audience,
    Facet,
    Facets,
    Hidden,
    HideRequest,
    PublishRequest,
    ShownAnyway,
    Sort,
    TagsRequest,
    Visibility,
    VisibilityRequest,
)

__all__ = [
    "SORTS",
    "VISIBILITIES",
    "ArtifactView",
    "Audience",
    "Facet",
    "Facets",
    "Hidden",
    "HideRequest",
    "PublishRequest",
    "ShownAnyway",
    "Sort",
    "TagsRequest",
    "Visibility",
    "VisibilityRequest",
    "Wanted",
    "base_language",
    "by_share",
    "by_token",
    "facets",
    "get",
    "hide",
    "index_texts",
    "is_starred",
    "list_artifacts",
    "model_name",
    "publish",
    "publish_anyway",
    "retag",
    "set_visibility",
    "star",
    "unhide",
]
