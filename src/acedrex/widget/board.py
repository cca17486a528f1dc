"""The widget: a board of the library, shown by the web board; all rules are applied here."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, SupportsIndex, get_args

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
from acedrex.shapes import PieceSet
from acedrex.widget.arrows import Arrow, ArrowLike, drawn, read_arrow
from acedrex.widget.messages import Message, Refused, Seat, Shown, read
from acedrex.widget.search import Player, Search, choose
from acedrex.widget.start import Start, answer, begin, game_data, player
from acedrex.widget.words import lines_data, status

__all__ = ["Board"]

#: Built from `web/notebook`.
STATIC = Path(__file__).with_name("static")
BUILT = (STATIC / "board.js").is_file()

Callback = Callable[[Move], object]


class Board(anywidget.AnyWidget):
    """A board in a notebook, to play on by hand or with its methods.

    Moves made on the page are checked here; an illegal one is rejected on the page with the reason.

    :param game: a game's id, the path of a definition file, a :class:`acedrex.Game`, or a :class:`acedrex.Board`, which
        is copied with its history.
    :param fen: the position; by default the starting position.
    :param setup: the name or number of a setup, ``"random"``, or ``"choose"`` to arrange the pieces by hand.
    :param opponent: a level of our engine, from 1 to 10, or an engine; without one, both sides are played by hand.
    :param plays: the side that is played by hand against an opponent.
    :param limit: how long the opponent thinks per turn; levels below 10 ignore it.
    :param flipped: whether Black is at the bottom; by default only if Black is played by hand.
    :param size: the maximum width in pixels.
    :param pieces: drawings (``"art"``), diagrams of how the pieces move (``"geometric"``) or ``"letters"``.
    :raises Error: if the game has no such setup or the level does not exist; otherwise as :class:`acedrex.Board`.
    """

    _esm = STATIC / "board.js" if BUILT else ""
    _css = STATIC / "board.css" if BUILT else ""

    _game: Any = traitlets.Dict().tag(sync=True)
    _position: Any = traitlets.Dict().tag(sync=True)
    _shown: Any = traitlets.Dict().tag(sync=True)
    _lines: Any = traitlets.Dict(allow_none=True, default_value=None).tag(sync=True)

    flipped = traitlets.Bool(False)
    size = traitlets.Int(640, min=160, max=4096)
    pieces = traitlets.Enum(get_args(PieceSet), "art")

    # Defaults for `close`, if `__init__` has failed.
    _opponent: Player | None = None
    _reply: Search | None = None
    _analysis: Search | None = None
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
        pieces: PieceSet = "art",
    ) -> None:
        """Create a board. The class documents the parameters."""
        if not BUILT:
            raise Error("the board for notebooks is not built; in a checkout of Acedrex, make play builds it")
        self._lock = threading.RLock()
        self._quiet = threading.Condition(self._lock)
        self._callbacks: list[Callback] = []
        self._notifying: set[threading.Thread] = set()
        self._arrows: list[Arrow] = []
        self._infos: list[Info] = []
        self._error = ""
        self._chosen: str | None = None
        self._limit, self._plays, self._opponent = limit, plays, player(opponent)
        self._closing = [self._opponent] if isinstance(opponent, SupportsIndex) else []
        self._board, self._choosing = begin(game, fen, setup, by_hand=self._arranges())
        flipped = plays is BLACK if flipped is None else flipped
        super().__init__(_game=game_data(self._board.game), flipped=flipped, size=size, pieces=pieces)
        self.on_msg(self._on_message)
        with self._lock:
            self._changed()

    def _arranges(self) -> bool:
        """Return whether the setup, which Black chooses, is chosen by hand."""
        return self._opponent is None or self._plays is BLACK

    # The public interface.

    @property
    def board(self) -> Position:
        """A copy of the board with its history; changing it does not change the widget."""
        with self._lock:
            return self._board.copy()

    @property
    def game(self) -> Game:
        """The game."""
        return self._board.game

    def push(self, *moves: Move | str) -> list[Move]:
        """Play all of the given moves or none, and return them. The opponent replies in the background.

        :param moves: moves, or their texts: SAN, coordinates, or a whole turn with commas.
        :raises Error: as :meth:`acedrex.Board.push_san`, or if the setup has not been chosen yet.
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
        self._notify(made)
        return made

    def pop(self) -> Move:
        """Take back the last move and return it. The opponent does not reply, even if it is to move then.

        :raises IndexError: if no move has been made.
        :raises Error: if the setup has not been chosen yet.
        """
        with self._lock:
            move = self._playable().pop()
            self._changed(answer=False)
        return move

    def reset(self, game: Start | None = None, *, fen: str | None = None, setup: str | int | None = None) -> None:
        """Start again from the same position, or with another game, position or setup, as for a new board.

        :raises Error: as for a new board.
        """
        with self._lock:
            if game is None and fen is None and setup is None:
                fen = self._board.root_fen
            start = self.game if game is None else game
            self._board, self._choosing = begin(start, fen, setup, by_hand=self._arranges())
            self._arrows = []
            with self.hold_sync():
                self._game = game_data(self._board.game)
                self._changed()

    def _playable(self) -> Position:
        if self._choosing:
            raise Error("the setup has not been chosen yet: choose one on the board, or call reset(setup=...)")
        return self._board

    @property
    def arrows(self) -> list[Arrow]:
        """The arrows on the board, which stay until :meth:`reset`; an arrow between equal squares is a ring.

        Set them to moves or their texts, or to ``(from, to)`` or ``(from, to, colour)``, with squares by name or number
        and the colours ``"lapis"``, ``"vermilion"`` and ``"gold"``. :func:`acedrex.svg.board` accepts the value.

        :raises Error: if an arrow cannot be read.
        """
        return list(self._arrows)

    @arrows.setter
    def arrows(self, arrows: Iterable[ArrowLike]) -> None:
        with self._lock:
            self._arrows = [read_arrow(arrow, self._board) for arrow in arrows]
            self._show()

    def on_move(self, callback: Callback, remove: bool = False) -> Callback:
        """Register a function that is called with each move made by either side; also works as a decorator.

        For an opponent's moves it is called in the opponent's thread. Exceptions are shown below the board.

        :param remove: whether to unregister the function instead.
        """
        with self._lock:
            if remove:
                self._callbacks.remove(callback)
            else:
                self._callbacks.append(callback)
        return callback

    def analyse(self, engine: Player | None = None, limit: Limit = Limit(), *, multipv: int = 3) -> None:
        """Show an engine's analysis of the current position below the board, and of each following position.

        This returns at once; :attr:`lines` has the results, :meth:`wait` waits for the limit, :meth:`stop` ends it.

        :param engine: the engine; by default a new built-in one.
        :param limit: when to stop analysing a position; by default never.
        :param multipv: the number of lines.
        :raises Error: if the engine cannot start, or is the opponent.
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
                self._analyse()
            except Exception:
                self.stop()
                raise

    def stop(self) -> None:
        """End the analysis and remove its lines."""
        with self._lock:
            self._analyst = None
            self._analyse()

    @property
    def lines(self) -> list[Info]:
        """The lines of the analysis so far, the best first."""
        return list(self._infos)

    def wait(self, timeout: float | None = None) -> bool:
        """Wait until the opponent has moved and the analysis has reached its limit; return whether both happened.

        Functions registered with :meth:`on_move` have then been called.

        :param timeout: the most seconds to wait; an analysis without a limit never ends.
        """

        def is_quiet() -> bool:
            # A callback that waits must not wait for itself.
            notifying = self._notifying - {threading.current_thread()}
            return self._reply is None and self._analysis is None and not notifying

        with self._lock:
            return self._quiet.wait_for(is_quiet, timeout)

    def close(self) -> None:
        """Remove the board from the page, and stop its engines."""
        self._drop()
        self._analyst = None
        if self._analysis is not None:
            self._analysis.drop()
            self._analysis = None
        for engine in self.__dict__.pop("_closing", []):
            engine.close()
        super().close()

    def __repr__(self) -> str:
        """Show the game, the number of moves and the side to move."""
        board, game = self._board, self.game
        moves = "1 move" if board.ply() == 1 else f"{board.ply()} moves"
        return f"<widget of {game.name}, {game.files}x{game.ranks}, after {moves}: {self._status().rstrip('.')}>"

    # Display.

    def _changed(self, *, answer: bool = True) -> None:
        """Show a changed board, and start the opponent and the analysis; the caller holds the lock."""
        self._drop()
        self._error = ""
        over = self._board.is_game_over()
        if answer and self._opponent is not None and not (over or self._choosing) and self._board.turn != self._plays:
            self._think(self._opponent)
        with self.hold_sync():
            self._position = plain.position(self._board, self._last(), legal=not self._choosing)
            self._show()
            try:
                self._analyse()
            except Exception as error:
                self._fail("the analysis", error)

    def _last(self) -> list[str]:
        before = self._board.copy()
        return plain.move_path(before, before.pop()) if before.move_stack else []

    @traitlets.observe("flipped", "size", "pieces")
    def _looks_changed(self, _: object) -> None:
        with self._lock:
            self._show()

    def _show(self) -> None:
        """Show everything but the position; the caller holds the lock."""
        self._shown = Shown(
            seat=self._seat(),
            orientation=plain.side(not self.flipped),
            setup={"last": self._chosen} if self._choosing else None,
            arrows=drawn(self._arrows),
            note=self.game.rules.get("etiquette"),
            status=self._error or self._status(),
            back=bool(self._board.move_stack),
            size=self.size,
            pieces=self.pieces,
        )

    def _seat(self) -> Seat | None:
        """Return the side that can be moved by hand now."""
        if self._choosing or self._board.is_game_over():
            return None
        waiting = self._reply is None and self._board.turn != self._plays
        return "both" if self._opponent is None or waiting else plain.side(self._plays)

    def _status(self) -> str:
        if self._choosing:
            return "Black is choosing the setup."
        return status(self._board, thinking=self._reply is not None, plays=self._plays if self._opponent else None)

    def _fail(self, who: str, error: Exception) -> None:
        """Show an error that cannot be raised to a caller; the caller holds the lock."""
        self._error = f"{who} failed: {type(error).__name__}: {error}"
        self._show()

    def _notify(self, moves: Iterable[Move]) -> None:
        """Call the functions of :meth:`on_move`; the caller does not hold the lock."""
        for move in moves:
            for callback in list(self._callbacks):
                try:
                    callback(move)
                except Exception as error:
                    with self._lock:
                        self._fail(getattr(callback, "__name__", "on_move"), error)

    # Engines.

    def _drop(self) -> None:
        """Drop the search of the opponent."""
        if self._reply is not None:
            self._reply.drop()
            self._reply = None

    def _think(self, opponent: Player) -> None:
        try:
            analysis = choose(opponent, self._board.copy(), self._limit)
        except Exception as error:
            self._fail("the opponent", error)
            return
        self._reply = Search(analysis, lambda *_: None, self._answered)
        self._reply.follow()

    def _answered(self, search: Search, result: PlayResult | Exception) -> None:
        """Make the opponent's turn; runs in its thread."""
        made: tuple[Move, ...] = ()
        with self._lock:
            if self._reply is not search:
                return
            self._reply = None
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
            self._notifying.add(threading.current_thread())
        self._notify(made)
        with self._lock:
            self._notifying.discard(threading.current_thread())
            self._quiet.notify_all()

    def _analyse(self) -> None:
        """Start or stop the analysis of the position; the caller holds the lock."""
        if self._analysis is not None:
            self._analysis.drop()
            self._analysis = None
        self._infos = []
        if self._analyst is None:
            self._lines = None
        elif self._choosing or self._board.is_game_over():
            self._lines = lines_data(self._board, [], 0, done=True)
        else:
            engine, limit, multipv = self._analyst
            self._lines = lines_data(self._board, [], multipv, done=False)
            stream = engine.stream(self._board, limit, multipv=multipv)
            self._analysis = Search(stream, self._show_lines, self._analysed)
            self._analysis.follow()
        self._quiet.notify_all()

    def _show_lines(self, search: Search, infos: list[Info]) -> None:
        """Show new lines; runs in the thread of the search."""
        with self._lock:
            if self._analysis is search:
                self._infos = infos
                self._send_lines(done=False)

    def _analysed(self, search: Search, result: PlayResult | Exception) -> None:
        """Show that the analysis has ended; runs in the thread of the search."""
        with self._lock:
            if self._analysis is not search:
                return
            self._analysis = None
            self._send_lines(done=True)
            if isinstance(result, Exception):
                self._fail("the analysis", result)
            self._quiet.notify_all()

    def _send_lines(self, *, done: bool) -> None:
        most = self._analyst[2] if self._analyst else 0
        self._lines = lines_data(self._board, self._infos, most, done=done)

    # Messages from the page.

    def set_state(self, sync_data: dict[str, Any]) -> None:
        """Ignore state from the page: it reports what people do by messages."""

    def _on_message(self, _: object, content: object, buffers: object) -> None:
        message = read(content)
        if message is None:
            self._refuse("The page sent an unreadable message; reload it.")
            return
        try:
            made = self._handle(message)
        except (Error, IndexError) as error:
            self._refuse(str(error))
            return
        self._notify(made)

    def _refuse(self, text: str) -> None:
        """Make the page restore its state and show the reason."""
        self.send(Refused(type="refused", text=text))

    def _handle(self, message: Message) -> list[Move]:
        """Handle a message, and return the moves that were made."""
        with self._lock:
            if message.kind == "move":
                return [self._play(message)]
            if message.kind in ("undo", "back"):
                self._take_back(message)
            elif message.kind == "setup":
                self._choose(message.text)
            elif message.kind == "flip":
                self.flipped = not self.flipped
            else:
                self.send(answer(self._board, message))
            return []

    def _play(self, message: Message) -> Move:
        board = self._playable()
        self._is_current(message)
        if self._seat() not in ("both", plain.side(board.turn)):
            raise Error("it is not your turn")
        move = board.parse_uci(message.text)
        board.push(move)
        self._changed()
        return move

    def _take_back(self, message: Message) -> None:
        board = self._playable()
        self._is_current(message)
        board.pop()
        if message.kind == "back" and self._opponent is not None:
            # Back to the start of the person's last turn.
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
