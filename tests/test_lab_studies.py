"""Studies from their games to their pages; what the core counts is counted again here."""

from __future__ import annotations

import json
import re
import sys
import xml.etree.ElementTree as ET
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from acedrex import Board, Error, _native, load
from acedrex.cli import main
from acedrex.lab import Handicaps, Job, SetupGames, ordinal
from acedrex.lab.arrangements import alike_setups
from acedrex.lab.data import read_games
from acedrex.lab.handicaps import LARGEST, is_small
from acedrex.lab.studies import setups, study_page
from acedrex.lab.studies.page import Page
from acedrex.lab.studies.plots import COLORS, Interval, Series, intervals
from acedrex.lab.studies.portrait import portray
from acedrex.lab.studies.sample import Sample, read_sample, share_interval
from acedrex.lab.studies.setups import extremes, score_setups
from acedrex.lab.studies.values import estimate_values
from acedrex.lab.studies.values_page import fill_page
from tests.lab import finish


def played(folder: Path, game: str, games: int = 6, nodes: int = 30) -> Job:
    job = Job.create(folder, SetupGames.plan(load(game), games=games, nodes=nodes, unit=3, opening=2))
    finish(job)
    return job


@pytest.mark.parametrize("name", ["chess", "magi", "chieftain", "metamachy", "xiangqi"])
def test_the_census_agrees_with_a_count_by_hand(name: str, tmp_path: Path) -> None:
    job = played(tmp_path, name)
    game = job.plan.game
    letters = [kind.letter for kind in game.pieces]
    for unit in job.units():
        counts = _native.census(game, job.read(unit).payload)
        kinds = {letter: Counter[str]() for letter in letters}
        events, turns, branching = Counter[str](), [], Counter[int]()
        for record in list(read_games([tmp_path]))[3 * unit : 3 * unit + 3]:
            board = Board(game, record.start)
            originals = {at: piece.letter for at, piece in board.piece_map().items()}
            for piece in originals.values():
                kinds[piece]["started"] += 1
            random = next((n for n, score in enumerate(record.scores) if score is not None), len(record.moves))
            happened, turn, mover = Counter[str](), 0, None
            for number, move in enumerate(record.moves):
                info = board.move_info(move)
                counted = number >= random
                if board.turn != mover:
                    mover, turn = board.turn, turn + 1
                    branching[turn] += board.legal_moves.count() if counted else 0
                if move.special is None:
                    piece = board.piece_at(move.from_square)
                    assert piece is not None
                    if counted:
                        kinds[piece.letter]["moves"] += 1
                        kinds[piece.letter]["captures"] += info.captured is not None
                        if info.reach:
                            kinds[piece.letter]["paths"] += 1
                            kinds[piece.letter]["steps"] += len(info.reach.path)
                        if info.captured:
                            kinds[info.captured.letter]["captured"] += 1
                        if move.promotion:
                            kinds[move.promotion]["promotions"] += 1
                    if info.captured_on is not None:
                        originals.pop(info.captured_on, None)
                    one = originals.pop(move.from_square, None)
                    two = originals.pop(info.partner[0], None) if info.partner else None
                    if one and not move.promotion:
                        originals[move.to_square] = one
                    if two and info.partner:
                        originals[info.partner[1]] = two
                if counted:
                    happened["check"] += info.gives_check
                    happened["promotion"] += move.promotion is not None
                    happened["hop"] += info.reach is not None and info.reach.mount is not None
                    happened["en_passant"] += board.is_en_passant(move)
                    happened["castling"] += board.is_castling(move) and info.partner is not None
                    if move.special:
                        happened[move.special] += 1
                board.push(move)
            for letter in originals.values():
                kinds[letter]["survived"] += 1
            turns.append(turn)
            events.update(happened)
        names = ("started", "survived", "moves", "captures", "captured", "promotions", "steps", "paths")
        for letter, row in zip(letters, counts["kinds"], strict=True):
            assert dict(zip(names, row, strict=True)) == {key: kinds[letter][key] for key in names}, letter
        assert counts["turns"] == turns
        assert [moves for _, moves in counts["branching"]] == [
            branching[n + 1] for n in range(len(counts["branching"]))
        ]
        for event, _, times in counts["events"]:
            if event not in ("track", "jump", "bend"):
                assert times == events[event], event
        assert all(games <= 3 and (games > 0) == (times > 0) for _, games, times in counts["events"])


def test_bent_moves_are_counted(tmp_path: Path) -> None:
    job = played(tmp_path, "metamachy", games=3)
    game = job.plan.game
    bent = 0
    for record in read_games([tmp_path]):
        board = Board(game, record.start)
        for number, move in enumerate(record.moves):
            reach = board.move_info(move).reach
            if number >= 2 and reach and len(reach.legs) > 1:
                corners = [move.from_square, *reach.legs]
                steps = [(b % 16 - a % 16, b // 16 - a // 16) for a, b in pairwise(corners)]
                bent += any(x * v != y * u or x * u + y * v < 0 for (x, y), (u, v) in pairwise(steps))
            board.push(move)
    counted = sum(
        {e: t for e, _, t in _native.census(game, job.read(u).payload)["events"]}["bend"] for u in job.units()
    )
    assert counted == bent


def test_the_sample_agrees_with_the_games(tmp_path: Path) -> None:
    plan = Handicaps.plan(load("shako"), games=20, nodes=10, unit=6)
    job = Job.create(tmp_path, plan)
    finish(job)
    sample = read_sample(job, quiet=3)
    letters = [kind.letter for kind in plan.game.pieces]
    records = list(read_games([tmp_path]))
    assert len(sample) == len(records) == 20
    assert sample.endings == Counter(record.termination for record in records)
    quiet = 0
    for number, record in enumerate(records):
        white, black = record.points
        assert sample.shares[number] == white / (white + black)
        assert sample.results[number] == (
            ordinal.WIN if white > black else ordinal.LOSS if white < black else ordinal.DRAW
        )
        board = Board(plan.game, record.start)
        differences = []
        found: list[list[int]] = []
        for move, score in zip(record.moves, record.scores, strict=True):
            counts = [len(board.pieces(one, True)) - len(board.pieces(one, False)) for one in letters]
            if score is not None:
                differences.append(counts)
                if not (board.is_check() or move.promotion or board.piece_at(move.to_square)):
                    found.append(counts)
            board.push(move)
        assert sample.differences[number].tolist() == differences[0]
        rows = sample.quiet[sample.quiet_games == number].tolist()
        quiet += len(rows)
        assert len(rows) == min(3, len(found)) and all(row in found for row in rows)
    assert quiet > 40


def test_a_sample_stops_at_the_first_missing_unit(tmp_path: Path) -> None:
    job = played(tmp_path, "chess", games=9, nodes=2)
    assert len(read_sample(job)) == 9
    job.path(1).unlink()
    assert len(read_sample(job)) == 3


def test_score_intervals_treat_a_pair_as_one_observation() -> None:
    shares = np.array([1.0, 0.0] * 50)
    assert share_interval(shares, np.arange(100) // 2).low == 0.5, "each pair scored a half"
    alone = share_interval(shares, np.arange(100))
    assert alone.low == pytest.approx(0.5 - 1.96 * 0.5 / 10, abs=0.001)


def simulated_sample(games: int, worth: dict[str, float], scale: float, name: str = "chess") -> Sample:
    """Games whose results are drawn from known values."""
    plan = Handicaps.plan(load(name), games=games, nodes=1, unit=2)
    letters = [kind.letter for kind in plan.game.pieces]
    differences = np.zeros((games, len(letters)))
    for number in range(games):
        placement = plan.start(number).split()[0]
        for at, letter in enumerate(letters):
            differences[number, at] = placement.count(letter) - placement.count(letter.lower())
    middle = scale * differences @ [worth.get(letter, 0.0) for letter in letters] + 0.1
    random = np.random.default_rng(1)
    draw = random.random(games)
    win, loss = ordinal.logistic(middle - 0.4), ordinal.logistic(-middle - 0.4)
    results = np.where(draw < win, ordinal.WIN, np.where(draw > 1 - loss, ordinal.LOSS, ordinal.DRAW))
    return Sample(
        plan=plan,
        numbers=np.arange(games),
        shares=results / 2,
        results=results.astype(np.intp),
        differences=differences,
        endings=Counter({"checkmate": games}),
        quiet=differences,
        quiet_games=np.arange(games),
    )


@pytest.mark.slow
def test_the_true_piece_values_are_recovered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("acedrex.lab.studies.values.SAMPLES", 100)
    worth = {"Q": 7.0, "R": 6.0, "B": 2.0, "N": 4.0, "P": 1.0}
    sample = simulated_sample(4000, worth, 0.45)
    assert np.abs(sample.differences @ np.array([0, 9.5, 4.8, 3.2, 3.0, 1.08])).max() < LARGEST * 1.2
    values = estimate_values(sample)
    for letter, true in worth.items():
        for found in (values.together.values[letter], values.whole.values[letter], values.quiet.values[letter]):
            assert found.low - 0.15 <= true <= found.high + 0.15, (letter, found)
        assert values.together.scaled[letter].value == pytest.approx(
            5 * values.together.values[letter].value / 6, rel=0.15
        )
    assert values.together.values["Q"].high - values.together.values["Q"].low < 2.0
    assert values.unit.letter == "P" and values.together.shares["P"].value == pytest.approx(0.597, abs=0.02)
    assert values.null.low <= 0.5 <= values.null.high
    for predicted, scored in values.calibration:
        assert scored.low - 3 <= predicted <= scored.high + 3
    assert values.whole.games == sum(not is_small(number // 2) for number in range(4000))


@pytest.mark.slow
def test_the_best_measured_piece_is_the_yardstick_if_the_unit_is_worthless(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("acedrex.lab.studies.values.SAMPLES", 50)
    worth = {"C": 10.0, "H": 2.0, "S": 1.5, "N": 1.0}
    values = estimate_values(simulated_sample(2000, worth, 0.2, "chieftain"))
    assert values.unit.letter == "M" and values.together.values == {}
    assert values.yardstick is not None and values.yardstick.words == "Chieftain = 10"
    for letter in "CHSNM":
        found = values.together.scaled[letter]
        assert found.low - 0.2 <= worth.get(letter, 0.0) <= found.high + 0.2, (letter, found)
    more = float(ordinal.logistic(np.array([2.0 - 0.4, 2.0 + 0.4])).mean())
    found = values.together.shares["C"]
    assert found.low - 0.01 <= more <= found.high + 0.01 and found.high - found.low < 0.15
    assert values.together.shares["M"].low < 0.53
    page = Page("t", "n")
    fill_page(page, [values])
    text = page.write_markdown(tmp_path).read_text(encoding="utf-8")
    assert "One Man more scores" in text and "count other pieces in Men." in text
    assert "| Piece | Chieftain = 10 | One more scores |" in text


def test_setups_are_scored_and_ranked(tmp_path: Path) -> None:
    plan = SetupGames.plan(load("metamachy"), ["GKLQ", "GKQL", "GLKQ"], games=300, nodes=1, unit=3)
    names = [plan.setup(number) for number in range(300)]
    random = np.random.default_rng(2)
    shares = (random.random(300) < np.where(np.array(names) == "GKQL", 0.9, 0.4)).astype(float)
    empty = np.empty((0, 1))
    sample = Sample(
        plan,
        np.arange(300),
        shares,
        (2 * shares).astype(np.intp),
        np.zeros((300, 1)),
        Counter(),
        empty,
        np.empty(0, np.intp),
    )
    scores = score_setups([sample])
    assert set(scores.games.values()) == {100}
    for name in ("GKLQ", "GKQL", "GLKQ"):
        own = shares[np.array(names) == name]
        assert scores.measured[name] == pytest.approx(own.mean())
        assert scores.shrunk[name].low < own.mean() < scores.shrunk[name].high
    assert extremes(scores, 1)[1] == "GKQL" and scores.effects.spread.low > 0.05
    page = Page("t", "n")
    setups.fill_page(page, scores)
    text = page.write_markdown(tmp_path).read_text(encoding="utf-8")
    assert "Setups differ by more than chance explains" in text and "look best for Black.\n" in text


def run(words: list[str], capsys: pytest.CaptureFixture[str]) -> tuple[int, str, str]:
    status = main(["lab", *words, "--workers", "1"] if words[0] != "report" else ["lab", *words])
    out = capsys.readouterr()
    return status, out.out, out.err


@pytest.mark.slow
def test_the_values_command_writes_pages_and_plots(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("acedrex.lab.studies.values.SAMPLES", 20)
    out, pages = tmp_path / "study", tmp_path / "pages"
    words = ["values", "chess", "--games", "240", "--nodes", "1", "2", "--unit-games", "120", "--out", str(out)]
    status, told, _ = run([*words, "--pages", str(pages)], capsys)
    assert status == 0 and "240 of 240 games" in told and f"wrote {pages / 'values-chess.md'}" in told
    text = (pages / "values-chess.md").read_text(encoding="utf-8")
    assert "acedrex lab values chess --nodes 1 2 --games 240 --openings 4 --seed 1" in text
    for line in (
        "| One more scores | definition |",
        "## Opening and endgame",
        "## Stronger and weaker play",
        "| Games | 240 | 240 |",
        "| All pairs | ",
    ):
        assert line in text
    for number in range(1, 5):
        ET.parse(pages / f"values-chess-{number}.svg")
        assert f"](values-chess-{number}.svg)" in text
    again = (pages / "values-chess.md").read_bytes()
    assert run([*words, "--pages", str(pages)], capsys)[0] == 0
    assert (pages / "values-chess.md").read_bytes() == again
    assert run(["report", str(out)], capsys)[0] == 0
    whole = (out / "values-chess.html").read_text(encoding="utf-8")
    assert whole.count("<svg") == 4 and "currentColor" in whole
    assert not re.search(r'(src|href)="(?!#)', whole.replace('xlink:href="#', "")), "nothing external is loaded"
    ids = re.findall(r'\bid="([^"]*)"', whole)
    assert len(ids) == len(set(ids)), "ids of plots do not clash"
    assert set(re.findall(r"(?:href=\"#|url\(#)([^\")]*)", whole)) <= set(ids)


def test_the_setups_command_writes_pages_and_scores(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "study"
    words = ["setups", "metamachy", "--games", "2", "--more", "3", "--extremes", "1", "--nodes", "1", "--out", str(out)]
    words += ["--unit-games", "12"]
    status, told, _ = run([*words, "--pages", str(tmp_path), "--scores", str(tmp_path / "app")], capsys)
    assert status == 0 and "24 of 24 games" in told and "6 of 6 games" in told
    text = (tmp_path / "setups-metamachy.md").read_text(encoding="utf-8")
    assert "played 30 games" in text and "from 12 of 24 setups" in text
    assert text.count("| 5 |") == 2 and text.count("| 2 |") == 10
    assert "do not show that setups differ" in text and "chance alone could explain the order." in text
    assert "acedrex lab setups metamachy --nodes 1 --games 2 --more 3 --extremes 1 --openings 4 --seed 1" in text
    page = tmp_path / "app" / "setups-metamachy.html"
    assert page.read_bytes() == (out / "setups-metamachy.html").read_bytes()
    known = json.loads((tmp_path / "app" / "setups-metamachy.json").read_bytes())
    game = load("metamachy")
    assert (known["rules_hash"], known["nodes"], known["games"]) == (game.rules_hash, 1, 30)
    assert list(known["scores"]) == list(game.setups), "reflections too"
    for name, (white, margin) in known["scores"].items():
        assert f"| `{alike_setups(game)[name]}` | {white:.1f} ± {margin:.1f} % |" in text


def test_the_portrait_command_works_for_a_custom_game(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    own = tmp_path / "own.toml"
    text = (Path(__file__).parents[1] / "games" / "knightmate.toml").read_text(encoding="utf-8")
    own.write_text(text.replace('id = "knightmate"', 'id = "own"').replace('"Knightmate"', '"My <own> game"'), "utf-8")
    out = tmp_path / "study"
    words = ["portrait", str(own), "--games", "12", "--nodes", "1", "20", "--out", str(out), "--unit-games", "6"]
    status, _, _ = run(words, capsys)
    assert status == 0
    page = (out / "portrait-own.html").read_text(encoding="utf-8")
    assert "A portrait of My &lt;own&gt; game" in page and "<own>" not in page
    portrait = portray(Job.open(out / "nodes-20"))
    assert portrait.games == 12 and sum(portrait.results) == 12
    assert f"<td>{np.median(portrait.turns):.0f}</td>" in page
    assert sum(kind.moves for kind in portrait.kinds) == pytest.approx(1.0)


def test_wrong_and_incomplete_studies_are_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    out = ["--out", str(tmp_path / "x")]
    assert run(["values", "chess", "--games", "3", *out], capsys)[2].endswith("must be even\n")
    assert "Chess has no setups to compare" in run(["setups", "chess", *out], capsys)[2]
    assert "is not a study" in run(["report", str(tmp_path)], capsys)[2]
    assert "20 games are too few" in run(["values", "chess", "--games", "20", "--nodes", "1", *out], capsys)[2]
    Job.create(tmp_path / "none" / "a", Handicaps.plan(load("chess"), games=2, nodes=1, unit=2))
    assert "no finished games yet" in run(["report", str(tmp_path / "none")], capsys)[2]
    played(tmp_path / "x" / "other", "magi", games=1, nodes=1)
    with pytest.raises(Error, match="several games"):
        study_page(tmp_path / "x")
    played(tmp_path / "portrait" / "a", "metamachy", games=3, nodes=1)
    words = ["report", str(tmp_path / "portrait"), "--scores", str(tmp_path)]
    assert "is not a study of setups, so it has no scores" in run(words, capsys)[2]
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    monkeypatch.delattr("acedrex.lab.studies")
    for name in [name for name in sys.modules if name.startswith("acedrex.lab.studies")]:
        monkeypatch.delitem(sys.modules, name)
    message = run(["values", "chess", "--games", "2", *out], capsys)[2]
    assert 'studies need matplotlib: in a checkout pip install ".[lab]" brings it' in message


def test_pages_escape_html_and_align_numbers(tmp_path: Path) -> None:
    page = Page("A & B", "name")
    page.text("`x < y` and **bold** and *slanted*")
    page.table(["a", "b"], [["<i>", "1"]])
    html = page.write_html(tmp_path).read_text(encoding="utf-8")
    assert "<code>x &lt; y</code> and <b>bold</b> and <i>slanted</i>" in html
    assert "<td>&lt;i&gt;</td>" in html and "<h1>A &amp; B</h1>" in html
    assert "| a | b |\n| :-- | --: |\n| <i> | 1 |" in page.write_markdown(tmp_path).read_text(encoding="utf-8")


@pytest.mark.parametrize("estimates", [2, 3, 4])
def test_estimates_of_a_row_are_closer_to_each_other_than_to_the_next_row(estimates: int) -> None:
    point = Interval(2.0, 1.0, 3.0)
    plot = intervals(["Queen", "Rook"], [Series(str(one), [point, point]) for one in range(estimates)], "Pawns")
    marks = [re.findall(rf'<use [^>]*y="([\d.]+)" style="fill: {color}', plot)[:2] for color in COLORS[:estimates]]
    first, second = (sorted(map(float, row)) for row in zip(*marks, strict=True))
    assert len(first) == estimates
    assert max(low - high for high, low in pairwise(first)) < 0.7 * (second[0] - first[-1])


def test_drawn_games_alone_give_no_values(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("acedrex.lab.studies.values.SAMPLES", 5)
    sample = simulated_sample(100, {"P": 1.0}, 0.0)
    drawn = replace(sample, results=np.full(100, ordinal.DRAW), shares=np.full(100, 0.5))
    values = estimate_values(drawn)
    assert values.together.values == values.together.scaled == {}
    page = Page("t", "n")
    fill_page(page, [values])
