"""What is stored of a person: to take it away, and to have it deleted."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import Request, Response
from sqlalchemy import select

from acedrex.server import wire
from acedrex.server.api.archive import PGN, record
from acedrex.server.api.limits import spend, visitor
from acedrex.server.api.lines import Lines
from acedrex.server.api.people import CurrentPerson
from acedrex.server.api.routes import Routes, refused
from acedrex.server.limits.transfers import MAX_EXPORTS
from acedrex.server.limits.visitor import Visitor
from acedrex.server.personal_data import export, retention
from acedrex.server.refusal import Refusal
from acedrex.server.services import Served, Services
from acedrex.server.storage.tables import matches
from acedrex.server.time_source import now

router = Routes("/api", "personal data")

JSON = "application/json"
DOCUMENT = {"description": "Done.", "content": {JSON: {"schema": {"type": "object"}}}}
#: Seconds that a download may take.
DOWNLOAD_TIMEOUT_S = 3_600


@router.get("/privacy")
async def kept() -> wire.Kept:
    """Say for how many days data is kept that is deleted by itself."""
    return wire.Kept(retention.UNPLAYED, retention.REVIEWS, retention.UNUSED, retention.REPORTS)


@router.get("/me/data", responses={200: DOCUMENT, **refused(401)})
async def own_data(request: Request, services: Served, person: CurrentPerson) -> Annotated[Response, JSON]:
    """Return everything that is stored of the person, by tables of the database, without hashes of secrets.

    Matches have the names of the opponents, but neither their ids nor their chat.
    """
    published = await asyncio.to_thread(services.publishing.of, person.id)
    lines = export.document(services.store, person.id, now(), {"published": published})
    return _download(request, services, person, lines, JSON, "acedrex-data.json")


@router.get("/me/data/pgn", responses=refused(401))
async def own_records(request: Request, services: Served, person: CurrentPerson) -> Annotated[Response, PGN]:
    """Return all one's own matches as PGN: those in progress, finished ones and imported ones."""
    requester = visitor(request, person.id)
    return _download(request, services, person, _records(services, requester, person.id), PGN, "acedrex-data.pgn")


def _download(
    request: Request, services: Services, person: wire.Person, lines: AsyncIterator[str], media_type: str, name: str
) -> Response:
    """Stream a file, one at a time for each address.

    :raises Refusal: if the budget is spent, or another file is being downloaded.
    """
    spend(request, "downloads", person=person.id)
    address, exporting = visitor(request).address, services.transfers.exporting
    if address in exporting or len(exporting) >= MAX_EXPORTS:
        raise Refusal("busy", "another export is running; try again when it is done")

    async def held() -> AsyncIterator[str]:
        exporting.add(address)
        try:
            async for line in lines:
                yield line
        finally:
            exporting.discard(address)

    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Lines(held(), media_type, DOWNLOAD_TIMEOUT_S, headers=headers)


async def _records(services: Services, requester: Visitor, person: str) -> AsyncIterator[str]:
    async for ids in export.matches_of(services.store, person):
        begun = select(matches.c.id).where(matches.c.id.in_(ids), matches.c.phase != "open").order_by(matches.c.id)
        for row in await services.store.all(begun):
            yield await record(services, requester, row.id)


@router.post("/me/deletion", responses=refused(401, 403))
async def delete(request: Request, services: Served, person: CurrentPerson, body: wire.Deletion) -> None:
    """Delete everything that is stored of the person, which nobody can undo.

    The id confirms it and, if there is an account, the password or a passkey. All tokens are invalid at once.
    Unfinished matches are aborted or resigned. Matches against other people stay, without the person's name; everything
    else is deleted within minutes.
    """
    if body.id != person.id:
        raise Refusal("invalid", "the id is not that of the token's person; nothing was deleted", "id")
    if await services.accounts.has_account(person.id):
        spend(request, "sign_ins", person=person.id)
        await services.accounts.confirm(person, body, "deletion")
    await services.forgetting.begin(person.id)
