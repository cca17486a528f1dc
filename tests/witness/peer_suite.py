"""Runs python-chess's own tests against Acedrex and prints what passes: ``python -m tests.witness.peer_suite``.

The tests are not part of this repository: they come from the source distribution of the version that
``benches/rivals/requirements.txt`` pins, into a folder of their own under ``build``. ``shim/`` gives Acedrex the name
of the other library there.
"""

from __future__ import annotations

import argparse
import importlib.util
import io
import logging
import os
import re
import subprocess
import sys
import tarfile
import types
import unittest
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "build" / "peer"
SHIM = Path(__file__).parent / "shim"
#: The classes of tests that have any that concern what Acedrex offers.
CLASSES = ("Square", "Move", "Piece", "Board", "LegalMoveGenerator", "BaseBoard", "SquareSet", "Pgn", "Engine")
#: Modules that Acedrex has no counterpart for, which the file of tests imports.
ABSENT = ("gaviota", "polyglot", "syzygy", "variant")
#: Tests of these classes that concern what Acedrex does not offer, by what that is.
LEFT_OUT = {
    "Chess960": """
        Board.test_xfen Board.test_ninesixty_castling Board.test_hside_rook_blocks_aside_castling
        Board.test_ninesixty_different_king_and_rook_file Board.test_ninesixty_prevented_castle
        Board.test_ninesixty_castling_bug Board.test_from_chess960_pos Board.test_chess960_pos
        Board.test_invalid_castling_rights Board.test_find_move Pgn.test_chess960_without_fen
        Pgn.test_cutechess_fischerrandom Pgn.test_setup""",
    "python-chess's variants": "Board.test_insufficient_material Pgn.test_variants Pgn.test_is_wild",
    "drops, and what was promoted": "Board.test_get_set Move.test_uci_parsing Move.test_xboard_move Move.test_copy",
    "flags of `status`": """
        Board.test_status Board.test_impossible_en_passant Board.test_impossible_check_due_to_en_passant""",
    "opening books": "Board.test_polyglot",
    "bitboards of 64 squares, and what shifts and turns them": """
        Square.test_shifts SquareSet.test_carry_rippler SquareSet.test_flip SquareSet.test_flip_ducktyping
        SquareSet.test_mirror SquareSet.test_int_conversion SquareSet.test_equality""",
    "other distances": "Square.test_square_manhattan_distance Square.test_square_knight_distance",
    "elements inside drawings": "Svg.*",
    "inner parts": "Piece.test_hash LegalMoveGenerator.test_traverse_once Pgn.test_my_game_node",
    "engines, which have an interface of their own": "Engine.*, except for scores",
}
#: Tests of the class of engines that concern scores.
SCORES = ("test_score", "test_score_ordering")


def fetch() -> Path:
    """Return the folder of the unpacked distribution, downloaded if it is not there."""
    pinned = (ROOT / "benches" / "rivals" / "requirements.txt").read_text(encoding="utf-8")
    found = re.search(r"^chess==([\d.]+)", pinned, re.M)
    assert found
    folder = FOLDER / f"chess-{found[1]}"
    if not folder.exists():
        FOLDER.mkdir(parents=True, exist_ok=True)
        options = ["--quiet", "--no-binary", ":all:", "--no-deps", "--dest", FOLDER]
        subprocess.run([sys.executable, "-m", "pip", "download", *options, f"chess=={found[1]}"], check=True)
        with tarfile.open(FOLDER / f"chess-{found[1]}.tar.gz") as archive:
            wanted = re.compile(rf"{folder.name}/(test\.py$|data/pgn/)")
            archive.extractall(FOLDER, [member for member in archive if wanted.match(member.name)], filter="data")
    return folder


def load(folder: Path) -> types.ModuleType:
    """Import the tests, with Acedrex as the library that they test."""
    sys.path.insert(0, str(SHIM))
    import chess

    for name in ABSENT:
        module = sys.modules[f"chess.{name}"] = types.ModuleType(f"chess.{name}")
        vars(module)["MissingTableError"] = LookupError  # named where a class of tests is defined
        setattr(chess, name, module)
    os.chdir(folder)  # where the tests look for their data
    spec = importlib.util.spec_from_file_location("peer_tests", folder / "test.py")
    assert spec and spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def left_out(group: str, name: str) -> bool:
    """Return whether a test concerns something that Acedrex does not offer."""
    listed = {test for tests in LEFT_OUT.values() for test in tests.split()}
    if group == "Engine":
        return name not in SCORES
    return f"{group}.{name}" in listed


def failures(tests: types.ModuleType, group: str) -> Iterator[tuple[str, str | None]]:
    """Yield the tests of a class and why each fails, ``None`` if it passes."""
    for case in unittest.defaultTestLoader.loadTestsFromTestCase(getattr(tests, f"{group}TestCase")):
        assert isinstance(case, unittest.TestCase)
        name = case._testMethodName
        if left_out(group, name):
            continue
        result = unittest.TestResult()
        logging.disable(logging.NOTSET)
        stderr, sys.stderr = sys.stderr, io.StringIO()
        try:
            case.run(result)
        finally:
            sys.stderr = stderr
        wrong = [*result.errors, *result.failures]
        # The line of the test and the last line of the error.
        reason = None
        if wrong:
            lines = wrong[0][1].rstrip().splitlines()
            at = [number for number, line in enumerate(lines) if '/test.py", line' in line][-1]
            last = next(line for line in reversed(lines) if re.match(r"\w[\w.]*(Error|Exception|Interrupt)?\b", line))
            reason = f"{lines[at + 1].strip()[:90]}  ->  {last[:150]}"
        yield name, reason


def main() -> None:
    """Print the table and the failures."""
    argparse.ArgumentParser(description=__doc__).parse_args()
    tests = load(fetch())
    rows, wrong = [], []
    for group in CLASSES:
        told = list(failures(tests, group))
        passed = [name for name, reason in told if reason is None]
        rows.append((f"`{group}TestCase`", len(passed), len(told)))
        wrong += [(group, name, reason) for name, reason in told if reason is not None]
    for group, name, reason in wrong:
        print(f"{group}.{name}: {reason}")
    print("\n| tests of | pass | of |\n|---|---|---|")
    for row in [*rows, ("all", sum(row[1] for row in rows), sum(row[2] for row in rows))]:
        print("| {} | {} | {} |".format(*row))
    print("\nNot counted, because they concern:")
    for what, names in LEFT_OUT.items():
        print(f"- {what}: {' '.join(names.split())}")


if __name__ == "__main__":
    main()
