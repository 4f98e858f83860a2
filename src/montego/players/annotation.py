"""A review written into the game's record, for SGF files: comments, marks, values for graphs, better lines."""

from __future__ import annotations

from collections.abc import Sequence
from copy import deepcopy
from dataclasses import replace

from montego.go.errors import MontegoError
from montego.go.game import Move
from montego.go.geometry import parse_colour
from montego.go.record import GameRecord, Node
from montego.players.review import Review, Turn, check_same

PREFIX = "Montego review: "
"""Lines of a comment that begin so are ours, and replaced by the next review."""
BETTER = PREFIX + "better than "
OWN = "MONTEGO"
"""A private property: the names of the move annotations that are ours. Those of people are kept."""
ANNOTATIONS = {"inaccuracy": ("DO", ""), "mistake": ("BM", "1"), "blunder": ("BM", "2")}
"""The marks as FF[4] has them: doubtful, bad, very bad. A node may have one of them."""
MOVE_ANNOTATIONS = ("BM", "DO", "IT", "TE")
VALUE, GRAPH = "V", "SBKV"
"""The estimated score, as FF[4] has it, and Sabaki's win-rate graph: Black's win rate in per cent."""


def annotate(record: GameRecord, review: Review) -> GameRecord:
    """The record with a review written into it; the record given is not changed.

    What it says of the positions that were reviewed replaces what an earlier review said; comments, variations and
    marks of people stay. A review of another game raises MontegoError.
    """
    made = deepcopy(record)
    positions, moves = _places(made, review.turns)
    for number in positions.keys() | moves.keys():
        _write(made.node(number), positions.get(number), moves.get(number))
    for number, turn in moves.items():
        _take_own_variations(made, made.node(number))
        if turn.mark:
            _add_variation(made, made.node(number), turn)
    return _without_gaps(made)


def _places(record: GameRecord, turns: Sequence[Turn]) -> tuple[dict[int, Turn], dict[int, Turn]]:
    """By the numbers of their nodes, the turns whose position came about there, and those whose move was played."""
    positions: dict[int, Turn] = {}
    moves: dict[int, Turn] = {}
    here = 0
    """where the position came about"""
    waiting = list(turns[::-1])
    for node in record.main_line():
        if node.move is None:
            here = node.number if _sets_up(node) else here
            continue
        if not waiting:
            break
        turn = waiting.pop()
        check_same(turn, len(moves), node.move)
        if not _sets_up(node) and node.parent is not None:  # else it has no node of its own
            positions[here] = turn
        moves[node.number], here = turn, node.number
    else:
        if waiting:
            turn = waiting.pop()
            check_same(turn, len(moves), None)
            positions[here] = turn
    if waiting:
        raise MontegoError(f"{len(turns)} turns are too many for a game of {len(moves)} moves; "
                           "accepted: a review of the same game")  # fmt: skip
    return positions, moves


def _sets_up(node: Node) -> bool:
    return bool(node.black or node.white or node.empty or node.to_play is not None)


# --- one node ---------------------------------------------------------------------------------------------------


def _write(node: Node, position: Turn | None, move: Turn | None) -> None:
    """What is thought of the position at a node, and of the move that led there."""
    lines = []
    if move is not None:
        _mark(node, move.mark)
        if move.loss:
            lines.append(f"{move.mark or 'this move'} lost {100 * move.loss:.1f} % of win rate; better {_line(move)}")
    if position is not None:
        _set_values(node, position.winrate, position.lead)
        lines.append(f"{_standing(position.winrate, position.lead)}; next {_line(position)}")
    elif move is not None and move.after is not None:
        _set_values(node, move.after, None)
        lines.append(_standing(move.after, None))
    kept = [line for line in node.comment.split("\n") if not line.startswith(PREFIX)]
    node.comment = "\n".join([*([] if kept == [""] else kept), *(PREFIX + line for line in lines)])


def _line(turn: Turn) -> str:
    return turn.best + (f" ({' '.join(turn.line)})" if len(turn.line) > 1 else "")


def _standing(winrate: float, lead: float | None) -> str:
    ahead = "" if lead is None else f", {'B' if lead >= 0 else 'W'}+{abs(lead):.1f}"
    return f"Black wins {100 * winrate:.1f} %{ahead}"


def _set_values(node: Node, winrate: float, lead: float | None) -> None:
    node.properties[GRAPH] = [f"{100 * winrate:.2f}"]
    node.properties.pop(VALUE, None)
    if lead is not None:
        node.properties[VALUE] = [f"{lead:.1f}"]


def _mark(node: Node, mark: str | None) -> None:
    for name in node.properties.pop(OWN, []):
        if name in MOVE_ANNOTATIONS:
            node.properties.pop(name, None)
    if mark is not None and not any(name in node.properties for name in MOVE_ANNOTATIONS):
        name, value = ANNOTATIONS[mark]
        node.properties[name], node.properties[OWN] = [value], [name]


# --- variations -------------------------------------------------------------------------------------------------


def _add_variation(record: GameRecord, node: Node, turn: Turn) -> None:
    """The better line beside the move, unless somebody has a variation that begins so."""
    parent, colour = node.parent, parse_colour(turn.colour)
    if parent is None or not turn.line:
        return
    moves = [Move(colour if number % 2 == 0 else 3 - colour, vertex) for number, vertex in enumerate(turn.line)]
    if any(child.move == moves[0] for child in record.children(parent)):
        return
    last = record.add(
        parent, moves[0], black=node.black, white=node.white, empty=node.empty, to_play=node.to_play,
        comment=f"{BETTER}{turn.move}",
    )  # fmt: skip
    for move in moves[1:]:
        last = record.add(last, move)


def _take_own_variations(record: GameRecord, node: Node) -> None:
    """Cut off the lines beside a move that we wrote and nobody has touched."""
    if node.parent is not None:
        before = record.node(node.parent)
        before.children = [child for child in before.children if child == node.number or not _is_own(record, child)]


def _is_own(record: GameRecord, number: int) -> bool:
    node = record.node(number)
    if not node.comment.startswith(BETTER) or "\n" in node.comment:
        return False
    node = replace(node, comment="")
    while not node.comment and not node.properties and node.move is not None:
        if not node.children:
            return True
        if len(node.children) > 1:
            return False
        node = record.node(node.children[0])
    return False


def _without_gaps(record: GameRecord) -> GameRecord:
    """Number the nodes in the order of the file; those that were cut off are gone."""
    kept = list(record.walk())
    numbers = {node.number: number for number, node in enumerate(kept)}
    for node in kept:
        node.children = [numbers[child] for child in node.children]
        node.parent = None if node.parent is None else numbers[node.parent]
        node.number = numbers[node.number]
    record.nodes = kept
    return record
