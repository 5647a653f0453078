"""What a call of a tool uses of the computer: outside resources, files, computation (docs/capabilities.md).

The three names are those of the research work "LLM-in-Sandbox". The rule reads the call's arguments alone; it runs
nothing, and it cannot know what a program does that is named there.
"""

from __future__ import annotations

from studio.capabilities.rule import CAPABILITIES, RULE, Capability, capabilities_of

__all__ = ["CAPABILITIES", "RULE", "Capability", "capabilities_of"]
