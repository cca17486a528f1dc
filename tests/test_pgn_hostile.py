"""Hostile and very long PGN is read in bounded time and memory."""

from __future__ import annotations

import gc
import io
import itertools
import random
import time
import tracemalloc
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from acedrex import limits, pgn
from tests.growth import growth, shuffled
from tests.records import errors, line, read, read_all, shape

KILO = 1024
HOSTILE = {
    "brackets": "1. e4 " + "(" * 25 * KILO,
    "nested variations": "1. e4 " + "(1. d4 " * 5 * KILO,
    "variations": "1. e4 " + "(d4)" * 5 * KILO,
    "bad variations": "1. e4 " + "(zz)" * 5 * KILO,
    "braces": "1. e4 " + "{" * 50 * KILO,
    "an endless comment": "1. e4 {" + "x y " * 50 * KILO,
    "empty comments": "1. e4 " + "{}" * 25 * KILO,
    "comments and variations": "1. e4 " + "{" + "x" * 60000 + "}" + "(){}" * 5 * KILO,
    "tags": "".join(f'[a{number} "b"]\n' for number in range(5 * KILO)),
    "one tag": '[a "b"]\n' * 10 * KILO,
    "quotes": '[A "]x' * 5 * KILO,
    "backslashes": '[A "' + "\\" * 100 * KILO,
    "square brackets": "[" * 100 * KILO,
    "glyphs": "1. e4 " + "$1 " * 10 * KILO,
    "an endless token": "1. e4 " + "x" * 150 * KILO,
    "commas": "1. e4 " + "a," * 50 * KILO,
    "commas apart": "1. e4 " + "a, " * 10 * KILO,
    "zeros": "\0" * 150 * KILO,
    "noise": bytes(random.Random(1).randbytes(100 * KILO)),
    "returns": "\r" * 25 * KILO,
}


@pytest.mark.parametrize("source", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text_is_read_in_bounded_time_and_memory(source: str | bytes) -> None:
    """Few errors are listed, and little is kept."""
    handle = io.BytesIO(source) if isinstance(source, bytes) else io.StringIO(source)
    started = time.perf_counter()
    tracemalloc.start()
    try:
        for game in pgn.Reader(handle):
            assert len(game.errors) <= limits.MAX_ERRORS + 1
            assert all(len(str(error)) < 300 for error in game.errors)
            assert len(game.comment) <= limits.MAX_COMMENT
        assert tracemalloc.get_traced_memory()[1] < 12 * KILO * KILO
    finally:
        tracemalloc.stop()
    assert time.perf_counter() - started < 20


@pytest.mark.parametrize(
    "part",
    [
        *("(", "(1. d4 ", "(1. Qh9) ", "(1. d4) ", "[] ", "[a]", "$999 ", "{x} ", "e.p. ", "% \n", '[A "x"]\n'),
        *(
            '\n\n[Event "x"]\n',
            "1. e4 Qd9 *\n\n",
            "1. Nf3 Nf6 2. Ng1 Ng8 ",
            "1. Nf3 Nf6 (1... Nc6 2. Nc3 (2. e4)) 2. Ng1 Ng8 ",
        ),
    ],
)
def test_reading_time_grows_linearly_with_the_text(part: str) -> None:
    def read_all(source: str) -> None:
        for _ in pgn.Reader(io.StringIO(source)):
            pass

    assert growth(read_all, "1. e4 " + part * 1_000, "1. e4 " + part * 4_000) < 9


@pytest.mark.parametrize(
    ("game", "turns"),
    [("chess", ["g1f3", "g8f6", "f3g1", "f6g8"]), ("chieftain", ["c1d2", "c12d11", "d2c1", "d11c12"])],
)
def test_building_and_writing_time_grows_linearly_with_the_moves(game: str, turns: list[str]) -> None:
    boards = shuffled(game, turns, 2_000), shuffled(game, turns, 8_000)
    assert growth(pgn.Game.from_board, *boards) < 9
    assert growth(str, *map(pgn.Game.from_board, boards)) < 9


def test_turns_beyond_the_maximum_are_skipped_with_one_error() -> None:
    game, following = read_all("Nf3 Nf6 Ng1 Ng8 " * (limits.MAX_TURNS // 4 + 5) + "* 1. e4 *")
    assert sum(1 for _ in game.mainline()) == limits.MAX_TURNS
    assert len(game.errors) == 1
    assert line(following) == ["e4"]


@example(["(", "{", "a", "}", "e4"])
@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from([*'{}()[];%$!?*.,\n "\\', "e4", "d5", "Nf3 ", '[A "b"]\n', "1-0", "1. ", "$1", " "])))
def test_games_read_from_any_tokens_round_trip(parts: list[str]) -> None:
    """Whatever was read can be written, and reads back the same."""
    for game in read_all("".join(parts)):
        again = read(str(game))
        assert shape(again) == shape(game)
        assert again.headers == game.headers


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=300))
def test_games_read_from_any_bytes_round_trip(data: bytes) -> None:
    for game in read_all(data):
        assert shape(read(str(game))) == shape(game)


class Endless:
    """A file of many games that never exists as a whole."""

    def __init__(self, games: int) -> None:
        game = '[Event "Game"]\n\n1. e4 {so} e5 (c5) *\n\n'
        self.lines = itertools.chain.from_iterable(itertools.repeat(game.splitlines(keepends=True), games))

    def readline(self, size: int, /) -> str:
        return next(self.lines, "")


def test_thousands_of_games_take_constant_memory() -> None:
    handle = Endless(3_000)
    gc.collect()
    tracemalloc.start()
    try:
        for number in range(3_000):
            game = pgn.read_game(handle)
            assert game is not None
            assert not game.errors
            if number == 500:
                tracemalloc.reset_peak()
                before = tracemalloc.get_traced_memory()[0]
        assert pgn.read_game(handle) is None
        assert tracemalloc.get_traced_memory()[1] - before < 400 * KILO
    finally:
        tracemalloc.stop()


def test_the_reader_of_a_discarded_file_is_released() -> None:
    handle: io.StringIO | None = io.StringIO("1. e4 * 1. d4 *")
    assert handle is not None
    pgn.read_game(handle)
    before = len(pgn.reader._readers)
    handle = None
    gc.collect()
    assert len(pgn.reader._readers) == before - 1


def test_line_numbers_continue_between_calls(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_text('1. e4 *\n\n1. d4\n\n[Event "x"]\n1. Qh9 *\n\n1. Qh9', encoding="utf-8")
    with path.open(encoding="utf-8") as handle:
        found = [pgn.read_game(handle) for _ in range(5)]
    assert [None if game is None else errors(game) for game in found] == [[], [], [(6, 4)], [(8, 4)], None]
