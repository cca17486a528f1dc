"""The TypeScript types that the web code shares with Python: generated, and regenerated after every change."""

from __future__ import annotations

from typing import Annotated, Literal, TypedDict, Union

import pytest
from msgspec import Meta, field

from acedrex.server.wire import Request, Response
from tools import make_types

Colour = Literal["white", "black"]


class Little(TypedDict):
    """A shape."""

    square: str


class First(Response, tag="first"):
    """Said first.

    And ``once``, as :meth:`acedrex.Move.uci` has it.
    """

    side: Colour | None
    from_: str = field(name="from")
    count: int = 0


class Second(Request, tag="second", tag_field="kind"):
    """Asked."""

    little: list[Little]
    bounded: Annotated[dict[str, float], Meta(max_length=3)]
    sides: list[Literal["left", "right"]]
    either: Either | None = None


class Third(Response, omit_defaults=True):
    """Said in short."""

    is_there: bool
    token: str | None = None


Either = Union[First, Second]  # noqa: UP007
TYPES = {"Colour": Colour, "First": First, "Second": Second, "Third": Third, "Either": Either}
NOTES = {"First.count": "How many.", "Colour": "A colour."}
WRITTEN = """\
/** A colour. */
export type Colour = "white" | "black";

/**
 * Said first.
 *
 * And `once`, as `acedrex.Move.uci` has it.
 */
export interface First {
  type: "first";
  side: Colour | null;
  from: string;
  /** How many. */
  count: number;
}

/** Asked. */
export interface Second {
  kind: "second";
  little: Little[];
  bounded: Record<string, number>;
  sides: ("left" | "right")[];
  either?: Either | null;
}

/** Said in short. */
export interface Third {
  is_there: boolean;
  token?: string | null;
}

export type Either = First | Second;
"""


def test_the_committed_types_are_up_to_date() -> None:
    stale = [path.name for path, text in make_types.written().items() if path.read_text(encoding="utf-8") != text]
    assert stale == [], "run python tools/make_types.py"


def test_types_are_written_as_typescript() -> None:
    writer = make_types.Writer(TYPES, {"Little": Little}, NOTES)
    assert writer.all() == WRITTEN
    assert writer.used == {"Little"}


def test_an_unsupported_type_is_named_in_the_error() -> None:
    with pytest.raises(TypeError, match="set"):
        make_types.Writer({}, {}, {}).of(set[str])


def test_documentation_comments_are_extracted() -> None:
    source = (
        '#: Two\n#: lines.\nSide = 1\n# Not this.\nx: int = 2\nclass A:\n    """A."""\n\n    #: From.\n    from_: str\n'
    )
    assert dict(make_types.notes(source)) == {"Side": "Two lines.", "A.from": "From."}


def test_a_long_union_has_one_line_per_member() -> None:
    names = tuple(f"name{number}" for number in range(20))
    writer = make_types.Writer({"Names": Literal[names]}, {}, {})  # type: ignore[valid-type]
    assert writer.all().startswith('export type Names =\n  | "name0"\n  | "name1"\n')
    assert writer.all().endswith('  | "name19";\n')
