"""PGN from elsewhere is read as far as it makes sense, and errors state their position."""

from __future__ import annotations

import io
import pickle

import pytest

import acedrex
from acedrex import limits, pgn
from acedrex.pgn import text
from tests.records import errors, line, read, read_all, shape

# Reading PGN from elsewhere.

FORMS = {
    "numbers": "1.e4 e5 2 . Nf3 2... Nc6 3.. Bb5 17. a6 4 Ba4",
    "numbers glued and odd": "1.e4 1...e5 2.Nf3 … Nc6 3…Bb5 a6 4.  Ba4",
    "no numbers": "e4 e5 Nf3 Nc6 Bb5 a6 Ba4",
    "coordinates": "1. e2e4 e7e5 2. g1f3 b8c6 3. f1b5 a7a6 4. b5a4",
    "comments": "1. e4 {a} e5 ; b } to the end\n2. Nf3{}Nc6(2... d6 {x}) 3. Bb5 {}{} a6 4. Ba4",
    "glyphs": "1. e4! e5 ?! 2. Nf3 $14 $0 Nc6?? 3. Bb5!? $255 a6!! 4. Ba4",
    "escapes": "1. e4 e5\n% this line is for nobody {\n2. Nf3 Nc6 3. Bb5 a6 4. Ba4",
    "variations": "1. e4 (1. d4 d5 (1... Nf6 2. c4) (1... f5)) (c4) e5 2. Nf3 () Nc6 ({x}) 3. Bb5 a6 4. Ba4 (4. O-O)",
    "line ends": "1. e4\re5\r\n2. Nf3\n\n\nNc6\t3. Bb5\va6\x004. Ba4",
    "results inside": "1. e4 (1. d4 1-0) e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4",
}


@pytest.mark.parametrize("ending", ["*", "", "\n1-0", "1/2", "½-½"])
@pytest.mark.parametrize("moves", FORMS.values(), ids=FORMS)
def test_every_common_form_of_movetext_is_read(moves: str, ending: str) -> None:
    game = read(f"{moves} {ending}")
    assert game.errors == []
    assert line(game) == ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4"]
    wanted = {"*": "*", "": "*", "\n1-0": "1-0"}
    assert game.headers["Result"] == wanted.get(ending, "1/2-1/2")
    again = read(str(game))
    assert shape(again) == shape(game)


def test_glyphs_and_en_passant_marks_are_read() -> None:
    game = read("1. e4! Nf6?! 2. e5 $10 $3 d5 3. exd6 e.p. !! Qxd6 ep *")
    assert game.errors == []
    assert [node.nags for node in game.mainline()] == [{1}, {6}, {3, 10}, set(), {3}, set()]


def test_the_mark_of_a_piece_symbol_is_not_read_as_a_glyph() -> None:
    fen = "16/4S!11/16/16/16/16/16/16/15k/16/16/16/16/16/16/K15 w - - 0 1"
    game = read(f'[Variant "menagerie"]\n[FEN "{fen}"]\n\n1. S!e16=V! (1. S!d14!) (1. S!d14=V!!?) *')
    assert game.errors == []
    assert [(node.uci(), node.nags) for node in game.variations] == [
        ("e15e16v!", set()),
        ("e15d14", {1}),
        ("e15d14v!", {5}),
    ]


def test_comments_are_attached_to_the_right_moves() -> None:
    game = read("{ a } {b\nc} ; d\n1. e4 {  e  } (1. d4 { f }) { g } ({h} {i} 1. c4) 1... e5 {\nj\n} {}; k } l\n*")
    assert game.comment == "a\nb c\nd"
    first, queen, english = game.variations
    assert (first.comment, queen.comment) == (" e \ng", "f")
    assert (english.starting_comment, english.comment) == ("h\ni", "")
    assert first.variations[0].comment == "j\n\nk } l"
    assert shape(read(str(game))) == shape(game)


def test_a_comment_without_a_turn_is_kept() -> None:
    game = read("1. e4 ({lost} 1. Qh9 {this too}) e5 *")
    assert errors(game) == [(1, 18)]
    assert game.variations[0].comment == "lost"


def test_tags_are_read_with_their_quotes_and_escapes() -> None:
    game = read(
        '[White "a \\"b\\" \\\\ c"]\n[Black "the "Best" one"]\n  [ Event  "e" ] [Site "s"]\n[Empty ""]\n'
        '[Date "x\ty\x07z"]\n\n*'
    )
    assert game.errors == [] or all("Date" in error.message for error in game.errors)
    assert (game.headers["White"], game.headers["Black"]) == ('a "b" \\ c', 'the "Best" one')
    assert (game.headers["Event"], game.headers["Site"], game.headers["Empty"]) == ("e", "s", "")


@pytest.mark.parametrize("tag", ["\tmaasai", "maasai\t", "\t Maasai\tChess "])
def test_blanks_around_the_variant_name_are_ignored(tag: str) -> None:
    """Tabs are blanks too, and the game is read by the rules of that variant."""
    game = read(f'[Variant "{tag}"]\n[Event "a\tb"]\n\n1. e4e6 *')
    assert (game.errors, game.variant.id, game.headers["Event"]) == ([], "maasai", "a b")
    assert game.headers["Variant"] == " ".join(tag.split())
    assert '[Variant "maasai"]' in str(read(str(game))) or '[Variant "Maasai Chess"]' in str(read(str(game)))


@pytest.mark.parametrize("tag", ["maa\tsai", "\\tmaasai", "no such game"])
def test_the_error_names_the_unknown_game(tag: str) -> None:
    game = read(f'[Variant "{tag}"]\n\n1. e4e6 *')
    name = tag.replace("\t", " ")
    [error] = game.errors
    assert error.message.startswith(f"there is no game {name!r}")
    assert error.message.endswith("; did you mean maasai?") == ("maa" in tag)
    with pytest.raises(acedrex.Error, match="the record is of an unknown game, ") as caught:
        _ = game.variant
    assert repr(name) in str(caught.value)


def test_invalid_tags_are_reported() -> None:
    game = read('[White "a]\n[Black]\n[Event "e"]\n[Event "f"]\n[Result "3-1"]\n[Date 2026]\n\n1. e4 1-0')
    assert errors(game) == [(1, 1), (2, 1), (4, 1), (5, 1), (6, 1)]
    assert (game.headers["Event"], game.headers["Result"]) == ("e", "1-0")
    assert line(game) == ["e4"]


def test_the_result_tag_overrides_the_result_in_the_movetext() -> None:
    assert read("1. e4 1-0").headers["Result"] == "1-0"
    assert read('[Result "0-1"]\n\n1. e4 *').headers["Result"] == "0-1"
    game = read('[Result "0-1"]\n\n1. e4 1-0')
    assert game.headers["Result"] == "0-1"
    assert errors(game) == [(3, 7)]


ENDS = {
    "results": "1. e4 * 1. d4 1-0 1. c4 0-1",
    "tags": '[Event "a"]\n1. e4\n[Event "b"]\n1. d4\n\n[White "c"]\n\n1. c4',
    "no moves": '[Event "a"]\n\n[Event "b"]\n\n[Event "c"]\n[White "x"]',
    "comments": '[Event "a"] {only this}\n\n[Event "b"]\n; and this\n[White "c"]\n\n[White "d"]\n',
    "an unclosed comment": '1. e4 {never closed\n\n[Event "b"]\n1. d4 *\n\n1. c4 *',
    "an unclosed variation": '1. e4 (1. d4 \n\n[Event "b"]\n1. d4 *\n\n1. c4 *',
    "errors": "1. e4 Ke3 {x 1-0} (* 1-0) e5 * 1. Zz9 1-0\n1. c4 *",
}


@pytest.mark.parametrize("source", ENDS.values(), ids=ENDS)
def test_the_end_of_each_game_is_recognized(source: str) -> None:
    assert len(read_all(source)) == 3


@pytest.mark.parametrize(
    "source", ["", "\n\n", "  \t", "\ufeff", "% nothing", b"\xef\xbb\xbf\r\n", "\ufeff\n% nothing\n"]
)
def test_input_without_tags_or_moves_contains_no_games(source: str | bytes) -> None:
    assert read_all(source) == []


def test_utf_8_and_latin_1_are_both_read() -> None:
    moves = '[White "José"]\n\n1. e4 {ñ} e5 *\n'
    latin, utf8 = moves.encode("latin-1"), moves.encode()
    games = read_all(b"\xef\xbb\xbf" + utf8 + latin + utf8)
    assert [game.headers["White"] for game in games] == ["José"] * 3
    assert [game.variations[0].comment for game in games] == ["ñ"] * 3
    marked = io.TextIOWrapper(io.BytesIO(latin), encoding="utf-8", errors="surrogateescape")
    game = pgn.read_game(marked)
    assert game is not None
    assert game.headers["White"] == "José"
    odd = read("1. e4 {\ud83d \x1b[31m} e5 *")
    assert odd.variations[0].comment == "\ufffd  [31m"


def test_each_line_is_decoded_separately() -> None:
    game = read(b'[White "\xe9"]\n[Black "\xc3\xa9"]\n\n*')
    assert (game.headers["White"], game.headers["Black"]) == ("é", "é")


SIZES = pytest.mark.parametrize("size", [text.CHUNK - 7, text.CHUNK - 6, text.CHUNK, text.CHUNK + 1, 2 * text.CHUNK])


@SIZES
@pytest.mark.parametrize("filler", ["x ", "é", "日本 ", "xyz"])
def test_long_comments_are_read_completely(size: int, filler: str) -> None:
    """However long a line is, no token is lost, and columns are right."""
    comment = (filler * size)[: min(size, limits.MAX_COMMENT)].strip()
    source = f"1. e4 {{{comment}}} e5 2. Nf3 Qz1 *"
    for game in (read(source), read(source.encode())):
        assert game.variations[0].comment == comment
        assert errors(game) == [(1, source.index("Qz1") + 1)]
        assert sum(1 for _ in game.mainline()) == 3


@SIZES
def test_long_lines_of_moves_are_read_completely(size: int) -> None:
    source = f"1. e4 {{é}} e5 2. Nf3 {'Nf6 Ng1 Ng8 Nf3 ' * (size // 16)}Qz1 *"
    for game in (read(source), read(source.encode())):
        assert errors(game) == [(1, source.index("Qz1") + 1)]
        assert sum(1 for _ in game.mainline()) == 3 + size // 16 * 4


# Errors.


def test_errors_state_their_line_and_column() -> None:
    first, second = read_all(
        '[Event "a"]\n\n1. e4 e5\n2. Nf3 (2. Qh9 Nc6 {x} (2... d6) 3. d4) 2... Nf6 3. Ke5 d6 (3... d5) 1-0\n\n'
        "1. d4 Qh9 *"
    )
    assert [str(error) for error in first.errors] == [
        'line 4, column 12: "Qh9" is not a move in SAN or coordinates',
        "line 4, column 53: Ke5 is not legal here: the King on e1 cannot go to e5",
    ]
    assert first.export(headers=False) == "1. e4 e5 2. Nf3 Nf6 1-0"
    assert errors(second) == [(6, 7)]
    assert line(second) == ["d4"]


WRONG = {
    "a glyph": ("1. e4 $256 e5 $ *", [7, 15], ["e4", "e5"]),
    "a glyph before": ("$1 1. e4 *", [1], ["e4"]),
    "nothing to replace": ("(1. d4) 1. e4 ((1. c4) 1. d4) *", [1, 16], ["e4"]),
    "nothing to close": ("1. e4 ) e5 *", [7], ["e4", "e5"]),
    "not closed": ("1. e4 (1. d4 (1. c4", [18], ["e4"]),
    "a stray brace": ("1. e4 } e5 ] *", [7, 12], ["e4", "e5"]),
    "a bracket": ("1. e4 [%clk 1:00] e5 *", [7], ["e4", "e5"]),
    "nonsense": ("1. e4 <x> e5 *", [7], ["e4"]),
    "an illegal move": ("1. e4 Nf3 2. Nc3 (2. d4) e5 *", [7], ["e4"]),
    "a long turn": (f"1. e4 {'e5' * 400} 2. d4 *", [7], ["e4"]),
}


@pytest.mark.parametrize(("source", "columns", "sans"), WRONG.values(), ids=WRONG)
def test_errors_are_reported_and_the_next_game_is_read(source: str, columns: list[int], sans: list[str]) -> None:
    game, following = read_all(source + '\n[Event "next"]\n\n1. d4 *')
    assert errors(game) == [(1, column) for column in columns]
    assert line(game) == sans
    assert all(error.message.isprintable() and len(error.message) < 200 for error in game.errors)
    assert (following.errors, line(following)) == ([], ["d4"])


def test_a_pgn_error_is_a_value_error_and_can_be_pickled() -> None:
    error = pickle.loads(pickle.dumps(pgn.PgnError(1, 2, "so")))
    assert isinstance(error, ValueError)
    assert (error.line, error.column, error.message, str(error)) == (1, 2, "so", "line 1, column 2: so")
