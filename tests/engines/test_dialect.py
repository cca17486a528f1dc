"""What other programs call our games, and programs that are spoken to in our words."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

import pytest

from acedrex import Board, load
from acedrex.engine import EngineError, Limit, UciEngine
from acedrex.engine.dialect import FAIRY_STOCKFISH, choose
from acedrex.engine.text import ProgramOption
from tests.engines.programs import LIMIT, Start

#: What programs list as `UCI_Variant`, and what else tells them apart.
FAIRY = ("VariantPath", "chess", "grand", "shako")


@pytest.mark.parametrize(
    ("program", "lists", "game", "variant"),
    [
        ("Fairy-Stockfish 14", FAIRY, "shako", "shako"),
        ("Fairy-Stockfish 14", ("chess", "shako"), "shako", "shako"),
        ("Fairy-Stockfish 14", (*FAIRY, "magi"), "magi:classic_ep=on", "magi"),
        ("Fairy-Stockfish 14", (*FAIRY, "maasai"), "maasai", "maasai"),
        ("Somebody's fork 3", (*FAIRY, "magi"), "magi:classic_ep=on", "magi"),
        ("Acedrex 1.0", ("magi",), "magi", "magi"),
        ("Acedrex 1.0", ("magi",), "magi:scoring=four_points", "magi:scoring=four_points"),
        ("Merlin 2", ("chess", "magi"), "magi", "magi"),
        ("Merlin 2", ("Chess", "MAGI"), "magi", "MAGI"),
        ("Merlin 2", ("magi", "magi:classic_ep=on"), "magi:classic_ep=on", "magi:classic_ep=on"),
        ("Stockfish 17", None, "chess", None),
    ],
)
def test_games_are_named_as_the_program_lists_them(
    program: str, lists: tuple[str, ...] | None, game: str, variant: str | None
) -> None:
    assert choose(load(game), program, listing(lists)).variant == variant


@pytest.mark.parametrize(
    ("program", "lists", "game", "message"),
    [
        ("Fairy-Stockfish 14", (*FAIRY, "magi"), "magi", 'does not play magi; it plays "magi:classic_ep=on"'),
        ("Fork", (*FAIRY, "magi"), "magi:classic_ep=on,scoring=four_points", 'it plays "magi:classic_ep=on"'),
        ("Fairy-Stockfish 14", FAIRY, "maasai", 'does not play maasai; it plays "chess, grand, shako"'),
        ("Merlin 2", ("chess", "magi"), "magi:classic_ep=on", 'it plays "chess, magi". If .* add variant=NAME'),
        ("Stockfish 17", None, "magi", "no option UCI_Variant, .* If it plays magi and nothing else, add variant=none"),
        ("Secretive", (), "magi", "does not play magi; it lists no games. If .* add variant=NAME"),
    ],
)
def test_games_that_a_program_does_not_play_are_refused(
    program: str, lists: tuple[str, ...] | None, game: str, message: str
) -> None:
    with pytest.raises(EngineError, match=message):
        choose(load(game), program, listing(lists))


def listing(lists: tuple[str, ...] | None) -> dict[str, ProgramOption]:
    """The options of a program."""
    if lists is None:
        return {}
    variants = tuple(name for name in lists if name != "VariantPath")
    options = [ProgramOption("UCI_Variant", "combo", "chess" if lists else "", variants)]
    options += [ProgramOption("VariantPath", "string", "", ())] * ("VariantPath" in lists)
    return {option.name: option for option in options}


def test_a_variant_that_is_named_is_set_whatever_is_listed() -> None:
    merlin = listing(("chess",))
    assert choose(load("magi"), "Merlin 2", merlin, "Magi Chess").variant == "Magi Chess"
    assert choose(load("magi"), "Merlin 2", merlin, "none").variant is None
    assert choose(load("magi"), "Merlin 2", {}, "none").variant is None
    with pytest.raises(EngineError, match="Merlin 2 has no option UCI_Variant to set to magi; write variant=none"):
        choose(load("magi"), "Merlin 2", {}, "magi")


def test_a_variant_unknown_to_the_program_is_refused(start: Start) -> None:
    engine = start()
    with pytest.raises(EngineError, match=r"Fake 1.0 does not play maasai"):
        engine.play(Board("maasai"), LIMIT)
    assert engine.plays(load("magi")) and not engine.plays(load("maasai"))


def test_rights_unknown_to_fairy_stockfish_are_left_out(start: Start, log: SimpleNamespace) -> None:
    start("fairy").play(Board("magi:classic_ep=on"), LIMIT)
    assert " w KQkq - 0 1" in log.lines()[-2]


@pytest.mark.parametrize(("mode", "name"), [("good", "magi"), ("capital", "Magi")])
def test_a_program_that_lists_our_game_is_spoken_to_in_our_words(
    start: Start, log: SimpleNamespace, mode: str, name: str
) -> None:
    assert start(mode).play(Board("magi"), LIMIT).move
    assert f"setoption name UCI_Variant value {name}" in log.lines()
    assert f"position fen {Board('magi').fen()}" in log.lines() and "DGdg" in Board("magi").fen()


def test_a_program_that_plays_one_game_needs_no_variant(start: Start, log: SimpleNamespace) -> None:
    with pytest.raises(EngineError, match="add variant=none"):
        start("single").play(Board("magi"), LIMIT)
    assert start("single", variant="none").play(Board("magi"), LIMIT).move
    assert not any("UCI_Variant" in line for line in log.lines())


def test_games_of_a_file_are_known_once_it_is_named(start: Start) -> None:
    assert start("file", options={"variantpath": "x.ini"}).plays(load("maasai"))
    engine = start("file")
    assert not engine.plays(load("maasai"))
    engine.set_option("VariantPath", "x.ini")
    assert engine.play(Board("maasai"), LIMIT).move


def test_a_program_is_asked_for_its_position(start: Start) -> None:
    board = Board("chess")
    for move in ("e4", "e5", "Nf3"):
        board.push_san(move)
    assert start("good").echo(board) is None
    shown = start("picky").echo(board)
    board.pop()
    assert shown == board.fen()


def test_fairy_stockfish_shows_an_older_position_after_an_illegal_move(witness: Callable[[str], str]) -> None:
    board = Board("shako")
    board.push(board.legal_moves[0])
    with UciEngine(witness("fairy-stockfish"), options={"Hash": 1}) as engine:
        assert engine.echo(board) == board.fen()
        engine._program.send(f"position fen {board.fen()} moves a1a9")
        engine._program.send("d")
        assert f"Fen: {board.fen()}" in engine._synchronize()


@pytest.mark.parametrize("game", sorted(FAIRY_STOCKFISH.keys() - {"magi:classic_ep=on"}))
def test_fairy_stockfish_plays(game: str, witness: Callable[[str], str]) -> None:
    board = Board(game)
    with UciEngine(witness("fairy-stockfish"), options={"Hash": 1}) as engine:
        for _ in range(12):
            result = engine.play(board, Limit(nodes=200))
            assert result.info is not None and result.info.pv[:1] == result.moves
            for move in result.moves:
                board.push(move)
        lines = engine.analyse(board, Limit(depth=3), multipv=3)
        assert [info.multipv for info in lines] == [1, 2, 3]
        with engine.stream(board) as analysis:
            assert next(iter(analysis)).pv
