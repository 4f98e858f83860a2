"""`montego gtp`: the engine for Go programs, over the Go Text Protocol."""

from __future__ import annotations

import secrets
import sys
import threading
from pathlib import Path
from typing import Any

import click

from montego.cli.serving import end_cleanly, logger, player_spec

PROFILES: dict[str, dict[str, Any]] = {"plain": {}, "lizzie": {"version": "0.17"}, "kgs": {"hidden": ("kgs-chat",)}}
"""For clients that need it: Lizzie looks for a Leela Zero of at least 0.15, newer kgsGtps fail on kgs-chat."""


@click.command("gtp", context_settings={"show_default": True})
@click.option("--preset", default="house", help="The player: see `montego presets`.")
@click.option("--level", help="Play at a rank instead: see `montego levels`.")
@click.option("--simulations", type=click.IntRange(1, 1 << 30), help="At most so many for a move.")
@click.option("--seconds", type=click.FloatRange(0.001, 1e6), help="At most so long for a move; 2 if nothing is said.")
@click.option("--threads", type=click.IntRange(1, 256), default=1, help="Of the search.")
@click.option("--seed", type=click.IntRange(0, (1 << 32) - 1), help="Play the same games again; one thread.")
@click.option("--rules", default="chinese", help="Rule set, until the client says another: see the README.")
@click.option("--komi", type=float, default=7.5, help="Until the client says another.")
@click.option("--size", type=click.IntRange(2, 19), default=19, help="Until the client says another.")
@click.option("--ponder", is_flag=True, help="Think in the other side's time too.")
@click.option("--lag", type=click.FloatRange(0, 3600), default=0.5, help="Seconds of a clock kept for lost time.")
@click.option("--resign", type=click.FloatRange(0, 0.5), default=0.05, help="Give up below this chance; 0: never.")
@click.option("--unfriendly", is_flag=True, help="Capture dead stones before passing, whatever the rules.")
@click.option("--as-it-stands", is_flag=True, help="Count dead stones as alive, as our own matches do.")
@click.option("--memory", type=click.IntRange(1, 1 << 20), help="MiB of the search tree.")
@click.option("--profile", type=click.Choice(list(PROFILES)), default="plain", help="For clients that need it.")
@click.option("--files", type=click.Path(path_type=Path, file_okay=False), help="Load and save games only in here.")
@click.option("--no-files", is_flag=True, help="Load and save no games at all.")
@click.option("--log", type=click.Path(path_type=Path, dir_okay=False), help="Write all that is said to this file.")
def command(**settings: Any) -> None:
    """Play and analyse for a Go program, over the Go Text Protocol (GTP).

    Programs such as Sabaki, GoGui, Lizzie or q5Go start this command themselves: docs/clients.md tells how to attach
    it to each. The time for a move comes from the client's clock if it sets one, else from --seconds or --simulations.

    \b
      montego gtp --level 12k            # an opponent of medium strength
      montego gtp --seconds 5 --threads 2 --ponder
      montego gtp --rules cgos --lag 1   # on the CGOS server

    The first start compiles the engine (some 20 s for each board size); it answers meanwhile.
    """
    # This process speaks, another one searches: nothing here is compiled, so that the first answer comes at once.
    from montego import _jit

    _jit.stay_plain()
    import montego.gtp.session  # noqa: F401  # before the other process starts, which would be in its way
    from montego.gtp.commands import load
    from montego.players.remote import Remote

    load()
    remote = Remote(threading.Condition())
    end_cleanly(lambda: serve(remote, settings), remote.close)


def serve(remote: Any, settings: dict[str, Any]) -> None:
    from montego.go.game import Game
    from montego.gtp.session import Options, Session
    from montego.players.conduct import Conduct
    from montego.players.engine import Engine, EngineSettings
    from montego.players.worker import PlayerSpec

    spec, _ = player_spec(settings)
    seed = settings["seed"]
    engine = Engine(
        EngineSettings(
            PlayerSpec(spec, settings["threads"], secrets.randbits(32) if seed is None else seed, settings["memory"]),
            Conduct(0.0, settings["resign"], not (settings["unfriendly"] or settings["as_it_stands"])),
            settings["simulations"],
            settings["seconds"],
            settings["lag"],
            settings["ponder"],
        ),
        remote,
    )
    game = Game(settings["size"], settings["komi"], settings["rules"])
    options = Options(
        folder=settings["files"],
        files=not settings["no_files"],
        fixed_seed=seed is not None,
        as_it_stands=settings["as_it_stands"],
        **PROFILES[settings["profile"]],
    )
    Session(game, engine, options, sys.stdin.buffer, sys.stdout.buffer, logger(settings["log"])).run()
