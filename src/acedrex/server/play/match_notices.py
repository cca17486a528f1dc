"""Notifies the players of matches.

Every write of a match schedules a check of whom to notify. One process makes it: the one whose update finds the match
unchanged and queues the notifications in the same transaction, so a restart neither loses nor repeats any.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import bindparam, select, update

from acedrex.server.mail import Outbox
from acedrex.server.match import events
from acedrex.server.match.events import Event
from acedrex.server.match.state import SIDES, other
from acedrex.server.people.hooks import Hooks, News
from acedrex.server.people.notice_texts import Notice
from acedrex.server.people.notices import APART, Notices, reminders
from acedrex.server.play.rooms import Rooms
from acedrex.server.poll import Poll
from acedrex.server.storage import cards
from acedrex.server.storage.store import Step
from acedrex.server.storage.tables import matches
from acedrex.server.time_source import now
from acedrex.server.wire import Side

#: Seconds between two looks; matches that are looked at together, and the latest events of one that are read.
POLL, PORTION, LATEST = 2.0, 50, 10
#: Stands for the turn number while the setup is being chosen.
SETUP = -1

COLUMNS = (matches.c.id, matches.c.number, matches.c.notify_at, matches.c.told, matches.c.told_turn, matches.c.card)
DUE = (
    select(*COLUMNS, matches.c.deadline, matches.c.asked, matches.c.creator, matches.c.opponent, matches.c.tournament)
    .where(matches.c.notify_at <= bindparam("moment"))
    .order_by(matches.c.notify_at)
    .limit(PORTION)
)
CLAIM = (
    update(matches)
    .where(
        matches.c.id == bindparam("_id"),
        matches.c.notify_at == bindparam("_old"),
        matches.c.number == bindparam("_number"),
    )
    .values(notify_at=bindparam("_next"), told=bindparam("_number"), told_turn=bindparam("_turn"))
)


class MatchNotices:
    """Notifies the players of matches."""

    def __init__(self, rooms: Rooms, notices: Notices, hooks: Hooks, outbox: Outbox) -> None:
        """Use the rooms, which say who is connected to a match."""
        self._rooms = rooms
        self._store = rooms.store
        self._notices = notices
        self._hooks = hooks
        self._outbox = outbox

    async def run_forever(self) -> None:
        """Notify, forever."""
        await Poll(self.look, POLL, "notifying_failed").run_forever()

    async def look(self) -> bool:
        """Look at a portion of the matches that are due, and return whether there was any."""
        rows = await self._store.all(DUE, moment=now())
        for row in rows:
            await self._consider(row)
        return bool(rows)

    async def _consider(self, row: Any) -> None:
        card = cards.read(row.card)
        steps, later = await self._steps(row, card)
        turn = row.told_turn if card.acting is None else _turn(card)
        claim = {"_id": row.id, "_old": row.notify_at, "_number": row.number, "_next": later, "_turn": turn}
        if await self._store.claim((CLAIM, claim), *steps) and steps:
            self._outbox.wake()

    async def _steps(self, row: Any, card: cards.Card) -> tuple[list[Step], int | None]:
        """Return the steps that notify people of a match, and when to consider it again if nothing happens."""
        if card.phase == "open":
            return await self._challenge(row, card), None
        after = max(row.told or 0, row.number - LATEST)
        news = await self._store.events(row.id, after) if row.told != row.number else []
        last = next((event for event in reversed(news) if not _is_of_rematch(event)), None)
        is_over = card.ending is not None and last is not None
        told: dict[Side, list[Notice]] = {side: [] for side in SIDES}
        for what, side in _replies(news, row.creator):
            told[side].append(self._notice(card, side, "reply", what=what))
        if is_over and not card.is_live:
            for side in SIDES:
                if getattr(last, "by", None) != side:  # Whoever has resigned knows it.
                    told[side].append(self._notice(card, side, "reply", what="over"))
        later = None
        if (acting := card.acting) is not None:
            is_live = card.is_live
            if row.told_turn != _turn(card) and not is_live:
                told[acting].append(self._notice(card, acting, "your_turn"))
            elif not news and row.deadline is not None and row.deadline > now():
                told[acting].append(self._notice(card, acting, "time_low", deadline=row.deadline))
            if row.deadline is not None and not is_live:
                later = await self._next_reminder(card.player(acting), row.deadline)
        steps = self._result(row, card) if is_over else []
        for side, notices in told.items():
            person = card.player(side)
            if notices and person is not None and not self._rooms.sees(row.id, side):
                steps += await self._notices.steps(person, *notices)
        return steps, later

    async def _challenge(self, row: Any, card: cards.Card) -> list[Step]:
        by = card.players.white or card.players.black
        if row.asked is not None:
            return await self._notices.steps(row.asked, Notice("challenge", by, match=row.id, game=card.game.name))
        if row.opponent != "lobby":
            return []
        told = self._hooks.steps(News("challenge", match=row.id, game=card.game.name, white=by), row.creator)
        notice = Notice("lobby", by, match=row.id, game=card.game.name)
        return [*told, *await self._notices.lobby_steps(row.creator, notice)]

    def _result(self, row: Any, card: cards.Card) -> list[Step]:
        """Return the steps that tell channels the result of a public match between people, outside of tournaments."""
        if row.opponent != "lobby" or row.tournament is not None or card.ending is None or card.ending.result == "*":
            return []
        names = card.players
        white, black, result = names.white or "", names.black or "", card.ending.score
        return self._hooks.steps(
            News("result", match=row.id, game=card.game.name, white=white, black=black, result=result)
        )

    def _notice(self, card: cards.Card, side: Side, kind: Any, **more: Any) -> Notice:
        by = getattr(card.players, other(side))
        return Notice(kind, by, match=card.match, game=card.game.name, turn=card.turns, **more)

    async def _next_reminder(self, person: str | None, deadline: int) -> int | None:
        """Return when a player is next reminded that time runs out."""
        if person is None:
            return None
        settings = await self._notices.settings(person)
        return next((one for one in reminders(settings, deadline) if one > now() + APART), None)


def _is_of_rematch(event: Event) -> bool:
    return isinstance(event, events.Offered | events.Answered) and event.what == "rematch"


def _turn(card: cards.Card) -> int:
    return SETUP if card.phase == "setup" else card.turns


def _replies(news: Sequence[Event], creator: str | None) -> list[tuple[Any, Side]]:
    """Return what was answered or offered, and to which side, as far as that still stands."""
    found: list[tuple[Any, Side]] = []
    offered: dict[str, Side] = {}
    # In these nobody has accepted anything.
    is_rematch = any(
        isinstance(event, events.Created) and (event.series is not None or event.tournament is not None)
        for event in news
    )
    for event in news:
        match event:
            case events.Seated() if event.person is not None and event.person != creator and not is_rematch:
                found.append(("accepted", other(event.side)))
            case events.Offered():
                offered[event.what] = other(event.by)
            case events.Answered():
                offered.pop(event.what, None)
    return [*offered.items(), *found]
