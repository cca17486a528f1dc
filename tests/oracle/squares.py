"""Squares, the placement field and other small matters of the board.

A square is a pair (file, rank), both from 0. A board is a plain dict from
square to letter, capitals for White: slow to copy, hard to get wrong.
"""

import re


def name(square):
    return "abcdefghijklmnop"[square[0]] + str(square[1] + 1)


def parse(text):
    if not re.fullmatch(r"[a-p][1-9][0-9]?", text):
        raise ValueError(f"not a square: {text!r}")
    return (ord(text[0]) - ord("a"), int(text[1:]) - 1)


def side_of(letter):
    return "w" if letter.isupper() else "b"


def other(side):
    return "b" if side == "w" else "w"


def for_side(letter, side):
    return letter.upper() if side == "w" else letter.lower()


def forward(side):
    return 1 if side == "w" else -1


def distance(a, b):
    """The King's distance."""
    return max(abs(a[0] - b[0]), abs(a[1] - b[1]))


def is_dark(square):
    """a1 is dark on every board."""
    return (square[0] + square[1]) % 2 == 0


def read_placement(text, width, height, letters):
    ranks = text.split("/")
    if len(ranks) != height:
        raise ValueError(f"{len(ranks)} ranks instead of {height}")
    board = {}
    for rank, row in zip(range(height - 1, -1, -1), ranks, strict=True):
        file = 0
        for token in re.findall(r"[0-9]+|.", row):
            if token[0] in "0123456789":
                if token.startswith("0"):
                    raise ValueError(f"bad run of empty squares: {token}")
                file += int(token)
            elif token.isascii() and token.upper() in letters:
                board[(file, rank)] = token
                file += 1
            else:
                raise ValueError(f"unknown piece letter {token!r}")
        if file != width:
            raise ValueError(f"rank {rank + 1} has {file} squares instead of {width}")
    return board


def write_placement(board, width, height):
    ranks = []
    for rank in range(height - 1, -1, -1):
        row, empty = "", 0
        for file in range(width):
            letter = board.get((file, rank))
            if letter is None:
                empty += 1
                continue
            row += (str(empty) if empty else "") + letter
            empty = 0
        ranks.append(row + (str(empty) if empty else ""))
    return "/".join(ranks)
