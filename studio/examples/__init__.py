"""Random briefs that read like people's: for whoever changes a recipe and wants to see many of its results."""

from __future__ import annotations

from studio.examples.drawing import random_brief

__all__ = ["random_brief"]
