"""Trees of moves, read from requests and PGN and written as PGN, and drawings. The core decides what is legal."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping

from acedrex import Board, Error, Move, parse_square, pgn, svg
from acedrex.game import Game
from acedrex.pgn.turns import is_over
from acedrex.plain import side
from acedrex.server import catalogue, positions, wire
from acedrex.server.decide import Refusal

#: The maximum number of moves of a tree.
MOST_NODES = 5_000
#: Tags that a tree keeps; the others follow from the game and its starting position.
TAGS = ("Event", "Site", "Date", "Round", "White", "Black", "Result", "Score")


def start_board(game: Game, request: wire.TreeRequest) -> Board:
    """Return a board with the starting position of a tree.

    :raises Refusal: if the game has no such setup.
    :raises Error: if the FEN is not a position of the game.
    """
    if request.setup is not None and request.fen is not None:
        raise Refusal("invalid", "give a FEN or a setup, not both", "setup")
    return Board(game, catalogue.setup(game, request.setup).fen if request.setup is not None else request.fen)


def make_move(board: Board, text: str, parent: int, comment: str = "", nags: list[int] | None = None) -> wire.NodeMade:
    """Make a move, in coordinates or SAN, and return its node.

    :raises Error: if it is not legal.
    """
    move = board.parse_san(text)
    san, mover, turn = board.san(move), side(board.turn), board.fullmove_number
    board.push(move)
    return wire.NodeMade(parent, move.uci(), san, mover, turn, board.fen(), comment, nags or [])


def read_tree(game: Game, request: wire.TreeRequest) -> wire.Tree:
    """Read a tree.

    :raises Error: if the FEN is not a position of the game, or a move is not legal.
    :raises Refusal: if the game has no such setup, or the moves are not in depth-first order.
    """
    board = start_board(game, request)
    start = board.copy()
    found = []
    for _, node in _walk(board, request.nodes):
        found.append(make_move(board, node.move, node.parent, node.comment, node.nags))
    return _tree(start, found, request.comment, dict(request.tags), [])


def make_moves(game: Game, fen: str, moves: list[str]) -> wire.MovesMade:
    """Make moves, in coordinates or SAN.

    :raises Error: if the FEN is not a position of the game, or a move is not legal.
    """
    board = Board(game, fen)
    nodes = [make_move(board, text, number - 1) for number, text in enumerate(moves)]
    return wire.MovesMade(nodes, positions.position(board, None, legal=True))


def _walk(board: Board, nodes: list[wire.TreeNode]) -> Iterator[tuple[int, wire.TreeNode]]:
    """Yield the moves of a tree with the board in the position before each; the caller makes the move."""
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


def read_pgn(games: Mapping[str, Game], text: str) -> wire.Tree:
    """Read the first game of a PGN text; its errors are in the tree's faults.

    :param games: games besides the shipped ones.
    :raises Refusal: if the text has no game that can be read.
    """
    file = io.StringIO(text)
    record = pgn.read_game(file, games=games)
    if record is None:
        raise Refusal("invalid", "this text contains no game", "pgn")
    try:
        board = record.start()
    except Error as error:
        first = record.errors[0] if record.errors else error
        raise Refusal("invalid", str(first), "pgn") from None
    # This also adds to the errors of the first game what stands between the two.
    has_more = pgn.read_game(file, games=games) is not None
    faults = [str(error) for error in record.errors]
    if has_more:
        faults.insert(0, "only the first game was read; the archive imports all of them")
    found: list[wire.NodeMade] = []
    #: The index of each move after its parent, so that variations whose turns begin with the same moves share them.
    children: dict[tuple[int, str], int] = {}
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
            index = children.get((parent, move.uci()))
            if index is None:
                if len(found) == MOST_NODES:
                    faults.append(f"the PGN has more than {MOST_NODES} moves; the rest was skipped")
                    stack.clear()
                    break
                found.append(make_move(board, move.uci(), parent))
                index = children[parent, move.uci()] = len(found) - 1
            else:
                board.push(move)
            path.append(index)
            parent = index
        else:
            last = found[parent]
            last.comment = "\n".join(filter(None, (last.comment, node.starting_comment, node.comment)))
            last.nags = sorted({*last.nags, *node.nags})
            stack += [(child, parent) for child in reversed(node.variations)]
    tags = {name: record.headers[name] for name in TAGS if record.headers.get(name, "?") not in ("?", "????.??.??")}
    return _tree(record.start(), _depth_first(found), record.comment, tags, faults[:20])


def _depth_first(nodes: list[wire.NodeMade]) -> list[wire.NodeMade]:
    """Sort moves into depth-first order, which shared beginnings of turns may have broken."""
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


def _tree(start: Board, nodes: list[wire.NodeMade], comment: str, tags: dict[str, str], faults: list[str]) -> wire.Tree:
    game = start.game
    return wire.Tree(
        game=game.id,
        options=dict(game.chosen_options),
        name=game.name,
        rules_hash=game.rules_hash,
        # Not the root's, which is before the moves of a turn that is not over.
        start_fen=start.fen(),
        setup=start.setup_name() if game.setups else None,
        comment=comment,
        tags=tags,
        nodes=nodes,
        faults=faults,
    )


def write_pgn(game: Game, request: wire.TreeRequest) -> str:
    """Write a tree as PGN. PGN has nodes for whole turns, so comments on moves inside a turn come after the turn.

    :raises Error: if the FEN is not a position of the game, a move is not legal, or variations are nested too deeply.
    :raises Refusal: if the game has no such setup.
    """
    board = start_board(game, request)
    record = pgn.Game(board.game)
    record.setup(board)
    for name, value in request.tags.items():
        if name in TAGS:
            record.headers[name] = value
    record.comment = request.comment
    inner = {node.parent for node in request.nodes}
    #: For every move: the PGN node before its turn, and the turn's moves up to it, with their comments and NAGs.
    before: dict[int, tuple[pgn.GameNode, list[Move], list[str], set[int]]] = {-1: (record, [], [], set())}
    for index, node in _walk(board, request.nodes):
        parent, moves, comments, nags = before[node.parent]
        color = board.turn
        move = board.push_uci(node.move)
        moves = [*moves, move]
        comments = [*comments, node.comment] if node.comment else comments
        nags = nags | set(node.nags)
        over = is_over(board, color)
        if over or index not in inner:
            turn = parent._append(tuple(moves), not over)
            turn.comment, turn.nags = "\n".join(comments), nags
            before[index] = (turn, [], [], set())
        else:
            before[index] = (parent, moves, comments, nags)
    return str(record)


def draw(game: Game, request: wire.PictureRequest) -> str:
    """Draw a position as SVG.

    :raises Error: if the FEN cannot be read, or there is no such square.
    :raises Refusal: if a colour is none.
    """
    board = Board(game)
    board.set_fen(request.fen, playable=False)
    last = [parse_square(name) for name in request.last]
    squares = {"square light": request.light_squares, "square dark": request.dark_squares}
    try:
        return svg.board(
            board,
            size=request.size,
            orientation=request.orientation == "white",
            pieces=request.pieces,
            theme=request.theme,
            colors={part: colour for part, colour in squares.items() if colour is not None},
            lastmove=(last[0], last[-1]) if last else False,
            arrows=[(parse_square(arrow.from_), parse_square(arrow.to), arrow.colour) for arrow in request.arrows],
        )
    except ValueError as error:
        raise Refusal("invalid", str(error)) from None
