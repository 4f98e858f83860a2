"""Other programs by name: their command lines, how they are told from others, and games against GNU Go."""

from __future__ import annotations

import os
import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from montego.arena import outside
from montego.arena.adjudication import adjudicator
from montego.arena.contestants import is_outside, make
from montego.arena.game import COUNTED
from montego.arena.match import play_one
from montego.arena.outside import Outside
from montego.arena.played import Played
from montego.arena.programs import PROGRAMS
from montego.arena.settings import Match
from montego.go.errors import ConfigError, MontegoError
from montego.go.game import Game
from montego.gtp import pipes
from montego.gtp.errors import EngineError, StartError
from montego.gtp.pipes import find_program

posix = pytest.mark.skipif(os.name != "posix", reason="scripts are programs on Unix alone")


def command_of(spec: str, **options: Any) -> str:
    made = make(spec, **options)
    command: str = made.describe()["command"]
    return command


GNUGO = "gnugo --mode gtp --level {} --seed '{{seed}}' {}"
AREA, TERRITORY = "--chinese-rules --capture-all-dead", "--japanese-rules"


@pytest.mark.parametrize(
    ("spec", "rules", "command"),
    [
        ("gnugo", "chinese", GNUGO.format(10, AREA)),
        ("gnugo:level=0", "chinese", GNUGO.format(0, AREA)),
        ("gnugo:level=5", "tromp-taylor", GNUGO.format(5, AREA)),
        ("gnugo", "japanese", GNUGO.format(10, TERRITORY)),
        ("gnugo-mc:games=20", "chinese", GNUGO.format(10, f"--monte-carlo --mc-games-per-level 20 {AREA}")),
        ("pachi", "chinese", "pachi -s '{seed}' -t =5000 --nodcnn --nojoseki threads=1,pondering=0 -r chinese"),
        (
            "pachi:limit=_100,threads=2",
            "japanese",
            "pachi -s '{seed}' -t _100 --nodcnn --nojoseki threads=2,pondering=0 -r japanese",
        ),
        ("fuego", "chinese", "fuego --quiet --srand '{seed}'"),
        (
            "katago",
            "chinese",
            "katago gtp -override-config 'maxVisits=100,numSearchThreads=1,searchRandSeed={seed}'",
        ),
        (
            "katago:visits=8,model=/nets/a b.bin.gz",
            "japanese",
            "katago gtp -model '/nets/a b.bin.gz' "
            "-override-config 'maxVisits=8,numSearchThreads=1,searchRandSeed={seed}'",
        ),
    ],
)
def test_command_lines(spec: str, rules: str, command: str) -> None:
    assert command_of(spec, rules=rules) == command


def test_what_fuego_is_told_before_a_game() -> None:
    assert make("fuego:simulations=700").describe()["setup"] == [
        "uct_param_player max_games 700",
        "uct_param_player ignore_clock 1",
        "uct_param_search number_threads 1",
    ]


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("gnugo:depth=3", "gnugo has no option 'depth'; accepted: level"),
        ("gnugo:10", "is no setting"),
        ("gnugo:level=", "is no setting"),
        ("gnugo:level=ten", "level of gnugo is .ten.; accepted: a whole number"),
        ("katago:net=x", "accepted: visits, threads, model, config"),
        ("over-gtp:deep-blue", "deep-blue"),
        ("over-gtp:house:no_such_field=1", "no_such_field"),
    ],
)
def test_options_that_are_refused(spec: str, words: str) -> None:
    with pytest.raises(MontegoError, match=words):
        make(spec)


@pytest.mark.parametrize("spec", ["gnugo", "gnugo:level=0", "gtp:x", "over-gtp:house", "katago"])
def test_specs_of_other_processes(spec: str) -> None:
    assert is_outside(spec)


@pytest.mark.parametrize("spec", ["house", "house:bias=0.01", "gnugos", "8k", "gtp"])
def test_specs_of_players_of_ours(spec: str) -> None:
    assert not is_outside(spec)


def test_gnugo_mc_plays_on_small_boards_alone() -> None:
    with pytest.raises(ConfigError, match="gnugo-mc plays on boards up to 9"):
        make("gnugo-mc").begin(Game(13))


def test_every_program_tells_where_to_get_it() -> None:
    for program in PROGRAMS.values():
        assert pipes.SOURCES[program.program] and program.answers


# Programs that are not there, or are another.


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The only folder in which programs are looked for."""
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(pipes, "GAMES_FOLDER", str(tmp_path))
    monkeypatch.setattr(outside, "START_SECONDS", 0.7)
    return tmp_path


def install(folder: Path, name: str, script: str) -> None:
    (folder / name).write_text(f"#!{sys.executable} -IS\n{script}", encoding="utf-8")
    (folder / name).chmod(0o755)


SPEAKS = """
import sys
answers = {"name": "NAME", "version": "1"}
for line in sys.stdin:
    number, _, command = line.strip().partition(" ")
    print(f"={number} {answers.get(command, '')}\\n", flush=True)
    if command == "quit":
        break
"""


def speaking(name: str) -> str:
    """A program that says that it is `name`."""
    return SPEAKS.replace("NAME", name)


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_missing_program_is_explained_with_the_way_to_get_it(name: str, folder: Path) -> None:
    with pytest.raises(StartError, match="there is no program") as caught:
        make(name).begin(Game(9))
    assert f"get it: {pipes.SOURCES[PROGRAMS[name].program]}" in str(caught.value)


@posix
@pytest.mark.parametrize(
    ("script", "words"),
    [
        ("import time; time.sleep(600)", "no answer within"),
        ("print('Loading level 1 ...', flush=True); input()", "Loading level 1"),
        ("", "it ended with code 0"),
        (speaking("Pacman"), "says that it is 'Pacman'"),
    ],
    ids=["says nothing", "says something else", "ends", "has another name"],
)
def test_the_platform_game_of_the_same_name_is_told_from_pachi(script: str, words: str, folder: Path) -> None:
    install(folder, "pachi", script)
    with pytest.raises(EngineError, match=words) as caught:
        make("pachi").begin(Game(9))
    assert "Debian's package pachi is a platform game" in str(caught.value)
    assert "get Pachi: from https://github.com/pasky/pachi/releases" in str(caught.value)


@posix
def test_the_right_program_is_known_by_its_name(folder: Path) -> None:
    install(folder, "pachi", speaking("Pachi"))
    player = make("pachi")
    player.begin(Game(9))
    assert player.version == "Pachi 1"
    player.close()


# Games with GNU Go.


@pytest.fixture
def gnugo() -> str:
    try:
        return find_program("gnugo")
    except EngineError as error:
        if os.environ.get("CI"):
            raise
        pytest.skip(str(error))


def counted_game(match: Match, number: int) -> Played:
    """A game; GNU Go 3.8 is known to crash now and then, and then another one is played."""
    for attempt in range(3):
        game = play_one(match, make, number + 2 * attempt)
        if game.reason != "crash":
            break
    return game


@pytest.mark.usefixtures("gnugo")
@pytest.mark.parametrize("number", [0, 1])
def test_a_game_with_gnugo(number: int) -> None:
    match = Match("mogo-2007", "gnugo:level=0", games=2, simulations=100, scoring="gnugo:level=0")
    game = counted_game(match, number)
    assert game.outcome in COUNTED and game.reason in ("score", "resign"), game
    assert game.versions["b"].startswith("GNU Go 3.") and game.versions["a"].startswith("Montego")
    assert game.efforts["a"].simulations and game.efforts["b"].simulations is None


@pytest.mark.usefixtures("gnugo")
def test_a_game_with_gnugos_monte_carlo_search() -> None:
    match = Match("mogo-2007", "gnugo-mc:level=1,games=20", games=1, size=5, simulations=100, scoring="gnugo:level=0")
    game = counted_game(match, 0)
    assert game.outcome in COUNTED, game


@pytest.mark.usefixtures("gnugo")
def test_gnugo_as_a_referee_takes_dead_stones_off() -> None:
    match = Match("mogo-2007", "mogo-2007", simulations=10, size=5, komi=0.5, scoring="gnugo")
    game = match.new_game()
    for vertex in ["C1", "A5", "C2", "pass", "C3", "pass", "C4", "pass", "C5", "pass", "D3", "pass", "pass"]:
        game.play(vertex)
    adjudicate = adjudicator(match)
    assert adjudicate is not None and adjudicate(game, {}).result == "B+24.5"
    assert str(game.score()) != "B+24.5", "the dead stone counts where it stands"


# Our own engine, over GTP.


def moves_of(a: str, b: str, number: int, **settings: Any) -> tuple[str, str, list[str]]:
    played = play_one(Match(a, b, **{"simulations": 50, "size": 7, **settings}), make, number)
    return played.outcome, played.result, played.moves


@pytest.mark.parametrize("number", [0, 1])
def test_over_gtp_our_player_plays_the_same_moves(number: int) -> None:
    inside = moves_of("mogo-2007", "house", number)
    assert moves_of("over-gtp:mogo-2007", "house", number) == inside
    assert inside[0] in COUNTED


@pytest.mark.slow
@pytest.mark.parametrize(
    ("spec", "settings"),
    [
        ("house", {"size": 9}),
        ("house:simulations=80", {}),
        ("house:softness=0.1,resign_below=0.3", {}),
        ("8k", {}),
        ("mc-flat", {}),
        ("mogo-2007", {"rules": "tromp-taylor", "komi": 5.5}),
        ("mogo-2007", {"rules": "cgos"}),
        ("mogo-2007", {"openings": ("D4 C3",), "resign": 0.0}),
        ("mogo-2007", {"simulations": 300, "resign": 0.4}),
    ],
)
def test_over_gtp_every_player_plays_the_same_moves(spec: str, settings: dict[str, Any]) -> None:
    for number in range(4):
        assert moves_of(f"over-gtp:{spec}", "mogo-2007", number, **settings) == moves_of(
            spec, "mogo-2007", number, **settings
        )


def test_how_our_own_engine_is_started() -> None:
    player = make("over-gtp:house", simulations=100, seed=5, resign=0.1)
    assert isinstance(player, Outside)
    assert shlex.split(player.describe()["command"]) == [
        *("montego", "gtp", "--preset", "house", "--simulations", "100"),
        *("--threads", "1", "--seed", "{seed}", "--resign", "0.1", "--as-it-stands"),
    ]
    own = make("over-gtp:house:seconds=0.1,friendly=true", simulations=100).describe()["command"]
    assert "--simulations" not in own and "--as-it-stands" not in own
