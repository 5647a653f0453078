"""Palettes of five colours that hold together, light grounds and dark ones."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Five:
    """Primary, secondary and accent on a background, and the text on it; each #RRGGBB."""

    primary: str
    secondary: str
    accent: str
    background: str
    text: str

    def named(self, *names: str) -> dict[str, str]:
        return {name: getattr(self, name) for name in names}


PALETTES = (
    Five("#C8452F", "#274060", "#F2B134", "#F6EFE2", "#1D1B22"),  # brick, ink, marigold
    Five("#6A4C93", "#1982C4", "#FFCA3A", "#FBF7FF", "#241B2F"),  # plum, sky, sun
    Five("#2E7D5B", "#14453D", "#E9A13B", "#F3F5EC", "#16211C"),  # moss, pine, amber
    Five("#F25F5C", "#70C1B3", "#FFE066", "#1B2432", "#F7F7F2"),  # coral and mint on night
    Five("#E0A458", "#419D78", "#DBDBDB", "#2D3047", "#FFF8EC"),  # brass and jade on slate
    Five("#B5179E", "#4361EE", "#4CC9F0", "#FDF2FA", "#21082B"),  # magenta, cobalt, cyan
    Five("#9C6644", "#7F5539", "#DDB892", "#EDE0D4", "#2B1D14"),  # earths
)
