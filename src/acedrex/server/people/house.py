"""The house engines: players that are always there, each with a character, a level and a style."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from contextlib import suppress
from importlib import resources
from types import MappingProxyType
from typing import Literal

import msgspec
from msgspec import Struct
from sqlalchemy import select

from acedrex.server import ids
from acedrex.server.refusal import Refusal
from acedrex.server.storage.store import NEW_PERSON, ConflictError, Store
from acedrex.server.storage.tables import people
from acedrex.server.time_source import now

#: What it moves first, where other moves are hardly better.
Opening = Literal["soldiers", "pieces", "any"]


class Words(Struct, frozen=True, forbid_unknown_fields=True):
    """What a house engine is like and how it plays, in one language."""

    character: str
    style: str


class HouseEngine(Struct, frozen=True, forbid_unknown_fields=True):
    """A house engine: a person with this id, who plays at a level. ``house.toml`` explains the fields."""

    id: str
    name: str
    level: int
    rating: float
    portrait: tuple[str, str]
    games: tuple[str, ...]
    time: Literal["none", "live", "correspondence"]
    setup: Literal["first", "random", "searched"]
    opening: Opening
    en: Words
    fr: Words


def _read() -> Mapping[str, HouseEngine]:
    text = resources.files(__package__).joinpath("house.toml").read_text(encoding="utf-8")
    found = msgspec.convert(tomllib.loads(text)["engine"], list[HouseEngine])
    return MappingProxyType({engine.id: engine for engine in found})


#: All house engines by id, from the gentlest to the strongest.
ENGINES = _read()


def find(id: str) -> HouseEngine:
    """Return a house engine.

    :raises Refusal: if there is none with this id.
    """
    engine = ENGINES.get(id)
    if engine is None:
        raise Refusal("no_such_engine", f"there is no house engine {id!r}", "engine")
    return engine


async def enrol(store: Store, id: str) -> None:
    """Store a house engine as a person before its first match; another process may do the same at the same time.

    :raises Refusal: if there is none with this id.
    """
    engine = find(id)
    if await store.first(select(people.c.id).where(people.c.id == id)) is None:
        key = ids.hashed(ids.new_secret())
        with suppress(ConflictError):
            await store.write((NEW_PERSON, {"id": id, "name": engine.name, "at": now(), "import_key": key}))
