"""Lessons, exercises and puzzles as messages."""

from __future__ import annotations

import functools
from collections.abc import Sequence

from acedrex import BLACK, WHITE, Board, lessons, parse_square, square_file, square_name, square_rank
from acedrex.game import Game, Piece
from acedrex.lessons import Puzzle
from acedrex.lessons.first import away, middle
from acedrex.lessons.mine import made
from acedrex.plain import move_path, side
from acedrex.server import wire
from acedrex.server.match import positions


# Games in different languages compare equal, so the language is part of the key.
@functools.lru_cache(maxsize=256)
def lessons_of(game: Game, shipped: bool, language: str) -> wire.Lessons:
    """Return the lessons of a game; only shipped games have examples."""
    examples = lessons.examples(game.id) if shipped else ()
    return wire.Lessons(
        diagrams=[diagram(game, piece.letter) for piece in game.pieces],
        examples=[_example(example, language) for example in examples],
    )


@functools.lru_cache(maxsize=256)
def first_game_of(game: Game, shipped: bool, language: str) -> list[wire.Example]:
    """Return the positions of the first game."""
    return [_example(example, language) for example in lessons.first_game(game, shipped=shipped)]


def _example(example: lessons.Example, language: str) -> wire.Example:
    text = example.texts.get(language) or example.texts.get("en", "")
    return wire.Example(example.rule, example.piece, dict(example.options), example.fen, list(example.moves), text)


def new_exercises(game: Game) -> tuple[Puzzle, ...]:
    """Generate exercises for a game that has no file of them, which takes some seconds."""
    return tuple(made(game))


def puzzle(game: Game, source: Puzzle) -> wire.Puzzle:
    """Return a puzzle as a message."""
    turn = side(Board(game, source.fen).turn)
    return wire.Puzzle(
        source.fen, turn, source.goal, source.moves, source.takes(game), source.teaches, list(source.line)
    )


def shown(game: Game, sources: tuple[Puzzle, ...]) -> list[wire.Puzzle]:
    """Return puzzles as messages."""
    return [puzzle(game, source) for source in sources]


def puzzle_list(
    game: Game, theme: lessons.Theme | None, difficulty: lessons.Difficulty | None, ratings: Sequence[int]
) -> list[wire.PuzzleEntry]:
    """Return the numbers of a game's puzzles, of one theme or difficulty if given.

    :param ratings: those of all puzzles of the game.
    """
    return [
        wire.PuzzleEntry(number, list(lessons.themes(game, source)), source.difficulty, ratings[number - 1])
        for number, source in _wanted(game, theme, difficulty)
    ]


@functools.lru_cache(maxsize=256)
def _wanted(game: Game, theme: lessons.Theme | None, difficulty: lessons.Difficulty | None) -> list[tuple[int, Puzzle]]:
    wanted = set(lessons.puzzles(game.id, theme, difficulty))
    return [(number, source) for number, source in enumerate(lessons.puzzles(game.id), 1) if source in wanted]


def judge(game: Game, puzzle: Puzzle, attempt: wire.Attempt) -> wire.AttemptResult:
    """Judge an attempt.

    :raises acedrex.Error: if a move is not legal.
    """
    result = lessons.AttemptResult("shown", puzzle.line) if attempt.show else puzzle.attempt(game, attempt.moves)
    return judged(game, puzzle.fen, result.verdict, result.moves)


def judged(game: Game, fen: str, verdict: lessons.Verdict, moves: Sequence[str]) -> wire.AttemptResult:
    """Return the result of an attempt, with the position after the moves that were accepted.

    :raises acedrex.Error: if a move is not legal.
    """
    board = Board(game, fen)
    last: list[str] = []
    for text in moves:
        move = board.parse_uci(text)
        last = move_path(board, move)
        board.push(move)
    over = verdict in ("solved", "shown")
    return wire.AttemptResult(verdict, list(moves), positions.position(board, last, legal=not over))


def diagram(game: Game, letter: str) -> wire.PieceDiagram:
    """Choose the square where a piece shows best how it moves: the middle, or its starting square if that has more."""
    small = game.diagram(letter)
    centre = middle(game)
    homes = sorted(Board(game).pieces(letter, True), key=lambda at: abs(square_file(at) - square_file(centre)))
    best = max([centre, *homes[:1]], key=lambda at: _reach_count(game, letter, at))
    across = square_file(best) - square_file(small.origin)
    along = square_rank(best) - square_rank(small.origin)
    # Pieces to hop over, an enemy to capture behind each, and an enemy wherever the piece can only capture.
    others = [*small.others]
    others += {one.mount: one.to for one in small.reach if one.mount is not None}.values()
    others += [one.to for one in small.reach if one.kind == "capture"]
    within = [found for at in others if (found := away(game, at, across, along)) is not None]
    return wire.PieceDiagram(letter, square_name(best), [square_name(at) for at in within])


def diagram_position(game: Game, letter: str) -> tuple[str, str]:
    """Return the FEN of a piece's diagram, and the square of the piece; the other pieces are enemies."""
    shown = diagram(game, letter)
    other = next((piece.letter for piece in game.pieces if piece.is_soldier), letter)
    board = Board(game)
    board.clear()
    board.set_piece_at(parse_square(shown.square), Piece(letter, WHITE))
    for name in shown.others:
        board.set_piece_at(parse_square(name), Piece(other, BLACK))
    return board.fen(), shown.square


def _reach_count(game: Game, letter: str, at: int) -> int:
    board = Board(game)
    rights = board.rights
    board.clear()
    board.set_piece_at(at, Piece(letter, WHITE))
    return len(unchecked_board(game, board.fen().replace(" - ", f" {rights or '-'} ", 1)).reach(at))


def unchecked_board(game: Game, fen: str) -> Board:
    """Return a board with a position that need not be playable."""
    board = Board(game)
    board.set_fen(fen, playable=False)
    return board
