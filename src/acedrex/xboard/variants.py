"""The games as described to XBoard."""

from __future__ import annotations

import re

from acedrex.game import Game, PieceType
from acedrex.protocol.catalogue import Catalogue
from acedrex.squares import square_distance

__all__ = ["KNOWN", "description", "variant_names"]

#: The games whose rules XBoard knows, with its names for them.
KNOWN = {
    "chess": "normal",
    "capablanca": "capablanca",
    "grand": "grand",
    "knightmate": "knightmate",
    "xiangqi": "xiangqi",
}

#: XBoard misreads moves from a sixteenth rank.
MOST_RANKS = 15

#: XBoard's pictures in the order of its letters, without the King's: the drawings of ours that each can represent; a
#: dot if it resembles none of them, a dash if it resembles another picture.
DRAWINGS = """
pawn | knight horse | bishop | rook chariot | queen | general guard | elephant mammoth | minotaur champion |
amazon | advisor wyvern | prince man | cannon | moon | archbishop cardinal | duke ship dragon | duchess |
chancellor marshall | eagle gryphon | maasai troll | snake | rhinoceros | lion | hero | giraffe | camel |
machine tower | panther | shaman | frog | - | crocodile bow | buffalo stag | tiger | turtle | pegasus centaur |
wizard sorceress | chieftain | soldier | sergeant | . | . | . | . | . | . | . | . | . | - | . | . | . | . | - | - |
. | . | . | . | . | . | . | - | - | -
"""
#: The Betza atoms of a King's jump, by its two distances.
LEAPERS = {(0, 2): "D", (2, 2): "A", (1, 2): "N"}
PICTURES = [drawings.strip() for drawings in DRAWINGS.split("|")]


def playable(game: Game) -> bool:
    """Return whether XBoard can play a game: one move per turn, and not too many ranks or kinds."""
    plain = not game.turns_of_several_moves and not game._may_pass and game.scoring != "four_points"
    return plain and game.ranks <= MOST_RANKS and len(game.pieces) <= len(PICTURES) - PICTURES.count("-") + 1


def variant_names(games: Catalogue) -> dict[str, str]:
    """Return the games that XBoard can play, by XBoard's names; those whose rules it knows come first."""
    names = sorted((name for name in games if playable(games[name])), key=lambda name: name not in KNOWN)
    return {KNOWN.get(name, name): name for name in names}


def letters(game: Game) -> str:
    """Return the letter of each picture, White's and then Black's, with dots for unused pictures.

    >>> from acedrex import load
    >>> letters(load("shako"))
    'PNBRQ.E....CKpnbrq.e....ck'
    """
    kinds = list(game.pieces)
    royal = next(kind for kind in kinds if kind.royal)
    kinds.remove(royal)
    places: dict[int, PieceType] = {}
    for place, drawings in enumerate(PICTURES):
        fitting = [kind for kind in kinds if kind.art is not None and kind.art in drawings.split()]
        if fitting:
            places[place] = fitting[0]
            kinds.remove(fitting[0])
    free = [place for place, drawings in enumerate(PICTURES) if drawings != "-" and place not in places]
    places.update(zip(free, kinds, strict=False))
    row = "".join(places[place].letter if place in places else "." for place in range(max(places, default=-1) + 1))
    white = row + royal.letter
    return white + white.lower()


def betza(game: Game, kind: PieceType) -> str:
    """Return the moves of a kind in XBoard's notation; empty if it cannot express them."""
    moves = kind.move
    for _, extra in kind.extra_moves[:1]:
        moves += initial(extra)
    if "[" in moves or "(" in moves:
        return ""
    if kind.royal:
        steps = [sorted(map(abs, step)) for step in game._jump]
        jumps = {LEAPERS[near, far] for near, far in steps}
        moves += initial("".join(f"m{leaper}" for leaper in LEAPERS.values() if leaper in jumps))
        for king, *_ in game._castlings[:1]:
            moves += f"isO{square_distance(*king)}"
    # XBoard knows only one kind of lame leap.
    return moves.replace("nn", "n")


def initial(moves: str) -> str:
    """Mark moves as first moves.

    >>> initial("fmDfmH")
    'ifmDifmH'
    """
    return re.sub(r"([a-z]*[A-Z])", r"i\1", moves)


def description(game: Game) -> list[str]:
    """Return the lines that describe a game to XBoard: pictures, board size, starting position, and moves."""
    lines = [f"setup ({letters(game)}) {game.files}x{game.ranks}+0_fairy {game.start_fen}"]
    for kind in game.pieces:
        moves = betza(game, kind)
        if moves:
            lines.append(f"piece {kind.letter}& {moves}")
    return lines
