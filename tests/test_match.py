"""Matches: openings, players, the log, and the command."""

from __future__ import annotations

import fcntl
import json
import os
import random
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from acedrex import Board, Error, load, pgn
from acedrex.cli import main
from acedrex.engine import EngineError, Limit
from acedrex.match import Control, Goal, Log, Settings, Standing, parse_spec, run
from acedrex.match.openings import Judge, make_opening
from acedrex.match.players import make
from acedrex.match.referee import Played
from tests.engines.programs import FAKE
from tests.matches import settings

pytestmark = pytest.mark.slow

# Openings.


def test_openings_are_the_same_for_the_same_seed() -> None:
    one, two = settings("metamachy", openings=8), settings("metamachy", openings=8, seed=2)
    first = [make_opening(one, pair) for pair in range(30)]
    assert [board.fen() for board in first] == [make_opening(one, pair).fen() for pair in range(30)]
    assert len({board.fen() for board in first}) == 30
    assert {board.fen() for board in first}.isdisjoint(make_opening(two, pair).fen() for pair in range(30))
    assert len({board.root_fen for board in first}) > 10  # setups
    assert all(board.ply() == 8 for board in first)


def test_openings_end_with_a_whole_turn() -> None:
    for pair in range(10):
        board = make_opening(settings("chieftain", openings=6), pair)
        assert not board.turn_moves and 6 <= board.ply() <= 13


def test_openings_keep_within_the_balance_limit() -> None:
    def judge(board: Board) -> int:
        return 200 if board.legal_moves.count() % 2 else 150

    boards = [make_opening(settings(balance=150), pair, judge) for pair in range(20)]
    assert all(board.legal_moves.count() % 2 == 0 for board in boards)
    with pytest.raises(Error, match="1000 openings of 4 random moves, and none playable"):
        make_opening(settings(balance=150), 0, lambda board: 151)


# Players.


def test_player_specs_are_parsed_or_refused() -> None:
    spec = parse_spec("""uci:./engine --flag=1 'a b' "option.Skill Level=3" option.File=x=y""")
    assert (spec.kind, spec.command) == ("uci", ("./engine", "--flag=1", "a b"))
    assert spec.options == {"Skill Level": "3", "File": "x=y"} and spec.control is None and spec.variant is None
    spec = parse_spec("uci:./engine --time=1 time time=0.8 variant=none option.time=3")
    assert (spec.command, spec.options) == (("./engine", "--time=1", "time"), {"time": "3"})
    assert (spec.control, spec.variant) == (Control(time=0.8), "none")
    assert parse_spec("acedrex nodes=500 hash=8").control == Control(nodes=500)
    assert parse_spec("acedrex tc=60+0.5").control == Control(base=60, increment=0.5)
    for wrong, message in {
        "": "is not a player",
        "'": "is not a player",
        "nobody": "unknown player 'nobody'; write one of acedrex, random, greedy",
        "uci:": "unknown player",
        "random:x": "unknown player",
        "random level=3": "player random: 'level=3' is not one of its options; it takes none",
        "uci:x time=soon": "time=soon: expected seconds per turn, from 0.001 to 86400",
        "acedrex time=0": "time=0: expected seconds per turn",
        "acedrex tc=60+x": "tc=60+x: expected seconds per game + seconds per turn, like 60+0.5",
        "acedrex nodes=1.5": "nodes=1.5: expected nodes per turn, a whole number from 1",
        "acedrex time=1 nodes=5": "player acedrex: time=1 and nodes=5; give one of them",
        "greedy time=1": "player greedy: 'time=1' is not one of its options; it takes none",
        "acedrex variant=none": "player acedrex: 'variant=none' is not one of its options",
        "uci:x option.Hash": "player uci: 'option.Hash' is not one of its options; it takes option.NAME=VALUE, nodes",
    }.items():
        with pytest.raises(Error, match=re.escape(message)):
            parse_spec(wrong)


def test_the_engine_beats_the_random_player_and_refuses_invalid_options() -> None:
    standing = play(settings("shako", "acedrex threads=1 hash=4", "random", control=Control(nodes=500)), 2)
    assert standing.pairs == [0, 0, 0, 0, 1] and standing.incidents() == {"first": {}, "second": {}}
    for wrong in ("hash=many", "threads=0", "hash=9999999999"):
        with pytest.raises(Error, match=wrong.split("=")[0]):
            make(parse_spec(f"acedrex {wrong}"), load("chess"))


def test_the_engine_selects_balanced_openings() -> None:
    chosen = settings("chess", openings=8, balance=40)
    judge = Judge()
    boards = [make_opening(chosen, pair, judge) for pair in range(6)]
    assert all(Judge()(board) <= 40 for board in boards)
    assert any(Judge()(make_opening(chosen, pair)) > 40 for pair in range(6))
    assert Judge()(Board("chess", "k7/8/1K6/8/8/8/8/7R w - - 0 1")) > 10_000


def test_the_greedy_player_gains_as_much_material_as_possible() -> None:
    def choice(game: str, fen: str) -> list[str]:
        player = make(parse_spec("greedy"), load(game))
        player.begin("1")
        return [move.uci() for move in player.play(Board(game, fen), Limit(nodes=1)).moves]

    assert choice("chess", "k6r/8/8/3p1q2/4P3/8/8/K6R w - - 0 1") == ["e4f5"]
    assert choice("chess", "k7/7P/6q1/8/8/8/8/K7 w - - 0 1") == ["h7h8q"]
    assert choice("xiangqi", "3k5/9/9/9/r8/9/9/9/9/R3K4 w - - 0 1") == ["a1a6"]
    # In a turn of several moves it continues to capture.
    board = Board("chieftain", "c15/16/16/16/2m13/1MM13/C15/16/16/16/16/16 w - - 0 1")
    player = make(parse_spec("greedy"), board.game)
    player.begin("1")
    assert board.move_info(player.play(board, Limit()).moves[0]).captured is not None


def test_players_make_the_same_moves_with_the_same_seed() -> None:
    board = Board("maasai")
    for kind in ("random", "greedy"):
        player = make(parse_spec(kind), board.game)

        def turns(seed: str, player: Any = player) -> list[Any]:
            player.begin(seed)
            return [player.play(board, Limit()).moves for _ in range(20)]

        assert turns("a") == turns("a") != turns("b")
        player.begin("c")
        only = board.legal_moves[3]
        assert {player.play(board, Limit(), root_moves=[only]).moves for _ in range(5)} == {(only,)}


# Matches.


def play(chosen: Settings, games: int, concurrency: int = 1, log: Log | None = None) -> Standing:
    standing = Standing(chosen, Goal(games=games), log.games if log else ())
    run(standing, log=log, concurrency=concurrency)
    return standing


def plain(standing: Standing) -> list[dict[str, Any]]:
    """The games without their times."""
    games = [standing.games[number].record() for number in sorted(standing.games)]
    return [{key: value for key, value in game.items() if key != "seconds"} for game in games]


def test_both_games_of_a_pair_share_their_opening() -> None:
    standing = play(settings("metamachy"), 8)
    games = [standing.games[number] for number in range(8)]
    for first, second in zip(games[::2], games[1::2], strict=True):
        assert (first.start, first.opening) == (second.start, second.opening)
        assert (first.white, second.white) == ("first", "second")
        assert first.turns != second.turns
    assert len({(game.start, *game.opening) for game in games}) == 4
    assert sum(standing.pairs) == 4
    record = standing.record()
    assert record["wins"] + record["draws"] + record["losses"] == record["games"] == 8
    assert sum(record["terminations"].values()) == 8


def test_concurrent_games_equal_sequential_games() -> None:
    chosen = settings("shako")
    assert plain(play(chosen, 12, concurrency=3)) == plain(play(chosen, 12))


def test_a_decided_sprt_ends_the_match() -> None:
    standing = Standing(settings("chieftain", "greedy", "random"), Goal(games=2000, sprt=(0, 300)))
    run(standing)
    assert standing.over and len(standing.games) < 2000
    assert standing.record()["sprt"]["verdict"] == "H1"
    assert any("Test in normalized Elo: 300 or more" in line for line in standing.report())


def test_the_sprt_counts_pairs_by_number() -> None:
    """Games that end early do not count earlier, and those after the deciding pair do not count at all."""
    chosen, goal = settings("chieftain"), Goal(games=400, sprt=(0, 100))
    chance = random.Random(4)
    games = [Played(number, "first", "", [], points=chance.choice([1, 1, 0.5, 0])) for number in range(400)]
    in_order = Standing(chosen, goal, games)
    assert in_order.verdict == "H1" and 20 < len(in_order.games) == 2 * sum(in_order.pairs) < 390
    # If games counted in the order in which they end, wins that come first would decide at once.
    arriving = sorted(games, key=lambda game: -game.points)
    early = Standing(chosen, goal, arriving[:100])
    assert not early.over and len(early.games) == 100 and sum(early.pairs) < 50
    out_of_order = Standing(chosen, goal, arriving)
    assert out_of_order.record() == in_order.record()
    assert sorted(out_of_order.games) == sorted(in_order.games)


def test_invalid_goals_are_refused() -> None:
    for goal in ({}, {"games": 3}, {"games": 0}, {"sprt": (5, 5)}):
        with pytest.raises(Error):
            Goal(**goal)  # type: ignore[arg-type]


def test_an_interrupted_log_is_resumed(tmp_path: Path) -> None:
    path, chosen = tmp_path / "log.jsonl", settings("shako")
    with Log(path, chosen, resume=False) as log:
        whole = play(chosen, 8, log=log)
    lines = path.read_bytes().splitlines(keepends=True)
    assert len(lines) == 9
    # As after a crash: some games are missing, and the last line is incomplete.
    path.write_bytes(b"".join([*lines[:2], *lines[3:6], lines[6][:-20]]))
    with Log(path, chosen, resume=True) as log:
        assert [game.number for game in log.games] == [0, 2, 3, 4]
        assert path.read_bytes() == b"".join([*lines[:2], *lines[3:6]])
        assert plain(play(chosen, 8, log=log)) == plain(whole)
    with Log(path, chosen, resume=True) as log:
        assert sorted(game.number for game in log.games) == list(range(8))


def test_a_match_ends_if_a_worker_cannot_be_started(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[threading.Thread] = []

    class Thread(threading.Thread):
        def start(self) -> None:
            if started:
                raise RuntimeError("can't start new thread")
            started.append(self)
            super().start()

    monkeypatch.setattr(threading, "Thread", Thread)
    with pytest.raises(RuntimeError):
        run(Standing(settings(), Goal(games=100)), concurrency=2)
    assert not started[0].is_alive()


class Msvcrt(ModuleType):
    """Windows' locks, which apply to bytes, emulated with this system's locks, which apply to files."""

    LK_NBLCK = 2

    @staticmethod
    def locking(file: int, mode: int, size: int) -> None:
        assert (mode, size) == (Msvcrt.LK_NBLCK, 1)
        assert os.lseek(file, 0, os.SEEK_CUR) > os.fstat(file).st_size
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            raise PermissionError(13, "Permission denied") from error


@pytest.mark.parametrize("platform", [sys.platform, "win32"])
def test_only_one_process_can_write_a_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, platform: str) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setitem(sys.modules, "msvcrt", Msvcrt("msvcrt"))
    path = tmp_path / "match.jsonl"
    with Log(path, settings(), resume=False):
        before = path.read_bytes()
        with pytest.raises(Error, match="in use: the match is being played by another process"):
            Log(path, settings(), resume=True)
        assert path.read_bytes() == before
    with Log(path, settings(), resume=True) as log:
        assert log.games == []


def test_a_log_of_another_match_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    with Log(path, settings(), resume=False):
        pass
    with pytest.raises(Error, match="already exists; use --resume to continue it"):
        Log(path, settings(), resume=False)
    with pytest.raises(Error, match=r"log.jsonl:1: the log is of another match: seed was 1, and is 2 now"):
        Log(path, settings(seed=2), resume=True)
    good = path.read_bytes()
    for wrong in (b"{}\n", b"[]\n", b"\xff\n", b'{"number": 0}\n', b"[" * 100_000 + b"\n"):
        path.write_bytes(good + wrong)
        with pytest.raises(Error, match=r"log.jsonl:2: "):
            Log(path, settings(), resume=True)
        assert path.read_bytes() == good + wrong


def fake(mode: str, tmp_path: Path) -> str:
    return f"uci:{sys.executable} {FAKE} {mode} {tmp_path / mode}"


@pytest.mark.slow
def test_uci_programs_play_a_match_without_incidents(tmp_path: Path) -> None:
    standing = play(settings("chieftain", fake("good", tmp_path), "random", openings=4), 2)
    assert standing.incidents() == {"first": {}, "second": {}}
    assert all(len(game.turns) > 5 for game in standing.games.values())


def test_an_illegal_turn_loses_unless_the_program_may_be_asked_again(tmp_path: Path) -> None:
    standing = play(settings("chess", "random", fake("illegal", tmp_path)), 2)
    assert [game.points for game in standing.games.values()] == [1.0, 1.0]
    assert standing.incidents() == {"first": {}, "second": {"illegal": 2}}
    standing = play(settings("chess", "random", fake("illegal", tmp_path), ask_again=True), 2)
    assert {game.termination for game in standing.games.values()}.isdisjoint({"illegal_turn", "failed"})
    asked = sum(len(game.turns) for game in standing.games.values())
    assert asked / 2 - 2 <= standing.incidents()["second"]["illegal"] <= asked / 2 + 2


@pytest.mark.parametrize("mode", ["picky", "picky-silent"])
def test_a_program_that_rejects_a_legal_turn_loses(tmp_path: Path, mode: str) -> None:
    """It plays on from an older position, where the other side is to move; one answers d, the other does not."""
    standing = play(settings("chess", "random", fake(mode, tmp_path), openings=0), 2)
    assert {game.termination for game in standing.games.values()} == {"rejected_turn"}
    assert standing.incidents() == {"first": {}, "second": {"rejected": 2}}
    for game in standing.games.values():
        [incident] = game.incidents
        assert game.points == 1.0 and incident.turn == len(game.turns)
        assert incident.text.startswith(f"it did not accept {game.turns[-1]}, and plays on from ")
        assert game.turns[-1][0] + game.turns[-1][1] in ("b1", "g1", "b8", "g8")
    assert "Incidents of the second: rejected 2" in standing.report()


def test_a_program_that_has_another_position_is_reported_once_a_game(tmp_path: Path) -> None:
    standing = play(settings("chess", "random", fake("strange", tmp_path)), 2)
    assert standing.incidents() == {"first": {}, "second": {"differs": 2}}
    assert {game.termination for game in standing.games.values()}.isdisjoint({"rejected_turn"})
    assert all("after " in game.incidents[0].text for game in standing.games.values())


@pytest.mark.parametrize("mode", ["spelling", "fragile"])
def test_programs_that_answer_d_otherwise_are_not_asked(tmp_path: Path, mode: str) -> None:
    standing = play(settings("chess", "random", fake(mode, tmp_path)), 2)
    assert standing.incidents() == {"first": {}, "second": {}}


def test_a_program_of_one_game_plays_if_it_is_vouched_for(tmp_path: Path) -> None:
    single = fake("single", tmp_path)
    with pytest.raises(EngineError, match="If it plays magi and nothing else, add variant=none"):
        play(settings("magi", "random", single), 2)
    standing = play(settings("magi", "random", f"{single} variant=none"), 2)
    assert standing.incidents() == {"first": {}, "second": {}}


def test_a_program_that_crashes_is_restarted(tmp_path: Path) -> None:
    standing = play(settings("chess", fake("die", tmp_path), "random"), 4)
    assert [game.termination for game in standing.games.values()] == ["failed"] * 4
    assert standing.pairs == [2, 0, 0, 0, 0]
    with pytest.raises(EngineError, match="cannot start"):
        play(settings("chess", "random", "uci:no-such-engine"), 4)


def test_a_program_that_does_not_support_the_game_is_refused(tmp_path: Path) -> None:
    with pytest.raises(EngineError, match="does not play maasai"):
        play(settings("maasai", "random", fake("good", tmp_path)), 4)


# The command.


def test_the_command_writes_a_summary_a_log_and_pgn(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, record = tmp_path / "m.json", tmp_path / "m.pgn"
    words = ["match", "magi:scoring=four_points", "--first", "greedy", "--second", "random", "--nodes", "1"]
    assert main([*words, "--games", "4", "--out", str(out), "--pgn", str(record)]) == 0
    told = capsys.readouterr().out
    assert "magi:scoring=four_points: greedy against random, 1 node a turn\n4/4 games" in told
    summary = json.loads(out.read_text())
    assert summary["games"] == 4 and len(summary["pairs"]) == 9
    log = [json.loads(line) for line in out.with_suffix(".jsonl").read_text().splitlines()]
    with record.open() as file:
        records = list(pgn.Reader(file))
    assert len(records) == len(log) - 1 == 4
    for read, written in zip(records, log[1:], strict=True):
        assert not read.errors
        assert (read.headers["Result"], read.headers["Score"]) == (written["result"], written["score"])
        turns = [",".join(move.uci() for move in node.moves) for node in read.mainline()]
        assert turns == written["opening"] + written["turns"]
        assert read.headers["White"] == {"first": "greedy", "second": "random"}[written["white"]]
        assert read.headers["Date"] == written["date"] and read.headers["Date"] > "2026"
        assert read.headers["TimeControl"] == "-"
    assert main([*words, "--games", "4", "--out", str(out)]) == 1
    assert "use --resume to continue it" in capsys.readouterr().err
    assert main([*words, "--games", "6", "--out", str(out), "--resume"]) == 0
    assert json.loads(out.read_text())["games"] == 6
    before = record.read_text()
    resume = [*words, "--games", "6", "--out", str(out), "--resume", "--pgn", str(record)]
    for text in ("precious", before + "precious", before.replace("greedy", "another")):
        record.write_text(text)
        assert main(resume) == 1
        assert f"{record} contains more than the games of this match" in capsys.readouterr().err
        assert record.read_text() == text
    record.write_text(before[:-100])
    assert main(resume) == 0
    assert record.read_text().startswith(before) and record.read_text().count("[Event ") == 6
    before = record.read_text()
    assert main([*words, "--games", "2", "--pgn", str(record)]) == 1
    assert f"{record} already exists; choose another file" in capsys.readouterr().err
    assert record.read_text() == before
    never = tmp_path / "never.pgn"
    assert (
        main([*words[:4], "--second", "uci:no-such-engine", "--nodes", "1", "--games", "2", "--pgn", str(never)]) == 1
    )
    assert not never.exists(), "no game was played, so nothing stands in the way of the next try"
    never.write_text("precious")
    words = [*words[:4], "--second", "uci:no-such-engine", "--nodes", "1", "--games", "2", "--pgn", str(never)]
    assert main([*words, "--out", str(tmp_path / "never.json"), "--resume"]) == 1
    assert never.read_text() == "precious"


def test_each_player_may_have_a_time_of_its_own(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out, record = tmp_path / "m.json", tmp_path / "m.pgn"
    odds = ["--first", "acedrex hash=1 nodes=20", "--second", "acedrex hash=1 tc=600+1"]
    words = ["match", "chess", *odds, "--nodes", "30", "--games", "2", "--out", str(out), "--pgn", str(record)]
    words += ["--adjudicate", "--openings", "2"]
    levels = [word.replace("hash=1", "level=1") for word in words]
    assert main(levels) == 0
    assert "20 nodes a turn against 600+1 a game" in capsys.readouterr().out
    assert json.loads(out.read_text())["controls"] == {"first": "20 nodes", "second": "600+1"}
    with record.open() as file:
        first, second = pgn.Reader(file)
    assert "TimeControl" not in first.headers and first.headers["Event"] == "Match, 20 nodes against 600+1"
    assert (first.headers["WhiteTimeControl"], first.headers["BlackTimeControl"]) == ("-", "600+1")
    assert (second.headers["WhiteTimeControl"], second.headers["BlackTimeControl"]) == ("600+1", "-")
    other = [word.replace("600+1", "600+2") for word in levels]
    assert main([*other, "--resume"]) == 1
    assert "the log is of another match: second was 'acedrex level=1 tc=600+1'" in capsys.readouterr().err
    assert main([*levels[:-1], "2", "--resume"]) == 0


@pytest.mark.parametrize(
    ("words", "status", "message"),
    [
        (["--nodes", "1"], 1, "a match needs an end"),
        (["--games", "2"], 2, "one of the arguments --nodes --time --tc is required"),
        (["--games", "3", "--nodes", "1"], 1, "3 games: games are played in pairs"),
        (["--games", "2", "--tc", "ten"], 2, "'ten' is not a number; write seconds for the game and"),
        (["--games", "2", "--time", "0"], 2, "'0' is not a time from 0.001"),
        (["--games", "2", "--time", "inf"], 2, "'inf' is not a number"),
        (["--games", "2", "--nodes", "0"], 2, "'0' is not a whole number from 1"),
        (["--sprt", "5", "0", "--nodes", "1"], 1, "the first Elo value, 5, must be less than the second, 0"),
        (["--games", "2", "--nodes", "1", "--resume"], 1, "--resume needs the --out FILE"),
        (["--games", "2", "--nodes", "1", "--out", "/no/such/place.json"], 1, "cannot use /no/such/place.jsonl"),
        (["--games", "2", "--nodes", "1", "--out", "m.jsonl"], 1, "--out is the summary file, such as match.json"),
        (["--games", "2", "--nodes", "1", "--out", "."], 1, "--out is the summary file, such as match.json"),
        (["--games", "2", "--nodes", "1", "--pgn", "/no/such/place.pgn"], 1, "cannot use /no/such/place.pgn"),
    ],
)
def test_invalid_arguments_are_reported(
    words: list[str], status: int, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["match", "chess", "--first", "random", "--second", "random", *words]) == status
    assert message in capsys.readouterr().err


def begin(out: Path, *words: str) -> subprocess.Popen[str]:
    """Start a long match in a separate process, and wait until some games have been played."""
    match = ["match", "shako", "--first", "greedy", "--second", "random", "--nodes", "1", "--seed", "7"]
    process = subprocess.Popen(
        [sys.executable, "-m", "acedrex", *match, "--out", str(out), *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        # A shell may have muted Ctrl-C for what it starts.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler) and None,
    )
    log = out.with_suffix(".jsonl")
    while process.poll() is None and (not log.exists() or log.read_bytes().count(b"\n") < 4):
        time.sleep(0.01)
    return process


@pytest.mark.skipif(os.name != "posix", reason="kills as Unix does")
def test_a_match_survives_being_killed(tmp_path: Path) -> None:
    out = tmp_path / "m.json"
    with begin(out, "--games", "1000") as process:
        process.kill()
    log = out.with_suffix(".jsonl")
    before = log.read_bytes()
    played = before.count(b"\n") - 1
    assert 3 <= played < 1000 and not out.exists()
    games = played + played % 2 + 4
    with begin(out, "--games", str(games), "--resume") as process:
        assert process.wait() == 0
    assert log.read_bytes().startswith(before[: before.rfind(b"\n") + 1])
    chosen = settings("shako", "greedy", "random", openings=8, balance=150, seed=7)
    with Log(log, chosen, resume=True) as resumed:
        standing = Standing(chosen, Goal(games=games), resumed.games)
    assert plain(standing) == plain(play(chosen, games))


@pytest.mark.skipif(os.name != "posix", reason="interrupts as Unix does")
def test_ctrl_c_stops_a_match_and_keeps_its_results(tmp_path: Path) -> None:
    out = tmp_path / "m.json"
    with begin(out, "--sprt", "-1", "1", "--concurrency", "2") as process:
        process.send_signal(signal.SIGINT)
        assert process.wait() == 130
        assert process.stderr is not None
        assert re.search(
            r"stopped after \d+ games; run the same command with --resume to continue", process.stderr.read()
        )
    assert json.loads(out.read_text())["games"] == out.with_suffix(".jsonl").read_bytes().count(b"\n") - 1


def test_fairy_stockfish_plays_a_match_without_illegal_moves(witness: Callable[[str], str]) -> None:
    spec = f"uci:{witness('fairy-stockfish')} option.Hash=1"
    standing = play(settings("shako", spec, "greedy", control=Control(time=0.01)), 2)
    assert standing.pairs == [0, 0, 0, 0, 1]
    assert "illegal" not in standing.incidents()["first"]
