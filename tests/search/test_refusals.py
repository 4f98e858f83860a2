"""What is refused: every message names the field, what was given and what is accepted. What is accepted can search."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import montego
from learned_weights import weights_file
from montego.go.errors import ConfigError, IllegalMove, MontegoError
from montego.go.game import Game
from montego.players.presets import PRESETS
from montego.players.spec import parse_spec
from montego.playout.parts import PLAYOUTS, RULED
from montego.search.config import (
    ALLOCATIONS,
    AMAF,
    AMAF_WEIGHTS,
    BIASES,
    BONUSES,
    CHOICES,
    CONFIDENCES,
    EXPANSIONS,
    FIELDS,
    HEURISTICS,
    KOMI,
    MOVES,
    OUTCOMES,
    SCHEDULES,
    SIMULATIONS,
    SearchConfig,
)
from montego.search.search import Search
from montego.shape.memory import DEEPEST
from tree_checks import check_tree

WORDS: dict[str, Any] = {
    "policy": PLAYOUTS,
    "simulation": SIMULATIONS,
    "schedule": SCHEDULES,
    "amaf": AMAF,
    "amaf_weight": AMAF_WEIGHTS,
    "bonus": BONUSES,
    "allocation": ALLOCATIONS,
    "heuristic": HEURISTICS,
    "confidence": CONFIDENCES,
    "expand": EXPANSIONS,
    "moves": MOVES,
    "dynamic_komi": KOMI,
    "bias_by": BIASES,
    "outcome": OUTCOMES,
    **CHOICES,
}
NUMBERS = {  # the least and the most that is accepted
    "randomness": (0.0, 1e6),
    "alpha": (0.0, 10.0),
    "decay": (0.0, 1.0),
    "equivalence": (1e-9, 1e12),
    "bias": (0.0, 10.0),
    "amaf_half_life": (4.0, 1e6),
    "exploration": (0.0, 1e6),
    "sharpness": (0.1, 20.0),
    "final_errors": (0.0, 1e6),
    "final_share": (0.0, 1.0),
    "fpu": (0.0, math.inf),
    "neighbours": (0.0, 1e6),
    "pruning": (0.0, 1e6),
    "criticality": (0.0, 1e9),
    "progressive_bias": (0.0, 1e6),
    "puct": (0.0, 1e6),
    "widening": (0.0, 1e9),
    "komi_until": (0.0, 0.6),
    "komi_per_stone": (0.0, 100.0),
    "komi_low": (0.0, 1.0),
    "komi_high": (0.0, 1.0),
    "widening_growth": (1.0, 1e6),
    "prior_mc": (0.0, 1e9),
    "prior_amaf": (0.0, 1e9),
    "max_weight": (0.0, 1.0),
}
WHOLES = {
    "plies": (1, 2),
    "greedy_plies": (1, (1 << 31) - 1),
    "depth": (1, DEEPEST),
    "pruning_after": (2, 1 << 30),
    "expand_after": (1, 1 << 30),
    "exploration_after": (0, 1 << 50),
    "criticality_after": (0, 1 << 50),
    "widening_first": (1, 362),
    "komi_step": (1, 100),
    "select": (1, 361),
    "read_up_to": (0, 19),
    "virtual_loss": (0, 1000),
    "memory": (1, 1 << 20),
    "max_length": (0, (1 << 31) - 1),
    "mercy": (0, (1 << 31) - 1),
}
SWITCHES = ("fpu_grandfather", "reuse", "solver")
TEXTS = ("weights", "urgencies", "strengths")
COMPANIONS: dict[str, dict[str, Any]] = {  # what a word needs beside it
    "ucb1-rave": {"schedule": "rave"},
    "default-policy": {"schedule": "rave"},
    "selected": {"heuristic": "even"},
    "progressive_bias": {"heuristic": "even"},
    "puct": {"heuristic": "even"},
    "widening": {"heuristic": "even"},
    "td": {"schedule": "heuristic", "heuristic": "alpha-beta"},
}


def refused(field: str, value: Any) -> str:
    """The message, which must name the field and what it accepts, and be short."""
    with pytest.raises(ConfigError, match=rf"^{field} is .*; accepted: ") as caught:
        SearchConfig(**{field: value})
    message = str(caught.value)
    assert "\n" not in message and len(message) < 300
    return message


def test_every_field_is_known_here() -> None:
    assert set(FIELDS) == {*WORDS, *NUMBERS, *WHOLES, *SWITCHES, *TEXTS, "rules"}


@pytest.mark.parametrize("wrong", [None, 3, "nakade", {"nakade": 1.0}, True])
def test_rules(wrong: Any) -> None:
    assert "accepted: PlayoutRules" in refused("rules", wrong)


@pytest.mark.parametrize("field", WORDS)
def test_words(field: str) -> None:
    for word in WORDS[field]:
        companion = COMPANIONS.get(word, {})
        assert getattr(SearchConfig(**{field: word, **companion}), field) == word
    for wrong in ("", "no-such", " uniform", "UCB1", None, 3, True, ["mogo"], b"mogo", "a\nb", "x" * 1000):
        message = refused(field, wrong)
        assert all(word in message for word in WORDS[field])


NO_NUMBERS = ("1", "", None, True, False, [1], 1j, math.nan, -math.inf, b"1", {})


@pytest.mark.parametrize("field", NUMBERS)
def test_numbers(field: str) -> None:
    least, most = NUMBERS[field]
    for right in (least, most, min(most, max(least, 1)), np.float64(min(most, max(least, 1)))):
        assert getattr(SearchConfig(**{field: right, **COMPANIONS.get(field, {})}), field) == right
    for wrong in (*NO_NUMBERS, least - 1e-6, -1, -1e-9, np.nan, -np.float64(1), np.array([1.0, 2.0])):
        assert "number" in refused(field, wrong)
    if most < math.inf:
        refused(field, most * 1.01)
        refused(field, math.inf)
        refused(field, 10**400)


def test_equivalence_is_above_0() -> None:
    assert refused("equivalence", 0) == refused("equivalence", 0.0).replace("0.0", "0")


@pytest.mark.parametrize("field", WHOLES)
def test_whole_numbers(field: str) -> None:
    least, most = WHOLES[field]
    for right in (least, least + 1, most, np.int64(least)):
        assert getattr(SearchConfig(**{field: right}), field) == right
    for wrong in (*NO_NUMBERS, least - 1, most + 1, -(1 << 80), 1 << 80, 2.0, 2.5, math.inf, np.float64(3)):
        message = refused(field, wrong)
        assert f"a whole number from {least} to {most}" in message


@pytest.mark.parametrize("field", SWITCHES)
def test_switches(field: str) -> None:
    for wrong in (0, 1, "true", None, "", np.int64(1)):
        assert "true or false" in refused(field, wrong)


def test_weights() -> None:
    for wrong in (None, 0, True, b"shipped", ""):
        assert "shipped, none, or the path of a file" in refused("weights", wrong)


def test_urgencies() -> None:
    for wrong in (None, 0, True, b"shipped", ""):
        assert "shipped, zero, manual, or the path of a file" in refused("urgencies", wrong)


@pytest.mark.parametrize(
    ("policy", "wrong", "accepted"),
    [("rlgo-epsilon", 1.1, "0 to 1"), ("rlgo-sigma", -0.1, "0 to 1e"), ("rlgo-tau", 0.0, "1e-06 to 1e")],
)
def test_what_randomness_means_depends_on_the_policy(policy: str, wrong: float, accepted: str) -> None:
    with pytest.raises(ConfigError, match=rf"^randomness is {wrong}; accepted: a number from {accepted}"):
        SearchConfig(policy=policy, randomness=wrong)


def test_parts_that_need_amaf_values() -> None:
    for field, word in (("bonus", "ucb1-rave"), ("allocation", "default-policy")):
        with pytest.raises(ConfigError, match=f"{field} '{word}' needs AMAF values; accepted with it: any schedule"):
            SearchConfig(schedule="none", **{field: word})
    for schedule in ("none", "heuristic"):
        with pytest.raises(ConfigError, match="criticality needs AMAF values; accepted with it: any schedule but"):
            SearchConfig(schedule=schedule, criticality=1.0)


@pytest.mark.parametrize(
    "config",
    [{"moves": "selected", "heuristic": "even"}, {"outcome": "score"}, {"allocation": "equal"}],
)
def test_what_cannot_be_proven(config: dict[str, Any]) -> None:
    with pytest.raises(ConfigError, match=r"^solver needs whole nodes .*; accepted with it: moves legal or sensible"):
        SearchConfig(solver=True, **config)


@pytest.mark.parametrize("field", ["progressive_bias", "widening"])
def test_parts_that_need_a_heuristic(field: str) -> None:
    with pytest.raises(ConfigError, match=f"^{field} needs a heuristic to go by; accepted with it: any but none"):
        SearchConfig(**{field: 1.0})


def test_unknown_fields() -> None:
    with pytest.raises(TypeError):
        SearchConfig(no_such=1)  # type: ignore[call-arg]


@pytest.mark.parametrize("threads", [0, -1, 257, 1.0, True, "2", None, 1 << 70])
def test_threads(threads: Any) -> None:
    for make in (lambda: Search(5, SearchConfig(), threads=threads), lambda: montego.player(threads=threads)):
        with pytest.raises(ConfigError, match=r"threads is .*; accepted: a whole number from 1 to 256"):
            make()


@pytest.mark.parametrize("seed", ["1", None, 1.0, True, [1]])
def test_seeds(seed: Any) -> None:
    with pytest.raises(MontegoError, match=r"seed.*; accepted: a whole number"):
        montego.player(seed=seed)


def test_sizes() -> None:
    for size in (1, 20, 5.0, "9", None, True):
        with pytest.raises(MontegoError, match="accepted: 2 to 19"):
            Search(size, SearchConfig())  # type: ignore[arg-type]
    search = Search(5, SearchConfig())
    with pytest.raises(ConfigError, match="a game on 9×9; accepted: the size of this search, 5"):
        search.set_position(Game(9))
    search.set_position(Game(5))  # the refusal has changed nothing
    assert search.run(10) == 10


@pytest.mark.parametrize("field", ["simulations", "seconds"])
def test_budgets(field: str) -> None:
    wrong: tuple[Any, ...] = (0, -1, "10", True, math.nan, [5])
    wrong += (1.5, 1 << 50) if field == "simulations" else (math.inf, 1e12)
    game, ready = Game(5), montego.player("mogo-rave", simulations=10)
    for value in wrong:
        for use in (lambda v: montego.player(**{field: v}), lambda v: ready.analyse(game, **{field: v})):
            with pytest.raises(ConfigError, match=f"{field} is .*; accepted: a .*number"):
                use(value)


def test_a_game_that_is_over() -> None:
    game = Game(5)
    game.play("pass")
    game.play("pass")
    with pytest.raises(IllegalMove, match="the game is over; accepted"):
        montego.player("mogo-rave", simulations=10).choose(game)


# --- presets -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["", "no-such", "House", "house ", "house;bias=1", None, 5])
def test_unknown_presets(name: Any) -> None:
    with pytest.raises(ConfigError, match=r"there is no preset .*; accepted: .*house"):
        montego.player(name)


@pytest.mark.parametrize("spec", ["house:bias", "house:=1", "house:bias=", "house: = ", "house:bias=0.1,fpu"])
def test_what_is_no_setting(spec: str) -> None:
    with pytest.raises(ConfigError, match="is no setting; accepted: PRESET:field=value"):
        montego.player(spec)


@pytest.mark.parametrize("field", ["no_such", "seed", "threads", "name", "__class__", "bias "])
def test_unknown_fields_of_a_preset(field: str) -> None:
    if field.strip() == "bias":  # blanks around a field are no part of it
        assert montego.player(f"house: {field} = 0.25 ").config.bias == 0.25
        return
    with pytest.raises(ConfigError, match=f"house has no field '{field}'; accepted: policy, .*, mercy"):
        montego.player(f"house:{field}=1")


@pytest.mark.parametrize(
    ("setting", "accepted"),
    [
        ("bias=x", "a number"),
        ("bias=nan", "a number from 0 to 10"),
        ("bias=-1", "a number from 0 to 10"),
        ("expand_after=0", "a whole number from 1"),
        ("expand_after=2.0", "a whole number"),
        ("expand_after=two", "a whole number"),
        ("reuse=1", "true or false"),
        ("reuse=yes", "true or false"),
        ("policy=no-such", "uniform, mogo"),
        ("heuristic=7", "none, even"),
        ("memory=1e3", "a whole number"),
        ("equivalence=0", "a number above 0"),
    ],
)
def test_bad_values_in_a_spec(setting: str, accepted: str) -> None:
    field = setting.partition("=")[0]
    with pytest.raises(ConfigError, match=rf"^{field} is .*; accepted: .*{accepted}"):
        montego.player(f"house:{setting}")


def test_values_of_a_spec_have_the_types_of_their_fields() -> None:
    made = montego.player("house:reuse=FALSE,bias=1e-3,expand_after=7,fpu=inf,policy=uniform,memory=9").config
    assert (made.reuse, made.bias, made.expand_after, made.fpu, made.policy, made.memory) == (
        False,
        0.001,
        7,
        math.inf,
        "uniform",
        9,
    )
    assert parse_spec("house") == ("house", {})


@pytest.mark.parametrize("name", PRESETS)
def test_presets_describe_themselves(name: str) -> None:
    """Every field is there as plain data, and a player made of it is the same."""
    described = montego.player(name, simulations=5, seed=3).describe()
    assert (described["name"], described["simulations"], described["seed"]) == (name, 5, 3)
    fields = described["config"]
    assert set(fields) == set(FIELDS) - (set() if fields["policy"] in RULED else {"rules"})
    fields |= {f"rules.{rule}": value for rule, value in fields.pop("rules", {}).items()}
    spec = ",".join(f"{field}={value}" for field, value in fields.items())
    assert montego.player(f"house:{spec}").config == PRESETS[name].config


# --- whatever is accepted can search -------------------------------------------------------------------------------

values = {
    **{field: st.sampled_from(sorted(words)) for field, words in WORDS.items() if field != "parallel"},
    **{field: st.one_of(st.just(low), st.floats(low, min(high, 1e9))) for field, (low, high) in NUMBERS.items()},
    **{field: st.integers(low, min(high, low + 40)) for field, (low, high) in WHOLES.items()},
    **dict.fromkeys(SWITCHES, st.booleans()),
    "memory": st.just(1),
    "randomness": st.floats(1e-6, 1.0),
    "depth": st.integers(1, 2),
}


@settings(max_examples=150, deadline=None, derandomize=True)
@given(st.fixed_dictionaries({}, optional=values), st.integers(0, 3), st.sampled_from(["chinese", "cgos"]))
def test_whatever_is_accepted_can_search(config: dict[str, Any], seed: int, rules: str) -> None:
    config = {"memory": 1, "weights": weights_file(5), "urgencies": "manual", **config}
    if config.get("simulation") == "td":
        config |= {**COMPANIONS["td"], "depth": 1}
    try:
        made = SearchConfig(**config)
    except ConfigError as error:
        assert any(f"needs {what}" in str(error) for what in ("AMAF values", "a heuristic", "whole nodes"))
        return
    game = Game(5, komi=2.5, rules=rules)
    search = Search(5, made, seed)
    for vertex in ("C3", "C4"):
        search.set_position(game)
        before = search.simulations
        search.run(60)
        check_tree(search, most_boards=20)
        assert search.simulations >= before
        assert game.is_legal(search.names.vertex(search.best()))
        game.play(vertex)


anything = st.one_of(st.none(), st.text(), st.floats(), st.integers(), st.booleans())


@settings(max_examples=200, deadline=None, derandomize=True)
@given(st.dictionaries(st.sampled_from(sorted(FIELDS)), anything))
def test_anything_else_is_refused_by_name(config: dict[str, Any]) -> None:
    try:
        SearchConfig(**config)
    except ConfigError as error:
        assert "accepted" in str(error) and any(field in str(error) for field in config)
