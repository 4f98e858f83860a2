"""Players by name: what a spec may say, and what is refused."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

import montego
from montego.go.errors import ConfigError, MontegoError
from montego.players.conduct import Conduct
from montego.players.levels import LEVELS
from montego.players.presets import PRESETS
from montego.players.spec import expanded, limits_of, parse_spec


@pytest.mark.parametrize(
    ("text", "name", "fields"),
    [
        ("house", "house", {}),
        ("house:", "house", {}),
        ("house:,", "house", {}),
        ("house:bias=0.1", "house", {"bias": "0.1"}),
        ("house: bias = 0.1 , reuse = false ", "house", {"bias": "0.1", "reuse": "false"}),
        ("house:bias=0.1,bias=0.2", "house", {"bias": "0.2"}),
        ("house:policy=a=b", "house", {"policy": "a=b"}),
        ("", "", {}),
    ],
)
def test_specs_are_taken_apart(text, name, fields):
    assert parse_spec(text) == (name, fields)


@pytest.mark.parametrize("text", ["house:bias", "house:=1", "house:bias=", "house: =1", "house:bias= "])
def test_what_is_no_setting_is_refused(text):
    with pytest.raises(MontegoError, match="is no setting; accepted: PRESET:field=value"):
        parse_spec(text)


def test_a_level_stands_for_its_spec():
    for name, level in LEVELS.items():
        base, fields = expanded(name)
        assert (base, fields) == parse_spec(level.spec) and base in PRESETS
        assert expanded(f"{name}:simulations=3,bias=0.5")[1] == {**fields, "simulations": "3", "bias": "0.5"}


def test_limits_are_taken_out():
    changes = {"simulations": "30", "bias": "0.1", "seconds": "0.5"}
    assert limits_of(changes) == {"simulations": 30, "seconds": 0.5} and changes == {"bias": "0.1"}
    assert limits_of(changes) == {}


def test_the_limit_of_a_name_is_the_players_own():
    player = montego.player("house:simulations=30", simulations=5000, seconds=3.0)
    assert (player.simulations, player.seconds) == (30, None)
    player = montego.player("house:seconds=0.25", simulations=5000)
    assert (player.simulations, player.seconds) == (None, 0.25)
    player = montego.player("house:seconds=0.25,simulations=9", simulations=5000)
    assert (player.simulations, player.seconds) == (9, 0.25)
    player = montego.player("house:bias=0.1", simulations=5000)
    assert (player.simulations, player.seconds) == (5000, None)


def test_a_field_of_a_record_inside_has_a_dot():
    config = montego.player("house:rules.nakade=0.25,rules.attack=0,bias=0.1").config
    assert (config.rules.nakade, config.rules.attack, config.bias) == (0.25, 0.0, 0.1)
    assert config.rules.ladder == PRESETS["house"].config.rules.ladder
    for wrong in ("rules=1", "rules.=1", "rules.guess=1", "bias.x=1", ".nakade=1"):
        with pytest.raises(ConfigError, match=r"house has no field .*; accepted: .*rules\.nakade"):
            montego.player(f"house:{wrong}")


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("house:simulations=0", "simulations is 0; accepted: a whole number from 1"),
        ("house:simulations=-5", "simulations is -5; accepted"),
        ("house:simulations=1.5", "simulations is '1.5'; accepted: a whole number"),
        ("house:simulations=many", "simulations is 'many'; accepted: a whole number"),
        ("house:seconds=0", "seconds is 0.0; accepted: a number above 0"),
        ("house:seconds=nan", "seconds is nan; accepted"),
        ("house:seconds=inf", "seconds is inf; accepted"),
        ("house:seconds=soon", "seconds is 'soon'; accepted: a number"),
        ("house:softness=2", "softness is 2.0; accepted: a number from 0 to 1"),
        ("house:softness=nan", "softness is nan; accepted"),
        ("house:resign_below=0.9", "resign_below is 0.9; accepted: a number from 0 to 0.5"),
        ("house:threads=2", "house has no field 'threads'"),
        ("house:seed=2", "house has no field 'seed'"),
        ("8k:colour=red", "has no field 'colour'"),
        ("7k", "there is no preset '7k'; accepted: .*, or a level"),
        ("", "there is no preset ''"),
        (":simulations=5", "there is no preset ''"),
        ("HOUSE", "there is no preset 'HOUSE'"),
        ("house\n", "there is no preset"),
        ("house:memory=0", "memory is 0; accepted"),
    ],
)
def test_refusals_say_what_is_accepted(spec, message):
    with pytest.raises(MontegoError, match=message):
        montego.player(spec)


@given(st.text(max_size=40))
def test_any_text_is_a_player_or_refused(text):
    try:
        parse_spec(text)
        expanded(text)
    except MontegoError as error:
        assert "accepted" in str(error)


@given(st.sampled_from(["house", "8k", "mc-flat"]), st.text(max_size=30))
def test_any_fields_are_a_player_or_refused(name, text):
    try:
        montego.player(f"{name}:{text}")
    except MontegoError as error:
        assert "accepted" in str(error) and len(str(error)) < 1000


def test_arguments_override_the_name():
    """All but the limits."""
    player = montego.player("house:bias=0.1,softness=0.2", bias=0.3, softness=0.4)
    assert player.config.bias == 0.3 and player.conduct == Conduct(softness=0.4)


def test_a_description_tells_about_manners_only_if_there_are_any():
    assert "conduct" not in montego.player("house").describe()
    described = montego.player("30k").describe()
    assert described["conduct"] == {"softness": montego.player("30k").conduct.softness, "resign_below": 0.0,
                                    "friendly": False}  # fmt: skip
