"""Definitions that could take much time or memory, and damaged ones: none hangs, and none panics."""

from __future__ import annotations

import itertools
import random
import re
import string
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import acedrex
from acedrex import Board, Game
from tests.test_definitions import ALL, BASE


def game(pieces: str, extra: str = "", board: str = "16x16") -> str:
    files, ranks = (int(size) for size in board.split("x"))
    rows = [f"k{files - 1}", *[str(files)] * (ranks - 2), f"{files - 1}K"]
    head = f'[game]\nid = "big"\nboard = "{board}"\nstart = "{"/".join(rows)} w - - 0 1"\n'
    return f'{head}[pieces.K]\nmove = "K"\nroyal = true\n{pieces}\n{extra}'


def eights(groups: str, ranks: int = 16) -> str:
    rows = ["k7", *["ABCDEFGH"] * (ranks - 2), "7K"]
    head = f'[game]\nid = "big"\nboard = "8x{ranks}"\nstart = "{"/".join(rows)} w - - 0 1"\n'
    pieces = "".join(f'[pieces.{letter}]\nmove = "bW"\n' for letter in "ABCDEFGH")
    return f'{head}[pieces.K]\nmove = "K"\nroyal = true\n{pieces}[setup]\ngroups = [{groups}]\n'


def piece(move: str, letter: str = "Q") -> str:
    return f'[pieces."{letter}"]\nmove = "{move}"\n'


def options(count: int, values: int) -> str:
    listed = ",".join(f'"a{number}"' for number in range(values))
    return "".join(f"[options.o{number}]\nvalues=[{listed}]\n" for number in range(count))


GROUP = '{{ squares = "rank {}", pieces = "ABCDEFGH" }}'
#: Definitions that could take much time or memory. Some are valid: these too must be checked quickly.
HEAVY: dict[str, Callable[[], str]] = {
    "10 MB": lambda: BASE + "# " + "x" * 10_000_000,
    "10 MB of one line's value": lambda: 'x = "' + "a" * 10_000_000,
    "64 KiB of brackets": lambda: "x = " + "[" * 65_000,
    "closed brackets": lambda: "x = " + "[" * 30_000 + "]" * 30_000,
    "nested tables": lambda: "x = " + "{a=" * 16_000 + "1" + "}" * 16_000,
    "dotted keys": lambda: ".".join("a" * 32_000) + " = 1",
    "a dotted table": lambda: "[" + ".".join("a" * 32_000) + "]",
    "many unknown keys": lambda: "".join(f"a{number} = 1\n" for number in range(6000)),
    "many TOML errors": lambda: "= \n" * 20_000,
    "many zones": lambda: BASE + "[zones]\n" + "".join(f'z{number} = "all"\n' for number in range(4500)),
    "many bracket moves": lambda: game(
        "".join(piece("[R-sR-sR-sR]", letter + mark) for letter in ALL for mark in "'!")
    ),
    "sliding to and fro": lambda: game(piece("[fR" + "-bR" * 15 + "]")),
    "sliding on and on": lambda: game(piece("[fR" + "-fR" * 15 + "]")),
    "hopping to and fro": lambda: game(piece("[fpR" + "-vpR" * 14 + "-bR]")),
    "stepping round": lambda: game(piece("[W-sW-sW-sW-sW-sW-sW-sW-sW]")),
    "riding round": lambda: game(piece("aaH0aaC0aaZ0aaN0")),
    "thousands of atoms": lambda: game(piece("Q" * 8000)),
    "thousands of ranges": lambda: game(piece("".join(f"[R-fR{n}][B-fB{n}]" for n in range(1, 16)) * 20)),
    "thousands of extra moves": lambda: game(
        piece("N") + "from = [" + ",".join(['{squares="all",move="[Q-Q]"}'] * 1500) + "]"
    ),
    "thousands of castlings": lambda: game("", '[[castling]]\nking="p1 n1"\nrook="a1 o1"\n' * 1000),
    "thousands of jumps": lambda: game("", f'[royal_jump]\nto = "{"DAN" * 2500}"\n'),
    "thousands of promotions": lambda: game(piece("fW") + f'promotes_to = "{"Q" * 8000}"\n'),
    "thousands of removals": lambda: '[game]\nextends = "chess"\nremove = [' + '"pieces.N",' * 4000 + "]\n",
    "a deep removal": lambda: f'[game]\nextends = "chess"\nremove = ["{"a." * 30_000}"]\n',
    "a setup and thousands of castlings": lambda: (
        eights(GROUP.format(2), 5).replace(" w - ", " w K ") + '[[castling]]\nking="h1 f1"\nrook="a1 g1"\n' * 1000
    ),
    "a deep option": lambda: BASE + f'[options.a]\nvalues = ["a"]\nset = "{"a." * 30_000}b"\n',
    "thousands of options": lambda: BASE + options(1500, 1),
    "options with 64 values": lambda: BASE + options(120, 64),
    "options of a large game": lambda: game(piece("[R-sR-sR]") + piece("[B-sB-sB]", "B"), options(8, 64)),
    "options of a game with setups": lambda: eights(GROUP.format(2), 5) + options(8, 64),
    "10^9 setups": lambda: eights(GROUP.format(2) + "," + GROUP.format(3)),
    "10^64 setups": lambda: eights(",".join(GROUP.format(rank) for rank in range(2, 16))),
    "a group a thousand times": lambda: eights(",".join([GROUP.format(2)] * 1000), 5),
    "a group of a hundred squares": lambda: eights('{squares="ranks 2-14",pieces="' + "ABCDEFGH" * 13 + '"}'),
    "a group that nothing satisfies": lambda: eights(
        '{squares="rank 2",pieces="ABCDEFGH",only={' + ",".join(f'{letter}="a2 b2"' for letter in "FGH") + "}}", 5
    ),
    "over 4,096 moves": lambda: game(piece("Q")).replace("16/" * 14, "QQQQQQQQQQQQQQQQ/" * 7 + "qqqqqqqqqqqqqqqq/" * 7),
}
MEASURE = """
import acedrex, resource, sys, time
size = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
acedrex.Board("chess")
for act in (acedrex.check, acedrex.load):
    before, start = size(), time.process_time()
    try: act(sys.argv[1])
    except acedrex.DefinitionError: pass
    print(time.process_time() - start, (size() - before) / 1024)
"""


@pytest.mark.slow
@pytest.mark.parametrize("name", HEAVY)
def test_no_definition_takes_a_second_or_a_hundred_megabytes(name: str, tmp_path: Path) -> None:
    path = tmp_path / "heavy.toml"
    path.write_text(HEAVY[name]())
    # The timeout is for a definition that hangs; the limit is on processor time, which is checked below.
    run = subprocess.run(
        [sys.executable, "-c", MEASURE, str(path)], capture_output=True, text=True, timeout=20, check=False
    )
    assert (run.returncode, run.stderr) == (0, "")
    for line in run.stdout.splitlines():
        seconds, megabytes = map(float, line.split())
        assert seconds < 1
        assert megabytes < 100


def damaged(chance: random.Random, text: str) -> str:
    """Damage a definition as careless editing would."""
    values = [
        '""',
        "0",
        "7",
        "-1",
        "true",
        "[]",
        "{}",
        '"all"',
        '"K"',
        '"on"',
        '"e1 g1"',
        "1.5",
        '"chess"',
        '"3x3"',
        '"nQ"',
    ]
    lines = text.split("\n")
    for _ in range(chance.choice([1, 1, 2, 4])):
        at = chance.randrange(len(lines))
        what = chance.randrange(5)
        if what == 0:
            del lines[at]
        elif what == 1:
            lines.insert(chance.randrange(len(lines)), lines[at])
        elif what == 2:
            lines[at] = re.sub(r"= .*", lambda _: "= " + chance.choice(values), lines[at])
        elif what == 3 and lines[at]:
            cut = chance.randrange(len(lines[at]))
            lines[at] = lines[at][:cut] + chance.choice(string.printable + "é\0") + lines[at][cut + 1 :]
        else:
            atoms = "".join(chance.choice("fbsmcpnyaiWFDNCZRBQK03[-]?") for _ in range(chance.randrange(1, 9)))
            lines[at] = re.sub(r'move = "\w+"', f'move = "{atoms}"', lines[at])
        lines = lines or [""]
    return "\n".join(lines)


@pytest.mark.parametrize("name", acedrex.games())
def test_damaged_definitions_are_refused_or_can_be_played(name: str) -> None:
    chance = random.Random(name)
    source = acedrex.load(name).source.replace(f'id = "{name}"', 'id = "damaged"')
    told = set()
    for _ in range(40):
        text = damaged(chance, source)
        try:
            board = Board(Game(text, "damaged.toml"))
        except acedrex.DefinitionError:
            told.add(True)
            continue
        told.add(False)
        for _ in itertools.takewhile(lambda _, board=board: not board.is_game_over(), range(12)):
            board.push(chance.choice(board.legal_moves))
            assert Board(board.game, board.fen()) == board
    assert told == {True, False}
