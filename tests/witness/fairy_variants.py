"""Compares the variants of Fairy-Stockfish, converted into definitions, with the program itself.

    python -m tests.witness.fairy_variants [--program "fairy-stockfish"] [--ini FILE] [--depth 3] [--walks 0]

It converts every variant without drops that the program has built in or reads from a file, and compares perft at
each depth. With `--walks N` it also compares the legal moves at every position of N random games. A variant is *exact*
if all agree and the definition says all of it, *equal* if all agree but it lacks something, and otherwise the rule that
lacks is named. The last line counts them. `benches.rivals.build_fairy_stockfish` builds today's version of the program.
"""

from __future__ import annotations

import argparse
import random
import re
import shlex
import subprocess
from collections import Counter
from pathlib import Path
from typing import Self

from acedrex import Board, Error, Game
from acedrex.convert import Converted, VariantsError, built_in, convert_variant, read_variants

#: Words for what a variant with drops or pieces in hand lacks.
DROPS = ("drops", "pieces in hand", "two boards")
#: The most half-moves of a random game.
LONGEST = 100


class FairyStockfish:
    """The program, in a process of its own."""

    def __init__(self, command: str, variants: Path | None = None) -> None:
        self.process = subprocess.Popen(
            shlex.split(command), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1
        )
        if variants is not None:
            self.send("uci")
            self.answer("uciok")
            self.send(f"setoption name VariantPath value {variants}")
        self.send("uci")
        [line] = [line for line in self.answer("uciok") if "name UCI_Variant" in line]
        self.variants = re.findall(r"var (\S+)", line)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()

    def send(self, line: str) -> None:
        """Send a line."""
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")

    def answer(self, last: str) -> list[str]:
        """Return the lines of an answer up to the one that begins with these words."""
        assert self.process.stdout is not None
        lines = []
        for line in self.process.stdout:
            lines.append(line.rstrip())
            if line.startswith(last):
                return lines
        raise SystemExit("Fairy-Stockfish has ended")

    def begin(self, variant: str) -> None:
        """Choose a variant."""
        self.send(f"setoption name UCI_Variant value {variant}")
        self.set([])

    def set(self, moves: list[str]) -> None:
        """Set the position after these moves."""
        self.send(" ".join(["position startpos", *(["moves", *moves] if moves else [])]))

    def moves(self) -> set[str]:
        """Return the legal moves."""
        self.send("go perft 1")
        return {line.split(":")[0] for line in self.answer("Nodes searched") if re.match(r"\S+: 1$", line)}

    def perft(self, depth: int) -> int:
        """Return perft at a depth."""
        self.send(f"go perft {depth}")
        return int(self.answer("Nodes searched")[-1].split()[-1])


def compare(program: FairyStockfish, name: str, found: Converted, depth: int, walks: int) -> str:
    """Return what a variant is: ``exact``, ``equal`` with what lacks, or how it differs."""
    lacking = ", ".join(found.unsaid)
    try:
        game = Game(found.text, f"{name}.toml")
    except Error as error:
        return f"not playable: {lacking or str(error)}"
    program.begin(name)
    for plies in range(1, depth + 1):
        ours, theirs = Board(game).perft(plies), program.perft(plies)
        if ours != theirs:
            return f"differs at {plies}: {ours} and {theirs}: {lacking or 'no reason is known'}"
    chance = random.Random(name)
    for _ in range(walks):
        board, moves = Board(game), list[str]()
        while len(moves) < LONGEST and board.outcome() is None:
            legal = {str(move) for move in board.legal_moves}
            program.set(moves)
            theirs = {_in_our_words(board, move): move for move in program.moves()}
            if legal != theirs.keys():
                return f"differs after {' '.join(moves)}: {lacking or 'no reason is known'}"
            chosen = chance.choice(sorted(legal))
            moves.append(theirs[chosen])
            board.push_uci(chosen)
    return f"equal, without {lacking}" if lacking else "exact"


def _in_our_words(board: Board, move: str) -> str:
    """Return a move as we write it: in Chess960 castling is the King taking its own Rook, and ``+`` is a promotion."""
    if move.endswith("+"):
        return next((str(own) for own in board.legal_moves if own.promotion and str(own)[:-1] == move[:-1]), move)
    try:
        return str(board.parse_uci(move))
    except Error:
        return move


def has_drops(found: Converted) -> bool:
    """Return whether a variant has pieces that are dropped."""
    return any(unsaid in DROPS for unsaid in found.unsaid)


def report(program: FairyStockfish, variants: dict[str, Converted], depth: int, walks: int) -> Counter[str]:
    """Print a line for each variant; return how many there are of each kind."""
    counted: Counter[str] = Counter()
    for name, found in variants.items():
        said = compare(program, name, found, depth, walks)
        print(f"{name}: {said}", flush=True)
        counted[said.partition(" ")[0].rstrip(",")] += 1
    return counted


def main() -> None:
    """Compare, and print what was found."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default="fairy-stockfish", help="its command line (fairy-stockfish)")
    parser.add_argument("--ini", type=Path, help="a variants.ini of it")
    parser.add_argument("--depth", type=int, default=3, help="how many half-moves are counted (3)")
    parser.add_argument("--walks", type=int, default=0, help="random games of each variant (none)")
    args = parser.parse_args()
    with FairyStockfish(args.program, args.ini) as program:
        own = read_variants(args.ini.read_text("utf-8")) if args.ini else {}
        variants: dict[str, Converted] = {}
        for name in program.variants:
            if (settings := own.get(name) or built_in().get(name)) is None:
                print(f"{name}: unknown; it has drops, or is newer")
                continue
            try:
                found = convert_variant(name, settings)
            except VariantsError as error:
                print(f"{name}: {error}")
                continue
            if not has_drops(found):
                variants[name] = found
        counted = report(program, variants, args.depth, args.walks)
    print(f"{counted['exact']} of {len(variants)} exact, {counted['equal']} more equal as far as they were compared")


if __name__ == "__main__":
    main()
