"""`montego terminal`: a person against the engine, in the terminal."""

from __future__ import annotations

import secrets
from pathlib import Path

import click

from montego.cli.folders import data_folder
from montego.cli.waiting import compiling
from montego.go.board import BLACK, WHITE
from montego.go.errors import MontegoError, shown
from montego.go.game import Game
from montego.go.geometry import COLOUR_NAMES, parse_colour
from montego.go.rules import RULES
from montego.go.sgf import GameRecord, read_sgf, write_sgf
from montego.players import player as new_player
from montego.players.choice import Choice
from montego.players.levels import find_level
from montego.players.playout import PlayoutPlayer
from montego.players.search import SearchPlayer

HELP = """\
  D4        play there (letters run left to right without I, numbers from the bottom)
  pass      pass; two passes end the game, and dead stones are taken off as the engine sees them
  undo      take back your last move and the answer
  score     count the board as it stands
  resign    give up
  save FILE write the game as SGF
  quit      stop; the game is kept, `montego terminal --resume` goes on with it"""

PERSON, ENGINE = "You", "Montego"
"""The players' names in the file, by which a game is resumed with the same colours."""


def saved_game() -> Path:
    """Where the game in progress is kept, so that nothing is lost with the terminal."""
    return data_folder("--sgf") / "last-game.sgf"


def save(game: Game, person: int, path: Path) -> None:
    """Write the game in one step: a reader finds the old file or the new one, never half of one."""
    record = GameRecord.from_game(game)
    record.black_player, record.white_player = (PERSON, ENGINE) if person == BLACK else (ENGINE, PERSON)
    try:
        path = path.expanduser()
        path.parent.mkdir(parents=True, exist_ok=True)
        partial = path.with_name(path.name + ".part")
        partial.write_bytes(write_sgf(record))
        partial.replace(path)
    except (OSError, ValueError, RuntimeError) as error:
        raise MontegoError(f"cannot write {shown(str(path))}: {getattr(error, 'strerror', None) or error}") from error


def resumed(path: Path) -> tuple[Game, int]:
    """The game in a file and the person's colour in it."""
    record = read_sgf(path)
    game = record.to_game()
    if record.result.endswith(("+R", "+Resign")):
        game.resign(WHITE if record.result.startswith("B") else BLACK)
    return game, WHITE if record.white_player == PERSON else BLACK


def opinion(choice: Choice) -> str:
    """What the engine thinks of its move, in a few words."""
    if not choice.simulations:
        return choice.reason.name.lower()
    return f"it expects to win {choice.value:.0%} of the time, after {choice.simulations:,} simulations"


class Session:
    """One game at the terminal."""

    def __init__(self, game: Game, person: int, player: SearchPlayer | PlayoutPlayer, path: Path) -> None:
        self.game, self.person, self.player, self.path = game, person, player, path
        self.kept = False

    def run(self) -> None:
        click.echo(f"You are {COLOUR_NAMES[self.person]}. Type a vertex such as D4, or help.\n")
        click.echo(self.game.diagram())
        while not self.game.is_over:
            if self.game.to_play != self.person:
                self.answer()
            elif not self.ask():
                return
        click.echo(f"The game is over: {self.result()}")

    def result(self) -> str:
        """The result; after two passes dead stones are taken off, as far as the engine can judge them."""
        if not self.game.result().startswith(("B+", "W+", "0")) or self.game.result().endswith("R"):
            return self.game.result()
        outlook = self.player.outlook(self.game) if isinstance(self.player, SearchPlayer) else None
        if outlook is None or not outlook.dead or self.game.rules.all_alive:
            return self.game.result()
        return f"{outlook.score}, dead stones: {' '.join(outlook.dead)}"

    def answer(self) -> None:
        """The engine's move."""
        with compiling("the engine"):
            choice = self.player.choose(self.game)
        if choice.vertex == "resign":
            self.game.resign()
            self.keep()
            return
        self.game.play(choice.vertex)
        self.keep()
        click.echo(f"\nMontego plays {choice.vertex} ({opinion(choice)})\n{self.game.diagram()}")

    def ask(self) -> bool:
        """One line from the person. False to stop."""
        try:
            line = click.prompt(f"{COLOUR_NAMES[self.person]}", prompt_suffix="> ").strip()
        except click.exceptions.Abort:  # Ctrl-C or the end of the input
            click.echo()
            line = "quit"
        word, _, rest = line.partition(" ")
        try:
            return self.obey(word.lower(), rest.strip())
        except MontegoError as error:
            click.echo(str(error))
            return True

    def obey(self, word: str, rest: str) -> bool:
        if word == "quit":
            click.echo(f"The game is kept in {self.path}" if self.kept else "Goodbye.")
            return False
        if word == "help":
            click.echo(HELP)
        elif word == "score":
            click.echo(f"As the board stands: {self.game.score()}")
        elif word == "save":
            if not rest:
                raise MontegoError("save needs a file name: save game.sgf")
            save(self.game, self.person, Path(rest))
            click.echo(f"saved in {rest}")
        else:
            self.change(word)
            self.keep()
        return True

    def change(self, word: str) -> None:
        """What a word does to the game."""
        if word == "resign":
            self.game.resign(self.person)
        elif word == "undo":
            self.undo()
        else:
            self.game.play(word)

    def keep(self) -> None:
        """Save the game; where that fails, say so and play on."""
        try:
            save(self.game, self.person, self.path)
            self.kept = True
        except MontegoError as error:
            self.kept = False
            click.echo(f"The game is not kept: {error}", err=True)

    def undo(self) -> None:
        """Back to the person's last turn."""
        mine = [i for i, move in enumerate(self.game.moves) if move.colour == self.person]
        if not mine:
            raise MontegoError("you have no move to take back")
        self.game.undo(len(self.game.moves) - mine[-1])
        click.echo(self.game.diagram())


@click.command("terminal")
@click.option("--size", type=click.IntRange(2, 19), default=9, show_default=True, help="Board size.")
@click.option("--colour", type=click.Choice(["black", "white"]), default="black", show_default=True, help="Yours.")
@click.option("--komi", type=float, default=7.5, show_default=True, help="Points White starts with.")
@click.option("--rules", type=click.Choice(list(RULES)), default="chinese", show_default=True, help="Rule set.")
@click.option("--handicap", type=int, default=0, help="Black's stones before White's first move.")
@click.option("--preset", default="house", show_default=True, help="Opponent: see `montego presets`.")
@click.option("--level", help="Opponent of a rank instead: see `montego levels`.")
@click.option("--policy", type=click.Choice(["mogo", "uniform"]), help="Play a default policy alone: a first beginner.")
@click.option("--seconds", type=click.FloatRange(0.001, 3600), help="Thinking time a move; 1 unless told otherwise.")
@click.option("--simulations", type=click.IntRange(1), help="Simulations a move, instead of a time.")
@click.option("--threads", type=click.IntRange(1, 256), default=1, show_default=True, help="Of the search.")
@click.option("--seed", type=int, help="Play the same opponent again; by default a new one each time.")
@click.option("--sgf", type=click.Path(path_type=Path, dir_okay=False), help="Keep the game in this file.")
@click.option(
    "--resume",
    is_flag=True,
    help="Go on with the game in that file, or the last one, as it was.",
)
def command(
    size: int,
    colour: str,
    komi: float,
    rules: str,
    handicap: int,
    preset: str,
    level: str | None,
    policy: str | None,
    seconds: float | None,
    simulations: int | None,
    threads: int,
    seed: int | None,
    sgf: Path | None,
    resume: bool,
) -> None:
    """Play a game in the terminal against the engine.

    More seconds make it stronger; `--level 20k`, or `--policy mogo`, which plays without any search, are easier to
    beat. The game is kept after every move.
    """
    seed = secrets.randbits(32) if seed is None else seed
    opponent: SearchPlayer | PlayoutPlayer
    if policy:
        opponent = PlayoutPlayer(policy, seed)
    else:
        limit = 1.0 if simulations is None and seconds is None else seconds
        spec = find_level(level).name if level else preset
        opponent = new_player(spec, simulations, limit, threads, seed, friendly=True, resign_below=0.05)
    path = sgf or saved_game()
    if resume:
        game, person = resumed(path)
    else:
        game, person = Game(size, komi, rules), parse_colour(colour)
        if handicap:
            game.place_free_handicap(handicap)
    Session(game, person, opponent, path).run()
