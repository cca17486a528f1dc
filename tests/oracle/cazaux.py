"""What Metamachy, Zanzibar-S and Maasai add: the King's jump and double steps."""

from .pieces import attacked
from .squares import for_side, forward, other, side_of


def straight_steps(position, origin):
    """Pairs (target, en passant landings): non-capturing steps straight ahead."""
    game, board, side = position.game, position.board, position.turn
    kind = board[origin].upper()
    file, rank = origin
    ahead = forward(side)
    one, two = (file, rank + ahead), (file, rank + 2 * ahead)

    def free(square):
        return 0 <= square[1] < game.height and square not in board

    # The Prince's single step is one of its own moves.
    if kind == "P" and free(one):
        yield one, ()
    if may_double(game, kind, side, rank) and free(one) and free(two):
        yield two, (one,)


def may_double(game, kind, side, rank):
    if kind not in game.double_steppers:
        return False
    return game.double_ranks is None or rank == game.double_ranks[side]


def safe_middle(position, king, middle):
    """Lift the King, remove what stands on the square, stand the King there."""
    board = dict(position.board)
    del board[king]
    board[middle] = for_side("K", position.turn)
    return not attacked(position.game, board, middle)


def king_moves(position):
    """The jumps, but for the landing square: that is judged like any other ply."""
    game, board = position.game, position.board
    letter = for_side("K", position.turn)
    if letter not in position.rights:
        return
    king = next(s for s in board if board[s] == letter)
    if attacked(game, board, king):
        return
    file, rank = king
    for dx in range(-2, 3):
        for dy in range(-2, 3):
            if max(abs(dx), abs(dy)) < 2:
                continue
            target = (file + dx, rank + dy)
            on_board = 0 <= target[0] < game.width and 0 <= target[1] < game.height
            if not on_board or target in board:
                continue
            # The King's step whose direction is nearest: for straight and diagonal
            # jumps half the way, for Knight-like ones the diagonal neighbour ...
            sx, sy = (dx > 0) - (dx < 0), (dy > 0) - (dy < 0)
            middles = [(file + sx, rank + sy)]
            if {abs(dx), abs(dy)} == {1, 2}:  # ... and the orthogonal one
                middles.append((file + int(dx / 2), rank + int(dy / 2)))
            if any(safe_middle(position, king, middle) for middle in middles):
                yield king, target, None


def rights_after(position, move):
    letter = for_side("K", position.turn)
    if position.board[move.origin] == letter:
        return position.rights.replace(letter, "")
    return position.rights


def right_in_place(position, letter):
    """A King that may still jump may stand anywhere."""
    return letter in position.board.values()


def last_step(position, landing):
    """The square of the soldier that may just have passed `landing`, or None."""
    game, board = position.game, position.board
    mover = other(position.turn)
    ahead = forward(mover)
    file, rank = landing
    origin, target = (file, rank - ahead), (file, rank + ahead)
    if not 0 <= origin[1] < game.height or origin in board or landing in board:
        return None
    soldier = board.get(target)
    if soldier is None or side_of(soldier) != mover:
        return None
    if not may_double(game, soldier.upper(), mover, origin[1]):
        return None
    return target


def needs_choice(position):
    return False
