"""The design of one poster: every choice that the seed makes, and what the page and its social versions share."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace

from .canvas import Canvas
from .colour import ramp
from .content import Content, initials
from .faces import Faces
from .hero import Plan
from .motifs import MOTIFS
from .page import compose, layout_name
from .parts import Kit
from .pictures import FRAMES
from .scheme import field_of, ground_of, scheme_of
from .setting import Typesetter
from .sheet import Look, Sheet, sheet_of
from .social import draw_social
from .words import is_right_to_left, own_words

# What looks right together: a motif, and the display faces that go with it.
PAIRS = {
    "sphere": ("grotesk", "geometric", "condensed"),
    "ribbon": ("grotesk", "geometric", "didone", "garalde"),
    "contours": ("grotesk", "condensed", "garalde", "geometric"),
    "waves": ("geometric", "narrow", "didone", "grotesk"),
    "rings": ("grotesk", "geometric", "condensed"),
    "tiles": ("geometric", "grotesk", "narrow"),
    "halftone": ("condensed", "grotesk", "narrow"),
}


class Design:
    """Choices first, in a fixed order, so that another name keeps them; then typefaces, colours and the kit."""

    def __init__(self, content: Content, seed: int, dictionary: Mapping[str, Sequence[str]]) -> None:
        self.content = content
        self.own = own_words(content.language)
        rng = random.Random(seed)
        motif = rng.choice(sorted(MOTIFS))
        style = rng.choice(PAIRS[motif])
        lockup, first, field, column = (rng.random() < chance for chance in (0.6, 0.4, 0.45, 0.35))
        frame = rng.choice(FRAMES)
        self.plan = Plan(motif, lockup, first, field, column, rng.randrange(1 << 30))
        faces = self._faces(style)
        palette = content.palette
        sheet = scheme_of(ground_of(palette["background"]), palette)
        hero = field_of(palette) if field or column else sheet
        self.look = Look(sheet, hero, hero.ground if motif == "waves" else palette["secondary"])
        swatches = (*ramp(sheet.a, sheet.b, 3), sheet.c)
        type_ = Typesetter(faces, dictionary)
        self.unit = 0.0
        self.sheet = sheet_of(content.width_mm, content.height_mm)
        self.kit = Kit(type_, sheet, content, self.own, 10.0, frame, swatches)

    def _faces(self, style: str) -> Faces:
        texts = [*self.content.texts, *self.own.values()]
        faces = Faces(style, self.content.language, texts)
        if not faces.style_covers(self.content.name):
            style = "garalde" if style in {"didone"} else "grotesk"
            faces = Faces(style, self.content.language, texts)
        display = [self.content.name, *(initials(person.name) for person in self.content.speakers)]
        for role, drawn in (("display", display), ("strong", texts), ("body", texts)):
            for text in drawn:
                faces.register(text, role)
                faces.register(text.upper(), role)
        return faces

    @property
    def language(self) -> str:
        """The BCP 47 tag of the texts."""
        return self.content.language

    def blank(self, width: float, height: float) -> tuple[Canvas, Sheet]:
        """An empty canvas for a page or picture of this shape."""
        sheet = sheet_of(width, height)
        mirrored = is_right_to_left(self.content.language)
        return Canvas(sheet.width, sheet.height, self.kit.type, mirrored=mirrored), sheet

    def poster(self, echo: float) -> Canvas:
        """The drawn poster, with as much of the motif under words as `echo` says (0..1)."""
        canvas, sheet = self.blank(self.content.width_mm, self.content.height_mm)
        kit = replace(self.kit, dots=self.content.raster_height / sheet.height)
        self.unit = compose(canvas, kit, replace(self.plan, echo=echo), sheet, self.look).unit
        return canvas

    def social(self, width: int, height: int, echo: float) -> Canvas:
        """A drawn social version."""
        canvas, sheet = self.blank(width, height)
        draw_social(
            canvas, replace(self.kit, dots=height / sheet.height), replace(self.plan, echo=echo), sheet, self.look
        )
        return canvas

    def choices(self) -> list[tuple[str, str]]:
        """What was chosen, in words."""
        face = self.kit.type.faces.chains["display"][0].stem
        return [
            ("Layout", layout_name(self.kit, self.plan, self.sheet)),
            ("Motif", self.plan.motif),
            ("Display face", face),
            ("Frames", self.kit.frame),
        ]
