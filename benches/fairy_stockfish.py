"""Fairy-Stockfish as a program to count against: one process, spoken to in UCI."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import time
from pathlib import Path
from typing import Self

from acedrex.engine.dialect import FAIRY_STOCKFISH

#: Magi as Fairy-Stockfish can play it, from version 14 on.
MAGI = Path(__file__).parent / "rivals" / "magi.ini"


def find() -> str | None:
    """Return the program's path, or `None`. The variable FAIRY_STOCKFISH names another than the installed one."""
    return os.environ.get("FAIRY_STOCKFISH") or shutil.which(
        "fairy-stockfish", path=os.environ.get("PATH", "") + ":/usr/games"
    )


class FairyStockfish:
    """A running Fairy-Stockfish."""

    def __init__(self, path: str) -> None:
        self.process = subprocess.Popen([path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)
        self.send("uci")
        lines = self.read_until("uciok")
        self.name = next((line[8:] for line in lines if line.startswith("id name ")), path)
        version = re.search(r"(\d+)\.", self.name)
        self.knows_magi = version is None or int(version[1]) >= 14  # a name with a date is newer still
        if self.knows_magi:
            self.send(f"setoption name VariantPath value {MAGI}")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.send("quit")
        self.process.wait()

    def send(self, line: str) -> None:
        """Send a line."""
        assert self.process.stdin is not None
        self.process.stdin.write(line + "\n")

    def read_until(self, word: str) -> list[str]:
        """Listen up to the line that begins with `word`."""
        assert self.process.stdout is not None
        lines = []
        for line in self.process.stdout:
            lines.append(line.rstrip())
            if line.startswith(word):
                return lines
        raise EOFError(f"no {word} from {self.process.args!r}: {lines[-3:]}")

    def perft(self, game: str, fen: str | None, depth: int) -> tuple[int, float]:
        """Count leaves; give the count and the seconds it took."""
        dialect = FAIRY_STOCKFISH[game]
        self.send(f"setoption name UCI_Variant value {dialect.variant}")
        self.send("position startpos" if fen is None else f"position fen {dialect.fen(fen)}")
        self.send("isready")
        self.read_until("readyok")
        begun = time.perf_counter()
        self.send(f"go perft {depth}")
        lines = self.read_until("Nodes searched")
        return int(lines[-1].split()[-1]), time.perf_counter() - begun
