"""Games as lines of JSON, the form in which they are published.

A line is a player ({"player": …, "hash": …}), a match ({"match": …, "a": hash, "b": hash, "hash": …}) or a game
({"of": hash of its match, "number": …, …}); what a line refers to stands before it. Writing the games of a database
and reading them into another loses nothing, and gives the same lines again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any

from montego.arena.played import Pairing, Played, compact, from_dict, hash_of, to_dict
from montego.arena.settings import SIDES, MatchError
from montego.arena.store import Store, pairing_of
from montego.go.errors import MontegoError
from montego.go.geometry import geometry

LONGEST_LINE = 1 << 20


def write_lines(store: Store, pairings: Iterable[Pairing] | None = None) -> Iterator[str]:
    """The lines of some matches of a database, or of all."""
    known: set[str] = set()
    for pairing in store.pairings() if pairings is None else pairings:
        for side in SIDES:
            if pairing.player_hash(side) not in known:
                known.add(pairing.player_hash(side))
                yield compact({"player": pairing.players[side], "hash": pairing.player_hash(side)})
        ends = {side: pairing.player_hash(side) for side in SIDES}
        yield compact({"match": pairing.conditions, **ends, "hash": pairing.hash})
        for game in store.games(pairing):
            yield compact({"of": pairing.hash, **to_dict(game)})


def read_lines(lines: Iterable[str], store: Store, name: str = "the file") -> int:
    """Take the games of lines of JSON into a database. Returns how many there were; a bad line is refused, by number,
    and the database is left as it was."""
    reader, games = _Reader(), 0
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            if len(line) > LONGEST_LINE:
                raise MatchError("it is too long")
            fields = json.loads(line)
            compact(fields).encode()  # refuses half a character, which JSON can write and a database cannot
            games += reader.read(fields)
        except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
            why = str(error) if isinstance(error, MontegoError) else "it is no player, match or game"
            raise MatchError(f"line {number} of {name}: {why}; accepted: lines that montego wrote") from None
    store.add_all(reader.matches.values())
    return games


class _Reader:
    def __init__(self) -> None:
        self.players: dict[str, dict[str, Any]] = {}
        self.matches: dict[str, tuple[Pairing, list[Played]]] = {}

    def read(self, fields: dict[str, Any]) -> int:
        """Take in a line; 1 if it is a game."""
        if "player" in fields:
            if hash_of(fields["player"]) != fields["hash"]:
                raise MatchError("the player is not what its hash says")
            self.players[fields["hash"]] = fields["player"]
        elif "match" in fields:
            a, b = (self.players[fields[side]] for side in SIDES)
            pairing = pairing_of(fields["hash"], a, b, fields["match"])
            self.matches.setdefault(pairing.hash, (pairing, []))
        else:
            pairing, games = self.matches[fields.pop("of")]
            game = from_dict(fields)
            for move in game.moves:
                geometry(pairing.match.size).parse(move)
            if game.black != pairing.match.black(game.number):
                raise MatchError("the colours are not those of the match")
            games.append(game)
            return 1
        return 0
