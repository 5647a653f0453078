"""What a model sees of what it makes, where it sees pictures; and what it is told where it does not."""

from __future__ import annotations

import base64
import json
from typing import Any

import pytest

from studio.agent.loop import NO_PICTURES
from studio.models.openai import OpenAIModel
from studio.models.types import Picture
from studio.pipeline.work import Outcome
from studio.sandboxes.types import Engine, SandboxSpec
from studio.tools.looking import MAX_BYTES, look
from studio.trajectory import ModelRequest, Note, ToolResult
from tests.pipeline.conftest import KEY, QUICK, Studio
from tests.support.openai_server import Answer, OpenAIServer, bash, fails, says, scripted
from tests.support.posters import INCOMPLETE, MEND

SUBMIT = ("submit", {"summary": "Done."})
DRAW = """python3 - <<'X'
import os
from PIL import Image
Image.new("RGB", (3000, 1500), "navy").save("/testbed/wide.png")
Image.new("RGB", (90, 60), "navy").save("/testbed/small.jpg")
Image.new("RGBA", (40, 50), (0, 0, 0, 0)).save("/testbed/clear.webp")
Image.frombytes("RGB", (1200, 1200), os.urandom(1200 * 1200 * 3)).save("/testbed/noise.png")
open("/testbed/broken.png", "wb").write(b"\\x89PNG\\r\\n\\x1a\\n" + b"no picture" * 9)
X"""


def view(name: str) -> tuple[str, Any]:
    return ("str_replace_editor", {"command": "view", "path": f"/testbed/{name}"})


def watched(studio: Studio, *answers: Answer, images: bool) -> tuple[Outcome, list[Any]]:
    """The outcome, and the messages of the last request."""
    with OpenAIServer(answers) as server:
        model = OpenAIModel(scripted(server.url, images=images), api_key=KEY, backoff=QUICK)
        outcome = studio.work(model, repairs=2)
        model.close()
        return outcome, server.requests[-1]["messages"]


def pictures(messages: list[Any]) -> list[tuple[str, bytes]]:
    """Media type and bytes of each picture that was sent."""
    parts = [part for message in messages if isinstance(message["content"], list) for part in message["content"]]
    urls = [part["image_url"]["url"] for part in parts if part["type"] == "image_url"]
    return [(url[5:].partition(";")[0], base64.b64decode(url.partition(",")[2])) for url in urls]


def test_pictures_are_shown_to_a_model_that_sees(studio: Studio) -> None:
    outcome, sent = watched(
        studio,
        says(None, bash(DRAW)),
        says(None, view("wide.png"), view("broken.png"), view("small.jpg")),
        says(None, view("clear.webp"), view("noise.png")),
        says(None, bash(INCOMPLETE)),
        says(None, SUBMIT),
        says(None, bash(MEND)),
        says(None, SUBMIT),
        images=True,
    )
    assert outcome.state == "published", outcome.message
    seen = pictures(sent)
    assert [media for media, _ in seen[:4]] == ["image/png", "image/png", "image/png", "image/jpeg"]
    assert int.from_bytes(seen[0][1][16:20], "big") == 1024
    assert int.from_bytes(seen[0][1][20:24], "big") == 512
    assert max(len(content) for _, content in seen) <= MAX_BYTES
    assert len(seen) > 4, "the inspection's own pictures are shown after a refused submit"
    words = [result.shown or result.output for result in studio.recorder.of(ToolResult)]
    assert "3000 x 1500 pixels" in words[1]
    assert "follows at 1024 x 512 pixels" in words[1]
    assert "cannot be shown: no picture can be read" in words[2]
    assert "pictures of it follow: " in next(line for line in words if line.startswith("Not accepted"))
    assert studio.recorder.of(ModelRequest)[-1].pictures == len(seen)
    roles = [message["role"] for message in sent]
    assert roles[roles.index("tool") + 2 : roles.index("tool") + 6] == ["tool", "tool", "tool", "user"]


def test_a_model_without_eyes_gets_words(studio: Studio) -> None:
    calls = [view(name) for name in ("wide.png", "small.jpg", "clear.webp")]
    outcome, sent = watched(
        studio,
        says(None, bash(DRAW)),
        says(None, *calls),
        says(None, bash(INCOMPLETE)),
        says(None, SUBMIT),
        says(None, bash(MEND), SUBMIT),
        images=False,
    )
    assert outcome.state == "published", outcome.message
    assert pictures(sent) == []
    assert "image_url" not in json.dumps(sent)
    words = [result.output for result in studio.recorder.of(ToolResult)]
    assert "(image/png), 3000 x 1500 pixels" in words[1]
    assert "(image/jpeg), 90 x 60 pixels" in words[2]
    assert "(image/webp), 40 x 50 pixels" in words[3]


def test_a_server_that_refuses_pictures_is_told_in_words(studio: Studio) -> None:
    _, sent = watched(
        studio,
        says(None, bash(DRAW)),
        says(None, view("small.jpg")),
        fails(400, "image_url is not supported by this model"),
        says(None, view("small.jpg")),
        says("I cannot see it."),
        images=True,
    )
    assert pictures(sent) == []
    assert NO_PICTURES in [note.text for note in studio.recorder.of(Note)]
    assert "follows" in studio.recorder.of(ToolResult)[1].output
    assert "follows" not in studio.recorder.of(ToolResult)[2].output


@pytest.mark.parametrize(
    ("content", "why"),
    [
        (b"GIF89a" + bytes(50), "no picture can be read"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "no picture can be read"),
    ],
)
def test_what_is_no_picture_is_not_shown(engine: Engine, content: bytes, why: str) -> None:
    sandbox = engine.start(SandboxSpec())
    try:
        assert why in str(look(sandbox, content))
    finally:
        sandbox.kill()


def test_a_command_of_the_same_name_does_not_stand_in_for_the_one_that_sizes(engine: Engine) -> None:
    sandbox = engine.start(SandboxSpec())
    try:
        sandbox.execute("mkdir -p ~/bin; cp /bin/false ~/bin/python3; export PATH=~/bin:$PATH")
        sandbox.execute(DRAW.replace("python3", "/usr/bin/python3"))
        assert isinstance(look(sandbox, "/testbed/small.jpg"), Picture)
    finally:
        sandbox.kill()
