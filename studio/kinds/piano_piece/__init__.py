"""The kind `piano_piece`: a composition for piano as MIDI, with a recording and a written sheet."""

from studio.kinds.piano_piece.kind import PianoPieceKind

KIND = PianoPieceKind()

__all__ = ["KIND", "PianoPieceKind"]
