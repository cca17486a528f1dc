"""Profiles, and whom people follow and block."""

from __future__ import annotations

from typing import Annotated

from fastapi import Path, Request
from sqlalchemy import Table

from acedrex.server import wire
from acedrex.server.api.archive import archived_page
from acedrex.server.api.limits import spend
from acedrex.server.api.people import CurrentPerson
from acedrex.server.api.routes import Routes, refused
from acedrex.server.api.tokens import OptionalPerson
from acedrex.server.people import messages, profiles, relations
from acedrex.server.services import Served, Services
from acedrex.server.storage.tables import blocks, follows

router = Routes("/api", "profiles")

#: Finished matches of a profile; milliseconds of work that it is charged as.
MAX_FINISHED, COST = 10, 5

#: The person whom a path names; :func:`acedrex.server.people.relations.find` says how.
Who = Annotated[str, Path(max_length=80)]


@router.get("/people/{name}", responses=refused(401, 404))
async def profile(
    request: Request, services: Served, me: OptionalPerson, name: Annotated[str, Path(max_length=40)]
) -> wire.Profile:
    """Return the profile of somebody with an account."""
    spend(request, "work", COST)
    store = services.store
    person = await relations.with_account(store, name)
    played = await profiles.played(store, person.id)
    titles = {summary.id: summary.name for summary in services.catalogue.summaries()}
    for game in played.games:
        game.name = titles.get(game.game, game.game)
    for setup in played.setups:
        setup.name = titles.get(setup.game, setup.game)
    since, seen = await profiles.times(store, person.id)
    running = await profiles.running(store, [person.id])
    return wire.Profile(
        name=person.name,
        since=since,
        seen=seen,
        online=bool(services.presence.online([person.id])),
        games=played.games,
        setups=played.setups,
        streaks=played.streaks,
        running=await profiles.match_cards(store, running, me),
        finished=await archived_page(store, profiles.public_archive(person), me, MAX_FINISHED),
        relation=None if me in (None, person.id) else await _relation(services, me or "", person.id),
        own=me == person.id,
    )


async def _relation(services: Services, me: str, other: str) -> wire.Relation:
    store = services.store
    mine = [one.id for one in await relations.listed(store, follows, me)]
    return wire.Relation(
        follows=other in mine,
        blocks=other in await relations.blocked_by(store, me),
        writes=await messages.may_write(store, me, other),
        record=await profiles.record_against(store, me, other),
    )


@router.get("/me/follows", responses=refused(401))
async def followed(request: Request, services: Served, me: CurrentPerson) -> list[wire.Acquaintance]:
    """List those whom one follows, with who is online and what they play. They do not learn of it."""
    spend(request, "work", COST)
    return await _listed(services, follows, me)


@router.put("/me/follows/{who}", responses=refused(401, 404))
async def follow(request: Request, services: Served, me: CurrentPerson, who: Who) -> None:
    """Follow somebody with an account."""
    spend(request, "work")
    person = await relations.find(services.store, me.id, who)
    if not person.account:
        raise relations.no_such_person()
    await relations.add(services.store, follows, me.id, person.id, relations.MAX_FOLLOWED)


@router.delete("/me/follows/{who}", responses=refused(401, 404))
async def unfollow(services: Served, me: CurrentPerson, who: Who) -> None:
    """Follow somebody no longer."""
    await relations.end(services.store, follows, me.id, (await relations.find(services.store, me.id, who)).id)


@router.get("/me/blocks", responses=refused(401))
async def blocked(services: Served, me: CurrentPerson) -> list[wire.Acquaintance]:
    """List those whom one has blocked."""
    return await _listed(services, blocks, me)


@router.put("/me/blocks/{who}", responses=refused(401, 404))
async def block(request: Request, services: Served, me: CurrentPerson, who: Who) -> None:
    """Block somebody: new matches and messages between the two are refused, and their chat is not shown to one.

    A match between them goes on. Nobody tells the other.
    """
    spend(request, "work")
    person = await relations.find(services.store, me.id, who)
    await relations.add(services.store, blocks, me.id, person.id, relations.MAX_BLOCKED)
    _changed(services, me)


@router.delete("/me/blocks/{who}", responses=refused(401, 404))
async def unblock(services: Served, me: CurrentPerson, who: Who) -> None:
    """Let somebody challenge one and write again."""
    await relations.end(services.store, blocks, me.id, (await relations.find(services.store, me.id, who)).id)
    _changed(services, me)


def _changed(services: Services, me: wire.Person) -> None:
    """Let one's connections, which come back at once, know whom one has blocked; and the lobby."""
    services.end_sessions(me.id)
    services.rooms.shared.lobby_changed()


async def _listed(services: Services, table: Table, me: wire.Person) -> list[wire.Acquaintance]:
    people = await relations.listed(services.store, table, me.id)
    ids = [person.id for person in people]
    online = services.presence.online(ids)
    running = await profiles.running(services.store, sorted(online)) if online and table is follows else []
    return [
        wire.Acquaintance(
            who=person.who,
            name=person.name,
            account=person.account,
            online=person.id in online,
            playing=[card.match for card in running if person.id in card.people],
        )
        for person in people
    ]
