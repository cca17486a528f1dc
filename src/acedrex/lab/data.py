"""The games of jobs as NumPy arrays and as PGN. Needs the extra ``acedrex[lab]`` for arrays."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from acedrex import _native, pgn
from acedrex._native import Move
from acedrex.board import Board
from acedrex.errors import Error
from acedrex.game import Game
from acedrex.lab.job import Job
from acedrex.lab.playing import EngineGames

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

__all__ = ["NO_SCORE", "Played", "Positions", "payloads", "read_games", "read_positions", "write_pgn"]

#: Stands for "no score" in arrays of scores.
NO_SCORE = -(2**15)


@dataclass(frozen=True, slots=True)
class Played:
    """A game that the engine played against itself."""

    game: Game
    start: str
    """The position before the first move, as FEN."""
    moves: tuple[Move, ...]
    scores: tuple[int | None, ...]
    """By move, the score in centipawns for White before it; 16,000 stands for a proven win. Random moves, and the later
    moves of a turn, have none."""
    points: tuple[float, float]
    """The points of White and Black."""
    termination: str
    """Why it ended: the name of a ``Termination``, ``proven`` or ``unfinished``."""

    def record(self) -> pgn.Game:
        """Return the game as a record, with the scores as comments.

        >>> import tempfile
        >>> from acedrex import lab, load
        >>> plan = lab.SelfPlay.plan(load("chess"), positions=10, nodes=10, unit=1)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     job = lab.Job.create(Path(folder), plan)
        ...     block = job.add(0, plan.make(0))
        ...     played = next(read_games([Path(folder)]))
        >>> played.record().variant.id
        'chess'
        """
        board = Board(self.game, self.start)
        scores: list[int | None] = []
        color = None
        for move, score in zip(self.moves, self.scores, strict=True):
            if board.turn != color:
                scores.append(score)
                color = board.turn
            board.push(move)
        record = pgn.Game.from_board(board)
        white, black = self.points
        result = "1-0" if white > black else "0-1" if black > white else "1/2-1/2"
        record.headers["Result"] = "*" if self.termination == "unfinished" else result
        record.headers["Termination"] = _native.pgn_termination(self.termination)
        if white + black == 4:
            record.headers["Score"] = f"{white:g}-{black:g}"
        for node, score in zip(record.mainline(), scores, strict=True):
            if score is not None:
                node.comment = f"{score / 100:+.2f}"
        return record


@dataclass(frozen=True, slots=True)
class Positions:
    """Positions before a move, one row each, as NumPy arrays."""

    boards: NDArray[numpy.uint8]
    """The boards, of shape (positions, ranks, files), seen from White: 0 is an empty square, ``1 + k`` a White piece of
    kind ``k`` (its place in ``game.pieces``), and ``1 + len(game.pieces) + k`` a Black one."""
    black_to_move: NDArray[numpy.bool_]
    scores: NDArray[numpy.int16]
    """In centipawns for White, or ``acedrex.lab.data.NO_SCORE``."""
    results: NDArray[numpy.float32]
    """White's share of the points, from 0 to 1."""
    games: NDArray[numpy.uint32]
    """The number of the game within its block: positions of one game are alike."""

    def __len__(self) -> int:
        return len(self.boards)


def payloads(folders: Iterable[Path]) -> Iterator[tuple[Game, bytes]]:
    """Yield the payloads of the jobs in these folders, in the order of units.

    :raises Error: if a folder has no games, a block is damaged or missing, or the jobs are of different rules.
    """
    first: Game | None = None
    for folder in folders:
        job = Job.open(folder)
        if not isinstance(job.plan, EngineGames):
            raise Error(f"{folder} has no games of the engine against itself, but a job of kind {job.plan.kind}")
        game = job.plan.game
        first = first or game
        if game.rules_hash != first.rules_hash:
            raise Error(f"{folder} has games of {game.spec}, whose rules differ from those of {first.spec}")
        numbers = job.units()
        for expected, number in enumerate(numbers):
            if number != expected:
                raise Error(f"{folder} has no unit {expected}; make it again with acedrex lab resume {folder}")
            yield game, job.read(number).payload


def read_games(folders: Iterable[Path]) -> Iterator[Played]:
    """Yield the games of jobs.

    :raises Error: if a folder has no games, a block is damaged or missing, or the jobs are of different rules.
    """
    for game, payload in payloads(folders):
        for record in _native.games_of(game, payload):
            white, black = record["half_points"]
            yield Played(
                game=game,
                start=record["start"],
                moves=tuple(record["moves"]),
                scores=tuple(record["scores"]),
                points=(white / 2, black / 2),
                termination=record["ending"],
            )


def read_positions(folders: Iterable[Path]) -> Iterator[Positions]:
    """Yield the positions of jobs as arrays, a block at a time; each position once, where it occurs first.

    >>> import tempfile
    >>> from acedrex import lab, load
    >>> plan = lab.SelfPlay.plan(load("maasai"), positions=50, nodes=10, unit=1)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     job = lab.Job.create(Path(folder), plan)
    ...     block = job.add(0, plan.make(0))
    ...     positions = next(read_positions([Path(folder)]))
    >>> positions.boards.shape[1:]
    (12, 12)

    :raises Error: as :func:`read_games`, or if NumPy is not installed.
    """
    try:
        import numpy as np
    except ModuleNotFoundError:
        raise Error('arrays need NumPy; in a checkout pip install ".[lab]" brings it') from None
    seen = _native.Seen()
    for game, payload in payloads(folders):
        columns = _native.positions_of(game, payload, seen)
        yield Positions(
            boards=np.frombuffer(columns["boards"], np.uint8).reshape(-1, game.ranks, game.files),
            black_to_move=np.frombuffer(columns["black_to_move"], np.bool_),
            scores=np.frombuffer(columns["scores"], "<i2"),
            results=np.frombuffer(columns["results"], "<f4"),
            games=np.frombuffer(columns["games"], "<u4"),
        )


def write_pgn(folders: Iterable[Path], handle: TextIO) -> int:
    """Write the games of jobs as PGN; return their number.

    :raises Error: as :func:`read_games`.
    :raises OSError: if the file cannot be written.
    """
    written = 0
    for played in read_games(folders):
        played.record().write(handle)
        written += 1
    return written
