"""What the address of a page of the app shows, for other people's pages: a match, a puzzle, a study, and so on."""

from __future__ import annotations

import re
from typing import Literal
from urllib.parse import parse_qs, quote, urlencode

from msgspec import Struct
from sqlalchemy import select

from acedrex import Board, Error, lessons
from acedrex.game import Game
from acedrex.lessons import Puzzle
from acedrex.plain import side
from acedrex.server.api.lessons import day_of, parse_day, puzzle_of
from acedrex.server.archive import search_index
from acedrex.server.games.catalogue import in_language, restore
from acedrex.server.refusal import Refusal
from acedrex.server.services import Services
from acedrex.server.storage import cards
from acedrex.server.storage.tables import matches
from acedrex.server.studies.state import START, Chapter, chapter_of
from acedrex.server.time_source import now

#: Texts by language.
TEXTS = {
    "en": {
        "puzzle": "{game}: puzzle {number}",
        "daily": "Puzzle of {date}: {game}",
        "find": "Find the best move.",
        "white": "White to move.",
        "black": "Black to move.",
        "analysis": "Analysis",
        "about": "Chess on large boards",
    },
    "fr": {
        "puzzle": "{game} : problème {number}",
        "daily": "Problème du {date} : {game}",
        "find": "Trouvez le meilleur coup.",
        "white": "Aux Blancs de jouer.",
        "black": "Aux Noirs de jouer.",
        "analysis": "Analyse",
        "about": "Les échecs sur de grands échiquiers",
    },
}


class Subject(Struct, frozen=True, kw_only=True):
    """What a page of the app shows."""

    kind: Literal["match", "puzzles", "daily", "learn", "analysis", "study"]
    #: Its path in the app, with the query, and that of the page that shows it on other pages; without a leading slash.
    path: str
    embed: str
    title: str
    description: str
    #: The game and the position; an analysis is in the address's fragment, which no server sees.
    game: Game | None = None
    fen: str = ""
    orientation: Literal["white", "black"] = "white"
    #: Whether the position may still change.
    live: bool = False
    #: Whether it is for everybody; a private match is for those who have its address.
    is_public: bool = True


async def subject_of(services: Services, path: str, query: str = "", language: str = "en") -> Subject | None:
    """Return what a path of the app shows; ``None`` if it is another page.

    :raises Refusal: if there is no such match, puzzle or game.
    """
    if len(path) > 200 or len(query) > 1000:
        return None
    given = {key: values[0] for key, values in parse_qs(query, max_num_fields=20).items()}
    kind, _, rest = path.partition("/")
    match kind, rest:
        case "match", id if re.fullmatch(r"[\w-]{1,32}", id):
            return await match(services, id)
        case "learn", id if id and "/" not in id:
            return await learn(services, id, language)
        case "puzzles", "" if re.fullmatch(r"[1-9][0-9]{0,4}", given.get("number", "")):
            return await puzzle(services, given.get("game", ""), int(given["number"]), language)
        case "daily", "":
            return daily(given.get("date"), language)
        case "study", id if re.fullmatch(r"[A-Za-z0-9]{1,32}", id):
            number = given.get("chapter", "")
            return (await study(services, id, int(number) if re.fullmatch(r"[1-9][0-9]{0,8}", number) else None))[0]
        case "analysis", "":
            return analysis(language)
    return None


def analysis(language: str = "en") -> Subject:
    """Return an analysis."""
    title, about = TEXTS[language]["analysis"], TEXTS[language]["about"]
    return Subject(kind="analysis", path="analysis", embed="embed/analysis", title=title, description=about)


async def match(services: Services, id: str) -> Subject:
    """Return a match.

    :raises Refusal: if there is none.
    """
    row = await services.store.first(select(matches.c.card, matches.c.opponent).where(matches.c.id == id))
    if row is None:
        raise Refusal("no_such_match", "match not found", "match")
    card = cards.read(row.card)
    title = f"{card.players.white or '?'} - {card.players.black or '?'}"
    try:
        game = await services.catalogue.game(card.game.id, card.options)
        # A game of a folder may have changed since the match began.
        Board(game, card.fen)
    except Exception:
        game = None
    score = "" if card.ending is None else f" {card.ending.result}"
    return Subject(
        kind="match",
        path=f"match/{id}",
        embed=f"embed/match/{id}",
        title=f"{title} · {card.game.name}",
        description=f"{card.game.name}, {card.game.files}x{card.game.ranks}.{score}".strip(),
        game=game,
        fen=card.fen,
        live=card.phase != "over",
        is_public=row.opponent in search_index.PUBLIC,
    )


async def learn(services: Services, id: str, language: str = "en") -> Subject:
    """Return the page that teaches a game.

    :raises Refusal: if there is no such game.
    """
    game = in_language(await services.catalogue.game(id), language)
    path = f"learn/{quote(id)}"
    return Subject(
        kind="learn", path=path, embed=f"embed/{path}", title=game.name, description=game.summary, game=game,
        fen=game.start_fen,
    )  # fmt: skip


async def puzzle(services: Services, id: str, number: int, language: str = "en") -> Subject:
    """Return a puzzle of a game.

    :raises Refusal: if there is no such game or puzzle.
    """
    game = await services.catalogue.game(id)
    title = TEXTS[language]["puzzle"].format(game=game.name, number=number)
    path = f"puzzles?{urlencode({'game': id, 'number': number})}"
    return _task("puzzles", path, f"embed/puzzles/{id}/{number}", title, game, puzzle_of(game, number), language)


def daily(date: str | None, language: str = "en") -> Subject:
    """Return the puzzle of a day, by default today's.

    :raises Refusal: if there is none.
    """
    day = parse_day(date, day_of(now()))
    game, found = lessons.daily(day)
    title = TEXTS[language]["daily"].format(date=day, game=game.name)
    return _task("daily", f"daily?date={day}", f"embed/daily/{day}", title, game, found, language)


async def study(services: Services, id: str, number: int | None) -> tuple[Subject, Chapter | None]:
    """Return a chapter of a study that everybody may read who has its address, by default the first.

    :raises Refusal: if there is no such study or chapter.
    """
    found = await services.studies.get(id)
    found.check_reads(None)
    chapters = found.contents.chapters
    chapter = chapters[0] if number is None and chapters else None
    if number is not None and (chapter := chapter_of(found.contents, number)) is None:
        raise Refusal("no_such_chapter", "this study has no such chapter", "chapter")
    if chapter is None:
        subject = Subject(
            kind="study", path=f"study/{id}", embed=f"embed/study/{id}/1", title=found.title, description=""
        )
        return subject, None
    root = chapter.nodes[START].told
    subject = Subject(
        kind="study",
        path=f"study/{id}?chapter={chapter.info.id}",
        embed=f"embed/study/{id}/{chapter.info.id}",
        title=f"{chapter.info.title} · {found.title}",
        description=" ".join(root.comment.split())[:200] or chapter.info.name,
        game=await game_of(services, chapter),
        fen=root.fen,
        orientation=chapter.info.orientation,
        is_public=found.access == "public",
    )
    return subject, chapter


async def game_of(services: Services, chapter: Chapter) -> Game:
    """Return the game of a chapter, by the rules of the day when it was made."""
    text = await services.store.definition(chapter.definition)
    try:
        return restore(text, chapter.file, chapter.info.options, chapter.rules_hash)
    except Error:
        return await services.catalogue.game(chapter.info.game, chapter.info.options)


def _task(
    kind: Literal["puzzles", "daily"], path: str, embed: str, title: str, game: Game, found: Puzzle, language: str
) -> Subject:
    turn = side(Board(game, found.fen).turn)
    texts = TEXTS[language]
    return Subject(
        kind=kind,
        path=path,
        embed=embed,
        title=title,
        description=f"{texts[turn]} {texts['find']}",
        game=game,
        fen=found.fen,
        orientation=turn,
    )
