"""Whether a Game agrees with the reference, and its board record with the stones that stand on it."""

from __future__ import annotations

import random
from functools import cache
from typing import Any

from montego import Game
from montego.go.errors import UndoError
from reference import COLOURS, EMPTY, Chain, Point, Position, ReferenceGame, all_points, neighbours, vertex

# How the rule sets differ, told to the reference independently of the package: ko, suicide, handicap bonus.
RULE_SETS = {
    "chinese": ("SIMPLE", False, "N"),
    "chinese-ogs": ("POSITIONAL", False, "N"),
    "aga": ("SITUATIONAL", False, "N-1"),
    "tromp-taylor": ("POSITIONAL", True, "0"),
    "new-zealand": ("SITUATIONAL", True, "0"),
}

OFF_BOARD = 3
# The neighbours of a 3×3 code in its order: north, west, east, south, then the diagonals.
AROUND = ((-1, 0), (0, -1), (0, 1), (1, 0), (-1, -1), (-1, 1), (1, -1), (1, 1))


def both_games(size: int, rules: str, komi: float = 7.5) -> tuple[Game, ReferenceGame]:
    ko, suicide, bonus = RULE_SETS[rules]
    return Game(size, komi, rules), ReferenceGame(size, ko, suicide, bonus, komi)


@cache
def vertices(size: int) -> dict[Point, str]:
    return {point: vertex(size, point) for point in all_points(size)}


def snapshot(game: Game) -> dict[str, Any]:
    """All there is to see of a game, and how far it can be taken back."""
    board = game.board
    return {
        "board": {name: board[name].tobytes() for name in board.dtype.names},
        "size": game.size,
        "komi": game.komi,
        "rules": game.rules,
        "to play": game.to_play,
        "handicap": game.handicap,
        "captured": [game.captured(colour) for colour in COLOURS],
        "ko": game.ko,
        "moves": game.moves,
        "history": game.history.tolist(),
        "over": game.is_over,
        "result": game.result(),
        "undos": undos_left(game),
    }


def undos_left(game: Game) -> int:
    game = game.copy()
    count = 0
    while True:
        try:
            game.undo()
        except UndoError:
            return count
        count += 1


def compare(game: Game, reference: ReferenceGame) -> None:
    """Everything but the scores."""
    compare_state(game, reference)
    compare_chains(game, reference.position)
    check_record(game, reference.position)
    compare_legality(game, reference)


def compare_state(game: Game, reference: ReferenceGame) -> None:
    state = reference.state
    assert game.stones.ravel().tolist() == list(state.position.key)
    assert game.to_play == state.to_play
    assert game.ko == (vertices(game.size)[state.ko] if state.ko else None)
    assert {colour: game.captured(colour) for colour in COLOURS} == state.prisoners
    assert game.handicap == state.handicap
    assert game.is_over == reference.is_over
    assert game.komi == reference.komi


def compare_chains(game: Game, position: Position) -> None:
    names = vertices(game.size)
    for chain in position.chains:
        assert game.liberties(names[min(chain.stones)]) == len(chain.liberties)
    if position.chains:
        longest = sorted(max(position.chains, key=lambda chain: len(chain.stones)).stones)
        assert game.chain(names[longest[-1]]) == [names[p] for p in longest]


def compare_legality(game: Game, reference: ReferenceGame) -> None:
    names = vertices(game.size)
    for colour in COLOURS:
        expected = reference.reasons(colour)
        assert {point: game.why_illegal(names[point], colour) for point in expected} == expected
        assert game.legal_moves(colour) == [names[point] for point, why in expected.items() if why is None]


def compare_scores(game: Game, reference: ReferenceGame, rng: random.Random) -> None:
    """Area and territory, with nothing dead and with some chains dead."""
    names = vertices(game.size)
    stones = sorted(reference.position.chain_of)
    some = rng.sample(stones, min(len(stones), rng.randrange(4)))
    japanese = game.copy()
    japanese.rules = "japanese"
    for dead in ([], some) if some else ([],):
        black, white = reference.area(dead)
        score = game.score([names[point] for point in dead])
        assert (score.black, score.white) == (black, white + reference.compensation())
    black, white = reference.territory(some)
    score = japanese.score([names[point] for point in some])
    assert (score.black, score.white) == (black, white + reference.komi)


# --- the board record: every field against its documented meaning --------------------------------------------


@cache
def point_numbers(size: int) -> dict[Point, int]:
    return {(row, column): (row + 1) * (size + 1) + column + 1 for row, column in all_points(size)}


def pair(number: int) -> int:
    """What one pair of a stone and an empty neighbour adds to a chain's packed liberties."""
    return 1 << 48 | number << 28 | number * number


def check_record(game: Game, position: Position) -> None:
    board = game.board[0]
    check_points(board, position)
    check_empty_points(board, position)
    check_chains(board, position)
    check_atari_list(board)


def check_points(board: Any, position: Position) -> None:
    numbers, stones = point_numbers(position.size), position.stones
    colours = dict(enumerate(board.colour.tolist()))
    assert {p: colours.pop(numbers[p]) for p in stones} == stones
    assert set(colours.values()) == {OFF_BOARD}
    codes = board.code.tolist()
    for (row, column), number in numbers.items():
        cells = [stones.get((row + down, column + right), OFF_BOARD) for down, right in AROUND]
        assert codes[number] == sum(cell << 2 * i for i, cell in enumerate(cells))


def check_empty_points(board: Any, position: Position) -> None:
    numbers = point_numbers(position.size)
    empty, places = board.empty[: board.empty_count].tolist(), board.empty_at.tolist()
    assert sorted(empty) == sorted(numbers[p] for p, colour in position.stones.items() if colour == EMPTY)
    assert [places[number] for number in empty] == list(range(len(empty)))


def check_chains(board: Any, position: Position) -> None:
    numbers = point_numbers(position.size)
    names = dict(enumerate(board.chain.tolist()))
    following, sizes, liberties = board.next_stone.tolist(), board.stones.tolist(), board.liberties.tolist()
    listed = set(board.atari[: board.atari_count].tolist())
    for chain in position.chains:
        stones = {numbers[p] for p in chain.stones}
        (name,) = {names.pop(number) for number in stones}
        assert name in stones
        assert sizes[name] == len(stones)
        assert sorted(stones_round(name, following)) == sorted(stones)
        assert liberties[name] == packed_liberties(position, chain)
        assert len(chain.liberties) > 1 or name in listed
    assert not any(names.values())  # no chain on empty points and off the board


def stones_round(name: int, following: list[int]) -> list[int]:
    """The stones of a chain by its circular list."""
    stones = [name]
    while following[stones[-1]] != name:
        stones.append(following[stones[-1]])
        assert len(stones) <= len(following)
    return stones


def packed_liberties(position: Position, chain: Chain) -> int:
    numbers = point_numbers(position.size)
    pairs = [p for p in chain.liberties for stone in neighbours(position.size, p) if stone in chain.stones]
    return sum(pair(numbers[p]) for p in pairs)


def check_atari_list(board: Any) -> None:
    """`listed` says which chains stand in `atari`, none twice."""
    chains = board.atari[: board.atari_count].tolist()
    assert sorted(chains) == [number for number, flag in enumerate(board.listed.tolist()) if flag]
