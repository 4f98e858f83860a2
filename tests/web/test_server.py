"""The server as pages see it: games, searches, refusals, restarts, and whoever should not be let in."""

from __future__ import annotations

import http.client
import json
import random
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus

from montego.web.messages import SCHEMA
from montego.web.server import ServerSettings, name_of
from web.served import FakePage, Server


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    games = tmp_path_factory.mktemp("web") / "games.db"
    made = Server(ServerSettings(games=games, desks=1, memory=256, messages=10**6, prepared=()))
    yield made
    made.stop()


@pytest.fixture
def page(server: Server) -> Iterator[FakePage]:
    with server.page() as page:
        yield page


class Answer(NamedTuple):
    status: int
    policy: str
    body: bytes


def get(server: Server, path: str, **headers: str) -> Answer:
    with closing(http.client.HTTPConnection("127.0.0.1", server.port, timeout=20)) as line:
        line.request("GET", path, headers=headers)
        answer = line.getresponse()
        return Answer(answer.status, answer.getheader("content-security-policy") or "", answer.read())


# --- games ------------------------------------------------------------------------------------------------------


def test_a_game_is_played_counted_and_kept(server: Server, page: FakePage) -> None:
    game = page.new()
    assert (game["phase"], game["toPlay"], game["moves"]) == ("play", "B", [])
    game = page.play("C3")
    assert [colour for colour, _ in game["moves"]] == ["B", "W"] and game["winrates"][1] is not None
    assert page.about("undo")["moves"] == []
    error = page.about("play", vertex="Z9")
    assert error["type"] == "error" and "Z9" in error["message"]
    assert page.ask(type="play", game=game["game"], turn=9, vertex="A1")["type"] == "error"
    with server.page() as other:
        assert other.ask(type="open", game=game["game"])["moves"] == []
        page.play("C3")
        assert other.next(lambda m: m["type"] == "game" and len(m["moves"]) == 2)
    assert "PW[30k]" in page.ask(type="save", game=game["game"])["text"]
    assert page.about("resign")["result"] == "W+R"


def test_counting(page: FakePage) -> None:
    page.new(white="person")
    for vertex in ["C1", "A1", "C2", "A2", "C3", "A3", "C4", "A4", "C5", "pass", "pass"]:
        page.about("play", vertex=vertex)
    game = page.game if page.game["score"] else page.next(lambda m: m["type"] == "game" and m["score"])
    assert game["phase"] == "scoring" and game["dead"] == ["A1", "A2", "A3", "A4"]
    assert page.about("dead", vertex="A1")["dead"] == []
    assert page.about("dead", vertex="A1")["score"]["text"] == "B+17.5"
    assert page.about("accept")["result"] == "B+17.5"
    assert page.about("play", vertex="B1")["type"] == "error"


def test_engines_play_each_other(page: FakePage) -> None:
    page.new(black="30k", white="28k")
    assert page.next(lambda m: m["type"] == "game" and m["phase"] == "over")["result"]


def test_analysis_and_its_tree(page: FakePage) -> None:
    game = page.new(white="person")
    page.about("play", vertex="C3")
    page.send(type="analyse", game=game["game"], turn=1, slot=0, player="mogo-2007", visits=300)
    found = page.next(lambda m: m["type"] in ("analysis", "error") and m.get("done", True))
    assert found["slot"] == 0 and found["reply"]["rootInfo"]["visits"] >= 300
    best = found["reply"]["moveInfos"][0]
    assert best["visits"] > 0 and 0 <= best["beta"] <= 1 and best["pv"][0] == best["move"]
    assert len(found["reply"]["ownership"]) == 25
    page.send(type="tree", slot=0, path=[])
    tree = page.next(lambda m: m["type"] in ("tree", "error"))
    assert tree["children"][0]["move"] == best["move"] and tree["visits"] == found["reply"]["rootInfo"]["visits"]
    page.send(type="tree", slot=0, path=["pass", "pass", "pass"])
    assert page.next(lambda m: m["type"] in ("tree", "error"))["type"] == "error"
    assert page.ask(type="tree", slot=1, path=[])["type"] == "error"


def test_files(page: FakePage) -> None:
    loaded = page.ask(type="load", sgf="(;SZ[5];B[cc];W[bb])")
    assert loaded["moves"] == [["B", "C3"], ["W", "B4"]]
    assert page.ask(type="load", sgf="(;SZ[5];B[zz])")["type"] == "error"


# --- searches are shared ----------------------------------------------------------------------------------------


def test_a_closed_page_stops_its_search(server: Server) -> None:
    with server.page() as page:
        game = page.new(white="person")
        page.send(type="analyse", game=game["game"], turn=0, slot=0, player="house")
        page.next(lambda m: m["type"] == "analysis" and not m["waiting"])
        desk = server.hall.desks.desks[0]
        assert desk.is_busy
    until = time.monotonic() + 1.0
    while desk.is_busy:
        assert time.monotonic() < until
        time.sleep(0.02)


def visits(page: FakePage) -> int:
    """Of the next report."""
    report = page.next(lambda m: m["type"] == "analysis" and not m["waiting"])
    return int(report["reply"]["rootInfo"]["visits"])


def test_analyses_take_turns_and_moves_come_first(server: Server) -> None:
    with server.page() as first, server.page() as second, server.page() as player:
        for each in (first, second):
            game = each.new(white="person")
            each.send(type="analyse", game=game["game"], turn=0, slot=0, player="house")
        for _ in range(2):
            for each in (first, second):
                before = each.next(lambda m: m["type"] == "analysis" and not m["waiting"])["reply"]["rootInfo"][
                    "visits"
                ]
                after = each.next(lambda m: m["type"] == "analysis" and not m["waiting"])["reply"]["rootInfo"]["visits"]
                assert after >= before  # a search that made room for others goes on where it was
        player.new()
        player.play("C3")
        start = time.monotonic()
        player.play("C2" if player.game["moves"][1][1] != "C2" else "D3")
        assert time.monotonic() - start < 2.0


# --- refusals ---------------------------------------------------------------------------------------------------


UNKNOWN = "nothing"


def junk(draw: random.Random, known: str) -> str:
    """A message that is wrong somewhere, mostly."""
    kinds = [kind for kind in SCHEMA if kind != "open" or known == UNKNOWN]  # whoever knows a game may open it
    kind = draw.choice([*kinds, "", "x", None, 3])
    values: list[Any] = [
        None,
        True,
        -1,
        0,
        1,
        10**30,
        1.5,
        "",
        "A1",
        "pass",
        known,
        "x" * 300,
        [],
        ["A1"],
        {},
        "house",
        "\u0000",
    ]
    fields = [*SCHEMA.get(kind, {}), "extra"] if isinstance(kind, str) else ["game"]
    message = {"type": kind, **{name: draw.choice(values) for name in fields if draw.random() < 0.8}}
    text = json.dumps(message)
    if draw.random() < 0.2:
        cut = draw.randrange(len(text))
        text = text[:cut] + draw.choice(["", "\\", "[", "{", "\u2028", "NaN"]) + text[cut + draw.randrange(3) :]
    return text


def test_ten_thousand_bad_messages_change_nothing(server: Server) -> None:
    draw = random.Random(1)
    with server.page() as owner, server.page() as stranger:
        game = owner.new(white="person")
        owner.about("play", vertex="C3")
        before = server.hall.table(game["game"]).to_dict()
        for burst in range(100):
            for _ in range(100):
                stranger.socket.send(junk(draw, game["game"] if burst % 2 else UNKNOWN))
            stranger.ask(type="hello")
        assert server.hall.table(game["game"]).to_dict() == before
        assert owner.about("play", vertex="C2")["moves"][-1] == ["W", "C2"]


def test_what_is_refused_says_why(page: FakePage) -> None:
    for text in ("", "[]", "{", '{"type":"new"}', '{"type":"play","game":"x","turn":0,"vertex":"A1"}'):
        page.socket.send(text)
        answer = page.next(lambda m: m["type"] == "error")
        assert answer["message"]
    page.socket.send(b"\x00\x01")
    assert page.next(lambda m: m["type"] == "error")["message"]


def test_oversized_messages(server: Server) -> None:
    with server.page() as page:
        page.socket.send(json.dumps({"type": "load", "sgf": "x" * (1 << 20)}))
        assert page.next()["type"] == "error"
        with pytest.raises(ConnectionClosed):
            page.socket.send("x" * (1 << 23))
            page.next(lambda m: False)


def test_strangers_are_refused(server: Server) -> None:
    own = f"127.0.0.1:{server.port}"
    assert get(server, "/").status in (200, 503)
    assert get(server, "/", Host="evil.example").status == 403
    assert get(server, "/", Host=own, Origin="http://evil.example").status == 403
    assert get(server, "/results.json", Host=f"localhost:{server.port}").status == 200
    for origin in ("http://evil.example", f"http://localhost:{server.port}.evil.example", "null"):
        with pytest.raises((InvalidStatus, ConnectionClosed)), server.page(origin) as page:
            page.next()


def test_headers_and_results(server: Server) -> None:
    answer = get(server, "/results.json")
    assert "default-src 'self'" in answer.policy
    assert json.loads(answer.body)["sections"]
    for path in ("/figures/../RESULTS.md", "/assets/%2e%2e/index.html", "/nothing"):
        assert get(server, path).status == 404


@pytest.mark.parametrize(("host", "name"), [("a.b:80", "a.b"), ("[::1]:80", "::1"), ("", ""), ("[", "")])
def test_names(host: str, name: str) -> None:
    assert name_of(host) == name


# --- restarts ---------------------------------------------------------------------------------------------------


def test_a_restarted_server_has_the_game(tmp_path: Path) -> None:
    settings = ServerSettings(games=tmp_path / "games.db", desks=1, memory=256, prepared=())
    first = Server(settings)
    with first.page() as page:
        game = page.new(white="person")
        page.about("play", vertex="C3")
    first.stop()
    second = Server(settings)
    with second.page() as page:
        assert page.ask(type="open", game=game["game"])["moves"] == [["B", "C3"]]
        assert page.about("play", vertex="C2")["moves"][-1] == ["W", "C2"]
    second.stop()


# --- reviews ----------------------------------------------------------------------------------------------------


def test_a_game_is_gone_over_and_saved_with_it(page: FakePage) -> None:
    game = page.ask(type="load", sgf="(;SZ[5]KM[2.5];B[cc];W[cb];B[aa];W[bb])")
    first = page.ask(type="review", game=game["game"], visits=50)
    assert (first["done"], first["total"]) == (0, 5)
    last = page.next(lambda m: m["type"] == "review" and m["done"] == 5)
    assert len(last["turns"]) == 5 and all(0 <= turn["winrate"] <= 1 and turn["best"] for turn in last["turns"])
    kept = page.next(lambda m: m["type"] == "game" and m["review"])
    assert kept["review"]["turns"] == last["turns"] and all(rate is not None for rate in kept["winrates"])
    assert "SBKV" in page.ask(type="save", game=game["game"])["text"]
