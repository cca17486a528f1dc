"""A room: one match, played by one command after the other before all who look on."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec
import structlog
from sqlalchemy import bindparam, func, select

from acedrex import Limit
from acedrex.server import cards, catalogue, clock, events, secret, views, wire
from acedrex.server.bus import Broadcast, MatchAudience, MatchChanged
from acedrex.server.decide import (
    CheckFlag,
    Command,
    ConfirmSetup,
    Context,
    Refusal,
    ResumeAfterOutage,
    decide,
    gone_for,
)
from acedrex.server.engines import EngineBusyError
from acedrex.server.listener import Listener
from acedrex.server.making import rematch
from acedrex.server.metrics import MOVES, STORING
from acedrex.server.moment import now
from acedrex.server.state import SIDES, Match, other
from acedrex.server.store import NEW_LINE, BrokenError, BusyError, ConflictError
from acedrex.server.tables import events as event_table
from acedrex.server.views import Seats
from acedrex.server.visitor import Visitor
from acedrex.server.wire import Side

if TYPE_CHECKING:
    from acedrex.server.rooms import Rooms

log = structlog.get_logger()
T = TypeVar("T")

#: Milliseconds after which the challenge of somebody who has gone is withdrawn.
FORSAKEN = 45_000
#: Milliseconds after which a process that says nothing of who is with it counts as gone.
STALE = 30_000
#: How often a command is decided anew because another process was first.
TRIES = 5
#: How long the engine thinks at its highest level, and for a hint, in seconds.
THINKING, HINT = 3.0, 1.0


#: Who has not been here since the server began: they all have their turn together.
AWAY = Visitor("away")

LAST = select(func.max(event_table.c.number).label("number")).where(event_table.c.match == bindparam("match"))


class Room:
    """One match, and who is there."""

    def __init__(self, rooms: Rooms, match: Match) -> None:
        """Begin with the match as it is stored."""
        self.rooms = rooms
        self.match = match
        self.listeners: set[Listener] = set()
        self.idle_since: int | None = now()
        #: The player who was here last, for whom the engine thinks.
        self.visitor = AWAY
        self._lock = asyncio.Lock()
        self._is_closed = False
        self._timer: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[Any]] = set()
        self._thinking: asyncio.Task[None] | None = None
        #: What other processes say of who is with them, and when they said it.
        self._elsewhere: dict[str, tuple[int, wire.Presence]] = {}
        #: How far the match is ahead of this process's time, because its last event was stored by a faster clock.
        self._ahead = max(0, match.at - now())
        self._gone: dict[Side, int | None] = dict.fromkeys(SIDES, self.now())

    def now(self) -> int:
        """Give the time in this match: it runs on evenly from the last event, wherever the system's clock was set."""
        return now() + self._ahead

    def busy(self) -> bool:
        """Tell whether something is going on."""
        return self._lock.locked() or bool(self.listeners) or self._thinking is not None

    async def close(self) -> None:
        """Stop the timer and the engine, and let everybody go."""
        self._is_closed = True
        if self._timer is not None:
            self._timer.cancel()
        for listener in self.listeners:
            listener.let_go()
        tasks = [task for task in self._tasks if task is not asyncio.current_task()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # Commands.

    async def command(self, command: Command, seats: Seats, lag: int = 0) -> int:
        """Do what a command asks: store what happens, then tell everybody. Gives the number of the last event.

        :raises Refusal: if nothing happens.
        :raises BusyError: if the database does not answer.
        """
        async with self._lock:
            for _ in range(TRIES):
                if self._is_closed:
                    break
                await self._give_back()
                if not isinstance(command, CheckFlag):
                    await self._fall_of_flag()
                new = decide(self.match, command, seats, self._context(command, seats, lag))
                try:
                    await self._happen(new)
                except ConflictError:
                    continue
                return self.match.number
        raise BusyError

    def _context(self, command: Command, seats: Seats, lag: int) -> Context:
        gone = None
        if isinstance(command, wire.Claim) and len(seats) == 1:
            since = self.gone_since(other(next(iter(seats))))
            gone = None if since is None else self.now() - since
        rematch = secret.new_id() if getattr(command, "what", None) == "rematch" else None
        return Context(self.now(), lag, gone, rematch)

    async def _happen(self, new: list[events.Event]) -> None:
        """Store what happens, and only then let it be so.

        :raises ConflictError: if another process was first; what it has stored is taken in.
        """
        before = self.match.phase
        match = self.match.copy()
        told = [texts for event in new if (texts := self._applied(match, event)) is not None]
        steps = cards.steps(match, new)
        again = match.rematch if any(isinstance(event, events.Answered) for event in new) else None
        if again is not None:
            steps += rematch(match, self.now())
        try:
            with STORING.time():
                await self.rooms.store.write(*steps)
        except BaseException as error:
            # It may have been stored all the same.
            await asyncio.shield(self._catch_up(elsewhere=isinstance(error, ConflictError)))
            raise
        await self._let_be(match, told, snapshots=len(told) < len(new))
        MOVES.inc(sum(isinstance(event, events.MovePlayed) for event in new))
        self.wake()
        turned = match.phase != before
        self.rooms.bus.tell(MatchChanged(self.rooms.bus.process, match.id, match.number, turned))
        if turned:
            self.rooms.on_match(match.id)
        if again is not None:
            self.rooms.match_made(again)
        if turned and before == "open" and match.created.opponent == "lobby":
            self.rooms.lobby_changed()

    def _applied(self, match: Match, event: events.Event) -> dict[Seats, str] | None:
        """Apply an event, and write what it has changed once for all who play the same sides.

        After an event with which players, setup or start change there are no texts: everybody gets a snapshot.
        """
        match.apply(event)
        if isinstance(event, views.BEGINNINGS):
            return None
        return views.updates(match, event, {listener.seats for listener in self.listeners}, self.now())

    async def _let_be(self, match: Match, told: list[dict[Seats, str]], *, snapshots: bool) -> None:
        """Let a match as it is stored be this room's, and tell everybody."""
        self.match = match
        self._ahead = max(self._ahead, match.at - now())
        if snapshots:
            await self._show_everything()
            return
        for texts in told:
            for listener in self.listeners:
                if text := texts.get(listener.seats):
                    listener.send(text)

    async def _show_everything(self) -> None:
        for listener in list(self.listeners):
            listener.seats = self.match.seat(listener.person)
            try:
                listener.send(await self._snapshot(listener.seats))
            except BusyError:
                # What has happened has happened: whoever cannot be told now comes back.
                listener.let_go()

    async def catch_up(self) -> None:
        """Take in what another process has stored."""
        async with self._lock:
            await self._catch_up(elsewhere=True)

    async def _catch_up(self, *, elsewhere: bool) -> None:
        try:
            row = await self.rooms.store.first(LAST, match=self.match.id)
            if row is None or (row.number or 0) < self.match.number:
                raise BrokenError(f"event {self.match.number} was stored and is gone")
            stored = await self.rooms.store.events(self.match.id, self.match.number)
            if not stored:
                return
            match = self.match.copy()
            told = [texts for event in stored if (texts := self._applied(match, event)) is not None]
        except Exception as error:
            # What cannot be compared with the database is not to be played on.
            log.warning("room_closed", match=self.match.id, problem=str(error) or type(error).__name__)
            await self.rooms.drop(self)
            return
        await self._let_be(match, told, snapshots=len(told) < len(stored))
        self.wake(elsewhere=elsewhere)

    # Time.

    def wake(self, *, elsewhere: bool = False) -> None:
        """See to what is to happen by itself: the fall of a flag, the engine's turn."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._is_closed:
            return
        match = self.match
        deadline = None if match.clock is None else clock.deadline(match.clock)
        if deadline is not None:
            loop = asyncio.get_running_loop()
            # Asyncio cannot wait longer than a day or so on some systems; the sweep sees to the rest.
            delay = min((deadline - self.now() + self._lag()) / 1000 + 0.005, 86_400)
            self._timer = loop.call_later(max(0.0, delay), lambda: self._start(self._on_timer()))
        if match.engine_due() and self._thinking is None and not elsewhere:
            self._thinking = self._start(self._engine_plays())

    def _start(self, work: Any) -> asyncio.Task[Any]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def _lag(self) -> int:
        """Give what the way from the side to move takes."""
        lags = [listener.lag for listener in self.listeners if self.match.turn in listener.seats]
        return min(max(lags, default=0), clock.MOST_LAG)

    async def _on_timer(self) -> None:
        # If the database does not answer, whoever looks after late flags tries again.
        with suppress(BusyError):
            async with self._lock:
                await self._give_back()
                await self._fall_of_flag()

    async def _give_back(self) -> None:
        """Give back what ran off while the server was away."""
        self.rooms.notice()
        absences = self.rooms.absences
        if self.match.clock is None or not absences or absences[-1].until <= self.match.at:
            return
        with suppress(Refusal, ConflictError):
            await self._happen(decide(self.match, ResumeAfterOutage(tuple(absences)), frozenset(), Context(self.now())))

    async def _fall_of_flag(self) -> None:
        """Flag whoever has run out of time; if the setup has, chance chooses it."""
        if self.match.clock is None:
            return
        name = None
        if self.match.phase == "setup":
            name = catalogue.random_setup(self.match.game)
        with suppress(Refusal, ConflictError):
            await self._happen(decide(self.match, CheckFlag(name), frozenset(), Context(self.now(), self._lag())))

    async def withdraw_if_forsaken(self) -> None:
        """Withdraw an open challenge to a live match if whoever made it has gone."""
        match = self.match
        live = not isinstance(match.created.time, wire.Correspondence)
        if match.phase != "open" or match.created.opponent != "lobby" or not live:
            return
        side = next(iter(match.seats))
        since = self.gone_since(side)
        if since is not None and self.now() - since > FORSAKEN:
            with suppress(Refusal):
                await self.command(wire.Abort(""), frozenset({side}))

    async def go_on(self) -> None:
        """Give back what ran off while the server was away."""
        async with self._lock:
            await self._give_back()

    # The engine.

    async def _engine_plays(self) -> None:
        """Let the engine do what is due; busy, it tries again."""
        try:
            while self.match.engine_due():
                number = self.match.number
                try:
                    await self._engine_turn()
                except (EngineBusyError, BusyError):
                    await asyncio.sleep(1)
                except Refusal as refusal:
                    if self.match.number == number:
                        log.error("engine_refused", match=self.match.id, problem=refusal.problem.message)
                        return
        finally:
            self._thinking = None

    async def _engine_turn(self) -> None:
        match = self.match
        if match.phase == "setup":
            await self.command(ConfirmSetup(await self.rooms.engines.setup(self.visitor, match.game)), frozenset())
            return
        side = match.engine()
        assert side is not None
        level = match.seats[side].level or 1
        moves = await self.rooms.engines.turn(self.visitor, match.board.copy(), level, self._limit(side))
        for move in moves:
            if self.match.turn != side or self.match.phase != "play":
                return
            await self.command(wire.MakeMove(move, self.match.number, ""), frozenset({side}))

    def _limit(self, side: Side) -> Limit:
        running = self.match.clock
        if running is None or isinstance(self.match.created.time, wire.Correspondence):
            return Limit(time=THINKING)
        return Limit(time=min(THINKING, max(0.05, running.left[side] / 1000 / 30)))

    async def hint(self, listener: Listener, id: str) -> None:
        """Tell a player what the engine would play.

        :raises Refusal: if it is not their turn, or there are no hints in this match.
        """
        match = self.match
        if not match.created.hints:
            raise Refusal("no_hints", "hints are off in this match")
        if match.phase != "play" or match.turn not in listener.seats:
            raise Refusal("not_your_turn", "only the side to move can ask for a hint")
        board = match.board.copy()
        try:
            moves = await self.rooms.engines.turn(self.visitor, board, 10, Limit(time=HINT))
        except EngineBusyError:
            raise Refusal("engine_busy", "the engine is busy; try again in a moment") from None
        san = []
        for text in moves:
            move = board.parse_uci(text)
            san.append(board.san(move))
            board.push(move)
        listener.send(views.encode(wire.HintGiven(id, moves, san)).decode())

    # Company.

    async def join(self, listener: Listener) -> None:
        """Let somebody in: they get a snapshot, and from then on all that happens.

        :raises BusyError: if the room was closed meanwhile, or the database does not answer.
        """
        async with self._lock:
            if self._is_closed:
                raise BusyError
            listener.seats = self.match.seat(listener.person)
            self.listeners.add(listener)
            self.idle_since = None
            for side in listener.seats:
                self._gone[side] = None
                self.visitor = Visitor(listener.address, listener.person)
            listener.send(await self._snapshot(listener.seats))
            self.wake()
        self.tell_presence()

    def leave(self, listener: Listener) -> None:
        """Let somebody go."""
        self.listeners.discard(listener)
        here = {side for one in self.listeners for side in one.seats}
        for side in listener.seats - here:
            self._gone[side] = self.now()
        if not self.listeners:
            self.idle_since = now()
        self.tell_presence()

    async def look(self, view: Callable[[Match], T]) -> T:
        """Look at the match as it is stored."""
        async with self._lock:
            return view(self.match)

    async def snapshot(self, person: str | None) -> str:
        """Tell a person everything."""
        async with self._lock:
            return await self._snapshot(self.match.seat(person))

    async def _snapshot(self, seats: Seats) -> str:
        chat = await self.rooms.store.chat(self.match.id)
        here = self.here()
        online: Seats = frozenset(side for side in SIDES if getattr(here, side))
        return views.encode(
            views.snapshot(self.match, seats, self.now(), online=online, watchers=here.watchers, chat=chat)
        ).decode()

    def _here(self) -> wire.Presence:
        """Tell who is with this process."""
        seated = {side for listener in self.listeners for side in listener.seats}
        watchers = sum(not listener.seats for listener in self.listeners)
        return wire.Presence("white" in seated, "black" in seated, watchers, None)

    def here(self) -> wire.Presence:
        """Tell who is there, with any process."""
        fresh = now() - STALE
        all_here = [self._here(), *(here for at, here in self._elsewhere.values() if at > fresh)]
        watchers = sum(here.watchers for here in all_here)
        return wire.Presence(any(here.white for here in all_here), any(here.black for here in all_here), watchers, None)

    def gone_since(self, side: Side) -> int | None:
        """Tell since when a player has been away."""
        return None if getattr(self.here(), side) else self._gone[side]

    def tell_presence(self, *, spread: bool = True) -> None:
        """Tell everybody who is there."""
        here = self.here()
        wait = gone_for(self.match)
        going = self.match.phase in ("setup", "play") and wait is not None and self.match.engine() is None
        for listener in self.listeners:
            at = None
            if going and len(listener.seats) == 1:
                since = self.gone_since(other(next(iter(listener.seats))))
                at = None if since is None else since + (wait or 0)
            listener.send(views.encode(msgspec.structs.replace(here, left_claim_at=at)).decode())
        if spread:
            self.say_who_is_here()

    def say_who_is_here(self) -> None:
        """Tell other processes who is with this one."""
        self.rooms.bus.tell(MatchAudience(self.rooms.bus.process, self.match.id, self._here()))

    async def say(self, listener: Listener, name: str, text: str) -> None:
        """Store a line of chat and tell everybody."""
        at = now()
        by: wire.Speaker = self.match.turn if len(listener.seats) == 2 else next(iter(listener.seats), "watcher")
        # Ids only have to grow, in every process.
        line = wire.ChatLine(at * 1000 + secret.below(1000), by, name, text, at)
        row = {"match": self.match.id, **msgspec.structs.asdict(line)}
        await self.rooms.store.write((NEW_LINE, row))
        text = views.encode(wire.ChatMessage(line)).decode()
        self.send_all(text)
        self.rooms.bus.tell(Broadcast(self.rooms.bus.process, self.match.id, text))

    def send_all(self, text: str) -> None:
        """Send a message to everybody."""
        for listener in self.listeners:
            listener.send(text)

    def here_elsewhere(self, process: str, here: wire.Presence) -> None:
        """Take in who is with another process."""
        is_new = process not in self._elsewhere
        before = self.here()
        self._elsewhere[process] = (now(), here)
        after = self.here()
        for side in SIDES:
            if getattr(before, side) and not getattr(after, side):
                self._gone[side] = self.now()
        if after != before or is_new:
            # A process that is new here does not know yet who is with us.
            self.tell_presence(spread=is_new)
