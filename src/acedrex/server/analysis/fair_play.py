"""Fair play: the moves of rated matches between people, compared with the engine's choice, for moderators.

Positions are analysed only while nobody else uses the analysts. Nothing follows from the numbers by itself.
"""

from __future__ import annotations

import asyncio
import math
import random
import statistics
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

import structlog
from msgspec import Struct
from sqlalchemy import Row, bindparam, func, insert, select, update

from acedrex import Board, Limit
from acedrex.plain import side
from acedrex.server import wire
from acedrex.server.analysis.pool import Analysts, SearchReport
from acedrex.server.games import catalogue
from acedrex.server.match.events import Created, decode_events
from acedrex.server.match.state import SIDES, Match
from acedrex.server.people import relations
from acedrex.server.play.engines import EngineBusyError
from acedrex.server.poll import Poll
from acedrex.server.storage.store import BusyError, ConflictError, Step, Store
from acedrex.server.storage.tables import comparisons, matches
from acedrex.server.time_source import now

log = structlog.get_logger()

#: The limit for each position, in nodes so that numbers of different machines compare; moves of a match at most.
LIMIT, MAX_MOVES = Limit(nodes=60_000, time=2.0), 240
#: In centipawns: the advantage from which a position is decided, the gap between the two best moves from which it is
#: forced, the most that one move can lose, and the score of a mate.
DECIDED, FORCED, MAX_LOSS, MATE = 500, 300, 1_000, 100_000
#: Seconds until the next look for matches, and for idle time; matches of which one is chosen, so that processes seldom
#: choose the same; failed searches after which a match is given up.
PAUSE, IDLE_PAUSE, CHOICE, TRIES = 10.0, 1.0, 20, 3
#: The fewest positions of a person, and players of a game, from which the numbers mean something; the most players that
#: are read and listed.
MIN_POSITIONS, MIN_PLAYERS, MAX_PLAYERS, MAX_OUTLIERS = 100, 5, 20_000, 50
#: Beyond how many ranges between the quartiles somebody is an outlier, by Tukey's rule.
FENCE = 1.5

WAITING = select(matches.c.id).where(matches.c.to_compare).order_by(matches.c.at).limit(CHOICE)
COMPARED = update(matches).where(matches.c.id == bindparam("_id")).values(to_compare=None)
NEW = insert(comparisons)


class View(Struct, frozen=True):
    """What the engine says of a position, from White's point of view."""

    #: Centipawns of the best lines.
    scores: tuple[int, ...]
    #: The moves of the best line up to the end of the turn: they may be made in another order.
    choices: frozenset[str] = frozenset()
    is_only_move: bool = False


class Comparison(Struct):
    """Positions of a side that were neither forced nor decided, first choices there, and centipawns lost."""

    positions: int = 0
    first_choices: int = 0
    loss: int = 0


def compare(moves: Sequence[tuple[wire.Side, str]], views: Sequence[View]) -> dict[wire.Side, Comparison]:
    """Compare moves with what the engine says.

    :param moves: the moves with the sides that made them.
    :param views: of the position before each move, and of the last one.
    """
    found = {side: Comparison() for side in SIDES}
    for (mover, move), view, after in zip(moves, views, views[1:], strict=False):
        sign = 1 if mover == "white" else -1
        best, *others = (sign * score for score in view.scores)
        if view.is_only_move or abs(best) >= DECIDED or (others and best - others[0] >= FORCED):
            continue
        one, is_first = found[mover], move in view.choices
        one.positions += 1
        one.first_choices += is_first
        one.loss += 0 if is_first else min(max(best - sign * after.scores[0], 0), MAX_LOSS)
    return found


class FairPlay:
    """Compares the rated matches of this server."""

    def __init__(self, store: Store, analysts: Analysts) -> None:
        """Use a store, and analysts in their idle time."""
        self._store, self._analysts = store, analysts
        self._failures: Counter[str] = Counter()

    async def compare_forever(self) -> None:
        """Compare matches that have been rated, forever."""
        await Poll(self.compare_one, PAUSE, "comparing_failed").run_forever()

    async def compare_one(self) -> bool:
        """Compare a match that waits for it, and return whether there was one."""
        rows = await self._store.all(WAITING)
        if not rows:
            return False
        id = random.choice(rows).id
        done: Step = (COMPARED, {"_id": id})
        try:
            steps = await self._steps(id)
        except BusyError:
            raise
        except Exception as error:
            self._failures[id] += 1
            if isinstance(error, EngineBusyError) and self._failures[id] < TRIES:
                return False
            log.error("cannot_compare", match=id, exc_info=error)
            steps = []
        del self._failures[id]
        try:
            await self._store.write(done, *steps)
        except ConflictError:  # Another process has compared it.
            await self._store.write(done)
        return True

    async def _steps(self, id: str) -> list[Step]:
        """Return the steps that store the comparison of a match."""
        stored = decode_events(await self._store.rows(id))
        created = stored[0]
        assert isinstance(created, Created)
        definition = await self._store.definition(created.definition)

        def read() -> Match:
            game = catalogue.restore(definition, created.file, created.options, created.rules_hash)
            return Match(id, stored, game)

        match = await asyncio.to_thread(read)
        board = Board(match.game, match.board.root_fen)
        moves: list[tuple[wire.Side, str]] = []
        views = [await self._view(board)]
        for move in match.board.move_stack[:MAX_MOVES]:
            moves.append((side(board.turn), move.uci()))
            board.push(move)
            views.append(await self._view(board))
        people = {mover: seat.person for mover, seat in match.seats.items()}
        return [
            (NEW, {"match": id, "side": mover, "person": people[mover], "game": match.game.id, **_row(one)})
            for mover, one in compare(moves, views).items()
            if people.get(mover) is not None
        ]

    async def _view(self, board: Board) -> View:
        outcome = board.outcome()
        if outcome is not None:
            return View((0 if outcome.winner is None else MATE if outcome.winner else -MATE,))
        while (report := await self._analysts.analyse_idly(board.copy(), 2, LIMIT)) is None:
            await asyncio.sleep(IDLE_PAUSE)
        return _view_of(board, report)


def _view_of(board: Board, report: SearchReport) -> View:
    after, choices = board.copy(), set[str]()
    for move in report.lines[0].moves:
        if after.turn != board.turn:
            break
        choices.add(move)
        after.push_uci(move)
    scores = tuple(_centipawns(line) for line in report.lines)
    return View(scores, frozenset(choices), len(board.legal_moves) < 2)


def _centipawns(line: wire.Line) -> int:
    cp, mate = line.score["cp"], line.score["mate"]
    return cp if cp is not None else MATE if (mate or 0) > 0 else -MATE


def _row(one: Comparison) -> dict[str, int]:
    return {"positions": one.positions, "first_choices": one.first_choices, "loss": one.loss, "at": now()}


class _Player(Struct, frozen=True):
    """The numbers of a person in a game."""

    person: str
    matches: int
    positions: int
    share: float
    loss: float


async def summary(store: Store, names: Mapping[str | None, str]) -> list[wire.FairPlayGame]:
    """Return the distribution of all players by game, and those far from it.

    :param names: those of games.
    """
    row, positions = comparisons.c, func.sum(comparisons.c.positions)
    counted = (func.count().label("matches"), positions.label("positions"))
    sums = (func.sum(row.first_choices).label("first_choices"), func.sum(row.loss).label("loss"))
    query = select(row.person, row.game, *counted, *sums).group_by(row.person, row.game)
    query = query.having(positions >= MIN_POSITIONS).order_by(positions.desc()).limit(MAX_PLAYERS)
    games: dict[str, list[_Player]] = defaultdict(list)
    for one in await store.all(query):
        games[one.game].append(_player(one))
    found = []
    for game, players in games.items():
        shares, losses = [one.share for one in players], [one.loss for one in players]
        suspects = _outliers(players)[:MAX_OUTLIERS]
        known = await relations.known(store, (one.person for one in suspects), closed=True)
        listed = [
            wire.Outlier(known[one.person].name, one.matches, one.positions, one.share, one.loss)
            for one in suspects
            if one.person in known
        ]
        name = names.get(game, game)
        found.append(wire.FairPlayGame(game, name, len(players), _spread(shares), _spread(losses), listed))
    return found


def _player(row: Row[Any]) -> _Player:
    positions = int(row.positions)
    share, loss = float(row.first_choices) / positions, float(row.loss) / positions
    return _Player(row.person, row.matches, positions, share, loss)


def _quartiles(values: Sequence[float]) -> list[float]:
    return statistics.quantiles(values, n=4, method="inclusive") if len(values) > 1 else [values[0]] * 3


def _spread(values: Sequence[float]) -> wire.Spread:
    quarter, median, three_quarters = _quartiles(values)
    return wire.Spread(min(values), quarter, median, three_quarters, max(values))


def _outliers(players: Sequence[_Player]) -> list[_Player]:
    """Return those who make far more first choices, or lose far less, than others; the highest share first."""
    if len(players) < MIN_PLAYERS:
        return []
    low, _, high = _quartiles([one.share for one in players])
    # Losses spread to one side, their logarithms to both.
    first, _, third = _quartiles([math.log1p(one.loss) for one in players])
    most, least = high + FENCE * (high - low), first - FENCE * (third - first)
    found = [one for one in players if one.share > most or math.log1p(one.loss) < least]
    return sorted(found, key=lambda one: -one.share)
