"""Reading records from PGN text, however badly formed."""

from __future__ import annotations

import re
import weakref
from collections.abc import Callable, Iterator
from pathlib import PurePath
from typing import Any, Protocol, TypeVar, overload

from acedrex._native import Move
from acedrex.board import Board
from acedrex.errors import Error
from acedrex.pgn.headers import START_TAGS, Headers
from acedrex.pgn.lexer import Kind, ReadLine, Token, tokens
from acedrex.pgn.start import Games, Start
from acedrex.pgn.text import MAX_COMMENT, MAX_DEPTH, MAX_ERRORS, MAX_TEXT, MAX_TURN, MAX_TURNS, PgnError, shorten
from acedrex.pgn.tree import ChildNode, Game, GameNode
from acedrex.pgn.turns import pop, push_text
from acedrex.pgn.visitor import BaseVisitor, ResultT

#: The glyphs and their numbers.
GLYPHS = {"!": 1, "?": 2, "!!": 3, "??": 4, "!?": 5, "?!": 6}

_MARKED_PROMOTION = re.compile(r"[0-9][=/(]?([A-Za-z]!)\)?([!?]*)$")
Found = TypeVar("Found")

_EN_PASSANT = re.compile(r"e\.?p\.?[+#!?]*")
_DRAWS = {"½-½", "1/2"}


class Handle(Protocol):
    """The part of a text or binary file that a reader needs."""

    def readline(self, size: int, /) -> str | bytes:
        """Return the next line, or at most ``size`` characters or bytes of it."""
        ...


class Reader:
    """Reads the records of a file one by one, in bounded memory whatever the file contains.

    >>> import io
    >>> from acedrex import pgn
    >>> [str(game.end()) for game in pgn.Reader(io.StringIO("1. e4 e5 * 1. d4 *"))]
    ['<ChildNode e7e5>', '<ChildNode d2d4>']

    :param handle: a file open for reading. In binary mode, lines are UTF-8, or Latin-1 if they are not valid UTF-8.
    :param games: the games of definition files, as a mapping by id, or a function from an id to a game.
    """

    def __init__(self, handle: Handle, *, games: Games | None = None) -> None:
        self.games = games
        self._start(handle.readline)

    def _start(self, readline: ReadLine) -> None:
        self._tokens = tokens(readline)
        self._pushed: Token | None = None

    def read(self) -> Game | None:
        """Read the next record; ``None`` at the end of the file.

        :raises OSError: if the file cannot be read.
        :raises UnicodeDecodeError: if it is open in text mode with another encoding; open it in binary mode.
        """
        return self._read(_Record(self.games))

    def read_headers(self) -> Headers | None:
        """Read the tags of the next record and skip the rest of it; ``None`` at the end of the file.

        Invalid tags are left out. Raises the errors of :meth:`read`.
        """
        game = self._read(_Record(self.games, tags_only=True))
        return None if game is None else game.headers

    def skip(self) -> bool:
        """Skip the next record, and return whether there was one. Raises the errors of :meth:`read`."""
        return self.read_headers() is not None

    def _read(self, record: _Record) -> Game | None:
        while (token := self._pushed or next(self._tokens, None)) is not None:
            self._pushed = None
            if record.ends_before(token):
                self._pushed = token
                break
            record.feed(token)
            if record.done:
                break
        return record.finish()

    def __iter__(self) -> Iterator[Game]:
        while (game := self.read()) is not None:
            yield game


class _WeakReader(Reader):
    """A reader that does not keep its file alive."""

    def __init__(self, handle: Handle) -> None:
        self.games = None
        weak = weakref.ref(handle)

        def readline(size: int) -> str | bytes:
            alive = weak()
            return b"" if alive is None else alive.readline(size)

        self._start(readline)


_readers: weakref.WeakKeyDictionary[Handle, _WeakReader] = weakref.WeakKeyDictionary()


@overload
def read_game(handle: Handle, *, games: Games | None = None) -> Game | None: ...
@overload
def read_game(
    handle: Handle,
    *,
    Visitor: Callable[[], BaseVisitor[ResultT]],  # noqa: N803 - as python-chess calls it
    games: Games | None = None,
) -> ResultT | None: ...
def read_game(
    handle: Handle,
    *,
    Visitor: Callable[[], BaseVisitor[Any]] | None = None,  # noqa: N803
    games: Games | None = None,
) -> Any:
    r"""Read the next record of a file; ``None`` at the end of the file.

    Errors in the text are not raised: :attr:`Game.errors` lists them with line and column. After an error the rest of
    that line of play is skipped; reading continues with what follows it, and with the next record.

    >>> import io
    >>> from acedrex import pgn
    >>> game = pgn.read_game(io.StringIO('[Variant "metamachy"]\n\n1. Nd4 Nd9 2. Qz7 h3 *'))
    >>> [node.san() for node in game.mainline()], game.headers["Result"]
    (['Nd4', 'Nd9'], '*')
    >>> print(*game.errors)
    line 3, column 15: "Qz7" is not a move in SAN or coordinates

    The reader of a file is remembered as long as the file object exists, so that line numbers continue from record to
    record; do not seek between two calls.

    :param handle: a file open for reading. In binary mode, lines are UTF-8, or Latin-1 if they are not valid UTF-8.
    :param Visitor: creates a visitor, which visits the record; its result is returned instead of the record. Errors in
        the text are passed to its ``handle_error`` first.
    :param games: the games of definition files, as a mapping by id, or a function from an id to a game.
    :raises OSError: if the file cannot be read.
    :raises UnicodeDecodeError: if it is open in text mode with another encoding; open it in binary mode.
    :raises TypeError: if ``handle`` is the name of a file.
    """
    game = _next(handle, games, Reader.read)
    if game is None or Visitor is None:
        return game
    visitor = Visitor()
    for error in game.errors:
        visitor.handle_error(error)
    return game.accept(visitor)


def read_headers(handle: Handle) -> Headers | None:
    r"""Read the tags of the next record of a file and skip the rest of it; ``None`` at the end of the file.

    Moves are not parsed, so this is a fast way to scan a file. Raises the errors of :func:`read_game`.

    >>> import io
    >>> from acedrex import pgn
    >>> file = io.StringIO('[White "Ana"]\n\n1. e4 *\n\n[White "Bo"]\n\n1. d4 *')
    >>> [pgn.read_headers(file)["White"] for _ in range(2)], pgn.read_headers(file)
    (['Ana', 'Bo'], None)
    """
    return _next(handle, None, Reader.read_headers)


def skip_game(handle: Handle) -> bool:
    """Skip the next record of a file, and return whether there was one. Raises the errors of :func:`read_game`."""
    return read_headers(handle) is not None


def _next(handle: Handle, games: Games | None, read: Callable[[Reader], Found | None]) -> Found | None:
    """Read with the reader that is remembered for a file."""
    if isinstance(handle, str | PurePath):
        raise TypeError(f"a record is read from an open file, such as open({str(handle)!r}, 'rb'), not by its name")
    reader = _readers.get(handle)
    if reader is None:
        reader = _readers[handle] = _WeakReader(handle)
    reader.games = games
    found = read(reader)
    if found is None:
        del _readers[handle]
    return found


class _Record:
    """A record being read."""

    def __init__(self, games: Games | None, *, tags_only: bool = False) -> None:
        self._games = games
        self._tags_only = tags_only
        self._game = Game()
        self.done = False
        self._tags: dict[str, Token] = {}
        self._blank = self._moving = self._touched = self._commented = False
        self._place = (1, 1)
        self._room = MAX_TEXT
        self._turns = 0
        # The line of play being read: its last node, and the board once the first turn is read.
        self._board: Board | None = None
        self._node: GameNode = self._game
        self._marked_letters: set[str] = set()
        # The turns whose alternatives are being read; None for a variation without such a turn.
        self._outer: list[ChildNode | None] = []
        # Whether the open variation has no turn yet.
        self._before_first_turn = False
        # The bracket depth of the text being skipped; 0 if none is skipped.
        self._skipping = 0
        self._given_up = False
        # Held until the next token: comments to be joined, and a turn that ends with a comma.
        self._comments: list[Token] = []
        self._comma: Token | None = None

    # Tokens.

    def ends_before(self, token: Token) -> bool:
        """Return whether a token already belongs to the next record."""
        if token.kind is not Kind.TAG:
            return False
        again = self._blank and (token.text in self._tags or token.text == "Event")
        return self._moving or bool(self._tags and (again or self._commented))

    def feed(self, token: Token) -> None:
        """Process the next token."""
        self._place = (token.line, token.column)
        if token.kind is Kind.BLANK:
            self._blank = self._blank or bool(self._tags)
            return
        if self._comma is not None:
            held, self._comma = self._comma, None
            if token.kind is Kind.TURN and len(held.text) <= MAX_TURN:
                token = held._replace(text=held.text + token.text)
            else:
                self._turn(held)
        if len(self._game.errors) > MAX_ERRORS and not self._given_up:
            self._give_up()
        if token.kind is Kind.COMMENT:
            self._commented = True
            if not self._skipping and self._fits(token, len(token.text) + 1):
                self._comments.append(token)
            return
        self._touched = True
        self._settle_comments()
        if token.kind is Kind.TAG:
            self._tag(token)
        elif token.kind is Kind.ERROR:
            self._error(token, token.text)
        else:
            self._begin()
            self._move_text(token)

    def _move_text(self, token: Token) -> None:
        match token.kind:
            case Kind.OPEN:
                self._open(token)
            case Kind.CLOSE:
                self._close(token)
            case Kind.NAG:
                self._nag(token)
            case Kind.RESULT:
                self._result(token)
            case _ if token.text.endswith(","):
                self._comma = token
            case _:
                self._turn(token)

    def finish(self) -> Game | None:
        """Return the record; ``None`` if there was none."""
        if self._comma is not None:
            self._turn(self._comma)
        if not self._touched:
            return None
        self._settle_comments()
        self._begin()
        if self._outer:
            self._note(*self._place, f"{len(self._outer)} variations are not closed")
            while self._outer:
                self._leave()
            self._settle_comments()
        return self._game

    # Errors.

    def _note(self, line: int, column: int, message: str) -> None:
        errors = self._game.errors
        if len(errors) < MAX_ERRORS:
            errors.append(PgnError(line, column, message))
        elif len(errors) == MAX_ERRORS:
            errors.append(PgnError(line, column, "more errors follow that are not listed"))

    def _error(self, token: Token, message: str) -> None:
        self._note(token.line, token.column, message)

    def _skip_line(self, token: Token, message: str) -> None:
        """Note an error after which the rest of the line of play is skipped."""
        self._error(token, message)
        self._skipping = 1

    def _give_up(self) -> None:
        """Skip the rest of the record, but follow its brackets to find its end."""
        self._given_up = True
        depth = len(self._outer) + max(self._skipping - 1, 0)
        while self._outer:
            self._leave()
        self._skipping = depth + 1

    def _fits(self, token: Token, length: int) -> bool:
        """Return whether the record has room for a text, and note an error if it does not."""
        fits = length <= self._room
        if fits:
            self._room -= length
        else:
            self._error(token, f"the record has more than {MAX_TEXT} characters of tags and comments; this is left out")
        return fits

    # Tags.

    def _tag(self, token: Token) -> None:
        # Tags are written without tabs.
        name, value = token.text, token.value.replace("\t", " ")
        if name in START_TAGS:
            value = value.strip()
        token = token._replace(value=value)
        if name in self._tags:
            self._error(token, f"tag {shorten(name)} appears twice; the first is taken")
            return
        if name == "Result":
            value = "1/2-1/2" if value.strip() in _DRAWS else value.strip() or "*"
        if not self._fits(token, len(name) + len(value)):
            return
        if name in START_TAGS:  # these count even if they cannot be stored
            self._tags[name] = token
        try:
            self._game.headers.put(name, value)
            self._tags[name] = token
        except Error as error:
            self._error(token, str(error))

    def _begin(self) -> None:
        """Determine the game and the starting position, once all tags are read."""
        if self._moving:
            return
        self._moving = True
        headers = self._game.headers
        tags = {name: self._tags[name].value for name in START_TAGS if name in self._tags}
        for name in START_TAGS:
            if name in headers and headers[name] != tags.get(name):
                headers.drop(name)
        if self._tags_only:
            self._skipping = 1
            return
        start = Start(tags, self._games)
        self._game.take_start(start.game, start.fen)
        for name, message in start.faults:
            self._error(self._tags.get(name, Token(Kind.TAG, name, *self._place)), message)
        if start.game is None or start.fen is None:
            self._skipping = 1
        else:
            self._board = self._game.start()
            self._marked_letters = {piece.letter for piece in start.game.pieces if piece.letter.endswith("!")}

    # Comments and glyphs.

    def _settle_comments(self) -> None:
        """Attach the waiting comments to the last turn; before a variation's first turn they keep waiting."""
        if self._comments and not self._before_first_turn:
            self._node.comment = self._join(self._node.comment)

    def _join(self, before: str) -> str:
        """Append the waiting comments to another, each on its own line."""
        token, text = self._comments[0], "\n".join(comment.text for comment in self._comments)
        self._comments.clear()
        if before:
            if not self._fits(token, len(before)):  # bounds the time that joining takes
                return before
            text = f"{before}\n{text}"
        if len(text) > MAX_COMMENT:
            self._error(token, f"the comment has more than {MAX_COMMENT} characters")
        return text[:MAX_COMMENT]

    def _nag(self, token: Token) -> None:
        if self._skipping:
            return
        digits = token.text.removeprefix("$")
        number = GLYPHS.get(token.text, -1)
        if digits != token.text and digits and len(digits) < 4:
            number = int(digits)
        if not 0 <= number <= 255:
            self._error(token, f"{shorten(token.text)} is no glyph: write $0 to $255 or one of {' '.join(GLYPHS)}")
        elif self._before_first_turn or not isinstance(self._node, ChildNode):
            self._error(token, f"{token.text} stands before the turn that it could belong to")
        else:
            self._node.nags.add(number)

    # Lines of play.

    def _turn(self, token: Token) -> None:
        if self._skipping or self._board is None:
            return
        text, glyphs = self._without_glyphs(token.text)
        if _EN_PASSANT.fullmatch(token.text) and isinstance(self._node, ChildNode):
            return
        if len(token.text) > MAX_TURN:
            self._skip_line(token, f"{shorten(token.text)}: a turn has at most {MAX_TURN} characters")
        elif isinstance(self._node, ChildNode) and self._node.unfinished:
            self._skip_line(token, f"{shorten(token.text)}: the turn before it is not finished")
        elif self._turns >= MAX_TURNS:
            self._skip_line(token, f"the record has more than {MAX_TURNS} turns; the rest is left out")
        else:
            try:
                moves, unfinished = push_text(self._board, text)
            except Error as error:
                self._skip_line(token, str(error))
                return
            self._turns += 1
            self._add(moves, unfinished)
            for glyph in glyphs:
                self._nag(token._replace(text=glyph))

    def _add(self, moves: list[Move], unfinished: bool) -> None:
        node = ChildNode(self._node, moves, unfinished)
        self._node.variations.append(node)
        self._node = node
        if self._comments:
            node.starting_comment = self._join("")
        self._before_first_turn = False

    def _without_glyphs(self, text: str) -> tuple[str, list[str]]:
        """Strip ``!`` and ``?`` from the moves of a turn, except for a ``!`` that belongs to a promotion letter."""
        moves, glyphs = [], []
        for move in text.split(","):
            end = len(move.rstrip("!?"))
            promotion = _MARKED_PROMOTION.search(move) if self._marked_letters else None
            if promotion and promotion[1].upper() in self._marked_letters:
                end = promotion.start(2)
            moves.append(move[:end])
            if end < len(move):
                glyphs.append(move[end:])
        return ",".join(moves), glyphs

    def _open(self, token: Token) -> None:
        if self._skipping:
            self._skipping += 1
        elif self._before_first_turn or not isinstance(self._node, ChildNode):
            self._outer.append(None)
            self._skip_line(token, "there is no turn that this variation could replace")
        elif len(self._outer) >= MAX_DEPTH:
            self._outer.append(None)
            self._skip_line(token, f"more than {MAX_DEPTH} variations inside one another; this one is left out")
        else:
            self._outer.append(self._node)
            self._step_back()
            self._before_first_turn = True

    def _step_back(self) -> None:
        """Undo the turn of the node."""
        assert self._board is not None
        assert isinstance(self._node, ChildNode)
        pop(self._board, len(self._node.moves))
        self._node = self._node.parent

    def _close(self, token: Token) -> None:
        if self._skipping > 1:
            self._skipping -= 1
        elif not self._outer:
            self._error(token, "there is no variation to close")
        else:
            self._leave()

    def _leave(self) -> None:
        """Go back from a variation to the turn before it."""
        back = self._outer.pop()
        self._skipping = 0
        if back is None:
            return
        while self._node is not back.parent:
            self._step_back()
        assert self._board is not None
        for move in back.moves:
            self._board.push(move)
        self._node, self._before_first_turn = back, False  # comments of a variation without a turn belong to this turn

    def _result(self, token: Token) -> None:
        if self._outer or self._skipping > 1:
            return
        self.done = True
        found = "1/2-1/2" if token.text in _DRAWS else token.text
        headers = self._game.headers
        if headers["Result"] == "*":
            headers["Result"] = found
        elif found not in ("*", headers["Result"]):
            self._error(token, f"the tag Result says {headers['Result']}; it is followed")
