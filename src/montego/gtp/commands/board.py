"""The board: size, stones, handicap, moves played and taken back."""

from __future__ import annotations

from typing import TYPE_CHECKING

from montego.go.board import BLACK, WHITE
from montego.go.errors import IllegalMove, SizeError
from montego.go.game import Game
from montego.go.geometry import COLOUR_NAMES, check_size, parse_colour
from montego.gtp.commands import MANY, command
from montego.gtp.protocol import CommandError, number, whole_number

if TYPE_CHECKING:
    from montego.gtp.session import Session

Words = tuple[str, ...]


@command("boardsize", 1, 2)
def boardsize(session: Session, words: Words) -> str:
    sizes = {whole_number(word, -9999, 9999, "board size") for word in words}
    if len(sizes) > 1:
        raise SizeError("unacceptable size: boards are square")
    try:
        size = check_size(sizes.pop())
    except SizeError as error:
        raise SizeError(f"unacceptable size: {error}") from None
    session.new_game(Game(size, session.game.komi, session.game.rules))
    return ""


command("rectangular_boardsize", 2)(boardsize)


@command("clear_board")
def clear_board(session: Session, words: Words) -> str:
    session.new_game(Game(session.game.size, session.game.komi, session.game.rules))
    return ""


@command("komi", 1)
def komi(session: Session, words: Words) -> str:
    session.game.komi = number(words[0], "komi")
    return ""


@command("get_komi")
def get_komi(session: Session, words: Words) -> str:
    return f"{session.game.komi:g}"


@command("play", 2)
def play(session: Session, words: Words) -> str:
    """A move; "resign" as a move is heard and changes nothing on the board."""
    colour = parse_colour(words[0])
    if words[1].lower() == "resign":
        return ""
    session.game.play(words[1], colour)
    return ""


@command("undo")
def undo(session: Session, words: Words) -> str:
    session.game.undo()
    return ""


@command("gg-undo", 0, 1)
def gg_undo(session: Session, words: Words) -> str:
    session.game.undo(whole_number(words[0], 1, 1 << 20, "number of moves") if words else 1)
    return ""


@command("gogui-play_sequence", 0, MANY)
def play_sequence(session: Session, words: Words) -> str:
    """Several moves, all or none."""
    if len(words) % 2:
        raise CommandError("a sequence is pairs of colour and vertex")
    game = session.game.copy()
    for colour, vertex in zip(words[::2], words[1::2], strict=True):
        try:
            game.play(vertex, parse_colour(colour))
        except IllegalMove as error:
            raise IllegalMove(f"{error}; no move of the sequence was played", error.why) from None
    session.game = game
    return ""


@command("gogui-setup", 0, MANY)
def setup(session: Session, words: Words) -> str:
    """Stones, outside of play: pairs of colour and vertex."""
    if len(words) % 2:
        raise CommandError("a setup is pairs of colour and vertex")
    stones: dict[int, list[str]] = {BLACK: [], WHITE: []}
    for colour, vertex in zip(words[::2], words[1::2], strict=True):
        stones[parse_colour(colour)].append(vertex)
    session.game.setup(stones[BLACK], stones[WHITE])
    return ""


@command("gogui-setup_player", 1)
def setup_player(session: Session, words: Words) -> str:
    session.game.setup(to_play=parse_colour(words[0]))
    return ""


@command("fixed_handicap", 1)
def fixed_handicap(session: Session, words: Words) -> str:
    return " ".join(session.game.place_fixed_handicap(whole_number(words[0], 0, 1000, "handicap")))


@command("place_free_handicap", 1)
def place_free_handicap(session: Session, words: Words) -> str:
    return " ".join(session.game.place_free_handicap(whole_number(words[0], 0, 1000, "handicap")))


@command("set_free_handicap", 1, MANY)
def set_free_handicap(session: Session, words: Words) -> str:
    session.game.set_free_handicap(words)
    return ""


@command("showboard")
def showboard(session: Session, words: Words) -> str:
    game = session.game
    about = f"{COLOUR_NAMES[game.to_play]} to play, {game.rules.name} rules, komi {game.komi:g}"
    lost = f"captured: {game.captured(BLACK)} black, {game.captured(WHITE)} white stones; {len(game.moves)} moves"
    return f"\n{game.diagram()}\n{about}\n{lost}"


@command("list_stones", 1)
def list_stones(session: Session, words: Words) -> str:
    return " ".join(session.stones_of(parse_colour(words[0])))


@command("captures", 1)
def captures(session: Session, words: Words) -> str:
    """How many stones a colour has taken."""
    return str(session.game.captured(3 - parse_colour(words[0])))


@command("is_legal", 2)
def is_legal(session: Session, words: Words) -> str:
    return str(int(session.game.is_legal(words[1], parse_colour(words[0]))))


@command("all_legal", 1)
def all_legal(session: Session, words: Words) -> str:
    return " ".join(session.game.legal_moves(parse_colour(words[0])))


@command("move_history")
def move_history(session: Session, words: Words) -> str:
    """The moves, the last one first."""
    return "\n".join(f"{COLOUR_NAMES[move.colour]} {move.vertex}" for move in reversed(session.game.moves))
