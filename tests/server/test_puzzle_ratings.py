"""Ratings of puzzles and of those who solve them: what counts, how they are folded, and what people see."""

from __future__ import annotations

import asyncio
import datetime
import random
from typing import Any

import pytest
from sqlalchemy import select, update

from acedrex import Board, load
from acedrex.lessons import Puzzle, daily, puzzles, themes
from acedrex.lessons.puzzle import WITH_REPLIES
from acedrex.server.bus import Bus
from acedrex.server.games.catalogue import Catalogue
from acedrex.server.games.publishing import Publishing
from acedrex.server.personal_data.deletion import Forgetting
from acedrex.server.play.engines import Engines
from acedrex.server.play.rooms import Rooms
from acedrex.server.ratings import results
from acedrex.server.ratings.puzzles import ALL, POOLS, PREFIX, PuzzleRatings, fold, ratings_of, standing, start
from acedrex.server.ratings.results import Standing
from acedrex.server.storage.store import Store
from acedrex.server.storage.tables import attempts, puzzle_ratings, ratings
from acedrex.server.studies.store import Studies
from tests.server.conftest import Person, Server, anyone
from tests.server.matches import DAY, START
from tests.server.stores import opened
from tests.server.test_accounts import signed_up

MAGI = load("magi")
PEOPLE = ("ana", "bo", "cy")


async def attempt(store: Store, person: str, number: int, solved: bool, at: int = START) -> Any:
    return await PuzzleRatings(store).add(person, MAGI, number, puzzles("magi")[number - 1], solved, at)


async def stored(store: Store) -> tuple[dict[tuple[str, str], Standing], dict[tuple[str, int], Standing]]:
    people = await store.all(select(ratings).where(ratings.c.pool.in_(POOLS)))
    tried = await store.all(select(puzzle_ratings))
    return (
        {(row.person, row.pool): results.standing(row) for row in people},
        {(row.game, row.puzzle): standing(row) for row in tried},
    )


async def folded(store: Store) -> tuple[dict[tuple[str, str], Standing], dict[tuple[str, int], Standing]]:
    return fold(await store.all(select(attempts).order_by(attempts.c.number)))


async def some_attempts(store: Store) -> None:
    chance = random.Random(1)
    for day in range(60):
        await attempt(store, chance.choice(PEOPLE), chance.randint(1, 30), chance.random() < 0.6, START + day * DAY)


@pytest.mark.parametrize("game", ["magi", "metamachy", "chieftain"])
def test_harder_puzzles_start_higher(game: str) -> None:
    found = puzzles(game)
    for is_line in (True, False):
        steps = [one for one in found if (one.goal in WITH_REPLIES) == is_line and one.moves <= 2]
        starts = [start(one).rating.rating for one in sorted(steps, key=lambda one: one.step)]
        assert starts == sorted(starts)
    assert all(900 < start(one).rating.rating < 2300 for one in found)


def test_a_longer_solution_starts_higher() -> None:
    short, long = (Puzzle("", "mate", ("a1a2",) * moves, step=12) for moves in (3, 7))
    assert start(long).rating.rating == start(short).rating.rating + 200


async def test_ratings_computed_anew_from_all_attempts_are_the_stored_ones(store: Store) -> None:
    await some_attempts(store)
    people, tried = await stored(store)
    assert (people, tried) == await folded(store)
    count = len(await store.all(select(attempts.c.number)))
    assert sum(one.games for (_, pool), one in people.items() if pool == ALL) == count > 30
    assert sum(one.games for one in tried.values()) == count
    assert {pool for _, pool in people} > {ALL, f"{PREFIX}mate_in_2"}


async def test_a_solved_puzzle_loses_what_its_solver_wins(store: Store) -> None:
    rated = await attempt(store, "ana", 1, True)
    before = start(puzzles("magi")[0])
    assert rated.change > 50 and rated.rating == 1500 + rated.change and rated.provisional
    assert rated.puzzle < before.rating.rating
    assert (await ratings_of(store, "magi"))[:2] == [rated.puzzle, round(start(puzzles("magi")[1]).rating.rating)]
    failed = await attempt(store, "ana", 2, False)
    assert failed.change < 0 and failed.puzzle > start(puzzles("magi")[1]).rating.rating
    people, _ = await stored(store)
    theme = themes(MAGI, puzzles("magi")[0])[0]
    assert people["ana", PREFIX + theme].wins == people["ana", ALL].wins == people["ana", ALL].losses == 1


async def test_an_attempt_counts_once_also_with_requests_in_two_processes(database: str) -> None:
    async with opened(Store(database)) as one, opened(Store(database)) as two:
        places = [PuzzleRatings(store) for store in (one, two, one)]
        asked = [
            place.add(person, MAGI, number, puzzles("magi")[number - 1], True, START)
            for number in range(1, 4)
            for person in PEOPLE
            for place in places
        ]
        found = await asyncio.gather(*asked)
        assert sum(rated is not None for rated in found) == 9
        rows = await one.all(select(attempts).order_by(attempts.c.number))
        assert [row.number for row in rows] == list(range(1, 10))
        assert len({(row.person, row.puzzle) for row in rows}) == 9
        assert await folded(one) == await stored(one)
        assert await attempt(two, "ana", 1, False) is None


async def test_the_ratings_of_puzzles_stay_when_somebody_is_deleted(store: Store) -> None:
    await some_attempts(store)
    people, tried = await stored(store)
    publishing = Publishing(Catalogue(None), None, "nobody", None)
    await Forgetting(Rooms(store, Engines(1), Bus()), publishing, Studies(store, Bus())).forget("ana")
    kept = {key: one for key, one in people.items() if key[0] != "ana"}
    assert await stored(store) == (kept, tried) == await folded(store)
    assert not [row for row in await store.all(select(attempts.c.person)) if row.person == "ana"]


async def test_a_puzzle_that_is_measured_anew_keeps_its_rating(store: Store) -> None:
    await attempt(store, "ana", 1, True)
    await store.write((update(attempts).values(puzzle_rating=1700.0), {}))
    _, tried = await folded(store)
    assert tried["magi", 1].rating.rating > 1600


# Over HTTP.


def wrong(game: str, puzzle: Puzzle) -> str:
    """Return a legal move that is not in the solution."""
    return next(move.uci() for move in Board(game, puzzle.fen).legal_moves if move.uci() not in puzzle.line)


def send(person: Person, number: int, *moves: str, rated: bool = True, **more: Any) -> dict[str, Any]:
    answer = person.http.post(f"/api/games/magi/puzzles/{number}", json={"moves": moves, "rated": rated, **more})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


def test_the_first_attempt_at_a_puzzle_counts_and_no_other(server: Server) -> None:
    ana, _ = signed_up(server, "Ana_p1", "127.0.4.1")
    number, puzzle = next((n, one) for n, one in enumerate(puzzles("magi"), 1) if one.goal == "mate" and one.moves == 2)
    listed = {one["number"]: one["rating"] for one in anyone.get(f"{server.base}/api/games/magi/puzzles").json()}
    # Neither one that is not rated, nor one that goes on.
    assert send(ana, number, wrong("magi", puzzle), rated=False)["rated"] is None
    assert send(ana, number, puzzle.line[0])["rated"] is None
    rated = send(ana, number, *puzzle.line)["rated"]
    assert rated["change"] > 0 and rated["rating"] == 1500 + rated["change"]
    assert send(ana, number, *puzzle.line)["rated"] is None
    assert send(ana, number, wrong("magi", puzzle))["rated"] is None
    again = {one["number"]: one["rating"] for one in anyone.get(f"{server.base}/api/games/magi/puzzles").json()}
    assert again[number] == rated["puzzle"] < listed[number]
    # A wrong move decides, as the solution does if it is shown.
    second = send(ana, number + 1, wrong("magi", puzzles("magi")[number]))["rated"]
    assert second["change"] < 0
    assert send(ana, number + 1, *puzzles("magi")[number].line)["rated"] is None
    third = send(ana, number + 2, show=True)["rated"]
    assert third["change"] < 0
    found = ana.http.get("/api/people/Ana_p1/ratings").json()
    every, *of_themes = found["puzzles"]
    assert found["pools"] == []
    assert every == {
        "theme": None,
        "rating": third["rating"],
        "provisional": True,
        "solved": 1,
        "failed": 2,
        "deviation": every["deviation"],
    }
    assert {one["theme"] for one in of_themes} >= {"mate_in_2"}
    curve = anyone.get(f"{server.base}/api/people/ana_p1/ratings/puzzles").json()
    assert [point["rating"] for point in curve] == [third["rating"]]
    assert not any(str(pool["game"]).startswith("puzzles") for pool in ana.http.get("/api/ratings").json())


def test_attempts_of_guests_and_programs_do_not_count(server: Server) -> None:
    guest, (ana, _) = Person(server, "Guest", "127.0.4.2"), signed_up(server, "Ana_p2", "127.0.4.2")
    made = ana.http.post("/api/me/tokens", json={"name": "bot", "scopes": ["bot:play"]}).json()
    for headers in (
        {},
        {"Authorization": guest.http.headers["Authorization"]},
        {"Authorization": f"Bearer {made['token']}"},
    ):
        body = {"moves": puzzles("magi")[4].line, "rated": True}
        answer = anyone.post(f"{server.base}/api/games/magi/puzzles/5", json=body, headers=headers).json()
        assert (answer["verdict"], answer["rated"]) == ("solved", None)
    assert ana.http.get("/api/people/Ana_p2/ratings").json()["puzzles"] == []
    assert send(ana, 5, *puzzles("magi")[4].line)["rated"]["change"] > 0


def test_the_puzzle_of_the_day_counts_as_the_puzzle_that_it_is(server: Server) -> None:
    ana, _ = signed_up(server, "Ana_p3", "127.0.4.3")
    today = ana.http.get("/api/daily").json()["today"]
    game, puzzle = daily(datetime.date.fromisoformat(today))
    number = puzzles(game.id).index(puzzle) + 1
    rated = ana.http.post(f"/api/daily/{today}", json={"moves": puzzle.line, "rated": True}).json()["rated"]
    assert rated["change"] > 0
    path = f"/api/games/{game.id}/puzzles/{number}"
    assert ana.http.post(path, json={"moves": puzzle.line, "rated": True}).json()["rated"] is None
