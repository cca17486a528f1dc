"""Features that Acedrex lacks or names differently, and misspelt keys, are refused with advice on what to write."""

from __future__ import annotations

import re
import string
from pathlib import Path

import pytest

from tests.plain_game import BASE, fault, faults


def with_move(move: str) -> str:
    return BASE.replace('move = "N"', f'move = "{move}"')


# Keys.

#: Keys that people and other programs write, and the feature that Acedrex says it lacks.
ABSENT = {
    "drops": "no drops",
    "pieceDrops": "no drops",
    "hand": "no drops",
    "hands": "no drops",
    "pocket": "no drops",
    "capturesToHand": "no drops",
    "crazyhouse": "no drops",
    "gating": "no gating",
    "seirawanGating": "no gating",
    "duckGating": "no walls",
    "walls": "no walls",
    "hexagonal": "only flat boards",
    "wrap": "wrap around",
    "cylinder": "wrap around",
    "cylindrical": "wrap around",
    "toroidal": "wrap around",
    "players": "two players",
    "atomic": "no explosions",
    "explosion": "no explosions",
    "blastOnCapture": "no explosions",
    "chasingRule": "no rules against perpetual chase",
    "countingRule": "counts no material",
    "friendly_fire": "no captures of own pieces",
    "rifle": "only captures on the square",
    "fog_of_war": "hides nothing",
    "dice": "no chance",
}
#: Keys that the format replaces with something else, and what it says to use.
ELSEWHERE = {
    "pass": "turn.may_pass = true",
    "passOnStalemate": "turn.may_pass = true",
    "doubleStep": 'move = "fmWfceFifmnnD"',
    "enPassantRegion": '"nn" and "e" in a piece\'s move',
    "castlingKingsideFile": "[[castling]]",
    "chess960": "[setup]",
    "flyingGeneral": 'sees = "fR"',
    "mobilityRegionWhiteRook": "[zones]",
    "stalemateValue": "[end] has goal, stalemate",
    "nFoldRule": "[end] has goal, stalemate",
    "nMoveRule": "[end] has repetition and quiet",
    "startFen": "game.start",
    "pieceDemotion": "own promotion = [{ ... }]",
    "piecePromotionOnCapture": "own promotion = [{ ... }]",
    "holes": "game.start marks holes",
    "maxFile": "game.board",
    "pawnTypes": "promotes_to",
    "moves_per_turn": "[turn]",
    "inventor": "author, year and link",
    "checks_to_win": "end.conditions = [{ checks = 3 }]",
    "checkCounting": "end.conditions = [{ checks = 3 }]",
    "three_check": "end.conditions = [{ checks = 3 }]",
    "flag": "end.conditions = [{ reach",
    "flagPiece": "end.conditions = [{ reach",
    "campmate": "end.conditions = [{ reach",
    "king_of_the_hill": "end.conditions = [{ reach",
    "mustCapture": "turn.must_capture = true",
    "antichess": "turn.must_capture = true",
    "extinctionPieceTypes": "end.conditions = [{ extinct",
    "checkmateValue": 'end.checkmate = "win"',
    "checking": "turn.may_check = false",
    "perpetualCheckIllegal": 'end.perpetual_check = "loss"',
}


@pytest.mark.parametrize("key", ABSENT)
def test_keys_of_unsupported_features_are_refused_with_advice(key: str, tmp_path: Path) -> None:
    for text, full in (
        (BASE.replace("[game]", f"[game]\n{key} = true"), f"game.{key}"),
        (f"{key} = 3\n" + BASE, key),
        (f"{BASE}[{key}]\nx = 1\n", key),
        (f'{BASE}[end]\n{key} = ["a"]\n', f"end.{key}"),
    ):
        told = fault(tmp_path, text)
        assert f": {full}: Acedrex " in told
        assert ABSENT[key] in told
        assert re.search(r"; [^;]+$", told), "says what to do"


@pytest.mark.parametrize("key", ELSEWHERE)
def test_keys_of_other_programs_are_refused_with_the_key_to_use(key: str, tmp_path: Path) -> None:
    told = fault(tmp_path, f"{key} = 3\n" + BASE)
    assert f": {key}: unknown key here; " in told
    assert ELSEWHERE[key] in told


def test_values_of_unsupported_features_are_refused(tmp_path: Path) -> None:
    assert "no explosions" in fault(tmp_path, f'{BASE}[end]\ngoal = "atomic"\n')
    assert "wrap around" in fault(tmp_path, BASE.replace('"8x8"', '"8x8 cylinder"'))
    assert '"checkmate" or "capture all royals" or "conditions" was expected' in fault(
        tmp_path, f'{BASE}[end]\ngoal = "win"\n'
    )


def test_sizes_beyond_the_limits_are_refused(tmp_path: Path) -> None:
    for size in ("17x8", "8x17", "100x100", "2x8", "8x0"):
        told = fault(tmp_path, BASE.replace('"8x8"', f'"{size}"'))
        assert f'"{size}": Acedrex has boards from 3x3 to 16x16; choose a size between' in told
    kinds = "".join(f"\"{a}{b}\" = {{ move = 'W' }}\n" for a in string.ascii_uppercase for b in ("'", "!"))
    kinds += "".join(f"{a} = {{ move = 'W' }}\n" for a in string.ascii_uppercase if a not in "KQRBNP")
    told = "\n".join(map(str, faults(tmp_path, BASE + kinds)))
    assert "78 piece types; Acedrex has at most 60 in a game, so leave some out" in told


def test_misspelt_keys_get_a_suggestion(tmp_path: Path) -> None:
    for wrong, right in (
        ("[end]\ngoall = 1\n", "goal"),
        ("[turn]\nonce_eech = true\n", "once_each"),
        ("[promotion]\nlimits = 3\n", "limit"),
        ("[promotoin]\n", "promotion"),
    ):
        told = fault(tmp_path, BASE + wrong)
        assert "unknown key; expected one of " in told
        assert told.endswith(f'; did you mean "{right}"?')
    told = fault(tmp_path, BASE.replace('name = "Pawn"', 'promote_to = "Q"'))
    assert told.endswith('; did you mean "promotes_to"?')


# Betza notation.

#: Moves in other dialects of the notation, the character that is refused, and what to write instead.
LETTERS = {
    "N@": ("@", "put every piece on the board in game.start"),
    "@": ("@", "put every piece on the board in game.start"),
    "N*": ("*", "write N0 or NN"),
    "W*": ("*", "W3 for up to three steps"),
    "L": ("L", "write C"),
    "J": ("J", "write Z"),
    "O2": ("O", "use [[castling]]"),
    "U": ("U", "leave it out"),
    "FX": ("X", "(1,4)"),
    "I": ("I", "leave it out"),
    "jD": ("j", "[pW-fW]"),
    "zB": ("z", "[F?lF?rF]"),
    "qN": ("q", "[F?lF?rF]"),
    "oR": ("o", "leave it out"),
    "fhN": ("h", "flN"),
    "dK": ("d", "pieces capture any enemy"),
    "kR": ("k", 'sees = "..."'),
    "udQ": ("u", "[F?fsR]"),
    "t[FR]": ("t", "[F?fsR]"),
    "xN": ("x", "[F?fsR]"),
    "3W": ("3", "the number goes after the atom, as in W3"),
    "R N": (" ", "write the parts one after the other"),
    "R,N": (",", "write the parts one after the other"),
    "[..]": (".", "write the parts one after the other"),
    "[W.F]": (".", "write the parts one after the other"),
    "W)": (")", "write one of W F D A H N C Z G"),
    "[W-{fF}]": ("{", "legs in brackets"),
}


@pytest.mark.parametrize("move", LETTERS)
def test_letters_of_other_betza_dialects_are_refused_with_advice(move: str, tmp_path: Path) -> None:
    letter, instead = LETTERS[move]
    told = fault(tmp_path, with_move(move))
    assert f"pieces.N.move: \"{move}\", character {move.index(letter) + 1}: '{letter}', elsewhere " in told
    assert ", is not supported; " in told
    assert instead in told


def test_letters_of_no_betza_dialect_are_refused(tmp_path: Path) -> None:
    assert "unknown atom 'V'; expected one of W F D A H N C Z G K R B Q ( or [" in fault(tmp_path, with_move("V"))
    assert "unknown modifier" not in fault(tmp_path, with_move("qN"))
    assert "unknown sign 'F'; expected one of - ? or ], which end a leg" in fault(tmp_path, with_move("[WF]"))


@pytest.mark.parametrize("move", ["C", "Z", "(1,4)", "N0", "NN", "W3", "RN", "[W-fD]", "[pW-fW]", "[F?lF?rF]", "flN"])
def test_the_suggested_moves_are_valid(move: str, tmp_path: Path) -> None:
    assert faults(tmp_path, with_move(move)) == []
