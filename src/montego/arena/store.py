"""The file a match is kept in: a line of JSON for each game, written as soon as the game is over."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from montego import __version__
from montego.arena.game import Effort
from montego.arena.settings import SIDES, Match, MatchError
from montego.go.errors import shown


@dataclass(frozen=True)
class Played:
    """A game of a match: how it ended, told by player instead of colour."""

    index: int
    black: str
    """a or b"""
    winner: str | None
    """a, b or nobody"""
    result: str
    reason: str
    message: str
    moves: list[str]
    seeds: dict[str, int]
    efforts: dict[str, Effort]


class Store:
    """The games of one match on file. A file of another match is refused, and left as it is."""

    def __init__(self, path: Path, match: Match, players: dict[str, Any]) -> None:
        self.path, self.match = path, match
        self.header = json.loads(json.dumps({"montego": __version__, "match": match.conditions(), "players": players}))

    def open(self) -> list[Played]:
        """The games on file, each index once. A last line that was cut off is dropped from the file."""
        content = self._content()
        whole = content.rfind(b"\n") + 1
        games: dict[int, Played] = {}
        for number, line in enumerate(content[:whole].splitlines(), 1):
            game = self._game(number, line)
            games.setdefault(game.index, game)
        self._check_rest(content[whole:])
        self._write(whole, b"")
        return list(games.values())

    def append(self, game: Played) -> None:
        """Write one game, and wait until it is on the disk."""
        self._write(None, (json.dumps({**self.header, **asdict(game)}) + "\n").encode())

    def _content(self) -> bytes:
        try:
            return self.path.read_bytes()
        except FileNotFoundError:
            return b""
        except (OSError, ValueError) as error:
            raise MatchError(f"cannot read {self._name}: {_why(error)}; accepted: a file or a new name") from error

    def _write(self, length: int | None, data: bytes) -> None:
        """Cut the file to a length, if one is given, and add data at its end."""
        try:
            with self.path.open("ab") as file:
                if length is not None:
                    file.truncate(length)
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
        except (OSError, ValueError) as error:
            raise MatchError(f"cannot write {self._name}: {_why(error)}") from error

    @property
    def _name(self) -> str:
        return shown(str(self.path))

    def _game(self, number: int, line: bytes) -> Played:
        try:
            fields = json.loads(line)
            found = {key: fields.pop(key) for key in self.header}
            differing = _difference(self.header, found)
            if not differing:
                return _read(fields, self.match)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            text = f"line {number} of {self._name} is no game of a match; accepted: a file that montego match wrote"
            raise MatchError(text) from error
        what, here, there = differing
        text = f"{self._name} holds another match: {what} is {shown(there)} there and {shown(here)} here"
        raise MatchError(f"{text}; accepted: the same match, or another file")

    def _check_rest(self, rest: bytes) -> None:
        """See that what follows the last whole line is the beginning of a line of this match."""
        beginning = json.dumps(self.header).encode()[:-1]
        rest = rest.rstrip(b"\0")  # a power cut may leave these
        if not (beginning.startswith(rest) or rest.startswith(beginning)):
            raise MatchError(f"the last line of {self._name} is of no game of this match; accepted: another file")


def _why(error: Exception) -> str:
    return str(getattr(error, "strerror", None) or error)


def _difference(here: Any, there: Any, name: str = "it") -> tuple[str, Any, Any] | None:
    """The first place where two JSON values differ: its name, and the value in each."""
    if not (isinstance(here, dict) and isinstance(there, dict)):
        return None if here == there else (name, here, there)
    keys: Iterable[str] = [*here, *(key for key in there if key not in here)]
    found = (_difference(here.get(key), there.get(key), key) for key in keys)
    return next((difference for difference in found if difference), None)


def _read(fields: dict[str, Any], match: Match) -> Played:
    """A game from its fields; a ValueError for those no game of the match can have."""
    fields["efforts"] = {side: Effort(**fields["efforts"][side]) for side in SIDES}
    game = Played(**fields)
    good = isinstance(game.index, int) and game.index >= 0 and game.black == match.black(game.index)
    if not good or game.winner not in (*SIDES, None) or not isinstance(game.moves, list):
        raise ValueError("no game of this match")
    numbers = [n for effort in game.efforts.values() for n in (effort.turns, effort.simulations, effort.seconds)]
    if not all(isinstance(n, (int, float)) for n in numbers):
        raise ValueError("efforts are numbers")
    return game
