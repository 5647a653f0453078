"""Drafts: a model fills a form by one call, within the day's cap; where it fails plain rules do, and say so."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from studio import drafting, jobs
from studio.brief import JobRequest
from studio.database import Database, open_database
from studio.errors import BriefError, DailyCapReached, NotFound
from studio.settings import Settings
from tests.support.openai_server import Answer, OpenAIServer, fails, says, serving
from tests.support.posters import BRIEF as SMALL

SENTENCE = "A poster for Open Night on 3 May 2027"
BRIEF = {
    "kind": "poster",
    "title": "Open Night",
    "language": "en",
    "params": {"event": {"name": "Open Night", "date": "3 May 2027"}, "raster_height": -4},
}


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    database = open_database(Settings(data_dir=tmp_path))
    database.migrate()
    yield database
    database.close()


def settings(tmp_path: Path, server: OpenAIServer, **more: Any) -> Settings:
    return Settings(
        data_dir=tmp_path,
        openai_base_url=server.url,
        openai_api_key=SecretStr("sk-scripted-0123456"),
        default_model="openai:scripted",
        price_prompt_usd=2.0,
        price_completion_usd=10.0,
        **more,
    )


def test_a_model_fills_the_form_by_one_call_without_tools(db: Database, tmp_path: Path) -> None:
    with serving(says(f"Here it is:\n```json\n{json.dumps(BRIEF)}\n```")) as server:
        draft = drafting.start(db, SENTENCE, settings(tmp_path, server), caller="local")
        (request,) = server.requests
    assert "tools" not in request
    assert request["messages"][-1] == {"role": "user", "content": SENTENCE}
    assert '"destination"' in request["messages"][0]["content"], "every kind's fields are told"
    assert (draft.by, draft.kind, draft.problem) == ("openai:scripted", "poster", "")
    assert draft.brief["params"] == {"event": {"name": "Open Night", "date": "3 May 2027"}}
    assert draft.brief["prompt"] == SENTENCE
    assert draft.missing == ["/params/event/venue"]
    assert (draft.prompt_tokens, draft.completion_tokens) == (100, 10)
    assert draft.cost_usd == pytest.approx((100 * 2 + 10 * 10) / 1e6)
    assert drafting.get(db, draft.id) == draft


@pytest.mark.parametrize(
    ("answer", "said"), [(says("I would rather not."), "holds no brief"), (fails(401, "bad key"), "401")]
)
def test_where_the_model_fails_plain_rules_fill_it(db: Database, tmp_path: Path, answer: Any, said: str) -> None:
    with serving(answer) as server:
        draft = drafting.start(db, SENTENCE, settings(tmp_path, server), caller="local")
        assert len(server.requests) == 1
    assert (draft.by, draft.kind) == ("rule", "poster")
    assert said in draft.problem
    assert draft.brief["params"]["event"]["name"] == "Open Night"


@pytest.mark.parametrize(
    ("cap", "said"), [({"drafts_a_day": 2}, "2 calls a day"), ({"drafts_cost_usd": 0.0005}, "a day")]
)
def test_the_days_cap_holds(db: Database, tmp_path: Path, cap: dict[str, Any], said: str) -> None:
    with serving(says(json.dumps(BRIEF))) as server:
        drafts = [drafting.start(db, SENTENCE, settings(tmp_path, server, **cap), caller="local") for _ in range(4)]
        asked = len(server.requests)
    assert [draft.by for draft in drafts] == ["openai:scripted"] * asked + ["rule"] * (4 - asked)
    assert asked == 2
    assert said in drafts[-1].problem


def test_drafts_count_for_the_days_cap_on_paid_models(db: Database, tmp_path: Path) -> None:
    with serving(says(json.dumps(BRIEF)), says("No brief, but paid for."), fails(401, "bad key")) as server:
        own = settings(tmp_path, server, daily_tokens=220)
        drafts = [drafting.start(db, SENTENCE, own, caller="local") for _ in range(3)]
        assert len(server.requests) == 2
    assert [draft.prompt_tokens for draft in drafts] == [100, 100, None], "a reply without a brief was paid for too"
    spent = jobs.daily_spent(db, own)
    assert spent.tokens == 220
    assert spent.cost_usd == pytest.approx(2 * (100 * 2 + 10 * 10) / 1e6)
    assert "daily cap of 220 tokens (STUDIO_DAILY_TOKENS)" in drafts[2].problem
    request = JobRequest.model_validate({"brief": SMALL.model_dump(), "run": {"model": "openai:scripted"}})
    with pytest.raises(DailyCapReached):
        jobs.create(db, request, own, caller="local")


def test_a_draft_counts_from_the_moment_at_which_its_model_is_asked(db: Database, tmp_path: Path) -> None:
    with serving(Answer("", hold=True)) as server:
        own = settings(tmp_path, server, daily_cost_usd=0.02)  # one takes about 0.016
        waiting = [
            threading.Thread(target=drafting.start, args=(db, SENTENCE, own), kwargs={"caller": "local"})
            for _ in range(2)
        ]
        for number, thread in enumerate(waiting, start=1):
            thread.start()
            while len(server.requests) < number:
                time.sleep(0.01)
        third = drafting.start(db, SENTENCE, own, caller="local")
        assert len(server.requests) == 2
    assert third.by == "rule"
    assert "daily cap of 0.02 US dollars" in third.problem
    for thread in waiting:
        thread.join()
    assert jobs.daily_spent(db, own).tokens == 0, "no reply came, so nothing is known to be paid"


def test_nobody_is_asked_where_no_model_is_or_the_visitor_may_not(db: Database, tmp_path: Path) -> None:
    plain = drafting.start(db, SENTENCE, Settings(data_dir=tmp_path), caller="local")
    assert (plain.by, plain.problem, plain.cost_usd) == ("rule", "", None)
    with serving(says(json.dumps(BRIEF))) as server:
        visitor = drafting.start(db, SENTENCE, settings(tmp_path, server), caller="anonymous")
        assert server.requests == []
    assert visitor.by == "rule"
    assert "visitor" in visitor.problem


def test_a_sentence_must_be_one(db: Database, tmp_path: Path) -> None:
    for sentence in ("", "  ", "x" * 2001, "a\0b"):
        with pytest.raises(BriefError):
            drafting.start(db, sentence, Settings(data_dir=tmp_path), caller="local")
    with pytest.raises(NotFound):
        drafting.get(db, "nobody")
