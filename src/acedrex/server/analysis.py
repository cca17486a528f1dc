"""Trees of moves: read from what browsers and records say, written as records. The core says what is legal."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping

from acedrex import Board, Error, Move, pgn
from acedrex.game import Game, split_spec
from acedrex.pgn.turns import is_over
from acedrex.plain import side, way
from acedrex.server import catalogue, positions, wire
from acedrex.server.catalogue import Catalogue
from acedrex.server.decide import Refusal

#: Most moves of a tree.
MOST_NODES = 5_000
#: Tags that a tree keeps; the others are made of the game and its start.
TAGS = ("Event", "Site", "Date", "Round", "White", "Black", "Result", "Score")


def game_of(games: Catalogue, spec: str, options: Mapping[str, str]) -> Game:
    """Find a game with its options.

    :raises Refusal: if there is no such game or option.
    """
    id, chosen = split_spec(spec)
    return games.game(id, {**chosen, **options})


def begin(games: Catalogue, asked: wire.TreeRequest) -> Board:
    """Set up the start of a tree.

    :raises Refusal: if there is no such game, option or setup.
    :raises Error: if the FEN is not a position of the game.
    """
    game = game_of(games, asked.game, asked.options)
    if asked.setup is not None and asked.fen is not None:
        raise Refusal("invalid", "give a FEN or a setup, not both", "setup")
    return Board(game, catalogue.setup(game, asked.setup).fen if asked.setup is not None else asked.fen)


def made(board: Board, text: str, parent: int, comment: str = "", nags: list[int] | None = None) -> wire.NodeMade:
    """Make a move, in coordinates or in SAN, and tell it.

    :raises Error: if it is not legal.
    """
    move = board.parse_san(text)
    san, mover, turn = board.san(move), side(board.turn), board.fullmove_number
    board.push(move)
    return wire.NodeMade(parent, move.uci(), san, mover, turn, board.fen(), comment, nags or [])


def read(board: Board, asked: wire.TreeRequest) -> wire.Tree:
    """Read a tree from its start.

    :raises Error: if a move is not legal.
    :raises Refusal: if the moves do not stand in the order of a walk.
    """
    found = []
    for _, node in _walk(board, asked.nodes):
        found.append(made(board, node.move, node.parent, node.comment, node.nags))
    return _tree(board, found, asked.comment, dict(asked.tags), [])


def make(board: Board, moves: list[str]) -> wire.MovesMade:
    """Make moves, in coordinates or in SAN.

    :raises Error: if one is not legal.
    """
    nodes = []
    last: list[str] = []
    for number, text in enumerate(moves):
        last = way(board, board.parse_san(text))
        nodes.append(made(board, text, number - 1))
    return wire.MovesMade(nodes, positions.position(board, last, legal=True))


def _walk(board: Board, nodes: list[wire.TreeNode]) -> Iterator[tuple[int, wire.TreeNode]]:
    """Go through a tree with the board before each move; who walks makes it."""
    path: list[int] = []
    for index, node in enumerate(nodes):
        while path and path[-1] != node.parent:
            path.pop()
            board.pop()
        if not path and node.parent != -1:
            message = "moves must be in order: each after its parent, and each variation complete before the next"
            raise Refusal("invalid", message, f"nodes[{index}].parent")
        yield index, node
        path.append(index)


def read_record(known: Mapping[str, Game], text: str) -> wire.Tree:
    """Read the first record of a PGN text; what is wrong in it is told in the tree's faults.

    :param known: games besides those that ship.
    :raises Refusal: if there is no record of a known game.
    """
    file = io.StringIO(text)
    record = pgn.read_game(file, games=known)
    if record is None:
        raise Refusal("invalid", "this text contains no game", "pgn")
    try:
        board = record.start()
    except Error as error:
        first = record.errors[0] if record.errors else error
        raise Refusal("invalid", str(first), "pgn") from None
    faults = [str(error) for error in record.errors]
    if pgn.read_game(file, games=known) is not None:
        faults.insert(0, "only the first game was read; the archive imports all of them")
    found: list[wire.NodeMade] = []
    #: The moves behind each place, so that variations whose turns begin alike share those moves.
    behind: dict[tuple[int, str], int] = {}
    stack: list[tuple[pgn.ChildNode, int]] = [(child, -1) for child in reversed(record.variations)]
    path: list[int] = []
    while stack:
        node, parent = stack.pop()
        if Move.null() in node.moves:
            faults.append(
                f"move {node.parent.board().fullmove_number}: a null move and everything after it were skipped"
            )
            continue
        while path and path[-1] != parent:
            path.pop()
            board.pop()
        for move in node.moves:
            at = behind.get((parent, move.uci()))
            if at is None:
                if len(found) == MOST_NODES:
                    faults.append(f"the PGN has more than {MOST_NODES} moves; the rest was skipped")
                    stack.clear()
                    break
                found.append(made(board, move.uci(), parent))
                at = behind[parent, move.uci()] = len(found) - 1
            else:
                board.push(move)
            path.append(at)
            parent = at
        else:
            last = found[parent]
            last.comment = "\n".join(filter(None, (last.comment, node.starting_comment, node.comment)))
            last.nags = sorted({*last.nags, *node.nags})
            stack += [(child, parent) for child in reversed(node.variations)]
    tags = {name: record.headers[name] for name in TAGS if record.headers.get(name, "?") not in ("?", "????.??.??")}
    return _tree(board, _in_order(found), record.comment, tags, faults[:20])


def _in_order(nodes: list[wire.NodeMade]) -> list[wire.NodeMade]:
    """Put moves into the order of a walk: shared beginnings of turns may have come between."""
    children: dict[int, list[int]] = {}
    for index, node in enumerate(nodes):
        children.setdefault(node.parent, []).append(index)
    found: list[wire.NodeMade] = []
    stack = [(index, -1) for index in reversed(children.get(-1, []))]
    while stack:
        index, parent = stack.pop()
        node = nodes[index]
        node.parent = parent
        found.append(node)
        stack += [(child, len(found) - 1) for child in reversed(children.get(index, []))]
    return found


def _tree(board: Board, nodes: list[wire.NodeMade], comment: str, tags: dict[str, str], faults: list[str]) -> wire.Tree:
    game = board.game
    root = Board(game, board.root_fen)
    return wire.Tree(
        game=game.id,
        options=dict(game.chosen_options),
        name=game.name,
        rules_hash=game.rules_hash,
        start_fen=board.root_fen,
        setup=root.setup_name() if game.setups else None,
        comment=comment,
        tags=tags,
        nodes=nodes,
        faults=faults,
    )


def write_record(board: Board, asked: wire.TreeRequest) -> str:
    """Write a tree as PGN. Its nodes are whole turns: what is said inside a turn is said behind it.

    :raises Error: if a move is not legal, or variations stand too deep inside one another.
    """
    record = pgn.Game(board.game)
    record.setup(board)
    for name, value in asked.tags.items():
        if name in TAGS:
            record.headers[name] = value
    record.comment = asked.comment
    inner = {node.parent for node in asked.nodes}
    #: For every move: the record's node before its turn, the turn's moves up to it, and what was said of those.
    before: dict[int, tuple[pgn.GameNode, list[Move], list[str], set[int]]] = {-1: (record, [], [], set())}
    for index, asked_node in _walk(board, asked.nodes):
        parent, moves, said, glyphs = before[asked_node.parent]
        color = board.turn
        move = board.push_uci(asked_node.move)
        moves = [*moves, move]
        said = [*said, asked_node.comment] if asked_node.comment else said
        glyphs = glyphs | set(asked_node.nags)
        over = is_over(board, color)
        if over or index not in inner:
            turn = parent._append(moves, not over)
            turn.comment, turn.nags = "\n".join(said), glyphs
            before[index] = (turn, [], [], set())
        else:
            before[index] = (parent, moves, said, glyphs)
    return str(record)
