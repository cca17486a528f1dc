"""Saving a game as PGN, and loading one."""

from __future__ import annotations

import datetime
import re
from pathlib import Path

from acedrex import pgn
from acedrex.board import Board
from acedrex.cli.errors import CommandError
from acedrex.cli.load import reason
from acedrex.cli.match import Ending, Match
from acedrex.cli.opponents import title
from acedrex.cli.text import clean, quote
from acedrex.errors import Error
from acedrex.game import Game, games
from acedrex.outcome import ending_text

__all__ = ["Record", "load_record", "save_record"]


class Record:
    """The first game of a file: the board after its last move, an ending that the board does not show, and an error."""

    def __init__(self, board: Board, agreed: Ending | None, fault: str | None) -> None:
        self.board = board
        self.agreed = agreed
        self.fault = fault


def save_record(match: Match, name: str, *, replace: bool) -> None:
    """Write a game to a file.

    :param replace: whether an existing PGN file may be overwritten; other files never are.
    :raises CommandError: if the file exists and may not be overwritten, or cannot be written.
    """
    record = pgn.Game.from_board(match.board)
    headers = record.headers
    headers["Date"] = datetime.date.today().strftime("%Y.%m.%d")
    for color, tag in ((True, "White"), (False, "Black")):
        headers[tag] = title(match.players[color])
    ending = match.ending
    if ending is not None:
        headers["Result"] = ending.result
        if ending.score != ending.result:
            headers["Score"] = ending.score
    path = place(name)
    try:
        if replace and path.exists() and not is_record(path):
            raise CommandError(f"{quote(name, 200)} is not a PGN file and will not be overwritten; choose another name")
        with path.open("w" if replace else "x", encoding="utf-8") as file:
            file.write(f"{str(record).rstrip()}\n\n")
    except FileExistsError:
        raise CommandError(f'{quote(name, 200)} already exists; "overwrite {clean(name)}" replaces it') from None
    except (OSError, ValueError) as error:
        why = reason(error) if isinstance(error, OSError) else str(error)
        raise CommandError(f"cannot write {clean(name)}: {why}") from None


def place(name: str) -> Path:
    """Return the path of a file name, with ``~`` expanded if there is a home folder."""
    try:
        return Path(name).expanduser()
    except RuntimeError:
        return Path(name)


def is_record(path: Path) -> bool:
    """Return whether a file is empty or begins with a tag, as PGN does."""
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return re.match(rb'(\xef\xbb\xbf)?\s*(\[\s*\w+\s*"|\Z)', file.read(1000)) is not None


def load_record(name: str, game: Game) -> Record:
    """Read the first game of a file.

    :param game: the current game; a record of another shipped game can be read too.
    :raises CommandError: if the file has no game, or its starting position cannot be read.
    """
    own_games = None if game.id in games() else {game.id: game}
    try:
        with place(name).open("rb") as file:
            record = pgn.read_game(file, games=own_games)
    except (OSError, ValueError) as error:
        why = reason(error) if isinstance(error, OSError) else str(error)
        raise CommandError(f"cannot read {clean(name)}: {why}") from None
    if record is None:
        raise CommandError(f"{quote(name, 200)} contains no game")
    if name.endswith(".toml"):
        raise CommandError(
            f'{quote(name, 200)} is a definition file, not PGN; "acedrex play {clean(name)}" plays its game'
        )
    if any("there is no game" in fault.message for fault in record.errors):
        other = clean(record.headers.get("Variant", "?"))
        raise CommandError(
            f"{quote(name, 200)} is a game of {quote(other)}, which does not ship with Acedrex; "
            f'give its definition file, as in "acedrex play {other}.toml --load {clean(name)}"'
        )
    faults = [clean(str(fault)) for fault in record.errors]
    if faults and not record.variations and "Variant" not in record.headers:
        raise CommandError(f"{quote(name, 200)} contains no game: {faults[0]}")
    try:
        board = record.end().board()
    except Error as error:
        raise CommandError(f"cannot read {clean(name)}: {faults[0] if faults else error}") from None
    return Record(board, ending(board, record.headers), faults[0] if faults else None)


def ending(board: Board, headers: pgn.Headers) -> Ending | None:
    """Return how a game ended by its tags, if the board does not show it."""
    result = headers["Result"]
    if result == "*" or board.outcome() is not None:
        return None
    winner = {"1-0": True, "0-1": False}.get(result)
    score = clean(headers.get("Score", result))
    return Ending(winner, score, ending_text("recorded", winner, score))
