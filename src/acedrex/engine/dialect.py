"""The names of our games in other programs, and how those programs write positions."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from acedrex.engine.process import EngineError, shorten
from acedrex.game import Game

__all__ = ["FAIRY_STOCKFISH", "Dialect", "choose"]


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a program names a game and writes its positions.

    >>> FAIRY_STOCKFISH["magi:classic_ep=on"].fen("k9/10/10/10/10/10/10/10/10/K9 w Dg - 0 1")
    'k9/10/10/10/10/10/10/10/10/K9 w - - 0 1'
    """

    variant: str
    """The value of the option ``UCI_Variant``."""
    without: str = ""
    """The letters of rights in our FEN that the program does not know."""

    def fen(self, fen: str) -> str:
        """Convert one of our FENs for the program."""
        fields = fen.split(" ")
        fields[2] = "".join(right for right in fields[2] if right not in self.without) or "-"
        return " ".join(fields)


#: The games that Fairy-Stockfish plays by our rules, by id and options. It has no built-in Magi, but since version 14
#: it can load a definition; it lets every Pawn on d3 step two squares, and knows only classic *en passant*.
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
    """Return how a program names a game.

    >>> from acedrex.game import load
    >>> choose(load("magi:classic_ep=on"), "Fairy-Stockfish 14", ["chess", "magi"]).variant
    'magi'

    :param program: the name that the program gives itself.
    :param variants: the games that it lists.
    :raises EngineError: if it does not play the game with these options.
    """
    if program.startswith("Acedrex ") and game.id in variants:
        return Dialect(game.spec)
    listed = {spec: dialect for spec, dialect in FAIRY_STOCKFISH.items() if spec.partition(":")[0] == game.id}
    # A game that is not in the table comes from a file of the program itself, which alone defines its rules.
    dialect = listed.get(game.spec) if listed else Dialect(game.spec)
    if dialect is not None and dialect.variant in variants:
        return dialect
    played = [spec for spec, other in listed.items() if other.variant in variants] or sorted(variants)
    raise EngineError(f"{program} does not play {game.spec}; it plays {shorten(', '.join(played), 300)}")
