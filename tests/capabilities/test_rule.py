"""The rule of docs/capabilities.md, by what models really type."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from studio.capabilities import capabilities_of
from studio.trajectory import EVENT, ToolCalled

O, F, C = "outside", "files", "computation"  # noqa: E741  # columns of a table


def of(command: str) -> list[str]:
    return list(capabilities_of("execute_bash", {"command": command}))


@pytest.mark.parametrize(
    ("command", "used"),
    [
        ("ls -la /testbed/input\ncat brief.json", [F]),
        ("cd /testbed && pwd; echo hi", []),
        ("echo hi > notes.txt", [F]),
        ("echo hi 2>/dev/null >&2", []),
        ("wc -l < notes.txt", [F]),
        ("python3 make.py", [C]),
        ("/usr/bin/python3.11 make.py", [C]),
        ("python3 --version; which ffmpeg; ffmpeg -version; command -v node", []),
        ("curl -s https://example.org | head -3", [O, F]),
        ("curl -s http://localhost:8000/x", []),
        ("pip install requests", [O]),
        ("python3 -m pip install -q requests", [O]),
        ("pip list", []),
        ("git status", [F]),
        ("git clone https://example.org/x.git", [O]),
        ("timeout 5 bash -c 'wget http://example.org/a'", [O]),
        ('echo "$(curl -s https://example.org)"', [O]),
        ("x=`date +%s`; A=1 B=2 ./run.sh", [C]),
        ("for i in 1 2 3; do ffmpeg -i $i.png $i.jpg; done", [C]),
        ("if [ -f a ]; then rm a; fi", [F]),
        ("find . -name '*.py' -exec wc -l {} \\;", [F]),
        ("grep -F '|' a | awk '{print $2}'", [F, C]),
        ("# curl http://example.org\nsleep 1", []),
        ("sleep 1 # don't", []),
        ("echo 'never closed; ls", []),
        ("nohup ./server &\nwait", [C]),
        ("cat > a.py <<'EOF'\nimport requests\nrequests.get('x')\nEOF", [F]),
        ("cat > a.py <<'EOF'\nx\nEOF\npython3 a.py", [F, C]),
        ("python3 - <<'PY'\nprint(2 ** 10)\nPY", [C]),
        ("python3 - <<'PY'\nfrom urllib.request import urlopen\nprint(open('a').read())\nPY", [O, F, C]),
        ("python3 -c 'import shutil; shutil.copy(1, 2)'", [F, C]),
        ("bash <<EOF\nls\nEOF", [F]),
        ("rsync -a a/ b/", [F]),
        ("rsync -a host:a/ b/", [O]),
        ("", []),
    ],
)
def test_a_command_counts_for_what_it_starts(command: str, used: list[str]) -> None:
    assert of(command) == used


@pytest.mark.parametrize(
    ("name", "arguments", "used"),
    [
        ("str_replace_editor", {"command": "view", "path": "/testbed/a"}, [F]),
        ("submit", {"summary": "curl"}, []),
        ("execute_bash", "{broken", []),
        ("execute_bash", {"command": ["ls"]}, []),
        ("no_such_tool", {"command": "ls"}, []),
    ],
)
def test_other_calls(name: str, arguments: object, used: list[str]) -> None:
    assert list(capabilities_of(name, arguments)) == used  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "text",
    [
        '"' * 9000,
        "a <<E\n" * 3000,
        "$(" * 5000,
        "`" * 5000,
        "find -exec " * 2000,
        "bash -c " * 3000,
        "(<" * 4000,
        "\\\n",
    ],
)
def test_no_command_is_too_odd(text: str) -> None:
    assert set(of(text)) <= {O, F, C}


def test_an_event_keeps_what_its_record_says_and_an_older_one_is_put_under_the_rule() -> None:
    value = {"type": "tool.call", "id": "1", "name": "execute_bash", "arguments": {"command": "ls"}}
    old = EVENT.validate_python(value)
    kept = EVENT.validate_python({**value, "capabilities": ["computation"]})
    assert isinstance(old, ToolCalled)
    assert isinstance(kept, ToolCalled)
    assert (old.capabilities, kept.capabilities) == ([F], [C])


FOLDER = os.environ.get("STUDIO_TEST_TRAJECTORIES")


@pytest.mark.skipif(not FOLDER, reason="STUDIO_TEST_TRAJECTORIES names no folder of recorded runs")
def test_recorded_runs_of_a_real_model_use_files_and_computation() -> None:
    found = []
    for path in sorted(Path(FOLDER or "").glob("*.openai.json")):
        for message in json.loads(path.read_text(encoding="utf-8"))["messages"]:
            for call in message.get("tool_calls") or ():
                function = call["function"]
                found.append(capabilities_of(function["name"], json.loads(function["arguments"])))
    assert sum(F in used for used in found) > len(found) * 0.7
    assert sum(C in used for used in found) > len(found) * 0.5
    assert sum(O in used for used in found) <= 1
