"""Records as flat lists for copies and pickles, which follow objects by recursion: a tree of long lines is too deep."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from acedrex.pgn.record import Game
    from acedrex.pgn.tree import ChildNode, GameNode


def state(game: Game) -> tuple[Any, ...]:
    """Return what a record contains: its own parts, and for each turn the number of its parent and its parts."""
    nodes: list[GameNode] = [game]
    turns = []
    for number, node in enumerate(nodes):
        for child in node.variations:
            nodes.append(child)
            turns.append((number, child.moves, child.unfinished, child.comment, child.starting_comment, child.nags))
    return getattr(game, "__dict__", {}), game.headers, game.errors, game._variant, game._fen, game.comment, turns


def restore(game: Game, state: tuple[Any, ...]) -> None:
    """Give a new record what :func:`state` returned."""
    own, game.headers, game.errors, game._variant, game._fen, game.comment, turns = state
    if own:  # of a subclass
        vars(game).update(own)
    game.variations = []
    nodes: list[GameNode] = [game]
    for parent, moves, unfinished, comment, starting_comment, nags in turns:
        node = nodes[parent]._append(moves, unfinished, nags)
        node.comment, node.starting_comment = comment, starting_comment
        nodes.append(node)


def reference(node: ChildNode) -> tuple[Callable[[Game, Sequence[int]], GameNode], tuple[Game, list[int]]]:
    """Return how a turn is found in its record: by the number of the variation at each step."""
    path = [turn.parent.variations.index(turn) for turn in node._path()]
    return _find, (node.game(), path[::-1])


def _find(game: Game, path: Sequence[int]) -> GameNode:
    node: GameNode = game
    for number in path:
        node = node.variations[number]
    return node


def twin(node: ChildNode) -> ChildNode:
    """Return a second turn with the same parent, and the same turns and glyphs after it."""
    copied = type(node)(node.parent, node._moves, node.unfinished)
    copied.variations, copied.nags = node.variations, node.nags
    copied.comment, copied.starting_comment = node.comment, node.starting_comment
    return copied
