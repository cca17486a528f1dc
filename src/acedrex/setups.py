"""The setups of a game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import overload

from acedrex import _native
from acedrex.errors import Error

__all__ = ["Setups"]


class Setups(Sequence[str]):
    """The setups of a game by name, computed on demand: index 0 is setup number 1.

    >>> from acedrex import load
    >>> setups = load("maasai").setups
    >>> len(setups), setups[0], setups.number("UFDO-QKGL")
    (288, 'DFOU-GKLQ', 250)
    """

    def __init__(self, game: _native.Game) -> None:
        self._game = game

    def __len__(self) -> int:
        return self._game.setup_count()

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        at = index + len(self) if index < 0 else index
        if not 0 <= at < len(self):
            raise IndexError(f"setup index {index} of {len(self)}")
        return self.name(at + 1)

    def __contains__(self, name: object) -> bool:
        return isinstance(name, str) and self._game.setup_number(name) is not None

    def name(self, number: int) -> str:
        """Return the name of the setup with a number, from 1.

        :raises Error: if the game has no such setup.
        """
        name = self._game.setup_name(number) if 1 <= number <= len(self) else None
        if name is None:
            raise Error(f"{self._game.name} has no setup number {number}; {self._there_are()}")
        return name

    def number(self, name: str) -> int:
        """Return the number of a setup, from 1.

        :raises Error: if the game has no such setup.
        """
        number = self._game.setup_number(name)
        if number is None:
            raise Error(f"{self._game.name} has no setup {name[:40]!r}; {self._there_are()}")
        return number

    def _there_are(self) -> str:
        return f"there are {len(self)}, such as {self[0]!r}" if len(self) else "it has no setups, so leave this out"

    def index(self, name: str, start: int = 0, stop: int | None = None) -> int:
        """Return the index of a setup: its number minus one.

        :raises ValueError: if the game has no such setup, or it is outside the range.
        """
        index = self.number(name) - 1
        if index < start or (stop is not None and index >= stop):
            raise Error(f"setup {name!r} is not in this range")
        return index

    @property
    def squares(self) -> list[list[int]]:
        """White's squares of each group, in the order of the names."""
        return self._game.setup_squares()

    def __repr__(self) -> str:
        return f"<{len(self)} setups of {self._game.name}>"
