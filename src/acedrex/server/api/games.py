"""Games, and positions of them."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from fastapi import Depends, Path, Query, Request

from acedrex import Board, languages, parse_square, plain
from acedrex.game import split_spec
from acedrex.server import catalogue, positions, wire
from acedrex.server.api import heavy
from acedrex.server.api.limits import spend
from acedrex.server.api.routes import Encoded, Routes, refused
from acedrex.server.api.services import Served
from acedrex.server.decide import Refusal

router = Routes("/api", "games")


async def spoken(lang: Annotated[str | None, Query(max_length=10)] = None) -> str | None:
    """Give a language that there is: what was told in it is remembered, and names that mean nothing are many."""
    return lang if lang in languages() else None


Language = Annotated[str | None, Depends(spoken)]
GameId = Annotated[str, Path(max_length=64)]


@router.get("/games")
async def list_games(services: Served, lang: Language) -> list[wire.GameSummary]:
    """List the games, the featured first."""
    return services.catalogue.summaries(lang)


@router.get("/games/{id}", responses=refused(404))
async def one_game(services: Served, id: GameId, lang: Language) -> wire.Game:
    """Tell all about a game."""
    return services.catalogue.told(id, lang)


@router.get("/games/{id}/setups/{setup}", responses=refused(404))
async def one_setup(services: Served, id: GameId, setup: Annotated[str, Path(max_length=80)]) -> wire.Setup:
    """Give a setup by its name, its number, or at random."""
    game = services.catalogue.game(id)
    if not len(game.setups):
        raise Refusal("no_such_setup", f"{game.name} has only one starting position", "setup")
    return catalogue.setup(game, catalogue.random_setup(game) if setup == "random" else setup)


@router.post("/position", responses=refused(404))
async def position(request: Request, services: Served, asked: wire.PositionRequest) -> Encoded[wire.Position]:
    """Tell a position: of a setup or a FEN, after some moves."""
    spend(request, "work", 1 + len(asked.moves) / 20)
    id, options = split_spec(asked.game)
    game = services.catalogue.game(id, {**options, **asked.options})
    if asked.setup is not None and asked.fen is not None:
        raise Refusal("invalid", "give a FEN or a setup, not both", "setup")
    fen = catalogue.setup(game, asked.setup).fen if asked.setup is not None else asked.fen
    return await heavy.answer(request, len(asked.moves), partial(positions.after, Board(game, fen), asked.moves))


@router.post("/reach", responses=refused(404))
async def reach(request: Request, services: Served, asked: wire.ReachRequest) -> list[wire.Reach]:
    """Tell where the piece on a square, of either side, could go by its way of moving."""
    spend(request, "work")
    id, options = split_spec(asked.game)
    board = Board(services.catalogue.game(id, {**options, **asked.options}))
    # Diagrams have no Kings.
    board.set_fen(asked.fen, playable=False)
    at = parse_square(asked.square)
    return plain.premoves(board, at) if asked.premove else plain.reaches(board, at)
