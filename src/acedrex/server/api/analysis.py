"""Analysis over HTTP: trees and PGN, attacks, edited positions, pictures, jobs."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from fastapi import Path, Query, Request, Response

from acedrex import Board, parse_square, svg
from acedrex.server import analysis, attacks, wire
from acedrex.server.api import heavy
from acedrex.server.api.bodies import json_body
from acedrex.server.api.games import game_of
from acedrex.server.api.limits import spend, visitor
from acedrex.server.api.routes import Encoded, Reader, Routes, refused
from acedrex.server.api.services import Served
from acedrex.server.api.tokens import CurrentPerson
from acedrex.server.decide import Refusal

router = Routes("/api/analysis", "analysis")

#: Trees and games in PGN have more bytes than other bodies.
LARGE = Reader(partial(json_body, most=2 * 1024 * 1024))

TreeBody = Annotated[wire.TreeRequest, LARGE]


@router.post("/tree", responses=refused(404))
async def tree(request: Request, services: Served, body: TreeBody) -> Encoded[wire.Tree]:
    """Check a tree of moves, and return the SAN and the resulting FEN of each move."""
    spend(request, "work", 1 + len(body.nodes) / 50)
    job = partial(analysis.read_tree, analysis.start_board(services.catalogue, body), body)
    return await heavy.answer(request, len(body.nodes), job)


@router.post("/record", responses=refused(404))
async def record(
    request: Request,
    services: Served,
    body: Annotated[wire.RecordRequest, LARGE],
) -> Encoded[wire.Tree]:
    """Read the first game of a PGN as a tree of moves."""
    spend(request, "work", 1 + len(body.pgn) / 1_000)
    # A move has at least two characters.
    return await heavy.answer(
        request, len(body.pgn) // 2, partial(analysis.read_pgn, services.catalogue.named_in(body.pgn), body.pgn)
    )


@router.post("/pgn", responses=refused(404))
async def pgn(request: Request, services: Served, body: TreeBody) -> Annotated[Response, "text/plain"]:
    """Write a tree as PGN."""
    spend(request, "work", 1 + len(body.nodes) / 50)
    job = partial(analysis.write_pgn, analysis.start_board(services.catalogue, body), body)
    return Response(await heavy.run(request, len(body.nodes), job) + "\n", media_type="text/plain")


@router.post("/moves", responses=refused(404))
async def moves(request: Request, services: Served, body: wire.MovesRequest) -> Encoded[wire.MovesMade]:
    """Make moves from a position, in coordinates or in SAN."""
    spend(request, "work", 1 + len(body.moves) / 20)
    board = Board(await game_of(request, services, body), body.fen)
    return await heavy.answer(request, len(body.moves), partial(analysis.make_moves, board, body.moves))


@router.post("/attacks", responses=refused(404))
async def attacked(request: Request, services: Served, body: wire.FenRequest) -> wire.Attacks:
    """Count the attackers of each square, and list the pieces that could be captured at a profit."""
    spend(request, "work", 2)
    return attacks.attacks(Board(analysis.game_of(services.catalogue, body.game, body.options), body.fen))


@router.post("/edit", responses=refused(404))
async def edit(request: Request, services: Served, body: wire.EditRequest) -> wire.Edited:
    """Return the FEN of an edited position, and the reasons why it is illegal, if any."""
    spend(request, "work")
    return attacks.edited(Board(analysis.game_of(services.catalogue, body.game, body.options)), body)


@router.post("/picture", responses=refused(404))
async def picture(
    request: Request, services: Served, body: wire.PictureRequest
) -> Annotated[Response, "image/svg+xml"]:
    """Draw a position as SVG."""
    spend(request, "work", 2)
    board = Board(analysis.game_of(services.catalogue, body.game, body.options))
    board.set_fen(body.fen, playable=False)
    last = [parse_square(name) for name in body.last]
    squares = {"square light": body.light_squares, "square dark": body.dark_squares}
    try:
        drawn = svg.board(
            board,
            size=body.size,
            orientation=body.orientation == "white",
            pieces=body.pieces,
            theme=body.theme,
            colors={part: colour for part, colour in squares.items() if colour is not None},
            lastmove=(last[0], last[-1]) if last else False,
            arrows=[(parse_square(arrow.from_), parse_square(arrow.to), arrow.colour) for arrow in body.arrows],
        )
    except ValueError as error:
        raise Refusal("invalid", str(error)) from None
    return Response(drawn, media_type="image/svg+xml")


@router.post("/jobs", status_code=201, responses=refused(401, 404))
async def new_job(
    request: Request,
    services: Served,
    person: CurrentPerson,
    body: wire.JobRequest,
) -> wire.Job:
    """Analyse a game with the engine. The same game is the same job, whoever requests it."""
    spend(request, "work", 1 + len(body.moves) / 20)
    board = Board(analysis.game_of(services.catalogue, body.game, body.options), body.fen)
    for move in body.moves:
        board.push_uci(move)
    return await services.jobs.begin(visitor(request, person), board)


@router.get("/jobs/{id}", responses=refused(404))
async def get_job(
    services: Served, id: Annotated[str, Path(max_length=32)], behind: Annotated[int, Query(ge=-1, le=10_000)] = -1
) -> wire.Job:
    """Return the progress of a job, and its findings after the ply ``behind``."""
    return await services.jobs.progress(id, behind)
