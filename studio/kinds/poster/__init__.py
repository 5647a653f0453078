"""The kind `poster`: an event's poster as SVG, PNG and PDF, with versions for social media."""

from studio.kinds.poster.kind import PosterKind

KIND = PosterKind()

__all__ = ["KIND", "PosterKind"]
