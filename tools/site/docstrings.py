"""Makes Markdown of docstrings: their examples become code, their roles become links."""

from __future__ import annotations

import builtins
import inspect
import operator
import re
from typing import Any

from griffe import Attribute, Class, Docstring, Extension, GriffeLoader, Object

from acedrex import _native

EXAMPLE = re.compile(r"^( *)>>> .*(?:\n(?! *$).*)*", re.MULTILINE)
ROLE = re.compile(r":(class|func|meth|attr|mod|exc|data):`([^`]+)`")


class Docstrings(Extension):
    """Rewrites every docstring when it has been read."""

    def on_object(self, *, obj: Object, loader: GriffeLoader, **_: Any) -> None:
        """Rewrite the docstring of a module, class, function or attribute, or find it where there is none."""
        if not obj.docstring and (told := native(obj) or comment(obj)):
            obj.docstring = Docstring(
                told, parent=obj, parser=loader.docstring_parser, parser_options=loader.docstring_options
            )
        if obj.docstring:
            obj.docstring.value = markdown(obj.docstring.value)

    def on_class_members(self, *, cls: Class, **_: Any) -> None:
        """Show what makes an object where readers look for it, also where that is ``__new__``."""
        if "__new__" in cls.members and "__init__" not in cls.members:
            new = cls.members.pop("__new__")
            new.name = "__init__"
            if cls.docstring and ":param" in cls.docstring.value:
                new.docstring = None  # it only says that the class tells the parameters
            cls.members["__init__"] = new


def native(obj: Object) -> str:
    """Return the docstring of an object of the native module: its stub has none."""
    module, _, name = obj.path.partition("._native.")
    # Only the stub knows names that begin with an underscore.
    if module != "acedrex" or name.startswith("_") or name.endswith("__"):
        return ""
    if isinstance(obj, Attribute) and "property" not in obj.labels:
        return ""
    return inspect.getdoc(operator.attrgetter(name)(_native)) or ""


def comment(obj: Object) -> str:
    """Return the comment above an attribute, which begins with ``#:`` if it is public."""
    if not isinstance(obj, Attribute) or not obj.lineno or isinstance(obj.filepath, list):
        return ""
    lines: list[str] = []
    for line in reversed(obj.lines_collection[obj.filepath][: obj.lineno - 1]):
        if not line.lstrip().startswith("#:"):
            break
        lines.insert(0, line.lstrip().removeprefix("#:").strip())
    return "\n".join(lines)


def markdown(text: str) -> str:
    """Return a docstring as Markdown."""
    text = EXAMPLE.sub(lambda found: f"{found[1]}```pycon\n{found[0]}\n{found[1]}```", text)
    return ROLE.sub(link, text)


def link(role: re.Match[str]) -> str:
    """Lead to what a role names; modules have no place of their own, and Python's own names none here."""
    name = role[2]
    return f"`{name}`" if role[1] == "mod" or hasattr(builtins, name) else f"[`{name}`][{name}]"
