"""Matches: statistics against published ones and brute force, the referee, the log, and the command."""

from __future__ import annotations

import json
import math
import os
import random
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from acedrex import Board, Error, Move, load, pgn
from acedrex.cli import main
from acedrex.engine import EngineError, Info, Limit, PlayResult, Score
from acedrex.match import Control, Goal, Log, Settings, Sprt, Standing, estimate, parse_spec, run, write_pgn
from acedrex.match import referee as referee_module
from acedrex.match.openings import Judge, make_opening
from acedrex.match.players import make
from acedrex.match.referee import Played, StoppedError, play_game

FAKE = Path(__file__).parent / "data" / "fake_engine.py"


def settings(game: str = "chess", first: str = "random", second: str = "greedy", **others: Any) -> Settings:
    return Settings(
        game=load(game),
        first=parse_spec(first),
        second=parse_spec(second),
        **{"control": Control(nodes=1), "openings": 4, **others},
    )


# Statistics.

# Pairs by score, guesses in normalized Elo, and the ratio that was published with them: by Fishtest (Stockfish's pull
# requests 4194, 6019, 5712 and 3972) and by fastchess (the last three).
PUBLISHED = [
    ([371, 10263, 24989, 10642, 379], (0, 2), 2.95),
    ([47, 8181, 25234, 8575, 47], (0.5, 2.5), 2.94),
    ([320, 12431, 27275, 12858, 316], (0, 2), 2.95),
    ([197, 45541, 117722, 46579, 228], (0.5, 2.5), 2.96),
    ([831, 31795, 68460, 32448, 834], (0, 2), 2.93),
    ([327, 8113, 21317, 8168, 347], (-2.25, 0.25), 2.96),
    ([0, 0, 1, 8, 1], (0, 50), 1.24),
    ([307, 619, 1202, 725, 353], (0, 5), 2.95),
    ([84, 124, 343, 125, 164], (0, 1), 0.54),
]


@pytest.mark.parametrize(("pairs", "guesses", "ratio"), PUBLISHED)
def test_published_tests(pairs: list[int], guesses: tuple[float, float], ratio: float) -> None:
    assert Sprt(*guesses).ratio(pairs) == pytest.approx(ratio, abs=0.0055)


# Pairs, Elo with its error, normalized Elo, and superiority in percent, as fastchess published them.
ESTIMATES = [
    ([352, 579, 1264, 743, 464], 19.83, 6.77, 24.25, 100.00),
    ([307, 619, 1202, 725, 353], 10.73, 6.70, 13.63, 99.92),
    ([12, 6, 25, 8, 9], -11.59, 56.66, -12.83, 34.29),
    ([84, 124, 343, 125, 164], 33.40, 14.24, 39.23, 100.00),
]


@pytest.mark.parametrize(("pairs", "elo", "error", "normalized", "superiority"), ESTIMATES)
def test_published_estimates(pairs: list[int], elo: float, error: float, normalized: float, superiority: float) -> None:
    judged = estimate(pairs)
    assert judged is not None
    assert judged.elo == pytest.approx(elo, abs=0.005)
    assert (judged.elo_interval[1] - judged.elo_interval[0]) / 2 == pytest.approx(error, abs=0.005)
    assert judged.normalized_elo == pytest.approx(normalized, abs=0.005)
    assert judged.superiority * 100 == pytest.approx(superiority, abs=0.005)


def likelihood(counts: Sequence[float], mean: float, square: float) -> float:
    """The largest log-likelihood of counts under a distribution with given mean and mean square, by Newton's method."""
    values = [at / (len(counts) - 1) for at in range(len(counts))]
    weights = [count / sum(counts) for count in counts]
    a = b = 0.0

    def denominators(a: float, b: float) -> list[float]:
        return [1 + a * (v - mean) + b * (v * v - square) for v in values]

    for _ in range(100):
        ds = denominators(a, b)
        terms = [(w, v - mean, v * v - square, d) for w, v, d in zip(weights, values, ds, strict=True)]
        fa, fb = sum(w * x / d for w, x, _, d in terms), sum(w * y / d for w, _, y, d in terms)
        aa, ab, bb = (
            sum(w * p * q / d**2 for w, p, q, d in pick)
            for pick in (
                [(w, x, x, d) for w, x, _, d in terms],
                [(w, x, y, d) for w, x, y, d in terms],
                [(w, y, y, d) for w, _, y, d in terms],
            )
        )
        determinant = aa * bb - ab * ab
        step_a, step_b = (fa * bb - fb * ab) / determinant, (fb * aa - fa * ab) / determinant
        size = 1.0
        while min(denominators(a + size * step_a, b + size * step_b)) <= 0:
            size /= 2
            if size < 1e-12:
                return -math.inf
        a, b = a + size * step_a, b + size * step_b
        if abs(step_a) + abs(step_b) < 1e-13:
            break
    ps = [w / d for w, d in zip(weights, denominators(a, b), strict=True)]
    if abs(sum(ps) - 1) > 1e-6 or abs(sum(p * v for p, v in zip(ps, values, strict=True)) - mean) > 1e-6:
        return -math.inf
    return sum(count * math.log(p) for count, p in zip(counts, ps, strict=True))


def likelihood_of_guess(counts: Sequence[float], guess: float) -> float:
    """The largest log-likelihood under a normalized Elo: a search along the standard deviation."""
    t = math.sqrt(2) * guess / (800 / math.log(10))

    def at(sigma: float) -> float:
        mean = 0.5 + t * sigma
        return likelihood(counts, mean, sigma * sigma + mean * mean)

    sigmas = [0.01 + 0.002 * step for step in range(220)]
    best = max(sigmas, key=at)
    low, high = best - 0.002, best + 0.002
    for _ in range(60):
        left, right = low + (high - low) * 0.382, low + (high - low) * 0.618
        low, high = (left, high) if at(left) < at(right) else (low, right)
    return at((low + high) / 2)


@pytest.mark.parametrize(
    ("counts", "guesses"),
    [
        ([9, 12, 30, 25, 14], (0, 20)),
        ([3, 3, 5, 1, 2], (-40, 60)),
        ([2, 3, 4, 8, 9, 11, 3, 2, 1], (0, 30)),
    ],
)
def test_the_ratio_against_a_search(counts: list[int], guesses: tuple[float, float]) -> None:
    searched = likelihood_of_guess(counts, guesses[1]) - likelihood_of_guess(counts, guesses[0])
    assert Sprt(*guesses).ratio(counts) == pytest.approx(searched, abs=1e-4)


def test_errors_of_the_test_are_few() -> None:
    """Simulated matches at both guesses: about 95 % end as they should."""
    chance = random.Random(3)
    test = Sprt(0, 120)
    # The normalized Elo of these chances are 0 and 120.
    for chances, right in (((1, 2, 4, 2, 1), "H0"), ((1, 2, 4, 2, 1), "H1")):
        weights = [weight / 10 for weight in chances]
        if right == "H1":
            weights = shifted(weights, 120)
        verdicts = []
        for _ in range(100):
            counts = [0] * 5
            verdict = None
            while verdict is None:
                for at in chance.choices(range(5), weights, k=8):
                    counts[at] += 1
                verdict = test.verdict(counts)
            verdicts.append(verdict)
        assert verdicts.count(right) >= 0.88 * len(verdicts)


def shifted(weights: Sequence[float], guess: float) -> list[float]:
    """Tilt chances towards winning until their normalized Elo is as wanted."""

    def tilted(by: float) -> list[float]:
        new = [weight * math.exp(by * at) for at, weight in enumerate(weights)]
        return [weight / sum(new) for weight in new]

    def normalized(by: float) -> float:
        mean = sum(at / 4 * weight for at, weight in enumerate(tilted(by)))
        variance = sum((at / 4 - mean) ** 2 * weight for at, weight in enumerate(tilted(by)))
        return (mean - 0.5) / math.sqrt(2 * variance) * 800 / math.log(10)

    low, high = 0.0, 5.0
    for _ in range(60):
        middle = (low + high) / 2
        low, high = (middle, high) if normalized(middle) < guess else (low, middle)
    return tilted(low)


def test_the_interval_holds() -> None:
    """Of simulated matches about 95 % have the true score in their interval."""
    chance = random.Random(5)
    weights = [0.1, 0.15, 0.3, 0.25, 0.2]
    true = sum(at / 4 * weight for at, weight in enumerate(weights))
    inside = 0
    for _ in range(1000):
        drawn = chance.choices(range(5), weights, k=100)
        judged = estimate([drawn.count(at) for at in range(5)])
        assert judged is not None
        inside += judged.score_interval[0] <= true <= judged.score_interval[1]
    assert 930 <= inside <= 970


def test_extremes() -> None:
    assert estimate([0, 0, 0, 0, 0]) is None
    assert Sprt(0, 5).ratio([0, 0, 0, 0, 0]) == 0
    won = estimate([0, 0, 0, 0, 20])
    assert won is not None
    assert won.score_interval == (pytest.approx(20 / (20 + 1.96**2), abs=1e-4), 1.0)
    assert won.elo == won.elo_interval[1] == math.inf and won.superiority > 0.999
    even = estimate([0, 0, 20, 0, 0])
    assert even is not None
    assert even.elo == 0 and even.superiority == 0.5 and even.score_interval[0] < 0.5 < even.score_interval[1]
    # All pairs even, as when a program plays itself: the guess is as likely as a share of wins that makes up its mean.
    t = math.sqrt(2) * 60 / (800 / math.log(10))
    assert Sprt(0, 60).ratio([0, 0, 900, 0, 0]) == pytest.approx(-900 * math.log(1 + t * t), abs=0.1)
    test = Sprt(0, 5)
    assert [test.verdict(counts) for counts in ([0, 0, 0, 0, 900], [900, 0, 0, 0, 0], [0, 0, 9, 0, 0])] == [
        "H1",
        "H0",
        None,
    ]


def test_the_page_judges_its_example() -> None:
    page = (Path(__file__).parents[1] / "docs" / "matches.md").read_text(encoding="utf-8")
    told = re.search(r"Pairs by score: ([\d ]+)", page)
    assert told is not None
    judged = estimate([int(count) for count in told[1].split()])
    assert judged is not None
    low, high = judged.score_interval
    assert f"{judged.score:.1%} [{low:.1%}, {high:.1%}], Elo {judged.elo:+.1f} " in page
    assert "[{:+.1f}, {:+.1f}]".format(*judged.elo_interval) in page
    assert f"Better with {judged.superiority:.1%}; normalized Elo {judged.normalized_elo:+.1f};" in page


# Openings.


def test_openings_are_the_same_for_the_same_seed() -> None:
    one, two = settings("metamachy", openings=8), settings("metamachy", openings=8, seed=2)
    first = [make_opening(one, pair) for pair in range(30)]
    assert [board.fen() for board in first] == [make_opening(one, pair).fen() for pair in range(30)]
    assert len({board.fen() for board in first}) == 30
    assert {board.fen() for board in first}.isdisjoint(make_opening(two, pair).fen() for pair in range(30))
    assert len({board.root_fen for board in first}) > 10  # setups
    assert all(board.ply() == 8 for board in first)


def test_openings_end_with_a_whole_turn() -> None:
    for pair in range(10):
        board = make_opening(settings("chieftain", openings=6), pair)
        assert not board.turn_plies and 6 <= board.ply() <= 13


def test_openings_in_balance() -> None:
    def judge(board: Board) -> int:
        return 200 if board.legal_moves.count() % 2 else 150

    boards = [make_opening(settings(balance=150), pair, judge) for pair in range(20)]
    assert all(board.legal_moves.count() % 2 == 0 for board in boards)
    with pytest.raises(Error, match="1000 openings of 4 random plies, and none to play from"):
        make_opening(settings(balance=150), 0, lambda board: 151)


# Players.


def test_specs() -> None:
    spec = parse_spec("""uci:./engine --flag=1 'a b' "option.Skill Level=3" option.File=x=y""")
    assert (spec.kind, spec.command) == ("uci", ("./engine", "--flag=1", "a b"))
    assert spec.options == {"Skill Level": "3", "File": "x=y"}
    for wrong, message in {
        "": "names no player",
        "'": "names no player",
        "nobody": "there is no player 'nobody'; write one of acedrex, random, greedy",
        "uci:": "there is no player",
        "random:x": "there is no player",
        "random level=3": "player random: 'level=3' is no option of it; it takes none",
        "uci:x option.Hash": "player uci: 'Hash' is no option of it; it takes option.NAME=VALUE",
    }.items():
        with pytest.raises(Error, match=re.escape(message)):
            parse_spec(wrong)


def test_our_engine() -> None:
    standing = play(settings("shako", "acedrex threads=1 hash=4", "random", control=Control(nodes=500)), 2)
    assert standing.pairs == [0, 0, 0, 0, 1] and standing.incidents() == {"first": {}, "second": {}}
    for wrong in ("hash=many", "threads=0", "hash=9999999999"):
        with pytest.raises(Error, match=wrong.split("=")[0]):
            make(parse_spec(f"acedrex {wrong}"), load("chess"))


def test_our_engine_judges_openings() -> None:
    chosen = settings("chess", openings=8, balance=40)
    judge = Judge()
    boards = [make_opening(chosen, pair, judge) for pair in range(6)]
    assert all(Judge()(board) <= 40 for board in boards)
    assert any(Judge()(make_opening(chosen, pair)) > 40 for pair in range(6))
    assert Judge()(Board("chess", "k7/8/1K6/8/8/8/8/7R w - - 0 1")) > 10_000


def test_greedy_takes_the_most() -> None:
    def choice(game: str, fen: str) -> list[str]:
        player = make(parse_spec("greedy"), load(game))
        player.begin("1")
        return [ply.uci() for ply in player.play(Board(game, fen), Limit(nodes=1)).plies]

    assert choice("chess", "k6r/8/8/3p1q2/4P3/8/8/K6R w - - 0 1") == ["e4f5"]
    assert choice("chess", "k7/7P/6q1/8/8/8/8/K7 w - - 0 1") == ["h7h8q"]
    assert choice("xiangqi", "3k5/9/9/9/r8/9/9/9/9/R3K4 w - - 0 1") == ["a1a6"]
    # In a turn of several plies it goes on taking.
    board = Board("chieftain", "c15/16/16/16/2m13/1MM13/C15/16/16/16/16/16 w - - 0 1")
    player = make(parse_spec("greedy"), board.game)
    player.begin("1")
    assert board.ply_info(player.play(board, Limit()).plies[0]).captured is not None


def test_players_repeat_themselves() -> None:
    board = Board("maasai")
    for kind in ("random", "greedy"):
        player = make(parse_spec(kind), board.game)

        def turns(seed: str, player: Any = player) -> list[Any]:
            player.begin(seed)
            return [player.play(board, Limit()).plies for _ in range(20)]

        assert turns("a") == turns("a") != turns("b")
        player.begin("c")
        only = board.legal_moves[3]
        assert {player.play(board, Limit(), root_moves=[only]).plies for _ in range(5)} == {(only,)}


# The referee.


class Clock:
    """A clock that goes only when a scripted player thinks."""

    now = 0.0

    def perf_counter(self) -> float:
        return Clock.now


class Scripted:
    """A player that plays as a function says: a turn, a score, or an error."""

    def __init__(self, answer: Callable[[Board], Any], score: Score | None = None, seconds: float = 0.0) -> None:
        self.answer = answer
        self.score = score
        self.seconds = seconds
        self.limits: list[Limit] = []

    def begin(self, seed: str) -> None:
        pass

    def play(self, board: Board, limit: Limit, *, root_moves: Sequence[Move] = ()) -> PlayResult:
        self.limits.append(limit)
        Clock.now += self.seconds
        answer = self.answer(board)
        if isinstance(answer, Exception):
            raise answer
        score = self.score
        told = (
            None
            if score is None
            else Info(depth=1, seldepth=1, score=score, nodes=1, nps=1, time=0.0, hashfull=0, pv=(), pv_san="")
        )
        return PlayResult(plies=tuple(answer), info=told)

    def stop(self) -> None:
        pass

    def close(self) -> None:
        pass


def shuffle(board: Board) -> list[Move]:
    """A quiet ply that is no repetition as long as there is one."""
    for move in sorted(board.legal_moves, key=lambda move: move.uci()):
        after = board.copy()
        after.push(move)
        if not board.is_capture(move) and after.outcome(claim_draw=True) is None:
            return [move]
    return [board.legal_moves[0]]


def game(first: Any, second: Any, number: int = 0, fen: str | None = None, **others: Any) -> Played:
    chosen = settings(**others)
    return play_game(chosen, number, Board(chosen.game, fen), {"first": first, "second": second})


def test_a_whole_game() -> None:
    mate = iter(["f2f3", "e7e5", "g2g4", "d8h4"])
    player = Scripted(lambda board: [Move.from_uci(next(mate))])
    played = game(player, player, number=1)
    assert played.white == "second" and played.turns == ["f2f3", "e7e5", "g2g4", "d8h4"]
    assert (played.termination, played.result, played.score, played.points) == ("checkmate", "0-1", "0-1", 1.0)
    assert Played.from_record(json.loads(json.dumps(played.record()))) == played


def test_draws_are_claimed() -> None:
    moves = iter(["g1f3", "g8f6", "f3g1", "f6g8"] * 3)
    player = Scripted(lambda board: [Move.from_uci(next(moves))])
    played = game(player, player)
    assert (played.termination, len(played.turns), played.points) == ("threefold_repetition", 8, 0.5)


@pytest.mark.parametrize("answer", [["e2e5"], [], ["e2e4", "e7e5"], ["a1a1"]])
def test_an_illegal_turn_loses(answer: list[str]) -> None:
    played = game(Scripted(lambda board: [Move.from_uci(uci) for uci in answer]), Scripted(shuffle))
    assert (played.termination, played.points, played.turns) == ("illegal_turn", 0.0, [])
    assert [(incident.player, incident.kind) for incident in played.incidents] == [("first", "illegal")]


def test_an_unfinished_turn_is_illegal() -> None:
    ply = Board("chieftain").legal_moves[0]
    played = game(Scripted(lambda board: [ply]), Scripted(shuffle), game="chieftain")
    assert played.termination == "illegal_turn"


def test_whoever_fails_loses() -> None:
    played = game(Scripted(shuffle), Scripted(lambda board: EngineError("gone")))
    assert (played.termination, played.result, played.points, len(played.turns)) == ("failed", "1-0", 1.0, 1)
    assert [(note.turn, note.player, note.kind, note.text) for note in played.incidents] == [
        (1, "second", "failed", "gone")
    ]
    four = game(Scripted(lambda board: EngineError("gone")), Scripted(shuffle), game="magi:scoring=four_points")
    assert (four.score, four.points) == ("0-4", 0.0)


def test_points_of_four() -> None:
    stalemate = "k9/3Q6/1K8/10/10/10/10/10/10/10 w - - 0 1"
    player = Scripted(lambda board: [Move.from_uci("d9c9")])
    played = game(player, player, fen=stalemate, game="magi:scoring=four_points")
    assert (played.termination, played.result, played.score, played.points) == ("stalemate", "1-0", "3-1", 0.75)
    standing = Standing(settings("magi:scoring=four_points"), Goal(games=2))
    for number, points in enumerate((0.75, 0.25, 1.0, 0.75)):
        standing.add(Played(number, "first", "", [], points=points))
    assert standing.pairs == [0, 0, 0, 0, 1, 0, 0, 1, 0]


def test_late_turns_are_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(referee_module, "time", Clock())
    monkeypatch.setattr(referee_module, "MOST_TURNS", 3)
    slow, fast = Scripted(shuffle, seconds=1.125), Scripted(shuffle, seconds=1.0625)
    played = game(slow, fast, control=Control(time=1))
    assert slow.limits == [Limit(time=1)] * 2
    late = [(note.turn, note.player, note.kind, note.text) for note in played.incidents]
    text = "1.125 s where 1 s were given"
    assert late == [(1, "first", "late", text), (3, "first", "late", text)]
    assert (played.termination, played.points, played.seconds) == ("too_long", 0.5, [1.125, 1.062, 1.125])


def test_clocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(referee_module, "time", Clock())
    slow, fast = Scripted(shuffle, seconds=4), Scripted(shuffle, seconds=0.5)
    played = game(fast, slow, control=Control(base=10, increment=0.75))
    assert (played.termination, played.points) == ("time_forfeit", 1.0)
    assert [(note.turn, note.player, note.kind, note.text) for note in played.incidents] == [
        (6, "second", "time", "over its time by 0.500 s")
    ]
    assert [(limit.white_clock, limit.black_clock) for limit in slow.limits] == [
        (10.25, 10.0),
        (10.5, 6.75),
        (10.75, 3.5),
    ]
    assert {(limit.white_inc, limit.black_inc) for limit in slow.limits} == {(0.75, 0.75)}


@pytest.mark.parametrize(
    ("fen", "points"), [("k7/8/8/8/8/8/8/1QK5 w - - 0 1", 0.5), ("k7/p7/8/8/8/8/8/1QK5 w - - 0 1", 0.0)]
)
def test_a_lone_king_does_not_win_on_time(fen: str, points: float, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(referee_module, "time", Clock())
    slow = Scripted(shuffle, seconds=2)
    played = game(slow, slow, fen=fen, control=Control(base=1))
    assert (played.termination, played.points) == ("time_forfeit", points)


def test_nodes_have_an_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(referee_module, "MOST_TURNS", 1)
    player = Scripted(shuffle)
    game(player, player, control=Control(nodes=7))
    assert player.limits == [Limit(nodes=7, time=60.0)]


def test_scores_decide_if_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(referee_module, "MOST_TURNS", 100)
    sure, lost = Scripted(shuffle, Score(mate=9)), Scripted(shuffle, Score(cp=-1000))
    played = game(lost, sure, adjudicate=True)
    assert (played.termination, played.result, len(played.turns)) == ("adjudicated_win", "0-1", 6)
    assert played.scores[:2] == ["-1000", "#9"]
    assert game(lost, sure).termination == "too_long"
    assert game(Scripted(shuffle, Score(cp=-999)), sure, adjudicate=True).termination == "too_long"
    even = Scripted(shuffle, Score(cp=10))
    played = game(even, even, adjudicate=True)
    assert (played.termination, len(played.turns)) == ("adjudicated_draw", 90)
    assert game(even, Scripted(shuffle), adjudicate=True).termination == "too_long"


def test_a_game_can_be_stopped() -> None:
    player = Scripted(shuffle)
    left = iter([False, False, True])
    with pytest.raises(StoppedError):
        play_game(settings(), 0, Board("chess"), {"first": player, "second": player}, lambda: next(left))
    assert len(player.limits) == 2


# Matches.


def play(chosen: Settings, games: int, concurrency: int = 1, log: Log | None = None) -> Standing:
    standing = Standing(chosen, Goal(games=games), log.games if log else ())
    run(standing, log=log, concurrency=concurrency)
    return standing


def plain(standing: Standing) -> list[dict[str, Any]]:
    """The games without their times."""
    games = [standing.games[number].record() for number in sorted(standing.games)]
    return [{key: value for key, value in game.items() if key != "seconds"} for game in games]


def test_pairs_share_their_opening() -> None:
    standing = play(settings("metamachy"), 8)
    games = [standing.games[number] for number in range(8)]
    for first, second in zip(games[::2], games[1::2], strict=True):
        assert (first.start, first.opening) == (second.start, second.opening)
        assert (first.white, second.white) == ("first", "second")
        assert first.turns != second.turns
    assert len({(game.start, *game.opening) for game in games}) == 4
    assert sum(standing.pairs) == 4
    record = standing.record()
    assert record["wins"] + record["draws"] + record["losses"] == record["games"] == 8
    assert sum(record["terminations"].values()) == 8


def test_several_games_at_once_are_the_same_games() -> None:
    chosen = settings("shako")
    assert plain(play(chosen, 12, concurrency=3)) == plain(play(chosen, 12))


def test_a_test_ends_a_match() -> None:
    standing = Standing(settings("chieftain", "greedy", "random"), Goal(games=2000, sprt=(0, 300)))
    run(standing)
    assert standing.over and len(standing.games) < 2000
    assert standing.record()["sprt"]["verdict"] == "H1"
    assert any("Test in normalized Elo: 300 or more" in line for line in standing.report())


def test_goals() -> None:
    for goal in ({}, {"games": 3}, {"games": 0}, {"sprt": (5, 5)}):
        with pytest.raises(Error):
            Goal(**goal)  # type: ignore[arg-type]


def test_a_log_is_gone_on_with(tmp_path: Path) -> None:
    path, chosen = tmp_path / "log.jsonl", settings("shako")
    with Log(path, chosen, resume=False) as log:
        whole = play(chosen, 8, log=log)
    lines = path.read_bytes().splitlines(keepends=True)
    assert len(lines) == 9
    # As after a crash: some games are missing, the last line is torn.
    path.write_bytes(b"".join([*lines[:2], *lines[3:6], lines[6][:-20]]))
    with Log(path, chosen, resume=True) as log:
        assert [game.number for game in log.games] == [0, 2, 3, 4]
        assert path.read_bytes() == b"".join([*lines[:2], *lines[3:6]])
        assert plain(play(chosen, 8, log=log)) == plain(whole)
    with Log(path, chosen, resume=True) as log:
        assert sorted(game.number for game in log.games) == list(range(8))


def test_a_log_of_another_match(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    with Log(path, settings(), resume=False):
        pass
    with pytest.raises(Error, match="is there already; --resume goes on with it"):
        Log(path, settings(), resume=False)
    with pytest.raises(Error, match=r"log.jsonl:1: this is another match: seed was 1, and is 2 now"):
        Log(path, settings(seed=2), resume=True)
    good = path.read_bytes()
    for wrong in (b"{}\n", b"[]\n", b"\xff\n", b'{"number": 0}\n', b"[" * 100_000 + b"\n"):
        path.write_bytes(good + wrong)
        with pytest.raises(Error, match=r"log.jsonl:2: "):
            Log(path, settings(), resume=True)
        assert path.read_bytes() == good + wrong


def fake(mode: str, tmp_path: Path) -> str:
    return f"uci:{sys.executable} {FAKE} {mode} {tmp_path / mode}"


def test_programs(tmp_path: Path) -> None:
    standing = play(settings("chieftain", fake("good", tmp_path), "random", openings=4), 2)
    assert standing.incidents() == {"first": {}, "second": {}}
    assert all(len(game.turns) > 5 for game in standing.games.values())


def test_programs_that_play_what_is_not_legal(tmp_path: Path) -> None:
    standing = play(settings("chess", "random", fake("illegal", tmp_path)), 2)
    assert [game.points for game in standing.games.values()] == [1.0, 1.0]
    assert standing.incidents() == {"first": {}, "second": {"illegal": 2}}
    standing = play(settings("chess", "random", fake("illegal", tmp_path), ask_again=True), 2)
    assert {game.termination for game in standing.games.values()}.isdisjoint({"illegal_turn", "failed"})
    asked = sum(len(game.turns) for game in standing.games.values())
    assert asked / 2 - 2 <= standing.incidents()["second"]["illegal"] <= asked / 2 + 2


def test_programs_that_die_are_started_anew(tmp_path: Path) -> None:
    standing = play(settings("chess", fake("die", tmp_path), "random"), 4)
    assert [game.termination for game in standing.games.values()] == ["failed"] * 4
    assert standing.pairs == [2, 0, 0, 0, 0]
    with pytest.raises(EngineError, match="cannot start"):
        play(settings("chess", "random", "uci:no-such-engine"), 4)


def test_a_program_that_does_not_know_the_game_plays_no_match(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="does not play maasai"):
        play(settings("maasai", "random", fake("good", tmp_path)), 4)


# The command.


def test_the_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, record = tmp_path / "m.json", tmp_path / "m.pgn"
    words = ["match", "magi:scoring=four_points", "--first", "greedy", "--second", "random", "--nodes", "1"]
    assert main([*words, "--games", "4", "--out", str(out), "--pgn", str(record)]) == 0
    told = capsys.readouterr().out
    assert "magi:scoring=four_points: greedy against random, 1 nodes a turn\n4/4 games" in told
    summary = json.loads(out.read_text())
    assert summary["games"] == 4 and len(summary["pairs"]) == 9
    log = [json.loads(line) for line in out.with_suffix(".jsonl").read_text().splitlines()]
    with record.open() as file:
        records = list(pgn.Reader(file))
    assert len(records) == len(log) - 1 == 4
    for read, written in zip(records, log[1:], strict=True):
        assert not read.errors
        assert (read.headers["Result"], read.headers["Score"]) == (written["result"], written["score"])
        turns = [",".join(ply.uci() for ply in node.moves) for node in read.mainline()]
        assert turns == written["opening"] + written["turns"]
        assert read.headers["White"] == {"first": "greedy", "second": "random"}[written["white"]]
        assert read.headers["Date"] == written["date"] and read.headers["Date"] > "2026"
        assert read.headers["TimeControl"] == "-"
    assert main([*words, "--games", "4", "--out", str(out)]) == 1
    assert "--resume goes on with it" in capsys.readouterr().err
    assert main([*words, "--games", "6", "--out", str(out), "--resume"]) == 0
    assert json.loads(out.read_text())["games"] == 6
    before = record.read_text()
    assert main([*words, "--games", "2", "--pgn", str(record)]) == 1
    assert f"{record} is there already; choose another file" in capsys.readouterr().err
    assert record.read_text() == before
    never = tmp_path / "never.pgn"
    assert (
        main([*words[:4], "--second", "uci:no-such-engine", "--nodes", "1", "--games", "2", "--pgn", str(never)]) == 1
    )
    assert not never.exists(), "no game was played, so nothing stands in the way of the next try"


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (["--nodes", "1"], 1, "a match needs an end"),
        (["--games", "2"], 2, "one of the arguments --nodes --time --tc is required"),
        (["--games", "3", "--nodes", "1"], 1, "3 games: games are played in pairs"),
        (["--games", "2", "--tc", "ten"], 2, "'ten' is no number"),
        (["--games", "2", "--time", "0"], 2, "'0' is no time from 0.001"),
        (["--games", "2", "--time", "inf"], 2, "'inf' is no number"),
        (["--games", "2", "--nodes", "0"], 2, "'0' is no whole number from 1"),
        (["--sprt", "5", "0", "--nodes", "1"], 1, "the first guess, 5, has to be less than the second, 0"),
        (["--games", "2", "--nodes", "1", "--resume"], 1, "--resume needs the --out FILE"),
        (["--games", "2", "--nodes", "1", "--out", "/no/such/place.json"], 1, "cannot use /no/such/place.jsonl"),
        (["--games", "2", "--nodes", "1", "--out", "m.jsonl"], 1, "--out names the summary, such as match.json"),
        (["--games", "2", "--nodes", "1", "--out", "."], 1, "--out names the summary, such as match.json"),
        (["--games", "2", "--nodes", "1", "--pgn", "/no/such/place.pgn"], 1, "cannot use /no/such/place.pgn"),
    ],
)
def test_wrong_words(words: list[str], status: int, message: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["match", "chess", "--first", "random", "--second", "random", *words]) == status
    assert message in capsys.readouterr().err


def begin(out: Path, *words: str) -> subprocess.Popen[str]:
    """Start a long match in a process of its own, and wait until some games have been played."""
    match = ["match", "shako", "--first", "greedy", "--second", "random", "--nodes", "1", "--seed", "7"]
    process = subprocess.Popen(
        [sys.executable, "-m", "acedrex", *match, "--out", str(out), *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        # A shell may have muted Ctrl-C for what it starts.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler) and None,
    )
    log = out.with_suffix(".jsonl")
    while process.poll() is None and (not log.exists() or log.read_bytes().count(b"\n") < 4):
        time.sleep(0.01)
    return process


@pytest.mark.skipif(os.name != "posix", reason="kills as Unix does")
def test_a_match_survives_being_killed(tmp_path: Path) -> None:
    out = tmp_path / "m.json"
    with begin(out, "--games", "1000") as process:
        process.kill()
    log = out.with_suffix(".jsonl")
    before = log.read_bytes()
    played = before.count(b"\n") - 1
    assert 3 <= played < 1000 and not out.exists()
    games = played + played % 2 + 4
    with begin(out, "--games", str(games), "--resume") as process:
        assert process.wait() == 0
    assert log.read_bytes().startswith(before[: before.rfind(b"\n") + 1])
    chosen = settings("shako", "greedy", "random", openings=8, balance=150, seed=7)
    with Log(log, chosen, resume=True) as resumed:
        standing = Standing(chosen, Goal(games=games), resumed.games)
    assert plain(standing) == plain(play(chosen, games))


@pytest.mark.skipif(os.name != "posix", reason="interrupts as Unix does")
def test_a_match_can_be_interrupted(tmp_path: Path) -> None:
    out = tmp_path / "m.json"
    with begin(out, "--sprt", "-1", "1", "--concurrency", "2") as process:
        process.send_signal(signal.SIGINT)
        assert process.wait() == 130
        assert process.stderr is not None
        assert re.search(r"stopped after \d+ games; the same command with --resume goes on", process.stderr.read())
    assert json.loads(out.read_text())["games"] == out.with_suffix(".jsonl").read_bytes().count(b"\n") - 1


def test_records_of_all_endings() -> None:
    played = game(Scripted(shuffle), Scripted(lambda board: EngineError("gone")))
    import io

    file = io.StringIO()
    write_pgn(settings(), [played], file)
    assert '[Termination "failed"]' in file.getvalue() and '[Result "1-0"]' in file.getvalue()


def test_against_fairy_stockfish(witness: Callable[[str], str]) -> None:
    spec = f"uci:{witness('fairy-stockfish')} option.Hash=1"
    standing = play(settings("shako", spec, "greedy", control=Control(time=0.01)), 2)
    assert standing.pairs == [0, 0, 0, 0, 1]
    assert "illegal" not in standing.incidents()["first"]
