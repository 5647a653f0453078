"""The kind `open`: anything else, as files of the types that a person names."""

from studio.kinds.open.kind import OpenKind

KIND = OpenKind()

__all__ = ["KIND", "OpenKind"]
