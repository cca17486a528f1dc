"""Squares and sets of squares."""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Callable
from typing import Any

import pytest

import acedrex
from acedrex import (
    SQUARE_NAMES,
    SQUARES,
    Error,
    SquareSet,
    between,
    load,
    parse_square,
    ray,
    square_mirror,
    square_name,
)
from tests.conftest import squares


def named(found: SquareSet) -> str:
    return " ".join(square_name(number) for number in found)


def test_squares_have_numbers_and_names() -> None:
    assert (SQUARES[0], SQUARES[-1], len(SQUARES), len(set(SQUARE_NAMES))) == (0, 255, 256, 256)
    assert [parse_square(name) for name in SQUARE_NAMES] == SQUARES
    for game in acedrex.games():
        board = load(game)
        there = [number for number in SQUARES if number % 16 < board.files and number // 16 < board.ranks]
        if game == "omega":
            corners = [parse_square(name) for name in ("a1", "l1", "a12", "l12")]
            there = [at for at in there if at in corners or (at % 16 in range(1, 11) and at // 16 in range(1, 11))]
        assert list(board.squares) == there
        assert all(square_mirror(square_mirror(number, board.ranks), board.ranks) == number for number in there)
    assert square_mirror(parse_square("c2"), 10) == parse_square("c9")
    with pytest.raises(Error):
        square_mirror(parse_square("c11"), 10)


@pytest.mark.parametrize("seed", range(20))
def test_square_sets_behave_like_python_sets(seed: int) -> None:
    chance = random.Random(seed)
    one, other = ({chance.randrange(256) for _ in range(chance.randrange(40))} for _ in range(2))
    mine, its = SquareSet(one), SquareSet(other)
    assert mine == one == SquareSet(int(mine)) == SquareSet(mine)
    assert (list(mine), list(reversed(mine))) == (sorted(one), sorted(one, reverse=True))
    assert (len(mine), bool(mine), int(mine)) == (len(one), bool(one), sum(1 << number for number in one))
    assert mine.tolist() == [number in one for number in SQUARES]
    for there in (its, other, int(its), sorted(other)):
        assert mine | there == there | mine == mine.union(there) == one | other
        assert mine & there == there & mine == mine.intersection(there) == one & other
        assert mine ^ there == there ^ mine == mine.symmetric_difference(there) == one ^ other
        assert (mine - there, there - mine, mine.difference(there)) == (one - other, other - one, one - other)
        relations = (mine <= there, mine < there, mine >= there, mine > there, mine.isdisjoint(there))
        assert relations == (one <= other, one < other, one >= other, one > other, one.isdisjoint(other))
        assert (mine.issubset(there), mine.issuperset(there)) == (one <= other, one >= other)
        changed = [mine.copy() for _ in range(8)]
        changed[0] |= there
        changed[1] &= there
        changed[2] ^= there
        changed[3] -= there
        changed[4].update(there, [7])
        changed[5].intersection_update(there, one)
        changed[6].difference_update(there)
        changed[7].symmetric_difference_update(there)
        assert changed[:4] == [one | other, one & other, one ^ other, one - other]
        assert changed[4:] == [one | other | {7}, one & other, one - other, one ^ other]
    assert mine == one, "what was copied has stayed"
    assert (mine << 16, mine >> 3) == ({n + 16 for n in one if n < 240}, {n - 3 for n in one if n > 2})


def test_square_sets_are_mutable() -> None:
    found = SquareSet([3, 200])
    found.add(3)
    found.add(17)
    found.discard(99)
    found.remove(200)
    assert (found, found.pop(), found.pop(), found) == ({}, 3, 17, SquareSet())
    with pytest.raises(KeyError, match="empty"):
        found.pop()
    with pytest.raises(KeyError, match="200"):
        found.remove(200)
    found |= SquareSet.from_square(5)
    found |= found
    found.clear()
    assert not found
    with pytest.raises(TypeError):
        hash(found)


def test_a_square_set_keeps_the_shape_of_its_board() -> None:
    found = SquareSet(squares("a1 c2"), files=3, ranks=4)
    assert (found.files, found.ranks) == (3, 4)
    assert str(found) == ". . .\n. . .\n. . 1\n1 . ."
    assert repr(found) == "SquareSet(0x40001, files=3, ranks=4)"
    assert repr(SquareSet([0])) == "SquareSet(0x1)"
    assert named(~found) == "b1 c1 a2 b2 a3 b3 c3 a4 b4 c4"
    assert named(found.mirror()) == "c3 a4"
    assert len(~SquareSet()) == 256
    for other in (found.copy(), copy.copy(found), pickle.loads(pickle.dumps(found)), eval(repr(found)), found | []):
        assert (other, str(other)) == (found, str(found))
    assert str(load("metamachy").squares).count("1") == 144


def test_square_sets_can_be_shifted_by_any_distance() -> None:
    assert (SquareSet([3]) << 256, SquareSet([3]) >> 10**30, SquareSet([3]) << 0) == (set(), set(), {3})
    for shift in (lambda: SquareSet([3]) << -1, lambda: SquareSet([3]) >> -300):
        with pytest.raises(Error, match="a set is shifted by 0 numbers or more, not by -"):
            shift()
    with pytest.raises(TypeError):
        SquareSet([3]) << "a"  # type: ignore[operator]


@pytest.mark.parametrize("number", [-1, -3, 128, 300])
def test_a_square_off_the_board_has_no_mirror(number: int) -> None:
    with pytest.raises(Error, match=f"{number} is not a square of a board with 8 ranks"):
        square_mirror(number, 8)


BAD: list[Any] = [[256], [-1], ["a1"], 1 << 256, -1, [2**70], "a1"]


@pytest.mark.parametrize("wrong", BAD, ids=repr)
def test_square_sets_refuse_what_is_not_a_square(wrong: Any) -> None:
    found = SquareSet([1])
    for make in (SquareSet, found.union, found.update, found.isdisjoint, found.__or__):
        with pytest.raises(Error, match=r"is not a square|a mask has"):
            make(wrong)
    assert (found != wrong, wrong in found, found == SquareSet([1])) == (True, False, True)


@pytest.mark.parametrize("method", ["add", "discard", "remove", "from_square"])
def test_methods_for_single_squares_refuse_invalid_numbers(method: str) -> None:
    for wrong in (256, -1):
        with pytest.raises(Error, match="is not a square"):
            getattr(SquareSet(), method)(wrong)


@pytest.mark.parametrize("shape", [(0, 5), (5, 17)])
@pytest.mark.parametrize("make", [lambda *shape: SquareSet((), *shape), lambda *shape: ray(0, 1, *shape)])
def test_invalid_board_shapes_are_refused(make: Callable[..., object], shape: tuple[int, int]) -> None:
    with pytest.raises(Error, match="1 to 16 files and ranks"):
        make(*shape)


def test_between_and_ray_return_the_squares_of_a_line() -> None:
    def line(text: str, *shape: int) -> tuple[str, str]:
        a, b = (parse_square(name) for name in text.split())
        assert between(a, b) == between(b, a) == SquareSet.between(a, b)
        assert ray(a, b, *shape) == ray(b, a, *shape) == SquareSet.ray(a, b, *shape)
        return named(between(a, b)), named(ray(a, b, *shape))

    assert line("b2 e2", 6, 6) == ("c2 d2", "a2 b2 c2 d2 e2 f2")
    assert line("c4 c5", 6, 6) == ("", "c1 c2 c3 c4 c5 c6")
    assert line("a9 d12", 12, 12) == ("b10 c11", "a9 b10 c11 d12")
    assert line("e2 c4", 6, 6) == ("d3", "f1 e2 d3 c4 b5 a6")
    assert line("a1 b3") == line("c3 c3") == ("", "")
    assert len(ray(0, 17)) == 16
    for a, b in ((0, 256), (-1, 0)):
        with pytest.raises(Error, match="is not a square"):
            between(a, b)
        with pytest.raises(Error, match="is not a square"):
            ray(a, b)
