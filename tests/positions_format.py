"""The text positions below positions/: what each word below a board means (see positions/README.md)."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TypeVar

from forced import choose
from montego import Game, MontegoError
from montego.go import facts, positions
from montego.go.diagram import parse_diagram
from montego.go.positions import Line
from montego.patterns import mogo
from montego.players.choice import Choice
from montego.players.playout import PlayoutPlayer
from montego.playout import PlayoutConfig, mogo_candidates
from montego.playout.reasons import Reason
from montego.playout.rules import MOGO_RULES

COLOURS = {"black": 1, "white": 2}

T = TypeVar("T")
Words = list[str]
Verb = Callable[..., None]


class WrongWord(ValueError):
    """What is wrong with a line; the caller knows which line it is."""


@dataclass
class Position:
    """A position as it stands in its file, and what is done and asserted below its board, in order."""

    text: positions.Position
    steps: list[tuple[Line, Callable[[Game], None]]]

    @property
    def title(self) -> Line:
        return self.text.title

    @property
    def name(self) -> str:
        return self.text.name

    def start(self) -> Game:
        """The game before the first step."""
        return self.text.start()

    def check(self) -> None:
        """Play the position through; an AssertionError or PositionError names the line."""
        game = self.start()
        for line, step in self.steps:
            call(line, partial(step, game), game)


def call(line: Line, action: Callable[[], T], game: Game | None = None) -> T:
    """Run an action, and add line and board to what goes wrong."""
    try:
        return action()
    except AssertionError as error:
        raise AssertionError(f"{line.where}\n{error}\n{game}") from None
    except (MontegoError, WrongWord) as error:
        raise line.wrong(str(error)) from error


# --- reading -----------------------------------------------------------------------------------------------------


def read_positions(path: Path) -> list[Position]:
    """All positions of a file."""
    return [bound(position) for position in positions.read_positions(path)]


def parse_positions(file: str, text: str) -> list[Position]:
    return [bound(position) for position in positions.parse_positions(file, text)]


def bound(position: positions.Position) -> Position:
    """The lines below the board as steps; a further board is an assertion."""
    return Position(position, [(part[0], step_of(part)) for part in position.below])


def step_of(part: list[Line]) -> Callable[[Game], None]:
    if positions.is_board(part):
        return partial(board_is, text=positions.board_text(part))
    return call(part[0], partial(bind_verb, part[0].words))


def bind_verb(words: Words) -> Callable[[Game], None]:
    """The verb of a line with its words, still without a game."""
    verb = VERBS.get(words[0])
    if verb is None:
        raise WrongWord(f"unknown word {words[0]!r}; accepted: {', '.join(sorted(VERBS))}")
    try:
        inspect.signature(verb).bind(None, *words[1:])
    except TypeError:
        raise WrongWord(f"accepted: {inspect.getdoc(verb)}") from None
    return lambda game: verb(game, *words[1:])


# --- words -------------------------------------------------------------------------------------------------------


def choice(word: str, accepted: Iterable[str]) -> str:
    if word not in accepted:
        raise WrongWord(f"{word!r} is none of: {', '.join(accepted)}")
    return word


def colour_of(word: str) -> str:
    return choice(word, COLOURS)


def truth(word: str) -> bool:
    return choice(word, ("yes", "no")) == "yes"


def number(word: str) -> int:
    if not word.isdigit():
        raise WrongWord(f"{word!r} is not a whole number")
    return int(word)


def decimal(word: str) -> float:
    try:
        return float(word)
    except ValueError:
        raise WrongWord(f"{word!r} is not a number") from None


def points(game: Game, words: Iterable[str]) -> list[str]:
    """Vertices in order and in capitals; the one word "none" is the empty list."""
    words = [word.upper() for word in words]
    if words == ["NONE"]:
        return []
    for word in words:
        game.at(word)  # raises for what is no point of the board
    return sorted(words)


def expect(found: object, wanted: object) -> None:
    assert found == wanted, f"found {found!r} instead of {wanted!r}"


# --- verbs: what is done -----------------------------------------------------------------------------------------


def play(game: Game, colour: str, vertex: str) -> None:
    """play black C3 (or: play black pass): the move is legal, and is made"""
    colour_of(colour)
    expect(game.why_illegal(vertex, colour), None)
    game.play(vertex, colour)


def undo(game: Game, count: str = "1") -> None:
    """undo, or undo 3: take back the last move, or three"""
    game.undo(number(count))


# --- verbs: the rules --------------------------------------------------------------------------------------------


def board_is(game: Game, text: str) -> None:
    """a diagram below the first move or assertion: the board looks like this now"""
    expect(game.stones.tolist(), parse_diagram(text).tolist())


def legal(game: Game, colour: str, vertex: str) -> None:
    """legal black C3: Black may play there"""
    expect(game.why_illegal(vertex, colour_of(colour)), None)
    expect(vertex == "pass" or vertex.upper() in game.legal_moves(colour), True)


def illegal(game: Game, colour: str, vertex: str, why: str) -> None:
    """illegal black C3 ko: Black may not play there, because: occupied, ko, superko, suicide, over"""
    choice(why, ("occupied", "ko", "superko", "suicide", "over"))
    expect(game.why_illegal(vertex, colour_of(colour)), why)
    expect(vertex.upper() in game.legal_moves(colour), False)


def captured(game: Game, colour: str, count: str) -> None:
    """captured black 2: Black has lost two stones so far"""
    expect(game.captured(colour_of(colour)), number(count))


def ko(game: Game, vertex: str) -> None:
    """ko C3, or ko none: the point closed by the simple ko rule"""
    expect([game.ko] if game.ko else [], points(game, [vertex]))


def repeats(game: Game, what: str) -> None:
    """repeats start: the stones stand as in the first diagram"""
    choice(what, ("start",))
    expect(int(game.history[0]), game.hash)


def liberties(game: Game, vertex: str, count: str) -> None:
    """liberties C3 4: the chain there has four liberties"""
    expect(game.liberties(vertex), number(count))


def chain(game: Game, vertex: str, *others: str) -> None:
    """chain C3 C4 D4: these stones, and no others, make one chain"""
    expect(sorted(game.chain(vertex)), points(game, [vertex, *others]))


def score(game: Game, wanted: str, *words: str) -> None:
    """score W+2 komi 7.5 dead C3 D4 seki E5: the score; komi is 0 unless given, a stone stands for its chain"""
    named = sorted_by_keyword(words)
    scored = game.copy()
    scored.komi = decimal(" ".join(named["komi"]) or "0")
    expect(str(scored.score(points(game, named["dead"]), points(game, named["seki"]))), wanted)


def sorted_by_keyword(words: Iterable[str]) -> dict[str, Words]:
    """The words behind each of the keywords komi, dead and seki."""
    found: dict[str, Words] = {"komi": [], "dead": [], "seki": []}
    here: Words | None = None
    for word in words:
        if word in found:
            here = found[word]
        elif here is None:
            raise WrongWord(f"{word!r} is none of: {', '.join(found)}")
        else:
            here.append(word)
    return found


def result(game: Game, wanted: str) -> None:
    """result Void: how the game ended (B+3, 0, Void), or ? if it goes on"""
    expect(game.result(), wanted)


# --- verbs: tactics ----------------------------------------------------------------------------------------------


def atari(game: Game, vertex: str) -> None:
    """atari C3: the chain there has a single liberty"""
    expect(facts.in_atari(game, vertex), True)


def not_atari(game: Game, what: str, vertex: str) -> None:
    """not atari C3: the chain there has two or more liberties"""
    choice(what, ("atari",))
    expect(facts.in_atari(game, vertex), False)


def captures(game: Game, colour: str, vertex: str, count: str) -> None:
    """captures black C3 2: a black stone there would take two stones (0: none)"""
    expect(facts.captures(game, vertex, colour_of(colour)), number(count))


def escapes(game: Game, vertex: str, answer: str) -> None:
    """escapes C3 yes: the chain in atari there has two or more liberties after extending at its last one"""
    expect(facts.escapes(game, vertex), truth(answer))


def selfatari(game: Game, colour: str, vertex: str, answer: str) -> None:
    """selfatari black C3 yes: the chain that a black stone there makes has a single liberty"""
    expect(facts.is_self_atari(game, vertex, colour_of(colour)), truth(answer))


def eye(game: Game, colour: str, vertex: str, kind: str) -> None:
    """eye black C3 true: true, false, or none if not all its neighbours are black"""
    expect(facts.eye(game, vertex, colour_of(colour)), choice(kind, ("true", "false", "none")))


def ladder(game: Game, vertex: str, fate: str) -> None:
    """ladder C3 captured, or escapes; the side to play begins: attacker at two liberties, defender in atari"""
    expect(facts.ladder(game, vertex), choice(fate, ("captured", "escapes")))


def nakade(game: Game, vertex: str, vital: str) -> None:
    """nakade C3 B3: the vital point of the empty eye that contains C3, or none"""
    found = facts.nakade(game, vertex)
    expect([found] if found else [], points(game, [vital]))


def seki(game: Game, vertex: str, answer: str) -> None:
    """seki C3 yes: the chain there lives, or not, in a simple seki"""
    expect(facts.in_seki(game, vertex), truth(answer))


# --- verbs: MoGo's playout ---------------------------------------------------------------------------------------


def pattern(game: Game, colour: str, *words: str) -> None:
    """pattern black C3 D4 yes: a black (white, any) move at each point matches, or not, one of MoGo's patterns"""
    colours = COLOURS if colour == "any" else [colour_of(colour)]
    wanted = truth(words[-1] if words else "")
    vertices = points(game, words[:-1])
    found = [(side, vertex) for side in colours for vertex in vertices if mogo.matches(game, vertex, side)]
    expect(found, [(side, vertex) for side in colours for vertex in vertices if wanted])


def candidates(game: Game, colour: str, rule: str, *vertices: str) -> None:
    """candidates white capture C3 D4: the rule that fires (save, pattern, capture, random, pass), exactly its moves"""
    reason, moves = candidates_of(game, colour)
    expect(reason.name.lower(), choice(rule, [reason.name.lower() for reason in Reason]))
    if reason not in (Reason.RANDOM, Reason.PASS):
        expect(sorted(moves), points(game, vertices))


def saves(game: Game, colour: str, *vertices: str) -> None:
    """saves white C3 D4: exactly the moves that save stones which the last move put into atari, or none"""
    reason, moves = candidates_of(game, colour)
    expect(sorted(moves) if reason == Reason.SAVE else [], points(game, vertices))


def candidates_of(game: Game, colour: str) -> tuple[Reason, list[str]]:
    if game.to_play != COLOURS[colour_of(colour)]:
        raise WrongWord(f"it is not {colour}'s turn here; the rules of a playout are those of the side to play")
    return mogo_candidates(game)


RULE_REASONS = {
    "nakade": Reason.NAKADE,
    "capture_last": Reason.CAPTURE_LAST,
    "ladder": Reason.SAVE,
    "attack": Reason.ATTACK,
    "defend": Reason.DEFEND,
    "empty_region": Reason.FILL,
    "pattern": Reason.PATTERN,
}
REFUSALS = {"self_atari": Reason.RANDOM, "pattern_self_atari": Reason.PATTERN}


def rule(game: Game, colour: str, name: str, *vertices: str) -> None:
    """rule black nakade C3 D4: exactly what MoGo's playout with this rule, too, plays by it, or none"""
    choice(name, RULE_REASONS)
    expect(sorted(by_reason(game, colour, RULE_REASONS[name], **{name: 1.0})), points(game, vertices))


def refuses(game: Game, colour: str, name: str, *vertices: str) -> None:
    """refuses black self_atari C3 D4: MoGo's playout plays there, but not with this rule (or: pattern_self_atari)"""
    choice(name, REFUSALS)
    wanted = set(points(game, vertices))
    expect(sorted(wanted - by_reason(game, colour, REFUSALS[name])), [])
    expect(sorted(wanted & by_reason(game, colour, REFUSALS[name], **{name: 1.0})), [])


def throws(game: Game, colour: str, *vertices: str) -> None:
    """throws black C3: a playout plays there even so, though it puts its own stones into atari"""
    refusing = drawn(game, colour, self_atari=1.0, pattern_self_atari=1.0)
    expect(sorted(set(points(game, vertices)) - {move.vertex for move in refusing}), [])


def by_reason(game: Game, colour: str, reason: Reason, **rules: float) -> set[str]:
    return {move.vertex for move in drawn(game, colour, **rules) if move.reason == reason}


def drawn(game: Game, colour: str, **rules: float) -> list[Choice]:
    """Many next moves of the policy `tactical` with MoGo's rules and some others."""
    if game.to_play != COLOURS[colour_of(colour)]:
        raise WrongWord(f"it is not {colour}'s turn here; the rules of a playout are those of the side to play")
    player = PlayoutPlayer(PlayoutConfig("tactical", rules=replace(MOGO_RULES, **rules)), seed=1)
    return [player.choose(game) for _ in range(300)]


# --- verbs: the player -------------------------------------------------------------------------------------------


def best(game: Game, colour: str, vertex: str, *others: str) -> None:
    """best black C3 D4 (or: best black pass): the player house chooses one of these moves"""
    if game.to_play != COLOURS[colour_of(colour)]:
        raise WrongWord(f"it is not {colour}'s turn here")
    accepted = [vertex, *others]
    for move in accepted:
        expect((move, game.why_illegal(move)), (move, None))
    found = choose(game)
    assert found.upper() in {move.upper() for move in accepted}, f"chose {found} instead of {' or '.join(accepted)}"


VERBS: dict[str, Verb] = {
    "not" if verb is not_atari else verb.__name__: verb
    for verb in (
        play, undo,
        legal, illegal, captured, ko, repeats, liberties, chain, score, result,
        atari, not_atari, captures, escapes, selfatari, eye, ladder, nakade, seki,
        pattern, candidates, saves, rule, refuses, throws,
        best,
    )
}  # fmt: skip
