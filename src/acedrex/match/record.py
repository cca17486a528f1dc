"""The games of a match as PGN."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TextIO

from acedrex import _native, pgn
from acedrex.board import Board
from acedrex.match.referee import Played
from acedrex.match.settings import Settings
from acedrex.outcome import reason_text

__all__ = ["write_pgn"]


def write_pgn(settings: Settings, games: Iterable[Played], handle: TextIO) -> None:
    """Write games as PGN, with the score and the time of every turn as comments.

    :raises Error: if a turn of a game is not legal.
    :raises OSError: if the file cannot be written.
    """
    names = {"first": settings.first.text, "second": settings.second.text}
    controls = settings.controls
    time = " against ".join(dict.fromkeys(map(str, controls.values())))
    for game in games:
        board = Board(settings.game, game.start)
        for turn in [*game.opening, *game.turns]:
            board.push_turn(turn)
        record = pgn.Game.from_board(board)
        black = "second" if game.white == "first" else "first"
        record.headers["Event"] = f"Match, {time}"
        if game.date:
            record.headers["Date"] = game.date
        if controls["first"] == controls["second"]:
            record.headers["TimeControl"] = controls["first"].tag
        else:
            record.headers["WhiteTimeControl"] = controls[game.white].tag
            record.headers["BlackTimeControl"] = controls[black].tag
        record.headers["Round"] = f"{game.number // 2 + 1}.{game.number % 2 + 1}"
        record.headers["White"], record.headers["Black"] = names[game.white], names[black]
        record.headers["Result"] = game.result
        if game.score != game.result:
            record.headers["Score"] = game.score
        record.headers["Termination"] = _native.pgn_termination(
            "illegal_turn" if game.termination == "rejected_turn" else game.termination
        )
        nodes = list(record.mainline())[len(game.opening) :]
        for node, score, seconds in zip(nodes, game.scores, game.seconds, strict=True):
            if score:
                node.comment = f"{score} {seconds:.2f}s"
        if game.termination:
            last = record.end()
            last.comment = ", ".join(filter(None, [last.comment, reason_text(game.termination)]))
        record.write(handle)
