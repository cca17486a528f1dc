"""Writes the drawings and figurines of all pieces as one SVG of symbols, for the board of the web.

Run it as `python tools/make_pieces.py web/board/pieces.svg`.
"""

from __future__ import annotations

import sys
from pathlib import Path

from acedrex import art


def main() -> None:
    symbols = [art.symbol(name, color) for name in art.drawings() for color in (True, False)]
    symbols += [art.figurine(name) for name in art.drawings()]
    shapes = dict.fromkeys(symbol.shape for symbol in symbols)
    body = f"<defs>{''.join(shapes)}</defs>" + "".join(symbol.symbol for symbol in symbols)
    head = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">'
    Path(sys.argv[1]).write_text(f"{head}{body}</svg>\n", encoding="utf-8")


if __name__ == "__main__":
    main()
