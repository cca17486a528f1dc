"""What the terminal draws: boards, colours and marks, and how pieces move."""

from __future__ import annotations

import io
import re

import pytest

import acedrex
from acedrex import Board
from acedrex.cli import drawing, palette, teach, terminal, view
from acedrex.cli.canvas import BLOCKS, Canvas
from acedrex.cli.drawing import LARGE, MIDDLE, SMALL, Drawing, Marks
from acedrex.cli.errors import CommandError
from acedrex.cli.terminal import PLAIN, Style

GAMES = acedrex.games()
COLORED = Style(1 << 24, unicode=True)
SGR = re.compile(r"\x1b\[[0-9;]*m")


# The drawing.


def start(name: str) -> Drawing:
    board = Board(name)
    game = board.game
    symbol = drawing.longest_symbol(game)
    return Drawing(board.piece_map(), game.files, game.ranks, COLORED, symbol=symbol)


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("size", [SMALL, MIDDLE, LARGE])
def test_boards_have_the_right_width_and_pieces(name, size):
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


def test_plain_boards_show_all_marks_without_colours():
    pieces = {0: acedrex.Piece("R'", True), 17: acedrex.Piece("K", False), 2: acedrex.Piece("P", False)}
    marks = Marks(reach={1: "move", 2: "capture", 16: "both", 18: "hop"}, origin=0, mounts=frozenset({17}))
    assert Drawing(pieces, 3, 2, PLAIN, marks, symbol=2).lines() == [
        " 2 (o )|k |<  >",
        " 1 [R'] o  (p )",
        "    a   b   c  ",
    ]
    unicode = Style(0, unicode=True)
    assert Drawing(pieces, 3, 2, unicode, marks, flipped=True, symbol=2).lines()[1] == " 2 <  >|k |(• )"
    marks = Marks(last=frozenset({0, 1}), check=frozenset({17}), moved=frozenset({0}), ready=frozenset({2}))
    assert Drawing(pieces, 3, 2, PLAIN, marks, symbol=2).lines()[:2] == [
        " 2  .  +k +.   "[:8] + "k +" + " .  ",
        " 1 =R'=[. ]:p :",
    ]


def test_figurines_do_not_depend_on_the_language():
    game = acedrex.load("shako").localized("fr")
    found = drawing.figures(game, Style(0, unicode=True))
    assert "".join(found.get(acedrex.Piece(letter, True), letter) for letter in "KQRBNPCE") == "♔♕♖♗♘♙CE"


def test_marks_are_the_same_with_colours():
    board = Board("metamachy", fen="5k6/12/12/2p9/12/2p9/12/12/2C9/12/12/5K6 w - - 0 1")
    lesson = teach.square_lesson(board, "c4")
    for size in (SMALL, MIDDLE, LARGE):
        picture = Drawing(lesson.pieces, 12, 12, COLORED, lesson.marks)
        text = "\n".join(SGR.sub("", line) for line in picture.lines(size)).replace(" ", "")
        for sign in ("|p|", "<p>", "[C]", "•"):
            assert sign in re.sub("[▐▌]", "", text)


def test_a_canvas_shows_two_colours_per_character():
    red, blue, green = "FF0000", "0000FF", "00FF00"
    for shape in range(16):
        canvas = Canvas(1, 1)
        for index in range(4):
            canvas.fill(index % 2, index // 2, 1, 1, red if shape >> index & 1 else blue)
        text = SGR.sub("", canvas.lines(COLORED)[0])
        assert BLOCKS.index(text) in (shape, 15 - shape)
    canvas = Canvas(1, 1)
    canvas.fill(0, 0, 2, 2, red)
    canvas.finish_base()
    canvas.fill(0, 0, 1, 1, green)
    canvas.fill(1, 1, 1, 1, blue)
    assert canvas.lines(COLORED) == ["\x1b[48;2;255;0;0m \x1b[0m"]
    canvas.write(0, 0, "x", blue)
    assert SGR.sub("", canvas.lines(COLORED)[0]) == "x"


class Stream(io.StringIO):
    """A stream that claims the given properties."""

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
def test_the_environment_decides_the_number_of_colours(monkeypatch, tty, choice, environment, colors):
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert terminal.style(Stream(tty, "utf-8"), choice).colors == colors


def test_unicode_is_used_only_if_the_encoding_allows_it():
    assert terminal.style(Stream(True, "utf-8")).unicode
    assert not terminal.style(Stream(True, "ascii")).unicode
    assert not terminal.style(Stream(True, "nonsense")).unicode


def test_colours_are_mapped_to_the_nearest_of_256():
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


def test_colours_have_enough_contrast():
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
            legal = [move for move in board.legal_moves if not move.special and move.from_square == at]
            assert {move.to_square for move in legal} <= set(lesson.marks.reach)
            assert all(len(line) <= 30 for line in lesson.lines(30, COLORED) if " " in line)
    for piece in game.pieces:
        lesson = teach.piece_lesson(game, piece.letter)
        assert lesson.text[0].startswith(f"{piece.letter}: {piece.name}")
        assert lesson.marks.reach
        assert teach.piece_lesson(game, piece.name.lower()).text[0].split(": ")[1] == lesson.text[0].split(": ")[1]


def test_each_kind_of_reach_is_marked():
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


def test_invalid_squares_and_pieces_are_explained(talk):
    out = talk("chess", lines="?e5\n?e9\n?j1\n?Z\n?\n")
    assert "There is no piece on e5." in out
    assert "e9 is not on this board; its squares are a1 to h8." in out
    assert "j1 is not on this board" in out
    assert '"Z" is neither a square nor a piece; the piece letters are K Q R B N P.' in out
    assert "play a move, in algebraic notation or by its two squares" in out


def test_an_invalid_square_is_a_command_error():
    with pytest.raises(CommandError):
        teach.read_square(acedrex.load("chess"), "x1")
