"""``acedrex show``: a position."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from acedrex import svg
from acedrex.board import Board
from acedrex.cli import common, terminal
from acedrex.cli.drawing import SMALL, Drawing, Marks, figures, fitting, longest_symbol
from acedrex.cli.errors import CommandError
from acedrex.cli.load import load_game, make_board, reason
from acedrex.cli.text import clean, count, wrap
from acedrex.cli.words import turn_words

__all__ = ["arguments", "run"]


def arguments(sub: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    common.game(sub)
    common.position(sub)
    common.looks(sub)
    sub.add_argument("--svg", metavar="FILE", help="also save the position as an SVG file")


def run(args: argparse.Namespace) -> int:
    """Print a position and its description; also save it as SVG if requested."""
    board = make_board(load_game(args.game), args.fen, args.setup)
    if args.svg:
        write_svg(board, args.svg)
    print(
        "\n".join(
            line.rstrip() for line in picture(board, terminal.style(sys.stdout, args.color), unicode=args.unicode)
        )
    )
    print()
    for sentence in description(board):
        print("\n".join(wrap(sentence, min(terminal.width(), 80))))
    print(f"FEN: {board.fen()}")
    return 0


def picture(board: Board, style: terminal.Style, *, unicode: bool) -> list[str]:
    """Draw the board as large as the terminal allows."""
    game, symbol = board.game, longest_symbol(board.game)
    check = frozenset(board.royals(board.turn)) if board.is_check() else frozenset()
    drawing = Drawing(
        board.piece_map(),
        game.files,
        game.ranks,
        style,
        Marks(check=check),
        figures(game, style) if unicode else {},
        symbol,
        holes=~game.squares,
    )
    room = terminal.is_terminal(sys.stdout)
    return drawing.lines(fitting(game.files, game.ranks, terminal.width(), terminal.height() - 6) if room else SMALL)


def description(board: Board) -> list[str]:
    """Return the game, the setup, the side to move, the outcome and the problems of a position, as sentences."""
    game = board.game
    sentences = [clean(f"{game.name}, {game.files}x{game.ranks}. {turn_words(board)}")]
    if game.chosen_options:
        sentences.append(
            "Options: " + ", ".join(f"{name}={value}" for name, value in game.chosen_options.items()) + "."
        )
    setup = board.setup_name() if len(game.setups) else None
    if setup is not None:
        sentences.append(f"Setup {game.setups.number(setup)} of {len(game.setups)}: {setup}.")
    outcome = board.outcome()
    if outcome is not None:
        sentences[0] = clean(f"{game.name}, {game.files}x{game.ranks}.")
        sentences.append(outcome.text())
    problems = board.status()
    if problems:
        sentences.append(f"{count(len(problems), 'problem')}: " + "; ".join(clean(p.message) for p in problems) + ".")
    return sentences


def write_svg(board: Board, name: str) -> None:
    """Write the position to an SVG file.

    :raises CommandError: if the file cannot be written.
    """
    try:
        Path(name).write_text(svg.board(board) + "\n", encoding="utf-8")
    except OSError as error:
        raise CommandError(f"cannot write {clean(name)}: {reason(error)}") from None
