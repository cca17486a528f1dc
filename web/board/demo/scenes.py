"""Writes the scenes of the board's demo: real positions of the games, told in the shapes that the board takes.

Run it as `python -m web.board.demo.scenes`; it writes `scenes.json` beside itself.
"""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from acedrex import Board, Game, square_name
from acedrex.engine import Engine, Limit
from acedrex.game import Reach

SIDES = {True: "white", False: "black"}


def names(squares: Any) -> list[str]:
    return [square_name(at) for at in squares]


def reach_of(reach: Reach) -> dict[str, Any]:
    return {
        "to": square_name(reach.to),
        "kind": reach.kind,
        "mount": None if reach.mount is None else square_name(reach.mount),
        "path": names(reach.path),
        "legs": names(reach.legs),
    }


def reaches(board: Board, square: int) -> list[dict[str, Any]]:
    return [reach_of(reach) for reach in board.reach(square)]


def plies_of(board: Board) -> list[dict[str, Any]]:
    plies = []
    for move in board.legal_moves:
        word = move.word is not None
        info = board.ply_info(move)
        hops = info.reach is not None and info.reach.kind == "hop"
        plies.append(
            {
                "ply": move.uci(),
                "from": None if word else square_name(move.from_square),
                "to": None if word else square_name(move.to_square),
                "promotion": move.promotion,
                "reach": None if info.reach is None else reach_of(info.reach),
                "kind": "hop" if hops else "capture" if info.captured else "move",
                "captured_on": None if info.captured_on is None else square_name(info.captured_on),
                "partner": None if info.partner is None else names(info.partner),
                "check": info.gives_check,
                "ends_turn": info.ends_turn,
            }
        )
    return plies


def position(board: Board) -> dict[str, Any]:
    stack = board.move_stack
    last = stack[-1] if stack else None
    made = board.turn_plies
    several = board.game.turns_of_several_plies
    return {
        "fen": board.fen(),
        "turn": SIDES[board.turn],
        "ply": board.ply(),
        "pieces": [
            {"square": square_name(at), "letter": piece.letter, "side": SIDES[piece.color]}
            for at, piece in board.piece_map().items()
        ],
        "turn_plies": [move.uci() for move in made],
        "plies_left": board.plies_left,
        "moved": [square_name(move.to_square) for move in made if move.word is None],
        "in_command": names(board.movable()) if several else None,
        "check": names(board.royals(board.turn)) if board.is_check() else [],
        "legal": [] if board.is_game_over() else plies_of(board),
        "last": [] if last is None or last.word else names([last.from_square, last.to_square]),
        "claimable": list(board.claimable()),
    }


def setup_of(game: Game) -> dict[str, Any] | None:
    if not len(game.setups):
        return None
    name = game.setups[0]
    groups = []
    parts = [list(group) for group in name.split("-")]
    allowed = [[set[str]() for _ in part] for part in parts]
    for other in game.setups:
        for group, letters in enumerate(other.split("-")):
            for at, letter in enumerate(letters):
                allowed[group][at].add(letter)
    for part, squares, may in zip(parts, game.setups.squares, allowed, strict=True):
        mirror = names(squares)
        black = [f"{square[0]}{game.ranks + 1 - int(square[1:])}" for square in mirror]
        only = {
            letter: [square for square, letters in zip(black, may, strict=True) if letter in letters]
            for letter in part
            if not all(letter in letters for letters in may)
        }
        groups.append({"squares": black, "mirror": mirror, "pieces": part} | ({"only": only} if only else {}))
    return {"phase": {"count": len(game.setups), "groups": groups}, "name": "", "number": None, "last": name}


def scene(board: Board, *, setup: bool = False, seat: str | None = None) -> dict[str, Any]:
    game = board.game
    return {
        "game": game.spec,
        "files": game.files,
        "ranks": game.ranks,
        "kinds": [asdict(kind) | {"royal": kind.royal, "soldier": kind.is_soldier} for kind in game.pieces],
        "position": position(board),
        "reach": {square_name(at): reaches(board, at) for at in board.piece_map()},
        "start": board.root_fen,
        "setup": setup_of(game) if setup else None,
        "seat": seat or SIDES[board.turn],
        "note": game.rules.get("etiquette"),
    }


def played(spec: str, plies: int, setup: str | None = None) -> Board:
    """A board after some plies of a weak engine: a position as it comes about in games."""
    board = Board(spec, setup=setup)
    with Engine() as engine:
        for _ in range(plies):
            move = engine.play(board, Limit(nodes=300)).move
            assert move is not None
            board.push(move)
    return board


def half_a_turn() -> Board:
    """Two plies into a turn of Chieftain Chess, with two left."""
    board = played("chieftain", 20)
    while len(board.turn_plies) != 2:
        board.push(next(ply for ply in board.legal_moves if ply.word is None))
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
        "waiting": scene(maasai, seat=SIDES[not maasai.turn]),
    }
    Path(__file__).with_name("scenes.json").write_text(json.dumps(scenes), encoding="utf-8")


if __name__ == "__main__":
    main()
