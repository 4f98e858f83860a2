"""Rules by name and as JSON, as KataGo's protocols have them."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest

from montego.go.errors import RulesError
from montego.go.rules import RULES
from montego.gtp.rules_json import rules_from, rules_to_json, with_rule


@pytest.mark.parametrize("rules", RULES.values(), ids=RULES)
def test_rules_there_and_back(rules: Any) -> None:
    for back in (rules_from(rules_to_json(rules)), rules_from(json.dumps(rules_to_json(rules)))):
        assert replace(back, name=rules.name) == rules
        assert back.name == ("chinese-ogs" if rules.name == "chinese-kgs" else rules.name)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Chinese", "chinese"), (" chinese_kgs ", "chinese-kgs"), ("Tromp Taylor", "tromp-taylor"),
        ("korean", "japanese"), ("bga", "aga"), ("french", "aga"), ("nz", "new-zealand"),
        ("new_zealand", "new-zealand"), ("cgos", "cgos"),
    ],
)  # fmt: skip
def test_names_of_rules(text: str, name: str) -> None:
    assert rules_from(text) is RULES[name]


@pytest.mark.parametrize(
    ("value", "word"),
    [
        ("stone-scoring", "tax"), ("Stone Scoring", "tax"), ("aga-button", "button"), ("chess", "chess"), ("", "''"),
        ("{", "JSON"), ("[" * 9000, "named"), ("{" + '"a":{' * 9000, "JSON"), (7, "7"), (None, "None"), ([], "[]"),
        ({"ko": "SPIGHT"}, "SPIGHT"), ({"ko": True}, "True"), ({"ko": 0}, "ko"), ({"tax": "ALL"}, "ALL"),
        ({"tax": "SEKI"}, "AREA"), ({"scoring": "TERRITORY", "tax": "NONE"}, "TERRITORY"),
        ({"hasButton": True}, "hasButton"), ({"suicide": "maybe"}, "suicide"), ({"suicide": 1}, "suicide"),
        ({"whiteHandicapBonus": "M"}, "N-1"),
        ({"komi": 7.5}, "komi"), ({"friendlyPassOk": None}, "friendlyPassOk"),
    ],
)  # fmt: skip
def test_refused_rules(value: Any, word: str) -> None:
    with pytest.raises(RulesError, match="accepted") as caught:
        rules_from(value)
    assert word in str(caught.value) and len(str(caught.value)) < 300


def test_rules_key_by_key() -> None:
    assert rules_from({}) == RULES["tromp-taylor"]
    assert (
        rules_from({"scoring": "TERRITORY", "ko": "SIMPLE", "suicide": False, "friendlyPassOk": False}).name
        == "japanese"
    )
    assert rules_from({"suicide": False, "friendlyPassOk": False}).name == "cgos"
    assert rules_from({"whiteHandicapBonus": 0}) == rules_from({"whiteHandicapBonus": "0"})
    chinese = RULES["chinese"]
    assert with_rule(chinese, "ko", "positional").name == "chinese-ogs"
    assert with_rule(with_rule(chinese, "suicide", "true"), "suicide", "False") == chinese
    assert with_rule(chinese, "friendlyPassOk", False).all_alive
    territory = with_rule(chinese, "scoring", "TERRITORY")
    assert (territory.scoring, territory.name, territory.long_cycle_void) == ("TERRITORY", "custom", True)
    assert not with_rule(territory, "ko", "SITUATIONAL").long_cycle_void
    assert with_rule(with_rule(territory, "whiteHandicapBonus", "0"), "tax", "SEKI").name == "japanese"
    with pytest.raises(RulesError, match="no rule 'colour'"):
        with_rule(chinese, "colour", "red")
