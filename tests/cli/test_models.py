"""`studio models` and named models on the command line, as a person uses them."""

from __future__ import annotations

import json
from pathlib import Path

from tests.support.command import run
from tests.support.openai_server import bash, fails, says, serving

KEY = "sk-scripted-key-000111222"
VALID = (
    "--set", "params.event.name=Open Night", "--set", "params.event.date=3 May 2027",
    "--set", "params.event.venue=Hill House",
)  # fmt: skip


def write(folder: Path, url: str, more: str = "") -> None:
    text = f'[models.local]\nbase_url = "{url}"\nmodel = "scripted"\nkey_env = "STUDIO_TEST_PROVIDER_KEY"\n{more}'
    (folder / "studio.toml").write_text(text, encoding="utf-8")


def test_a_named_model_makes_by_its_name_and_its_key_stays_out(tmp_path: Path) -> None:
    with serving(
        fails(429, f"slow down {KEY}", retry_after="0"), says(f"The key is {KEY}.", bash("ls")), says("Bye.")
    ) as server:
        write(tmp_path, server.url, "prices = { prompt = 1000.0 }\n")
        done = run(
            "make", "poster", *VALID, "--model", "local", "--out", "made", "--json",
            cwd=tmp_path, settings={"STUDIO_TEST_PROVIDER_KEY": KEY},
        )  # fmt: skip
        assert set(server.keys) == {f"Bearer {KEY}"}
    told = json.loads(done.stdout)
    assert (told["state"], told["reason"]) == ("failed", "no_output")
    assert told["made_by"]["model"] == "local:scripted"
    assert told["usage"]["cost_usd"] == 0.4  # four replies of 100 tokens
    record = (tmp_path / "made" / "trajectory.jsonl").read_text(encoding="utf-8")
    assert '"type":"model.error"' in record
    assert KEY not in record + done.stdout + done.stderr


def test_list_and_doctor_say_whether_the_key_is_set(tmp_path: Path) -> None:
    write(tmp_path, "http://127.0.0.1:9/v1", "context = 8192\n")
    listed = run("models", "list", cwd=tmp_path)
    assert "local  scripted  http://127.0.0.1:9/v1  NO KEY: set STUDIO_TEST_PROVIDER_KEY, 8192 tokens" in listed.stdout
    (line,) = run(
        "models", "list", "--json", cwd=tmp_path, settings={"STUDIO_TEST_PROVIDER_KEY": KEY}
    ).stdout.splitlines()
    assert json.loads(line)["has_key"] is True
    assert KEY not in line
    checked = json.loads(run("doctor", "--json", cwd=tmp_path).stdout)["checks"]
    found = next(check for check in checked if check["name"] == "model local")
    assert (found["ok"], found["required"]) == (False, False)
    assert "STUDIO_TEST_PROVIDER_KEY" in found["remedy"]


def test_a_test_ends_with_the_cost_and_an_exit_code(tmp_path: Path) -> None:
    with serving(fails(401, f"no such key {KEY}")) as server:
        write(tmp_path, server.url)
        done = run("models", "test", "local", cwd=tmp_path, settings={"STUDIO_TEST_PROVIDER_KEY": KEY})
    assert done.returncode == 4
    assert "FAILED  key and model" in done.stdout
    assert "→ check STUDIO_TEST_PROVIDER_KEY" in done.stdout
    assert "It took 1 request," in done.stdout
    assert KEY not in done.stdout + done.stderr
    assert run("models", "test", "none", cwd=tmp_path).returncode == 2


def test_a_mistake_in_the_file_is_told_by_its_place(tmp_path: Path) -> None:
    (tmp_path / "studio.toml").write_text('[models.local]\nmodel = "m"\nprices = { promt = 1 }\n', encoding="utf-8")
    done = run("models", "list", cwd=tmp_path)
    assert done.returncode == 4
    assert "studio.toml: models.local.prices.promt: unknown" in done.stderr
