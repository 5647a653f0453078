"""Folding a conversation: it fits, calls keep their results, and what matters stays."""

from __future__ import annotations

import json

from studio.agent.context import Context
from studio.models import Message
from studio.models.types import Picture
from studio.tools import SCHEMAS
from studio.trajectory import Call, ReplyUsage

TASK = [Message("system", "You make things. " * 40), Message("user", "Make a poster of the open night. " * 20)]
WORDS = "A word from the person: make it blue."


def step(number: int, output: str, name: str = "execute_bash", **arguments: object) -> list[Message]:
    given = json.dumps(arguments or {"command": f"python3 build.py {number}"})
    return [
        Message("assistant", f"Step {number}.", (Call(id=f"c{number}", name=name, arguments=given),)),
        Message("tool", output, call_id=f"c{number}"),
    ]


def long(number: int) -> str:
    return f"begin {number}\n" + "row of a table\n" * 600 + "[exit status 0, in /testbed]"


def paired(messages: list[Message]) -> bool:
    """Does each call have its result right behind it, and each result its call?"""
    waiting: list[str] = []
    for message in messages:
        if message.role == "tool":
            if not waiting or message.call_id != waiting.pop(0):
                return False
        elif waiting:
            return False
        waiting += [call.id for call in message.calls]
    return not waiting


def text(messages: list[Message]) -> str:
    return "\n".join(message.text for message in messages)


def test_what_fits_stays_as_it_is() -> None:
    talk = [*TASK, *step(1, long(1))]
    assert Context(32_768, SCHEMAS).fit(talk) is talk


def test_old_results_become_a_line_that_says_where_they_are() -> None:
    context = Context(32_768, SCHEMAS)
    talk = list(TASK)
    for number in range(1, 13):
        talk += step(number, long(number))
        context.keep(talk[-2].calls[0], f"/tmp/.studio-output/{number}.log" if number != 2 else None)
    fitted = context.fit(talk)
    assert context.tokens(talk) > 28_000 > context.tokens(fitted)
    first, second = (message.text for message in fitted if message.call_id in ("c1", "c2"))
    assert "/tmp/.studio-output/1.log" in first
    assert "run the command again" in second
    assert first.startswith("begin 1\n")
    assert first.endswith("[exit status 0, in /testbed]")
    assert fitted[-8:] == talk[-8:]
    assert context.folded(fitted) >= 2
    assert paired(fitted)
    assert context.fit(fitted) is fitted


def test_long_arguments_are_folded_and_stay_json() -> None:
    context = Context(24_000, SCHEMAS)
    talk = list(TASK)
    for number in range(1, 14):
        content = f"print({number})\n" * 500
        talk += step(
            number,
            f"Created /testbed/{number}.py",
            "str_replace_editor",
            path=f"/testbed/{number}.py",
            file_text=content,
        )
    fitted = context.fit(talk)
    folded = json.loads(next(message for message in fitted if message.calls).calls[0].arguments)
    assert folded["path"] == "/testbed/1.py"
    assert "the file /testbed/1.py has what came of it" in folded["file_text"]
    assert all(isinstance(json.loads(call.arguments), dict) for message in fitted for call in message.calls)
    assert paired(fitted)


def test_a_person_and_the_last_report_are_not_left_out() -> None:
    context = Context(8_000, SCHEMAS)
    talk = list(TASK)
    report = "Not accepted: 2 checks did not pass.\n" + "- poster.text: the date is missing\n" * 30
    for number in range(1, 60):
        if number in (3, 5):
            talk += step(number, f"{report}after {number}", "submit", summary="Done.")
        else:
            talk += step(number, long(number))
        if number == 10:
            talk.append(Message("user", WORDS))
        if number == 11:
            talk.append(Message("user", "Budget left: 9 of 60 steps.", passing=True))
        talk = context.fit(talk)
        assert context.tokens(talk) <= 7000
        assert paired(talk)
        assert talk[:2] == TASK
    said = text(talk)
    assert WORDS in said
    assert "after 5" in said
    assert "after 3" not in said
    assert "submit -> Not accepted: 2 checks did not pass." in said
    assert "Budget left" not in said
    assert context.left_out > 20
    assert said.count("Steps that are left out here") == 1
    assert f"{context.left_out} in all" in said


def test_a_single_step_that_is_too_long_is_cut() -> None:
    context = Context(8_000, SCHEMAS)
    calls = tuple(Call(id=f"p{n}", name="execute_bash", arguments="{}") for n in range(5))
    talk = [*TASK, Message("assistant", "", calls)]
    talk += [Message("tool", "x" * 16_000, call_id=call.id) for call in calls]
    fitted = context.fit(talk)
    assert context.tokens(fitted) <= 7000
    assert paired(fitted)
    assert all("left out here to save room" in message.text for message in fitted if message.role == "tool")


def test_a_refusal_folds_harder_until_nothing_is_left() -> None:
    context = Context(None, SCHEMAS)
    talk = list(TASK)
    for number in range(1, 30):
        talk += step(number, long(number))
    sizes = [context.tokens(talk)]
    while (shorter := context.harder(talk)) is not None:
        talk = shorter
        sizes.append(context.tokens(talk))
        assert paired(talk)
        assert sizes[-1] < sizes[-2]
    assert len(sizes) > 3
    assert talk[:2] == TASK
    assert talk[-1].call_id == "c29"


def test_the_providers_count_is_the_measure() -> None:
    context = Context(32_768, SCHEMAS)
    talk = [*TASK, *step(1, long(1))]
    guess = context.tokens(talk)
    context.learn(talk, ReplyUsage(prompt_tokens=2 * guess))
    assert abs(context.tokens(talk) - 2 * guess) <= 2
    context.learn(talk, None)
    assert abs(context.tokens(talk) - 2 * guess) <= 2
    context.learn(talk, ReplyUsage(prompt_tokens=1))  # a server that cannot count
    assert context.tokens(talk) > guess / 3


def test_old_pictures_go_first() -> None:
    context = Context(8_000, SCHEMAS)
    picture = Picture("image/png", b"\x89PNG", 1024, 1024)
    talk = list(TASK)
    for number in range(1, 8):
        talk += step(number, "It follows at 1024 x 1024 pixels.")
        talk.append(Message("user", "What is to be seen:", pictures=(picture,), passing=True))
    fitted = context.fit(talk)
    assert [bool(message.pictures) for message in fitted if "to be seen" in message.text] == [False] * 5 + [True] * 2
    assert "view it again" in text(fitted)
    assert context.left_out == context.folded(fitted) == 0
