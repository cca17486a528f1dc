"""Engines of other programs, spoken to in UCI and used like our own."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from types import TracebackType
from typing import Self

from acedrex._native import Move
from acedrex.board import Board
from acedrex.engine import text
from acedrex.engine.dialect import Dialect, choose
from acedrex.engine.limit import Limit
from acedrex.engine.process import EngineError, Program, shorten
from acedrex.engine.result import Info, PlayResult
from acedrex.engine.text import ProgramOption
from acedrex.game import Game

__all__ = ["EngineError", "IllegalAnswerError", "UciAnalysis", "UciEngine"]


class IllegalAnswerError(EngineError):
    """A program wanted to play what is not legal; ``answer`` is what it said."""

    def __init__(self, message: str, answer: str) -> None:
        super().__init__(message)
        self.answer = answer


class UciEngine:
    """A program that plays by UCI, with the methods of :class:`acedrex.Engine`. Close it, or use it in a ``with``.

    :param command: the program with its arguments, in one text as a shell reads it, or as words.
    :param options: its options by name, set in this order before the first search: ``{"Hash": 64}``.
    :param timeout: the seconds in which it has to answer where there is nothing to think about: when it starts,
        when it is told to stop, when its time is over. Then it is killed. A search without a limit of time may last.
    :raises EngineError: if it cannot be started, does not speak UCI or has no such option.
    """

    def __init__(
        self, command: str | Sequence[str], *, options: Mapping[str, object] | None = None, timeout: float = 10.0
    ) -> None:
        self.timeout = timeout
        self._program = Program(command)
        self._search: UciAnalysis | None = None
        self._game: tuple[Game, Dialect] | None = None
        self._lines = 1
        #: What it calls itself.
        self.name = self._program.name
        #: The options that it has, by name.
        self.options: dict[str, ProgramOption] = {}
        try:
            self._shake_hands()
            for name, value in (options or {}).items():
                self.set_option(name, value)
            if options and "VariantPath" in options:  # it has learnt new games, and lists them only when asked again
                self._shake_hands()
            self._synchronize()
        except BaseException:
            self._program.kill()
            raise

    def set_option(self, name: str, value: object = None) -> None:
        """Set an option; a button has no value.

        :raises EngineError: if the program has no such option.
        """
        known = {option.lower(): option for option in self.options}
        if name.lower() not in known:
            raise EngineError(
                f"{self.name} has no option {shorten(name)}; it has {shorten(', '.join(self.options), 400)}"
            )
        words = {True: "true", False: "false"}
        said = words[value] if isinstance(value, bool) else value
        self._program.send(f"setoption name {known[name.lower()]}" + ("" if said is None else f" value {said}"))

    def play(self, board: Board, limit: Limit | None = None, *, root_moves: Sequence[Move] | None = None) -> PlayResult:
        """Choose a turn.

        :param root_moves: the first plies among which to choose; by default all legal ones.
        :raises IllegalAnswerError: if it chooses a turn that is not legal.
        :raises EngineError: if it does not answer, or has ended.
        """
        return self.stream(board, limit, root_moves=root_moves).wait()

    def analyse(
        self, board: Board, limit: Limit, *, multipv: int = 1, root_moves: Sequence[Move] | None = None
    ) -> list[Info]:
        """Look into a position: the last line of each rank, the best first.

        :raises EngineError: as :meth:`play` does.
        """
        found = {info.multipv: info for info in self.stream(board, limit, multipv=multipv, root_moves=root_moves)}
        return [found[rank] for rank in sorted(found) if rank <= multipv]

    def stream(
        self,
        board: Board,
        limit: Limit | None = None,
        *,
        multipv: int = 1,
        root_moves: Sequence[Move] | None = None,
        ponder: bool = False,
    ) -> UciAnalysis:
        """Start a search, and tell what it finds while it runs.

        :param ponder: whether the other side is still to choose the turn that led here; see
            :meth:`UciAnalysis.ponder_hit`.
        :raises EngineError: if it does not know the game, or a search is still running.
        """
        if self._search is not None:
            raise EngineError(f"{self.name} is still searching; one search at a time")
        limit = limit or Limit()
        if board.is_game_over():
            return UciAnalysis(self, board, limit)
        if multipv != self._lines:
            self.set_option("MultiPV", multipv)
            self._lines = multipv
        dialect = self._set_game(board.game)
        self._synchronize()
        self._program.send(" ".join(["position fen", *_position(board, dialect)]))
        command = text.go(limit, root_moves)
        self._program.send(command.replace("go", "go ponder", 1) if ponder else command)
        self._search = UciAnalysis(self, board, limit, searching=True)
        if not ponder:
            self._search.start_clock()
        return self._search

    async def play_async(
        self, board: Board, limit: Limit | None = None, *, root_moves: Sequence[Move] | None = None
    ) -> PlayResult:
        """Choose a turn, as :meth:`play` does, without blocking the event loop."""
        return await asyncio.to_thread(self.play, board.copy(), limit, root_moves=root_moves)

    async def analyse_async(
        self, board: Board, limit: Limit, *, multipv: int = 1, root_moves: Sequence[Move] | None = None
    ) -> list[Info]:
        """Look into a position, as :meth:`analyse` does, without blocking the event loop."""
        return await asyncio.to_thread(self.analyse, board.copy(), limit, multipv=multipv, root_moves=root_moves)

    def stop(self) -> None:
        """End the search that runs, if one does; it still gives its best turn. May be called from any thread."""
        if self._search is not None:
            self._program.send("stop")
            self._program.wait_at_most(self.timeout)

    def clear(self) -> None:
        """Tell it that a new game begins.

        :raises EngineError: if it does not answer.
        """
        self._program.send("ucinewgame")
        self._synchronize()

    def close(self) -> None:
        """End the program; it is killed if it does not quit."""
        self._program.close(min(self.timeout, 2.0))

    def kill(self) -> None:
        """End the program at once."""
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
            if option is not None:
                self.options[option.name] = option
            elif line.startswith("id name "):
                self.name = line.removeprefix("id name ")[:80]

    def _synchronize(self) -> None:
        """Wait until all that was said is done; what it prints until then belongs to nothing that is still asked."""
        self._program.send("isready")
        self._program.wait_at_most(self.timeout)
        for _ in self._until("readyok"):
            pass

    def _until(self, expected: str) -> Iterator[str]:
        heard = "nothing"
        while (line := self._program.read(expected)) != expected:
            if line is None:
                self._program.kill()
                raise EngineError(
                    f"{self.name}: {expected} was expected within {self.timeout:g} s; the last that came was {heard}"
                )
            heard = shorten(line)
            yield line

    def _set_game(self, game: Game) -> Dialect:
        if self._game is not None and self._game[0] is game:
            return self._game[1]
        option = self.options.get("UCI_Variant")
        chosen = choose(game, self.name, option.choices if option else ("chess",))
        if option is not None:
            self.set_option("UCI_Variant", chosen.variant)
        self._game = game, chosen
        return chosen


class UciAnalysis:
    """A search that runs in another program: iterate over it to hear what it finds, or wait for its end.

    In a ``with`` it is stopped at the end of the block. It can be iterated over with ``async for`` as well.
    """

    def __init__(self, engine: UciEngine, board: Board, limit: Limit, *, searching: bool = False) -> None:
        self._engine = engine
        self._program = engine._program
        self._board = board.copy(stack=False)
        self._limit = limit
        self._searching = searching
        self._overtime = False
        self._last: str | None = None
        self._result = PlayResult(plies=())

    def stop(self) -> None:
        """End the search; it still gives its best turn. May be called from any thread."""
        if self._searching:
            self._engine.stop()

    def ponder_hit(self) -> None:
        """Say that the turn that was pondered on has been played: from now on the limit counts."""
        if self._searching:
            self._program.send("ponderhit")
            self.start_clock()

    def start_clock(self) -> None:
        """Let the program's time begin."""
        clock, increment = self._limit.clock(white=self._board.turn)
        times = [self._limit.time, None if clock is None else clock + (increment or 0)]
        known = [seconds for seconds in times if seconds is not None]
        self._program.wait_at_most(min(known) + self._engine.timeout if known else None)

    def wait(self) -> PlayResult:
        """Wait for the end, and give the turn that it would play.

        :raises IllegalAnswerError: if that is not legal.
        :raises EngineError: if it does not answer, or has ended.
        """
        while self._next_line() is not None:
            pass
        return self._result

    def __iter__(self) -> Iterator[Info]:
        while (line := self._next_line()) is not None:
            info = text.read_info(self._board, line)
            if info is not None:
                yield info

    async def __aiter__(self) -> AsyncIterator[Info]:
        while (line := await asyncio.to_thread(self._next_line)) is not None:
            info = text.read_info(self._board, line)
            if info is not None:
                yield info

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._searching:
            self.stop()
            self.wait()

    def _next_line(self) -> str | None:
        """Give the next line with a score; ``None`` after the search has ended."""
        while self._searching:
            try:
                line = self._program.read("a bestmove")
            except EngineError:
                self._finish()
                raise
            if line is None:
                self._hurry()
            elif line.startswith("info ") and " score " in line:
                if " multipv " not in line or " multipv 1 " in line:
                    self._last = line
                return line
            elif line.split()[0] == "bestmove":
                self._finish()
                self._result = self._read_answer(line.split())
        return None

    def _finish(self) -> None:
        self._searching = False
        self._engine._search = None

    def _hurry(self) -> None:
        """Tell a program that is over its time to stop; if it has been told before, kill it."""
        if not self._overtime:
            self._overtime = True
            self._engine.stop()
            return
        self._finish()
        self._program.kill()
        raise EngineError(
            f"{self._engine.name}: a bestmove was expected within {self._engine.timeout:g} s after it was told to "
            "stop; it was killed"
        )

    def _read_answer(self, words: list[str]) -> PlayResult:
        answer = words[1] if len(words) > 1 else ""
        plies = text.read_turn(self._board, answer)
        if plies is None:
            raise IllegalAnswerError(
                f"{self._engine.name}: a legal turn was expected; {shorten(answer)} came at {self._board.fen()}", answer
            )
        expected = text.read_line(self._board, [answer, *words[3:4]])[len(plies) :]
        info = None if self._last is None else text.read_info(self._board, self._last)
        return PlayResult(plies=plies, ponder=expected if words[2:3] == ["ponder"] else (), info=info)


def _position(board: Board, dialect: Dialect) -> list[str]:
    """Write a position with the turns that led to it; inside a turn the FEN alone tells it."""
    if board.turn_plies:
        return [dialect.fen(board.fen())]
    turns = list(text.turns(board))
    return [dialect.fen(board.root_fen), *(["moves", *turns] if turns else [])]
