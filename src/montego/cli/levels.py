"""`montego levels`: the ranks that can be played against."""

from __future__ import annotations

import click

from montego.players.levels import LEVELS


@click.command("levels")
def command() -> None:
    """The ranks that can be played against, from a first-day beginner on.

    On 9×9 each level beats the one above it in this list about seven times in ten. Wherever a preset is named, a level
    may be named too: `montego gtp --level 12k`, `montego match 12k 10k`.
    """
    for level in LEVELS.values():
        click.echo(f"{level.name:6}{level.spec:66}{level.summary}".rstrip())
