"""`studio up` and `studio demo` as a person starts and stops them: real processes, real HTTP."""

from __future__ import annotations

import os
import re
import signal
import socket
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from studio.cli.preparing import preparing
from studio.settings import Settings
from tests.support.started import Started, answer


@pytest.fixture
def started(tmp_path: Path) -> Iterator[list[Started]]:
    running: list[Started] = []
    yield running
    for item in running:
        if item.process.poll() is None:
            item.process.kill()
            item.finish()


def test_up_serves_and_ctrl_c_leaves_nothing(tmp_path: Path, started: list[Started]) -> None:
    up = Started(["up"], tmp_path / "data")
    started.append(up)
    url = up.line(r"(http://localhost:\d+)")[1]
    assert answer(url).status_code == 200
    assert answer(f"{url}/healthz").status_code == 200
    assert up.stop() == 0
    assert up.nothing_is_left()


def test_a_killed_supervisor_leaves_nothing(tmp_path: Path, started: list[Started]) -> None:
    up = Started(["up"], tmp_path / "data")
    started.append(up)
    assert answer(up.line(r"(http://\S+)")[1]).status_code == 200
    up.stop(signal.SIGKILL)
    assert up.nothing_is_left()


def test_a_process_that_dies_is_started_again(tmp_path: Path, started: list[Started]) -> None:
    up = Started(["up"], tmp_path / "data")
    started.append(up)
    url = up.line(r"(http://\S+)")[1]
    assert answer(url).status_code == 200
    for number in up.members():
        if number != up.process.pid:
            os.kill(number, signal.SIGKILL)
    assert answer(url).status_code == 200


def test_a_taken_port_moves_on(tmp_path: Path, started: list[Started]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        up = Started(["up"], tmp_path / "data", STUDIO_PORT=str(port))
        started.append(up)
        url = up.line(r"(http://localhost:\d+)")[1]
        assert not url.endswith(f":{port}")
        assert answer(url).status_code == 200


def test_two_studios_on_one_data_directory_are_refused(tmp_path: Path, started: list[Started]) -> None:
    up = Started(["up"], tmp_path / "data")
    started.append(up)
    url = up.line(r"(http://\S+)")[1]
    assert answer(url).status_code == 200
    second = Started(["up"], tmp_path / "data")
    words = second.finish()[1]
    assert second.process.returncode == 4
    assert url in words
    assert "STUDIO_DATA_DIR" in words


@pytest.mark.parametrize("command", [["up"], ["keys", "list"]])
def test_a_data_directory_that_cannot_be_made_is_named(command: list[str], tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    up = Started(command, tmp_path / "file" / "data")
    words = up.finish()[1]
    assert up.process.returncode == 4
    assert "STUDIO_DATA_DIR" in words
    assert "internal error" not in words


def test_an_address_of_another_machine_is_refused(tmp_path: Path) -> None:
    up = Started(["up", "--host", "192.0.2.1"], tmp_path / "data", STUDIO_ALLOW_UNPROTECTED="1")
    words = up.finish()[1]
    assert up.process.returncode == 4
    assert "STUDIO_HOST" in words
    assert "Traceback" not in words


def test_a_wrong_setting_is_named(tmp_path: Path) -> None:
    up = Started(["up"], tmp_path / "data", STUDIO_WORKERS="many")
    words = up.finish()[1]
    assert up.process.returncode == 2
    assert "STUDIO_WORKERS" in words


def test_off_loopback_a_stranger_sees_nothing_and_the_sign_in_works_once(
    tmp_path: Path, started: list[Started]
) -> None:
    up = Started(["up", "--host", "0.0.0.0"], tmp_path / "data")
    started.append(up)
    port = up.line(r"http://localhost:(\d+)")[1]
    sign_in = up.line(r"(/sign-in/\S+)")[1]
    url = f"http://127.0.0.1:{port}"
    assert answer(f"{url}/gallery", headers={"Accept": "text/html"}).status_code in {401, 403}
    assert answer(f"{url}/api/v1/jobs").status_code == 401
    with httpx.Client(base_url=url) as person:
        page = person.get(sign_in)
        token = re.search(r'name="csrf_token"[^>]*value="([^"]+)"', page.text)
        assert token
        assert person.post(sign_in, data={"csrf_token": token[1]}, headers={"Origin": url}).status_code == 303
        assert person.get("/gallery").status_code == 200
    assert answer(f"{url}/gallery").status_code in {401, 403}
    with httpx.Client(base_url=url) as other:
        page = other.get(sign_in)
        token = re.search(r'name="csrf_token"[^>]*value="([^"]+)"', page.text)
        again = other.post(sign_in, data={"csrf_token": token[1] if token else ""}, headers={"Origin": url})
        assert again.status_code == 403


def test_demo_makes_the_samples_and_a_second_run_makes_nothing_twice(tmp_path: Path) -> None:
    ends = []
    for _ in range(2):
        demo = Started(["demo", "--exit"], tmp_path / "data")
        out, err = demo.finish(300)
        assert demo.process.returncode == 0, err
        ends.append(sorted(re.findall(r"^published  (\w+)  .*/artifacts/(\S+)$", out, re.MULTILINE)))
        assert demo.nothing_is_left()
    assert len(ends[0]) >= 3
    assert ends[0] == ends[1]


def test_an_interrupt_while_the_set_up_begins_shows_no_traceback(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "data").mkdir()
    with preparing(Settings(data_dir=tmp_path / "data")) as builder:
        pass  # left at once: the interrupt comes while the process still imports
    assert builder.returncode == 130
    assert capfd.readouterr().err == ""
