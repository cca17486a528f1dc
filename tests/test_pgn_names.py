"""Names of records that python-chess has too: variations by key, main lines, time controls, builders."""

from __future__ import annotations

import io

import pytest

from acedrex import Board, Error, InvalidFenError, Move, pgn
from tests.records import read


def test_variations_are_found_by_key() -> None:
    game = read("1. e4 (1. d4) 1... e5 *")
    assert (game[0].san(), game[1].san(), game["d4"] is game[1], game[Move.from_uci("e2e4")] is game[0]) == (
        *("e4", "d4"),
        True,
        True,
    )
    assert game[0] in game and "d4" in game and "c4" not in game and 2 not in game
    with pytest.raises(KeyError):
        game[2]
    with pytest.raises(TypeError):
        iter(game)  # type: ignore[call-overload]
    assert game[0][0].root() is game.root() is game


def test_the_glyphs_of_a_line_follow_its_last_turn() -> None:
    game = pgn.Game()
    end = game.add_line(["e4", "e5"], nags=[1, 17])
    assert isinstance(end, pgn.ChildNode) and end.nags == {1, 17} and game[0].nags == set()
    assert game.add_line([], nags=[1]) is game


def test_main_lines_can_be_followed_again_and_backwards() -> None:
    game = read('[Variant "chieftain"]\n\n1. Ma5,Mp5 (1. Nc4) 1... Ma8 *')
    moves, nodes = game.mainline_moves(), game.mainline()
    assert [move.uci() for move in moves] == ["a4a5", "p4p5", "end", "a9a8", "end"]
    assert list(reversed(moves)) == list(moves)[::-1]
    assert list(reversed(nodes)) == list(nodes)[::-1]
    assert (bool(moves), bool(game.end().mainline_moves()), str(moves)) == (True, False, "1. Ma5,Mp5 Ma8")
    assert str(game[0].mainline()) == "1... Ma8"
    assert str(read("1. e4 $1 { so } (1. d4) e5 2. Nf3 1-0").mainline()) == "1. e4 $1 { so } 1... e5 2. Nf3"


def test_a_position_can_be_set_up_from_its_fen() -> None:
    game = pgn.Game("magi", scoring="four_points")
    game.setup("k9/2Q7/1K8/10/10/10/10/10/10/10 b - - 0 1")
    assert (game.start().game.spec, game.start().turn, game.headers["SetUp"]) == (
        "magi:scoring=four_points",
        False,
        "1",
    )
    with pytest.raises(InvalidFenError):
        game.setup("8/8 w - - 0 1")


def test_a_record_without_the_roster_has_the_tags_that_it_needs() -> None:
    game = pgn.Game.without_tag_roster("magi", scoring="four_points")
    assert list(game.headers) == ["Variant", "Options", "RulesHash"]
    game = pgn.Game.without_tag_roster()
    game.add_line(["e4", "e5"])
    assert (str(game), repr(game), dict(game.headers.copy())) == ("1. e4 e5 *", "<Game chess: ? - ?>", {})
    with pytest.raises(KeyError):
        del game.headers["Event"]
    game.headers["Result"] = "1-0"
    assert str(game) == '[Result "1-0"]\n\n1. e4 e5 1-0'


def test_a_builder_makes_records_of_a_class() -> None:
    class Mine(pgn.Game):
        pass

    game = pgn.read_game(io.StringIO("1. e4 (1. d4) *"), Visitor=Mine.builder)
    assert isinstance(game, Mine) and isinstance(game[1].accept_subgame(Mine.builder()), Mine)
    builder = pgn.Game.builder()
    builder.visit_board(Board())
    builder.visit_turn(Board(), [Move.from_uci("e2e4")], False)
    assert [node.ply() for node in builder.variation_stack] == [1]
    builder.begin_variation()
    assert [node.ply() for node in builder.variation_stack] == [1, 0]


@pytest.mark.parametrize("text", ["1. e4", "1. e4 *\n\n1. d4 *\n\n1. c4"])
def test_reading_goes_on_where_a_file_is_moved_to(text: str) -> None:
    for file in (io.StringIO(text), io.BytesIO(text.encode())):
        for _ in range(3):
            game = pgn.read_game(file)
            assert game and game[0].san() == "e4" and not game.errors
            file.seek(0)
        places = []
        while pgn.skip_game(file):
            places.append(file.tell())
        assert len(places) == text.count("1.")


def test_an_exporter_is_its_text() -> None:
    exporter = pgn.StringExporter(headers=False)
    read("1. e4 *").accept(exporter)
    assert str(exporter) == exporter.result() == "1. e4 *"


KINDS = pgn.TimeControlType


@pytest.mark.parametrize(
    ("tag", "kind", "parts"),
    [
        ("", KINDS.UNKNOWN, []),
        ("?", KINDS.UNKNOWN, []),
        ("-", KINDS.UNLIMITED, []),
        ("179", KINDS.BULLET, [(0, 179, 0, 0)]),
        ("180", KINDS.BLITZ, [(0, 180, 0, 0)]),
        ("300+2.5", KINDS.BLITZ, [(0, 300, 2.5, 0)]),
        ("300+5d", KINDS.BLITZ, [(0, 300, 0, 5)]),
        ("1800+10", KINDS.RAPID, [(0, 1800, 10, 0)]),
        ("40/7200:20/3600:900+30", KINDS.STANDARD, [(40, 7200, 0, 0), (20, 3600, 0, 0), (0, 900, 30, 0)]),
        ("1/0.1", KINDS.BULLET, [(1, 0.1, 0, 0)]),
        ("600:1/30", KINDS.BLITZ, [(0, 600, 0, 0), (1, 30, 0, 0)]),
    ],
)
def test_time_controls_are_read(tag: str, kind: pgn.TimeControlType, parts: list[tuple[float, ...]]) -> None:
    game = pgn.Game()
    if tag:
        game.headers["TimeControl"] = tag
    control = game.time_control()
    read_parts = [(part.moves, part.time, part.increment, part.delay) for part in control.parts]
    assert (control.type, read_parts) == (kind, parts)


@pytest.mark.parametrize("tag", ["300+a", "300+ad", "600:20/180", "abc", "40/abc", "300:", "-1", "9" * 5000, "٣"])
def test_what_is_not_a_time_control_is_refused(tag: str) -> None:
    with pytest.raises(Error, match="not a time control"):
        pgn.parse_time_control(tag)
