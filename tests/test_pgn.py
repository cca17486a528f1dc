"""PGN: what is written reads back the same, and what anybody wrote is read as far as it makes sense."""

from __future__ import annotations

import gc
import io
import itertools
import pickle
import random
import time
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import acedrex
from acedrex import Board, Error, IllegalMoveError, Move, pgn
from acedrex.pgn import lexer, text
from tests.growth import growth, shuffled

SIXES = """\
[game]
id = "sixes"
name = "Sixes"
author = "A test"
board = "6x6"
start = "rnqknr/pppppp/6/6/PPPPPP/RNQKNR w - - 0 1"
[pieces.K]
name = "King"
move = "K"
royal = true
[pieces.Q]
name = "Queen"
move = "Q"
[pieces.R]
name = "Rook"
move = "R"
[pieces.N]
name = "Knight"
move = "N"
[pieces.P]
name = "Pawn"
move = "fmWfcF"
promotes_to = "Q"
[options.slow]
help = "Queens go three squares."
default = "off"
values = ["off", "on"]
on.pieces.Q.move = "Q3"
"""


def read(source: str | bytes, games: pgn.Games | None = None) -> pgn.Game:
    game = pgn.read_game(io.BytesIO(source) if isinstance(source, bytes) else io.StringIO(source), games=games)
    assert game is not None
    return game


def read_all(source: str | bytes) -> list[pgn.Game]:
    return list(pgn.Reader(io.BytesIO(source) if isinstance(source, bytes) else io.StringIO(source)))


def line(node: pgn.GameNode) -> list[str]:
    return [child.san() for child in node.mainline()]


def errors(game: pgn.Game) -> list[tuple[int, int]]:
    return [(error.line, error.column) for error in game.errors]


def shape(game: pgn.Game) -> list[tuple[int, str, bool, list[int], str, str]]:
    """All that a tree holds: its nodes in order, each with its depth."""
    found = [(0, "", False, list[int](), "", game.comment)]
    waiting = [(1, node) for node in reversed(game.variations)]
    while waiting:
        depth, node = waiting.pop()
        found.append((depth, node.uci(), node.unfinished, sorted(node.nags), node.starting_comment, node.comment))
        waiting += [(depth + 1, child) for child in reversed(node.variations)]
    return found


def assert_same(game: pgn.Game, other: pgn.Game) -> None:
    assert other.errors == []
    assert list(other.headers.items()) == list(game.headers.items())
    assert shape(other) == shape(game)
    assert other.variant == game.variant
    assert other.board() == game.board()
    assert other.export() == game.export()


# Round trips.

SPECS = [*acedrex.games(), "chieftain:bent=on,pass=on", "magi:scoring=four_points", "marseillais:balanced=on"]
WORDS = ["}", "{", "};", ";", "%x", '[Event "x"]', "(", ")", "$1", "  ", "\n", "\n\n", "\t", "1-0", "é", "\\", '"', "]"]
WORDS += ["1. e4", "日本", "\u2028", "\xa0", "*", "e.p.", " ", "word " * 30]
comments = st.one_of(
    st.just(""),
    st.text(st.characters(blacklist_categories=["Cc", "Cs"], whitelist_characters="\n\t"), max_size=60),
    st.lists(st.sampled_from(WORDS), max_size=8).map("".join),
)


def random_turn(board: Board, chance: random.Random) -> list[Move]:
    """A legal turn, now and then an unfinished one; the board stays as it is."""
    made: list[Move] = []
    color = board.turn
    while board.turn == color and board.legal_moves and (not made or chance.random() > 0.03):
        made.append(chance.choice(list(board.legal_moves)))
        board.push(made[-1])
    for _ in made:
        board.pop()
    return made


@st.composite
def records(draw: st.DrawFn) -> pgn.Game:
    """A record of any game, from any start, with whatever may stand in one."""
    variant = acedrex.load(draw(st.sampled_from(SPECS)))
    chance = random.Random(draw(st.integers(0, 2**32)))
    texts = itertools.cycle(draw(st.lists(comments, min_size=1, max_size=12)))
    game = pgn.Game(variant)
    if variant.setups and chance.random() < 0.3:
        game.setup(Board(variant, setup=chance.choice(variant.setups)))
    elif chance.random() < 0.4:
        game.setup(Board(variant, Board(variant).playout(chance.getrandbits(30), chance.randint(1, 300)).fen))
    for name in ("White", "Site", "Annotator"):
        game.headers[name] = next(texts).replace("\n", "").replace("\t", "")
    game.headers["Result"] = chance.choice(["1-0", "0-1", "1/2-1/2", "*"])
    game.comment = next(texts)
    nodes: list[pgn.GameNode] = [game]
    for _ in range(draw(st.integers(0, 30))):
        node = nodes[-1] if chance.random() < 0.8 else chance.choice(nodes)
        turn = random_turn(node.board(), chance)
        if not turn or (isinstance(node, pgn.ChildNode) and node.unfinished):
            continue
        nags = chance.sample(range(256), chance.choice([0, 0, 1, 2]))
        child = node.add_variation(turn, comment=next(texts), nags=nags)
        if child.starts_variation():
            child.starting_comment = next(texts)
        nodes.append(child)
    return game


@settings(max_examples=120, deadline=None)
@given(records())
def test_round_trip(game: pgn.Game) -> None:
    written = game.export()
    assert_same(game, read(written))
    assert_same(game, read(written.replace("\n", "\r\n").encode()))
    assert_same(game, read(game.export(columns=None)))
    assert all(len(row) <= 80 for row in wrapped(written))
    twice = read_all(f"{written}\n\n{written}")
    assert [shape(other) for other in twice] == [shape(game)] * 2


def wrapped(written: str) -> Iterator[str]:
    """The lines of a record that are bound to its width: no tags, no comments to the end of the line, no long words."""
    rows = iter(written.splitlines(keepends=False) if "\u2028" not in written else written.split("\n"))
    for row in itertools.dropwhile(bool, rows):
        if ";" not in row and max(map(len, row.split(" ")), default=0) < 30 and "  " not in row and row.isascii():
            yield row


@pytest.mark.parametrize("spec", SPECS)
def test_whole_games(spec: str) -> None:
    """A game played to its end, or far, reads back with its outcome."""
    chance = random.Random(7)
    board = Board(spec)
    while board.outcome() is None and board.ply() < 600:
        board.push(chance.choice(list(board.legal_moves)))
    game = pgn.Game.from_board(board)
    assert list(game.mainline_moves()) == board.move_stack
    assert game.end().board() == board
    assert game.headers["Result"] == board.result()
    assert_same(game, read(str(game)))
    assert read(str(game)).end().board().move_stack == board.move_stack


def test_deep_variations() -> None:
    game = pgn.Game()
    node: pgn.GameNode = game
    for number in range(text.MAX_DEPTH):
        node.add_variation(["h3", "h6"][number % 2])
        node = node.add_variation(["Nc3", "Nc6", "Nb1", "Nb8"][number % 4])
    node.add_variation("e3" if node.board().turn else "e6")
    assert_same(game, read(str(game)))
    with pytest.raises(Error, match="inside one another"):
        node.add_variation("d3" if node.board().turn else "d6")
    deeper = read("1. e4 " + "(1. d4 " * (text.MAX_DEPTH + 5) + ")" * (text.MAX_DEPTH + 5) + " e5 *")
    assert [error.message for error in deeper.errors] == [
        "more than 100 variations inside one another; this one is left out"
    ]
    assert line(deeper) == ["e4", "e5"]
    assert len(deeper.variations) == text.MAX_DEPTH + 1


def test_long_line() -> None:
    """Nothing recurses: neither along a line nor into variations."""
    board = Board()
    for _ in range(700):
        for san in ("Nf3", "Nf6", "Ng1", "Ng8"):
            board.push_san(san)
    game = pgn.Game.from_board(board)
    assert_same(game, read(str(game)))


# Writing.


def test_export() -> None:
    game = pgn.Game("metamachy")
    game.headers["White"] = 'Ana "the \\Lion"'
    game.headers["Annotator"] = "Alfonso"
    game.comment = "Before."
    node = game.add_variation("Nd4", nags=[2, 1])
    node.add_variation("Nd9", comment="Two\nlines { so.").add_variation("a5")
    other = node.add_variation("Ni9", starting_comment="Or", comment="a } brace")
    other.add_variation("a4")
    assert str(game) == (
        '[Event "?"]\n[Site "?"]\n[Date "????.??.??"]\n[Round "?"]\n[White "Ana \\"the \\\\Lion\\""]\n[Black "?"]\n'
        f'[Result "*"]\n[Variant "metamachy"]\n[Arrangement "QKLG"]\n[RulesHash "{game.variant.rules_hash}"]\n'
        '[Annotator "Alfonso"]\n\n'
        "{ Before. } 1. Nd4 $1 $2 Nd9 { Two } { lines { so. } ({ Or } 1... Ni9\n; a } brace\n2. a4) 2. a5 *"
    )
    assert game.export(headers=False, comments=False) == "1. Nd4 Nd9 (1... Ni9 2. a4) 2. a5 *"
    assert game.export(headers=False, comments=False, variations=False) == "1. Nd4 Nd9 2. a5 *"
    assert_same(game, read(str(game)))


def test_write() -> None:
    file = io.StringIO()
    for _ in range(2):
        pgn.Game("magi").write(file)
    assert file.getvalue().endswith("\n\n")
    assert [game.variant.id for game in read_all(file.getvalue())] == ["magi", "magi"]


def test_columns() -> None:
    game = pgn.Game()
    game.add_line(["Nf3", "Nf6", "Ng1", "Ng8"] * 20, comment="so " * 40 + "[%clk 1] %x")
    rows = game.export(headers=False, columns=40).split("\n")
    assert all(30 < len(row) <= 40 for row in rows[:-1])
    assert not any(row.startswith(("%", "[")) for row in rows)
    assert len(game.export(headers=False, columns=None).split("\n")) == 1


def test_score_and_result() -> None:
    fen = "10/10/10/4k5/10/6N3/10/10/4K5/10 w - - 0 61"
    board = Board("magi", fen, scoring="four_points")
    board.push_turn("claim")
    game = pgn.Game.from_board(board)
    assert game.headers["Options"] == "scoring=four_points"
    assert (game.headers["Result"], game.headers["Score"]) == ("1-0", "3-1")
    assert (game.headers["SetUp"], game.headers["FEN"]) == ("1", fen)
    assert "Score" not in pgn.Game.from_board(Board("magi")).headers
    assert read(str(game)).variant.chosen_options == {"scoring": "four_points"}


# Turns of several plies.


def test_play_on_is_one_turn() -> None:
    game = pgn.Game("magi", scoring="four_points")
    game.setup(Board(game.variant, "10/10/10/4k5/10/6N3/10/10/4K5/10 w - - 0 61"))
    node = game.add_variation("playon,Nf7")
    assert [move.uci() for move in node.moves] == ["playon", "g5f7"]
    assert node.move.word == "playon"
    game.add_variation("claim")
    assert game.export(headers=False) == "61. playon,Nf7 (61. claim) *"
    assert_same(game, read(str(game)))


def test_pass() -> None:
    board = Board("chieftain", **{"pass": True})
    board.push_turn("pass")
    board.push_turn("pass")
    game = pgn.Game.from_board(board)
    assert game.export(headers=False) == "1. pass pass 1/2-1/2"
    assert read('[Variant "chieftain"]\n[Options "pass"]\n\n1. -- {why} Pass *').end().board() == board


def test_unfinished_turn() -> None:
    board = Board("chieftain")
    board.push_turn("Ma5,Mp5")
    board.push_uci("a9a8")
    game = pgn.Game.from_board(board)
    assert game.export(headers=False) == "1. Ma5,Mp5 Ma8, *"
    back = read(str(game))
    end = back.end()
    assert isinstance(end, pgn.ChildNode)
    assert end.unfinished
    assert end.board() == board
    assert end.board().fen() == board.fen()
    with pytest.raises(Error, match="unfinished"):
        end.add_variation("Mp8")
    end.add_ply("Mp8")
    assert (end.unfinished, end.san()) == (True, "Ma8,Mp8")
    end.add_ply(Move.from_uci("end"))
    assert (end.unfinished, end.san(), end.uci()) == (False, "Ma8,Mp8", "a9a8,p9p8,end")
    with pytest.raises(Error, match="whole"):
        end.add_ply("Me8")


@pytest.mark.parametrize(
    ("moves", "plies"),
    [
        ("1. Ma5, *", "a4a5,"),
        ("1. Ma5 *", "a4a5,end"),
        ("1. Ma5,end *", "a4a5,end"),
        ("1. Ma5, Mp5 *", "a4a5,p4p5,end"),
        ("1. Ma5,\nMp5, *", "a4a5,p4p5,"),
        ("1. Ma5,Mp5,Mee5,Mll5, *", "a4a5,p4p5,e4e5,l4l5"),
        ("1. Ma5, {so far} *", "a4a5,"),
        ("1. Ma5, (1. Nc4, ) *", "a4a5,"),
        ("1. Ma5!,Mp5? *", "a4a5,p4p5,end"),
    ],
)
def test_commas(moves: str, plies: str) -> None:
    game = read(f'[Variant "chieftain"]\n\n{moves}')
    assert game.errors == []
    node = game.variations[0]
    assert node.uci() + "," * node.unfinished == plies
    if "!" in moves:
        assert node.nags == {1, 2}


def test_nothing_follows_an_unfinished_turn() -> None:
    game = read('[Variant "chieftain"]\n\n1. Ma5, {here} 1... Ma8 2. Mp5 *')
    assert errors(game) == [(3, 21)]
    assert game.export(headers=False) == "1. Ma5, { here } *"


def test_start_inside_a_turn() -> None:
    board = Board("chieftain")
    board.push_uci("a4a5")
    game = pgn.Game()
    game.setup(board)
    node = game.add_variation("end")
    game.add_variation("Mp5").add_variation("Ma8")
    assert game.headers["FEN"].endswith(" a4a5")
    assert [move.uci() for move in node.moves] == ["end"]
    assert game.export(headers=False) == "1. end (1. Mp5 Ma8) *"
    assert_same(game, read(str(game)))


def test_turns_of_two_moves() -> None:
    game = read('[Variant "marseillais"]\n\n1. e4,e5 d6,dxe5 2. d4, *')
    assert game.errors == []
    assert line(game) == ["e4,e5", "d6,dxe5", "d4"]
    assert errors(read('[Variant "marseillais"]\n\n1. e4 e5 *')) == [(3, 4)]


# Games and starts.


def test_arrangement() -> None:
    board = Board("maasai", setup="DFOU-GKLQ")
    game = pgn.Game.from_board(board)
    assert game.headers["Arrangement"] == "DFOU-GKLQ"
    assert game.headers["FEN"] == board.fen()
    del_fen = "\n".join(row for row in str(game).split("\n") if not row.startswith(("[FEN", "[SetUp")))
    assert read(del_fen).board() == board
    other = read(f'[Variant "maasai"]\n[Arrangement "UFDO-QKGL"]\n[FEN "{board.fen()}"]\n*')
    assert other.board() == board
    assert errors(other) == [(2, 1)]


@pytest.mark.parametrize("name", ["metamachy", "Metamachy", "METAMACHY", " metamachy "])
def test_variant_names(name: str) -> None:
    assert read(f'[Variant "{name}"]\n\n1. Nd4 *').variant.id == "metamachy"


@pytest.mark.parametrize("tags", ["", '[Variant "Standard"]', '[Variant "chess"]', '[Variant "From Position"]'])
def test_plain_chess(tags: str) -> None:
    game = read(f'{tags}\n[Event "x"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0')
    assert game.errors == []
    assert game.variant.id == "chess"
    assert line(game)[-1] == "a6"


@pytest.mark.parametrize(
    "name", ["nonsense", "/etc/passwd", "x.toml", "../games/magi.toml", "magi:scoring=four_points"]
)
def test_unknown_game(name: str) -> None:
    """No name is a path; what was played cannot be read, the tags and the next game can."""
    game, following = read_all(f'[Event "a"]\n[Variant "{name}"]\n\n1. e4 {{so}} (1. d4) e5 1-0\n\n1. d4 *')
    assert errors(game) == [(2, 1)]
    assert (game.headers["Variant"], game.headers["Result"], game.variations) == (name, "1-0", [])
    for ask in (game.board, game.start, lambda: game.variant, lambda: game.add_variation("e4")):
        with pytest.raises(Error):
            ask()
    assert f'[Variant "{name}"]' in str(game)
    assert line(following) == ["d4"]


def test_unknown_options_and_starts() -> None:
    game = read('[Variant "magi"]\n[Options "scoring=four_points,flying,scoring2=1"]\n\n1. d5 *')
    assert game.variant.chosen_options == {"scoring": "four_points"}
    assert errors(game) == [(2, 1), (2, 1)]
    assert line(game) == ["d5"]
    game = read('[Variant "magi"]\n[SetUp "1"]\n[FEN "8/8 w - - 0 1"]\n\n1. d5 *')
    assert errors(game) == [(3, 1)]
    assert game.variations == []
    assert errors(read('[Variant "maasai"]\n[Arrangement "ABC"]\n\n1. d5 *')) == [(2, 1)]
    assert errors(read(f'[FEN "{"8" * 9000}"]\n\n1. e4 *'))[0] == (1, 1)


def test_rules_hash() -> None:
    game = read('[Variant "magi"]\n[RulesHash "0123456789abcdef"]\n\n1. d5 *')
    assert errors(game) == [(2, 1)]
    assert "0123456789abcdef" in game.errors[0].message
    assert line(game) == ["d5"]
    assert game.headers["RulesHash"] == "0123456789abcdef"
    assert '[RulesHash "0123456789abcdef"]' in str(game)


def test_definition_files() -> None:
    sixes = acedrex.Game(SIXES, "sixes.toml", {"slow": True})
    board = Board(sixes)
    board.push_san("a3")
    written = str(pgn.Game.from_board(board))
    plain = acedrex.Game(SIXES, "sixes.toml")
    assert errors(read(written)) == [(8, 1)]
    for games in ({"sixes": plain}, {"sixes": sixes}, lambda name: plain if name == "sixes" else None):
        game = read(written, games)
        assert game.errors == []
        assert game.variant == sixes
        assert game.end().board() == board
    without = written.replace('[Options "slow=on"]\n', "").replace(sixes.rules_hash, plain.rules_hash)
    assert read(without, {"sixes": sixes}).variant == plain

    def loader(name: str) -> acedrex.Game:
        raise Error(f"no {name}")

    assert read('[Variant "magi"]\n\n1. d5 *', loader).variant.id == "magi"
    asked: list[str] = []
    read('[Variant "../secret"]\n\n1. d5 *', lambda name: asked.append(name))
    assert asked == []


# Reading what others write.

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
def test_forms(moves: str, ending: str) -> None:
    game = read(f"{moves} {ending}")
    assert game.errors == []
    assert line(game) == ["e4", "e5", "Nf3", "Nc6", "Bb5", "a6", "Ba4"]
    wanted = {"*": "*", "": "*", "\n1-0": "1-0"}
    assert game.headers["Result"] == wanted.get(ending, "1/2-1/2")
    again = read(str(game))
    assert shape(again) == shape(game)


def test_glyphs_and_en_passant() -> None:
    game = read("1. e4! Nf6?! 2. e5 $10 $3 d5 3. exd6 e.p. !! Qxd6 ep *")
    assert game.errors == []
    assert [node.nags for node in game.mainline()] == [{1}, {6}, {3, 10}, set(), {3}, set()]


def test_mark_of_a_promotion_is_no_glyph() -> None:
    fen = "16/4S!11/16/16/16/16/16/16/15k/16/16/16/16/16/16/K15 w - - 0 1"
    game = read(f'[Variant "menagerie"]\n[FEN "{fen}"]\n\n1. S!e16=V! (1. S!d14!) (1. S!d14=V!!?) *')
    assert game.errors == []
    assert [(node.uci(), node.nags) for node in game.variations] == [
        ("e15e16v!", set()),
        ("e15d14", {1}),
        ("e15d14v!", {5}),
    ]


def test_comments() -> None:
    game = read("{ a } {b\nc} ; d\n1. e4 {  e  } (1. d4 { f }) { g } ({h} {i} 1. c4) 1... e5 {\nj\n} {}; k } l\n*")
    assert game.comment == "a\nb c\nd"
    first, queen, english = game.variations
    assert (first.comment, queen.comment) == (" e \ng", "f")
    assert (english.starting_comment, english.comment) == ("h\ni", "")
    assert first.variations[0].comment == "j\n\nk } l"
    assert shape(read(str(game))) == shape(game)


def test_comment_without_a_turn_is_kept() -> None:
    game = read("1. e4 ({lost} 1. Qh9 {this too}) e5 *")
    assert errors(game) == [(1, 18)]
    assert game.variations[0].comment == "lost"


def test_tags() -> None:
    game = read(
        '[White "a \\"b\\" \\\\ c"]\n[Black "the "Best" one"]\n  [ Event  "e" ] [Site "s"]\n[Empty ""]\n'
        '[Date "x\ty\x07z"]\n\n*'
    )
    assert game.errors == [] or all("Date" in error.message for error in game.errors)
    assert (game.headers["White"], game.headers["Black"]) == ('a "b" \\ c', 'the "Best" one')
    assert (game.headers["Event"], game.headers["Site"], game.headers["Empty"]) == ("e", "s", "")


def test_bad_tags() -> None:
    game = read('[White "a]\n[Black]\n[Event "e"]\n[Event "f"]\n[Result "3-1"]\n[Date 2026]\n\n1. e4 1-0')
    assert errors(game) == [(1, 1), (2, 1), (4, 1), (5, 1), (6, 1)]
    assert (game.headers["Event"], game.headers["Result"]) == ("e", "1-0")
    assert line(game) == ["e4"]


def test_results() -> None:
    assert read("1. e4 1-0").headers["Result"] == "1-0"
    assert read('[Result "0-1"]\n\n1. e4 *').headers["Result"] == "0-1"
    game = read('[Result "0-1"]\n\n1. e4 1-0')
    assert game.headers["Result"] == "0-1"
    assert errors(game) == [(3, 7)]


ENDS = {
    "results": "1. e4 * 1. d4 1-0 1. c4 0-1",
    "tags": '[Event "a"]\n1. e4\n[Event "b"]\n1. d4\n\n[White "c"]\n\n1. c4',
    "no moves": '[Event "a"]\n\n[Event "b"]\n\n[Event "c"]\n[White "x"]',
    "comments": '[Event "a"] {only this}\n\n[Event "b"]\n; and this\n[White "c"]\n',
    "an unclosed comment": '1. e4 {never closed\n\n[Event "b"]\n1. d4 *\n\n1. c4 *',
    "an unclosed variation": '1. e4 (1. d4 \n\n[Event "b"]\n1. d4 *\n\n1. c4 *',
    "errors": "1. e4 Ke3 {x 1-0} (* 1-0) e5 * 1. Zz9 1-0\n1. c4 *",
}


@pytest.mark.parametrize("source", ENDS.values(), ids=ENDS)
def test_where_games_end(source: str) -> None:
    assert len(read_all(source)) == 3


@pytest.mark.parametrize(
    "source", ["", "\n\n", "  \t", "\ufeff", "; nothing\n", "% nothing", "{ nothing }", b"\xef\xbb\xbf\r\n"]
)
def test_nothing(source: str | bytes) -> None:
    assert read_all(source) == []


def test_encodings() -> None:
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


def test_latin_1_is_kept_to_its_lines() -> None:
    game = read(b'[White "\xe9"]\n[Black "\xc3\xa9"]\n\n*')
    assert (game.headers["White"], game.headers["Black"]) == ("é", "é")


@pytest.mark.parametrize("size", [lexer.CHUNK - 3, lexer.CHUNK, lexer.CHUNK + 1, 2 * lexer.CHUNK])
@pytest.mark.parametrize("filler", ["x ", "é", "日本 ", "xyz"])
def test_long_lines(size: int, filler: str) -> None:
    """However long a line is, no token is lost, nor are columns."""
    comment = (filler * size)[: min(size, text.MAX_COMMENT)].strip()
    source = f"1. e4 {{{comment}}} e5 2. Nf3 {'Nf6 Ng1 Ng8 Nf3 ' * (size // 16)}Qz1 *"
    for game in (read(source), read(source.encode())):
        assert game.variations[0].comment == comment
        assert errors(game) == [(1, source.index("Qz1") + 1)]
        assert sum(1 for _ in game.mainline()) == 3 + size // 16 * 4


# Errors.


def test_errors_name_their_place() -> None:
    first, second = read_all(
        '[Event "a"]\n\n1. e4 e5\n2. Nf3 (2. Qh9 Nc6 {x} (2... d6) 3. d4) 2... Nf6 3. Ke5 d6 (3... d5) 1-0\n\n'
        "1. d4 Qh9 *"
    )
    assert [str(error) for error in first.errors] == [
        'line 4, column 12: "Qh9" is no move in SAN or coordinates',
        "line 4, column 53: Ke5 is not legal here: the King on e1 cannot go to e5",
    ]
    assert first.export(headers=False) == "1. e4 e5 2. Nf3 Nf6 1-0"
    assert errors(second) == [(6, 7)]
    assert line(second) == ["d4"]


WRONG = {
    "a glyph": ("1. e4 $256 e5 $ !!! *", [7, 15, 17], ["e4", "e5"]),
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
def test_errors(source: str, columns: list[int], sans: list[str]) -> None:
    game, following = read_all(source + '\n[Event "next"]\n\n1. d4 *')
    assert errors(game) == [(1, column) for column in columns]
    assert line(game) == sans
    assert all(error.message.isprintable() and len(error.message) < 200 for error in game.errors)
    assert (following.errors, line(following)) == ([], ["d4"])


def test_error_is_an_exception() -> None:
    error = pickle.loads(pickle.dumps(pgn.PgnError(1, 2, "so")))
    assert isinstance(error, ValueError)
    assert (error.line, error.column, error.message, str(error)) == (1, 2, "so", "line 1, column 2: so")


# Hostile text.

KILO = 1024
HOSTILE = {
    "brackets": "1. e4 " + "(" * 50 * KILO,
    "nested variations": "1. e4 " + "(1. d4 " * 10 * KILO,
    "variations": "1. e4 " + "(d4)" * 10 * KILO,
    "bad variations": "1. e4 " + "(zz)" * 10 * KILO,
    "braces": "1. e4 " + "{" * 100 * KILO,
    "an endless comment": "1. e4 {" + "x y " * 100 * KILO,
    "empty comments": "1. e4 " + "{}" * 50 * KILO,
    "comments and variations": "1. e4 " + "{" + "x" * 60000 + "}" + "(){}" * 10 * KILO,
    "tags": "".join(f'[a{number} "b"]\n' for number in range(10 * KILO)),
    "one tag": '[a "b"]\n' * 20 * KILO,
    "quotes": '[A "]x' * 10 * KILO,
    "backslashes": '[A "' + "\\" * 200 * KILO,
    "square brackets": "[" * 200 * KILO,
    "glyphs": "1. e4 " + "$1 " * 20 * KILO,
    "an endless token": "1. e4 " + "x" * 300 * KILO,
    "commas": "1. e4 " + "a," * 100 * KILO,
    "commas apart": "1. e4 " + "a, " * 20 * KILO,
    "zeros": "\0" * 300 * KILO,
    "noise": bytes(random.Random(1).randbytes(200 * KILO)),
    "returns": "\r" * 50 * KILO,
}


@pytest.mark.parametrize("source", HOSTILE.values(), ids=HOSTILE)
def test_hostile_text(source: str | bytes) -> None:
    """It is read in time linear in its length, with few errors listed and little kept."""
    handle = io.BytesIO(source) if isinstance(source, bytes) else io.StringIO(source)
    started = time.perf_counter()
    tracemalloc.start()
    try:
        for game in pgn.Reader(handle):
            assert len(game.errors) <= text.MAX_ERRORS + 1
            assert all(len(str(error)) < 300 for error in game.errors)
            assert len(game.comment) <= text.MAX_COMMENT
        assert tracemalloc.get_traced_memory()[1] < 24 * KILO * KILO
    finally:
        tracemalloc.stop()
    assert time.perf_counter() - started < 20


@pytest.mark.parametrize(
    "part",
    [
        *("(", "(1. d4 ", "(1. Qh9) ", "(1. d4) ", "[] ", "[a]", "$999 ", "{x} ", "e.p. ", "% \n", '[A "x"]\n'),
        *(
            '\n\n[Event "x"]\n',
            "1. e4 Qd9 *\n\n",
            "1. Nf3 Nf6 2. Ng1 Ng8 ",
            "1. Nf3 Nf6 (1... Nc6 2. Nc3 (2. e4)) 2. Ng1 Ng8 ",
        ),
    ],
)
def test_four_times_the_text_takes_four_times_the_time(part: str) -> None:
    def read_all(source: str) -> None:
        for _ in pgn.Reader(io.StringIO(source)):
            pass

    assert growth(read_all, "1. e4 " + part * 1_000, "1. e4 " + part * 4_000) < 9


@pytest.mark.parametrize(
    ("game", "turns"),
    [("chess", ["g1f3", "g8f6", "f3g1", "f6g8"]), ("chieftain", ["c1d2", "c12d11", "d2c1", "d11c12"])],
)
def test_four_times_the_plies_take_four_times_the_time(game: str, turns: list[str]) -> None:
    boards = shuffled(game, turns, 2_000), shuffled(game, turns, 8_000)
    assert growth(pgn.Game.from_board, *boards) < 9
    assert growth(str, *map(pgn.Game.from_board, boards)) < 9


def test_too_many_turns() -> None:
    game, following = read_all("Nf3 Nf6 Ng1 Ng8 " * (text.MAX_TURNS // 4 + 5) + "* 1. e4 *")
    assert sum(1 for _ in game.mainline()) == text.MAX_TURNS
    assert len(game.errors) == 1
    assert line(following) == ["e4"]


@settings(max_examples=150, deadline=None)
@given(st.lists(st.sampled_from([*'{}()[];%$!?*.,\n "\\', "e4", "d5", "Nf3 ", '[A "b"]\n', "1-0", "1. ", "$1", " "])))
def test_any_tokens(parts: list[str]) -> None:
    """Whatever is read can be written, and reads back the same."""
    for game in read_all("".join(parts)):
        again = read(str(game))
        assert shape(again) == shape(game)
        assert again.headers == game.headers


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes(data: bytes) -> None:
    for game in read_all(data):
        assert shape(read(str(game))) == shape(game)


class Endless:
    """A file of many games that is nowhere as a whole."""

    def __init__(self, games: int) -> None:
        game = '[Event "Game"]\n\n1. e4 {so} e5 (c5) *\n\n'
        self.lines = itertools.chain.from_iterable(itertools.repeat(game.splitlines(keepends=True), games))

    def readline(self, size: int, /) -> str:
        return next(self.lines, "")


def test_ten_thousand_games_take_constant_memory() -> None:
    handle = Endless(10_000)
    gc.collect()
    tracemalloc.start()
    try:
        for number in range(10_000):
            game = pgn.read_game(handle)
            assert game is not None
            assert not game.errors
            if number == 500:
                tracemalloc.reset_peak()
                before = tracemalloc.get_traced_memory()[0]
        assert pgn.read_game(handle) is None
        assert tracemalloc.get_traced_memory()[1] - before < KILO * KILO
    finally:
        tracemalloc.stop()


def test_files_are_let_go() -> None:
    handle: io.StringIO | None = io.StringIO("1. e4 * 1. d4 *")
    assert handle is not None
    pgn.read_game(handle)
    before = len(pgn.reader._readers)
    handle = None
    gc.collect()
    assert len(pgn.reader._readers) == before - 1


def test_line_numbers_go_on_between_calls(tmp_path: Path) -> None:
    path = tmp_path / "games.pgn"
    path.write_text('1. e4 *\n\n1. d4\n\n[Event "x"]\n1. Qh9 *\n\n1. Qh9', encoding="utf-8")
    with path.open(encoding="utf-8") as handle:
        found = [pgn.read_game(handle) for _ in range(5)]
    assert [None if game is None else errors(game) for game in found] == [[], [], [(6, 4)], [(8, 4)], None]


# The tree.


def test_tree() -> None:
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


def test_nothing_illegal_is_added() -> None:
    game = pgn.Game()
    for wrong in ("Ke2", Move.from_uci("e1e2"), [Move.from_uci("e2e4"), Move.from_uci("e7e5")], [], "e4,e5"):
        with pytest.raises(IllegalMoveError):
            game.add_variation(wrong)
    with pytest.raises(IllegalMoveError):
        game.add_line(["e4", "e5", "Ke3"])
    assert game.variations == []


def test_setup() -> None:
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


def test_headers() -> None:
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


def test_comments_are_checked() -> None:
    node = pgn.Game().add_variation("e4", comment="a\r\nb\rc")
    assert node.comment == "a\nb\nc"
    for wrong in ("\0", "\x1b", "\ud800", "x" * (text.MAX_COMMENT + 1)):
        with pytest.raises(Error):
            node.comment = wrong
        with pytest.raises(Error):
            node.starting_comment = wrong


def test_a_comment_before_a_main_turn_is_not_lost() -> None:
    """It is told apart from the comment before only where a variation starts."""
    game = pgn.Game()
    game.add_variation("e4", starting_comment="first").add_variation("e5", starting_comment="then")
    assert game.export(headers=False) == "{ first } 1. e4 { then } 1... e5 *"


def test_what_is_no_text_or_no_file_is_explained() -> None:
    game = pgn.Game()
    with pytest.raises(Error, match="tag 'WhiteElo': a value is text, not int"):
        game.headers["WhiteElo"] = 2500  # type: ignore[assignment]
    for name in ("x.pgn", Path("x.pgn")):
        with pytest.raises(TypeError, match="open file"):
            pgn.read_game(name)  # type: ignore[arg-type]
