"""Reads the ``variants.ini`` of Fairy-Stockfish and its relatives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources

from acedrex.errors import Error

__all__ = ["Converted", "Settings", "VariantsError", "built_in", "read_variants"]

#: The settings of a variant in the order in which they apply: those of the variants that it inherits from come first,
#: and a key may come again.
Settings = list[tuple[str, str]]

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
    settings: Settings | None = None
    for number, line in enumerate(text.splitlines(), 1):
        line = line.split("#", 1)[0].strip()
        if not line:
            continue
        if line.startswith("["):
            if not line.endswith("]"):
                raise VariantsError(f"line {number}: {line:.60} has no closing bracket")
            name, _, parent = (part.strip() for part in line[1:-1].partition(":"))
            if parent and parent not in found and parent not in known:
                raise VariantsError(f"line {number}: {name:.60} inherits from {parent:.60}, which is not defined")
            depths[name] = depths.get(parent, 0) + 1
            if depths[name] > DEEPEST or len(found) >= MOST_VARIANTS:
                raise VariantsError(f"line {number}: too many variants, or too many that inherit from each other")
            settings = list(found.get(parent) or known[parent]) if parent else []
            found[name] = settings
            continue
        key, equals, value = (part.strip() for part in line.partition("="))
        if settings is None or not equals or not key:
            raise VariantsError(f"line {number}: {line:.60} where [name] or key = value was expected")
        settings.append((key, value))
    return found


@cache
def built_in() -> Mapping[str, Settings]:
    """Return the variants that Fairy-Stockfish has without a file."""
    text = resources.files(__package__).joinpath("built-in.ini").read_text("utf-8")
    return read_variants(text, {})
