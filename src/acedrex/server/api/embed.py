"""Small pages that other sites show in a frame: matches, puzzles, games, studies and analyses.

Browsers run them in a sandbox, as pages of no site: they can read no token of the visitor, and what they ask for is
asked by nobody. Only these pages may be framed.
"""

from __future__ import annotations

import html
from collections.abc import Mapping
from typing import Annotated, Any

import msgspec
from fastapi import APIRouter, Depends, Path, Query, Request, Response
from starlette.responses import HTMLResponse

from acedrex import Error, lessons, load
from acedrex.game import Game
from acedrex.game import games as shipped
from acedrex.server import wire
from acedrex.server.api import pages, problems, subjects
from acedrex.server.api.games import GameId
from acedrex.server.api.lessons import day_of, parse_day, puzzle_of
from acedrex.server.api.limits import spend, spend_on_match
from acedrex.server.api.matches import MatchId
from acedrex.server.api.pages import PRIVATE
from acedrex.server.api.previews import PUBLIC
from acedrex.server.api.studies import StudyId, judged
from acedrex.server.games.lessons import diagram_position, judge
from acedrex.server.refusal import Refusal
from acedrex.server.services import Served
from acedrex.server.studies.state import START, Chapter, first
from acedrex.server.time_source import now


async def _pay(request: Request) -> None:
    spend(request, "work")


router = APIRouter(prefix="/embed", include_in_schema=False, dependencies=[Depends(_pay)])

#: Scripts and data from us alone, in a sandbox without an origin, so that no token can be read; framed by anyone. Pages
#: without an origin start workers through `blob:`.
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'; worker-src 'self' blob:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors *; "
    "sandbox allow-scripts allow-popups allow-popups-to-escape-sandbox"
)
HEADERS = {**PUBLIC, "Content-Security-Policy": POLICY, "Cross-Origin-Opener-Policy": "unsafe-none"}

Lang = Annotated[str, Query(max_length=10)]
Number = Annotated[int, Path(ge=1, le=10_000)]
#: The moves of an attempt, separated by blanks.
Moves = Annotated[str, Query(max_length=2000)]


def _language(lang: str) -> str:
    return "fr" if lang.lower().startswith("fr") else "en"


@router.get("/match/{id}")
async def match_page(request: Request, services: Served, id: MatchId, lang: Lang = "en") -> Response:
    """Show a match, also while it is played."""
    language = _language(lang)
    try:
        subject = await subjects.match(services, id)
        room = await services.rooms.get(id)
        spend_on_match(request, len(room.match.moves))
    except Refusal as refusal:
        return _sorry(request, language, refusal)
    found = room.match
    attributes = _game(found.game, found.created.options) | {
        "fen": found.board.root_fen,
        "moves": " ".join(made.move for made in found.moves),
    }
    more = {"follow": f"{_root(request)}/embed/match/{id}/moves"} if subject.live else {}
    return _page(request, language, subject, attributes, found.game, more)


@router.get("/match/{id}/moves")
async def match_moves(request: Request, services: Served, id: MatchId) -> Response:
    """Return the moves of a match, for a page that shows it."""
    room = await services.rooms.get(id)
    spend_on_match(request, len(room.match.moves))
    moves = [made.move for made in room.match.moves]
    return _data({"moves": " ".join(moves), "over": room.match.phase == "over"})


@router.get("/learn/{id}")
async def learn_page(
    request: Request, services: Served, id: GameId, lang: Lang = "en", piece: Annotated[str, Query(max_length=2)] = ""
) -> Response:
    """Show a game to play with, or how one of its pieces moves."""
    language = _language(lang)
    try:
        subject = await subjects.learn(services, id, language)
        assert subject.game is not None
        attributes = _game(subject.game, {}) | (_diagram(subject.game, piece) if piece else {"interactive": ""})
    except Refusal as refusal:
        return _sorry(request, language, refusal)
    return _page(request, language, subject, attributes, subject.game)


def _diagram(game: Game, letter: str) -> dict[str, str]:
    """Return the attributes that show how a piece moves, as on the page of the game."""
    if letter not in {piece.letter for piece in game.pieces}:
        raise Refusal("no_such_page", f"{game.name} has no piece {letter!r}", "piece")
    fen, square = diagram_position(game, letter)
    return {"fen": fen, "shown": square}


@router.get("/puzzles/{id}/{number}")
async def puzzle_page(request: Request, services: Served, id: GameId, number: Number, lang: Lang = "en") -> Response:
    """Show a puzzle to solve."""
    language = _language(lang)
    try:
        subject = await subjects.puzzle(services, id, number, language)
    except Refusal as refusal:
        return _sorry(request, language, refusal)
    return _task(request, language, subject, f"{_root(request)}/embed/puzzles/{id}/{number}/attempt")


@router.get("/puzzles/{id}/{number}/attempt")
async def puzzle_attempt(request: Request, services: Served, id: GameId, number: Number, moves: Moves = "") -> Response:
    """Judge an attempt at a puzzle. Nobody's progress is stored."""
    game = await services.catalogue.game(id)
    return _judged(game, puzzle_of(game, number), moves)


@router.get("/daily")
async def today_page(request: Request, lang: Lang = "en") -> Response:
    """Show today's puzzle to solve."""
    return _daily(request, None, _language(lang))


@router.get("/daily/{date}")
async def daily_page(request: Request, date: Annotated[str, Path(max_length=10)], lang: Lang = "en") -> Response:
    """Show the puzzle of a day to solve."""
    return _daily(request, date, _language(lang))


def _daily(request: Request, date: str | None, language: str) -> Response:
    try:
        subject = subjects.daily(date, language)
    except Refusal as refusal:
        return _sorry(request, language, refusal)
    return _task(request, language, subject, f"{_root(request)}/{subject.embed}/attempt")


@router.get("/daily/{date}/attempt")
async def daily_attempt(request: Request, date: Annotated[str, Path(max_length=10)], moves: Moves = "") -> Response:
    """Judge an attempt at the puzzle of a day. Nobody's progress is stored."""
    game, found = lessons.daily(parse_day(date, day_of(now())))
    return _judged(game, found, moves)


@router.get("/study/{id}/{number}")
async def study_page(request: Request, services: Served, id: StudyId, number: Number, lang: Lang = "en") -> Response:
    """Show a chapter of a study: its main line with the texts, or an exercise to solve."""
    language = _language(lang)
    try:
        subject, chapter = await subjects.study(services, id, number)
    except Refusal as refusal:
        return _sorry(request, language, refusal)
    assert subject.game is not None
    assert chapter is not None
    address = f"{_root(request)}/{subject.embed}"
    if chapter.info.mode == "exercise":
        asked = chapter.nodes[START].told.comment or subjects.TEXTS[language]["find"]
        return _task(request, language, subject, f"{address}/attempt", chapter.info.options, asked)
    line, comments = _main_line(chapter)
    attributes = _game(subject.game, chapter.info.options)
    attributes |= {"fen": subject.fen, "orientation": subject.orientation, "moves": " ".join(line), "at": "0"}
    return _page(request, language, subject, attributes, subject.game, {"texts": f"{address}/texts"}, comments[0])


@router.get("/study/{id}/{number}/texts")
async def study_texts(services: Served, id: StudyId, number: Number) -> Response:
    """Return the comments on the main line of a chapter, the start first."""
    _, chapter = await subjects.study(services, id, number)
    if chapter is None or chapter.info.mode == "exercise":
        raise Refusal("no_such_chapter", "this chapter has no texts to show", "chapter")
    return _data({"comments": _main_line(chapter)[1]})


@router.get("/study/{id}/{number}/attempt")
async def study_attempt(request: Request, services: Served, id: StudyId, number: Number, moves: Moves = "") -> Response:
    """Judge an attempt at an exercise of a study."""
    study = await services.studies.get(id)
    study.check_reads(None)
    try:
        attempt = msgspec.convert({"moves": moves.split()}, wire.Attempt)
    except msgspec.ValidationError:
        return _data({"verdict": "wrong", "moves": "", "comment": ""})
    _, result, comment = await judged(request, services, study, number, attempt)
    return _data({"verdict": result.verdict, "moves": " ".join(result.moves), "comment": comment})


def _main_line(chapter: Chapter) -> tuple[list[str], list[str]]:
    """Return the moves of a chapter's main line, and the comments on them, that on the start first."""
    moves, comments, here = [], [chapter.nodes[START].told.comment], first(chapter, START)
    while here is not None:
        moves.append(chapter.nodes[here].told.move)
        comments.append(chapter.nodes[here].told.comment)
        here = first(chapter, here)
    return moves, comments


@router.get("/analysis")
async def analysis_page(request: Request, lang: Lang = "en") -> Response:
    """Show an analysis, which is in the fragment of the address."""
    language = _language(lang)
    return _page(request, language, subjects.analysis(language), None, None)


def _judged(game: Game, puzzle: lessons.Puzzle, moves: str) -> Response:
    """Judge an attempt; a move that is not legal is wrong."""
    try:
        attempt = msgspec.convert({"moves": moves.split()}, wire.Attempt)
        result = judge(game, puzzle, attempt)
    except (Error, msgspec.ValidationError):
        return _data({"verdict": "wrong", "moves": ""})
    return _data({"verdict": result.verdict, "moves": " ".join(result.moves)})


def _task(
    request: Request,
    language: str,
    subject: subjects.Subject,
    judge: str,
    options: Mapping[str, str] | None = None,
    asked: str | None = None,
) -> Response:
    assert subject.game is not None
    attributes = _game(subject.game, options or {}) | {
        "fen": subject.fen,
        "orientation": subject.orientation,
        "interactive": "",
    }
    asked = asked or subjects.TEXTS[language]["find"]
    return _page(request, language, subject, attributes, subject.game, {"judge": judge}, asked)


def _game(game: Game, options: Mapping[str, str]) -> dict[str, str]:
    """Return the attribute that names a game and the options chosen."""
    chosen = ",".join(f"{name}={value}" for name, value in options.items())
    return {"game": f"{game.id}:{chosen}" if chosen else game.id, "fen": game.start_fen}


def _page(
    request: Request,
    language: str,
    subject: subjects.Subject,
    attributes: dict[str, str] | None,
    game: Game | None,
    data: Mapping[str, str] | None = None,
    told: str = "",
) -> Response:
    """Return the page with a board, and below it a link to the page of the app."""
    board = ""
    if attributes is not None:
        # A definition that does not ship, or not as it is here, goes with the page.
        own = game is not None and not (game.id in shipped() and load(game.id).source == game.source)
        definition = f'<pre slot="definition" hidden>{html.escape(game.source)}</pre>' if own and game else ""
        written = " ".join(f'{name}="{html.escape(value)}"' for name, value in attributes.items())
        board = f"<acedrex-board {written}>{definition}</acedrex-board>"
    link = f"{_root(request)}/{subject.path}"
    caption = f'<a href="{html.escape(link)}" target="_blank" rel="noopener">{html.escape(subject.title)}</a>'
    body = f'{board}\n<p class="told" role="status">{html.escape(told)}</p>\n<p class="caption">{caption}</p>'
    data = {"kind": subject.kind, **(data or {})}
    return _answer(request, language, subject.title, body, data, is_public=subject.is_public)


def _sorry(request: Request, language: str, refusal: Refusal) -> Response:
    problem = refusal.problem
    body = f'<p class="told">{html.escape(problem.message)}</p>'
    status = problems.answer(problem).status_code
    return _answer(request, language, "Acedrex", body, {}, status, is_public=False)


def _answer(
    request: Request,
    language: str,
    title: str,
    body: str,
    data: Mapping[str, str],
    status: int = 200,
    *,
    is_public: bool,
) -> Response:
    if not (pages.STATIC / "element" / "embed.js").is_file():
        return Response(pages.MISSING, 503, HEADERS, "text/plain")
    marked = "".join(f' data-{name}="{html.escape(value)}"' for name, value in data.items())
    text = f"""<!doctype html>
<html lang="{language}"{marked}>
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<title>{html.escape(title)}</title>
<script type="module" src="{html.escape(_root(request))}/element/embed.js"></script>
</head>
<body>
{body}
</body>
</html>
"""
    return HTMLResponse(text, status, headers={**HEADERS, **({"Cache-Control": "no-cache"} if is_public else PRIVATE)})


def _data(told: dict[str, Any]) -> Response:
    return Response(msgspec.json.encode(told), media_type="application/json", headers=PUBLIC)


def _root(request: Request) -> str:
    root: str = request.scope.get("root_path", "")
    return root
