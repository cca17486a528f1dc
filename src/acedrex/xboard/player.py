"""The player behind the protocol: it thinks, thinks ahead, analyses and moves."""

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
from acedrex.xboard.results import result_line
from acedrex.xboard.variants import KNOWN

__all__ = ["Player", "Task"]


class Task(enum.Enum):
    """What a search is for."""

    MOVE = enum.auto()
    PONDER = enum.auto()
    ANALYSIS = enum.auto()


class Player(Conversation):
    """What the engine does in a game.

    :param engine: what thinks; it is closed by whoever made it.
    :param game: the game to begin with.
    """

    def __init__(self, lines: TextIO, output: TextIO, engine: Engine, game: Game) -> None:
        super().__init__(lines, output)
        self._engine = engine
        self.game = game
        #: None if the last position was none: then every move is illegal.
        self.board: Board | None = Board(game)
        #: The colour that the engine plays; None if neither.
        self.plays: bool | None = None
        self.clock = Clock()
        self.analyzing = False
        #: Whether to tell what is found on the way, and whether to think in the opponent's time.
        self.posting = self.pondering = False
        #: What can be set; it counts from the next search on.
        self.settings = {"Level": FULL_LEVEL, "Threads": 1, "Hash": 64}
        #: Whether to empty the engine's tables before the next search.
        self.forget = False
        #: What the opponent is expected to play.
        self.expected: Move | None = None
        #: What the engine thought of the game when it moved last.
        self.score: Score | None = None
        #: Pings to be answered after the move that is being looked for.
        self.pings: list[str] = []
        self._task = Task.MOVE
        self._searched = self.board
        #: Turns that the engine has made under the present time control.
        self.turns = 0

    @property
    def thinking(self) -> bool:
        """Whether the engine is looking for a move."""
        return self._search is not None and self._task is Task.MOVE

    def reset(self, board: Board | None) -> None:
        """Begin from a position."""
        self.halt()
        self.board = board
        self.expected = self.score = None
        self.turns = 0
        self.resume_analysis()

    def receive(self, move: Move) -> None:
        """Take a legal move from outside, and do what comes next."""
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
        if not self.tell_ending():
            self.resume_analysis()
            if self.board.turn == self.plays:
                self.think()

    def written(self, move: Move) -> str:
        """Write a legal move of the present position in one piece."""
        assert self.board is not None
        return "".join(write_move(self.board, move, legs=False))

    def tell_ending(self) -> bool:
        """Tell the result if the game is over; give whether it is."""
        assert self.board is not None
        outcome = self.board.outcome()
        if outcome is not None:
            self.say(result_line(outcome, self.board.game.draw_limits))
        return outcome is not None

    # Searches ----------------------------------------------------------------------------------------------------

    def think(self) -> None:
        """Look for a move."""
        assert self.board is not None
        self._begin(Task.MOVE, self.board, self._limit())

    def _think_ahead(self) -> None:
        """Look for an answer to the move that is expected."""
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
        """Go on analysing, if that was asked for."""
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
        """Move at once, if it is the engine's turn."""
        if self._search is not None and self.thinking:
            self._search.stop()

    def stop_pondering(self) -> None:
        """Leave the opponent's time alone."""
        if self._task is Task.PONDER:
            self.halt()

    def halt(self) -> None:
        """End a search without a move, whatever it is for, and answer who waited for the move."""
        if self._search is not None:
            search, self._search = self._search, None
            search.finish()
        while self.pings:
            self.say(f"pong {self.pings.pop(0)}")

    def status(self) -> str | None:
        """Tell in one line how far an analysis has come."""
        info = self._search.last if self._search is not None else None
        if info is None:
            return None
        moves = self._searched.legal_moves.count()
        return f"stat01: {round(info.time * 100)} {info.nodes} {info.depth} 0 {moves}"

    def inform(self, info: Info) -> None:
        """Tell how far the search has come."""
        if self.posting and info.multipv == 1:
            self.say(thinking_line(self._searched, info, self._hint() if self._task is Task.PONDER else ""))

    def _hint(self) -> str:
        return f"({self.written(self.expected)}) " if self.expected is not None else ""

    def conclude(self) -> None:
        """Make the move that was looked for; an analysis, or thinking ahead, waits for what comes."""
        if self._search is None or self._task is not Task.MOVE:
            return
        search, self._search = self._search, None
        result = search.finish()
        if search.last is not None:
            self.score = search.last.score
        self._move(result, one_line(search.fault))
        self.halt()
        self._think_ahead()

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
        over = self.tell_ending()
        self.expected = None if over or not result.ponder else result.ponder[0]


def thinking_line(board: Board, info: Info, hint: str) -> str:
    """Tell how far a search of a board has come: depth, score, centiseconds, nodes, more numbers, and the line."""
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
