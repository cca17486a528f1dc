"""Lessons: examples show what they claim, and every move of a puzzle's solution is the only one that works."""

from __future__ import annotations

import datetime
import json
import pickle
import random
import re
from itertools import permutations
from pathlib import Path
from typing import get_args

import pytest

from acedrex import Board, Error, InvalidMoveError, _native, games, languages, load
from acedrex.game import FEATURED
from acedrex.lessons import (
    FIRST_DAY,
    THEMES,
    AttemptResult,
    Example,
    Puzzle,
    daily,
    endings,
    examples,
    exercises,
    first_game,
    puzzles,
    setup_scores,
    setup_study,
    themes,
)
from acedrex.lessons.first import MOST, new_pieces
from acedrex.lessons.levels import first_step
from acedrex.lessons.mine import add, made, themed
from acedrex.lessons.puzzle import Goal, TooLongError, solve
from acedrex.lessons.themes import special_rule, taught
from tests.samples import sample

EXAMPLES = [(game, example) for game in games() for example in examples(game)]


def shown(board: Board, example: Example) -> set[str]:
    """What the last move of an example is."""
    *before, last = example.moves
    for move in before:
        board.push_uci(move)
    found = {"move"} | ({"turn"} if board.turn_moves else set())
    move = board.parse_uci(last)
    if move.special is None:
        info, piece = board.move_info(move), board.piece_at(move.from_square)
        assert piece is not None
        royal = board.game.piece(piece.letter).royal
        steps = abs(move.to_square // 16 - move.from_square // 16)
        facts = {
            "castling": info.partner is not None,
            "en_passant": info.captured_on not in (None, move.to_square),
            "promotion": move.promotion is not None,
            "hop": info.reach is not None and info.reach.mount is not None,
            "jump": royal and info.reach is None and info.partner is None,
            "double_step": board.game.piece(piece.letter).is_soldier and steps > 1,
        }
        found |= {name for name, fact in facts.items() if fact}
    board.push(move)
    return found | ({"end"} if board.is_game_over() else set())


@pytest.mark.parametrize(("game", "example"), EXAMPLES)
def test_examples_show_what_they_claim(game: str, example: Example) -> None:
    board = Board(game, example.fen, **example.options)
    legal = {move.uci() for move in board.legal_moves}
    assert not legal & set(example.refused)
    assert example.shows in shown(board, example)
    assert not {move.uci() for move in board.legal_moves} & set(example.refused_then)
    outcome = board.outcome()
    ended = "" if outcome is None else f"{outcome.termination.value} {outcome.score}"
    assert ended == example.ends
    assert set(example.texts) == set(languages())
    assert all(example.texts.values())


@pytest.mark.parametrize("game", games())
def test_the_first_game_introduces_the_new_pieces(game: str) -> None:
    loaded = load(game)
    steps = first_game(loaded)
    pieces = [step.piece for step in steps if step.piece]
    # A Xiangqi General has nothing to capture in the middle of the board.
    missing = {piece.letter for piece in new_pieces(loaded)} - set(pieces)
    assert (missing == {"K"} and game == "xiangqi") or not missing or len(steps) == MOST
    assert len(steps) <= MOST
    for step in steps:
        board = Board(game, step.fen, **step.options)
        if step.piece:
            assert board.is_valid() and not board.is_check()
            move = board.parse_uci(step.moves[0])
            assert board.is_capture(move)
            mover = board.piece_at(move.from_square)
            assert mover is not None and (mover.letter, mover.color) == (step.piece, True)


def test_new_pieces_are_those_that_chess_does_not_have() -> None:
    assert "".join(piece.letter for piece in new_pieces(load("metamachy"))) == "GLCIEM"
    # The Chieftain is royal but no King, and a Man moves like a King without being one.
    assert "".join(piece.letter for piece in new_pieces(load("chieftain"))) == "CHSM"
    # With the option the straight Heroes and Shamans are gone.
    assert "".join(piece.letter for piece in new_pieces(load("chieftain", bent="on"))) == "CMZY"
    assert first_game(load("chess")) == ()


def test_a_long_first_game_keeps_the_most_prominent_pieces() -> None:
    # The Berolina Pawn and the River Soldier are worth little, but stand in front.
    letters = " ".join(step.piece for step in first_game(load("menagerie")))
    assert letters == "R! B! A C' A' N! F L D C O G U C! P' P!"
    # An Amazon is a larger part of the army than two Machines, and so are two Princes.
    pieces = {step.piece for step in first_game(load("terachess"))}
    assert {piece.letter for piece in new_pieces(load("terachess"))} - pieces == set("WEMZ")
    assert {"A", "I"} < pieces
    # There is still room for the special rules.
    assert [step.rule for step in first_game(load("maasai"))][-2:] == ["jump", "promotion"]


def test_the_first_game_ends_with_the_special_rules() -> None:
    steps = [step.piece or step.rule for step in first_game(load("metamachy"))]
    assert steps == ["G", "L", "C", "I", "E", "M", "jump", "double_step", "promotion"]
    # The Cannon's position is the written example, the Eagle's is generated: it can turn once.
    assert first_game(load("metamachy"))[2].texts["en"].startswith("The Cannon hops")
    assert first_game(load("metamachy"))[0].moves == ("f6g10",)
    assert [step.rule for step in first_game(load("metamachy"), shipped=False) if step.rule] == []


def test_piece_types_in_play_are_in_the_starting_position_or_promoted_to() -> None:
    assert load("chieftain").in_play == frozenset("CHSNM")
    assert load("chieftain", augmented="on").in_play == frozenset("CHSMFW")
    for game in set(games()) - {"chieftain"}:
        assert len(load(game).in_play) == len(load(game).pieces), game


def test_examples_call_the_piece_leapt_over_the_screen() -> None:
    texts = {text for _, example in EXAMPLES for text in example.texts.values()}
    assert not [text for text in texts if re.search(r"\b(mount|tremplin)\b", text)]
    # Each explains the word, because pages show them one by one.
    told = [text for text in texts if re.search(r"\b(screen|écran)\b", text)]
    assert len(told) == 4 and all(re.search("leaps over|sautée", text) for text in told)


def test_every_example_belongs_to_a_rule_or_a_piece() -> None:
    for game, example in EXAMPLES:
        loaded = load(game)
        assert (example.rule in loaded.rules) != (example.piece in {piece.letter for piece in loaded.pieces})
    # The rules that chess does not have or that differ from it.
    assert {example.rule for example in examples("metamachy")} >= {"jump", "jump_safety", "en_passant"}
    assert {example.rule for example in examples("magi")} >= {"en_passant", "bare_king", "castling"}
    assert {example.rule for example in examples("chieftain")} >= {"command", "turn"}
    assert {example.piece for example in examples("maasai")} >= {"C", "V", "O"}


@pytest.mark.parametrize("game", FEATURED)
def test_ending_puzzles_are_proved_and_won(game: str) -> None:
    loaded = load(game)
    found = endings(game)
    assert len(found) == len({ending.fen for ending in found}) == 6
    for ending in found:
        assert ending.moves >= 2
        assert ending.is_proved(loaded), ending
        board = Board(loaded, ending.fen)
        for move in ending.line:
            board.push_uci(move)
        # In Chieftain Chess the puzzle must capture the last Chieftain, or else nothing is won.
        outcome = board.outcome()
        assert outcome is not None and outcome.winner is Board(loaded, ending.fen).turn


@pytest.mark.parametrize("game", games())
def test_every_game_has_ten_exercises_with_one_solution_each(game: str) -> None:
    loaded = load(game)
    found = exercises(game)
    assert len(found) == 10
    assert len({puzzle.fen.split(" ")[0] for puzzle in found}) == 10
    assert [puzzle.moves for puzzle in found] == sorted(puzzle.moves for puzzle in found)
    for puzzle in found:
        assert puzzle.is_proved(loaded), puzzle
        board = Board(loaded, puzzle.fen)
        assert puzzle.teaches == taught(board, [board.parse_uci(puzzle.line[0])]) or puzzle.goal != "mate"
        assert puzzle.teaches in {piece.letter for piece in loaded.pieces} | {*loaded.rules}, puzzle


@pytest.mark.parametrize("game", FEATURED)
def test_puzzles_have_exactly_one_solution(game: str) -> None:
    """A sample that changes with the file is proved, and all of them by `make nightly`."""
    loaded, found = load(game), puzzles(game)
    assert len({puzzle.fen.split(" ")[0] for puzzle in found}) == len(found)
    chance = random.Random(str(found))
    # The longest proofs are of mates in four.
    for is_long, number in ((False, 30), (True, 1)):
        of_length = [puzzle for puzzle in found if (puzzle.moves == 4) == is_long]
        for puzzle in chance.sample(of_length, min(sample(number, len(found)), len(of_length))):
            assert puzzle.is_proved(loaded), puzzle


@pytest.mark.parametrize("game", FEATURED)
def test_every_game_has_enough_puzzles_of_every_theme(game: str) -> None:
    loaded = load(game)
    assert len(puzzles(game)) >= 100
    for theme in THEMES:
        found = puzzles(game, theme)
        # Chieftain Chess has no check, and so no mates; mates in four of which every move is the only one are rare.
        enough = 5 if theme == "mate_in_4" else 10
        assert len(found) >= (enough if loaded.has_check or not theme.startswith("mate") else 0), theme
        assert all(theme in themes(loaded, puzzle) for puzzle in found)
    assert all(themes(loaded, puzzle) for puzzle in puzzles(game))


@pytest.mark.parametrize("game", FEATURED)
def test_every_puzzle_has_its_measured_difficulty(game: str) -> None:
    found = puzzles(game)
    assert all(1 <= puzzle.step <= 13 for puzzle in found)
    for difficulty in ("easy", "medium", "hard"):
        assert len(puzzles(game, difficulty=difficulty)) >= 10
    assert sum(len(puzzles(game, difficulty=difficulty)) for difficulty in ("easy", "medium", "hard")) == len(found)
    for puzzle in random.Random(str(found)).sample(found, 3):
        assert first_step(load(game), puzzle) == puzzle.step


def test_new_puzzles_do_not_change_past_daily_puzzles() -> None:
    days = [FIRST_DAY + datetime.timedelta(days=more) for more in range(25)]
    first = "f8f10 f3e3 k8k7 i3h2 d6c6 i7k7 b11b12g a5d3 f8h10 d1c3 l4l2 e6f7 e9e10"
    first += " i4g2 d7d4 b12b11 c11b12g g7h4 e6g7 l10l8 d11h12 d9b7 d1j2 e3g1 m3k4"
    assert [daily(day)[1].line[0] for day in days] == first.split()


def test_a_win_puzzle_captures_the_only_unprotected_piece() -> None:
    magi = load("magi")
    # The Rook on a1 captures the Knight on a9, which only the King on c10 could protect.
    free = "2k7/n9/10/10/10/10/10/10/10/R6K2 w - - 0 1"
    assert Puzzle(free, "win", ("a1a9",)).is_proved(magi)
    # Not if it is protected or a Pawn, nor if the opponent can capture something else in return.
    assert not Puzzle(free.replace("2k7", "1k8"), "win", ("a1a9",)).is_proved(magi)
    assert not Puzzle(free.replace("n9", "p9"), "win", ("a1a9",)).is_proved(magi)
    assert not Puzzle(free.replace("/10/R6K2", "/9r/R6K1B"), "win", ("a1a9",)).is_proved(magi)
    # Nor if there are two such pieces.
    assert not Puzzle(free.replace("R6K2", "Rn5K2"), "win", ("a1a9",)).is_proved(magi)


def test_only_one_defence_avoids_mate() -> None:
    magi = load("magi")
    defence = next(puzzle for puzzle in puzzles("magi", "save"))
    board = Board(magi, defence.fen)
    assert defence.is_proved(magi)
    assert len(board.legal_moves) >= 5
    for move in board.legal_moves:
        assert Puzzle(defence.fen, "defence", (move.uci(),)).is_proved(magi) == (move.uci() == defence.line[0])
    # Where no move allows a mate, every move avoids it.
    assert not Puzzle("2k7/10/10/10/10/10/10/10/10/7K2 w - - 0 1", "defence", ("h1h2",)).is_proved(magi)


def test_only_one_turn_saves_a_chieftain() -> None:
    chieftain = load("chieftain")
    saved = puzzles("chieftain", "save")[0]
    board = Board(chieftain, saved.fen)
    assert saved.is_proved(chieftain)
    others = [move.uci() for move in board.legal_moves if move.special is None and move.uci() not in saved.line]
    assert not any(Puzzle(saved.fen, "save", (move,)).is_proved(chieftain) for move in others)


def test_themes_are_derived_from_the_position_and_the_line() -> None:
    used = set()
    for game in FEATURED[:-1]:
        for puzzle in puzzles(game, "special_rule"):
            board = Board(game, puzzle.fen)
            for index, text in enumerate(puzzle.line):
                move = board.parse_uci(text)
                used |= {special_rule(board, move)} if index % 2 == 0 else set()
                board.push(move)
    assert used >= {"castling", "en_passant", "promotion", "jump"}
    magi = load("magi")
    promotion = next(puzzle for puzzle in exercises("magi") if puzzle.teaches == "promotion")
    castling = next(puzzle for puzzle in exercises("magi") if puzzle.teaches == "castling")
    assert themes(magi, promotion) == themes(magi, castling) == ("special_rule",)
    plain = next(puzzle for puzzle in exercises("magi") if puzzle.teaches == "W" and puzzle.moves == 2)
    assert themes(magi, plain) == ("mate_in_2",)


def test_mined_puzzles_are_added_until_there_are_enough(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "puzzles").mkdir()
    monkeypatch.setattr("acedrex.lessons.mine.FOLDER", tmp_path)
    magi = load("magi")
    before = puzzles("magi")
    number = len(puzzles("magi", "save")) + 1
    add(magi, "save", number, themed(magi, "save", random.Random(99)))
    added = json.loads((tmp_path / "puzzles" / "magi.json").read_text())["puzzles"]
    assert len(added) == len(before) + 1
    assert [one["fen"] for one in added[:-1]] == [puzzle.fen for puzzle in before]
    assert Puzzle(added[-1]["fen"], "defence", (added[-1]["line"],)).is_proved(magi)


def test_wrong_and_ambiguous_solutions_are_not_proved() -> None:
    magi, chieftain = load("magi"), load("chieftain")
    ending = "k9/10/1K8/10/10/10/10/10/10/7R2 w - - 0 1"
    assert Puzzle(ending, "mate", ("h1h10",)).is_proved(magi)
    assert not Puzzle(ending, "mate", ("h1h9",)).is_proved(magi)
    # Two Rooks mate in two ways.
    assert not Puzzle(ending.replace("7R2", "6RR2"), "mate", ("h1h10",)).is_proved(magi)
    # A mate in one is not a mate in two.
    assert not Puzzle(ending, "mate", ("h1h9", "a10b10", "h9h10")).is_proved(magi)
    near = "15c/16/16/16/16/16/16/16/2c13/16/1M14/C15 w - - 0 1"
    assert not Puzzle(near, "capture", ("b2c3",)).is_proved(chieftain)
    assert not Puzzle(ending, "mate", ()).is_proved(magi)


def test_impossible_questions_about_puzzles_are_refused_or_have_no_answer() -> None:
    board = Board("chess")
    for moves in (0, 101, 2**31):
        with pytest.raises(Error, match="a puzzle has from 1 to 100 moves"):
            solve(board, "mate", moves, 1000)
    assert solve(board, "mate", 1, 1000, takes=0) is None
    for ask in (
        lambda: solve(board, "nonsense", 1, 1000),
        lambda: Puzzle(board.fen(), "no", ("a",)).attempt(board.game, ["e4"]),
    ):  # type: ignore[arg-type]
        with pytest.raises(Error, match="is not the goal of a puzzle; expected one of mate, win"):
            ask()
    with pytest.raises(InvalidMoveError):
        Puzzle(board.fen(), "mate", ("e2e4",)).attempt(board.game, ["\ud800"])
    with pytest.raises(TooLongError) as caught:
        solve(board, "mate", 3, 10)
    assert pickle.loads(pickle.dumps(caught.value)).args == caught.value.args
    assert set(get_args(Goal)) == {name for name, _ in _native.puzzle_goals()}


def test_each_day_has_one_puzzle_and_the_games_rotate() -> None:
    day = datetime.date(2027, 3, 1)
    assert daily(day) == daily(day)
    games = [daily(day + datetime.timedelta(days=more))[0].id for more in range(5)]
    assert sorted(games) == sorted(FEATURED)
    with pytest.raises(Error, match="the first is that of"):
        daily(FIRST_DAY - datetime.timedelta(days=1))


def test_attempts_are_judged_move_by_move() -> None:
    game = load("metamachy")
    puzzle = next(puzzle for puzzle in exercises("metamachy") if puzzle.moves == 2)
    key, reply, mate = puzzle.line
    others = [move.uci() for move in Board(game, puzzle.fen).legal_moves if move.uci() != key]
    assert puzzle.attempt(game, []).verdict == "right"
    assert puzzle.attempt(game, [key]).moves == (key, reply)
    assert puzzle.attempt(game, [others[0]]).verdict == "wrong"
    assert puzzle.attempt(game, [others[0]]).moves == ()
    assert puzzle.attempt(game, [key, reply, mate]).verdict == "solved"
    with pytest.raises(Error, match="start it again"):
        puzzle.attempt(game, [others[0], reply, mate])
    with pytest.raises(Error):
        puzzle.attempt(game, ["a1a1"])


def test_the_moves_of_a_turn_may_be_made_in_any_order_that_works() -> None:
    chieftain = load("chieftain")
    # Two Men each stand before a Chieftain, and a Chieftain behind each.
    puzzle = Puzzle("14c1/16/16/16/16/16/16/3c2c9/2M2M10/16/2C2C10/16 w - - 0 1", "capture", ("c4d5", "f4g5"))
    assert puzzle.takes(chieftain) == 2
    assert puzzle.is_proved(chieftain)
    for first, second in permutations(puzzle.line):
        assert puzzle.attempt(chieftain, [first]) == AttemptResult("right", (first,))
        assert puzzle.attempt(chieftain, [first, second]) == AttemptResult("solved", (first, second))
    assert puzzle.attempt(chieftain, ["c4d5", "c2d3"]) == AttemptResult("wrong", ("c4d5",))
    with pytest.raises(Error, match="start it again"):
        puzzle.attempt(chieftain, [*puzzle.line, "a1a2"])
    # Either alone is one of two ways to capture one.
    assert not Puzzle(puzzle.fen, "capture", ("c4d5",)).is_proved(chieftain)
    # One Chieftain in reach of both Men can send only one of them, unless it goes first and comes near to another.
    assert not Puzzle(puzzle.fen.replace("2C2C10", "2C13"), "capture", ("c4d5", "f4g5")).is_proved(chieftain)
    # Where the order matters, the wrong order is refused.
    quiet = next(one for one in exercises("chieftain") if one.moves == 2)
    assert quiet.takes(chieftain) == 1
    with pytest.raises(Error):
        quiet.attempt(chieftain, quiet.line[::-1])
    # The Knight would stand in the Rook's way.
    rook_first = Puzzle("4k3/8/8/8/8/8/1N6/R3K3 w - - 0 5", "save", ("a1a7", "b2a4"))
    assert rook_first.attempt(load("marseillais"), ["b2a4"]) == AttemptResult("wrong", ())


def test_exercises_for_other_games_are_generated_and_proved() -> None:
    game = load("shako")
    found = made(game)
    assert found == made(game)
    assert len(found) == 10
    assert all(puzzle.is_proved(game) for puzzle in found)


@pytest.mark.parametrize("game", [name for name in games() if setup_scores(load(name))])
def test_every_setup_has_a_score(game: str) -> None:
    known = setup_scores(load(game))
    assert known is not None and list(known.scores) == list(load(game).setups)
    assert all(0 < score.margin < 15 and abs(score.white - 50) < 25 for score in known.scores.values())
    study = setup_study(load(game))
    assert study is not None and f"{known.games:,} games" in study and f"{known.nodes:,} nodes" in study


def test_setup_scores_of_other_rules_are_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load("metamachy")
    known = setup_scores(game)
    assert known is not None
    assert setup_scores(load("chess")) is None and setup_study(load("chess")) is None
    monkeypatch.setattr("acedrex.lessons.scores._stored", lambda id: ("of older rules", known))
    assert setup_scores(game) is None and setup_study(game) is None
