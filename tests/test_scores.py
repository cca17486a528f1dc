"""Scores and chances: their order, both sides' views, and their numbers."""

from __future__ import annotations

import itertools

import pytest

from acedrex import Board, Engine, Limit, Move, PovScore, Score, Wdl
from acedrex.engine.text import read_info

#: From the worst to the best.
ORDER = [
    *(Score(mate=0), Score(mate=-1), Score(mate=-2), Score(mate=-30)),
    *(Score(cp=-9000), Score(cp=-1), Score(cp=0), Score(cp=1), Score(cp=9000)),
    *(Score(mate=30), Score(mate=2), Score(mate=1)),
]


@pytest.mark.parametrize(("one", "other"), [*itertools.product(range(len(ORDER)), repeat=2)])
def test_scores_are_ordered_from_worst_to_best(one: int, other: int) -> None:
    a, b = ORDER[one], ORDER[other]
    assert (a < b, a <= b, a > b, a >= b, a == b) == (
        one < other,
        one <= other,
        one > other,
        one >= other,
        one == other,
    )
    numbers = [score.score(mate_score=100_000) for score in (a, b)]
    assert None not in numbers
    assert (numbers[0] < numbers[1]) == (one < other)  # type: ignore[operator]
    if one and other:  # the opposite of being mated is not a possible score
        assert (-a < -b) == (a > b)


def test_scores_are_numbers_unless_they_are_mates() -> None:
    assert [score.score() for score in (Score(cp=3), Score(mate=3), Score(mate=-3))] == [3, None, None]
    assert [score.is_mate() for score in (Score(cp=3), Score(mate=3), Score(mate=0))] == [False, True, True]
    with pytest.raises(TypeError):
        _ = Score(cp=1) < 2  # type: ignore[operator]
    assert Score(cp=1, wdl=Wdl(1, 2, 3)) == Score(cp=1)
    assert hash(Score(cp=1, wdl=Wdl(1, 2, 3))) == hash(Score(cp=1))
    assert (-Score(cp=1, wdl=Wdl(1, 2, 3))).wdl == Wdl(3, 2, 1)


def test_chances_are_computed_from_wins_draws_and_losses() -> None:
    wdl = Wdl(500, 300, 200)
    assert (wdl.total(), wdl.expectation(), (-wdl).expectation()) == (1000, 0.65, 0.35)
    assert (wdl.winning_chance(), wdl.drawing_chance(), wdl.losing_chance()) == (0.5, 0.3, 0.2)


@pytest.mark.parametrize("turn", [True, False])
def test_a_score_can_be_seen_from_either_side(turn: bool) -> None:
    score = PovScore(Score(mate=2), turn)
    assert (score.pov(turn), score.pov(not turn)) == (Score(mate=2), Score(mate=-2))
    assert (score.white(), score.black()) == (score.pov(True), score.pov(False))
    assert score.is_mate()
    assert score == PovScore(Score(mate=2), turn) != PovScore(Score(mate=2), not turn)


def test_engine_scores_state_which_side_they_belong_to() -> None:
    board = Board("chess", "6k1/8/5KQ1/8/8/8/8/8 b - - 0 1")
    with Engine(hash_mb=16) as engine:
        for color, mate in ((False, -1), (True, 1)):
            assert board.turn == color
            [info] = engine.analyse(board, Limit(depth=5))
            assert (info.turn, info.pov_score().relative, info.pov_score().white().mate) == (color, info.score, 1)
            assert info.score.mate == mate
            if not color:
                board.push(Move.from_uci("g8f8"))
    said = read_info(board, "info depth 1 score cp 20 pv g6f7")
    assert said is not None
    assert (said.turn, said.pov_score().black()) == (True, Score(cp=-20))
