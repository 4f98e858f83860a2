"""`montego presets`: the programs that can be played with, and where they come from."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

import click

from montego.players.presets import PRESETS
from montego.players.spec import known_fields
from montego.search.config import SearchConfig


def changed(config: SearchConfig) -> dict[str, Any]:
    """The fields in which a configuration differs from the defaults."""
    plain = known_fields(SearchConfig())
    return {field: value for field, value in known_fields(config).items() if value != plain[field]}


def as_number(value: Any) -> Any:
    """JSON knows no infinity."""
    return "inf" if value == float("inf") else value


@click.command("presets")
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object: every preset with all its fields.")
def command(as_json: bool) -> None:
    """The programs that can be played with, and the paper each comes from.

    A preset is a configuration of the one search. Wherever a preset is named, fields may be changed behind a colon:
    `montego match house house:bias=0.02,expand_after=2`. src/montego/search/config.py explains every field.
    """
    if as_json:
        made = {
            preset.name: {
                "paper": preset.paper,
                "summary": preset.summary,
                "config": {field: as_number(value) for field, value in asdict(preset.config).items()},
            }
            for preset in PRESETS.values()
        }
        click.echo(json.dumps(made, indent=2))
        return
    for preset in PRESETS.values():
        settings = ", ".join(f"{field}={value:g}" if isinstance(value, float) else f"{field}={value}"
                             for field, value in changed(preset.config).items())  # fmt: skip
        click.echo(f"{preset.name:17}{preset.summary}\n{'':17}{preset.paper}\n{'':17}{settings}\n")
