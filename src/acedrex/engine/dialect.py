"""What other programs call our games, and how they write their positions."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from acedrex.engine.process import EngineError, shorten
from acedrex.game import Game

__all__ = ["FAIRY_STOCKFISH", "Dialect", "choose"]


@dataclass(frozen=True, slots=True)
class Dialect:
    """A game as a program knows it.

    >>> FAIRY_STOCKFISH["magi:classic_ep=on"].fen("k9/10/10/10/10/10/10/10/10/K9 w Dg - 0 1")
    'k9/10/10/10/10/10/10/10/10/K9 w - - 0 1'
    """

    variant: str
    """The value of its option ``UCI_Variant``."""
    without: str = ""
    """Rights of our FEN that it does not know, letter by letter."""

    def fen(self, fen: str) -> str:
        """Write one of our FENs as the program reads it."""
        fields = fen.split(" ")
        fields[2] = "".join(right for right in fields[2] if right not in self.without) or "-"
        return " ".join(fields)


#: The games that Fairy-Stockfish plays by our rules, by their names with options. It has no Magi of its own, but from
#: version 14 on it can be told of one; it lets every Pawn on d3 step two, and knows classic captures in passing only.
FAIRY_STOCKFISH = {
    "capablanca": Dialect("capablanca"),
    "chess": Dialect("chess"),
    "grand": Dialect("grand"),
    "knightmate": Dialect("knightmate"),
    "magi:classic_ep=on": Dialect("magi", without="DGdg"),
    "shako": Dialect("shako"),
    "xiangqi": Dialect("xiangqi"),
}


def choose(game: Game, program: str, variants: Collection[str]) -> Dialect:
    """Find out what a program calls a game.

    >>> from acedrex.game import load
    >>> choose(load("magi:classic_ep=on"), "Fairy-Stockfish 14", ["chess", "magi"]).variant
    'magi'

    :param program: what it calls itself.
    :param variants: the games that it knows.
    :raises EngineError: if it does not know the game with these options.
    """
    if program.startswith("Acedrex ") and game.id in variants:
        return Dialect(game.spec)
    same = {spec: dialect for spec, dialect in FAIRY_STOCKFISH.items() if spec.partition(":")[0] == game.id}
    # A game that is not in the table comes from a file of the program's own, which alone knows what it means.
    known = same.get(game.spec) if same else Dialect(game.spec)
    if known is not None and known.variant in variants:
        return known
    able = [spec for spec, dialect in same.items() if dialect.variant in variants] or sorted(variants)
    raise EngineError(f"{program} does not play {game.spec}; it plays {shorten(', '.join(able), 300)}")
