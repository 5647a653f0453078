"""Testing a model over real HTTP: servers that can all, that can little, and one that silently cuts the prompt."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from studio.models.listing import Cost, Line, find_model, run_test
from studio.settings import Settings
from tests.support.openai_server import Answer, OpenAIServer, bash, fails, says

TOKENS = re.compile(r"\w+|[^\w\s]")


class Server:
    """Answers a test's requests as a model of so much context would. A word counts as a token."""

    def __init__(
        self,
        context: int,
        *,
        silent: bool = False,
        tools: bool = True,
        sees: tuple[str, ...] = (),
        recalls: bool = True,
    ) -> None:
        self.recalls = recalls
        self.context = context
        self.silent = silent
        self.tools = tools
        self.sees = sees

    def __call__(self, request: dict[str, Any]) -> Answer:
        last = request["messages"][-1]["content"]
        if isinstance(last, list):
            return says(" and ".join(self.sees)) if self.sees else fails(500, "image input is not supported")
        if request.get("tools"):
            return says(None, bash("echo hello")) if self.tools else fails(400, "this model does not support tools")
        if "How to call a tool" in request["messages"][0]["content"]:
            return says('```tool\n{"name": "execute_bash", "arguments": {"command": "echo hello"}}\n```')
        if "Remember this word" not in last:
            return says("ready" if "ready" in last else "1 2 3 4 5")
        words = TOKENS.findall(last)
        if len(words) > self.context and not self.silent:
            return fails(400, f"This model's maximum context length is {self.context} tokens.")
        kept = words[-self.context :]
        found = re.search(r"word : (\w+) - (\d+)", " ".join(kept))
        usage = {"prompt_tokens": len(kept), "completion_tokens": 5}
        return says(f"{found[1]}-{found[2]}" if found and self.recalls else "I do not know.", usage=usage)


def lines_of(
    folder: Path, server: Callable[[dict[str, Any]], Answer], table: str = "", most_tokens: int = 150_000
) -> tuple[dict[str, Line], Cost]:
    with OpenAIServer(server) as running:
        text = f'[models.one]\nmodel = "scripted"\nbase_url = "{running.url}"\n{table}'
        (folder / "studio.toml").write_text(text, encoding="utf-8")
        settings = Settings(data_dir=folder)
        results = list(run_test(find_model("one", settings), settings, most_tokens=most_tokens))
    lines = {item.name: item for item in results if isinstance(item, Line)}
    (cost,) = (item for item in results if isinstance(item, Cost))
    return lines, cost


def test_a_server_that_can_all(tmp_path: Path) -> None:
    server = Server(8000, sees=("red", "green", "blue", "yellow"))
    table = "context = 4096\nimages = true\nprices = { prompt = 1.0, completion = 2.0 }\n"
    lines, cost = lines_of(tmp_path, server, table)
    assert [line.ok for line in lines.values()] == [True] * 5
    assert not any(line.remedy for line in lines.values())
    assert "as the profile says (4096)" in lines["context"].found
    assert cost.usd is not None
    assert cost.usd == pytest.approx((cost.prompt_tokens + 2 * cost.completion_tokens) / 1e6)
    assert "US dollars" in cost.words


def test_a_server_that_silently_cuts_is_found_with_its_measure(tmp_path: Path) -> None:
    lines, cost = lines_of(tmp_path, Server(4096, silent=True), "context = 16384\n")
    context = lines["context"]
    assert context.ok is False
    assert "cut silently" in context.found
    assert "the profile says 16384" in context.found
    holds = int(re.search(r"about (\d+) tokens", context.found)[1])  # type: ignore[index]
    assert 0.85 * 4096 <= holds <= 4096
    assert "OLLAMA_CONTEXT_LENGTH" in context.remedy
    assert cost.prompt_tokens < 60_000


def test_a_server_that_says_so_is_measured_too(tmp_path: Path) -> None:
    lines, _ = lines_of(tmp_path, Server(3000), "context = 8192\n")
    assert lines["context"].ok is False
    assert "refused openly (400)" in lines["context"].found


def test_a_model_that_tells_nothing_back_is_measured_by_the_count(tmp_path: Path) -> None:
    whole, _ = lines_of(tmp_path, Server(9000, recalls=False), "context = 4096\n")
    assert whole["context"].ok is True
    assert "by the server's count" in whole["context"].found
    cut, _ = lines_of(tmp_path, Server(2048, silent=True, recalls=False), "context = 8192\n")
    assert cut["context"].ok is False
    assert "cut silently" in cut["context"].found


def test_a_count_that_is_always_the_same_ends_the_search(tmp_path: Path) -> None:
    def constant(request: dict[str, Any]) -> Answer:
        return says("ready", bash("echo hello"), usage={"prompt_tokens": 100, "completion_tokens": 5})

    _, cost = lines_of(tmp_path, constant, "context = 4096\n")
    assert cost.requests < 30


def test_the_bound_on_tokens_holds(tmp_path: Path) -> None:
    lines, cost = lines_of(tmp_path, Server(200_000), "context = 131072\n", most_tokens=20_000)
    assert lines["context"].ok is True
    assert "the bound on tokens allowed no more" in lines["context"].found
    assert cost.prompt_tokens < 21_000


def test_a_server_without_tools_or_eyes(tmp_path: Path) -> None:
    lines, _ = lines_of(tmp_path, Server(2000, tools=False), "context = 1024\n")
    assert lines["tool call"].ok is True
    assert lines["tool call"].remedy == 'set models.one.tools = "text"'
    assert lines["pictures"].ok is True  # as the profile says
    assert "refused" in lines["pictures"].found
    blind, _ = lines_of(tmp_path, Server(2000, sees=("purple",)), "context = 1024\nimages = true\n")
    assert blind["pictures"].ok is False
    assert blind["pictures"].remedy == "set models.one.images = false"


def test_without_the_key_nothing_is_sent(tmp_path: Path) -> None:
    lines, cost = lines_of(tmp_path, Server(2000), 'key_env = "STUDIO_TEST_NO_SUCH_KEY"\n')
    assert lines["key and model"].ok is False
    assert "STUDIO_TEST_NO_SUCH_KEY" in lines["key and model"].remedy
    assert [line.ok for line in lines.values()] == [False, None, None, None, None]
    assert cost.requests == 0


def test_a_refused_key_is_told_with_its_remedy(tmp_path: Path) -> None:
    with OpenAIServer([fails(401, "bad key")]) as running:
        settings = Settings(data_dir=tmp_path, openai_base_url=running.url)
        first, *rest, cost = run_test(find_model("openai:scripted", settings), settings)
    assert isinstance(first, Line)
    assert (first.ok, first.remedy) == (False, "check STUDIO_OPENAI_API_KEY")
    assert json.loads(json.dumps([line.ok for line in rest if isinstance(line, Line)])) == [None] * 4
    assert isinstance(cost, Cost)
