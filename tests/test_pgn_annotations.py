"""Clocks, evaluations and arrows in PGN comments."""

from __future__ import annotations

from typing import Any

import pytest

from acedrex import WHITE, Error, PovScore, Score, parse_square, pgn, svg
from tests.records import read


def node(comment: str, variant: str = "chess", turn: str = "e4") -> pgn.ChildNode:
    return pgn.Game(variant).add_variation(turn, comment=comment)


@pytest.mark.parametrize(
    ("comment", "clock", "emt"),
    [
        ("", None, None),
        ("[%clk 0:05:00]", 300.0, None),
        ("quick [%emt 1:02:03.25] and [%clk 10:00:01.5] good", 36001.5, 3723.25),
        ("[%clk 0:00:07.]", 7.0, None),
        ("[%clk 5:00] [%emt x]", None, None),
        ("[%clk 0:01:00] [%clk 0:02:00]", 60.0, None),
        (f"[%clk {'9' * 400}:00:00] [%emt 0:{'9' * 5000}:00]", None, None),
        (f"[%clk 0:00:{'9' * 400}]", None, None),
    ],
)
def test_clock_times_are_read_from_comments(comment: str, clock: float | None, emt: float | None) -> None:
    assert (node(comment).clock(), node(comment).emt()) == (clock, emt)


@pytest.mark.parametrize("seconds", [0, 0.001, 59.9996, 60, 3599.9999, 3600, 36001.5])
def test_clock_times_read_back_as_they_were_set(seconds: float) -> None:
    one = node("said")
    one.set_clock(seconds)
    one.set_emt(seconds / 2)
    assert one.clock() == pytest.approx(seconds, abs=0.0006)
    assert one.emt() == pytest.approx(seconds / 2, abs=0.0006)
    assert one.comment.startswith("said [%clk ")
    one.set_clock(None)
    one.set_emt(None)
    assert one.comment == "said"


@pytest.mark.parametrize("seconds", [-0.0004, -70, float("-inf")])
def test_a_time_below_0_is_stored_as_0(seconds: float) -> None:
    one = node("")
    one.set_clock(seconds)
    one.set_emt(seconds)
    assert one.comment == "[%clk 0:00:00] [%emt 0:00:00]"


def test_setting_an_annotation_replaces_the_old_one() -> None:
    one = node("[%clk 0:01:00] fine [%eval 0.10]")
    one.set_clock(30)
    assert one.comment == "[%clk 0:00:30] fine [%eval 0.10]"
    one.set_eval(PovScore(Score(cp=-25), turn=False), 12)
    assert one.comment == "[%clk 0:00:30] fine [%eval 0.25,12]"
    one.set_clock(None)
    one.set_eval(None)
    assert one.comment == "fine"
    one.set_clock(None)
    assert one.comment == "fine"
    for wrong in (1e9, float("nan"), float("inf")):
        with pytest.raises(Error, match="not a time"):
            one.set_clock(wrong)
    assert one.comment == "fine"


@pytest.mark.parametrize(
    ("comment", "white", "depth"),
    [
        ("", None, None),
        ("[%eval 0.35]", Score(cp=35), None),
        ("[%eval -12.3,22]", Score(cp=-1230), 22),
        ("[%eval .5]", Score(cp=50), None),
        ("[%eval 7]", Score(cp=700), None),
        ("[%eval #3]", Score(mate=3), None),
        ("[%eval #-4,9]", Score(mate=-4), 9),
        ("[%eval x]", None, None),
    ],
)
def test_evaluations_are_read_from_whites_point_of_view(comment: str, white: Score | None, depth: int | None) -> None:
    game = pgn.Game()
    first = game.add_variation("e4", comment=comment)
    second = first.add_variation("e5", comment=comment)
    for one, turn in ((first, False), (second, True)):
        found = one.eval()
        assert one.eval_depth() == depth
        assert one.turn() == turn
        if white is None:
            assert found is None
            continue
        assert found is not None
        assert (found.turn, found.white()) == (turn, white)
        one.comment = ""
        one.set_eval(found, depth)
        assert one.eval() == found
        assert one.eval_depth() == depth


def test_mate_in_zero_means_that_the_side_to_move_is_mated() -> None:
    game = read("1. f3 e5 2. g4 Qh4# { [%eval #0] } *")
    score = game.end().eval()
    assert score is not None
    assert (score.turn, score.relative, score.white().mate) == (True, Score(mate=0), 0)


def test_arrows_are_read_and_written() -> None:
    one = node("see [%csl Ga1,Rp16][%cal Ye2e4,Ba10b12] here", "chieftain", "Ma5,")
    a1, p16, e2, e4, a10, b12 = (parse_square(name) for name in ["a1", "p16", "e2", "e4", "a10", "b12"])
    arrows = [(a1, a1, "green"), (p16, p16, "red"), (e2, e4, "yellow"), (a10, b12, "blue")]
    assert one.arrows() == arrows
    one.set_arrows([(a1, e2), (e4, e4, "red")])
    assert one.comment == "[%csl Re4][%cal Ga1e2] see here"
    assert one.arrows() == [(e4, e4, "red"), (a1, e2, "green")]
    one.set_arrows([])
    assert one.comment == "see here"
    one.comment = ""
    one.set_arrows(arrows)
    assert (one.comment, one.arrows()) == ("[%csl Ga1,Rp16][%cal Ye2e4,Ba10b12]", arrows)
    assert node("[%csl Ga17,Ra1] [%cal Gx1x2] [%cal]").arrows() == [(0, 0, "red")]
    for wrong in ((0, 1, "pink"), (0, 256), (-1, 0)):
        with pytest.raises(Error):
            one.set_arrows([wrong])  # type: ignore[list-item]
    assert one.arrows() == arrows
    board = read("1. e4 { [%csl Ra1][%cal Ge2e4,Yd2d4,Bc2c4] } *").end()
    drawing = svg.board(board.board(), arrows=board.arrows())
    assert drawing.count("<polygon") == 3


def test_annotations_survive_export_and_import() -> None:
    game = pgn.Game()
    one = game.add_variation("e4")
    one.set_clock(59.5)
    one.set_eval(PovScore(Score(mate=-2), turn=False), 30)
    one.set_arrows([(0, 16)])
    again = read(game.export()).variation(0)
    assert (again.clock(), again.eval(), again.eval_depth(), again.arrows()) == (
        *(59.5, PovScore(Score(mate=-2), turn=False), 30, [(0, 16, "green")]),
    )


def test_nodes_report_their_ply_and_whose_turn_it_is() -> None:
    game = read('[Variant "chieftain"]\n\n1. Ma5,Mp5 Ma8 (1... Mp8) 2. Mdd5, *\n')
    assert [(each.ply(), each.turn()) for each in (game, *game.mainline())] == [
        *((0, True), (3, False), (5, True), (6, True)),
    ]
    assert [each.ply() for each in game.mainline()] == [each.board().ply() for each in game.mainline()]
    first = game.variation(0)
    assert [each.is_main_variation() for each in (game, first, *first.variations)] == [True, True, True, False]


def test_glyph_constants_have_the_standard_numbers() -> None:
    assert (pgn.NAG_GOOD_MOVE, pgn.NAG_MISTAKE, pgn.NAG_BLUNDER, pgn.NAG_DUBIOUS_MOVE) == (1, 2, 4, 6)
    names = [name for name in pgn.__all__ if name.startswith("NAG_")]
    numbers = [getattr(pgn, name) for name in names]
    assert len(set(numbers)) == len(names) > 30
    assert all(0 <= number <= 255 for number in numbers)
    assert read("1. e4!? *").variation(0).nags == {pgn.NAG_SPECULATIVE_MOVE}


@pytest.mark.parametrize("nag", [256, -1, "!", None])
def test_invalid_glyphs_are_not_written(nag: Any) -> None:
    game = pgn.Game()
    game.add_variation("e4").nags.add(nag)
    with pytest.raises(Error, match="is not a glyph; expected a number from 0 to 255"):
        str(game)


def test_evaluations_too_large_to_be_read_back_are_refused() -> None:
    node = pgn.Game().add_variation("e4")
    node.set_eval(PovScore(Score(cp=999_999_999), WHITE), 999_999)
    written = node.comment
    found = node.eval()
    assert found is not None and (found.white(), node.eval_depth()) == (Score(cp=999_999_999), 999_999)
    for score, depth in ((Score(cp=-1_000_000_000), 1), (Score(mate=1_000_000), 1), (Score(cp=0), 1_000_000)):
        with pytest.raises(Error, match=r"the evaluation cannot be written; expected less than 10,000,000 Pawns"):
            node.set_eval(PovScore(score, WHITE), depth)
        assert node.comment == written
