"""Analysis until something else comes in: lz-analyze and kata-analyze."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from montego.go.geometry import geometry, parse_colour
from montego.gtp.commands import MANY, command
from montego.gtp.formats import kata_line, lz_line, moves_shown
from montego.gtp.protocol import CommandError, number, truth, whole_number

if TYPE_CHECKING:
    from montego.gtp.session import Session
    from montego.search.report import Report

Words = tuple[str, ...]

DEFAULT_INTERVAL = 100.0
"""Hundredths of a second between two lines."""
LEAST_INTERVAL, MOST_INTERVAL = 1.0, 1e6
IGNORED = ("ownershipstdev", "movesownership", "movesownershipstdev", "pvedgevisits", "noresultvalue")
"""Options of KataGo's that are heard: what they ask for is not known here."""


@dataclass
class Request:
    """What a client wants to see."""

    colour: int
    every: float = DEFAULT_INTERVAL / 100
    """seconds"""
    least: int = 0
    most: int | None = None
    avoid: tuple[str, ...] = ()
    allow: tuple[str, ...] = ()
    root_info: bool = False
    ownership: bool = False
    line_visits: bool = False

    def show(self, report: Report, kata: bool) -> str:
        """A report as a line for the client; empty if there is nothing to tell yet."""
        moves = moves_shown(report, self.least, self.most)
        if not moves:
            return ""
        if not kata:
            return lz_line(report, moves)
        return kata_line(report, moves, self.root_info, self.ownership, self.line_visits)


def parse_request(session: Session, words: Words) -> Request:
    """The words behind an analysis command: [colour] [interval] [option value …], as the various clients send them."""
    rest = list(words)
    request = Request(session.game.to_play)
    if rest and rest[0].lower() in ("b", "w", "black", "white"):
        request.colour = parse_colour(rest.pop(0))
    if rest and rest[0][:1].isdigit():
        request.every = _seconds(rest.pop(0))
    while rest:
        option = rest.pop(0).lower()
        if option in ("avoid", "allow"):
            _restrict(session, request, option, rest)
        elif not rest:
            raise CommandError(f"the option {option[:40]!a} needs a value")
        else:
            _set_option(request, option, rest.pop(0))
    _check_moves_left(session, request)
    return request


def _check_moves_left(session: Session, request: Request) -> None:
    """Something must be left to look at."""
    if request.avoid or request.allow:
        legal = {*session.game.legal_moves(request.colour), "pass"}
        if not (legal & set(request.allow) if request.allow else legal) - set(request.avoid):
            raise CommandError("no legal move is left to look at")


def _seconds(word: str) -> float:
    return min(max(number(word, "interval"), LEAST_INTERVAL), MOST_INTERVAL) / 100


def _set_option(request: Request, option: str, value: str) -> None:
    if option == "interval":
        request.every = _seconds(value)
    elif option == "minmoves":
        request.least = whole_number(value, 0, 1000, "number of moves")
    elif option == "maxmoves":
        request.most = whole_number(value, 1, 1000, "number of moves")
    elif option == "rootinfo":
        request.root_info = truth(value)
    elif option == "ownership":
        request.ownership = truth(value)
    elif option == "pvvisits":
        request.line_visits = truth(value)
    elif option in IGNORED:
        truth(value)
    else:
        raise CommandError(f"{option[:40]!a} is not an option of the analysis")


def _restrict(session: Session, request: Request, option: str, rest: list[str]) -> None:
    """avoid and allow: a colour, vertices with commas between them, and a depth; it is the first move that counts."""
    if len(rest) < 3:
        raise CommandError(f"{option} needs a colour, vertices and a depth")
    colour, vertices, depth = parse_colour(rest.pop(0)), rest.pop(0), whole_number(rest.pop(0), 0, 10000, "depth")
    names = geometry(session.game.size)
    found = tuple(names.vertex(names.parse(vertex)) for vertex in vertices.split(",") if vertex)
    if colour == request.colour and depth > 0:
        if option == "avoid":
            request.avoid += found
        else:
            request.allow += found


@command("lz-analyze", 0, MANY)
def lz_analyze(session: Session, words: Words) -> str:
    return _analyse(session, words, kata=False)


@command("kata-analyze", 0, MANY)
def kata_analyze(session: Session, words: Words) -> str:
    return _analyse(session, words, kata=True)


def _analyse(session: Session, words: Words, kata: bool) -> str:
    request = parse_request(session, words)

    session.begin()
    session.analyse(
        request.colour,
        lambda report: session.emit(request.show(report, kata)),
        request.every,
        without=request.avoid,
        only=request.allow,
    )
    return ""
