"""The openings of the lab's games: the operator reads them from PGN files into the opening tree."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from msgspec import Struct
from sqlalchemy import delete, insert
from sqlalchemy.exc import SQLAlchemyError

from acedrex import pgn
from acedrex.errors import Error
from acedrex.server.archive.search_index import first_moves
from acedrex.server.games.catalogue import start_of
from acedrex.server.storage.migrate import migrate
from acedrex.server.storage.store import connect
from acedrex.server.storage.tables import openings

#: The scope of these openings: no id of a person has a space.
LAB = "the lab"
#: Rows of a statement.
PORTION = 5_000

Counts = Counter[tuple[str, str, str]]


class Read(Struct):
    """How many games count, and how many do not: they have faults, no result, or a start of their own."""

    games: int = 0
    left_out: int = 0


def count(files: Iterable[Path], read: Read) -> Counts:
    """Count the moves of the games in some files by position, move and result.

    :raises OSError: if a file cannot be read.
    """
    counts: Counts = Counter()
    results = {"1-0": "white", "1/2-1/2": "draws", "0-1": "black"}
    for path in files:
        with path.open(encoding="utf-8", errors="replace") as file:
            while (record := pgn.read_game(file)) is not None:
                result = None if record.errors else results.get(record.headers.get("Result", "*"))
                setup, fen = (None, None) if result is None else start_of(record.board())
                if result is None or fen is not None:
                    read.left_out += 1
                    continue
                read.games += 1
                moves = (move.uci() for move in record.mainline_moves())
                found = dict.fromkeys(first_moves(record.board(), setup, moves))
                counts.update((position, move, result) for position, move in found)
    return counts


def replace(url: str, files: Sequence[Path]) -> Read:
    """Put the games of some PGN files in the place of the lab's games in the opening tree; a server may run.

    :raises OSError: if a file cannot be read.
    :raises Error: if the database cannot be used.
    """
    read = Read()
    counts = count(files, read)
    try:
        migrate(url)
        asyncio.run(_store(url, counts))
    except SQLAlchemyError as error:
        raise Error(f"cannot use the database: {getattr(error, 'orig', None) or type(error).__name__}") from None
    return read


async def _store(url: str, counts: Counts) -> None:
    rows: dict[tuple[str, str], dict[str, Any]] = {}
    for (position, move, result), number in counts.items():
        row = {"scope": LAB, "position": position, "ply": move, "white": 0, "draws": 0, "black": 0}
        rows.setdefault((position, move), row)[result] = number
    engine = connect(url)
    try:
        async with engine.begin() as connection:
            await connection.execute(delete(openings).where(openings.c.scope == LAB))
            every = list(rows.values())
            for first in range(0, len(every), PORTION):
                await connection.execute(insert(openings), every[first : first + PORTION])
    finally:
        await engine.dispose()
