"""Limits of checks of the folder, of texts and of documents."""

from __future__ import annotations

from tests.inspection.boundaries.boundary import Boundary, Files, Link, Side, Sparse

MIB = 1 << 20
SAFE = {"max_files": 200, "max_bytes": 200 * MIB}
NOTES, TABLE, LIST, PAGE, PAPER = "notes.md", "table.csv", "list.json", "index.html", "paper.pdf"
POINTS = 72 / 25.4  # in a millimetre


def many(count: int) -> Files:
    """So many small files."""
    return {f"{number}.txt": b"x" for number in range(count)}


def document(
    width: float, height: float, content: bytes, fonts: bytes = b"", pages: int = 1, boxes: bytes = b""
) -> bytes:
    """A PDF whose pages (sizes in points) all show the same; offsets of its objects are left to be found."""
    kids = b" ".join(b"%d 0 R" % (10 + number) for number in range(pages))
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 %.3f %.3f]%b/Contents 4 0 R/Resources<</Font<<%b>>>>>>" % (
        width, height, boxes, b"/F 5 0 R" if fonts else b""
    )  # fmt: skip
    objects = {
        1: b"<</Type/Catalog/Pages 2 0 R>>",
        2: b"<</Type/Pages/Kids[%b]/Count %d>>" % (kids, pages),
        4: b"<</Length %d>>stream\n%b\nendstream" % (len(content), content),
        **{10 + number: page for number in range(pages)},
    }
    if fonts:
        objects |= {5: fonts, 6: b"<</Length 35>>stream\n700 0 0 0 700 700 d1 0 0 700 700 re f\nendstream"}
    body = b"".join(b"%d 0 obj%bendobj\n" % (number, each) for number, each in objects.items())
    return b"%PDF-1.4\n" + body + b"trailer<</Root 1 0 R>>\n%%EOF\n"


WORD = b"BT /F 40 Tf 60 60 Td (Night) Tj ET"
NAMED_FONT = b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>"
OWN_FONT = (
    b"<</Type/Font/Subtype/Type3/FontBBox[0 0 700 700]/FontMatrix[.001 0 0 .001 0 0]/CharProcs<</a 6 0 R>>/Encoding"
    b"<</Type/Encoding/Differences[32/a 33/a]>>/FirstChar 32/LastChar 33/Widths[700 700]/Resources<<>>>>"
)
DOT = b"0 0 0 rg 40 40 %d %d re f"


def sheet(width_mm: float, height_mm: float, pages: int = 1) -> Files:
    """A page with a square on it."""
    return {PAPER: document(width_mm * POINTS, height_mm * POINTS, DOT % (200, 200), pages=pages)}


def bled(width_mm: float, left_mm: float) -> Files:
    """A page 594 mm high with a bleed of 3 mm above and below and of 5 mm at the right, and of so much at the left."""
    left, wide = left_mm * POINTS, (left_mm + width_mm) * POINTS
    trim = b"/TrimBox[%.3f %.3f %.3f %.3f]" % (left, 3 * POINTS, wide, 597 * POINTS)
    return {PAPER: document(wide + 5 * POINTS, 600 * POINTS, DOT % (200, 200), boxes=trim)}


def dotted(width: int, height: int) -> Files:
    """A page 400 points wide and high with so large a rectangle."""
    return {PAPER: document(400, 400, DOT % (width, height))}


SIZE = {"file": PAPER, "width_mm": 420, "height_mm": 594, "tolerance_mm": 0.5}
BLED = {**SIZE, "bleed_mm": 3}
WHOLE = b"<!DOCTYPE html><html><head><title>T</title></head><body>Tides</body></html>"
SHEET = {
    "file": NOTES,
    "needs": [{"what": "the tempo", "number": [90, 110]}, {"what": "the chords", "chords": 2}],
}

BOUNDARIES = [
    Boundary(
        "files.present", "more than nothing in each file",
        Side("1 byte", {NOTES: b"x"}), Side("0 bytes", {NOTES: b""}),
        ("notes.md is empty; write",), {"required": [NOTES]},
    ),
    Boundary(
        "files.present", "each file under its own name",
        Side("notes.md", {NOTES: b"x"}), Side("drafts/notes.md", {f"drafts/{NOTES}": b"x"}),
        ("notes.md is missing, but there is drafts/notes.md; move it",), {"required": [NOTES]},
    ),
    Boundary(
        "files.safe", "at most 200 files",
        Side("200 files", many(200)), Side("201 files", many(201)),
        ("There are 201 files, at most 200", "remove"), SAFE, "nowhere",
    ),
    Boundary(
        "files.safe", "at most 200 MiB together",
        Side("200 MiB", {"a.bin": Sparse(200 * MIB)}), Side("1 byte more", {"a.bin": Sparse(200 * MIB), "b.bin": b"x"}),
        ("209,715,201 bytes together, at most 209,715,200", "smaller"), SAFE,
    ),
    Boundary(
        "files.safe", "no name twice for one file",
        Side("two copies", {"a.txt": b"x", "b.txt": b"x"}),
        Side("a hard link", {"a.txt": b"x", "b.txt": Link("a.txt", hard=True)}),
        ("a hard link of another output; write a copy",), SAFE,
    ),
    Boundary(
        "files.safe", "regular files only",
        Side("a file", {"a.txt": b"x"}), Side("a symbolic link", {"a.txt": Link("/etc/hostname")}),
        ("'a.txt' is a symbolic link; write the file's own content",), SAFE,
    ),
    Boundary(
        "text.present", "at least 40 characters",
        Side("40", {NOTES: b"Tides " * 8}), Side("39", {NOTES: b"Tides " * 7 + b"Tide"}),
        ("notes.md has 39 characters but for blanks, at least 40 are expected; write",),
        {"file": NOTES, "minimum_chars": 40},
    ),
    Boundary(
        "text.present", "each name of the brief, as a word of its own",
        Side("Li", {NOTES: b"We meet Li at nine."}), Side("Lighthouse", {NOTES: b"We meet at the Lighthouse."}),
        ('does not tell "Li" (/params/name); write it',),
        {"file": NOTES, "strings": [{"text": "Li", "pointer": "/params/name"}]},
    ),
    Boundary(
        "text.present", "a number from 90 to 110",
        Side("110", {NOTES: b"At 110: Am E7"}), Side("111", {NOTES: b"At 111: Am E7"}),
        ("does not tell the tempo; write it",), SHEET,
    ),
    Boundary(
        "text.present", "two different chords",
        Side("Am, E7", {NOTES: b"At 100: Am E7"}), Side("Am, Am", {NOTES: b"At 100: Am Am"}),
        ("does not tell the chords; write it",), SHEET,
    ),
    Boundary(
        "text.present", "two different colour values",
        Side("#1D3461, #fff", {NOTES: b"The ground is #1D3461, the words are #fff."}),
        Side("#1D3461 twice", {NOTES: b"The ground is #1D3461, the words on #1d3461 white."}),
        ("does not tell the colours; write it",), {"file": NOTES, "needs": [{"what": "the colours", "colours": 2}]},
    ),
    Boundary(
        "text.readable", "no control characters but tab and line breaks",
        Side("U+0009", {NOTES: b"a\tb\r\n\fc"}), Side("U+0008", {NOTES: b"a\nb\x08c"}),
        ("U+0008 in line 2; take it out",), {"file": NOTES},
    ),
    Boundary(
        "text.readable", "one character that is seen",
        Side("a full stop", {NOTES: b" .\n"}), Side("blanks", {NOTES: " \u00a0\u200b\n".encode()}),
        ("says nothing; write",), {"file": NOTES},
    ),
    Boundary(
        "text.readable", "UTF-8",
        Side("é as two bytes", {NOTES: "café".encode()}), Side("é as one", {NOTES: "café".encode("latin-1")}),
        ("not UTF-8 text (byte 0xe9 in line 1)", "Save it as UTF-8"), {"file": NOTES},
    ),
    Boundary(
        "csv.parses", "the first row's number of fields in every row",
        Side("2 and 2", {TABLE: b'a,b\n1,"2,5"\n'}), Side("2 and 3", {TABLE: b"a,b\n1,2,5\n"}),
        ("line 2: 3 fields", "the first row has 2; give every row the same"), {"file": TABLE},
    ),
    Boundary(
        "json.parses", "one value",
        Side("one", {LIST: b"[1, 2]"}), Side("two", {LIST: b"[1] [2]"}),
        ("Extra data (line 1, column 5)", "put them into a list"), {"file": LIST},
    ),
    Boundary(
        "json.parses", "numbers that JSON has",
        Side("1e999", {LIST: b"[1e999]"}), Side("Infinity", {LIST: b"[Infinity]"}),
        ("holds Infinity, which is no JSON; write null",), {"file": LIST},
    ),
    Boundary(
        "html.complete", "nothing but comments after </html>",
        Side("a comment", {PAGE: WHOLE + b"\n<!-- end -->\n"}), Side("a word", {PAGE: WHOLE + b"\nend"}),
        ("goes on after </html> with 'end'; end the file there",), {"file": PAGE},
    ),
    Boundary(
        "html.complete", "ends with </html>",
        Side("</html>", {PAGE: WHOLE}), Side("</html", {PAGE: WHOLE[:-1]}),
        ("does not end with </html>; write it to its end",), {"file": PAGE},
    ),
    Boundary(
        "pdf.page", "the width within 0.5 mm",
        Side("420.49 mm", sheet(420.49, 594)), Side("420.51 mm", sheet(420.51, 594)),
        ("is 420.51 × 594.00 mm; make it 420 × 594 mm",), SIZE,
    ),
    Boundary(
        "pdf.page", "the height within 0.5 mm",
        Side("593.51 mm", sheet(420, 593.51)), Side("593.49 mm", sheet(420, 593.49)),
        ("is 420.00 × 593.49 mm; make it 420 × 594 mm",), SIZE,
    ),
    Boundary(
        "pdf.page", "with a bleed the trim box within 0.5 mm",
        Side("419.51 mm", bled(419.51, 3)), Side("419.49 mm", bled(419.49, 3)),
        ("The TrimBox of paper.pdf is 419.49 × 594.00 mm; make it 420 × 594 mm",), BLED,
    ),
    Boundary(
        "pdf.page", "the bleed within 0.5 mm on every side",
        Side("2.51 mm", bled(420, 2.51)), Side("2.49 mm", bled(420, 2.49)),
        ("reaches 2.49 mm beyond its TrimBox", "make it 3 mm on every side"), BLED,
    ),
    Boundary(
        "pdf.page", "one page",
        Side("1 page", sheet(420, 594)), Side("2 pages", sheet(420, 594, pages=2)),
        ("has 2 pages; make it one",), SIZE,
    ),
    Boundary(
        "pdf.opens", "whole to its last line",
        Side("with %%EOF", dotted(9, 9)), Side("without it", {PAPER: document(400, 400, DOT % (9, 9))[:-6]}),
        ("has no %%EOF at its end", "Export it again"), {"file": PAPER},
    ),
    Boundary(
        "pdf.not_blank", "0.005 % of a page in another colour",
        Side("8 of 160,000 px", dotted(4, 2)), Side("6 of 160,000 px", dotted(3, 2)),
        ("Every page of paper.pdf is one flat colour; export it again",), {"file": PAPER},
    ),
    Boundary(
        "pdf.fonts", "every font embedded",
        Side("a font of its own", {PAPER: document(400, 400, WORD, OWN_FONT)}),
        Side("Helvetica by name", {PAPER: document(400, 400, WORD, NAMED_FONT)}),
        ("does not embed Helvetica; export it with fonts embedded",), {"file": PAPER},
    ),
]  # fmt: skip
