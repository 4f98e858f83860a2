"""Text files of positions that a Go player can read and extend: titles, boards, and lines below them.

    == Snapback
    komi 8.5             // anything behind // is a comment
    5 . . . . .
    4 . . . . .
    3 X X X . .
    2 O O X O .
    1 . . O O .
      A B C D E
    black to play
    best black B1

Here a position is read up to its board; what the lines below it mean is the reader's business.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TypeVar

from montego.go.errors import MontegoError, PositionError, shown
from montego.go.game import Game
from montego.go.geometry import COLUMNS

TITLE, COMMENT = "== ", "//"
HEADERS = ("rules", "komi", "black", "white")
"""The first words of the lines that say how the game starts."""
MAX_FILE = 10_000_000
"""The longest file that is looked at, in bytes."""

T = TypeVar("T")


@dataclass(frozen=True)
class Line:
    """A line of a file with its comment cut off."""

    file: str
    number: int
    text: str

    @property
    def where(self) -> str:
        return f"{self.file}:{self.number}: {self.text[:200]}"

    @property
    def words(self) -> list[str]:
        return self.text.split()

    def wrong(self, why: str) -> PositionError:
        return PositionError(f"{self.where}\n{why}")

    def call(self, action: Callable[[], T]) -> T:
        """Run an action; what it refuses is told with this line."""
        try:
            return action()
        except MontegoError as error:
            raise self.wrong(str(error)) from error


@dataclass
class Position:
    """A title, how the game starts, and the lines below: each alone, but the rows of a further board together."""

    title: Line
    rules: str = "chinese"
    komi: float = 7.5
    to_play: str = "black"
    diagram: list[Line] = field(default_factory=list)
    below: list[list[Line]] = field(default_factory=list)

    @property
    def name(self) -> str:
        return self.title.text.removeprefix(TITLE)

    def start(self) -> Game:
        """The game before the first line below the board."""
        start = partial(Game.from_diagram, board_text(self.diagram), self.to_play, self.komi, self.rules)
        return self.diagram[0].call(start)


def read_positions(path: Path) -> list[Position]:
    """All positions of a file."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_FILE + 1)
        text = data.decode("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise PositionError(f"{path.name} cannot be read: {type(error).__name__}: {error}") from None
    if len(data) > MAX_FILE:
        raise PositionError(f"{path.name} is too long; accepted: at most {MAX_FILE} bytes")
    return parse_positions(path.name, text)


def parse_positions(file: str, text: str) -> list[Position]:
    """All positions of a text; the name of its file is for messages."""
    positions = [_position(lines) for lines in _split(_meaningful(file, text))]
    titles: set[str] = set()
    for position in positions:
        if position.name in titles:
            raise position.title.wrong("the title occurs twice in this file")
        titles.add(position.name)
    return positions


def _meaningful(file: str, text: str) -> Iterator[Line]:
    for number, raw in enumerate(text.splitlines(), 1):
        stripped = raw.split(COMMENT)[0].strip()
        if stripped:
            yield Line(file, number, stripped)


def _split(lines: Iterable[Line]) -> list[list[Line]]:
    """The lines of each position, its title first."""
    found: list[list[Line]] = []
    for line in lines:
        if line.text.startswith(TITLE):
            found.append([line])
        elif found:
            found[-1].append(line)
        else:
            raise line.wrong(f"a file starts with a title: {TITLE}What it is about")
    return found


def _position(lines: list[Line]) -> Position:
    position = Position(lines[0])
    for part in _grouped(lines[1:]):
        if _is_board_row(part[0]) and not position.diagram:
            position.diagram = part
        elif part[0].words[0] in HEADERS:
            _header(position, part[0])
        else:
            position.below.append(part)
    if not position.diagram or not position.below:
        raise position.title.wrong("a position has a diagram and at least one line below it")
    return position


def _grouped(lines: list[Line]) -> Iterator[list[Line]]:
    """The rows of a board in one list, every other line in a list of its own."""
    rows: list[Line] = []
    for line in lines:
        if _is_board_row(line):
            rows.append(line)
            continue
        if rows:
            yield rows
            rows = []
        yield [line]
    if rows:
        yield rows


def _is_board_row(line: Line) -> bool:
    """Whether this is a row of points, or the letters above or below them."""
    signs = "".join(line.words).strip("0123456789")
    return bool(signs) and (set(signs) <= set("XO.#+,*") or signs == COLUMNS[: len(signs)] != "A")


def is_board(part: list[Line]) -> bool:
    """Whether some lines below the board are one more board."""
    return _is_board_row(part[0])


def board_text(rows: list[Line]) -> str:
    return "\n".join(row.text for row in rows)


def _header(position: Position, line: Line) -> None:
    words = line.words
    if position.below:
        raise line.wrong("this line belongs above the first move and assertion")
    if words[0] == "rules" and len(words) == 2:
        position.rules = words[1]
    elif words[0] == "komi" and len(words) == 2:
        position.komi = decimal(line, words[1])
    elif words[1:] == ["to", "play"]:
        position.to_play = words[0]
    else:
        raise line.wrong("accepted: rules NAME, komi NUMBER, black to play, white to play")


def decimal(line: Line, word: str) -> float:
    try:
        return float(word)
    except ValueError:
        raise line.wrong(f"{shown(word)} is not a number") from None
