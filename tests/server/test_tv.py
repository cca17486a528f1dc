"""Finding finished matches by a position, the best matches in progress, and the match of the day."""

from __future__ import annotations

import datetime
import time
from urllib.parse import quote

from sqlalchemy import insert, update

from acedrex import Board, load
from acedrex.server.archive import positions
from acedrex.server.storage.store import Store
from acedrex.server.storage.tables import archive, ratings
from tests.server.conftest import Person, Server, alter, anyone
from tests.server.test_social import play
from tests.server.waiting import until

RECORDS = """[White "Ana"]
[Black "Bo"]

1. e4 e5 2. Nf3 Nc6 1-0

[White "Cy"]
[Black "Di"]

1. Nf3 Nc6 2. e4 e5 1/2-1/2

[White "Ed"]
[Black "Fay"]

1. d4 d5 0-1
"""


def found(person: Person, fen: str, game: str = "chess") -> list[str]:
    time.sleep(0.2)  # A person may ask ten times a second.
    answer = person.http.get(f"/api/archive?whose=mine&game={quote(game)}&fen={quote(fen)}")
    assert answer.status_code == 200, answer.text
    return sorted(match["players"]["white"] for match in answer.json()["matches"])


def after(*moves: str) -> str:
    board = Board(load("chess"))
    for move in moves:
        board.push_san(move)
    return board.fen()


async def test_matches_are_found_by_a_position_however_it_was_reached(server: Server, ana: Person) -> None:
    headers = {"Content-Type": "application/x-chess-pgn"}
    assert ana.http.post("/api/archive", content=RECORDS, headers=headers).json()["stored"] == 3
    await until(lambda: found(ana, after("e4", "e5", "Nf3", "Nc6")) == ["Ana", "Cy"])
    await until(lambda: found(ana, after("d4")) == ["Ed"])
    # By another order of moves, and with other counters.
    assert found(ana, after("Nf3", "Nc6", "e4", "e5")) == ["Ana", "Cy"]
    assert found(ana, after("a3")) == []


def test_a_position_needs_its_game_and_must_be_one(ana: Person) -> None:
    fen = quote(after("e4"))
    assert ana.http.get(f"/api/archive?fen={fen}").json()["where"] == "game"
    assert ana.http.get("/api/archive?game=chess&fen=nothing").status_code == 400
    assert ana.http.get(f"/api/archive?game=magi&fen={fen}").status_code == 400


def test_drama_counts_how_far_the_chances_travel() -> None:
    quiet, lost, swinging = [0, 0, 0, 0], [0, -100, -300, -900], [0, 500, -500, 500]
    assert positions.drama(quiet) == 0
    assert 0 < positions.drama(lost) < 0.5 < positions.drama(swinging)


def row(match: str, drama: float | None, day: int, plies: int = 40, *, public: bool = True) -> dict[str, object]:
    names = {"white_name": "", "black_name": "", "game": "chess", "result": "1-0", "public": public}
    return {"match": match, "plies": plies, "at": day * positions.DAY + 5, "drama": drama, **names}


async def test_the_match_of_the_day_is_the_most_dramatic_of_the_last_day_with_any(store: Store) -> None:
    day = (datetime.date(2026, 11, 28) - positions.EPOCH).days
    rows = [
        *(
            row("old", 9.0, day - 2),
            row("calm", 0.5, day - 1),
            row("wild", 2.0, day - 1),
            row("short", 5.0, day - 1, 4),
        ),
        *(row("private", 8.0, day - 1, public=False), row("unknown", None, day - 1), row("today", 7.0, day + 1)),
    ]
    for one in rows:
        await store.write((insert(archive), one))
    assert await positions.most_dramatic(store, datetime.date(2026, 11, 28)) == "wild"
    await store.write((update(archive).where(archive.c.match == "wild").values(drama=None), {}))
    assert await positions.most_dramatic(store, datetime.date(2026, 11, 28)) == "calm"
    assert await positions.most_dramatic(store, datetime.date(2026, 11, 20)) is None


def test_there_may_be_no_match_of_the_day(server: Server) -> None:
    answer = anyone.get(f"{server.base}/api/match-of-the-day")
    assert (answer.status_code, answer.text) == (200, "null")


def test_a_channel_shows_the_match_of_the_best_players(server: Server, ana: Person, bo: Person) -> None:
    cy = Person(server, "Cy", "127.0.0.4")
    weak, strong = play(ana, bo, over=False), play(ana, cy, over=False)
    url = server.environment["ACEDREX_DATABASE_URL"]
    columns = ", ".join(column.name for column in ratings.columns)
    kind = next(channel["kind"] for channel in anyone.get(f"{server.base}/api/tv").json())
    for match, best in ((weak, bo), (strong, cy)):
        value = f"'{best.id}', '{kind}', {2500 if match == strong else 1800}, 60, 0.06, 9, 0, 0, 1"
        alter(url, f"INSERT INTO ratings ({columns}) VALUES ({value})")
    channels = [channel for channel in anyone.get(f"{server.base}/api/tv").json() if channel["kind"] == kind]
    assert [channel["card"]["match"] for channel in channels] == [strong]
    alter(url, f"UPDATE ratings SET rating = 2900 WHERE person = '{bo.id}'")
    channels = [channel for channel in anyone.get(f"{server.base}/api/tv").json() if channel["kind"] == kind]
    assert [channel["card"]["match"] for channel in channels] == [weak]
