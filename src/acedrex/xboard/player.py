"""The engine as a player in XBoard's protocol: it searches, ponders, analyses and moves."""

from __future__ import annotations

import enum
from typing import TextIO

from acedrex._native import Move
from acedrex.board import Board
from acedrex.engine.engine import FULL_LEVEL, Engine
from acedrex.engine.limit import Limit
from acedrex.engine.result import Info, PlayResult, Score
from acedrex.game import Game
from acedrex.protocol.conversation import Conversation, one_line
from acedrex.protocol.thinking import think
from acedrex.xboard.clock import Clock
from acedrex.xboard.notation import write_move
from acedrex.xboard.variants import KNOWN

__all__ = ["Player", "Task"]


class Task(enum.Enum):
    """The purpose of a search."""

    MOVE = enum.auto()
    PONDER = enum.auto()
    ANALYSIS = enum.auto()


class Player(Conversation):
    """The part of a session that plays.

    :param engine: the engine; the caller closes it.
    :param game: the first game.
    """

    def __init__(self, lines: TextIO, output: TextIO, engine: Engine, game: Game) -> None:
        super().__init__(lines, output)
        self._engine = engine
        self.game = game
        #: None if the last position was invalid: then every move is illegal.
        self.board: Board | None = Board(game)
        #: The side that the engine plays, if any.
        self.plays: bool | None = None
        self.clock = Clock()
        self.analyzing = False
        #: Whether to write the lines of a search, and whether to ponder.
        self.posting = self.pondering = False
        #: The settings, which apply from the next search on.
        self.settings = {"Level": FULL_LEVEL, "Threads": 1, "Hash": 64}
        #: Whether to clear the hash table before the next search.
        self.forget = False
        #: The expected move of the opponent.
        self.expected: Move | None = None
        #: The score of the engine's last search for a move.
        self.score: Score | None = None
        #: Pings to be answered after the current search for a move.
        self.pings: list[str] = []
        self._task = Task.MOVE
        self._searched = self.board
        #: Turns that the engine has made under the current time control.
        self.turns = 0

    @property
    def thinking(self) -> bool:
        """Whether the engine is searching for a move."""
        return self._search is not None and self._task is Task.MOVE

    def reset(self, board: Board | None) -> None:
        """Set the position."""
        self.halt()
        self.board = board
        self.expected = self.score = None
        self.turns = 0
        self.resume_analysis()

    def receive(self, move: Move) -> None:
        """Make a legal move of the opponent, and reply or resume the analysis."""
        assert self.board is not None
        if self._search is not None and self._task is Task.PONDER and move == self.expected:
            self.board.push(move)
            self._task = Task.MOVE
            self._search.ponder_hit(self._limit())
            if self._search.ended:
                self.conclude()
            return
        self.halt()
        self.board.push(move)
        if not self.announce_result():
            if self.analyzing:
                self.resume_analysis()
            elif self.board.turn == self.plays:
                self.think()

    def format_move(self, move: Move) -> str:
        """Return a legal move of the current position in one leg."""
        assert self.board is not None
        return "".join(write_move(self.board, move, legs=False))

    def announce_result(self) -> bool:
        """Write the result if the game is over; return whether it is."""
        assert self.board is not None
        outcome = self.board.outcome()
        if outcome is not None:
            self.say(f"{outcome.result()} {{{outcome.text()}}}")
        return outcome is not None

    # Searches ----------------------------------------------------------------------------------------------------

    def think(self) -> None:
        """Search for a move."""
        assert self.board is not None
        self._begin(Task.MOVE, self.board, self._limit())

    def _ponder(self) -> None:
        """Ponder: search for a reply to the expected move."""
        if self.board is None or self.plays is None or self.expected is None or not self.pondering:
            return
        if self.settings["Level"] < FULL_LEVEL:
            return
        board = self.board.copy()
        board.push(self.expected)
        if board.outcome() is None:
            self._begin(Task.PONDER, board, self._limit())

    def _limit(self) -> Limit:
        assert self.plays is not None
        return self.clock.limit(white=self.plays, turns_made=self.turns)

    def resume_analysis(self) -> None:
        """Continue the analysis, if analysis mode is on."""
        if self.analyzing and self.board is not None and self.board.outcome() is None:
            self._begin(Task.ANALYSIS, self.board, Limit())

    def _begin(self, task: Task, board: Board, limit: Limit) -> None:
        engine, settings = self._engine, self.settings
        if self.forget:
            engine.clear()
            self.forget = False
        if engine.threads != settings["Threads"]:
            engine.threads = settings["Threads"]
        if engine.hash_mb != settings["Hash"]:
            engine.hash_mb = settings["Hash"]
        self._task = task
        self._searched = board
        level = settings["Level"] if task is Task.MOVE else FULL_LEVEL
        self.start(think(engine, level, board, limit, ponder=task is Task.PONDER))

    def stop_thinking(self) -> None:
        """Move now, if the engine is searching for a move."""
        if self._search is not None and self.thinking:
            self._search.stop()

    def stop_pondering(self) -> None:
        """Stop pondering."""
        if self._task is Task.PONDER:
            self.halt()

    def halt(self) -> None:
        """Stop any search without moving, and answer pending pings."""
        if self._search is not None:
            search, self._search = self._search, None
            search.finish()
        while self.pings:
            self.say(f"pong {self.pings.pop(0)}")

    def status(self) -> str | None:
        """Return the state of the analysis in one line; ``None`` if there is none."""
        info = self._search.last if self._search is not None else None
        if info is None:
            return None
        moves = self._searched.legal_moves.count()
        return f"stat01: {round(info.time * 100)} {info.nodes} {info.depth} 0 {moves}"

    def inform(self, info: Info) -> None:
        """Write a line of the search."""
        if self.posting and info.multipv == 1:
            self.say(thinking_line(self._searched, info, self._hint() if self._task is Task.PONDER else ""))

    def _hint(self) -> str:
        return f"({self.format_move(self.expected)}) " if self.expected is not None else ""

    def conclude(self) -> None:
        """Make the move that was searched for; an analysis or a pondering search waits for the next command."""
        if self._search is None or self._task is not Task.MOVE:
            return
        search, self._search = self._search, None
        result = search.finish()
        if search.last is not None:
            self.score = search.last.score
        self._move(result, one_line(search.fault))
        self.halt()
        self._ponder()

    def _move(self, result: PlayResult | None, fault: str) -> None:
        assert self.board is not None
        move = result.move if result is not None else None
        if result is None or move is None:
            self.say(f"tellusererror The engine has found no move {fault}")
            return
        for leg in write_move(self.board, move, legs=self.game.id not in KNOWN):
            self.say(f"move {leg}")
        self.board.push(move)
        self.turns += 1
        over = self.announce_result()
        self.expected = None if over or not result.ponder else result.ponder[0]


def thinking_line(board: Board, info: Info, hint: str) -> str:
    """Return a line of a search: depth, score, centiseconds, nodes, further numbers, and the moves."""
    board = board.copy(stack=False)
    words = []
    for move in info.pv:
        words += write_move(board, move, legs=False)
        board.push(move)
    mate = info.score.mate
    score = info.score.cp if mate is None else mate + (100_000 if mate > 0 else -100_000)
    numbers = (info.depth, score, round(info.time * 100), info.nodes, info.seldepth, info.nps, 0)
    mark = {"lower": "!", "upper": "?"}.get(info.bound or "", "")
    return f"{' '.join(map(str, numbers))}\t{hint}{' '.join(words)}{mark}"
