"""A game of the arena as an SGF file."""

from __future__ import annotations

from montego.arena.played import Pairing, Played
from montego.go.record import GameRecord
from montego.go.sgf import write_sgf


def to_sgf(pairing: Pairing, game: Played) -> bytes:
    """The game with its players and result, and how that came about; the moves as far as they were played."""
    position = pairing.match.new_game()
    for move in game.moves:
        position.play(move)
    record = GameRecord.from_game(position)
    white = "b" if game.black == "a" else "a"
    record.black_player, record.white_player = pairing.match.spec(game.black), pairing.match.spec(white)
    record.result, record.date, record.event = game.result, game.played[:10], f"{pairing.hash} game {game.number}"
    record.root.comment = "\n".join(filter(None, [f"{game.outcome}: {game.reason}", game.message]))
    return write_sgf(record)
