"""Games with handicaps and from setups, as jobs."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

import pytest

from acedrex import Board, Error, games, lab, load, parse_square
from acedrex.lab import Handicaps, Job, SetupGames, Tally, run, unlike_setups
from acedrex.lab.data import read_games
from acedrex.lab.handicaps import DRAWN, is_null, is_small
from tests.lab import Now, contents, finish


def pieces(fen: str) -> Counter[str]:
    return Counter(re.findall(r"[A-Za-z]['!]?", fen.split()[0]))


def swapped(counts: Counter[str]) -> Counter[str]:
    return Counter({token.swapcase(): count for token, count in counts.items()})


@pytest.mark.parametrize("name", games())
def test_the_games_of_a_pair_share_a_handicap_with_colours_swapped(name: str) -> None:
    game = load(name)
    plan = Handicaps.plan(game, games=80, nodes=1, unit=2)
    royals = {kind.letter for kind in game.pieces if kind.royal}
    differ = 0
    for pair in range(20):
        one, other = Board(game, plan.start(2 * pair)), Board(game, plan.start(2 * pair + 1))
        assert one.turn and other.turn
        for board in (one, other):
            assert board.is_valid() and not board.is_check() and not board.is_game_over()
        counts = pieces(one.fen())
        assert pieces(other.fen()) == swapped(counts)
        whole = pieces(game.start_fen)
        assert all(counts[token] <= whole[token] for token in counts)
        assert all(counts[token] for token in whole if token.upper() in royals)
        even = counts == swapped(counts)
        assert even or not is_null(pair)
        differ += not even
        if is_null(pair) and not is_small(pair):
            assert counts == whole
    assert differ > 10


def test_every_piece_type_differs_often() -> None:
    """Otherwise the values of the rarest and most valuable pieces would need far more games than the others."""
    plan = Handicaps.plan(load("chess"), games=600, nodes=1, unit=2)
    counts = [pieces(plan.start(2 * pair)) for pair in range(300) if not is_null(pair)]
    for letter in "QRBNP":
        differ = sum(count[letter] != count[letter.lower()] for count in counts)
        assert differ > 0.15 * len(counts), letter


def test_chieftains_are_removed_too_but_one_always_stays() -> None:
    """A side with one Chieftain fewer gets several extra pieces, since two would not make up for it."""
    plan = Handicaps.plan(load("chieftain"), games=600, nodes=1, unit=2)
    counts = [pieces(plan.start(2 * pair)) for pair in range(300) if not is_null(pair)]
    differ = [count for count in counts if count["C"] != count["c"]]
    assert len(differ) > 0.12 * len(counts)
    assert min(count["C"] for count in counts) == 1 and max(count["C"] for count in counts) == 4
    for count in differ:
        more, less = ("HSNM", "hsnm") if count["C"] < count["c"] else ("hsnm", "HSNM")
        assert abs(count["C"] - count["c"]) == 1
        assert sum(count[letter] for letter in more) > sum(count[letter] for letter in less)


def test_castling_rights_are_removed_with_their_rooks() -> None:
    plan = Handicaps.plan(load("chess"), games=400, nodes=1, unit=2)
    seen = set()
    for number in range(120):
        board = Board("chess", plan.start(number))
        for right, square in (("K", "h1"), ("Q", "a1"), ("k", "h8"), ("q", "a8")):
            there = board.piece_at(parse_square(square))
            assert (right in board.rights) == (there is not None)
            seen.add((right, there is not None))
    assert len(seen) == 8


def test_an_interrupted_handicap_job_ends_with_the_same_data(tmp_path: Path) -> None:
    plan = Handicaps.plan(load("magi"), games=14, nodes=5, unit=4, seed=3)
    one = Job.create(tmp_path / "one", plan)
    finish(one)
    other = Job.create(tmp_path / "other", plan)

    def stop(tally: Tally) -> None:
        if tally.amount >= 8:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(other, Now, window=1, report=stop)
    assert len(other.units()) == 2
    again = Job.open(tmp_path / "other")
    assert again.plan == plan
    finish(again)
    assert one.digest() == again.digest()
    assert contents(tmp_path / "one") == contents(tmp_path / "other")
    played = list(read_games([tmp_path / "one"]))
    assert [game.start for game in played] == [plan.start(number) for number in range(14)], "also the short last unit"
    status, wrong = one.status()
    assert status.line() == "14 of 14 games" and not wrong


def test_other_seeds_give_other_handicaps() -> None:
    def starts(seed: int) -> list[str]:
        plan = Handicaps.plan(load("shako"), games=40, nodes=1, unit=2, seed=seed)
        return [plan.start(number) for number in range(4, 20)]

    assert starts(1) == starts(1) != starts(2)


def test_setups_take_turns_and_reflections_are_left_out(tmp_path: Path) -> None:
    game = load("metamachy")
    names = unlike_setups(game)
    assert len(names) == 12
    assert len(unlike_setups(load("zanzibar-s"))) == 24
    assert unlike_setups(load("chess")) == []
    boards = {name: Board(game, setup=name) for name in game.setups}
    rows = {name: str(board).split("\n") for name, board in boards.items()}
    reflected = {name: [line[::-1].strip() for line in lines] for name, lines in rows.items()}
    chosen = [[line.strip() for line in rows[name]] for name in names]
    for name, lines in rows.items():
        assert ([line.strip() for line in lines] in chosen) + (reflected[name] in chosen) == 1, name
    plan = SetupGames.plan(game, names[:3], games=7, nodes=2, unit=2)
    job = Job.create(tmp_path / "setups", plan)
    finish(job)
    assert Job.open(tmp_path / "setups").plan == plan
    found = [Board(game, played.start).setup_name() for played in read_games([tmp_path / "setups"])]
    assert found == [names[number % 3] for number in range(7)]
    every = SetupGames.plan(game, games=200, nodes=1, unit=2)
    assert len({every.setup(number) for number in range(200)}) > 20
    with pytest.raises(Error, match="no setup 'KING'"):
        SetupGames.plan(game, ["KING"], games=2)


def test_invalid_plans_are_refused() -> None:
    with pytest.raises(Error, match="played in pairs"):
        Handicaps.plan(load("chess"), games=3, nodes=1, unit=2)
    common = {"game": load("metamachy"), "unit": 2}
    recipe = {"nodes": 1, "opening": 0, "seed": 1, "setups": ["KQGL", 7]}
    with pytest.raises(Error, match="no setup '7'"):
        SetupGames.from_record(recipe, {"games": 2}, **common)
    with pytest.raises(Error, match="setups: expected a list"):
        SetupGames.from_record({**recipe, "setups": "KQGL"}, {"games": 2}, **common)
    with pytest.raises(Error, match="games: expected a whole number"):
        Handicaps.from_record({**recipe, "drawn": DRAWN}, {}, **common)


def test_handicaps_of_another_version_are_refused_with_advice(tmp_path: Path) -> None:
    job = Job.create(tmp_path / "old", Handicaps.plan(load("chess"), games=2, nodes=1, unit=2))
    finish(job)
    manifest = job.manifest()
    del manifest["recipe"]["drawn"]
    (tmp_path / "old" / "manifest.json").write_text(json.dumps({**manifest, "version": "0.0.9"}))
    told = (
        r"drawn in another way: .* report with the version that began it \(0\.0\.9\), or begin again in another folder"
    )
    with pytest.raises(Error, match=told):
        Job.open(tmp_path / "old")


def test_the_unit_size_depends_on_nothing_but_the_plan() -> None:
    for nodes, unit in ((1, 1000), (500, 100), (3_400, 14), (10**9, 2)):
        assert Handicaps.plan(load("chess"), games=2, nodes=nodes).unit == unit
    assert lab.SetupGames.plan(load("chess"), games=2, nodes=3_400).unit == 15
