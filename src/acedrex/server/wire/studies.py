"""Studies: chapters with trees of moves, which several people write at once."""

from __future__ import annotations

from typing import Annotated, Literal, Union

from msgspec import Meta, field

from acedrex import limits
from acedrex.server.wire.analysis import Comment, Options, Spec, TagName, TagValue, TreeNode
from acedrex.server.wire.lessons import AttemptResult
from acedrex.server.wire.socket import Ack, Hello, Ping, Pong, Refused
from acedrex.server.wire.vocabulary import Fen, Id, MoveText, Number, Request, Response, SetupName
from acedrex.shapes import Side

#: The limits of a study: chapters; moves of a chapter and of all; characters of a title and of a comment, of which two
#: fit into a message of the socket; arrows and glyphs of a move; people besides its owner.
MAX_CHAPTERS, MAX_CHAPTER_MOVES, MAX_STUDY_MOVES = 64, 1_500, 5_000
MAX_TITLE, MAX_STUDY_COMMENT, MAX_ARROWS, MAX_GLYPHS, MAX_MEMBERS = 80, 2_000, 32, 8, 30

Access = Literal["private", "link", "public"]
#: ``writer`` and ``reader`` are people whom the owner has added; anybody else who may read is a ``visitor``.
Role = Literal["owner", "writer", "reader", "visitor"]
Mode = Literal["reading", "exercise"]

Title = Annotated[str, Meta(min_length=1, max_length=MAX_TITLE)]
StudyComment = Annotated[str, Meta(max_length=MAX_STUDY_COMMENT)]
SquareName = Annotated[str, Meta(pattern="^[a-p]([1-9]|1[0-6])$")]
ChapterNumber = Annotated[int, Meta(ge=1, le=2**31)]
NodeNumber = Annotated[int, Meta(ge=0, le=2**31)]
Glyph = Annotated[int, Meta(ge=1, le=255)]


class StudyArrow(Request):
    """An arrow, or a ring if both squares are the same."""

    from_: SquareName = field(name="from")
    to: SquareName
    colour: Literal["lapis", "vermilion", "gold"]


class StudyNode(Response):
    """A move of a chapter: its number there, that of the move before it, and its annotations.

    Number 0 is the start, which has no move. The FEN is that of the position after the move.
    """

    id: int
    parent: int
    move: str
    san: str
    side: Side
    turn: int
    fen: str
    comment: str = ""
    nags: list[int] = field(default_factory=list)
    arrows: list[StudyArrow] = field(default_factory=list)


class ChapterInfo(Response, kw_only=True):
    """A chapter without its moves. In an exercise, readers find the moves of the main line."""

    id: int
    title: str
    #: The game, and its name on the day when the chapter was made.
    game: str
    options: dict[str, str]
    name: str
    setup: str | None
    tags: dict[str, str]
    orientation: Side
    mode: Mode


class StudyChapter(Response, kw_only=True):
    """A chapter with its moves, each after its parent, the start first; ``hidden`` if the others are to be found."""

    info: ChapterInfo
    nodes: list[StudyNode]
    hidden: bool = False


# What changes a study: stored as operations, and sent to everybody who has it open.


class ChapterAdded(Response, tag="chapter_added"):
    """A chapter was added, as the last one."""

    chapter: StudyChapter


class ChapterChanged(Response, tag="chapter_changed", kw_only=True):
    """A chapter has another title, mode or orientation, or another place."""

    chapter: int
    title: str
    mode: Mode
    orientation: Side
    place: int


class ChapterRemoved(Response, tag="chapter_removed"):
    """A chapter was removed."""

    chapter: int


class MovesAdded(Response, tag="moves_added"):
    """Moves were added, each after its parent, as the last of its children."""

    chapter: int
    nodes: list[StudyNode]


class Commented(Response, tag="commented"):
    """A move has another comment; if it was deleted, it is back, with the moves before it."""

    chapter: int
    node: int
    text: str


class Marked(Response, tag="marked"):
    """A move has other glyphs."""

    chapter: int
    node: int
    nags: list[int]


class Drawn(Response, tag="drawn"):
    """A position has other arrows."""

    chapter: int
    node: int
    arrows: list[StudyArrow]


class Pruned(Response, tag="pruned"):
    """A move was deleted, with all that follow it."""

    chapter: int
    node: int


class Restored(Response, tag="restored"):
    """Moves that were deleted are back, the first of them first: somebody has written there meanwhile."""

    chapter: int
    nodes: list[int]


class Promoted(Response, tag="promoted"):
    """The line through a move is the main line."""

    chapter: int
    node: int


class Titled(Response, tag="titled"):
    """The study has another title or other access."""

    title: str
    access: Access


class Forgotten(Response, tag="forgotten"):
    """Somebody's data was deleted, and with it the comments that nobody else has written in."""

    author: int


StudyChange = Union[  # noqa: UP007 - msgspec reads it at run time
    ChapterAdded,
    ChapterChanged,
    ChapterRemoved,
    MovesAdded,
    Commented,
    Marked,
    Drawn,
    Pruned,
    Restored,
    Promoted,
    Titled,
    Forgotten,
]


# Requests.


class NewChapter(Request, kw_only=True):
    """A chapter to add: the start of a game, a setup or a position, with a tree of moves in depth-first order."""

    title: Title
    game: Spec
    options: Options = field(default_factory=dict)
    setup: SetupName | None = None
    fen: Fen | None = None
    nodes: Annotated[list[TreeNode], Meta(max_length=MAX_CHAPTER_MOVES)] = field(default_factory=list)
    comment: Comment = ""
    tags: Annotated[dict[TagName, TagValue], Meta(max_length=32)] = field(default_factory=dict)
    orientation: Side = "white"
    mode: Mode = "reading"


class NewStudy(Request, kw_only=True):
    """A study to make."""

    title: Title
    access: Access = "private"
    #: The first chapter.
    chapter: NewChapter | None = None


class StudyCreated(Response):
    """A new study."""

    study: str


class StudyRequest(Request, kw_only=True):
    """Another title of a study, or other access."""

    title: Title | None = None
    access: Access | None = None


class StudyPgn(Request):
    """Games in PGN, each of which becomes a chapter."""

    pgn: Annotated[str, Meta(min_length=1, max_length=limits.MAX_PGN)]


class ChaptersAdded(Response):
    """The chapters made from a PGN, and which parts of it could not be read."""

    chapters: list[int]
    faults: list[str]


class MemberRequest(Request):
    """What a person may do in a study."""

    role: Literal["writer", "reader"]


class StudyReport(Request):
    """What is wrong with a study."""

    reason: Annotated[str, Meta(min_length=1, max_length=300)]


class StudyMember(Response):
    """A person of a study; ``who`` names them in requests."""

    who: str
    name: str
    account: bool
    role: Role


class StudyCard(Response, kw_only=True):
    """A study in a list."""

    study: str
    title: str
    access: Access
    #: Its owner, and their account's name if they have one.
    owner: str
    profile: str | None
    #: The role of the person who asks.
    role: Role
    chapters: int
    #: The name of the first chapter's game.
    game: str
    changed: int


class StudyPage(Response):
    """A page of studies, those that were changed last first; ``next`` requests the following page."""

    studies: list[StudyCard]
    next: str | None


class Study(Response, kw_only=True, tag="study"):
    """A study as a person sees it: its people and its chapters, which are read one by one."""

    study: str
    title: str
    access: Access
    role: Role
    #: Whether a moderator has withdrawn it: nobody but its people sees it.
    withdrawn: bool
    members: list[StudyMember]
    chapters: list[ChapterInfo]
    #: The number of the last operation.
    number: int


class StudyAttempt(Response):
    """The result of an attempt at an exercise, with what the writer says about the last move."""

    result: AttemptResult
    comment: str
    #: The whole chapter, once it is solved or shown.
    chapter: StudyChapter | None


# The socket of a study.


class OpenChapter(Request, tag="open"):
    """Ask for a chapter with its moves."""

    chapter: ChapterNumber
    id: Id


class AddMoves(Request, tag="add"):
    """Add a line of moves after a move; those that are there already are not added again."""

    chapter: ChapterNumber
    parent: NodeNumber
    moves: Annotated[list[MoveText], Meta(min_length=1, max_length=200)]
    id: Id


class WriteComment(Request, tag="comment"):
    """Change the comment on a move, from the text that was edited to a new one; both edits of two people are kept."""

    chapter: ChapterNumber
    node: NodeNumber
    before: StudyComment
    text: StudyComment
    id: Id


class SetGlyph(Request, tag="glyph"):
    """Give a move a glyph, or take it away; of the glyphs 1 to 6 a move has one at most."""

    chapter: ChapterNumber
    node: NodeNumber
    nag: Glyph
    on: bool
    id: Id


class DrawArrow(Request, tag="draw"):
    """Draw an arrow in a position, or take it away."""

    chapter: ChapterNumber
    node: NodeNumber
    arrow: StudyArrow
    on: bool
    id: Id


class Prune(Request, tag="prune"):
    """Delete a move and all that follow it, unless somebody else has written there after ``seen``."""

    chapter: ChapterNumber
    node: NodeNumber
    #: The number of the last operation that this page has seen.
    seen: Number
    id: Id


class Promote(Request, tag="promote"):
    """Make the line through a move the main line."""

    chapter: ChapterNumber
    node: NodeNumber
    id: Id


class EditChapter(Request, tag="edit", kw_only=True):
    """Change a chapter's title, mode, orientation or place."""

    chapter: ChapterNumber
    title: Title | None = None
    mode: Mode | None = None
    orientation: Side | None = None
    place: Annotated[int, Meta(ge=0, le=MAX_CHAPTERS)] | None = None
    id: Id


class RemoveChapter(Request, tag="remove"):
    """Remove a chapter, unless somebody else has written there after ``seen``."""

    chapter: ChapterNumber
    seen: Number
    id: Id


StudyCommand = Union[  # noqa: UP007 - msgspec reads it at run time
    AddMoves, WriteComment, SetGlyph, DrawArrow, Prune, Promote, EditChapter, RemoveChapter
]
ToStudy = Union[Hello, OpenChapter, StudyCommand, Ping]  # noqa: UP007


class ChapterSent(Response, tag="chapter"):
    """A chapter with its moves, as it is after an operation."""

    chapter: StudyChapter
    number: int


class StudyChanged(Response, tag="change"):
    """An operation: its number, and what it changed."""

    number: int
    change: StudyChange


FromStudy = Union[Study, ChapterSent, StudyChanged, Ack, Refused, Pong]  # noqa: UP007
