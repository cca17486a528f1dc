"""Games and positions given on the command line."""

from __future__ import annotations

import difflib
import random

from acedrex.board import Board
from acedrex.cli.errors import CommandError
from acedrex.cli.text import clean, count, join, quote
from acedrex.errors import DefinitionError, Error
from acedrex.game import Game, games, is_file, load, split_spec

__all__ = ["command_spec", "load_game", "make_board", "reason", "setup_name"]


def reason(error: OSError) -> str:
    """Return in a few words why a file could not be used."""
    return error.strerror or str(error)


def load_game(spec: str, language: str = "en") -> Game:
    """Load a shipped game by its id, or a definition file, with options after a colon and texts in a language.

    :raises CommandError: if there is no such game, file or option, or the definition or its translation has faults.
    """
    name = split_spec(spec)[0]
    try:
        game = load(spec)
        # Errors from here on are in the translation.
        name = f"{name.removesuffix('.toml')}.{language}.toml"
        return game.localized(language)
    except OSError as error:
        raise CommandError(f"cannot read {clean(name)}: {reason(error)}") from None
    except ValueError as error:
        if not isinstance(error, DefinitionError):
            raise CommandError(f"cannot load {clean(name)}: {error}") from None
        raise CommandError(_why(name, error)) from None


def _why(name: str, error: DefinitionError) -> str:
    if name not in games() and not name.endswith(".toml") and "/" not in name and "\\" not in name:
        if is_file(name):
            hint = f'the name of a definition file ends in ".toml" or has a slash, such as ./{clean(name)}'
            return f"{quote(name)} is not a game; {hint}"
        if is_file(f"{name}.toml"):
            return f"there is no game {quote(name)}; did you mean the definition file {clean(name)}.toml?"
        near = difflib.get_close_matches(name.lower(), games(), 2, 0.5)
        near = [known for known in near if known == name.lower()] or near
        hint = f"did you mean {join(near, 'or')}? " if near else ""
        return f'there is no game {quote(name)}; {hint}"acedrex games" lists all games'
    first, *more = error.faults
    key = first.key
    if key == "options" or key.startswith("options."):
        return f"{clean(name)}{key.removeprefix('options').replace('.', ':')}: {first.message}"
    others = f' (and {count(len(more), "error")} more; "acedrex check {clean(name)}" lists them all)' if more else ""
    return f"{first}{others}"


def command_spec(game: Game, given: str) -> str:
    """Return a game as the command line reads it.

    :param given: how it was given there, perhaps with other options; only that says where its definition is.
    """
    return game.spec if game.id in games() else split_spec(given)[0] + game.spec.removeprefix(game.id)


def make_board(
    game: Game, fen: str | None = None, setup: str | None = None, chance: random.Random | None = None
) -> Board:
    """Return the board of a FEN or a setup, by default of the starting position.

    :param setup: name or number of a setup, or ``random``.
    :raises CommandError: if the FEN is not a position of the game, or the game has no such setup.
    """
    try:
        if setup is not None:
            return Board(game, setup=setup_name(game, setup, chance or random.Random()))
        return Board(game, fen)
    except Error as error:
        raise CommandError(str(error)) from None


def setup_name(game: Game, wanted: str, chance: random.Random) -> str:
    """Return the name of a setup by its name in any case, its number, or ``random``.

    :raises CommandError: if the game has no such setup.
    """
    setups = game.setups
    if not len(setups):
        raise CommandError(f"{clean(game.name)} has only one starting position")
    word = wanted.strip()
    if word.lower() == "random":
        return setups[chance.randrange(len(setups))]
    if word.isascii() and word.isdigit():
        if not 1 <= int(word[:9]) <= len(setups):
            raise CommandError(
                f"setup {clean(word[:9])}: {clean(game.name)} numbers its setups from 1 to {len(setups)}"
            )
        return setups[int(word[:9]) - 1]
    if word.upper() not in setups:
        raise CommandError(
            f"{clean(game.name)} has no setup {quote(word)}; give a number from 1 to {len(setups)} "
            f"or a name such as {setups[0]}"
        )
    return word.upper()
