"""How pieces move: leaps, slides, hops and bent slides, by walking the board.

`Piece.targets` is the only place that knows a path. Attacks are asked of it too:
a square is attacked when some enemy piece has a capture that ends there.
"""

from dataclasses import dataclass, field
from functools import cache

from .squares import forward, side_of

ROOK = ((1, 0), (0, 1), (-1, 0), (0, -1))
BISHOP = ((1, 1), (-1, 1), (-1, -1), (1, -1))


def leaper(a, b):
    """All eight (or four) leaps of one shape."""
    shapes = {(a, b), (b, a)}
    signs = ((1, 1), (1, -1), (-1, 1), (-1, -1))
    return tuple(sorted({(x * i, y * j) for x, y in shapes for i, j in signs}))


WAZIR, FERZ = leaper(1, 0), leaper(1, 1)
DABBABA, ALFIL, KNIGHT = leaper(2, 0), leaper(2, 2), leaper(2, 1)
CAMEL, ZEBRA = leaper(3, 1), leaper(3, 2)
TRIPPER, THREELEAPER = leaper(3, 3), leaper(3, 0)
KING = WAZIR + FERZ

# One step, then on outward: along a file or rank after a diagonal step (Eagle),
# along a diagonal after an orthogonal one (Rhinoceros).
EAGLE = tuple(((x, y), ((x, 0), (0, y))) for x, y in FERZ)
RHINOCEROS = tuple(((x, y), tuple((x or s, y or s) for s in (1, -1))) for x, y in WAZIR)


@dataclass(frozen=True)
class Piece:
    leaps: tuple = ()  # may move there or capture there
    captures: tuple = ()  # leaps that only capture; for White, mirrored for Black
    forward_leaps: tuple = ()  # leaps for White, mirrored for Black
    slides: tuple = ()
    reach: int = 99  # of the slides
    hops: tuple = ()  # slides to move, captures beyond one mount
    bent: tuple = field(default=())

    def targets(self, board, origin, width, height):
        """Pairs (square, is a capture) of the piece standing on `origin`."""
        side = side_of(board[origin])

        def at(x, y):
            """None off the board, else 'empty', 'own' or 'enemy'."""
            if not (0 <= x < width and 0 <= y < height):
                return None
            if (x, y) not in board:
                return "empty"
            return "own" if side_of(board[(x, y)]) == side else "enemy"

        file, rank = origin
        ahead = forward(side)
        found = []

        def slide(x, y, dx, dy, limit):
            for _ in range(limit):
                x, y = x + dx, y + dy
                there = at(x, y)
                if there == "empty":
                    found.append(((x, y), False))
                    continue
                if there == "enemy":
                    found.append(((x, y), True))
                return

        def hop(x, y, dx, dy):
            x, y = x + dx, y + dy
            while at(x, y) == "empty":
                found.append(((x, y), False))
                x, y = x + dx, y + dy
            if at(x, y) is None:
                return
            x, y = x + dx, y + dy  # over the mount, whoever owns it
            while at(x, y) == "empty":
                x, y = x + dx, y + dy
            if at(x, y) == "enemy":
                found.append(((x, y), True))

        for dx, dy in self.leaps:
            there = at(file + dx, rank + dy)
            if there in ("empty", "enemy"):
                found.append(((file + dx, rank + dy), there == "enemy"))
        for dx, dy in self.forward_leaps:
            there = at(file + dx, rank + dy * ahead)
            if there in ("empty", "enemy"):
                found.append(((file + dx, rank + dy * ahead), there == "enemy"))
        for dx, dy in self.captures:
            if at(file + dx, rank + dy * ahead) == "enemy":
                found.append(((file + dx, rank + dy * ahead), True))
        for dx, dy in self.slides:
            slide(file, rank, dx, dy, self.reach)
        for dx, dy in self.hops:
            hop(file, rank, dx, dy)
        for (dx, dy), onward in self.bent:
            x, y = file + dx, rank + dy
            there = at(x, y)
            if there in ("empty", "enemy"):
                found.append(((x, y), there == "enemy"))
            if there == "empty":
                for ox, oy in onward:
                    slide(x, y, ox, oy, 99)
        return found


@cache
def _may_ever_reach(piece, side, origin, width, height):
    """A superset of the squares attacked from `origin`: those of an empty board.

    Only saves time: pieces in the way take squares off a path, never add any.
    """
    board = {origin: "P" if side == "w" else "p"}
    squares = {square for square, _ in piece.targets(board, origin, width, height)}
    ahead = forward(side)
    squares |= {(origin[0] + dx, origin[1] + dy * ahead) for dx, dy in piece.captures}
    return squares


def attacked(game, board, square):
    """Whether an enemy of the piece standing on `square` could capture it."""
    side = side_of(board[square])
    for origin, letter in board.items():
        if side_of(letter) == side:
            continue
        piece = game.pieces[letter.upper()]
        area = _may_ever_reach(piece, side_of(letter), origin, game.width, game.height)
        if square not in area:
            continue
        if (square, True) in piece.targets(board, origin, game.width, game.height):
            return True
    return False
