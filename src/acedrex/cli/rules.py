"""``acedrex rules``: prints the rules of a game from its definition."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from itertools import islice

from acedrex.board import Board
from acedrex.cli import common, palette, terminal
from acedrex.cli.drawing import Drawing, longest_symbol
from acedrex.cli.labels import say
from acedrex.cli.load import load_game
from acedrex.cli.text import clean, join, paragraphs, wrap
from acedrex.cli.words import piece_title, squares, values
from acedrex.game import Game, PieceType, games, languages

__all__ = ["arguments", "run"]

#: The rules about the end of the game, which come after the others.
ENDINGS = ("end", "check", "stalemate", "four_points", "bare_king", "draws")
#: The keys of remarks, which are not rules.
REMARKS = ("values", "source", "sources", "left_out")


def arguments(sub: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    common.game(sub)
    sub.add_argument("--language", choices=languages(), default="en", help="language of the rules (en)")


def run(args: argparse.Namespace) -> int:
    """Print the rules, wrapped to the terminal or 80 columns."""
    game = load_game(args.game, args.language)
    lines = Page(game, terminal.style(sys.stdout), min(terminal.width(), 80)).lines()
    trimmed = [line.rstrip() for line, before in zip(lines, ["", *lines], strict=False) if line or before]
    print("\n".join(trimmed).rstrip())
    return 0


class Page:
    """The rules of a game as lines of text."""

    def __init__(self, game: Game, style: terminal.Style, width: int) -> None:
        self.game = game
        self.style = style
        self.width = width

    def say(self, english: str, **values: object) -> str:
        """Return a label in the game's language."""
        return say(self.game.language, english, **values)

    def lines(self) -> list[str]:
        """Return all lines of the page."""
        game = self.game
        texts = dict(game.rules)
        endings = [texts.pop(key) for key in ENDINGS if key in texts]
        remarks = [(key, texts.pop(key)) for key in REMARKS if key in texts]
        page = self.head()
        page += self.heading("Starting position")
        start = Board(game).piece_map()
        symbol, holes = longest_symbol(game), ~game.squares
        page += Drawing(start, game.files, game.ranks, self.style, symbol=symbol, holes=holes).lines()
        page += ["", *wrap(self.say("Capital letters are White's pieces, small letters Black's."), self.width)]
        page += self.setups(texts.pop("setup", ""))
        page += self.pieces()
        if texts:
            page += self.heading("Special rules")
        for key, text in texts.items():
            page += self.item(key, text)
        page += self.heading("How the game ends")
        for text in endings:
            page += [*wrap(text, self.width), ""]
        if game.options:
            page += self.heading("Options") + self.options()
        if remarks:
            page += self.heading("Remarks")
        for key, text in remarks:
            page += self.item(key, text)
        if game.story.strip():
            page += [*self.heading("History"), *paragraphs(game.story, self.width)]
        return page

    def head(self) -> list[str]:
        """Return the name, author, board and summary."""
        game = self.game
        army = [piece.letter for piece in Board(game).piece_map().values() if piece.color]
        who = ", ".join(filter(None, (game.author, str(game.year or ""))))
        kinds = len(set(army))
        board = self.say(
            "{files} files, {ranks} ranks, {army} pieces per side of "
            + ("one type." if kinds == 1 else "{kinds} types."),
            files=game.files,
            ranks=game.ranks,
            army=len(army),
            kinds=kinds,
        )
        return [
            self.style.paint(clean(game.name), palette.VERMILION, bold=True),
            *wrap(f"{who}. {board}" if who else board, self.width),
            # A link must not be wrapped.
            *([self.style.paint(clean(game.link), palette.MUTED)] if game.link else []),
            "",
            *wrap(game.summary, self.width),
        ]

    def heading(self, title: str) -> list[str]:
        """Return a heading with the empty lines around it."""
        return ["", self.style.paint(self.say(title).upper(), palette.VERMILION, bold=True), ""]

    def item(self, key: str, text: str) -> list[str]:
        """Return a rule with its name."""
        title = clean(self.game.rule_titles[key])
        return [self.style.paint(title, bold=True), *wrap(text, self.width, "  "), ""]

    def setups(self, text: str) -> list[str]:
        """Describe the setups, if there are any."""
        setups = self.game.setups
        if not len(setups):
            return []
        name = Board(self.game).setup_name()
        numbers = self.say(
            "{count:,} setups, on {squares}: from number 1, {first}, to number {count:,}, {last}.",
            count=len(setups),
            squares=self.say(" and on ").join(squares(group) for group in setups.squares),
            first=setups[0],
            last=setups[-1],
        )
        if name:
            number = setups.number(name)
            numbers += " " + self.say("The setup shown is number {number}, {name}.", number=number, name=name)
        return ["", *(wrap(text, self.width) if text else []), *wrap(numbers, self.width)]

    def pieces(self) -> list[str]:
        """List the kinds of pieces; those that need an option come last."""
        used = {piece.letter for piece in Board(self.game).piece_map().values()}
        used |= {letter for piece in self.game.pieces for letter in piece.promotes_to}
        lines = self.heading("Pieces")
        for piece in self.game.pieces:
            lines += self.piece(piece) if piece.letter in used else []
        unused = [piece for piece in self.game.pieces if piece.letter not in used]
        if unused:
            lines += [self.say("Only with an option:"), ""]
        for piece in unused:
            lines += self.piece(piece)
        return lines

    def piece(self, piece: PieceType) -> list[str]:
        """Return a piece's letter, names, Betza notation, value, and how it moves."""
        indent = " " * (longest_symbol(self.game) + 3)
        letter = f"{piece.letter:{len(indent)}}"
        facts = [piece.move]
        facts += [
            self.say("from {squares} also {move}", squares=self.area(at), move=move) for at, move in piece.extra_moves
        ]
        named = replace(piece, values={self.say(source): value for source, value in piece.values.items()})
        worth = self.say("value {value}", value=values(named, self.say("or"))) if piece.values else ""
        value = self.say("royal") if piece.royal else worth
        details = "; ".join(filter(None, (*facts, value)))
        title = wrap(self.say("{piece}: {facts}", piece=piece_title(piece), facts=details), self.width, indent)
        title[0] = self.style.paint(letter, bold=True) + title[0][len(letter) :]
        becomes = self.say("Becomes {pieces}.", pieces=join(piece.promotes_to, self.say("or")))
        help = f"{piece.help} {becomes}" if piece.promotes_to else piece.help
        return [*title, *wrap(help, self.width, indent), ""]

    def area(self, squares: list[int]) -> str:
        """Describe a set of squares."""
        return self.game.area(squares)

    def options(self) -> list[str]:
        """List the options with their values."""
        lines: list[str] = []
        for option in self.game.options.values():
            chosen = ", here {chosen}" if option.chosen != option.default else ""
            label = "Values: {values}. Default {default}" + chosen + "."
            named = {"values": ", ".join(option.values), "default": option.default, "chosen": option.chosen}
            lines.append(self.style.paint(clean(option.name), bold=True))
            lines += wrap(option.help, self.width, "  ")
            lines += wrap(self.say(label, **named), self.width, "  ")
            lines.append("")
        others = (
            (o.name, value) for o in self.game.options.values() for value in reversed(o.values) if value != o.default
        )
        for name, value in islice(others, 1):
            game = self.game.id if self.game.id in games() else self.game.file
            example = self.say("Choose them after the game's name: {example}", example=f"{game}:{name}={value}")
            lines += [*wrap(example, self.width), ""]
        return lines
