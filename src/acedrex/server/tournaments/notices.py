"""Notifies the players of tournaments: of their start, of games that begin, and of appointments; and the hooks.

What is to be sent is stored with the event that it follows from, so that nothing is lost or sent twice. Reminders are
stored as soon as their time is known, and sent only if it is still the same then.
"""

from __future__ import annotations

from collections.abc import Sequence

from acedrex.server.people.hooks import Hooks, News
from acedrex.server.people.notice_texts import Notice
from acedrex.server.people.notices import Notices
from acedrex.server.refusal import Refusal
from acedrex.server.storage.store import Step
from acedrex.server.time_source import now
from acedrex.server.tournaments import events
from acedrex.server.tournaments.creation import Entrant
from acedrex.server.tournaments.events import Event
from acedrex.server.tournaments.presence import Audience
from acedrex.server.tournaments.standings import winner
from acedrex.server.tournaments.state import MINUTE, Board, Tournament
from acedrex.server.tournaments.store import Tournaments, row_of

#: Milliseconds before the start of a tournament, and before an appointment, at which its players are reminded.
BEFORE_START, BEFORE_APPOINTMENT = 15 * MINUTE, (60 * MINUTE, 10 * MINUTE)


class TournamentNotices:
    """The notifications of tournaments."""

    def __init__(self, kept: Tournaments, notices: Notices, hooks: Hooks, audience: Audience) -> None:
        """Notify of what is stored; not those who look at the tournament when something happens."""
        self._kept = kept
        self._notices = notices
        self._hooks = hooks
        self._audience = audience
        kept.publish = self.made_steps
        kept.notify = self.steps
        notices.checks["tournament"] = self.is_current

    def made_steps(self, t: Tournament, name: str, creator: str) -> list[Step]:
        """Return the steps that tell channels of a new tournament."""
        news = News("tournament", tournament=t.id, name=name, game=t.created.game, starts_at=t.starts_at)
        return self._hooks.steps(news, creator)

    async def steps(self, t: Tournament, new: Sequence[Event]) -> list[Step]:
        """Return the steps that notify players and channels of events that have just been applied."""
        if any(isinstance(event, events.Finished | events.Cancelled) for event in new):
            return await self._over(t)
        telling = (events.GameBegan, events.TimesProposed, events.TimeAgreed, events.Moved)
        if not any(isinstance(event, telling) for event in new):
            return []
        entrants = await self._kept.entrants(t.id)
        found: list[Step] = []
        for event in new:
            match event:
                case events.GameBegan() if not t.is_slow:
                    found += await self._began(t, event, entrants)
                case events.TimesProposed():
                    board = t.boards[event.board]
                    found += await self._tell(t, board, board.other(event.player), entrants, "times")
                case events.TimeAgreed():
                    found += await self._agreed(t, event, entrants)
                case events.Moved():
                    for player in t.active():
                        if (person := entrants[player].person) is not None:
                            found += await self.start_steps(t, person)
        return found

    async def _over(self, t: Tournament) -> list[Step]:
        name = (await row_of(self._kept.store, t.id)).name
        if t.phase == "cancelled":
            return self._hooks.steps(News("cancelled", tournament=t.id, name=name))
        first = winner(t)
        if first is None:
            return self._hooks.steps(News("over", tournament=t.id, name=name))
        who = (await self._kept.entrants(t.id))[first].name
        return self._hooks.steps(News("won", tournament=t.id, name=name, winner=who))

    async def start_steps(self, t: Tournament, person: str) -> list[Step]:
        """Return the steps that remind a player of the start of a tournament."""
        moment = t.starts_at - BEFORE_START
        if t.phase != "open" or moment < now():
            return []
        name = (await row_of(self._kept.store, t.id)).name
        notice = Notice("tournament", name, "start", game=t.created.game, tournament=t.id, deadline=t.starts_at)
        return await self._notices.steps(person, notice, due=moment)

    async def _began(self, t: Tournament, event: events.GameBegan, entrants: dict[int, Entrant]) -> list[Step]:
        board, here = t.boards[event.board], self._audience.of(t.id)
        found: list[Step] = []
        for player in board.players:
            if entrants[player].person not in here:
                found += await self._tell(t, board, player, entrants, "round", match=event.match)
        return found

    async def _agreed(self, t: Tournament, event: events.TimeAgreed, entrants: dict[int, Entrant]) -> list[Step]:
        board = t.boards[event.board]
        found: list[Step] = []
        for player in board.players:
            if event.time in board.proposals.get(player, ()):
                found += await self._tell(t, board, player, entrants, "agreed", deadline=event.time)
            for before in BEFORE_APPOINTMENT:
                due = event.time - before
                if due > now():
                    found += await self._tell(t, board, player, entrants, "appointment", deadline=event.time, due=due)
        return found

    async def _tell(
        self,
        t: Tournament,
        board: Board,
        player: int,
        entrants: dict[int, Entrant],
        what: str,
        *,
        match: str | None = None,
        deadline: int | None = None,
        due: int | None = None,
    ) -> list[Step]:
        person = entrants[player].person
        if person is None or t.players[player].engine is not None:
            return []
        other = entrants[board.other(player)].name
        notice = Notice(
            "tournament",
            other,
            what,  # type: ignore[arg-type]
            game=t.created.game,
            match=match,
            tournament=t.id,
            board=board.number,
            deadline=deadline,
        )
        return await self._notices.steps(person, notice, due=due)

    async def is_current(self, person: str, notice: Notice) -> bool:
        """Return whether a notice is still true when it is sent."""
        assert notice.tournament is not None
        player = await self._kept.player_of(notice.tournament, person)
        if player is None:
            return False
        try:
            async with self._kept.hold(notice.tournament) as t:
                if notice.what == "start":
                    return t.phase == "open" and t.players[player].active and t.starts_at == notice.deadline
                board = t.boards[notice.board or 0]
                match notice.what:
                    case "round":
                        return any(game.match == notice.match for game in board.running)
                    case "times":
                        return board.appointment is None and not board.games and t.points(board) is None
                return board.appointment == notice.deadline and not board.games and t.points(board) is None
        except Refusal:
            return False
