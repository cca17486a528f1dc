"""Batches of boards, compared with single boards: action numbers, planes, endings and resets."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

import acedrex
from acedrex import BLACK, WHITE, Board, Move
from acedrex.env import ENDINGS, Actions, Arrays, Autoreset, BatchBoards, Planes
from acedrex.env.episode import rewards
from tests.samples import sample

#: Moves of every game.
MOVES = sample(4_000, 1_000_000)
GAMES = 50
#: Options that change what a move or a position is.
OPTIONS = ["magi:scoring=four_points", "magi:classic_ep=on", "chieftain:pass=on,bent=on", "marseillais:balanced=on"]


def text(actions: Actions, number: int, color: bool) -> str:
    """The move of an action as the published arrays describe it."""
    game = actions.game
    columns = (actions.from_square, actions.to_square, actions.promotion)
    origin, target, promotion = (int(column[number]) for column in columns)
    if origin < 0:
        return ""

    def name(cell: int) -> str:
        rank, file = divmod(cell, game.files)
        return "abcdefghijklmnop"[file] + str((rank if color else game.ranks - 1 - rank) + 1)

    return name(origin) + name(target) + (game.pieces[promotion].letter.lower() if promotion >= 0 else "")


class Numbers(dict[Move, int]):
    """The numbers of moves by their texts; moves seen before are looked up without their texts, which is faster."""

    def __init__(self, words: dict[str, int]) -> None:
        self.words = words

    def __missing__(self, move: Move) -> int:
        self[move] = self.words[move.uci()]
        return self[move]


def numbers(actions: Actions) -> dict[bool, Numbers]:
    """For each side, the numbers of the moves as the published arrays describe them."""
    pieces = int((actions.from_square >= 0).sum())
    special = [word for word in ("end", "claim", "playon") if word in special_moves(actions)]
    assert len(actions) == pieces + len(special)
    found = {}
    for color in (WHITE, BLACK):
        table = {text(actions, number, color): number for number in range(pieces)}
        assert len(table) == pieces, "every text once"
        found[color] = Numbers(table | {word: pieces + place for place, word in enumerate(special)})
    return found


def special_moves(actions: Actions) -> set[str]:
    """The special moves of the games tested here."""
    spec = actions.game.spec
    return {"end"} if spec.startswith("chieftain") else {"claim", "playon"} if "four_points" in spec else set()


def planes_of(board: Board, names: tuple[str, ...]) -> np.ndarray:
    """The planes of a board as the documentation describes them, from the public library alone."""
    game = board.game
    us = board.turn
    found = np.zeros((len(names), game.ranks, game.files), np.uint8)
    number_of = {name: number for number, name in enumerate(names)}

    def place(square: int) -> tuple[int, int]:
        rank, file = divmod(square, 16)
        return (rank if us else game.ranks - 1 - rank), file

    for square, piece in board.piece_map().items():
        whose = "own" if piece.color == us else "enemy"
        found[(number_of[f"{whose} {piece.letter}"], *place(square))] = 1
    for number, name in enumerate(names):
        match name.split():
            case ["own", "right", letter]:
                found[number] = (letter if us else letter.lower()) in board.rights
            case ["enemy", "right", letter]:
                found[number] = (letter.lower() if us else letter) in board.rights
            case ["en", "passant"]:
                for move in board.legal_moves:
                    if board.is_en_passant(move):
                        found[(number, *place(move.to_square))] = 1
            case ["moved"]:
                for move in board.turn_moves:
                    found[(number, *place(move.to_square))] = 1
            case ["moves", "left"]:
                found[number] = board.moves_left
            case ["passed"]:
                found[number] = "p" in board.rights
            case ["repetitions"]:
                found[number] = board.repetitions() - 1
            case ["quiet", "moves"]:
                found[number] = board.halfmove_clock
            case ["board"]:
                for square in game.squares:
                    found[(number, *place(square))] = 1
            case ["white"]:
                found[number] = us
    return found


@pytest.mark.parametrize("spec", [*acedrex.games(), *OPTIONS])
def test_a_batch_agrees_with_single_boards(spec: str) -> None:
    """Legal actions, planes, player, rewards and endings, after every move of random games."""
    batch = BatchBoards(spec, GAMES, autoreset="SameStep", seed=1, claim_draws=False, max_moves=1_000, mask=True)
    game, names, arrays = batch.game, batch.planes.names, batch.arrays
    table = numbers(batch.actions)
    texts = {color: {number: word for word, number in of.words.items()} for color, of in table.items()}
    known = [number for number, name in enumerate(names) if name != "en passant next"]
    boards = [batch.board(place) for place in range(GAMES)]
    made = [0] * GAMES
    actions = np.zeros(GAMES, np.int64)
    ended = 0
    for step in range(MOVES // GAMES):
        batch.step(batch.sample(actions))
        assert arrays.legal_offsets is not None and arrays.legal_actions is not None and arrays.rewards is not None
        assert arrays.observations is not None and arrays.final_observations is not None
        assert arrays.current_player is not None and arrays.endings is not None and arrays.truncated is not None
        assert arrays.terminated is not None and arrays.legal_actions_mask is not None
        # Lists, since reading numbers from arrays one by one is slow.
        chosen, offsets, players = actions.tolist(), arrays.legal_offsets.tolist(), arrays.current_player.tolist()
        terminated, truncated, endings = arrays.terminated.tolist(), arrays.truncated.tolist(), arrays.endings.tolist()
        numbered, rewarded = arrays.legal_actions[: offsets[-1]].tolist(), arrays.rewards.tolist()
        for place, board in enumerate(boards):
            board.push_uci(texts[board.turn][chosen[place]])
            made[place] += 1
            outcome = board.outcome()
            over = outcome is not None or made[place] == 1_000
            assert terminated[place] == (outcome is not None), board.fen()
            assert truncated[place] == (outcome is None and over), board.fen()
            wanted = outcome.termination.value if outcome else "length_limit" if over else ""
            assert ENDINGS[endings[place]] == wanted, board.fen()
            assert rewarded[place] == (list(rewards(outcome)) if outcome else [0, 0]), board.fen()
            if over:
                seen = arrays.final_observations[place]
                assert (seen[known] == planes_of(board, names)[known]).all(), board.fen()
                boards[place], made[place] = batch.board(place), 0
                board = boards[place]
                assert board.ply() == 0 and (board.fen() == game.start_fen or board.setup_name())
                ended += 1
            legal = sorted(numbered[offsets[place] : offsets[place + 1]])
            number_of = table[board.turn]
            assert legal == sorted([number_of[move] for move in board.legal_moves]), board.fen()
            assert players[place] == (not board.turn)
            if (step + place) % 8 == 0:
                assert np.flatnonzero(arrays.legal_actions_mask[place]).tolist() == legal
                assert (arrays.observations[place][known] == planes_of(board, names)[known]).all(), board.fen()
    assert ended or MOVES < 20_000


# Resets, seeds and buffers.


def ends(autoreset: Autoreset) -> BatchBoards:
    """Three games; the second ends in the first step by an illegal action."""
    batch = BatchBoards("magi", 3, autoreset=autoreset, seed=2, mask=True)
    assert batch.arrays.legal_actions_mask is not None
    actions = batch.sample()
    actions[1] = np.flatnonzero(batch.arrays.legal_actions_mask[1] == 0)[0]
    batch.step(actions)
    assert batch.arrays.terminated is not None and batch.arrays.rewards is not None and batch.arrays.endings is not None
    assert batch.arrays.terminated.tolist() == [False, True, False]
    assert batch.arrays.rewards.tolist() == [[0, 0], [-1, 1], [0, 0]]
    assert [ENDINGS[number] for number in batch.arrays.endings] == ["", "illegal_action", ""]
    return batch


def made(batch: BatchBoards) -> list[int]:
    """The number of moves made in each of the three games."""
    boards = [batch.board(place) for place in range(3)]
    return [2 * board.fullmove_number - 1 - board.turn for board in boards]


def rows(batch: BatchBoards) -> list[int]:
    assert batch.arrays.legal_offsets is not None
    return np.diff(batch.arrays.legal_offsets).tolist()


def test_a_finished_game_restarts_in_the_same_step() -> None:
    batch = ends(Autoreset.SAME_STEP)
    assert made(batch)[1] == 0 and rows(batch)[1] == 38
    assert batch.arrays.final_observations is not None and batch.arrays.final_observations[1].any()
    batch.step(batch.sample())
    assert batch.arrays.terminated is not None and not batch.arrays.terminated.any()
    assert made(batch) == [2, 1, 2]


def test_a_limit_counts_the_moves_of_each_game_anew() -> None:
    batch = BatchBoards("chess", 2, autoreset="SameStep", seed=1, max_moves=3, mask=True)
    stopped = []
    for _ in range(9):
        batch.step(batch.sample())
        assert batch.arrays.truncated is not None
        stopped.append(batch.arrays.truncated.tolist())
    assert stopped == [[False] * 2, [False] * 2, [True] * 2] * 3


def test_a_finished_game_restarts_in_the_next_step() -> None:
    batch = ends(Autoreset.NEXT_STEP)
    assert rows(batch)[1] == 0
    batch.step(batch.sample())
    assert batch.arrays.rewards is not None and not batch.arrays.rewards.any()
    assert batch.arrays.terminated is not None and not batch.arrays.terminated.any()
    assert made(batch) == [2, 0, 2] and rows(batch)[1] == 38


def test_a_finished_game_waits_for_its_reset() -> None:
    batch = ends(Autoreset.DISABLED)
    batch.step(batch.sample())
    assert rows(batch)[1] == 0
    batch.reset(mask=np.array([False, True, False]))
    assert made(batch) == [2, 0, 2] and rows(batch)[1] == 38


def test_games_depend_on_the_seed_and_not_on_the_batch_size_or_threads() -> None:
    def fens(n: int, threads: int, seed: int) -> list[str]:
        batch = BatchBoards("metamachy", n, seed=seed, threads=threads)
        for _ in range(20):
            batch.step(batch.sample())
        return [batch.board(place).fen() for place in range(4)]

    assert fens(4, 1, 5) == fens(9, 2, 5) != fens(4, 1, 6)


def test_a_batch_writes_into_the_arrays_it_is_given() -> None:
    planes = Planes("magi")
    mine = Arrays(observations=np.zeros((2, *planes.shape), np.uint8), current_player=np.zeros(2, np.int8))
    batch = BatchBoards("magi", 2, seed=1, arrays=mine)
    assert mine.observations is not None and mine.observations.any() and mine.rewards is None
    batch.step(batch.sample())
    assert mine.current_player is not None and mine.current_player.tolist() == [1, 1]


def read_only(array: np.ndarray) -> np.ndarray:
    array.flags.writeable = False
    return array


@pytest.mark.parametrize(
    ("name", "array", "error", "why"),
    [
        (
            "observations",
            np.zeros((2, 3), np.uint8),
            acedrex.Error,
            r"has the shape \[2, 3\]; it must have 6000 entries",
        ),
        ("current_player", np.zeros(3, np.int8), acedrex.Error, r"has the shape \[3\]; it must have 2 entries"),
        ("legal_actions_mask", np.zeros((3712, 2), np.int8).T, acedrex.Error, "must be a contiguous array in C order"),
        ("rewards", read_only(np.zeros((2, 2), np.float32)), acedrex.Error, "is read-only; it must be"),
        ("rewards", np.zeros((2, 2)), TypeError, "has the type float64; it must be a NumPy array of the type float32"),
        (
            "rewards",
            np.zeros((2, 2), ">f4"),
            TypeError,
            "has the type >f4; it must be a NumPy array of the type float32",
        ),
        ("terminated", [False, False], TypeError, "is a <class 'list'>; it must be a NumPy array of the type bool"),
    ],
)
def test_wrong_arrays_are_refused(name: str, array: Any, error: type[Exception], why: str) -> None:
    with pytest.raises(error, match=f"^{name} {why}"):
        BatchBoards("magi", 2, seed=1, arrays=Arrays(**{name: array}))


def test_arrays_that_share_memory_are_refused() -> None:
    both = np.zeros(2, np.uint8)
    arrays = Arrays(terminated=both.view(np.bool_), endings=both)
    with pytest.raises(acedrex.Error, match=r"^endings shares memory with another array that is written"):
        BatchBoards("magi", 2, seed=1, arrays=arrays)


@pytest.mark.parametrize(
    ("out", "error", "why"),
    [
        (np.zeros(3, np.int64), acedrex.Error, "must have 2 entries"),
        (np.zeros(2, np.int32), TypeError, "must be a NumPy array of the type int64"),
        (read_only(np.zeros(2, np.int64)), acedrex.Error, "is read-only"),
    ],
)
def test_a_wrong_output_array_for_samples_is_refused(out: Any, error: type[Exception], why: str) -> None:
    with pytest.raises(error, match=f"^out .*{why}"):
        BatchBoards("magi", 2, seed=1).sample(out)


def test_wrong_actions_are_refused() -> None:
    batch = BatchBoards("magi", 2, seed=1)
    with pytest.raises(acedrex.Error, match=r"^actions has 3 entries for 2 games"):
        batch.step(np.zeros(3, np.int64))
    with pytest.raises(TypeError, match=r"^actions must be a contiguous array of one dimension, of the type int64"):
        batch.step(np.zeros((2, 1), np.int64))
    with pytest.raises(TypeError, match=r"^actions are whole numbers, not float64"):
        batch.step(np.array([3.9, 4.0]))
    assert batch.arrays.legal_actions is not None
    with pytest.raises(acedrex.Error, match=r"^actions shares memory with an array that is written; pass a copy"):
        batch.step(batch.arrays.legal_actions[:2])
    with pytest.raises(acedrex.Error, match=r"^mask has 3 entries for 2 games"):
        batch.reset(mask=np.zeros(3, np.bool_))


def test_an_unplayable_setup_is_reported() -> None:
    # On b1 the leaper would check the King on a5.
    text = '[game]\nid = "check"\nboard = "3x5"\nstart = "rk1/3/3/3/RK1"\n[pieces.R]\nmove = "fl(1,4)"\n'
    setup = '[setup]\ngroups = [{ squares = "a1 b1", pieces = "RK" }]\n'
    game = acedrex.Game(text + '[pieces.K]\nmove = "K"\nroyal = true\n' + setup, "check.toml")
    with pytest.raises(acedrex.Error, match=r"the setup KR cannot be played: .* check; choose a setup"):
        BatchBoards(game, 2)


@pytest.mark.parametrize("action", [-1, 3712, 2**62, -(2**63)])
def test_an_action_that_does_not_exist_loses_the_game(action: int) -> None:
    batch = BatchBoards("magi", 1, seed=1)
    batch.step(np.array([action]))
    assert batch.arrays.rewards is not None and batch.arrays.rewards.tolist() == [[-1, 1]]


def test_playing_releases_the_interpreter_lock() -> None:
    batch = BatchBoards("chess", 512, seed=1)
    done = threading.Event()
    ticks = 0

    def play() -> None:
        batch.play_random(2_000)
        done.set()

    thread = threading.Thread(target=play)
    thread.start()
    while not done.is_set():
        ticks += 1
        done.wait(0.001)
    thread.join()
    assert ticks > 5


def test_numbers_out_of_range_are_refused() -> None:
    for wrong in ({"n": -1}, {"n": 10**30}, {"threads": -1}, {"threads": 10**30}, {"max_moves": -1}):
        with pytest.raises(acedrex.Error, match="a batch has 1 to"):
            BatchBoards("chess", **{"n": 2, **wrong})
    assert len(BatchBoards("chess", 2, max_moves=10**30)) == 2
    for moves in (-1, 2**32):
        with pytest.raises(acedrex.Error, match=f"play_random makes 0 to 4294967295 moves in each game, not {moves}"):
            BatchBoards("chess", 2).play_random(moves)
    for action in (-1, 10**30):
        with pytest.raises(acedrex.Error, match=f"no action {action}"):
            Actions("chess").move(action, white=True)
