"""How clients read what an engine says: the part of each client's reading that an engine can get wrong."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator

from gtp.clients.session import Reply

POINT = r"[A-HJ-T](?:1[0-9]|[1-9])"
MOVE = re.compile(rf"{POINT}|pass")
SIZE = 9
"""All transcripts play on this board."""


def _infos(text: str) -> Iterator[str]:
    """Each candidate of each line of an analysis, without the word `info`."""
    lines = [line for line in text.split("\n") if line.startswith("info ")]
    assert lines, f"no analysis in {text!r}"
    for line in lines:
        yield from line.removeprefix("info ").split(" info ")


def _pairs(info: str) -> tuple[dict[str, str], list[str]]:
    """Keys with their values up to the principal variation, and the words after it, as split at single blanks."""
    words = info.strip().split(" ")
    end = words.index("pv")
    assert end % 2 == 0, f"a key without a value: {info}"
    return dict(zip(words[0:end:2], words[1:end:2], strict=True)), words[end + 1 :]


def lizzie(reply: Reply) -> None:
    """Lizzie and LizzieYzy: whole numbers for win rate, prior and bound; the variation runs to the next `info`."""
    for info in _infos(reply.text):
        values, variation = _pairs(info)
        assert MOVE.fullmatch(values["move"]) and int(values["visits"]) >= 0 and int(values["order"]) >= 0
        assert all(0 <= int(values[key]) <= 10000 for key in ("winrate", "prior", "lcb"))
        assert variation and all(MOVE.fullmatch(word) for word in variation), info


def lizzie_version(reply: Reply) -> None:
    """Lizzie asks for the second part of a Leela Zero version, and complains below 15."""
    assert int(reply.text.split(".")[1]) >= 15


def lizzie_id(reply: Reply) -> None:
    """Lizzie reads a number up to the first blank of a reply, failures included."""
    assert int(reply.raw.split(" ")[0].split("\n")[0][1:]) > 0


def q5go(reply: Reply) -> None:
    """q5Go finds each value between blanks, and shows a score only with mean and deviation; points in capitals."""
    for info in _infos(reply.text):
        assert re.match(r"move \S+\s", info)
        for key, value in (("visits", r"\d+"), ("winrate", r"\S+"), ("scoreMean", r"\S+"), ("scoreStdev", r"\S+")):
            found = re.search(rf"\s{key}\s+({value})\s", info)
            assert found, f"{key} is missing: {info}"
            float(found[1])
        variation = re.search(r"\spv\s+(.*)$", info)
        assert variation and all(MOVE.fullmatch(word) for word in variation[1].split()), info


def played(reply: Reply) -> None:
    """A move generated under analysis: the last line says what was played, and the first of a reply is its status."""
    last = reply.text.split("\n")[-1]
    assert re.fullmatch(rf"play ({POINT}|pass|resign)", last), last


def ownership(reply: Reply) -> None:
    """KataGo's ownership: after the last variation, a number from −1 to 1 for every point."""
    for line in reply.text.split("\n"):
        numbers = line.split(" ownership ")[1].split(" ownershipStdev ")[0].split() if " ownership " in line else []
        assert not line.startswith("info ") or len(numbers) == SIZE * SIZE, line
        assert all(-1.0 <= float(number) <= 1.0 for number in numbers)


def cgos_json(reply: Reply) -> str:
    """What the client passes on to the server, be it empty: a move in a hurry has no analysis."""
    analysis, last = [line for line in reply.text.split("\n") if line][-2:]
    assert re.fullmatch(rf"play ({POINT}|pass|resign)", last), last
    assert isinstance(json.loads(analysis), dict)
    return analysis


def cgos(reply: Reply) -> None:
    """The CGOS client passes on the line before `play` as it is: JSON on one line, then the move."""
    told = json.loads(cgos_json(reply))
    assert 0.0 <= told["winrate"] <= 1.0 and isinstance(told["score"], float) and told["visits"] > 0
    for move in told["moves"]:
        assert MOVE.fullmatch(move["move"]) and 0.0 <= move["winrate"] <= 1.0 and move["visits"] >= 0
        assert isinstance(move["pv"], str) and isinstance(move["score"], float) and 0.0 <= move["prior"] <= 1.0
    if "ownership" in told:
        assert re.fullmatch(rf"[A-Za-z0-9+/]{{{SIZE * SIZE}}}", told["ownership"])


def gogui(reply: Reply) -> None:
    """GoGui takes everything after the first blank of a reply: there must be one right after the status."""
    assert not reply.text or reply.raw.startswith(f"{reply.status}{reply.id} "), reply.raw


def gogui_number(reply: Reply) -> None:
    assert float(reply.text) >= 0.0


def gogui_analyze(reply: Reply) -> None:
    """A line for each board view: type/label/command."""
    gogui(reply)
    types = "bwboard cboard dboard eplist gfx hstring hpstring none param plist pspairs pstring string sboard"
    known = {*types.split(), *("var", "varb", "varc", "varp", "varpo", "varw")}
    lines = reply.text.split("\n")
    assert len(lines) >= 7
    for line in lines:
        kind, label, command = line.split("/")
        assert kind in known and label and re.fullmatch(r"[\w-]+( .*)?", command), line


def gogui_board(reply: Reply) -> None:
    """A dboard, cboard or sboard: as many words as points, row by row."""
    gogui(reply)
    rows = [row.split() for row in reply.text.split("\n") if row.strip()]
    assert [len(row) for row in rows] == [SIZE] * SIZE, reply.text


def gtp2ogs(reply: Reply) -> None:
    """gtp2ogs splits a reply at blanks and reads a letter and a number in every part; nothing else may stand there."""
    words = reply.raw[1:].strip().lower().split(" ")
    assert words and all(re.fullmatch(r"[a-hj-z]\d+|pass|resign", word) for word in words), reply.raw


def names_of_commands(reply: Reply) -> None:
    """LizzieYzy waits for `= protocol_version` to know where the list begins; Sabaki prefers `analyze` to all else."""
    names = reply.text.split("\n")
    assert reply.raw.split("\n")[0].split(" ")[-1] == "protocol_version"
    assert len(set(names)) == len(names) and all(re.fullmatch(r"[a-z0-9_-]+", name) for name in names)
    assert not {"analyze", "genmove_analyze", "kata-raw-nn"} & set(names)


_ALL = (lizzie, lizzie_version, lizzie_id, q5go, played, ownership, cgos, cgos_json, gtp2ogs, names_of_commands)
_GOGUI = (gogui, gogui_number, gogui_analyze, gogui_board)

READERS: dict[str, Callable[[Reply], object]] = {
    reader.__name__.replace("_", "-"): reader for reader in (*_ALL, *_GOGUI)
}


def confused_by(line: str) -> str:
    """Which client would take this line of the error output for something else; empty if none.

    Lizzie reads standard output and error as one stream; gtp2ogs and KaTrain look for words.
    """
    starts = ("=", "?", "info", "play", "komi=", "opp_komi=", "Tuning")
    if line.startswith(starts) or " -> " in line:
        return "Lizzie"
    if line.startswith(("NN eval", "root eval", "| ST")) or line.endswith("nodes") or "long time" in line:
        return "LizzieYzy"
    if re.search(r"(DISCUSSION|MALKOVICH|MAIN):", line):
        return "gtp2ogs"
    if "Uncaught exception" in line or "what()" in line:
        return "KaTrain"
    return ""
