"""The kind `countdown_video`: a short film that counts down to a greeting."""

from studio.kinds.countdown_video.kind import CountdownVideoKind

KIND = CountdownVideoKind()

__all__ = ["KIND", "CountdownVideoKind"]
