"""The game in the terminal: what is drawn, what is typed and what comes of it, on a real terminal too."""

from __future__ import annotations

import contextlib
import io
import os
import random
import re
import select
import signal
import subprocess
import sys
import time

import pytest

import acedrex
from acedrex import Board
from acedrex.cli import console, drawing, main, palette, setup, teach, terminal, view
from acedrex.cli.canvas import BLOCKS, Canvas
from acedrex.cli.drawing import LARGE, MIDDLE, SMALL, Drawing, Marks
from acedrex.cli.errors import CommandError
from acedrex.cli.match import Match, recent_turns
from acedrex.cli.terminal import PLAIN, Style
from tests.conftest import played

GAMES = acedrex.games()
COLORED = Style(1 << 24, unicode=True)
SGR = re.compile(r"\x1b\[[0-9;]*m")
CONTROL = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


@pytest.fixture(autouse=True)
def plain(monkeypatch):
    """A terminal of 80 columns, and none of the caller's wishes about colours."""
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.setenv("LINES", "30")
    monkeypatch.setenv("TERM", "xterm-256color")
    for name in ("NO_COLOR", "COLORTERM", "WT_SESSION", "ACEDREX_DEBUG"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("ACEDREX_DEBUG", "1")  # a fault of ours shall be seen


@pytest.fixture
def talk(monkeypatch, capsys):
    """Plays a game with these lines, and gives what was said."""

    def talk(*argv: str, lines: str = "") -> str:
        monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
        assert main(["play", *map(str, argv)]) == 0
        out, err = capsys.readouterr()
        assert err == ""
        return out

    return talk


def sentences(out: str) -> str:
    """All that was said, in one line."""
    return " ".join(out.split())


# The drawing.


def start(name: str) -> Drawing:
    board = Board(name)
    game = board.game
    token = drawing.longest_token(game)
    return Drawing(board.piece_map(), game.files, game.ranks, COLORED, token=token)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("size", [SMALL, MIDDLE, LARGE])
def test_boards_keep_their_measure(name, size):
    picture = start(name)
    lines = [SGR.sub("", line) for line in picture.lines(size)]
    assert {len(line) for line in lines} == {picture.width(size)}
    for rank in range(1, picture.ranks + 1):
        row = next(line for line in lines if line.startswith(f"{rank:2} "))
        shown = [picture.pieces.get((rank - 1) * 16 + file) for file in range(picture.files)]
        letters = [piece.symbol() for piece in shown if piece]
        assert re.findall(r"[A-Za-z]['!]?", row) == letters


@pytest.mark.parametrize("name", GAMES)
def test_boards_fit_the_terminal(name):
    picture = start(name)
    game = acedrex.load(name)
    assert picture.width(SMALL) <= 80
    assert picture.width(drawing.fitting(game.files, game.ranks, 100, 30)) <= 100
    if game.files <= 12:
        size = drawing.fitting(game.files, game.ranks, 80 - view.PANEL - view.GAP - 1, 30 - 4)
        assert size in (MIDDLE, LARGE)


def test_plain_boards_need_no_colours():
    pieces = {0: acedrex.Piece("R'", True), 17: acedrex.Piece("K", False), 2: acedrex.Piece("P", False)}
    marks = Marks(reach={1: "move", 2: "capture", 16: "both", 18: "hop"}, origin=0, mounts=frozenset({17}))
    assert Drawing(pieces, 3, 2, PLAIN, marks, token=2).lines() == [
        " 2 (o )|k |<  >",
        " 1 [R'] o  (p )",
        "    a   b   c  ",
    ]
    unicode = Style(0, unicode=True)
    assert Drawing(pieces, 3, 2, unicode, marks, flipped=True, token=2).lines()[1] == " 2 <  >|k |(• )"
    marks = Marks(last=frozenset({0, 1}), check=frozenset({17}), moved=frozenset({0}), ready=frozenset({2}))
    assert Drawing(pieces, 3, 2, PLAIN, marks, token=2).lines()[:2] == [
        " 2  .  +k +.   "[:8] + "k +" + " .  ",
        " 1 =R'=[. ]:p :",
    ]


def test_signs_are_the_same_with_colours():
    board = Board("metamachy", fen="5k6/12/12/2p9/12/2p9/12/12/2C9/12/12/5K6 w - - 0 1")
    lesson = teach.square_lesson(board, "c4")
    for size in (SMALL, MIDDLE, LARGE):
        picture = Drawing(lesson.pieces, 12, 12, COLORED, lesson.marks)
        text = "\n".join(SGR.sub("", line) for line in picture.lines(size)).replace(" ", "")
        for sign in ("|p|", "<p>", "[C]", "•"):
            assert sign in re.sub("[▐▌]", "", text)


def test_canvas_shows_two_colours_a_character():
    red, blue, green = "FF0000", "0000FF", "00FF00"
    for shape in range(16):
        canvas = Canvas(1, 1)
        for index in range(4):
            canvas.fill(index % 2, index // 2, 1, 1, red if shape >> index & 1 else blue)
        text = SGR.sub("", canvas.lines(COLORED)[0])
        assert BLOCKS.index(text) in (shape, 15 - shape, 0)
    canvas = Canvas(1, 1)
    canvas.fill(0, 0, 2, 2, red)
    canvas.finish_base()
    canvas.fill(0, 0, 1, 1, green)
    canvas.fill(1, 1, 1, 1, blue)
    assert canvas.lines(COLORED) == ["\x1b[48;2;255;0;0m \x1b[0m"]
    canvas.write(0, 0, "x", blue)
    assert SGR.sub("", canvas.lines(COLORED)[0]) == "x"


class Stream(io.StringIO):
    """A stream that says what it is told to say of itself."""

    def __init__(self, tty: bool, encoding: str) -> None:
        super().__init__()
        self.tty, self.code = tty, encoding

    def isatty(self) -> bool:
        return self.tty

    @property
    def encoding(self) -> str:
        return self.code


@pytest.mark.parametrize(
    ("tty", "choice", "environment", "colors"),
    [
        (True, "auto", {}, 256),
        (True, "auto", {"COLORTERM": "truecolor"}, 1 << 24),
        (True, "auto", {"NO_COLOR": "1", "COLORTERM": "truecolor"}, 0),
        (True, "auto", {"NO_COLOR": ""}, 256),
        (True, "auto", {"TERM": "dumb", "COLORTERM": "24bit"}, 0),
        (True, "auto", {"TERM": "vt100"}, 0),
        (True, "auto", {"TERM": ""}, 0),
        (True, "never", {}, 0),
        (False, "auto", {"COLORTERM": "truecolor"}, 0),
        (False, "always", {}, 256),
        (False, "always", {"NO_COLOR": "1", "TERM": "dumb"}, 256),
    ],
)
def test_colours_are_asked_of_the_environment(monkeypatch, tty, choice, environment, colors):
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert terminal.style(Stream(tty, "utf-8"), choice).colors == colors


def test_signs_are_asked_of_the_encoding():
    assert terminal.style(Stream(True, "utf-8")).unicode
    assert not terminal.style(Stream(True, "ascii")).unicode
    assert not terminal.style(Stream(True, "nonsense")).unicode


def test_every_colour_has_a_neighbour_among_256():
    assert terminal.nearest(255, 255, 255) == 231
    assert terminal.nearest(8, 8, 8) == 232
    assert terminal.nearest(135, 95, 0) == 94
    assert Style(256, unicode=True).paint("x", palette.LIGHT_DARK[0]) == "\x1b[38;5;180mx\x1b[0m"


def contrast(one: str, other: str) -> float:
    """Contrast by the formula of the WCAG."""

    def luminance(color: str) -> float:
        parts = [value / 255 for value in bytes.fromhex(color)]
        linear = [v / 12.92 if v <= 0.04045 else ((v + 0.055) / 1.055) ** 2.4 for v in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_what_is_drawn_can_be_read():
    assert contrast(palette.WHITE, palette.BLACK) > 7
    for fill, ink in palette.SPENT:
        assert contrast(fill, ink) > 4.5
    for grounds in (palette.LIGHT_DARK, palette.SMALL_LIGHT_DARK):
        for inks in palette.INKS.values():
            for ground, ink in zip(grounds, inks, strict=True):
                assert contrast(ground, ink) > 3
    for ground in (*palette.SMALL_LIGHT_DARK, *palette.SMALL_LAST):
        assert contrast(ground, "000000") > 3
        assert contrast(ground, "FFFFFF") > 3
    for color in (palette.MUTED, palette.VERMILION):
        assert contrast(color, "FFFFFF") > 4.4
        assert contrast(color, "000000") > 4.4


# How pieces move.


@pytest.mark.parametrize("name", GAMES)
def test_every_piece_shows_how_it_moves(name):
    game = acedrex.load(name)
    for seed in range(3):
        board = Board(game, Board(game).playout(seed, 40 * seed).fen)
        if board.outcome() is not None:
            board = Board(game)
        for at in board.piece_map():
            lesson = teach.square_lesson(board, acedrex.square_name(at))
            legal = [move for move in board.legal_moves if not move.word and move.from_square == at]
            assert {move.to_square for move in legal} <= set(lesson.marks.reach)
            assert all(len(line) <= 30 for line in lesson.lines(30, COLORED) if " " in line)
    for piece in game.pieces:
        lesson = teach.piece_lesson(game, piece.letter)
        assert lesson.text[0].startswith(f"{piece.letter}: {piece.name}")
        assert lesson.marks.reach
        assert teach.piece_lesson(game, piece.name.lower()).text[0].split(": ")[1] == lesson.text[0].split(": ")[1]


def test_kinds_of_reach():
    board = Board("metamachy", fen="5k6/12/12/2p9/12/2p9/12/12/2C9/12/12/5K6 w - - 0 1")
    marks = teach.square_lesson(board, "c4").marks
    c = [acedrex.parse_square(f"c{rank}") for rank in range(1, 13)]
    assert marks.mounts == {c[6]}
    assert (marks.reach[c[4]], marks.reach[c[7]], marks.reach[c[8]]) == ("move", "capture", "hop")
    marks = teach.square_lesson(Board("chess"), "e2").marks
    named = {acedrex.square_name(at): kind for at, kind in marks.reach.items()}
    assert named == {"e3": "move", "e4": "move", "d3": "capture", "f3": "capture"}
    marks = teach.square_lesson(Board("chess", fen="4k3/8/8/8/8/8/8/4K2R w K - 0 1"), "e1").marks
    assert marks.reach[acedrex.parse_square("g1")] == "move"  # castling
    assert set(teach.square_lesson(Board("chess"), "g1").marks.reach.values()) == {"both"}


def test_lessons_that_cannot_be(talk):
    out = talk("chess", lines="?e5\n?e9\n?j1\n?Z\n?\n")
    assert "No piece stands on e5." in out
    assert "e9 is not on this board; its squares are a1 to h8." in out
    assert "j1 is not on this board" in out
    assert '"Z" is neither a square nor a piece; the letters of the pieces are K Q R B N P.' in out
    assert "play a ply: in algebraic notation, or by its two squares" in out


# Playing.


def test_plies_in_any_notation(talk):
    out = talk("chess", lines="e4\ne7e5\nNf3\nb8c6\nBb5\nundo\nfen\n")
    assert "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3\n" in out
    assert "3. Bb5" in out
    assert "The game is not over. To go on from here:\nacedrex play chess --fen 'r1bqkbnr/" in out


def test_an_empty_input_is_polite(talk):
    out = talk("chess")
    assert out.endswith("White (? for help): \n")


def test_what_was_wrong_and_what_to_do(talk):
    out = sentences(talk("chess", lines="nf3\ne2e5\na1a3\nNf6\nhlep\n1. e4\n\x1b[31mx\nend\n,\ne4,e5\n"))
    for words in (
        'Did you mean "Nf3"?',
        'e2e5 is not legal here: the Pawn on e2 cannot go to e5. "?e2" shows how it moves.',
        'the Rook on a1 cannot go to a3. "?a1" shows how it moves.',
        'Nf6 is not legal here: the pieces on b1 and g1 cannot go to f6. "moves" lists what is.',
        '"hlep" is no move in SAN or coordinates. "?" tells what you can type.',
        "The turn is over before e5.",
    ):
        assert words in out
    assert "\x1b" not in out
    out = sentences(talk("chess", "--fen", "4k3/8/8/8/8/8/4r3/R3K3 w Q - 0 1", lines="a1a2\nRa3\n"))
    assert 'the Rook on a1 would leave White\'s King in check. "?a1" shows how it moves.' in out
    assert 'Ra3 is not legal here: the Rook on a1 would leave White\'s King in check. "moves" lists what is.' in out
    assert "White is in check." in out


def test_moves_are_listed(talk):
    assert "\nd3  d4\n" in talk("chess", lines="moves d2\n")
    board = Board("maasai")
    out = talk("maasai", "--setup", "UFDO-QKGL", lines="moves\n")
    listed = out.split(": moves\n")[1].split("White")[0].split()
    assert sorted(listed) == sorted(map(board.san, board.legal_moves))
    out = talk("chess", lines="moves a1\nmoves e5\nmoves e7\nmoves z9\n")
    assert "Nothing can be played from a1: it cannot go anywhere." in out
    assert out.count("White has no piece there.") == 2
    assert '"z9" is no square.' in out


def test_against_the_random_mover(talk):
    out = talk("chess", "--black", "random", "--seed", "7", lines="e4\nd4\nundo\nundo\nundo\nfen\n")
    assert "Your turn: White." in out
    assert "No ply has been made yet." in out
    assert Board("chess").fen() in out
    out = talk("chess", "--white", "random", "--seed", "7", lines="undo\nfen\ndraw\n")
    assert "You have not moved yet." in out
    assert "The random mover answers no offers" in sentences(out)
    assert out.split("\n 1 ")[0].endswith("")
    assert re.search(r"^ 1 .*\n 2 ", out, re.MULTILINE)  # Black's side is below
    assert out == talk("chess", "--white", "random", "--seed", "7", lines="undo\nfen\ndraw\n")


def test_the_board_turns_round(talk):
    out = talk("chess", lines="flip\nflip\n")
    assert len(re.findall(r"^    h  g  f  e  d  c  b  a$", out, re.MULTILINE)) == 1
    assert len(re.findall(r"^    a  b  c  d  e  f  g  h$", out, re.MULTILINE)) == 2


def test_ways_to_end(talk):
    assert "White resigns. Black wins, 0-1." in talk("chess", lines="resign\n")
    assert "Black resigns. White wins, 4-0." in talk("magi:scoring=four_points", lines="e5\nresign\n")
    assert "Both sides agree. A draw, half a point each." in talk("chess", lines="draw\nyes\n")
    assert "Both sides agree. A draw, 2-2." in talk("magi:scoring=four_points", lines="e5\ndraw\nY\n")
    out = talk("chess", lines="resign\ne4\nmoves\nresign\ndraw\nclaim draw\nundo\ne4\n")
    assert sentences(out).count("The game is over; undo takes back the last ply, new begins again.") == 5
    assert "1. e4" in out
    out = talk("chess", lines="e4\nresign\nnew\nd4\n")
    assert out.count("White (? for help): ") == 2


def test_a_draw_is_offered_and_answered(talk):
    out = talk("chess", lines="e4\ndraw\nno\nfen\ndraw\n e5\ndraw\n\nfen\n")
    question = "Black offers a draw. White, do you accept? (yes or no) "
    assert out.count(question) == out.count("White declines the draw.") == 3
    assert out.count(played("chess", "e2e4").fen()) == 3  # twice asked for, once in farewell
    assert "Both sides agree" not in out
    # An offer that nobody answers is none.
    out = talk("chess", lines="draw\n")
    assert "White offers a draw. Black, do you accept?" in out
    assert "Both sides agree" not in out


def test_draws_are_claimed(talk):
    back = "Nf3\nNf6\nNg1\nNg8\n"
    out = sentences(talk("chess", lines=f"claim draw\n{back}claim draw\n{back}claim draw\n"))
    assert "There is no draw to claim: this position has stood here 1 time, and 0 plies have gone by" in out
    assert "this position has stood here 2 times, and 8 plies" not in out
    assert "this position has stood here 2 times, and 4 plies" in out
    assert "The same position has come back, and White claims the draw. A draw, half a point each." in out
    fen = "7k/8/8/8/8/8/R7/K7 w - - 120 90"
    assert "White claims the draw." in sentences(talk("chess", "--fen", fen, lines="claim draw\n"))


def test_a_bare_king_is_a_decision(talk):
    fen = "5k4/10/4K5/10/10/10/10/10/10/3N6 w - - 0 1"
    out = sentences(talk("magi:scoring=four_points", "--fen", fen, lines="Ne3\nclaim\n"))
    assert 'The enemy King is bare. "claim" takes 3-1;' in out
    assert "Ne3 is not legal here" in out
    assert "Black has only the King left, and White claims. White wins, 3-1." in out
    out = talk("magi:scoring=four_points", "--fen", fen, lines="playon\nNe3\nfen\n")
    assert " b X - 1 1\n" in out
    assert "no draw to claim" not in out


def test_turns_of_several_plies(talk):
    out = talk("chieftain", lines="Cc3\nc3c4\nd1e2\na4a5,b5b6\nend\nundo\nundo\n")
    words = sentences(out)
    assert "Plies left: 4 of 4." in words
    assert "In command: all but b5 g5" in words
    assert "Plies left: 3 of 4;" in words
    assert "=C=" in out
    assert ":M:" in out
    assert "Moved: c3." in words
    assert (
        'c3c4 is not legal here: the Chieftain on c3 cannot move a second time in this turn. "?c3" shows how it moves.'
        in words
    )
    assert "1. Cc3" in words
    assert "Black to move." in sentences(talk("chieftain", lines="a4a5\nend\nmoves\n"))
    out = sentences(talk("chieftain", lines="c1c3\na4a5\nb5b6\n"))
    assert "the Man on b5 cannot move without a free Chieftain to command." in out


def test_a_line_of_plies_is_played_whole_or_not_at_all():
    match = Match(Board("chieftain"), {True: "human", False: "human"}, random.Random(1))
    with pytest.raises(acedrex.Error):
        match.play("a4a5, d4d5, zz")
    assert match.board == Board("chieftain")
    match.play("a4a5, d4d5")
    assert [move.uci() for move in match.board.turn_plies] == ["a4a5", "d4d5"]


def test_passes(talk):
    out = sentences(talk("chieftain:pass=on", lines="pass\nend\n"))
    assert '"pass" plays none' in out
    assert "Two turns running were passed. A draw, half a point each." in out


def test_recent_turns():
    board = Board("marseillais:balanced=on")
    for san in ("e4", "e5", "d5", "d4", "Nf3"):
        board.push_san(san)
    turns = [(turn.number, turn.color, turn.san) for turn in recent_turns(board, 9)]
    assert turns == [(1, True, "e4"), (1, False, "e5,d5"), (2, True, "d4,Nf3")]
    assert [turn.san for turn in recent_turns(board, 1)] == ["d4,Nf3"]
    assert recent_turns(Board("chess"), 3) == []


# The setup phase.


def test_black_chooses_by_number_name_or_chance(talk):
    out = sentences(talk("metamachy", lines="5\nkqgl\n\nfen\n"))
    assert "Shown: number 22 of 24, QKLG." in out
    assert f"Shown: number 5 of 24, {acedrex.load('metamachy').setups[4]}." in out
    number = acedrex.load("metamachy").setups.number("KQGL")
    assert f"Setup {number} of 24: KQGL" in out
    assert Board("metamachy", setup="KQGL").fen() in out
    out = sentences(talk("maasai", lines="random\nyes\n"))
    assert out.count("Shown: number") == 2
    assert "White to move." in out


def test_the_setup_phase_answers(talk):
    out = talk("metamachy", lines="?\nKKKK\n99\nlist\n3\nquit\n")
    assert "Type the name of a setup" in out
    assert 'has no setup "KKKK"; give a number from 1 to 24' in sentences(out)
    assert "numbers its setups from 1 to 24" in sentences(out)
    assert re.search(r"^ 1 GKLQ  ", out, re.MULTILINE)
    assert "White to move" not in out
    assert "Setup [QKLG]" in talk("metamachy")


def test_a_setup_given_is_not_asked_for(talk):
    assert "Setup [" not in talk("metamachy", "--setup", "3", lines="")
    assert "Setup [" not in talk("metamachy", "--fen", Board("metamachy").fen(), lines="")
    out = talk("metamachy", "--black", "random", "--seed", "5", lines="")
    assert re.search(r"Setup \d+ of 24: ", out)


def test_white_mirrors():
    game = acedrex.load("maasai")
    free = setup.free_squares(game)
    assert len(free) == 16
    assert {acedrex.square_name(at) for at in free} >= {"e1", "e2", "e11", "e12"}


def test_many_setups_are_not_all_listed(monkeypatch):
    monkeypatch.setattr(setup, "LISTED", 10)
    lines = setup.listing(acedrex.load("maasai"), 80)
    assert lines[-1] == "and so on, to number 288"
    assert len(" ".join(lines[:-1]).split()) == 20


def test_a_game_is_asked_for(talk):
    assert "Setup [QKLG]" in talk(lines="\nquit\n")
    assert "White (? for help)" in talk(lines="chess\n")
    assert talk().endswith("Which game? [metamachy] \n")


# Records.


@pytest.mark.parametrize("name", GAMES)
def test_games_are_saved_and_loaded(talk, tmp_path, name):
    board = Board(name)
    chance = random.Random(4)
    for _ in range(9):
        board.push(chance.choice(list(board.legal_moves)))
    lines = "".join(f"{move.uci()}\n" for move in board.move_stack)
    path = tmp_path / "game.pgn"
    choice = ("--setup", board.game.setups.number(Board(name).setup_name())) if len(board.game.setups) else ()
    talk(name, *choice, lines=f"{lines}save {path}\n")
    out = talk("--load", path, lines="fen\nundo\nfen\n")
    assert f": fen\n{board.fen()}\n" in out
    board.pop()
    assert f": fen\n{board.fen()}\n" in out
    assert f"\n{board.fen()}\n" in talk("knightmate", lines=f"load {path}\nundo\nfen\n")


def test_files_are_not_overwritten_by_mistake(talk, tmp_path):
    path, other = tmp_path / "game.pgn", tmp_path / "other.pgn"
    other.write_text("precious", encoding="utf-8")
    out = sentences(talk("chess", lines=f"e4\nsave {path}\ne5\nsave {path}\nsave {other}\nsave\nsave {tmp_path}\n"))
    assert out.count(f"Saved as {path}.") == 2
    assert f'{other} is there already; "overwrite {other}" replaces it.' in out
    assert '"save" needs the name of a file, such as save game.pgn.' in out
    assert other.read_text(encoding="utf-8") == "precious"
    assert "1. e4 e5 *" in path.read_text(encoding="utf-8")
    out = sentences(talk("chess", lines=f"d4\noverwrite {other}\noverwrite {tmp_path}\noverwrite {path}\n"))
    assert f"{other} is no record of games, so it is not replaced; choose another name." in out
    assert f"{tmp_path} is no record of games" in out
    assert other.read_text(encoding="utf-8") == "precious"
    assert "1. d4 *" in path.read_text(encoding="utf-8")
    for text in ("", '\ufeff\r\n[Event "?"]\r\n\r\n1. e4 *\r\n'):
        other.write_text(text, encoding="utf-8")
        assert f"Saved as {other}." in sentences(talk("chess", lines=f"d4\noverwrite {other}\n"))
        assert "1. d4 *" in other.read_text(encoding="utf-8")


def test_how_a_game_ended_is_kept(talk, tmp_path):
    path = tmp_path / "game.pgn"
    talk("magi:scoring=four_points", "--black", "random", lines=f"e5\nresign\nsave {path}\n")
    text = path.read_text(encoding="utf-8")
    for tag in ('[Result "0-1"]', '[Score "0-4"]', '[Options "scoring=four_points"]', '[Black "Random mover"]'):
        assert tag in text
    out = talk("--load", path, lines="undo\nundo\n")
    assert "So the record says: Black wins, 0-4." in out
    assert "scoring=four_points" in out
    assert "acedrex play magi:scoring=four_points --fen " in talk("magi", lines=f"load {path}\nundo\n")


def test_records_that_cannot_be_read(talk, tmp_path, capsys):
    empty, broken, other = (tmp_path / name for name in ("empty.pgn", "broken.pgn", "other.pgn"))
    empty.write_text("", encoding="utf-8")
    broken.write_text('[Variant "chess"]\n\n1. e4 e5 2. Qd9 Nc6 *\n', encoding="utf-8")
    other.write_text('[Variant "nogame"]\n\n1. e4 *\n', encoding="utf-8")
    out = sentences(talk("chess", lines=f"load {empty}\nload {other}\nload {tmp_path}\nload {broken}\nfen\n"))
    assert f"There is no game in {empty}." in out
    assert f"Cannot read {other}: " in out
    assert f"Cannot read {tmp_path}: Is a directory." in out
    assert f"{broken} is loaded, but: line 3, column" in out
    assert "1. e4 e5" in out
    assert "Qd9" in sentences(talk("--load", broken))
    assert main(["play", "magi", "--load", str(broken)]) == 1
    assert "is a game of Chess" in capsys.readouterr().err


# Whatever is typed, the conversation goes on.


@pytest.mark.parametrize("name", GAMES)
def test_any_lines_are_answered(talk, tmp_path, monkeypatch, name):
    monkeypatch.chdir(tmp_path)
    chance = random.Random(name)
    board = Board(name)
    words = [
        *console.COMMANDS,
        *(
            "?",
            "?e4",
            "?a1",
            "?K",
            "?Q'",
            "?King",
            "moves",
            "moves b1",
            "moves x",
            "claim draw",
            "end",
            "pass",
            "claim",
        ),
        *(
            "playon",
            "save a.pgn",
            "overwrite a.pgn",
            "load a.pgn",
            "load",
            "1",
            "random",
            "list",
            "",
            "  ",
            ",",
            "a1a1,",
        ),
        *(
            "\u00e9",
            "\x00",
            "🙂",
            "O-O",
            "e4",
            "Nf3",
            "=",
            "x" * 500,
            "0",
            "?" * 9,
            "e99e99",
            "p16p16",
            "\u202e",
            "a0a0",
        ),
    ]
    words = [word for word in words if word not in ("quit", "exit", "q")]
    lines = []
    for _ in range(120):
        if chance.random() < 0.5 and not board.is_game_over():
            board.push(chance.choice(list(board.legal_moves)))
            lines.append(board.peek().uci())
        else:
            lines.append(chance.choice(words))
    players = ("--black", "random") if chance.random() < 0.5 else ()
    out = talk(name, *players, "--seed", "1", lines="\n".join(["", *lines, ""]))
    assert not re.search("[\x00-\x09\x0b-\x1f]", out)


# A real terminal.

pty = pytest.importorskip("pty") if os.name == "posix" else None
termios = pytest.importorskip("termios") if os.name == "posix" else None


class Terminal:
    """The command line on a terminal of its own."""

    def __init__(self, *argv: str, columns: int = 80, rows: int = 30, **environment: str) -> None:
        import fcntl
        import struct

        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self.before = termios.tcgetattr(slave)

        def take() -> None:
            fcntl.ioctl(0, termios.TIOCSCTTY, 0)
            # A shell may have started the tests deaf to Ctrl-C, as it does behind an &.
            signal.signal(signal.SIGINT, signal.SIG_DFL)

        inherited = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES", "NO_COLOR")}
        path = os.pathsep.join(filter(None, sys.path))
        self.process = subprocess.Popen(
            [sys.executable, "-m", "acedrex", *argv],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            start_new_session=True,
            preexec_fn=take,
            env={**inherited, "PYTHONPATH": path, "PYTHONUTF8": "1", "TERM": "xterm-256color", **environment},
        )
        self.slave = slave
        self.seen = ""
        self.read = 0  # how far into what was shown the test has read

    @property
    def shown(self) -> str:
        """All that came, without control sequences."""
        return CONTROL.sub("", re.sub(r"\x1b(\[[0-9;?]*)?$", "", self.seen))

    def take(self, seconds: float) -> bool:
        """Take in what has come."""
        if not select.select([self.master], [], [], seconds)[0]:
            return False
        self.seen += os.read(self.master, 65536).decode("utf-8", "replace")
        return True

    def expect(self, words: str, seconds: float = 30) -> str:
        """Read on until these words, and give what was read."""
        end = time.monotonic() + seconds
        while (at := self.shown.find(words, self.read)) < 0:
            assert self.take(max(0, end - time.monotonic())), f"{words!r} did not come: {self.shown[self.read :]}"
        start, self.read = self.read, at + len(words)
        return self.shown[start : self.read]

    def type(self, line: str) -> None:
        os.write(self.master, line.encode() + b"\r")

    def end(self) -> int:
        """Wait for the end, and see that the terminal is as it was."""
        end = time.monotonic() + 30
        while (self.process.poll() is None and time.monotonic() < end) or self.take(0):
            self.take(0.05)
        status = self.process.wait(timeout=10)
        assert termios.tcgetattr(self.slave) == self.before
        return status

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.slave)
        os.close(self.master)


@pytest.fixture
def open_terminal():
    """Opens terminals, and closes them when the test is over."""
    opened: list[Terminal] = []

    def open_one(*argv: str, **options) -> Terminal:
        opened.append(Terminal(*argv, **options))
        return opened[-1]

    yield open_one
    for screen in opened:
        screen.close()


@pytest.mark.skipif(pty is None, reason="no pseudo-terminals")
class TestTerminal:
    """A person at the keys."""

    def test_a_few_plies(self, open_terminal):
        screen = open_terminal("play", "maasai", COLORTERM="truecolor")
        screen.expect("Setup [UFDO-QKGL]: ")
        screen.type("random")
        screen.expect("]: ")
        screen.type("")
        screen.expect("White (? for help): ")
        assert "\x1b[H\x1b[J" in screen.seen
        assert "48;2;" in screen.seen
        screen.type("e6")
        screen.expect("Black to move.")
        screen.expect("Black: ")
        screen.type("?b11")
        screen.expect("Rook")
        screen.expect("Black: ")
        screen.type("zz")
        screen.expect("is no move in SAN or coordinates.")
        screen.expect("Black: ")
        screen.type("quit")
        assert screen.end() == 0
        assert "acedrex play maasai --fen" in screen.seen

    @pytest.mark.parametrize(
        ("game", "columns"), [("maasai", 80), ("magi", 80), ("chieftain", 80), ("chieftain", 100), ("menagerie", 100)]
    )
    def test_nothing_wraps(self, open_terminal, game, columns):
        screen = open_terminal("play", game, "--black", "random", "--seed", "1", columns=columns)
        for line in ("a4a5", "?a1", "?K", "?", "moves", "board", "zz", "quit"):
            screen.expect("\nWhite")
            screen.expect(": ")
            screen.type(line)
        assert screen.end() == 0
        for line in CONTROL.sub("", screen.seen.replace("\r", "")).split("\n"):
            assert len(line) <= columns or line.startswith("acedrex play"), line

    def test_control_c_leaves_the_terminal_as_it_was(self, open_terminal):
        screen = open_terminal("play", "chess")
        screen.expect("White (? for help): ")
        screen.type("e4")
        screen.expect("Black: ")
        os.write(screen.master, b"e7")
        screen.expect("e7")
        # Python may miss one that comes just before it waits for a key, as it would miss a person's.
        while screen.process.poll() is None:
            os.write(screen.master, b"\x03")
            with contextlib.suppress(subprocess.TimeoutExpired):
                screen.process.wait(timeout=3)
        assert screen.end() == 130
        assert "Traceback" not in screen.seen
        assert "acedrex play chess --fen 'rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b " in screen.shown

    def test_control_d_leaves(self, open_terminal):
        screen = open_terminal("play", "chess")
        screen.expect("White (? for help): ")
        os.write(screen.master, b"\x04")
        assert screen.end() == 0

    def test_lines_can_be_edited_and_come_back(self, open_terminal):
        pytest.importorskip("readline")
        screen = open_terminal("play", "chess")
        screen.expect("White (? for help): ")
        screen.type("e5\x7f4")
        screen.expect("Black to move.")
        screen.expect("Black: ")
        screen.type("e5")
        screen.expect("White to move.")
        screen.expect("White: ")
        screen.type("undo")
        screen.expect("Black to move.")
        screen.expect("Black: ")
        screen.type("\x1b[A\x1b[A")
        screen.expect("White to move.")
        screen.type("quit")
        assert screen.end() == 0

    @pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"TERM": "dumb"}])
    def test_no_colours_where_none_are_wanted(self, open_terminal, environment):
        screen = open_terminal("play", "chess", **environment)
        screen.expect("White (? for help): ")
        screen.type("e4")
        screen.expect("Black: ")
        screen.type("quit")
        assert screen.end() == 0
        assert not re.search(r"\x1b\[[0-9;]*m|\x1b\[[HJ]", screen.seen)

    def test_show_is_coloured_and_fits(self, open_terminal):
        screen = open_terminal("show", "chieftain", columns=100)
        assert screen.end() == 0
        assert "48;5;" in screen.seen
        assert all(len(line) <= 100 for line in SGR.sub("", screen.seen).splitlines() if not line.startswith("FEN"))


def test_asking_for_nothing_that_exists_is_a_command_error():
    with pytest.raises(CommandError):
        teach.read_square(acedrex.load("chess"), "x1")
