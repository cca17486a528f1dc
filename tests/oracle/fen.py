"""FEN: six fields for the start of the turn, a seventh for the plies made since.

Errors are raised, never repaired; only en passant squares may be dropped.
"""

import re

from . import chesslike, squares
from .squares import for_side, other, read_placement, side_of, write_placement


def read_into(position, text):
    """Set the fields of a new position; return the plies still to be played."""
    game = position.game
    fields = text.split(" ")
    if len(fields) not in (6, 7) or "" in fields:
        raise ValueError(f"{len(fields)} fields instead of 6 or 7")
    position.board = read_placement(fields[0], game.width, game.height, game.pieces)
    if fields[1] not in ("w", "b"):
        raise ValueError(f"no side to move: {fields[1]!r}")
    position.turn = fields[1]
    position.halfmove = read_number(fields[4], 0)
    position.fullmove = read_number(fields[5], 1)
    if game.family != "chieftain":
        check_pieces(position)
    position.rights = read_rights(position, fields[2])
    listed = read_squares(fields[3], game)
    if game.family != "chieftain":
        if chesslike.in_check(position, other(position.turn)):
            raise ValueError("the side not to move is in check")
        set_en_passant(position, listed)
    return fields[6].split(",") if len(fields) == 7 else []


def read_number(text, least):
    if not re.fullmatch(r"[0-9]{1,6}", text) or int(text) < least:
        raise ValueError(f"bad counter {text!r}")
    return int(text)


def check_pieces(position):
    game = position.game
    for side in "wb":
        kings = list(position.board.values()).count(for_side("K", side))
        if kings != 1:
            raise ValueError(f"{kings} Kings of {side}")
    for square, letter in position.board.items():
        if letter.upper() not in game.promoters:
            continue
        if square[1] == chesslike.last_rank(game, side_of(letter)):
            raise ValueError(f"{letter} on its last rank, {squares.name(square)}")


def read_rights(position, text):
    game = position.game
    if text == "-":
        return ""
    # Known letters, each once, in the one order.
    if not text or "".join(c for c in game.right_letters if c in text) != text:
        raise ValueError(f"bad rights {text!r}")
    for letter in text:
        if game.family == "chieftain":
            in_place = position.options["pass"] == "on"
        else:
            in_place = chesslike.family(position).right_in_place(position, letter)
        if not in_place:
            raise ValueError(f"right {letter} without its piece or its option")
    return text


def read_squares(text, game):
    if text == "-":
        return []
    if not re.fullmatch(r"([a-p][0-9]{1,2})+", text):
        raise ValueError(f"bad en passant field {text!r}")
    listed = [squares.parse(s) for s in re.findall(r"[a-p][0-9]{1,2}", text)]
    for file, rank in listed:
        if file >= game.width or rank >= game.height:
            raise ValueError(f"en passant square off the board in {text!r}")
    return listed


def set_en_passant(position, listed):
    """Keep the squares that one step can have made, and of them the legal ones."""
    last_step = chesslike.family(position).last_step
    possible = {square: last_step(position, square) for square in listed}
    possible = {square: step for square, step in possible.items() if step}
    if not possible:
        return
    # The most advanced square, as the last mover plays, tells the victim.
    ahead = squares.forward(other(position.turn))
    victim = possible[max(possible, key=lambda square: square[1] * ahead)]
    landings = [square for square, step in possible.items() if step == victim]
    position.ep = chesslike.legal_landings(position, landings, victim)
    position.victim = victim if position.ep else None


def write(position):
    if position.plies:
        return write(position.start) + " " + ",".join(position.plies)
    game = position.game
    rights = "".join(c for c in game.right_letters if c in position.rights)
    return " ".join(
        (
            write_placement(position.board, game.width, game.height),
            position.turn,
            rights or "-",
            "".join(map(squares.name, position.ep)) or "-",
            str(position.halfmove),
            str(position.fullmove),
        )
    )
