"""Plays a match: several games at once, each worker with players of its own."""

from __future__ import annotations

import queue
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

from acedrex.board import Board
from acedrex.engine.client import EngineError
from acedrex.match.log import Log
from acedrex.match.openings import Judge, make_opening
from acedrex.match.players import Player, make
from acedrex.match.referee import Played, StoppedError, play_game
from acedrex.match.settings import Settings
from acedrex.match.standing import Standing

__all__ = ["run"]


def run(
    standing: Standing,
    *,
    log: Log | None = None,
    concurrency: int = 1,
    report: Callable[[Standing], None] = lambda standing: None,
) -> None:
    """Play until the match has come to its goal.

    :param standing: holds the games that were played before; the new ones are added.
    :param log: where every game is written down as soon as it is over.
    :param concurrency: how many games are played at once.
    :param report: called after every game.
    :raises Error: if a player cannot be made.
    :raises KeyboardInterrupt: after Ctrl-C; every game that was counted is in the log then.
    """
    if standing.over:
        return
    table = _Table(standing)
    workers = [threading.Thread(target=_Worker(standing.settings, table).work) for _ in range(concurrency)]
    for worker in workers:
        worker.start()
    try:
        with _interrupts(table.results.put):
            while not standing.over:
                game = table.results.get()
                if isinstance(game, BaseException):
                    raise game
                if log is not None:
                    log.add(game)
                standing.add(game)
                report(standing)
    finally:
        table.stop()
        for worker in workers:
            worker.join()


@contextmanager
def _interrupts(tell: Callable[[BaseException], None]) -> Iterator[None]:
    """Tell of Ctrl-C instead of stopping right where it comes: that could be between counting a game and writing it."""
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.default_int_handler or threading.current_thread() is not threading.main_thread():
        yield
        return
    signal.signal(signal.SIGINT, lambda number, frame: tell(KeyboardInterrupt()))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


class _Table:
    """What workers share: which game is next, the openings, and the results."""

    def __init__(self, standing: Standing) -> None:
        self.results: queue.SimpleQueue[Played | BaseException] = queue.SimpleQueue()
        self._settings = standing.settings
        self._done = set(standing.games)
        self._games = standing.goal.games
        self._next = 0
        self._lock = threading.Lock()
        self._stopped = threading.Event()
        self._judge = Judge() if self._settings.balance else None
        self._opening: tuple[int, Board] | None = None
        #: Those who have to be told when it is over.
        self._players: list[Player] = []

    def stopped(self) -> bool:
        return self._stopped.is_set()

    def stop(self) -> None:
        """Let the games that are under way be given up."""
        with self._lock:
            self._stopped.set()
            for player in self._players:
                player.stop()

    def take(self) -> tuple[int, Board] | None:
        """Return the next game's number and its opening; ``None`` if there is none."""
        with self._lock:
            while self._next in self._done:
                self._next += 1
            number = self._next
            if self.stopped() or (self._games is not None and number >= self._games):
                return None
            self._next += 1
            pair = number // 2
            if self._opening is None or self._opening[0] != pair:
                self._opening = pair, make_opening(self._settings, pair, self._judge)
            return number, self._opening[1]

    def add(self, player: Player) -> None:
        """Say that a player has sat down."""
        with self._lock:
            self._players.append(player)
        if self.stopped():
            player.stop()

    def remove(self, player: Player) -> None:
        """Say that a player has left."""
        with self._lock:
            self._players.remove(player)


class _Worker:
    """Plays games one after the other, with the same two players as long as they can."""

    def __init__(self, settings: Settings, table: _Table) -> None:
        self._settings = settings
        self._table = table
        self._players: dict[str, Player] = {}

    def work(self) -> None:
        try:
            while (taken := self._table.take()) is not None:
                self._table.results.put(self._play(*taken))
        except StoppedError:
            pass
        except BaseException as error:
            if not self._table.stopped():
                self._table.results.put(error)
        finally:
            self._leave()

    def _play(self, number: int, opening: Board) -> Played:
        """Play a game. A program that has ended is started anew; if it cannot be, the match is over."""
        try:
            self._begin(number)
        except EngineError:
            self._leave()
            self._begin(number)
        return play_game(self._settings, number, opening, self._players, self._table.stopped)

    def _begin(self, number: int) -> None:
        if self._table.stopped():
            raise StoppedError
        if not self._players:
            self._sit()
        for side, player in self._players.items():
            player.begin(f"{self._settings.seed} {number} {side}")

    def _sit(self) -> None:
        for side, spec in (("first", self._settings.first), ("second", self._settings.second)):
            self._players[side] = make(spec, self._settings.game)
            self._table.add(self._players[side])

    def _leave(self) -> None:
        with ExitStack() as stack:
            for player in self._players.values():
                self._table.remove(player)
                stack.callback(player.close)
        self._players = {}
