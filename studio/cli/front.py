"""The commands by name, and the one place of the command line that turns errors into words and exit codes."""

from __future__ import annotations

import errno
import sys
from importlib import import_module

import click
from pydantic import ValidationError

from studio.errors import BriefError, ConfigurationError, InspectorError, NotFound, StudioError
from studio.settings import wants_tracebacks

# Command → what it does, in the order in which help lists them. Each is a module of this package that offers `command`.
COMMANDS = {
    "make": "Make one artifact from a brief, in this process.",
    "inspect": "Judge a folder of files by a brief.",
    "replay": "Carry out a recorded run's calls again.",
    "export": "The record of a run as ATIF or OpenAI messages.",
    "up": "Serve the studio: web, worker and upkeep.",
    "demo": "Set everything up, make the samples, serve the gallery.",
    "serve": "Run one part of a studio: web, worker or upkeep.",
    "submit": "Ask a served studio to make something.",
    "batch": "Ask a served studio to make many, from a file of lines or a table.",
    "status": "Say how a job stands.",
    "watch": "Follow a job to its end.",
    "cancel": "Cancel a job.",
    "revise": "Have a model change what a job made.",
    "remix": "Make another work like an accepted one, by its recipe.",
    "reproduce": "Do a job's calls again in a fresh sandbox, and compare.",
    "models": "Named models: list them, test what one really can.",
    "keys": "Access keys for the API.",
    "sandboxes": "The sandboxes of this studio: list them, remove what was left behind.",
    "image": "The sandbox image: build it, say what is in it.",
    "engine-proxy": "Stand between workers in containers and a Docker engine.",
    "health": "Say whether what a part needs answers.",
    "doctor": "Say what is there, what is missing, what to do.",
    "contact-sheet": "Many results of one kind side by side, as a picture.",
    "bench": "Measure speed on this machine.",
}

# What a machine may lack without anybody's fault: room, and the right to write.
_OF_THE_MACHINE = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES, errno.EPERM})


class LazyGroup(click.Group):
    """A group that imports a command's module when it is called, so that `studio --help` is quick."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"studio.cli.{cmd_name.replace('-', '_')}").command
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="sandbox-studio")
def studio() -> None:
    """Describe something to make; a model with a computer makes it, a second, clean computer checks it."""


def run() -> None:
    """Run the command that the arguments name, and exit."""
    try:
        code = studio.main(standalone_mode=False)
        sys.exit(code if isinstance(code, int) else 0)
    except click.exceptions.Abort:
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
    except NotFound as error:
        click.echo(f"{error.reason}: {error}", err=True)
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
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(4)
    except Exception as error:
        if wants_tracebacks():
            raise
        if isinstance(error, OSError) and error.errno in _OF_THE_MACHINE:
            where = f" ({error.filename})" if error.filename else ""
            click.echo(f"{error.strerror}{where}: make room, or choose a place that can be written.", err=True)
            sys.exit(4)
        click.echo(f"internal error: {type(error).__name__}: {error}", err=True)
        click.echo("This is a fault of the studio. Set STUDIO_LOG_LEVEL=DEBUG to see where it lies.", err=True)
        sys.exit(4)
