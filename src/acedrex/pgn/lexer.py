"""The tokens of PGN text, read in chunks of bounded size."""

from __future__ import annotations

import enum
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from acedrex.pgn.text import MAX_COMMENT, MAX_TAG_VALUE

#: The most of a line that is read at once, in characters or bytes.
CHUNK = 64 * 1024

#: Returns the next line, or as much of it as its argument allows; an empty text at the end.
ReadLine = Callable[[int], str | bytes]


class Kind(enum.Enum):
    """The kinds of tokens."""

    TAG = enum.auto()
    COMMENT = enum.auto()
    OPEN = enum.auto()
    CLOSE = enum.auto()
    NAG = enum.auto()
    TURN = enum.auto()
    RESULT = enum.auto()
    #: An empty line.
    BLANK = enum.auto()
    #: An error after which reading continues; the text is the message.
    ERROR = enum.auto()


class Token(NamedTuple):
    """A token; for a tag, ``text`` is its name and ``value`` its value."""

    kind: Kind
    text: str
    line: int
    column: int
    value: str = ""


class Piece(NamedTuple):
    """A line or part of one; ``first`` and ``last`` are whether it begins and ends the line."""

    text: str
    line: int
    column: int
    first: bool
    last: bool


_CONTROL = dict.fromkeys([*range(9), *range(10, 32), *range(127, 160)], " ")
_SURROGATE = re.compile("[\ud800-\udfff]")
_TAG = re.compile(r'\[\s*([A-Za-z0-9]\w*)\s*"([^"\\]*+(?:\\.[^"\\]*+)*+)"\s*\]', re.ASCII)
# With unescaped quotes inside the value, the tag is the whole line.
_LOOSE_TAG = re.compile(r'\[\s*([A-Za-z0-9]\w*)\s*"(.*)"\s*\]\s*$', re.ASCII)
# The longest tag, even if every character of its value is escaped.
_TAG_ROOM = 4 * MAX_TAG_VALUE
_NEXT_GAME = re.compile(r'\[Event\s+".*"\]\s*$')
_ESCAPE = re.compile(r'\\(["\\])')
_END = r"(?![^\s{}();$\[\]])"
_TOKEN = re.compile(
    rf"""
      (?P<SKIP> \s+ | [0-9]+[.…]+ | (?!0000{_END}) [0-9]+{_END} | [.…]+ )
    | (?P<COMMENT> [{{;] )
    | (?P<OPEN> \( )
    | (?P<CLOSE> \) )
    | (?P<BRACKET> \[ )
    | (?P<NAG> \$[0-9]* | [!?]+{_END} )
    | (?P<RESULT> (?: 1-0 | 0-1 | 1/2-1/2 | \* | ½-½ | 1/2 ){_END} )
    | (?P<TURN> [^\s{{}}()\[\];$]++ (?: \([A-Za-z]['!]?\) [^\s{{}}()\[\];$]*+ )*+ )
    | (?P<STRAY> . )
    """,
    re.VERBOSE,
)


def pieces(readline: ReadLine) -> Iterator[Piece]:
    """Read lines, splitting long ones at spaces.

    Bytes are decoded as UTF-8, or as Latin-1 if they are not valid UTF-8. A byte order mark is dropped, any line ending
    is accepted, and control characters become spaces.
    """
    line, column, pending = 1, 1, b""
    reading = start = True
    while reading:
        data = readline(CHUNK)
        reading = bool(data)
        pending += data.encode("utf-8", "surrogatepass") if isinstance(data, str) else data
        if start:
            pending, start = pending.removeprefix(b"\xef\xbb\xbf"), False
        cut = len(pending)
        if reading and not pending.endswith(b"\n"):
            cut = _cut(pending) if cut >= CHUNK else 0
        text = _decode(pending[:cut]).replace("\r\n", "\n").replace("\r", "\n")
        pending = pending[cut:]
        lines = text.split("\n")
        for index, part in enumerate(lines):
            last = index < len(lines) - 1 or not reading
            if part or (last and (reading or column > 1)):
                yield Piece(part if part.isprintable() else _clean(part), line, column, column == 1, last)
            line, column = (line + 1, 1) if last else (line, column + len(part))


def _cut(data: bytes) -> int:
    """Return where to cut a line that is too long: after a space, otherwise between two characters."""
    cut = data.rfind(b" ") + 1
    if cut:
        return cut
    for back in range(1, 4):
        if data[-back] >= 0xC0:
            return len(data) - back
        if data[-back] < 0x80:
            break
    return len(data)


def _decode(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        pass
    try:
        return data.decode("utf-8", "surrogatepass")  # text whose decoder has marked undecodable bytes
    except UnicodeDecodeError:
        return data.decode("latin-1")


def _clean(text: str) -> str:
    """Replace control characters by spaces, and undecodable bytes that a decoder has marked by Latin-1."""

    def replace(surrogate: re.Match[str]) -> str:
        return chr(ord(surrogate[0]) & 0xFF) if "\udc80" <= surrogate[0] <= "\udcff" else "\ufffd"

    return _SURROGATE.sub(replace, text).translate(_CONTROL)


class _Comment:
    """A comment being read: from ``{`` to ``}``, or from ``;`` to the end of the line."""

    def __init__(self, opener: str, line: int, column: int) -> None:
        self.brace = opener == "{"
        self.closed = self.after_empty_line = False
        self._parts: list[str] = []
        self._room = MAX_COMMENT
        self._place = (line, column)

    def feed(self, piece: Piece, at: int) -> int:
        """Add the text of the comment from a position on, and return where it ends. A line break becomes a space."""
        text = piece.text
        end = text.find("}", at) if self.brace else -1
        self.closed = end >= 0 or (piece.last and not self.brace)
        self._add(text[at : end if end >= 0 else len(text)])
        if piece.last and not self.closed:
            self._add(" ")
        self.after_empty_line = piece.first and piece.last and not text.strip()
        return end + 1 if end >= 0 else len(text)

    def _add(self, text: str) -> None:
        self._parts.append(text[: max(self._room + 2, 0)])  # two more for the spaces inside the braces
        self._room -= len(text)

    def tokens(self) -> Iterator[Token]:
        """Yield the comment, without the one space that may follow or precede each brace, and its errors."""
        text = "".join(self._parts).removeprefix(" ")
        self._parts.clear()
        if self.brace and self.closed:
            text = text.removesuffix(" ")
        yield Token(Kind.COMMENT, text[:MAX_COMMENT], *self._place)
        if not self.closed:
            yield Token(Kind.ERROR, "the comment is not closed", *self._place)
        elif len(text) > MAX_COMMENT or self._room < -2:
            yield Token(Kind.ERROR, f"the comment has more than {MAX_COMMENT} characters", *self._place)


def tokens(readline: ReadLine) -> Iterator[Token]:
    """Yield the tokens of a file, reading no further than the line of the last token yielded."""
    comment: _Comment | None = None
    skipping = False
    for piece in pieces(readline):
        text, at = piece.text, 0
        skipping = skipping and not piece.first
        if comment is not None and comment.brace and comment.after_empty_line and _NEXT_GAME.match(text):
            yield from comment.tokens()
            comment = None
        if comment is None and piece.first:
            skipping = text.startswith("%")
            if piece.last and not text.strip():
                yield Token(Kind.BLANK, "", piece.line, 1)
        while not skipping:
            if comment is not None:
                at = comment.feed(piece, at)
                if not comment.closed:
                    break
                yield from comment.tokens()
                comment = None
            found = _TOKEN.match(text, at)
            if found is None:
                break
            column = piece.column + at
            match found.lastgroup:
                case "SKIP":
                    pass
                case "COMMENT":
                    comment = _Comment(found[0], piece.line, column)
                case "BRACKET":
                    token, at = _bracket(piece, at)
                    yield token
                    continue
                case "STRAY":
                    yield Token(Kind.ERROR, f"{found[0]!r} stands alone", piece.line, column)
                case kind:
                    yield Token(Kind[str(kind)], found[0], piece.line, column)
            at = found.end()
    if comment is not None:
        yield from comment.tokens()


def _bracket(piece: Piece, at: int) -> tuple[Token, int]:
    """Read a tag and return it with the position where it ends."""
    found = _TAG.match(piece.text, at, at + _TAG_ROOM)
    if found is None and piece.first and not piece.text[:at].strip():
        found = _LOOSE_TAG.match(piece.text, at)
    column = piece.column + at
    if found is not None:
        value = _ESCAPE.sub(r"\1", found[2])
        return Token(Kind.TAG, found[1], piece.line, column, value), found.end()
    end = piece.text.find("]", at) + 1 or len(piece.text)
    message = 'a tag is a name and a quoted value, as [White "Ana"]'
    return Token(Kind.ERROR, message, piece.line, column), end
