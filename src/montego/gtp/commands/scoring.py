"""The end of the game: score, dead stones; and games in files."""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.go.errors import VertexError
from montego.go.geometry import geometry
from montego.go.record import GameRecord
from montego.gtp.commands import command
from montego.gtp.files import allowed_file, check_regular, write_whole
from montego.gtp.protocol import one_of, whole_number

if TYPE_CHECKING:
    from montego.gtp.session import Session

Words = tuple[str, ...]


@command("final_score")
def final_score(session: Session, words: Words) -> str:
    """The result if play stopped here, dead stones taken off, unless the board counts as it stands."""
    return str(session.game.score() if session.options.as_it_stands else session.outlook().score)


def status_of(session: Session, vertex: str) -> str:
    outlook = session.outlook()
    if vertex in outlook.dead:
        return "dead"
    return "seki" if vertex in outlook.seki else "alive"


@command("final_status_list", 1)
def final_status_list(session: Session, words: Words) -> str:
    """Whole chains, one on a line."""
    status = one_of(words[0], ("alive", "dead", "seki"), "status")
    lines, seen = [], set[str]()
    for colour in (1, 2):
        for vertex in session.stones_of(colour):
            if vertex not in seen:
                chain = session.game.chain(vertex)
                seen.update(chain)
                if status_of(session, vertex) == status:
                    lines.append(" ".join(chain))
    return "\n".join(lines)


@command("final_status", 1)
def final_status(session: Session, words: Words) -> str:
    names = geometry(session.game.size)
    vertex = names.vertex(names.parse(words[0]))
    if vertex == "pass" or not session.game.at(vertex):
        raise VertexError(f"there is no stone on {vertex}")
    return status_of(session, vertex)


@command("loadsgf", 1, 2)
def loadsgf(session: Session, words: Words) -> str:
    """The main line of a file up to, and without, a move by its number; the whole of it without a number."""
    from montego.go.sgf import read_sgf

    path = allowed_file(words[0], session.options.folder, not session.options.files)
    check_regular(path)
    record = read_sgf(path)
    node = record.before_move(whole_number(words[1], 1, 1 << 20, "move number")) if len(words) > 1 else None
    rules = None if record.rules else session.game.rules
    session.new_game(record.to_game(node, rules=rules, komi=session.game.komi if record.komi is None else None))
    return ""


@command("printsgf", 0, 1)
def printsgf(session: Session, words: Words) -> str:
    """The game as SGF, in the reply or in a file."""
    from montego.go.sgf import write_sgf

    data = write_sgf(GameRecord.from_game(session.game))
    if not words or words[0] == "-":
        return data.decode("utf-8")
    write_whole(allowed_file(words[0], session.options.folder, not session.options.files), data)
    return ""
