"""Tournaments as people see them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from acedrex.server import wire
from acedrex.server.tournaments import commands, standings
from acedrex.server.tournaments.creation import Entrant
from acedrex.server.tournaments.knockout import bracket
from acedrex.server.tournaments.plan import next_round_at
from acedrex.server.tournaments.standings import Place
from acedrex.server.tournaments.state import Board, RoundRecord, Tournament
from acedrex.server.tournaments.store import Card

#: Boards of an arena that are listed besides those in progress, and games of a player of it.
LATEST, GAMES = 20, 12


def tournament(t: Tournament, row: Any, by: Entrant | None, entrants: Mapping[int, Entrant]) -> wire.Tournament:
    """Return a tournament as everybody sees it.

    :param row: its row in the database.
    :param by: who made it.
    """
    return wire.Tournament(
        tournament=t.id,
        number=t.number,
        name=row.name,
        description=row.description,
        by=None if by is None else by.name,
        profile=None if by is None else by.account,
        settings=t.settings,
        game=t.created.game,
        phase=t.phase,
        starts_at=t.started_at or t.starts_at,
        ends_at=t.ends_at,
        round=t.shown_round,
        rounds=t.rounds,
        next_round_at=next_round_at(t),
        players=[_player(t, place, entrants[place.player]) for place in standings.standings(t)],
        boards=[_board(t, board) for board in _listed(t)],
        bracket=[bracket(t, round) for round in range(1, t.round + 2)] if t.kind == "knockout" and t.round else [],
        tie_breaks=standings.names(t),
    )


def _player(t: Tournament, place: Place, who: Entrant) -> wire.TournamentPlayer:
    player = t.players[place.player]
    record = place.record[-GAMES:] if t.kind == "arena" else place.record
    return wire.TournamentPlayer(
        player=player.number,
        name=who.name,
        profile=None if player.engine else who.account,
        house=player.engine,
        rating=wire.Rating(player.rating, player.provisional),
        rank=place.rank,
        points=place.points,
        tie_breaks=place.tie_breaks,
        active=player.active,
        on_fire=place.on_fire,
        results=[_result(one) for one in record],
    )


def _result(one: RoundRecord) -> wire.RoundResult:
    unplayed = one.points is not None and not one.played
    return wire.RoundResult(one.round, one.opponent, one.side, one.points, unplayed, one.board)


def _listed(t: Tournament) -> list[Board]:
    if t.kind != "arena":
        return t.boards
    latest = t.boards[-LATEST:]
    first = latest[0].number if latest else 0
    return [*(board for board in t.boards[:first] if board.running), *latest]


def _board(t: Tournament, board: Board) -> wire.TournamentBoard:
    points = t.points(board)
    return wire.TournamentBoard(
        board=board.number,
        round=board.round,
        players=[board.first, board.second],
        games=[wire.TournamentGame(game.match, game.white, _first(board, game)) for game in board.games],
        points=None if points is None else [*points],
        appointment=board.appointment,
        until=None if board.games or points is not None else t.until(board),
        there=sorted(board.there) if not board.games else [],
    )


def _first(board: Board, game: Any) -> float | None:
    """Return the first player's share of the points of a game."""
    return None if game.points is None else game.points if game.white == board.first else 1 - game.points


def own(t: Tournament, player: int | None, *, is_maker: bool) -> wire.OwnTournament:
    """Return what a person is and may do in a tournament."""
    boards = [] if player is None else t.boards_of(player)
    talks = [
        wire.BoardTalk(board.number, [wire.ProposedTimes(one, times) for one, times in sorted(board.proposals.items())])
        for board in boards
        if t.by_appointment and not board.games and t.points(board) is None
    ]
    byes = [] if player is None else sorted(t.players[player].byes)
    return wire.OwnTournament(player, commands.may(t, player, is_maker=is_maker), byes, talks)


def card(row: Any, found: Card, winner: str | None, *, mine: bool) -> wire.TournamentCard:
    """Return a tournament in a list."""
    return wire.TournamentCard(
        tournament=row.id,
        name=row.name,
        kind=found.kind,
        game=found.game,
        time=found.time,
        by_appointment=found.by_appointment,
        rated=found.rated,
        phase=row.phase,
        starts_at=row.starts_at,
        players=found.players,
        max_players=found.max_players,
        round=found.round,
        rounds=found.rounds,
        winner=winner,
        mine=mine,
    )
