"""Analysis over HTTP: trees and PGN, attacks, edited positions, pictures, jobs."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from fastapi import Path, Query, Request, Response

from acedrex.server import wire
from acedrex.server.analysis import trees
from acedrex.server.api import offload
from acedrex.server.api.bodies import json_body
from acedrex.server.api.games import chosen_game, game_of
from acedrex.server.api.limits import visitor
from acedrex.server.api.routes import Encoded, Reader, Routes, refused
from acedrex.server.api.tokens import OptionalPerson
from acedrex.server.games.catalogue import is_strangers
from acedrex.server.match import positions
from acedrex.server.services import Served

router = Routes("/api/analysis", "analysis")

#: Trees and games in PGN have more bytes than other bodies.
LARGE = Reader(partial(json_body, most=2 * 1024 * 1024))

TreeBody = Annotated[wire.TreeRequest, LARGE]


@router.post("/tree", responses=refused(404))
async def tree(request: Request, services: Served, body: TreeBody) -> Encoded[wire.Tree]:
    """Check a tree of moves, and return the SAN and the resulting FEN of each move."""
    game = await chosen_game(services, body.game, body.options)
    return await offload.answer(request, game, len(body.nodes), partial(trees.read_tree, game, body))


@router.post("/record", responses=refused(404))
async def record(
    request: Request,
    services: Served,
    body: Annotated[wire.RecordRequest, LARGE],
) -> Encoded[wire.Tree]:
    """Read the first game of a PGN as a tree of moves."""
    games = await services.catalogue.named_in(body.pgn)
    of_a_stranger = next(filter(is_strangers, games.values()), None)
    # A move has at least two characters.
    return await offload.answer(request, of_a_stranger, len(body.pgn) // 2, partial(trees.read_pgn, games, body.pgn))


@router.post("/pgn", responses=refused(404))
async def pgn(request: Request, services: Served, body: TreeBody) -> Annotated[Response, "text/plain"]:
    """Write a tree as PGN."""
    game = await chosen_game(services, body.game, body.options)
    text = await offload.run(request, game, len(body.nodes), partial(trees.write_pgn, game, body))
    return Response(text + "\n", media_type="text/plain")


@router.post("/moves", responses=refused(404))
async def moves(request: Request, services: Served, body: wire.MovesRequest) -> Encoded[wire.MovesMade]:
    """Make moves from a position, in coordinates or in SAN."""
    game = await game_of(request, services, body)
    return await offload.answer(request, game, len(body.moves), partial(trees.make_moves, game, body.fen, body.moves))


@router.post("/attacks", responses=refused(404))
async def attacked(request: Request, services: Served, body: wire.FenRequest) -> Encoded[wire.Attacks]:
    """Count the attackers of each square, and list the pieces that could be captured at a profit."""
    game = await chosen_game(services, body.game, body.options)
    return await offload.answer(request, game, 0, partial(trees.attacks, game, body.fen))


@router.post("/edit", responses=refused(404))
async def edit(request: Request, services: Served, body: wire.EditRequest) -> Encoded[wire.Edited]:
    """Return the FEN of an edited position, and the reasons why it is illegal, if any."""
    game = await chosen_game(services, body.game, body.options)
    return await offload.answer(request, game, 0, partial(trees.edited, game, body))


@router.post("/picture", responses=refused(404))
async def picture(
    request: Request, services: Served, body: wire.PictureRequest
) -> Annotated[Response, "image/svg+xml"]:
    """Draw a position as SVG."""
    game = await chosen_game(services, body.game, body.options)
    return Response(await offload.run(request, game, 0, partial(trees.draw, game, body)), media_type="image/svg+xml")


@router.post("/jobs", status_code=201, responses=refused(401, 404))
async def new_job(
    request: Request,
    services: Served,
    person: OptionalPerson,
    body: wire.JobRequest,
) -> wire.Job:
    """Analyse a game with the engine. The same game is the same job, whoever requests it."""
    game = await chosen_game(services, body.game, body.options)
    job = partial(positions.played, game, body.fen, body.moves)
    return await services.reviews.begin(
        visitor(request, person), await offload.run(request, game, len(body.moves), job)
    )


@router.get("/jobs/{id}", responses=refused(404))
async def get_job(
    services: Served, id: Annotated[str, Path(max_length=32)], behind: Annotated[int, Query(ge=-1, le=10_000)] = -1
) -> wire.Job:
    """Return the progress of a job, and its findings after the ply ``behind``."""
    return await services.reviews.progress(id, behind)
