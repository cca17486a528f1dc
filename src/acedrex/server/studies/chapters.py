"""Chapters from trees and PGN, and PGN of chapters. Arrows stand in the comments of PGN, as is customary."""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence

import msgspec
from msgspec import Struct

from acedrex import Board, _native, load, parse_square, pgn, square_name
from acedrex.game import Game, games
from acedrex.server import wire
from acedrex.server.analysis import trees
from acedrex.server.games import catalogue
from acedrex.server.games.lessons import judged
from acedrex.server.people.names import printed
from acedrex.server.refusal import Refusal
from acedrex.server.studies.decide import shown, told_node
from acedrex.server.studies.state import START, Stored

#: The tags of a chapter's place in a study, and of its mode; other programs use the first two as well.
STUDY_NAME, CHAPTER_NAME, CHAPTER_MODE = "StudyName", "ChapterName", "ChapterMode"
#: The colours of arrows in PGN, and here; the default is the same colour on both sides.
FROM_PGN = {"green": "lapis", "blue": "lapis", "red": "vermilion", "yellow": "gold"}
TO_PGN = {"lapis": "green", "vermilion": "red", "gold": "yellow"}

_tree = msgspec.json.Decoder(wire.Tree).decode


class Draft(Struct):
    """A chapter that has no place in a study yet, and the definition that it goes by."""

    chapter: wire.StudyChapter
    stored: Stored
    definition: str
    faults: list[str] = []


def draft(game: Game, request: wire.NewChapter) -> Draft:
    """Make a chapter.

    :raises Error: if the FEN is not a position of the game, or a move is not legal.
    :raises Refusal: if the game has no such setup, or a text is too long.
    """
    tree = wire.TreeRequest(
        game=request.game,
        options=request.options,
        setup=request.setup,
        fen=request.fen,
        nodes=request.nodes,
        comment=request.comment,
        tags=request.tags,
    )
    read: wire.Tree = _tree(msgspec.json.encode(trees.read_tree(game, tree)))
    return _draft(game, read, request.title, request.mode, request.orientation)


def drafts(known: Mapping[str, Game], text: str, most: int) -> tuple[list[Draft], list[str]]:
    """Make a chapter of each game of a PGN, and return them with what could not be read.

    :param known: games besides the shipped ones.
    :param most: how many there may be.
    :raises Refusal: if no game can be read.
    """
    reader, names = (pgn.Reader(io.StringIO(text), games=known) for _ in range(2))
    found: list[Draft] = []
    faults: list[str] = []
    for tree, errors in reader.trees(wire.MAX_CHAPTER_MOVES):
        # A tree has only the tags that are shown.
        given: Mapping[str, str] = names.read_headers() or {}
        if len(found) == most:
            faults.append(f"a study has at most {wire.MAX_CHAPTERS} chapters; the rest was left out")
            break
        if tree is None:
            faults += map(str, errors[:1])
            continue
        read: wire.Tree = _tree(tree)
        title = printed(given.get(CHAPTER_NAME, "")) or printed(_title(read.tags)) or read.name
        mode: wire.Mode = "exercise" if given.get(CHAPTER_MODE) == "exercise" else "reading"
        game = catalogue.with_options(known.get(read.game) or load(read.game), read.options)
        made = _draft(game, read, title[: wire.MAX_TITLE], mode, "white")
        found.append(made)
        faults += [f"{made.chapter.info.title}: {fault}" for fault in [*read.faults, *made.faults]]
    if not found:
        raise Refusal("invalid", faults[0] if faults else "this text contains no game", "pgn")
    return found, faults[:20]


def _title(tags: Mapping[str, str]) -> str:
    players = [tags.get(side, "?") for side in ("White", "Black")]
    known = [name for name in players if name not in ("", "?")]
    event = tags.get("Event", "?")
    return " \N{EN DASH} ".join(players) if known else "" if event == "?" else event


def _draft(game: Game, tree: wire.Tree, title: str, mode: wire.Mode, orientation: wire.Side) -> Draft:
    root = wire.StudyNode(START, -1, "", "", "white", 0, tree.start_fen)
    faults: list[str] = []
    nodes = [_annotated(root, tree.comment, [], faults)]
    for place, made in enumerate(tree.nodes):
        node = told_node(place + 1, made.parent + 1, made)
        nodes.append(_annotated(node, made.comment, made.nags, faults))
    info = wire.ChapterInfo(
        id=0,
        title=title,
        game=tree.game,
        options=tree.options,
        name=tree.name,
        setup=tree.setup,
        tags=tree.tags,
        orientation=orientation,
        mode=mode if tree.nodes else "reading",
    )
    key, text = catalogue.definition(game)
    stored = Stored(key, game.id if game.id in games() else game.file, game.rules_hash)
    return Draft(wire.StudyChapter(info=info, nodes=nodes), stored, text, faults)


def _annotated(node: wire.StudyNode, comment: str, nags: Iterable[int], faults: list[str]) -> wire.StudyNode:
    arrows = [
        wire.StudyArrow(square_name(start), square_name(end), FROM_PGN[colour])  # type: ignore[arg-type]
        for start, end, colour in _native.annotated_arrows(comment)
    ]
    text = shown(_native.with_arrows(comment, []))
    if len(text) > wire.MAX_STUDY_COMMENT:
        faults.append(f"a comment was longer than {wire.MAX_STUDY_COMMENT} characters; its end was left out")
    glyphs = [nag for nag in nags if nag > 0][: wire.MAX_GLYPHS]
    return msgspec.structs.replace(
        node, comment=text[: wire.MAX_STUDY_COMMENT], nags=glyphs, arrows=arrows[: wire.MAX_ARROWS]
    )


def written(game: Game, chapter: wire.StudyChapter, study: str) -> str:
    """Write a chapter as PGN.

    :raises Error: if a move is not legal by the rules of today, or variations are nested too deeply.
    """
    info, nodes = chapter.info, chapter.nodes
    places = {node.id: place for place, node in enumerate(nodes)}
    moves = [(places[node.parent] - 1, node.move, _comment(node), node.nags) for node in nodes[1:]]
    text = _native.tree_pgn(Board(game, nodes[0].fen), moves, _comment(nodes[0]), [*info.tags.items()])
    names = {STUDY_NAME: study, CHAPTER_NAME: info.title}
    if info.mode == "exercise":
        names[CHAPTER_MODE] = "exercise"
    more = "".join(f"\n[{name} {_quoted(value)}]" for name, value in names.items())
    return text.replace("\n\n", f"{more}\n\n", 1)


def _quoted(value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def _comment(node: wire.StudyNode) -> str:
    arrows = [(parse_square(arrow.from_), parse_square(arrow.to), TO_PGN[arrow.colour]) for arrow in node.arrows]
    return _native.with_arrows(node.comment, arrows)


def judge(game: Game, chapter: Sequence[wire.StudyNode], attempt: wire.Attempt) -> tuple[wire.AttemptResult, str]:
    """Judge an attempt at an exercise, and return the result with what the writer says about the last move.

    The moves of the main line solve it; those of the other side are answered by the main line, and a variation says
    why its first move does not solve it.

    :raises Error: if a move is not legal.
    """
    after = _children(chapter)
    root = chapter[0]
    solver, line, here = after[root.id][0].side, [], root
    if attempt.show:
        while after.get(here.id):
            here = after[here.id][0]
            line.append(here.move)
        return judged(game, root.fen, "shown", line), here.comment
    for text in attempt.moves:
        known = next((node for node in after.get(here.id, []) if node.move == text), None)
        if known is None or known is not after[here.id][0]:
            return judged(game, root.fen, "wrong", line), "" if known is None else known.comment
        line.append(text)
        here = known
    said = here.comment
    while after.get(here.id) and after[here.id][0].side != solver:
        here = after[here.id][0]
        line.append(here.move)
        said = here.comment or said
    return judged(game, root.fen, "right" if after.get(here.id) else "solved", line), said


def _children(nodes: Iterable[wire.StudyNode]) -> dict[int, list[wire.StudyNode]]:
    found: dict[int, list[wire.StudyNode]] = {}
    for node in nodes:
        found.setdefault(node.parent, []).append(node)
    return found
