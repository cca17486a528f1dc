"""Reading records, and telling all that is in them."""

from __future__ import annotations

import io

from acedrex import pgn


def read(source: str | bytes, games: pgn.Games | None = None) -> pgn.Game:
    game = pgn.read_game(io.BytesIO(source) if isinstance(source, bytes) else io.StringIO(source), games=games)
    assert game is not None
    return game


def read_all(source: str | bytes) -> list[pgn.Game]:
    return list(pgn.Reader(io.BytesIO(source) if isinstance(source, bytes) else io.StringIO(source)))


def line(node: pgn.GameNode) -> list[str]:
    return [child.san() for child in node.mainline()]


def errors(game: pgn.Game) -> list[tuple[int, int]]:
    return [(error.line, error.column) for error in game.errors]


def shape(game: pgn.Game) -> list[tuple[int, str, bool, list[int], str, str]]:
    """All that a tree holds: its nodes in order, each with its depth."""
    found = [(0, "", False, list[int](), "", game.comment)]
    waiting = [(1, node) for node in reversed(game.variations)]
    while waiting:
        depth, node = waiting.pop()
        found.append((depth, node.uci(), node.unfinished, sorted(node.nags), node.starting_comment, node.comment))
        waiting += [(depth + 1, child) for child in reversed(node.variations)]
    return found


def assert_same(game: pgn.Game, other: pgn.Game) -> None:
    assert other.errors == []
    assert list(other.headers.items()) == list(game.headers.items())
    assert shape(other) == shape(game)
    assert other.variant == game.variant
    assert other.board() == game.board()
    assert other.export() == game.export()
