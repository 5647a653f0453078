"""Any valid poster brief is accepted: any script of the fonts, page, palette and number of people."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st

from studio.brief import Brief
from studio.errors import BriefError
from studio.kinds import parse_brief
from studio.kinds.poster.params import PosterParams
from tests.kinds.conftest import Make

Texts = st.SearchStrategy[str]
COLORS = st.integers(0, 0xFFFFFF).map("#{:06X}".format)
URLS = st.from_regex(r"https://[a-z]{3,20}\.example/[a-z0-9/-]{0,60}", fullmatch=True)


# What the sandbox's fonts have: Latin, Greek, Cyrillic, Hebrew, Arabic, Devanagari, Thai, kana, ideographs, Hangul.
SCRIPTS = ("AZ", "az", "09", "ÀÖ", "Øž", "ΑΡ", "αω", "Ая", "את", "بغ", "अह", "กฮ", "あん", "アヴ", "一鿿", "가힣")
SIGNS = "!\"#$%&'()*+,-./:;<=>?@[]^_{|}~«»„“”‘’–—…·•€£¥°©×、。「」！？🎉🌊"


def texts(longest: int) -> Texts:
    """Words of any script of the fonts, and signs among them."""
    script = st.sampled_from(SCRIPTS).flatmap(
        lambda ends: st.characters(min_codepoint=ord(ends[0]), max_codepoint=ord(ends[1]))
    )
    letters = st.one_of(script, st.sampled_from(SIGNS))
    words = st.sampled_from(SCRIPTS).flatmap(
        lambda ends: st.text(
            st.characters(min_codepoint=ord(ends[0]), max_codepoint=ord(ends[1])), min_size=1, max_size=12
        )
    )
    spaced = st.lists(words, min_size=1, max_size=8).map(" ".join)
    return (st.text(letters, min_size=1, max_size=longest) | spaced.map(lambda text: text[:longest].strip())).filter(
        lambda text: any(char.isalnum() for char in text)
    )


def some(required: dict[str, Texts], **optional: Texts) -> st.SearchStrategy[dict[str, Any]]:
    return st.fixed_dictionaries(required, optional=optional)


@st.composite
def briefs(draw: st.DrawFn) -> Brief:
    """Any valid brief: from three lines on a card to a sheet full of people."""
    short, long = texts(40), texts(90)
    event = some(
        {"name": long, "date": short, "venue": long}, slogan=long, time=short, timezone=short, address=long, hall=short
    )
    speaker = some({"name": texts(40)}, title=texts(50), company=texts(50), topic=long)
    ratio, width = draw(st.floats(0.12, 8.0)), draw(st.integers(150, 1200))
    versions = st.tuples(st.integers(200, 1600), st.integers(200, 1600))
    params: dict[str, Any] = {
        "event": draw(event),
        "speakers": draw(st.lists(speaker, max_size=draw(st.sampled_from([0, 1, 4, 16])))),
        "highlights": draw(st.lists(long, max_size=6)),
        "registration": draw(some({}, url=URLS, early_bird_price=short, regular_price=short, deadline=short)),
        "organizers": draw(
            st.fixed_dictionaries({"host": st.lists(short, max_size=3), "sponsors": st.lists(short, max_size=8)})
        ),
        "contact": draw(some({}, email=short, phone=short, website=URLS)),
        "page": {"width_mm": width, "height_mm": min(2000.0, max(50.0, round(width * ratio, 1)))},
        "raster_height": draw(st.integers(600, 3000)),
        "palette": draw(
            st.fixed_dictionaries({}, optional=dict.fromkeys(("primary", "secondary", "accent", "background"), COLORS))
        ),
        "social": [
            {"name": f"version{index}", "width": size[0], "height": size[1]}
            for index, size in enumerate(draw(st.lists(versions, max_size=2)))
        ],
    }
    assert set(params) == set(PosterParams.model_fields)
    language = draw(st.sampled_from(["en", "de", "zh", "ar", "he", "ja", "th", "hi", "sw"]))
    try:
        return parse_brief({"kind": "poster", "title": draw(texts(80)), "language": language, "params": params})
    except BriefError as refused:
        # Too many words for so small a picture is the one thing that these ranges cannot keep out.
        assume({problem.pointer for problem in refused.problems} != {"/params/raster_height"})
        raise


@pytest.mark.slow
@settings(
    max_examples=25,
    deadline=None,
    derandomize=True,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)
@given(brief=briefs())
def test_any_valid_brief_is_accepted(brief: Brief, make: Make) -> None:
    made = make(brief)
    report = made.outcome.report
    assert report is not None, made.outcome.message
    assert [(finding.id, finding.message) for finding in report.failed] == [], brief.model_dump_json()
