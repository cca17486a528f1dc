"""The house engines: who they are, and how they have played."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from fastapi import Path
from sqlalchemy import func, or_, select

from acedrex import load
from acedrex.server import wire
from acedrex.server.api.games import Language
from acedrex.server.api.routes import Routes, refused
from acedrex.server.people import house
from acedrex.server.ratings.results import OVERALL, shown, standings
from acedrex.server.services import Served
from acedrex.server.storage import cards
from acedrex.server.storage.store import Store
from acedrex.server.storage.tables import archive, matches

router = Routes("/api/engines", "engines")

#: The latest games on the page of an engine.
MAX_RECENT = 12

EngineId = Annotated[str, Path(max_length=64)]


@router.get("")
async def list_engines(services: Served, lang: Language) -> list[wire.HouseEngine]:
    """List the house engines, from the gentlest to the strongest."""
    return await _described(services.store, list(house.ENGINES.values()), lang)


@router.get("/{engine}", responses=refused(404))
async def get_engine(services: Served, engine: EngineId, lang: Language) -> wire.HousePage:
    """Return a house engine with its record and its latest games."""
    found = house.find(engine)
    played = or_(matches.c.white == found.id, matches.c.black == found.id)
    conditions = (played, matches.c.opponent == "engine", matches.c.phase.in_(("play", "over")))
    query = select(matches.c.card).where(*conditions).order_by(matches.c.at.desc()).limit(2 * MAX_RECENT)
    recent = [cards.read(row.card) for row in await services.store.all(query)]
    begun = [card.match_card(None) for card in recent if card.ply > 0]
    (described,) = await _described(services.store, [found], lang)
    return wire.HousePage(described, await _tally(services.store, found.id), begun[:MAX_RECENT])


async def _described(
    store: Store, engines: Sequence[house.HouseEngine], language: str | None
) -> list[wire.HouseEngine]:
    """Describe some house engines in a language, with their ratings over all games."""
    known = await standings(store, [(engine.id, OVERALL) for engine in engines])
    return [_in_words(engine, language, shown(known[engine.id, OVERALL])) for engine in engines]


def _in_words(engine: house.HouseEngine, language: str | None, rating: wire.Rating) -> wire.HouseEngine:
    words = engine.fr if language == "fr" else engine.en
    liked = [wire.Liked(id, load(id).name) for id in engine.games]
    portrait = wire.Portrait(*engine.portrait)
    return wire.HouseEngine(
        engine.id, engine.name, engine.level, words.character, words.style, portrait, liked, engine.time, rating
    )


async def _tally(store: Store, engine: str) -> wire.Tally:
    """Count the finished games of an engine by their results."""
    counts = {"wins": 0, "draws": 0, "losses": 0}
    for column, won, lost in ((archive.c.white, "1-0", "0-1"), (archive.c.black, "0-1", "1-0")):
        query = select(archive.c.result, func.count().label("games")).where(column == engine)
        names = {won: "wins", "1/2-1/2": "draws", lost: "losses"}
        for row in await store.all(query.group_by(archive.c.result)):
            if row.result in names:
                counts[names[row.result]] += row.games
    return wire.Tally(**counts)
