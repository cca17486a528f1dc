"""Boards: pieces, pins, material, counters, and copies with part of the history."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

import acedrex
from acedrex import BLACK, WHITE, Board, Error, Piece, load, parse_square
from tests.conftest import played, snapshot, squares, walk

CHECKED = [game for game in acedrex.games() if load(game).has_check]


@pytest.mark.parametrize("game", acedrex.games())
def test_all_ways_to_look_up_pieces_agree(game: str) -> None:
    for board in walk(game, 12):
        placed = board.piece_map()
        assert list(placed) == sorted(placed)
        for at in board.game.squares:
            piece = placed.get(at)
            assert board.piece_at(at) == piece
            assert board.piece_type_at(at) == (piece.letter if piece else None)
            assert board.color_at(at) == (piece.color if piece else None)
        for kind in board.game.pieces:
            for color in (WHITE, BLACK):
                of_kind = [at for at, piece in placed.items() if piece == Piece(kind.letter, color)]
                assert list(board.pieces(kind.letter, color)) == of_kind
        letters = {piece.symbol() for piece in placed.values()}
        assert letters <= {character for character in board.fen().split()[0] if character.isalpha()} or "!" in str(
            board
        )
    with pytest.raises(Error, match="no such square"):
        Board("chess").piece_type_at(8)
    with pytest.raises(Error, match="no such square"):
        Board("chess").color_at(256)


def without(board: Board, square: int) -> Board:
    other = board.copy(stack=False)
    other.remove_piece_at(square)
    return other


def positions(game: str) -> Iterator[Board]:
    """Visit every third position of random games."""
    chance, board = random.Random(game), Board(game)
    for number in range(360):
        if board.is_game_over():
            board = Board(game)
        if number % 3 == 0:
            yield board
        board.push(chance.choice(list(board.legal_moves)))


@pytest.mark.parametrize("game", CHECKED)
def test_a_piece_is_pinned_if_removing_it_exposes_the_king(game: str) -> None:
    found = 0
    for board in positions(game):
        for color in (WHITE, BLACK):
            king = board.king(color)
            assert king is not None
            before = set(board.attackers(not color, king))
            for at, piece in board.piece_map().items():
                if piece.color != color or at == king:
                    continue
                bare = without(board, at)
                pinned = not set(bare.attackers(not color, king)) <= before
                assert board.is_pinned(color, at) == pinned, (board.fen(), at)
                if not pinned:
                    assert board.pin(color, at) == board.game.squares
                    continue
                found += 1
                free = board.pin(color, at)
                assert at in free
                assert king not in free
                for to in board.game.squares - {at, king}:
                    moved = bare.copy()
                    moved.set_piece_at(to, piece)
                    assert (to in free) == (set(moved.attackers(not color, king)) <= before), (board.fen(), at, to)
            assert not board.is_pinned(color, king)
    assert found, "no pin was met"


@pytest.mark.parametrize(
    ("game", "fen", "pinned", "free"),
    [
        # A Cannon pins each of two pieces: either may stay between, or capture the Cannon.
        ("metamachy", "5c4k1/12/12/12/12/12/12/12/5N6/12/5P6/5K6 w - - 0 1", "f2", "f2 f3 f5 f6 f7 f8 f9 f10 f11 f12"),
        # A lone mount is not pinned.
        ("metamachy", "5c4k1/12/12/12/12/12/12/12/12/12/5P6/5K6 w - - 0 1", "", ""),
        # An Eagle goes one step diagonally, then continues like a Rook: it pins around the corner.
        ("maasai", "11k/12/12/12/12/12/4g7/12/5N6/12/12/5K6 w - - 0 1", "f4", "f2 f3 f4 f5 e6"),
        ("chess", "4r2k/8/8/8/8/8/3NN3/4K3 w - - 0 1", "e2", "e2 e3 e4 e5 e6 e7 e8"),
        # A check by another piece does not change the pin.
        ("chess", "4r2k/8/8/8/8/3n4/3NN3/4K3 w - - 0 1", "e2", "e2 e3 e4 e5 e6 e7 e8"),
        # Where the last royal piece has to be captured, nothing is pinned.
        ("chieftain", "16/16/16/16/16/16/16/16/15c/1h14/1M14/1C14 w - - 0 1", "", ""),
    ],
)
def test_pins_by_riders_hoppers_and_bent_riders_are_detected(game: str, fen: str, pinned: str, free: str) -> None:
    board = Board(game, fen)
    own = [at for at, piece in board.piece_map().items() if piece.color == WHITE and at not in board.royals(WHITE)]
    found = {at for at in own if board.is_pinned(WHITE, at)}
    assert squares(pinned) <= found
    if pinned:
        assert board.pin(WHITE, parse_square(pinned)) == squares(free)
    else:
        assert found == set()


def test_pins_are_refused_for_squares_off_the_board() -> None:
    board = Board("chess", "4r2k/8/8/8/8/8/8/4K3 w - - 0 1")
    assert board.is_pinned(WHITE, parse_square("e5")), "whatever stood there would be pinned"
    for ask in (board.pin, board.is_pinned):
        with pytest.raises(Error, match="no such square"):
            ask(WHITE, 8)


@pytest.mark.parametrize(
    ("spec", "fen", "white", "black"),
    [
        ("chess", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", True, True),
        ("chess", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", False, True),
        ("chess", "4k3/8/8/8/8/8/8/N3K3 w - - 0 1", True, True),
        ("chess", "4k1b1/8/8/8/8/8/8/B3K3 w - - 0 1", False, False),
        ("chess", "4kb2/8/8/8/8/8/8/B3K3 w - - 0 1", True, True),
        ("chess", "4k3/8/8/8/8/8/p7/4K3 w - - 0 1", True, False),
        ("maasai", "11k/12/12/12/12/12/12/12/12/12/12/N10K w - - 0 1", True, True),
        # A bare King can still score points, and any piece can capture royal pieces.
        ("magi:scoring=four_points", "9k/10/10/10/10/10/10/10/10/K9 w - - 0 1", False, False),
        ("chieftain", "15c/16/16/16/16/16/16/16/16/16/16/C15 w - - 0 1", False, False),
        ("marseillais", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", False, False),
    ],
)
def test_insufficient_material_is_detected_for_each_side(spec: str, fen: str, white: bool, black: bool) -> None:
    board = Board(spec, fen)
    assert [board.has_insufficient_material(color) for color in (WHITE, BLACK)] == [white, black]
    assert board.is_insufficient_material() == (white and black)


@pytest.mark.parametrize("game", acedrex.games())
def test_the_winner_never_has_insufficient_material(game: str) -> None:
    for seed in range(30):
        playout = Board(game).playout(seed)
        if playout.outcome is None or playout.outcome.winner is None:
            continue
        assert not Board(game, playout.fen).has_insufficient_material(playout.outcome.winner)


def test_en_passant_squares_are_reported() -> None:
    board = Board("metamachy", "11k/12/12/12/3Pp7/12/12/12/12/12/12/K11 w - e9 0 1")
    assert (board.ep_square, board.ep_squares, board.has_legal_en_passant()) == (
        parse_square("e9"),
        squares("e9"),
        True,
    )
    assert (Board("chess").ep_square, Board("chess").ep_squares, Board("chess").has_legal_en_passant()) == (
        *(None, set(), False),
    )


def test_move_counters_can_be_set() -> None:
    board = played("chess", "e2e4 c7c5 e4e5 d7d5")
    board.halfmove_clock, board.fullmove_number = 40, 60
    assert board.fen() == "rnbqkbnr/pp2pppp/8/2ppP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 40 60"
    assert (board.move_stack, board.root_fen) == ([], board.fen())
    board.push_san("Nf3")
    assert board.fen().split()[4:] == ["41", "60"]
    inside = played("chieftain", "a4a5")
    inside.halfmove_clock = 3
    assert (inside.turn_moves, inside.moves_left, inside.halfmove_clock) == ([], 4, 3)
    assert len(inside.fen().split()) == 6
    for name, wrong in (
        ("halfmove_clock", -1),
        ("halfmove_clock", 10**6),
        ("fullmove_number", 0),
        ("halfmove_clock", 2**40),
    ):
        with pytest.raises(Error, match=f"{name} is a number from"):
            setattr(board, name, wrong)
    with pytest.raises(TypeError):
        board.halfmove_clock = "many"  # type: ignore[assignment]


@pytest.mark.parametrize(
    ("spec", "moves"),
    [
        ("chess", "b1c3 b8c6 c3b1 c6b8 b1c3 b8c6 c3b1 c6b8"),
        ("chieftain", "a4a5 p4p5 end a9a8 end d4d5 e4e5 end p9p8"),
        ("marseillais", "e2e4 d2d4 e7e5 d7d5 g1f3"),
    ],
)
def test_copies_keep_the_requested_part_of_the_history(spec: str, moves: str) -> None:
    board = played(spec, moves)
    made = board.move_stack
    for kept in range(len(made) + 3):
        other = board.copy(stack=kept)
        assert other == board
        assert other.key == board.key
        stack = other.move_stack
        assert stack == made[len(made) - len(stack) :]
        assert min(kept, len(made)) <= len(stack)
        assert other.repetitions() <= board.repetitions()
        replay = Board(other.game, other.root_fen)
        assert replay.turn_moves == []
        for move in stack:
            replay.push(move)
        assert snapshot(replay) == snapshot(other)
        # Moves can be taken back to the same positions, as far as the history goes.
        back = board.copy()
        for _ in stack:
            other.pop()
            back.pop()
            assert (other.fen(), other.key) == (back.fen(), back.key)
    assert board.copy(stack=False).move_stack == board.copy(stack=0).move_stack == board.turn_moves
    assert board.copy(stack=True).move_stack == made
    with pytest.raises(Error, match="from 0 up"):
        board.copy(stack=-1)


def test_clearing_the_stack_keeps_the_position_and_the_current_turn() -> None:
    board = played("chieftain", "a4a5 p4p5 end a9a8")
    root = board.root()
    assert (root, root.move_stack, type(root)) == (Board("chieftain"), [], Board)
    fen, key = board.fen(), board.key
    board.clear_stack()
    assert (board.fen(), board.key, [move.uci() for move in board.move_stack]) == (fen, key, ["a9a8"])
    assert board.root().fen() == " ".join(fen.split()[:6])
    edited = Board.empty("magi", scoring="four_points")
    assert (edited.piece_map(), edited.turn, edited.game.spec) == ({}, WHITE, "magi:scoring=four_points")
    assert edited.root() == edited
    board = Board("chess")
    assert [board.san_and_push(move) for move in (board.parse_san("e4"),)] == ["e4"]
    assert board.ply() == 1
    with pytest.raises(acedrex.IllegalMoveError):
        board.san_and_push(board.peek())
    assert board.ply() == 1
