"""The key in real runs: whatever form a server or a sandbox gives it, it reaches nothing that is kept."""

from __future__ import annotations

import base64
import json
from urllib.parse import quote

from studio.trajectory import ModelReply, ToolCalled, ToolResult
from tests.pipeline.conftest import KEY, Studio
from tests.support.openai_server import bash, fails, says

HALVES = f"'{KEY[:9]}''{KEY[9:]}'"  # the shell joins them, so that the whole is first known inside


def test_a_sandbox_that_prints_the_key_in_any_form_and_names_a_file_by_it(studio: Studio) -> None:
    forms = (
        f"k={HALVES}; printf %s $k | base64; printf 'user:%s' $k | base64; touch output/$k.txt\n"
        "printf %s $k | od -An -v -tx1 | tr -d ' \\n'; printf '\\n{\"k\": \"%s\"}\\n' $k\n"
        "echo $k | fold -w 5 | while read part; do printf %s $part; sleep 0.1; done"
    )
    studio.ask(says("Print.", bash(forms)), limits={"steps": 1})
    kept = "".join(event.model_dump_json() for event in studio.recorder.events) + studio.recorder.printed
    assert KEY not in kept
    assert KEY.encode().hex() not in kept
    assert base64.b64encode(KEY.encode()).decode()[:20] not in kept
    (result,) = studio.recorder.of(ToolResult)
    assert result.output.count("•••") >= 5
    assert result.files_changed == ["output/•••.txt"]
    assert "•••" in studio.recorder.printed


def test_a_server_that_gives_the_key_back_encoded(studio: Studio) -> None:
    forms = [quote(KEY, safe=""), base64.b64encode(f"Bearer {KEY}".encode()).decode(), json.dumps({"key": KEY})]
    studio.ask(says(" ".join(forms), *(bash(f"echo '{form}'") for form in forms)), limits={"steps": 1})
    reply, calls = studio.recorder.of(ModelReply)[0], studio.recorder.of(ToolCalled)
    kept = "".join(event.model_dump_json() for event in studio.recorder.events)
    assert KEY not in kept
    assert base64.b64encode(KEY.encode()).decode()[:20] not in kept
    assert reply.text.count("•••") == 3
    assert all("•••" in json.dumps(call.arguments, ensure_ascii=False) for call in calls)
    assert [use.capabilities for use in calls] == [[], [], []]


def test_an_error_of_the_server_that_quotes_it(studio: Studio) -> None:
    outcome = studio.ask(fails(400, f"header Authorization: Bearer {KEY} / {quote(KEY + '/', safe='')}"))
    assert KEY not in outcome.message
    assert "•••" in outcome.message


def test_the_sums_of_a_run_say_what_its_calls_used(studio: Studio) -> None:
    outcome = studio.ask(
        says(None, bash("cat input/brief.json > copy; head -c 3000000 /dev/zero > big"), bash("python3 -c 'print(1)'")),
        limits={"steps": 1},
    )
    use = outcome.usage.capabilities
    assert use is not None
    assert (use.calls, use.outside, use.files, use.computation) == (2, 0, 1, 1)
    assert outcome.usage.bytes_written is None or outcome.usage.bytes_written > 3_000_000
    replayed = studio.replay(("execute_bash", '{"command": "ls"}'), limits={"steps": 1})
    assert replayed.usage.capabilities is None
