"""Rule sets, in the vocabularies of KataGo and KGS."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from montego.gtp.commands import MANY, command
from montego.gtp.protocol import one_of
from montego.gtp.rules_json import rules_from, rules_to_json, with_rule

if TYPE_CHECKING:
    from montego.gtp.session import Session

Words = tuple[str, ...]

KGS_RULES = {"chinese": "chinese-kgs", "japanese": "japanese", "aga": "aga", "new_zealand": "new-zealand"}


@command("kata-set-rules", 1, MANY)
def kata_set_rules(session: Session, words: Words) -> str:
    """A rule set by name, or as a JSON object."""
    session.game.rules = rules_from(" ".join(words))
    return ""


@command("kata-get-rules")
def kata_get_rules(session: Session, words: Words) -> str:
    return json.dumps(rules_to_json(session.game.rules))


@command("kata-set-rule", 2)
def kata_set_rule(session: Session, words: Words) -> str:
    session.game.rules = with_rule(session.game.rules, words[0], words[1])
    return ""


@command("kgs-rules", 1)
def kgs_rules(session: Session, words: Words) -> str:
    session.game.rules = KGS_RULES[one_of(words[0], tuple(KGS_RULES), "KGS rule set")]
    return ""


@command("scoring_system")
def scoring_system(session: Session, words: Words) -> str:
    return session.game.rules.scoring.lower()
