"""The piece types of Fairy-Stockfish and their letters."""

from __future__ import annotations

import re
from collections.abc import Iterable

__all__ = ["NAMES", "PIECES", "letters_of"]

#: The predefined piece types: their names and moves. Pawns and Kings have more rules.
PIECES = {
    "pawn": ("Pawn", "fmWfceF"),
    "knight": ("Knight", "N"),
    "bishop": ("Bishop", "B"),
    "rook": ("Rook", "R"),
    "queen": ("Queen", "Q"),
    "fers": ("Ferz", "F"),
    "alfil": ("Alfil", "A"),
    "fersAlfil": ("Ferz-Alfil", "FA"),
    "silver": ("Silver General", "FfW"),
    "aiwok": ("Aiwok", "RNF"),
    "bers": ("Bers", "RF"),
    "archbishop": ("Archbishop", "BN"),
    "chancellor": ("Chancellor", "RN"),
    "amazon": ("Amazon", "QN"),
    "knibis": ("Knibis", "mNcB"),
    "biskni": ("Biskni", "mBcN"),
    "kniroo": ("Kniroo", "mNcR"),
    "rookni": ("Rookni", "mRcN"),
    "shogiPawn": ("Shogi Pawn", "fW"),
    "lance": ("Lance", "fR"),
    "shogiKnight": ("Shogi Knight", "ffN"),
    "gold": ("Gold General", "WfF"),
    "dragonHorse": ("Dragon Horse", "BW"),
    "clobber": ("Stone", "cW"),
    "breakthrough": ("Breakthrough Pawn", "fmWfF"),
    "cannon": ("Cannon", "mRcpR"),
    "janggiCannon": ("Janggi Cannon", "pR"),
    "soldier": ("Soldier", "fsW"),
    "horse": ("Horse", "nN"),
    "elephant": ("Elephant", "nA"),
    "janggiElephant": ("Janggi Elephant", "[W-fsF-fF]"),
    "banner": ("Banner", "RcpRnN"),
    "wazir": ("Wazir", "W"),
    "commoner": ("Man", "K"),
    "centaur": ("Centaur", "KN"),
    "king": ("King", "K"),
    "immobile": ("Rock", ""),
}
#: The names by the moves, for pieces of one's own.
NAMES = {moves: name for name, moves in PIECES.values()}


def letters_of(settings: Iterable[tuple[str, str]]) -> dict[str, str]:
    """Return the capital letters of the piece types; a letter belongs to the last type that it was given to.

    >>> letters_of([("pawn", "p"), ("knight", "n"), ("customPiece1", "n:NK")])
    {'pawn': 'P', 'customPiece1': 'N'}
    """
    found: dict[str, str] = {}
    for key, value in settings:
        if key not in PIECES and not re.fullmatch(r"customPiece\d+", key):
            continue
        letter = value.partition(":")[0].strip().upper()
        found.pop(key, None)
        if letter not in ("-", ""):
            found = {kind: other for kind, other in found.items() if other != letter}
            found[key] = letter
    return found
