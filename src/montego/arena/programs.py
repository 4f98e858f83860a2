"""Other Go programs, as data: how each is started, what it is told, how it is known, where to get it."""

from __future__ import annotations

from dataclasses import dataclass, field

from montego.go.errors import ConfigError, shown
from montego.go.rules import Rules


@dataclass(frozen=True)
class OtherProgram:
    name: str
    """in a spec: NAME or NAME:option=value,option=value"""
    program: str
    """the file that is started"""
    arguments: tuple[str, ...]
    """of the command line; {seed} and the names of options in braces stand for values"""
    answers: str
    """what it says when asked its name, so that another program of the same file name is told apart"""
    options: dict[str, str] = field(default_factory=dict)
    """the options of a spec, with their defaults; an option without a value leaves its argument out"""
    area: tuple[str, ...] = ()
    """arguments for rules that count area"""
    territory: tuple[str, ...] = ()
    """arguments for rules that count territory"""
    setup: tuple[str, ...] = ()
    """GTP commands before a game"""
    largest: int = 19
    """board size"""
    lookalike: str = ""
    """a word of warning about another program of that name"""

    def command(self, options: dict[str, str], rules: Rules) -> list[str]:
        """The command line, with {seed} still to be filled in."""
        told = self.area if rules.scoring == "AREA" else self.territory
        lines = (self._filled(word, options) for word in (*self.arguments, *told))
        return [self.program, *(word for line in lines for word in line)]

    def commands(self, options: dict[str, str]) -> list[str]:
        """What is said to it before a game."""
        return [line for word in self.setup for line in self._filled(word, options)]

    def _filled(self, text: str, options: dict[str, str]) -> list[str]:
        """A text with the options in it, in a list; nothing if one of them has no value."""
        if any(f"{{{name}}}" in text and not value for name, value in options.items()):
            return []
        for name, value in options.items():
            text = text.replace(f"{{{name}}}", value)
        return text.split(" ", 1) if text.startswith("-") and " " in text else [text]

    def chosen(self, changes: dict[str, str]) -> dict[str, str]:
        """All options, some of them changed."""
        for name in changes:
            if name not in self.options:
                accepted = ", ".join(self.options) or "none"
                raise ConfigError(f"{self.name} has no option {shown(name)}; accepted: {accepted}")
            if self.options[name].isdecimal() and not changes[name].isdecimal():
                raise ConfigError(f"{name} of {self.name} is {shown(changes[name])}; accepted: a whole number")
        return {**self.options, **changes}


_GNUGO = ("--mode gtp", "--level {level}", "--seed {seed}")
_GNUGO_AREA = ("--chinese-rules", "--capture-all-dead")

_ALL = (
    OtherProgram("gnugo", "gnugo", _GNUGO, "GNU Go", {"level": "10"}, _GNUGO_AREA, ("--japanese-rules",)),
    OtherProgram(
        "gnugo-mc",
        "gnugo",
        (*_GNUGO, "--monte-carlo", "--mc-games-per-level {games}"),
        "GNU Go",
        {"level": "10", "games": "800"},
        _GNUGO_AREA,
        ("--japanese-rules",),
        largest=9,
    ),
    OtherProgram(
        "pachi",
        "pachi",
        ("-s {seed}", "-t {limit}", "--nodcnn", "--nojoseki", "threads={threads},pondering=0"),
        "Pachi",
        {"limit": "=5000", "threads": "1"},
        ("-r chinese",),
        ("-r japanese",),
        lookalike="Debian's package pachi is a platform game",
    ),
    OtherProgram(
        "fuego",
        "fuego",
        ("--quiet", "--srand {seed}"),
        "Fuego",
        {"simulations": "5000", "threads": "1"},
        setup=(
            "uct_param_player max_games {simulations}",
            "uct_param_player ignore_clock 1",
            "uct_param_search number_threads {threads}",
        ),
    ),
    OtherProgram(
        "katago",
        "katago",
        (
            "gtp",
            "-model {model}",
            "-config {config}",
            "-override-config maxVisits={visits},numSearchThreads={threads},searchRandSeed={seed}",
        ),
        "KataGo",
        {"visits": "100", "threads": "1", "model": "", "config": ""},
    ),
)

PROGRAMS = {program.name: program for program in _ALL}
