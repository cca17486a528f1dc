"""How tournaments are paired and ranked, without a server."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest

from acedrex.server import wire
from acedrex.server.tournaments import arena, events, knockout, plan, round_robin, swiss
from acedrex.server.tournaments.plan import due
from acedrex.server.tournaments.standings import standings
from acedrex.server.tournaments.state import DAY, MINUTE, RoundRecord, Tournament
from acedrex.server.tournaments.swiss import Entry, pair
from acedrex.server.tournaments.tie_breaks import TieBreaks
from tests.server.matches import cup

DATA = Path(__file__).parents[1] / "data" / "swiss"
BLITZ = wire.Fischer(300_000, 2_000)
START = 1_700_000_000_000


def tournament(players: int, kind: wire.TournamentKind = "swiss", **settings: object) -> Tournament:
    """Return a tournament that has started, whose first player has the highest rating."""
    asked = {"rounds": 5, "time": BLITZ, "starts_at": START, "pause_s": 0, **settings}
    t = Tournament("t", cup(START, kind=kind, **asked))
    for number in range(1, players + 1):
        rating = 2000 - 10 * number
        t.apply(events.Entered(at=START, player=number, rating=rating, provisional=False))
    go_on(t, START)
    return t


def go_on(t: Tournament, now: int, **more: object) -> None:
    """Do everything that is due."""
    for _ in range(1_000):
        found = due(t, now, **more)  # type: ignore[arg-type]
        if found.swiss_round is not None:
            out = {one.number for one in t.players.values() if one.active and found.swiss_round in one.byes}
            paired = pair(swiss.entries(t, out), t.settings.rounds)
            if paired is None:
                t.apply(events.Finished(at=now))
                continue
            seeds = t.seeds()
            pairs = [(seeds[one - 1], seeds[other - 1]) for one, other in paired.pairs]
            bye = None if paired.bye is None else seeds[paired.bye - 1]
            round = found.swiss_round
            t.apply(events.Paired(at=now, round=round, pairs=pairs, bye=bye, sits_out=sorted(out)))
            continue
        if not found.events and not found.begin:
            return
        t.fold(found.events)
        for board, white in found.begin:
            match = f"m{board}.{len(t.boards[board].games)}"
            t.apply(events.GameBegan(at=now, board=board, match=match, white=white))
    raise AssertionError("it goes on for ever")


def end(t: Tournament, board: int, points: float, at: int = START, *, played: bool = True) -> None:
    """End the first running game of a board; ``points`` are those of the first player."""
    game = t.boards[board].running[0]
    share = points if game.white == t.boards[board].first else 1 - points
    t.apply(events.GameEnded(at=at, board=board, match=game.match, points=share, played=played))


def play_out(t: Tournament, chance: random.Random, now: int = START, forfeits: float = 0.0) -> None:
    """Play to the end with random results, as if the better seed won more often."""
    for _ in range(10_000):
        running = [board for board in t.boards if board.running]
        if not running:
            return
        points = chance.choices([1.0, 0.5, 0.0], [5, 2, 3])[0]
        end(t, running[0].number, points, now, played=chance.random() >= forfeits)
        go_on(t, now)


# Swiss.


def table(text: str) -> list[Entry]:
    """Read the rounds of players in the way of FIDE's report files: ``4w1`` is a win against 4 with White."""
    found = []
    for number, line in enumerate(text.strip().splitlines(), start=1):
        words = line.split()
        rounds = [(int(word[:-2] or 0), word[-2] == "w", word[-1]) for word in words if word != "out"]
        found.append(Entry(number, rounds, "out" not in words))
    return found


def test_a_last_round_with_forfeits_is_paired_as_by_the_program_that_fide_endorsed() -> None:
    # Of bbpPairings, which FIDE has endorsed: its case of a tournament with 60 players, and what it paired under the
    # wording of the Dutch system until January 2026, which py4swiss follows.
    players = table((DATA / "bbp-60.txt").read_text(encoding="utf-8"))
    found = pair(players, 15)
    assert found is not None and found.bye is None
    told = " ".join(f"{white}-{black}" for white, black in found.pairs)
    assert told == (
        "1-15 3-2 11-17 7-10 8-14 4-6 5-12 9-16 13-25 24-22 18-29 20-23 19-33 21-38 39-26 28-36 31-40 37-35 44-46 "
        "30-32 53-42 47-48 51-55 27-50 34-58 49-45 41-59 56-43 60-52 54-57"
    )


def test_the_first_round_pairs_the_upper_half_with_the_lower_and_alternates_colours() -> None:
    found = pair([Entry(number, []) for number in range(1, 10)], 5)
    assert found == swiss.Round([(1, 5), (6, 2), (3, 7), (8, 4)], 9)


@pytest.mark.parametrize("seed", range(4))
def test_a_swiss_keeps_the_rules_that_have_no_exception(seed: int) -> None:
    chance = random.Random(seed)
    t = tournament(chance.choice([17, 20, 23]), rounds=7)
    play_out(t, chance, forfeits=0.05)
    assert t.phase == "over" and t.round == 7
    met: set[frozenset[int]] = set()
    byes: Counter[int] = Counter()
    for board in t.boards:
        if any(game.played for game in board.games):
            assert frozenset(board.players) not in met
            met.add(frozenset(board.players))
    for player in t.players:
        record = t.record(player)
        byes[player] += sum(one.opponent is None for one in record)
        sides = [one.side for one in record if one.played][:-1]
        for run in zip(sides, sides[1:], sides[2:], strict=False):
            assert len(set(run)) > 1
        assert abs(2 * sides.count("white") - len(sides)) <= 2
    assert max(byes.values()) <= 1


def test_who_enters_late_gets_half_a_point_for_one_missed_round_and_is_paired_then() -> None:
    t = tournament(6, rounds=4)
    for board in t.in_round(1):
        end(t, board.number, 1)
    go_on(t, START)
    t.apply(events.Entered(at=START, player=7, rating=1990, provisional=False))
    assert [one.points for one in t.record(7)] == [0.0, 0.5]
    for board in t.in_round(2):
        end(t, board.number, 0.5)
    go_on(t, START)
    assert any(7 in board.players for board in t.in_round(3)) or t.bye[3] == 7


def test_who_withdraws_is_paired_no_more_and_may_come_back() -> None:
    t = tournament(5, rounds=5)
    t.apply(events.Withdrew(at=START, player=1))
    for number in (1, 2):
        for board in t.in_round(number):
            end(t, board.number, 1)
        go_on(t, START)
        assert not any(1 in board.players for board in t.in_round(number + 1))
    t.apply(events.Returned(at=START, player=1))
    for board in t.in_round(3):
        end(t, board.number, 1)
    go_on(t, START)
    assert any(1 in board.players for board in t.in_round(4)) or t.bye[4] == 1
    assert [one.points for one in t.record(1)][1:3] == [0.0, 0.0]


def test_a_wanted_bye_is_worth_half_a_point() -> None:
    t = tournament(6, rounds=3)
    t.apply(events.ByeWanted(at=START, player=1, round=2))
    for board in t.in_round(1):
        end(t, board.number, 1)
    go_on(t, START)
    assert not any(1 in board.players for board in t.in_round(2))
    record = t.record(1)[1]
    assert (record.points, record.opponent, record.requested) == (0.5, None, True)


def test_a_swiss_with_more_rounds_than_opponents_ends_early() -> None:
    t = tournament(4, rounds=9)
    play_out(t, random.Random(1))
    assert t.phase == "over" and t.round == 3


def test_a_pair_that_plays_both_sides_is_worth_a_point_for_more_than_half() -> None:
    t = tournament(2, rounds=1, games=2)
    board = t.boards[0]
    end(t, 0, 1)
    assert t.points(board) is None
    go_on(t, START)
    assert [game.white for game in board.games] == [board.first, board.second]
    end(t, 0, 0.5)
    assert t.points(board) == (1.0, 0.0) and board.game_points() == (1.5, 0.5)


# Round robins, knockouts and simuls.


def test_round_robins_follow_the_berger_tables_of_the_handbook() -> None:
    assert round_robin.rounds(6) == [
        [(1, 6), (2, 5), (3, 4)],
        [(6, 4), (5, 3), (1, 2)],
        [(2, 6), (3, 1), (4, 5)],
        [(6, 5), (1, 4), (2, 3)],
        [(3, 6), (4, 2), (5, 1)],
    ]
    assert round_robin.rounds(10)[1] == [(10, 6), (7, 5), (8, 4), (9, 3), (1, 2)]
    assert round_robin.rounds(10)[8] == [(5, 10), (6, 4), (7, 3), (8, 2), (9, 1)]


@pytest.mark.parametrize("size", range(2, 25))
@pytest.mark.parametrize("cycles", [1, 2])
def test_in_a_round_robin_all_meet_equally_often_with_balanced_colours(size: int, cycles: int) -> None:
    found = round_robin.rounds(size, cycles)
    met = Counter(frozenset(pair) for pairs in found for pair in pairs)
    assert met == {frozenset(pair): cycles for pair in combinations(range(1, size + 1), 2)}
    for pairs in found:
        assert len({player for pair in pairs for player in pair}) == 2 * len(pairs)
    for player in range(1, size + 1):
        sides = [pair[0] == player for pairs in found for pair in pairs if player in pair]
        assert abs(2 * sum(sides) - len(sides)) <= 1


def test_a_live_round_robin_goes_from_round_to_round_and_ends() -> None:
    t = tournament(5, "round_robin")
    assert t.round == 1 and len(t.boards) == 2 and t.rounds == 5
    play_out(t, random.Random(2))
    assert t.phase == "over" and len(t.boards) == 10


def test_all_games_of_a_round_robin_by_correspondence_begin_at_once() -> None:
    t = tournament(4, "round_robin", time=wire.Correspondence(3, 0))
    assert len(t.boards) == 6 and all(len(board.games) == 1 for board in t.boards)


def test_the_games_of_somebody_who_leaves_a_round_robin_are_lost_and_early_ones_do_not_count() -> None:
    t = tournament(6, "round_robin")
    leaver = t.boards[0].first
    other = t.boards[0].second
    end(t, 0, 1)
    t.apply(events.Withdrew(at=START, player=leaver))
    play_out(t, random.Random(3))
    assert t.phase == "over"
    places = {place.player: place for place in standings(t)}
    assert places[leaver].points == 0
    assert all(one.points == 0 for one in places[other].record if one.opponent == leaver)


def test_the_better_seeds_of_a_knockout_meet_late_and_have_no_opponent_first() -> None:
    t = tournament(6, "knockout")
    assert {frozenset(board.players) for board in t.boards} == {frozenset({4, 5}), frozenset({3, 6})}
    assert knockout.bracket(t, 1) == [1, None, 4, 5, 2, None, 3, 6]
    for board in t.in_round(1):
        end(t, board.number, 1 if board.first < board.second else 0)
    go_on(t, START)
    assert {frozenset(board.players) for board in t.in_round(2)} == {frozenset({1, 4}), frozenset({2, 3})}
    for board in t.in_round(2):
        end(t, board.number, 1 if board.first < board.second else 0)
    go_on(t, START)
    (final,) = t.in_round(3)
    assert {*final.players} == {1, 2}
    end(t, final.number, 0 if final.first == 1 else 1)
    go_on(t, START)
    assert t.phase == "over" and t.winner(final) == 2
    assert [(place.player, place.rank, place.points) for place in standings(t)] == [
        (2, 1, 3.0),
        (1, 2, 2.0),
        (3, 3, 1.0),
        (4, 3, 1.0),
        (5, 5, 0.0),
        (6, 5, 0.0),
    ]


def test_a_level_knockout_match_gets_two_more_games_twice_and_then_the_better_seed_goes_on() -> None:
    t = tournament(2, "knockout", games=2)
    board = t.boards[0]
    for played in range(6):
        assert t.points(board) is None and len(board.games) == played + 1
        end(t, 0, 0.5)
        go_on(t, START)
    assert t.phase == "over" and t.winner(board) == 1
    whites = [game.white for game in board.games]
    assert whites == 3 * [board.first, board.second]


def test_a_best_of_three_ends_when_it_is_decided() -> None:
    t = tournament(2, "knockout", games=3)
    for _ in range(2):
        end(t, 0, 1)
        go_on(t, START)
    assert t.phase == "over" and len(t.boards[0].games) == 2


def test_the_host_of_a_simul_plays_everybody_with_alternate_sides() -> None:
    t = tournament(5, "simul")
    assert [1 in board.players for board in t.boards] == [True] * 4
    assert [board.first == 1 for board in t.boards] == [True, False, True, False]
    play_out(t, random.Random(5))
    assert t.phase == "over"


# Arenas.


def test_an_arena_pairs_neighbours_who_have_not_just_met() -> None:
    t = tournament(6, "arena")
    waiting = dict.fromkeys(t.players, START)
    assert arena.pairs(t, waiting, START) == [(1, 2), (3, 4), (5, 6)]
    found = due(t, START, waiting=waiting)
    t.fold(found.events)
    for board, white in found.begin:
        t.apply(events.GameBegan(at=START, board=board, match=f"m{board}", white=white))
        end(t, board, 1)
    first = {frozenset(board.players) for board in t.boards}
    again = arena.pairs(t, waiting, START)
    assert len(again) == 3 and not {frozenset(pair) for pair in again} & first


def test_wins_in_a_row_count_double_in_an_arena_and_what_ends_late_does_not_count() -> None:
    t = tournament(2, "arena", minutes=60)
    results = [1, 1, 1, 0.5, 1]
    for number, points in enumerate(results):
        t.apply(events.Paired(at=START, round=number + 1, pairs=[(1, 2)]))
        t.apply(events.GameBegan(at=START, board=number, match=f"m{number}", white=1))
        end(t, number, points, START)
    # 2 + 2 + 4, a draw on fire 2, and 2 again.
    assert t.arena_record(1).points == 12 and t.arena_record(2).points == 1
    t.apply(events.Paired(at=START, round=6, pairs=[(1, 2)]))
    t.apply(events.GameBegan(at=START, board=5, match="late", white=1))
    go_on(t, START + 60 * MINUTE)
    assert t.phase == "over"
    end(t, 5, 1, START + 60 * MINUTE + 1)
    assert t.arena_record(1).points == 12


# Appointments.


def test_an_appointment_begins_when_both_are_there() -> None:
    t = tournament(2, rounds=1, appointment_days=7)
    board = t.boards[0]
    assert board.games == [] and t.until(board) == START + 7 * DAY
    t.apply(events.TimesProposed(at=START, board=0, player=1, times=[START + DAY]))
    t.apply(events.TimeAgreed(at=START, board=0, time=START + DAY))
    t.apply(events.Arrived(at=START + DAY, board=0, player=1))
    go_on(t, START + DAY + MINUTE)
    assert board.games == []
    t.apply(events.Arrived(at=START + DAY, board=0, player=2))
    go_on(t, START + DAY + 2 * MINUTE)
    assert len(board.games) == 1


def test_who_comes_to_an_appointment_wins_against_who_does_not() -> None:
    t = tournament(2, rounds=1, appointment_days=7)
    t.apply(events.TimeAgreed(at=START, board=0, time=START + DAY))
    t.apply(events.Arrived(at=START + DAY, board=0, player=2))
    assert plan.next_moment(t) == START + DAY + plan.NO_SHOW
    go_on(t, START + DAY + plan.NO_SHOW - 1)
    assert t.phase == "running"
    go_on(t, START + DAY + plan.NO_SHOW)
    assert t.phase == "over" and t.winner(t.boards[0]) == 2
    assert not t.record(2)[0].played


def test_a_pair_that_does_not_play_in_its_days_gets_no_point() -> None:
    t = tournament(4, "round_robin", appointment_days=2)
    assert [t.until(board) for board in t.boards[:3:2]] == [START + 2 * DAY, START + 4 * DAY]
    go_on(t, START + 2 * DAY)
    assert [t.points(board) for board in t.boards[:3]] == [(0.0, 0.0), (0.0, 0.0), None]


# The start, and tie-breaks.


def test_too_few_players_cancel_a_tournament_and_engines_fill_it() -> None:
    spare = [plan.Spare("aanca", 900, False), plan.Spare("caladrius", 1300, False)]
    for fill, phase, count in ((0, "cancelled", 1), (4, "running", 3)):
        t = tournament(2, fill=fill)
        t = Tournament("t", t.created)
        t.apply(events.Entered(at=START, player=1, rating=1500, provisional=True))
        go_on(t, START, spare=spare)
        assert (t.phase, len(t.players)) == (phase, count)


def test_the_results_of_those_who_are_gone_do_not_hold_up_a_round() -> None:
    t = tournament(6, rounds=3)
    one, other = t.boards[0].players
    end(t, 1, 1)
    end(t, 2, 1)
    go_on(t, START, gone={one, other})
    assert t.points(t.boards[0]) == (0.0, 0.0) and t.round == 2


def played(round: int, opponent: int, points: float) -> RoundRecord:
    return RoundRecord(round, opponent, points, played=True, wins=int(points == 1))


def bye(round: int, points: float) -> RoundRecord:
    return RoundRecord(round, None, points, requested=True, voluntary=True)


#: The third player wanted a bye and came back, the fourth left after the first round; the first has a bye at last.
RECORDS = {
    1: [played(1, 3, 1), played(2, 2, 0.5), RoundRecord(3, None, 1.0)],
    2: [played(1, 4, 0.5), played(2, 1, 0.5), played(3, 3, 1)],
    3: [played(1, 1, 0), bye(2, 0.5), played(3, 2, 0)],
    4: [played(1, 2, 0.5), bye(2, 0.0), bye(3, 0.0)],
}


@pytest.mark.parametrize(
    ("name", "values"),
    [
        # Who has left counts for opponents as if the missed rounds were draws, 1.5; a round without an opponent is
        # against a dummy with one's own points, but with half of all points at most.
        ("BH", [4.0, 4.5, 5.0, 3.0]),
        # Rounds that somebody chose not to play are cut first.
        ("BH-C1", [3.5, 4.0, 4.5, 2.5]),
        ("SB", [3.0, 2.5, 0.25, 1.0]),
        ("WIN", [2.0, 1.0, 0.0, 0.0]),
        ("WON", [1.0, 1.0, 0.0, 0.0]),
        ("PS", [5.0, 3.5, 1.0, 1.5]),
        ("KS", [0.5, 0.5, 0.0, 0.5]),
    ],
)
def test_tie_breaks_are_those_of_the_handbook(name: wire.TieBreak, values: list[float]) -> None:
    found = TieBreaks(RECORDS, 3, swiss=True)
    assert [found.of(player, name) for player in RECORDS] == values


def test_direct_encounter_decides_only_if_all_who_are_level_have_met() -> None:
    t = tournament(4, "round_robin", tie_breaks=["DE"])
    results = {frozenset(pair): pair for pair in ((2, 1), (1, 3), (1, 4), (3, 2), (2, 4), (4, 3))}
    for _ in range(3):
        for board in [board for board in t.boards if board.running]:
            winner = results[frozenset(board.players)][0]
            end(t, board.number, float(board.first == winner))
        go_on(t, START)
    # 1 and 2 have two points each, and 2 has beaten 1; 3 and 4 have one each, and 4 has beaten 3.
    assert [(place.player, place.rank, place.tie_breaks) for place in standings(t)] == [
        (2, 1, [1.0]),
        (1, 2, [0.0]),
        (4, 3, [1.0]),
        (3, 4, [0.0]),
    ]
