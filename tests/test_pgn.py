"""PGN: games read back as they were written, whatever their rules, starts and turns."""

from __future__ import annotations

import io
import itertools
import random
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import acedrex
from acedrex import Board, Error, Move, limits, load, pgn
from acedrex.game import Game as Definition
from tests.records import assert_same, errors, line, read, read_all, shape

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
    """A legal turn, occasionally an unfinished one. The board does not change."""
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
    """A record of any game, from any start, with everything that a record can contain."""
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
def test_any_game_reads_back_the_same(game: pgn.Game) -> None:
    written = game.export()
    assert_same(game, read(written))
    assert_same(game, read(written.replace("\n", "\r\n").encode()))
    assert_same(game, read(game.export(columns=None)))
    assert all(len(row) <= 80 for row in wrapped(written))
    twice = read_all(f"{written}\n\n{written}")
    assert [shape(other) for other in twice] == [shape(game)] * 2


def wrapped(written: str) -> Iterator[str]:
    """The lines of a record to which its width applies: no tags, no comments to the end of the line, no long words."""
    rows = iter(written.splitlines(keepends=False) if "\u2028" not in written else written.split("\n"))
    for row in itertools.dropwhile(bool, rows):
        if ";" not in row and max(map(len, row.split(" ")), default=0) < 30 and "  " not in row and row.isascii():
            yield row


@pytest.mark.parametrize("spec", SPECS)
def test_a_game_to_its_end_reads_back_with_its_outcome(spec: str) -> None:
    """Games are played to their end, or to 600 moves."""
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


def test_variations_nest_up_to_the_maximum_depth() -> None:
    game = pgn.Game()
    node: pgn.GameNode = game
    for number in range(limits.MAX_DEPTH):
        node.add_variation(["h3", "h6"][number % 2])
        node = node.add_variation(["Nc3", "Nc6", "Nb1", "Nb8"][number % 4])
    node.add_variation("e3" if node.board().turn else "e6")
    assert_same(game, read(str(game)))
    with pytest.raises(Error, match="inside one another"):
        node.add_variation("d3" if node.board().turn else "d6")
    deeper = read("1. e4 " + "(1. d4 " * (limits.MAX_DEPTH + 5) + ")" * (limits.MAX_DEPTH + 5) + " e5 *")
    assert [error.message for error in deeper.errors] == [
        "more than 100 variations inside one another; this one is left out"
    ]
    assert line(deeper) == ["e4", "e5"]
    assert len(deeper.variations) == limits.MAX_DEPTH + 1


def test_a_very_long_game_reads_back_the_same() -> None:
    """Nothing recurses along a line."""
    board = Board()
    for _ in range(700):
        for san in ("Nf3", "Nf6", "Ng1", "Ng8"):
            board.push_san(san)
    game = pgn.Game.from_board(board)
    assert_same(game, read(str(game)))


# Writing.


def test_export_writes_tags_comments_glyphs_and_variations() -> None:
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


def test_plain_chess_has_the_tags_that_other_programs_write() -> None:
    """They take a record with a tag ``Variant`` or an unknown hash for something else than chess."""
    game = pgn.Game()
    assert list(game.headers) == ["Event", "Site", "Date", "Round", "White", "Black", "Result"]
    assert read(str(game)).variant == load("chess")
    game.setup(Board("chess", "4k3/8/8/8/8/8/8/R3K3 b Q - 7 30"))
    assert list(game.headers)[7:] == ["FEN", "SetUp"]
    assert read(str(game)).start().fen() == "4k3/8/8/8/8/8/8/R3K3 b Q - 7 30"


def test_chess_by_earlier_rules_is_not_plain_chess() -> None:
    old = Definition.stored(load("chess").full_source.replace('move = "N"', 'move = "NN"'), "chess")
    game = pgn.Game(old)
    assert (game.headers["Variant"], game.headers["RulesHash"]) == ("chess", old.rules_hash)


def test_several_games_can_be_written_to_one_file() -> None:
    file = io.StringIO()
    for _ in range(2):
        pgn.Game("magi").write(file)
    assert file.getvalue().endswith("\n\n")
    assert [game.variant.id for game in read_all(file.getvalue())] == ["magi", "magi"]


def test_lines_are_wrapped_at_the_given_column() -> None:
    game = pgn.Game()
    game.add_line(["Nf3", "Nf6", "Ng1", "Ng8"] * 20, comment="so " * 40 + "[%clk 1] %x")
    rows = game.export(headers=False, columns=40).split("\n")
    assert all(30 < len(row) <= 40 for row in rows[:-1])
    assert not any(row.startswith(("%", "[")) for row in rows)
    assert len(game.export(headers=False, columns=None).split("\n")) == 1


def test_the_score_and_the_result_are_written_as_tags() -> None:
    fen = "10/10/10/4k5/10/6N3/10/10/4K5/10 w - - 0 61"
    board = Board("magi", fen, scoring="four_points")
    board.push_turn("claim")
    game = pgn.Game.from_board(board)
    assert game.headers["Options"] == "scoring=four_points"
    assert (game.headers["Result"], game.headers["Score"]) == ("1-0", "3-1")
    assert (game.headers["SetUp"], game.headers["FEN"]) == ("1", fen)
    assert "Score" not in pgn.Game.from_board(Board("magi")).headers
    assert read(str(game)).variant.chosen_options == {"scoring": "four_points"}


# Turns of several moves.


def test_playon_and_the_next_move_are_one_turn() -> None:
    game = pgn.Game("magi", scoring="four_points")
    game.setup(Board(game.variant, "10/10/10/4k5/10/6N3/10/10/4K5/10 w - - 0 61"))
    node = game.add_variation("playon,Nf7")
    assert [move.uci() for move in node.moves] == ["playon", "g5f7"]
    assert node.move.special == "playon"
    game.add_variation("claim")
    assert game.export(headers=False) == "61. playon,Nf7 (61. claim) *"
    assert_same(game, read(str(game)))


def test_passes_are_written_and_read() -> None:
    board = Board("chieftain", **{"pass": True})
    board.push_turn("pass")
    board.push_turn("pass")
    game = pgn.Game.from_board(board)
    assert game.export(headers=False) == "1. pass pass 1/2-1/2"
    assert read('[Variant "chieftain"]\n[Options "pass"]\n\n1. -- {why} Pass *').end().board() == board


def test_an_unfinished_turn_can_be_saved_and_completed() -> None:
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
    end.add_move("Mp8")
    assert (end.unfinished, end.san()) == (True, "Ma8,Mp8")
    end.add_move(Move.from_uci("end"))
    assert (end.unfinished, end.san(), end.uci()) == (False, "Ma8,Mp8", "a9a8,p9p8,end")
    with pytest.raises(Error, match="whole"):
        end.add_move("Me8")


@pytest.mark.parametrize(
    ("moves", "uci"),
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
def test_a_trailing_comma_marks_an_unfinished_turn(moves: str, uci: str) -> None:
    game = read(f'[Variant "chieftain"]\n\n{moves}')
    assert game.errors == []
    node = game.variations[0]
    assert node.uci() + "," * node.unfinished == uci
    if "!" in moves:
        assert node.nags == {1, 2}


def test_moves_after_an_unfinished_turn_are_reported() -> None:
    game = read('[Variant "chieftain"]\n\n1. Ma5, {here} 1... Ma8 2. Mp5 *')
    assert errors(game) == [(3, 21)]
    assert game.export(headers=False) == "1. Ma5, { here } *"


def test_a_game_can_start_in_the_middle_of_a_turn() -> None:
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


def test_turns_of_two_moves_are_read() -> None:
    game = read('[Variant "marseillais"]\n\n1. e4,e5 d6,dxe5 2. d4, *')
    assert game.errors == []
    assert line(game) == ["e4,e5", "d6,dxe5", "d4"]
    assert errors(read('[Variant "marseillais"]\n\n1. e4 e5 *')) == [(3, 4)]


# Games and starts.


def test_the_arrangement_tag_selects_the_setup() -> None:
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
def test_variant_names_ignore_case_and_blanks(name: str) -> None:
    assert read(f'[Variant "{name}"]\n\n1. Nd4 *').variant.id == "metamachy"


@pytest.mark.parametrize("tags", ["", '[Variant "Standard"]', '[Variant "chess"]', '[Variant "From Position"]'])
def test_chess_is_recognized_by_each_of_its_usual_tags(tags: str) -> None:
    game = read(f'{tags}\n[Event "x"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 1-0')
    assert game.errors == []
    assert game.variant.id == "chess"
    assert line(game)[-1] == "a6"


@pytest.mark.parametrize(
    "name", ["nonsense", "/etc/passwd", "x.toml", "../games/magi.toml", "magi:scoring=four_points"]
)
def test_an_unknown_variant_is_reported_and_the_next_game_is_read(name: str) -> None:
    """Names are never paths. The moves cannot be read, but the tags and the next game can."""
    game, following = read_all(f'[Event "a"]\n[Variant "{name}"]\n\n1. e4 {{so}} (1. d4) e5 1-0\n\n1. d4 *')
    assert errors(game) == [(2, 1)]
    assert (game.headers["Variant"], game.headers["Result"], game.variations) == (name, "1-0", [])
    for ask in (game.board, game.start, lambda: game.variant, lambda: game.add_variation("e4")):
        with pytest.raises(Error):
            ask()
    assert f'[Variant "{name}"]' in str(game)
    assert line(following) == ["d4"]


def test_unknown_options_and_invalid_starts_are_reported() -> None:
    game = read('[Variant "magi"]\n[Options "scoring=four_points,flying,scoring2=1"]\n\n1. d5 *')
    assert game.variant.chosen_options == {"scoring": "four_points"}
    assert errors(game) == [(2, 1), (2, 1)]
    assert line(game) == ["d5"]
    game = read('[Variant "magi"]\n[SetUp "1"]\n[FEN "8/8 w - - 0 1"]\n\n1. d5 *')
    assert errors(game) == [(3, 1)]
    assert game.variations == []
    assert errors(read('[Variant "maasai"]\n[Arrangement "ABC"]\n\n1. d5 *')) == [(2, 1)]
    assert errors(read(f'[FEN "{"8" * 9000}"]\n\n1. e4 *'))[0] == (1, 1)


def test_a_different_rules_hash_is_reported_and_kept() -> None:
    game = read('[Variant "magi"]\n[RulesHash "0123456789abcdef"]\n\n1. d5 *')
    assert errors(game) == [(2, 1)]
    assert "0123456789abcdef" in game.errors[0].message
    assert line(game) == ["d5"]
    assert game.headers["RulesHash"] == "0123456789abcdef"
    assert '[RulesHash "0123456789abcdef"]' in str(game)


def test_pgn_of_a_custom_game_is_read_with_its_definition() -> None:
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
