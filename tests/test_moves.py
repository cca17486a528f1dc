"""Kinds of moves: captures, castling, en passant, and what cannot be reversed."""

from __future__ import annotations

import random

import pytest

import acedrex
from acedrex import Board, Error, Game, IllegalMoveError, Move, SquareSet
from tests.conftest import played, squares, walk


def texts(moves: object) -> list[str]:
    return sorted(move.uci() for move in moves)  # type: ignore[attr-defined]


@pytest.mark.parametrize("game", acedrex.games())
def test_the_kind_of_a_move_agrees_with_its_effect_on_the_board(game: str) -> None:
    for board in walk(game, 80, seed=5):
        legal = list(board.legal_moves)
        captures, passing = [], []
        for move in legal:
            info = board.move_info(move)
            if info.captured_on is not None:
                captures.append(move.uci())
                if info.captured_on != move.to_square:
                    passing.append(move.uci())
            after = board.copy()
            after.push(move)
            pieces = len(after.piece_map()) < len(board.piece_map())
            assert board.is_capture(move) == pieces
            assert board.is_en_passant(move) == (move.uci() in passing)
            assert board.is_castling(move) == (info.partner is not None)
            assert board.is_castling(move) == (board.is_kingside_castling(move) or board.is_queenside_castling(move))
            if not board.turn_moves and after.turn != board.turn:
                assert board.is_zeroing(move) == (after.halfmove_clock == 0)
            lasting = (
                [board.rights.replace("p", ""), after.rights.replace("p", "")]
                if game == "chieftain"
                else [*(board.rights, after.rights)]
            )
            if board.is_zeroing(move) or lasting[0] != lasting[1] or board.ep_squares:
                assert board.is_irreversible(move)
            else:
                assert not board.is_irreversible(move)
        assert texts(board.generate_legal_captures()) == sorted(captures)
        assert texts(board.generate_legal_ep()) == sorted(passing)
        assert texts(board.generate_castling_moves()) == texts(move for move in legal if board.is_castling(move))
        assert texts(board.generate_legal_moves()) == texts(legal)


@pytest.mark.parametrize("game", acedrex.games())
def test_a_pseudo_legal_move_is_illegal_only_if_it_leaves_the_king_in_check(game: str) -> None:
    for board in walk(game, 60, seed=4):
        moves = board.pseudo_legal_moves
        assert len(moves) == moves.count() == len(set(moves))
        assert bool(moves) == (len(moves) > 0)
        assert set(board.legal_moves) <= set(moves)
        king = board.king(board.turn)
        for move in moves:
            assert move in moves
            assert board.is_pseudo_legal(move)
            if board.is_legal(move):
                continue
            assert king is not None
            # If it is made by hand, the King is attacked.
            after = board.copy(stack=False)
            after.remove_piece_at(move.from_square)
            piece = board.piece_at(move.from_square)
            after.set_piece_at(move.to_square, piece)
            if move.to_square in board.ep_squares:
                continue
            at = move.to_square if move.from_square == king else king
            assert after.is_attacked_by(not board.turn, at), (board.fen(), move)
        assert texts(board.generate_pseudo_legal_moves()) == texts(moves)
    assert "<PseudoLegalMoves 20: " in repr(Board("chess").pseudo_legal_moves)


@pytest.mark.parametrize("game", ["chess", "chieftain", "maasai"])
def test_masks_select_moves_by_origin_and_target(game: str) -> None:
    chance = random.Random(1)
    for board in walk(game, 30):
        origins, ends = (set(chance.sample(list(board.game.squares), 30)) for _ in range(2))
        pieces = [move for move in board.legal_moves if move.special is None]
        some = texts(move for move in pieces if move.from_square in origins and move.to_square in ends)
        for mask in (origins, SquareSet(origins), int(SquareSet(origins))):
            assert texts(board.generate_legal_moves(mask, ends)) == some
        assert texts(board.generate_legal_moves(from_mask=origins)) == texts(
            move for move in pieces if move.from_square in origins
        )
        assert texts(board.generate_legal_captures(to_mask=ends)) == texts(
            move for move in pieces if move.to_square in ends and board.is_capture(move)
        )
        assert texts(board.generate_pseudo_legal_moves(to_mask=())) == []
    with pytest.raises(Error):
        board.generate_legal_moves([256])


def test_each_kind_of_move_is_recognized() -> None:
    board = Board("chess", "r3k2r/8/8/8/2pP4/8/8/R3K2R b KQkq d3 0 1")

    def told(uci: str) -> str:
        move = Move.from_uci(uci)
        asked = ("en_passant", "castling", "kingside_castling", "queenside_castling", "zeroing", "irreversible")
        return " ".join(name for name in asked if getattr(board, f"is_{name}")(move))

    assert told("c4d3") == "en_passant zeroing irreversible"
    assert told("e8g8") == "castling kingside_castling irreversible"
    assert told("e8c8") == "castling queenside_castling irreversible"
    assert told("a8a1") == "zeroing irreversible"
    assert told("a8b8") == "irreversible", "a right and a capture in passing are lost"
    board = Board("chess", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1")
    assert (told("a1b1"), told("e1e2")) == ("", "")
    board = Board("chess")
    for ask in (
        board.is_en_passant,
        board.is_castling,
        board.is_kingside_castling,
        board.is_zeroing,
        board.is_irreversible,
    ):
        with pytest.raises(IllegalMoveError):
            ask(Move.from_uci("e2e5"))
    assert not board.is_pseudo_legal(Move.from_uci("e2e5"))


def test_each_move_of_a_turn_is_classified_separately() -> None:
    board = played("marseillais", "e2e4")
    knight, pawn = Move.from_uci("g1f3"), Move.from_uci("d2d4")
    assert [board.is_zeroing(move) for move in (knight, pawn)] == [False, True]
    assert [board.is_irreversible(move) for move in (knight, pawn)] == [False, True]
    board = played("marseillais", "g1f3")
    assert [board.is_zeroing(move) for move in (Move.from_uci("b1c3"), pawn)] == [False, True]


def test_special_moves_are_classified_too() -> None:
    bare = "10/10/10/4k5/10/6N3/10/10/4K5/10 w - - 7 61"
    board = Board("magi", bare, scoring="four_points")
    claim, play_on = (Move.from_uci(word) for word in ("claim", "playon"))
    assert (board.is_irreversible(claim), board.is_irreversible(play_on), board.is_zeroing(claim)) == (
        True,
        True,
        False,
    )
    assert texts(board.pseudo_legal_moves) == ["claim", "playon"]
    assert texts(board.generate_legal_captures()) == []
    board = played("chieftain", "a4a5")
    end = Move.from_uci("end")
    assert (board.is_irreversible(end), board.is_zeroing(end), board.is_capture(end)) == (False, False, False)
    assert end in board.generate_legal_moves()
    assert end not in board.generate_legal_moves(from_mask=board.game.squares)
    assert squares("a1") <= board.game.squares


@pytest.mark.parametrize(("attacker", "allowed"), [("1r", False), ("r", False), ("1n", True)])
def test_castling_is_illegal_if_the_rook_shielded_the_king(attacker: str, allowed: bool) -> None:
    text = (
        '[game]\nid = "inner"\nboard = "8x4"\nstart = "k7/8/8/1K3R2 w K - 0 1"\n[[castling]]\nright = "K"\n'
        'king = "b1 d1"\nrook = "f1 c1"\n[pieces.K]\nmove = "K"\nroyal = true\n[pieces.R]\nmove = "R"\n'
        '[pieces.N]\nmove = "N"\n'
    )
    board = Board(Game(text, "inner.toml"), f"k7/8/8/1K3R{attacker}{2 - len(attacker) or ''} w K - 0 1")
    assert ("b1d1" in {move.uci() for move in board.legal_moves}) == allowed


def test_en_passant_that_exposes_the_king_is_pseudo_legal() -> None:
    board = Board("chess", "8/8/8/8/k3p2R/8/3P4/3K4 w - - 0 1")
    board.push_uci("d2d4")
    capture = Move.from_uci("e4d3")
    assert capture in board.pseudo_legal_moves
    assert board.is_pseudo_legal(capture)
    assert capture not in board.legal_moves
    assert board.fen().split()[3] == "-"
    # It is over with the next turn, and it is not there for a step that was no double step.
    board.push_uci("a4b4")
    board.push_uci("h4h3")
    assert capture not in board.pseudo_legal_moves
    board = Board("chess", "8/8/8/8/k3p2R/3P4/8/3K4 w - - 0 1")
    board.push_uci("d3d4")
    assert capture not in board.pseudo_legal_moves


@pytest.mark.parametrize("game", ["chess", "metamachy", "maasai", "magi", "zanzibar-s", "marseillais", "chieftain"])
def test_pseudo_legal_moves_contain_the_legal_ones(game: str) -> None:
    for seed in range(3):
        choose, board = random.Random(seed), Board(game)
        for _ in range(80):
            legal = list(board.legal_moves)
            if not legal:
                break
            assert set(legal) <= set(board.pseudo_legal_moves)
            board.push(choose.choice(legal))
