"""``acedrex play``: a game in the terminal."""

from __future__ import annotations

import argparse
import random
import sys

from acedrex.cli import terminal
from acedrex.cli.console import Console
from acedrex.cli.failure import Failure
from acedrex.cli.load import load_game, make_board
from acedrex.cli.match import Match
from acedrex.cli.reader import Reader
from acedrex.cli.record import load_record
from acedrex.cli.setup import choose
from acedrex.cli.view import View

__all__ = ["run"]


def run(args: argparse.Namespace) -> int:
    """Play until somebody leaves, or to the end if nobody types."""
    game = load_game(args.game)
    chance = random.Random(args.seed)
    players = {True: args.white, False: args.black}
    reader = Reader()
    record = load_record(args.load, game) if args.load else None
    if record is not None and record.board.game.id != game.id:
        raise Failure(f'{args.load} is a game of {record.board.game.name}; "acedrex play {record.board.game.id} --load" goes on with it')
    fixed = make_board(game, args.fen, args.setup, chance) if args.fen or args.setup or not len(game.setups) else None
    people = "human" in players.values()
    view = View(terminal.style(sys.stdout, args.color), unicode=args.unicode, in_place=people and reader.interactive)

    def start() -> Match | None:
        if fixed is not None:
            board = fixed.copy()
        elif args.black == "random":
            board = make_board(game, setup="random", chance=chance)
            print(f"Black takes setup {board.setup_name()} at random.")
        else:
            chosen = choose(game, reader, view, chance)
            if chosen is None:
                return None
            board = chosen
        return Match(board, players, chance)

    if record is not None:
        match: Match | None = Match(record.board, players, chance)
        assert match is not None
        match.agreed = record.agreed
    else:
        match = start()
    if match is None:
        return 0
    view.flipped = players == {True: "random", False: "human"}
    console = Console(match, args.game, view, reader, start)
    if record is not None and record.fault:
        console.notes.append(f"{args.load}: {record.fault}.")
    if people:
        console.converse()
    else:
        console.watch()
    return 0
