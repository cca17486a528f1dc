"""Games and their positions."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Annotated

from fastapi import Depends, Path, Query, Request
from starlette.responses import HTMLResponse, Response

from acedrex import Game, languages, lessons
from acedrex.game import games as shipped
from acedrex.game import split_spec
from acedrex.server import wire
from acedrex.server.api import offload
from acedrex.server.api.limits import spend
from acedrex.server.api.routes import Encoded, Routes, refused
from acedrex.server.archive import starts
from acedrex.server.games import catalogue
from acedrex.server.match import positions
from acedrex.server.refusal import Refusal
from acedrex.server.services import Served, Services

router = Routes("/api", "games")

#: The page of a study has its styles and plots within.
STUDY_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)


async def supported_language(lang: Annotated[str | None, Query(max_length=10)] = None) -> str | None:
    """Return the language if it is supported: unknown names must not fill the caches that are kept by language."""
    return lang if lang in languages() else None


Language = Annotated[str | None, Depends(supported_language)]
GameId = Annotated[str, Path(max_length=64)]


@router.get("/games")
async def list_games(services: Served, lang: Language) -> list[wire.GameSummary]:
    """List the games, the featured first."""
    return services.catalogue.summaries(lang)


@router.get("/games/{id}", responses=refused(404))
async def get_game(request: Request, services: Served, id: GameId, lang: Language) -> Encoded[wire.Game]:
    """Return a game in full."""
    game = await services.catalogue.game(id)
    return await offload.tell(request, game, await services.catalogue.describing(game, lang))


@router.get("/games/{id}/setups/{setup}", responses=refused(404))
async def get_setup(services: Served, id: GameId, setup: Annotated[str, Path(max_length=80)]) -> wire.Setup:
    """Return a setup by name, by number or at random."""
    game = await services.catalogue.game(id)
    if not len(game.setups):
        raise Refusal("no_such_setup", f"{game.name} has only one starting position", "setup")
    return catalogue.setup(game, catalogue.random_setup(game) if setup == "random" else setup)


@router.get("/games/{id}/study", responses=refused(404))
async def get_study(services: Served, id: GameId) -> Annotated[Response, "text/html"]:
    """Return the page of the study that measured White's score from each setup."""
    page = lessons.setup_study(await services.catalogue.game(id))
    if page is None:
        raise Refusal("no_such_page", "no study was made of this game's setups")
    return HTMLResponse(page, headers={"Content-Security-Policy": STUDY_POLICY})


@router.get("/games/{id}/positions", responses=refused(404))
async def starting_positions(request: Request, services: Served, id: GameId) -> wire.StartingPositions:
    """List positions to begin a match from: won endings, handicaps, and the openings of public matches."""
    spend(request, "work", 2)
    game = await services.catalogue.game(id)
    openings = await starts.most_played(services.store, game)
    return wire.StartingPositions(starts.endings(game, id in shipped()), starts.handicaps(game), openings)


async def game_of(request: Request, services: Services, body: wire.GameRequest) -> Game:
    """Return the game of a position: that of its match, by whose rules it began, or the one that is offered now.

    :raises Refusal: if there is no such match, game or option.
    """
    if body.match is not None:
        # Its match may have to be read first.
        spend(request, "work", 4)
        return (await services.rooms.get(body.match)).match.game
    return await chosen_game(services, body.game, body.options)


async def chosen_game(services: Services, spec: str, options: Mapping[str, str]) -> Game:
    """Return a game with options, which may be in its name.

    :raises Refusal: if there is no such game or option.
    """
    id, chosen = split_spec(spec)
    return await services.catalogue.game(id, {**chosen, **options})


@router.post("/position", responses=refused(404))
async def position(request: Request, services: Served, body: wire.PositionRequest) -> Encoded[wire.Position]:
    """Return the position after some moves from a setup or a FEN."""
    game = await game_of(request, services, body)
    if body.setup is not None and body.fen is not None:
        raise Refusal("invalid", "give a FEN or a setup, not both", "setup")
    fen = catalogue.setup(game, body.setup).fen if body.setup is not None else body.fen
    return await offload.answer(request, game, len(body.moves), partial(positions.after, game, fen, body.moves))


@router.post("/idle", responses=refused(404))
async def idle(request: Request, services: Served, body: wire.SquareRequest, lang: Language) -> Encoded[wire.Idle]:
    """Say why the piece on a square has no legal move, such as that no Chieftain can command it any more."""
    game = catalogue.in_language(await game_of(request, services, body), lang)
    return await offload.answer(request, game, 0, partial(positions.idle, game, body))


@router.post("/reach", responses=refused(404))
async def reach(request: Request, services: Served, body: wire.ReachRequest) -> Encoded[list[wire.Reach]]:
    """List the squares that the piece on a square, of either side, reaches by its way of moving."""
    game = await game_of(request, services, body)
    return await offload.answer(request, game, 0, partial(positions.reach, game, body))
