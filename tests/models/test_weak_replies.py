"""What weak models write in place of tool calls, each as a written exchange over real HTTP."""

from __future__ import annotations

import json
from typing import Any

import pytest

from studio.models import Message, Reply
from studio.models.openai import OpenAIModel
from studio.tools import SCHEMAS
from studio.trajectory import Call
from tests.support.openai_server import bash, says, scripted, serving

HELLO = [Message("system", "You make things."), Message("user", "Make one.")]
LS = {"command": "ls -l"}
CALL = json.dumps({"name": "execute_bash", "arguments": LS})


def reply_to(text: str | None, *calls: tuple[str, Any], tools: str = "auto", **more: Any) -> Reply:
    with serving(says(text, *calls, **more)) as server:
        model = OpenAIModel(scripted(server.url, tools=tools), api_key=None)
        reply = model.query(HELLO, SCHEMAS, 10.0)
        model.close()
        return reply


def made(reply: Reply) -> list[tuple[str, Any]]:
    return [(call.name, json.loads(call.arguments or "{}")) for call in reply.calls]


FORMS = {
    "tool fence": f"I look.\n```tool\n{CALL}\n```",
    "json fence": f"I look.\n\n```json\n{CALL}\n```\nThen I go on.",
    "fence without a word": f"```\n{CALL}\n```",
    "fence left open": f"I look.\n```json\n{CALL}\n",
    "parameters": '```json\n{"name": "execute_bash", "parameters": {"command": "ls -l"}}\n```',
    "tool and input": '```json\n{"tool": "execute_bash", "tool_input": {"command": "ls -l"}}\n```',
    "action and action_input": '{"action": "execute_bash", "action_input": {"command": "ls -l"}}',
    "flat": '```json\n{"tool": "execute_bash", "command": "ls -l"}\n```',
    "by its name": '```json\n{"execute_bash": {"command": "ls -l"}}\n```',
    "as OpenAI's own": json.dumps(
        {"tool_calls": [{"type": "function", "function": {"name": "execute_bash", "arguments": json.dumps(LS)}}]}
    ),
    "tool_call tag": f"<tool_call>\n{CALL}\n</tool_call>",
    "tool_call tag left open": f"Now:\n<tool_call>{CALL}",
    "tool_call tag with a fence": f"<tool_call>\n```json\n{CALL}\n```\n</tool_call>",
    "function tag with JSON": '<function=execute_bash>{"command": "ls -l"}</function>',
    "function tag with parameters": (
        "<tool_call>\n<function=execute_bash>\n<parameter=command>\nls -l\n</parameter>\n</function>\n</tool_call>"
    ),
    "invoke tag": '<invoke name="execute_bash"><parameter name="command">ls -l</parameter></invoke>',
    "keys and values": "<tool_call>execute_bash\n<arg_key>command</arg_key><arg_value>ls -l</arg_value></tool_call>",
    "python tag": f"<|python_tag|>{CALL}",
    "mark of a family": f"[TOOL_CALLS][{CALL}]",
    "action and input": 'Thought: I look.\nAction: execute_bash\nAction Input: {"command": "ls -l"}',
    "action and plain input": "**Action:** `execute_bash`\n**Action Input:** ls -l\nObservation: ...",
    "python call": 'I look now.\n\nexecute_bash(command="ls -l")\n',
    "python call, positional": "```python\nexecute_bash('ls -l')\n```",
    "python call of a namespace": "```tool_code\nprint_not = 1\n```\nfunctions.execute_bash(command='ls -l')",
    "bare JSON": CALL,
    "bare JSON after words": f"I look.\n{CALL}",
    "odd name": CALL.replace("execute_bash", "functions.execute_bash"),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("tools", ["auto", "text"])
def test_a_call_in_words_is_a_call(form: str, tools: str) -> None:
    reply = reply_to(FORMS[form], tools=tools)
    assert made(reply) == [("execute_bash", LS)]
    assert "execute_bash" not in reply.text
    if tools == "auto":
        assert "written into the words" in reply.remarks[-1]


@pytest.mark.parametrize(
    "text",
    [
        "I could run `execute_bash` with ls -l, or call submit() at the end.",
        'The call execute_bash(command="rm -r /") would be wrong here, so I ask first.',
        '```json\n{"title": "Open Night", "name": "Hill House"}\n```',
        "```python\nprint('hello')\n```",
        '```json\n{"name": "execute_bash", "arguments": {"command": "rm -r /testbed/o',
        "Nothing to do.",
    ],
)
def test_words_about_a_call_are_none(text: str) -> None:
    reply = reply_to(text)
    assert reply.calls == ()
    assert reply.text == text


def test_several_calls_at_once_stay_in_their_order() -> None:
    two = f'<tool_call>{CALL}</tool_call>\nand\n<tool_call>{{"name": "submit", "arguments": {{}}}}</tool_call>'
    in_one = f'```json\n[{CALL}, {{"name": "submit"}}]\n```'
    for text in (two, in_one, f'```tool\n{CALL}\n{{"name": "submit", "arguments": {{}}}}\n```'):
        assert made(reply_to(text)) == [("execute_bash", LS), ("submit", {})]


def test_line_breaks_may_stand_as_they_are_within_a_string() -> None:
    text = '```tool\n{"name": "execute_bash", "arguments": {"command": "cd /testbed\nls"}}\n```'
    assert made(reply_to(text)) == [("execute_bash", {"command": "cd /testbed\nls"})]


def test_an_unknown_tool_is_a_call_where_the_mark_leaves_no_doubt() -> None:
    text = '<tool_call>{"name": "open_browser", "arguments": {"url": "x"}}</tool_call>'
    assert made(reply_to(text)) == [("open_browser", {"url": "x"})]


def test_a_shell_block_alone_is_a_command_in_the_text_protocol_only() -> None:
    text = "I look.\n```bash\ncd /testbed\nls -l\n```"
    assert made(reply_to(text, tools="text")) == [("execute_bash", {"command": "cd /testbed\nls -l"})]
    assert reply_to(text).calls == ()
    assert reply_to(f"{text}\n```sh\npwd\n```", tools="text").calls == ()


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        ("```execute_bash\nrm -r /testbed/o", ()),
        ("```bash\nrm -r /testbed/o", ()),
        ("Action: execute_bash\nAction Input: rm -r /testbed/o", ()),
        ('```tool\n{"name": "submit"', ()),
        (None, (("execute_bash", '{"command": "cat > /testbed/x <<E\\nhal'),)),
        (None, (("submit", ""),)),
    ],
)
def test_what_the_length_limit_cuts_is_not_run(text: str | None, calls: tuple[tuple[str, Any], ...]) -> None:
    reply = reply_to(text, *calls, finish_reason="length", tools="auto" if calls else "text")
    assert reply.calls == ()
    assert "cut off at its length limit" in reply.advice


def test_what_was_whole_before_the_cut_is_run() -> None:
    reply = reply_to(None, bash("ls -l"), ("submit", '{"summ'), finish_reason="length")
    assert made(reply) == [("execute_bash", LS)]
    assert reply.advice


def test_a_result_that_the_model_invents_is_not_read() -> None:
    text = f'```tool\n{CALL}\n```\n\nResult of execute_bash:\ntotal 0\n\n```tool\n{{"name": "submit"}}\n```'
    reply = reply_to(text, tools="text")
    assert made(reply) == [("execute_bash", LS)]
    assert "wait for its result" in reply.advice


def test_names_of_native_calls_are_cleaned() -> None:
    calls = (("functions.execute_bash", LS), ("submit<|channel|>commentary", {}), ("", {}))
    assert [name for name, _ in made(reply_to(None, *calls))] == ["execute_bash", "submit"]


def test_the_text_protocol_tells_the_tools_and_speaks_in_turns() -> None:
    conversation = [
        *HELLO,
        Message("assistant", "I look.", (Call(id="c1", name="execute_bash", arguments=json.dumps(LS)),)),
        Message("tool", "total 0", call_id="c1"),
        Message("user", "Budget left: 3 steps."),
    ]
    with serving(says("Fine.")) as server:
        model = OpenAIModel(scripted(server.url, tools="text"), api_key=None)
        model.query(conversation, SCHEMAS, 10.0)
        model.close()
        (request,) = server.requests
    assert "tools" not in request
    system, user, assistant, result = request["messages"]
    assert system["content"].startswith("You make things.\n\nHow to call a tool")
    assert all(f"- `{tool.name}`" in system["content"] for tool in SCHEMAS)
    assert user["content"] == "Make one."
    assert assistant["content"] == f"I look.\n\n```tool\n{CALL}\n```"
    assert result == {"role": "user", "content": "Result of execute_bash:\ntotal 0\n\nBudget left: 3 steps."}


def test_the_form_that_is_told_is_read_without_a_remark() -> None:
    assert reply_to(FORMS["tool fence"], tools="text").remarks == ()
