"""What the processes of one server tell each other. One process alone has nothing to tell."""

from __future__ import annotations

from typing import Protocol

from acedrex.server.wire import Presence


class Bus(Protocol):
    """Tells other processes what happened in this one."""

    #: Whether there may be other processes.
    shared: bool

    async def happened(self, match: str, number: int) -> None:
        """Say that a match has come to an event."""

    async def presence(self, match: str, here: Presence) -> None:
        """Say who is here."""

    async def chat(self, match: str, text: str) -> None:
        """Hand on a message for everybody."""

    async def lobby_changed(self) -> None:
        """Say that the open challenges have changed."""


class Alone(Bus):
    """One process has only its own lobby to tell."""

    shared = False

    def listen(self, rooms: object, lobby: Lobby) -> None:
        """Say who is to be told."""
        self._lobby = lobby

    async def lobby_changed(self) -> None:
        """Tell the lobby."""
        self._lobby.changed()


class Lobby(Protocol):
    """Whoever is told of changes."""

    def changed(self) -> None:
        """Look anew."""
