"""`studio keys`: make, list and revoke access keys; make a new sign-in address."""

from __future__ import annotations

import json

import click

from studio import keys
from studio.database import Database, open_database
from studio.settings import Settings


def _database() -> Database:
    database = open_database(Settings())
    database.migrate()
    return database


@click.group()
def command() -> None:
    """Access keys of the studio on this machine (STUDIO_DATA_DIR)."""


@command.command()
@click.argument("name")
@click.option(
    "--scope",
    "scopes",
    multiple=True,
    type=click.Choice(keys.SCOPES),
    default=("read", "create"),
    show_default=True,
    help="What the key may do; may be given several times.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def create(name: str, scopes: tuple[str, ...], as_json: bool) -> None:
    """Make a key called NAME and print it, once."""
    view, text = keys.create(_database(), name, scopes)
    if as_json:
        click.echo(json.dumps({**view.model_dump(mode="json"), "key": text}))
        return
    click.echo(text)
    click.echo(f"{view.name}: {', '.join(view.scopes)}. It is not shown again.", err=True)
    click.echo("A studio on a loopback address asks for keys from its next start on.", err=True)


@command.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one key a line.")
def list_(as_json: bool) -> None:
    """List the keys; their texts are not kept."""
    for view in keys.list_keys(_database()):
        if as_json:
            click.echo(view.model_dump_json())
            continue
        used = f"last used {view.last_used_at:%Y-%m-%d %H:%M}" if view.last_used_at else "never used"
        state = f"revoked {view.revoked_at:%Y-%m-%d %H:%M}" if view.revoked_at else used
        click.echo(f"{view.id}  {view.name}  {','.join(view.scopes)}  made {view.created_at:%Y-%m-%d %H:%M}  {state}")


@command.command()
@click.argument("key")
def revoke(key: str) -> None:
    """Revoke a key, by its id or name. It is refused from now on."""
    view = keys.revoke(_database(), key)
    click.echo(f"{view.name} ({view.id}) is revoked.", err=True)


@command.command("sign-in")
def sign_in() -> None:
    """Print the path of a new one-time sign-in address, good for an hour."""
    click.echo(f"/sign-in/{keys.sign_in_token(_database())}")
