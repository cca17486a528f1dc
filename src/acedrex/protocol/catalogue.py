"""Games by name."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator

from acedrex.errors import Error
from acedrex.game import Game, games, load, split_spec

__all__ = ["Catalogue"]


class Catalogue:
    """The games that can be looked up by name: those that ship with Acedrex, and additional ones.

    >>> catalogue = Catalogue()
    >>> catalogue["magi:classic_ep=on"].spec
    'magi:classic_ep=on'
    >>> catalogue["go"]
    Traceback (most recent call last):
    acedrex.Error: there is no game 'go'; "--game FILE" adds that of a definition file
    """

    def __init__(self, more: Iterable[Game] = ()) -> None:
        """Add games to those that ship with Acedrex; a game with the same id replaces the shipped one."""
        self._games = {name: load(name) for name in games()} | {game.id: game for game in more}

    def __iter__(self) -> Iterator[str]:
        return iter(self._games)

    def __getitem__(self, spec: str) -> Game:
        """Return a game by its id, which options may follow after a colon. No file is read.

        :raises Error: if there is no such game or option.
        """
        name, options = split_spec(spec)
        game = self._games.get(name)
        if game is None:
            near = difflib.get_close_matches(name.lower(), self._games, 1)
            hint = f"did you mean {near[0]}?" if near else '"--game FILE" adds that of a definition file'
            raise Error(f"there is no game {name[:40]!r}; {hint}")
        return Game(game.source, game.file, {**game.chosen_options, **options}) if options else game
