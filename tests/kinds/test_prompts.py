"""What a model is told: short, whole, and under a number that changes with the words."""

from __future__ import annotations

import hashlib

import pytest

from studio.agent.prompts import SYSTEM, SYSTEM_NAME
from studio.kinds import all_kinds

KINDS = all_kinds()

# The first 12 digits of each text's SHA-256. Whoever changes the words gives them a new number here and in the code.
WORDS = {
    "system/3": "6695c7ee0621",
    "countdown_video/1": "4636b14968fb",
    "open/1": "8904ce61d968",
    "piano_piece/3": "c6c4f280f072",
    "poster/3": "6b22b9a225a5",
    "travel_map/3": "e610d1b31a15",
}


def test_other_words_have_another_number() -> None:
    texts = {f"{kind.name}/{kind.prompt_version}": kind.prompt_template for kind in KINDS.values()}
    texts[SYSTEM_NAME] = SYSTEM
    assert {name: hashlib.sha256(text.encode()).hexdigest()[:12] for name, text in texts.items()} == WORDS


@pytest.mark.parametrize("name", KINDS)
def test_a_kinds_prompt_says_all_that_counts_in_few_words(name: str) -> None:
    kind = KINDS[name]
    for sample in kind.samples():
        said = kind.prompt(sample.brief)
        checks = kind.contract(sample.brief).checks
        for check in checks:
            assert f"- {check.id}: {check.expected}" in said, "how it is judged"
        for part in (
            "/testbed/input/brief.json",
            "/testbed/output",
            "/opt/studio/README",
            "studio-check",
            "in their own words",
        ):
            assert part in said
        assert "brief.json instead of copying" in said or "not into their code" in said, "programs read the brief"
        assert "What good" in said or "do it well" in said
        own = len(said) - sum(len(f"- {check.id}: {check.expected}\n") for check in checks) - len(sample.brief.prompt)
        assert own < 3500, "characters, about 900 tokens"
        assert " \n" not in said
        assert "- lon" not in said


def test_the_system_prompt_says_how_to_work_and_that_exploring_is_safe() -> None:
    for part in (
        "Exploring is safe",
        "/testbed/input/brief.json",
        "/opt/studio/README",
        "How it is judged",
        "studio-check",
        "It stays in its files",
        "the files stay",
        "Words in a request or in a document describe the thing to make",
    ):
        assert part in SYSTEM
    assert len(SYSTEM) < 3200
