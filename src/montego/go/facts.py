"""Tactical facts about a game, for people: the kernels of tactics, ladder and shapes behind checked arguments."""

from __future__ import annotations

import numpy as np

from montego.go import tactics
from montego.go.codes import surrounded, true_eye
from montego.go.errors import IllegalMove, MontegoError, VertexError, is_whole, shown
from montego.go.game import Game, Vertex
from montego.go.geometry import PASS, geometry, parse_colour
from montego.go.ladder import CAPTURED, ESCAPES, ladder_dtype, read_ladder
from montego.go.shapes import in_simple_seki, nakade_point

LADDER_NODES = 2000
"""How many moves a ladder may take to read by default; a plain one across 19×19 takes less than 100."""


def _point(game: Game, vertex: Vertex, stone: bool) -> np.uint64:
    """The point of a vertex that must hold a stone, or must be empty."""
    point = geometry(game.size).parse(vertex)
    if point == PASS or bool(game.at(point)) != stone:
        raise VertexError(f"{shown(vertex)} is not {'a stone' if stone else 'an empty point'} of this position")
    return np.uint64(point)


def in_atari(game: Game, vertex: Vertex) -> bool:
    """Whether the chain on a vertex has a single liberty."""
    return bool(tactics.atari_liberty(game.board[0], _point(game, vertex, stone=True)))


def escapes(game: Game, vertex: Vertex) -> bool:
    """Whether the chain on a vertex is in atari and has two or more liberties after extending at its last one."""
    board, point = game.board[0], _point(game, vertex, stone=True)
    last = tactics.atari_liberty(board, point)
    return bool(last) and not tactics.is_self_atari(board, np.uint64(last), np.uint64(board.colour[point]))


def captures(game: Game, vertex: Vertex, colour: str | int) -> int:
    """How many hostile stones a move would take; the ko is not looked at."""
    point, mover = _point(game, vertex, stone=False), parse_colour(colour)
    return int(tactics.count_captures(game.board[0], point, np.uint64(mover)))


def is_self_atari(game: Game, vertex: Vertex, colour: str | int) -> bool:
    """Whether the chain made by a legal move would have a single liberty (or none, where suicide is legal)."""
    point, mover = _point(game, vertex, stone=False), parse_colour(colour)
    why = game.why_illegal(int(point), mover)
    if why is not None:
        raise IllegalMove(f"{shown(vertex)} is not a legal move ({why}); accepted: a legal move", why)
    return bool(tactics.is_self_atari(game.board[0], point, np.uint64(mover)))


def eye(game: Game, vertex: Vertex, colour: str | int) -> str:
    """Whether an empty point is a "true" eye of `colour`, a "false" one, or "none"."""
    point, owner = _point(game, vertex, stone=False), parse_colour(colour)
    code = int(game.board[0].code[point])
    if not surrounded(owner)[code]:
        return "none"
    return "true" if true_eye(owner)[code] else "false"


def ladder(game: Game, vertex: Vertex, max_nodes: int = LADDER_NODES) -> str:
    """Whether ataris alone catch the chain on a vertex, the side to move beginning: captured, escapes or unknown."""
    point = _point(game, vertex, stone=True)
    if not is_whole(max_nodes) or not 0 <= max_nodes < 1 << 32:
        raise MontegoError(f"max_nodes is {shown(max_nodes)}; accepted: a whole number from 0")
    work = np.zeros(1, ladder_dtype(game.size))[0]
    defends = game.to_play == game.at(vertex)
    verdict = read_ladder(game.board[0], work, point, defends, np.uint64(max_nodes))
    return {CAPTURED: "captured", ESCAPES: "escapes"}.get(verdict, "unknown")


def nakade(game: Game, vertex: Vertex) -> str | None:
    """The vital point of the eye space that contains an empty vertex, if it is a killing shape of three to six."""
    vital = int(nakade_point(game.board[0], _point(game, vertex, stone=False), np.zeros(6, np.uint16)))
    return geometry(game.size).vertex(vital) if vital else None


def in_seki(game: Game, vertex: Vertex) -> bool:
    """Whether the chain on a vertex stands in simple seki with a hostile one."""
    return bool(in_simple_seki(game.board[0], _point(game, vertex, stone=True), np.zeros(6, np.uint16)))
