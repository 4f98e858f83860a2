"""The readers notice what would confuse their clients."""

from __future__ import annotations

import pytest

from gtp.clients.readers import READERS, confused_by
from gtp.clients.session import Reply

LZ = "info move E5 visits 10 winrate 5012 prior 311 lcb 4800 order 0 pv E5 C3"
KATA = (
    "info move E5 visits 10 winrate 0.5 scoreMean 1.5 scoreStdev 9.1 scoreLead 1.5 prior 0.1 lcb 0.4 order 0 pv E5 pass"
)
FLAT = " ownership " + " ".join(["-0.25"] * 81)
ROW = " ".join(["0.5"] * 9)
VIEWS = "\n".join(f"dboard/View {number}/montego-view {number}" for number in range(7))
CGOS = (
    '{"winrate":0.5,"score":1.5,"visits":9,"moves":'
    '[{"move":"E5","winrate":0.5,"score":1.5,"prior":0.1,"visits":9,"pv":"E5 C3"}]}'
)

FINE = [
    ("lizzie", f"{LZ} {LZ}"),
    ("lizzie-version", "0.17"),
    ("q5go", f"{KATA} {KATA}"),
    ("played", f"{KATA}\nplay E5"),
    ("ownership", KATA + FLAT),
    ("cgos", f"{CGOS}\nplay pass"),
    ("gogui-number", "12.5"),
    ("gogui-analyze", VIEWS),
    ("gogui-board", "\n".join([ROW] * 9)),
    ("gtp2ogs", "C3 G7"),
    ("names-of-commands", "protocol_version\nname\nkata-analyze"),
]

CONFUSING = [
    ("lizzie", KATA),
    ("lizzie", LZ.replace(" prior 311", "")),
    ("lizzie", LZ.replace("pv E5 C3", "pv")),
    ("lizzie", LZ.replace("visits 10", "visits  10")),
    ("lizzie", ""),
    ("lizzie-version", "0.9"),
    ("lizzie-version", "1"),
    ("q5go", KATA.replace(" scoreStdev 9.1", "")),
    ("q5go", KATA.replace("pv E5", "pv e5")),
    ("played", KATA),
    ("played", "play e5"),
    ("ownership", KATA),
    ("ownership", KATA + FLAT + " 0.5"),
    ("cgos", "play E5"),
    ("cgos", CGOS.replace('"E5"', "E5") + "\nplay E5"),
    ("gogui-number", "n/a"),
    ("gogui-analyze", VIEWS.replace("dboard", "board")),
    ("gogui-board", "\n".join([ROW] * 8)),
    ("gtp2ogs", "C3\nG7"),
    ("gtp2ogs", "play C3"),
    ("names-of-commands", "name\nprotocol_version"),
    ("names-of-commands", "protocol_version\nanalyze"),
]


def reply(text: str) -> Reply:
    return Reply("=", "", text, f"= {text}")


@pytest.mark.parametrize("name, text", FINE)
def test_what_is_right_is_read(name: str, text: str) -> None:
    READERS[name](reply(text))


@pytest.mark.parametrize("name, text", CONFUSING)
def test_what_is_wrong_is_noticed(name: str, text: str) -> None:
    with pytest.raises((AssertionError, ValueError, IndexError, KeyError)):
        READERS[name](reply(text))


def test_gogui_needs_a_blank_after_the_status() -> None:
    with pytest.raises(AssertionError):
        READERS["gogui"](Reply("=", "", "one two", "=\none two"))


def test_lizzie_needs_a_number() -> None:
    with pytest.raises(ValueError):
        READERS["lizzie-id"](Reply("?", "", "no such command", "? no such command"))


@pytest.mark.parametrize("line", ["= 3", "info: compiling", "play on", "E5 -> 10", "MAIN: hello", "searched 10 nodes"])
def test_error_output_that_would_be_misread(line: str) -> None:
    assert confused_by(line)


def test_error_output_that_is_only_shown() -> None:
    assert not confused_by("montego: compiling for 9×9, some twenty seconds")
