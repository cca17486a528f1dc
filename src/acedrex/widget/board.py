"""The widget: a board of the library, shown by the board of the web, and judged here."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import anywidget
import traitlets

from acedrex import plain
from acedrex._native import Move
from acedrex.board import BLACK, WHITE
from acedrex.board import Board as Position
from acedrex.engine import Engine, Info, PlayResult
from acedrex.engine.limit import Limit
from acedrex.errors import Error
from acedrex.game import Game
from acedrex.squares import parse_square
from acedrex.widget.arrows import Arrow, ArrowLike, drawn, read_arrow
from acedrex.widget.messages import Answer, Message, Refused, Seat, Shown, read
from acedrex.widget.search import Player, Search, choose
from acedrex.widget.start import Start, begin, game_told, player, setup_told
from acedrex.widget.words import lines_told, status

__all__ = ["Board"]

#: Built from `web/notebook`.
STATIC = Path(__file__).with_name("static")
BUILT = (STATIC / "board.js").is_file()

Hearer = Callable[[Move], object]


class Board(anywidget.AnyWidget):
    """A board in a notebook: people play on it by hand, programs by its methods.

    All that happens on the page is judged here; what is not legal is refused there, with the reason.

    :param game: a game's id, the path of a definition file, a :class:`acedrex.Game`, or a :class:`acedrex.Board`, which
        is copied with its history.
    :param fen: the position; by default the start.
    :param setup: the name or number of a setup, ``"random"``, or ``"choose"``: the pieces are then arranged on the
        board first.
    :param opponent: a level of our engine, from 1 to 10, or an engine; without one both sides are played by hand.
    :param plays: the side that is played by hand against an opponent.
    :param limit: how long the opponent thinks about a turn; a level under 10 needs none.
    :param flipped: whether Black is below; by default if Black is played by hand.
    :param size: how many pixels wide it becomes at most, where the cell is wider.
    :raises Error: if the game has no such setup, or a level does not exist; else as :class:`acedrex.Board`.
    """

    _esm = STATIC / "board.js" if BUILT else ""
    _css = STATIC / "board.css" if BUILT else ""

    _game: Any = traitlets.Dict().tag(sync=True)
    _position: Any = traitlets.Dict().tag(sync=True)
    _shown: Any = traitlets.Dict().tag(sync=True)
    _lines: Any = traitlets.Dict(allow_none=True, default_value=None).tag(sync=True)

    flipped = traitlets.Bool(False)
    size = traitlets.Int(640, min=160, max=4096)

    # For `close`, also of what was never begun.
    _opponent: Player | None = None
    _thinking: Search | None = None
    _looking: Search | None = None
    _own: Engine | None = None
    _analyst: tuple[Player, Limit, int] | None = None

    def __init__(
        self,
        game: Start = "chess",
        *,
        fen: str | None = None,
        setup: str | int | None = None,
        opponent: Player | int | None = None,
        plays: bool = WHITE,
        limit: Limit = Limit(time=1),
        flipped: bool | None = None,
        size: int = 640,
    ) -> None:
        """Make a board; the class tells the parameters."""
        if not BUILT:
            raise Error("the board for notebooks is not built; in a checkout of Acedrex, make play builds it")
        self._lock = threading.RLock()
        self._quiet = threading.Condition(self._lock)
        self._callbacks: list[Hearer] = []
        self._telling: set[threading.Thread] = set()
        self._arrows: list[Arrow] = []
        self._infos: list[Info] = []
        self._trouble = ""
        self._chosen: str | None = None
        self._limit, self._plays, self._opponent = limit, plays, player(opponent)
        self._closing = [self._opponent] if isinstance(opponent, int) else []
        self._board, self._choosing = begin(game, fen, setup, by_hand=self._arranges())
        super().__init__(
            _game=game_told(self._board.game), flipped=plays is BLACK if flipped is None else flipped, size=size
        )
        self.on_msg(self._heard)
        with self._lock:
            self._changed()

    def _arranges(self) -> bool:
        """Return whether setups are chosen by hand, as Black does."""
        return self._opponent is None or self._plays is BLACK

    # What programs do.

    @property
    def board(self) -> Position:
        """A copy of the board with all that was played: what is done to it changes nothing here."""
        with self._lock:
            return self._board.copy()

    @property
    def game(self) -> Game:
        """The game."""
        return self._board.game

    def push(self, *moves: Move | str) -> list[Move]:
        """Play moves, all of them or none, and give them. The opponent answers in its own time.

        :param moves: moves, or their texts: SAN, coordinates, or a whole turn with commas.
        :raises Error: as :meth:`acedrex.Board.push_san`, or if the setup is not chosen yet.
        """
        with self._lock:
            board = self._playable().copy()
            made: list[Move] = []
            for move in moves:
                if isinstance(move, Move):
                    board.push(move)
                    made.append(move)
                elif "," in move:
                    made += board.push_turn(move)
                else:
                    made.append(board.push_san(move))
            self._board = board
            self._changed()
        self._tell(made)
        return made

    def pop(self) -> Move:
        """Take the last move back and give it. An opponent whose turn it is then waits for what you do.

        :raises IndexError: if there is none.
        :raises Error: if the setup is not chosen yet.
        """
        with self._lock:
            move = self._playable().pop()
            self._changed(answer=False)
        return move

    def reset(
        self,
        game: Start | None = None,
        *,
        fen: str | None = None,
        setup: str | int | None = None,
    ) -> None:
        """Begin anew: the same start, or another game, position or setup, as for a new board.

        :raises Error: as for a new board.
        """
        with self._lock:
            if game is None and fen is None and setup is None:
                fen = self._board.root_fen
            start = self.game if game is None else game
            self._board, self._choosing = begin(start, fen, setup, by_hand=self._arranges())
            self._arrows = []
            with self.hold_sync():
                self._game = game_told(self._board.game)
                self._changed()

    def _playable(self) -> Position:
        if self._choosing:
            raise Error("the setup has not been chosen yet: choose one on the board, or call reset(setup=...)")
        return self._board

    @property
    def arrows(self) -> list[Arrow]:
        """Arrows on the board, and rings where both squares are one, until the next ``reset``.

        Set them as moves or their texts, or as ``(from, to)`` or ``(from, to, colour)``, with squares by name or number
        and colours ``"lapis"``, ``"vermilion"`` and ``"gold"``. :func:`acedrex.svg.board` takes what is given back.

        :raises Error: if one cannot be read.
        """
        return list(self._arrows)

    @arrows.setter
    def arrows(self, arrows: Iterable[ArrowLike]) -> None:
        with self._lock:
            self._arrows = [read_arrow(arrow, self._board) for arrow in arrows]
            self._show()

    def on_move(self, callback: Hearer, remove: bool = False) -> Hearer:
        """Have a function called with each move that is made, by whomever; also as a decorator.

        Moves of an opponent are told in the opponent's thread. What a function raises is shown below the board.

        :param remove: call it no longer.
        """
        with self._lock:
            if remove:
                self._callbacks.remove(callback)
            else:
                self._callbacks.append(callback)
        return callback

    def analyse(self, engine: Player | None = None, limit: Limit = Limit(), *, multipv: int = 3) -> None:
        """Show below the board what an engine thinks of the position, and go on with each that comes up.

        It returns at once; :attr:`lines` has what was found, :meth:`wait` waits for a limit, :meth:`stop` ends it.

        :param engine: by default one of our own.
        :param limit: when to be done with a position; by default never.
        :param multipv: how many lines.
        :raises Error: if the engine cannot begin, or is the opponent, who thinks about something else.
        """
        if engine is not None and engine is self._opponent:
            raise Error("the opponent cannot analyse for you; pass another engine")
        with self._lock:
            if engine is None:
                if self._own is None:
                    self._own = Engine()
                    self._closing.append(self._own)
                engine = self._own
            self._analyst = (engine, limit, multipv)
            try:
                self._look()
            except Exception:
                self.stop()
                raise

    def stop(self) -> None:
        """End the analysis and take its lines away."""
        with self._lock:
            self._analyst = None
            self._look()

    @property
    def lines(self) -> list[Info]:
        """What the analysis has found about the position so far, the best line first."""
        return list(self._infos)

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until the opponent has answered and the analysis has reached its limit; tell whether it came to that.

        Functions of :meth:`on_move` have then heard of the answer.

        :param timeout: seconds to wait at most; an analysis without a limit goes on for ever.
        """

        def is_quiet() -> bool:
            # A function that waits does not wait for itself.
            telling = self._telling - {threading.current_thread()}
            return self._thinking is None and self._looking is None and not telling

        with self._lock:
            return self._quiet.wait_for(is_quiet, timeout)

    def close(self) -> None:
        """Take the board off the page, and end what thinks."""
        self._drop()
        self._analyst = None
        if self._looking is not None:
            self._looking.drop()
            self._looking = None
        for engine in self.__dict__.pop("_closing", []):
            engine.close()
        super().close()

    def __repr__(self) -> str:
        """Say what game it is, how far it has come and whose turn it is."""
        board, game = self._board, self.game
        moves = "1 move" if board.ply() == 1 else f"{board.ply()} moves"
        return f"<widget of {game.name}, {game.files}x{game.ranks}, after {moves}: {self._status().rstrip('.')}>"

    # What is shown.

    def _changed(self, *, answer: bool = True) -> None:
        """Show a board that has changed, and have thought about what is to be thought about; the lock is held."""
        self._drop()
        self._trouble = ""
        over = self._board.is_game_over()
        if answer and self._opponent is not None and not (over or self._choosing) and self._board.turn != self._plays:
            self._think(self._opponent)
        with self.hold_sync():
            self._position = plain.position(self._board, self._last(), legal=not self._choosing)
            self._show()
            try:
                self._look()
            except Exception as error:
                self._fail("the analysis", error)

    def _last(self) -> list[str]:
        before = self._board.copy()
        return plain.way(before, before.pop()) if before.move_stack else []

    @traitlets.observe("flipped", "size")
    def _looks_changed(self, _: object) -> None:
        with self._lock:
            self._show()

    def _show(self) -> None:
        """Show all but the position; the lock is held."""
        self._shown = Shown(
            seat=self._seat(),
            orientation=plain.side(not self.flipped),
            setup={"last": self._chosen} if self._choosing else None,
            arrows=drawn(self._arrows),
            note=self.game.rules.get("etiquette"),
            status=self._trouble or self._status(),
            back=bool(self._board.move_stack),
            size=self.size,
        )

    def _seat(self) -> Seat | None:
        """Name the side that is played by hand now."""
        if self._choosing or self._board.is_game_over():
            return None
        waiting = self._thinking is None and self._board.turn != self._plays
        return "both" if self._opponent is None or waiting else plain.side(self._plays)

    def _status(self) -> str:
        if self._choosing:
            return "Black is choosing the setup."
        return status(self._board, thinking=self._thinking is not None, plays=self._plays if self._opponent else None)

    def _fail(self, who: str, error: Exception) -> None:
        """Tell what nobody can catch; the lock is held."""
        self._trouble = f"{who} failed: {type(error).__name__}: {error}"
        self._show()

    def _tell(self, moves: Iterable[Move]) -> None:
        """Call the functions that want to know of moves; the lock is not held."""
        for move in moves:
            for callback in list(self._callbacks):
                try:
                    callback(move)
                except Exception as error:
                    with self._lock:
                        self._fail(getattr(callback, "__name__", "on_move"), error)

    # What thinks.

    def _drop(self) -> None:
        """Have the opponent think no more."""
        if self._thinking is not None:
            self._thinking.drop()
            self._thinking = None

    def _think(self, opponent: Player) -> None:
        try:
            analysis = choose(opponent, self._board.copy(), self._limit)
        except Exception as error:
            self._fail("the opponent", error)
            return
        self._thinking = Search(analysis, lambda *_: None, self._answered)
        self._thinking.follow()

    def _answered(self, search: Search, result: PlayResult | Exception) -> None:
        """Make the opponent's turn; this runs in its thread."""
        made: tuple[Move, ...] = ()
        with self._lock:
            if self._thinking is not search:
                return
            self._thinking = None
            board = self._board.copy()
            try:
                if isinstance(result, Exception):
                    raise result
                for move in result.moves:
                    board.push(move)
                if not result.moves:
                    raise Error("it gave no move")
            except Exception as error:
                self._fail("the opponent", error)
            else:
                made, self._board = result.moves, board
                self._changed()
            self._telling.add(threading.current_thread())
        self._tell(made)
        with self._lock:
            self._telling.discard(threading.current_thread())
            self._quiet.notify_all()

    def _look(self) -> None:
        """Begin to analyse the position, or end it; the lock is held."""
        if self._looking is not None:
            self._looking.drop()
            self._looking = None
        self._infos = []
        if self._analyst is None:
            self._lines = None
        elif self._choosing or self._board.is_game_over():
            self._lines = lines_told(self._board, [], 0, done=True)
        else:
            engine, limit, multipv = self._analyst
            self._lines = lines_told(self._board, [], multipv, done=False)
            self._looking = Search(engine.stream(self._board, limit, multipv=multipv), self._seen, self._seen_all)
            self._looking.follow()
        self._quiet.notify_all()

    def _seen(self, search: Search, infos: list[Info]) -> None:
        """Show lines; this runs in the search's thread."""
        with self._lock:
            if self._looking is search:
                self._infos = infos
                self._tell_lines(done=False)

    def _seen_all(self, search: Search, result: PlayResult | Exception) -> None:
        """Say that a search is done; this runs in its thread."""
        with self._lock:
            if self._looking is not search:
                return
            self._looking = None
            self._tell_lines(done=True)
            if isinstance(result, Exception):
                self._fail("the analysis", result)
            self._quiet.notify_all()

    def _tell_lines(self, *, done: bool) -> None:
        most = self._analyst[2] if self._analyst else 0
        self._lines = lines_told(self._board, self._infos, most, done=done)

    # What the page says.

    def set_state(self, sync_data: dict[str, Any]) -> None:
        """Take no state from the page: it tells by messages what people do."""

    def _heard(self, _: object, content: object, buffers: object) -> None:
        message = read(content)
        if message is None:
            self._refuse("The page sent an unreadable message; reload it.")
            return
        try:
            made = self._hear(message)
        except (Error, IndexError) as error:
            self._refuse(str(error))
            return
        self._tell(made)

    def _refuse(self, text: str) -> None:
        """Have the page take back what it shows, and say why."""
        self.send(Refused(type="refused", text=text))

    def _hear(self, message: Message) -> list[Move]:
        """Do what the page wants, and give the moves that were made."""
        with self._lock:
            if message.kind in ("move", "typed"):
                return [self._play(message)]
            if message.kind in ("undo", "back"):
                self._take_back(message)
            elif message.kind == "setup":
                self._choose(message.text)
            elif message.kind == "flip":
                self.flipped = not self.flipped
            else:
                self.send(self._answer(message))
            return []

    def _play(self, message: Message) -> Move:
        board = self._playable()
        self._is_current(message)
        if self._seat() not in ("both", plain.side(board.turn)):
            raise Error("it is not your turn")
        move = board.parse_uci(message.text) if message.kind == "move" else board.parse_san(message.text)
        board.push(move)
        self._changed()
        return move

    def _take_back(self, message: Message) -> None:
        board = self._playable()
        self._is_current(message)
        board.pop()
        if message.kind == "back" and self._opponent is not None:
            # To the beginning of one's own last turn.
            while board.move_stack and (board.turn != self._plays or board.turn_moves):
                board.pop()
        self._changed(answer=message.kind == "back")

    def _is_current(self, message: Message) -> None:
        if message.at != self._board.ply():
            raise Error("the board has changed; look again")

    def _choose(self, name: str) -> None:
        if not self._choosing:
            raise Error("the setup has already been chosen")
        self._board = Position(self.game, setup=name)
        self._choosing, self._chosen = False, name
        self._changed()

    def _answer(self, message: Message) -> Answer:
        if message.kind == "reach":
            return {"type": "answer", "id": message.id, "reach": plain.reaches(self._board, parse_square(message.text))}
        return setup_told(self.game, None if message.kind == "shuffle" else message.text, message.id)
