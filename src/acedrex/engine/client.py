"""Other programs as engines: they speak UCI and have the methods of the built-in engine."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Self

from acedrex._native import Move
from acedrex.board import Board
from acedrex.engine import text
from acedrex.engine.analysis import Analysis, Report
from acedrex.engine.dialect import Dialect, choose
from acedrex.engine.limit import Limit
from acedrex.engine.process import EngineError, Program, shorten
from acedrex.engine.result import Info, PlayResult
from acedrex.engine.text import ProgramOption
from acedrex.game import Game

__all__ = ["EngineError", "IllegalAnswerError", "UciEngine"]


#: The most options of a program that are stored.
MAX_OPTIONS = 1000


class IllegalAnswerError(EngineError):
    """A program returned an illegal turn; ``answer`` is its text."""

    def __init__(self, message: str, answer: str) -> None:
        super().__init__(message, answer)
        self.answer = answer

    def __str__(self) -> str:
        return str(self.args[0])


class UciEngine:
    """A program that plays by UCI, with the methods of :class:`acedrex.Engine`; one search at a time.

    :param command: the program with its arguments, as one shell command or as a list of words.
    :param options: UCI options by name, set in this order before the first search: ``{"Hash": 64}``.
    :param variant: the program's own name of the game that it will play, for ``UCI_Variant``; ``"none"`` if it plays
        this game alone and has no such option. By default the name is chosen from those that it lists.
    :param timeout: seconds within which the program must answer when it does not have to think: when it starts, after
        it is told to stop, and when its time is over. After that it is killed. A search without a time limit may take
        any time.
    :raises EngineError: if the program cannot be started, does not speak UCI or has no such option.
    """

    def __init__(
        self,
        command: str | Sequence[str],
        *,
        options: Mapping[str, object] | None = None,
        variant: str | None = None,
        timeout: float = 10.0,
    ) -> None:
        self.timeout = timeout
        self._variant = variant
        self._program = Program(command)
        self._lock = threading.Lock()
        #: The running search and those waiting for it to end.
        self._searches: set[_Search] = set()
        self._game: tuple[Game, Dialect] | None = None
        self._multipv = 1
        #: The seconds from the command of the last finished search to its answer, and the processor time that the
        #: program used meanwhile, ``None`` where the system does not tell.
        self.thinking_time: tuple[float, float | None] = (0.0, None)
        #: The name that the program gives itself.
        self.name = self._program.name
        #: The options of the program, by name.
        self.options: dict[str, ProgramOption] = {}
        try:
            self._shake_hands()
            for name, value in (options or {}).items():
                self.set_option(name, value)
            self._synchronize()
        except BaseException:
            self._program.kill()
            raise

    def set_option(self, name: str, value: object = None) -> None:
        """Set a UCI option; a button has no value.

        :raises EngineError: if the program has no such option.
        """
        known = {option.lower(): option for option in self.options}
        if name.lower() not in known:
            raise EngineError(
                f"{self.name} has no option {shorten(name)}; it has {shorten(', '.join(self.options), 400)}"
            )
        words = {True: "true", False: "false"}
        text = words[value] if isinstance(value, bool) else value
        self._program.send(f"setoption name {known[name.lower()]}" + ("" if text is None else f" value {text}"))
        if name.lower() == "variantpath":  # it knows new games now, and lists them only after another "uci"
            with self._lock:
                self._shake_hands()
                self._game = None

    def set_game(self, game: Game) -> None:
        """Set the game to be played next. Searches do this too; calling it earlier reports an unknown game earlier.

        :raises EngineError: if the program does not know the game, or does not answer.
        """
        with self._lock:
            self._set_game(game)
            self._synchronize()

    def plays(self, game: Game) -> bool:
        """Return whether the program plays a game, by what it lists."""
        try:
            self._dialect(game)
        except EngineError:
            return False
        return True

    def play(self, board: Board, limit: Limit = Limit(), *, root_moves: Sequence[Move] = ()) -> PlayResult:
        """Search for the best turn.

        :param board: the position with its history; it is not changed.
        :param limit: when to stop; without a limit, :meth:`stop` from another thread ends the search.
        :param root_moves: the first moves to choose from; by default all legal ones.
        :raises IllegalAnswerError: if the program returns an illegal turn.
        :raises EngineError: if the program does not know the game, does not answer, or has ended.
        """
        return self._search(board, limit, 1, root_moves, self._begin(ponder=False), None)

    def analyse(self, board: Board, limit: Limit, *, multipv: int = 1, root_moves: Sequence[Move] = ()) -> list[Info]:
        """Search and return the best lines, the best first; an empty list if the game is over.

        :param multipv: the number of lines.
        :raises EngineError: as :meth:`play`.
        """
        found: dict[int, Info] = {}
        self._search(
            board,
            limit,
            multipv,
            root_moves,
            self._begin(ponder=False),
            lambda info: found.update({info.multipv: info}),
        )
        return [found[rank] for rank in sorted(found)]

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
            :meth:`acedrex.Analysis.ponder_hit` on, which takes the limit that bounds the time of the answer.
        """
        board, search = board.copy(), self._begin(ponder=ponder)
        return Analysis(
            lambda report: self._search(board, limit, multipv, root_moves, search, report),
            search.stop,
            lambda limit: search.ponder_hit(limit, white=board.turn),
        )

    async def play_async(self, board: Board, limit: Limit = Limit(), *, root_moves: Sequence[Move] = ()) -> PlayResult:
        """Do as :meth:`play` without blocking the event loop; cancelling it stops the search."""
        return await self.stream(board, limit, root_moves=root_moves).wait_async()

    async def analyse_async(
        self, board: Board, limit: Limit, *, multipv: int = 1, root_moves: Sequence[Move] = ()
    ) -> list[Info]:
        """Do as :meth:`analyse` without blocking the event loop; cancelling it stops the search."""
        analysis = self.stream(board, limit, multipv=multipv, root_moves=root_moves)
        await analysis.wait_async()
        found = {info.multipv: info for info in analysis}
        return [found[rank] for rank in sorted(found)]

    def echo(self, board: Board) -> str | None:
        """Send a position and return the FEN of the position that the program then has.

        It is asked by ``d``, which is no command of UCI but one of Stockfish and its relatives, ours included.
        A program that takes one of the moves for illegal may stay in an older position.

        :return: the FEN; ``None`` if the program shows none.
        :raises EngineError: if the program does not know the game, does not answer, or has ended.
        """
        with self._lock:
            self._program.send(" ".join(["position fen", *_position(board, self._set_game(board.game))]))
            self._program.send("d")
            return next((line[4:].strip() for line in self._synchronize() if line.lower().startswith("fen:")), None)

    def stop(self) -> None:
        """Stop running and waiting searches, from any thread; they still return their best turns."""
        for search in tuple(self._searches):
            search.stop()

    def clear(self) -> None:
        """Tell the program that a new game begins.

        :raises EngineError: if the program does not answer.
        """
        with self._lock:
            self._program.send("ucinewgame")
            self._synchronize()

    def close(self) -> None:
        """Ask the program to quit, and kill it if it does not."""
        self._program.close(min(self.timeout, 2.0))

    def kill(self) -> None:
        """Kill the program at once."""
        self._program.kill()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<UciEngine {self.name}>"

    def _shake_hands(self) -> None:
        self._program.send("uci")
        self._program.wait_at_most(self.timeout)
        for line in self._until("uciok"):
            option = text.read_option(line)
            if option is not None and len(self.options) < MAX_OPTIONS:
                self.options[option.name] = option
            elif line.startswith("id name "):
                self.name = line.removeprefix("id name ")[:80]

    def _synchronize(self) -> list[str]:
        """Wait until all commands are processed, and return their output: it belongs to no later command."""
        self._program.send("isready")
        self._program.wait_at_most(self.timeout)
        return list(self._until("readyok"))

    def _until(self, expected: str) -> Iterator[str]:
        last = "nothing"
        while (line := self._program.read(expected)) != expected:
            if line is None:
                self._program.kill()
                raise EngineError(
                    f"{self.name}: {expected} was expected within {self.timeout:g} s; the last line was {last}"
                )
            last = shorten(line)
            yield line

    def _set_game(self, game: Game) -> Dialect:
        if self._game is not None and self._game[0] is game:
            return self._game[1]
        chosen = self._dialect(game)
        if chosen.variant is not None:
            self.set_option("UCI_Variant", chosen.variant)
        self._game = game, chosen
        return chosen

    def _dialect(self, game: Game) -> Dialect:
        return choose(game, self.name, self.options, self._variant)

    def _begin(self, *, ponder: bool) -> _Search:
        search = _Search(self._program, self.timeout, ponder)
        self._searches.add(search)
        return search

    def _search(
        self,
        board: Board,
        limit: Limit,
        multipv: int,
        root_moves: Sequence[Move],
        search: _Search,
        report: Report | None,
    ) -> PlayResult:
        """Start a search, report its lines, and return its turn."""
        with self._searching(search):
            if board.is_game_over():
                return PlayResult(moves=())
            if multipv != self._multipv:
                self.set_option("MultiPV", multipv)
                self._multipv = multipv
            dialect = self._set_game(board.game)
            self._synchronize()
            self._program.send(" ".join(["position fen", *_position(board, dialect)]))
            command, last = text.go(limit, root_moves), ""
            used, begun = self._program.processor_time(), time.perf_counter()
            try:
                search.go(command, limit, white=board.turn)
                while (line := self._hear(search)).split()[0] != "bestmove":
                    if line.startswith("info ") and " score " in line.partition(" string ")[0]:
                        if " multipv " not in line or " multipv 1 " in line:
                            last = line
                        info = None if report is None else text.read_info(board, line)
                        if report is not None and info is not None and 1 <= info.multipv <= multipv:
                            report(info)
            except BaseException:  # including Ctrl-C: drop what the search still prints
                self._abandon(search)
                raise
            finally:
                search.end()
            seconds, now = time.perf_counter() - begun, self._program.processor_time()
            self.thinking_time = seconds, None if used is None or now is None else now - used
            return self._read_answer(board, line.split(), text.read_info(board, last))

    @contextmanager
    def _searching(self, search: _Search) -> Iterator[None]:
        """Wait for the previous search; until the block ends, :meth:`stop` can find this one."""
        try:
            with self._lock:
                yield
        finally:
            self._searches.discard(search)

    def _abandon(self, search: _Search) -> None:
        """Stop a search and drop its answer; if that is broken off too, kill the program."""
        try:
            search.stop()
            while self._hear(search).split()[0] != "bestmove":
                pass
        except EngineError:  # the program has ended
            pass
        except BaseException:  # its answer would be taken for that of the next search
            self._program.kill()
            raise

    def _hear(self, search: _Search) -> str:
        """Read a line. A program that exceeds its time is told to stop; if it does not, it is killed."""
        while (line := self._program.read("a bestmove")) is None:
            if not search.hurry():
                self._program.kill()
                raise EngineError(
                    f"{self.name} sent no bestmove within {self.timeout:g} s of being told to stop; it was killed"
                )
        return line

    def _read_answer(self, board: Board, words: list[str], info: Info | None) -> PlayResult:
        answer = words[1] if len(words) > 1 else ""
        moves = text.read_turn(board, answer)
        if moves is None:
            raise IllegalAnswerError(
                f"{self.name}: a legal turn was expected; {shorten(answer)} came at {board.fen()}", answer
            )
        expected = text.read_line(board, [answer, *words[3:4]])[len(moves) :]
        return PlayResult(moves=moves, ponder=expected if words[2:3] == ["ponder"] else (), info=info)


class _Search:
    """The commands that other threads may send to a search, even before it starts."""

    def __init__(self, program: Program, timeout: float, ponder: bool) -> None:
        self._program = program
        self._timeout = timeout
        self._pondering = ponder
        self._limit: Limit | None = None
        self._lock = threading.Lock()
        self._running = False
        self._stopped = False

    def go(self, command: str, limit: Limit, *, white: bool) -> None:
        """Start the search; the deadline runs unless it ponders. A hit that came before gives the deadline."""
        with self._lock:
            self._program.send(command.replace("go", "go ponder", 1) if self._pondering else command)
            self._running = True
            self._program.wait_at_most(None if self._pondering else self._longest(self._limit or limit, white))
            if self._stopped:
                self._stop()

    def end(self) -> None:
        """Mark the search as ended."""
        with self._lock:
            self._running = False

    def stop(self) -> None:
        """Tell the program to stop."""
        self.hurry()

    def hurry(self) -> bool:
        """Tell the program to stop, unless it was told before; return whether this was the first time."""
        with self._lock:
            first, self._stopped = not self._stopped, True
            if first and self._running:
                self._stop()
            return first

    def ponder_hit(self, limit: Limit, *, white: bool) -> None:
        """Tell the program that the expected turn was played."""
        with self._lock:
            self._pondering, self._limit = False, limit
            if self._running:
                self._program.send("ponderhit")
                if not self._stopped:
                    self._program.wait_at_most(self._longest(limit, white))

    def _stop(self) -> None:
        with suppress(EngineError):  # if the program has ended, the reader of its answer raises
            self._program.send("stop")
        self._program.wait_at_most(self._timeout)

    def _longest(self, limit: Limit, white: bool) -> float | None:
        """Return the seconds within which an answer must come; ``None`` without a time limit."""
        clock, increment = limit.clock(white=white)
        times = [limit.time, None if clock is None else clock + (increment or 0.0)]
        return min((seconds + self._timeout for seconds in times if seconds is not None), default=None)


def _position(board: Board, dialect: Dialect) -> list[str]:
    """Write a position with the turns that led to it; inside a turn, only its FEN.

    Since few programs read null moves, the FEN is that of the position after the last one.
    """
    if board.turn_moves:
        return [dialect.fen(board.fen())]
    made = board.move_stack
    if Move.null() in made:
        board = board.copy(stack=made[::-1].index(Move.null()))
    turns = list(text.turns(board))
    return [dialect.fen(board.root_fen), *(["moves", *turns] if turns else [])]
