"""Notation: every example of docs/notation.md, and SAN in tricky positions."""

from __future__ import annotations

import doctest
import io
import re
from pathlib import Path

import pytest

import acedrex
from acedrex import AmbiguousMoveError, Board, IllegalMoveError, InvalidMoveError, pgn
from tests.conftest import played

PAGE = Path(__file__).parents[1] / "docs" / "notation.md"


def blocks(kind: str) -> list[str]:
    return re.findall(rf"^```{kind}\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.DOTALL | re.MULTILINE)


def forms() -> list[tuple[str, str, str, str]]:
    """Every form in the page's SAN tables: game, position, the form that is written, and a form that is read."""
    found = []
    game = fen = ""
    for line in PAGE.read_text(encoding="utf-8").splitlines():
        if position := re.fullmatch(r"Position: `(.*)` `(.*)`", line):
            game, fen = position.groups()
        elif game and (row := re.fullmatch(r"\| `(.*?)` \| (.*) \|", line)):
            found += [(game, fen, row[1], form) for form in [row[1], *re.findall("`(.*?)`", row[2])]]
        elif line.startswith("#"):
            game = ""
    return found


def test_the_python_examples_of_the_page_run() -> None:
    examples = doctest.DocTestParser().get_doctest("\n".join(blocks("python")), {}, PAGE.name, str(PAGE), 0)
    assert len(examples.examples) > 5
    assert not doctest.DocTestRunner().run(examples).failed


@pytest.mark.parametrize("line", [line for block in blocks("fen") for line in block.splitlines()])
def test_the_fen_examples_of_the_page_round_trip(line: str) -> None:
    game, fen = line.split(maxsplit=1)
    assert Board(game, fen).fen() == fen


def test_the_san_tables_of_the_page_are_parsed() -> None:
    assert len(forms()) > 40


@pytest.mark.parametrize(("game", "fen", "written", "form"), forms())
def test_every_documented_form_of_san_is_read(game: str, fen: str, written: str, form: str) -> None:
    board = Board(game, fen)
    move = board.parse_san(form)
    assert board.san(move) == written
    assert board.parse_turn(form) == [move]


@pytest.mark.parametrize("text", blocks("pgn"))
def test_the_pgn_examples_of_the_page_round_trip(text: str) -> None:
    game = pgn.read_game(io.StringIO(text))
    assert game is not None
    assert [error for error in game.errors if "under rules" not in error.message] == []
    assert str(game) == text.rstrip("\n")


# By name: game, position, and the SAN of each move.
WRITTEN = {
    "file": ("metamachy", "12/10k1/12/12/12/12/12/2N3N5/12/12/12/K11 w - - 0 1", {"c5e4": "Nce4", "g5e4": "Nge4"}),
    "rank": ("metamachy", "12/10k1/12/12/12/12/12/2N9/12/2N9/12/K11 w - - 0 1", {"c5e4": "N5e4", "c3e4": "N3e4"}),
    "both": (
        "metamachy",
        "k11/12/12/12/12/12/12/3N3N4/12/3N8/12/K11 w - - 0 1",
        {"d5f4": "Nd5f4", "d3f4": "N3f4", "h5f4": "Nhf4", "h5j4": "Nj4"},
    ),
    "rank of two digits": ("metamachy", "12/3N8/10k1/3N8/12/12/12/12/12/12/12/K11 w - - 0 1", {"d11f10": "N11f10"}),
    "no need, one is pinned": ("chess", "4k3/8/8/8/1b6/8/3N4/4K1N1 w - - 0 1", {"g1f3": "Nf3"}),
    "one pawn of two": ("metamachy", "11k/12/12/12/3p8/2P1P7/12/12/12/12/12/K11 w - - 0 1", {"c7d8": "cxd8"}),
    "promotion": (
        "metamachy",
        "11k/3P1P6/4r7/12/12/12/12/12/12/12/12/K11 w - - 0 1",
        {"d11d12q": "d12=Q+", "d11d12g": "d12=G", "d11d12l": "d12=L"},
    ),
    "a prince promotes": ("metamachy", "12/3I8/12/10k1/12/12/12/12/12/12/12/K11 w - - 0 1", {"d11e12g": "Ie12=G"}),
    "a maasai": ("maasai", "12/10k1/12/12/12/12/12/12/5A6/12/12/K11 w - - 0 1", {"f4g5": "Ag5", "f4f5": "Af5"}),
    "a token with a mark": (
        "menagerie",
        "16/4S!11/16/16/16/16/16/16/15k/16/16/16/16/16/16/K15 w - - 0 1",
        {"e15e16v!": "S!e16=V!", "e15d14": "S!d14", "e15d14v!": "S!d14=V!"},
    ),
    "en passant": ("metamachy", "11k/12/12/12/3Pp7/12/12/12/12/12/12/K11 w - e9 0 1", {"d8e9": "dxe9"}),
    "en passant of a prince": ("metamachy", "11k/12/12/3Pi7/12/12/12/12/12/12/12/K11 w - e10 0 1", {"d9e10": "dxe10"}),
    "castling": ("magi", "5k4/10/10/10/10/10/10/10/10/R4K3R w KQ - 0 1", {"f1i1": "O-O", "f1c1": "O-O-O"}),
    "castling, black": ("magi", "r4k3r/10/10/10/10/10/10/10/10/5K4 b kq - 0 1", {"f10i10": "O-O", "f10c10": "O-O-O"}),
    "castling with check": ("chess", "5k2/8/8/8/8/8/8/4K2R w K - 0 1", {"e1g1": "O-O+"}),
    "a king's jump": ("metamachy", "k11/12/12/12/12/12/12/12/12/12/5KN5/5b6 w K - 0 1", {"f2h3": "Kh3"}),
    "check and mate": ("chess", "7k/8/6K1/8/8/8/8/1Q6 w - - 0 1", {"b1b8": "Qb8#", "b1b2": "Qb2+", "b1a1": "Qa1+"}),
    "a cannon's capture": ("metamachy", "r4n5k/12/12/12/P11/12/12/12/12/12/12/C9K1 w - - 0 1", {"a1a12": "Cxa12+"}),
    "the last chieftain": ("chieftain", "16/16/16/16/16/16/6c9/2C1N11/16/16/16/16 w - - 0 1", {"e5g6": "Nxg6#"}),
    "one of two chieftains": ("chieftain", "c15/16/16/16/16/16/6c9/2C1N11/16/16/16/16 w - - 0 1", {"e5g6": "Nxg6"}),
    "a bare king": (
        "magi:scoring=four_points",
        "10/10/10/4k5/10/6N3/10/10/4K5/10 w - - 0 1",
        {"claim": "claim", "playon": "playon"},
    ),
}


@pytest.mark.parametrize(("game", "fen", "moves"), WRITTEN.values(), ids=WRITTEN)
def test_san_is_written_and_read_in_tricky_positions(game: str, fen: str, moves: dict[str, str]) -> None:
    board = Board(game, fen)
    for text, san in moves.items():
        move = board.parse_uci(text)
        assert board.san(move) == san
        assert board.parse_san(san) == move


@pytest.mark.parametrize("game", acedrex.games())
def test_every_legal_move_reads_back_from_every_notation(game: str) -> None:
    for seed in range(3):
        board = Board(game, Board(game).playout(seed, 40 + 20 * seed).fen)
        for move in board.legal_moves:
            assert board.parse_san(board.san(move)) == move
            assert board.parse_san(move.uci()) == board.parse_san(board.lan(move)) == move
            assert board.uci(move) == move.uci()


LONG = {
    "plain": ("metamachy", None, {"c2d4": "Nc2-d4", "a3a5": "a3-a5"}),
    "captures, check and mate": (
        "chess",
        "6k1/R7/8/8/8/1p1n4/P1P5/1R3K2 w - - 0 1",
        {"a2b3": "a2xb3", "c2d3": "c2xd3", "b1b3": "Rb1xb3", "a7a8": "Ra7-a8+", "f1e2": "Kf1-e2"},
    ),
    "en passant": ("chess", "k7/8/8/4Pp2/8/8/8/K7 w - f6 0 1", {"e5f6": "e5xf6"}),
    "mate": ("chess", "k7/7R/8/8/8/8/8/K5R1 w - - 0 1", {"g1g8": "Rg1-g8#"}),
    "promotion": ("magi", "k9/4P5/10/10/10/10/10/10/10/K9 w - - 0 1", {"e9e10q": "e9-e10=Q+", "e9e10n": "e9-e10=N"}),
    "castling": ("chess", "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", {"e1g1": "O-O", "e1c1": "O-O-O"}),
    "words": ("chieftain:pass=on", None, {"end": "pass", "a4a5": "Ma4-a5"}),
}


@pytest.mark.parametrize(("game", "fen", "moves"), LONG.values(), ids=LONG)
def test_moves_are_written_in_long_notation(game: str, fen: str | None, moves: dict[str, str]) -> None:
    board = Board(game, fen)
    assert {move: board.lan(board.parse_uci(move)) for move in moves} == moves


WRONG = {
    "nothing": ("chess", "", InvalidMoveError),
    "no notation": ("chess", "Hallo", InvalidMoveError),
    "off the board": ("chess", "Nf9", InvalidMoveError),
    "another game's piece": ("chess", "Lc3", InvalidMoveError),
    "control characters": ("chess", "e4\0", InvalidMoveError),
    "other digits": ("chess", "e٤", InvalidMoveError),
    "too long": ("chess", "e4" * 1000, InvalidMoveError),
    "a blank inside": ("chess", "N f3", InvalidMoveError),
    "a small piece": ("chess", "nf3", IllegalMoveError),
    "cannot go there": ("chess", "Nf4", IllegalMoveError),
    "does not promote": ("chess", "e4=Q", IllegalMoveError),
    "castling too early": ("chess", "O-O", IllegalMoveError),
    "no pass in chess": ("chess", "--", IllegalMoveError),
    "no such word": ("chess", "claim", IllegalMoveError),
    "two knights": ("chess:", "Nd2", AmbiguousMoveError),
    "two men": ("chieftain", "Md5", AmbiguousMoveError),
    "an early pass": ("chieftain", "pass", IllegalMoveError),
    "a comma only": ("chieftain", ",", InvalidMoveError),
    "a comma behind": ("chieftain", "Ma5,", InvalidMoveError),
    "moved already": ("chieftain", "Ma5,Ma6", IllegalMoveError),
    "the second is wrong": ("chieftain", "Ma5,Nx1", InvalidMoveError),
    "one turn too many": ("chess", "e4,e5", IllegalMoveError),
    "half a turn": ("marseillais", "e4", IllegalMoveError),
}


@pytest.mark.parametrize(("game", "text", "error"), WRONG.values(), ids=WRONG)
def test_invalid_text_is_refused_and_leaves_the_board_unchanged(
    game: str, text: str, error: type[acedrex.Error]
) -> None:
    """The message is short and has no control characters, and the board does not change."""
    fen = "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1" if game.endswith(":") else None
    board = Board(game.rstrip(":"), fen)
    before, stack = board.fen(), board.move_stack
    for read in (board.parse_turn, board.push_turn):
        with pytest.raises(error) as caught:
            read(text)
        assert str(caught.value).isprintable()
        assert len(str(caught.value)) < 200
    if "," not in text and game != "marseillais":
        for read in (board.parse_san, board.push_san):
            with pytest.raises(error):
                read(text)
    assert (board.fen(), board.move_stack) == (before, stack)


def test_error_messages_explain_what_to_write() -> None:
    board = Board("chess", "4k3/1P6/8/8/8/5N2/8/1N2K3 w - - 0 1")
    with pytest.raises(AmbiguousMoveError, match="Nd2 could be N"):
        board.parse_san("Nd2")
    with pytest.raises(IllegalMoveError, match="promotes"):
        board.parse_san("b8")
    with pytest.raises(IllegalMoveError, match="not a whole turn"):
        Board("marseillais").parse_turn("e4")


GRAND = "10/P9/10/9k/10/10/10/10/1RBBNNQCA1/K7R1 w - - 0 1"
CASTLE = "4k3/8/8/8/8/8/5r2/R3K2R w {} - 0 1"
MATED = "7k/6Q1/5K2/8/8/8/8/8 b - - 0 1"
BARE = "10/10/10/4k5/10/6N3/10/10/4K5/10 w - - 0 1"
#: By name: game, position, moves made before, text, and why it is not legal.
REASONS = {
    "one piece": ("chess", None, "", "Qd5", "the Queen on d1 cannot go to d5"),
    "two pieces": ("chess", None, "", "Nd5", "the pieces on b1 and g1 cannot go to d5"),
    "more pieces": ("chieftain", None, "", "Md9", "the 16 pieces of this type cannot go to d9"),
    "one of two by its file": ("chess", None, "", "Nbd5", "the Knight on b1 cannot go to d5"),
    "no such piece": ("chess", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "", "Nd5", "White has no Knight"),
    "no such piece on a file": ("chess", None, "", "Ncd5", "White has no Knight on file c"),
    "no such piece on a rank": ("chess", None, "", "N5c3", "White has no Knight on rank 5"),
    "no such piece on a square": ("chess", None, "", "Nc4c3", "White has no Knight on c4"),
    "a small letter": ("chess", None, "", "nf3", "White has no Pawn on file n"),
    "a pawn": ("chess", None, "", "e5", "the Pawn on e2 cannot go to e5"),
    "no pawn ahead": (
        "chess",
        "4k3/8/8/8/8/8/P6P/4K3 w - - 0 1",
        "",
        "e3",
        "the pieces on a2 and h2 cannot go to e3",
    ),
    "an own piece": ("chess", None, "", "Nd2", "White already has a piece on d2"),
    "coordinates": ("chess", None, "", "b1d2", "White already has a piece on d2"),
    "pinned": (
        "chess",
        "k3r3/8/8/8/8/8/4N3/4K3 w - - 0 1",
        "",
        "Nd4",
        "the Knight on e2 would leave White's King in check",
    ),
    "pinned and far": (
        "chess",
        "k3r3/8/8/8/8/8/4N3/N3K3 w - - 0 1",
        "",
        "Nf4",
        "the Knight on e2 would leave White's King in check",
    ),
    "pinned and capturing": ("chess", "k3r3/8/8/8/3b4/8/4N3/4K3 w - - 0 1", "", "Nxd4", "White's King in check"),
    "the king": (
        "chess",
        "k7/8/8/8/8/8/4r3/4K3 w - - 0 1",
        "",
        "Kd2",
        "the King on e1 would leave White's King in check",
    ),
    "taking the checker's guard": ("chess", "k7/8/8/8/8/3b4/4r3/4K3 w - - 0 1", "", "e1e2", "White's King in check"),
    "moved already": ("chieftain", None, "a4a5", "Ma6", "the Man on a5 cannot move a second time in this turn"),
    "out of command": ("chieftain", None, "c1c3 a4a5", "b5b6", "the Man on b5 cannot move without an unused Chieftain"),
    "nothing left to become": ("grand", GRAND, "", "a10=Q", "the Pawn on a9 would have nothing to promote to on a10"),
    "mated": ("chess", MATED, "", "Kg8", "the game is over"),
    "a word": ("chess", None, "", "end", "this special move is not possible now"),
    "before a decision": ("magi:scoring=four_points", BARE, "", "Nf2", "play claim or playon first"),
    "no right to castle": ("chess", CASTLE.format("Q"), "", "O-O", "White has no right to castle on this side"),
    "pieces between": ("chess", None, "", "O-O-O", "the squares between are not all empty"),
    "castling through check": ("chess", CASTLE.format("K"), "", "O-O", "White's King is in check, passes"),
    "castling where there is none": ("metamachy", None, "", "O-O", "no right to castle"),
    "promotion to what it cannot become": ("chess", "8/P6k/8/8/8/8/8/K7 w - - 0 1", "", "a8=K", "promote like this"),
}


@pytest.mark.parametrize(("game", "fen", "made", "text", "why"), REASONS.values(), ids=REASONS)
def test_the_reason_why_a_move_is_illegal_is_given(game: str, fen: str | None, made: str, text: str, why: str) -> None:
    board = played(game, made, fen)
    with pytest.raises(IllegalMoveError) as caught:
        board.push_san(text)
    assert str(caught.value).startswith(f"{text} is not legal here: ")
    assert why in str(caught.value)


TURNS = {
    "short": ("chieftain", "Ma5", "a4a5,end", "Ma5"),
    "with its end": ("chieftain", "Ma5,end", "a4a5,end", "Ma5"),
    "in coordinates, with blanks": ("chieftain", " a4a5 , p4p5 ", "a4a5,p4p5,end", "Ma5,Mp5"),
    "as many as there are": ("chieftain", "Ma5,Mp5,e4e5,l4l5", "a4a5,p4p5,e4e5,l4l5", "Ma5,Mp5,Mee5,Mll5"),
    "pass": ("chieftain:pass=on", "pass", "end", "pass"),
    "two moves of chess": ("marseillais", "e4,e5", "e2e4,e4e5", "e4,e5"),
}


@pytest.mark.parametrize(("game", "text", "uci", "written"), TURNS.values(), ids=TURNS)
def test_whole_turns_are_read_and_written(game: str, text: str, uci: str, written: str) -> None:
    board = Board(game)
    moves = board.parse_turn(text)
    assert ",".join(move.uci() for move in moves) == uci
    assert board.turn_san(moves) == written
    assert board.push_turn(written) == moves
    assert board.turn is acedrex.BLACK


def test_claim_and_playon_can_be_played_from_text() -> None:
    board = Board("magi:scoring=four_points", "10/10/10/4k5/10/6N3/10/10/4K5/10 w - - 0 61")
    with pytest.raises(IllegalMoveError):
        board.push_turn("Nh7")
    with pytest.raises(IllegalMoveError):
        board.push_turn("playon")
    assert board.turn_san(board.parse_turn("playon,Nf7")) == "playon,Nf7"
    board.push_turn("playon,Nf7")
    assert board.fen() == "10/10/10/4kN4/10/10/10/10/4K5/10 b X - 1 61"
    assert [board.pop().uci(), board.pop().uci()] == ["g5f7", "playon"]
    board.push_turn("claim")
    outcome = board.outcome()
    assert outcome is not None
    assert (outcome.result(), outcome.score) == ("1-0", "3-1")


def test_the_king_taking_its_own_rook_means_castling() -> None:
    """Programs for Chess960 write it so. It means nothing else, and castling must be legal."""
    board = Board("chess", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1")
    assert [board.parse_uci(text).uci() for text in ("e1h1", "e1a1")] == ["e1g1", "e1c1"]
    assert board.parse_san("e1h1").uci() == "e1g1"
    for fen in (
        "r3k2r/8/8/8/8/8/8/R3K2R w Qkq - 0 1",
        "4kr2/8/8/8/8/8/8/4K2R w K - 0 1",
        "4k3/8/8/8/8/8/8/4K1NR w K - 0 1",
    ):
        with pytest.raises(acedrex.IllegalMoveError):
            Board("chess", fen).parse_uci("e1h1")
