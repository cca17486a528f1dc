"""Rooms on either database: in one process, after a restart, and in two processes at once."""

from __future__ import annotations

import asyncio
import json
import random
import time
import traceback
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

import acedrex
from acedrex.server import heartbeat, time_source, wire
from acedrex.server.api import matches
from acedrex.server.bus import Bus, BusMessage, LobbyChanged, MatchChanged, RedisBus
from acedrex.server.games import catalogue
from acedrex.server.health import RECOVERY, Health
from acedrex.server.match.decide import Absence, TakeSeat
from acedrex.server.play import new_match
from acedrex.server.play import room as room_module
from acedrex.server.play.downtime import ABSENCE
from acedrex.server.play.engines import EngineBusyError, Engines
from acedrex.server.play.listener import OUTBOX, Listener
from acedrex.server.play.room import Room
from acedrex.server.play.rooms import Rooms
from acedrex.server.refusal import Refusal
from acedrex.server.storage import cards
from acedrex.server.storage.migrate import migrate
from acedrex.server.storage.store import NEW_EVENT, BusyError, Store
from acedrex.server.time_source import now
from tests.server.matches import DAY, NOBODY, WHITE
from tests.server.stores import full_disk, opened
from tests.server.waiting import until

ANA, BO = wire.Person("ana", "Ana"), wire.Person("bo", "Bo")
FISCHER = wire.Fischer(60_000, 0)


class FirstMoveEngine(Engines):
    """An engine that plays the first legal move, unless it is busy."""

    def __init__(self) -> None:
        super().__init__(1)
        self.busy = 0
        self.asked = 0

    async def turn(self, visitor: str, board: Any, level: int, limit: Any, taste: str) -> list[str]:
        self.asked += 1
        if self.busy:
            self.busy -= 1
            raise EngineBusyError
        await asyncio.sleep(0)
        color, moves = board.turn, []
        while board.turn == color and board.legal_moves:
            moves.append(board.legal_moves[0].uci())
            board.push_uci(moves[-1])
        return moves


@asynccontextmanager
async def process(url: str, bus: Bus | None = None, engines: Engines | None = None) -> AsyncIterator[Rooms]:
    """The rooms of one process of the server, on a store of its own."""
    async with opened(Store(url)) as store:
        rooms = Rooms(store, engines or FirstMoveEngine(), bus or Bus())
        async with asyncio.timeout(30):
            await rooms.bus.open(rooms)
            await heartbeat.start(rooms)
        try:
            yield rooms
        finally:
            async with asyncio.timeout(30):
                await rooms.close()
                await rooms.bus.close()


@pytest.fixture
async def rooms(database: str) -> AsyncIterator[Rooms]:
    async with process(database) as one:
        yield one


async def start_match(rooms: Rooms, game: str = "chess", opponent: Any = None, **asked: Any) -> Room:
    new = wire.NewMatch(
        game=wire.GameChoice(game),
        opponent=opponent or wire.FriendOpponent(),
        **{"time": FISCHER, "side": "white", **asked},
    )
    match, steps, _ = new_match.make(acedrex.load(game), new, ANA, now())
    await rooms.store.add_definition(*catalogue.definition(match.game))
    await rooms.store.write(*steps)
    room = await rooms.get(match.id)
    if opponent is None:
        await room.command(TakeSeat("bo", "Bo", "black"), NOBODY)
    return room


async def move(room: Room, text: str, seats: Any = None) -> None:
    await room.command(wire.MakeMove(text, room.match.number, "i"), seats or frozenset({room.match.turn}))


def heard(listener: Listener) -> list[dict[str, Any]]:
    messages = []
    while not listener.outbox.empty():
        messages.append(json.loads(listener.outbox.get_nowait() or "null"))
    return messages


def pass_time(monkeypatch: pytest.MonkeyPatch, milliseconds: int) -> None:
    """Let time pass without the process doing anything."""
    monkeypatch.setattr(time_source, "_ahead", time_source._ahead + milliseconds * 1_000_000)


async def test_overlapping_absences_are_merged(rooms: Rooms) -> None:
    rooms.downtime.absences.clear()
    for absence in (Absence(100, 900), Absence(200, 300), Absence(1_000, 1_100)):
        rooms.downtime.add(absence)
    assert rooms.downtime.absences == [Absence(100, 900), Absence(1_000, 1_100)]


async def test_a_match_continues_after_a_restart(database: str) -> None:
    async with process(database) as rooms:
        room = await start_match(rooms)
        for text in ("e4", "e5", "Nf3"):
            await move(room, text)
        id, left, number = room.match.id, dict(room.match.clock.left), room.match.number
    async with process(database) as rooms:
        room = await rooms.get(id)
        assert [made.san for made in room.match.moves] == ["e4", "e5", "Nf3"]
        assert room.match.clock.left == left
        assert room.match.number == number + 1, "the downtime was stored"
        assert room.match.clock.since <= now() and room.match.clock.running == "black"
        await move(room, "Nc6")


@pytest.mark.parametrize("control", [wire.Fischer(3_000, 0), wire.Correspondence(1, 0)])
async def test_clocks_stop_while_the_server_is_down(
    database: str, control: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with process(database) as rooms:
        room = await start_match(rooms, time=control)
        for text in ("e4", "e5"):
            await move(room, text)
        id = room.match.id
    pass_time(monkeypatch, 10 * DAY)
    async with process(database) as rooms:
        room = await rooms.get(id)
        await asyncio.sleep(0.1)
        assert room.match.ending is None
        deadline = room.match.deadline
        assert deadline is not None and deadline > now() + 500
        if isinstance(control, wire.Fischer):
            await until(lambda: room.match.ending)  # from then on it runs
            assert room.match.ending.winner == "black"


class StoppedClocks:
    """The clocks of the process and of the system, which stand still unless the test moves them on."""

    def __init__(self) -> None:
        self.monotonic, self.system = time.monotonic_ns(), time.time_ns()

    def monotonic_ns(self) -> int:
        return self.monotonic

    def time_ns(self) -> int:
        return self.system


@pytest.mark.parametrize("seconds", [6, 11, 14, 86_400])
@pytest.mark.parametrize("asleep", [False, True])
async def test_clocks_stop_while_the_process_stalls_or_the_machine_sleeps(
    monkeypatch: pytest.MonkeyPatch, rooms: Rooms, seconds: int, asleep: bool
) -> None:
    clocks = StoppedClocks()
    monkeypatch.setattr(time_source, "time", clocks)
    room = await start_match(rooms, time=wire.Fischer(5_000, 0))
    late = await start_match(rooms, time=wire.Fischer(5_000, 0))
    for text in ("e4", "e5"):
        await move(room, text)
        await move(late, text)
    clocks.system += seconds * 10**9
    if not asleep:
        clocks.monotonic += seconds * 10**9
    # A move that was sent in time arrives before anything else.
    await move(late, "Nf3")
    assert late.match.clock.left["white"] == 5_000
    await room._on_timer()
    assert room.match.ending is None
    await heartbeat.beat(rooms, ABSENCE)
    await room._on_timer()
    assert room.match.ending is None
    await move(room, "Nf3")
    assert room.match.clock.left["white"] == 5_000


@pytest.mark.parametrize("restarted", [False, True])
async def test_clocks_keep_running_when_the_system_clock_is_set_back(
    database: str, monkeypatch: pytest.MonkeyPatch, restarted: bool
) -> None:
    hour = 3_600_000
    async with process(database) as rooms:
        room = await start_match(rooms, time=wire.Fischer(1_000, 0))
        for text in ("e4", "e5"):
            await move(room, text)
        id = room.match.id
        if not restarted:
            real = time.time_ns
            monkeypatch.setattr(time, "time_ns", lambda: real() - hour * 1_000_000)
            rooms.downtime.detect_suspension()
            await until(lambda: room.match.ending)
            assert room.match.ending.winner == "black"
    if restarted:
        # The next process starts an hour earlier.
        pass_time(monkeypatch, -hour)
        async with process(database) as rooms:
            room = await rooms.get(id)
            await until(lambda: room.match.ending)
            assert room.match.ending.winner == "black"


async def test_matches_are_loaded_on_demand_and_downtime_costs_them_no_time(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with process(database) as rooms:
        ids = []
        for _ in range(5):
            room = await start_match(rooms, time=wire.Correspondence(1, 0))
            await move(room, "e4")
            ids.append(room.match.id)
    pass_time(monkeypatch, 10 * DAY)
    async with process(database) as rooms:
        assert len(rooms) == 0
        room = await rooms.get(ids[0])
        assert room.match.deadline > now() + DAY - 60_000
        # Matches that seem overdue are woken, but still have their days.
        await heartbeat.wake_overdue(rooms, heartbeat.STUCK)
        for id in ids:
            room = await rooms.get(id)
            assert room.match.ending is None and room.match.deadline > now() + DAY - 60_000


async def test_a_challenge_is_withdrawn_after_its_creator_has_left(
    monkeypatch: pytest.MonkeyPatch, rooms: Rooms
) -> None:
    room = await start_match(rooms, opponent=wire.LobbyOpponent())
    listener = Listener("ana")
    await room.join(listener)
    await room.withdraw_if_abandoned()
    assert room.match.phase == "open"
    room.leave(listener)
    monkeypatch.setattr(room_module, "ABANDONED", -1)
    await room.withdraw_if_abandoned()
    assert room.match.phase == "over"


async def test_a_flag_falls_in_a_match_that_is_not_loaded(monkeypatch: pytest.MonkeyPatch, rooms: Rooms) -> None:
    room = await start_match(rooms, time=wire.Fischer(1_000, 0))
    for text in ("e4", "e5"):
        await move(room, text)
    await rooms.drop(room)
    await asyncio.sleep(1.1)
    monkeypatch.setattr(heartbeat, "LATE", 0)
    await heartbeat.wake_overdue(rooms, heartbeat.STUCK)
    again = await rooms.get(room.match.id)
    await until(lambda: again.match.ending)
    assert again.match.ending.reason == "time"


async def test_a_damaged_match_keeps_no_more_of_the_stack_each_time_it_is_requested(rooms: Rooms) -> None:
    await rooms.store.write((NEW_EVENT, {"match": "m", "number": 1, "body": "damaged"}))
    depths = []
    for _ in range(4):
        with pytest.raises(Refusal) as refused:
            await rooms.get("m")
        depths.append(len(traceback.extract_tb(refused.value.__traceback__)))
    assert rooms.set_aside and depths[1:] == [depths[1]] * 3
    assert rooms.set_aside["m"].__traceback__ is None


async def test_the_engine_makes_its_move_after_a_restart(database: str) -> None:
    engines = FirstMoveEngine()
    engines.busy = 10**6  # the process ends before the engine answers
    async with process(database, engines=engines) as rooms:
        room = await start_match(rooms, "chieftain", wire.EngineOpponent(1))
        while room.match.turn == "white":
            await move(room, room.match.board.legal_moves[0].uci(), WHITE)
        await until(lambda: engines.asked)
        id = room.match.id
    async with process(database) as rooms:
        room = await rooms.get(id)
        await until(lambda: room.match.turn == "white")
        assert room.match.moves[-1].side == "black"


async def test_the_engine_is_asked_again_when_it_was_busy(database: str) -> None:
    engines = FirstMoveEngine()
    engines.busy = 1
    async with process(database, engines=engines) as rooms:
        room = await start_match(rooms, "chess", wire.EngineOpponent(1), side="black")
        await until(lambda: room.match.turn == "black")
        assert engines.asked == 2


async def test_the_engine_moves_again_when_its_move_could_not_be_stored(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    engines = FirstMoveEngine()
    async with process(database, engines=engines) as rooms:
        write = rooms.store.write

        async def fail(*steps: Any) -> None:
            if engines.asked == 1:
                raise BusyError
            await write(*steps)

        monkeypatch.setattr(rooms.store, "write", fail)
        room = await start_match(rooms, "chess", wire.EngineOpponent(1), side="black")
        await until(lambda: room.match.turn == "black")
        assert engines.asked > 1


async def test_a_full_disk_refuses_moves_and_hangs_up_on_nobody(tmp_path: Path) -> None:
    url = f"sqlite+aiosqlite:///{tmp_path}/test.db"
    await asyncio.to_thread(migrate, url)
    chance = random.Random(1)
    async with process(url) as rooms:
        room, well = await start_match(rooms), Health(rooms.store)
        ana = Listener("ana")
        await room.join(ana)

        async def play() -> None:
            move = chance.choice(room.match.board.legal_moves).uci()
            await room.command(wire.MakeMove(move, room.match.number, "i"), frozenset({room.match.turn}))

        async with full_disk(rooms.store):
            # There is room until the last page of events is full.
            with suppress(BusyError):
                for _ in range(100):
                    await play()
            before = room.match.number
            assert not await well.is_well()
            heard(ana)
            with pytest.raises(BusyError):
                await play()
        assert (room.match.number, heard(ana), room.listeners) == (before, [], {ana})
        await play()
        assert heard(ana) and room.match.number == before + 1
        rooms.store.failed_at -= RECOVERY
        async with asyncio.timeout(30):
            while not await well.is_well():
                await asyncio.sleep(0.1)


async def test_players_and_spectators_receive_what_concerns_them(rooms: Rooms) -> None:
    room = await start_match(rooms)
    people = {name: Listener(name) for name in ("ana", "bo", "zoe")}
    for listener in people.values():
        await room.join(listener)
    for listener in people.values():
        heard(listener)
    await move(room, "e4")
    updates = {name: heard(listener)[0] for name, listener in people.items()}
    assert [len(updates[name]["position"]["legal"]) for name in people] == [0, 20, 0]
    assert "move" in updates["bo"]["may"] and updates["zoe"]["may"] == ["chat"]
    room.leave(people["bo"])
    presence = heard(people["ana"])[0]
    assert presence["black"] is False and presence["watchers"] == 1
    assert 59_000 < presence["left_claim_at"] - now() <= 60_000
    assert heard(people["zoe"])[0]["left_claim_at"] is None
    with pytest.raises(Refusal, match="gone"):
        await room.command(wire.Claim("left", "i"), WHITE)
    room._gone["black"] = now() - 60_000
    await room.command(wire.Claim("left", "i"), WHITE)
    assert room.match.ending.reason == "abandonment"


async def test_a_live_match_without_recent_moves_or_players_is_unattended(
    monkeypatch: pytest.MonkeyPatch, rooms: Rooms
) -> None:
    room = await start_match(rooms)
    await move(room, "e4")
    left = cards.card(room.match)
    assert matches._is_attended(left, rooms)
    pass_time(monkeypatch, matches.ATTENDED + 1)
    assert not matches._is_attended(left, rooms)
    ana, zoe = Listener("ana"), Listener("zoe")
    await room.join(zoe)
    assert not matches._is_attended(left, rooms)
    await room.join(ana)
    assert matches._is_attended(left, rooms)
    days = cards.card((await start_match(rooms, time=wire.Correspondence(3, 0))).match)
    pass_time(monkeypatch, matches.ATTENDED + 1)
    assert matches._is_attended(days, rooms)


async def test_a_listener_that_reads_nothing_is_disconnected(rooms: Rooms) -> None:
    room = await start_match(rooms)
    slow = Listener("zoe")
    await room.join(slow)
    for _ in range(OUTBOX + 10):
        slow.send("x")
    assert heard(slow)[0] is None


async def test_a_move_that_cannot_be_stored_changes_nothing(monkeypatch: pytest.MonkeyPatch, rooms: Rooms) -> None:
    room = await start_match(rooms)
    listener = Listener("bo")
    await room.join(listener)
    heard(listener)
    number = room.match.number

    async def fail(*_: Any) -> None:
        raise OSError("the disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(rooms.store, "write", fail)
        with pytest.raises(OSError, match="full"):
            await move(room, "e4")
    assert room.match.number == number and not room.match.moves and not heard(listener)
    await move(room, "e4")
    assert heard(listener)[0]["made"]["san"] == "e4"


async def test_two_processes_without_a_bus_accept_one_of_two_rival_moves(database: str) -> None:
    async with process(database) as first, process(database) as second:
        one = await start_match(first)
        two = await second.get(one.match.id)
        listener = Listener("ana")
        await two.join(listener)
        heard(listener)
        seen = one.match.number
        results = await asyncio.gather(
            one.command(wire.MakeMove("e4", seen, "i"), WHITE),
            two.command(wire.MakeMove("d4", seen, "i"), WHITE),
            return_exceptions=True,
        )
        assert {type(result) for result in results} == {int, Refusal}
        assert len((await first.load(one.match.id)).moves) == 1
        await two.catch_up()
        assert two.match.moves == (await first.load(one.match.id)).moves


@pytest.mark.parametrize("database", ["postgresql"], indirect=True)
async def test_two_processes_share_moves_chat_and_presence_over_redis(database: str, redis_url: str) -> None:
    async with process(database, RedisBus(redis_url)) as first, process(database, RedisBus(redis_url)) as second:
        one = await start_match(first)
        two = await second.get(one.match.id)
        ana, bo = Listener("ana"), Listener("bo")
        await one.join(ana)
        await two.join(bo)
        await until(lambda: one.presence().black and two.presence().white)
        heard(ana), heard(bo)
        for text in ("e4", "e5", "Nf3", "Nc6"):
            room, other = (one, two) if one.match.turn == "white" else (two, one)
            await move(room, text)
            await until(lambda other=other, room=room: other.match.number == room.match.number)
        assert [message["made"]["san"] for message in heard(bo)] == ["e4", "e5", "Nf3", "Nc6"]
        zoe = Listener("zoe")
        await two.join(zoe)
        heard(zoe)
        await one.say(ana, "Ana", "hello")
        said: list[Any] = []
        await until(lambda: said.extend(one for one in heard(bo) if one["type"] == "chat") or said)
        assert [one["line"]["text"] for one in said] == ["hello"]
        assert not [one for one in heard(zoe) if one["type"] == "chat"]
        two.leave(bo)
        await until(lambda: not one.presence().black)
        assert one.gone_since("black") is not None
        called = []
        first.shared.on_lobby = lambda: called.append(1)
        second.shared.lobby_changed()
        await until(lambda: called)


async def test_a_match_that_is_read_slowly_holds_up_no_other_and_a_move_that_was_sent_is_not_read(
    database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Wire(Bus):
        """Passes messages on to another process, or what is left of them."""

        def publish(self, message: BusMessage) -> None:
            if isinstance(message, MatchChanged):
                second.receive(structs.replace(message, events=[]) if message.match in announced else message)

    announced: set[str] = set()
    async with process(database) as second, process(database, Wire()) as first:
        slow, quick = await start_match(first), await start_match(first)
        announced.add(slow.match.id)
        for room in (slow, quick):
            await second.get(room.match.id)
        read, may_read = second.store.first, asyncio.Event()

        async def first_row(*args: Any, **values: Any) -> Any:
            await may_read.wait()
            return await read(*args, **values)

        monkeypatch.setattr(second.store, "first", first_row)
        await move(slow, "e4")
        await move(quick, "d4")
        others = {id: room for room in second.open_rooms() for id in [room.match.id]}
        await until(lambda: others[quick.match.id].match.moves == quick.match.moves)
        assert not others[slow.match.id].match.moves
        may_read.set()
        await until(lambda: others[slow.match.id].match.moves == slow.match.moves)
        # One whose predecessor was lost is read with it.
        monkeypatch.setattr(Wire, "publish", lambda *_: None)
        await move(quick, "d5")
        monkeypatch.undo()
        await move(quick, "c4")
        await until(lambda: others[quick.match.id].match.moves == quick.match.moves)
        assert len(quick.match.moves) == 3


async def test_publishing_continues_after_an_unreadable_answer_from_redis(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Lobby:
        heard = False

        def receive(self, message: Any) -> None:
            self.heard = True

    bus, other, lobby = RedisBus(redis_url), RedisBus(redis_url), Lobby()
    await other.open(lobby)  # type: ignore[arg-type]
    await bus.open(lobby)  # type: ignore[arg-type]

    async def garbled(channel: str, message: bytes) -> None:
        monkeypatch.undo()
        raise ValueError("invalid literal for int()")

    monkeypatch.setattr(bus._redis, "publish", garbled)
    bus.publish(LobbyChanged(bus.process))
    await asyncio.sleep(0.1)
    bus.publish(LobbyChanged(bus.process))
    await until(lambda: lobby.heard)
    await bus.close()
    await other.close()
