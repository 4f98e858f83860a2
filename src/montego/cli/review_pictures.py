"""The pictures of `montego review`: the win rate over a game, and the positions of its worst moves."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from montego.arena.extras import lab_package
from montego.arena.plots import BLUE, GREEN, GREY, ORANGE, figure, save, tidy
from montego.go.board import BLACK
from montego.go.game import Game
from montego.go.geometry import COLUMNS, geometry
from montego.players.review import MARKS, Review, Turn

WOOD, EDGE = "#EBCB90", "#3A3226"
FACES = {"black": "#1A1A1A", "white": "#FAFAFA"}
SHAPES = dict(zip(MARKS, (("X", 11), ("s", 8), ("o", 6)), strict=True))
"""The mark of a move in the plot: shape and size."""
RADIUS = 0.46
PLOTTED = 30
"""Moves with a mark in the plot, the worst: more hide the line."""


def plot_winrate(review: Review, stem: Path) -> list[Path]:
    """Black's win rate after every move, with the moves that lost most of it."""
    picture = figure(9.0, 4.2)
    axes = picture.subplots()
    tidy(axes)
    points = _points(review)
    axes.axhline(50, color=GREY, linewidth=1.0)
    axes.plot([turn for turn, _ in points], [100 * rate for _, rate in points], color=BLUE, linewidth=1.6)
    for mark, (shape, size) in SHAPES.items():
        for colour, face in FACES.items():
            turns = [t for t in review.worst[:PLOTTED] if t.mark == mark and t.colour == colour]
            if turns:
                places = [t.turn + 1 for t in turns], [100 * (t.after or 0.0) for t in turns]
                style = {"markersize": size, "markerfacecolor": face, "markeredgecolor": ORANGE, "markeredgewidth": 1.4}
                axes.plot(*places, shape, label=f"{mark} by {colour.capitalize()}", clip_on=False, **style)
    axes.set_ylim(-2, 102)
    axes.set_xlim(0, max(1, len(review.turns) - 1))
    axes.xaxis.get_major_locator().set_params(integer=True)
    axes.set_xlabel("move", fontsize=12)
    axes.set_ylabel("Black's win rate, %", fontsize=12)
    if axes.get_legend_handles_labels()[0]:
        picture.legend(loc="outside upper center", ncols=3, fontsize=10, frameon=False)
    return save(picture, stem)


def _points(review: Review) -> list[tuple[int, float]]:
    """Win rates by the number of moves before; the last may be known only from the move that led there."""
    points = [(turn.turn, turn.winrate) for turn in review.turns]
    last = review.turns[-1] if review.turns else None
    return [*points, (last.turn + 1, last.after)] if last and last.after is not None else points


def draw_turn(turn: Turn, game: Game, path: Path) -> Path:
    """The position before a move, the last one dotted, with the move that was played and the better one."""
    inches = 1.6 + 0.27 * max(9, game.size)
    picture = figure(inches, inches + 0.5)
    axes = picture.subplots()
    _draw_board(axes, game)
    face = FACES[turn.colour]
    _draw_move(axes, game.size, turn.move, face, ("X", ORANGE))
    _draw_move(axes, game.size, turn.best, face, ("o", GREEN))
    rates = [100 * turn.rate(rate) for rate in (turn.winrate, turn.after or 0.0)]
    title = f"Move {turn.turn + 1}: {turn.colour.capitalize()} {turn.move}, {turn.mark}"
    axes.set_title(f"{title}\nwin rate {rates[0]:.0f} % → {rates[1]:.0f} %", fontsize=12)
    axes.set_xlabel(f"×  played: {turn.move}      ○  better: {turn.best}\n{_line(turn.line)}", fontsize=10, labelpad=8)
    path.parent.mkdir(parents=True, exist_ok=True)
    picture.savefig(path, metadata={"Software": None})
    return path


def _line(line: Sequence[str]) -> str:
    return " ".join(line[:8]) + (" …" if len(line) > 8 else "")


def _draw_board(axes: Any, game: Game) -> None:
    size = game.size
    axes.set_facecolor(WOOD)
    axes.set_aspect("equal")
    for i in range(size):
        axes.plot([0, size - 1], [i, i], color=EDGE, linewidth=0.8, zorder=1)
        axes.plot([i, i], [0, size - 1], color=EDGE, linewidth=0.8, zorder=1)
    names = geometry(size)
    for point in names.handicap_points(names.max_handicap()) if names.max_handicap() else []:
        axes.plot(*_place(size, names.vertex(point)), "o", color=EDGE, markersize=3, zorder=1)
    for row, column in zip(*game.stones.nonzero(), strict=True):
        colour = "black" if game.stones[row, column] == BLACK else "white"
        _stone(axes, (int(column), size - 1 - int(row)), FACES[colour])
    last = game.moves[-1] if game.moves else None
    if last is not None and last.vertex != "pass" and game.at(last.vertex):
        tone = FACES["white" if last.colour == BLACK else "black"]
        axes.plot(*_place(size, last.vertex), "o", color=tone, markersize=45 / max(9, size), zorder=3)
    axes.set_xlim(-0.7, size - 0.3)
    axes.set_ylim(-0.7, size - 0.3)
    axes.set_xticks(range(size), COLUMNS[:size])
    axes.set_yticks(range(size), [str(i + 1) for i in range(size)])
    axes.tick_params(length=0, labelsize=10 if size < 14 else 8)
    for side in axes.spines.values():
        side.set_visible(False)


def _place(size: int, vertex: str) -> tuple[int, int]:
    """Where a vertex is drawn."""
    names = geometry(size)
    row, column = names.row_column(names.parse(vertex))
    return column, size - 1 - row


def _stone(axes: Any, place: tuple[int, int], face: str, alpha: float = 1.0) -> None:
    circle = lab_package("matplotlib.patches").Circle
    axes.add_patch(circle(place, RADIUS, facecolor=face, edgecolor="#1A1A1A", linewidth=0.8, alpha=alpha, zorder=2))


def _draw_move(axes: Any, size: int, vertex: str | None, face: str, mark: tuple[str, str]) -> None:
    """A stone that is not there yet, and a mark on it; a pass is not drawn."""
    if vertex is None or vertex == "pass":
        return
    place, (shape, colour) = _place(size, vertex), mark
    _stone(axes, place, face, 0.6)
    across = 4 + 75 / max(9, size)
    if shape == "o":  # a ring, in a wider one that sets it off from a dark stone
        for tone, width in (("white", 5), (colour, 2.5)):
            ring = {"markersize": across, "markerfacecolor": "none", "markeredgecolor": tone, "markeredgewidth": width}
            axes.plot(*place, shape, zorder=3, **ring)
    else:
        axes.plot(*place, shape, color=colour, markersize=across + 2, markeredgecolor="white", zorder=3)
