"""Tournaments in the database: they are read as events, changed by events, and the key of these decides conflicts."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from typing import Any

import msgspec
import structlog
from msgspec import Struct, field
from sqlalchemy import bindparam, func, insert, select, update

from acedrex.server import ids, wire
from acedrex.server.bus import TournamentChanged
from acedrex.server.match.events import BrokenError
from acedrex.server.people import standing
from acedrex.server.play.rooms import Rooms
from acedrex.server.refusal import Refusal
from acedrex.server.storage.store import BusyError, ConflictError, Step
from acedrex.server.storage.tables import accounts, entrants, people, tournament_events, tournaments
from acedrex.server.tournaments import events
from acedrex.server.tournaments.creation import Entrant
from acedrex.server.tournaments.events import Event
from acedrex.server.tournaments.plan import next_moment
from acedrex.server.tournaments.standings import winner
from acedrex.server.tournaments.state import Tournament

log = structlog.get_logger()

#: How many times a command is decided when another process keeps storing events first; tournaments kept in memory.
TRIES, KEPT = 8, 100

NEW = insert(tournaments)
NEW_EVENT = insert(tournament_events)
NEW_ENTRANT = insert(entrants)
COLUMNS = ("phase", "starts_at", "at", "number", "next_at", "card")
UPDATE = (
    update(tournaments)
    .where(tournaments.c.id == bindparam("_id"))
    .values({name: bindparam(f"_{name}") for name in COLUMNS})
)
RENAME = (
    update(tournaments)
    .where(tournaments.c.id == bindparam("_id"))
    .values(name=bindparam("_name"), description=bindparam("_description"))
)
EVENTS_OF = (
    select(tournament_events.c.number, tournament_events.c.body)
    .where(tournament_events.c.tournament == bindparam("id"), tournament_events.c.number > bindparam("after"))
    .order_by(tournament_events.c.number)
)
PLAYER_OF = select(entrants.c.player).where(
    entrants.c.tournament == bindparam("id"), entrants.c.person == bindparam("person")
)
ENTRANTS_OF = (
    select(
        entrants.c.player,
        entrants.c.person,
        func.coalesce(people.c.name, entrants.c.name).label("name"),
        accounts.c.handle,
        people.c.id.in_(standing.closed()).label("closed"),
    )
    .outerjoin(people, people.c.id == entrants.c.person)
    .outerjoin(accounts, accounts.c.person == entrants.c.person)
    .where(entrants.c.tournament == bindparam("id"))
)


class Card(Struct, frozen=True):
    """The summary of a tournament for lists; who somebody is stands elsewhere."""

    kind: wire.TournamentKind
    game: str
    time: wire.Fischer | wire.ByoYomi | wire.Correspondence
    by_appointment: bool
    rated: bool
    players: int
    max_players: int
    round: int
    rounds: int | None
    winner: int | None


_encode_card = msgspec.json.Encoder().encode
read_card = msgspec.json.Decoder(Card).decode


def card(t: Tournament) -> Card:
    """Return the card of a tournament."""
    settings = t.settings
    return Card(
        t.kind,
        t.created.game,
        settings.time,
        t.by_appointment,
        settings.rated,
        len(t.active()) if t.phase in ("open", "running") else len(t.players),
        settings.max_players,
        t.shown_round,
        t.rounds,
        winner(t) if t.phase == "over" else None,
    )


class Held(Struct):
    """A tournament in memory, and the lock under which it is changed."""

    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    tournament: Tournament | None = None


class Tournaments:
    """The tournaments of this server."""

    def __init__(self, rooms: Rooms) -> None:
        """Use the rooms, their store and their bus."""
        self.rooms = rooms
        self.store = rooms.store
        self._held: OrderedDict[str, Held] = OrderedDict()
        #: Called with the id of a tournament that has changed, in this process or another one.
        self.on_change: Callable[[str], None] = lambda _: None
        #: Returns the steps that tell channels of a new tournament, by its name and the id of its creator.
        self.publish: Callable[[Tournament, str, str], list[Step]] = lambda *_: []
        #: Returns the steps that notify players of events that have just been applied.
        self.notify: Callable[[Tournament, Sequence[Event]], Awaitable[list[Step]]] = _nobody
        #: Called when something may be due.
        self.on_due: Callable[[], None] = lambda: None

    # Reading.

    @asynccontextmanager
    async def hold(self, id: str) -> AsyncIterator[Tournament]:
        """Hold a tournament as it is stored, so that nobody else in this process changes it.

        :raises Refusal: if there is none, or it cannot be read.
        """
        while True:
            held = self._held.setdefault(id, Held())
            self._held.move_to_end(id)
            while len(self._held) > KEPT and not next(iter(self._held.values())).lock.locked():
                self._held.popitem(last=False)
            async with held.lock:
                # Who had it first may have dropped it, with events that were never stored.
                if self._held.get(id) is held:
                    yield await self._catch_up(id, held)
                    return

    async def _catch_up(self, id: str, held: Held) -> Tournament:
        t = held.tournament
        after = 0 if t is None else t.number
        rows = await self.store.all(EVENTS_OF, id=id, after=after)
        try:
            found = events.decode_events([(row.number, row.body) for row in rows], after)
            if t is None:
                if not found or not isinstance(found[0], events.Created):
                    raise _no_such_tournament() if not found else BrokenError("it does not begin with its creation")
                t, found = Tournament(id, found[0]), found[1:]
            t.fold(found)
        except Refusal:
            self._held.pop(id, None)
            raise
        except Exception as error:
            self._held.pop(id, None)
            log.error("tournament_broken", tournament=id, problem=str(error) or type(error).__name__)
            raise Refusal("broken_match", "this tournament is damaged; the details are in the server's log") from None
        held.tournament = t
        return t

    async def tags(self, id: str, match: str) -> dict[str, str]:
        """Return the tags that a game of a tournament has in PGN.

        :raises Refusal: if the tournament cannot be read.
        """
        row = await row_of(self.store, id)
        async with self.hold(id) as t:
            board = t.board_of(match)
            if board is None:
                return {"Event": row.name}
            place = t.in_round(board.round).index(board) + 1
            return {"Event": row.name, "Round": f"{board.round}.{place}"}

    async def entrants(self, id: str) -> dict[int, Entrant]:
        """Return who the players of a tournament are."""
        rows = await self.store.all(ENTRANTS_OF, id=id)
        return {row.player: _entrant(row) for row in rows}

    async def player_of(self, id: str, person: str | None) -> int | None:
        """Return the number that a person has in a tournament."""
        if person is None:
            return None
        row = await self.store.first(PLAYER_OF, id=id, person=person)
        return None if row is None else int(row.player)

    # Changing.

    async def make(
        self, creator: wire.Person, name: str, description: str, created: events.Created, host: Event | None
    ) -> str:
        """Store a new tournament, and return its id.

        :param host: the entry of the creator, who hosts a simul.
        """
        t = Tournament(ids.new_id(), created)
        new: list[Event] = [created]
        steps: list[Step] = []
        if host is not None:
            t.apply(host)
            new.append(host)
            steps.append(entrant_step(t.id, 1, creator.id, creator.name))
        row = {"id": t.id, "creator": creator.id, "name": name, "description": description, **_row(t)}
        steps += self.publish(t, name, creator.id)
        await self.store.write((NEW, row), *_event_steps(t, new), *steps)
        self._announce(t)
        return t.id

    async def write(self, t: Tournament, new: Sequence[Event], steps: Iterable[Step] = ()) -> None:
        """Apply and store the next events of a tournament that is held, with what belongs to them.

        :raises ConflictError: if another process stored events first.
        :raises BusyError: if the database does not answer.
        """
        try:
            t.fold(new)
            told = await self.notify(t, new)
            row = {f"_{name}": value for name, value in _row(t).items()}
            await self.store.write(*_event_steps(t, new), *steps, *told, (UPDATE, {"_id": t.id, **row}))
        except BaseException:
            # Whether they are stored is known to the database alone.
            self._held.pop(t.id, None)
            raise
        self._announce(t)

    async def command(
        self,
        id: str,
        decide: Callable[[Tournament], Event | None],
        steps: Callable[[Event], Iterable[Step]] = lambda _: (),
    ) -> None:
        """Carry out a command: decide it, and store its event with the steps that belong to that.

        :raises Refusal: if it is not allowed.
        :raises BusyError: if the database does not answer.
        """
        for _ in range(TRIES):
            async with self.hold(id) as t:
                event = decide(t)
                if event is None:
                    return
                try:
                    await self.write(t, [event], steps(event))
                except ConflictError:
                    continue
                return
        raise BusyError

    async def describe(self, id: str, name: str, description: str, *steps: Step) -> None:
        """Change the name and the description of a tournament."""
        await self.store.write((RENAME, {"_id": id, "_name": name, "_description": description}), *steps)
        self.on_change(id)
        self.rooms.bus.publish(TournamentChanged(self.rooms.bus.process, id))

    def _announce(self, t: Tournament) -> None:
        self.on_change(t.id)
        self.rooms.bus.publish(TournamentChanged(self.rooms.bus.process, t.id))
        self.on_due()


async def _nobody(_: Tournament, __: Sequence[Event]) -> list[Step]:
    return []


def _no_such_tournament() -> Refusal:
    return Refusal("no_such_tournament", "tournament not found", "tournament")


async def row_of(store: Any, id: str) -> Any:
    """Return the row of a tournament.

    :raises Refusal: if there is none.
    """
    row = await store.first(select(tournaments).where(tournaments.c.id == id))
    if row is None:
        raise _no_such_tournament()
    return row


def _entrant(row: Any) -> Entrant:
    is_account = row.handle is not None
    return Entrant(row.person, row.name, row.name if is_account else None, bool(row.closed))


def entrant_step(id: str, player: int, person: str, name: str) -> Step:
    """Return the step that stores who a player is."""
    return NEW_ENTRANT, {"tournament": id, "player": player, "person": person, "name": name}


def _row(t: Tournament) -> dict[str, Any]:
    moment = next_moment(t)
    starts_at = t.started_at or t.starts_at
    found = {"phase": t.phase, "starts_at": starts_at, "at": t.at, "number": t.number, "next_at": moment}
    return {**found, "card": _encode_card(card(t)).decode()}


def _event_steps(t: Tournament, new: Sequence[Event]) -> list[Step]:
    first = t.number - len(new) + 1
    return [
        (NEW_EVENT, {"tournament": t.id, "number": first + place, "body": events.encode(event).decode()})
        for place, event in enumerate(new)
    ]
