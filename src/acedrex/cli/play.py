"""``acedrex play``: a game in the terminal."""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Sequence

from acedrex.board import Board
from acedrex.cli import common, terminal
from acedrex.cli.console import Console
from acedrex.cli.errors import CommandError
from acedrex.cli.load import load_game, make_board
from acedrex.cli.match import Match
from acedrex.cli.opponents import PLAYERS
from acedrex.cli.reader import Reader
from acedrex.cli.record import Record, load_record
from acedrex.cli.setup import choose
from acedrex.cli.text import clean, columns, quote
from acedrex.cli.values import GAME
from acedrex.cli.view import View
from acedrex.game import Game, games, load

__all__ = ["ask_game", "run"]

#: The defaults for an empty line: the game and the opponent.
DEFAULT = "metamachy"
OPPONENT = "3"


def arguments(sub: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    sub.add_argument("game", metavar="GAME", nargs="?", help=f"{GAME}; you are asked if it is missing")
    start = common.position(sub)
    start.add_argument("--load", metavar="FILE", help="continue the first game of a PGN file")
    common.looks(sub)
    for color in ("white", "black"):
        who = f"who plays {color.title()}: human (the default), random, engine, or one of its levels, 1 to 10"
        sub.add_argument(f"--{color}", metavar="PLAYER", choices=PLAYERS, help=who)
    sub.add_argument("--seed", metavar="N", type=int, help="seed for random and levels 1 to 9")


def run(args: argparse.Namespace) -> int:
    """Play until the person leaves, or between programs until the game ends."""
    reader = Reader()
    record = load_record(args.load, load_game(args.game or DEFAULT)) if args.load else None
    if record is not None:
        game = check_record(args, record)
    else:
        chosen = args.game or ask_game(reader, games())
        if chosen is None:
            return 0
        if reader.interactive and not (args.game or args.white or args.black):
            args.black = ask_opponent(reader)
            if args.black is None:
                return 0
        game = load_game(chosen)
        args.game = chosen
    players = {True: player(args.white), False: player(args.black)}
    people = "human" in players.values()
    view = View(terminal.style(sys.stdout, args.color), unicode=args.unicode, in_place=people and reader.interactive)
    view.flipped = players[True] != "human" and players[False] == "human"
    starter = Starter(args, players, game, reader, view)
    match = Match(record.board, players, starter.chance, record.agreed) if record else starter.match()
    if match is None:
        return 0
    console = Console(match, args.game or game.spec, view, reader, starter.match)
    if record is not None and record.fault:
        console.notes.append(f"{clean(args.load)}: {record.fault}.")
    if people:
        console.converse()
    else:
        console.watch()
    return 0


def check_record(args: argparse.Namespace, record: Record) -> Game:
    """Return the game of a record, which must be the one on the command line, if any.

    :raises CommandError: if it is another game.
    """
    game = record.board.game
    if not args.game:
        return game
    wanted = load_game(args.game)
    if wanted.id != game.id:
        raise CommandError(f'{clean(args.load)} is a game of {clean(game.name)}: "acedrex play {game.id} --load ..."')
    if wanted.chosen_options and wanted.chosen_options != game.chosen_options:
        raise CommandError(f'{clean(args.load)} has other options: "acedrex play {game.spec} --load ..."')
    return game


def ask_game(reader: Reader, names: Sequence[str]) -> str | None:
    """List games, and ask for one until the answer is valid; ``None`` at the end of the input."""
    print("\n".join(columns([f"{name:12} {load(name).name}" for name in names], min(terminal.width(), 80))))
    while (line := reader.read(f"Which game? [{DEFAULT}] ")) is not None:
        chosen = line.strip() or DEFAULT
        try:
            load_game(chosen)
        except CommandError as error:
            print(f"{error}.")
        else:
            return chosen
    return None


def ask_opponent(reader: Reader) -> str | None:
    """Ask who plays Black until the answer is valid; ``None`` at the end of the input."""
    while (
        line := reader.read(f"Who plays Black: human, random, engine, or a level, 1 to 10? [{OPPONENT}] ")
    ) is not None:
        chosen = line.strip().lower() or OPPONENT
        if chosen in PLAYERS:
            return chosen
        print(f"Unknown player {quote(line.strip())}.")
    return None


def player(name: str | None) -> str:
    """Return the canonical name of a player on the command line; by default a person."""
    return "engine" if name == "10" else name or "human"


class Starter:
    """Starts the games that the command line asks for, one after another."""

    def __init__(
        self, args: argparse.Namespace, players: dict[bool, str], game: Game, reader: Reader, view: View
    ) -> None:
        self.players = players
        self.game = game
        self.reader = reader
        self.view = view
        self.chance = random.Random(args.seed)
        #: The starting position of all games, unless Black chooses a setup.
        self.fixed: Board | None = None
        if args.fen or args.setup or not len(game.setups):
            self.fixed = make_board(game, args.fen, args.setup, self.chance)

    def match(self) -> Match | None:
        """Start a game, after Black has chosen a setup; ``None`` if the player leaves instead."""
        board = self.fixed.copy() if self.fixed is not None else self.choose()
        return None if board is None else Match(board, self.players, self.chance)

    def choose(self) -> Board | None:
        """Let Black choose a setup; ``None`` if the player leaves instead."""
        if self.players[False] == "human":
            return choose(self.game, self.reader, self.view, self.chance)
        return make_board(self.game, setup="random", chance=self.chance)
