"""People: everybody is a guest first, and may make an account of that."""

from __future__ import annotations

from sqlalchemy import exists, select

from acedrex.server import ids, wire
from acedrex.server.people.names import clean_name, handle_of, is_reserved
from acedrex.server.people.sessions import Sessions
from acedrex.server.refusal import Refusal
from acedrex.server.storage.store import NEW_PERSON, RENAME, Store
from acedrex.server.storage.tables import accounts, people
from acedrex.server.time_source import now

#: Only of somebody who has no account, whatever a cached session says.
RENAME_GUEST = RENAME.where(~exists().where(accounts.c.person == people.c.id))
#: What a guest without a name is called, by the language of the browser.
GUEST = {"en": "Guest", "fr": "Invité"}


class People:
    """Makes and renames guests."""

    def __init__(self, store: Store, sessions: Sessions) -> None:
        """Use a store."""
        self._store = store
        self._sessions = sessions

    async def make(self, name: str | None, language: str = "en", device: str = "") -> wire.Person:
        """Create a guest; without a name, one in ``language`` is made up. The token is never returned again.

        :param device: what the guest's browser is called in the list of sessions.
        :raises Refusal: if the name is not allowed.
        """
        if name is None:
            name = f"{GUEST[language]} {ids.random_below(9000) + 1000}"
        else:
            name = await self._free_name(name)
        id = ids.new_id()
        session, token = self._sessions.begin_step(id, device)
        await self._store.write(
            (NEW_PERSON, {"id": id, "name": name, "at": now(), "import_key": ids.hashed(ids.new_secret())}), session
        )
        return wire.Person(id, name, token=token)

    async def rename(self, person: wire.Person, name: str) -> wire.Person:
        """Rename a guest, for future matches.

        :raises Refusal: if the name is not allowed, or the person has an account, whose name stays.
        """
        name = await self._free_name(name)
        await self._store.write((RENAME_GUEST, {"_id": person.id, "_name": name}))
        self._sessions.forget(person.id)
        if await self._store.first(select(accounts.c.person).where(accounts.c.person == person.id)) is not None:
            raise Refusal("has_account", "the name of an account cannot be changed", "name")
        return wire.Person(person.id, name)

    async def _free_name(self, name: str) -> str:
        """Clean the name of a guest.

        :raises Refusal: if it is not allowed, or that of an account.
        """
        name = clean_name(name)
        if is_reserved(name):
            raise Refusal("name_taken", "this name is reserved; choose another", "name")
        taken = select(accounts.c.person).where(accounts.c.handle == handle_of(name))
        if await self._store.first(taken) is not None:
            raise Refusal("name_taken", "a player with an account has this name; choose another", "name")
        return name
