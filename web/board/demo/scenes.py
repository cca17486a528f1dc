"""Writes the scenes of the board's demo: real positions of the games, in the shapes that the board takes.

Run it as `python -m web.board.demo.scenes`; it writes `scenes.json` beside itself.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from acedrex import Board, Game, plain, square_name
from acedrex.engine import Engine, Limit


def position(board: Board) -> dict[str, Any]:
    before = board.copy()
    last = plain.move_path(before, before.pop()) if before.move_stack else []
    return dict(plain.position(board, last, legal=True))


def reaches(board: Board, square: int) -> list[dict[str, Any]]:
    return [dict(reach) for reach in plain.reaches(board, square)]


def setup_of(game: Game) -> dict[str, Any] | None:
    if not len(game.setups):
        return None
    return {"phase": plain.setup_phase(game), "name": "", "number": None, "last": game.setups[0]}


def scene(board: Board, *, setup: bool = False, seat: str | None = None) -> dict[str, Any]:
    game = board.game
    return {
        "game": game.spec,
        "files": game.files,
        "ranks": game.ranks,
        "pieceTypes": plain.piece_types(game),
        "position": position(board),
        "reach": {square_name(at): reaches(board, at) for at in board.piece_map()},
        "start": board.root_fen,
        "setup": setup_of(game) if setup else None,
        "seat": seat or plain.side(board.turn),
        "note": game.rules.get("etiquette"),
    }


def played(spec: str, moves: int, setup: str | None = None) -> Board:
    """Return a board after some moves of a weak engine: a position as it occurs in games."""
    board = Board(spec, setup=setup)
    with Engine() as engine:
        for _ in range(moves):
            move = engine.play(board, Limit(nodes=300)).move
            assert move is not None
            board.push(move)
    return board


def half_a_turn() -> Board:
    """Return a board two moves into a turn of Chieftain Chess, with two left."""
    board = played("chieftain", 20)
    while len(board.turn_moves) != 2:
        board.push(next(move for move in board.legal_moves if move.special is None))
    return board


def main() -> None:
    maasai = played("maasai", 24, setup="UFDO-QKGL")
    cannon = Board("maasai", fen="4k7/12/4p7/12/12/4P7/2c9/12/2P6U2/12/2C1A7/5K6 w - - 0 40")
    promotion = Board("maasai", fen="7k4/2P9/3A8/12/5u6/12/12/2D9/12/12/5O6/5K6 w - - 0 60")
    check = Board("metamachy", fen="5c4k1/12/12/4n7/12/12/12/2E9/12/12/5P6/5K6 w - - 0 1")
    scenes = {
        "metamachy": scene(played("metamachy", 20, setup="LKQG")),
        "zanzibar-s": scene(played("zanzibar-s", 24)),
        "maasai": scene(maasai),
        "magi": scene(played("magi", 18)),
        "chieftain": scene(half_a_turn()),
        "terachess": scene(Board("terachess")),
        "chess": scene(Board("chess")),
        "setup": scene(Board("maasai"), setup=True, seat="black"),
        "promotion": scene(promotion),
        "cannon": scene(cannon),
        "check": scene(check),
        "waiting": scene(maasai, seat=plain.side(not maasai.turn)),
    }
    Path(__file__).with_name("scenes.json").write_text(json.dumps(scenes), encoding="utf-8")


if __name__ == "__main__":
    main()
