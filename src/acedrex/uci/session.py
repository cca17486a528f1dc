"""A UCI session: reads commands and executes them."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TextIO

from acedrex._native import Move
from acedrex.board import Board
from acedrex.engine.limit import Limit
from acedrex.engine.result import Info
from acedrex.errors import Error
from acedrex.protocol.catalogue import Catalogue
from acedrex.protocol.conversation import Conversation, command_of, one_line
from acedrex.protocol.thinking import think
from acedrex.uci.bench import bench
from acedrex.uci.options import Options
from acedrex.uci.perft import Count
from acedrex.uci.words import NOTHING, Go, info_line, read_go, turn_word

if TYPE_CHECKING:
    from acedrex.engine.engine import Engine

__all__ = ["Session"]


class Session(Conversation):
    """A session with a GUI in UCI.

    :param engine: the engine; the caller closes it.
    :param games: the games that can be chosen.
    :param version: the version of Acedrex, for ``id name``.
    """

    def __init__(self, lines: TextIO, output: TextIO, engine: Engine, games: Catalogue, version: str) -> None:
        super().__init__(lines, output)
        self._engine = engine
        self._games = games
        self._version = version
        self._options = Options(games)
        self._game = games["chess"]
        #: None if the last position was invalid: then no move is played.
        self._board: Board | None = Board(self._game)
        #: The position being searched, and the limit.
        self._searched = self._board
        self._limit = Limit()
        #: The moves that it may begin with; any, if none.
        self._chosen: list[Move] = []
        #: Whether the best move is held back until `stop` or `ponderhit`, even if the search ends earlier.
        self._held = False
        self._count: Count | None = None
        self._commands: dict[str, Callable[[str], None]] = {
            "uci": self._uci,
            "isready": self._isready,
            "setoption": self._setoption,
            "ucinewgame": self._ucinewgame,
            "position": self._position,
            "go": self._go,
            "stop": self._stop,
            "ponderhit": self._ponderhit,
            "d": self._d,
            "bench": self._bench,
            # There is no debug mode and no registration.
            "debug": lambda rest: None,
            "register": lambda rest: None,
        }

    def close(self) -> None:
        """Stop the running search or count, and write its result."""
        self._finish()

    def handle(self, line: str) -> None:
        """Execute a command; unknown ones are answered with a message."""
        word, rest = command_of(line)
        command = self._commands.get(word)
        if command is not None:
            command(rest)
        elif word:
            self._info_string(f"there is no command {word[:40]!r}")

    def _info_string(self, text: str) -> None:
        self.say(f"info string {one_line(text)}")

    def _uci(self, rest: str) -> None:
        self.say(f"id name Acedrex {self._version}")
        self.say("id author the Acedrex authors")
        for line in self._options.lines():
            self.say(line)
        self.say("uciok")

    def _isready(self, rest: str) -> None:
        self.say("readyok")

    # Options -----------------------------------------------------------------------------------------------------

    def _setoption(self, rest: str) -> None:
        found = re.fullmatch(r"name\s+(.+?)(?:\s+value(?:\s+(.*))?)?", rest)
        if found is None:
            self._info_string("setoption is written: setoption name NAME value VALUE")
            return
        self._finish()
        name, value = found[1], found[2] or ""
        try:
            name = self._options.set(name, value)
            if name == "UCI_Variant":
                self._game = self._games[value]
                self._board = Board(self._game)
            elif name == "Threads":
                self._engine.threads = self._options["Threads"]
            elif name == "Hash":
                self._engine.hash_mb = self._options["Hash"]
            elif name == "EvalFile":
                self._engine.use_network(self._options.network)
            elif name == "Clear Hash":
                self._engine.clear()
        except ValueError as error:
            self._info_string(str(error))

    # Positions ---------------------------------------------------------------------------------------------------

    def _ucinewgame(self, rest: str) -> None:
        self._finish()
        self._engine.clear()
        self._board = Board(self._game)

    def _position(self, rest: str) -> None:
        words = rest.split()
        start = words.index("moves") if "moves" in words else len(words)
        words, turns = words[:start], words[start + 1 :]
        self._board = None
        try:
            if words[:1] == ["fen"]:
                board = Board(self._game, " ".join(words[1:]))
            elif words == ["startpos"]:
                board = Board(self._game)
            else:
                raise Error("write position startpos or position fen FEN, then moves TURNS")
            for turn in turns:
                if turn == NOTHING:
                    board.push(Move.null())
                else:
                    board.push_turn(turn)
        except Error as error:
            self._info_string(str(error))
            return
        self._board = board

    def _d(self, rest: str) -> None:
        if self._board is None:
            self._info_string("there is no position")
            return
        for line in str(self._board).splitlines():
            self.say(line)
        self.say(f"Game: {one_line(self._game.spec)}")
        self.say(f"Fen: {self._board.fen()}")
        self.say(f"Key: {self._board.key:016X}")

    def _bench(self, rest: str) -> None:
        self._finish()
        bench(self.say)

    # Searching ---------------------------------------------------------------------------------------------------

    def _go(self, rest: str) -> None:
        self._finish()
        board = self._board
        if board is None:
            self._info_string("there is no position to play in")
            self._bestmove(())
            return
        go = read_go(rest.split())
        for fault in go.faults:
            self._info_string(fault)
        if "perft" in go.numbers:
            self._count = Count(board, go.numbers["perft"], self.say)
            return
        self._held = bool(go.flags)
        self._chosen = self._root_moves(board, go)
        self._searched = board
        self._limit = go.limit(white=board.turn)
        self._engine.overhead = self._options["Move Overhead"] / 1000
        analysis = think(
            self._engine,
            self._options.level,
            board,
            self._limit,
            multipv=self._options["MultiPV"],
            root_moves=self._chosen,
            ponder="ponder" in go.flags,
        )
        self.start(analysis)

    def _root_moves(self, board: Board, go: Go) -> list[Move]:
        moves = []
        for turn in go.turns:
            try:
                moves.append(board.parse_turn(turn)[0])
            except Error as error:
                self._info_string(f"searchmoves: {error}")
        return moves

    def inform(self, info: Info) -> None:
        """Write a line of the search."""
        self.say(info_line(self._searched, info, wdl=bool(self._options["UCI_ShowWDL"])))

    def conclude(self) -> None:
        """Write the best turn, unless it is held back."""
        if not self._held:
            self._finish()

    def _stop(self, rest: str) -> None:
        self._held = False
        if self._count is not None or (self._search is not None and self._search.ended):
            self._finish()
        elif self._search is not None:
            self._search.stop()

    def _ponderhit(self, rest: str) -> None:
        self._held = False
        if self._search is not None and self._search.ended:
            self._finish()
        elif self._search is not None:
            self._search.ponder_hit(self._limit)

    def _finish(self) -> None:
        """Stop the running count or search, and write the best turn of the search."""
        if self._count is not None:
            self._count.finish()
            self._count = None
        if self._search is not None:
            search, self._search = self._search, None
            result = search.finish()
            if search.fault:
                self._info_string(search.fault)
            if result is not None and not result.moves and search.last is None:
                outcome = self._searched.outcome()
                score = "cp 0" if outcome is None or outcome.winner is None else "mate 0"
                self.say(f"info depth 0 score {score}")
            moves = result.moves if result else ()
            self._bestmove(moves or self._any_turn(), result.ponder if result else None)

    def _any_turn(self) -> list[Move]:
        """Return a legal turn: some interfaces play on after a draw by the rules."""
        board = self._searched.copy()
        moves: list[Move] = []
        while board.turn == self._searched.turn and (legal := board.legal_moves):
            moves.append(legal[0] if moves or not self._chosen else self._chosen[0])
            board.push(moves[-1])
        return moves

    def _bestmove(self, moves: Sequence[Move], ponder: Sequence[Move] | None = None) -> None:
        self.say(f"bestmove {turn_word(moves)}" + (f" ponder {turn_word(ponder)}" if ponder else ""))
