"""Reviews: analyses of whole games, move by move.

Each finding is stored at once, so that a job continues where it stopped when the server restarts, and the same game is
never analysed twice.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import Counter
from contextlib import aclosing, suppress

import msgspec
import structlog
from msgspec import Struct, field
from sqlalchemy import bindparam, case, delete, func, insert, or_, select, update

from acedrex import Board, Limit, games
from acedrex.limits import REVIEW_LINE, REVIEW_NODES, REVIEW_THINKING
from acedrex.server import wire
from acedrex.server.analysis.pool import Analysts, SearchFailedError
from acedrex.server.games import catalogue
from acedrex.server.limits.budgets import Budgets
from acedrex.server.limits.visitor import Visitor
from acedrex.server.match import positions
from acedrex.server.play.engines import EngineBusyError
from acedrex.server.refusal import Refusal
from acedrex.server.storage.store import BusyError, ConflictError, Store
from acedrex.server.storage.tables import findings, jobs
from acedrex.server.time_source import now

log = structlog.get_logger()

#: The limit for each position. It is part of a job's id, so another limit makes new jobs for the same games.
LIMIT = Limit(time=REVIEW_THINKING / 1000, nodes=REVIEW_NODES)
#: Positions of a job that are analysed before the next job has its turn.
PORTION = 8
#: The maximum number of unfinished jobs, in all and for one visitor.
MAX_UNFINISHED, MAX_UNFINISHED_EACH = 100, 3
#: Failed searches of a portion after which a job is given up, and seconds until the next try.
TRIES, PAUSE = 3, 1.0

#: The visitor for the positions of all jobs, which share one turn in the queue.
REVIEWS = Visitor("reviews")

NEW_JOB = insert(jobs)
NEW_FINDING = insert(findings)
#: The address of somebody without an identity is needed only while the analysis runs; ids of people have no such
#: characters.
NOBODYS = case((or_(jobs.c.visitor.contains("."), jobs.c.visitor.contains(":")), ""), else_=jobs.c.visitor)
JOB_DONE = update(jobs).where(jobs.c.id == bindparam("_id")).values(done=True, visitor=NOBODYS)

DELETE_JOB = delete(jobs).where(jobs.c.id == bindparam("_id"))
DELETE_FINDINGS = delete(findings).where(findings.c.job == bindparam("_id"))


class Body(Struct):
    """The game that a job analyses."""

    definition: str
    file: str
    options: dict[str, str]
    rules_hash: str
    fen: str
    # Stored jobs have this name in them, and their ids are hashes of it.
    moves: list[str] = field(name="plies")


class Reviews:
    """The reviews that this process makes."""

    def __init__(self, store: Store, analysts: Analysts, budgets: Budgets) -> None:
        """Start without jobs."""
        self._budgets = budgets
        self._store = store
        self._analysts = analysts
        self._queue: asyncio.Queue[str] = asyncio.Queue()
        #: Failed searches by job, since its last portion.
        self._failures: Counter[str] = Counter()
        self._tasks: list[asyncio.Task[None]] = []

    async def open(self) -> None:
        """Continue the jobs that were unfinished when the server stopped."""
        rows = await self._store.all(select(jobs.c.id).where(~jobs.c.done).order_by(jobs.c.at))
        for row in rows:
            self._queue.put_nowait(row.id)
        self._tasks = [asyncio.create_task(self._work()) for _ in range(self._analysts.processes)]

    async def close(self) -> None:
        """Stop; the findings so far are stored."""
        for task in self._tasks:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    async def begin(self, visitor: Visitor, board: Board) -> wire.Job:
        """Analyse the moves made on a board; for a game that was analysed before, return its job.

        :raises Refusal: if too many games are being analysed.
        """
        game = board.game
        key, definition = catalogue.definition(game)
        body = Body(
            key,
            game.id if game.id in games() else game.file,
            dict(game.chosen_options),
            game.rules_hash,
            board.root_fen,
            [move.uci() for move in board.move_stack],
        )
        text = msgspec.json.encode(body).decode()
        id = hashlib.sha256(f"{LIMIT} {text}".encode()).hexdigest()[:24]
        if await self._store.first(select(jobs.c.id).where(jobs.c.id == id)) is None:
            await self._check_limits(visitor)
            self._budgets.spend(visitor, "reviews", len(body.moves) + 1)
            await self._store.add_definition(key, definition)
            row = {"id": id, "visitor": _name(visitor), "body": text, "done": False, "at": now()}
            # Another request for the same game may have come first.
            with suppress(ConflictError):
                await self._store.write((NEW_JOB, row))
                self._queue.put_nowait(id)
        return await self.progress(id)

    async def _check_limits(self, visitor: Visitor) -> None:
        unfinished = select(func.count()).select_from(jobs).where(~jobs.c.done)
        for query, most in (
            (unfinished, MAX_UNFINISHED),
            (unfinished.where(jobs.c.visitor == _name(visitor)), MAX_UNFINISHED_EACH),
        ):
            row = await self._store.first(query)
            if row is not None and row[0] >= most:
                raise Refusal("engine_busy", "too many games are being analysed; wait until one is finished")

    async def progress(self, id: str, after: int = -1) -> wire.Job:
        """Return the progress of a job, and its findings after a ply.

        :raises Refusal: if there is no such job, or no longer, because it failed.
        """
        row = await self._store.first(select(jobs.c.body).where(jobs.c.id == id))
        if row is None:
            raise Refusal("no_such_job", "analysis not found; start it again", "job")
        total = len(msgspec.json.decode(row.body, type=Body).moves) + 1
        # Counted first: if all are done, the findings read next are complete, even if another process adds some.
        done = await self._count(id)
        query = select(findings.c.body).where(findings.c.job == id, findings.c.ply > after).order_by(findings.c.ply)
        found = [msgspec.json.decode(body, type=wire.Finding) for (body,) in await self._store.all(query)]
        return wire.Job(id, done, total, found)

    async def _count(self, id: str) -> int:
        row = await self._store.first(select(func.count()).select_from(findings).where(findings.c.job == id))
        assert row is not None
        return int(row[0])

    async def _work(self) -> None:
        while True:
            id = await self._queue.get()
            try:
                if not await self._analyse_portion(id):
                    self._queue.put_nowait(id)
            except ConflictError:  # Another process does this job.
                del self._failures[id]
            except SearchFailedError as error:
                self._failures[id] += 1
                if self._failures[id] == TRIES:
                    await self._give_up(id, error)
                else:
                    await self._try_again(id)
            except (EngineBusyError, BusyError):
                await self._try_again(id)
            except Exception as error:
                await self._give_up(id, error)
            else:
                del self._failures[id]

    async def _try_again(self, id: str) -> None:
        await asyncio.sleep(PAUSE)
        self._queue.put_nowait(id)

    async def _give_up(self, id: str, error: Exception) -> None:
        log.error("job_failed", job=id, exc_info=error)
        del self._failures[id]
        # If this cannot be stored, the job fails once more when the server starts again.
        with suppress(BusyError):
            await self._store.write((DELETE_JOB, {"_id": id}), (DELETE_FINDINGS, {"_id": id}))

    async def _analyse_portion(self, id: str) -> bool:
        """Analyse the next positions of a job, and return whether it is done."""
        row = await self._store.first(select(jobs.c.body).where(jobs.c.id == id))
        if row is None:  # Another process has given it up.
            return True
        body = msgspec.json.decode(row.body, type=Body)
        text = await self._store.definition(body.definition)
        game = await asyncio.to_thread(catalogue.restore, text, body.file, body.options, body.rules_hash)
        first = await self._count(id)
        board = await asyncio.to_thread(positions.played, game, body.fen, body.moves[:first])
        last = len(body.moves)
        for number in range(first, min(first + PORTION, last + 1)):
            finding = msgspec.json.encode(await self._find(id, board, number)).decode()
            await self._store.write((NEW_FINDING, {"job": id, "ply": number, "body": finding}))
            if number < last:
                board.push_uci(body.moves[number])
        if first + PORTION <= last:
            return False
        # Also if a server was killed between the last finding and this.
        await self._store.write((JOB_DONE, {"_id": id}))
        return True

    async def _find(self, id: str, board: Board, number: int) -> wire.Finding:
        outcome = board.outcome()
        if outcome is not None:
            chance = 0.5 if outcome.winner is None else float(outcome.winner)
            return wire.Finding(number, {"cp": None, "mate": 0, "chance": chance}, 0, [], "")
        report = None
        async with aclosing(self._analysts.analyse(REVIEWS, board.copy(), 1, LIMIT)) as search:
            async for latest in search:
                report = latest
        if report is None:
            raise SearchFailedError
        line = report.lines[0]
        return wire.Finding(number, line.score, report.depth, line.moves[:REVIEW_LINE], line.san)


def _name(visitor: Visitor) -> str:
    return (visitor.person or visitor.address)[:64]
