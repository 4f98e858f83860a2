"""Games between two engines over GTP, with a board and a clock of the referee's own."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, field
from typing import Any

from montego.go.board import BLACK, WHITE
from montego.go.game import Game
from montego.gtp.client import GtpClient

MONTEGO = [sys.executable, "-m", "montego", "gtp"]


@dataclass
class Played:
    game: Game
    resigned: int | None = None
    used: dict[int, float] = field(default_factory=lambda: {BLACK: 0.0, WHITE: 0.0})
    """seconds, from the command to the answer"""
    slowest: float = 0.0
    late: int | None = None
    """who overstepped the time"""


def play_game(engines: dict[int, GtpClient], game: Game, main: float | None = None, longest: int = 600) -> Played:
    """A game to its end by two passes, resignation or the clock (absolute time); every move must be legal."""
    for engine in engines.values():
        engine.boardsize(game.size)
        engine.clear_board()
        engine.komi(game.komi)
        if main is not None:
            engine.send("time_settings", f"{main:g}", 0, 0)
    played = Played(game)
    while not game.is_over and len(game.moves) < longest:
        mover = game.to_play
        if main is not None:
            engines[mover].send("time_left", "-bw"[mover], f"{main - played.used[mover]:.3f}", 0)
        start = time.perf_counter()
        vertex = engines[mover].genmove("-bw"[mover], seconds=300)
        taken = time.perf_counter() - start
        played.used[mover] += taken
        played.slowest = max(played.slowest, taken)
        if main is not None and played.used[mover] > main:
            played.late = mover
            return played
        if vertex == "resign":
            played.resigned = mover
            return played
        game.play(vertex)  # raises if it is against the rules
        engines[3 - mover].play("-bw"[mover], vertex)
    return played


def same_board(engine: GtpClient, game: Game) -> bool:
    """Whether an engine has the same stones on its board as the referee."""
    from montego.go.geometry import geometry

    names = geometry(game.size)
    ours: dict[str, set[str]] = {"black": set(), "white": set()}
    for index, stone in enumerate(game.stones.ravel()):
        if stone:
            ours["black" if stone == BLACK else "white"].add(names.vertex(int(names.points[index])))
    return all(set(engine.send("list_stones", colour).split()) == ours[colour] for colour in ours)


def winner_of(score: str) -> Any:
    """B, W, or 0 for a draw, from a result such as B+3.5."""
    return score.strip()[:1].upper()
