"""Games: loading, options, setups, pieces, rules hashes."""

from __future__ import annotations

import copy
import itertools
import json
import os
import pickle
import re
import subprocess
import sys
from pathlib import Path

import pytest

import acedrex
from acedrex import Board, Game, Piece, _native
from acedrex.game import FEATURED

#: Every shipped game and each other value of its options. PGN, matches, studies and networks know their rules by these
#: hashes: they may change only when the rules of the game change, and then the changelog says so. They must not change
#: with names, help texts, values or drawings, with the code that reads definitions, or with rules that came later.
RULES_HASHES: dict[str, str] = json.loads((Path(__file__).parent / "data" / "rules_hashes.json").read_text())
SETUPS = {"metamachy": ("QKLG", 24), "zanzibar-s": ("QKLG-FU", 48), "maasai": ("UFDO-QKGL", 288)}
#: Lines of a definition that people read and no rule depends on.
FOR_PEOPLE = r'^(name|author|link|summary|help|art|story) = "[^"\n]+"$'

SWITCHED = """
[game]
id = "switched"
name = "A {name}"
board = "3x3"
start = "2k/3/K2 w - - 0 1"
[pieces.K]
name = "King"
move = "{move}"
royal = true
help = "{help}"
[options.fast]
default = "off"
values = ["off", "on"]
on.pieces.K.move = "KD"
[options.tie]
values = ["draw", "loss"]
set = "end.stalemate"
"""


def every_spec() -> list[str]:
    """Every shipped game, with the default options and with each other value of one option."""
    specs = acedrex.games()
    for game in acedrex.games():
        for option in acedrex.load(game).options.values():
            specs += [f"{game}:{option.name}={value}" for value in option.values if value != option.default]
    return specs


def test_the_featured_games_and_the_examples_of_the_format_are_shipped() -> None:
    names = acedrex.games()
    assert names == sorted(names)
    proofs = ["chess", "capablanca", "grand", "shako", "xiangqi", "knightmate", "marseillais", "terachess"]
    assert {*FEATURED, *proofs} <= set(names)
    assert max(len(acedrex.load(name).pieces) for name in names) > 26


@pytest.mark.parametrize("game", acedrex.games())
def test_a_shipped_game_has_complete_metadata(game: str) -> None:
    loaded = acedrex.load(game)
    assert loaded.id == game
    for text in (loaded.name, loaded.author, loaded.link, loaded.summary, loaded.story, *loaded.rules.values()):
        assert text.strip()
    assert loaded.link.startswith("http")
    assert loaded.year is None or 1000 < loaded.year < 2030
    assert all(option.help for option in loaded.options.values())
    assert repr(loaded) == f"<Game {game}: {loaded.name}, {loaded.files}x{loaded.ranks}>"
    assert Board(loaded).fen() == loaded.start_fen
    assert loaded.has_check == (game != "chieftain")
    assert loaded.turns_of_several_moves == (game in {"chieftain", "marseillais"})


@pytest.mark.parametrize("game", acedrex.games())
def test_every_piece_has_complete_data_and_a_diagram(game: str) -> None:
    loaded = acedrex.load(game)
    letters = [piece.letter for piece in loaded.pieces]
    assert len(set(letters)) == len(letters)
    assert [piece.id for piece in loaded.pieces] == list(range(len(letters)))
    assert sum(piece.royal for piece in loaded.pieces) == 1
    for piece in loaded.pieces:
        assert re.fullmatch("[A-Z]['!]?", piece.letter)
        assert loaded.piece(piece.letter) is piece
        assert piece.name
        assert piece.help
        assert piece.move
        assert set(piece.promotes_to) < set(letters)
        assert all(value > 0 for value in piece.values.values())
        diagram = loaded.diagram(piece.letter)
        assert diagram.reach
        inside = {file + 16 * rank for file in range(diagram.files) for rank in range(diagram.ranks)}
        assert {diagram.origin, *diagram.others} | {reach.to for reach in diagram.reach} <= inside
        assert all(reach.path[-1] == reach.to == reach.legs[-1] for reach in diagram.reach)
        assert {reach.mount for reach in diagram.reach if reach.kind == "hop"} <= set(diagram.others)


@pytest.mark.parametrize("letter", ["", "k", "?", "KK", "é", "\0", "K" * 10_000], ids=lambda letter: repr(letter[:3]))
def test_an_unknown_letter_raises_a_short_printable_error(letter: str) -> None:
    game = acedrex.load("menagerie")
    for ask in (game.piece, game.diagram):
        with pytest.raises(acedrex.Error) as caught:
            ask(letter)
        assert len(str(caught.value)) < 500
        assert str(caught.value).isprintable()


def test_the_case_of_a_symbol_gives_the_side() -> None:
    assert Piece.from_symbol("k") == Piece("K", color=False)
    pieces = [Piece(piece.letter, color) for piece in acedrex.load("menagerie").pieces for color in (True, False)]
    assert [Piece.from_symbol(piece.symbol()) for piece in pieces] == pieces
    assert [Piece("R'", color).symbol() for color in (True, False)] == ["R'", "r'"]


def test_soldiers_colour_bound_pieces_and_promotions_are_derived_correctly() -> None:
    maasai = acedrex.load("maasai")
    assert {piece.letter for piece in maasai.pieces if piece.is_soldier} == {"P", "A"}
    assert {piece.letter for piece in maasai.pieces if piece.is_color_bound} == {"B", "V", "E", "M"}
    assert maasai.piece("I").promotes_to == list("QGLODUF")
    assert acedrex.load("magi").piece("P").extra_moves != []
    assert acedrex.load("metamachy").piece("G").values == {"inventor": 8.0, "zillions": 7.8, "acedrex": 9.9}


def test_options_can_be_given_in_every_form() -> None:
    wanted = acedrex.load("magi", classic_ep="on", scoring="four_points")
    forms = [
        acedrex.load("magi:classic_ep=on,scoring=four_points"),
        acedrex.load("magi: scoring = four_points , classic_ep"),
        acedrex.load("magi:scoring=four_points", classic_ep=True),
        acedrex.load(acedrex.load("magi:scoring=four_points"), classic_ep=True),
        acedrex.load(wanted),
        acedrex.load(wanted.spec),
        Board("magi:classic_ep", scoring="four_points").game,
    ]
    assert [(form == wanted, form.spec) for form in forms] == [(True, wanted.spec)] * len(forms)
    assert wanted.chosen_options == {"classic_ep": "on", "scoring": "four_points"}
    assert wanted.options["scoring"].chosen == "four_points" != wanted.options["scoring"].default
    assert acedrex.load("chieftain", command_range=2) == acedrex.load("chieftain:command_range=2")
    assert acedrex.load("magi:classic_ep=on", classic_ep=False) == acedrex.load("magi")
    assert acedrex.load("magi:classic_ep=off").spec == "magi"


BAD_SPECS = [
    *["", ":", "nosuch", "Magi", "magi.", " magi", "magi:nosuch", "magi:nosuch=on", "magi:=", "magi:scoring"],
    *["magi:scoring=", "magi:scoring=5", "magi:classic_ep=1", "magi:scoring=Classic", "chess:classic_ep=on"],
    *["chieftain:command_range=16", "chieftain:command_range=0", "chieftain:command_range=99999999999999999999"],
    *["\0", "magi:scoring=\0", "magi:\x1b[31m=on", "x" * 100_000, "magi:" + "x" * 100_000, "é" * 60, "magi:a=b=c"],
]


@pytest.mark.parametrize("spec", BAD_SPECS, ids=lambda spec: repr(spec[:20]))
def test_an_unknown_game_option_or_value_is_refused_with_the_known_ones(spec: str) -> None:
    with pytest.raises(acedrex.DefinitionError) as caught:
        acedrex.load(spec)
    message = str(caught.value)
    assert len(message) < 700
    assert message.isprintable()
    assert any(word in message for word in ("there are", "has none", "expected"))
    assert caught.value.faults[0].message in message


def test_files_are_loaded_by_path_and_missing_ones_raise_os_error(tmp_path: Path) -> None:
    path = tmp_path / "switched.toml"
    path.write_text(SWITCHED.format(name="b", move="K", help="h"))
    assert acedrex.load(path) == acedrex.load(str(path))
    assert acedrex.load(f"{path}:fast=on").spec == "switched:fast=on"
    assert acedrex.load(path, fast=True) != acedrex.load(path)
    for missing in (tmp_path / "no.toml", tmp_path, tmp_path / "no" / "no.toml", str(tmp_path) + os.sep):
        with pytest.raises(OSError, match=re.escape(tmp_path.name)):
            acedrex.load(missing)
    with pytest.raises(OSError, match=r"no\.toml"):
        acedrex.check(tmp_path / "no.toml")
    plain = tmp_path / "without-ending"
    plain.write_text(path.read_text())
    assert acedrex.load(plain) == acedrex.load(path)


def test_a_changed_file_is_read_again(tmp_path: Path) -> None:
    path = tmp_path / "switched.toml"
    path.write_text(SWITCHED.format(name="b", move="K", help="h"))
    before = acedrex.load(path)
    path.write_text(SWITCHED.format(name="b", move="KN", help="h"))
    assert acedrex.load(path) != before


@pytest.mark.parametrize("spec", every_spec())
def test_a_game_is_restored_from_its_spec_a_pickle_or_a_copy(spec: str) -> None:
    game = acedrex.load(spec)
    assert game.spec == spec
    for other in (acedrex.load(game.spec), pickle.loads(pickle.dumps(game)), copy.deepcopy(game), copy.copy(game)):
        assert (other == game, hash(other) == hash(game), other.rules_hash) == (True, True, game.rules_hash)
        assert (other.spec, other.pieces, other.options) == (game.spec, game.pieces, game.options)


def test_games_with_different_rules_are_unequal() -> None:
    games = [acedrex.load(spec) for spec in every_spec()]
    # A range of fifteen squares reaches everywhere.
    assert games.pop([game.spec for game in games].index("chieftain:command_range=15")) in games
    assert len({game.rules_hash for game in games}) == len(set(games)) == len(games)
    assert games[0] != games[0].id


@pytest.mark.parametrize("spec", every_spec())
def test_the_rules_hash_of_a_shipped_game_has_not_changed(spec: str) -> None:
    assert acedrex.load(spec).rules_hash == RULES_HASHES[spec]


@pytest.mark.parametrize(
    ("table", "defaults"),
    [
        ("promotion", ["limit = 'none'", "at = 'a3-c3'", "optional = ''"]),
        ("en_passant", ["left = ''"]),
        ("turn", ["moves = 1", *(f"{key} = false" for key in ("may_end", "may_pass", "once_each", "ends_on_check"))]),
        ("end", ["goal = 'checkmate'", "scoring = 'classic'", "dead_positions = true"]),
        ("end", ["repetition = [3, 5]", "quiet = [100, 150]", "bare_king = {}"]),
        ("pieces.K", ["from = []", "value = 5"]),
    ],
)
def test_the_rules_hash_ignores_a_key_that_has_its_default(table: str, defaults: list[str]) -> None:
    text = SWITCHED.format(name="b", move="K", help="h")
    before = Game(text, "x.toml").rules_hash
    for default in defaults:
        key = default.partition(" = ")[0]
        changed = (
            text.replace("royal = true", f"royal = true\n{default}")
            if "." in table
            else f"{text}[{table}]\n{default}\n"
        )
        assert Game(changed, "x.toml").rules_hash == before, key


@pytest.mark.parametrize("game", acedrex.games())
def test_the_rules_hash_ignores_names_and_texts(game: str) -> None:
    loaded = acedrex.load(game)
    source = loaded.source.replace(f'id = "{game}"', 'id = "plain"')
    plain, changed = re.subn(FOR_PEOPLE, r'\1 = "https://another.text"', source, flags=re.MULTILINE)
    assert changed > 3
    assert Game(plain, "plain.toml").rules_hash == loaded.rules_hash


def test_the_rules_hash_changes_with_each_rule_and_only_with_a_rule() -> None:
    def hashed(old: str = "", new: str = "", **options: object) -> str:
        text = SWITCHED.format(name="b", move="K", help="h")
        assert old in text
        return Game(text.replace(old, new) if old else text, "x.toml", options).rules_hash

    same = [("A b", "Another"), ('"h"', '"other help"'), ('id = "switched"', 'id = "other"'), ("tie", "swift")]
    assert {hashed(*change) for change in same} == {hashed()}
    other = [
        ('move = "K"', 'move = "W"'),
        ("2k/3/K2 w", "2k/3/K2 b"),
        ("2k/3", "1k1/3"),
        ("[options.fast]", "[end]\nrepetition = [2, 5]\n[options.fast]"),
        ("[options.fast]", "[end]\ndead_positions = false\n[options.fast]"),
        ("[options.fast]", "[turn]\nmoves = 2\nends_on_check = true\n[options.fast]"),
        ("[options.fast]", '[royal_jump]\nto = "A"\n[options.fast]'),
    ]
    changed = [hashed(*change) for change in other] + [hashed(), hashed(fast=True)]
    assert len(set(changed)) == len(changed)


OLD_NAMES = """
[game]
id = "old"
name = "Old"
extends = "chieftain"

[turn]
plies = 3

[options.short]
help = "h"
default = "off"
values = ["off", "on"]
on.turn.plies = 2

[options.count]
help = "h"
set = "turn.plies"
default = 3
values = [3, 4]
"""


def test_definitions_with_old_key_names_are_still_read() -> None:
    now = OLD_NAMES.replace("plies", "moves")
    for options in ({}, {"short": "on"}, {"count": 4}):
        assert Game(OLD_NAMES, "x.toml", options).rules_hash == Game(now, "x.toml", options).rules_hash
    assert len({Game(OLD_NAMES, "x.toml", {"count": count}).rules_hash for count in (3, 4)}) == 2
    removed = now.replace('"chieftain"', '"marseillais"\nremove = ["turn.{key}"]').replace("[turn]\nmoves = 3\n", "")
    assert (
        Game(removed.format(key="plies"), "x.toml").rules_hash == Game(removed.format(key="moves"), "x.toml").rules_hash
    )
    with pytest.raises(acedrex.DefinitionError, match=r"turn\.plies: unknown key"):
        Game(OLD_NAMES.replace("plies = 3", "plies = 3\nmoves = 3"), "x.toml")


def test_loading_does_not_depend_on_the_hash_seed() -> None:
    code = (
        "import acedrex\nfor name in acedrex.games():\n board = acedrex.Board(name)\n"
        " print(name, board.game.rules_hash, board.key, board.game.options, *board.legal_moves, board.playout(3, 50))"
    )
    runs = {
        subprocess.run(
            [sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True
        ).stdout
        for seed in ("1", "2")
    }
    assert len(runs) == 1
    assert b"maasai" in runs.pop()


@pytest.mark.parametrize("game", SETUPS)
def test_setups_are_a_lazy_sequence_in_alphabetical_order(game: str) -> None:
    default, count = SETUPS[game]
    setups = acedrex.load(game).setups
    names = list(setups)
    assert len(setups) == len(names) == len(set(names)) == count
    assert names == sorted(names)
    assert default in setups
    assert [setups.number(name) for name in names] == list(range(1, count + 1))
    assert [setups.index(name) for name in names] == list(range(count))
    assert [setups.name(number) for number in range(1, count + 1)] == names
    assert (setups[-1], setups[-count], setups[1:9:3], setups[-2:]) == (names[-1], names[0], names[1:9:3], names[-2:])
    assert list(reversed(setups)) == names[::-1]
    assert setups.count(default) == 1
    assert repr(setups) == f"<{count} setups of {acedrex.load(game).name}>"
    for index in (count, -count - 1, 10**6, 2**70, -(2**70)):
        with pytest.raises(IndexError):
            setups[index]
    for wrong in ("", default[:-1], default + "-", default.lower(), default + "Q", "Q" * 10_000, "\0", "-", None, 1):
        assert wrong not in setups
        if isinstance(wrong, str):
            with pytest.raises(ValueError, match=acedrex.load(game).name):
                setups.number(wrong)
            with pytest.raises(acedrex.Error):
                Board(game, setup=wrong)


@pytest.mark.parametrize("game", SETUPS)
def test_setups_are_exactly_the_allowed_placements_mirrored_by_black(game: str) -> None:
    loaded = acedrex.load(game)
    default, count = SETUPS[game]
    seen = set()
    for number, name in enumerate(loaded.setups, 1):
        board = Board(game, setup=name)
        assert board == Board(game, setup=number)
        assert (board.setup_name(), board.mirror().setup_name()) == (name, name)
        assert board.mirror().fen().split()[0] == board.fen().split()[0]
        assert board.piece_map()[board.king(True)].letter == "K"
        if game == "maasai":
            assert acedrex.square_name(board.king(True)) in {"f2", "g2"}
        seen.add(board.fen())
    assert len(seen) == count
    assert Board(game).setup_name() == default
    assert loaded.start_fen in seen
    # Every arrangement of the free pieces is a setup, except those with the King on a forbidden square.
    groups = [sorted(group) for group in default.split("-")]
    free = itertools.product(*({"".join(order) for order in itertools.permutations(group)} for group in groups))
    wanted = {"-".join(parts) for parts in free}
    if game == "maasai":
        wanted = {name for name in wanted if name.split("-")[1].index("K") in (1, 2)}
    assert wanted == set(loaded.setups)


def test_an_unknown_setup_is_refused() -> None:
    for setup in (0, -1, 289, 10**30, -(10**30), "289", "UFDO", "QKGL-UFDO"):
        with pytest.raises(acedrex.Error, match="Maasai"):
            Board("maasai", setup=setup)
    for setup in (1, "", "QKLG"):
        with pytest.raises(acedrex.Error):
            Board("chess", setup=setup)
    with pytest.raises(acedrex.Error, match="not both"):
        Board("maasai", fen=acedrex.load("maasai").start_fen, setup=1)
    assert (len(acedrex.load("chess").setups), list(acedrex.load("magi").setups)) == (0, [])


def test_a_board_that_is_not_a_setup_has_no_setup_name() -> None:
    board = Board("metamachy")
    board.set_piece_at(acedrex.parse_square("f12"), Piece("G", color=False))
    assert board.setup_name() is None
    assert Board("chess").setup_name() is None


def test_piece_types_and_options_are_hashable() -> None:
    game, again = acedrex.load("magi"), acedrex.load("magi")
    kinds = {kind: kind.letter for kind in game.pieces}
    assert [kinds[kind] for kind in again.pieces] == [kind.letter for kind in game.pieces]
    other = acedrex.load("magi", scoring="four_points").options["scoring"]
    assert {game.options["scoring"], again.options["scoring"], other} == {game.options["scoring"], other}


def test_a_definition_error_lists_its_faults() -> None:
    with pytest.raises(_native.DefinitionError) as caught:
        _native.Game("nonsense", "x.toml", [])
    [fault, *_] = caught.value.faults
    assert isinstance(fault, _native.Fault) and str(fault).startswith("x.toml:1:")


def test_reach_and_fault_behave_as_immutable_records() -> None:
    reach = _native.Reach(2, "hop", None, [1, 2], legs=[2])
    assert repr(reach) == "Reach(to=2, kind='hop', mount=None, path=[1, 2], legs=[2])"
    assert reach == pickle.loads(pickle.dumps(reach)) == copy.deepcopy(reach) != _native.Reach(2, "hop", 1, [2], [2])
    with pytest.raises(_native.Error, match="kind"):
        _native.Reach(2, "jump", None, [], [])  # type: ignore[arg-type]
    with pytest.raises(AttributeError):
        reach.to = 3  # type: ignore[misc]
    fault = _native.Fault("x.toml", 1, 2, "game.id", "it's missing")
    assert repr(fault) == """Fault(file='x.toml', line=1, column=2, key='game.id', message="it's missing")"""
    assert {fault: str(fault)} == {pickle.loads(pickle.dumps(fault)): "x.toml:1:2: game.id: it's missing"}
    assert str(_native.Fault("x.toml", 1, 2, "", "it is empty")) == "x.toml:1:2: it is empty"
    match reach, fault:
        case _native.Reach(to, "hop"), _native.Fault(file, line):
            assert (to, file, line) == (2, "x.toml", 1)
        case _:
            pytest.fail("records are taken apart in the order of their fields")
