"""Names of boards that python-chess has too, in chess and in games of other rules."""

from __future__ import annotations

import random

import pytest

import acedrex
from acedrex import BLACK, WHITE, Board, Error, InvalidFenError, Move, Piece, parse_square, square_name
from acedrex._native import captures


def names(squares: acedrex.SquareSet) -> list[str]:
    return [square_name(square) for square in squares]


def squares(text: str) -> list[int]:
    return [parse_square(name) for name in text.split()]


@pytest.mark.parametrize("game", acedrex.games())
def test_all_names_agree_with_the_position_in_every_game(game: str) -> None:
    chosen, board = random.Random(game), Board(game)
    for number in range(80):
        if board.is_game_over():
            break
        board.push(chosen.choice(list(board.legal_moves)))
        if number % 3:
            continue
        legal, taking = set(board.legal_moves), set(board.generate_pseudo_legal_captures())
        assert taking & legal == set(captures(board))
        assert {*board.generate_pseudo_legal_ep()} & legal == set(board.generate_legal_ep())
        assert board.has_pseudo_legal_en_passant() == any(board.generate_pseudo_legal_ep())
        assert [board.parse_xboard(board.xboard(move)) for move in legal] == [*legal]
        assert board.occupied == set(board.piece_map()) and board.kings <= board.occupied
        assert board.occupied == board.occupied_co[WHITE] | board.occupied_co[BLACK]
        again = board.copy()
        again.castling_rights = board.castling_rights
        assert (again.rights, again.castling_rights) == (board.rights, board.clean_castling_rights())
        if not board.turn_moves:
            for kind in ("fen", "xfen", "legal"):
                again.set_fen(board.fen(en_passant=kind))
                assert again.fen() == board.fen()
            again.set_board_fen(again.board_fen())
            assert again.fen().split()[:3] == board.fen().split()[:3]
            again.apply_mirror()
            assert again.turn != board.turn and again.mirror().board_fen() == board.board_fen()


def test_castling_rights_are_squares() -> None:
    board = Board("chess", "r3k2r/8/8/8/8/8/8/R3K2R w Qk - 0 1")
    assert names(board.castling_rights) == ["a1", "h8"]
    assert [board.has_castling_rights(color) for color in (WHITE, BLACK)] == [True, True]
    assert [board.has_kingside_castling_rights(color) for color in (WHITE, BLACK)] == [False, True]
    assert [board.has_queenside_castling_rights(color) for color in (WHITE, BLACK)] == [True, False]
    board.castling_rights |= squares("h1")
    assert (board.rights, board.is_legal(Move.from_uci("e1g1"))) == ("KQk", True)
    board.remove_piece_at(parse_square("h1"))
    assert (names(board.castling_rights), names(board.clean_castling_rights())) == (["a1", "h1", "h8"], ["a1", "h8"])
    board.castling_rights = 0
    assert board.rights == "-"
    for wrong in (squares("b1"), squares("a12")):
        with pytest.raises(Error, match="castles"):
            board.castling_rights = wrong


def test_other_rights_stay_when_castling_rights_are_set() -> None:
    board = Board("magi")
    board.castling_rights = acedrex.SquareSet([at for at in board.castling_rights if acedrex.square_rank(at) < 5])
    assert board.rights == "KQDGdg"
    jump = Board("maasai")
    assert (jump.castling_rights, jump.has_castling_rights(WHITE), jump.rights) == (0, False, "Kk")


def test_castling_rights_are_read_from_letters() -> None:
    board = Board("magi")
    for letters, rights in (("kQ", "QkDGdg"), ("-", "DGdg"), ("", "DGdg"), ("KK", "KDGdg")):
        board.set_castling_fen(letters)
        assert board.rights == rights
    with pytest.raises(Error, match="'D' is not a castling right"):
        board.set_castling_fen("KD")


def test_the_standards_en_passant_square_is_the_one_that_was_passed() -> None:
    board = Board()
    for san, square in (("e4", "e3"), ("a6", "-"), ("e5", "-"), ("d5", "d6"), ("Nf3", "-")):
        board.push_san(san)
        assert board.fen(en_passant="fen").split()[3] == square
    board.push(Move.null())
    assert board.fen(en_passant="fen").split()[3] == "-"
    board = Board("chess", "8/8/8/8/k3p2R/8/3P4/3K4 w - - 0 1")
    board.push_san("d4")
    assert [board.fen(en_passant=kind).split()[3] for kind in ("legal", "xfen", "fen")] == ["-", "d3", "d3"]
    board = Board("metamachy")
    board.push_san("a5")
    assert board.fen(en_passant="fen").split()[3] == "a4"
    with pytest.raises(Error, match="expected 'legal'"):
        board.fen(en_passant="always")


def test_only_the_pieces_are_replaced() -> None:
    board = Board("chess", "r3k2r/8/8/8/2pP4/8/8/R3K2R b KQ d3 4 9")
    board.set_board_fen("4k3/8/8/8/8/8/8/4K3")
    assert board.fen() == "4k3/8/8/8/8/8/8/4K3 b - - 4 9"
    for wrong in ("8/8", "", "4k3/8/8/8/8/8/8/4K3 w"):
        with pytest.raises(InvalidFenError):
            board.set_board_fen(wrong)
    assert board.board_fen() == "4k3/8/8/8/8/8/8/4K3"


def test_moves_are_read_as_xboard_writes_them() -> None:
    board = Board("chess", "r3k2r/P7/8/8/8/8/8/4K2R w K - 0 1")
    assert [board.parse_xboard(text).uci() for text in ("O-O", "e1g1", "Kd2")] == ["e1g1", "e1g1", "e1d2"]
    assert board.parse_xboard("@@@@") == Move.null()
    assert [board.parse_xboard(text).uci() for text in ("h1h8+", "h1h7! ")] == ["h1h8", "h1h7"]
    promoting = Board("chess", "8/P6k/8/8/8/8/8/K7 w - - 0 1")
    assert {promoting.parse_xboard(text).uci() for text in ("a7a8q", "a7a8=Q", "a7a8q+", "a7a8Q#!")} == {"a7a8q"}
    assert board.push_xboard("Rxh8+") == board.peek()
    for wrong in ("e9e10", "a1a99", "", "zz"):
        with pytest.raises(Error):
            board.parse_xboard(wrong)


@pytest.mark.parametrize(
    ("fen", "reached"),
    [
        ("8/5R2/8/r2KB3/6k1/8/8/8 w - - 99 79", False),
        ("8/7k/8/6R1/1r3B2/5K2/8/8 b - - 100 119", True),
        ("k7/8/NKB5/8/8/8/8/8 b - - 105 176", False),  # checkmate
    ],
)
def test_the_fifty_moves_are_counted_while_the_game_goes_on(fen: str, reached: bool) -> None:
    assert Board("chess", fen).is_fifty_moves() == reached


def test_a_game_without_a_limit_has_no_fifty_moves() -> None:
    for game in acedrex.games():
        limit = acedrex.load(game).quiet_limits[0]
        board = Board(game)
        board.halfmove_clock = 100
        assert board.is_fifty_moves() == (0 < limit <= 100)


def test_constants_are_letters_and_the_start_of_chess() -> None:
    assert Board().fen() == acedrex.STARTING_FEN
    assert Board().board_fen() == acedrex.STARTING_BOARD_FEN
    assert len(Board().pieces(acedrex.PAWN, WHITE)) == 8
    assert Piece(acedrex.KING, BLACK).piece_type == "K" == Board().piece_type_at(parse_square("e8"))
