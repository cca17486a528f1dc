"""Plies of the four games with a King: make each one and see whether it stands.

What Cazaux's games and Magi do not share (straight steps of soldiers, the King's
special moves, rights) is asked of `cazaux.py` and `magi.py`.
"""

from dataclasses import dataclass

from . import cazaux, magi, squares
from .pieces import attacked
from .squares import for_side, other, side_of

FAMILIES = {"cazaux": cazaux, "magi": magi}


@dataclass(frozen=True)
class Move:
    origin: tuple
    target: tuple
    promotion: str = ""
    victim: tuple | None = None  # the square of what is captured
    landings: tuple = ()  # squares on which this step may be met en passant
    rook: tuple | None = None  # where castling takes the Rook from and to

    @property
    def text(self):
        ply = squares.name(self.origin) + squares.name(self.target)
        return ply + self.promotion.lower()


def family(position):
    return FAMILIES[position.game.family]


def last_rank(game, side):
    return game.height - 1 if side == "w" else 0


def king_square(board, side):
    return next(s for s, letter in board.items() if letter == for_side("K", side))


def board_after(board, move):
    board = dict(board)
    if move.victim is not None:
        del board[move.victim]
    letter = board.pop(move.origin)
    if move.promotion:
        letter = for_side(move.promotion, side_of(letter))
    board[move.target] = letter
    if move.rook:
        board[move.rook[1]] = board.pop(move.rook[0])
    return board


def in_check(position, side=None):
    king = king_square(position.board, side or position.turn)
    return attacked(position.game, position.board, king)


def with_promotions(position, move):
    """A soldier that arrives on its last rank must promote, by whatever move."""
    game = position.game
    kind = position.board[move.origin].upper()
    if kind in game.promoters and move.target[1] == last_rank(game, position.turn):
        for letter in game.promotions:
            # Nothing is left of the soldier that could be taken in passing.
            yield Move(move.origin, move.target, letter, move.victim)
    else:
        yield move


def en_passant(position, origin):
    """Only Pawns take en passant, as they capture: one diagonally ahead."""
    if position.board[origin].upper() != "P":
        return
    ahead = squares.forward(position.turn)
    for dx in (-1, 1):
        target = (origin[0] + dx, origin[1] + ahead)
        if target in position.ep:
            yield Move(origin, target, victim=position.victim)


def pseudo_moves(position):
    game, board = position.game, position.board
    special = family(position)
    for origin, letter in board.items():
        if side_of(letter) != position.turn:
            continue
        piece = game.pieces[letter.upper()]
        steps = [
            Move(origin, target, victim=target if captures else None)
            for target, captures in piece.targets(board, origin, game.width, game.height)
        ]
        for target, landings in special.straight_steps(position, origin):
            steps.append(Move(origin, target, landings=landings))
        steps.extend(en_passant(position, origin))
        for move in steps:
            yield from with_promotions(position, move)
    for origin, target, rook in special.king_moves(position):
        yield Move(origin, target, rook=rook)


def is_legal(position, move):
    board = board_after(position.board, move)
    king = king_square(board, position.turn)
    return not attacked(position.game, board, king)


def legal_moves(position):
    return [move for move in pseudo_moves(position) if is_legal(position, move)]


def legal_landings(position, landings, victim):
    """Those of the squares where a Pawn may legally take `victim` en passant."""
    trial = position.changed(ep=tuple(landings), victim=victim)
    legal = [
        move.target
        for origin in position.board
        if side_of(position.board[origin]) == position.turn
        for move in en_passant(trial, origin)
        if is_legal(trial, move)
    ]
    return tuple(sorted(set(legal), key=lambda square: (square[1], square[0])))


def after(position, move):
    """The position when the turn has passed to the other side."""
    game, side = position.game, position.turn
    kind = position.board[move.origin].upper()
    quiet = move.victim is None and kind not in game.one_way and not move.promotion
    following = position.changed(
        board=board_after(position.board, move),
        turn=other(side),
        rights=family(position).rights_after(position, move),
        ep=(),
        victim=None,
        halfmove=position.halfmove + 1 if quiet else 0,
        fullmove=position.fullmove + (side == "b"),
        start=None,
        plies=(),
    )
    if move.landings:
        ep = legal_landings(following, move.landings, move.target)
        if ep:
            following = following.changed(ep=ep, victim=move.target)
    return following.with_history(position.history)
