"""Rules as KataGo's protocols write them: by a name, or as a JSON object with a key for every rule."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from montego.go.errors import RulesError, shown
from montego.go.rules import RULES, Rules

_ALSO = {
    "korean": "japanese",
    "bga": "aga",
    "french": "aga",
    "nz": "new-zealand",
    "newzealand": "new-zealand",
    "tromptaylor": "tromp-taylor",
    "ing": "tromp-taylor",
    "goe": "tromp-taylor",
    "chineseogs": "chinese-ogs",
    "chinesekgs": "chinese-kgs",
}
"""Other names, of rules that are the same as far as these records go."""

_REFUSED = {
    "stone-scoring": "a tax on groups",
    "ancient-area": "a tax on groups",
    "ancient-territory": "a tax on groups",
    "aga-button": "a button",
}
"""Names that are known, and what those rules have that is not supported."""

_TAX = {"AREA": "NONE", "TERRITORY": "SEKI"}
"""By scoring: the only tax there is. Eyes in seki are no points where territory is counted."""


def rules_from(value: Any) -> Rules:
    """The rules that a name, a JSON object or its text stands for.

    Keys that are not given are as in tromp-taylor, but that dead stones may be agreed on. Rules equal to a named set
    bear its name.
    """
    if isinstance(value, str):
        text = value.strip()
        value = _parsed(text) if text.startswith("{") else text
    if isinstance(value, str):
        return _named(value)
    if not isinstance(value, dict):
        raise RulesError(f"the rules are {shown(value)}; accepted: a name such as chinese, or a JSON object")
    return _from_keys(value)


def rules_to_json(rules: Rules) -> dict[str, Any]:
    """The JSON object of some rules."""
    return {
        "ko": rules.ko,
        "scoring": rules.scoring,
        "tax": _TAX[rules.scoring],
        "suicide": rules.suicide,
        "hasButton": False,
        "whiteHandicapBonus": rules.white_handicap_bonus,
        "friendlyPassOk": not rules.all_alive,
    }


def with_rule(rules: Rules, key: str, value: Any) -> Rules:
    """The same rules but for one key; the value may be a text, as commands have it."""
    keys = rules_to_json(rules)
    if key in ("scoring", "score"):
        del keys["scoring"], keys["tax"]  # which follows the scoring
    return _from_keys(keys | {key: value})


def _parsed(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise RulesError(f"the rules {shown(text)} are no JSON; accepted: a name, or a JSON object") from None


def _named(text: str) -> Rules:
    name = "-".join(text.lower().replace("_", " ").split())
    name = _ALSO.get(name, name)
    if name in _REFUSED:
        raise RulesError(f"{name} rules have {_REFUSED[name]}; accepted: {', '.join(RULES)}")
    if name not in RULES:
        raise RulesError(f"there are no rules named {shown(text)}; accepted: {', '.join(RULES)}, or a JSON object")
    return RULES[name]


def _from_keys(keys: dict[Any, Any]) -> Rules:
    for key in keys:
        if key not in _READERS:
            raise RulesError(f"there is no rule {shown(key)}; accepted: {', '.join(_READERS)}")
    given = {key: reader(key, keys[key]) for key, reader in _READERS.items() if key in keys}
    base = RULES["tromp-taylor"]
    ko, scoring = given.get("ko", base.ko), given.get("scoring", given.get("score", base.scoring))
    if given.get("tax", _TAX[scoring]) != _TAX[scoring]:
        raise RulesError(f"tax is {shown(keys['tax'])}; accepted with {scoring} scoring: {_TAX[scoring]}")
    made = Rules(
        "custom",
        scoring,
        ko,
        suicide=given.get("suicide", base.suicide),
        white_handicap_bonus=given.get("whiteHandicapBonus", base.white_handicap_bonus),
        # Nobody fills his own territory to capture dead stones: the question is one of area scoring.
        all_alive=scoring == "AREA" and not given.get("friendlyPassOk", True),
        long_cycle_void=scoring == "TERRITORY" and ko == "SIMPLE",
    )
    return next((rules for rules in RULES.values() if replace(rules, name=made.name) == made), made)


# --- values ---------------------------------------------------------------------------------------------------


def _word(*accepted: str) -> Callable[[str, Any], str]:
    def read(key: str, value: Any) -> str:
        word = str(value).strip().upper() if isinstance(value, str) or value == 0 else ""
        if word not in accepted or isinstance(value, bool):
            raise RulesError(f"{key} is {shown(value)}; accepted: {', '.join(accepted)}")
        return word

    return read


def _truth(key: str, value: Any) -> bool:
    found = {"true": True, "false": False}.get(value.strip().lower()) if isinstance(value, str) else value
    if not isinstance(found, bool):
        raise RulesError(f"{key} is {shown(value)}; accepted: true or false")
    return found


def _untruth(key: str, value: Any) -> bool:
    if _truth(key, value):
        raise RulesError(f"{key} is true, which is not supported; accepted: false")
    return False


_READERS: dict[str, Callable[[str, Any], Any]] = {
    "ko": _word("SIMPLE", "POSITIONAL", "SITUATIONAL"),
    "scoring": _word("AREA", "TERRITORY"),
    "score": _word("AREA", "TERRITORY"),
    "tax": _word("NONE", "SEKI"),
    "suicide": _truth,
    "hasButton": _untruth,
    "whiteHandicapBonus": _word("0", "N", "N-1"),
    "friendlyPassOk": _truth,
}
