"""SVG drawings: sizes, texts, colours and positions, on boards without rules."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib import resources

import pytest

import acedrex
from acedrex import art, svg

SVG = "{http://www.w3.org/2000/svg}"
HREF = "{http://www.w3.org/1999/xlink}href"


@dataclass(frozen=True)
class Kind:
    letter: str
    name: str
    art: str | None


@dataclass(frozen=True)
class Piece:
    letter: str
    color: bool


@dataclass(frozen=True)
class Reach:
    to: int
    kind: str
    mount: int | None = None
    path: Sequence[int] = ()


@dataclass(frozen=True)
class Move:
    from_square: int | None
    to_square: int | None


@dataclass(frozen=True)
class Diagram:
    files: int
    ranks: int
    origin: int
    reach: Sequence[Reach]
    others: Mapping[int, Piece] = field(default_factory=dict)


@dataclass(frozen=True)
class Game:
    files: int = 12
    ranks: int = 12
    pieces: Sequence[Kind] = (
        Kind("K", "King", "king"),
        Kind("N", "Knight", "knight"),
        Kind("P", "Pawn", "pawn"),
        Kind("R'", "Dragon King", None),
        Kind("X", "Oddity", "no-such-drawing"),
    )
    name: str = "Small & <Odd>"
    shown: Diagram = Diagram(5, 5, 34, ())

    def diagram(self, letter: str, /) -> Diagram:
        return self.shown


@dataclass
class Board:
    game: Game
    placed: dict[int, Piece]
    turn: bool = True
    checked: bool = False
    last: Move | None = None
    moves: Sequence[Reach] = ()

    def piece_map(self) -> dict[int, Piece]:
        return self.placed

    def is_check(self) -> bool:
        return self.checked

    def king(self, color: bool, /) -> int | None:
        return next((at for at, piece in self.placed.items() if piece == Piece("K", color)), None)

    def peek(self) -> Move:
        if self.last is None:
            raise IndexError
        return self.last

    def reach(self, square: int, /) -> Sequence[Reach]:
        return self.moves


def at(name: str) -> int:
    return (int(name[1:]) - 1) * 16 + ord(name[0]) - ord("a")


def standing(**pieces: str) -> dict[int, Piece]:
    return {at(name): Piece(token.upper(), token[0].isupper()) for name, token in pieces.items()}


def start(files: int = 12, ranks: int = 12) -> Board:
    placed = {}
    for file in range(files):
        placed[file] = Piece("K" if file == 0 else "N", True)
        placed[16 + file] = Piece("P", True)
        placed[(ranks - 2) * 16 + file] = Piece("P", False)
        placed[(ranks - 1) * 16 + file] = Piece("K" if file == 0 else "N", False)
    return Board(Game(files, ranks), placed)


def parse(text: str) -> ET.Element:
    """The parsed drawing, after checks that apply to every drawing."""
    root = ET.fromstring(text)
    assert root.tag == SVG + "svg"
    assert root.get("role") == "img"
    assert root[0].tag == SVG + "title"
    assert root.get("aria-label") == root[0].text
    ids = [element.get("id") for element in root.iter() if element.get("id")]
    assert len(ids) == len(set(ids))
    for use in root.iter(SVG + "use"):
        assert (use.get(HREF) or "").removeprefix("#") in ids
    width, height = root.get("width"), root.get("height")
    assert root.get("viewBox") == f"0 0 {width} {height}"
    return root


def placed_uses(root: ET.Element) -> list[ET.Element]:
    return root.findall(SVG + "use")


def corner(root: ET.Element, symbol: str) -> tuple[float, float]:
    (use,) = [use for use in placed_uses(root) if use.get(HREF) == "#" + symbol]
    return float(use.get("x") or ""), float(use.get("y") or "")


# The drawings of the pieces.


FIVE_GAMES = {
    *("king", "queen", "rook", "bishop", "knight", "pawn", "eagle", "lion", "rhinoceros", "buffalo", "sorceress"),
    *("duchess", "prince", "camel", "giraffe", "elephant", "machine", "cannon", "crocodile", "maasai"),
    *("duke", "archbishop", "wizard", "chieftain", "hero", "shaman", "man"),
    *("bent-hero", "bent-shaman", "knight-ferz", "knight-wazir"),
}


def test_all_piece_types_of_the_five_games_have_drawings() -> None:
    assert set(art.drawings()) >= FIVE_GAMES
    assert list(art.drawings()) == sorted(art.drawings())


def test_every_drawing_is_credited_in_the_data_and_in_the_table() -> None:
    table = resources.files(art).joinpath("CREDITS.md").read_text(encoding="utf-8")
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines() if line[:1] == "|"]
    credited = {row[0]: row[1:4] for row in rows[2:]}
    assert list(credited) == list(art.drawings())
    for name, drawing in art.drawings().items():
        assert drawing.author and drawing.author != "?"
        assert drawing.licence == ("CC-BY-3.0" if drawing.source else "Apache-2.0")
        source, author, licence = credited[name]
        assert (source, author) == (drawing.source or "own drawing", drawing.author)
        assert licence == drawing.licence.replace("CC-BY-", "CC BY ")


@pytest.mark.parametrize("name", sorted(art.drawings()))
@pytest.mark.parametrize("color", [True, False])
def test_a_piece_can_be_drawn_by_its_art_id(name: str, color: bool) -> None:
    root = parse(svg.piece(name, color, 24))
    assert root.get("width") == root.get("height") == "24"
    assert root[0].text == f"{'white' if color else 'black'} {name}"
    (symbol,) = root.iter(SVG + "symbol")
    rim, fill = (art.BLACK, art.WHITE) if color else (art.WHITE, art.BLACK)
    assert [use.get("fill") for use in symbol.findall(SVG + "use")] == [rim, fill]


def test_badges_distinguish_similar_pieces() -> None:
    texts = {svg.piece(name).replace(name, "") for name in ("knight", "knight-ferz", "knight-wazir")}
    assert len(texts) == 3


@pytest.mark.parametrize("token", ["Q", "R'", "A!", "<", "&"])
def test_a_piece_symbol_is_drawn_as_letters(token: str) -> None:
    root = parse(svg.piece(token, False))
    (text,) = root.iter(SVG + "text")
    assert text.text == token


@pytest.mark.parametrize(("token", "size"), [("", 45), ("Q", 0), ("Q", -1), ("Q", float("nan"))])
def test_invalid_pieces_and_sizes_are_refused(token: str, size: float) -> None:
    with pytest.raises(acedrex.Error):
        svg.piece(token, True, size)


def test_a_piece_object_is_drawn_like_its_letter() -> None:
    for color in (True, False):
        assert svg.piece(Piece("R'", color)) == svg.piece("R'", color)
    assert svg.piece(Piece("N", False), True) == svg.piece("N", True) == svg.piece("N")


# Boards.


def test_a_board_without_a_size_fills_the_place_that_a_page_gives_it() -> None:
    assert svg.board(size=None) == svg.board().replace(' width="480" height="480" viewBox', " viewBox", 1)


@pytest.mark.parametrize("coordinates", [True, False])
@pytest.mark.parametrize(("files", "ranks"), [(3, 3), (8, 8), (10, 10), (12, 12), (16, 12), (9, 10), (16, 16)])
@pytest.mark.parametrize("size", [160, 480, 901])
def test_boards_fit_the_requested_size(files: int, ranks: int, size: int, coordinates: bool) -> None:
    board = Board(Game(files, ranks), {0: Piece("K", True), (ranks - 1) * 16 + files - 1: Piece("K", False)})
    root = parse(svg.board(board, size=size, coordinates=coordinates))
    width, height = float(root.get("width") or ""), float(root.get("height") or "")
    assert max(width, height) == pytest.approx(size, abs=0.02)
    assert (width > height) == (files > ranks)
    for use in placed_uses(root):
        x, y, side = (float(use.get(key) or "") for key in ("x", "y", "width"))
        assert x >= 0 and y >= 0 and x + side <= width and y + side <= height
    labels = [text.text for text in root.iter(SVG + "text")]
    expected = [chr(97 + file) for file in range(files)] + [str(rank + 1) for rank in range(ranks)]
    assert labels == (expected if coordinates else [])


def test_an_empty_board_is_drawn_if_none_is_given() -> None:
    root = parse(svg.board())
    assert not placed_uses(root)
    assert root[0].text == "Board of 12 by 12 squares"


def test_each_piece_type_and_colour_is_defined_once() -> None:
    text = svg.board(start())
    root = parse(text)
    assert len(placed_uses(root)) == 48
    assert sorted(symbol.get("id") or "" for symbol in root.iter(SVG + "symbol")) == [
        f"acedrex-{side}-{kind}" for side in "bw" for kind in ("king", "knight", "pawn")
    ]
    assert len(text) < 12_000


def test_orientation_turns_the_board() -> None:
    board = Board(Game(), standing(a1="K", l12="k"))
    white, black = (parse(svg.board(board, orientation=side)) for side in (True, False))
    x, y = corner(white, "acedrex-w-king")
    assert corner(white, "acedrex-b-king") > (x, 0) and corner(white, "acedrex-b-king")[1] < y
    assert corner(black, "acedrex-b-king") == (x, y)
    assert corner(black, "acedrex-w-king") == corner(white, "acedrex-b-king")
    assert [text.text for text in white.iter(SVG + "text")] == [text.text for text in black.iter(SVG + "text")]


def test_a1_is_dark() -> None:
    root = parse(svg.board(size=240, coordinates=False))
    dark = next(path for path in root.iter(SVG + "path"))
    x, y, side = 1, 239 - 238 / 12, 238 / 12
    assert dark.get("fill") == "#B08A5D"
    assert f"M{x} {y:.2f}h{side:.2f}".replace(".00", "") in (dark.get("d") or "")


def test_pieces_without_drawings_are_shown_as_letters() -> None:
    board = Board(Game(), standing(a1="K", b2="R'", c3="x", d4="?"))
    root = parse(svg.board(board, coordinates=False))
    assert sorted(text.text or "" for text in root.iter(SVG + "text")) == ["?", "R'", "X"]
    root = parse(svg.board(board, coordinates=False, pieces="letters"))
    assert sorted(text.text or "" for text in root.iter(SVG + "text")) == ["?", "K", "R'", "X"]


def test_titles_and_descriptions_are_written_and_escaped() -> None:
    board = Board(Game(), standing(a1="K", c3="n", d3="n", b2="R'"), turn=False)
    root = parse(svg.board(board))
    assert root[0].text == "Small & <Odd>, Black to move"
    assert root[1].tag == SVG + "desc"
    assert root[1].text == "White: King a1; Dragon King b2. Black: Knight c3 d3."
    hostile = "\"><script>alert('1')</script>\x00&amp;"
    root = parse(svg.board(board, title=hostile))
    assert root[0].text == hostile.replace("\x00", "\ufffd")
    assert not list(root.iter(SVG + "script"))


def test_the_same_arguments_give_the_same_text() -> None:
    board = start()
    turned = Board(board.game, dict(reversed(board.placed.items())))
    arrows, dots = [(0, 17, "gold")], [Reach(40, "both")]
    assert svg.board(board, arrows=arrows, dots=dots) == svg.board(turned, arrows=arrows, dots=dots)


def tinted(root: ET.Element) -> int:
    return len([rect for rect in root.iter(SVG + "rect") if rect.get("fill-opacity")])


def test_the_last_move_is_highlighted() -> None:
    board = start()
    assert tinted(parse(svg.board(board))) == 0
    board.last = Move(at("e3"), at("e5"))
    assert tinted(parse(svg.board(board))) == 2
    assert tinted(parse(svg.board(board, lastmove=False))) == 0
    assert svg.board(board) == svg.board(board, lastmove=(at("e3"), at("e5")))
    # The tail of an arrow is on the square that was left, unless a piece stands there.
    tailed = svg.board(board)
    board.last = Move(at("e2"), at("e4"))
    assert svg.board(board).count("<path") < tailed.count("<path")
    board.last = Move(None, None)
    assert tinted(parse(svg.board(board))) == 0


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_a_king_in_check_is_highlighted(theme: str) -> None:
    def halo(root: ET.Element) -> ET.Element | None:
        return next((circle for circle in root.iter(SVG + "circle") if "url(" in (circle.get("fill") or "")), None)

    board = start()
    assert halo(parse(svg.board(board, theme=theme))) is None
    board.checked = True
    root = parse(svg.board(board, theme=theme))
    found = halo(root)
    assert found is not None
    assert found.get("fill") == f"url(#acedrex-check-{theme})"
    assert (root[0].text or "").endswith("White to move, in check")
    assert halo(parse(svg.board(board, theme=theme, check=False))) is None
    board.checked = False
    assert halo(parse(svg.board(board, theme=theme, check=at("a12")))) is not None


def test_each_kind_of_reach_has_its_own_mark() -> None:
    board = Board(Game(), standing(a1="N", c5="p", e5="P", g5="p"))

    def circles(*reach: Reach) -> int:
        return len(parse(svg.board(board, dots=reach)).findall(SVG + "circle"))

    assert circles() == 0
    assert circles(Reach(at("b3"), "move")) == 1
    assert circles(Reach(at("c5"), "capture")) == 2  # the ring and its rim
    assert circles(Reach(at("b3"), "both")) == 3
    assert circles(Reach(at("g5"), "hop", at("e5"))) == 2
    assert "stroke-dasharray" not in svg.board(board, dots=[Reach(at("b3"), "move", None, [at("a2")])])


def test_paths_are_drawn_only_if_their_origin_is_given() -> None:
    way = Reach(at("b6"), "move", None, [at("b2"), at("b3"), at("b4"), at("b5")])
    board = Board(Game(), standing(a1="N"), moves=[way, Reach(at("b3"), "move", None, [at("b2")])])
    text = svg.board(board, dots=at("a1"))
    assert text.count("stroke-dasharray") == 1  # the longer path covers the shorter
    assert tinted(parse(text)) == 1
    assert "stroke-dasharray" not in svg.board(board, dots=board.moves)  # without an origin the path counts as straight
    with pytest.raises(acedrex.Error):
        svg.board(dots=at("a1"))


def test_arrows_and_highlighted_squares_are_drawn() -> None:
    text = svg.board(arrows=[(0, 17), (0, 32, "vermilion"), (5, 5, "gold")], squares=[3, 3, 4])
    root = parse(text)
    assert [arrow.get("fill") for arrow in root.iter(SVG + "polygon")] == ["#1F4E8C", "#A82E1A"]
    assert len(list(root.iter(SVG + "circle"))) == 2
    assert tinted(root) == 2


def test_callers_can_choose_all_colours() -> None:
    plain = svg.board(start(), lastmove=(0, 17), arrows=[(0, 17, "green")])
    assert svg.board(start(), lastmove=(0, 17), arrows=[(0, 17, "green")], colors={}, fill={}, style="") == plain
    names = ["square light", "square dark", "square light lastmove", "square dark lastmove", "margin", "coord"]
    names += ["arrow green", "arrow blue", "arrow red", "arrow yellow"]
    colors = {name: f"#0000{number:02}" for number, name in enumerate(names)}
    arrows = [(0, 17, name) for name in ("green", "blue", "red", "yellow")]
    text = svg.board(
        start(), lastmove=(0, 1), arrows=arrows, colors=colors, fill={5: "#cc0000cc", 6: "hsl(9 50% 50% / 0.5)"}
    )
    parse(text)
    for colour in [*colors.values(), "#cc0000cc", "hsl(9 50% 50% / 0.5)"]:
        assert f'"{colour}"' in text, colour
    [a1, b1] = [rect for rect in parse(text).iter(SVG + "rect") if rect.get("fill") in ("#000002", "#000003")]
    assert (a1.get("fill"), b1.get("fill")) == ("#000003", "#000002")
    assert float(a1.get("x") or 0) < float(b1.get("x") or 0)


def test_arrow_colours_can_be_named_as_in_python_chess() -> None:
    ours = svg.board(arrows=[(0, 17, "lapis"), (0, 17, "vermilion"), (0, 17, "gold")])
    assert svg.board(arrows=[(0, 17, "blue"), (0, 17, "red"), (0, 17, "yellow")]) == ours


def test_a_board_can_be_flipped_and_styled() -> None:
    assert svg.board(start(), flipped=True) == svg.board(start(), orientation=False)
    assert svg.board(start(), flipped=True, orientation=False) == svg.board(start())
    text = svg.board(start(), style="rect > a { fill: red } </style><script>")
    [style] = parse(text).iter(SVG + "style")
    assert style.text == "rect > a { fill: red } </style><script>"
    assert "<script>" not in text


def test_special_moves_and_null_moves_highlight_no_squares() -> None:
    board = acedrex.Board("chess")
    board.push(acedrex.Move.null())
    assert tinted(parse(svg.board(board))) == 0
    board = acedrex.Board("chieftain")
    board.push_turn("Ma5")
    assert tinted(parse(svg.board(board))) == 0


@pytest.mark.parametrize(
    "wrong",
    [
        {"size": 5},
        {"size": float("inf")},
        {"theme": "mauve"},
        {"pieces": "photographs"},
        {"arrows": [(0, 1, "mauve")]},
        {"fill": {0: 'red" onload="x'}},
        {"fill": {999: "red"}},
        {"colors": {"square light": "<"}},
        {"colors": {"square lihgt": "red"}},
        {"arrows": [(0, 12)]},
        {"squares": [-1]},
        {"squares": [16 * 12]},
        {"check": 15},
        {"lastmove": (0, 999)},
        {"dots": [Reach(0, "jump")]},
        {"dots": 999},
    ],
)
def test_invalid_board_arguments_are_refused(wrong: dict[str, object]) -> None:
    with pytest.raises(acedrex.Error):
        svg.board(start(), **wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(("files", "ranks"), [(17, 8), (8, 17), (0, 5)])
def test_boards_of_unsupported_sizes_are_refused(files: int, ranks: int) -> None:
    with pytest.raises(acedrex.Error):
        svg.board(Board(Game(files, ranks), {}))


# Diagrams.


CANNON = Diagram(
    7,
    7,
    at("d4"),
    (Reach(at("d5"), "move"), Reach(at("d7"), "hop", at("d6")), Reach(at("c4"), "move")),
    {at("d6"): Piece("P", False)},
)
BENT = Diagram(
    5, 5, at("c3"), (Reach(at("d4"), "both"), Reach(at("d5"), "both", None, [at("d4")]), Reach(at("b3"), "capture"))
)


def words(root: ET.Element) -> list[str | None]:
    return [text.text for text in root.iter(SVG + "text")]


def test_the_legend_explains_only_the_marks_that_appear() -> None:
    root = parse(svg.piece_moves(Game(shown=CANNON), "N"))
    assert root[0].text == "How the Knight moves"
    assert words(root) == [svg.LEGEND[key] for key in ("move", "hop", "mount")]
    root = parse(svg.piece_moves(Game(shown=BENT), "N"))
    assert words(root) == [svg.LEGEND[key] for key in ("capture", "both", "path")]
    assert [use.get(HREF) for use in placed_uses(root)] == ["#acedrex-w-knight"]


def test_a_diagram_has_the_requested_size_and_legend() -> None:
    game = Game(shown=CANNON)
    bare = parse(svg.piece_moves(game, "N", size=300, legend=None))
    assert bare.get("width") == bare.get("height") == "300"
    full = parse(svg.piece_moves(game, "N", size=300, legend={"move": "zieht & geht"}, theme="dark"))
    assert float(full.get("height") or "") > 300
    assert words(full) == ["zieht & geht", svg.LEGEND["hop"], svg.LEGEND["mount"]]
    assert words(parse(svg.piece_moves(game, "R'"))) == ["R'", *words(parse(svg.piece_moves(game, "N")))]


def test_a_diagram_is_deterministic_and_draws_each_path_once() -> None:
    game = Game(shown=BENT)
    text = svg.piece_moves(game, "N")
    assert text == svg.piece_moves(game, "N")
    assert text.count("stroke-dasharray") == 2  # one path, and its mark in the legend


def test_characters_that_xml_forbids_are_replaced() -> None:
    (text,) = parse(svg.piece("A\x00", True)).iter(SVG + "text")
    assert text.text == "A\ufffd"


def test_holes_are_left_out_of_the_board() -> None:
    text = """
        [game]
        id = "own"
        board = "4x4"
        start = "k2*/1*2/1*2/K2* w - - 0 1"
        [pieces.K]
        move = "K"
        royal = true
    """
    board = acedrex.Board(acedrex.Game(text, "own.toml"))
    drawing = ET.fromstring(svg.board(board, size=100, coordinates=False))
    [squares] = [group for group in drawing if group.get("shape-rendering")]
    drawn = [path.get("d", "").count("z") for path in squares]
    assert drawn == [6, 6]
    assert str(board).splitlines() == ["k . .", ".   . .", ".   . .", "K . ."]
