"""PGN as it is found: every reader finds the same games in it, with the same tags and moves.

`tests/data/wild.json` says for each text which games it has: the variant, the moves of the main line, the result, the
number of errors, and tags. web/core's tests read the same file.
"""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

from acedrex import pgn

WILD = json.loads((Path(__file__).parent / "data" / "wild.json").read_text(encoding="utf-8"))
each_text = pytest.mark.parametrize(
    ("text", "games"), [pytest.param(case["text"], case["games"], id=case["why"]) for case in WILD]
)
Expected = list[dict[str, Any]]


def told(game: pgn.Game) -> dict[str, Any]:
    moves = " ".join(node.san() for node in game.mainline())
    return {
        "variant": game.variant.id,
        "moves": moves,
        "result": game.headers["Result"],
        "errors": len(game.errors),
    }


def without_tags(games: Expected) -> Expected:
    return [{key: value for key, value in game.items() if key != "tags"} for game in games]


@each_text
@pytest.mark.parametrize("as_bytes", [False, True], ids=["text", "bytes"])
def test_each_game_is_found_with_its_moves_and_errors(text: str, games: Expected, as_bytes: bool) -> None:
    handle = io.BytesIO(text.encode()) if as_bytes else io.StringIO(text)
    found = list(pgn.Reader(handle))
    assert [told(game) for game in found] == without_tags(games)
    for game, expected in zip(found, games, strict=True):
        for name, value in expected.get("tags", {}).items():
            assert game.headers[name] == value


@each_text
def test_a_record_that_was_written_is_read_without_errors(text: str, games: Expected) -> None:
    for game, expected in zip(pgn.Reader(io.StringIO(text)), games, strict=True):
        [again] = pgn.Reader(io.StringIO(str(game)))
        assert told(again) == {**without_tags([expected])[0], "errors": 0}


@each_text
def test_games_are_found_one_at_a_time(text: str, games: Expected) -> None:
    """Those who read a file step by step find the same games, and the errors once the next game is read."""
    handle = io.StringIO(text)
    found = []
    while (game := pgn.read_game(handle)) is not None:
        found.append(game)
    assert [told(game) for game in found] == without_tags(games)


@each_text
def test_tags_are_read_without_moves(text: str, games: Expected) -> None:
    handle = io.StringIO(text)
    found = []
    while (headers := pgn.read_headers(handle)) is not None:
        found.append(headers)
    assert [headers["Result"] for headers in found] == [game["result"] for game in games]
    for headers, expected in zip(found, games, strict=True):
        for name, value in expected.get("tags", {}).items():
            assert headers[name] == value


@each_text
def test_games_can_be_skipped(text: str, games: Expected) -> None:
    handle = io.StringIO(text)
    skipped = 0
    while pgn.skip_game(handle):
        skipped += 1
    assert skipped == len(games)


class Collected(pgn.GameBuilder):
    """A visitor that lists errors instead of raising them."""


@each_text
def test_visitors_see_the_same_games(text: str, games: Expected) -> None:
    handle = io.StringIO(text)
    moves = []
    while (game := pgn.read_game(handle, Visitor=Collected)) is not None:
        moves.append(" ".join(node.san() for node in game.mainline()))
    assert moves == [game["moves"] for game in games]


def test_reading_stops_at_the_empty_line_after_a_result() -> None:
    """A program that sends one game after the other is not waited for."""
    lines = iter(['[Event "E"]\n', "\n", "1. e4 e5 1-0\n", "\n"])

    class Pipe:
        def readline(self, size: int, /) -> str:
            return next(lines)

    game = pgn.read_game(Pipe())
    assert game is not None
    assert game.headers["Result"] == "1-0"
    assert list(lines) == []


def test_a_repaired_fen_says_what_was_changed() -> None:
    text = '[FEN "rnbq1bnr/ppppkppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQq - 2 0"]\n\n1. Nf3 *'
    game = pgn.read_game(io.StringIO(text))
    assert game is not None
    [error] = game.errors
    assert (error.line, error.column) == (1, 1)
    assert error.message == "FEN, rights: the right 'q' needs Black's King on e8 and Rook on a8; it is left out"
    assert game.headers["FEN"].endswith(" w KQ - 2 1")


XBOARD = sorted((Path(__file__).parent / "data" / "xboard").glob("*.pgn"))


@pytest.mark.parametrize("path", XBOARD, ids=lambda path: path.stem)
def test_games_that_xboard_saved_are_read(path: Path) -> None:
    """Ranks from 0, its own rights, *en passant* in two legs, its letters, and diagrams in comments."""
    [game] = pgn.Reader(io.BytesIO(path.read_bytes()))
    board = game.end().board()
    assert (game.variant.id, len(list(game.mainline())) > 70) == (path.stem, True)
    if path.stem == "metamachy":  # XBoard does not say what a Prince becomes; it was a Lion
        assert [error.message.split(" ")[0] for error in game.errors] == ["Ii12+", "Lg11#"]
    else:
        assert game.errors == []
        assert board.result(claim_draw=True) in (game.headers["Result"], "*")


def test_ranks_from_zero_are_recognized_by_a_rank_or_by_what_is_legal() -> None:
    def line(moves: str) -> tuple[list[str], int]:
        game = pgn.read_game(io.StringIO(f'[Variant "grand"]\n\n{moves} *'))
        assert game is not None
        return [node.uci() for node in game.mainline()], len(game.errors)

    from_one = (["c3c4", "c8c7", "b2a4"], 0)
    assert line("1. c4 c7 2. Na4") == line("1. c3 c6 2. Na3") == from_one
    assert line("1. c3 c6 2. Na3 Rag9 3. Kf0")[0][:3] == from_one[0]
    assert line("1. c4 c7 2. Na4 Rag10 3. Qz9")[0] == [*from_one[0], "a10g10"]
    assert line("1. c3 c6 2. Qz9") == (["c3c4", "c8c7"], 1)


def test_a_promotion_without_a_piece_is_read_with_an_error() -> None:
    game = pgn.read_game(io.StringIO('[FEN "7k/P7/8/8/8/8/8/K7 w - - 0 1"]\n\n1. a8 Kh7 *'))
    assert game is not None
    assert [node.san() for node in game.mainline()] == ["a8=Q+", "Kh7"]
    assert [error.message for error in game.errors] == ["a8 does not say what the piece becomes; it is read as a8=Q"]
