"""House engines: players that are always there, and play by their styles."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing

import pytest
from sqlalchemy import select

from acedrex import Board, Limit, load
from acedrex.server.limits.visitor import Visitor
from acedrex.server.people import house
from acedrex.server.people.names import clean_account_name, is_reserved
from acedrex.server.play import engines as engines_module
from acedrex.server.play.engines import Engines
from acedrex.server.refusal import Refusal
from acedrex.server.storage.store import Store
from acedrex.server.storage.tables import people
from tests.server.conftest import Person, Server
from tests.server.services import PostgreSQL
from tests.server.waiting import wait_until

GENTLEST = {"kind": "house", "engine": "caladrius"}


def test_the_house_engines_go_from_the_gentlest_to_full_strength() -> None:
    found = list(house.ENGINES.values())
    assert 6 <= len(found) <= 8
    levels = [engine.level for engine in found]
    assert levels == sorted(set(levels)) and levels[0] == 1 and levels[-1] == 10
    for engine in found:
        assert {kind.letter for kind in load(engine.portrait[0]).pieces} >= {engine.portrait[1]}
        assert all(load(game).name for game in engine.games) and engine.id == engine.name.lower()
        assert all("!" not in text for words in (engine.en, engine.fr) for text in (words.character, words.style))


@pytest.mark.parametrize("name", ["Aanca", "aanca 2", "AANCA", "\u0410anca", "Zaraffa"])
def test_nobody_can_have_the_name_of_a_house_engine(name: str) -> None:
    assert is_reserved(name)
    if " " not in name:
        with pytest.raises(Refusal):
            clean_account_name(name)


async def test_matches_that_begin_together_store_a_house_engine_once(store: Store) -> None:
    for _ in range(2):
        await asyncio.gather(*(house.enrol(store, id) for id in house.ENGINES for _ in range(3)))
    rows = await store.all(select(people.c.id, people.c.name).where(people.c.id.in_(house.ENGINES)))
    assert sorted((row.id, row.name) for row in rows) == sorted((one.id, one.name) for one in house.ENGINES.values())


def test_a_challenge_to_a_house_engine_is_a_match_at_once(server: Server) -> None:
    ana = Person(server, "Ana")
    made = ana.match("magi", opponent=GENTLEST, hints=True)["match"]
    talk = ana.socket(made)
    black = talk.snapshot["players"]["black"]
    engine = {"name": "Caladrius", "kind": "engine", "level": 1, "online": True, "seen": None}
    assert black == engine | {"house": "caladrius", "profile": None}
    assert talk.snapshot["phase"] == "play" and "hint" in talk.snapshot["may"]
    assert talk.snapshot["opponent"] == "engine"
    talk.move(talk.position["legal"][0]["move"])
    while talk.hear("update")["ply"] < 2:
        pass
    assert talk.do(type="offer", what="takeback")["type"] == "ack"
    assert ana.http.get(f"/api/matches/{made}").json()["moves"] == []


def test_a_finished_game_is_in_the_record_of_the_house_engine(server: Server) -> None:
    ana = Person(server, "Ana")
    before = ana.http.get("/api/engines/caladrius").json()["record"]
    made = ana.match("magi", opponent=GENTLEST)["match"]
    talk = ana.socket(made)
    talk.move(talk.position["legal"][0]["move"])
    while talk.hear("update")["ply"] < 2:
        pass
    talk.do(type="resign")
    after = wait_until(lambda: (page := ana.http.get("/api/engines/caladrius").json())["record"] != before and page)
    assert after["record"] == before | {"wins": before["wins"] + 1}
    assert made in [card["match"] for card in after["recent"]]
    assert after["engine"]["games"][0] == {"game": "magi", "name": "Magi"}


def test_a_rematch_with_a_house_engine_is_again_with_it_and_belongs_to_the_person(server: Server) -> None:
    ana = Person(server, "Ana")
    # The engine is White, whose seat comes first.
    made = ana.match("magi", opponent=GENTLEST, side="black")["match"]
    talk = ana.socket(made)
    wait_until(lambda: ana.http.get(f"/api/matches/{made}").json()["moves"])
    talk.do(type="resign")
    talk.do(type="offer", what="rematch")
    rematch = ana.http.get(f"/api/matches/{made}").json()["rematch"]
    again = ana.socket(rematch)
    assert again.snapshot["seat"] == "white" and again.snapshot["players"]["black"]["house"] == "caladrius"
    # It counts among the matches that she has begun.
    with closing(sqlite3.connect(server.environment["ACEDREX_DATABASE_URL"].removeprefix("sqlite:///"))) as database:
        creators = database.execute("SELECT creator FROM matches WHERE id IN (?, ?)", (made, rematch)).fetchall()
    assert len(creators) == 2 and len(set(creators)) == 1 and creators[0] != ("caladrius",)


def test_a_program_challenges_a_house_engine_by_its_id(server: Server) -> None:
    ana = Person(server, "Ana")
    token = ana.http.post("/api/me/tokens", json={"name": "x", "scopes": ["challenge:write", "bot:play"]}).json()
    answer = ana.http.post(
        "/api/challenge/zaraffa",
        data={"variant": "magi", "color": "white"},
        headers={"Authorization": f"Bearer {token['token']}"},
    )
    assert answer.status_code == 200, answer.text
    assert answer.json()["status"] == "accepted"


@pytest.mark.slow
def test_two_processes_answer_a_challenge_once(
    start: Callable[..., Server], postgresql: PostgreSQL, redis_url: str
) -> None:
    url = postgresql.migrated()
    server = start("--workers", "2", ACEDREX_DATABASE_URL=url, ACEDREX_REDIS_URL=redis_url)
    ana = Person(server, "Ana")
    for _ in range(4):
        made = ana.match("magi", opponent=GENTLEST)["match"]
        # These connections reach either process.
        one, other = ana.socket(made), ana.socket(made)
        one.move(one.position["legal"][0]["move"])
        while other.hear("update")["ply"] < 2:
            pass
        snapshot = ana.http.get(f"/api/matches/{made}").json()
        assert [move["side"] for move in snapshot["moves"]] == ["white", "black"]
        assert snapshot["number"] == 5, "created, two seats and two moves"
        one.close()
        other.close()
    assert server.faults() == []


def test_an_unknown_house_engine_is_refused(server: Server) -> None:
    ana = Person(server, "Ana")
    asked = {"game": {"game": "magi"}, "opponent": {"kind": "house", "engine": "griffin"}, "time": {"kind": "none"}}
    answer = ana.http.post("/api/matches", json=asked)
    assert (answer.status_code, answer.json()["code"]) == (404, "no_such_engine")
    assert ana.http.get("/api/engines/griffin").status_code == 404


def test_the_house_engines_are_listed_in_french(server: Server) -> None:
    ana = Person(server, "Ana")
    listed = ana.http.get("/api/engines?lang=fr").json()
    assert [one["id"] for one in listed] == list(house.ENGINES)
    assert listed[0]["style"] == house.ENGINES["caladrius"].fr.style


@pytest.mark.parametrize("engine", [one for one in house.ENGINES.values() if one.setup != "searched"])
def test_a_house_engine_chooses_its_setup_in_its_own_way(server: Server, engine: house.HouseEngine) -> None:
    ana = Person(server, "Ana")
    opponent = {"kind": "house", "engine": engine.id}
    talk = ana.socket(ana.match("maasai", opponent=opponent, setup="choose")["match"])
    snapshot = talk.snapshot if talk.snapshot["setup"] else talk.hear("snapshot")
    game = load("maasai")
    assert snapshot["setup"] in game.setups
    if engine.setup == "first":
        assert snapshot["setup"] == game.setups[0]


async def test_the_taste_of_an_engine_shows_in_its_opening(monkeypatch: pytest.MonkeyPatch) -> None:
    engines = Engines(1)
    try:
        for taste, is_soldier in (("soldiers", True), ("pieces", False)):
            board = Board("magi")
            # Weak levels choose at random among what is left to them.
            moves = [await engines.turn(Visitor("x"), board, 1, Limit(nodes=100), taste) for _ in range(5)]
            soldiers = {kind.letter for kind in board.game.pieces if kind.is_soldier}
            for (text,) in moves:
                piece = board.piece_at(board.parse_uci(text).from_square)
                assert piece is not None and (piece.letter in soldiers) == is_soldier
    finally:
        engines.close()


def test_taste_never_costs_much() -> None:
    # Black has left a Queen: no Pawn move is nearly as good as taking it.
    board = Board("chess", "rnb1kbnr/pppp1ppp/8/4p3/4P2q/5N2/PPPP1PPP/RNBQKB1R w KQkq - 0 3")
    assert engines_module._to_taste(board, "soldiers") == []
    assert board.parse_san("Nxh4") in engines_module._to_taste(board, "pieces")
