"""Games that people publish in the studio."""

from __future__ import annotations

from functools import partial
from typing import Annotated

from fastapi import Request

from acedrex.server import wire
from acedrex.server.api.bodies import json_body
from acedrex.server.api.games import GameId
from acedrex.server.api.limits import spend
from acedrex.server.api.people import CurrentPerson
from acedrex.server.api.routes import Reader, Routes, refused
from acedrex.server.refusal import Refusal
from acedrex.server.services import Served

router = Routes("/api", "published games")

#: The maximum number of bytes of a definition in JSON, in which characters may be escaped.
MAX_BYTES = 200_000
DEFINITION = Reader(partial(json_body, most=MAX_BYTES))


@router.get("/publishing")
async def who_publishes(services: Served) -> wire.WhoPublishes:
    """Say who can publish games here."""
    return wire.WhoPublishes(services.publishing.who)


@router.post("/published", status_code=201, responses=refused(401, 403, 409))
async def publish(
    request: Request, services: Served, person: CurrentPerson, body: Annotated[wire.NewPublished, DEFINITION]
) -> wire.PublishedGame:
    """Publish a game, or a new version of one's own. Matches go on by the rules that they began with."""
    publisher = services.publishing.publisher(person.id, body.token)
    spend(request, "published", person=person.id)
    pay = partial(spend, request, "games", person=person.id)
    return await services.publishing.publish(body.definition, publisher, pay)


@router.post("/published/{id}/withdrawal", responses=refused(401, 403, 404))
async def withdraw(services: Served, person: CurrentPerson, id: GameId, body: wire.Withdrawal) -> None:
    """Withdraw a game of one's own; its matches go on."""
    await services.publishing.withdraw(id, services.publishing.publisher(person.id, body.token))


@router.put("/published/{id}/study", responses=refused(401, 403, 404))
async def name_study(services: Served, person: CurrentPerson, id: GameId, body: wire.InventorsStudy) -> None:
    """Make a study of one's own, which others can read, the inventor's page of a game of one's own."""
    publisher = services.publishing.publisher(person.id, body.token)
    if body.study is not None:
        study = await services.studies.get(body.study)
        study.check_owns(person.id)
        if study.access == "private":
            raise Refusal("private_study", "nobody could read this study; make it public or readable by link", "study")
    services.publishing.name_study(id, publisher, body.study)


@router.get("/published/{id}/study")
async def inventors_page(request: Request, services: Served, id: GameId) -> wire.InventorsPage | None:
    """Return the study that is the inventor's page of a game, if everybody may read it."""
    spend(request, "work")
    study = services.publishing.study(id)
    if study is None:
        return None
    try:
        found = await services.studies.get(study)
        found.check_reads(None)
    except Refusal:
        return None
    return wire.InventorsPage(study, found.title)


@router.post("/published/{id}/reports", responses=refused(401, 403, 404))
async def report(request: Request, services: Served, person: CurrentPerson, id: GameId, body: wire.GameReport) -> None:
    """Report a published game to the operator."""
    spend(request, "published", person=person.id)
    services.publishing.report(id, person.id, body.reason)
