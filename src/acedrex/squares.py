"""Squares: numbers, ``rank * 16 + file`` counted from 0 at ``a1``, the same on every board."""

from __future__ import annotations

from acedrex.errors import Error

__all__ = ["parse_square", "square", "square_distance", "square_file", "square_name", "square_rank"]


def square(file: int, rank: int) -> int:
    """Give the number of the square at a file and a rank, both from 0.

    >>> square(4, 1) == parse_square("e2")
    True

    :raises Error: if either is not from 0 to 15.
    """
    if not (0 <= file < 16 and 0 <= rank < 16):
        raise Error(f"file {file}, rank {rank}: both must be from 0 to 15")
    return rank * 16 + file


def square_file(number: int) -> int:
    """Give the file of a square, 0 for ``a``."""
    return number & 15


def square_rank(number: int) -> int:
    """Give the rank of a square, 0 for the first."""
    return number >> 4


def square_name(number: int) -> str:
    """Give the name of a square.

    >>> square_name(square(11, 11))
    'l12'

    :raises Error: if the number is not from 0 to 255.
    """
    if not 0 <= number < 256:
        raise Error(f"{number} is no square; squares are numbers from 0 to 255, rank * 16 + file")
    return f"{'abcdefghijklmnop'[number & 15]}{(number >> 4) + 1}"


def parse_square(name: str) -> int:
    """Read the name of a square, ``a1`` to ``p16``.

    >>> parse_square("a1"), parse_square("p16")
    (0, 255)

    :raises Error: if the text is no square.
    """
    letter, digits = name[:1], name[1:]
    if "a" <= letter <= "p" and digits.isascii() and digits.isdigit() and digits[0] != "0" and int(digits[:3]) <= 16:
        return (int(digits) - 1) * 16 + ord(letter) - ord("a")
    raise Error(f"{name[:20]!r} is no square; expected a letter a to p and a number 1 to 16")


def square_distance(a: int, b: int) -> int:
    """Give the King's distance between two squares.

    >>> square_distance(parse_square("a1"), parse_square("c6"))
    5
    """
    return max(abs((a & 15) - (b & 15)), abs((a >> 4) - (b >> 4)))
