"""Records: a game's tags, and the root of the tree of its turns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from acedrex.board import Board
from acedrex.errors import Error
from acedrex.game import Game as Definition
from acedrex.game import load
from acedrex.pgn import flat
from acedrex.pgn.headers import START_TAGS, Headers
from acedrex.pgn.start import start_tags
from acedrex.pgn.text import PgnError
from acedrex.pgn.time_control import TimeControl, parse_time_control
from acedrex.pgn.tree import GameNode
from acedrex.pgn.turns import is_over
from acedrex.pgn.writer import FileExporter, StringExporter

if TYPE_CHECKING:
    from typing import Self, TextIO

    from acedrex._native import Move
    from acedrex.pgn.builder import GameBuilder


class Game(GameNode):
    """A record: tags, and the tree of turns from the starting position.

    Not to be confused with :class:`acedrex.Game`, the rules of the game that is played, which is :attr:`variant`.

    >>> from acedrex import pgn
    >>> game = pgn.Game("magi", scoring="four_points")
    >>> game.headers["White"] = "Ana"
    >>> node = game.add_variation("d5", nags=[1])
    >>> node = node.add_variation("Nc8", comment="Solid.")
    >>> print(game.export(headers=False))
    1. d5 $1 Nc8 { Solid. } *

    :param variant: the game that is played, as for :func:`acedrex.load`.
    :param options: options of the game.
    :raises DefinitionError: if the game or an option does not exist.
    """

    __slots__ = ("_fen", "_variant", "errors", "headers")

    def __init__(self, variant: str | Definition = "chess", **options: object) -> None:
        super().__init__()
        #: The tags.
        self.headers = Headers()
        #: The errors in the text that the record was read from.
        self.errors: list[PgnError] = []
        self._variant: Definition | None = load(variant, **options)
        self._fen: str | None = self._variant.start_fen
        self._put_start(start_tags(self._variant, self._fen))

    @property
    def variant(self) -> Definition:
        """The game that is played, with its options.

        :raises Error: if the tags of the record name an unknown game, which is listed in :attr:`errors`.
        """
        if self._variant is None:
            name = self.headers.get("Variant", "?")[:40]
            raise Error(f"the record is of an unknown game, {name!r}; give its definition with games={{{name!r}: ...}}")
        return self._variant

    def start(self) -> Board:
        """Return a new board with the starting position.

        :raises Error: if the tags of the record do not give it; :attr:`errors` has the reason.
        """
        variant = self.variant
        if self._fen is None:
            raise Error("the record's start position cannot be read; its errors say why")
        return Board(variant, self._fen)

    def setup(self, board: Board | str) -> None:
        """Set the game and starting position of the record to those of a board, and update the tags.

        :param board: the board, or the FEN of a position of the game that the record already has.
        :raises Error: if the record already has turns.
        :raises InvalidFenError: if the position cannot be played.
        """
        if self.variations:
            raise Error("turns have been added; they belong to the start that they were added to")
        if isinstance(board, str):
            board = Board(self.variant, board)
        tags = start_tags(board.game, board.fen())
        self._variant, self._fen = board.game, board.fen()
        self._put_start(tags)

    def _put_start(self, tags: dict[str, str]) -> None:
        for name in START_TAGS:
            if name in tags:
                self.headers.put(name, tags[name])
            elif name in self.headers:
                self.headers.drop(name)

    def take_start(self, variant: Definition | None, fen: str | None) -> None:
        """Set the game and the starting position without changing the tags, as needed to read records."""
        self._variant, self._fen = variant, fen

    @classmethod
    def without_tag_roster(cls, variant: str | Definition = "chess", **options: object) -> Self:
        """Return a record without the Seven Tag Roster, for texts that are part of others.

        >>> from acedrex import pgn
        >>> str(pgn.Game.without_tag_roster())
        '*'

        :raises DefinitionError: if the game or an option does not exist.
        """
        game = cls(variant, **options)
        game.headers.remove_roster()
        return game

    @classmethod
    def builder(cls) -> GameBuilder:
        """Return a visitor that builds a record of this class, to be passed to :func:`read_game`.

        >>> import io
        >>> from acedrex import pgn
        >>> class Mine(pgn.Game):
        ...     pass
        >>> isinstance(pgn.read_game(io.StringIO("1. e4 *"), Visitor=Mine.builder), Mine)
        True
        """
        from acedrex.pgn.builder import GameBuilder

        return GameBuilder(Game=cls)

    def time_control(self) -> TimeControl:
        """Return the time control, from the tag ``TimeControl``; of an unknown kind without that tag.

        :raises Error: if the tag cannot be read.
        """
        return parse_time_control(self.headers.get("TimeControl", ""))

    @classmethod
    def from_board(cls, board: Board) -> Self:
        """Return a record of all moves on the board's stack, with the result; the last turn may be unfinished.

        >>> import acedrex
        >>> from acedrex import pgn
        >>> board = acedrex.Board("chieftain")
        >>> board.push_turn("a4a5,p4p5") and board.push_uci("a9a8")
        Move.from_uci('a9a8')
        >>> print(pgn.Game.from_board(board).export(headers=False))
        1. Ma5,Mp5 Ma8, *

        :raises InvalidFenError: if the position before the first move cannot be played.
        """
        game = cls(board.game)
        replay = Board(board.game, board.root_fen)
        game.setup(replay)
        node: GameNode = game
        turn: list[Move] = []
        color = replay.turn
        for move in board.move_stack:
            replay.push(move)
            turn.append(move)
            if is_over(replay, color):
                node = node._append(tuple(turn), False)
                turn, color = [], replay.turn
        if turn:
            node._append(tuple(turn), True)
        outcome = board.outcome()
        if outcome is not None:
            game.headers["Result"] = outcome.result()
            if outcome.score != outcome.result():
                game.headers["Score"] = outcome.score
        return game

    def export(
        self, *, headers: bool = True, comments: bool = True, variations: bool = True, columns: int | None = 80
    ) -> str:
        """Return the record as PGN.

        :param headers: whether to write the tags.
        :param comments: whether to write comments and glyphs.
        :param variations: whether to write variations too.
        :param columns: the maximum length of a line; ``None`` for no line breaks.
        :raises Error: if variations are nested too deeply.
        """
        return self.accept(StringExporter(columns=columns, headers=headers, comments=comments, variations=variations))

    def write(self, handle: TextIO) -> None:
        """Write the record and an empty line to a file open in text mode, preferably with UTF-8.

        :raises Error: as :meth:`export`.
        :raises OSError: if the file cannot be written.
        """
        self.accept(FileExporter(handle))

    __getstate__, __setstate__ = flat.state, flat.restore

    def __str__(self) -> str:
        return self.export()

    def __repr__(self) -> str:
        names = " - ".join(self.headers.get(side, "?") for side in ("White", "Black"))
        return f"<Game {self.headers.get('Variant', 'chess')}: {names}>"
