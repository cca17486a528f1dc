"""Custom drawings in definitions: path data that strangers write and that is inserted into pages."""

from __future__ import annotations

import random
import re
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

import acedrex
from acedrex import Board, art, plain, svg

TEXT = """[game]
id = "own"
board = "4x4"
start = "k3/4/4/K2X"
[pieces.K]
move = "K"
royal = true
[pieces.X]
name = "Rook"
move = "R"
art = {art}
"""
DRAWN = "M10 90L50 10 90 90z | M40 60h20v20h-20z | M30 50 Q50 40 70 50"

#: Known attacks on pages that show strangers' pictures.
HOSTILE = [
    'M0 0"/><script>alert(1)</script>',
    "M0 0' onload='alert(1)",
    'M0 0" onload="alert(1)',
    "M0 0<animate attributeName='href' to='javascript:alert(1)'/>",
    "M0 0<use href='https://example.org/x.svg#a'/>",
    "M0 0<foreignObject><iframe src='javascript:alert(1)'/></foreignObject>",
    "M0 0;fill:url(https://example.org/x)",
    "M0 0<style>*{background:url(//example.org)}</style>",
    "M0 0&lol9;",
    "M0 0]]><!ENTITY x SYSTEM 'file:///etc/passwd'>",
    "M0 0 url(#x)",
    "M0 0 javascript:alert(1)",
    "M0 0\\u0000",
    "M0 0 \\u202e",
    "M0 0|M0 0|M0 0|M0 0",
    "M0 0 e5",
    "M0 0L1e999 0",
    "M0 0L1001 0",
    "M0 0L5",
    "M0 0A1 1 0 2 0 5 5",
    "M 0",
    "M0 0 " + "L1 1" * 3000,
]


def load(drawing: str, folder: Path) -> acedrex.Game:
    path = folder / "own.toml"
    path.write_text(TEXT.format(art=f'"{drawing}"'), encoding="utf-8")
    return acedrex.load(path)


def test_a_drawing_is_drawn_for_both_sides(tmp_path: Path) -> None:
    game = load(DRAWN, tmp_path)
    assert acedrex.check(tmp_path / "own.toml") == []
    assert game.piece("X").art == DRAWN == plain.piece_types(game)[1]["art"]
    drawing = svg.board(Board(game))
    root = ET.fromstring(drawing)
    (symbol,) = (one for one in root.iter("{http://www.w3.org/2000/svg}symbol") if "--own-" in one.attrib["id"])
    paths = [path.attrib["d"] for path in symbol.iter("{http://www.w3.org/2000/svg}path")]
    assert paths == ["M10 90L50 10 90 90z"] * 2 + ["M40 60h20v20h-20z", "M30 50 Q50 40 70 50"]
    assert art.symbol(DRAWN, True).id != art.symbol(DRAWN, False).id
    assert "--own-" not in svg.board(Board(game), pieces="letters")


def test_a_drawing_does_not_change_the_rules_hash(tmp_path: Path) -> None:
    assert load(DRAWN, tmp_path).rules_hash == load("lion", tmp_path).rules_hash


@pytest.mark.parametrize("drawing", HOSTILE)
def test_anything_but_path_data_is_refused(drawing: str, tmp_path: Path) -> None:
    with pytest.raises(acedrex.DefinitionError, match=r"pieces\.X\.art"):
        load(drawing.replace('"', '\\"'), tmp_path)


@pytest.mark.parametrize("drawing", HOSTILE)
def test_unchecked_drawings_are_rendered_safely(drawing: str) -> None:
    # `svg` accepts any object with the right attributes, including one that the core has not checked.
    symbol = art.symbol(drawing, True).symbol
    allowed = {"symbol", "g", "path", "circle", "text"}
    assert {tag.lower() for tag in re.findall(r"<(\w+)", symbol)} <= allowed
    assert not re.search(r"\bon\w+=|href|style|url\(|&(?!lt;|gt;|amp;)", re.sub(r">[^<]*<", "><", symbol))
    ET.fromstring(symbol)


def test_random_texts_are_refused_or_drawn_as_paths(tmp_path: Path) -> None:
    source = random.Random(20)
    right = ["L2 3", "h-5", "v.5", "z", "|M2 2", "q1 2 3 4", "c1 2 3 4 5 6", "a5 5 0 1 0 9 9", "t1,1", " M 3 3"]
    wrong = [*"<>\"'&;:/#%\\=()|-.", "e5", "N", "<x>", "url(#a)", "1001", "a1 1 0 2 0 1 1"]
    loaded = 0
    for _ in range(300):
        parts = source.choices(right, k=source.randrange(8))
        if source.random() < 0.5:
            parts.insert(source.randrange(len(parts) + 1), source.choice(wrong))
        drawing = "M1 1" + "".join(parts)
        try:
            game = load(drawing.replace("\\", "\\\\").replace('"', '\\"'), tmp_path)
        except acedrex.DefinitionError as error:
            assert "pieces.X.art" in str(error)
            continue
        loaded += 1
        assert game.piece("X").art == drawing
        assert art.is_own_drawing(drawing)
        root = ET.fromstring(art.symbol(drawing, False).symbol)
        assert {one.tag for one in root.iter()} <= {"symbol", "g", "path"}
    assert 50 < loaded < 250


def test_unknown_drawing_ids_are_reported(tmp_path: Path) -> None:
    load("Mouse", tmp_path)
    (fault,) = acedrex.check(tmp_path / "own.toml")
    assert "no drawing" in fault.message
