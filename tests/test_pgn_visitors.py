"""PGN visitors, exporters, and reading only the tags."""

from __future__ import annotations

import io
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from acedrex import Board, Error, Move, pgn
from tests.records import read, shape

TEXT = """\
[Event "Test"]
[White "Ana"]
[Annotator "Alfonso"]
[Result "1-0"]

{ Before. } 1. e4 $1 $10 { Best. } ({ Or } 1. d4 { so } d5 (1... Nf6 2. c4) 2. c4) 1... e5 2. Nf3 1-0

"""
TURNS = '[Variant "chieftain"]\n\n1. Ma5,Mp5 Ma8 (1... Mp8) 2. Mdd5, *\n'


class Told(pgn.BaseVisitor[list[str]]):
    """Records all calls."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def begin_game(self) -> None:
        self.told.append("<")

    def begin_headers(self) -> None:
        self.told.append("[")

    def visit_header(self, tagname: str, tagvalue: str) -> None:
        if tagvalue != "?":
            self.told.append(f"{tagname}={tagvalue}")

    def end_headers(self) -> Any:
        self.told.append("]")

    def visit_move(self, board: Board, move: Move) -> None:
        assert move in board.legal_moves
        self.told.append(board.san(move))

    def visit_board(self, board: Board) -> None:
        self.told.append(str(board.ply()))

    def visit_comment(self, comment: str) -> None:
        self.told.append(f"{{{comment}}}")

    def visit_nag(self, nag: int) -> None:
        self.told.append(f"${nag}")

    def begin_variation(self) -> Any:
        self.told.append("(")

    def end_variation(self) -> None:
        self.told.append(")")

    def visit_result(self, result: str) -> None:
        self.told.append(result)

    def end_game(self) -> None:
        self.told.append(">")

    def result(self) -> list[str]:
        return self.told


def told(text: str, visitor: type[Told] = Told) -> str:
    heard = pgn.read_game(io.StringIO(text), Visitor=visitor)
    assert heard is not None
    game = read(text)
    assert heard == game.accept(visitor())
    tags = heard.index("]")
    return " ".join(word for word in heard[tags:] if "=" not in word)


def test_visitors_are_called_in_the_order_of_the_pgn() -> None:
    assert told(TEXT) == (
        "] 0 {Before.} e4 1 $1 $10 {Best.} ( {Or} d4 1 {so} d5 2 ( Nf6 2 c4 3 ) c4 3 ) e5 2 Nf3 3 1-0 >"
    )
    heard = read(TEXT).accept(Told())
    assert heard[:2] == ["<", "["]
    assert {"Event=Test", "White=Ana", "Result=1-0", "Annotator=Alfonso"} <= set(heard)
    # Each move of a turn is visited, including its end; the board is visited when the turn is over.
    assert told(TURNS) == "] 0 Ma5 Mp5 end 3 Ma8 end 5 ( Mp8 end 5 ) Mdd5 6 * >"


def test_visitors_can_skip_parts_of_a_game() -> None:
    class NoVariations(Told):
        def begin_variation(self) -> Any:
            return pgn.SKIP

    class NoTurns(Told):
        def end_headers(self) -> Any:
            super().end_headers()
            return pgn.SKIP

    class Nothing(Told):
        def begin_game(self) -> Any:
            return pgn.SKIP

    assert told(TEXT, NoVariations) == "] 0 {Before.} e4 1 $1 $10 {Best.} e5 2 Nf3 3 1-0 >"
    assert told(TEXT, NoTurns) == "] >"
    assert read(TEXT).accept(Nothing()) == [">"]


def test_whole_turns_can_be_visited() -> None:
    class Turns(pgn.BaseVisitor[list[tuple[int, int, bool]]]):
        def __init__(self) -> None:
            self.turns: list[tuple[int, int, bool]] = []

        def visit_turn(self, board: Board, moves: Sequence[Move], unfinished: bool) -> None:
            self.turns.append((board.ply(), len(moves), unfinished))

        def result(self) -> list[tuple[int, int, bool]]:
            return self.turns

    assert read(TURNS).accept(Turns()) == [(0, 3, False), (3, 2, False), (3, 2, False), (5, 1, True)]


def test_part_of_a_record_can_be_visited() -> None:
    game = read(TEXT)
    d4 = game.variation(1)
    assert d4.accept(Told()) == ["{Or}", "d4", "1", "{so}", "d5", "2", "(", "Nf6", "2", "c4", "3", ")", "c4", "3"]
    rest = ["d5", "2", "(", "Nf6", "2", "c4", "3", ")", "c4", "3"]
    heard = d4.accept_subgame(Told())
    assert heard[heard.index("]") :] == ["]", "1", *rest, "1-0", ">"]
    assert {f"FEN={d4.board().fen()}", "SetUp=1"} < set(heard)
    assert game.end().accept_subgame(Told())[-4:] == ["]", "3", "1-0", ">"]
    assert game.accept_subgame(Told()) == game.accept(Told())
    assert d4.accept(pgn.StringExporter(headers=False)) == "{ Or } 1. d4 { so } 1... d5 (1... Nf6 2. c4) 2. c4"
    with pytest.raises(NotImplementedError):
        game.accept(pgn.BaseVisitor[int]())


def test_a_part_of_a_record_can_become_a_record() -> None:
    for text in ("1. e4 e5 2. Nf3 (2. d4 exd4) Nc6 3. Bb5 1-0", '[Variant "maasai"]\n\n1. e6 e8 2. d6 d8 *'):
        _, part, *_ = read(text).mainline()
        copy = part.accept_subgame(pgn.GameBuilder())
        assert copy.variant == part.board().game and copy.board().fen() == part.board().fen()
        assert copy.end().board().fen() == part.end().board().fen()
        assert copy.headers["Result"] == part.game().headers["Result"]
        assert str(read(str(copy))) == str(copy) and not read(str(copy)).errors


def test_errors_are_passed_to_the_visitor() -> None:
    wrong = "1. e4 e9 *"
    with pytest.raises(pgn.PgnError, match="line 1, column 7"):
        pgn.read_game(io.StringIO(wrong), Visitor=Told)

    class Lenient(Told):
        def handle_error(self, error: pgn.PgnError) -> None:
            self.told.append(f"!{error.column}")

    heard = pgn.read_game(io.StringIO(wrong), Visitor=Lenient)
    assert heard is not None
    assert (heard[0], heard[-4:]) == ("!7", ["e4", "1", "*", ">"])
    unknown = '[Variant "nowhere"]\n\n1. e4 *'
    with pytest.raises(Error, match="nowhere"):
        pgn.read_game(io.StringIO(unknown), Visitor=pgn.BoardBuilder)
    assert pgn.read_game(io.StringIO(""), Visitor=Told) is None
    lenient = pgn.read_game(io.StringIO(unknown), Visitor=Lenient)
    assert lenient is not None
    assert lenient[-3:] == ["]", "*", ">"]


@pytest.mark.parametrize("text", [TEXT, TURNS, '[Variant "magi"]\n[Options "scoring=four_points"]\n\n1. d5 *\n'])
def test_a_game_builder_rebuilds_the_same_record(text: str) -> None:
    game = read(text)
    for again in (pgn.read_game(io.StringIO(text), Visitor=pgn.GameBuilder), game.accept(pgn.GameBuilder())):
        assert isinstance(again, pgn.Game)
        assert again.export() == game.export()
        assert shape(again) == shape(game)
        assert again.variant == game.variant


def test_a_game_builder_collects_errors_and_can_skip_variations() -> None:
    class Main(pgn.GameBuilder):
        def begin_variation(self) -> Any:
            return pgn.SKIP

    game = pgn.read_game(io.StringIO(TEXT), Visitor=Main)
    assert game is not None
    assert game.export(headers=False) == "{ Before. } 1. e4 $1 $10 { Best. } 1... e5 2. Nf3 1-0"
    game = pgn.read_game(io.StringIO("1. e4 e9 *"), Visitor=pgn.GameBuilder)
    assert game is not None
    assert [error.column for error in game.errors] == [7]
    twice = pgn.read_game(io.StringIO("1. e4 { a } { b } ({ c } { d } 1. d4) *"), Visitor=pgn.GameBuilder)
    assert twice is not None
    assert (twice.variation(0).comment, twice.variation(1).starting_comment) == ("a\nb", "c\nd")


def test_exporters_write_the_same_text_as_export(tmp_path: Path) -> None:
    game = read(TEXT)
    for options in (
        {},
        {"headers": False},
        {"comments": False},
        {"variations": False},
        {"columns": 20},
        {"columns": None},
    ):
        text = game.export(**options)  # type: ignore[arg-type]
        assert game.accept(pgn.StringExporter(**options)) == text  # type: ignore[arg-type]
        with (tmp_path / "out.pgn").open("w", encoding="utf-8") as file:
            written = game.accept(pgn.FileExporter(file, **options))  # type: ignore[arg-type]
        assert (tmp_path / "out.pgn").read_text(encoding="utf-8") == text + "\n\n"
        assert written == len(text) + 2


def test_tags_can_be_read_without_the_moves() -> None:
    file = io.StringIO(TEXT + TURNS + '\n[White "Bo"]\n\n1. d4 nonsense (( 2. 1-0 e4 ) *\n\n[White "Cy"]\n\n*')
    found = []
    while (headers := pgn.read_headers(file)) is not None:
        found.append((headers["White"], headers.get("Variant", "chess"), headers["Result"]))
    assert found == [("Ana", "chess", "1-0"), ("?", "chieftain", "*"), ("Bo", "chess", "*"), ("Cy", "chess", "*")]
    assert pgn.read_headers(file) is None


def test_games_can_be_skipped() -> None:
    file = io.StringIO(TEXT + "\n" + TURNS)
    assert pgn.skip_game(file)
    game = pgn.read_game(file)
    assert game is not None
    assert (game.variant.id, game.errors, len([*game.mainline()])) == ("chieftain", [], 3)
    assert [pgn.skip_game(file), pgn.read_game(file)] == [False, None]
    reader = pgn.Reader(io.StringIO(TEXT + "\n" + TURNS))
    assert (reader.skip(), reader.read_headers() is not None, reader.skip()) == (True, True, False)
    for read_one in (pgn.read_headers, pgn.skip_game):
        with pytest.raises(TypeError, match="open file"):
            read_one("games.pgn")  # type: ignore[arg-type]
