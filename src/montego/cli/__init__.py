"""The `montego` command. Each sub-command is a module of this package, loaded when it is called."""

from __future__ import annotations

import sys
from importlib import import_module

import click

from montego import __version__

COMMANDS = {
    "analysis": "Analyse positions for KaTrain and review tools: JSON in, JSON out.",
    "bench": "How fast playouts and searches are on this machine.",
    "doctor": "What is installed, what is compiled, and whether it works.",
    "games": "Look into recorded games: list, SGF, ratings, JSON lines.",
    "gtp": "Play and analyse for a Go program: the engine to attach.",
    "lab": "The papers' tables and figures, redrawn from games really played.",
    "levels": "The ranks that can be played against, from a first-day beginner on.",
    "match": "Let two players play each other, and see who is stronger.",
    "play": "A board in the browser, and a look at what the engine thinks.",
    "presets": "The programs that can be played with, and where they come from.",
    "review": "Go over a game: what each move lost, and what was better.",
    "terminal": "Play a game in the terminal.",
    "tournament": "Let many players meet, and rate them.",
    "train": "Learn from self-play what players use as knowledge.",
    "tune": "Find better settings of a preset by games against chosen opponents.",
}


class _Lazy(click.Group):
    """A group that knows its commands by name and imports them on demand: `montego --help` stays instant."""

    def list_commands(self, context: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, context: click.Context, name: str) -> click.Command | None:
        if name not in COMMANDS:
            return None
        command: click.Command = import_module(f"montego.cli.{name}").command
        return command

    def format_commands(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=_Lazy, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="montego")
def group() -> None:
    """Monte-Carlo Go in Python, at the speed of C.

    Start with `montego play`; `montego COMMAND --help` explains each command.
    """


def main() -> None:
    """Run the command line; input that is refused ends in one line, not in a traceback."""
    from montego.go.errors import MontegoError

    try:
        group.main(prog_name="montego", standalone_mode=False)
    except MontegoError as error:
        click.echo(f"montego: {error}", err=True)
        sys.exit(2)
    except click.exceptions.Abort:
        click.echo("\nmontego: stopped", err=True)
        sys.exit(130)
    except click.ClickException as error:
        error.show()
        sys.exit(error.exit_code)
