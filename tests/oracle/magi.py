"""What Magi adds: long first steps, its en passant, castling, four points."""

from . import squares
from .pieces import attacked
from .squares import for_side, forward, other, side_of

# Right -> the squares that must still hold these pieces. The Pawns of the third
# rank need a right because a Pawn that arrives on d3 has moved.
HOMES = {
    "K": {"f1": "K", "j1": "R"},
    "Q": {"f1": "K", "a1": "R"},
    "k": {"f10": "k", "j10": "r"},
    "q": {"f10": "k", "a10": "r"},
    "D": {"d3": "P"},
    "G": {"g3": "P"},
    "d": {"d8": "p"},
    "g": {"g8": "p"},
}


def height_of(rank, side):
    """The rank as a number from 1, counted from the side's own edge."""
    return rank + 1 if side == "w" else 10 - rank


def longest_step(position, origin, side):
    """How far a Pawn may go straight ahead over empty squares."""
    height = height_of(origin[1], side)
    if height == 2:
        return 3  # a Pawn on its second rank has never moved
    right = for_side("abcdefghij"[origin[0]], side)
    if height == 3 and right in position.rights and right in "DGdg":
        return 2
    return 1


def straight_steps(position, origin):
    board, side = position.board, position.turn
    if board[origin].upper() != "P":
        return
    first = longest_step(position, origin, side) > 1
    target = origin
    for _ in range(longest_step(position, origin, side)):
        target = (target[0], target[1] + forward(side))
        if not 0 <= target[1] < 10 or target in board:
            return
        yield target, landings(position, origin, target, side) if first else ()


def landings(position, origin, target, side):
    """Where the Pawn may be met after a first move from `origin` to `target`.

    It ends on rank R = 4 or 5; a Pawn beside it on rank r, 4 <= r <= R, lands one
    rank behind r. For the third rank's Pawns that may be the very square they
    left, which `classic_ep` does not allow.
    """
    reached = height_of(target[1], side)
    if reached not in (4, 5):
        return ()
    found = []
    for r in range(4, reached + 1):
        rank = r - 2 if side == "w" else 11 - r
        left = rank == origin[1]
        if left and position.options["classic_ep"] == "on":
            continue
        found.append((target[0], rank))
    return tuple(found)


def king_moves(position):
    """Castling: triples (King from, King to, (Rook from, Rook to))."""
    game, board, side = position.game, position.board, position.turn
    rank = "1" if side == "w" else "10"
    king = squares.parse("f" + rank)
    for right, between, path, rook_from, rook_to in (
        ("K", "ghi", "fghi", "j", "h"),
        ("Q", "edcb", "fedc", "a", "d"),  # b1 may be attacked
    ):
        if for_side(right, side) not in position.rights:
            continue
        if any(squares.parse(file + rank) in board for file in between):
            continue
        safe = True
        for file in path:
            trial = dict(board)
            del trial[king]
            square = squares.parse(file + rank)
            trial[square] = for_side("K", side)
            safe = safe and not attacked(game, trial, square)
        if safe:
            rook = (squares.parse(rook_from + rank), squares.parse(rook_to + rank))
            yield king, squares.parse(path[-1] + rank), rook


def rights_after(position, move):
    touched = {squares.name(move.origin), squares.name(move.target)}
    return "".join(letter for letter in position.rights if letter in "Xx" or not touched & set(HOMES[letter]))


def right_in_place(position, letter):
    if letter in "Xx":
        return position.options["scoring"] == "four_points"
    return all(position.board.get(squares.parse(square)) == piece for square, piece in HOMES[letter].items())


def last_step(position, landing):
    """The square of the Pawn that may just have passed or left `landing`."""
    board, mover = position.board, other(position.turn)
    ahead = forward(mover)
    if landing in board:
        return None
    target = landing
    while target not in board:
        target = (target[0], target[1] + ahead)
        if not 0 <= target[1] < 10:
            return None
    if board[target] != for_side("P", mover):
        return None
    homes = [1] + ([2] if "abcdefghij"[target[0]] in "dg" else [])
    for home in homes:
        origin = (target[0], home if mover == "w" else 9 - home)
        steps = (target[1] - origin[1]) * ahead
        path = [(origin[0], origin[1] + n * ahead) for n in range(steps)]
        if not 1 <= steps <= 4 - home or any(square in board for square in path):
            continue
        if landing in landings(position, origin, target, mover):
            return target
    return None


def material(position, side):
    return [v.upper() for v in position.board.values() if side_of(v) == side]


def both_bare(position):
    return len(position.board) == 2


def needs_choice(position):
    """Whether the side to move must first say `claim` or `playon` (Bare King)."""
    side = position.turn
    if position.options["scoring"] != "four_points" or position.plies:
        return False
    if for_side("X", side) in position.rights:
        return False
    if material(position, other(side)) != ["K"]:
        return False
    own = material(position, side)
    return any(kind in own for kind in "NBW") and not any(k in own for k in "QRAD")
