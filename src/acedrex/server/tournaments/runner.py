"""Makes tournaments go on: hears of results, pairs rounds, begins games.

Every process does. The number of an event decides which of them does something, and what it does is stored with that
event, so that a restart neither loses nor repeats anything.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from functools import partial
from typing import Any

import msgspec
import structlog
from sqlalchemy import bindparam, select, update

from acedrex.game import Game
from acedrex.server import wire
from acedrex.server.games import catalogue
from acedrex.server.limits.fair_queue import FullError
from acedrex.server.limits.pool import Pool
from acedrex.server.limits.visitor import Visitor
from acedrex.server.match.state import SIDES
from acedrex.server.people import house
from acedrex.server.poll import Poll
from acedrex.server.ratings.results import pool_of, shown, standings
from acedrex.server.refusal import Refusal
from acedrex.server.storage import cards
from acedrex.server.storage.store import NEW_MATCH, BusyError, ConflictError, Step
from acedrex.server.storage.tables import matches, tournaments
from acedrex.server.time_source import now
from acedrex.server.tournaments import events, plan, swiss
from acedrex.server.tournaments.creation import Entrant, match_of
from acedrex.server.tournaments.events import Event, GameBegan
from acedrex.server.tournaments.plan import Plan, Spare
from acedrex.server.tournaments.presence import Audience
from acedrex.server.tournaments.state import Board, Tournament
from acedrex.server.tournaments.store import Tournaments, entrant_step

log = structlog.get_logger()

#: Seconds between two looks, if nothing wakes the runner; results and tournaments of a portion.
POLL, PORTION = 1.0, 200
#: Milliseconds after which a tournament that has failed is tried again.
LATER = 60_000
#: Steps of a tournament that follow from each other and are taken in one look.
STEPS = 20
#: Turns of a match after which it counts as played: one of each side.
PLAYED = 2
#: Stands for the server itself in the queue of the pool.
SERVER = Visitor("tournaments")

OVER = (
    select(matches.c.id, matches.c.tournament, matches.c.card)
    .where(matches.c.to_report, matches.c.phase == "over")
    .order_by(matches.c.at, matches.c.id)
    .limit(PORTION)
)
REPORTED = update(matches).where(matches.c.id == bindparam("_id")).values(to_report=None)
DUE = (
    select(tournaments.c.id)
    .where(tournaments.c.next_at <= bindparam("moment"))
    .order_by(tournaments.c.next_at)
    .limit(PORTION)
)
SHARES = {"1-0": 1.0, "0-1": 0.0}


class Runner:
    """Makes tournaments go on."""

    def __init__(self, kept: Tournaments, audience: Audience, pool: Pool | None) -> None:
        """Use the tournaments, those who are there, and a pool that pairs; without one, this process does."""
        self._kept = kept
        self._store = kept.store
        self._rooms = kept.rooms
        self._audience = audience
        self._pool = pool
        self._poll = Poll(self.look, POLL, "tournaments_failed")
        #: When what has failed is tried again.
        self._again: dict[str, int] = {}
        kept.on_due = self.wake

    def wake(self) -> None:
        """Look at once, since something may be due."""
        self._poll.wake()

    async def run_forever(self) -> None:
        """Look, forever."""
        await self._poll.run_forever()

    async def look(self) -> None:
        """Hear of results, and do what is due."""
        await self._report()
        for row in await self._store.all(DUE, moment=now()):
            if self._again.get(row.id, 0) > now():
                continue
            try:
                await self._advance(row.id)
                self._again.pop(row.id, None)
            except BusyError:
                raise
            except (ConflictError, FullError):
                pass  # Another process was first, or the pool is full: the next look tries again.
            except Exception as error:
                # One that is damaged holds up no other.
                self._again[row.id] = now() + LATER
                log.error("tournament_failed", tournament=row.id, exc_info=error)

    # Results.

    async def _report(self) -> None:
        """Store the results of finished matches."""
        rows = await self._store.all(OVER)
        found: dict[str, list[Any]] = {}
        for row in rows:
            found.setdefault(row.tournament, []).append(row)
        for id, some in found.items():
            try:
                async with self._kept.hold(id) as t:
                    new = [event for row in some if (event := _result(t, row)) is not None]
                    done: list[Step] = [(REPORTED, {"_id": row.id}) for row in some]
                    await (self._kept.write(t, new, done) if new else self._store.write(*done))
            except ConflictError:
                pass  # Another process has stored something: the next look reads it.
            except Refusal:
                await self._store.write(*((REPORTED, {"_id": row.id}) for row in some))

    # What is due.

    async def _advance(self, id: str) -> None:
        """Do what is due in a tournament, and what follows from that."""
        for _ in range(STEPS):
            async with self._kept.hold(id) as t:
                if not await self._step(t):
                    return

    async def _step(self, t: Tournament) -> bool:
        """Do one thing that is due, and return whether there was any."""
        entrants = await self._kept.entrants(t.id)
        moment = now()
        gone = {player for player, who in entrants.items() if who.person is None or who.closed}
        spare = await self._spare(t) if t.phase == "open" and moment >= t.starts_at else []
        waiting = self._waiting(t, entrants)
        found = plan.due(t, moment, gone=gone, waiting=waiting, spare=spare)
        if found.swiss_round is not None:
            found = await self._pair_swiss(t, found.swiss_round, moment)
        if found.resign:
            await self._resign(found.resign)
        if not found.events and not found.begin:
            return False
        steps = list(_engine_steps(t, found.events))
        for event in found.events:
            if isinstance(event, events.Entered) and event.engine is not None:
                await house.enrol(self._store, event.engine)
        made: list[GameBegan] = []
        if found.begin:
            made, more = await self._games(t, found, entrants, moment)
            found.events += made
            steps += more
        await self._kept.write(t, found.events, steps)
        await self._announce(t, made)
        return True

    async def _games(
        self, t: Tournament, found: Plan, entrants: dict[int, Entrant], moment: int
    ) -> tuple[list[GameBegan], list[Step]]:
        """Return the events of the games that begin by a plan, and the steps that make their matches."""
        game = await self._game(t)
        # Boards that the plan's own events pair are not there yet.
        pairs = [pair for event in found.events if isinstance(event, events.Paired) for pair in event.pairs]
        made: list[GameBegan] = []
        steps: list[Step] = []
        for number, white in found.begin:
            board = t.boards[number] if number < len(t.boards) else _new_board(t, number, pairs, moment)
            # In a thread, and one by one, so that no move waits for them.
            more = await asyncio.to_thread(match_of, t, board, game, white, entrants, moment)
            match = next(values["id"] for statement, values in more if statement is NEW_MATCH)
            made.append(GameBegan(at=moment, board=number, match=match, white=white))
            steps += more
        return made, steps

    async def _resign(self, leaving: list[tuple[str, int]]) -> None:
        """Resign the games of players who have left; their results are heard of like others."""
        for match, side in leaving:
            with suppress(Refusal):  # It has ended meanwhile.
                room = await self._rooms.get(match)
                await room.command(wire.Resign(""), frozenset({SIDES[side]}))

    async def _announce(self, t: Tournament, made: list[GameBegan]) -> None:
        for event in made:
            self._rooms.shared.match_made(event.match)
            if any(t.players[player].engine is not None for player in t.boards[event.board].players):
                # An engine begins to think when its room is opened.
                with suppress(Refusal, BusyError):
                    (await self._rooms.get(event.match)).wake()

    async def _pair_swiss(self, t: Tournament, round: int, moment: int) -> Plan:
        sits_out = {player.number for player in t.players.values() if player.active and round in player.byes}
        entries = swiss.entries(t, sits_out)
        job = partial(swiss.pair, entries, t.settings.rounds)
        paired = job() if self._pool is None else await self._pool.run(SERVER, job)
        if paired is None:
            return Plan([events.Finished(at=moment)])
        seeds = t.seeds()
        pairs = [(seeds[white - 1], seeds[black - 1]) for white, black in paired.pairs]
        bye = None if paired.bye is None else seeds[paired.bye - 1]
        return Plan([events.Paired(at=moment, round=round, pairs=pairs, bye=bye, sits_out=sorted(sits_out))])

    async def _game(self, t: Tournament) -> Game:
        text = await self._store.definition(t.created.definition)
        options = t.settings.game.options
        return await asyncio.to_thread(catalogue.restore, text, t.created.file, options, t.created.rules_hash)

    async def _spare(self, t: Tournament) -> list[Spare]:
        """Return the house engines that could enter, with the ratings that they have; those who know the game first."""
        if t.settings.fill <= len(t.active()):
            return []
        pool = pool_of(t.settings.game.game, t.settings.time)
        found = await standings(self._store, [(id, pool) for id in house.ENGINES])
        entered = {player.engine for player in t.players.values()}
        engines = [one for one in house.ENGINES.values() if one.id not in entered]
        engines.sort(key=lambda one: t.settings.game.game not in one.games)
        rated = ((one.id, shown(found[one.id, pool])) for one in engines)
        return [Spare(id, rating.rating, rating.provisional) for id, rating in rated]

    def _waiting(self, t: Tournament, entrants: dict[int, Entrant]) -> dict[int, int]:
        """Return who waits for a game of an arena, and since when: those who look at it and do not play."""
        if t.kind != "arena" or t.phase != "running":
            return {}
        free = [player for player in t.active() if not t.plays(player)]
        people = {entrants[player].person: player for player in free if t.players[player].engine is None}
        here = [people[person] for person in self._audience.of(t.id) if person in people]
        engines = [player for player in free if t.players[player].engine is not None]
        return {player: self._free_since(t, player) for player in (*here, *engines)}

    def _free_since(self, t: Tournament, player: int) -> int:
        boards = t.boards_of(player)
        return (boards[-1].ended_at if boards else None) or t.started_at or t.at


def _result(t: Tournament, row: Any) -> Event | None:
    """Return the result of a match; nothing if it is known, or not one of the tournament's."""
    board = t.board_of(row.id)
    if board is None or not any(game.match == row.id for game in board.running):
        return None
    try:
        card = cards.read(row.card)
    except msgspec.MsgspecError:
        log.error("cannot_report", match=row.id)
        return events.GameEnded(at=now(), board=board.number, match=row.id, points=0.5, played=False)
    ending = card.ending
    points = 0.5 if ending is None else SHARES.get(ending.result, 0.5)
    return events.GameEnded(at=card.at, board=board.number, match=row.id, points=points, played=card.turns >= PLAYED)


def _engine_steps(t: Tournament, new: Iterable[Event]) -> Iterable[Step]:
    for event in new:
        if isinstance(event, events.Entered) and event.engine is not None:
            yield entrant_step(t.id, event.player, event.engine, house.ENGINES[event.engine].name)


def _new_board(t: Tournament, number: int, pairs: list[tuple[int, int]], moment: int) -> Board:
    first, second = pairs[number - len(t.boards)]
    return Board(number, t.round + 1, first, second, moment)
