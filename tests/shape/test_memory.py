"""A fixed value function as one record says what the object says; which weights go into it, and which cannot."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from learned_weights import random_value
from montego.go.game import Game
from montego.go.geometry import geometry
from montego.shape import ShapeError, ShapeValue, shipped, shipped_weights
from montego.shape.memory import fitted, new_memories
from montego.shape.value import DIRECT, afterstates, scan


def check(value: ShapeValue, game: Game) -> None:
    """The record's values of all moves are the object's."""
    memory, board, names = new_memories(value, game.size)[0], game.board[0], geometry(game.size)
    moves = np.array([names.parse(vertex) for vertex in game.legal_moves()], np.uint16)
    scan(memory, memory, memory.table, DIRECT, board)
    afterstates(
        memory, memory, memory.table, DIRECT, board, np.uint64(game.to_play), moves, np.uint64(len(moves)), memory.sums
    )
    found = {names.vertex(int(p)): 1 / (1 + np.exp(-x)) for p, x in zip(moves, memory.sums, strict=False)}
    assert found | {"pass": 1 / (1 + np.exp(-memory.total))} == pytest.approx(value.afterstates(game), abs=1e-6)


@pytest.mark.parametrize(("size", "sets"), [(2, "ld+li"), (3, "ld"), (5, "ld+li"), (5, "ld"), (9, "li"), (13, "li")])
def test_the_record_agrees_with_the_object(size: int, sets: str) -> None:
    value, game, generator = random_value(size, sets), Game(size, rules="chinese"), np.random.default_rng(2)
    for number in range(2 * size * size):
        if number % max(1, size * size // 8) == 0:
            check(value, game)
        game.play(generator.choice(game.legal_moves() or ["pass"]))
        if game.is_over:
            break


def test_weights_without_locations_serve_every_board() -> None:
    value, only = random_value(9), ShapeValue(9, "rlgo-1.0", "li")
    only.start_from(value)
    stones = np.zeros((13, 13), int)
    stones[3:6, 4:7] = [[1, 2, 0], [0, 1, 1], [2, 0, 1]]
    assert fitted(value, 9) is value
    assert fitted(value, 13).value(stones) == pytest.approx(fitted(only, 13).value(stones))
    assert fitted(value, 13).value(stones) != 0.5
    assert fitted(only, 5).features.sets == "ld+li" and fitted(random_value(13), 13).features.sets == "li"


@pytest.mark.parametrize("value", [random_value(5, windows="full"), random_value(5, "ld"), random_value(13, "ld")])
def test_weights_that_cannot_be_used(value: ShapeValue) -> None:
    with pytest.raises(ShapeError, match=r"accepted: those of rlgo-1.0|no location-independent weights"):
        new_memories(value, 13)


def test_memories_are_apart() -> None:
    memories = new_memories(random_value(5), 5, 3, randomness=0.25)
    assert (memories["randomness"] == 0.25).all()
    memories[1].total = 7.0
    assert memories["total"].tolist() == [0.0, 7.0, 0.0]


# --- which weights ----------------------------------------------------------------------------------------------


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(shipped, "FOLDER", tmp_path)
    return tmp_path


def test_missing_weights_say_how_to_make_them(folder: Path) -> None:
    with pytest.raises(ShapeError, match=r"rlgo-9x9.npz is missing; `montego train rlgo` makes such a file"):
        shipped_weights(7)


def test_the_nearest_size_is_taken(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shipped, "SIZES", (9, 13, 19))
    made = {size: random_value(size, "ld+li" if size == 9 else "li") for size in shipped.SIZES}
    for size, value in made.items():
        value.save(shipped.shipped_file(size))
        assert (shipped_weights(size).theta == value.theta).all()
    nearest = {2: 9, 5: 9, 8: 9, 10: 9, 11: 9, 12: 13, 14: 13, 16: 13, 17: 19, 18: 19}
    for size, source in nearest.items():
        value = shipped_weights(size)
        assert value.size == size and value.features.sets == "li"
        expected = ShapeValue(size, "rlgo-1.0", "li")
        expected.start_from(made[source])
        assert (value.theta == expected.theta).all()


def test_a_fingerprint_names_the_weights(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shipped, "SIZES", (9,))
    random_value(9).save(shipped.shipped_file(9))
    before = shipped.fingerprint(shipped.SHIPPED)
    random_value(9, spread=0.5).save(shipped.shipped_file(9))
    os.utime(shipped.shipped_file(9), ns=(1, 1))
    assert len(before) == 12 and shipped.fingerprint(shipped.SHIPPED) != before


def test_a_file_is_read_again_when_it_has_changed(folder: Path) -> None:
    path = folder / "own.npz"
    random_value(5).save(path)
    first = shipped.weights_of(str(path), 5)
    first.theta = first.theta * 2  # somebody's own copy
    assert (shipped.weights_of(str(path), 5).theta == random_value(5).theta).all()
    random_value(5, spread=0.5).save(path)
    os.utime(path, ns=(1, 1))
    assert (shipped.weights_of(str(path), 5).theta == random_value(5, spread=0.5).theta).all()


@pytest.mark.parametrize("content", [b"", b"junk", b"PK\x03\x04", None])
def test_damaged_files(folder: Path, content: Any) -> None:
    path = folder / "own.npz"
    if content is None:
        path.mkdir()
    else:
        path.write_bytes(content)
    with pytest.raises(ShapeError, match="is not a file of weights"):
        shipped.weights_of(str(path), 5)
    with pytest.raises(ShapeError, match="there is no file of weights"):
        shipped.weights_of(str(folder / "other.npz"), 5)
    with pytest.raises(ShapeError):
        shipped.weights_of("no\0path", 5)
