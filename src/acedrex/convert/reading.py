"""Reads the ``variants.ini`` of Fairy-Stockfish and its relatives."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

from acedrex.convert.pieces import letters_of
from acedrex.errors import Error

__all__ = ["Converted", "Settings", "VariantsError", "built_in", "read_variants"]

#: The settings of a variant in the order in which they apply: those of the variants that it inherits from come first,
#: and a key may come again.
Settings = list[tuple[str, str]]

#: Settings whose values are letters of pieces, or pairs with such letters.
LETTERS = re.compile(
    "pawnTypes|promotionPawnTypes|promotionPieceTypes|enPassantTypes|nMoveRuleTypes|extinctionPieceTypes|castlingRookP"
    "|castlingKingPiece|flagPiece(White|Black|$)|promotionLimit|promotedPieceType|blastImmuneTypes|mutuallyImmuneTypes"
)
#: The longest file, in characters, and the most variants in it.
MOST_TEXT, MOST_VARIANTS = 1_000_000, 2_000
#: The longest chain of variants that inherit from each other.
DEEPEST = 20


class VariantsError(Error):
    """A ``variants.ini`` that cannot be read."""


@dataclass(frozen=True)
class Converted:
    """A definition made from another program's."""

    text: str
    """The definition, in TOML."""
    unsaid: tuple[str, ...]
    """What it does not say of the other definition, a sentence each; empty if it is the same game."""


def read_variants(text: str, known: Mapping[str, Settings] | None = None) -> dict[str, Settings]:
    r"""Read all variants of a file, by their names in its order.

    >>> read_variants("[hill:chess]\nflagPiece = k\nflagRegion = d4 e4 d5 e5\n")["hill"][-1]
    ('flagRegion', 'd4 e4 d5 e5')

    :param known: variants from which those of the file may inherit; by default those that are built in.
    :raises VariantsError: with the line, if the text is not such a file.
    """
    if len(text) > MOST_TEXT:
        raise VariantsError(f"the file has {len(text):,} characters; at most {MOST_TEXT:,}")
    known = built_in() if known is None else known
    found: dict[str, Settings] = {}
    depths: dict[str, int] = {}
    for number, name, parent, own in _sections(text):
        if parent and parent not in found and parent not in known:
            raise VariantsError(f"line {number}: {name:.60} inherits from {parent:.60}, which is not defined")
        depths[name] = depths.get(parent, 0) + 1
        if depths[name] > DEEPEST or len(found) >= MOST_VARIANTS:
            raise VariantsError(f"line {number}: too many variants, or too many that inherit from each other")
        inherited = (found.get(parent) or known[parent]) if parent else []
        found[name] = [*_inherited(inherited, own), *own]
    return found


def _sections(text: str) -> Iterator[tuple[int, str, str, Settings]]:
    """Yield the sections of a file: the number of the line, the name, the parent's name, and the settings."""
    number, head, own = 0, "", Settings()
    for place, line in enumerate(text.splitlines(), 1):
        line = line.split("#", 1)[0].strip()
        if not line:
            continue
        if line.startswith("["):
            if not line.endswith("]"):
                raise VariantsError(f"line {place}: {line:.60} has no closing bracket")
            if head:
                yield number, *_names(head), own
            number, head, own = place, line[1:-1], Settings()
            continue
        key, equals, value = (part.strip() for part in line.partition("="))
        if not head or not equals or not key:
            raise VariantsError(f"line {place}: {line:.60} where [name] or key = value was expected")
        own.append((key, value))
    if head:
        yield number, *_names(head), own


def _names(head: str) -> tuple[str, str]:
    name, _, parent = head.partition(":")
    return name.strip(), parent.strip()


def _inherited(settings: Settings, own: Settings) -> Settings:
    """Return what a variant inherits: letters stand for piece types, which its own settings may give other letters."""
    before, after = letters_of(settings), letters_of([*settings, *own])
    kinds = {letter: kind for kind, letter in before.items()}

    def renamed(letter: str) -> str:
        kind = kinds.get(letter.upper())
        now = letter.upper() if kind is None else after.get(kind, "")
        return now if letter.isupper() else now.lower()

    def value_of(key: str, value: str) -> str:
        if not LETTERS.match(key):
            return value
        if ":" not in value:
            return "".join(map(renamed, value)) or "-"
        pairs = (pair.partition(":")[::2] for pair in value.split())
        now = ((renamed(first), renamed(second)) for first, second in pairs)
        return " ".join(f"{first}:{second}" for first, second in now if first and second)

    return [(key, value_of(key, value)) for key, value in settings]


@cache
def built_in() -> Mapping[str, Settings]:
    """Return the variants that Fairy-Stockfish has without a file."""
    text = resources.files(__package__).joinpath("built-in.ini").read_text("utf-8")
    return read_variants(text, {})
