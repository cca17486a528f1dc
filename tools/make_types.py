"""Writes the types of TypeScript that the parts of the web share with Python, and what both have from the core.

Types come from Python's own types, the ways in which games end and the texts about them from the core, and the stub of
the native module from the module itself. Run it as ``python tools/make_types.py`` after a change of
:mod:`acedrex.shapes`, :mod:`acedrex.server.wire`, :mod:`acedrex.widget.messages`, ``crates/rules/src/ending.rs`` or
``crates/python``; ``make check`` runs it with ``--check``, which only says whether that was forgotten.
"""

from __future__ import annotations

import argparse
import ast
import inspect
import itertools
import json
import os
import re
import subprocess
import sys
import tempfile
import textwrap
import typing
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType, NoneType, UnionType
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from msgspec import structs

from acedrex import _native, languages, shapes
from acedrex.server import wire
from acedrex.widget import arrows, messages

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "acedrex"
#: Where comments stand that come along.
SOURCES = [PACKAGE / "shapes.py", PACKAGE / "plain.py", *sorted((PACKAGE / "server" / "wire").glob("*.py"))]
SOURCES.append(PACKAGE / "widget" / "messages.py")
BOARD, APP = ROOT / "web" / "board" / "src" / "shapes.ts", ROOT / "web" / "app" / "src" / "wire.ts"
NOTEBOOK = ROOT / "web" / "notebook" / "src" / "messages.ts"
TERMINATION = PACKAGE / "termination.py", ROOT / "web" / "core" / "src" / "termination.ts"
LIMITS = PACKAGE / "limits.py", ROOT / "web" / "core" / "src" / "limits.ts", ROOT / "docs" / "limits.md"
STUB = PACKAGE / "_native.pyi"
INTRODUCTION = """\
Acedrex refuses what is larger, and says so; the times and counts of engine and reviews are what they keep to by \
themselves. The numbers are the core's, so they hold in Python, in JavaScript, in the \
app and on a server alike; in Python they are in `acedrex.limits`. A server also limits [what a visitor may ask \
for](server.md)."""
#: The app's texts that are the core's.
TEXTS = ROOT / "web" / "app" / "src" / "locale" / "core"
#: Columns of a line, as everywhere.
WIDTH = 120
PLAIN = {str: "string", int: "number", float: "number", bool: "boolean", NoneType: "null"}
ROLE = re.compile(r":\w+:`([^`]+)`")


def exported(module: ModuleType) -> dict[str, Any]:
    """Return the types of a module that have a name: messages, shapes, and unions and literals as aliases."""
    return {name: value for name, value in vars(module).items() if not name.startswith("_") and is_told(value)}


def is_told(value: Any) -> bool:
    if isinstance(value, type):
        message = issubclass(value, wire.Response | wire.Request) and value not in (wire.Response, wire.Request)
        return message or typing.is_typeddict(value)
    return get_origin(value) in (Literal, Union)


class Writer:
    """Writes the types of a module, by the names that they and those of other modules have."""

    def __init__(self, types: dict[str, Any], others: dict[str, Any], notes: dict[str, str]) -> None:
        self._types = types
        self._notes = notes
        self._others = others
        self._names = {value: name for name, value in {**others, **types}.items()}
        #: The names of other modules that were used.
        self.used: set[str] = set()

    def all(self) -> str:
        """Write all."""
        return "\n".join(
            self._interface(name, value) if isinstance(value, type) else self._alias(name, value)
            for name, value in self._types.items()
        )

    def of(self, kind: Any) -> str:
        """Write a type as it stands behind a field's name."""
        kind = get_args(kind)[0] if get_origin(kind) is Annotated else kind
        name = self._names.get(kind)
        if name is not None:
            self.used |= {name} & self._others.keys()
            return name
        return PLAIN.get(kind) or self._composed(kind)

    def _composed(self, kind: Any) -> str:
        origin, arguments = get_origin(kind), get_args(kind)
        if origin is Literal:
            return " | ".join(f'"{value}"' for value in arguments)
        if origin in (Union, UnionType):
            if NoneType not in arguments:
                return " | ".join(map(self.of, arguments))
            # Together with null a union is no longer the alias that it was.
            return f"{self.of(Union.__getitem__(tuple(one for one in arguments if one is not NoneType)))} | null"
        if origin is list:
            item = self.of(arguments[0])
            return f"({item})[]" if " | " in item and get_origin(arguments[0]) is not list else f"{item}[]"
        if origin is dict:
            return f"Record<{self.of(arguments[0])}, {self.of(arguments[1])}>"
        raise TypeError(f"{kind} has no counterpart in TypeScript yet; add one to {Path(__file__).name}")

    def _alias(self, name: str, kind: Any) -> str:
        told = self._composed(kind)
        line = f"export type {name} = {told};"
        if len(line) > WIDTH:
            line = "\n  | ".join([f"export type {name} =", *told.split(" | ")]) + ";"
        return "\n".join([*comment(self._notes.get(name, ""), ""), line, ""])

    def _interface(self, name: str, kind: type) -> str:
        base = next((self._names[base] for base in kind.__bases__ if base in self._names), None)
        inherited = dict.fromkeys(field for field, *_ in fields(self._types[base])) if base in self._types else {}
        head = f"export interface {name} extends {base} {{" if inherited else f"export interface {name} {{"
        lines = [*comment(inspect.getdoc(kind) or "", ""), head]
        for field, type_, optional in fields(kind):
            if field in inherited:
                continue
            keys = (f"{base.__name__}.{field}" for base in kind.__mro__)
            lines += comment(next((self._notes[key] for key in keys if key in self._notes), ""), "  ")
            told = type_ if isinstance(type_, str) else self.of(type_)
            lines.append(f"  {field}{'?' * optional}: {told};")
        return "\n".join([*lines, "}", ""])


def fields(kind: Any) -> Iterator[tuple[str, Any, bool]]:
    """Return the fields of a message or shape: name, type, and whether it may be missing."""
    if typing.is_typeddict(kind):
        for name, hint in typing.get_type_hints(kind).items():
            yield name, hint, name in kind.__optional_keys__
        return
    config = kind.__struct_config__
    if config.tag is not None:
        yield config.tag_field, f'"{config.tag}"', False
    # Whoever asks may leave out what has a default; what is said is said in full, but for models that leave it out.
    may_lack = issubclass(kind, wire.Request) or config.omit_defaults
    for field in structs.fields(kind):
        yield field.encode_name, field.type, may_lack and not field.required


def notes(source: str) -> Iterator[tuple[str, str]]:
    """Return the ``#:`` comments above the names of a module and the fields of its classes."""
    lines = source.splitlines()
    tree = ast.parse(source)
    classes = [(f"{node.name}.", node.body) for node in tree.body if isinstance(node, ast.ClassDef)]
    for prefix, body in [("", tree.body), *classes]:
        for node in body:
            if isinstance(node, ast.Assign | ast.AnnAssign):
                target = ast.unparse(node.targets[0] if isinstance(node, ast.Assign) else node.target)
                above = itertools.takewhile(lambda line: line.lstrip().startswith("#:"), lines[node.lineno - 2 :: -1])
                if found := [line.strip().removeprefix("#:").strip() for line in above]:
                    yield prefix + target.removesuffix("_"), " ".join(reversed(found))


def comment(text: str, indent: str) -> list[str]:
    """Write a comment: a line, or as many as it takes."""
    text = ROLE.sub(r"`\1`", text).replace("``", "`")
    if not text:
        return []
    if "\n" not in text and len(indent + text) <= WIDTH - 7:
        return [f"{indent}/** {text} */"]
    lines = [
        line for paragraph in text.split("\n\n") for line in ["", *textwrap.wrap(paragraph, WIDTH - 3 - len(indent))]
    ]
    return [f"{indent}/**", *(f"{indent} * {line}".rstrip() for line in lines[1:]), f"{indent} */"]


def listed(keyword: str, names: list[str]) -> str:
    """Write what is taken from the board, on a line or on one for each."""
    line = f'{keyword} type {{ {", ".join(names)} }} from "@acedrex/board";\n'
    if len(line) <= WIDTH + 1:
        return line
    return f"{keyword} type {{\n" + "".join(f"  {name},\n" for name in names) + '} from "@acedrex/board";\n'


def terminations() -> dict[Path, str]:
    """Return the names of the ways in which games end, and what is said of them."""
    head = "Made by tools/make_types.py from crates/rules/src/{}. Change that, and run it."
    names = _native.terminations()
    members = "".join(f'    {name.upper()} = "{name}"\n' for name in names)
    python = f"""\"\"\"The ways in which games end.\"\"\"

# {head.format("outcome.rs")}

from __future__ import annotations

import enum

__all__ = ["Termination"]


class Termination(enum.Enum):
    \"\"\"Why a game is over.

    ``RESIGNATION`` to ``AGREEMENT`` come from the players: see :meth:`acedrex.Board.forfeit` and
    :meth:`acedrex.Board.agreement`.
    \"\"\"

{members}"""
    union = "".join(f'\n  | "{name}"' for name in names)
    script = f"// {head.format('outcome.rs')}\n\n/** Why a game is over. */\nexport type Termination ={union};\n"
    files = dict(zip(TERMINATION, (python, script), strict=True))
    for language in languages():
        texts = {
            f"{'side' if key in ('white', 'black') else 'ending'}.{key}": text
            for key, text in _native.ending_texts(language)
        }
        files[TEXTS / f"{language}.json"] = json.dumps(texts, indent=2, ensure_ascii=False) + "\n"
    return files


def limits() -> dict[Path, str]:
    """Return the limits for each language, and for the documentation."""
    head = "Made by tools/make_types.py from crates/rules/src/limits.rs. Change that, and run it."
    known = _native.limits()
    python = "".join(f"#: The {meaning}.\n{name} = {value:_}\n" for name, value, meaning in known)
    script = "".join(f"/** The {meaning}. */\nexport const {name} = {value:_};\n" for name, value, meaning in known)
    spoken = f"/** The languages of games and app. */\nexport const LANGUAGES = {json.dumps(languages())} as const;\n"
    spoken += "\nexport type Language = (typeof LANGUAGES)[number];\n"
    rows = "".join(f"| {meaning} | {value:,} |\n" for _, value, meaning in known)
    return {
        LIMITS[0]: f'"""The limits that people meet, one table for all programs."""\n\n# {head}\n\n{python}',
        LIMITS[1]: f"// {head}\n\n{script}\n{spoken}",
        LIMITS[2]: f"# Limits\n\n[//]: # ({head})\n\n{INTRODUCTION}\n\n| limit | value |\n|---|---|\n{rows}",
    }


#: What mypy says of it has to be ignored, as in the stubs of Python's own types.
UNHASHABLE = "__hash__: ClassVar[None]"
#: PyO3 has only one type for what `moves[1]` and `moves[1:]` are.
GETITEM = """
@overload
def __getitem__(self, index: SupportsIndex, /) -> Move: ...
@overload
def __getitem__(self, index: slice, /) -> list[Move]: ...
"""


def stub() -> dict[Path, str]:
    """Return the stub of the native module: what PyO3 tells of it, and what it cannot tell."""
    environment = {**os.environ, "VIRTUAL_ENV": sys.prefix, "MATURIN_NO_MISSING_BUILD_BACKEND_WARNING": "1"}
    with tempfile.TemporaryDirectory() as folder:
        # With these options, it finds the extension as the Makefile builds it.
        options = ["--profile", "release", "--locked", "--quiet", "--out", folder]
        run("maturin", "generate-stubs", *options, env=environment)
        tree = ast.parse(Path(folder, "acedrex", STUB.name).read_text("utf-8"))
    modules = {module for node in ast.walk(tree) for module in unquote(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.ClassDef):
            complete(node, getattr(_native, node.name))
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            node.body = [line for line in node.body if not is_text(line)] or [ast.Expr(ast.Constant(...))]
    imports = [ast.unparse(node) for node in tree.body if isinstance(node, ast.ImportFrom)]
    imports += [f"import {module}" for module in modules]
    imports += ["from collections.abc import Sequence", "from typing import ClassVar, Self, overload"]
    # It finds no exceptions, and therefore says that there may be any name.
    there = [node for node in tree.body if getattr(node, "name", "__getattr__") != "__getattr__"]
    head = "# Made by tools/make_types.py from crates/python. Change that, and run it.\n"
    lines = [head, *imports, f"__all__ = {sorted(_native.__all__)}", *errors(), *map(ast.unparse, there)]
    options = ["--quiet", "--stdin-filename", str(STUB.relative_to(ROOT)), "-"]
    # The documentation shows these types, and a sequence is what readers know.
    text = re.sub(r"Supports(GetItem\[int, |LenAndGetItem\[)", "Sequence[", "\n".join(lines))
    text = run("ruff", "check", "--fix", "--ignore", "E501", *options, text=text)
    text = run("ruff", "format", *options, text=text)
    return {STUB: text.replace(UNHASHABLE, f"{UNHASHABLE}  # type: ignore[assignment]")}


def run(program: str, *arguments: str, text: str = "", env: Mapping[str, str] | None = None) -> str:
    """Run a program of the environment that this runs in, and return what it says."""
    command = [str(Path(sys.executable).with_name(program)), *arguments]
    return subprocess.run(
        command, input=text, stdout=subprocess.PIPE, encoding="utf-8", cwd=ROOT, env=env, check=True
    ).stdout


def unquote(node: ast.AST) -> Iterator[str]:
    """Let the types that are stated in signatures stand without quotes, and return the modules that they are from."""
    for field in ("annotation", "returns"):
        match getattr(node, field, None):
            case ast.Constant(str(told)):
                setattr(node, field, ast.parse(told, mode="eval").body)
                yield from re.findall(r"([\w.]+)\.\w+", told)


def is_text(line: ast.stmt) -> bool:
    """Return whether a line is a docstring: the extension has them too."""
    return isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant) and isinstance(line.value.value, str)


def errors() -> Iterator[str]:
    """Return the exceptions, bases first."""
    found = [value for value in vars(_native).values() if isinstance(value, type) and issubclass(value, Exception)]
    for error in sorted(found, key=lambda error: (len(error.__mro__), error.__name__)):
        body = "\n    faults: list[Fault]" if error is _native.DefinitionError else " ..."
        [base] = error.__bases__
        yield f"class {error.__name__}({base.__name__}):{body}"


def complete(node: ast.ClassDef, kind: type) -> None:
    """Say of a class what PyO3 cannot."""
    methods = {line.name: line for line in node.body if isinstance(line, ast.FunctionDef)}
    if "__eq__" in methods and "__hash__" not in methods:
        node.body += ast.parse(UNHASHABLE).body
    if kind is _native.LegalMoves:
        node.body.remove(methods["__getitem__"])
        node.body += ast.parse(GETITEM).body
    for line in node.body:
        match line:
            case ast.AnnAssign(target=ast.Name("__match_args__")):
                # Only its value tells which fields a pattern takes.
                line.value = ast.parse(repr(vars(kind)["__match_args__"]), mode="eval").body
            case ast.FunctionDef("__new__"):
                # Of a subclass, it is the subclass.
                line.args.posonlyargs[0].arg, line.returns = "cls", ast.Name("Self")
            case ast.FunctionDef("__iand__" | "__ior__" | "__isub__" | "__ixor__"):
                # In Rust, they return nothing.
                line.returns = ast.Name("Self")
    if kind is _native.SquareSet:
        # PyO3 says `object` of every operand, since an operator may decline one, and nothing of `*others`.
        sets = methods["union"].args.args[0].annotation
        for name in methods.keys() - {"__eq__", "__ne__"}:
            match methods[name].args:
                case ast.arguments(posonlyargs=[_, ast.arg(annotation=ast.Name("object")) as other]):
                    other.annotation = ast.Name("SupportsIndex") if name.endswith("shift__") else sets
                case ast.arguments(vararg=ast.arg() as others):
                    others.annotation = sets


def written() -> dict[Path, str]:
    """Return the text of every file."""
    head = "// Made by tools/make_types.py from {}. Change that, and run it.\n\n"
    told = dict(found for path in SOURCES for found in notes(path.read_text("utf-8")))
    common = exported(shapes)
    others = {name: value for name, value in exported(wire).items() if name not in common}
    app = Writer(others, common, told)
    body = app.all()
    # The board has its own type for arrows.
    outside = {**common, "Arrow": arrows.Drawn}
    own = {name: value for name, value in exported(messages).items() if value not in outside.values()}
    notebook = Writer(own, outside, told)
    page = notebook.all()
    taken = listed("import", sorted(app.used)) + "\n" + listed("export", sorted(common))
    return {
        **terminations(),
        **limits(),
        **stub(),
        BOARD: head.format("src/acedrex/shapes.py") + Writer(common, {}, told).all(),
        APP: head.format("src/acedrex/server/wire") + f"{taken}\n{body}",
        NOTEBOOK: head.format("src/acedrex/widget/messages.py") + listed("import", sorted(notebook.used)) + f"\n{page}",
    }


def main() -> int:
    parser = argparse.ArgumentParser(prog="make_types", description="Write the types that the web shares with Python.")
    parser.add_argument("--check", action="store_true", help="say which files are not up to date, and write nothing")
    check = parser.parse_args().check
    stale = {path: text for path, text in written().items() if not path.exists() or path.read_text("utf-8") != text}
    for path, text in stale.items():
        if check:
            print(f"{path.relative_to(ROOT)} is not what Python and the core say; run python tools/make_types.py")
        else:
            path.write_text(text, encoding="utf-8")
    return int(check and bool(stale))


if __name__ == "__main__":
    sys.exit(main())
