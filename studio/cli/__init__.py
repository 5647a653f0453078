"""The `studio` command: one module per command, imported only when it is called.

Exit codes: 0 published or accepted, 2 bad brief or usage, 3 rejected, 4 failed, canceled or expired, 5 inspector error,
130 interrupted (ARCHITECTURE.md).
"""

from __future__ import annotations

import sys
from importlib import import_module

import click
from pydantic import ValidationError

from studio.errors import BriefError, ConfigurationError, InspectorError, StudioError

# Command → module of this package that offers it as `command`, in the order in which help lists them.
COMMANDS = {
    "make": "make",
    "inspect": "inspect",
    "replay": "replay",
    "up": "up",
    "demo": "demo",
    "submit": "submit",
    "status": "status",
    "watch": "watch",
    "cancel": "cancel",
    "keys": "keys",
    "image": "image",
    "doctor": "doctor",
    "bench": "bench",
}


class LazyGroup(click.Group):
    """A group that imports a command's module when it is needed, so that `studio --help` is quick."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"{__name__}.{COMMANDS[cmd_name]}").command
        return command


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="sandbox-studio")
def studio() -> None:
    """Describe something to make; a model with a computer makes it, a second, clean computer checks it."""


def main() -> None:
    """The front door of the command line: the one place here that turns errors into words and exit codes."""
    try:
        code = studio.main(standalone_mode=False)
        sys.exit(code if isinstance(code, int) else 0)
    except click.exceptions.Abort:
        sys.exit(130)
    except KeyboardInterrupt:
        sys.exit(130)
    except click.ClickException as error:
        error.show()
        sys.exit(2)
    except BriefError as error:
        for problem in error.problems:
            click.echo(str(problem), err=True)
        sys.exit(2)
    except ValidationError as error:
        for item in error.errors(include_url=False):
            name = "STUDIO_" + "_".join(str(part) for part in item["loc"]).upper()
            click.echo(f"{name}: {item['msg']}", err=True)
        sys.exit(2)
    except ConfigurationError as error:
        click.echo(str(error), err=True)
        sys.exit(4)
    except InspectorError as error:
        click.echo(f"inspector error: {error}", err=True)
        sys.exit(5)
    except StudioError as error:
        click.echo(f"{error.reason}: {error}", err=True)
        sys.exit(4)
