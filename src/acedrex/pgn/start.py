"""The game of a record and its starting position, from the tags."""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Mapping

from acedrex import _native
from acedrex.board import Board
from acedrex.errors import Error
from acedrex.game import Game, load

#: The games of definition files: a mapping by id, or a function that takes an id and returns the game, or ``None`` (or
#: raises :class:`KeyError`) if there is no such game.
Games = Mapping[str, Game] | Callable[[str], Game | None]

_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")


def start_tags(game: Game, fen: str) -> dict[str, str]:
    """Return the tags of a game and its starting position.

    :raises InvalidFenError: if the position cannot be played.
    """
    return dict(_native.start_tags(Board(game, fen)))


def find_game(tags: Mapping[str, str], own_games: Games | None) -> tuple[Game | None, list[tuple[str, str]]]:
    """Return the game that the tags of a record name, ``None`` if there is none, and the faults of these tags.

    A fault is the name of a tag and a message.
    """
    name = tags.get("Variant", "chess").strip()
    own = _find_own(name, own_games)
    shipped = None if own else _native.shipped_named(name)
    if own is None and shipped is None:
        others = [*own_games] if isinstance(own_games, Mapping) else []
        return None, [("Variant", _native.unknown_game(name, others))]
    game = own or load(shipped or "chess")
    chosen, faults = _native.read_options(game, tags.get("Options", ""))
    options = dict(chosen)
    if options != game.chosen_options:
        game = load(game.id, **options) if own is None else _reload(game.source, game.file, tuple(options.items()))
    return game, [("Options", fault) for fault in faults]


def _find_own(name: str, own_games: Games | None) -> Game | None:
    """Look up a game of the caller. A name that could be a path is not looked up."""
    if own_games is None or not _ID.fullmatch(name):
        return None
    try:
        return own_games.get(name) if isinstance(own_games, Mapping) else own_games(name)
    except (Error, LookupError, FileNotFoundError):
        return None


@functools.lru_cache(maxsize=32)
def _reload(source: str, file: str, options: tuple[tuple[str, str], ...]) -> Game:
    return Game(source, file, dict(options))
