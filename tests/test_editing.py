"""Editing, mirroring, attacks and what pieces reach."""

from __future__ import annotations

import inspect

import pytest

import acedrex
from acedrex import BLACK, WHITE, Board, Move, Piece, _native, parse_square
from tests.conftest import played, snapshot, squares, walk


def flipped(uci: str, ranks: int) -> str:
    move = Move.from_uci(uci)
    if move.special:
        return uci
    ends = [at % 16 + 16 * (ranks - 1 - at // 16) for at in (move.from_square, move.to_square)]
    return Move(*ends, move.promotion).uci()


@pytest.mark.parametrize("game", [*acedrex.games(), "magi:scoring=four_points", "chieftain:pass=on,bent=on"])
def test_mirroring_mirrors_the_moves_and_is_its_own_inverse(game: str) -> None:
    for board in walk(game, 40, seed=3):
        other = board.mirror()
        assert other.mirror().fen() == board.fen()
        assert other.turn is not board.turn
        ranks = board.game.ranks
        assert {flipped(move.uci(), ranks) for move in board.legal_moves} == {move.uci() for move in other.legal_moves}
        assert other.is_check() == board.is_check()


EDITS = [
    ("chess", "e1", None, WHITE, ["no_royal", "right_without_piece", "right_without_piece"]),
    ("chess", "a1", None, WHITE, ["right_without_piece"]),
    ("chess", "e4", "K", WHITE, ["too_many_royals"]),
    ("chess", "e8", "P", WHITE, ["unpromoted", "no_royal", "right_without_piece", "right_without_piece"]),
    ("chess", "e7", "R", WHITE, ["opposite_check"]),
    ("maasai", "a12", "A", WHITE, ["unpromoted"]),
    ("maasai", "a1", "I", BLACK, ["unpromoted"]),
    ("magi", "d3", None, WHITE, ["right_without_piece"]),
    ("magi", "d8", "D", BLACK, ["right_without_piece"]),
    ("metamachy", "f6", "Q", WHITE, []),
    ("chieftain", "a1", "C", WHITE, ["too_many_royals"]),
    ("chieftain", "c1", None, WHITE, []),
]


@pytest.mark.parametrize(("game", "at", "letter", "color", "problems"), EDITS)
def test_status_reports_the_problems_of_an_edited_position(
    game: str, at: str, letter: str | None, color: bool, problems: list[str]
) -> None:
    board = played(game, Board(game).legal_moves[0].uci())
    board.pop()
    board.set_piece_at(parse_square(at), letter and Piece(letter, color))
    assert [problem.name for problem in board.status()] == problems
    assert all(problem.message for problem in board.status())
    assert board.is_valid() == (not problems)
    assert board.move_stack == []
    assert board.piece_at(parse_square(at)) == (letter and Piece(letter, color))
    if problems:
        with pytest.raises(acedrex.InvalidFenError):
            Board(game, board.fen())
    else:
        assert Board(game, board.fen()) == board


def test_editing_sets_and_removes_pieces_and_keeps_the_turn() -> None:
    board = played("metamachy", "c2d4")
    assert board.remove_piece_at(parse_square("d4")) == Piece("N", WHITE)
    assert board.remove_piece_at(parse_square("d4")) is None
    assert (board.turn, board.move_stack, board.root_fen) == (BLACK, [], board.fen())
    pieces = {parse_square("a1"): Piece("K", WHITE), parse_square("l12"): Piece("K", BLACK)}
    board.set_piece_map(pieces)
    assert (board.piece_map(), board.turn) == (pieces, BLACK)
    board.turn = WHITE
    assert board.fen().split()[:2] == ["11k/12/12/12/12/12/12/12/12/12/12/K11", "w"]
    board.reset()
    assert board == Board("metamachy")


@pytest.mark.parametrize("pieces", [{0: Piece("N", WHITE), 999: Piece("K", WHITE)}, {0: Piece("?", WHITE)}])
def test_a_piece_map_that_is_refused_changes_nothing(pieces: dict[int, Piece]) -> None:
    board = played("metamachy", "c2d4")
    before = board.copy()
    with pytest.raises(acedrex.Error):
        board.set_piece_map(pieces)
    assert (board, board.move_stack) == (before, before.move_stack)


@pytest.mark.parametrize("number", [-1, 256, 300])
def test_an_invalid_square_number_has_no_name(number: int) -> None:
    with pytest.raises(acedrex.Error, match=f"{number} is not a square"):
        acedrex.square_name(number)


@pytest.mark.parametrize("symbol", ["", "NN", "1", " "])
def test_a_symbol_that_is_not_a_letter_is_refused(symbol: str) -> None:
    with pytest.raises(acedrex.Error, match="letter"):
        Piece.from_symbol(symbol)


@pytest.mark.parametrize(
    ("game", "held", "fewer"),
    [
        ("chess", "KQkq", "Kq"),
        ("metamachy", "Kk", "k"),
        ("magi:scoring=four_points", "KQkqDGdg", "QDdX"),
        ("grand", "-", "-"),
    ],
)
def test_rights_can_be_granted_and_removed(game: str, held: str, fewer: str) -> None:
    board = Board(game)
    assert board.rights == held
    for rights in (fewer, "-", held):
        board.push(board.legal_moves[0])
        board.pop()
        board.rights = rights
        assert (board.rights, board.fen().split()[2], board.move_stack) == (rights, rights, [])
        assert Board(game, board.fen()) == board
    pieces = board.piece_map()
    board.set_piece_map(pieces)
    assert board.rights == "-"
    board.rights = held
    assert board == Board(game)


def test_setting_the_rights_discards_an_unfinished_turn() -> None:
    board = played("chieftain:pass=on", "end a9a8")
    assert (board.rights, board.moves_left) == ("p", 3)
    board.rights = "-"
    assert (board.rights, board.turn, board.turn_moves, board.moves_left) == ("-", BLACK, [], 4)


@pytest.mark.parametrize(
    ("game", "fen", "rights", "words"),
    [
        ("chess", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "K", "right 'K' needs White's King on e1 and Rook on h1"),
        ("chess", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "q", "right 'q' needs Black's King on e8 and Rook on a8"),
        ("magi", "k9/10/10/10/10/10/10/10/10/K9 w - - 0 1", "d", "right 'd' needs a piece of Black on d8"),
        ("chess", None, "KZ", "'Z' in \"KZ\" where - or some of KQkq was expected"),
        ("chess", None, "QK", "out of order; the order is KQkq"),
        ("chess", None, "KK", "'K' appears twice"),
        ("grand", None, "K", "where - was expected"),
        ("chess", None, "K\0" * 9999, "'\\0' in"),
    ],
)
def test_impossible_rights_are_refused(game: str, fen: str | None, rights: str, words: str) -> None:
    board = Board(game, fen)
    snapped = snapshot(board)
    with pytest.raises(acedrex.InvalidFenError) as caught:
        board.rights = rights
    assert words in str(caught.value)
    assert str(caught.value).startswith("rights: ")
    assert len(str(caught.value)) < 500
    assert snapshot(board) == snapped


def test_a_refused_edit_leaves_the_board_unchanged() -> None:
    board = played("chess", "e2e4")
    snapped = snapshot(board)
    for at in (-1, 8, 128, 255, 256, 2**31, 2**70, -(2**70)):
        for edit in (board.remove_piece_at, lambda at: board.set_piece_at(at, Piece("Q", WHITE))):
            with pytest.raises(acedrex.Error):
                edit(at)
    for letter in ("X", "q", "", "QQ", "Q'", "é", "\0", "K" * 10_000):
        with pytest.raises(acedrex.Error) as caught:
            board.set_piece_at(0, Piece(letter, WHITE))
        assert len(str(caught.value)) < 500
    assert snapshot(board) == snapped


@pytest.mark.parametrize(
    "game", ["chess", "metamachy", "magi:scoring=four_points", "chieftain", "xiangqi", "marseillais"]
)
def test_no_method_fails_on_an_impossible_position(game: str) -> None:
    def everything(board: Board) -> None:
        list(board.legal_moves)
        board.outcome(claim_draw=True), board.is_checkmate(), board.is_stalemate(), board.claimable(), board.king(WHITE)
        board.perft(2), board.divide(1), board.playout(1, 30), str(board), board.unicode(), board.mirror().fen()
        for at in board.piece_map():
            board.reach(at), board.attacks(at), board.attackers(BLACK, at)

    board = Board(game)
    royal = next(piece.letter for piece in board.game.pieces if piece.royal)
    kings = [at for color in (WHITE, BLACK) for at in board.royals(color)]
    for at in kings:
        board.remove_piece_at(at)
        everything(board)
    board.clear()
    everything(board)
    for at in range(board.game.files):
        for rank in (0, board.game.ranks - 1):
            board.set_piece_at(rank * 16 + at, Piece(royal, rank == 0))
    everything(board)


CANNON = "12/12/12/r11/12/12/12/p11/12/12/12/C4KN4k w - - 0 1"


def test_attacks_are_the_squares_where_an_enemy_could_be_captured() -> None:
    board = Board("metamachy", CANNON)
    behind = "a6 a7 a8 a9"
    assert board.attacks(parse_square("a1")) == squares(behind + " g1")
    assert board.attackers(WHITE, parse_square("a9")) == squares("a1")
    assert board.attackers(WHITE, parse_square("a8")) == squares("a1")
    assert board.attackers(WHITE, parse_square("a4")) == frozenset()
    assert board.is_attacked_by(WHITE, parse_square("a8"))
    assert not board.is_attacked_by(BLACK, parse_square("c12"))
    assert board.attacks(parse_square("a5")) == squares("b4")
    assert board.attacks(parse_square("c6")) == frozenset()


def test_attackers_can_be_computed_with_other_squares_occupied() -> None:
    board = Board("metamachy", CANNON)
    at, mounts = parse_square("a9"), [parse_square(name) for name in ("a3", "a5", "a6")]
    assert [board.attackers(WHITE, at, mounts[:count]) for count in range(4)] == [set(), squares("a1"), set(), set()]
    assert board.attackers(WHITE, at, [*mounts[:1], at]) == squares("a1"), "the square itself does not block"
    assert board.is_attacked_by(WHITE, at, mounts[:1])
    assert not board.is_attacked_by(WHITE, at, mounts[:2])
    # An Eagle steps to a diagonal square and slides on from there.
    bent = Board("metamachy", "11k/12/12/12/12/12/12/12/12/12/12/G10K w - - 0 1")
    for occupied, wanted in (([], {0}), (squares("b2"), set()), (squares("b4"), set()), (squares("a2 c2"), {0})):
        assert bent.attackers(WHITE, parse_square("b7"), occupied) == wanted, occupied
    for game in acedrex.games():
        for board in list(walk(game, 40, seed=6))[::20]:
            for square in board.game.squares:
                for color in (WHITE, BLACK):
                    given = board.attackers(color, square, board.piece_map())
                    assert given == board.attackers(color, square), (board.fen(), square)
    with pytest.raises(acedrex.Error, match="not a square"):
        board.attackers(WHITE, 0, [256])


@pytest.mark.parametrize("game", acedrex.games())
def test_attacks_and_attackers_agree(game: str) -> None:
    for board in list(walk(game, 60, seed=5))[::20]:
        pieces = board.piece_map()
        attacks = {at: board.attacks(at) for at in pieces}
        for at in board.game.squares:
            for color in (WHITE, BLACK):
                wanted = {origin for origin, piece in pieces.items() if piece.color == color and at in attacks[origin]}
                assert board.attackers(color, at) == wanted - {at}, (board.fen(), at)


def test_reach_gives_kinds_mounts_paths_and_legs() -> None:
    board = Board("metamachy", CANNON)
    found = {acedrex.square_name(reach.to): reach for reach in board.reach(parse_square("a1"))}
    assert {name: reach.kind for name, reach in found.items()} == {
        **dict.fromkeys(["a2", "a3", "a4", "b1", "c1", "d1", "e1"], "move"),
        "a9": "hop",
    }
    assert (found["a9"].mount, found["a4"].mount) == (parse_square("a5"), None)
    assert found["a9"].path == [parse_square(f"a{rank}") for rank in range(2, 10)]
    assert found["a9"].legs == [parse_square("a5"), parse_square("a9")]
    assert (found["a4"].path, found["a4"].legs) == ([16, 32, 48], [48])
    board = Board("metamachy", "11k/12/12/12/12/8p3/12/12/12/3G8/12/K11 w - - 0 1")
    found = {acedrex.square_name(reach.to): reach for reach in board.reach(parse_square("d3"))}
    assert found["e7"].legs == [parse_square("e4"), parse_square("e7")]
    assert found["e7"].path == [parse_square(f"e{rank}") for rank in range(4, 8)]
    assert (found["e4"].kind, found["e4"].legs) == ("move", [parse_square("e4")])


def test_several_squares_are_returned_as_a_list() -> None:
    board = Board("maasai")
    reach = Board("chess").reach(parse_square("b1"))[0]
    numbers: list[object] = [reach.path, reach.legs, board.royals(WHITE), board.movable(), *board.game.setups.squares]
    numbers += [extra[0] for extra in acedrex.load("magi").piece("P").extra_moves]
    assert [type(item) for item in numbers] == [list] * len(numbers)


def test_move_info_gives_captures_partners_checks_and_the_end_of_a_turn() -> None:
    board = Board("chess", "4k3/8/8/8/2pP4/8/8/R3K2R b KQ d3 0 1")
    info = board.move_info(Move.from_uci("c4d3"))
    assert (info.captured, info.captured_on, info.ends_turn) == (Piece("P", WHITE), parse_square("d4"), True)
    assert board.is_capture(Move.from_uci("c4d3"))
    assert not board.is_capture(Move.from_uci("c4c3"))
    board.push_uci("c4c3")
    assert board.move_info(Move.from_uci("e1g1")).partner == (parse_square("h1"), parse_square("f1"))
    assert board.move_info(Move.from_uci("h1h8")).gives_check
    board = played("chieftain", "a4a5")
    assert not board.move_info(Move.from_uci("p4p5")).ends_turn
    assert board.move_info(Move.from_uci("end")).ends_turn


@pytest.mark.parametrize("game", acedrex.games())
def test_move_info_matches_what_the_move_does(game: str) -> None:
    for board in walk(game, 30, seed=11):
        for move in list(board.legal_moves)[::3]:
            info = board.move_info(move)
            before, turn, made = len(board.piece_map()), board.turn, len(board.move_stack)
            assert board.is_legal(move)
            assert board.is_capture(move) == (info.captured is not None)
            assert info.gives_check == board.gives_check(move)
            board.push(move)
            assert (board.turn != turn) == info.ends_turn
            assert len(board.piece_map()) == before - (info.captured is not None)
            assert board.is_check() == info.gives_check or board.turn == turn
            board.pop()
            assert len(board.move_stack) == made


def test_only_what_a_fen_states_can_be_set() -> None:
    board = Board("chess")
    for name in (name for name, value in vars(_native.Board).items() if inspect.isgetsetdescriptor(value)):
        if name in ("turn", "rights", "halfmove_clock", "fullmove_number"):
            setattr(board, name, getattr(board, name))
        else:
            with pytest.raises(AttributeError):
                setattr(board, name, getattr(board, name))
