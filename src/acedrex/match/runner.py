"""Plays the games of a match, several at once, each worker with its own players."""

from __future__ import annotations

import queue
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager

from acedrex.board import Board
from acedrex.engine.client import EngineError
from acedrex.match.effort import Effort
from acedrex.match.fairness import Alone, measure_alone, probe_in_play
from acedrex.match.log import Log
from acedrex.match.openings import Judge, make_opening
from acedrex.match.players import Player, make
from acedrex.match.referee import Played, StoppedError, play_game
from acedrex.match.settings import Settings
from acedrex.match.standing import Standing

__all__ = ["Players", "run"]


def run(
    standing: Standing,
    *,
    log: Log | None = None,
    concurrency: int = 1,
    report: Callable[[Standing], None] = lambda standing: None,
) -> None:
    """Play until the match has reached its goal. Players that play for a time first search alone for about a second.

    :param standing: the match with its earlier games; new games are added to it.
    :param log: the log to which every game is added as soon as it is over.
    :param concurrency: the number of games played at once.
    :param report: called after every game.
    :raises Error: if a player cannot be created.
    :raises KeyboardInterrupt: after Ctrl-C; the log then contains every game that was counted.
    """
    if standing.over:
        return
    alone = measure_alone(standing.settings)
    table = _Table(standing)
    workers: list[threading.Thread] = []
    try:
        with _interrupts(table.results.put):
            for _ in range(concurrency):
                worker = threading.Thread(target=_Worker(standing.settings, table, alone).work)
                worker.start()
                workers.append(worker)
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
def _interrupts(put: Callable[[BaseException], None]) -> Iterator[None]:
    """Queue Ctrl-C as a result instead of raising it, which could be between counting a game and logging it."""
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.default_int_handler or threading.current_thread() is not threading.main_thread():
        yield
        return
    signal.signal(signal.SIGINT, lambda number, frame: put(KeyboardInterrupt()))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


class _Table:
    """What the workers share: the number of the next game, the openings, and the results."""

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
        #: The players to be stopped with the match.
        self._players: list[Player] = []

    def stopped(self) -> bool:
        return self._stopped.is_set()

    def stop(self) -> None:
        """Abandon the games in progress."""
        with self._lock:
            self._stopped.set()
            for player in self._players:
                player.stop()

    def next_game(self) -> tuple[int, Board] | None:
        """Return the number and the opening of the next game; ``None`` if there is none."""
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
        """Register a player, to be stopped with the match."""
        with self._lock:
            self._players.append(player)
        if self.stopped():
            player.stop()

    def remove(self, player: Player) -> None:
        """Unregister a player."""
        with self._lock:
            self._players.remove(player)


class _Worker:
    """Plays games one after another."""

    def __init__(self, settings: Settings, table: _Table, alone: Alone) -> None:
        self._table = table
        self._players = Players(settings, table, alone)

    def work(self) -> None:
        try:
            while (game := self._table.next_game()) is not None:
                self._table.results.put(self._players.play(*game))
        except StoppedError:
            pass
        except BaseException as error:
            if not self._table.stopped():
                self._table.results.put(error)
        finally:
            self._players.close()


class Players:
    """The two players of a match, the same for one game after another as long as they run.

    :param table: where the players register, to be stopped with the match.
    :param alone: what they reach alone, with which they are compared before each game.
    """

    def __init__(self, settings: Settings, table: _Table | None = None, alone: Alone | None = None) -> None:
        self._settings = settings
        self._table = table
        self._alone = alone
        self._players: dict[str, Player] = {}

    def play(self, number: int, opening: Board) -> Played:
        """Play a game. A program that has ended is started again.

        :raises Error: if a player cannot be created.
        :raises StoppedError: if the match has been stopped.
        """
        try:
            efforts = self._begin(number)
        except EngineError:
            self.close()
            efforts = self._begin(number)
        played = play_game(self._settings, number, opening, self._players, self._stopped)
        for side, effort in efforts.items():
            played.efforts[side].add(effort)
        return played

    def close(self) -> None:
        """Free the resources of the players."""
        with ExitStack() as stack:
            for player in self._players.values():
                if self._table is not None:
                    self._table.remove(player)
                stack.callback(player.close)
        self._players = {}

    def _stopped(self) -> bool:
        return self._table is not None and self._table.stopped()

    def _begin(self, number: int) -> dict[str, Effort]:
        """Begin a game, after a trial search of each player that was measured alone; return the effort of these."""
        if self._stopped():
            raise StoppedError
        if not self._players:
            self._make_players()
        efforts = {}
        if self._alone is not None:
            for side in self._alone.nodes:
                efforts[side] = probe_in_play(self._settings, self._alone, side, self._players[side], number)
        for side, player in self._players.items():
            player.begin(f"{self._settings.seed} {number} {side}")
        return efforts

    def _make_players(self) -> None:
        for side, spec in (("first", self._settings.first), ("second", self._settings.second)):
            self._players[side] = make(spec, self._settings.game)
            if self._table is not None:
                self._table.add(self._players[side])
