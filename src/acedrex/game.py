"""Games: what a definition file says, ready to be played."""

from __future__ import annotations

import functools
import os
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Self, TypeAlias

from acedrex import _native
from acedrex._native import Fault, Reach
from acedrex.art import drawing_named, drawings, emblems
from acedrex.art.emblem import Mover
from acedrex.errors import Error
from acedrex.limits import MAX_DEFINITION
from acedrex.setups import Setups

if TYPE_CHECKING:
    from collections.abc import Callable

    from acedrex.shapes import Emblem

__all__ = [
    "Diagram",
    "Fault",
    "Game",
    "Option",
    "Piece",
    "PieceType",
    "Reach",
    "check",
    "games",
    "languages",
    "load",
]

#: The arguments of :func:`restore_game`: text, file or id, options, language, translations.
_Parts: TypeAlias = "tuple[str | None, str, dict[str, str], str, dict[str, str]]"
#: The games that are shown first; the daily puzzles rotate among them.
FEATURED = ("metamachy", "maasai", "zanzibar-s", "magi", "chieftain")


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece on a board: the capital letter of its kind, and its side, ``True`` for White."""

    letter: str
    color: bool

    @property
    def piece_type(self) -> str:
        """The letter of the kind, by python-chess's name.

        >>> Piece("N", False).piece_type
        'N'
        """
        return self.letter

    def symbol(self) -> str:
        """Return the letter as in FEN: a capital for White, a small letter for Black."""
        return self.letter if self.color else self.letter.lower()

    @classmethod
    def from_symbol(cls, symbol: str) -> Piece:
        """Read a FEN letter.

        >>> Piece.from_symbol("g")
        Piece(letter='G', color=False)

        :raises Error: if the text is not a letter, with or without ``'`` or ``!`` after it.
        """
        if not re.fullmatch(r"[A-Za-z]['!]?", symbol):
            raise Error(f"{symbol!r} is not a piece; a piece is a letter, capital for White and small for Black")
        return cls(symbol.upper(), symbol[:1].isupper())

    def __str__(self) -> str:
        return self.symbol()


@dataclass(frozen=True, slots=True)
class Diagram:
    """A small board that shows all moves of a piece.

    ``origin`` is the square of the piece, ``reach`` where it can go; ``others`` are pieces to be hopped over.
    """

    files: int
    ranks: int
    origin: int
    reach: list[Reach]
    others: dict[int, Piece]


@dataclass(frozen=True, slots=True)
class PieceType:
    """A kind of piece, as in the definition.

    ``id`` is its number in the game, stable across versions; ``also`` lists other names, the inventor's first; ``move``
    is its move in Betza notation, ``extra_moves`` are moves that only some squares allow; ``values`` are its values by
    source; ``art`` is the id of its drawing, or a drawing of its own as path data.
    """

    id: int
    letter: str
    name: str
    also: list[str] = field(hash=False)
    move: str
    royal: bool
    values: dict[str, float] = field(hash=False)
    help: str
    art: str | None
    promotes_to: list[str] = field(hash=False)
    is_soldier: bool
    is_color_bound: bool
    extra_moves: list[tuple[list[int], str]] = field(hash=False)


@dataclass(frozen=True, slots=True)
class Option:
    """An option of a game: its possible values, the default and the chosen value."""

    name: str
    help: str
    values: list[str] = field(hash=False)
    default: str
    chosen: str


class Game(_native.Game):
    """A loaded game. Get one from :func:`load`.

    >>> game = load("maasai")
    >>> game.name, game.files, game.ranks, len(game.pieces)
    ('Maasai Chess', 12, 12, 20)
    """

    #: The language of the texts; a text without a translation is in the language of the definition.
    language: str
    #: Translations of a definition file that does not ship with Acedrex: the text of each file, by language.
    translations: Mapping[str, str]

    def __new__(
        cls,
        text: str | None,
        file: str,
        options: Mapping[str, object] | None = None,
        language: str = "en",
        translations: Mapping[str, str] | None = None,
    ) -> Self:
        """Load a definition from its text, or with ``text=None`` the shipped game with the id ``file``."""
        texts = translations or {}
        game = super().__new__(cls, text, file, option_choices(options or {}), language, texts.get(language))
        game.language, game.translations = language, texts
        return game

    @classmethod
    def stored(cls, text: str, file: str, options: Mapping[str, object] | None = None) -> Self:
        """Load a game from the ``full_source`` that was stored with it, perhaps by an earlier version of Acedrex.

        Unlike the constructor it takes the id of a shipped game with other rules than today's. The texts stay in the
        language of the definition.

        >>> old = Game.stored(load("chess").full_source.replace('move = "N"', 'move = "NN"'), "chess")
        >>> old.name, old.is_outdated, old == load("chess")
        ('Chess', True, False)

        :raises DefinitionError: if the text has faults.
        """
        game = super().__new__(cls, text, file, option_choices(options or {}), "en", None, True)
        game.language, game.translations = "en", {}
        return game

    def localized(self, language: str) -> Game:
        """Return the same game with its texts in another language; texts without a translation stay as they are.

        An earlier version of a shipped game has none, since its rules may have been others.

        >>> game = load("maasai").localized("fr")
        >>> game.piece("G").name, game == load("maasai")
        ('Aigle', True)

        :raises Error: if there is no such language.
        :raises DefinitionError: if the translation file has faults; the error lists all of them.
        """
        if language == self.language or self.is_outdated:
            return self
        if language not in languages():
            raise Error(f"no language {language[:10]!r}; there are {', '.join(languages())}")
        return restore_game(*self._parts(language))

    @functools.cached_property
    def pieces(self) -> tuple[PieceType, ...]:
        """The kinds of piece, in the order of the definition.

        A kind for which the definition names no drawing has the drawing of its own name, if there is one.
        """
        kinds = self._pieces()
        if any(kind["art"] is None for kind in kinds):
            # Drawings have English names.
            english = kinds if self.language == "en" else restore_game(*self._parts("en"))._pieces()
            for kind, named in zip(kinds, english, strict=True):
                kind["art"] = kind["art"] or drawing_named(named["name"])
        return tuple(PieceType(**fields) for fields in kinds)

    @functools.cached_property
    def emblems(self) -> Mapping[str, Emblem]:
        """The pictures of the kinds in the geometric set, by letter; they are made from how the kinds move.

        >>> load("chess").emblems["B"]["dots"]
        ''
        """
        return emblems(Mover(kind.letter, kind.royal, self._walks(kind.letter)) for kind in self.pieces)

    @functools.cached_property
    def sides_pieces(self) -> tuple[Piece, ...]:
        """For every kind White's piece and then Black's, in the order of the definition."""
        return tuple(Piece(kind.letter, color) for kind in self.pieces for color in (True, False))

    @functools.cached_property
    def in_play(self) -> frozenset[str]:
        """The letters of the kinds that stand in the starting position, and of those they can promote to.

        Other kinds come into play by an option, or not at all.
        """
        found = {piece.letter for piece in _native.piece_map(_native.Board(self), self.sides_pieces).values()}
        while more := {letter for one in found for letter in self.piece(one).promotes_to} - found:
            found |= more
        return frozenset(found)

    def piece(self, letter: str) -> PieceType:
        """Return the kind of piece with a capital letter.

        :raises Error: if the game has no such kind.
        """
        for piece in self.pieces:
            if piece.letter == letter:
                return piece
        raise Error(f"no piece {letter[:10]!r} in {self.name}; there are {' '.join(p.letter for p in self.pieces)}")

    @property
    def rules(self) -> dict[str, str]:
        """The special rules by key: the author's texts, and generated sentences for rules that have no text.

        >>> load("chess").rules["end"]
        'Checkmating the enemy King wins.'
        """
        return {key: text for key, _, text in self._described}

    @functools.cached_property
    def _described(self) -> list[tuple[str, str, str]]:
        return self._rules(self.language)

    @property
    def rule_titles(self) -> dict[str, str]:
        """The titles of the special rules, by the keys of :attr:`rules`.

        >>> load("chess").rule_titles["double_step"], load("chess").localized("fr").rule_titles["double_step"]
        ('Double step', 'Double pas')
        """
        return {key: title for key, title, _ in self._described}

    def area(self, squares: Iterable[int]) -> str:
        """Return squares in words, as ranks or a block where possible.

        >>> load("chess").area([*range(8), 19]), load("chess").area([3, 4, 19, 20]), load("chess").area([3, 5])
        ('rank 1 or d2', 'd1-e2', 'd1 or f1')
        """
        return self._area([*squares], self.language)

    @property
    def draw_limits(self) -> dict[str, int]:
        """The limit of each kind of draw that the game has: occurrences of a position, or half-moves without progress.

        The keys are values of :class:`acedrex.Termination`. Where a turn has several moves, turns are counted instead.

        >>> load("xiangqi").draw_limits["fifty_moves"], load("xiangqi").draw_limits["seventyfive_moves"]
        (100, 120)
        """
        return dict(self._draw_limits)

    @property
    def setups(self) -> Setups:
        """The setups; empty if the game has no setup phase."""
        return Setups(self)

    @property
    def options(self) -> dict[str, Option]:
        """The options, by name."""
        return {fields["name"]: Option(**fields) for fields in self._options()}

    @property
    def chosen_options(self) -> dict[str, str]:
        """The options that differ from their defaults."""
        return {o.name: o.chosen for o in self.options.values() if o.chosen != o.default}

    @property
    def spec(self) -> str:
        """The game with its chosen options as one text, in the form that the command line reads.

        >>> load("magi", scoring="four_points").spec
        'magi:scoring=four_points'
        """
        options = ",".join(f"{name}={value}" for name, value in self.chosen_options.items())
        return f"{self.id}:{options}" if options else self.id

    def diagram(self, letter: str) -> Diagram:
        """Return a diagram of how White's piece moves, on a board of up to 11x11, with pieces to hop over if it hops.

        :raises Error: if the game has no such piece.
        """
        files, ranks, origin, mounts, reach = self._diagram(letter)
        return Diagram(files, ranks, origin, reach, {mount: Piece("", False) for mount in mounts})

    def _parts(self, language: str) -> _Parts:
        """Return the arguments with which :func:`restore_game` creates the game again."""
        if self.id in games():
            return None, self.id, self.chosen_options, language, {}
        return self.source, self.file, self.chosen_options, language, dict(self.translations)

    def __reduce__(self) -> tuple[Callable[..., Game], tuple[object, ...]]:
        if self.is_outdated:
            return Game.stored, (self.source, self.file, self.chosen_options)
        return restore_game, self._parts(self.language)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Game):
            return NotImplemented
        return (self.id, self.rules_hash) == (other.id, other.rules_hash)

    def __hash__(self) -> int:
        return hash((self.id, self.rules_hash))

    def __repr__(self) -> str:
        return f"<Game {self.spec}: {self.name}, {self.files}x{self.ranks}>"


def restore_game(
    text: str | None, file: str, options: dict[str, str], language: str, translations: dict[str, str]
) -> Game:
    """Create a game from the parts that a pickle stores."""
    if text is None:
        return _shipped(file, tuple(options.items()), language)
    return Game(text, file, options, language, translations)


def option_choices(options: Mapping[str, object]) -> list[tuple[str, str]]:
    """Write options as the core reads them: ``True`` is ``on``, ``False`` is ``off``, numbers are their digits."""
    names = {True: "on", False: "off"}
    return [(name, names[value] if isinstance(value, bool) else str(value)) for name, value in options.items()]


def games() -> list[str]:
    """Return the ids of the games that ship with Acedrex.

    >>> "metamachy" in games()
    True
    """
    return _native.shipped()


def languages() -> list[str]:
    """Return the languages of the games' texts as ISO 639 codes; ``en`` stands for the language of the definition.

    >>> languages()
    ['en', 'fr']
    """
    return _native.languages()


def load(game: str | os.PathLike[str] | Game, **options: object) -> Game:
    """Load a shipped game by its id, or a definition file by its path, with some options chosen.

    Options may also follow the id: ``magi:classic_ep=on,scoring=four_points``. Translations of a definition file are in
    the same folder: ``mygame.fr.toml`` next to ``mygame.toml``; see :meth:`Game.localized`.

    >>> load("chieftain", bent=True).chosen_options
    {'bent': 'on'}

    :raises DefinitionError: if the definition has faults, or the game or an option does not exist; ``faults`` lists
        every fault with its line.
    :raises OSError: if the file cannot be read.
    """
    if isinstance(game, Game):
        chosen = {**game.chosen_options, **options}
        return Game(game.source, game.file, chosen, game.language, game.translations) if options else game
    spec = os.fspath(game)
    if " " in spec and spec.count("/") > 1:
        hint = "this looks like a FEN; the first argument is a game, so give it as fen=..."
        raise definition_error(spec[:40], hint, line=0)
    name, path_options = split_spec(spec)
    chosen = {**path_options, **options}
    if name.endswith(".toml") or os.sep in name:
        if "\0" in name:
            raise definition_error(name.replace("\0", "")[:40], "a path has no NUL in it", line=0)
        path = Path(name)
        return Game(read_definition(path), path.name, chosen, translations=read_translations(path))
    if name not in games() and is_file(f"{name}.toml"):
        raise definition_error(name, f"no such game; the definition file here is loaded as {name + '.toml'!r}", line=0)
    return _shipped(name, tuple(option_choices(chosen)))


@functools.lru_cache(maxsize=256)
def _shipped(name: str, options: tuple[tuple[str, str], ...], language: str = "en") -> Game:
    return Game(None, name, dict(options), language)


def split_spec(spec: str) -> tuple[str, dict[str, str]]:
    """Split ``magi:classic_ep=on,bent`` into the game and its options; an option without a value is ``on``.

    >>> split_spec("magi:classic_ep=on,scoring=four_points")
    ('magi', {'classic_ep': 'on', 'scoring': 'four_points'})
    """
    name, colon, rest = spec.rpartition(":")
    if not colon or os.sep in rest or rest.endswith(".toml"):
        return spec, {}
    options = {}
    for part in filter(None, rest.split(",")):
        key, equals, value = part.partition("=")
        options[key.strip()] = value.strip() if equals else "on"
    return name, options


def is_file(name: str) -> bool:
    """Return whether a file with this name exists; ``False`` for a text that cannot be a path."""
    try:
        return Path(name).is_file()
    except (OSError, ValueError):
        return False


def read_definition(path: Path) -> str:
    """Read a definition file.

    :raises DefinitionError: if the file is too large or not UTF-8.
    """
    with path.open("rb") as file:
        data = file.read(MAX_DEFINITION + 1)
    if len(data) > MAX_DEFINITION:
        size = path.stat().st_size
        raise definition_error(path.name, f"the file has {size} bytes; a definition has at most {MAX_DEFINITION}")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise definition_error(path.name, f"byte {error.start + 1} is not UTF-8 text") from None


def read_translations(path: Path) -> dict[str, str]:
    """Read the translations next to a definition file, by language.

    :raises DefinitionError: if a file is too large or not UTF-8.
    """
    stem = path.name.removesuffix(".toml")
    paths = {language: path.parent / f"{stem}.{language}.toml" for language in languages()[1:]}
    return {language: read_definition(file) for language, file in paths.items() if file.is_file()}


def definition_error(file: str, message: str, line: int = 1) -> _native.DefinitionError:
    """Return the error for a file that could not be parsed; ``line`` is 0 if the fault is not in a file."""
    fault = Fault(file, line, line, "", message)
    error = _native.DefinitionError(str(fault))
    error.faults = [fault]
    return error


def check(path: str | os.PathLike[str]) -> list[Fault]:
    """Return every fault of a definition file, checked with its default options and with each value of each option.

    An unknown drawing is a fault too, although such a game can be played: the piece shows its letter. A file such as
    ``mygame.fr.toml`` next to ``mygame.toml`` is checked as its translation.

    :raises OSError: if the file cannot be read.
    """
    path = Path(path)
    stem, _, language = path.name.removesuffix(".toml").rpartition(".")
    definition = path.parent / f"{stem}.toml"
    try:
        if language in languages()[1:] and definition.is_file():
            Game(read_definition(definition), definition.name, None, language, {language: read_definition(path)})
            return []
        return _native.check(read_definition(path), path.name, list(drawings()))
    except _native.DefinitionError as error:
        return error.faults
