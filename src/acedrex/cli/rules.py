"""``acedrex rules``: a game's rules, all from its definition."""

from __future__ import annotations

import argparse
import sys

from acedrex.board import Board
from acedrex.cli import palette, terminal
from acedrex.cli.drawing import Drawing, longest_token
from acedrex.cli.load import load_game
from acedrex.cli.text import clean, count, join, paragraphs, wrap
from acedrex.cli.words import piece_title, squares, values
from acedrex.game import Game, PieceType

__all__ = ["run"]

#: Rules that tell how the game ends; the others stand before them.
ENDINGS = ("end", "check", "stalemate", "four_points", "bare_king", "draws")
#: Remarks rather than rules.
REMARKS = ("values", "source", "sources", "left_out")


def run(args: argparse.Namespace) -> int:
    """Print the rules, wrapped to the terminal or 80 columns."""
    game = load_game(args.game)
    lines = Page(game, terminal.style(sys.stdout), min(terminal.width(), 80)).lines()
    kept = [line.rstrip() for line, before in zip(lines, ["", *lines], strict=False) if line or before]
    print("\n".join(kept).rstrip())
    return 0


class Page:
    """The rules of a game as lines of text."""

    def __init__(self, game: Game, style: terminal.Style, width: int) -> None:
        self.game = game
        self.style = style
        self.width = width

    def lines(self) -> list[str]:
        """Give the whole page."""
        game = self.game
        texts = dict(game.rules)
        endings = [self.goal(), *(texts.pop(key) for key in ENDINGS if key in texts)]
        remarks = [(key, texts.pop(key)) for key in REMARKS if key in texts]
        page = self.head()
        page += self.heading("The start")
        start = Board(game).piece_map()
        page += Drawing(start, game.files, game.ranks, self.style, token=longest_token(game)).lines()
        page += ["", "Capitals are White's pieces, small letters Black's."]
        page += self.setups(texts.pop("setup", ""))
        page += self.pieces()
        if texts:
            page += self.heading("Special rules")
        for key, text in texts.items():
            page += self.item(key, text)
        page += self.heading("How it ends")
        for text in endings:
            page += [*wrap(text, self.width), ""]
        if game.options:
            page += self.heading("Options") + self.options()
        if remarks:
            page += self.heading("Remarks")
        for key, text in remarks:
            page += self.item(key, text)
        if game.story.strip():
            page += [*self.heading("The story"), *paragraphs(game.story, self.width)]
        return page

    def head(self) -> list[str]:
        """Give name, author, board and summary."""
        game = self.game
        army = [piece.letter for piece in Board(game).piece_map().values() if piece.color]
        who = ", ".join(filter(None, (game.author, str(game.year or ""))))
        kinds = count(len(set(army)), "kind")
        board = f"{game.files} files, {game.ranks} ranks, {len(army)} pieces a side of {kinds}."
        return [
            self.style.paint(clean(game.name), palette.VERMILION, bold=True),
            *wrap(f"{who}. {board}" if who else board, self.width),
            # A link stays in one piece, however long it is.
            *([self.style.paint(clean(game.link), palette.MUTED)] if game.link else []),
            "",
            *wrap(game.summary, self.width),
        ]

    def heading(self, title: str) -> list[str]:
        """Give a heading with the empty lines around it."""
        return ["", self.style.paint(title.upper(), palette.VERMILION, bold=True), ""]

    def item(self, key: str, text: str) -> list[str]:
        """Give a rule with its name."""
        title = clean(key.replace("_", " "))
        return [self.style.paint(title[:1].upper() + title[1:], bold=True), *wrap(text, self.width, "  "), ""]

    def setups(self, text: str) -> list[str]:
        """Tell about the setups, if there are any."""
        setups = self.game.setups
        if not len(setups):
            return []
        name = Board(self.game).setup_name()
        default = f" The start shown is number {setups.number(name)}, {name}." if name else ""
        number = (
            f"{count(len(setups), 'setup')}, on {' and on '.join(squares(group) for group in setups.squares)}: "
            f"from number 1, {setups[0]}, to number {len(setups)}, {setups[-1]}.{default}"
        )
        return ["", *(wrap(text, self.width) if text else []), *wrap(number, self.width)]

    def pieces(self) -> list[str]:
        """List the kinds of piece; those that take an option to be seen come last."""
        seen = {piece.letter for piece in Board(self.game).piece_map().values()}
        seen |= {letter for piece in self.game.pieces for letter in piece.promotes_to}
        lines = self.heading("The pieces")
        for piece in self.game.pieces:
            lines += self.piece(piece) if piece.letter in seen else []
        rest = [piece for piece in self.game.pieces if piece.letter not in seen]
        if rest:
            lines += ["Only with an option:", ""]
        for piece in rest:
            lines += self.piece(piece)
        return lines

    def piece(self, piece: PieceType) -> list[str]:
        """Give a piece's letter, names, Betza notation, value, and how it moves."""
        indent = " " * (longest_token(self.game) + 3)
        letter = f"{piece.letter:{len(indent)}}"
        facts = [piece.move]
        facts += [f"from {self.places(at)} also {move}" for at, move in piece.extra_moves]
        value = "royal" if piece.royal else f"value {values(piece)}" if piece.values else ""
        title = wrap(f"{piece_title(piece)}: {'; '.join(facts)}" + (f"; {value}" if value else ""), self.width, indent)
        title[0] = self.style.paint(letter, bold=True) + title[0][len(letter) :]
        becomes = f" Becomes {join(piece.promotes_to, 'or')}." if piece.promotes_to else ""
        return [*title, *wrap(piece.help + becomes, self.width, indent), ""]

    def places(self, at: list[int]) -> str:
        """Name squares, whole ranks as such."""
        files = self.game.files
        ranks = sorted({square // 16 for square in at})
        if len(at) == files * len(ranks):
            numbers = [str(rank + 1) for rank in ranks]
            run = len(ranks) > 2 and ranks == list(range(ranks[0], ranks[-1] + 1))
            return f"ranks {numbers[0]}-{numbers[-1]}" if run else f"rank {join(numbers)}"
        return squares(at)

    def goal(self) -> str:
        """Say in a sentence what wins."""
        royals = [clean(piece.name) for piece in self.game.pieces if piece.royal]
        if self.game.has_check:
            return f"Checkmate of the {join(royals, 'or')} wins."
        return f"Who captures the last enemy {join(royals, 'or')} wins."

    def options(self) -> list[str]:
        """List the options with their values."""
        lines: list[str] = []
        for option in self.game.options.values():
            chosen = f", here {option.chosen}" if option.chosen != option.default else ""
            lines.append(self.style.paint(clean(option.name), bold=True))
            lines += wrap(option.help, self.width, "  ")
            lines += wrap(f"Values: {', '.join(option.values)}. Default {option.default}{chosen}.", self.width, "  ")
            lines.append("")
        first = next(iter(self.game.options.values()))
        example = f"{self.game.id}:{first.name}={next(v for v in reversed(first.values) if v != first.default)}"
        return [*lines, *wrap(f"Choose them behind the game's name: {example}", self.width), ""]
