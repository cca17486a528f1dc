"""Random play and arbitrary input: what must hold for every game and every input."""

from __future__ import annotations

import contextlib
import pickle
import random
import unicodedata
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import acedrex
from acedrex import Board, Move, parse_square

SPECS = [
    *acedrex.games(),
    "magi:classic_ep=on,scoring=four_points",
    "marseillais:balanced=on",
    "chieftain:pass=on,bent=on",
    "chieftain:augmented=on,shaman_back=on,command_range=unlimited",
    "chieftain:chiefs_command_chiefs=off,command_range=2",
]
#: The same examples in every run, so that everybody sees the same failures.
quick = settings(max_examples=300, deadline=None, derandomize=True, database=None)

FILLINGS = "KQRBNPGLMCEIUFZVWODAHSkqrbnpglmceiufzvwodahs0123456789/ -wb'!acdefgh,\t\n\0é\x1b\x7f\u2028♔"
anything = st.one_of(
    st.text(max_size=60),
    st.text(alphabet=FILLINGS, max_size=120),
    st.text(alphabet=FILLINGS, min_size=1, max_size=5).map(lambda text: text * 3000),
    st.sampled_from(["end", "claim", "playon", "pass", "O-O", "0-0-0", "e2e4", "Nf3", "a1", "--", ",", "x", "=", "+"]),
)
moves = st.one_of(
    anything,
    st.from_regex(r"[A-Za-z]?[a-p]?[0-9]{0,2}[x:-]?[a-p][0-9]{1,2}(=?[A-Za-z]['!]?)?[+#!?]*", fullmatch=True),
    st.lists(st.from_regex(r"[A-Z]?[a-p][0-9]{1,2}([a-p][0-9]{1,2})?", fullmatch=True), max_size=7).map(",".join),
)


def snapshot(board: Board) -> tuple[Any, ...]:
    return board.fen(), board.key, board.move_stack, board.root_fen, len(board.legal_moves), board.repetitions()


def judge_message(error: Exception, start: str = "") -> None:
    """Check that an error is one line that a terminal can show."""
    message = str(error)
    assert message.startswith(start)
    # The core's version of Unicode may be newer than Python's.
    assert all(c.isprintable() or unicodedata.category(c) == "Cn" for c in message)
    assert 0 < len(message) < 500


def middle(spec: str, seed: int = 5, count: int = 25) -> Board:
    """Return a board after some moves of a random game."""
    board, chance = Board(spec), random.Random(seed)
    for _ in range(count):
        if not board.is_game_over():
            board.push(chance.choice(board.legal_moves))
    return board


@pytest.mark.parametrize("spec", SPECS)
def test_random_play_round_trips_through_every_notation_and_can_be_undone(spec: str) -> None:
    for seed in range(4):
        board, chance = Board(spec), random.Random(f"{spec} {seed}")
        states, turn, start = [], [], board.copy(stack=False)
        for number in range(110):
            if board.is_game_over():
                break
            moves = list(board.legal_moves)
            move = chance.choice(moves)
            states.append((snapshot(board), move))
            san = board.san(move)
            assert (board.parse_san(san), board.parse_uci(move.uci()), Move.from_uci(move.uci())) == (move,) * 3
            color, check = board.turn, board.gives_check(move)
            board.push(move)
            assert board.peek() == move
            assert board.is_check() == check or board.turn == color
            turn.append(move)
            if board.turn != color or board.is_game_over():
                text = start.turn_san(turn)
                read = start.parse_turn(text)
                assert read[: len(turn)] == turn, text
                assert start.parse_turn(",".join(move.uci() for move in turn)) == read, text
                turn, start = [], board.copy(stack=False)
            if number % 7 == 0:
                other = Board(board.game, board.fen())
                assert (other.fen(), other.key) == (board.fen(), board.key)
                assert sorted(map(str, other.legal_moves)) == sorted(map(str, board.legal_moves))
                other = pickle.loads(pickle.dumps(board))
                assert snapshot(other) == snapshot(board)
        while states:
            state, move = states.pop()
            assert board.pop() == move
            assert snapshot(board) == state


@pytest.mark.parametrize("spec", SPECS)
def test_every_legal_move_has_a_unique_san(spec: str) -> None:
    for count in (0, 12, 40):
        board = middle(spec, seed=count, count=count)
        written = {board.san(move): move for move in board.legal_moves}
        assert len(written) == len(board.legal_moves)
        assert all(board.parse_san(san) == move for san, move in written.items())


def test_an_en_passant_right_survives_the_fen_if_the_origin_is_reoccupied() -> None:
    board = Board("marseillais")
    for uci in ("e2e3", "a2a3", "c7c5", "c5c4", "d2d4", "e1d2"):
        board.push_uci(uci)
    assert Move.from_uci("c4d3") in board.legal_moves
    other = Board("marseillais", board.fen())
    assert other.fen() == board.fen()
    assert other.key == board.key
    assert Move.from_uci("c4d3") in other.legal_moves


@pytest.mark.parametrize("spec", ["chess", "metamachy", "magi:scoring=four_points", "chieftain:pass=on", "xiangqi"])
def test_any_text_is_read_as_a_position_or_refused(spec: str) -> None:
    game = acedrex.load(spec)
    valid = [middle(spec, seed, 30).fen() for seed in range(6)]

    @quick
    @given(st.one_of(anything, st.builds(spoiled, st.sampled_from(valid), st.randoms(use_true_random=False))))
    def judge(fen: str) -> None:
        try:
            board = Board(game, fen)
        except acedrex.InvalidFenError as error:
            judge_message(error, "FEN, ")
            return
        assert board.is_valid()
        assert Board(game, board.fen()) == board
        for move in list(board.legal_moves)[:3]:
            board.push(move)
            assert Board(game, board.fen()).fen() == board.fen()
            board.pop()

    judge()


def spoiled(text: str, chance: random.Random) -> str:
    for _ in range(chance.choice([1, 1, 2, 3])):
        at = chance.randrange(len(text) + 1)
        length = chance.choice([0, 0, 1, 1, 2, 9])
        text = text[:at] + chance.choice(["", *FILLINGS]) * chance.choice([1, 1, 1, 2, 20]) + text[at + length :]
    return text


@pytest.mark.parametrize("spec", ["chess", "maasai", "magi:scoring=four_points", "chieftain", "marseillais"])
def test_any_text_is_read_as_a_move_or_refused_without_changing_the_board(spec: str) -> None:
    board = middle(spec)
    snapped = snapshot(board)

    @quick
    @given(moves)
    def judge(text: str) -> None:
        for method in (
            board.push_uci,
            board.push_san,
            board.push_turn,
            board.parse_uci,
            board.parse_san,
            board.parse_turn,
        ):
            try:
                method(text)
            except acedrex.Error as error:
                judge_message(error)
                assert snapshot(board) == snapped
            else:
                while board.ply() > len(snapped[2]):
                    board.pop()
                assert snapshot(board) == snapped

    judge()


@quick
@given(anything)
def test_any_text_is_read_as_a_square_move_letter_or_setup_or_refused(text: str) -> None:
    maasai, board = acedrex.load("maasai"), Board("chess")
    readers: list[Callable[[str], object]] = [
        parse_square,
        Move.from_uci,
        lambda text: Move(0, 1, text),
        maasai.piece,
        maasai.diagram,
        maasai.setups.number,
        maasai.setups.index,
        lambda text: Board(maasai, setup=text),
        lambda text: board.set_piece_at(0, acedrex.Piece(text, color=True)),
    ]
    for read in readers:
        try:
            value = read(text)
        except acedrex.Error as error:
            judge_message(error)
        else:
            if read is parse_square:
                assert acedrex.square_name(value) == text
            if read is Move.from_uci:
                assert value.uci().lower() == text.lower()


@quick
@given(anything, anything)
def test_any_text_is_read_as_a_game_with_options_or_refused(name: str, option: str) -> None:
    for load in (
        lambda: acedrex.load(name),
        lambda: acedrex.load(f"magi:{option}"),
        lambda: acedrex.load("magi", scoring=option),
        lambda: acedrex.load("magi", **{option: name}),
        lambda: acedrex.Game(name, option),
        lambda: acedrex.Game(f"[game]\n{name}\n{option}", "text.toml"),
    ):
        with contextlib.suppress(acedrex.DefinitionError, OSError):
            assert load().rules_hash


@pytest.mark.parametrize("text", ["\ud800", "e2\udfffe4", "\udc80" * 9])
def test_a_lone_surrogate_raises_a_value_error(text: str) -> None:
    board = Board("chess")
    for act in (
        board.push_uci,
        board.push_san,
        board.push_turn,
        board.set_fen,
        Move.from_uci,
        parse_square,
        acedrex.load,
        lambda text: Board("chess", text),
        lambda text: Move(0, 1, text),
        lambda text: board.set_piece_at(0, acedrex.Piece(text, color=True)),
    ):
        # Not always an error of Acedrex: Python may refuse to encode the text first.
        with pytest.raises(ValueError):
            act(text)
    assert board == Board("chess")


numbers = st.one_of(
    st.integers(-3, 260),
    st.integers(),
    st.sampled_from([2**31, 2**32, 2**63 - 1, 2**63, 2**64, -(2**63), -(2**63) - 1, 10**30]),
)


@quick
@given(numbers)
def test_any_number_is_accepted_as_a_square_index_or_setup_or_refused(number: int) -> None:
    board, maasai = Board("metamachy"), acedrex.load("maasai")
    inside = 0 <= number < 12 * 16 and number % 16 < 12
    piece = acedrex.Piece("Q", color=True)
    for ask in (
        board.piece_at,
        board.reach,
        board.attacks,
        lambda at: board.attackers(True, at),
        lambda at: board.is_attacked_by(False, at),
        lambda at: board.copy().set_piece_at(at, piece),
        lambda at: board.copy().remove_piece_at(at),
    ):
        if inside:
            ask(number)
        else:
            with pytest.raises(acedrex.Error):
                ask(number)
    for items, count in ((board.legal_moves, len(board.legal_moves)), (maasai.setups, 288)):
        if -count <= number < count:
            assert items[number] == list(items)[number]
        else:
            with pytest.raises(IndexError):
                items[number]
    if 1 <= number <= 288:
        assert Board(maasai, setup=number).setup_name() == maasai.setups.name(number)
    else:
        for refuse in (maasai.setups.name, lambda number: Board(maasai, setup=number)):
            with pytest.raises(acedrex.Error):
                refuse(number)
    assert board == Board("metamachy")


@quick
@given(numbers, numbers)
def test_any_two_numbers_make_a_move_or_are_refused(one: int, other: int) -> None:
    board = Board("chess")
    if 0 <= one < 256 and 0 <= other < 256:
        move = Move(one, other)
        assert Move.from_uci(move.uci()) == move
        assert (move in board.legal_moves) == board.is_legal(move) == (move in list(board.legal_moves))
    else:
        with pytest.raises((acedrex.Error, OverflowError)):
            Move(one, other)
    if 0 <= one < 16 and 0 <= other < 16:
        assert parse_square(acedrex.square_name(acedrex.square(one, other))) == acedrex.square(one, other)
    else:
        with pytest.raises(acedrex.Error):
            acedrex.square(one, other)
