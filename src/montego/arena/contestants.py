"""Whoever sits down at the arena's board: a player of ours in this process, or another program over GTP.

A spec says who: PRESET[:field=value,…] is a player of ours, `over-gtp:` before it the same in a process of its own,
as clients see it; `policy:` and the name of a default policy plays that policy's own moves, without a search; the name
of a known program, with options after a colon, is that program; `gtp:` and a command line is any other.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

from montego import __version__
from montego.arena.programs import PROGRAMS
from montego.go.errors import MontegoError
from montego.go.game import Game

if TYPE_CHECKING:
    from montego.players.playout import PlayoutPlayer
    from montego.players.search import SearchPlayer

OVER_GTP, ANY_PROGRAM, POLICY = "over-gtp:", "gtp:", "policy:"


class OutOfStep(MontegoError):
    """A contestant's board is not the arena's."""


class Choice(Protocol):
    """A player's move and its effort."""

    @property
    def vertex(self) -> str: ...

    @property
    def simulations(self) -> int | None:
        """None: it does not tell."""


class Contestant(Protocol):
    """Whatever the arena needs of a player. Any exception it raises makes the game void."""

    @property
    def name(self) -> str: ...

    @property
    def version(self) -> str:
        """Which program of which version; known once a game has begun."""

    def describe(self, size: int | None = None) -> dict[str, Any]:
        """The whole configuration but for the seed, as plain data; that on boards of one size, if it is given."""

    def begin(self, game: Game) -> None:
        """Sit down at a game, which may have some moves."""

    def choose(self, game: Game) -> Choice:
        """A move for the side to move, or resign."""

    def opinion(self, game: Game) -> str | None:
        """How a finished game is to be counted, as a result such as B+3.5; None if it cannot tell."""

    def close(self) -> None:
        """Leave the board. Nothing is left running."""


class Inside:
    """A player of ours in this process."""

    def __init__(self, player: SearchPlayer) -> None:
        self.player, self.name, self.version = player, player.name, f"Montego {__version__}"

    def describe(self, size: int | None = None) -> dict[str, Any]:
        return {key: value for key, value in self.player.describe(size).items() if key != "seed"}

    def begin(self, game: Game) -> None:
        self.player.new_game()

    def choose(self, game: Game) -> Choice:
        return self.player.choose(game)

    def opinion(self, game: Game) -> str | None:
        """A friendly player looks for dead stones; the others have passed because they accept the board as it is."""
        if self.player.conduct.friendly and not game.rules.all_alive:
            return str(self.player.outlook(game).score)
        return str(game.score())

    def close(self) -> None:
        pass


class Drawn:
    """A default policy of ours in this process; it plays until nothing but own eyes is left."""

    def __init__(self, name: str, player: PlayoutPlayer) -> None:
        self.player, self.name, self.version = player, name, f"Montego {__version__}"

    def describe(self, size: int | None = None) -> dict[str, Any]:
        return self.player.describe()

    def begin(self, game: Game) -> None:
        pass

    def choose(self, game: Game) -> Choice:
        return self.player.choose(game)

    def opinion(self, game: Game) -> str | None:
        return str(game.score())

    def close(self) -> None:
        pass


def make(
    spec: str,
    simulations: int | None = None,
    seconds: float | None = None,
    threads: int = 1,
    seed: int = 0,
    resign: float = 0.0,
    answer_seconds: float = 300.0,
    rules: Any = "chinese",
) -> Contestant:
    """The contestant a spec names. A limit in the spec is the player's own, whatever is given here."""
    if is_outside(spec):
        from montego.arena import outside

        return outside.make(spec, simulations, seconds, threads, seed, resign, answer_seconds, rules)
    if spec.startswith(POLICY):
        from montego.players.playout import PlayoutPlayer, policy_config

        return Drawn(spec, PlayoutPlayer(policy_config(spec.removeprefix(POLICY)), seed))
    from montego.players import player
    from montego.players.spec import expanded

    own = {} if "resign_below" in expanded(spec)[1] else {"resign_below": resign}
    return Inside(player(spec, simulations=simulations, seconds=seconds, threads=threads, seed=seed, **own))


def is_outside(spec: str) -> bool:
    """Whether a spec names another process."""
    return spec.startswith((OVER_GTP, ANY_PROGRAM)) or spec.partition(":")[0] in PROGRAMS
