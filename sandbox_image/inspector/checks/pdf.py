"""Checks of a PDF file, where there is one."""

from __future__ import annotations

from sandbox_image.inspector.registry import check
from sandbox_image.inspector.subject import Evidence, Json, Subject


@check("pdf.page", limit_s=45.0)
def page(subject: Subject, args: dict[str, Json]) -> Evidence:
    """One page of the brief's size (its crop box or its trim box, ISO 32000-1, 14.11.2), every font embedded (9.9).

    Where the brief asks for a bleed, the trim box has the brief's size and the bleed box reaches beyond it everywhere.
    """
    from sandbox_image.inspector.pdf_file import read

    path = args["file"]
    pdf = read(path, subject.file(path))
    width, height, tolerance = args["width_mm"], args["height_mm"], args["tolerance_mm"]
    bleed = float(args.get("bleed_mm") or 0.0)
    sizes = pdf.sizes[1:] if bleed else pdf.sizes
    shown = [f"{wide:.2f} × {high:.2f} mm" for wide, high in sizes]
    sentences = []
    if pdf.pages != 1:
        sentences.append(f"{path} has {pdf.pages} pages; make it one (a hair less height where a second one is blank).")
    if not any(abs(wide - width) <= tolerance and abs(high - height) <= tolerance for wide, high in sizes):
        box = "TrimBox" if bleed else "page"
        sentences.append(f"The {box} of {path} is {shown[0]}; make it {width:g} × {height:g} mm.")
    if bleed and pdf.bleed < bleed - tolerance:
        sentences.append(
            f"The BleedBox of {path} reaches {pdf.bleed:.2f} mm beyond its TrimBox where it is nearest; "
            f"make it {bleed:g} mm on every side, and let the ground run on there."
        )
    if pdf.loose_fonts:
        named = ", ".join(pdf.loose_fonts[:4])
        sentences.append(f"{path} does not embed {named}; embed every font, or it looks different elsewhere.")
    measured = {"pages": pdf.pages, "size": shown[0], "fonts": pdf.fonts, "not_embedded": len(pdf.loose_fonts)}
    return Evidence(not sentences, measured, " ".join(sentences), file=path)
