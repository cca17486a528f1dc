"""Trains small networks, interrupts and resumes the training, and plays with them."""

from __future__ import annotations

import io
import json
from pathlib import Path

import numpy as np
import pytest

from acedrex import Board, Engine, Error, Limit, load, pgn
from acedrex.cli import main
from acedrex.lab import Job, Progress, Recipe, SelfPlay, Training, read_games, read_positions, write_pgn
from acedrex.lab.data import NO_SCORE
from acedrex.lab.files import fingerprint

GAME = load("magi")
RECIPE = Recipe(epochs=3)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("data")
    plan = SelfPlay.plan(GAME, positions=10_000, nodes=5, unit=30)
    job = Job.create(folder, plan)
    for number in range(2):
        job.add(number, plan.make(number))
    return folder


@pytest.fixture(scope="module")
def trained(data: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return Training(tmp_path_factory.mktemp("trained"), GAME, [data], RECIPE).run(1)


def test_a_network_records_its_training_and_plays_only_its_game(trained: Path) -> None:
    header = trained.read_bytes()[:2000]
    for part in (
        b"game: magi\n",
        GAME.rules_hash.encode(),
        b"added to the features",
        RECIPE.line().encode(),
        b"log: loss",
    ):
        assert part in header
    board = Board(GAME)
    with Engine(hash_mb=1, network=trained) as engine, Engine(hash_mb=1, network="none") as plain:
        mine, features = (each.analyse(board, Limit(depth=1))[0].score for each in (engine, plain))
        assert mine != features
        assert engine.play(board, Limit(nodes=100)).moves
        with pytest.raises(Error, match='plays "magi", not "chess"'):
            engine.play(Board("chess"), Limit(nodes=100))
        engine.use_network("none")
        assert engine.analyse(board, Limit(depth=1))[0].score == features


def test_resumed_training_ends_with_the_same_network(data: Path, trained: Path, tmp_path: Path) -> None:
    class StopError(Exception):
        pass

    seen: list[Progress] = []

    def report(progress: Progress) -> None:
        seen.append(progress)
        if progress.stage == "training" and progress.loss is not None and len(seen) > stop:
            raise StopError

    training = Training(tmp_path, GAME, [data], RECIPE)
    for stop in (0, 10_000):
        try:
            training.run(2, report)
        except StopError:
            assert stop == 0
    assert training.network.read_bytes() == trained.read_bytes()
    assert {progress.stage for progress in seen} == {"reading", "tuning", "training"}
    epochs = [progress for progress in seen if progress.stage == "training" and progress.loss is not None]
    assert len(epochs) == RECIPE.epochs, "no epoch is trained twice"
    assert training.run(1) == training.network, "finished training is not repeated"


def test_training_can_start_from_a_network(data: Path, trained: Path, tmp_path: Path) -> None:
    start = trained.read_bytes()
    seen: list[Progress] = []
    second = Training(tmp_path, GAME, [data], Recipe(epochs=1, rate=1e-4), start).run(1, seen.append)
    assert b"from network " + fingerprint(start)[:16].encode() in second.read_bytes()[:2000]
    assert {progress.stage for progress in seen} == {"reading", "training"}, "weights are not tuned again"
    ended = json.loads((trained.parent / "log.jsonl").read_text().splitlines()[-1])["loss"]
    began, after = (json.loads(line)["loss"] for line in (tmp_path / "log.jsonl").read_text().splitlines())
    assert began == pytest.approx(ended, rel=0.01), "it starts where the other ended"
    assert after != began
    with pytest.raises(Error, match="another training: network is"):
        Training(tmp_path, GAME, [data], Recipe(epochs=1, rate=1e-4)).run(1)
    with pytest.raises(Error, match="begins with"):
        Training(tmp_path / "out", GAME, [data], RECIPE, b"something else").run(1)


def test_another_recipe_or_unsuitable_data_is_refused(data: Path, trained: Path, tmp_path: Path) -> None:
    with pytest.raises(Error, match="another training: recipe is"):
        Training(trained.parent, GAME, [data], Recipe(epochs=4)).run(1)
    with pytest.raises(Error, match="whose rules differ"):
        Training(tmp_path / "chess", load("chess"), [data], RECIPE).run(1)
    with pytest.raises(Error, match="needs games"):
        Training(tmp_path / "none", GAME, [], RECIPE)
    few = Job.create(tmp_path / "few", SelfPlay.plan(GAME, positions=10, nodes=5, unit=1))
    few.add(0, few.plan.make(0))
    with pytest.raises(Error, match="more games are needed"):
        Training(tmp_path / "out", GAME, [few.folder], RECIPE).run(1)
    broken = tmp_path / "broken"
    Training(broken, GAME, [data], RECIPE).run(1)
    (broken / "checkpoint").write_bytes(b"nonsense")
    with pytest.raises(Error, match="not a checkpoint of this training"):
        Training(broken, GAME, [data], RECIPE).run(1)


def test_unreadable_networks_are_refused(tmp_path: Path) -> None:
    with pytest.raises(Error, match="cannot be read: No such file"):
        Engine(network=tmp_path / "absent.net")
    (tmp_path / "empty.net").touch()
    with pytest.raises(Error, match="it is empty"):
        Engine(network=tmp_path / "empty.net")
    (tmp_path / "other.net").write_text("something else")
    with Engine(hash_mb=1, network=tmp_path / "other.net") as engine, pytest.raises(Error, match="begins with"):
        engine.play(Board(GAME), Limit(nodes=10))


def test_position_arrays_match_the_games(data: Path) -> None:
    letters = [piece.letter for piece in GAME.pieces]
    arrays = list(read_positions([data, data]))
    boards = np.concatenate([positions.boards for positions in arrays])
    scores = np.concatenate([positions.scores for positions in arrays])
    results = np.concatenate([positions.results for positions in arrays])
    black = np.concatenate([positions.black_to_move for positions in arrays])
    seen: set[str] = set()
    row = 0
    for played in read_games([data]):
        board = Board(GAME, played.start)
        for move, score in zip(played.moves, played.scores, strict=True):
            fen = " ".join(board.fen().split()[:-2])
            if fen not in seen:
                seen.add(fen)
                assert scores[row] == (NO_SCORE if score is None else score)
                assert results[row] == np.float32(played.points[0] / sum(played.points))
                assert black[row] == (not board.turn)
                expected = np.zeros_like(boards[row])
                for square, piece in board.piece_map().items():
                    kind = 1 + letters.index(piece.letter) + (0 if piece.color else len(letters))
                    expected[square // 16, square % 16] = kind
                assert (boards[row] == expected).all()
                row += 1
            board.push(move)
    assert row == len(boards), "each position once, although the data is read twice"


def test_games_are_written_as_pgn_and_read_back(data: Path, tmp_path: Path) -> None:
    handle = io.StringIO()
    games = list(read_games([data]))
    assert write_pgn([data], handle) == len(games)
    handle.seek(0)
    for played in games:
        record = pgn.read_game(handle)
        assert record is not None and not record.errors
        assert record.end().board().move_stack == list(played.moves)
        assert (record.headers["Result"] == "*") == (played.termination == "unfinished")


def test_a_missing_unit_is_reported(data: Path, tmp_path: Path) -> None:
    plan = SelfPlay.plan(GAME, positions=1000, nodes=5, unit=1)
    job = Job.create(tmp_path, plan)
    job.add(1, plan.make(1))
    with pytest.raises(Error, match="has no unit 0; make it again"):
        next(read_games([tmp_path]))


def test_the_train_and_pgn_commands_write_their_files(
    data: Path, trained: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "training"
    assert main(["lab", "train", "magi", str(data), "--out", str(out), "--epochs", "3", "--threads", "1"]) == 0
    told = capsys.readouterr()
    assert told.out == f"network: {out / 'network.net'}\n"
    assert [line.partition(":")[0] for line in told.err.splitlines()] == ["training"] * 3
    assert (out / "network.net").read_bytes() == trained.read_bytes()
    assert main(["lab", "pgn", str(data), "--out", str(tmp_path / "games.pgn")]) == 0
    assert capsys.readouterr().out.startswith("wrote 60 games to ")


def test_diverging_training_is_reported(data: Path, tmp_path: Path) -> None:
    with pytest.raises(Error, match="rate of 1e\\+38 is too high"):
        Training(tmp_path / "wild", GAME, [data], Recipe(epochs=1, rate=1e38, instead=True)).run(1)


def test_training_can_add_neurons_to_a_network_but_not_remove_them(data: Path, tmp_path: Path) -> None:
    wide = Training(tmp_path / "wide", GAME, [data], Recipe(epochs=1, instead=True, neurons=64)).run(1).read_bytes()
    for neurons, has in [(None, b"64 neurons"), (128, b"128 neurons")]:
        recipe = Recipe(epochs=1, neurons=neurons)
        network = Training(tmp_path / f"on-{neurons}", GAME, [data], recipe, wide).run(1).read_bytes()
        assert has in network.partition(b"\n\n")[0]
    for neurons in (32, 65, 10**9):
        training = Training(tmp_path / f"off-{neurons}", GAME, [data], Recipe(epochs=1, neurons=neurons), wide)
        with pytest.raises(Error, match=f"a network of {neurons} neurons: expected one of .64, 96, 128."):
            training.run(1)
