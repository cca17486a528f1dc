"""Emblems, generated from how pieces move, and drawings, chosen by their names."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

import acedrex
from acedrex import art, plain, svg
from acedrex.art.emblem import Mover, Walk, emblems

BASE = """
[game]
id = "tiny"
name = "Tiny"
board = "5x5"
start = "kxyzw/ppppp/5/PPPPP/KXYZW w - - 0 1"

[pieces.K]
name = "King"
move = "K"
royal = true

[pieces.P]
name = "Guard"
move = "fF"
"""


def tiny(x: str, y: str = "N", z: str = "B", w: str = "Q", **names: str) -> acedrex.Game:
    """Load a game with four pieces of the given moves."""
    text = BASE
    for letter, move in zip("XYZW", (x, y, z, w), strict=True):
        text += f'[pieces.{letter}]\nname = "{names.get(letter, "Piece " + letter)}"\nmove = "{move}"\n'
    return acedrex.Game(text, "tiny.toml")


def walk(*legs: tuple[tuple[int, int], int, bool], quiet: bool = True, capture: bool = True) -> Walk:
    found: Walk = {
        "legs": [{"step": step, "max": most, "mount": mount} for step, most, mount in legs],
        "quiet": quiet,
        "capture": capture,
    }
    return found


@pytest.mark.parametrize("name", acedrex.games())
def test_no_two_piece_types_of_a_game_have_the_same_emblem(name: str) -> None:
    found = acedrex.load(name).emblems
    assert len({tuple(emblem.values()) for emblem in found.values()}) == len(found)
    for emblem in found.values():
        assert emblem["dots"] or emblem["lines"] or emblem["fine"]


def test_piece_types_that_move_alike_show_their_letters() -> None:
    game = tiny("R", "R", "B", "W")
    assert [game.emblems[letter]["letter"] for letter in "KXYZW"] == ["", "X", "Y", "", ""]
    assert game.emblems["X"] != game.emblems["Y"]


def test_a_royal_piece_differs_from_one_that_moves_alike() -> None:
    game = tiny("K")
    assert game.emblems["K"]["fine"].endswith("z") and not game.emblems["X"]["fine"]
    assert game.emblems["X"]["letter"] == ""


def test_each_way_of_moving_has_its_own_mark() -> None:
    def of(*walks: Walk) -> art.Emblem:
        return emblems([Mover("X", False, walks)])["X"]

    north, east = (0, 1), (1, 0)
    leap = of(walk(((1, 2), 1, False)))
    assert leap["dots"].count("h0") == 1 and not leap["lines"] and not leap["fine"]
    slide, step, limited = (of(walk((north, most, False)))["lines"] for most in (15, 1, 3))
    assert (slide, step) == ("M50 50L50 9", "M50 50L50 25.4")
    assert limited.startswith("M50 50L50 14") and limited.count("M") == 2
    hop = of(walk((north, 15, True), (north, 15, False), quiet=False))
    assert "A" in hop["fine"] and not hop["dots"]
    bent = of(walk(((1, 1), 1, False), (north, 15, False)), walk(((1, 1), 1, False), (east, 15, False)))
    assert bent["lines"].count("M50 50") == 1, "the common first leg is drawn once"
    quiet, capture = of(walk((north, 1, False), capture=False)), of(walk((north, 1, False), quiet=False))
    assert quiet["fine"].count("a") == 2 and capture["fine"].count("L") == 2
    assert of(walk((north, 1, False), capture=False), walk((north, 1, False), quiet=False))["lines"] == step


def test_moves_possible_only_from_some_squares_are_left_out() -> None:
    pawn = acedrex.load("chess").emblems["P"]
    assert pawn["fine"].count("z") == 1, "the step; a double step from the second rank is not always possible"


def test_the_geometric_piece_set_draws_emblems() -> None:
    board = acedrex.Board("maasai")
    drawing = svg.board(board, pieces="geometric")
    assert ET.fromstring(drawing).tag.endswith("svg")
    assert drawing.count("--emblem-") == drawing.count("<symbol") + len(board.piece_map())
    assert drawing.count("<symbol") == 40
    assert "acedrex-w--emblem-" in svg.piece_moves(board.game, "G", pieces="geometric")
    with pytest.raises(acedrex.Error, match="'art', 'geometric' or 'letters'"):
        svg.board(board, pieces="runes")


@pytest.mark.parametrize("color", [True, False])
def test_the_rim_is_in_the_other_colour(color: bool) -> None:
    symbol = ET.fromstring(art.emblem_symbol(acedrex.load("chess").emblems["Q"], color).symbol)
    fill, rim = (art.WHITE, art.BLACK) if color else (art.BLACK, art.WHITE)
    disc = symbol[0].attrib
    assert (disc["fill"], disc["stroke"]) == (fill, rim)


def test_browsers_receive_the_emblems() -> None:
    game = acedrex.load("magi")
    assert {kind["letter"]: kind["emblem"] for kind in plain.piece_types(game)} == game.emblems


def test_a_piece_gets_the_drawing_that_matches_its_name() -> None:
    game = tiny("K", X="Knight-Ferz", Y="Bent Hero", Z="Zeppelin", W="queen")
    arts = {kind.letter: kind.art for kind in game.pieces}
    assert arts == {"P": "guard", "K": "king", "X": "knight-ferz", "Y": "bent-hero", "Z": None, "W": "queen"}
    assert "acedrex-w-king" in svg.board(acedrex.Board(game))
    assert {kind["letter"]: kind["art"] for kind in plain.piece_types(game)} == arts


def test_a_drawing_named_in_the_definition_takes_precedence() -> None:
    text = BASE + '[pieces.X]\nname = "Lion"\nmove = "N"\nart = "horse"\n'
    game = acedrex.Game(text.replace("kxyzw/ppppp", "kx3/5").replace("PPPPP/KXYZW", "5/KX3"), "tiny.toml")
    assert game.piece("X").art == "horse"


def test_translated_pieces_keep_their_drawings() -> None:
    text = BASE.replace("kxyzw/ppppp", "k4/5").replace("PPPPP/KXYZW", "5/K4")
    french = '[pieces.K]\nname = "Roi"\n'
    game = acedrex.Game(text, "tiny.toml", translations={"fr": french}).localized("fr")
    assert (game.piece("K").name, game.piece("K").art) == ("Roi", "king")
