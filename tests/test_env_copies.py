"""Environments, batches and tables are copied and pickled, and the copies go on as the originals do."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from acedrex import Engine, Error
from acedrex.env import Actions, Arrays, BatchBoards, Planes

Copy = Callable[[Any], Any]


def pickled(value: Any) -> Any:
    return pickle.loads(pickle.dumps(value))


each_way = pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy, pickled], ids=["copy", "deepcopy", "pickle"])
GAMES = ["chess", "magi:scoring=four_points", "chieftain:pass=on", "metamachy", "marseillais"]


def contents(arrays: Arrays) -> list[bytes]:
    wanted = ("observations", "legal_offsets", "legal_actions_mask", "current_player", "rewards", "terminated")
    found = [getattr(arrays, name) for name in (*wanted, "truncated", "endings")]
    count = arrays.legal_offsets[-1] if arrays.legal_offsets is not None else 0
    legal = arrays.legal_actions[:count] if arrays.legal_actions is not None else np.zeros(0)
    return [array.tobytes() for array in (*found, legal) if array is not None]


def play(batch: BatchBoards, steps: int) -> list[list[bytes]]:
    return [contents(batch.step(batch.sample())) for _ in range(steps)]


@each_way
@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("autoreset", ["NextStep", "SameStep", "Disabled"])
def test_a_copy_of_a_batch_goes_on_as_the_original(game: str, autoreset: str, duplicate: Copy) -> None:
    """Positions, repetitions, random numbers, and games that are over, in the middle of turns too."""
    batch = BatchBoards(game, 3, seed=3, autoreset=autoreset, max_moves=50, mask=True)
    for steps in (0, 7, 43, 12):
        play(batch, steps)
        other = duplicate(batch)
        assert contents(other.arrays) == contents(batch.arrays)
        assert all(other.board(game).fen() == batch.board(game).fen() for game in range(3))
        assert play(other, 12) == play(batch, 12)


def test_a_copy_of_a_batch_has_a_life_of_its_own() -> None:
    batch = BatchBoards("chess", 3, seed=1)
    before = contents(batch.arrays)
    for other in (copy.copy(batch), copy.deepcopy(batch), pickled(batch), batch.clone([0, 1, 2])):
        play(other, 5)
    assert contents(batch.arrays) == before


def test_repetitions_are_counted_in_a_pickled_batch() -> None:
    """A draw by repetition is found although some of the positions were before the pickle."""
    batch = BatchBoards("chess", 1, seed=1, autoreset="Disabled")
    moves = ["g1f3", "g8f6", "f3g1", "f6g8"] * 2

    def step(one: BatchBoards, text: str) -> Arrays:
        board = one.board(0)
        action = batch.actions.action(board.parse_uci(text), white=board.turn)
        return one.step(np.array([action]))

    for text in moves[:5]:
        step(batch, text)
    other = pickled(batch)
    for text in moves[5:]:
        step(batch, text)
        arrays = step(other, text)
    assert arrays.terminated is not None
    assert arrays.terminated.tolist() == [True]
    assert contents(arrays) == contents(batch.arrays)


def test_a_clone_has_copies_of_the_chosen_games() -> None:
    batch = BatchBoards("maasai", 4, seed=5, mask=True)
    play(batch, 9)
    tree = batch.clone(np.array([3, 3, 0]))
    assert [tree.board(game).fen() for game in range(3)] == [batch.board(game).fen() for game in (3, 3, 0)]
    assert tree.arrays.observations is not None
    assert batch.arrays.observations is not None
    assert (tree.arrays.observations == batch.arrays.observations[[3, 3, 0]]).all()
    first, second, _ = tree.sample().tolist()
    assert first == second


@pytest.mark.parametrize("indices", [[4], [-1], [], [0, 10**30]])
def test_a_clone_of_games_that_do_not_exist_is_refused(indices: list[int]) -> None:
    with pytest.raises(Error, match="batch has"):
        BatchBoards("chess", 4, seed=5).clone(indices)


@each_way
def test_tables_are_copied(duplicate: Copy) -> None:
    actions, planes = Actions("magi:scoring=four_points"), Planes("shako")
    other = duplicate(actions)
    assert (other.rules_hash, len(other)) == (actions.rules_hash, len(actions))
    assert (other.from_square == actions.from_square).all()
    assert duplicate(planes).names == planes.names


@each_way
def test_an_engine_is_copied_with_its_settings_and_random_numbers(duplicate: Copy) -> None:
    from acedrex import Board

    engine = Engine(hash_mb=1, level=2, seed=7, overhead=0.1)
    engine.play(Board("shako"))
    engine.clear()
    other = duplicate(engine)
    assert (other.level, other.hash_mb, other.threads, other.overhead) == (2, 1, 1, 0.1)
    choices = [str(other.play(Board("shako")).move) for _ in range(4)]
    assert choices == [str(engine.play(Board("shako")).move) for _ in range(4)]
    engine.close()
    with pytest.raises(Error, match="closed"):
        duplicate(engine).play(Board())


@pytest.mark.parametrize("duplicate", [copy.deepcopy, pickled], ids=["deepcopy", "pickle"])
@pytest.mark.parametrize("opponent", ["random", 2])
def test_a_copy_of_a_gymnasium_environment_goes_on_as_the_original(opponent: str | int, duplicate: Copy) -> None:
    gymnasium = pytest.importorskip("gymnasium")
    env = gymnasium.make("acedrex/magi-v0", opponent=opponent)
    observation, _ = env.reset(seed=4)
    for _ in range(3):
        observation, *_ = env.step(int(observation["action_mask"].argmax()))
    other = duplicate(env)
    for _ in range(4):
        action = int(observation["action_mask"].argmax())
        observation, reward, *_ = env.step(action)
        seen, same, *_ = other.step(action)
        assert (seen["observation"] == observation["observation"]).all()
        assert reward == same


@pytest.mark.parametrize("duplicate", [copy.deepcopy, pickled], ids=["deepcopy", "pickle"])
def test_a_copy_of_a_pettingzoo_environment_goes_on_as_the_original(duplicate: Copy) -> None:
    pytest.importorskip("pettingzoo")
    from acedrex.env import aec

    env = aec("chieftain")
    env.reset(seed=1)
    for _ in range(3):
        env.step(int(env.last()[0]["action_mask"].argmax()))
    other = duplicate(env)
    for _ in range(6):
        assert other.agent_selection == env.agent_selection
        action = int(env.last()[0]["action_mask"].argmax())
        env.step(action)
        other.step(action)
        assert (other.last()[0]["observation"] == env.last()[0]["observation"]).all()
