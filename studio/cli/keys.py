"""`studio keys`: access keys, the ways to sign in, and the log of what was done."""

from __future__ import annotations

import json
import sys

import click

from studio import audit, keys, passwords
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


@command.command()
@click.option("--stdin", "from_stdin", is_flag=True, help="Read it from standard input, the first line.")
@click.option("--remove", is_flag=True, help="Leave the one-time addresses as the only way to sign in.")
def password(from_stdin: bool, remove: bool) -> None:
    """Set the operator's password, for the sign-in page. Who signed in by the old one has to sign in anew."""
    if remove:
        click.echo("The password is removed." if passwords.remove_password(_database()) else "There is none.", err=True)
        return
    if from_stdin:
        text = sys.stdin.readline().rstrip("\n")
    else:
        text = click.prompt("Password", hide_input=True, confirmation_prompt=True)
    passwords.set_password(_database(), text)
    click.echo("The password is set. A studio on a loopback address asks for it from its next start on.", err=True)


@command.command("audit")
@click.option("--limit", type=click.IntRange(1, 100), default=50, show_default=True)
@click.option("--subject", help="Only what was done to this artifact or key.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON, one entry a line.")
def audit_(limit: int, subject: str | None, as_json: bool) -> None:
    """List who did what to what, newest first."""
    for entry in audit.entries(_database(), subject=subject, limit=limit).data:
        if as_json:
            click.echo(entry.model_dump_json())
        else:
            said = f"  {entry.words}" if entry.words else ""
            click.echo(f"{entry.created_at:%Y-%m-%d %H:%M:%S}  {entry.caller}  {entry.action}  {entry.subject}{said}")
