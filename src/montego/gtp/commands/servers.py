"""What servers tell their bots: KGS and CGOS."""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.gtp.commands import MANY, command

if TYPE_CHECKING:
    from montego.gtp.session import Session

Words = tuple[str, ...]


@command("kgs-game_over", 0, MANY)
def kgs_game_over(session: Session, words: Words) -> str:
    session.engine.remote.stop()
    return ""


command("cgos-gameover", 0, MANY)(kgs_game_over)


@command("cgos-opponent_name", 0, MANY)
def cgos_opponent_name(session: Session, words: Words) -> str:
    return ""


command("cgos-opponent_rating", 0, MANY)(cgos_opponent_name)


@command("kgs-chat", 0, MANY)
def kgs_chat(session: Session, words: Words) -> str:
    """An answer to a person; the last search tells what there is to tell."""
    last = session.last_choice
    if last is None or not last.simulations:
        return "I am Montego, a program. I have not thought about this game yet."
    return f"I expect to win {last.value:.0%} of the time, after {last.simulations} simulated games."
