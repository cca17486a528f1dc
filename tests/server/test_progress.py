"""What somebody has solved follows the account, and devices lose nothing of each other."""

from __future__ import annotations

import asyncio
import itertools
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from acedrex.server import wire
from acedrex.server.people.progress import MAX_DAYS, MAX_GAMES, MAX_NUMBERS, ProgressStore, merged
from acedrex.server.storage.store import Store
from tests.server.conftest import Person, Server
from tests.server.stores import opened
from tests.server.test_accounts import post, signed_up
from tests.server.test_api import problem

DAYS = st.lists(st.sampled_from(["2026-11-01", "2026-11-02", "2026-11-03"]), unique=True)
NUMBERS = st.dictionaries(st.sampled_from(["magi", "maasai"]), st.lists(st.integers(0, 9), unique=True))
RETURNS = st.dictionaries(
    st.sampled_from(["magi/1", "magi/2"]),
    st.builds(wire.PuzzleReturn, due=st.none() | st.integers(0, 9), last=st.booleans(), at=st.integers(0, 3)),
)
BEST = st.dictionaries(st.sampled_from(["magi/3", "magi/5"]), st.integers(0, 30))
PROGRESS = st.builds(wire.Progress, exercises=NUMBERS, days=DAYS, solved=NUMBERS, returns=RETURNS, best=BEST)


def sent(server: Server, token: str, **more: Any) -> Any:
    return post(server, "me/progress", token, **more)


def test_two_devices_of_an_account_know_what_either_has_solved(server: Server) -> None:
    person, _ = signed_up(server, "Olga")
    other = post(server, "sessions", name="Olga", password="a board of 12 by 12").json()["token"]
    sent(server, person.token, solved={"magi": [1, 2]}, days=["2026-11-01"]).raise_for_status()
    answer = sent(server, other, solved={"magi": [3], "maasai": [1]}, exercises={"magi": [7]}).json()
    assert answer["solved"] == {"magi": [1, 2, 3], "maasai": [1]} and answer["days"] == ["2026-11-01"]
    assert sent(server, person.token).json() == answer
    (row,) = person.http.get("/api/me/data").json()["progress"]
    assert row["body"]["exercises"] == {"magi": [7]}


def test_only_accounts_have_progress_here(server: Server) -> None:
    problem(sent(server, Person(server).token, days=["2026-11-01"]), 409, "no_account")


@pytest.mark.parametrize(
    "body",
    [
        {"days": ["today"]},
        {"days": ["2026-11-01"] * (MAX_DAYS + 1)},
        {"solved": {"magi": [-1]}},
        {"solved": {"magi": [1] * (MAX_NUMBERS + 1)}},
        {"solved": {f"game{n}": [1] for n in range(MAX_GAMES + 1)}},
        {"returns": {"magi/1": {"due": "soon", "last": False, "at": 1}}},
        {"more": 1},
    ],
)
def test_progress_that_is_too_much_or_nonsense_is_refused(server: Server, body: dict[str, Any]) -> None:
    problem(sent(server, Person(server).token, **body), 400, "invalid")


@given(PROGRESS, PROGRESS, PROGRESS)
def test_devices_may_come_in_any_order_and_again(one: Any, other: Any, third: Any) -> None:
    def plain(progress: wire.Progress) -> Any:
        found = msgspec.to_builtins(progress)
        for name in ("exercises", "solved"):
            found[name] = {game: sorted(numbers) for game, numbers in found[name].items()}
        return found

    found = [
        merged(merged(merged(wire.Progress(), a), b), c) for a, b, c in itertools.permutations((one, other, third))
    ]
    assert all(plain(each) == plain(found[0]) for each in found)
    assert plain(merged(found[0], one)) == plain(found[0])
    for device in (one, other, third):
        assert set(device.days) <= set(found[0].days)
        for game, numbers in device.solved.items():
            assert set(numbers) <= set(found[0].solved[game])


def test_the_later_decision_about_a_puzzle_that_comes_back_holds() -> None:
    failed = wire.Progress(returns={"magi/1": wire.PuzzleReturn(500, False, 1)})
    done = wire.Progress(returns={"magi/1": wire.PuzzleReturn(None, True, 2)})
    assert merged(failed, done).returns == merged(done, failed).returns == done.returns
    again = wire.Progress(returns={"magi/1": wire.PuzzleReturn(400, False, 3)})
    assert merged(again, done).returns == merged(done, again).returns == again.returns


def test_what_is_kept_stays_within_the_limits() -> None:
    games = [wire.Progress(solved={f"{name}{n}": [1] for n in range(MAX_GAMES)}) for name in "ab"]
    assert len(merged(*games).solved) == MAX_GAMES
    numbers = [wire.Progress(solved={"magi": [*range(at, at + MAX_NUMBERS)]}) for at in (0, MAX_NUMBERS)]
    assert len(merged(*numbers).solved["magi"]) == MAX_NUMBERS


async def test_devices_that_store_at_once_in_two_processes_lose_nothing(store: Store, database: str) -> None:
    async with opened(Store(database)) as other:
        here, there = ProgressStore(store), ProgressStore(other)
        adding = (
            one.add("ana", wire.Progress(solved={"magi": [number]})) for number, one in enumerate((here, there) * 6)
        )
        await asyncio.gather(*adding)
        assert (await there.add("ana", wire.Progress())).solved == {"magi": [*range(12)]}
