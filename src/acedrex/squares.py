"""Squares: numbers, ``rank * 16 + file``, with 0 for ``a1``, the same on every board."""

from __future__ import annotations

from acedrex._native import SquareSet
from acedrex.errors import Error

__all__ = [
    "SQUARES",
    "SQUARE_NAMES",
    "between",
    "parse_square",
    "ray",
    "square",
    "square_distance",
    "square_file",
    "square_mirror",
    "square_name",
    "square_rank",
]


def square(file: int, rank: int) -> int:
    """Return the number of the square on a file and a rank, both counted from 0.

    >>> square(4, 1) == parse_square("e2")
    True

    :raises Error: if the file or the rank is not from 0 to 15.
    """
    if not (0 <= file < 16 and 0 <= rank < 16):
        raise Error(f"file {file}, rank {rank}: both must be from 0 to 15")
    return rank * 16 + file


def square_file(number: int) -> int:
    """Return the file of a square, 0 for ``a``."""
    return number & 15


def square_rank(number: int) -> int:
    """Return the rank of a square, 0 for the first."""
    return number >> 4


def square_name(number: int) -> str:
    """Return the name of a square.

    >>> square_name(square(11, 11))
    'l12'

    :raises Error: if the number is not from 0 to 255.
    """
    if not 0 <= number < 256:
        raise Error(f"{number} is not a square; squares are numbers from 0 to 255, rank * 16 + file")
    return f"{'abcdefghijklmnop'[number & 15]}{(number >> 4) + 1}"


def parse_square(name: str) -> int:
    """Read the name of a square, ``a1`` to ``p16``.

    >>> parse_square("a1"), parse_square("p16")
    (0, 255)

    :raises Error: if the text is not the name of a square.
    """
    letter, digits = name[:1], name[1:]
    if "a" <= letter <= "p" and digits.isascii() and digits.isdigit() and digits[0] != "0" and int(digits[:3]) <= 16:
        return (int(digits) - 1) * 16 + ord(letter) - ord("a")
    raise Error(f"{name[:20]!r} is not a square; expected a letter a to p and a number 1 to 16")


def square_distance(a: int, b: int) -> int:
    """Return the distance between two squares in moves of a King.

    >>> square_distance(parse_square("a1"), parse_square("c6"))
    5
    """
    return max(abs((a & 15) - (b & 15)), abs((a >> 4) - (b >> 4)))


def square_mirror(number: int, ranks: int) -> int:
    """Return the square opposite a square, mirrored rank for rank on a board with ``ranks`` ranks.

    >>> square_name(square_mirror(parse_square("c1"), 12))
    'c12'

    :raises Error: if the square is not on such a board.
    """
    if not 0 <= square_rank(number) < ranks:
        raise Error(f"{number} is not a square of a board with {ranks} ranks")
    return square(square_file(number), ranks - 1 - square_rank(number))


def between(a: int, b: int) -> SquareSet:
    """Return the squares strictly between two squares of a rank, file or diagonal; empty if they share no such line.

    >>> [square_name(number) for number in between(parse_square("a9"), parse_square("d12"))]
    ['b10', 'c11']

    :raises Error: if a number is not a square.
    """
    return SquareSet.between(a, b)


def ray(a: int, b: int, files: int = 16, ranks: int = 16) -> SquareSet:
    """Return the whole rank, file or diagonal of two squares, to the edges of the board; empty if they share none.

    >>> [square_name(number) for number in ray(parse_square("b2"), parse_square("c3"), 4, 4)]
    ['a1', 'b2', 'c3', 'd4']

    :raises Error: if a number is not a square, or the numbers of files and ranks are not from 1 to 16.
    """
    return SquareSet.ray(a, b, files, ranks)


#: The squares of the largest board, 16x16; those of a game's board are ``game.squares``.
SQUARES = list(range(256))
#: Their names, by number.
SQUARE_NAMES = [square_name(number) for number in SQUARES]
