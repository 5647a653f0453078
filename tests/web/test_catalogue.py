"""The words of the pages: every one is in the catalogue, and every one has its Chinese."""

from __future__ import annotations

import re

import pytest
from babel.messages.pofile import read_po

from studio.contract import Check
from studio.errors import BriefError
from studio.kinds import ArtifactKind, all_kinds
from web import catalogue
from web.i18n import CATALOGUE
from web.said import CONTEXT, chinese

PLACES = re.compile(r"%\(\w+\)[sd]|\{\w+\}")


def test_the_catalogue_is_up_to_date_with_the_sources() -> None:
    assert catalogue.text_of(catalogue.updated()) == CATALOGUE.read_bytes(), "run: python -m web.catalogue"


def test_nothing_lacks_its_translation() -> None:
    assert catalogue.untranslated(catalogue.updated()) == []


def test_translations_keep_the_places_of_values_and_the_markup() -> None:
    with CATALOGUE.open("rb") as stream:
        words = read_po(stream, locale="zh")
    for message in words:
        source = message.id if isinstance(message.id, str) else message.id[-1]
        translation = message.string if isinstance(message.string, str) else message.string[0]
        if not source:
            continue
        assert set(PLACES.findall(source)) == set(PLACES.findall(translation)), source
        assert re.findall(r"</?\w+", source) == re.findall(r"</?\w+", translation), source


@pytest.mark.parametrize("kind", all_kinds().values(), ids=all_kinds())
def test_what_a_contract_expects_is_said_in_chinese(kind: ArtifactKind) -> None:
    for sample in kind.samples():
        for check in kind.contract(kind.parse(sample.brief)).checks:
            assert chinese(check.expected) or only_values(check), check.expected


def only_values(check: Check) -> bool:
    """Sizes and lengths stand for themselves: "1280 × 720 px"."""
    return not re.search(r"[A-Za-z]{3}", re.sub(r"[\w.-]+ \d+ × \d+ px", "", check.expected))


def test_contradictions_are_said_in_chinese() -> None:
    kind = all_kinds()["countdown_video"]
    brief = kind.samples()[0].brief.model_copy(update={"params": {"name": "Mia", "start": 3, "end": 9}})
    with pytest.raises(BriefError) as caught:
        kind.parse(brief)
    found = chinese(caught.value.problems[0].message)
    assert found is not None
    assert "3" in found
    assert "9" in found


def test_contexts_hold_what_the_models_have() -> None:
    with CATALOGUE.open("rb") as stream:
        contexts = {message.context for message in read_po(stream, locale="zh")}
    assert {"field", CONTEXT} <= contexts
