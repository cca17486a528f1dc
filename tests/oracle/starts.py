"""Setups: their names in alphabetical order, numbered from 1."""

from itertools import permutations, product

from . import squares
from .games import GAMES


def setups(game):
    """All names; a game without free squares has one, the empty name."""
    game = GAMES[game]
    groups = []
    for names, letters in zip(game.free_squares, game.free_letters, strict=True):
        groups.append([p for p in permutations(letters) if allowed(game, names, p)])
    return sorted("-".join(map("".join, choice)) for choice in product(*groups))


def allowed(game, names, letters):
    """In Maasai Chess the King stands on f2 or g2 only."""
    placed = dict(zip(letters, names, strict=True))
    return game.name != "maasai" or placed.get("K", "f2") in ("f2", "g2")


def rank(game, name):
    return setups(game).index(name) + 1


def unrank(game, number):
    if not 1 <= number <= len(setups(game)):
        raise ValueError(f"no setup {number}")
    return setups(game)[number - 1]


def setup_fen(game, name):
    """The start with the free squares filled, Black's on the same files."""
    if name not in setups(game):
        raise ValueError(f"no setup {name!r}")
    game = GAMES[game]
    placement, rest = game.start.split(" ", 1)
    board = squares.read_placement(placement, game.width, game.height, game.pieces)
    groups = name.split("-") if name else []
    for names, letters in zip(game.free_squares, groups, strict=True):
        for square, letter in zip(names, letters, strict=True):
            file, rank_ = squares.parse(square)
            board[(file, rank_)] = letter
            board[(file, game.height - 1 - rank_)] = letter.lower()
    return squares.write_placement(board, game.width, game.height) + " " + rest
