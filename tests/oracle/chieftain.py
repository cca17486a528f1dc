"""Chieftain Chess: moves of single pieces, command, and turns of several plies."""

from dataclasses import dataclass

from . import squares
from .pieces import BISHOP, FERZ, KING, KNIGHT, ROOK, WAZIR
from .squares import distance, forward, other, side_of

LEAPERS = {"N": KNIGHT, "M": KING, "F": KNIGHT + FERZ, "W": KNIGHT + WAZIR}


@dataclass(frozen=True)
class Move:
    origin: tuple
    target: tuple
    victim: tuple | None = None

    @property
    def text(self):
        return squares.name(self.origin) + squares.name(self.target)


def piece_targets(position, origin):
    """The squares where the piece on `origin` may go, command aside."""
    game, board = position.game, position.board
    letter = board[origin]
    kind, side = letter.upper(), side_of(letter)

    def add(square, dx, dy):
        return (square[0] + dx, square[1] + dy)

    def on_board(square):
        return 0 <= square[0] < game.width and 0 <= square[1] < game.height

    def may_end(square):
        if not on_board(square) or square == origin:
            return False
        return square not in board or side_of(board[square]) != side

    def may_pause(square):
        """A move goes on only from an empty square."""
        return on_board(square) and square not in board

    found = set()
    if kind in LEAPERS:
        found = {add(origin, dx, dy) for dx, dy in LEAPERS[kind]}
    elif kind == "C":
        for first in KING:
            middle = add(origin, *first)
            found.add(middle)
            if may_pause(middle):
                found |= {add(middle, *second) for second in KING}
    else:
        lines = ROOK if kind in "HZ" else BISHOP
        for dx, dy in lines:
            turns = lines if kind in "ZY" else ((dx, dy),)
            step, jump = add(origin, dx, dy), add(origin, 2 * dx, 2 * dy)
            found |= {step, jump}
            if may_pause(step):
                found |= {add(step, 2 * x, 2 * y) for x, y in turns}
            if may_pause(jump):
                found |= {add(jump, x, y) for x, y in turns}
        if kind in "SY" and position.options["shaman_back"] == "on":
            found.add(add(origin, 0, -forward(side)))
    return sorted(square for square in found if may_end(square))


def spend(position, origin):
    """The sets of Chieftains that may be spent once the piece there has moved.

    Nobody names the commander, so every assignment still possible is kept: a set
    of squares where spent Chieftains stand, for each way to have spent them.
    """
    board, side = position.board, position.turn
    chiefs = [square for square, letter in board.items() if letter.upper() == "C" and side_of(letter) == side]
    reach = position.options["command_range"]
    result = set()
    for spent in position.assignments:
        for chief in chiefs:
            near = reach == "unlimited" or distance(chief, origin) <= int(reach)
            if chief in spent or not near:
                continue
            commands_chief = board[origin].upper() == "C" and chief != origin
            if commands_chief and position.options["chiefs_command_chiefs"] == "off":
                continue
            result.add(spent | {chief})
    return frozenset(result)


def piece_moves(position):
    board = position.board
    found = []
    for origin, letter in board.items():
        if side_of(letter) != position.turn or origin in position.moved:
            continue
        if not spend(position, origin):
            continue
        for target in piece_targets(position, origin):
            victim = target if target in board else None
            found.append(Move(origin, target, victim))
    return found


def chiefs_of(position, side):
    letter = squares.for_side("C", side)
    return sum(1 for piece in position.board.values() if piece == letter)


def is_over(position):
    return min(chiefs_of(position, "w"), chiefs_of(position, "b")) == 0


def legal_moves(position):
    return [] if is_over(position) else piece_moves(position)


def may_end(position):
    """`end` needs a ply before it, unless passing is allowed."""
    if is_over(position):
        return False
    return bool(position.plies) or position.options["pass"] == "on"


def after(position, move):
    """The position after one piece move; the turn passes when nothing is left."""
    board = dict(position.board)
    board[move.target] = board.pop(move.origin)

    def carried(places):
        """The same pieces, wherever the mover has gone."""
        return frozenset(move.target if s == move.origin else s for s in places)

    following = position.changed(
        board=board,
        moved=carried(position.moved) | {move.target},
        assignments=frozenset(carried(spent) for spent in spend(position, move.origin)),
        captured=position.captured or move.victim is not None,
        start=position.start or position,
        plies=(*position.plies, move.text),
    )
    if not legal_moves(following):
        return turn_passed(following, passed=False)
    return following


def end(position):
    return turn_passed(position, passed=not position.plies)


def turn_passed(position, passed):
    return position.changed(
        turn=other(position.turn),
        rights="p" if passed else "",
        halfmove=0 if position.captured else position.halfmove + 1,
        fullmove=position.fullmove + (position.turn == "b"),
        start=None,
        plies=(),
        moved=frozenset(),
        assignments=frozenset({frozenset()}),
        captured=False,
        double_pass=passed and position.rights == "p",
    ).with_history(position.history)
