"""Fair play: what is compared with the engine's moves, when, and who sees it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any

import pytest
from sqlalchemy import delete, insert, select, update

from acedrex import Board, Limit
from acedrex.server import wire
from acedrex.server.analysis import fair_play, pool
from acedrex.server.analysis.fair_play import MATE, MAX_LOSS, MIN_POSITIONS, TRIES, Comparison, FairPlay, View, compare
from acedrex.server.analysis.pool import IDLE, Analyst, Analysts, SearchFailedError, SearchReport
from acedrex.server.limits.visitor import Visitor
from acedrex.server.match import events
from acedrex.server.match.events import Event
from acedrex.server.ratings.results import rate_portion
from acedrex.server.storage.store import NEW_PERSON, Store
from acedrex.server.storage.tables import accounts, comparisons, matches
from acedrex.server.storage.tables import events as stored_events
from tests.server.conftest import Person, Server
from tests.server.matches import START, created
from tests.server.stores import opened, store_match
from tests.server.test_accounts import signed_up
from tests.server.test_api import problem
from tests.server.test_ratings import BLITZ, nobody
from tests.server.test_social import appoint

ANA = Visitor("192.0.2.1", "ana")
WHITE: wire.Side = "white"
BLACK: wire.Side = "black"


# What is compared.


def test_first_choices_and_losses_are_counted_from_the_view_of_who_moves() -> None:
    views = [
        View((30, 20), frozenset({"e2e4"})),
        View((20, 40), frozenset({"e7e5"})),
        # Black has lost 130.
        View((150, 100), frozenset({"d2d4"})),
        View((90, 95), frozenset({"d7d5"})),
    ]
    found = compare([(WHITE, "e2e4"), (BLACK, "a7a6"), (WHITE, "a2a3")], views)
    assert found == {"white": Comparison(2, 1, 60), "black": Comparison(1, 0, 130)}


@pytest.mark.parametrize(
    "view",
    [
        View((600, 590), frozenset({"e2e4"})),
        View((-600, -610), frozenset({"e2e4"})),
        View((MATE, 100), frozenset({"e2e4"})),
        View((100, -250), frozenset({"e2e4"})),
        View((0,), frozenset({"e2e4"}), is_only_move=True),
    ],
    ids=["won", "lost", "mate", "one good move", "one legal move"],
)
def test_positions_that_are_decided_or_forced_do_not_count(view: View) -> None:
    assert compare([(WHITE, "e2e4")], [view, View((0,))])["white"] == Comparison()


def test_a_blunder_into_a_mate_loses_no_more_than_the_limit_and_a_better_move_nothing() -> None:
    view = View((10, 5), frozenset({"e2e4"}))
    assert compare([(WHITE, "a2a3")], [view, View((-MATE,))])["white"].loss == MAX_LOSS
    assert compare([(WHITE, "a2a3")], [view, View((50,))])["white"].loss == 0


# When.


class InstantAnalysts(Analysts):
    """Analysts that find the first legal move best, at once."""

    def __init__(self) -> None:
        super().__init__(1)
        self.asked: list[int] = []

    async def analyse(self, visitor: Visitor, board: Board, lines: int, limit: Limit) -> AsyncGenerator[SearchReport]:
        self.asked.append(board.ply())
        best = board.legal_moves[0].uci()
        found = [wire.Line({"cp": cp, "mate": None, "chance": 0.5}, [best], best) for cp in (10, 0)[:lines]]
        yield SearchReport(1, 5, 9, 9, found)


class FailingAnalysts(Analysts):
    """Analysts whose process always dies."""

    async def analyse_idly(self, board: Board, lines: int, limit: Limit) -> SearchReport | None:
        raise SearchFailedError


async def store_rated(store: Store, id: str, black: str = "bo", *, rated: bool = True) -> None:
    stored: list[Event] = [
        created(rated=rated, opponent="lobby", time=BLITZ),
        events.Seated(at=START, side="white", person="ana", name="Ana"),
        events.Seated(at=START, side="black", person=black, name="Bo"),
        *(events.MovePlayed(at=START, move=move, spent=0) for move in ("e2e4", "e7e5", "g1f3")),
        events.Resigned(at=START, by="white"),
    ]
    await store_match(store, id, stored)
    await rate_portion(store, nobody)


async def rows(store: Store) -> list[tuple[Any, ...]]:
    found = await store.all(select(comparisons).order_by(comparisons.c.match, comparisons.c.side))
    return [(row.match, row.side, row.person, row.positions) for row in found]


async def test_rated_matches_between_people_are_compared_once_also_by_two_processes(database: str) -> None:
    async with opened(Store(database)) as one, opened(Store(database)) as two:
        await store_rated(one, "m1")
        await store_rated(one, "m2", black="aanca")
        await store_rated(one, "m3", rated=False)
        found = await asyncio.gather(*(FairPlay(store, InstantAnalysts()).compare_one() for store in (one, two)))
        assert True in found
        assert await rows(one) == [("m1", "black", "bo", 1), ("m1", "white", "ana", 2)]
        assert await FairPlay(two, InstantAnalysts()).compare_one() is False


async def test_a_damaged_match_and_one_that_cannot_be_analysed_are_given_up(store: Store) -> None:
    await store_rated(store, "m1")
    failing = FairPlay(store, FailingAnalysts(1))
    assert [await failing.compare_one() for _ in range(TRIES + 1)] == [False] * (TRIES - 1) + [True, False]
    await store.write((update(matches).values(to_compare=True), {}), (delete(stored_events), {}))
    broken = FairPlay(store, InstantAnalysts())
    assert await broken.compare_one() is True and await broken.compare_one() is False
    assert await rows(store) == []


class SlowAnalyst(Analyst):
    """A process that reports once, and ends only when it is stopped."""

    def __init__(self) -> None:
        super().__init__()
        self.stopped = asyncio.Event()
        self.reported = False

    async def begin(self, board: Board, lines: int, limit: Limit) -> None:
        self.reported, self._is_searching = False, True
        self.stopped.clear()

    async def receive(self) -> SearchReport:
        if not self.reported:
            self.reported = True
            return SearchReport(1, 1)
        await self.stopped.wait()
        return SearchReport(1, done=True)

    async def settle(self) -> None:
        self.stopped.set()


async def test_an_analysis_in_idle_time_gives_way_to_players_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    analysts = Analysts(1)
    analysts._free[:] = [SlowAnalyst()]
    # Without giving way it would go on for longer than the test.
    monkeypatch.setattr(pool, "SHARE", 1_000.0)
    board = Board("chess")
    idle = asyncio.create_task(analysts.analyse_idly(board, 2, Limit(nodes=1)))
    while not analysts._fair.of(IDLE.address):
        await asyncio.sleep(0)
    async with asyncio.timeout(20), aclosing(analysts.analyse(ANA, board, 1, Limit(nodes=1))) as search:
        assert (await anext(search)).depth == 1
        assert await idle is None
        # Nor does it begin while somebody analyses.
        assert await analysts.analyse_idly(board, 2, Limit(nodes=1)) is None


async def test_the_engine_itself_compares_a_match(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fair_play, "LIMIT", Limit(nodes=500))
    await store_rated(store, "m1")
    analysts = Analysts(1)
    try:
        assert await FairPlay(store, analysts).compare_one()
    finally:
        await analysts.close()
    assert await rows(store) == [("m1", "black", "bo", 1), ("m1", "white", "ana", 2)]


# Who sees it.


async def test_those_far_from_all_others_are_listed_with_the_distribution(store: Store) -> None:
    for number, (first, loss) in enumerate([(30, 4000), (32, 3800), (34, 4200), (31, 3900), (33, 4100), (92, 300)]):
        person = f"p{number}"
        await store.write((NEW_PERSON, {"id": person, "name": person, "import_key": person, "at": 0}))
        handle = {"person": person, "handle": person, "recovery_hash": "", "at": 0}
        await store.write((insert(accounts), handle))
        row = {"match": f"m{number}", "side": "white", "person": person, "game": "chess", "at": 0, "loss": loss}
        await store.write((insert(comparisons), {**row, "positions": MIN_POSITIONS, "first_choices": first}))
    (found,) = await fair_play.summary(store, {"chess": "Chess"})
    assert (found.name, found.players, found.share.lowest, found.share.highest) == ("Chess", 6, 0.3, 0.92)
    assert found.share.median == pytest.approx(0.325) and found.loss.lowest == 3
    assert [(one.name, one.matches, one.positions, one.share, one.loss) for one in found.outliers] == [
        ("p5", 1, 100, 0.92, 3.0)
    ]


async def test_few_positions_are_no_distribution(store: Store) -> None:
    row = {"match": "m", "side": "white", "person": "ana", "game": "chess", "at": 0, "loss": 0}
    await store.write((insert(comparisons), {**row, "positions": MIN_POSITIONS - 1, "first_choices": 99}))
    assert await fair_play.summary(store, {}) == []


def test_only_moderators_see_the_comparisons(server: Server) -> None:
    ana, guest = signed_up(server, "Ana_fp", "127.0.5.1")[0], Person(server, "Guest", "127.0.5.2")
    for person in (ana, guest):
        problem(person.http.get("/api/moderation/fair-play"), 403, "no_moderator")
    appoint(server, ana)
    assert ana.http.get("/api/moderation/fair-play").json() == {"on": True, "games": []}
