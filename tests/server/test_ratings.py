"""Ratings: the formulas, how they are folded from results, and rated matches."""

from __future__ import annotations

import asyncio
import math
import random
import threading
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select, update

from acedrex.server import wire
from acedrex.server.bus import Bus
from acedrex.server.games.catalogue import Catalogue
from acedrex.server.games.publishing import Publishing
from acedrex.server.match import events
from acedrex.server.match.events import Event
from acedrex.server.match.state import other
from acedrex.server.people import house
from acedrex.server.personal_data.deletion import Forgetting
from acedrex.server.play.engines import Engines
from acedrex.server.play.rooms import Rooms
from acedrex.server.ratings.glicko2 import (
    DEVIATION,
    MIN_DEVIATION,
    PERIOD,
    RATING,
    SCALE,
    VOLATILITY,
    Rating,
    rate,
)
from acedrex.server.ratings.results import HOUSE_DEVIATION, OVERALL, Standing, fold, rate_portion, standing
from acedrex.server.storage.store import Store
from acedrex.server.storage.tables import matches, ratings, results
from acedrex.server.studies.store import Studies
from tests.conftest import TIMEOUT
from tests.samples import sample
from tests.server.conftest import Person, Server, Talk, alter
from tests.server.matches import DAY, START, created
from tests.server.stores import opened, store_match
from tests.server.test_accounts import signed_up
from tests.server.test_api import problem

BLITZ = wire.Fischer(300_000, 2_000)
LIVE = {"kind": "fischer", "initial_ms": 300_000, "increment_ms": 2_000}
KILLS = sample(2, 50)


# The formulas.


def test_glickmans_example_comes_out_to_his_digits() -> None:
    opponents = [(Rating(1400, 30), 1.0), (Rating(1550, 100), 0.0), (Rating(1700, 300), 0.0)]
    new = rate(Rating(1500, 200), opponents)
    # What he prints; he rounds mu and phi to four digits before he calculates the rating.
    assert round((new.rating - RATING) / SCALE, 4) == -0.2069
    assert round(new.deviation / SCALE, 4) == 0.8722
    assert new.rating == pytest.approx(1464.06, abs=0.01)
    assert round(new.deviation, 2) == 151.52
    # He cuts it off after 0.05999.
    assert round(new.volatility, 6) == 0.059996


def test_the_volatility_rises_after_surprising_results_to_the_root_of_glickmans_function() -> None:
    player, opponents = Rating(1500, 60, 0.06), [(Rating(2100, 50), 1.0)] * 6
    mu, phi, tau = 0.0, 60 / SCALE, 0.5
    g = 1 / math.sqrt(1 + 3 * (50 / SCALE) ** 2 / math.pi**2)
    expected = 1 / (1 + math.exp(-g * (mu - 600 / SCALE)))
    v = 1 / (6 * g * g * expected * (1 - expected))
    delta = v * 6 * g * (1 - expected)

    def f(x: float) -> float:
        e = math.exp(x)
        first = e * (delta**2 - phi**2 - v - e) / (2 * (phi**2 + v + e) ** 2)
        return first - (x - math.log(0.06**2)) / tau**2

    low, high = -20.0, 5.0
    for _ in range(100):
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle) > 0 else (low, middle)
    found = rate(player, opponents).volatility
    assert found == pytest.approx(math.exp(low / 2), rel=1e-5)
    assert found > 0.0604


def test_without_games_only_the_deviation_grows() -> None:
    before = Rating(1700, 60, 0.05)
    after = rate(before, [], 30)
    assert (after.rating, after.volatility) == (1700, 0.05)
    assert after.deviation == pytest.approx(SCALE * ((60 / SCALE) ** 2 + 30 * 0.05**2) ** 0.5)
    assert before.after(10**9).deviation == DEVIATION


numbers = st.builds(
    Rating,
    st.floats(-10_000, 10_000),
    st.floats(MIN_DEVIATION, DEVIATION),
    st.floats(0.001, 0.2),
)


@given(
    one=numbers,
    other=numbers,
    points=st.sampled_from([0.0, 0.25, 0.5, 1.0]),
    periods=st.floats(0, 1e6),
)
def test_ratings_stay_within_bounds(one: Rating, other: Rating, points: float, periods: float) -> None:
    new = rate(one, [(other, points)], periods)
    assert MIN_DEVIATION <= new.deviation <= DEVIATION
    assert 0 < new.volatility < 10
    if points == 1:
        assert new.rating >= one.rating
    if points == 0:
        assert new.rating <= one.rating


def test_a_draw_between_equals_changes_no_rating_but_makes_both_more_certain() -> None:
    new = rate(Rating(), [(Rating(), 0.5)], 0)
    assert new.rating == RATING and new.deviation < DEVIATION and new.volatility < VOLATILITY


# How they are folded.

GAMES = ("chess", "magi")
PEOPLE = ("ana", "bo", "cy", "di")


async def store_rated(
    store: Store, id: str, chance: random.Random, at: int, people: Sequence[str] = PEOPLE, **changes: Any
) -> None:
    """Store a finished match between two of the people."""
    white, black = chance.sample(people, 2)
    game = chance.choice(GAMES)
    moves = {"chess": ("e2e4", "e7e5"), "magi": ("e2e3", "e9e8")}[game]
    time = chance.choice([BLITZ, wire.Correspondence(1, 0)])
    ends: list[list[Event]] = [
        [events.Resigned(at=at, by="white")],
        [events.Resigned(at=at, by="black")],
        [
            events.Offered(at=at, what="draw", by="white"),
            events.Answered(at=at, what="draw", by="black", accept=True),
        ],
    ]
    begun: list[Event] = [
        created(game, rated=True, opponent="lobby", time=time, **changes),
        events.Seated(at=START, side="white", person=white, name=white.title()),
        events.Seated(at=START, side="black", person=black, name=black.title()),
        *(events.MovePlayed(at=START, move=move, spent=0) for move in moves),
    ]
    await store_match(store, id, [*begun, *chance.choice(ends)], game)


async def nobody(_: str) -> None:
    """Hear that a match was rated."""


async def stored(store: Store) -> dict[tuple[str, str], Standing]:
    return {(row.person, row.pool): standing(row) for row in await store.all(select(ratings))}


async def folded(store: Store) -> dict[tuple[str, str], Standing]:
    return fold(await store.all(select(results).order_by(results.c.number)))


async def test_ratings_computed_anew_from_all_results_are_the_stored_ones(store: Store) -> None:
    chance = random.Random(1)
    for number in range(60):
        await store_rated(store, f"m{number}", chance, START + number * DAY // 3)
    while await rate_portion(store, nobody):
        pass
    known = await stored(store)
    assert await folded(store) == known
    pools = {pool for _, pool in known}
    assert pools == {OVERALL, *(f"{game}/{speed}" for game in GAMES for speed in ("live", "correspondence"))}
    assert sum(one.games for (_, pool), one in known.items() if pool == OVERALL) == 120
    assert max(one.rating.rating for one in known.values()) > RATING + 50


async def test_house_engines_rate_each_other_on_the_scale_of_people(store: Store) -> None:
    engines = ("caladrius", "aanca")
    for number in range(6):
        await store_rated(store, f"m{number}", random.Random(number), START + number, engines)
    while await rate_portion(store, nobody):
        pass
    known = await stored(store)
    assert {person for person, _ in known} == set(engines) and await folded(store) == known
    for engine in engines:
        found = known[engine, OVERALL]
        assert found.games == 6 and found.rating.deviation < HOUSE_DEVIATION
        assert found.rating.rating != house.ENGINES[engine].rating


async def test_two_processes_rate_each_match_once(database: str) -> None:
    chance = random.Random(2)
    async with opened(Store(database)) as one, opened(Store(database)) as two:
        for number in range(20):
            await store_rated(one, f"m{number}", chance, START + number)
        heard: list[str] = []

        async def hear(match: str) -> None:
            heard.append(match)

        await asyncio.gather(*(rate_portion(store, hear) for store in (one, two, one)))
        rows = await one.all(select(results.c.match, results.c.number).order_by(results.c.number))
        assert [row.number for row in rows] == list(range(1, 41))
        assert sorted(row.match for row in rows) == sorted(2 * [f"m{number}" for number in range(20)])
        assert sorted(heard) == sorted({row.match for row in rows})
        assert await folded(one) == await stored(one)
        assert await rate_portion(one, hear) == 0


@pytest.mark.parametrize(
    "end", [[events.Aborted(at=START, by="white")], [events.Resigned(at=START, by="white")]], ids=["aborted", "early"]
)
async def test_a_match_in_which_a_side_has_not_moved_is_not_rated(store: Store, end: list[Event]) -> None:
    begun: list[Event] = [
        created(rated=True, time=BLITZ),
        events.Seated(at=START, side="white", person="ana", name="Ana"),
        events.Seated(at=START, side="black", person="bo", name="Bo"),
        events.MovePlayed(at=START, move="e2e4", spent=0),
    ]
    await store_match(store, "m", [*begun, *end])
    assert await rate_portion(store, nobody) == 1
    assert await stored(store) == {}
    assert await rate_portion(store, nobody) == 0


async def test_a_damaged_match_does_not_keep_others_from_being_rated(store: Store) -> None:
    chance = random.Random(3)
    for number in range(2):
        await store_rated(store, f"m{number}", chance, START + number)
    await store.write((update(matches).where(matches.c.id == "m0").values(card="{}"), {}))
    await rate_portion(store, nobody)
    assert {row.match for row in await store.all(select(results.c.match))} == {"m1"}
    assert await rate_portion(store, nobody) == 0


async def test_the_ratings_of_others_stay_when_somebody_is_deleted(store: Store) -> None:
    chance = random.Random(4)
    for number in range(12):
        await store_rated(store, f"m{number}", chance, START + number * DAY)
    await rate_portion(store, nobody)
    before = await stored(store)
    catalogue = Catalogue(None)
    forgetting = Forgetting(
        Rooms(store, Engines(1), Bus()), Publishing(catalogue, None, "nobody", None), Studies(store, Bus())
    )
    await forgetting.forget("ana")
    after = await stored(store)
    assert after == {key: one for key, one in before.items() if key[0] != "ana"}
    assert await folded(store) == after
    assert not [row for row in await store.all(select(results)) if "ana" in (row.white, row.black)]


def test_a_rating_becomes_uncertain_with_time_and_the_list_of_the_highest_leaves_it_out() -> None:
    known = Standing(Rating(1800, 60), wins=50, at=START)
    assert not known.on(START).provisional
    assert known.on(START + 400 * DAY).provisional
    assert known.periods(START + PERIOD) == 1


# Rated matches.


def rated(person: Person, **asked: Any) -> dict[str, Any]:
    """Create a rated match for a friend."""
    body = {"opponent": {"kind": "friend"}, "side": "random", "time": LIVE, "rated": True}
    return person.match(**{**body, **asked})


def pair(server: Server, names: tuple[str, str], address: str) -> tuple[Person, Person]:
    """Return two people with accounts."""
    one, two = (signed_up(server, name, address)[0] for name in names)
    return one, two


def play(server: Server, one: Person, two: Person, id: str) -> dict[str, Any]:
    """Let White win after a move of each side, and return the ratings that the players hear of."""
    talks = [one.socket(id), two.socket(id)]
    if talks[0].snapshot["seat"] == "black":
        talks.reverse()
    make_moves(*talks)
    assert talks[1].do(type="resign")["type"] == "ack"
    heard = [talk.hear("rated")["ratings"] for talk in talks]
    assert heard[0] == heard[1]
    return heard[0]


def make_moves(white: Talk, black: Talk) -> None:
    """Make a move of each side."""
    white.move("e2e4")
    black.hear("update")
    black.move("e7e5")


def test_a_rated_match_changes_the_ratings_of_both_players(server: Server) -> None:
    ana, bo = pair(server, ("Ana_r1", "Bo_r1"), "127.0.3.1")
    made = rated(ana)
    waiting = ana.http.get(f"/api/matches/{made['match']}").json()
    assert waiting["rated"] and waiting["ratings"] is None
    bo.sit(made)
    begun = ana.http.get(f"/api/matches/{made['match']}").json()
    unknown = {"rating": 1500, "provisional": True}
    assert begun["ratings"] == {"white": unknown, "black": unknown, "changes": None}
    assert "takeback" not in begun["may"]
    assert 'Elo "1500"]' in ana.http.get(f"/api/matches/{made['match']}/pgn").text
    heard = play(server, ana, bo, made["match"])
    record = ana.http.get(f"/api/matches/{made['match']}/pgn").text
    assert '[Event "Rated match"]' in record
    assert '[WhiteElo "1500"]' in record and '[BlackElo "1500"]' in record
    assert heard["white"] == {"rating": 1662, "provisional": True}
    assert heard["black"] == {"rating": 1338, "provisional": True}
    assert heard["changes"] == {"white": 162, "black": -162}
    # Later visitors see the same.
    again = ana.http.get(f"/api/matches/{made['match']}").json()["ratings"]
    assert again == heard
    winner = "Ana_r1" if begun["seat"] == "white" else "Bo_r1"
    listed = ana.http.get(f"/api/people/{winner.lower()}/ratings").json()
    assert listed["name"] == winner
    expected = {"rating": 1662, "deviation": 290, "provisional": True, "wins": 1, "draws": 0, "losses": 0}
    games = {"game": "chess", "name": "Chess", "speed": "live"}, {"game": None, "name": "", "speed": None}
    for pool in games:
        assert pool | expected in listed["pools"]
    curve = ana.http.get(f"/api/people/{winner}/ratings/curve", params={"game": "chess", "speed": "live"}).json()
    assert [point["rating"] for point in curve] == [1662]
    assert ana.http.get(f"/api/people/{winner}/ratings/curve", params={"game": "magi"}).json() == []
    # Provisional ratings are in no list of the highest.
    pools = {(one["game"], one["speed"]): one["people"] for one in ana.http.get("/api/ratings").json()}
    assert pools["chess", "live"] >= 2
    assert "_r1" not in ana.http.get("/api/ratings/highest", params={"game": "chess"}).text
    card = next(card for card in ana.http.get("/api/me/matches").json() if card["match"] == made["match"])
    assert card["rated"] is True


def test_certain_ratings_are_listed_with_the_highest_first(start: Callable[..., Server]) -> None:
    server = start()
    ana, bo = pair(server, ("Ana_r2", "Bo_r2"), "127.0.3.2")
    made = rated(ana)
    bo.sit(made)
    play(server, ana, bo, made["match"])
    alter(server.environment["ACEDREX_DATABASE_URL"], "UPDATE ratings SET deviation = 80")
    found = ana.http.get("/api/ratings/highest", params={"game": "chess"}).json()
    assert [(one["place"], one["rating"], one["games"]) for one in found] == [(1, 1662, 1), (2, 1338, 1)]
    assert [one["name"] for one in found if one["you"]] == ["Ana_r2"]
    assert {one["name"] for one in found} == {"Ana_r2", "Bo_r2"}
    assert ana.http.get("/api/ratings/highest").json()[0]["rating"] == 1662


def test_rated_matches_are_between_accounts_on_equal_terms(server: Server) -> None:
    guest = Person(server, "Guest", "127.0.3.3")
    ana, _ = signed_up(server, "Ana_r3", "127.0.3.3")

    def refuse(code: str, status: int, person: Person = ana, **asked: Any) -> None:
        body = {
            "game": {"game": "chess"},
            "opponent": {"kind": "lobby"},
            "side": "random",
            "time": LIVE,
            "rated": True,
        }
        problem(person.http.post("/api/matches", json={**body, **asked}), status, code)

    refuse("no_account", 409, guest)
    refuse("not_rated", 400, opponent={"kind": "engine", "level": 1})
    refuse("not_rated", 400, opponent={"kind": "self"})
    refuse("not_rated", 400, opponent={"kind": "house", "engine": "aanca"}, side="white")
    refuse("not_rated", 400, time={"kind": "none"})
    refuse("not_rated", 400, side="white")
    refuse("not_rated", 400, game={"game": "metamachy"}, setup="1")
    fen = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"
    refuse("not_rated", 400, opponent={"kind": "friend"}, fen=fen)
    made = rated(ana)
    invited = guest.http.post(f"/api/matches/{made['match']}/seat", json={"invite": made["invite"]})
    problem(invited, 409, "no_account")
    posted = ana.match(opponent={"kind": "lobby"}, side="random", time=LIVE, rated=True)
    problem(guest.http.post(f"/api/lobby/{posted['match']}/accept"), 409, "no_account")
    (shown,) = [one for one in guest.http.get("/api/lobby").json() if one["match"] == posted["match"]]
    assert shown["rated"] and shown["rating"] == {"rating": 1500, "provisional": True}


def test_in_a_rated_match_nothing_is_taken_back_and_a_rematch_is_rated_with_sides_swapped(server: Server) -> None:
    ana, bo = pair(server, ("Ana_r4", "Bo_r4"), "127.0.3.4")
    made = rated(ana)
    bo.sit(made)
    talks = {talk.snapshot["seat"]: talk for talk in (ana.socket(made["match"]), bo.socket(made["match"]))}
    make_moves(talks["white"], talks["black"])
    assert talks["white"].do(type="offer", what="takeback")["error"]["code"] == "rated"
    talks["black"].do(type="resign")
    # The next sides alternate with those of rated matches.
    talks["white"].hear("rated")
    talks["black"].do(type="offer", what="rematch")
    assert talks["white"].do(type="answer", what="rematch", accept=True)["type"] == "ack"
    before = ana.http.get(f"/api/matches/{made['match']}").json()
    again = ana.http.get(f"/api/matches/{before['rematch']}").json()
    assert again["rated"] and again["seat"] != before["seat"]
    assert again["ratings"]["white"]["rating"] in (1338, 1500, 1662)
    # The next challenge alternates too.
    next_one = ana.http.get(f"/api/matches/{rated(ana)['match']}").json()
    assert next_one["seat"] != before["seat"]


def test_who_leaves_the_side_to_the_opponent_changes_over_if_they_choose_theirs(server: Server) -> None:
    ana, bo = pair(server, ("Ana_r5", "Bo_r5"), "127.0.3.5")
    for chosen in ("white", "black"):
        made = rated(ana, game="metamachy", side="opponent", setup="1")
        assert ana.http.get(f"/api/matches/{made['match']}").json()["side"] == "opponent"
        body = {"invite": made["invite"], "side": chosen}
        assert bo.http.post(f"/api/matches/{made['match']}/seat", json=body).status_code == 204
        shown = bo.http.get(f"/api/matches/{made['match']}").json()
        assert (shown["seat"], shown["players"][chosen]["name"], shown["phase"]) == (chosen, "Bo_r5", "play")
        assert ana.http.get(f"/api/matches/{made['match']}").json()["seat"] != chosen
    # Otherwise the side is not theirs to choose.
    made = ana.match(opponent={"kind": "lobby"}, side="white", time=LIVE)
    answer = bo.http.post(f"/api/lobby/{made['match']}/accept", params={"side": "white"})
    problem(answer, 409, "taken")


def test_a_house_engine_is_rated_like_a_person_from_where_its_level_starts(server: Server) -> None:
    ana, _ = signed_up(server, "Ana_r6", "127.0.3.6")
    house = {"kind": "house", "engine": "caladrius"}
    guest = Person(server, "Guest", "127.0.3.6")
    body = {"game": {"game": "chess"}, "opponent": house, "side": "random", "time": LIVE, "rated": True}
    problem(guest.http.post("/api/matches", json=body), 409, "no_account")
    problem(ana.http.post("/api/matches", json={**body, "hints": True}), 400, "no_hints")
    problem(ana.http.post("/api/matches", json={**body, "rated": False, "side": "opponent"}), 400, "invalid")
    (listed, *_) = ana.http.get("/api/engines").json()
    assert listed["rating"] == {"rating": 700, "provisional": True}
    made = rated(ana, opponent=house)
    talk = ana.socket(made["match"])
    mine = talk.snapshot["seat"]
    assert talk.snapshot["ratings"][mine]["rating"] == 1500
    assert talk.snapshot["ratings"][other(mine)]["rating"] == 700
    if mine == "black":
        while not talk.position["legal"]:
            talk.hear("update")
    talk.move(talk.position["legal"][0]["move"])
    while mine == "white" and not talk.position["legal"]:
        talk.hear("update")
    assert "takeback" not in ana.http.get(f"/api/matches/{made['match']}").json()["may"]
    assert talk.do(type="resign")["type"] == "ack"
    changes = talk.hear("rated")["ratings"]["changes"]
    assert changes[mine] < -200 and changes[other(mine)] > 10
    (pool, *_) = ana.http.get("/api/people/Caladrius/ratings").json()["pools"]
    assert pool["wins"] == 1 and 700 < pool["rating"] < 1000
    assert ana.http.get("/api/engines").json()[0]["rating"]["rating"] == pool["rating"]


class Winner(threading.Thread):
    """Plays short rated matches until the server is gone, and records those whose end was acknowledged."""

    def __init__(self, server: Server, one: Person, two: Person) -> None:
        super().__init__()
        self.server, self.people, self.ended = server, (one, two), set[str]()

    def run(self) -> None:
        one, two = self.people
        try:
            while True:
                made = rated(one)
                two.sit(made)
                talks = sorted((who.socket(made["match"]) for who in (one, two)), key=lambda it: it.snapshot["seat"])
                make_moves(talks[1], talks[0])
                assert talks[0].do(type="resign")["type"] == "ack"
                self.ended.add(made["match"])
        except Exception:  # The server was killed.
            return


def test_kills_neither_lose_a_result_nor_count_it_twice(start: Callable[..., Server]) -> None:
    server = start()
    ana, bo = pair(server, ("Ana_k", "Bo_k"), "127.0.0.1")
    ended = set[str]()
    chance = random.Random(5)
    for _ in range(KILLS):
        winner = Winner(server, ana, bo)
        winner.start()
        winner.join(chance.uniform(1, 3))
        server.kill()
        winner.join(TIMEOUT)
        ended |= winner.ended
        server.opened.close()
        server.start()
        for person in (ana, bo):
            person.http = server.opened.enter_context(
                type(person.http)(base_url=server.base, headers=person.http.headers)
            )

    async def look() -> None:
        async with opened(
            Store(server.environment["ACEDREX_DATABASE_URL"].replace("sqlite", "sqlite+aiosqlite"))
        ) as at:
            while await at.first(select(matches.c.id).where(matches.c.to_rate, matches.c.phase == "over")):
                await asyncio.sleep(0.05)
            rows = await at.all(select(results.c.match).where(results.c.pool == OVERALL))
            counted = [row.match for row in rows]
            assert len(counted) == len(set(counted)) and ended <= set(counted)
            assert len(counted) - len(ended) <= KILLS
            assert await folded(at) == await stored(at)

    assert ended
    asyncio.run(asyncio.wait_for(look(), TIMEOUT))
    assert server.faults() == []
