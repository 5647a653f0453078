"""How well texts can be read: WCAG contrast from pixels, and which texts lie over one another.

WCAG 2.2: relative luminance and contrast ratio, https://www.w3.org/TR/WCAG22/#dfn-relative-luminance and
#dfn-contrast-ratio. Each text's own pixels are found by drawing it alone in opaque black; what is behind it, by drawing
the page without it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from sandbox_image.inspector.geometry import Line, bounds, depth, touch
from sandbox_image.inspector.rendering import Rendering, Run
from sandbox_image.inspector.subject import Box

Array: TypeAlias = Any  # numpy.ndarray

SHADOW_EM = 0.1  # the same text again within this distance is its shadow
OVERLAP_EM = 0.08  # glyph boxes may touch this deep: kerning, italics and tight leading do
OUTSIDE_PX, OUTSIDE_EM = 1.0, 0.02  # by which together a line may reach beyond the page
MAX_BATCHES = 5
_CORE = 0.95  # coverage from which a pixel shows the text's paint alone
_THIN = 0.4  # coverage that must do where strokes are thinner than a pixel


@dataclass(frozen=True)
class Reading:
    """The contrast of one run: the ratio at the asked percentile, and typical colours there."""

    run: Run
    ratio: float
    text_rgb: tuple[int, int, int]
    ground_rgb: tuple[int, int, int]


def luminance(rgb: Array) -> Array:
    """Relative luminance of sRGB values 0..255, last axis red, green, blue; 0..1 (WCAG 2.2)."""
    import numpy

    value = numpy.asarray(rgb, numpy.float64) / 255
    linear = numpy.where(value <= 0.04045, value / 12.92, ((value + 0.055) / 1.055) ** 2.4)
    return linear @ numpy.array([0.2126, 0.7152, 0.0722])


def contrast(a: Array, b: Array) -> Array:
    """Contrast ratio of two arrays of colours, 1..21 (WCAG 2.2)."""
    import numpy

    first, second = luminance(a), luminance(b)
    return (numpy.maximum(first, second) + 0.05) / (numpy.minimum(first, second) + 0.05)


def shadows(rendering: Rendering) -> dict[int, int]:
    """Text elements that are the shadow of a later one (owner → its master): the same text within SHADOW_EM."""
    owners: dict[int, list[Run]] = {}
    for run in rendering.texts:
        owners.setdefault(run.owner, []).append(run)
    found: dict[int, int] = {}
    # Only texts of the same letters that begin in the same cell of the page, or beside it, are held against each other.
    cell = SHADOW_EM * max((run.size for run in rendering.texts), default=0.0) + 1.0
    cells: dict[tuple[str, int, int], list[int]] = {}
    places: dict[int, tuple[str, int, int]] = {}
    for owner, runs in owners.items():
        if glyphs := [glyph for run in runs for glyph in run.glyphs]:
            letters = "".join(glyph.char for glyph in glyphs).casefold()
            places[owner] = (letters, int(glyphs[0].quad[0] // cell), int(glyphs[0].quad[1] // cell))
            cells.setdefault(places[owner], []).append(owner)
    order = {owner: number for number, owner in enumerate(owners)}
    for owner, (letters, across, down) in places.items():
        near = [cells.get((letters, across + x, down + y), ()) for x in (-1, 0, 1) for y in (-1, 0, 1)]
        later = sorted((o for some in near for o in some if order[o] > order[owner]), key=lambda o: order[o])
        master = next((other for other in later if _doubled(owners[owner], owners[other])), None)
        if master is not None:
            found[owner] = master
    return found


def _doubled(a: Sequence[Run], b: Sequence[Run]) -> bool:
    first = [glyph for run in a for glyph in run.glyphs]
    second = [glyph for run in b for glyph in run.glyphs]
    if len(first) != len(second) or not first:
        return False
    limit = SHADOW_EM * max(run.size for run in (*a, *b)) + 0.5
    return all(
        one.char.casefold() == two.char.casefold()
        and math.hypot(one.quad[0] - two.quad[0], one.quad[1] - two.quad[1]) <= limit
        for one, two in zip(first, second, strict=True)
    )


def overlaps(rendering: Rendering) -> Iterator[tuple[Line, Line, Box, float]]:
    """Pairs of lines whose glyph boxes overlap, with the box around the overlap, and how deep it is in em."""
    doubles = shadows(rendering)
    lines = sorted(rendering.lines, key=lambda line: line.box[1])
    for position, upper in enumerate(lines):
        for lower in lines[position + 1 :]:
            if lower.box[1] > upper.box[1] + upper.box[3]:
                break
            if not touch(upper.box, lower.box) or _one_text(upper, lower, doubles):
                continue
            limit = OVERLAP_EM * min(upper.size, lower.size)
            pairs = [
                (one.quad, two.quad, deep)
                for one in upper.glyphs
                if touch(one.box, lower.box)
                for two in lower.glyphs
                if touch(one.box, two.box) and (deep := depth(one.quad, two.quad)) > limit
            ]
            if pairs:
                deepest = max(deep for *_, deep in pairs) / min(upper.size, lower.size)
                yield upper, lower, bounds(quad for one, two, _ in pairs for quad in (one, two)), deepest


def _one_text(a: Line, b: Line, doubles: dict[int, int]) -> bool:
    return doubles.get(a.owner, a.owner) == doubles.get(b.owner, b.owner) and a.owner != b.owner


def outside(rendering: Rendering) -> Iterator[tuple[Line, Box, float]]:
    """Lines of which a glyph leaves the page, with the line's box, and by how many px it leaves."""
    for line in rendering.lines:
        x, y, width, height = line.box
        beyond = max(-x, -y, x + width - rendering.width, y + height - rendering.height)
        if beyond > OUTSIDE_PX + OUTSIDE_EM * line.size:
            yield line, line.box, beyond


def readings(rendering: Rendering, percentile: float) -> Iterator[Reading]:
    """The contrast of every visible run that is not ornament, not a shadow, and more than pictographs (emoji)."""
    doubles = shadows(rendering)
    judged = [run for run in rendering.texts if not run.ornament and run.owner not in doubles]
    echoes = {
        master: [run.index for run in rendering.texts if doubles.get(run.owner) == master]
        for master in set(doubles.values())
    }
    everything = rendering.picture()
    for batch in _batches(judged):
        chosen = tuple(run.index for run in batch)
        extra = tuple(index for run in batch for index in echoes.get(run.owner, ()))
        mask = rendering.picture("bare", chosen)
        grounds = [rendering.picture("ground", tuple(sorted({*chosen, *extra})))]
        if extra:
            grounds.append(rendering.picture("ground", chosen))  # the shadow may be what sets a text off
        for run in batch:
            lettered = _without_pictographs(rendering, run, mask)
            if lettered.glyphs:
                alpha = mask[..., 3]
                found = [_read(rendering, lettered, everything, ground, alpha, percentile) for ground in grounds]
                yield max(found, key=lambda reading: reading.ratio)


def _without_pictographs(rendering: Rendering, run: Run, mask: Array) -> Run:
    """The run without glyphs that keep colours of their own though drawn in black: emoji are pictures, not text.

    What has no ink of its own beside a pictograph is a part of it, as a skin tone is.
    """
    letters, bare, pictured = [], [], False
    for glyph in run.glyphs:
        x0, y0, x1, y1 = rendering.pixel_box(glyph.box, mask)
        patch = mask[y0:y1, x0:x1]
        inked = patch[patch[..., 3] > 200]
        if not len(inked):
            bare.append(glyph)
        elif float((inked[:, :3].max(axis=1) > 60).mean()) < 0.1 and not _is_pictograph(glyph.char):
            letters.append(glyph)
        else:
            pictured = True
    kept = letters if pictured else [*letters, *bare]
    return replace(run, glyphs=tuple(glyph for glyph in run.glyphs if glyph in kept))


def _is_pictograph(char: str) -> bool:
    """Is it in a block of emoji that are drawn in colour always? A black one, say, is a picture all the same."""
    return 0x1F000 <= ord(char) <= 0x1FAFF


def _batches(runs: Iterable[Run]) -> list[list[Run]]:
    """Runs in as few groups as possible in which no two come near each other, so that one screenshot serves each."""
    batches: list[list[Run]] = []
    boxes: list[list[tuple[int, Box]]] = []
    for run in runs:
        box = bounds(glyph.quad for glyph in run.glyphs)
        for batch, taken in zip(batches, boxes, strict=True):
            free = not any(owner != run.owner and touch(box, other, 2.0) for owner, other in taken)
            if free or (len(batches) >= MAX_BATCHES and batch is batches[-1]):
                batch.append(run)
                taken.append((run.owner, box))
                break
        else:
            batches.append([run])
            boxes.append([(run.owner, box)])
    return batches


def _rgb(picture: Array) -> Array:
    """A picture on white paper, float RGB."""
    import numpy

    alpha = picture[..., 3:].astype(numpy.float32) / 255
    return picture[..., :3].astype(numpy.float32) * alpha + 255 * (1 - alpha)


def _own_area(rendering: Rendering, run: Run, box: tuple[int, int, int, int], picture: Array) -> Array:
    """True within the run's glyph quads, in the pixels of `box`."""
    import numpy
    from PIL import Image, ImageDraw

    x0, y0, x1, y1 = box
    sx, sy = picture.shape[1] / rendering.width, picture.shape[0] / rendering.height
    area = Image.new("1", (x1 - x0, y1 - y0))
    draw = ImageDraw.Draw(area)
    for glyph in run.glyphs:
        corners = [(x * sx - x0, y * sy - y0) for x, y in zip(glyph.quad[::2], glyph.quad[1::2], strict=True)]
        draw.polygon(corners, fill=1, outline=1)
    return numpy.asarray(area)


def _read(rendering: Rendering, run: Run, everything: Array, ground: Array, mask: Array, percentile: float) -> Reading:
    """The percentile of the contrast over the pixels of one run.

    Where strokes cover whole pixels, the page's own colour there is the text's. Thinner strokes are unmixed from the
    ground by their coverage. A covered text shows its cover with and without it: ratio 1.
    """
    import numpy

    box = rendering.pixel_box(bounds(glyph.quad for glyph in run.glyphs), mask)
    x0, y0, x1, y1 = box
    if x1 <= x0 or y1 <= y0:
        return Reading(run, 1.0, (0, 0, 0), (0, 0, 0))
    coverage = mask[y0:y1, x0:x1] / 255.0 * _own_area(rendering, run, box, mask)
    seen, behind = _rgb(everything[y0:y1, x0:x1]), _rgb(ground[y0:y1, x0:x1])
    inked = int((coverage >= _THIN).sum())
    core = coverage >= _CORE
    if core.sum() >= max(12, 0.05 * inked):
        text, paper = seen[core], behind[core]
    else:
        core = coverage >= _THIN if inked else coverage >= max(0.05, float(coverage.max()) * 0.8)
        paper = behind[core]
        if not len(paper):
            return Reading(run, 1.0, (0, 0, 0), (0, 0, 0))
        text = _unmix(run, seen[core], paper, coverage[core][:, None])
    ratios = contrast(text, paper)
    if run.stroke and run.fill and run.stroke.rgb and run.stroke.alpha > 0.9 and run.stroke_width >= 0.03 * run.size:
        # An outline around the letters is their ground (WCAG 2.2, note 5 of "contrast ratio"), where it is seen at all.
        outlined = contrast(text, numpy.array(run.stroke.rgb))
        near = _near_change(seen, behind, run.stroke_width * rendering.scale)[core]
        ratios = numpy.where(near, numpy.maximum(ratios, outlined), ratios)
    level = float(numpy.percentile(ratios, percentile))
    typical = abs(ratios - level).argsort()[: max(1, len(ratios) // 20)]
    return Reading(run, level, _typical(text[typical]), _typical(paper[typical]))


def _near_change(seen: Array, behind: Array, reach: float) -> Array:
    """True where the picture with the text differs from the one without it within about `reach` pixels."""
    import numpy
    from PIL import Image, ImageFilter

    changed = Image.fromarray(((abs(seen - behind).max(axis=2) > 40) * 255).astype(numpy.uint8))
    size = 2 * min(20, max(1, round(2 * reach))) + 1
    return numpy.asarray(changed.filter(ImageFilter.MaxFilter(size))) > 0


def _unmix(run: Run, seen: Array, paper: Array, coverage: Array) -> Array:
    """The text's colour where pixels show it mixed with the paper."""
    import numpy

    if run.fill and run.fill.rgb is not None:
        paint = run.fill.alpha * numpy.array(run.fill.rgb) + (1 - run.fill.alpha) * paper
        expected = paper + coverage * (paint - paper)
        off = abs(seen - expected).max(axis=1)
        full = (coverage * abs(paint - paper)).max(axis=1)
        plausible = off <= 0.45 * full + 8
        return numpy.where(plausible[:, None], paint, numpy.clip(paper + (seen - paper) / coverage, 0, 255))
    return numpy.clip(paper + (seen - paper) / coverage, 0, 255)


def _typical(colours: Array) -> tuple[int, int, int]:
    import numpy

    red, green, blue = (round(float(value)) for value in numpy.median(colours, axis=0))
    return red, green, blue
