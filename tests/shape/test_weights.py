"""The value function as an object: values of games, checked weights, files that come back whole or not at all."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from montego.go.errors import MontegoError
from montego.go.game import Game
from montego.patterns.files import KnowledgeError, checksum
from montego.shape import Provenance, ShapeError, ShapeValue

PROVENANCE = Provenance("TD(0) self-play", "2026-11-30", seed=7, games=1000, settings={"alpha": 0.1, "plies": [1, 2]})


def trained(size: int = 5, windows: Any = "rlgo-1.0", sets: str = "ld+li") -> ShapeValue:
    value = ShapeValue(size, windows, sets)
    value.theta = np.random.default_rng(1).normal(0, 0.1, value.features.weight_count)
    value.provenance = PROVENANCE
    return value


# --- values of games --------------------------------------------------------------------------------------------


def check_game(value: ShapeValue, game: Game) -> None:
    found = value.afterstates(game)
    assert set(found) == {*game.legal_moves(), "pass"}
    for vertex, probability in found.items():
        after = game.copy()
        after.play(vertex)
        assert probability == pytest.approx(value.value(after), abs=1e-12), f"{vertex}\n{game}"


@pytest.mark.parametrize("rules", ["tromp-taylor", "japanese"])
def test_afterstates_of_a_game(rules: str) -> None:
    """With suicide and positional superko, and without."""
    value, game, generator = trained(), Game(5, rules=rules), np.random.default_rng(3)
    for number in range(60):
        if number % 4 == 0:
            check_game(value, game)
        game.play(generator.choice(game.legal_moves() or ["pass"]))
    assert game.captured("black") + game.captured("white") > 10


def test_suicide_where_the_rules_allow_it() -> None:
    diagram = "O . X . .\n X X . . .\n . . . . .\n . . . . .\n . . . . ."
    allowed = Game.from_diagram(diagram, to_play="white", rules="tromp-taylor")
    left = allowed.stones
    left[0, 0] = 0
    assert trained().afterstates(allowed)["B5"] == pytest.approx(trained().value(left), abs=1e-12)
    assert "B5" not in trained().afterstates(Game.from_diagram(diagram, to_play="white", rules="chinese"))


def test_without_weights_every_value_is_even() -> None:
    assert set(ShapeValue(5).afterstates(Game(5)).values()) == {0.5}


@pytest.mark.parametrize(
    "position", [Game(9), None, "X", [[1]], np.full((5, 5), 3), np.zeros((5, 4)), [[1], [2, 3]], {}]
)
def test_impossible_positions(position: Any) -> None:
    with pytest.raises(ShapeError, match="accepted"):
        trained().value(position)
    with pytest.raises(ShapeError, match="accepted"):
        trained().afterstates(position)


# --- weights ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("theta", [None, [], "x", [[1.0]], 1, np.zeros(13136), [np.nan] * 13135, [1e300] * 13135, {}])
def test_impossible_weights(theta: Any) -> None:
    value = trained()
    before = value.theta
    with pytest.raises(ShapeError, match="accepted: 13135 finite numbers"):
        value.theta = theta
    assert (value.theta == before).all()


def test_a_copy_is_its_own() -> None:
    value = trained(sets="li")
    twin = value.copy()
    assert (twin.weights == value.weights).all() and twin.provenance == PROVENANCE
    twin.theta = twin.theta * 2
    assert (twin.theta == 2 * value.theta).all()


def test_location_independent_weights_start_another_size() -> None:
    small, large = trained(5, "full"), trained(9, "rlgo-1.0", "ld+li")
    only = ShapeValue(9, "rlgo-1.0", "li")
    only.start_from(small)
    large.start_from(small)
    stones = np.zeros((9, 9), int)
    stones[2:5, 3:6] = [[1, 2, 0], [0, 1, 1], [2, 0, 1]]
    shared = ShapeValue(5, "rlgo-1.0", "li")
    shared.start_from(small)
    assert (shared.theta == only.theta).all() and np.count_nonzero(only.theta) == 1427
    assert only.value(stones) == pytest.approx(large.value(stones), abs=1e-12) and abs(only.value(stones) - 0.5) > 1e-3
    blocks = {block.window[:2]: block.span for block in small.features.blocks if block.set == "li"}
    assert (only.theta == np.concatenate([small.theta[blocks[side, side]] for side in (1, 2, 3)])).all()
    assert only.provenance == PROVENANCE


def test_nothing_to_start_from() -> None:
    value = trained()
    before = value.theta
    for other in (trained(9, "rlgo-1.0", "ld"), trained(5, [(2, 3), (3, 2)]), None, "li"):
        with pytest.raises(ShapeError):
            value.start_from(other)  # type: ignore[arg-type]
    assert (value.theta == before).all()


@pytest.mark.parametrize(
    "fields",
    [{"trainer": 3}, {"date": None}, {"seed": 1.5}, {"games": "1"}, {"settings": [1]}, {"settings": {"a": {1}}},
     {"settings": {"a": np.nan}}],
)  # fmt: skip
def test_impossible_provenance(fields: dict[str, Any]) -> None:
    with pytest.raises(KnowledgeError, match="accepted"):
        Provenance(**fields)


# --- files ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("size", "windows", "sets"), [(5, "rlgo-1.0", "ld+li"), (19, "full", "li"), (2, [(1, 1), (2, 2)], "ld")]
)
def test_a_file_comes_back_as_it_was(tmp_path: Path, size: int, windows: Any, sets: str) -> None:
    value, path = trained(size, windows, sets), tmp_path / "weights.npz"
    value.save(path)
    again = ShapeValue.load(path)
    assert again.features is value.features
    assert (again.weights == value.weights).all() and again.weights.dtype == np.float32
    assert again.provenance == PROVENANCE
    assert [entry.name for entry in tmp_path.iterdir()] == ["weights.npz"]


def test_a_file_names_its_checksum_and_origin(tmp_path: Path) -> None:
    value = trained()
    value.save(tmp_path / "weights.npz")
    with np.load(tmp_path / "weights.npz", allow_pickle=False) as arrays:
        about = json.loads(str(arrays["about"]))
    assert about["sha256"] == checksum(value.theta) and len(about["sha256"]) == 64
    assert about["provenance"] == {
        "trainer": "TD(0) self-play", "date": "2026-11-30", "seed": 7, "games": 1000,
        "settings": {"alpha": 0.1, "plies": [1, 2]},
    }  # fmt: skip


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    (tmp_path / "folder.npz").mkdir()
    (tmp_path / "file").write_text("kept")
    for path in (tmp_path / "none" / "weights.npz", tmp_path / "file" / "weights.npz", tmp_path / "folder.npz"):
        with pytest.raises(ShapeError, match="cannot be written"):
            trained().save(path)
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["file", "folder.npz"]


def about_5(**changes: Any) -> dict[str, Any]:
    value = trained()
    windows = [list(shape) for shape in value.features.windows]
    right = {"format": "montego shape weights 1", "sha256": checksum(value.theta), "size": 5, "windows": windows}
    return {**right, "sets": "ld+li", "provenance": {}, **changes}


def packed(path: Path, **arrays: Any) -> None:
    np.savez_compressed(path, **{"theta": trained().theta, "about": np.array(json.dumps(about_5())), **arrays})


def huge_header() -> bytes:
    header = io.BytesIO()
    shape = {"descr": "<f4", "fortran_order": False, "shape": (1 << 60,)}
    np.lib.format.write_array_header_1_0(header, shape)
    return header.getvalue()


def zipped(path: Path, **entries: bytes) -> None:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in entries.items():
            archive.writestr(f"{name}.npy", content)


HOSTILE: dict[str, Callable[[Path], None]] = {
    "empty": lambda path: path.write_bytes(b"") and None,
    "text": lambda path: path.write_text("weights") and None,
    "one array": lambda path: path.write_bytes(huge_header()) and None,
    "pickle": lambda path: packed(path, theta=np.array([{}], object)),
    "pickled text": lambda path: packed(path, about=np.array({}, object)),
    "no theta": lambda path: np.savez(path, about=np.array(json.dumps(about_5()))),
    "one too many": lambda path: packed(path, more=np.zeros(1)),
    "float64": lambda path: packed(path, theta=trained().theta.astype(float)),
    "two dimensions": lambda path: packed(path, theta=np.zeros((2, 2), np.float32)),
    "other weights": lambda path: packed(path, theta=trained().theta * 2),
    "too few": lambda path: packed(path, theta=trained().theta[1:]),
    "huge header": lambda path: zipped(path, theta=huge_header(), about=b""),
    "bomb": lambda path: zipped(path, theta=b"0" * (1 << 25), about=b""),
    "no array": lambda path: zipped(path, theta=b"weights", about=b"{}"),
    "junk": lambda path: zipped(path, theta=b"\x93NUMPY\x01\x00\xff\xff{", about=b""),
    "no json": lambda path: packed(path, about=np.array("{")),
    "deep json": lambda path: packed(path, about=np.array("[" * 100_000)),
    "a list": lambda path: packed(path, about=np.array("[]")),
    "another format": lambda path: packed(path, about=np.array(json.dumps(about_5(format="other")))),
    "no size": lambda path: packed(path, about=np.array(json.dumps(about_5(size=None)))),
    "size 99": lambda path: packed(path, about=np.array(json.dumps(about_5(size=99)))),
    "another size": lambda path: packed(path, about=np.array(json.dumps(about_5(size=9)))),
    "windows": lambda path: packed(path, about=np.array(json.dumps(about_5(windows=[[[1], 2]])))),
    "sets": lambda path: packed(path, about=np.array(json.dumps(about_5(sets="all")))),
    "provenance": lambda path: packed(path, about=np.array(json.dumps(about_5(provenance={"author": 1})))),
    "no provenance": lambda path: packed(path, about=np.array(json.dumps(about_5(provenance=None)))),
    "not finite": lambda path: packed(
        path,
        theta=np.full(13135, np.inf, np.float32),
        about=np.array(json.dumps(about_5(sha256=checksum(np.full(13135, np.inf, np.float32))))),
    ),
}


@pytest.mark.parametrize("kind", HOSTILE)
def test_hostile_files_are_refused(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "weights.npz"
    packed(path)
    assert (ShapeValue.load(path).theta == trained().theta).all(), "the recipe itself is right"
    HOSTILE[kind](path)
    with pytest.raises(ShapeError, match=r"weights\.npz"):
        ShapeValue.load(path)


def test_no_such_file(tmp_path: Path) -> None:
    for path in (tmp_path / "none.npz", tmp_path):
        with pytest.raises(ShapeError):
            ShapeValue.load(path)


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(data=st.data())
def test_damaged_files_are_refused_or_whole(tmp_path: Path, data: st.DataObject) -> None:
    """Bytes changed, cut off or put in anywhere: never other weights than those saved, never another kind of error."""
    value, path = trained(2), tmp_path / "weights.npz"
    value.save(path)
    content = bytearray(path.read_bytes())
    at = data.draw(st.integers(0, len(content) - 1))
    end = at + data.draw(st.sampled_from([0, 1, 4, len(content)]))
    content[at:end] = data.draw(st.binary(max_size=4))
    path.write_bytes(content)
    try:
        again = ShapeValue.load(path)
    except MontegoError:
        return
    assert again.features is value.features and (again.weights == value.weights).all()
