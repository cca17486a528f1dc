"""Lessons: examples show what they say, and every move of a puzzle's solution is the only one."""

from __future__ import annotations

import datetime
from itertools import permutations

import pytest

from acedrex import Board, Error, games, languages, load
from acedrex.game import FEATURED
from acedrex.lessons import FIRST_DAY, AttemptResult, Example, Puzzle, daily, examples, exercises, first_game
from acedrex.lessons.first import new_pieces
from acedrex.lessons.mine import made, taught

EXAMPLES = [(game, example) for game in FEATURED for example in examples(game)]


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
def test_examples_show_what_they_say(game: str, example: Example) -> None:
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
def test_the_first_game_has_every_new_piece(game: str) -> None:
    loaded = load(game)
    steps = first_game(loaded)
    pieces = [step.piece for step in steps if step.piece]
    # A Xiangqi General in the middle of nowhere has nothing to capture.
    missing = {piece.letter for piece in new_pieces(loaded)} - set(pieces)
    assert (missing == {"K"} and game == "xiangqi") or not missing
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


def test_the_first_game_ends_with_the_special_rules() -> None:
    steps = [step.piece or step.rule for step in first_game(load("metamachy"))]
    assert steps == ["G", "L", "C", "I", "E", "M", "jump", "double_step", "promotion"]
    # The Cannon's position is the written example, the Eagle's is generated: it can turn once.
    assert first_game(load("metamachy"))[2].texts["en"].startswith("The Cannon hops")
    assert first_game(load("metamachy"))[0].moves == ("f6g10",)
    assert [step.rule for step in first_game(load("metamachy"), shipped=False) if step.rule] == []


def test_kinds_in_play_stand_at_the_start_or_are_promoted_to() -> None:
    assert load("chieftain").in_play == frozenset("CHSNM")
    assert load("chieftain", augmented="on").in_play == frozenset("CHSMFW")
    for game in set(games()) - {"chieftain"}:
        assert len(load(game).in_play) == len(load(game).pieces), game


def test_examples_belong_to_rules_and_pieces_of_the_game() -> None:
    for game, example in EXAMPLES:
        loaded = load(game)
        assert (example.rule in loaded.rules) != (example.piece in {piece.letter for piece in loaded.pieces})
    # The rules that nobody knows from chess.
    assert {example.rule for example in examples("metamachy")} >= {"jump", "jump_safety", "en_passant"}
    assert {example.rule for example in examples("magi")} >= {"en_passant", "bare_king", "castling"}
    assert {example.rule for example in examples("chieftain")} >= {"command", "turn"}
    assert {example.piece for example in examples("maasai")} >= {"C", "V", "O"}


@pytest.mark.parametrize("game", games())
def test_ten_exercises_have_one_solution_each(game: str) -> None:
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
def test_puzzles_of_the_day_have_one_solution_each(game: str) -> None:
    first = FIRST_DAY + datetime.timedelta(days=FEATURED.index(game))
    found = [daily(first + datetime.timedelta(days=len(FEATURED) * turn))[1] for turn in range(40)]
    assert len({puzzle.fen for puzzle in found}) == 40
    for puzzle in found:
        assert puzzle.is_proved(load(game)), puzzle


def test_false_solutions_are_refused() -> None:
    magi, chieftain = load("magi"), load("chieftain")
    ending = "k9/10/1K8/10/10/10/10/10/10/7R2 w - - 0 1"
    assert Puzzle(ending, "mate", ("h1h10",)).is_proved(magi)
    assert not Puzzle(ending, "mate", ("h1h9",)).is_proved(magi)
    # Two Rooks mate in two ways.
    assert not Puzzle(ending.replace("7R2", "6RR2"), "mate", ("h1h10",)).is_proved(magi)
    # A mate in one is none in two.
    assert not Puzzle(ending, "mate", ("h1h9", "a10b10", "h9h10")).is_proved(magi)
    near = "15c/16/16/16/16/16/16/16/2c13/16/1M14/C15 w - - 0 1"
    assert not Puzzle(near, "capture", ("b2c3",)).is_proved(chieftain)


def test_a_day_has_one_puzzle() -> None:
    day = datetime.date(2027, 3, 1)
    assert daily(day) == daily(day)
    games = [daily(day + datetime.timedelta(days=more))[0].id for more in range(5)]
    assert sorted(games) == sorted(FEATURED)
    with pytest.raises(Error, match="the first is that of"):
        daily(FIRST_DAY - datetime.timedelta(days=1))


def test_tries_are_judged() -> None:
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


def test_the_moves_of_a_turn_may_come_in_any_order_that_works() -> None:
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
    # Either alone is one of two ways to take one.
    assert not Puzzle(puzzle.fen, "capture", ("c4d5",)).is_proved(chieftain)
    # One Chieftain in reach of both Men can send only one of them, unless it goes first and comes near to another.
    assert not Puzzle(puzzle.fen.replace("2C2C10", "2C13"), "capture", ("c4d5", "f4g5")).is_proved(chieftain)
    # Where the order matters, the wrong one is no way to begin.
    quiet = next(one for one in exercises("chieftain") if one.moves == 2)
    assert quiet.takes(chieftain) == 1
    with pytest.raises(Error):
        quiet.attempt(chieftain, quiet.line[::-1])


def test_exercises_of_other_games_are_made_and_proved() -> None:
    game = load("shako")
    found = made(game)
    assert found == made(game)
    assert len(found) == 10
    assert all(puzzle.is_proved(game) for puzzle in found)
