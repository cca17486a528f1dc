"""Engines of other programs, spoken to in UCI and used like our own."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from typing import Self

from acedrex._native import Move
from acedrex.board import Board
from acedrex.engine import text
from acedrex.engine.analysis import Analysis, Tell
from acedrex.engine.dialect import Dialect, choose
from acedrex.engine.limit import Limit
from acedrex.engine.process import EngineError, Program, shorten
from acedrex.engine.result import Info, PlayResult
from acedrex.engine.text import ProgramOption
from acedrex.game import Game

__all__ = ["EngineError", "IllegalAnswerError", "UciEngine"]


#: The most options of a program that are kept.
MAX_OPTIONS = 1000


class IllegalAnswerError(EngineError):
    """A program wanted to play what is not legal; ``answer`` is what it said."""

    def __init__(self, message: str, answer: str) -> None:
        super().__init__(message)
        self.answer = answer


class UciEngine:
    """A program that plays by UCI, with the methods of :class:`acedrex.Engine`; one search at a time.

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
        self._lock = threading.Lock()
        #: The search under way and those that wait for its end.
        self._searches: set[_Search] = set()
        self._game: tuple[Game, Dialect] | None = None
        self._multipv = 1
        #: What it calls itself.
        self.name = self._program.name
        #: The options that it has, by name.
        self.options: dict[str, ProgramOption] = {}
        try:
            self._shake_hands()
            for name, value in (options or {}).items():
                self.set_option(name, value)
            if any(
                name.lower() == "variantpath" for name in options or ()
            ):  # it has learnt new games, and lists them only when asked again
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

    def set_game(self, game: Game) -> None:
        """Tell it which game is played next. Searches do so by themselves; this finds out earlier that it cannot.

        :raises EngineError: if it does not know the game, or does not answer.
        """
        with self._lock:
            self._set_game(game)
            self._synchronize()

    def play(self, board: Board, limit: Limit = Limit(), *, root_moves: Sequence[Move] = ()) -> PlayResult:
        """Search for the best turn.

        :param board: the position with its history; it is not changed.
        :param limit: when to end; without one, :meth:`stop` from another thread ends it.
        :param root_moves: first moves to choose among; all legal ones by default.
        :raises IllegalAnswerError: if it chooses a turn that is not legal.
        :raises EngineError: if it does not know the game, does not answer, or has ended.
        """
        return self._search(board, limit, 1, root_moves, self._begin(ponder=False), None)

    def analyse(self, board: Board, limit: Limit, *, multipv: int = 1, root_moves: Sequence[Move] = ()) -> list[Info]:
        """Search and give the best lines, the best first; an empty list if the game is over.

        :param multipv: how many lines.
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
        """Search in the background and tell the lines as they come.

        :param ponder: search in the opponent's time; the program counts the limit from
            :meth:`acedrex.Analysis.ponder_hit` on, and is given the time of the limit that is said there.
        """
        board, search = board.copy(), self._begin(ponder=ponder)
        return Analysis(
            lambda tell: self._search(board, limit, multipv, root_moves, search, tell),
            search.stop,
            lambda limit: search.ponder_hit(limit, white=board.turn),
        )

    async def play_async(self, board: Board, limit: Limit = Limit(), *, root_moves: Sequence[Move] = ()) -> PlayResult:
        """Do as :meth:`play` without holding up the event loop; cancelled, the search is stopped."""
        return await self.stream(board, limit, root_moves=root_moves).wait_async()

    async def analyse_async(
        self, board: Board, limit: Limit, *, multipv: int = 1, root_moves: Sequence[Move] = ()
    ) -> list[Info]:
        """Do as :meth:`analyse` without holding up the event loop; cancelled, the search is stopped."""
        analysis = self.stream(board, limit, multipv=multipv, root_moves=root_moves)
        await analysis.wait_async()
        found = {info.multipv: info for info in analysis}
        return [found[rank] for rank in sorted(found)]

    def stop(self) -> None:
        """End the searches under way and waiting, from any thread; they still give their best turns."""
        for search in tuple(self._searches):
            search.stop()

    def clear(self) -> None:
        """Tell it that a new game begins.

        :raises EngineError: if it does not answer.
        """
        with self._lock:
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
            if option is not None and len(self.options) < MAX_OPTIONS:
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
        tell: Tell | None,
    ) -> PlayResult:
        """Ask for a turn, and hear what is told until it comes."""
        with self._searching(search):
            if board.is_game_over():
                return PlayResult(moves=())
            if multipv != self._multipv:
                self.set_option("MultiPV", multipv)
                self._multipv = multipv
            dialect = self._set_game(board.game)
            self._synchronize()
            self._program.send(" ".join(["position fen", *_position(board, dialect)]))
            search.go(text.go(limit, root_moves), limit, white=board.turn)
            last = ""
            try:
                while (line := self._hear(search)).split()[0] != "bestmove":
                    if line.startswith("info ") and " score " in line:
                        if " multipv " not in line or " multipv 1 " in line:
                            last = line
                        info = None if tell is None else text.read_info(board, line)
                        if tell is not None and info is not None and info.multipv <= multipv:
                            tell(info)
            except BaseException:  # Ctrl-C too: what is still to come belongs to nobody
                self._abandon(search)
                raise
            finally:
                search.end()
            return self._read_answer(board, line.split(), text.read_info(board, last))

    @contextmanager
    def _searching(self, search: _Search) -> Iterator[None]:
        """Wait for the search before; until the block ends :meth:`stop` finds this one."""
        try:
            with self._lock:
                yield
        finally:
            self._searches.discard(search)

    def _abandon(self, search: _Search) -> None:
        """End a search whose turn nobody waits for any more."""
        with suppress(EngineError):  # then the program has ended
            search.stop()
            while self._hear(search).split()[0] != "bestmove":
                pass

    def _hear(self, search: _Search) -> str:
        """Hear a line. A program that is over its time is told to stop; if it does not, it is killed."""
        while (line := self._program.read("a bestmove")) is None:
            if not search.hurry():
                self._program.kill()
                raise EngineError(
                    f"{self.name}: a bestmove was expected within {self.timeout:g} s after it was told to stop; "
                    "it was killed"
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
    """What other threads may say to a search, before it has begun too."""

    def __init__(self, program: Program, timeout: float, ponder: bool) -> None:
        self._program = program
        self._timeout = timeout
        self._pondering = ponder
        self._lock = threading.Lock()
        self._running = False
        self._stopped = False

    def go(self, command: str, limit: Limit, *, white: bool) -> None:
        """Begin, with the clock running unless it ponders."""
        with self._lock:
            self._program.send(command.replace("go", "go ponder", 1) if self._pondering else command)
            self._running = True
            self._program.wait_at_most(None if self._pondering else self._longest(limit, white))
            if self._stopped:
                self._stop()

    def end(self) -> None:
        """Say that it is over."""
        with self._lock:
            self._running = False

    def stop(self) -> None:
        """Tell the program to stop."""
        self.hurry()

    def hurry(self) -> bool:
        """Tell the program to stop, and the caller whether that is news to it."""
        with self._lock:
            news, self._stopped = not self._stopped, True
            if news and self._running:
                self._stop()
            return news

    def ponder_hit(self, limit: Limit, *, white: bool) -> None:
        """Tell the program that the expected turn was played."""
        with self._lock:
            self._pondering = False
            if self._running:
                self._program.send("ponderhit")
                self._program.wait_at_most(self._longest(limit, white))

    def _stop(self) -> None:
        with suppress(EngineError):  # if the program has ended, whoever waits for its turn is told
            self._program.send("stop")
        self._program.wait_at_most(self._timeout)

    def _longest(self, limit: Limit, white: bool) -> float | None:
        """The seconds in which an answer has to come; ``None`` if the limit is none of time."""
        clock, increment = limit.clock(white=white)
        times = [limit.time, None if clock is None else clock + (increment or 0.0)]
        return min((seconds + self._timeout for seconds in times if seconds is not None), default=None)


def _position(board: Board, dialect: Dialect) -> list[str]:
    """Write a position with the turns that led to it; inside a turn the FEN alone tells it.

    Few programs read null moves: the FEN is that of the position behind the last one.
    """
    if board.turn_moves:
        return [dialect.fen(board.fen())]
    made = board.move_stack
    if Move.null() in made:
        board = board.copy(stack=made[::-1].index(Move.null()))
    turns = list(text.turns(board))
    return [dialect.fen(board.root_fen), *(["moves", *turns] if turns else [])]
