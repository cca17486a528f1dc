"""A room: one match, its commands handled one at a time, and its listeners."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Any, TypeVar

import msgspec
import structlog
from sqlalchemy import bindparam, func, select

from acedrex import Limit
from acedrex.limits import HINT_THINKING
from acedrex.server import ids, wire
from acedrex.server.bus import LineSaid, MatchAudience, MatchChanged
from acedrex.server.games import catalogue
from acedrex.server.limits.visitor import Visitor
from acedrex.server.match import events, views
from acedrex.server.match.decide import (
    Absence,
    CheckFlag,
    Command,
    ConfirmSetup,
    Context,
    DaysOff,
    ResumeAfterOutage,
    TakeSeat,
    decide,
)
from acedrex.server.match.state import MAX_LAG, SIDES, Match, other
from acedrex.server.match.views import Seats
from acedrex.server.metrics import MOVES, STORING
from acedrex.server.people import days_off, house, relations, standing
from acedrex.server.play.engines import EngineBusyError
from acedrex.server.play.listener import Listener
from acedrex.server.play.new_match import rematch
from acedrex.server.play.shared import Shared
from acedrex.server.ratings.results import match_ratings, pool_of
from acedrex.server.refusal import Refusal
from acedrex.server.storage import cards
from acedrex.server.storage.store import NEW_LINE, BusyError, ConflictError, Step
from acedrex.server.storage.tables import events as event_table
from acedrex.server.time_source import now
from acedrex.server.wire import Side

log = structlog.get_logger()
T = TypeVar("T")

#: Milliseconds after which the challenge of a person who has left is withdrawn.
ABANDONED = 45_000
#: Milliseconds after which the audience reported by another process is out of date.
STALE = 30_000
#: How many times a command is decided when another process keeps storing events first.
TRIES = 5
#: Turns of a house engine in which its taste in openings shows.
TASTE_TURNS = 6


#: Stands for all players who have not connected since the server started: in the queue they count as one visitor.
AWAY = Visitor("away")

LAST = select(func.max(event_table.c.number).label("number")).where(event_table.c.match == bindparam("match"))


class Room:
    """One match and its listeners."""

    def __init__(self, shared: Shared, match: Match, drop: Callable[[Room], Awaitable[None]]) -> None:
        """Start with the match as it is stored.

        :param drop: closes a room that cannot continue.
        """
        self._shared = shared
        self._drop = drop
        self.match = match
        self.listeners: set[Listener] = set()
        self.idle_since: int | None = now()
        #: The player who connected last, on whose account the engine thinks.
        self.visitor = AWAY
        self._lock = asyncio.Lock()
        self._is_closed = False
        self._timer: asyncio.TimerHandle | None = None
        self._tasks: set[asyncio.Task[Any]] = set()
        self._thinking: asyncio.Task[None] | None = None
        #: The listeners that other processes have reported, and when.
        self._elsewhere: dict[str, tuple[int, wire.Presence]] = {}
        #: Milliseconds by which the match is ahead of this process, if a faster clock stored its last event.
        self._ahead = max(0, match.at - now())
        self._gone: dict[Side, int | None] = dict.fromkeys(SIDES, self.now())

    def now(self) -> int:
        """Return the match's time, which never goes behind the last event even if the system's clock is set back."""
        return now() + self._ahead

    def busy(self) -> bool:
        """Return whether the room is in use."""
        return self._lock.locked() or bool(self.listeners) or self._thinking is not None

    async def close(self) -> None:
        """Stop the timer and the engine, and disconnect all listeners."""
        self._is_closed = True
        if self._timer is not None:
            self._timer.cancel()
        for listener in self.listeners:
            listener.disconnect()
        tasks = [task for task in self._tasks if task is not asyncio.current_task()]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    # Commands.

    async def command(self, command: Command, seats: Seats, lag: int = 0, steps: Sequence[Step] = ()) -> int:
        """Carry out a command: store its events, then send them to the listeners. Return the last event's number.

        :param steps: what is stored together with the events.
        :raises Refusal: if the command is not allowed.
        :raises BusyError: if the database does not answer.
        """
        async with self._lock:
            for _ in range(TRIES):
                if self._is_closed:
                    break
                await self._give_time_back()
                if not isinstance(command, CheckFlag):
                    await self._check_flag()
                await self._check_blocks(command, seats)
                new = decide(self.match, command, seats, self._context(command, seats, lag))
                try:
                    await self._store(new, steps)
                except ConflictError:
                    continue
                return self.match.number
        raise BusyError

    async def _check_blocks(self, command: Command, seats: Seats) -> None:
        """Check that nobody plays with somebody who has blocked them; matches that have begun go on.

        :raises Refusal: as if the seat were taken, or a rematch could not be offered: nobody learns of a block.
        """
        others = [seat.person for seat in self.match.seats.values()]
        if isinstance(command, TakeSeat) and command.person is not None:
            if await relations.is_blocked(self._shared.store, command.person, others):
                raise Refusal("taken", "both seats are taken, or the match was withdrawn")
        elif isinstance(command, wire.MakeOffer) and command.what == "rematch" and len(seats) == 1:
            me = self.match.seats[next(iter(seats))].person
            if me is not None and await relations.is_blocked(self._shared.store, me, others):
                raise Refusal("no_rematch", "a rematch can be offered once, after the match")

    def _context(self, command: Command, seats: Seats, lag: int) -> Context:
        gone = None
        if isinstance(command, wire.Claim) and len(seats) == 1:
            since = self.gone_since(other(next(iter(seats))))
            gone = None if since is None else self.now() - since
        rematch = ids.new_id() if getattr(command, "what", None) == "rematch" else None
        return Context(self.now(), lag, gone, rematch)

    async def _store(self, new: list[events.Event], more: Sequence[Step] = ()) -> None:
        """Store new events, and only then make them part of the match.

        :param more: what is stored with them.
        :raises ConflictError: if another process stored events first; they are applied.
        """
        before = self.match.phase
        match = self.match.copy()
        updates = [texts for event in new if (texts := self._apply(match, event)) is not None]
        steps = [*cards.steps(match, new), *more]
        rematch_id = match.rematch if any(isinstance(event, events.Answered) for event in new) else None
        if rematch_id is not None:
            steps += rematch(match, self.now())
        try:
            with STORING.time():
                await self._shared.store.write(*steps)
        except BaseException as error:
            # The events may have been stored even so.
            await asyncio.shield(self._catch_up(elsewhere=isinstance(error, ConflictError)))
            raise
        await self._publish(match, updates, snapshots=len(updates) < len(new))
        MOVES.inc(sum(isinstance(event, events.MovePlayed) for event in new))
        self.wake()
        phase_changed = match.phase != before
        self._shared.bus.publish(MatchChanged(self._shared.bus.process, match.id, match.number, phase_changed, new))
        if phase_changed:
            self._shared.on_match(match.id)
            with suppress(BusyError):  # They are given before the clock is next looked at.
                await self._give_days_off()
        if rematch_id is not None:
            self._shared.match_made(rematch_id)
        if phase_changed and before == "open" and match.created.opponent == "lobby":
            self._shared.lobby_changed()

    def _apply(self, match: Match, event: events.Event) -> dict[Seats, str] | None:
        """Apply an event, and return its update messages by the sides that the recipients play.

        After an event that changes players, setup or start there are none: all listeners get a snapshot.
        """
        match.apply(event)
        if isinstance(event, views.BEGINNINGS):
            return None
        return views.updates(match, event, {listener.seats for listener in self.listeners}, self.now())

    async def _publish(self, match: Match, updates: list[dict[Seats, str]], *, snapshots: bool) -> None:
        """Make a match that was stored this room's current one, and tell the listeners."""
        just_over = match.phase == "over" and self.match.phase != "over"
        self.match = match
        self._ahead = max(self._ahead, match.at - now())
        if snapshots:
            await self._send_snapshots()
            return
        for texts in updates:
            for listener in self.listeners:
                if text := texts.get(listener.seats):
                    listener.send(text)
        if just_over:
            await self._open_chat()

    async def _open_chat(self) -> None:
        """Send the players of a match that is over what the spectators wrote, and the other way round."""
        # Those who cannot be sent it now read it when they reconnect.
        with suppress(BusyError):
            for blocked in {listener.blocked for listener in self.listeners}:
                for line in await self._shared.store.chat(self.match.id, blocked):
                    text = views.encode(wire.ChatMessage(line)).decode()
                    for listener in self.listeners:
                        if listener.blocked == blocked and bool(listener.seats) == (line.by == "watcher"):
                            listener.send(text)

    async def _send_snapshots(self) -> None:
        for listener in list(self.listeners):
            listener.seats = self.match.seat(listener.person)
            try:
                listener.send(await self._snapshot(listener.seats, listener.blocked))
            except BusyError:
                # The event is stored already; a listener that cannot be told now reconnects.
                listener.disconnect()

    async def catch_up(self) -> None:
        """Apply the events that another process has stored."""
        async with self._lock:
            await self._catch_up(elsewhere=True)

    def hear(self, number: int, stored: Sequence[events.Event]) -> None:
        """Apply the events that another process has stored up to a number, which it may have sent."""
        if number > self.match.number and not self._is_closed:
            self._start(self._take_over(number, stored))

    async def _take_over(self, number: int, stored: Sequence[events.Event]) -> None:
        async with self._lock:
            if number > self.match.number:
                follows = number - len(stored) == self.match.number
                await self._catch_up(elsewhere=True, stored=stored if follows else ())

    async def _catch_up(self, *, elsewhere: bool, stored: Sequence[events.Event] = ()) -> None:
        """Apply the next events, read from the database if they are not given."""
        try:
            if not stored:
                row = await self._shared.store.first(LAST, match=self.match.id)
                if row is None or (row.number or 0) < self.match.number:
                    raise events.BrokenError(f"event {self.match.number} was stored and is gone")
                stored = await self._shared.store.events(self.match.id, self.match.number)
            if not stored:
                return
            match = self.match.copy()
            updates = [texts for event in stored if (texts := self._apply(match, event)) is not None]
        except Exception as error:
            # A match that cannot be compared with the database must not be played on.
            log.warning("room_closed", match=self.match.id, problem=str(error) or type(error).__name__)
            await self._drop(self)
            return
        await self._publish(match, updates, snapshots=len(updates) < len(stored))
        self.wake(elsewhere=elsewhere)

    # Time.

    def wake(self, *, elsewhere: bool = False) -> None:
        """Schedule what happens by itself: the fall of a flag, and the engine's turn."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._is_closed:
            return
        match = self.match
        if match.deadline is not None:
            loop = asyncio.get_running_loop()
            # Asyncio cannot wait longer than a day or so on some systems; the check of overdue matches does the rest.
            delay = min((match.deadline - self.now() + self._lag()) / 1000 + 0.005, 86_400)
            self._timer = loop.call_later(max(0.0, delay), lambda: self._start(self._on_timer()))
        if match.engine_due and self._thinking is None and not elsewhere:
            self._thinking = self._start(self._engine_plays())

    def _start(self, work: Any) -> asyncio.Task[Any]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task

    def _lag(self) -> int:
        """Return the lag of the side to move, in milliseconds."""
        lags = [listener.lag for listener in self.listeners if self.match.turn in listener.seats]
        return min(max(lags, default=0), MAX_LAG)

    async def _on_timer(self) -> None:
        # If the database does not answer, the check of overdue matches tries again.
        with suppress(BusyError):
            async with self._lock:
                await self._give_time_back()
                await self._check_flag()

    async def _give_time_back(self) -> None:
        """Give back the clock time that ran while the server was down, or a player had days off."""
        await self._resume_after_outage()
        await self._give_days_off()

    async def _give_days_off(self) -> None:
        """Stop the clocks of players by correspondence during their days off."""
        match = self.match
        if match.phase == "over" or not isinstance(match.created.time, wire.Correspondence):
            return
        people = {seat.person: side for side, seat in match.seats.items() if seat.person is not None}
        for row in await days_off.latest(self._shared.store, people):
            command = DaysOff(people[row.person], Absence(row.since, row.until))
            with suppress(Refusal, ConflictError):
                await self._store(decide(self.match, command, frozenset(), Context(self.now())))

    async def _resume_after_outage(self) -> None:
        """Give back the clock time that ran while the server was down."""
        self._shared.downtime.detect_suspension()
        absences = self._shared.downtime.absences
        if self.match.clock is None or not absences or absences[-1].until <= self.match.at:
            return
        with suppress(Refusal, ConflictError):
            await self._store(decide(self.match, ResumeAfterOutage(tuple(absences)), frozenset(), Context(self.now())))

    async def _check_flag(self) -> None:
        """Flag the side that is out of time; if the time for the setup has run out, choose a random one."""
        if self.match.clock is None:
            return
        name = None
        if self.match.phase == "setup":
            name = catalogue.random_setup(self.match.game)
        with suppress(Refusal, ConflictError):
            await self._store(decide(self.match, CheckFlag(name), frozenset(), Context(self.now(), self._lag())))

    async def withdraw_if_abandoned(self) -> None:
        """Withdraw an open challenge to a live match if its creator has left."""
        match = self.match
        live = not isinstance(match.created.time, wire.Correspondence)
        if match.phase != "open" or match.created.opponent != "lobby" or not live:
            return
        side = next(iter(match.seats))
        since = self.gone_since(side)
        if since is not None and self.now() - since > ABANDONED:
            with suppress(Refusal):
                await self.command(wire.Abort(""), frozenset({side}))

    async def resume(self) -> None:
        """Give back the clock time that ran while the server was down, or a player had days off."""
        async with self._lock:
            await self._give_time_back()

    # The engine.

    async def _engine_plays(self) -> None:
        """Let the engine move or choose the setup for as long as it must; if that fails, try again."""
        try:
            while self.match.engine_due:
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
        side = match.engine
        if match.phase == "setup":
            await self.command(ConfirmSetup(await self._engine_setup()), frozenset())
            return
        assert side is not None
        seat = match.seats[side]
        engine = house.ENGINES.get(seat.person or "")
        # Black's first turns come after as many of White's.
        taste = engine.opening if engine is not None and match.turns < 2 * TASTE_TURNS else "any"
        limit = Limit(time=match.core.thinking(self.now()) / 1000)
        moves = await self._shared.engines.turn(self.visitor, match.board.copy(), seat.level or 1, limit, taste)
        for move in moves:
            if self.match.turn != side or self.match.phase != "play":
                return
            await self.command(wire.MakeMove(move, self.match.number, ""), frozenset({side}))

    async def _engine_setup(self) -> str:
        """Let the engine choose the setup: a house engine in its own way, any other the best that it finds."""
        match = self.match
        seat = match.seats[match.engine] if match.engine is not None else None
        engine = house.ENGINES.get(seat.person or "") if seat is not None else None
        if engine is not None and engine.setup == "random":
            return catalogue.random_setup(match.game)
        if engine is not None and engine.setup == "first":
            return match.game.setups[0]
        return await self._shared.engines.setup(self.visitor, match.game)

    async def hint(self, listener: Listener, id: str) -> None:
        """Send a player the turn that the engine would play.

        :raises Refusal: if it is not their turn, or hints are off in this match.
        :raises EngineBusyError: if the engine is busy.
        """
        match = self.match
        if not match.created.hints:
            raise Refusal("no_hints", "hints are off in this match")
        if match.phase != "play" or match.turn not in listener.seats:
            raise Refusal("not_your_turn", "only the side to move can ask for a hint")
        board = match.board.copy()
        moves = await self._shared.engines.turn(self.visitor, board, 10, Limit(time=HINT_THINKING / 1000))
        san = []
        for text in moves:
            move = board.parse_uci(text)
            san.append(board.san(move))
            board.push(move)
        listener.send(views.encode(wire.HintGiven(id, moves, san)).decode())

    # Listeners.

    async def join(self, listener: Listener) -> None:
        """Add a listener, which gets a snapshot and then all updates.

        :raises BusyError: if the room has been closed, or the database does not answer.
        """
        async with self._lock:
            if self._is_closed:
                raise BusyError
            listener.seats = self.match.seat(listener.person)
            listener.blocked = await relations.blocked_by(self._shared.store, listener.person)
            self.listeners.add(listener)
            self.idle_since = None
            for side in listener.seats:
                self._gone[side] = None
                self.visitor = Visitor(listener.address, listener.person)
            listener.send(await self._snapshot(listener.seats, listener.blocked))
            self.wake()
        self.send_presence()

    def leave(self, listener: Listener) -> None:
        """Remove a listener."""
        self.listeners.discard(listener)
        connected = {side for each in self.listeners for side in each.seats}
        for side in listener.seats - connected:
            self._gone[side] = self.now()
        if not self.listeners:
            self.idle_since = now()
        self.send_presence()

    async def view(self, view: Callable[[Match], T]) -> T:
        """Return a view of the match as it is stored."""
        async with self._lock:
            return view(self.match)

    async def snapshot(self, person: str | None) -> str:
        """Return the snapshot for a person, encoded."""
        async with self._lock:
            blocked = await relations.blocked_by(self._shared.store, person)
            return await self._snapshot(self.match.seat(person), blocked)

    async def _snapshot(self, seats: Seats, blocked: frozenset[str]) -> str:
        chat = await self._shared.store.chat(self.match.id, blocked)
        people = (seat.person for seat in self.match.seats.values())
        profiles = await relations.profiles(self._shared.store, people)
        ratings = await self._ratings()
        presence = self.presence()
        online: Seats = frozenset(side for side in SIDES if getattr(presence, side))
        told = views.snapshot(
            self.match,
            seats,
            self.now(),
            online=online,
            watchers=presence.watchers,
            chat=chat,
            ratings=ratings,
        )
        seen = await self._seen() if seats else {}
        for side, seat in self.match.seats.items():
            player = getattr(told.players, side)
            player.profile, player.seen = profiles.get(seat.person), seen.get(seat.person)
        return views.encode(told).decode()

    async def _seen(self) -> dict[str | None, int]:
        """Read when the players of a match without a live clock were last here."""
        match = self.match
        if match.phase == "over" or not isinstance(match.created.time, wire.Correspondence | wire.NoTime):
            return {}
        people = [seat.person for seat in match.seats.values() if seat.person is not None]
        return await relations.last_seen(self._shared.store, people)

    async def _ratings(self) -> wire.MatchRatings | None:
        """Read the ratings of the players of a rated match."""
        created, seats = self.match.created, self.match.seats
        if not created.rated or len(seats) < len(SIDES):
            return None
        people = {side: seat.person for side, seat in seats.items()}
        return await match_ratings(self._shared.store, self.match.id, pool_of(created.game, created.time), people)

    async def send_ratings(self) -> None:
        """Send all listeners how the match has changed the ratings of its players."""
        with suppress(BusyError):  # Those who cannot be sent it now read it when they reconnect.
            if (ratings := await self._ratings()) is not None:
                text = views.encode(wire.Rated(ratings)).decode()
                for listener in self.listeners:
                    listener.send(text)

    def local_presence(self) -> wire.Presence:
        """Return who is connected to this process."""
        seated = {side for listener in self.listeners for side in listener.seats}
        watchers = sum(not listener.seats for listener in self.listeners)
        return wire.Presence("white" in seated, "black" in seated, watchers, None)

    def presence(self) -> wire.Presence:
        """Return who is connected to any process."""
        fresh = now() - STALE
        all_of_them = [self.local_presence(), *(part for at, part in self._elsewhere.values() if at > fresh)]
        watchers = sum(part.watchers for part in all_of_them)
        white, black = any(part.white for part in all_of_them), any(part.black for part in all_of_them)
        return wire.Presence(white, black, watchers, None)

    def gone_since(self, side: Side) -> int | None:
        """Return since when a player has been offline; ``None`` if online."""
        return None if getattr(self.presence(), side) else self._gone[side]

    def send_presence(self, *, spread: bool = True) -> None:
        """Send all listeners who is connected."""
        presence = self.presence()
        delay = self.match.claim_delay
        claimable = self.match.phase in ("setup", "play") and delay is not None and self.match.engine is None
        for listener in self.listeners:
            at = None
            if claimable and len(listener.seats) == 1:
                since = self.gone_since(other(next(iter(listener.seats))))
                at = None if since is None else since + (delay or 0)
            listener.send(views.encode(msgspec.structs.replace(presence, left_claim_at=at)).decode())
        if spread:
            self.share_presence()

    def share_presence(self) -> None:
        """Tell other processes who is connected to this one."""
        self._shared.bus.publish(MatchAudience(self._shared.bus.process, {self.match.id: self.local_presence()}))

    async def say(self, listener: Listener, name: str, text: str) -> None:
        """Store a chat message and send it to all listeners who may read it.

        :raises Refusal: if the match is an imported game, which has no players here, or the person is muted.
        """
        if self.match.created.opponent == "import":
            raise Refusal("no_chat", "an imported game has no chat")
        if listener.person is not None:
            await standing.check_may_write(self._shared.store, listener.person)
        at = now()
        by: wire.Speaker = self.match.turn if len(listener.seats) == 2 else next(iter(listener.seats), "watcher")
        # Ids must grow with time in every process, and need no more order than that.
        line = wire.ChatLine(at * 1000 + ids.random_below(1000), by, name, text, at)
        row = {"match": self.match.id, **msgspec.structs.asdict(line), "person": listener.person}
        await self._shared.store.write((NEW_LINE, row))
        self.send_line(line, listener.person)
        self._shared.bus.publish(LineSaid(self._shared.bus.process, self.match.id, line, listener.person))

    def send_line(self, line: wire.ChatLine, author: str | None) -> None:
        """Send a chat message to all listeners who may read it and have not blocked its author."""
        text = views.encode(wire.ChatMessage(line)).decode()
        for listener in self.listeners:
            if author not in listener.blocked and views.may_read(self.match, listener.seats, line.by):
                listener.send(text)

    def set_remote_presence(self, process: str, presence: wire.Presence) -> None:
        """Record who is connected to another process."""
        is_new = process not in self._elsewhere
        before = self.presence()
        self._elsewhere[process] = (now(), presence)
        after = self.presence()
        for side in SIDES:
            if getattr(before, side) and not getattr(after, side):
                self._gone[side] = self.now()
        if after != before or is_new:
            # A process that has just opened this match does not know yet who is connected to this one.
            self.send_presence(spread=is_new)
