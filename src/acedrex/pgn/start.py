"""The game of a record and its starting position, from the tags."""

from __future__ import annotations

import difflib
import functools
import re
from collections.abc import Callable, Iterator, Mapping

from acedrex.board import Board
from acedrex.errors import Error
from acedrex.game import Game, games, load
from acedrex.pgn.text import shorten

#: The games of definition files: a mapping by id, or a function that takes an id and returns the game, or ``None`` (or
#: raises :class:`KeyError`) if there is no such game.
Games = Mapping[str, Game] | Callable[[str], Game | None]

_ID = re.compile(r"[A-Za-z0-9_-]{1,64}")
#: The names of chess in the tag ``Variant`` of other programs.
_CHESS = {"", "?", "standard", "normal", "from position"}


def start_tags(game: Game, fen: str) -> dict[str, str]:
    """Return the tags of a game and its starting position.

    :raises InvalidFenError: if the position cannot be played.
    """
    board = Board(game, fen)
    tags = {"Variant": game.id}
    if chosen := game.chosen_options:
        tags["Options"] = ",".join(f"{name}={value}" for name, value in chosen.items())
    setup = board.setup_name() if game.setups else None
    if setup is not None and game.setup_fen(setup) == fen:
        tags["Arrangement"] = setup
    tags["RulesHash"] = game.rules_hash
    if fen != game.start_fen:
        tags.update(SetUp="1", FEN=fen)
    return tags


class Start:
    """The game and the starting position that the tags of a record give, and the faults of these tags.

    ``game`` and ``fen`` are ``None`` if they cannot be determined; ``faults`` are pairs of a tag's name and a message.
    """

    def __init__(self, tags: Mapping[str, str], own_games: Games | None) -> None:
        self.faults: list[tuple[str, str]] = []
        self.fen: str | None = None
        self.game = self._game(tags, own_games)
        if self.game is not None:
            self._check_hash(self.game, tags)
            self.fen = self._fen(self.game, tags)

    def _game(self, tags: Mapping[str, str], own_games: Games | None) -> Game | None:
        name = tags.get("Variant", "chess").strip()
        own = _find_own(name, own_games)
        game = own or _find_shipped(name)
        if game is None:
            ids = [*games(), *(own_games if isinstance(own_games, Mapping) else ())]
            near = difflib.get_close_matches(name.lower(), ids, 1)
            self.faults.append(
                ("Variant", f"there is no game {shorten(name)}" + (f"; did you mean {near[0]}?" if near else ""))
            )
            return None
        options = dict(self._options(game, tags.get("Options", "")))
        if options == game.chosen_options:
            return game
        if own is None:
            return load(game.id, **options)
        return _reload(game.source, game.file, tuple(options.items()))

    def _options(self, game: Game, text: str) -> Iterator[tuple[str, str]]:
        """Read ``scoring=four_points,classic_ep=on``; an option without a value is ``on``."""
        for part in filter(None, (part.strip() for part in text.split(","))):
            name, equals, value = (side.strip() for side in part.partition("="))
            option = game.options.get(name)
            value = value if equals else "on"
            if option is None or value not in option.values:
                wrong = f"no option {shorten(name)}" if option is None else f"{name} is not {shorten(value)}"
                self.faults.append(("Options", f"{game.name}: {wrong}; it is left aside"))
            elif value != option.default:
                yield name, value

    def _check_hash(self, game: Game, tags: Mapping[str, str]) -> None:
        tag = tags.get("RulesHash", game.rules_hash)
        if tag.lower() != game.rules_hash:
            message = f"the record was made under rules {shorten(tag)}; those of {game.spec} are {game.rules_hash}"
            self.faults.append(("RulesHash", message))

    def _fen(self, game: Game, tags: Mapping[str, str]) -> str | None:
        setup_start = None
        if "Arrangement" in tags:
            try:
                setup_start = game.setup_fen(tags["Arrangement"])
            except Error as error:
                self.faults.append(("Arrangement", str(error)))
        if "FEN" not in tags:
            return setup_start if "Arrangement" in tags else game.start_fen
        try:
            fen = Board(game, tags["FEN"]).fen()
        except Error as error:
            self.faults.append(("FEN", str(error)))
            return None
        if setup_start is not None and setup_start != fen:
            self.faults.append(("Arrangement", "the FEN shows another arrangement, and is followed"))
        return fen


def _find_own(name: str, own_games: Games | None) -> Game | None:
    """Look up a game of the caller. A name that could be a path is not looked up."""
    if own_games is None or not _ID.fullmatch(name):
        return None
    try:
        return own_games.get(name) if isinstance(own_games, Mapping) else own_games(name)
    except (Error, LookupError, FileNotFoundError):
        return None


def _find_shipped(name: str) -> Game | None:
    """Look up a shipped game by its id or its full name."""
    folded = name.strip().casefold()
    if folded in games():
        return load(folded)
    if folded in _CHESS:
        return load("chess")
    return next((game for game in _shipped() if game.name.casefold() == folded), None)


@functools.cache
def _shipped() -> tuple[Game, ...]:
    return tuple(load(name) for name in games())


@functools.lru_cache(maxsize=32)
def _reload(source: str, file: str, options: tuple[tuple[str, str], ...]) -> Game:
    return Game(source, file, dict(options))
