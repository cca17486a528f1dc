"""The colours of the terminal, from the book of games: parchment, vermilion, lapis and gold.

A terminal's own background may be light or dark, so words outside the board use tones that read on both. On the board each
sign has a tone for light squares and one for dark squares.
"""

from typing import Final

__all__ = [
    "BLACK",
    "CHECK",
    "GOLD",
    "INKS",
    "LAST",
    "LIGHT_DARK",
    "MUTED",
    "READY",
    "SETUP",
    "SPENT",
    "VERMILION",
    "WHITE",
]

#: Words outside the board.
MUTED: Final = "7F7364"
VERMILION: Final = "CF4A30"
GOLD: Final = "9A7016"

#: Fills of pieces, each the ink on the other's.
WHITE: Final = "FFF9EC"
BLACK: Final = "241C15"
#: Fill and ink of a piece that has moved in this turn, Black's and White's.
SPENT: Final = (("5A5046", "D8CFC0"), ("CDC3B2", "4A4036"))
#: The bar under a piece that may still move in this turn.
READY: Final = "F3C94F"

#: Grounds of squares, light and dark.
LIGHT_DARK: Final = ("C9B48E", "80664A")
LAST: Final = ("8FA6C4", "4F6A90")
CHECK: Final = ("E0553A", "C23A22")
SETUP: Final = ("F0C24E", "C99A2A")

#: Inks of signs on light and dark squares, by kind of reach.
INKS: Final = {
    "move": ("1F4E8C", "A9C6F2"),
    "capture": ("8A2010", "FFB5A0"),
    "both": ("8A2010", "FFB5A0"),
    "hop": ("6B4A0C", "F3D58C"),
    "mount": ("6B4A0C", "F3D58C"),
}
