"""Protocols of the objects that can be drawn."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol


class PieceLike(Protocol):
    """A piece on a square."""

    @property
    def letter(self) -> str:
        """The letter of its kind, in capitals for both sides: ``"N"``, ``"R'"``."""

    @property
    def color(self) -> bool:
        """``True`` for White."""


class PieceTypeLike(Protocol):
    """A kind of piece in a game."""

    @property
    def letter(self) -> str:
        """The letter, in capitals."""

    @property
    def name(self) -> str:
        """The name, in the language of the game."""

    @property
    def art(self) -> str | None:
        """The art id, see :mod:`acedrex.art`; ``None`` to show a letter on a disc."""


class ReachLike(Protocol):
    """A square that a piece can go to, and how."""

    @property
    def to(self) -> int:
        """The destination."""

    @property
    def kind(self) -> str:
        """``"move"``, ``"capture"``, ``"both"`` or ``"hop"``."""

    @property
    def mount(self) -> int | None:
        """The square of the piece hopped over, if any."""

    @property
    def path(self) -> Sequence[int]:
        """The squares on the way, in order, with or without the origin and the destination."""


class MoveLike(Protocol):
    """A move; its squares are ``None`` if it moves no piece."""

    @property
    def from_square(self) -> int | None: ...

    @property
    def to_square(self) -> int | None: ...


class DiagramLike(Protocol):
    """A small board that shows how one piece moves."""

    @property
    def files(self) -> int: ...

    @property
    def ranks(self) -> int: ...

    @property
    def origin(self) -> int:
        """The square of the piece."""

    @property
    def reach(self) -> Sequence[ReachLike]: ...

    @property
    def others(self) -> Mapping[int, PieceLike]:
        """Pieces placed only to be hopped over or captured, drawn as plain discs."""


class GameLike(Protocol):
    """A game's board size and kinds of pieces."""

    @property
    def files(self) -> int: ...

    @property
    def ranks(self) -> int: ...

    @property
    def pieces(self) -> Sequence[PieceTypeLike]: ...


class TeachingGameLike(GameLike, Protocol):
    """A game that can also return diagrams of how its pieces move."""

    def diagram(self, letter: str, /) -> DiagramLike: ...


class BoardLike(Protocol):
    """A position and the moves that led to it."""

    @property
    def game(self) -> GameLike: ...

    @property
    def turn(self) -> bool: ...

    def piece_map(self) -> Mapping[int, PieceLike]: ...

    def is_check(self) -> bool: ...

    def king(self, color: bool, /) -> int | None: ...

    def peek(self) -> MoveLike | None:
        """Return the last move; ``None`` or :exc:`IndexError` if there is none."""

    def reach(self, square: int, /) -> Sequence[ReachLike]: ...
