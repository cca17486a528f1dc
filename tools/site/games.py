"""Makes a page for every game that ships with Acedrex, with pictures, all of it from the definitions."""

from __future__ import annotations

import html
import re
from collections.abc import Iterator

import boards
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

import acedrex
from acedrex import Board, Game, PieceType, svg
from acedrex.cli import rules, terminal
from acedrex.cli.words import piece_title, squares, values
from acedrex.game import FEATURED
from acedrex.server.games.lessons import diagram_position

THEMES = ("light", "dark")
#: The position on the first page.
FRONT = (
    "cm1vu1d1vzmc/ernbqkgobnre/aaaaiwwiaaaa/ppp1z1p1pppp/2f1pp1p4/3p8/6P1D3/5OW1F3/PPPPPP1PPPPP/AAAAIW1IAAAA/"
    "ERNBQKGVBNRE/CMZVU4ZMC w Kk - 6 13"
)


def order() -> list[str]:
    """Return the ids of all games, the featured first."""
    return [*FEATURED, *(name for name in acedrex.games() if name not in FEATURED)]


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Add the games to the navigation."""
    for entry in config.nav or []:
        if "Games" in entry:
            entry["Games"] = ["games/index.md", *(f"games/{name}.md" for name in order())]
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add pages and pictures."""
    for path, text in made():
        files.append(File.generated(config, path, content=text))
    return files


def made() -> Iterator[tuple[str, str]]:
    """Return path and text of every page and picture."""
    front, last = Board("maasai", FRONT), (acedrex.parse_square("c12"), acedrex.parse_square("e9"))
    for theme in THEMES:
        drawing = svg.board(front, size=720, lastmove=last, dots=acedrex.parse_square("f5"), theme=theme)
        yield f"style/front-{theme}.svg", drawing
    for game in map(acedrex.load, order()):
        yield f"games/{game.id}.md", GamePage(game).text()
        for theme in THEMES:
            yield f"games/{game.id}/start-{theme}.svg", svg.board(Board(game), size=640, theme=theme)
            for piece in game.pieces:
                drawing = svg.piece_moves(game, piece.letter, size=220, theme=theme)
                yield f"games/{game.id}/{piece.id}-{theme}.svg", drawing


def pictures(words: str, path: str, style: str = "") -> str:
    """Show the picture of the theme: the other is not even loaded."""
    kind = f" .{style}" if style else ""
    return "\n".join(f"![{plain(words)}]({path}-{theme}.svg#only-{theme}){{ loading=lazy{kind} }}" for theme in THEMES)


def front_board(words: str) -> str:
    """Show the position on the first page, with the Sorceress that its sentence is about."""
    return boards.playable(pictures(words, "style/front", "board"), game="maasai", fen=FRONT, shown="f5")


def plain(text: str) -> str:
    """Return a definition's text as escaped Markdown."""
    return re.sub(r"([\\`*_\[\]{}|#])", r"\\\1", html.escape(text, quote=False))


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Add pictures of both themes to the first page, and all games on the page that lists them."""
    if page.file.src_uri == "index.md":
        return re.sub(r"!\[(.*?)\]\(board\.svg\)", lambda shown: front_board(shown[1]), markdown)
    if page.file.src_uri == "games/index.md":
        return markdown.replace('<div class="cards"></div>', cards())
    return markdown


def cards() -> str:
    """Return a picture and a sentence for each game."""
    games = [acedrex.load(name) for name in order()]
    made = [
        f'<div class="card" markdown>\n\n{pictures(game.name, f"{game.id}/start")}\n\n'
        f"**[{plain(game.name)}]({game.id}.md)**  \n{game.files}x{game.ranks}, {len(game.pieces)} kinds. "
        f"{plain(game.summary)}\n\n</div>"
        for game in games
    ]
    return '<div class="cards" markdown>\n\n' + "\n\n".join(made) + "\n\n</div>"


class GamePage:
    """The page of a game."""

    def __init__(self, game: Game) -> None:
        self.game = game
        # Finds the same sentences as `acedrex rules`.
        self.told = rules.Page(game, terminal.Style(0, True), 80)

    def text(self) -> str:
        """Return the whole page."""
        game = self.game
        texts = dict(game.rules)
        endings = [texts.pop(key) for key in rules.ENDINGS if key in texts]
        remarks = {key: texts.pop(key) for key in rules.REMARKS if key in texts}
        parts = [*self.head(), *self.setups(texts.pop("setup", "")), "## Pieces", *self.pieces()]
        if texts:
            parts += ["## Special rules", *self.items(texts)]
        parts += ["## How the game ends", *map(plain, endings)]
        if game.options:
            parts += ["## Options", *self.options()]
        if remarks:
            parts += ["## Remarks", *self.items(remarks)]
        if game.story.strip():
            parts += ["## History", plain(game.story.strip())]
        parts += ["## The definition", "All of the above is in this file, and nothing about the game is elsewhere."]
        listing = "\n".join(f"    {line}" for line in game.source.strip().splitlines())
        parts.append(f'??? note "{game.id}.toml"\n\n    ```toml\n{listing}\n    ```')
        return "\n\n".join(parts) + "\n"

    def head(self) -> list[str]:
        """Return name, author, summary and the start."""
        game = self.game
        army = [piece.letter for piece in Board(game).piece_map().values() if piece.color]
        who = ", ".join(filter(None, (plain(game.author), str(game.year or ""))))
        page = f" [Where the rules stand]({game.link})." if game.link else ""
        return [
            f"# {plain(game.name)}",
            plain(game.summary),
            f"{who}. {game.files} files, {game.ranks} ranks, {len(army)} pieces per side "
            f"of {len(set(army))} types.{page}",
            boards.playable(
                pictures(f"The start of {game.name}", f"{game.id}/start", "board"), game=game.id, interactive=""
            ),
            f'`acedrex play {game.id}` plays it in a terminal, `acedrex.Board("{game.id}")` in Python.',
        ]

    def setups(self, text: str) -> list[str]:
        """Describe the setups, if there are any."""
        setups = self.game.setups
        if not len(setups):
            return []
        free = " and on ".join(squares(group) for group in setups.squares)
        count = (
            f"{len(setups)} setups, on {free}: from number 1, `{setups[0]}`, to number {len(setups)}, `{setups[-1]}`."
        )
        return ["## The setup", plain(text), count]

    def pieces(self) -> list[str]:
        """Describe every piece type, with its picture."""
        seen = {piece.letter for piece in Board(self.game).piece_map().values()}
        seen |= {letter for piece in self.game.pieces for letter in piece.promotes_to}
        return [self.piece(piece, piece.letter in seen) for piece in self.game.pieces]

    def piece(self, piece: PieceType, always: bool) -> str:
        """Describe a piece type."""
        facts = [f"`{piece.letter}`", f"moves `{piece.move}`"]
        facts += [f"from {self.told.area(at)} also `{move}`" for at, move in piece.extra_moves]
        facts += ["royal"] if piece.royal else [f"value {plain(values(piece))}"] if piece.values else []
        facts += [] if always else ["only with an option"]
        picture = pictures(f"How the {piece.name} moves", f"{self.game.id}/{piece.id}")
        fen, square = diagram_position(self.game, piece.letter)
        becomes = f" Becomes {', '.join(piece.promotes_to)}." if piece.promotes_to else ""
        return (
            f'<div class="piece" markdown>\n\n### {plain(piece_title(piece))}\n\n'
            f"{boards.opened(picture, game=self.game.id, fen=fen, shown=square)}\n\n"
            f"{'; '.join(facts)}.\n\n{plain(piece.help + becomes)}\n\n</div>"
        )

    def items(self, texts: dict[str, str]) -> list[str]:
        """Return rules with their names."""
        return [f"**{plain(self.game.rule_titles[key])}.** {plain(text)}" for key, text in texts.items()]

    def options(self) -> list[str]:
        """Return the options with their values."""
        rows = [
            f"| `{option.name}` | {', '.join(f'`{value}`' for value in option.values)} | `{option.default}` "
            f"| {plain(option.help)} |"
            for option in self.game.options.values()
        ]
        first = next(iter(self.game.options.values()))
        other = next(value for value in reversed(first.values) if value != first.default)
        example = f"Choose them after the game's name: `{self.game.id}:{first.name}={other}`."
        return ["\n".join(["| option | values | default | |", "|---|---|---|---|", *rows]), example]
