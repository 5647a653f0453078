"""`studio models`: the named models of studio.toml, and what each really can."""

from __future__ import annotations

import json
from dataclasses import asdict

import click

from studio.models.listing import MOST_TOKENS, MOST_USD, Cost, Line, Named, find_model, named_models, run_test
from studio.settings import Settings


@click.group()
def command() -> None:
    """Named models: studio.toml here, in the data directory, or where STUDIO_CONFIG says."""


@command.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one model a line.")
def list_(as_json: bool) -> None:
    """List the named models; of a key only whether it is set."""
    settings = Settings()
    found = named_models(settings)
    for model in found:
        click.echo(json.dumps(_as_json(model)) if as_json else _line(model))
    if not found and not as_json:
        click.echo(f"No named model: write [models.NAME] into {settings.data_dir / 'studio.toml'}.", err=True)


@command.command()
@click.argument("profile")
@click.option("--most-tokens", type=click.IntRange(500), default=MOST_TOKENS, show_default=True, help="Sent at most.")
@click.option("--most-usd", type=click.FloatRange(0), default=MOST_USD, show_default=True, help="Spent at most.")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object.")
def test(profile: str, most_tokens: int, most_usd: float, as_json: bool) -> int:
    """Test PROFILE (a name, or openai:MODEL): key, tool call, streaming, picture, context. It sends paid requests."""
    settings = Settings()
    model = find_model(profile, settings)
    lines: list[Line] = []
    cost = None
    for item in run_test(model, settings, most_tokens=most_tokens, most_usd=most_usd):
        if isinstance(item, Cost):
            cost = item
        else:
            lines.append(item)
            if not as_json:
                _print(item)
    ok = all(line.ok is not False for line in lines)
    if as_json:
        told = {"model": _as_json(model), "ok": ok, "lines": [asdict(line) for line in lines]}
        click.echo(json.dumps({**told, "cost": asdict(cost) if cost else None}, indent=2))
    elif cost:
        click.echo(f"\nIt took {cost.words}.")
    return 0 if ok else 4


def _print(line: Line) -> None:
    mark = {True: "ok", False: "FAILED", None: "-"}[line.ok]
    click.echo(f"{mark:8}{line.name}: {line.found} ({line.seconds:.1f} s)")
    if line.remedy:
        click.echo(f"{'':8}→ {line.remedy}")


def _line(model: Named) -> str:
    profile = model.profile
    key = {True: "key set", False: f"NO KEY: set {profile.key_env}", None: "no key needed"}[model.has_key]
    context = f"{profile.context} tokens" if profile.context else "context unknown"
    images = "sees pictures" if profile.images else "no pictures"
    return f"{model.spec}  {profile.model}  {profile.base_url}  {key}, {context}, {images}, tools {profile.tools}"


def _as_json(model: Named) -> dict[str, object]:
    profile = model.profile
    fields = profile.model_dump(mode="json", exclude={"name", "extra_body", "extra_headers"})
    return {"name": model.spec, **fields, "has_key": model.has_key}
