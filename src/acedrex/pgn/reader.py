"""Reading records from PGN text, however badly formed."""

from __future__ import annotations

import re
import weakref
from collections.abc import Callable, Iterator
from pathlib import PurePath
from typing import TYPE_CHECKING, Any, Protocol, TypeVar, overload

from acedrex._native import RecordReader
from acedrex.limits import MAX_ERRORS
from acedrex.pgn.headers import Headers
from acedrex.pgn.record import Game
from acedrex.pgn.start import Games, find_game
from acedrex.pgn.text import CHUNK, PgnError
from acedrex.pgn.tree import GameNode
from acedrex.pgn.visitor import BaseVisitor, ResultT

if TYPE_CHECKING:
    from acedrex._native import Move
    from acedrex.game import Game as Definition

_SURROGATE = re.compile("[\ud800-\udfff]")
Found = TypeVar("Found")


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

    def _start(self, readline: Callable[[int], str | bytes]) -> None:
        self._readline = readline
        self._native = RecordReader()
        # The errors of the last record: text behind it that belongs to no record is one of them.
        self._errors: list[PgnError] = []

    def read(self) -> Game | None:
        """Read the next record; ``None`` at the end of the file.

        It ends with the empty line after its result, or where the next record begins. Text behind it that belongs to no
        record is added to its errors when the next one is read.

        :raises OSError: if the file cannot be read.
        :raises UnicodeDecodeError: if it is open in text mode with another encoding; open it in binary mode.
        """
        return self._read(tags_only=False)

    def read_headers(self) -> Headers | None:
        """Read the tags of the next record and skip the rest of it; ``None`` at the end of the file.

        Invalid tags are left out. Raises the errors of :meth:`read`.
        """
        game = self._read(tags_only=True)
        return None if game is None else game.headers

    def skip(self) -> bool:
        """Skip the next record, and return whether there was one. Raises the errors of :meth:`read`."""
        return self.read_headers() is not None

    def _read(self, *, tags_only: bool) -> Game | None:
        variant = self._begin(tags_only=tags_only)
        record = self._native.take()
        for error in self._native.late_errors():
            if len(self._errors) < MAX_ERRORS:
                self._errors.append(PgnError(*error))
        if record is None:
            return None
        game = _game(variant, *record)
        self._errors = game.errors
        return game

    def tree(self, most: int) -> tuple[str | None, list[PgnError]] | None:
        """Read the next record as a tree of moves in JSON, in the shape of ``acedrex.server.wire.Tree``.

        Text behind it is read up to the end of the record after it.

        :param most: how many moves the tree may have; the rest is left out.
        :return: ``None`` at the end of the file, otherwise the tree, ``None`` if its start is unknown, and the errors.
        """
        self._begin(tags_only=False)
        if not self._native.hold():
            return None
        self._begin(tags_only=False)
        found = self._native.tree(most)
        assert found is not None
        tree, errors = found
        return tree, [PgnError(*error) for error in errors]

    def trees(self, most: int) -> Iterator[tuple[str | None, list[PgnError]]]:
        """Read all records that are left as :meth:`tree` does; text that belongs to no record is left out.

        :param most: how many moves each tree may have.
        """
        while True:
            self._begin(tags_only=False)
            if not self._native.hold():
                return
            found = self._native.tree(most)
            assert found is not None
            tree, errors = found
            yield tree, [PgnError(*error) for error in errors]

    def _begin(self, *, tags_only: bool) -> Definition | None:
        """Read up to where a record is complete, and return its game."""
        variant: Definition | None = None
        while needed := self._native.step(tags_only):
            if needed == "more":
                self._native.feed(_encoded(self._readline(CHUNK)))
            else:
                variant, faults = find_game(dict(self._native.start_tags()), self.games)
                self._native.begin(variant, faults)
        return variant

    def __iter__(self) -> Iterator[Game]:
        while (game := self.read()) is not None:
            yield game


def _encoded(text: str | bytes) -> bytes:
    """Return text as UTF-8. Bytes that a decoder could not decode and has marked are read as Latin-1."""
    if isinstance(text, bytes):
        return text
    try:
        return text.encode()
    except UnicodeEncodeError:
        return _SURROGATE.sub(_unmarked, text).encode()


def _unmarked(surrogate: re.Match[str]) -> str:
    return chr(ord(surrogate[0]) & 0xFF) if "\udc80" <= surrogate[0] <= "\udcff" else "\ufffd"


def _game(
    variant: Definition | None,
    tags: list[tuple[str, str]],
    result: str | None,
    fen: str | None,
    comment: str,
    turns: list[tuple[int, list[Move], bool, str, str, bytes]],
    errors: list[tuple[int, int, str]],
) -> Game:
    """Return a record from what the native reader found."""
    game = Game.__new__(Game)
    GameNode.__init__(game)
    game.headers = Headers()
    for name, value in tags:
        game.headers.put(name, value)
    if result is not None and game.headers["Result"] == "*":
        game.headers["Result"] = result
    if fen is not None and "FEN" in game.headers:
        game.headers.put("FEN", fen)  # as it was repaired
    game.errors = [PgnError(*error) for error in errors]
    game.take_start(variant, fen)
    game.comment = comment
    nodes: list[GameNode] = []
    for parent, moves, unfinished, before, after, glyphs in turns:
        node = (game if parent < 0 else nodes[parent])._append(tuple(moves), unfinished, glyphs)
        node._starting_comment, node._comment = before, after  # without control characters, and not too long
        nodes.append(node)
    return game


class _WeakReader(Reader):
    """A reader that does not keep its file alive."""

    def __init__(self, handle: Handle) -> None:
        self.games = None
        #: Up to where the file has been read.
        self.place = _place(handle)
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
    record. After a seek, reading begins at the new place, with lines from 1.

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
    if reader is None or reader.place != _place(handle):
        reader = _readers[handle] = _WeakReader(handle)
    reader.games = games
    found = read(reader)
    reader.place = _place(handle)
    if found is None:
        del _readers[handle]
    return found


def _place(handle: Handle) -> object:
    """Return the place in a file up to which it has been read; ``None`` if it cannot tell."""
    try:
        return handle.tell()  # type: ignore[attr-defined]
    except (AttributeError, OSError, ValueError):  # ValueError: it is closed, which reading reports
        return None
