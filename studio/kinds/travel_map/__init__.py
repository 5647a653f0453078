"""The kind `travel_map`: a trip as one interactive page with a map, and the same plan as text."""

from studio.kinds.travel_map.kind import TravelMapKind

KIND = TravelMapKind()

__all__ = ["KIND", "TravelMapKind"]
