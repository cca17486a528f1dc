"""Pictures of positions for links in forums and messengers, as PNG."""

from __future__ import annotations

from collections import OrderedDict

import resvg_py

from acedrex import Board, svg
from acedrex.game import Game

#: The size that sites ask of pictures for links, and the margin around the board.
WIDTH, HEIGHT, MARGIN = 1200, 630, 24
PAGE = "#F7F1E3"


def draw(game: Game, fen: str, white_below: bool) -> bytes:
    """Draw a position as PNG, in some tens of milliseconds."""
    board = Board(game)
    board.set_fen(fen, playable=False)
    square = min((HEIGHT - 2 * MARGIN) / game.ranks, (WIDTH - 2 * MARGIN) / game.files)
    drawing = svg.board(
        board,
        size=square * max(game.files, game.ranks),
        orientation=white_below,
        coordinates=False,
        lastmove=False,
    )
    x, y = (WIDTH - square * game.files) / 2, (HEIGHT - square * game.ranks) / 2
    page = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}">'
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="{PAGE}"/>'
        f'<g transform="translate({x:.1f} {y:.1f})">{drawing}</g></svg>'
    )
    return bytes(resvg_py.svg_to_bytes(svg_string=page, skip_system_fonts=True))


class Pictures:
    """The pictures that were asked for last."""

    def __init__(self, most: int = 200) -> None:
        """Start without pictures.

        :param most: the maximum number kept.
        """
        self._most = most
        self._kept: OrderedDict[tuple[Game, str, bool], bytes] = OrderedDict()

    def get(self, key: tuple[Game, str, bool]) -> bytes | None:
        """Return a picture, if it is kept."""
        found = self._kept.get(key)
        if found is not None:
            self._kept.move_to_end(key)
        return found

    def keep(self, key: tuple[Game, str, bool], picture: bytes) -> None:
        """Keep a picture; the one not used for longest is dropped."""
        self._kept[key] = picture
        if len(self._kept) > self._most:
            self._kept.popitem(last=False)
