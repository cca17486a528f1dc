"""What a command does to a study: the operations that follow from it, or why it is refused. Nothing is changed here."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import structs

from acedrex.server import wire
from acedrex.server.refusal import Refusal
from acedrex.server.studies.merging import merged
from acedrex.server.studies.state import (
    START,
    Chapter,
    Contents,
    Node,
    Operation,
    below,
    chapter_of,
    child,
    first,
    moves,
    path,
)

#: Glyphs of which a move has one at most: !, ?, !!, ??, !? and ?!.
VERDICTS = range(1, 7)


def chapter(contents: Contents, id: int) -> Chapter:
    """Return a chapter.

    :raises Refusal: if there is none.
    """
    found = chapter_of(contents, id)
    if found is None:
        raise Refusal("no_such_chapter", "this chapter is not there any more", "chapter")
    return found


def decide(
    contents: Contents, command: wire.StudyCommand, by: int, made: Sequence[wire.NodeMade] = ()
) -> list[Operation]:
    """Return the operations of a command; none if nothing changes.

    :param by: who sends it, a number of the authors.
    :param made: the moves to add, as the core has made them.
    :raises Refusal: if it cannot be done.
    """
    at = chapter(contents, command.chapter)
    match command:
        case wire.AddMoves():
            return _add(contents, at, command, made)
        case wire.EditChapter():
            return _edit(contents, at, command)
        case wire.RemoveChapter():
            others: list[Chapter | Node] = [at, *at.nodes.values()]
            if any(one.number > command.seen and one.by != by for one in others):
                raise _changed("chapter")
            return [Operation(wire.ChapterRemoved(at.info.id))]
        case wire.Prune():
            return _prune(at, command, by)
        case wire.Promote():
            node = node_of(at, command.node)
            if all(at.nodes[at.nodes[id].told.parent].children[0] == id for id in path(at, node.told.id)):
                return []
            return [*_restored(at, node), Operation(wire.Promoted(at.info.id, command.node))]
    return _annotate(at, command)


def node_of(at: Chapter, id: int) -> Node:
    """Return a move of a chapter, also one that was deleted and can be restored.

    :raises Refusal: if there is none.
    """
    found = at.nodes.get(id)
    if found is None:
        raise Refusal("no_such_node", "this move was deleted meanwhile", "node")
    return found


def _changed(where: str) -> Refusal:
    return Refusal("changed_meanwhile", "somebody has just written here; look at it first", where)


def _restored(at: Chapter, node: Node) -> list[Operation]:
    """Return the operation that brings back a move that was deleted meanwhile, with those before it."""
    gone = [id for id in path(at, node.told.id) if at.nodes[id].gone]
    return [Operation(wire.Restored(at.info.id, gone))] if gone else []


def _add(contents: Contents, at: Chapter, command: wire.AddMoves, made: Sequence[wire.NodeMade]) -> list[Operation]:
    here, left = node_of(at, command.parent).told.id, [*made]
    before = _restored(at, at.nodes[here])
    while left and (known := child(at, here, left[0].move)) is not None:
        here = known
        left.pop(0)
    if not left:
        return before
    check_room(contents, at, len(left))
    nodes = [
        told_node(at.next + place, here if place == 0 else at.next + place - 1, one) for place, one in enumerate(left)
    ]
    return [*before, Operation(wire.MovesAdded(at.info.id, nodes))]


def shown(text: str) -> str:
    """Return a comment without invisible characters; its lines stay."""
    return "".join(letter for letter in text if letter.isprintable() or letter == "\n")


def told_node(id: int, parent: int, made: wire.NodeMade) -> wire.StudyNode:
    """Return a move that the core has made as a move of a chapter."""
    return wire.StudyNode(id, parent, made.move, made.san, made.side, made.turn, made.fen)


def check_room(contents: Contents, at: Chapter | None, more: int) -> None:
    """Check that a study has room for more moves.

    :raises Refusal: if it has too many.
    """
    if (0 if at is None else moves(at)) + more > wire.MAX_CHAPTER_MOVES:
        raise Refusal("too_many", f"a chapter has at most {wire.MAX_CHAPTER_MOVES} moves; begin another one")
    check_total(contents, more)


def check_total(contents: Contents, more: int) -> None:
    """Check that a study has room for more moves in all.

    :raises Refusal: if it has too many.
    """
    if sum(map(moves, contents.chapters)) + more > wire.MAX_STUDY_MOVES:
        raise Refusal("too_many", f"a study has at most {wire.MAX_STUDY_MOVES} moves; begin another one")


def _edit(contents: Contents, at: Chapter, command: wire.EditChapter) -> list[Operation]:
    info, place = at.info, contents.chapters.index(at)
    change = wire.ChapterChanged(
        chapter=info.id,
        title=command.title or info.title,
        mode=command.mode or info.mode,
        orientation=command.orientation or info.orientation,
        place=place if command.place is None else min(command.place, len(contents.chapters) - 1),
    )
    same = (change.title, change.mode, change.orientation) == (info.title, info.mode, info.orientation)
    if change.mode == "exercise" and first(at, START) is None:
        raise Refusal("no_solution", "make the solution on the board first; then turn the chapter into an exercise")
    return [] if same and change.place == place else [Operation(change)]


def _prune(at: Chapter, command: wire.Prune, by: int) -> list[Operation]:
    if command.node == START:
        raise Refusal("invalid", "the start cannot be deleted; remove the chapter", "node")
    node = node_of(at, command.node)
    if node.gone:
        return []
    nodes = (at.nodes[id] for id in below(at, command.node))
    if any(one.number > command.seen and one.by != by for one in nodes):
        raise _changed("node")
    return [Operation(wire.Pruned(at.info.id, command.node))]


def _annotate(at: Chapter, command: wire.WriteComment | wire.SetGlyph | wire.DrawArrow) -> list[Operation]:
    node = node_of(at, command.node)
    change: wire.StudyChange | None = None
    match command:
        case wire.WriteComment():
            text = shown(merged(command.before, command.text, node.told.comment))
            if len(text) > wire.MAX_STUDY_COMMENT:
                raise Refusal("too_long_text", f"a comment has at most {wire.MAX_STUDY_COMMENT} characters", "text")
            if text != node.told.comment:
                change = wire.Commented(at.info.id, command.node, text)
        case wire.SetGlyph():
            change = _glyph(at, node, command)
        case wire.DrawArrow():
            change = _arrow(at, node, command)
    return [] if change is None else [*_restored(at, node), Operation(change)]


def _glyph(at: Chapter, node: Node, command: wire.SetGlyph) -> wire.Marked | None:
    if command.node == START:
        raise Refusal("invalid", "the start has no glyphs", "node")
    others = [nag for nag in node.told.nags if nag != command.nag]
    if command.on and command.nag in VERDICTS:
        others = [nag for nag in others if nag not in VERDICTS]
    nags = sorted([*others, command.nag]) if command.on else others
    if len(nags) > wire.MAX_GLYPHS:
        raise Refusal("too_many", f"a move has at most {wire.MAX_GLYPHS} glyphs", "nag")
    return None if nags == node.told.nags else wire.Marked(at.info.id, command.node, nags)


def _arrow(at: Chapter, node: Node, command: wire.DrawArrow) -> wire.Drawn | None:
    arrow = command.arrow
    others = [one for one in node.told.arrows if (one.from_, one.to) != (arrow.from_, arrow.to)]
    arrows = [*others, structs.replace(arrow)] if command.on else others
    if len(arrows) > wire.MAX_ARROWS:
        raise Refusal("too_many", f"a position has at most {wire.MAX_ARROWS} arrows", "arrow")
    return None if arrows == node.told.arrows else wire.Drawn(at.info.id, command.node, arrows)
