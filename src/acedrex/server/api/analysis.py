"""Analysis over HTTP: trees and records, attacks, positions made by hand, pictures, jobs."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from fastapi import Path, Query, Request, Response

from acedrex import Board, parse_square, svg
from acedrex.server import analysis, attacks, wire
from acedrex.server.api import heavy
from acedrex.server.api.bodies import body
from acedrex.server.api.limits import spend, visitor
from acedrex.server.api.routes import Encoded, Reader, Routes, refused
from acedrex.server.api.services import Served
from acedrex.server.api.tokens import Asker
from acedrex.server.decide import Refusal

router = Routes("/api/analysis", "analysis")

#: Trees and records have more bytes than other bodies.
LARGE = Reader(partial(body, most=2 * 1024 * 1024))

AskedTree = Annotated[wire.TreeRequest, LARGE]


@router.post("/tree", responses=refused(404))
async def tree(request: Request, services: Served, asked: AskedTree) -> Encoded[wire.Tree]:
    """Read a tree of moves: check it and write down what each move is called and leads to."""
    spend(request, "work", 1 + len(asked.nodes) / 50)
    job = partial(analysis.read, analysis.begin(services.catalogue, asked), asked)
    return await heavy.answer(request, len(asked.nodes), job)


@router.post("/record", responses=refused(404))
async def record(
    request: Request,
    services: Served,
    asked: Annotated[wire.RecordRequest, LARGE],
) -> Encoded[wire.Tree]:
    """Read the first record of a PGN as a tree of moves."""
    spend(request, "work", 1 + len(asked.pgn) / 1_000)
    # A move takes two characters at the least.
    return await heavy.answer(
        request, len(asked.pgn) // 2, partial(analysis.read_record, services.catalogue.named_in(asked.pgn), asked.pgn)
    )


@router.post("/pgn", responses=refused(404))
async def pgn(request: Request, services: Served, asked: AskedTree) -> Annotated[Response, "text/plain"]:
    """Write a tree as PGN."""
    spend(request, "work", 1 + len(asked.nodes) / 50)
    job = partial(analysis.write_record, analysis.begin(services.catalogue, asked), asked)
    return Response(await heavy.run(request, len(asked.nodes), job) + "\n", media_type="text/plain")


@router.post("/moves", responses=refused(404))
async def moves(request: Request, services: Served, asked: wire.MovesRequest) -> Encoded[wire.MovesMade]:
    """Make moves from a position, in coordinates or in SAN."""
    spend(request, "work", 1 + len(asked.moves) / 20)
    board = Board(analysis.game_of(services.catalogue, asked.game, asked.options), asked.fen)
    return await heavy.answer(request, len(asked.moves), partial(analysis.make, board, asked.moves))


@router.post("/attacks", responses=refused(404))
async def attacked(request: Request, services: Served, asked: wire.FenRequest) -> wire.Attacks:
    """Tell how often each square is attacked, and what could be taken at a profit."""
    spend(request, "work", 2)
    return attacks.attacks(Board(analysis.game_of(services.catalogue, asked.game, asked.options), asked.fen))


@router.post("/edit", responses=refused(404))
async def edit(request: Request, services: Served, asked: wire.EditRequest) -> wire.Edited:
    """Tell a position made by hand: its FEN, and why it is not legal, if it is not."""
    spend(request, "work")
    return attacks.edited(Board(analysis.game_of(services.catalogue, asked.game, asked.options)), asked)


@router.post("/picture", responses=refused(404))
async def picture(
    request: Request, services: Served, asked: wire.PictureRequest
) -> Annotated[Response, "image/svg+xml"]:
    """Draw a position as SVG."""
    spend(request, "work", 2)
    board = Board(analysis.game_of(services.catalogue, asked.game, asked.options))
    board.set_fen(asked.fen, playable=False)
    last = [parse_square(name) for name in asked.last]
    try:
        drawn = svg.board(
            board,
            size=asked.size,
            orientation=asked.orientation == "white",
            pieces=asked.pieces,
            theme=asked.theme,
            lastmove=(last[0], last[-1]) if last else False,
            arrows=[(parse_square(one.from_), parse_square(one.to), one.colour) for one in asked.arrows],
        )
    except ValueError as error:
        raise Refusal("invalid", str(error)) from None
    return Response(drawn, media_type="image/svg+xml")


@router.post("/jobs", status_code=201, responses=refused(401, 404))
async def new_job(
    request: Request,
    services: Served,
    who: Asker,
    asked: wire.JobRequest,
) -> wire.Job:
    """Let the engine look through a game. The same game is the same job, whoever asks."""
    spend(request, "work", 1 + len(asked.moves) / 20)
    board = Board(analysis.game_of(services.catalogue, asked.game, asked.options), asked.fen)
    for move in asked.moves:
        board.push_uci(move)
    return await services.jobs.begin(visitor(request, who), board)


@router.get("/jobs/{id}", responses=refused(404))
async def one_job(
    services: Served, id: Annotated[str, Path(max_length=32)], behind: Annotated[int, Query(ge=-1, le=10_000)] = -1
) -> wire.Job:
    """Tell how far a job has come, and what was found behind a number of moves."""
    return await services.jobs.told(id, behind)
