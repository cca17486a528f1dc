"""Finds what the references in the log stand for, for the operator."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from sqlalchemy import select
from sqlalchemy.exc import SQLAlchemyError

from acedrex.errors import Error
from acedrex.server import ids
from acedrex.server.storage.store import connect
from acedrex.server.storage.tables import jobs, matches, people, tournaments

#: What has ids, and where.
IDS = {"match": matches.c.id, "analysis": jobs.c.id, "person": people.c.id, "tournament": tournaments.c.id}
#: Rows that are read at once.
PORTION = 1_000

Found = list[tuple[str, str, str]]


def lookup(url: str, references: Sequence[str]) -> Found:
    """Return the reference, the kind and the id of everything in a database that some references stand for.

    :raises Error: if the database cannot be read.
    """
    try:
        return asyncio.run(_lookup(url, references))
    except SQLAlchemyError as error:
        raise Error(f"cannot read the database: {getattr(error, 'orig', None) or error}") from None


async def _lookup(url: str, references: Sequence[str]) -> Found:
    engine, found = connect(url), Found()
    try:
        async with engine.connect() as connection:
            for kind, column in IDS.items():
                query = select(column).execution_options(yield_per=PORTION)
                async with connection.stream(query) as rows:
                    async for (id,) in rows:
                        if (reference := ids.reference(id)) in references:
                            found.append((reference, kind, id))
    finally:
        await engine.dispose()
    return sorted(found, key=lambda one: references.index(one[0]))
