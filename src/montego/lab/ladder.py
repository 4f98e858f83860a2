"""One rating list of all players that ever met under the same conditions, from the games of all experiments."""

from __future__ import annotations

from montego.arena.ratings import Ratings, fit
from montego.arena.settings import Match
from montego.arena.store import Store
from montego.arena.tournament import ANCHOR, ANCHOR_ELO, meetings_of, name_of


def ladder(store: Store, size: int = 9, anchor: str = ANCHOR) -> Ratings | None:
    """The ratings of whoever is connected with the anchor by games on a board; None if nobody is."""
    plain = Match("a", "b", simulations=1)
    alike = [
        pairing
        for pairing in store.pairings()
        if pairing.match.size == size and (pairing.match.komi, pairing.match.rules) == (plain.komi, plain.rules)
    ]
    met = meetings_of((name_of(p, "a"), name_of(p, "b"), store.games(p)) for p in alike)
    met = [meeting for meeting in met if meeting.black != meeting.white]
    near = {anchor}
    while more := {n for m in met if {m.black, m.white} & near for n in (m.black, m.white)} - near:
        near |= more
    connected = [meeting for meeting in met if meeting.black in near]
    return fit(connected, (anchor, ANCHOR_ELO)) if connected else None
