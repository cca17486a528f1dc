"""Invalid definitions: all errors are reported at once, each with its place, and nothing loads partially."""

from __future__ import annotations

import string
from pathlib import Path

import pytest

import acedrex
from acedrex import Board, Game

BASE = """
[game]
id = "trial"
name = "Trial"
board = "6x6"
start = "rnkqnr/pppppp/6/6/PPPPPP/RNKQNR w - - 0 1"

[zones]
home = "ranks 1-2"

[pieces.K]
name = "King"
move = "K"
royal = true

[pieces.Q]
move = "Q"
value = 9

[pieces.R]
move = "R"

[pieces.N]
move = "N"

[pieces.P]
move = "fmWfcF"
promotes_to = "Q R"

[options.tie]
default = "draw"
values = ["draw", "loss"]
set = "end.stalemate"
"""

MOVE = 'move = "N"'
START = "rnkqnr/pppppp/6/6/PPPPPP/RNKQNR w - - 0 1"
ALL = string.ascii_uppercase


def setup(squares: str, pieces: str) -> str:
    return f'[setup]\ngroups = [{{ squares = "{squares}", pieces = "{pieces}" }}]\n'


#: A change of BASE (old, new) or a text put after it, a text on the error's line, its key, and words of its message.
FAULTS: dict[str, tuple[tuple[str, str] | str, str, str, str]] = {
    # Moves.
    "an unknown atom": ((MOVE, 'move = "NT"'), "NT", "pieces.N.move", "'T' expected"),
    "an unknown modifier": ((MOVE, 'move = "$N"'), "$N", "pieces.N.move", "'$' expected"),
    "no atom": ((MOVE, 'move = "mf"'), '"mf"', "pieces.N.move", "expected"),
    "no moves that promote": ((MOVE, f'{MOVE}\npromotes_by = ""'), '""', "pieces.N.promotes_by", "expected"),
    "no move": ((MOVE, ""), "[pieces.N]", "pieces.N", "no move expected"),
    "no ASCII": ((MOVE, 'move = "Ñ"'), "Ñ", "pieces.N.move", "Ñ ASCII expected"),
    "a direction that the atom has not": (
        (MOVE, 'move = "[fW-sF]"'),
        "[fW-sF]",
        "pieces.N.move",
        "F are fl fr fs bl br bs",
    ),
    "a direction onto the other colour": ((MOVE, 'move = "[F?fsF]"'), "[F?fsF]", "pieces.N.move", "F are f l r s v"),
    "a direction back": ((MOVE, 'move = "[W-bW]"'), "[W-bW]", "pieces.N.move", "W are f l r s v"),
    "a range too long": ((MOVE, 'move = "R16"'), "R16", "pieces.N.move", "R16 15"),
    "an endless range": ((MOVE, f'move = "R{"9" * 99}"'), "R999", "pieces.N.move", "15"),
    "a bracket that never closes": ((MOVE, 'move = "[W-fD"'), "[W-fD", "pieces.N.move", "[W-fD closed ']'"),
    "a leg that never ends": ((MOVE, 'move = "[W-"'), '"[W-"', "pieces.N.move", "expected"),
    "17 legs": ((MOVE, f'move = "[fW{"-fW" * 16}]"'), "[fW", "pieces.N.move", "16 legs"),
    "17 legs by modifiers": ((MOVE, f'move = "{"fa" * 17}fW"'), "fafa", "pieces.N.move", "16 legs"),
    "too many ways": ((MOVE, 'move = "[Q-Q-Q-Q-Q]"'), "[Q-Q", "pieces.N.move", "1024 paths"),
    "a capture on the way": ((MOVE, 'move = "[cW-W]"'), "[cW-W]", "pieces.N.move", "no captures on the way last leg"),
    "a hop that goes nowhere": ((MOVE, 'move = "[W-pW]"'), "[W-pW]", "pieces.N.move", "'p'"),
    "'nn' for a slide": ((MOVE, 'move = "nnR"'), "nnR", "pieces.N.move", "'nn' fmnnD"),
    "'y' alone": ((MOVE, 'move = "yW"'), "yW", "pieces.N.move", "'y' needs 'a'"),
    # Pieces.
    "a letter used twice": ('[pieces.N]\nmove = "W"\n', "[pieces.N]", "pieces.N", "duplicate"),
    "a letter of no piece": ('[pieces.x]\nmove = "W"\n', "[pieces.x]", "pieces.x", '"x" capital expected'),
    "a word for a letter": ('[pieces.Queen]\nmove = "W"\n', "[pieces.Queen]", "pieces.Queen", "Queen expected"),
    "no table for a piece": ("[pieces]\nX = 3\n", "X = 3", "pieces.X", "3 table expected"),
    "no royal": (("royal = true", "royal = false"), "[pieces.K]", "pieces", "royal = true expected"),
    "no royal on the board": ((START, START.replace("k", "q")), "start", "game.start", "Black no royal"),
    "two royals under checkmate": (
        (START, START.replace("NKQ", "NKK")),
        "start",
        "game.start",
        "2 royal end.royals last every one",
    ),
    "promotion to nothing known": (("Q R", "Q X"), "Q X", "pieces.P.promotes_to", '"Q X" character 3 K Q R N P'),
    "promotion to one kind twice": (("Q R", "Q RQ"), "Q RQ", "pieces.P.promotes_to", "Q twice"),
    "promotion to a royal": (("Q R", "Q K"), "Q K", "pieces.P.promotes_to", "royal leave K out"),
    "promotion of a royal": (
        ("royal = true", 'royal = true\npromotes_to = "Q"'),
        "promotes_to",
        "pieces.K.promotes_to",
        "royal",
    ),
    "an unknown zone": ((MOVE, MOVE + '\nwithin = "nowhere"'), "nowhere", "pieces.N.within", '"nowhere" expected home'),
    "61 piece types": (
        "".join(f"[pieces.\"{letter}{mark}\"]\nmove = 'W'\n" for letter in ALL for mark in "'!")
        + "".join(f'[pieces.{letter}]\nmove = "W"\n' for letter in "ABCDEF"),
        "[pieces.D]",
        "pieces.D",
        "piece types at most 60",
    ),
    # Board and start.
    "17 files": (('"6x6"', '"17x6"'), "17x6", "game.board", '"17x6" 3x3 16x16 choose'),
    "two ranks": (('"6x6"', '"6x2"'), "6x2", "game.board", '"6x2" 3x3 16x16 choose'),
    "a signed size": (('"6x6"', '"+6x6"'), "+6x6", "game.board", '"+6x6" expected'),
    "a huge board": (('"6x6"', '"99999999999x6"'), "9x6", "game.board", "16x16 expected"),
    "hexagons": (('"6x6"', '"hexagonal 6"'), "hexagonal", "game.board", "flat boards FILESxRANKS"),
    "no board": (('board = "6x6"', ""), "[game]", "game.board", "missing expected"),
    "no start": ((f'start = "{START}"', ""), "[game]", "game.start", "missing expected"),
    "no game": (("[game]", "[gone]"), "", "game", "missing expected"),
    "a row too short": ((START, START.replace("RNKQNR", "RNKQN")), "start", "game.start", "rank 1 5 6 expected"),
    "a row too long": ((START, START.replace("/6/6/", "/6/7/")), "start", "game.start", "rank 3 7 6 expected"),
    "a rank too many": ((START, "6/" + START), "start", "game.start", "7 ranks 6 expected"),
    "a piece of another game": ((START, START.replace("NR w", "ZR w")), "start", "game.start", "rank 1 'Z' no piece"),
    "a right that there is not": ((START, START.replace("w -", "w K")), "start", "game.start", "rights 'K'"),
    "a check to the side not to move": (
        (START, START.replace("/6/6/", "/6/3N2/").replace("6/3N2", "2R3/6").replace("pppppp", "pp1ppp")),
        "start",
        "game.start",
        "check",
    ),
    "a start with five fields": ((START, START[:-2]), "start", "game.start", "5 fields expected"),
    "the id of a shipped game": (('"trial"', '"chess"'), '"chess"', "game.id", '"chess" ships choose another'),
    "an id that is not there": (('id = "trial"', ""), "[game]", "game.id", "expected"),
    "an id left to the game extended": (('id = "trial"', 'extends = "chess"'), "extends", "game.id", "missing own"),
    "an id with blanks": (('"trial"', '"My Game"'), "My Game", "game.id", '"My Game" expected'),
    # Tables and types.
    "an unknown key": (('name = "Trial"', 'nmae = "Trial"'), "nmae", "game.nmae", "unknown expected name"),
    "an unknown table": ("[piece.X]\n", "[piece.X]", "piece", "unknown expected pieces"),
    "an unknown key of a piece": ((MOVE, MOVE + "\nmoves = 3"), "moves", "pieces.N.moves", "unknown expected move"),
    "an unknown key of an option": (("set =", "sets ="), "sets", "options.tie.sets", "unknown expected set"),
    "a number for a text": ((MOVE, "move = 3"), "move = 3", "pieces.N.move", "3 text expected"),
    "a list for a text": ((MOVE, 'move = ["N"]'), '["N"]', "pieces.N.move", "list text expected"),
    "a text for a flag": (("royal = true", 'royal = "yes"'), "yes", "pieces.K.royal", '"yes" true false expected'),
    "a text for a number": (("value = 9", 'value = "much"'), "much", "pieces.Q.value", '"much" number expected'),
    "an endless number": (("value = 9", "value = 1e999"), "1e999", "pieces.Q.value", "inf number expected"),
    "a number over 64 bits": (("value = 9", f"value = {10**30}"), "1000", "pieces.Q.value", "too large"),
    "a number over its limit": ("[end]\nquiet = [1, 99999999]\n", "quiet", "end.quiet", "99999999 10000 expected"),
    "a number below its limit": ("[turn]\nmoves = 0\n", "moves", "turn.moves", "0 1 6 expected"),
    "a number for a table": (("[game]", "turn = 3\n[game]"), "turn = 3", "turn", "3 table expected"),
    "a number for an option": (("[options.tie]", "[options]\nx = 3\n[options.tie]"), "x = 3", "options.x", "expected"),
    "a table for a list": ('[castling]\nking = "a1 b1"\n', "[castling]", "castling", "table list expected"),
    "an unknown word": ('[end]\ngoal = "win"\n', "goal", "end.goal", '"win" "checkmate" expected'),
    "a bad square list": (("ranks 1-2", "ranks 1-9"), "ranks 1-9", "zones.home", "1-9 1 6 expected"),
    "a square off the board": (("ranks 1-2", "a1 g1"), "a1 g1", "zones.home", "'g1' 6x6 expected"),
    "a block from its top": (("ranks 1-2", "c3-a1"), "c3-a1", "zones.home", "c3-a1 lower left"),
    # Special rules.
    "castling without a rook": ('[[castling]]\nking = "c1 e1"\nrook = "a4 d1"\n', "[[cas", "castling.rook", "a4 start"),
    "castling of a rook": ('[[castling]]\nking = "a1 c1"\nrook = "f1 d1"\n', "[[castling]]", "castling.king", "a1"),
    "castling off the rank": ('[[castling]]\nking = "c1 e3"\nrook = "f1 d1"\n', "[[castling]]", "castling.king", "e3"),
    "castling with itself": ('[[castling]]\nking = "c1 e1"\nrook = "c1 d1"\n', "[[castling]]", "castling.rook", "c1"),
    "castling onto one square": ('[[castling]]\nking = "c1 e1"\nrook = "f1 e1"\n', "[[cas", "castling.rook", "e1"),
    "castling like a step": ('[[castling]]\nking = "c1 d1"\nrook = "f1 e1"\n', "[[castling]]", "castling", "d1"),
    "castling out of a zone": (
        (
            'home = "ranks 1-2"\n\n[pieces.K]',
            'home = "a1-d2"\n[[castling]]\nking = "c1 e1"\nrook = "f1 d1"\n[pieces.K]\nwithin = "home"',
        ),
        "[[castling]]",
        "castling.king",
        "K zone home e1",
    ),
    "two rights with one letter": (
        '[[castling]]\nking = "c1 e1"\nrook = "f1 d1"\n[[castling]]\nking = "c1 a1"\nrook = "a1 b1"\n',
        "[[castling]]",
        "castling",
        "two rights 'K'",
    ),
    "a jump that is no jump": ('[royal_jump]\nto = "R"\n', 'to = "R"', "royal_jump.to", '"R" D A N expected'),
    "several moves without an end on check": ("[turn]\nmoves = 2\n", "[turn]", "turn.ends_on_check", "ends_on_check"),
    "a first turn that is longer": (
        "[turn]\nmoves = 2\nends_on_check = true\nfirst_turn = 3\n",
        "first_turn",
        "turn.first_turn",
        "3 turn.moves 2",
    ),
    "a first turn of several moves": ("[turn]\nfirst_turn = 2\n", "first_turn", "turn.first_turn", "2 turn.moves 1"),
    "command under checkmate": ("[turn]\ncommand = {}\n", "[turn]", "turn", "capture all royals"),
    "a double step and a bent slide": ((MOVE, 'move = "fmnnD[F-lB]"'), "fmnnD", "pieces.N", "en passant"),
    "a double step and a leap": ((MOVE, 'move = "DfmnnD"'), "DfmnnD", "pieces.N", "en passant"),
    "a double step and a lame leap": ((MOVE, 'move = "fmnnDmnD"'), "fmnnDmnD", "pieces.N", "en passant"),
    "a double step and a hop": ((MOVE, 'move = "fmnnDpR"'), "fmnnDpR", "pieces.N", "en passant"),
    "a double step and a slide": ((MOVE, 'move = "RfmnnD"'), "RfmnnD", "pieces.N", "en passant"),
    # Setups.
    "a setup off the board": (setup("b1 g1", "NQ"), "g1", "setup.groups.squares", "'g1' 6x6 expected"),
    "a setup of pieces elsewhere": (setup("a1 b1", "NQ"), "groups", "setup", "has N Q start R N a1 b1"),
    "a setup with a piece too few": (setup("b1 c1", "N"), "b1", "setup.groups", "1 2"),
    "a setup that nothing satisfies": (
        setup("b1 c1", 'NK", only = { N = "a1" } }] #'),
        "only",
        "setup.groups",
        "'only'",
    ),
    "a setup twice": (
        '[setup]\ngroups = [{ squares = "b1 c1", pieces = "NK" }, { squares = "c1 d1", pieces = "KQ" }]\n',
        "b1 c1",
        "setup.groups",
        "c1 two groups",
    ),
    "a setup that Black cannot mirror": (
        (START, START.replace("rnkqnr", "rnqknr") + '"\n[setup]\ngroups = [{ squares = "b1 c1", pieces = "NK" }]\n#"'),
        "groups",
        "setup",
        "White N K b1 c1 Black N Q",
    ),
    "a setup that moves a rook": (
        (
            START,
            START.replace("-", "K", 1)
            + '"\n[setup]\ngroups = [{ squares = "e1 f1", pieces = "NR" }]\n'
            + '[[castling]]\nking = "c1 e1"\nrook = "f1 d1"\n#"',
        ),
        "groups",
        "setup.groups",
        "f1 castling right K",
    ),
    "12 squares in a group": (setup("ranks 1-2", "RNKQNRPPPPPP"), "ranks 1-2", "setup.groups", "12 at most 8"),
    # Options.
    "a default that is no value": (('"draw"\n', '"no"\n'), '"no"', "options.tie.default", '"no" draw loss'),
    "a default of another type": (('"draw"\n', "1.5\n"), "1.5", "options.tie.default", "1.5"),
    "no values": (('["draw", "loss"]', "[]"), "tie", "options.tie.values", "expected"),
    "values of another type": (('["draw", "loss"]', "[1.5, []]"), "1.5", "options.tie.values", "1.5 expected"),
    "a value twice": (('["draw", "loss"]', '["draw", "draw"]'), "values", "options.tie.values", '"draw" twice'),
    "a help that is no text": (("set =", "help = 3\nset ="), "help = 3", "options.tie.help", "3 text expected"),
    "a wrong rule behind an option": (("end.stalemate", "end.goal"), "values", "end.goal", '"draw" expected'),
    "a key too deep": (("end.stalemate", f"end{'.a' * 30_000}"), "set =", "options.tie.set", "key expected 8 parts"),
    # Extending.
    "an unknown game to extend": (("[game]", '[game]\nextends = "no"'), '"no"', "game.extends", '"no" expected chess'),
    "an own game to extend": (("[game]", '[game]\nextends = "trial"'), "extends", "game.extends", '"trial" expected'),
    "removal of nothing": (
        ("[game]", '[game]\nextends = "chess"\nremove = ["pieces.X"]'),
        "remove",
        "game.remove",
        "pieces.X",
    ),
    "removal by no list": (("[game]", "[game]\nextends = 'shako'\nremove = 'B'"), "remove", "game.remove", "list"),
    "removal from nothing": (("[game]", '[game]\nremove = ["pieces.N"]'), "remove", "game.remove", "extends"),
    # Out of scope.
    "drops": ("[drops]\n", "[drops]", "drops", "no drops game.start instead"),
    "a hand": ((MOVE, MOVE + "\nhand = true"), "hand", "pieces.N.hand", "no drops game.start instead"),
    "holes": (('board = "6x6"', 'board = "6x6"\nholes = "a1"'), "holes", "game.holes", "marks holes in the board"),
    # Not TOML.
    "no value": ("x =\n", "x =", "", "TOML"),
    "an open table": ("[x\n", "[x", "", "TOML"),
    "a NUL byte": ("\0", "\0", "", "TOML"),
    "an old Mac's lines": (("\n", "\r"), "", "", "TOML carriage return"),
    "a key twice": ((MOVE, f"{MOVE}\n{MOVE}"), MOVE, "", "duplicate"),
}


def text_of(change: tuple[str, str] | str) -> str:
    if isinstance(change, str):
        return f"{BASE}\n{change}"
    assert change[0] in BASE
    return BASE.replace(*change) if change[0] == "\n" else BASE.replace(*change, 1)


def test_the_base_definition_is_valid(tmp_path: Path) -> None:
    path = tmp_path / "trial.toml"
    path.write_text(BASE)
    assert acedrex.check(path) == []
    assert Board(path).perft(1) == 10
    path.write_text("\ufeff" + BASE.replace("\n", "\r\n"), newline="")
    assert acedrex.load(path).rules_hash == Game(BASE, "trial.toml").rules_hash


def test_an_unchanged_copy_of_a_shipped_game_loads_and_a_changed_one_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    for ending in ("\n", "\r\n"):
        path.write_text(acedrex.load("shako").source.replace("\n", ending), newline="")
        assert acedrex.load(path) == acedrex.load("shako")
    path.write_text(acedrex.load("shako").source.replace('move = "AF"', 'move = "A"') + "\n# A word more.\n")
    with pytest.raises(acedrex.DefinitionError, match='"shako" is the id of a game that ships'):
        acedrex.load(path)


def test_the_author_the_story_and_the_rule_texts_are_not_inherited() -> None:
    text = '[game]\nid = "{}"\nextends = "{}"\n[game.rules]\ncolours = "White and Black."\n'
    own, base = Game(text.format("own", "shako"), "own.toml"), acedrex.load("shako")
    assert (own.name, own.author, own.year, own.link, own.summary, own.story) == ("own", "", None, "", "", "")
    assert own.rules["colours"] == "White and Black."
    assert own.rules["castling"].startswith("In one move, the King moves from f2 to h2")
    assert base.rules["castling"].startswith("As in chess, one rank up")
    assert (own.pieces, own.start_fen, own.rules_hash) == (base.pieces, base.start_fen, base.rules_hash)
    assert all(piece.help for piece in own.pieces)


@pytest.mark.parametrize("name", FAULTS)
def test_an_error_is_reported_with_its_place_and_nothing_loads(name: str, tmp_path: Path) -> None:
    change, place, key, words = FAULTS[name]
    path = tmp_path / "wrong.toml"
    text = text_of(change)
    path.write_bytes(text.encode())
    faults = acedrex.check(path)
    assert faults
    told = "\n".join(map(str, faults))
    fitting = [fault for fault in faults if all(word in fault.message for word in words.split())]
    assert fitting, f"none says {words!r}: {told}"
    assert any(fault.key.startswith(key) for fault in fitting), f"no key {key}: {told}"
    lines = {number for number, line in enumerate(text.split("\n"), 1) if place in line}
    assert lines & {fault.line for fault in fitting}, f"not at {place!r}, lines {lines}: {told}"
    for fault in faults:
        assert (fault.file, fault.line > 0, fault.column > 0) == ("wrong.toml", True, True)
        assert len(str(fault)) < 400
        assert fault.key.isprintable()
        assert fault.message.isprintable()
    if name != "a wrong rule behind an option":
        with pytest.raises(acedrex.DefinitionError) as caught:
            acedrex.load(path)
        assert caught.value.faults == faults[: len(caught.value.faults)]
        assert str(faults[0]) in str(caught.value)


def test_a_piece_cannot_be_put_on_the_middle_rank_for_both_sides() -> None:
    text = '[game]\nid = "odd"\nboard = "5x5"\nstart = "2k2/5/5/5/2K2"\nplace.R = "a3"\n[pieces.R]\nmove = "R"\n'
    with pytest.raises(acedrex.DefinitionError, match=r"^odd\.toml:5:11: game\.place\.R: a3 is on the middle rank"):
        Game(text + '[pieces.K]\nmove = "K"\nroyal = true\n', "odd.toml")


def test_a_file_that_is_not_utf_8_or_is_too_large_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "wrong.toml"
    for data, words in ((b"[game]\nid = '\xff'\n", "UTF-8"), (b"#" * 65_537, "65537 65536"), (b"\xff\xfe[\0", "UTF-8")):
        path.write_bytes(data)
        (fault,) = acedrex.check(path)
        assert fault.file == "wrong.toml"
        assert all(word in fault.message for word in words.split())
        with pytest.raises(acedrex.DefinitionError, match=words.split()[0]):
            acedrex.load(path)


def test_options_that_are_not_a_table_are_reported(tmp_path: Path) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text("options = 3\n" + BASE.partition("[options.tie]")[0])
    assert [(fault.line, fault.key) for fault in acedrex.check(path)] == [(1, "options")]


def test_all_errors_are_reported_at_once_in_file_order(tmp_path: Path) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text(BASE.replace('"N"', '"X"').replace("Q R", "Z").replace("ranks 1-2", "q1").replace("= 9", '= "a"'))
    faults = acedrex.check(path)
    assert [fault.key for fault in faults] == ["zones.home", "pieces.Q.value", "pieces.N.move", "pieces.P.promotes_to"]
    assert [fault.line for fault in faults] == sorted(fault.line for fault in faults)


def test_an_error_under_an_option_names_the_option(tmp_path: Path) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text(BASE + '[options.far]\nvalues = ["off", "on"]\non.pieces.N.move = "X"\n')
    (fault,) = acedrex.check(path)
    assert "far=on" in fault.message
    assert fault.key == "pieces.N.move"
    assert acedrex.load(path).spec == "trial"
    with pytest.raises(
        acedrex.DefinitionError, match=r"^wrong\.toml:36:20: pieces\.N\.move: .*, elsewhere longer leaps, "
    ):
        acedrex.load(path, far=True)


def test_a_slide_goes_on_outward_from_an_oblique_leap() -> None:
    """From the Knight's square, along the line nearest to its leap, and only if that square is empty."""

    def targets(move: str, sixth: str = "8") -> set[str]:
        text = f'[game]\nid = "mine"\nextends = "chess"\n[pieces.N]\nmove = "{move}"\n'
        board = Board(Game(text, "mine.toml"), f"8/8/{sixth}/8/K2N3k/8/8/8 w - - 0 1")
        return {str(move)[2:] for move in board.legal_moves if str(move).startswith("d4")}

    def on(diagonal: bool) -> set[str]:
        found = set()
        for x, y in ((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)):
            sign = (x // abs(x), y // abs(y))
            step = sign if diagonal else (0, sign[1]) if abs(y) > abs(x) else (sign[0], 0)
            at = (3 + x + step[0], 3 + y + step[1])
            while 0 <= at[0] < 8 and 0 <= at[1] < 8:
                found.add("abcdefgh"[at[0]] + str(at[1] + 1))
                at = (at[0] + step[0], at[1] + step[1])
        return found

    knight = {"e6", "f5", "f3", "e2", "c2", "b3", "b5", "c6"}
    assert targets("[N?fB]") == knight | on(diagonal=True)
    assert targets("[N?fR]") == knight | on(diagonal=False)
    assert targets("[N?fB]", "4p1p1") == targets("[N?fB]") - {"f7", "g8", "h7"}
    assert targets("[N-fB]", "4p1p1") == targets("[N?fB]", "4p1p1") - knight
