"""The names of our games in other programs, and how those programs write positions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from acedrex.engine.process import EngineError, shorten
from acedrex.engine.text import ProgramOption
from acedrex.game import Game

__all__ = ["FAIRY_STOCKFISH", "Dialect", "choose"]


@dataclass(frozen=True, slots=True)
class Dialect:
    """How a program names a game and writes its positions.

    >>> FAIRY_STOCKFISH["magi:classic_ep=on"].fen("k9/10/10/10/10/10/10/10/10/K9 w KDg - 0 1")
    'k9/10/10/10/10/10/10/10/10/K9 w K - 0 1'
    """

    variant: str | None
    """The value of the option ``UCI_Variant``; ``None`` if it is not to be set."""
    only_castling: bool = False
    """Whether the program would read other rights in a FEN as castling with the Rook on that file."""

    def fen(self, fen: str) -> str:
        """Convert one of our FENs for the program."""
        if not self.only_castling:
            return fen
        fields = fen.split(" ")
        fields[2] = "".join(right for right in fields[2] if right in "KQkq") or "-"
        return " ".join(fields)


#: The games that Fairy-Stockfish plays by our rules, by id and options. It has no built-in Magi, but since version 14
#: it can load a definition; it lets every Pawn on d3 step two squares, and knows only classic *en passant*.
FAIRY_STOCKFISH = {
    spec: Dialect(spec.partition(":")[0], only_castling=True)
    for spec in ("capablanca", "chess", "grand", "knightmate", "magi:classic_ep=on", "shako", "xiangqi")
}


def choose(game: Game, program: str, options: Mapping[str, ProgramOption], variant: str | None = None) -> Dialect:
    """Return how a program names a game, by what it lists as values of its option ``UCI_Variant``.

    A program that lists the id of the game plays it by our rules. Exceptions are Fairy-Stockfish and its forks,
    whatever they are called, which all have the option ``VariantPath``: some of their games have our names and other
    rules.

    >>> from acedrex.game import load
    >>> listed = {"UCI_Variant": ProgramOption("UCI_Variant", "combo", "chess", ("chess", "magi"))}
    >>> choose(load("magi"), "Merlin 2", listed).variant
    'magi'

    :param program: the name that the program gives itself.
    :param options: the options that it lists.
    :param variant: the program's name of the game, whatever it lists; ``"none"`` if it plays nothing else.
    :raises EngineError: if it does not play the game with these options.
    """
    named = {name.lower(): option for name, option in options.items()}
    option, fairy = named.get("uci_variant"), "variantpath" in named or "fairy-stockfish" in program.lower()
    if variant == "none":
        return Dialect(None, only_castling=fairy)
    if option is None:
        if variant is not None:
            raise EngineError(f"{program} has no option UCI_Variant to set to {variant}; write variant=none")
        if game.spec == "chess":
            return Dialect(None)
        raise EngineError(
            f"{program} does not play {game.spec}: it has no option UCI_Variant, and so plays chess. "
            f"If it plays {game.spec} and nothing else, add variant=none"
        )
    listed = {name.lower(): name for name in option.choices or (option.default,)}
    played = ", ".join(sorted(listed.values()))
    if variant is None and fairy:
        table = {spec: dialect.variant for spec, dialect in FAIRY_STOCKFISH.items() if spec.split(":")[0] == game.id}
        # A game that is not in the table comes from a file of the program itself, which alone defines its rules.
        variant = listed.get((table.get(game.spec) if table else game.spec) or "")
        played = ", ".join(spec for spec, name in table.items() if name in listed) or played
    elif variant is None and program.startswith("Acedrex ") and game.id in listed:
        variant = game.spec  # options follow the name
    elif variant is None:
        variant = listed.get(game.spec)
    if variant is not None:
        return Dialect(variant, only_castling=fairy)
    raise EngineError(
        f"{program} does not play {game.spec}; it {f'plays {shorten(played, 300)}' if played else 'lists no games'}. "
        "If it knows the game under another name, add variant=NAME"
    )
