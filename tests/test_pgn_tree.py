"""The tree of a record: turns and comments that are added, moved and removed, and its tags."""

from __future__ import annotations

import copy
import io
import pickle
from collections.abc import Callable
from pathlib import Path

import pytest

import acedrex
from acedrex import Board, Error, IllegalMoveError, Move, limits, pgn
from tests.records import line


def test_variations_are_added_promoted_demoted_and_removed() -> None:
    game = pgn.Game("metamachy")
    knight = game.add_variation("Nd4")
    camel = game.add_variation(Move.from_uci("b1a4"))
    pawn = game.add_main_variation("a5", comment="main")
    assert game.variations == [pawn, knight, camel]
    assert [node.starts_variation() for node in game.variations] == [False, True, True]
    assert (pawn.is_mainline(), knight.is_mainline(), game.is_mainline()) == (True, False, True)
    game.promote(camel)
    assert game.variations == [pawn, camel, knight]
    game.demote("a5")
    assert game.variations == [camel, pawn, knight]
    game.demote(knight)
    game.promote(0)
    assert game.variations == [camel, pawn, knight]
    game.promote_to_main(2)
    assert game.variations == [knight, camel, pawn]
    game.remove_variation("Ma4")
    assert game.variations == [knight, pawn]
    assert game.has_variation("Nd4")
    assert not game.has_variation("Ma4")
    assert not game.has_variation(2)
    assert game.variation([Move.from_uci("a3a5")]) is pawn
    for wrong in (5, "Ma4", camel):
        with pytest.raises(KeyError):
            game.remove_variation(wrong)
    end = knight.add_line(["Nd9", "a5", "a8"], comment="end", starting_comment="unheard")
    assert (end.comment, end.board().fullmove_number, game.end()) == ("end", 3, end)
    assert (end.is_end(), game.is_end(), end.next(), game.next()) == (True, False, None, knight)
    assert end.game() is game
    assert line(game) == ["Nd4", "Nd9", "a5", "a8"]
    assert [move.uci() for move in game.mainline_moves()] == ["c2d4", "c11d9", "a3a5", "a10a8"]
    assert repr(knight) == "<ChildNode c2d4>"
    assert repr(game) == "<Game metamachy: ? - ?>"


def test_illegal_moves_cannot_be_added() -> None:
    game = pgn.Game()
    for wrong in ("Ke2", Move.from_uci("e1e2"), [Move.from_uci("e2e4"), Move.from_uci("e7e5")], [], "e4,e5"):
        with pytest.raises(IllegalMoveError):
            game.add_variation(wrong)
    with pytest.raises(IllegalMoveError):
        game.add_line(["e4", "e5", "Ke3"])
    assert game.variations == []


def test_a_record_can_be_set_up_before_its_first_move() -> None:
    game = pgn.Game("chieftain", bent=True)
    game.setup(Board("maasai", setup=3))
    assert game.variant.id == "maasai"
    assert "Options" not in game.headers
    game.add_variation("a5")
    with pytest.raises(Error):
        game.setup(Board())
    empty = Board()
    empty.clear()
    with pytest.raises(acedrex.InvalidFenError):
        pgn.Game().setup(empty)
    with pytest.raises(acedrex.InvalidFenError):
        pgn.Game.from_board(empty)


def test_tags_are_ordered_and_checked() -> None:
    headers = pgn.Game("magi").headers
    assert list(headers)[:7] == ["Event", "Site", "Date", "Round", "White", "Black", "Result"]
    headers["Annotator"] = "x"
    headers["White"] = "Ana"
    assert list(headers)[-1] == "Annotator"
    del headers["White"], headers["Annotator"]
    assert headers["White"] == "?"
    assert "Annotator" not in headers
    for name, value in [
        ("Result", "3-1"),
        ("A b", ""),
        ("", ""),
        ("A" * 65, ""),
        ("A", "x\ny"),
        ("A", "\0"),
        ("A", "\ud800"),
        ("A", "x" * 9000),
        ("Variant", "chess"),
        ("FEN", "x"),
    ]:
        with pytest.raises(Error):
            headers[name] = value
    with pytest.raises(Error):
        del headers["Variant"]
    with pytest.raises(KeyError):
        del headers["Nothing"]
    with pytest.raises(Error):
        headers.update({f"A{number}": "" for number in range(300)})


def test_invalid_comments_are_refused() -> None:
    node = pgn.Game().add_variation("e4", comment="a\r\nb\rc")
    assert node.comment == "a\nb\nc"
    for wrong in ("\0", "\x1b", "\ud800", "x" * (limits.MAX_COMMENT + 1)):
        with pytest.raises(Error):
            node.comment = wrong
        with pytest.raises(Error):
            node.starting_comment = wrong


def test_a_comment_before_a_main_turn_is_written() -> None:
    """It is distinct from the comment before it only where a variation starts."""
    game = pgn.Game()
    game.add_variation("e4", starting_comment="first").add_variation("e5", starting_comment="then")
    assert game.export(headers=False) == "{ first } 1. e4 { then } 1... e5 *"


def test_arguments_of_the_wrong_type_are_explained() -> None:
    game = pgn.Game()
    with pytest.raises(Error, match="tag 'WhiteElo': a value is text, not int"):
        game.headers["WhiteElo"] = 2500  # type: ignore[assignment]
    for name in ("x.pgn", Path("x.pgn")):
        with pytest.raises(TypeError, match="open file"):
            pgn.read_game(name)  # type: ignore[arg-type]


@pytest.mark.parametrize("turn", ["e5", "Qz9", "", Move(0, 0), []])
def test_an_impossible_turn_is_not_found(turn: pgn.tree.Turn) -> None:
    game = pgn.Game()
    game.add_variation("e4")
    assert not game.has_variation(turn)
    for look_up in (game.variation, game.remove_variation, game.promote, game.demote):
        with pytest.raises(KeyError):
            look_up(turn)


def test_a_copy_of_the_tags_is_independent() -> None:
    game = pgn.Game("magi")
    for copied in (game.headers.copy(), copy.copy(game.headers)):
        assert copied == game.headers
        copied["White"] = "Ana"
        assert game.headers["White"] == "?"


def test_part_of_a_record_can_be_written_to_a_file() -> None:
    game = pgn.Game()
    game.add_line(["e4", "e5", "Nf3"])
    file = io.StringIO()
    written = game.variations[0].variations[0].accept(pgn.FileExporter(file, headers=False))
    assert file.getvalue() == "1... e5 2. Nf3\n\n"
    assert written == len(file.getvalue())


@pytest.mark.parametrize("again", [copy.deepcopy, copy.copy, lambda record: pickle.loads(pickle.dumps(record))])
def test_a_long_record_can_be_copied_and_pickled(again: Callable[[pgn.Game], pgn.Game]) -> None:
    game = pgn.Game("magi", scoring="four_points")
    game.headers["White"], game.comment = "Ana", "A long one."
    end = game.add_line(200 * ["Nc3", "Nc8", "Nb1", "Nb10"], comment="At last.")
    end.parent.add_variation("b8", nags=[1]).starting_comment = "Or"
    copied = again(game)
    assert copied.export() == game.export()
    assert (copied.variant, copied.end().board()) == (game.variant, end.board())
    copied.end().comment = "Other"
    copied.remove_variation(0)
    assert (end.comment, len(game.variations)) == ("At last.", 1)


def test_a_turn_is_copied_and_pickled_with_its_record() -> None:
    game = pgn.Game()
    game.add_line(["e4", "e5"])
    node = game.add_variation("d4")
    for found in (copy.deepcopy(node), pickle.loads(pickle.dumps(node))):
        assert (found.uci(), found.game() is game, found.game().export()) == ("d2d4", False, game.export())
    record, first, second = pickle.loads(pickle.dumps((game, node, node)))
    assert record.variations[1] is first is second
    twin = copy.copy(node)
    twin.comment = "Mine"
    assert (twin.parent, node.comment) == (game, "")
