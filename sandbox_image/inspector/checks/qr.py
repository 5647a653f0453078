"""Checks of QR codes: does what a scanner opens lead where the brief says?"""

from __future__ import annotations

from sandbox_image.inspector.registry import check
from sandbox_image.inspector.subject import Evidence, Json, Subject

_LONGEST = 80


@check("poster.qr", limit_s=60.0)
def qr(subject: Subject, args: dict[str, Json]) -> Evidence:
    """One of the picture's QR codes (ISO/IEC 18004, read by zbar) holds the URL of the brief, and nothing beside it.

    Addresses are compared after the normalisations that never change what is opened (RFC 3986, 6.2).
    """
    from sandbox_image.inspector.pictures import open_png
    from sandbox_image.inspector.qr_codes import address, codes

    path, url = args["file"], args["url"]
    wanted, others = address(url), []
    for code in codes(open_png(path, subject.file(path))):
        if address(code) == wanted:
            subject.facts["qr"] = {"text": code[:500]}
            return Evidence(True, code[:500])
        others.append(code)
    if not others:
        message = (
            f"No QR code can be read in {path}; draw one for {url} ({args['pointer']}), dark on light, at least 3 px a "
            "module, with a quiet zone of 4 modules around it and nothing on top of it."
        )
        return Evidence(False, None, message, file=path)
    said = others[0] if len(others[0]) <= _LONGEST else others[0][: _LONGEST - 1] + "…"
    message = f'The QR code in {path} says "{said}"; make it for {url} ({args["pointer"]}), to the letter.'
    return Evidence(False, [code[:200] for code in others[:5]], message, file=path)
