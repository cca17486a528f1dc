"""The built-in engine."""

from __future__ import annotations

import os
import random
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from operator import index
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from acedrex import _native
from acedrex.engine.analysis import Analysis, Report
from acedrex.engine.limit import Limit
from acedrex.engine.result import Info, PlayResult, Score, Wdl
from acedrex.errors import Error
from acedrex.limits import MAX_LEVEL

if TYPE_CHECKING:
    from acedrex._native import Move
    from acedrex.board import Board

#: The most threads, and the largest hash table in megabytes.
MAX_THREADS = 256
MAX_HASH_MB = 65_536
#: The largest file that is read as a network, in bytes.
MAX_NETWORK = 1 << 26
#: The highest level, which plays at full strength.
FULL_LEVEL = MAX_LEVEL


class Engine:
    """Plays and analyses any game, one search at a time. Engines are independent of each other.

    :param threads: the number of search threads, from 1 to 256. With one thread, a search by depth or nodes from an
        empty hash table is reproducible.
    :param hash_mb: the size of the hash table in megabytes, from 1 to 65,536.
    :param level: from 1 to 10. Levels below 10 play weaker, equally strong on every machine: they search a fixed number
        of positions, choose among nearly equal moves and overlook replies as people do. Only :meth:`play` is weakened,
        and its limit is ignored.
    :param seed: the seed of the choices of levels below 10; by default random. With one thread and an empty hash
        table (see :meth:`clear`), the same seed plays the same moves.
    :param network: the file of a network to evaluate with, instead of the one that ships with the game; ``"none"``
        evaluates by features alone. A network plays the game that it was trained for.
    :param overhead: seconds reserved per turn for communication, if the limit has a clock.
    :raises Error: if a number is out of range, there is not enough memory, or the network cannot be read. A network of
        another game is reported by the first search.

    >>> import acedrex
    >>> board = acedrex.Board("maasai")
    >>> with acedrex.Engine(hash_mb=16) as engine:
    ...     result = engine.play(board, acedrex.Limit(nodes=1000))
    >>> result.move in board.legal_moves
    True
    """

    def __init__(
        self,
        *,
        threads: int = 1,
        hash_mb: int = 64,
        level: int | None = None,
        seed: int | None = None,
        network: str | os.PathLike[str] | None = None,
        overhead: float = 0.03,
    ) -> None:
        """Create an engine; memory is allocated by the first search."""
        self.level = level
        self._random = random.Random()
        if seed is not None:
            self.seed(seed)
        self._lock = threading.Lock()
        #: The watches of the running search and of those waiting for it to end.
        self._watches: set[_native.Watch] = set()
        self._threads = _within("threads", threads, MAX_THREADS)
        self._hash_mb = _within("hash_mb", hash_mb, MAX_HASH_MB)
        self.overhead = overhead
        self._network = _read_network(network)
        self._native: _native.Engine | None = _native.Engine(self._threads, self._hash_mb, self._network)

    @property
    def threads(self) -> int:
        """The number of search threads. Setting it clears the hash table.

        :raises Error: if the number is not from 1 to 256.
        """
        return self._threads

    @threads.setter
    def threads(self, threads: int) -> None:
        self._renew(_within("threads", threads, MAX_THREADS), self._hash_mb)

    @property
    def hash_mb(self) -> int:
        """The size of the hash table in megabytes. Setting it clears the table.

        :raises Error: if the number is out of range or there is not enough memory; then nothing changes.
        """
        return self._hash_mb

    @hash_mb.setter
    def hash_mb(self, hash_mb: int) -> None:
        self._renew(self._threads, _within("hash_mb", hash_mb, MAX_HASH_MB))

    @property
    def level(self) -> int | None:
        """The strength of :meth:`play`, from 1 to 10; ``None`` is full strength.

        :raises Error: if the number is not from 1 to 10.
        """
        return self._level

    @level.setter
    def level(self, level: int | None) -> None:
        self._level = None if level is None else _within("level", level, FULL_LEVEL)

    def use_network(self, network: str | os.PathLike[str] | None) -> None:
        """Evaluate with the network of a file, without one (``"none"``), or with the one that ships (``None``).

        Clears the hash table.

        :raises Error: if the file cannot be read; then nothing changes.
        """
        self._network = _read_network(network)
        self._renew(self._threads, self._hash_mb)

    def _renew(self, threads: int, hash_mb: int) -> None:
        with self._lock:
            self._native = _native.Engine(threads, hash_mb, self._network)
            self._threads, self._hash_mb = threads, hash_mb

    def play(self, board: Board, limit: Limit = Limit(), *, root_moves: Sequence[Move] = ()) -> PlayResult:
        """Search for the best turn.

        :param board: the position with its history; it is not changed.
        :param limit: when to stop; without a limit, Ctrl-C or :meth:`stop` from another thread ends the search.
        :param root_moves: the first moves to choose from; by default all legal ones.
        :raises Error: if the engine is closed, a limit is out of range or a root move is not legal.
        """
        return self._play(board, limit, root_moves, self._begin(board, limit, ponder=False))

    def _play(self, board: Board, limit: Limit, root_moves: Sequence[Move], watch: _native.Watch) -> PlayResult:
        if self._level is None or self._level == FULL_LEVEL:
            return self._search(board, limit, 1, root_moves, watch, None)
        with self._searching(watch) as native:
            seed = self._random.getrandbits(64)
            decision = native.play_at_level(board, watch, self._level, seed, list(root_moves))
        return _result(board, decision)

    def analyse(self, board: Board, limit: Limit, *, multipv: int = 1, root_moves: Sequence[Move] = ()) -> list[Info]:
        """Search and return the best lines, the best first; an empty list if the game is over.

        :param multipv: the number of lines, from 1 to 500.
        :raises Error: as :meth:`play`.
        """
        infos: list[Info] = []
        self._search(board, limit, multipv, root_moves, self._begin(board, limit, ponder=False), infos.append)
        return _latest(infos)

    def stream(
        self,
        board: Board,
        limit: Limit = Limit(),
        *,
        multipv: int = 1,
        root_moves: Sequence[Move] = (),
        ponder: bool = False,
    ) -> Analysis:
        """Search in the background and report the lines as they are found.

        :param ponder: whether to search in the opponent's time; the limit then counts from
            :meth:`Analysis.ponder_hit` on.
        """
        board, watch = board.copy(), self._begin(board, limit, ponder=ponder)

        def hit(limit: Limit) -> None:
            watch.ponder_hit(limit.time, self._clock(board, limit))

        return Analysis(lambda report: self._search(board, limit, multipv, root_moves, watch, report), watch.stop, hit)

    async def play_async(self, board: Board, limit: Limit = Limit(), *, root_moves: Sequence[Move] = ()) -> PlayResult:
        """Do as :meth:`play` without blocking the event loop; cancelling it stops the search."""
        import asyncio  # here, since it takes a fifth of the time in which the library is imported

        watch = self._begin(board, limit, ponder=False)
        try:
            return await asyncio.to_thread(self._play, board.copy(), limit, root_moves, watch)
        except asyncio.CancelledError:
            watch.stop()
            self._watches.discard(watch)  # it may never have started
            raise

    async def analyse_async(
        self, board: Board, limit: Limit, *, multipv: int = 1, root_moves: Sequence[Move] = ()
    ) -> list[Info]:
        """Do as :meth:`analyse` without blocking the event loop; cancelling it stops the search."""
        analysis = self.stream(board, limit, multipv=multipv, root_moves=root_moves)
        await analysis.wait_async()
        return _latest(analysis)

    def seed(self, seed: int | str) -> None:
        """Set the seed of the choices of levels below 10.

        With one thread and an empty hash table (see :meth:`clear`), the same seed plays the same moves.
        """
        self._random.seed(seed if isinstance(seed, str) else index(seed))

    def __getstate__(self) -> dict[str, Any]:
        """Copies and pickles have the same settings and random numbers, and an empty hash table."""
        own = {"_lock", "_watches", "_native"}
        kept = {name: value for name, value in vars(self).items() if name not in own}
        return {**kept, "is_open": self._native is not None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        is_open = state.pop("is_open")
        vars(self).update(state)
        self._random = random.Random()
        self._random.setstate(state["_random"].getstate())  # a shallow copy has random numbers of its own
        self._lock, self._watches = threading.Lock(), set()
        self._native = _native.Engine(self._threads, self._hash_mb, self._network) if is_open else None

    def stop(self) -> None:
        """Stop running and waiting searches, from any thread."""
        for watch in tuple(self._watches):
            watch.stop()

    def clear(self) -> None:
        """Clear the hash table and all else that earlier searches found, as before a new match.

        :raises Error: if the engine is closed.
        """
        with self._lock:
            self._opened().clear()

    def close(self) -> None:
        """Stop all searches and free the memory."""
        self.stop()
        with self._lock:
            self._native = None

    def __enter__(self) -> Self:
        """Close the engine when the block ends."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the engine."""
        self.close()

    def _opened(self) -> _native.Engine:
        if self._native is None:
            raise Error("the engine is closed; create another one")
        return self._native

    def _begin(self, board: Board, limit: Limit, *, ponder: bool) -> _native.Watch:
        self._opened()
        watch = _native.Watch(limit.time, self._clock(board, limit), ponder)
        self._watches.add(watch)
        return watch

    @contextmanager
    def _searching(self, watch: _native.Watch) -> Iterator[_native.Engine]:
        """Wait for the previous search; until the block ends, :meth:`stop` can find this one."""
        try:
            with self._lock:
                yield self._opened()
        finally:
            self._watches.discard(watch)

    def _clock(self, board: Board, limit: Limit) -> _native.Clock | None:
        left, increment = limit.clock(white=board.turn)
        if left is None:
            return None
        return _native.Clock(left, increment or 0.0, limit.remaining_moves, self.overhead)

    def _search(
        self,
        board: Board,
        limit: Limit,
        multipv: int,
        root_moves: Sequence[Move],
        watch: _native.Watch,
        report: Report | None,
    ) -> PlayResult:
        def on_report(lines: list[_native.Line]) -> None:
            if report is not None:
                for line in lines:
                    report(_info(board, line))

        with self._searching(watch) as native:
            count = _within("multipv", multipv, 500)
            depth, nodes, mate = limit.depth, limit.nodes, limit.mate
            decision = native.search(
                board, watch, depth, nodes, mate, count, list(root_moves), None if report is None else on_report
            )
        return _result(board, decision)


def _latest(infos: Iterable[Info]) -> list[Info]:
    """Return the last line of each rank, the best first."""
    found = {info.multipv: info for info in infos}
    return [found[rank] for rank in sorted(found)]


def _within(name: str, value: int, most: int) -> int:
    if not 1 <= value <= most:
        raise Error(f"{name}={value}: expected a number from 1 to {most}")
    return index(value)


def _read_network(network: str | os.PathLike[str] | None) -> bytes | None:
    """Return a network's file, empty for none."""
    if network is None:
        return None
    if network == "none":
        return b""
    path = Path(network)
    try:
        with path.open("rb") as file:
            content = file.read(MAX_NETWORK + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise Error(f"the network {path} cannot be read: {reason}") from None
    if not content or len(content) > MAX_NETWORK:
        raise Error(f"{path} is not a network: it is {'empty' if not content else 'larger than any'}")
    return content


def _result(board: Board, decision: _native.Decision) -> PlayResult:
    lines = decision.lines
    info = _info(board, lines[0]) if lines else None
    return PlayResult(moves=tuple(decision.moves), ponder=tuple(decision.ponder), info=info)


def _info(board: Board, line: _native.Line) -> Info:
    mate, bound, moves = line.mate, line.bound, line.moves
    return Info(
        depth=line.depth,
        seldepth=line.seldepth,
        multipv=line.rank,
        score=Score(None if mate is not None else line.score, mate, Wdl(*line.wdl)),
        turn=board.turn,
        bound=None if bound is None else "lower" if bound else "upper",
        nodes=line.nodes,
        nps=int(line.nodes / max(line.seconds, 1e-6)),
        time=line.seconds,
        hashfull=line.hashfull,
        pv=tuple(moves),
        pv_san=board.variation_san(moves),
    )
