"""Who the engine is, what it knows, and its settings."""

from __future__ import annotations

import json
import os
from dataclasses import replace
from typing import TYPE_CHECKING

from montego import __version__
from montego.gtp.commands import MANY, command
from montego.gtp.protocol import CommandError, number, truth, whole_number
from montego.players.budget import check_budget

if TYPE_CHECKING:
    from montego.gtp.session import Session

Words = tuple[str, ...]


@command("protocol_version")
def protocol_version(session: Session, words: Words) -> str:
    return "2"


@command("name")
def name(session: Session, words: Words) -> str:
    return "Montego"


@command("version")
def version(session: Session, words: Words) -> str:
    return session.options.version or __version__


@command("known_command", 0, 1)
def known_command(session: Session, words: Words) -> str:
    return "true" if words and words[0] in session.commands else "false"


@command("list_commands")
def list_commands(session: Session, words: Words) -> str:
    return "\n".join(session.commands)


@command("quit")
def quit_(session: Session, words: Words) -> str:
    session.over = True
    return ""


@command("stop")
def stop(session: Session, words: Words) -> str:
    """Whatever was going on has been ended by the command itself."""
    session.engine.remote.stop()
    return ""


@command("clear_cache")
def clear_cache(session: Session, words: Words) -> str:
    session.engine.forget()
    return ""


@command("set_random_seed", 1)
def set_random_seed(session: Session, words: Words) -> str:
    session.set_seed(whole_number(words[0], 0, (1 << 32) - 1, "seed"))
    return ""


@command("get_random_seed")
def get_random_seed(session: Session, words: Words) -> str:
    return str(session.seed)


@command("cputime")
def cputime(session: Session, words: Words) -> str:
    """Processor seconds of both processes."""
    used = os.times()
    return f"{used.user + used.system + session.engine.remote.cpu:.3f}"


command("gomill-cpu_time")(cputime)


@command("gomill-describe_engine")
def describe_engine(session: Session, words: Words) -> str:
    settings = session.engine.settings
    about = {
        "player": settings.player.spec,
        "simulations": settings.simulations,
        "seconds": settings.seconds,
        "threads": settings.player.threads,
        "seed": session.seed,
        "rules": session.game.rules.name,
        "ponder": settings.ponder,
    }
    return f"Montego {__version__}\nMonte-Carlo tree search; {json.dumps(about)}"


# --- settings ---------------------------------------------------------------------------------------------------


def _optional_number(word: str) -> float | None:
    return None if word in ("0", "none") else number(word)


def set_parameter(session: Session, name: str, word: str) -> None:
    """One of the settings that can be changed while the engine runs."""
    engine = session.engine
    settings = engine.settings
    if name in ("player", "level", "preset"):
        session.set_player(word)
    elif name == "simulations":
        simulations = whole_number(word, 0, 1 << 30, "number of simulations")
        engine.change(simulations=simulations or None)
    elif name == "seconds":
        seconds = _optional_number(word)
        check_budget(None, seconds)
        engine.change(seconds=seconds)
    elif name == "lag":
        lag = number(word)
        if not 0 <= lag <= 3600:
            raise CommandError("a lag is from 0 to 3600 seconds")
        engine.change(lag=lag)
    elif name == "ponder":
        engine.change(ponder=truth(word))
    elif name == "friendly":
        engine.change(conduct=replace(settings.conduct, friendly=truth(word)))
    elif name == "resign":
        engine.change(conduct=replace(settings.conduct, resign_below=number(word)))
    elif name == "live_graphics":
        session.live_graphics = truth(word)
    else:
        raise CommandError(f"there is no parameter {name[:40]!a}; accepted: {', '.join(parameters(session))}")


def parameters(session: Session) -> dict[str, tuple[str, object]]:
    """Name, GoGui's type and value of each setting."""
    settings = session.engine.settings
    return {
        "player": ("string", settings.player.spec),
        "simulations": ("string", settings.simulations or 0),
        "seconds": ("string", f"{settings.seconds or 0:g}"),
        "lag": ("string", f"{settings.lag:g}"),
        "resign": ("string", f"{settings.conduct.resign_below:g}"),
        "friendly": ("bool", int(settings.conduct.friendly)),
        "ponder": ("bool", int(settings.ponder)),
        "live_graphics": ("bool", int(session.live_graphics)),
    }


@command("montego-param", 0, MANY)
def param(session: Session, words: Words) -> str:
    """Without words all settings; with two one of them is changed. GoGui makes a dialogue of it."""
    if not words:
        return "\n".join(f"[{kind}] {name} {value}" for name, (kind, value) in parameters(session).items())
    if len(words) == 1:
        return str(parameters(session).get(words[0], ("", ""))[1])
    set_parameter(session, words[0], words[1])
    return ""


@command("level", 0, 1)
def level(session: Session, words: Words) -> str:
    """Without a word the player that is set; with one, a level or preset to play as from now on."""
    if not words:
        return session.engine.settings.player.spec
    set_parameter(session, "level", words[0])
    return ""
