"""The colours of the terminal, from the book of games: parchment, vermilion, lapis and gold.

The background of a terminal may be light or dark, so text outside the board uses colours that are legible on both. On
the board each sign has a colour for light squares and one for dark squares.
"""

from typing import Final

__all__ = [
    "BLACK",
    "CHECK",
    "GOLD",
    "INDEXED",
    "INKS",
    "LAST",
    "LIGHT_DARK",
    "MUTED",
    "READY",
    "SETUP",
    "SMALL_LAST",
    "SMALL_LIGHT_DARK",
    "SMALL_SPENT",
    "SPENT",
    "VERMILION",
    "WHITE",
]

#: Text outside the board.
MUTED: Final = "7F7364"
VERMILION: Final = "CF4A30"
GOLD: Final = "9A7016"

#: The fills of pieces; each is the ink on the other.
WHITE: Final = "FFF9EC"
BLACK: Final = "241C15"
#: The fill and ink of a piece that has moved in this turn, Black's and White's.
SPENT: Final = (("5A5046", "D8CFC0"), ("CDC3B2", "4A4036"))
#: The ink of such a piece on small boards.
SMALL_SPENT: Final = ("33281C", "E0D6C4")
#: The bar under a piece that may still move in this turn.
READY: Final = "F3C94F"

#: The colours of light and dark squares; on small boards, letters are directly on the squares, in black and white.
LIGHT_DARK: Final = ("C9B48E", "80664A")
SMALL_LIGHT_DARK: Final = ("A48A60", "7D6446")
LAST: Final = ("8FA6C4", "4F6A90")
SMALL_LAST: Final = ("7F95B8", "54709A")
CHECK: Final = ("E0553A", "C23A22")
SETUP: Final = ("F0C24E", "C99A2A")

#: The inks of signs on light and dark squares, by kind of reach.
INKS: Final = {
    "move": ("163A6B", "A9C6F2"),
    "capture": ("751A0C", "FFB5A0"),
    "both": ("751A0C", "FFB5A0"),
    "hop": ("4A3206", "F3D58C"),
    "mount": ("4A3206", "F3D58C"),
}

#: The colours whose nearest match among 256 terminal colours has another hue, with the number of a better match.
INDEXED: Final = {
    "80664A": 94,
    "7D6446": 94,
    "A48A60": 137,
    "C9B48E": 180,
    "7F95B8": 110,
    "54709A": 67,
    "4F6A90": 60,
    "E0553A": 166,
    "C23A22": 124,
    "163A6B": 18,
    "751A0C": 88,
    "FFB5A0": 217,
    "4A3206": 58,
    "CF4A30": 166,
    "9A7016": 136,
}
