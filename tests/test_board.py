"""Boards, moves and lists of legal moves, method by method."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import acedrex
from acedrex import BLACK, WHITE, Board, Move, Piece, parse_square
from tests.conftest import played, snapshot, squares, walk

CUSTOM = """
[game]
id = "own"
board = "4x5"
start = "k3/r3/4/3R/3K w - - 0 1"
[pieces.K]
move = "K"
royal = true
[pieces.R]
move = "R"
"""
BARE = "10/10/10/4k5/10/6N3/10/10/4K5/10 w - - 7 61"
LONELY = '[game]\nid = "one"\nboard = "3x3"\nstart = "2k/3/K2 w - - 0 1"\n[pieces.K]\nmove = "vD"\nroyal = true\n'


def boards() -> list[Any]:
    return [
        pytest.param(lambda folder: Board("metamachy"), id="start"),
        pytest.param(lambda folder: played("zanzibar-s", "g3g5 f10f8 c2d4 c11d9 d4c2 d9c11"), id="history"),
        pytest.param(lambda folder: played("chieftain:bent=on", "a4a5 p4p5 end a9a8"), id="inside a turn"),
        pytest.param(lambda folder: played("magi:scoring=four_points", "playon", BARE), id="played on"),
        pytest.param(lambda folder: Board("maasai", setup=17), id="setup"),
        pytest.param(lambda folder: custom_board(folder), id="a custom file named like a shipped game"),
    ]


def custom_board(folder: Path) -> Board:
    path = folder / "chess.toml"
    path.write_text(CUSTOM)
    board = Board(path)
    board.push_uci("d2a2")
    return board


COPIES: dict[str, Callable[[Board], Board]] = {
    "copy": Board.copy,
    "copy.copy": copy.copy,
    "deepcopy": copy.deepcopy,
    "pickle": lambda board: pickle.loads(pickle.dumps(board)),
}


def test_legal_moves_are_a_lazy_sequence() -> None:
    moves = Board("chess").legal_moves
    assert moves.count() == len(moves) == 20
    assert bool(moves)
    assert list(moves) == [moves[index] for index in range(20)]
    assert [moves[-1], moves[-20]] == [moves[19], moves[0]]
    for part in (slice(3), slice(2, 99, 5), slice(-3, None), slice(None, None, -1), slice(9, 2)):
        assert moves[part] == list(moves)[part]
    for index in (20, -21, 1000):
        with pytest.raises(IndexError):
            moves[index]
    assert Move.from_uci("e2e4") in moves
    for other in (Move.from_uci("e2e5"), Move.from_uci("p16p15"), Move.from_uci("end"), "e2e4", None, 3):
        assert other not in moves


def test_legal_moves_follow_the_board_as_it_changes() -> None:
    board = Board("chess")
    moves = board.legal_moves
    assert Move.from_uci("e2e4") in moves
    board.push(moves[0])
    assert Move.from_uci("e2e4") not in moves
    assert list(moves) == list(board.legal_moves)
    board.set_fen("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
    assert not moves
    assert (len(moves), moves.count(), list(moves)) == (0, 0, [])


@pytest.mark.parametrize("game", acedrex.games())
def test_legal_moves_are_counted_correctly_and_listed_only_once(game: str) -> None:
    for board in walk(game, 40):
        counted = board.copy().legal_moves.count()
        assert counted == len(board.legal_moves) == len({move.uci() for move in board.legal_moves})
        assert bool(board.copy().legal_moves) == (counted > 0)


BAD = [
    *[("push", Move.from_uci(text)) for text in ("e2e5", "p16p15", "a2a3z!", "a2a3q")],
    *[("push_uci", text) for text in ("", "e2", "e2e9", "a7c6", "e2e4q", "E2E4", "claim", "é" * 9, "a1" * 5000)],
    *[("push_san", text) for text in ("", "Ke2", "N3", "O-O", "=Q", "x", "\0", "e4" * 5000, "nf3")],
    *[("push_turn", text) for text in ("", ",", "e4,e5", "e4,", "Ma5,Ma6,Ma7", "p4p5,", "p4p5,a5a6", "end," * 900)],
    *[("set_fen", text) for text in ("", "8/8", "x" * 9999, "8/8/8/8/8/8/8/8 w - - 0 1", "\0")],
    *[
        ("parse_uci", "e2e5"),
        ("parse_san", "Ke2"),
        ("parse_turn", "e4,e5"),
        ("san", Move.from_uci("e2e5")),
        ("lan", Move.from_uci("e2e5")),
    ],
    *[("gives_check", Move.from_uci("e2e5")), ("move_info", Move.from_uci("e2e5")), ("is_capture", Move(0, 0))],
    ("turn_san", [Move.from_uci("e2e4"), Move.from_uci("e4e5")]),
]


@pytest.mark.parametrize(("method", "argument"), BAD)
@pytest.mark.parametrize(
    ("spec", "before"), [("chess", "b1c3 b8c6"), ("chieftain", "a4a5"), ("magi:scoring=four_points", "b2b3")]
)
def test_invalid_input_raises_an_error_and_leaves_the_board_unchanged(
    spec: str, before: str, method: str, argument: object
) -> None:
    board = played(spec, before)
    snapped = snapshot(board)
    with pytest.raises(acedrex.Error) as caught:
        getattr(board, method)(argument)
    assert 0 < len(str(caught.value)) < 500
    assert str(caught.value).isprintable()
    assert snapshot(board) == snapped


@pytest.mark.parametrize("word", ["end", "claim", "playon", "pass", "end,end"])
@pytest.mark.parametrize("method", ["push_uci", "push_san", "push_turn"])
@pytest.mark.parametrize("spec", ["chess", "magi", "magi:scoring=four_points", "chieftain", "marseillais"])
def test_special_moves_are_refused_where_they_are_not_legal(spec: str, method: str, word: str) -> None:
    board = Board(spec)
    snapped = snapshot(board)
    with pytest.raises(acedrex.Error):
        getattr(board, method)(word)
    assert snapshot(board) == snapped


def test_find_move_finds_the_move_between_two_squares() -> None:
    def found(spec: str, fen: str | None, ends: str, promotion: str | None = None) -> str:
        return Board(spec, fen).find_move(*(parse_square(name) for name in ends.split()), promotion).uci()

    pawn = "8/P6k/8/8/8/8/8/K7 w - - 0 1"
    assert found("chess", None, "e2 e4") == "e2e4"
    assert [found("chess", pawn, "a7 a8", letter) for letter in (None, "Q", "N")] == ["a7a8q", "a7a8q", "a7a8n"]
    # In Grand Chess promotion is optional on the ninth rank; on the tenth it is to a lost piece, here a Rook.
    assert found("grand", "9k/10/P9/10/10/10/10/10/10/K9 w - - 0 1", "a8 a9") == "a8a9"
    lost = "10/P9/10/9k/10/10/10/10/1BBNNQCA2/K9 w - - 0 1"
    assert found("grand", lost, "a9 a10") == "a9a10r"
    for spec, fen, ends, promotion, why in [
        ("chess", None, "e2 e5", None, "cannot go to e5"),
        ("chess", None, "e3 e4", None, "e3 is empty"),
        ("chess", None, "e2 e4", "Q", "cannot promote like this"),
        ("chess", pawn, "a7 a8", "K", "cannot promote like this"),
    ]:
        with pytest.raises(acedrex.IllegalMoveError, match=why):
            found(spec, fen, ends, promotion)
    for at, to in ((8, 16), (-1, 16), (16, 300), (16, 2**70)):
        with pytest.raises(acedrex.Error, match="no such square"):
            Board("chess").find_move(at, to)


def test_pieces_of_a_type_and_checking_pieces_are_listed() -> None:
    board = Board("chieftain")
    assert board.pieces("C", WHITE) == set(board.royals(WHITE))
    assert (len(board.pieces("M", BLACK)), board.pieces("Y", WHITE)) == (16, frozenset())
    with pytest.raises(acedrex.Error, match="no piece"):
        board.pieces("c", WHITE)
    assert board.checkers() == frozenset()
    assert Board("chess").checkers() == frozenset()
    double = Board("chess", "4k3/8/5N2/8/8/8/8/K3R3 b - - 0 1")
    assert double.checkers() == squares("e1 f6")
    # There is no check where the last royal piece has to be captured.
    attacked = Board("chieftain", "16/16/16/16/16/16/16/16/16/16/cn14/1C14 w - - 0 1")
    assert (attacked.attackers(BLACK, 1), attacked.checkers()) == (squares("a2"), frozenset())


def test_pop_and_peek_raise_index_error_before_the_first_move() -> None:
    board = Board("chess")
    snapped = snapshot(board)
    for method in (board.pop, board.peek):
        with pytest.raises(IndexError):
            method()
    assert snapshot(board) == snapped
    move = board.push_uci("e2e4")
    assert (board.peek(), board.ply(), board.move_stack) == (move, 1, [move])
    assert board.pop() == move
    assert snapshot(board) == snapped


def test_moves_of_a_turn_are_counted_and_taken_back_one_by_one() -> None:
    board = Board("chieftain")
    told = []
    for uci in ("a4a5", "p4p5", "e4e5", "i4i5"):
        told.append((len(board.turn_moves), board.moves_left, board.turn))
        board.push_uci(uci)
    assert told == [(0, 4, WHITE), (1, 3, WHITE), (2, 2, WHITE), (3, 1, WHITE)]
    assert (board.turn_moves, board.moves_left, board.turn, board.ply()) == ([], 4, BLACK, 4)
    for left in (3, 2, 1, 0):
        board.pop()
        assert (len(board.turn_moves), board.turn) == (left, WHITE)
    for spec, left in (("marseillais", 1), ("marseillais:balanced=on", 2)):
        assert played(spec, "e2e4").moves_left == left


@pytest.mark.parametrize("way", COPIES)
@pytest.mark.parametrize("make", boards())
def test_a_copy_equals_its_board_and_is_independent(make: Callable[[Path], Board], way: str, tmp_path: Path) -> None:
    board = make(tmp_path)
    other = COPIES[way](board)
    snapped = snapshot(board)
    assert snapshot(other) == snapped
    assert (other == board, other.game == board.game, other.game.spec) == (True, True, board.game.spec)
    other.push(other.legal_moves[0])
    assert snapshot(board) == snapped
    assert other != board
    while other.move_stack:
        other.pop()
    assert other.fen() == board.root_fen


def test_a_copy_without_its_stack_keeps_the_moves_of_the_current_turn() -> None:
    board = played("chieftain", "a4a5 end a9a8 end d4d5 p4p5")
    other = board.copy(stack=False)
    assert (other == board, other.key == board.key) == (True, True)
    assert [move.uci() for move in other.move_stack] == ["d4d5", "p4p5"]
    other.pop()
    other.pop()
    assert other.fen() == other.root_fen == " ".join(board.fen().split()[:6])
    board = played("chess", "b1c3 b8c6 c3b1 c6b8")
    assert (board.repetitions(), board.copy(stack=False).repetitions(), board.copy().repetitions()) == (2, 1, 2)


def test_copies_and_mirrors_keep_the_subclass() -> None:
    class Mine(Board):
        pass

    board = Mine("magi", scoring="four_points")
    assert [type(other) for other in (board.copy(), board.mirror(), copy.deepcopy(board))] == [Mine] * 3
    assert board.copy().game.spec == "magi:scoring=four_points"


def test_a_board_being_edited_can_be_copied_and_pickled() -> None:
    board = Board("chess")
    board.clear()
    board.set_piece_at(0, Piece("Q", WHITE))
    for way in COPIES.values():
        assert way(board).piece_map() == board.piece_map()


def test_boards_compare_by_position_and_rules_and_are_not_hashable() -> None:
    board = Board("magi")
    assert board == Board("magi", classic_ep=False)
    assert board != Board("magi", scoring="four_points")
    assert board != Board("magi", classic_ep=True)
    assert board != Board("chess")
    assert (board == 1, board == board.fen()) == (False, False)
    with pytest.raises(TypeError):
        hash(board)


def test_keys_depend_on_the_position_and_not_on_how_it_arose() -> None:
    pairs = [
        ("chess", "g1f3 g8f6 b1c3 b8c6", "b1c3 b8c6 g1f3 g8f6"),
        ("chieftain", "a4a5 p4p5", "p4p5 a4a5"),
        ("chieftain", "a4a5 p4p5 e4e5 end", "e4e5 p4p5 a4a5 end"),
    ]
    for game, one, other in pairs:
        assert played(game, one).key == played(game, other).key
    different = [
        Board("chess"),
        played("chess", "g1f3"),
        played("chess", "g1f3 g8f6 f3g1"),
        Board("chess", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQk - 0 1"),
        Board("chess", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1"),
        Board("marseillais"),
        *(
            Board("magi", scoring=scoring, classic_ep=ep)
            for scoring in ("classic", "four_points")
            for ep in (False, True)
        ),
        *(Board("chieftain", command_range=distance) for distance in (2, 3, "unlimited")),
        played("chieftain", "a4a5"),
        played("chieftain", "a4a5 end"),
        played("chieftain", "a4a5 p4p5"),
    ]
    assert len({board.key for board in different}) == len(different)
    assert played("chess", "g1f3 g8f6 f3g1 f6g8").key == Board("chess").key


def test_en_passant_changes_the_key_only_if_a_pawn_can_capture() -> None:
    fen = "4k3/8/8/8/2pP4/8/8/4K3 b - {} 0 1"
    taken = Board("chess", fen.format("d3"))
    assert taken.key != Board("chess", fen.format("-")).key
    nobody = "4k3/8/8/8/3P4/8/8/4K3 b - {} 0 1"
    assert Board("chess", nobody.format("d3")).key == Board("chess", nobody.format("-")).key


@pytest.mark.parametrize("game", acedrex.games())
def test_perft_is_the_sum_of_divide_and_leaves_the_board_unchanged(game: str) -> None:
    board = Board(game)
    snapped = snapshot(board)
    assert (board.perft(0), board.perft(1)) == (1, len(board.legal_moves))
    divided = board.divide(2)
    assert [move for move, _ in divided] == list(board.legal_moves)
    assert sum(nodes for _, nodes in divided) == board.perft(2)
    assert snapshot(board) == snapped


def test_playouts_are_repeatable_and_differ_between_seeds() -> None:
    board = played("zanzibar-s", "g3g5")
    snapped = snapshot(board)
    assert board.playout(7) == board.playout(7)
    assert len({board.playout(seed, 40).fen for seed in range(20)}) == 20
    short = board.playout(7, 3)
    assert (short.plies, short.outcome) == (3, None)
    assert Board(board.game, board.playout(7).fen).outcome() is not None
    assert snapshot(board) == snapped


@pytest.mark.parametrize("call", ["perft(2_000_000)", "divide(2_000_000)", "perft(2**31)", "perft(-1)", "perft(2**70)"])
def test_no_perft_depth_crashes_the_interpreter(call: str, tmp_path: Path) -> None:
    path = tmp_path / "one.toml"
    path.write_text(LONELY)
    code = f"import acedrex\ntry: acedrex.Board({str(path)!r}).{call}\nexcept (acedrex.Error, OverflowError): pass"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert (run.returncode, run.stderr) == (0, "")


def test_variations_are_written_turn_by_turn() -> None:
    lines = [
        ("chess", "", "e2e4 e7e5 g1f3", "1.e4 e5 2.Nf3"),
        ("chess", "e2e4", "e7e5 g1f3 b8c6", "1...e5 2.Nf3 Nc6"),
        ("chieftain", "", "a4a5 p4p5 end a9a8 end d4d5", "1.Ma5,Mp5 Ma8 2.Mdd5"),
        ("chieftain", "a4a5", "p4p5 end a9a8 end", "1.Mp5 Ma8"),
        ("chess", "", "", ""),
    ]
    for spec, before, line, written in lines:
        board = played(spec, before)
        snapped = snapshot(board)
        assert board.variation_san([Move.from_uci(uci) for uci in line.split()]) == written
        assert snapshot(board) == snapped
    with pytest.raises(acedrex.IllegalMoveError):
        Board("chess").variation_san([Move.from_uci("e2e4"), Move.from_uci("e2e4")])


def test_boards_are_printed_as_letters_and_as_figurines() -> None:
    text = str(Board("metamachy"))
    assert text.splitlines()[0] == "c m . . . q k . . . m c"
    assert len(text.splitlines()) == 12
    lines = Board("chess").unicode(empty_square=".").splitlines()
    assert lines[0] == " 8 ♜ ♞ ♝ ♛ ♚ ♝ ♞ ♜"
    assert lines[-1] == "   a b c d e f g h"
    assert Board("chieftain").unicode().splitlines()[-2] == " 1 · H C S · C H S S H C · S C H ·"
    wide = Board("menagerie")
    assert any(len(piece.letter) == 2 for piece in wide.piece_map().values())
    for lines in (str(wide).splitlines(), wide.unicode().splitlines()[:-1]):
        left = len(lines[0]) - len(lines[0].lstrip("0123456789 "))
        assert all(line[at] == " " for line in lines for at in range(left + 2, len(line), 3)), "columns are aligned"
    assert repr(Board("magi")) == f"Board('magi', fen='{acedrex.load('magi').start_fen}')"


@pytest.mark.parametrize("game", acedrex.games())
def test_a_board_without_stack_takes_under_eight_kilobytes(game: str) -> None:
    assert 1000 < sys.getsizeof(Board(game)) < 8000


@pytest.mark.parametrize("squares", [(999, 0), (0, 256), (-1, 0), (0, 10**30)])
def test_moves_with_invalid_square_numbers_are_refused(squares: tuple[int, int]) -> None:
    with pytest.raises(acedrex.InvalidMoveError, match="a square is a number from 0 to 255"):
        Move(*squares)


@pytest.mark.parametrize("game", ["chess", "maasai", "magi", "chieftain"])
def test_fens_may_have_extra_spaces_and_no_counters(game: str) -> None:
    board = Board(game)
    fen = board.fen()
    for text in (f"{fen}\n", f"  {fen}\r\n", fen.replace(" ", "  "), fen.rsplit(" ", 2)[0]):
        assert Board(game, text) == board
    for text in (fen.replace(" ", "\n"), fen.rsplit(" ", 1)[0], fen.rsplit(" ", 3)[0]):
        with pytest.raises(acedrex.InvalidFenError):
            Board(game, text)


def test_a_fen_with_a_complete_turn_is_refused() -> None:
    for game, moves in (("chess", "e2e4"), ("chess", "e2e4,e7e5"), ("chieftain", "end"), ("chess", "e2e4,e7e5,g1f3")):
        with pytest.raises(acedrex.InvalidFenError, match="moves of the turn"):
            Board(game, f"{Board(game).fen()} {moves}")


@pytest.mark.parametrize("written", ["q", "Q", "=q", "=Q"])
def test_promotions_are_read_in_every_common_form(written: str) -> None:
    board = Board("chess", "8/P6k/8/8/8/8/8/K7 w - - 0 1")
    assert str(Move.from_uci(f"a7a8{written}")) == str(board.parse_uci(f"a7a8{written}")) == "a7a8q"
    assert str(board.push_uci(f"a7a8{written}")) == "a7a8q"


@pytest.mark.parametrize("text", ["a7a8=", "a7a8==Q", "a7a8=Qq", "a7=a8Q", "end="])
def test_malformed_promotions_are_refused(text: str) -> None:
    with pytest.raises(acedrex.InvalidMoveError):
        Move.from_uci(text)
    with pytest.raises(acedrex.InvalidMoveError):
        Board("chess", "8/P6k/8/8/8/8/8/K7 w - - 0 1").parse_uci(text)


def test_moves_round_trip_and_malformed_ones_are_refused() -> None:
    move = Move.from_uci("e11e12q")
    assert (move.from_square, move.to_square, move.promotion, move.special) == (10 * 16 + 4, 11 * 16 + 4, "Q", None)
    assert move == Move(164, 180, "Q") == eval(repr(move)) == pickle.loads(pickle.dumps(move))
    assert (hash(move), str(move)) == (hash(Move(164, 180, "Q")), "e11e12q")
    assert move != Move(164, 180)
    assert move != "e11e12q"
    assert Move(0, 1, "R'").uci() == "a1b1r'" == Move.from_uci("a1b1r'").uci() == Move.from_uci("a1b1=R'").uci()
    for word in ("end", "claim", "playon"):
        assert (Move.from_uci(word).special, Move.from_uci(word).uci()) == (word, word)
        assert pickle.loads(pickle.dumps(Move.from_uci(word))) == Move.from_uci(word)
    for text in (
        "",
        "e2",
        "e2e",
        "e2e17",
        "q2e4",
        "e2e4qq",
        "e2e4 ",
        " e2e4",
        "e0e4",
        "e02e4",
        "END",
        "x" * 9999,
        "e2\0e4",
    ):
        with pytest.raises(acedrex.InvalidMoveError) as caught:
            Move.from_uci(text)
        assert len(str(caught.value)) < 200
    for promotion in ("q", "", "QQ", "é", "Q" * 9999):
        with pytest.raises(acedrex.InvalidMoveError) as caught:
            Move(0, 1, promotion)
        assert len(str(caught.value)) < 200


def test_numbers_out_of_range_are_clamped_or_refused_with_a_reason() -> None:
    board = played("chess", "e2e4 e7e5 g1f3")
    with pytest.raises(acedrex.Error, match="stack=-1: expected True, False, or a number of moves from 0 up"):
        board.copy(stack=-1)
    assert board.copy(stack=10**30).move_stack == board.move_stack
    assert board.playout(-1, 10**30) == board.playout(2**64 - 1)
    assert board.playout(max_plies=-1).plies == 0
    for limit in ("depth", "nodes", "mate", "remaining_moves"):
        with pytest.raises(
            acedrex.Error, match=f"{limit}=1000000000000000000000000000000: expected a number from 1 to"
        ):
            acedrex.Limit(**{limit: 10**30})


@pytest.mark.parametrize(
    ("use", "error"),
    [
        (lambda text: Board("chess", text), acedrex.InvalidFenError),
        (lambda text: Board().set_fen(text), acedrex.InvalidFenError),
        (lambda text: Board().push_san(text), acedrex.InvalidMoveError),
        (lambda text: Board().push_uci(text), acedrex.InvalidMoveError),
        (lambda text: Board().parse_turn(text), acedrex.InvalidMoveError),
        (lambda text: Board().pieces(text, WHITE), acedrex.Error),
        (lambda text: Board().set_piece_at(0, Piece(text, WHITE)), acedrex.Error),
        (lambda text: Board("maasai", setup=text), acedrex.Error),
        (lambda text: Board.from_epd(f"4k3/8/8/8/8/8/8/R3K3 w - - bm {text};"), acedrex.InvalidMoveError),
        (Move.from_uci, acedrex.InvalidMoveError),
        (acedrex.load, acedrex.DefinitionError),
        (lambda text: acedrex.load("magi", scoring=text), acedrex.DefinitionError),
    ],
)
def test_lone_surrogates_are_refused_like_any_other_invalid_text(
    use: Callable[[str], object], error: type[Exception]
) -> None:
    with pytest.raises(error) as raised:
        use("\udcff")
    str(raised.value).encode()
