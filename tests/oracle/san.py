"""SAN of one ply; the plies of a turn are joined by commas."""

from . import chieftain, squares
from .squares import for_side


def write(position, ply):
    if ply not in position.legal():
        raise ValueError(f"illegal ply {ply!r}")
    if ply == "end":
        # A shorter turn is written without it; nothing but a pass needs a word.
        return "end" if position.plies else "pass"
    if ply in ("claim", "playon"):
        return ply
    return body(position, ply) + ending(position, ply)


def body(position, ply):
    move = position.find(ply)
    if getattr(move, "rook", None):
        return "O-O" if move.target[0] > move.origin[0] else "O-O-O"
    letter = position.board[move.origin].upper()
    if letter == "P":
        # As everywhere in SAN, a Pawn that captures tells its file.
        text = squares.name(move.origin)[0] if move.victim is not None else ""
    else:
        text = letter + disambiguation(position, move)
    text += ("x" if move.victim is not None else "") + squares.name(move.target)
    promotion = getattr(move, "promotion", "")
    return text + (f"={promotion}" if promotion else "")


def disambiguation(position, move):
    """File if that is enough, else rank if that is, else both."""
    letter = position.board[move.origin]
    rivals = {
        rival.origin
        for rival in position.moves()
        if rival.target == move.target and rival.origin != move.origin and position.board[rival.origin] == letter
    }
    file, rank = squares.name(move.origin)[0], squares.name(move.origin)[1:]
    if not rivals:
        return ""
    if all(rival[0] != move.origin[0] for rival in rivals):
        return file
    if all(rival[1] != move.origin[1] for rival in rivals):
        return rank
    return file + rank


def ending(position, ply):
    after = position.play(ply)
    if position.many_plies:
        enemy = "b" if position.turn == "w" else "w"
        taken = for_side("C", enemy) in position.board.values()
        return "#" if taken and chieftain.chiefs_of(after, enemy) == 0 else ""
    if not after.in_check():
        return ""
    return "+" if after.moves() else "#"
