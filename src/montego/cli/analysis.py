"""`montego analysis`: the engine for review tools, over KataGo's JSON protocol."""

from __future__ import annotations

import secrets
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from montego.cli.serving import end_cleanly, logger, player_spec

DEFAULT_VISITS = 3000
"""For a position, if neither the query nor the command line says anything: about the strength of `montego gtp`."""

_OF_KATAGO = ("model", "config", "human-model", "override-config", "analysis-threads")
"""Options that programs made for KataGo pass on."""


def _options_of_katago(command: Callable[..., Any]) -> Callable[..., Any]:
    for name in _OF_KATAGO:
        command = click.option(f"-{name}", name.replace("-", "_"), multiple=True, hidden=True)(command)
    return command


@click.command("analysis", context_settings={"show_default": True})
@click.option("--preset", default="house", help="The player: see `montego presets`.")
@click.option("--level", help="See with the eyes of a rank instead: see `montego levels`.")
@click.option(
    "--simulations", type=click.IntRange(1, 1 << 30), help=f"If a query has no maxVisits.  [default: {DEFAULT_VISITS}]"
)
@click.option("--seconds", type=click.FloatRange(0.001, 1e6), help="At most so long, if a query has no maxTime.")
@click.option("--threads", type=click.IntRange(1, 256), default=1, help="Of the search.")
@click.option("--seed", type=click.IntRange(0, (1 << 32) - 1), help="The same queries, the same answers; one thread.")
@click.option("--rules", default="chinese", help="For queries without rules.")
@click.option("--memory", type=click.IntRange(1, 1 << 20), help="MiB of the search tree.")
@click.option("--log", type=click.Path(path_type=Path, dir_okay=False), help="Write all that is said to this file.")
@_options_of_katago
def command(**settings: Any) -> None:
    """Analyse positions for KaTrain and other review tools, in KataGo's analysis protocol.

    One JSON object a line comes in, one a line goes out. A query names a game and the turns to look at; the answers
    come in the order of priority, each with the moves considered, their win rates, scores and main lines, and who
    owns what if that is asked for. Query ids tell whom an answer is for.

    \b
      echo '{"id":"a","moves":[["B","E5"]],"rules":"chinese","boardXSize":9,"boardYSize":9}' | montego analysis

    In KaTrain, give `exec montego analysis` as the custom engine command (on Windows without `exec`). Values are
    Black's unless a query asks for another view (reportAnalysisWinratesAs in overrideSettings: BLACK, WHITE or
    SIDETOMOVE). A more urgent query interrupts the search of another, which begins anew later. At the end of the input
    the queries accepted are finished.

    The first query on a board size compiles the engine for it (some 20 s, once).
    """
    # This process speaks, another one searches: nothing here is compiled, so that the first answer comes at once.
    from montego import _jit

    _jit.stay_plain()
    from montego.players.remote import Remote

    remote = Remote(threading.Condition())
    end_cleanly(lambda: serve(remote, settings), remote.close)


def serve(remote: Any, settings: dict[str, Any]) -> None:
    from montego.gtp.analysis import Analyst
    from montego.gtp.inbox import Inbox
    from montego.gtp.queries import Defaults
    from montego.gtp.rules_json import rules_from
    from montego.players.engine import Engine, EngineSettings, say
    from montego.players.worker import PlayerSpec

    ignored = [f"-{name}" for name in _OF_KATAGO if settings[name.replace("-", "_")]]
    if ignored:
        say(f"{', '.join(ignored)}: meant for KataGo, of no use here")
    spec, limits = player_spec(settings)
    seed = secrets.randbits(32) if settings["seed"] is None else settings["seed"]
    player = PlayerSpec(spec, settings["threads"], seed, settings["memory"])
    visits, seconds = limits.get("simulations"), limits.get("seconds")
    if visits is None and seconds is None:
        visits = DEFAULT_VISITS
    defaults = Defaults(rules_from(settings["rules"]), visits, seconds)
    engine, log = Engine(EngineSettings(player), remote), logger(settings["log"])
    Analyst(engine, Inbox(sys.stdin.buffer, remote.changed), write, defaults, log).serve()


def write(text: str) -> None:
    """A line to stdout, at once."""
    sys.stdout.buffer.write(text.encode() + b"\n")
    sys.stdout.buffer.flush()
