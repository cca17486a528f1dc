"""A study as plain data, and what each operation changes in it. Nothing here knows the rules of a game."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct, field, json, structs

from acedrex.server import wire

START = 0
#: The number of operations between two snapshots of a study. Deletions before the last snapshot cannot be undone.
SNAPSHOT = 100


class Node(Struct):
    """A move as people see it, and what the server knows besides."""

    told: wire.StudyNode
    children: list[int] = []
    #: The number of the operation that wrote here last, and who did.
    number: int = 0
    by: int = -1
    #: Those who have written in the comment.
    authors: list[int] = []
    gone: bool = False


class Chapter(Struct):
    """A chapter; the definition is the hash of its game's text."""

    info: wire.ChapterInfo
    definition: str
    file: str
    rules_hash: str
    nodes: dict[int, Node]
    next: int
    #: The number of the operation that made it, or changed what it is called, and who did.
    number: int = 0
    by: int = -1


class Contents(Struct):
    """All chapters of a study, in their order. People are numbers here: ``authors`` of the table has their ids."""

    chapters: list[Chapter] = field(default_factory=list)
    next: int = 1
    number: int = 0


encode = json.Encoder().encode
decode = json.Decoder(Contents).decode


def copied(contents: Contents) -> Contents:
    """Return a study that can be changed while others read the first; what people see of a move is never changed."""
    chapters = []
    for chapter in contents.chapters:
        nodes = {
            id: Node(node.told, [*node.children], node.number, node.by, [*node.authors], node.gone)
            for id, node in chapter.nodes.items()
        }
        chapters.append(structs.replace(chapter, nodes=nodes))
    return structs.replace(contents, chapters=chapters)


def moves(chapter: Chapter) -> int:
    """Return how many moves a chapter has."""
    return sum(1 for _ in below(chapter, START)) - 1


def size(contents: Contents) -> int:
    """Return how much a study has: its moves, and the comments and arrows at starts."""
    starts = (chapter.nodes[START].told for chapter in contents.chapters)
    return sum(map(moves, contents.chapters)) + sum(bool(told.comment or told.arrows) for told in starts)


def chapter_of(contents: Contents, id: int) -> Chapter | None:
    """Return a chapter by its number."""
    return next((chapter for chapter in contents.chapters if chapter.info.id == id), None)


def below(chapter: Chapter, node: int) -> Iterator[int]:
    """Yield a move and all that follow it, each after the move before it; deleted ones are left out."""
    left = [node]
    while left:
        id = left.pop()
        found = chapter.nodes.get(id)
        if found is not None and not found.gone:
            yield id
            left += reversed(found.children)


def path(chapter: Chapter, node: int) -> list[int]:
    """Return the moves from the start, which is left out, to a move, which is the last."""
    found: list[int] = []
    while node != START:
        found.append(node)
        node = chapter.nodes[node].told.parent
    return found[::-1]


def child(chapter: Chapter, node: int, move: str) -> int | None:
    """Return the number of a move after another one, if it is there."""
    known = (id for id in chapter.nodes[node].children if not chapter.nodes[id].gone)
    return next((id for id in known if chapter.nodes[id].told.move == move), None)


def first(chapter: Chapter, node: int) -> int | None:
    """Return the move that continues the line, if there is one."""
    return next((id for id in chapter.nodes[node].children if not chapter.nodes[id].gone), None)


def told(chapter: Chapter, *, hidden: bool = False) -> wire.StudyChapter:
    """Return a chapter as people see it.

    :param hidden: whether its moves are left out, as they are to be found.
    """
    ids = [START] if hidden else below(chapter, START)
    return wire.StudyChapter(info=chapter.info, nodes=[chapter.nodes[id].told for id in ids], hidden=hidden)


def is_hidden(change: wire.StudyChange, contents: Contents) -> bool:
    """Return whether readers do not see a change, since the moves of the chapter are to be found."""
    match change:
        case wire.MovesAdded() | wire.Pruned() | wire.Promoted() | wire.Restored():
            where = change.chapter
        case wire.Commented() | wire.Marked() | wire.Drawn() if change.node != START:
            where = change.chapter
        case _:
            return False
    chapter = chapter_of(contents, where)
    return chapter is not None and chapter.info.mode == "exercise"


class Stored(Struct):
    """A chapter with what only the server needs, as an operation stores it."""

    definition: str
    file: str
    rules_hash: str


class Operation(Struct):
    """A stored operation: the change, and of a new chapter which definition it goes by."""

    change: wire.StudyChange
    stored: Stored | None = None


encode_operation = json.Encoder().encode
decode_operation = json.Decoder(Operation).decode


def apply(contents: Contents, number: int, by: int, operation: Operation) -> None:
    """Change a study as an operation says. What it concerns may be gone: then nothing changes.

    :param by: who made it, a number of the authors; -1 for nobody.
    """
    contents.number = number
    change = operation.change
    match change:
        case wire.ChapterAdded():
            if operation.stored is not None:
                _add_chapter(contents, number, by, change.chapter, operation.stored)
        case wire.Forgotten():
            _forget(contents, change.author)
        case wire.Titled():
            pass
        case _:
            chapter = chapter_of(contents, change.chapter)
            if chapter is not None:
                _change(contents, chapter, number, by, change)
    # In every process at the same operation, or they would disagree on what can be restored.
    if number % SNAPSHOT == 0:
        _tidy(contents)


def _add_chapter(contents: Contents, number: int, by: int, chapter: wire.StudyChapter, stored: Stored) -> None:
    nodes: dict[int, Node] = {}
    for told in chapter.nodes:
        nodes[told.id] = Node(told, [], number, by, [by] if told.comment else [])
        if told.id != START:
            nodes[told.parent].children.append(told.id)
    made = Chapter(chapter.info, **structs.asdict(stored), nodes=nodes, next=max(nodes) + 1, number=number, by=by)
    contents.chapters.append(made)
    contents.next = max(contents.next, chapter.info.id + 1)


def _change(contents: Contents, chapter: Chapter, number: int, by: int, change: wire.StudyChange) -> None:
    nodes = chapter.nodes
    match change:
        case wire.ChapterChanged():
            chapter.info = structs.replace(
                chapter.info, title=change.title, mode=change.mode, orientation=change.orientation
            )
            contents.chapters.remove(chapter)
            contents.chapters.insert(change.place, chapter)
            chapter.number, chapter.by = number, by
        case wire.ChapterRemoved():
            contents.chapters.remove(chapter)
        case wire.MovesAdded():
            for told in change.nodes:
                if told.parent in nodes:
                    nodes[told.id] = Node(told, [], number, by)
                    nodes[told.parent].children.append(told.id)
                    chapter.next = max(chapter.next, told.id + 1)
        case wire.Restored():
            for id in change.nodes:
                if id in nodes:
                    nodes[id].gone = False
        case wire.Pruned():
            if change.node in nodes:
                nodes[change.node].gone = True
        case wire.Promoted():
            for id in path(chapter, change.node) if change.node in nodes else ():
                siblings = nodes[nodes[id].told.parent].children
                siblings.remove(id)
                siblings.insert(0, id)
        case wire.Commented() | wire.Marked() | wire.Drawn():
            if change.node in nodes:
                _annotate(nodes[change.node], number, by, change)


def _annotate(node: Node, number: int, by: int, change: wire.StudyChange) -> None:
    match change:
        case wire.Commented():
            node.told = structs.replace(node.told, comment=change.text)
            node.authors = ([] if not change.text else [*dict.fromkeys([*node.authors, by])]) if by >= 0 else []
        case wire.Marked():
            node.told = structs.replace(node.told, nags=change.nags)
        case wire.Drawn():
            node.told = structs.replace(node.told, arrows=change.arrows)
    node.number, node.by = number, by


def _forget(contents: Contents, author: int) -> None:
    """Remove the comments that one person alone has written in."""
    for chapter in contents.chapters:
        for node in chapter.nodes.values():
            if node.authors == [author]:
                node.told = structs.replace(node.told, comment="")
            node.authors = [other for other in node.authors if other != author]


def _tidy(contents: Contents) -> None:
    """Forget the moves that were deleted, which nobody can get back any more."""
    for chapter in contents.chapters:
        kept = set(below(chapter, START))
        chapter.nodes = {id: node for id, node in chapter.nodes.items() if id in kept}
        for node in chapter.nodes.values():
            node.children = [id for id in node.children if id in kept]
