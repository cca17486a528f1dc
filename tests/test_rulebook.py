"""Special rules in words: every key that states a rule has a sentence, and an author's text takes precedence."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

import acedrex
from acedrex import Board, Game, _native, parse_square
from acedrex.cli import rules
from acedrex.cli.terminal import PLAIN
from tests.plain_game import BASE

LANGUAGES = acedrex.languages()
LOCALE = Path(__file__).parents[1] / "games" / "locale"
KEYS = _native.rule_keys()
GAMES = acedrex.games()

CASTLING = 'castling = [{ right = "K", king = "e1 g1", rook = "h1 f1" }]'
SETUP = 'setup.groups = [{ squares = "b1 c1", pieces = "N B" }]'
STEPS = 'pieces.P.move = "fmWfceFfmnnD"'
PROMOTES = 'pieces.P.promotes_to = "Q N"'
OWN = 'pieces.P.promotion = [{ to = "Q", at = "rank 8" }]'
TWO = "turn.moves = 2\non.turn.ends_on_check = true"
CAPTURE = 'end.goal = "capture all royals"'
COMMAND = "turn.moves = 2\non.turn.command.range = 3"
POINTS = 'end.scoring = "four_points"'
EXTINCT = 'end.conditions = [{ extinct = "Q" }]'
REACH = 'end.conditions = [{ reach = "e8" }]'
FROM = 'pieces.N.from = [{ squares = "rank 1", move = "mD" }]'

#: By key of the format: the rest of a definition, and its lines with that key.
CASES = {
    "zones.*": ([], ['zones.home = "ranks 1-4"', 'pieces.B.within = "home"']),
    "promotion.at": ([PROMOTES], ['promotion.at = "ranks 7-8"']),
    "promotion.optional": ([PROMOTES], ['promotion.optional = "rank 7"']),
    "promotion.limit": ([PROMOTES], ['promotion.limit = "start"']),
    "en_passant.left": (
        [STEPS, 'pieces.P.from = [{ squares = "a2", move = "fmnnD", right = "A" }]'],
        ['en_passant.left = "a2"'],
    ),
    "castling.king": ([CASTLING], [CASTLING.replace("e1 g1", "e1 h1")]),
    "castling.side": ([CASTLING], [CASTLING.replace('"h1 f1"', '"h1 f1", side = "black"')]),
    "castling.rook": ([CASTLING], [CASTLING.replace("h1 f1", "h1 e1")]),
    "royal_jump.to": ([], ['royal_jump.to = "DAN"']),
    "turn.moves": ([], [TWO]),
    "turn.may_end": ([TWO], ["turn.may_end = true"]),
    "turn.may_pass": ([], ["turn.may_pass = true"]),
    "turn.once_each": ([TWO], ["turn.once_each = true"]),
    "turn.ends_on_check": ([CAPTURE, "turn.moves = 2"], ['end.goal = "checkmate"', "turn.ends_on_check = true"]),
    "turn.first_turn": ([TWO], ["turn.first_turn = 1"]),
    "turn.command": ([CAPTURE, "turn.moves = 2"], ["turn.command.range = 3"]),
    "turn.command.range": ([CAPTURE, COMMAND], ['turn.command.range = "unlimited"']),
    "turn.command.royals": ([CAPTURE, COMMAND], ["turn.command.royals = false"]),
    "turn.must_capture": ([], ["turn.must_capture = true"]),
    "turn.may_check": ([], ["turn.may_check = false"]),
    "end.goal": ([], [CAPTURE]),
    "end.royals": ([], ['end.royals = "last"']),
    "end.checkmate": ([], ['end.checkmate = "win"']),
    "end.stalemate": ([], ['end.stalemate = "loss"']),
    "end.conditions": ([], [EXTINCT]),
    "end.conditions.extinct": ([EXTINCT], [EXTINCT.replace("Q", "R")]),
    "end.conditions.at_most": ([EXTINCT], [EXTINCT.replace('"Q"', '"P", at_most = 2')]),
    "end.conditions.against": ([EXTINCT], [EXTINCT.replace('"Q"', '"Q", against = 1')]),
    "end.conditions.reach": ([REACH], [REACH.replace("e8", "e7")]),
    "end.conditions.pieces": ([REACH], [REACH.replace('"e8"', '"e8", pieces = "K"')]),
    "end.conditions.count": ([REACH], [REACH.replace('"e8"', '"e7 e8", count = 2')]),
    "end.conditions.checks": ([REACH], [REACH.replace('reach = "e8"', "checks = 3")]),
    "end.conditions.result": ([REACH], [REACH.replace('"e8"', '"e8", result = "draw"')]),
    "end.conditions.side": ([REACH], [REACH.replace('"e8"', '"e8", side = "black"')]),
    "end.conditions.answer": ([REACH], [REACH.replace('"e8"', '"e8", answer = true')]),
    "end.scoring": ([], [POINTS]),
    "end.bare_king": ([POINTS], ['end.bare_king = { claim = "N", never = "Q" }']),
    "end.bare_king.claim": ([POINTS], ['end.bare_king.claim = "N B"']),
    "end.bare_king.never": ([POINTS, 'end.bare_king.claim = "N"'], ['end.bare_king.never = "Q"']),
    "end.dead_positions": ([], ["end.dead_positions = false"]),
    "end.repetition": ([], ["end.repetition = [0, 2]"]),
    "end.repetition_result": (["end.repetition = [0, 3]"], ['end.repetition_result = "loss"']),
    "end.perpetual_check": ([], ['end.perpetual_check = "loss"']),
    "end.quiet": ([], ["end.quiet = [20, 0]"]),
    "end.progress": ([], ['end.progress = "P N"']),
    "setup.groups": ([], [SETUP]),
    "setup.groups.squares": ([SETUP], [SETUP.replace("b1 c1", "f1 g1")]),
    "setup.groups.pieces": ([SETUP], ['setup.groups = [{ squares = "b1 c1 d1", pieces = "N B Q" }]']),
    "setup.groups.only": (
        ['setup.groups = [{ squares = "b1 c1 d1", pieces = "N B Q" }]'],
        ['setup.groups = [{ squares = "b1 c1 d1", pieces = "N B Q", only = { N = "b1 c1" } }]'],
    ),
    "pieces.royal": ([], ["pieces.K.royal = false", "pieces.Q.royal = true"]),
    "pieces.move": ([], [STEPS]),
    "pieces.turned": ([], ["pieces.N.turned = true"]),
    "pieces.promotes_to": ([], [PROMOTES]),
    "pieces.promotes_by": ([PROMOTES], ['pieces.P.promotes_by = "cF"']),
    "pieces.promotion": ([], [OWN]),
    "pieces.promotion.to": ([OWN], [OWN.replace("Q", "R")]),
    "pieces.promotion.at": ([OWN], [OWN.replace("rank 8", "ranks 7-8")]),
    "pieces.promotion.optional": ([OWN], [OWN.replace("at =", "optional =")]),
    "pieces.promotion.from": ([OWN], [OWN.replace('"Q"', '"Q", from = "a7 b7"')]),
    "pieces.promotion.by": ([OWN], [OWN.replace('"Q"', '"Q", by = "capture"')]),
    "pieces.promotion.side": ([OWN], [OWN.replace('"Q"', '"Q", side = "black"')]),
    "pieces.within": (['zones.home = "ranks 1-4"'], ['pieces.B.within = "home"']),
    "pieces.sees": ([], ['pieces.K.sees = "fR"']),
    "pieces.from": ([], [FROM]),
    "pieces.from.squares": ([FROM], [FROM.replace("rank 1", "a1 b1")]),
    "pieces.from.move": ([FROM], [FROM.replace("mD", "mA")]),
    "pieces.from.right": ([FROM], [FROM.replace('"mD"', '"mD", right = "file"').replace("rank 1", "b1")]),
}
#: Keys that state no special rule: texts, pictures, values, and the letters of rights in FEN.
OTHERS = {
    *("pieces.name", "pieces.also", "pieces.value", "pieces.help", "pieces.art"),
    *("castling.right", "royal_jump.right"),
}
#: By table, a fault for which the core lists the keys that the table may have.
TABLES = {
    "promotion": "promotion.nonsense = 1",
    "en_passant": "en_passant.nonsense = 1",
    "castling": "castling = [{ nonsense = 1 }]",
    "royal_jump": "royal_jump.nonsense = 1",
    "turn": "turn.nonsense = 1",
    "turn.command": "turn.command.nonsense = 1",
    "end": "end.nonsense = 1",
    "end.conditions": "end.conditions = [{ nonsense = 1 }]",
    "end.bare_king": "end.bare_king.nonsense = 1",
    "setup": "setup.nonsense = 1",
    "setup.groups": "setup.groups = [{ nonsense = 1 }]",
    "pieces": "pieces.P.nonsense = 1",
    "pieces.from": "pieces.P.from = [{ nonsense = 1 }]",
    "pieces.promotion": "pieces.P.promotion = [{ nonsense = 1 }]",
}


def definition(context: list[str], change: list[str]) -> str:
    """A definition in which the option `with` makes a change."""
    lines = ["[options.context]", 'values = ["on"]', *(f"on.{line}" for line in context)]
    return BASE + "\n".join([*lines, "[options.with]", 'values = ["off", "on"]', *(f"on.{line}" for line in change)])


def told(context: list[str], change: list[str], language: str, *, change_made: bool = True) -> dict[str, str]:
    chosen = {"with": "on" if change_made else "off"}
    return Game(definition(context, change), "plain.toml", chosen).localized(language).rules


def known(table: str, path: Path) -> set[str]:
    """The keys that a table may have, as the core names them."""
    path.write_text(definition([TABLES[table]], []), encoding="utf-8")
    [message] = [fault.message for fault in acedrex.check(path) if "expected one of" in fault.message]
    return set(message.partition("expected one of ")[2].split(", "))


# The keys of the format.


def test_every_key_of_the_format_has_a_test_case(tmp_path: Path) -> None:
    """A new key of the format needs a sentence, or an entry among those that state no rule."""
    keys = {f"{table}.{key}" for table in TABLES for key in known(table, tmp_path / "plain.toml")}
    assert CASES.keys() == (keys - OTHERS) | {"zones.*"}
    path = tmp_path / "plain.toml"
    path.write_text("nonsense = 1\n" + BASE, encoding="utf-8")
    [fault] = acedrex.check(path)
    tables = set(fault.message.partition("expected one of ")[2].split(", "))
    assert tables == {table.partition(".")[0] for table in TABLES} | {"game", "zones", "options"}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", CASES)
def test_every_key_changes_the_sentences_of_the_rules(key: str, language: str) -> None:
    without, with_it = (told(*CASES[key], language, change_made=made) for made in (False, True))
    assert with_it != without
    for text in with_it.values():
        assert re.fullmatch(r"[A-ZÉÀ].*\.", text), text
        assert "  " not in text and "{" not in text and "None" not in text


def test_every_rule_has_a_test_case() -> None:
    found = {rule for case in CASES.values() for rule in told(*case, "en")}
    assert found | {"long_step"} == set(KEYS)


def test_the_documentation_lists_every_rule() -> None:
    page = (Path(__file__).parents[1] / "docs" / "format.md").read_text(encoding="utf-8")
    table = page.partition("## Texts of the rules")[2].partition("## ")[0]
    cells = re.findall(r"^\| (`.*?) \|", table, re.MULTILINE)
    assert [key for cell in cells for key in re.findall(r"`(\w+)`", cell)] == sorted(
        KEYS, key=lambda key: table.index(f"`{key}`")
    )


# The sentences.

#: By language: lines of a definition, the rule's key, and its sentence.
SAID = {
    "en": [
        ([], "end", "Checkmating the enemy King wins."),
        ([CAPTURE], "end", "Capturing the enemy King wins. There is no check or checkmate."),
        ([], "stalemate", "A side that is not in check and has no legal move is stalemated: the game is a draw."),
        (['end.stalemate = "loss"'], "stalemate", "A side that has no legal move loses, even if it is not in check."),
        (['end.stalemate = "win"'], "stalemate", "A side that is not in check and has no legal move wins."),
        (['end.checkmate = "win"'], "end", "The side whose King is checkmated wins."),
        (['end.royals = "last"'], "end", "Only the last one can be checkmated."),
        ([EXTINCT], "conditions", "A side that has no Queen left loses."),
        ([EXTINCT.replace("Q", "Q R")], "conditions", "A side that has no piece left of one of these kinds: Queen and"),
        (
            [EXTINCT.replace('"Q"', '"all", at_most = 1, against = 2, answer = true')],
            "conditions",
            "A side that has no more than one of its pieces left, while the other side has at least two loses. But the",
        ),
        ([REACH], "conditions", "A side that has a piece on e8 (e1 for Black) wins."),
        (
            [REACH.replace('"e8"', '"last rank", pieces = "K", side = "white"')],
            "conditions",
            "White wins when it has a King on rank 8.",
        ),
        (
            [REACH.replace('"e8"', '"rank 7", side = "black"')],
            "conditions",
            "Black wins when it has a piece on rank 2.",
        ),
        ([REACH.replace('reach = "e8"', "checks = 3")], "conditions", "A side that has given check three times wins."),
        (["turn.must_capture = true"], "must_capture", "A side that can capture must capture."),
        (["end.repetition = [2, 3]", "end.quiet = [0, 0]"], "draws", "has occurred twice, the side to move may claim"),
        (
            ["end.quiet = [33, 0]"],
            "draws",
            "After 33 moves (counting both sides) without a capture or a move by a Pawn,",
        ),
        (
            ["end.quiet = [0, 20]"],
            "draws",
            "After ten moves by each side without a capture or a move by a Pawn, the game",
        ),
        (
            [STEPS],
            "double_step",
            "From any rank a Pawn may move two squares straight forward if nothing is in the way.",
        ),
        (
            ['pieces.P.move = "fmWfcFifmnnW3"'],
            "long_step",
            "From its starting square a Pawn may move up to three squares",
        ),
        (['pieces.N.move = "NifmD"'], "double_step", "a Knight may move two squares straight forward, over any piece"),
        (
            ['pieces.N.move = "NiA"'],
            "double_step",
            "From its starting square a Knight may also move as iA (Betza notation).",
        ),
        (
            ['pieces.N.move = "NiC"'],
            "first_move",
            "From its starting square a Knight may also move as iC (Betza notation).",
        ),
        ([FROM], "extra_moves", "From rank 1 (rank 8 for Black) a Knight may also move as mD (Betza notation)."),
        ([PROMOTES], "promotion", "A Pawn must promote on the last rank, to a Queen or Knight."),
        ([PROMOTES, 'promotion = { at = "", optional = "" }'], "promotion", "No piece can promote."),
        ([PROMOTES, "promotion.limit = { Q = 2 }"], "promotion", "promote to a Queen only if it then has at most two."),
        (["pieces.N.move = ''"], "extra_moves", "A Knight never moves."),
        (["pieces.N.turned = true"], "extra_moves", "A Knight has the same left and right for both players"),
        (['end.stalemate = "fewer pieces win"'], "stalemate", "the side with fewer pieces wins; with as many"),
        (['end.progress = "N"'], "draws", "a move by a Knight"),
        (
            ['pieces.N.promotion = [{ to = "Q R", optional = "ranks 6-8", from = "ranks 1-5", by = "capture" }]'],
            "promotion",
            "A Knight may promote on ranks 6-8 (ranks 1-3 for Black), to a Queen or Rook, coming from ranks 1-5 "
            "(ranks 4-8 for Black), by a capture.",
        ),
        (
            ['pieces.N.promotion = [{ to = "Q", at = "a8", optional = "b8", by = "quiet", side = "black" }]'],
            "promotion",
            "A Knight may promote on b1 and must promote on a1, to a Queen, without a capture, for Black only.",
        ),
        (
            [PROMOTES, 'promotion = { at = "", optional = "rank 7" }'],
            "promotion",
            "may promote on rank 7 (rank 2 for Black), to",
        ),
        (
            ['royal_jump.to = "DA"'],
            "jump",
            "exactly two squares away (in a straight line or diagonally), even over a piece.",
        ),
        (['royal_jump.to = "fD"'], "jump", "(in files and ranks forward: (0, 2))"),
        (['royal_jump.to = "fD"'], "jump", "Neither the square it lands on nor the square in between may be attacked."),
        ([CAPTURE, COMMAND], "command", "Each move must be commanded by a King within three squares of the piece,"),
        ([CAPTURE, COMMAND.replace("3", "1")], "command", "commanded by a King next to the piece that has not"),
        ([CAPTURE, COMMAND.replace("3", "0")], "command", "Only a King may move, and each only once per turn."),
        (
            ['pieces.R.sees = "B"'],
            "facing",
            "A Rook also attacks the enemy King as B (Betza notation), but can capture nothing",
        ),
        (["turn.may_pass = true"], "pass", "A player who is not in check may pass instead of moving."),
        ([SETUP], "setup", "Before the game, the Knight and Bishop are placed on b1 and c1 in any order."),
        ([TWO, "turn.first_turn = 1"], "first_turn", "White's first turn has only one move."),
        ([CAPTURE, 'turn.moves = "royals"'], "turn", "Each side makes one move per turn for each King it has."),
    ],
    "fr": [
        ([], "end", "Faire échec et mat gagne la partie. Pièce royale\N{NO-BREAK SPACE}: King."),
        (
            [PROMOTES],
            "promotion",
            "Pawn\N{NO-BREAK SPACE}: promotion obligatoire sur la dernière rangée, en Queen ou Knight.",
        ),
        (
            [],
            "draws",
            "Quand une position s\N{RIGHT SINGLE QUOTATION MARK}est produite trois fois, le camp au trait",
        ),
        ([], "draws", "Après 50 coups de chaque camp sans prise ni coup de Pawn, le camp au trait"),
        (
            [FROM],
            "extra_moves",
            "Knight\N{NO-BREAK SPACE}: depuis la rangée 1 (la rangée 8 pour les Noirs), déplacement",
        ),
    ],
}


@pytest.mark.parametrize(
    ("language", "context", "key", "sentence"), [(lang, *each) for lang in SAID for each in SAID[lang]]
)
def test_rules_are_stated_in_the_expected_sentences(language: str, context: list[str], key: str, sentence: str) -> None:
    assert sentence in told(context, [], language)[key]


def test_rules_that_do_not_apply_have_no_sentence() -> None:
    plain = told([], [], "en")
    assert list(plain) == ["end", "stalemate", "draws"]
    # A turn of one move has no command; whoever may pass is never stalemated; no piece captures en passant.
    assert list(told([CAPTURE, COMMAND.replace("2", "1")], [], "en")) == ["end", "stalemate", "draws"]
    assert "stalemate" not in told(["turn.may_pass = true"], [], "en")
    assert "en_passant" not in told(['pieces.P.move = "fmWfcFfmnnD"'], [], "en")


@pytest.mark.parametrize(
    ("fen", "square", "sentence"),
    [
        (None, "a1", "This piece is blocked: there is no square that it can go to."),
        ("4k3/4r3/8/8/8/8/4N3/4K3 w - - 0 1", "e2", "Every move of this piece would leave the King in check."),
        (None, "b1", None),
    ],
)
def test_the_reason_why_a_piece_cannot_move_is_given(fen: str | None, square: str, sentence: str | None) -> None:
    board = Board("chess", fen)
    assert board.why_idle(parse_square(square)) == sentence


@pytest.mark.parametrize(
    ("command", "moves", "square", "sentence"),
    [
        ((0, "true"), [], "a4", "Out of command: only a royal piece (Chieftain) may move."),
        ((1, "true"), [], "a4", "there is no Chieftain next to it that has not commanded a move in this turn."),
        ((1, "false"), ["c2c3"], "c1", "Out of command: it has already commanded a move in this turn."),
        ((3, "true"), [], "b5", "there is no Chieftain within 3 squares that has not commanded a move in this turn."),
        ((3, "true"), ["c2c3"], "c3", "This piece has already moved in this turn."),
    ],
)
def test_the_reason_why_a_piece_is_out_of_command_is_given(
    command: tuple[int, str], moves: list[str], square: str, sentence: str
) -> None:
    source = acedrex.load("chieftain").source.replace('id = "chieftain"', 'id = "ours"')
    source = re.sub(r"\[options\.command_range\].*(?=\[options\.pass\])", "", source, flags=re.DOTALL)
    source = source.replace("{ range = 3, royals = true }", "{{ range = {}, royals = {} }}".format(*command))
    board = Board(Game(source, "ours.toml"))
    for move in moves:
        board.push_uci(move)
    assert sentence in (board.why_idle(parse_square(square)) or "")


# Authors' texts.


@pytest.mark.parametrize("key", KEYS)
def test_an_authors_text_replaces_the_generated_sentence(key: str) -> None:
    cases = [case for case in CASES.values() if key in told(*case, "en")] or [(['pieces.P.move = "fmWfcFifmnnW3"'], [])]
    context, change = cases[0]
    text = f'[game]\nrules.{key} = "My own words."\n' + definition(context, change).replace("[game]\n", "", 1).lstrip()
    game = Game(text, "plain.toml", {"with": "on"})
    assert game.rules[key] == "My own words."
    assert list(game.rules).count(key) == 1
    assert game.rule_titles.keys() == game.rules.keys()


def test_a_text_for_a_zone_replaces_its_sentence() -> None:
    zones = ['zones = { home = "ranks 1-4", far = "ranks 2-8" }', 'pieces.B.within = "home"']
    assert "A Bishop cannot leave ranks 1-4 (ranks 5-8 for Black)." in told(zones, [], "en")["zones"]
    named = [*zones, 'game.rules.home = "Bishops stay at home."']
    assert "zones" not in told(named, [], "en")


def test_sentences_keep_their_order_among_authors_texts() -> None:
    texts = ['game.rules = { manners = "Be kind.", stalemate = "A draw.", values = "Guesses." }', PROMOTES]
    assert list(told(texts, [], "en")) == ["manners", "promotion", "end", "stalemate", "values", "draws"]


@pytest.mark.parametrize("name", GAMES)
def test_shipped_games_have_texts_for_all_their_rules(name: str) -> None:
    """Only the goal may have a generated sentence; any other means that a text is missing or under a wrong key."""
    text = tomllib.loads((Path(__file__).parents[1] / "games" / f"{name}.toml").read_text(encoding="utf-8"))
    assert acedrex.load(name).rules.keys() - text["game"]["rules"].keys() <= {"end"}


# Where they are shown.


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_page_prints_every_rule_once(language: str) -> None:
    game = Game(definition([], [STEPS, PROMOTES, TWO]), "plain.toml", {"with": "on"}).localized(language)
    page = " ".join(" ".join(rules.Page(game, PLAIN, 80).lines()).split())
    for key, text in game.rules.items():
        assert page.count(" ".join(text.split())) == 1, key


def test_the_server_sends_every_rule() -> None:
    catalogue = pytest.importorskip("acedrex.server.games.catalogue")
    game = Game(definition([], [TWO]), "plain.toml", {"with": "on"})
    texts = {rule.key: (rule.title, rule.text) for rule in catalogue._details(game, None, game.source, "file").rules}
    assert texts == {key: (game.rule_titles[key], text) for key, text in game.rules.items()}
    assert texts["turn"][0] == "Turn"


# Languages.


def said(language: str) -> dict[str, dict[str, str]]:
    """What programs say about games, by table and key."""
    return tomllib.loads((LOCALE / f"{language}.toml").read_text(encoding="utf-8"))


def test_every_rule_has_a_title_in_every_other_language() -> None:
    for language in LANGUAGES[1:]:
        assert set(KEYS) <= said(language)["titles"].keys()


def test_french_sentences_follow_french_typography() -> None:
    for name, text in (said("fr")["rules"] | said("fr")["ending"] | said("fr")["idle"]).items():
        assert re.findall(r".{,20}[^\u00a0][:;?!»]|«[^\u00a0].{,20}|.{,20}'", text) == [], name


def test_names_get_the_right_article() -> None:
    for name, told in (("Eagle", "An Eagle"), ("Unicorn", "A Unicorn"), ("Urus", "An Urus"), ("Man", "A Man")):
        text = BASE.replace('"Knight", move = "N"', f'"{name}", move = "NiA"')
        assert f"{told} ".lower() in Game(text, "plain.toml").rules["double_step"].lower()
