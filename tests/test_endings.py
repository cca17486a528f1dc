"""How games end, in play and in given positions."""

from __future__ import annotations

import pytest

import acedrex
from acedrex import BLACK, WHITE, Board, Termination
from acedrex.widget.words import status
from tests.conftest import played, snapshot

BARE = "10/10/10/4k5/10/6N3/10/10/4K5/10 w - - 7 61"


def ended(board: Board, *, claim: bool = False) -> tuple[str, str, str] | None:
    outcome = board.outcome(claim_draw=claim)
    assert board.is_game_over(claim_draw=claim) == (outcome is not None)
    assert board.result(claim_draw=claim) == ("*" if outcome is None else outcome.result())
    return outcome and (outcome.termination.value, outcome.result(), outcome.score)


def test_three_occurrences_allow_a_draw_claim_and_five_end_the_game() -> None:
    board = Board("metamachy")
    told = []
    for _ in range(4):
        for uci in ["c2d4", "c11d9", "d4c2", "d9c11"]:
            assert ended(board) is None
            board.push_uci(uci)
        assert board.can_claim_threefold_repetition() == board.can_claim_draw()
        assert board.is_fivefold_repetition() == (ended(board) is not None)
        assert not board.can_claim_fifty_moves()
        told.append((board.repetitions(), board.is_repetition(), board.can_claim_draw(), ended(board, claim=True)))
    draw = ("threefold_repetition", "1/2-1/2", "1/2-1/2")
    over = ("fivefold_repetition", "1/2-1/2", "1/2-1/2")
    assert told == [(2, False, False, None), (3, True, True, draw), (4, True, True, draw), (5, True, False, over)]
    assert ended(board) == over
    board.pop()
    assert ended(board) is None


def test_fifty_quiet_moves_allow_a_draw_claim_and_seventy_five_end_the_game() -> None:
    fen = "k11/12/12/12/12/12/12/12/12/12/12/2Q8K w - - {} 90"
    told = [Board("metamachy", fen.format(quiet)) for quiet in (99, 100, 149, 150)]
    assert [board.can_claim_draw() for board in told] == [False, True, True, False]
    assert [board.can_claim_fifty_moves() for board in told] == [False, True, True, False]
    assert [board.is_seventyfive_moves() for board in told] == [False, False, False, True]
    assert not any(board.can_claim_threefold_repetition() or board.is_fivefold_repetition() for board in told)
    assert [ended(board) for board in told] == [None] * 3 + [("seventyfive_moves", "1/2-1/2", "1/2-1/2")]
    assert ended(told[1], claim=True) == ("fifty_moves", "1/2-1/2", "1/2-1/2")
    board = played("chess", "g6g7", "7k/8/5KQ1/8/8/8/8/8 w - - 149 99")
    assert ended(board) == ("checkmate", "1-0", "1-0")
    assert not board.is_seventyfive_moves()


def test_checkmate_stalemate_and_dead_positions_end_the_game() -> None:
    mate, stale = Board("chess", "7k/6Q1/5K2/8/8/8/8/8 b - - 0 1"), Board("chess", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1")
    assert (mate.is_check(), mate.is_checkmate(), mate.is_stalemate()) == (True, True, False)
    assert (stale.is_check(), stale.is_checkmate(), stale.is_stalemate()) == (False, False, True)
    assert ended(stale) == ("stalemate", "1/2-1/2", "1/2-1/2")
    assert ended(Board("chess", "7k/8/8/8/8/8/8/KN6 w - - 0 1")) == ("dead_position", "1/2-1/2", "1/2-1/2")
    # In Xiangqi, a player who cannot move has lost.
    assert ended(Board("xiangqi", "3k5/4P4/3P5/9/9/9/9/9/9/4K4 b - - 0 1")) == ("stalemate", "1-0", "1-0")


def test_a_win_against_a_bare_king_can_be_claimed_or_declined() -> None:
    board = Board("magi", BARE, scoring="four_points")
    assert [move.uci() for move in board.legal_moves] == ["claim", "playon"]
    assert [board.san(move) for move in board.legal_moves] == ["claim", "playon"]
    assert board.legal_moves[0].special == "claim"
    snapped = snapshot(board)
    board.push_san("claim")
    assert ended(board) == ("bare_king", "1-0", "3-1")
    assert not board.legal_moves
    assert board.pop().uci() == "claim"
    assert snapshot(board) == snapped
    board.push_uci("playon")
    assert (ended(board), board.turn, board.legal_moves.count()) == (None, WHITE, 16)
    board.push_uci("g5f7")
    board.push_uci("e7f7")
    assert ended(board) == ("bare_kings", "1/2-1/2", "2-2")


def test_two_passes_draw_and_capturing_the_last_chieftain_wins() -> None:
    board = Board("chieftain", **{"pass": True})
    assert [move.uci() for move in board.push_turn("pass")] == ["end"]
    assert (ended(board), board.fen().split()[2]) == (None, "p")
    board.push_san("pass")
    assert ended(board) == ("double_pass", "1/2-1/2", "1/2-1/2")
    board = Board("chieftain", "16/16/16/16/16/16/16/2c13/1C14/16/16/16 w - - 0 1")
    capture = board.parse_uci("b4c5")
    assert board.san(capture) == "Cxc5#"
    board.push(capture)
    assert ended(board) == ("royals_captured", "1-0", "1-0")
    assert not board.legal_moves


def test_nobody_wins_on_time_once_a_side_has_played_on() -> None:
    board = Board("magi", "k9/10/10/10/10/10/10/2W7/10/9K b X - 0 1", scoring="four_points")
    assert board.forfeit(Termination.TIME, BLACK).score == "2-2"
    assert board.forfeit(Termination.ABANDONMENT, BLACK).score == "2-2"
    assert board.forfeit(Termination.RESIGNATION, BLACK).score == "4-0"
    board = Board("magi", "k9/10/10/10/10/10/10/2W7/10/9K b - - 0 1", scoring="four_points")
    assert board.forfeit(Termination.TIME, BLACK).score == "4-0"


def test_a_lone_chieftain_can_win_on_time() -> None:
    board = Board("chieftain", "14mc/16/16/16/16/16/16/16/16/16/16/C15 w - - 0 1")
    assert board.forfeit(Termination.TIME, BLACK).result() == "1-0"


def test_a_termination_that_is_not_a_forfeit_is_refused() -> None:
    with pytest.raises(acedrex.Error, match="CHECKMATE is not a way to forfeit"):
        Board("chess").forfeit(Termination.CHECKMATE, WHITE)


def test_every_termination_has_its_name_as_its_value() -> None:
    assert {item.name.lower() for item in Termination} == {item.value for item in Termination}


#: A game with other limits: a draw can be claimed at two occurrences or ten moves, and is automatic at four or eleven.
SHORT = acedrex.Game(
    '[game]\nid = "short"\nextends = "chess"\n[end]\nrepetition = [2, 4]\nquiet = [20, 22]\n', "short.toml"
)


def test_draws_are_described_with_the_limits_of_their_game() -> None:
    assert SHORT.draw_limits == {
        "threefold_repetition": 2,
        "fivefold_repetition": 4,
        "fifty_moves": 20,
        "seventyfive_moves": 22,
    }
    assert "fifty_moves" not in acedrex.Game(SHORT.source.replace("[20, 22]", "[0, 0]"), "short.toml").draw_limits
    board = Board(SHORT)
    for san in ("Nf3", "Nf6", "Ng1", "Ng8"):
        board.push_san(san)
    said = status(board, thinking=False, plays=None)
    assert said == "White to move. A draw can be claimed: 2-fold repetition."
    outcome = board.outcome(claim_draw=True)
    assert outcome is not None
    assert outcome.text() == "Draw: 2-fold repetition."
    for san in ("Nf3", "Nf6", "Ng1", "Ng8") * 2:
        board.push_san(san)
    assert status(board, thinking=False, plays=None) == "Draw: 4-fold repetition."
    outcome = board.outcome()
    assert outcome is not None
    assert outcome.text() == "Draw: 4-fold repetition."
    quiet = Board(SHORT, "4k3/8/8/8/8/8/8/R3K3 w - - 22 80")
    assert status(quiet, thinking=False, plays=None) == "Draw: 11-move rule."


def test_draws_are_claimed_only_between_turns() -> None:
    board = Board("chieftain", acedrex.load("chieftain").start_fen.replace("0 1", "100 51"))
    assert board.can_claim_fifty_moves()
    board.push(next(move for move in board.legal_moves if move.special is None))
    assert board.turn_moves and not board.can_claim_fifty_moves() and board.outcome(claim_draw=True) is None
    board.push_uci("end")
    assert board.can_claim_fifty_moves()
