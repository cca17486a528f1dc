"""The log of a match: its settings, and every game as soon as it is over, one JSON object per line.

A line is on disk before the next game is counted. After a crash the last line may be incomplete; it is removed, and its
game is played again.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import IO, Any, Self

from acedrex.errors import Error
from acedrex.match.referee import Played
from acedrex.match.settings import Settings

__all__ = ["Log"]


class Log:
    """An open log. Use it in a ``with`` statement.

    :param path: the file.
    :param settings: the settings of the match.
    :param resume: whether to continue a match that is already in the file.
    :raises Error: if the file exists and ``resume`` is false, or if it contains another match.
    :raises OSError: if the file cannot be read or written.
    """

    def __init__(self, path: Path, settings: Settings, *, resume: bool) -> None:
        self.path = path
        #: The games that were already in the file.
        self.games: list[Played] = []
        if path.exists() and not resume:
            raise Error(f"{path} already exists; use --resume to continue it, or choose another file")
        self._file: IO[bytes] = path.open("a+b")
        try:
            self._begin(settings)
        except BaseException:
            self._file.close()
            raise

    def _begin(self, settings: Settings) -> None:
        if not _lock(self._file):
            raise Error(f"{self.path} is in use: the match is being played by another process")
        self._file.seek(0)
        old = self._file.read()
        whole = old[: old.rfind(b"\n") + 1]
        for number, line in enumerate(whole.decode("utf-8", "replace").splitlines(), 1):
            self._read(line, number, settings)
        self._file.truncate(len(whole))
        if not whole:
            self._write(settings.record())

    def add(self, game: Played) -> None:
        """Add a game to the log."""
        self._write(game.record())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def _write(self, values: dict[str, Any]) -> None:
        self._file.write(json.dumps(values).encode() + b"\n")
        self._file.flush()
        os.fsync(self._file.fileno())

    def _read(self, line: str, number: int, settings: Settings) -> None:
        where = f"{self.path}:{number}"
        try:
            values = json.loads(line)
        except (ValueError, RecursionError):
            values = None
        if not isinstance(values, dict):
            raise Error(f"{where}: expected a JSON object")
        if number == 1:
            for key, value in settings.record().items():
                if values.get(key) != value:
                    was = values.get(key)
                    raise Error(f"{where}: the log is of another match: {key} was {was!r}, and is {value!r} now")
            return
        try:
            self.games.append(Played.from_record(values))
        except Error as error:
            raise Error(f"{where}: {error}") from None


def _lock(file: IO[bytes]) -> bool:
    """Lock a file until it is closed, where there are such locks; return whether no other process has locked it."""
    taken: type[OSError] = BlockingIOError
    try:
        if sys.platform == "win32":
            import msvcrt

            taken = PermissionError
            # Nobody else can read or write what is locked there: one byte, far behind the end of any log.
            file.seek(1 << 30)
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        else:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:  # or a file system without locks
        return not isinstance(error, taken)
    return True
