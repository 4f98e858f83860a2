"""A game gone over: what a search thinks of every position of its main line, and what the moves played lost."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import TYPE_CHECKING, Any

from montego.go.board import WHITE
from montego.go.errors import MontegoError, shown
from montego.go.game import Game, Move
from montego.go.geometry import COLOUR_NAMES
from montego.go.record import GameRecord
from montego.go.rules import Rules

if TYPE_CHECKING:
    from montego.search.report import Report

NOISE = 0.02
"""Losses below this count as nothing: the standard error between two searches of a thousand simulations each."""
MARKS = {"blunder": 0.2, "mistake": 0.1, "inaccuracy": 0.05}
"""The least loss of win rate for each mark, the worst first. The least of them is well above the noise, and each step
doubles: after a blunder an even game is one that the other side wins more than two times in three."""
LONGEST_LINE = 12
"""Moves of a line that are kept: in deeper ones of a search there are few visits, and no opinion."""
WORST = 10
DIGITS = 6

Searching = Callable[[Game], "Report"]
"""Whatever searches a position of a game that goes on, and reports for the side to move."""


@dataclass(frozen=True)
class Turn:
    """The position before a move, or after the last one, and what became of it. Win rates and leads are Black's."""

    turn: int
    """moves played before"""
    colour: str
    """black or white: who is to move"""
    winrate: float
    """with the best move"""
    lead: float | None
    """points ahead at the end, komi counted; None if the search does not know"""
    best: str
    line: tuple[str, ...]
    """how the game could go on, from the best move"""
    move: str | None = None
    """what was played; None at the end of the game"""
    after: float | None = None
    """the win rate after that; None if there was nothing more to search"""
    loss: float = 0.0
    """of win rate by the move, for the side that played it"""
    mark: str | None = None
    """inaccuracy, mistake or blunder"""

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers, texts and lists."""
        made = asdict(self) | {"line": list(self.line)}
        return {name: round(value, DIGITS) if isinstance(value, float) else value for name, value in made.items()}

    @classmethod
    def from_dict(cls, made: dict[str, Any]) -> Turn:
        """What `to_dict` made."""
        return cls(**made | {"line": tuple(made["line"])})

    def rate(self, winrate: float) -> float:
        """A win rate of Black's as the side to move sees it."""
        return winrate if self.colour == "black" else 1.0 - winrate


@dataclass(frozen=True)
class Review:
    """The turns that have been gone over, from the first on."""

    turns: tuple[Turn, ...] = ()

    @property
    def worst(self) -> list[Turn]:
        """The marked moves, the one that lost most first."""
        return sorted((turn for turn in self.turns if turn.mark), key=lambda turn: -turn.loss)

    def side(self, colour: str) -> dict[str, Any]:
        """How black or white did: moves, their mean loss (None without moves), how many have each mark."""
        played = [turn for turn in self.turns if turn.move is not None and turn.colour == colour]
        mean = sum(turn.loss for turn in played) / len(played) if played else None
        marks = {mark: sum(turn.mark == mark for turn in played) for mark in MARKS}
        return {"moves": len(played), "mean_loss": mean if mean is None else round(mean, DIGITS), "marks": marks}

    def to_dict(self) -> dict[str, Any]:
        """Plain numbers, texts and lists; the worst moves as the numbers of their turns."""
        return {
            "turns": [turn.to_dict() for turn in self.turns],
            "worst": [turn.turn for turn in self.worst[:WORST]],
            "sides": {colour: self.side(colour) for colour in COLOUR_NAMES.values()},
        }


def mark_of(loss: float) -> str | None:
    """The word for a loss of win rate, None if it deserves none."""
    return next((mark for mark, least in MARKS.items() if loss >= least), None)


# --- the positions ----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Step:
    """A position of the main line, and the move that followed."""

    before: Game
    goes_on: bool
    """whether it is the one after the last move, with nothing set up and no turn missed in between"""
    move: Move | None = None
    after: Game | None = None


def steps(record: GameRecord, *, rules: str | Rules | None = None, komi: float | None = None) -> Iterator[Step]:
    """The positions before each move of the main line, and the one at its end unless the game had no result there."""
    for node, game in record.replay(rules=rules, komi=komi):
        if node.move is None:
            continue
        before = game.copy()
        before.undo()
        colour = node.move.colour
        goes_on = before.last is not None and colour == before.to_play
        yield Step(searchable(before, colour), goes_on, node.move, searchable(game, game.to_play))
    end = searchable(game, game.to_play)
    if not end.is_over:
        yield Step(end, game.last is not None)


def searchable(game: Game, colour: int) -> Game:
    """A copy with `colour` to move, as if the passes just made had not been.

    A search that may end the game with one pass would count dead stones as alive, which few rules do.
    """
    passed = game.copy()
    if game.passes == 1 and not game.rules.all_alive:
        passed.undo()
        if passed.ko is not None:  # and may be taken after the pass: rather the pass than a wrong ko
            passed = game.copy()
    return passed.with_turn(colour)


def count_turns(record: GameRecord, *, rules: str | Rules | None = None, komi: float | None = None) -> int:
    """How many turns a review of the main line has; raises SgfError if it cannot be played."""
    return sum(1 for _ in steps(record, rules=rules, komi=komi))


# --- the review -------------------------------------------------------------------------------------------------


def review_turns(
    record: GameRecord,
    search: Searching,
    done: Sequence[Turn] = (),
    *,
    rules: str | Rules | None = None,
    komi: float | None = None,
) -> Iterator[Turn]:
    """Go over the main line: each turn as soon as it is judged, from the first that is not among those `done` before.

    Nothing is lost between two turns: to stop, ask for no more; to go on, give what there is as `done`. The whole line
    is played before the first search, so that a file with an illegal move is refused at once. Rules and komi are the
    file's unless given.
    """
    total = 0
    for total, step in enumerate(steps(record, rules=rules, komi=komi), 1):
        if total <= len(done):
            check_same(done[total - 1], total - 1, step.move)
    if len(done) > total:
        raise MontegoError(
            f"{len(done)} turns are done of a game that has {total}; accepted: a review of the same game"
        )
    return _turns(steps(record, rules=rules, komi=komi), search, len(done))


def check_same(turn: Turn, number: int, move: Move | None) -> None:
    """Refuse a turn of another game."""
    wanted = (turn.colour, None) if move is None else (COLOUR_NAMES[move.colour], move.vertex)
    if (turn.turn, turn.colour, turn.move) != (number, *wanted):
        found = f"turn {turn.turn}, {turn.colour} {shown(turn.move)}"
        played = f"turn {number}, {wanted[0]} {shown(wanted[1])}"
        raise MontegoError(f"the review has {found}, the game {played}; accepted: a review of the same game")


def _turns(line: Iterator[Step], search: Searching, skipped: int) -> Iterator[Turn]:
    known: Turn | None = None
    """what is thought of the position after the last move"""
    for number, step in enumerate(line):
        if number < skipped:
            continue
        here = replace(known, turn=number) if known and step.goes_on else opinion(number, step.before, search)
        known = None
        if step.move is None or step.after is None:
            yield here
        elif step.after.is_over:  # without result
            yield replace(here, move=step.move.vertex)
        else:
            known = opinion(number + 1, step.after, search)
            yield judged(here, step.move.vertex, known.winrate)


def opinion(number: int, game: Game, search: Searching) -> Turn:
    """What a search thinks of a position."""
    report = search(game)
    if not report.moves or not report.simulations:
        raise MontegoError(f"the search of turn {number} has found nothing; accepted: one with a simulation at least")
    best = report.moves[0]
    winrate = best.winrate
    lead = report.lead if best.lead is None else best.lead
    if game.to_play == WHITE:
        winrate, lead = 1.0 - winrate, None if lead is None else -lead
    return Turn(number, COLOUR_NAMES[game.to_play], winrate, lead, best.vertex, playable(game, best.line))


def playable(game: Game, line: Sequence[str]) -> tuple[str, ...]:
    """A line as far as it is legal, which a search does not check to the end under superko, and not too long."""
    board, played = game.copy(), 0
    for vertex in line[:LONGEST_LINE]:
        if board.is_over or not board.is_legal(vertex):
            break
        board.play(vertex)
        played += 1
    return tuple(line[:played])


def judged(turn: Turn, move: str, after: float) -> Turn:
    """A turn with the move that was played and what it lost.

    The search's own choice loses nothing: whatever is thought of it later, no better move is known.
    """
    loss = round(turn.rate(turn.winrate) - turn.rate(after), DIGITS)
    if loss < NOISE or move == turn.best:
        loss = 0.0
    return replace(turn, move=move, after=after, loss=loss, mark=mark_of(loss))
