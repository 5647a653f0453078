"""Files that attack their reader: the check they touch fails within its limit, the others still report."""

from __future__ import annotations

import base64

import pytest

from studio.contract import Report
from tests.inspection.conftest import ENTRY, RASTER, Judge, JudgeAll
from tests.inspection.pictures import bomb, png, svg, text

TITLE = text("Night Swim")
SVG_CHECKS = ("svg.well_formed", "svg.safe", "svg.page", "poster.overlap")


def verdicts(judge: Judge, files: dict[str, bytes], *checks: str) -> dict[str, str]:
    report = judge(files, *checks)
    return {finding.id: finding.verdict for finding in report.checks}


def test_entity_bomb(judge: Judge) -> None:
    steps = "".join(f'<!ENTITY e{n + 1} "{f"&e{n};" * 10}">' for n in range(9))
    doctype = f'<!DOCTYPE svg [<!ENTITY e0 "lol">{steps}]>'.encode()
    found = verdicts(judge, {ENTRY: doctype + svg("<desc>&e9;</desc>"), RASTER: png(9, 9)}, *SVG_CHECKS, "png.size")
    assert found["svg.well_formed"] == "fail"
    assert set(found.values()) == {"fail"}


def test_an_external_entity_is_not_read(judge: Judge) -> None:
    doctype = b'<!DOCTYPE svg [<!ENTITY who SYSTEM "file:///etc/passwd">]>'
    report = judge({ENTRY: doctype + svg(text("&who;"))}, "svg.well_formed", "poster.text")
    assert report.verdict == "reject"
    assert "root:" not in report.model_dump_json()


def test_a_plain_doctype_may_stand(judge: Judge) -> None:
    doctype = b'<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">\n'
    report = judge({ENTRY: doctype + svg(TITLE)}, *SVG_CHECKS)
    assert report.verdict == "accept"


def test_two_hundred_thousand_elements(judge: Judge) -> None:
    many = "".join(f'<rect x="{n % 1000}" y="{n // 1000}" width="1" height="1"/>' for n in range(200_000))
    report = judge({ENTRY: svg(many, text("Night Swim", y=600)), RASTER: png(350, 495)}, *SVG_CHECKS, "png.not_blank")
    found = {finding.id: finding.verdict for finding in report.checks}
    assert found["svg.well_formed"] == "pass"
    assert found["png.not_blank"] == "fail"
    assert "error" not in found.values()


def test_deep_nesting(judge: Judge) -> None:
    deep = "<g>" * 50_000 + "</g>" * 50_000
    assert set(verdicts(judge, {ENTRY: svg(deep, TITLE)}, *SVG_CHECKS).values()) == {"fail"}


def test_a_drawing_that_never_ends(judge: Judge) -> None:
    """Each group holds ten copies of the one before: ten thousand million shapes for whoever draws it."""
    groups = ""
    for n in range(10):
        copies = "".join(f'<use href="#g{n}" x="{k}"/>' for k in range(10))
        groups += f'<g id="g{n + 1}">{copies}</g>'
    looping = svg(f'<defs><circle id="g0" r="5"/>{groups}</defs><use href="#g10"/>', TITLE)
    report = judge({ENTRY: looping, RASTER: png(350, 495, split=(0, 0, 0))}, *SVG_CHECKS, "png.size", "png.not_blank")
    found = {finding.id: finding.verdict for finding in report.checks}
    assert found["poster.overlap"] in ("fail", "error")
    assert found["svg.page"] == found["png.size"] == found["png.not_blank"] == "pass"
    assert report.verdict != "accept"


def test_truncated_png(judge: Judge) -> None:
    whole = png(350, 495, split=(0, 0, 90))
    found = verdicts(judge, {RASTER: whole[: len(whole) - 30]}, "png.size", "png.not_blank")
    assert found == {"png.size": "pass", "png.not_blank": "fail"}


def test_decompression_bomb(judge: Judge) -> None:
    report = judge({RASTER: bomb()}, "png.size", "png.not_blank")
    assert [finding.verdict for finding in report.checks] == ["fail", "fail"]
    assert "60000" in report.checks[1].message


def test_png_that_is_something_else(judge: Judge) -> None:
    found = verdicts(judge, {RASTER: b"\xff\xd8\xff\xe0 a JPEG under another name"}, "png.size", "png.not_blank")
    assert set(found.values()) == {"fail"}


DANGEROUS = {
    "handler": svg(TITLE, attributes=' onload="alert(1)"'),
    "javascript link": svg('<a href=" java&#10;script:alert(1)"><text>x</text></a>'),
    "xlink": svg('<a xlink:href="javascript:alert(1)" xmlns:xlink="http://www.w3.org/1999/xlink"/>'),
    "outside picture": svg('<image href="https://a.example/b.png" width="9" height="9"/>'),
    "file beside": svg('<image href="logo.png" width="9" height="9"/>'),
    "outside use": svg('<use href="icons.svg#a"/>'),
    "import": svg("<style>@import 'https://a.example/x.css';</style>"),
    "import by url": svg("<style>@im\\port url(//a.example/x.css);</style>"),
    "font": svg("<style>@font-face{font-family:x;src:local(y),url(https://a.example/x.woff2)}</style>"),
    "fill": svg('<rect width="9" height="9" fill="url(https://a.example/p.svg#p)"/>'),
    "style attribute": svg('<rect style="fill:u\\72l(https://a.example/p.svg#p)"/>'),
    "image-set": svg("<style>svg{background:image-set('https://a.example/a.png' 1x)}</style>"),
    "style sheet": b'<?xml-stylesheet href="https://a.example/x.css"?>' + svg(TITLE),
    "frame": svg('<foreignObject><iframe xmlns="http://www.w3.org/1999/xhtml" src="about:blank"/></foreignObject>'),
    "foreign handler": svg(
        '<foreignObject><p xmlns="http://www.w3.org/1999/xhtml" onclick="x()">x</p></foreignObject>'
    ),
    "set href": svg('<a href="#a"><set attributeName="href" to="javascript:alert(1)"/></a>'),
    "animate href": svg(
        '<image href="#a"><animate attributeName="xlink:href" values="#a;https://a.example/b.png"/></image>'
    ),
    "script inside data": svg(
        '<image href="data:image/svg+xml;base64,'
        + base64.b64encode(b'<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>').decode()
        + '"/>'
    ),
    "picture inside data": svg(
        '<image href=\'data:image/svg+xml,%3Csvg xmlns="http://www.w3.org/2000/svg"%3E'
        '%3Cimage href="https://a.example/b.png"/%3E%3C/svg%3E\'/>'
    ),
    "html inside data": svg('<a href="data:text/html,&lt;script&gt;1&lt;/script&gt;"><text>x</text></a>'),
}

HARMLESS = {
    "plain link": svg('<a href="https://a.example/tickets" target="_blank">' + TITLE + "</a>"),
    "mail": svg('<a href="mailto:a@b.example">' + TITLE + "</a>"),
    "parts of itself": svg(
        '<defs><linearGradient id="a"><stop stop-color="red"/></linearGradient><path id="b" d="M0 0h9"/></defs>'
        '<rect width="9" height="9" fill="url(#a)" filter="url( &quot;#none&quot; )"/><use href="#b"/>'
    ),
    "embedded": svg(
        f'<image href="data:image/png;base64,{base64.b64encode(png(2, 2)).decode()}" width="9" height="9"/>'
        "<style>@font-face{font-family:x;src:url(data:font/woff2;base64,AAAA)} text{fill:url('#a') red}</style>"
    ),
    "editor's own": svg(
        '<metadata><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"'
        ' rdf:resource="http://creativecommons.org/licenses/by/4.0/"/></metadata>',
        attributes=' xmlns:e="http://an.editor.example/ns" e:onward="1" e:href="C:\\poster.svg"',
    ),
    "words": svg(text("url(https://a.example) onload= javascript:", more='aria-label="see url(https://a.example)"')),
    "motion": svg('<rect width="9" height="9"><animate attributeName="fill" values="red;blue"/></rect>'),
    "namespace rule": svg("<style>@namespace svg url(http://www.w3.org/2000/svg); svg|text{fill:red}</style>"),
    "plain foreign text": svg('<foreignObject width="90" height="9"><p xmlns="http://www.w3.org/1999/xhtml">x</p></foreignObject>'),
}  # fmt: skip


@pytest.fixture(scope="module")
def reports(judge_all: JudgeAll) -> dict[str, Report]:
    return judge_all({**DANGEROUS, **HARMLESS}, "svg.well_formed", "svg.safe")


@pytest.mark.parametrize("name", DANGEROUS)
def test_what_runs_or_loads_is_refused(name: str, reports: dict[str, Report]) -> None:
    found = reports[name].checks
    assert [finding.verdict for finding in found] == ["pass", "fail"], found


@pytest.mark.parametrize("name", HARMLESS)
def test_what_loads_nothing_may_stand(name: str, reports: dict[str, Report]) -> None:
    assert reports[name].verdict == "accept", reports[name].checks
