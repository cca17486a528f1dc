"""The stubs of the native module say exactly what is there."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path

import pytest

from acedrex import _native

STUBS = ast.parse((Path(__file__).parents[1] / "src" / "acedrex" / "_native.pyi").read_text(encoding="utf-8"))
CLASSES = {node.name: node for node in STUBS.body if isinstance(node, ast.ClassDef)}
FUNCTIONS = {node.name: node for node in STUBS.body if isinstance(node, ast.FunctionDef)}
#: What every class has, or the interpreter makes of something else that is declared.
COMMON = {*dir(object), "__module__", "__dict__", "__weakref__", "__getitem__"} - {"__new__"}
MADE = {"__lt__", "__le__", "__gt__", "__ge__", "__reduce__", "__repr__", "__rlshift__", "__rrshift__", "__str__"}


def members(name: str) -> dict[str, list[ast.FunctionDef]]:
    found: dict[str, list[ast.FunctionDef]] = {}
    for node in CLASSES[name].body:
        if isinstance(node, ast.FunctionDef):
            found.setdefault(node.name, []).append(node)
    return found


def parameters(node: ast.FunctionDef, *, method: bool) -> list[str]:
    names = [
        arg.arg for arg in [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs, node.args.vararg] if arg
    ]
    static = any(isinstance(mark, ast.Name) and mark.id == "staticmethod" for mark in node.decorator_list)
    return names[1:] if method and not static else names


def is_property(node: ast.FunctionDef) -> bool:
    return any(isinstance(mark, ast.Name) and mark.id == "property" for mark in node.decorator_list)


def is_setter(node: ast.FunctionDef) -> bool:
    return any(isinstance(mark, ast.Attribute) and mark.attr == "setter" for mark in node.decorator_list)


def test_names() -> None:
    there = {name for name in vars(_native) if not name.startswith("_")}
    assert {*CLASSES, *FUNCTIONS} == there == set(_native.__all__)
    [named] = [node.value for node in STUBS.body if isinstance(node, ast.Assign)]
    assert set(ast.literal_eval(named)) == there


@pytest.mark.parametrize("name", CLASSES)
def test_classes(name: str) -> None:
    """Bases, and whether it may be subclassed."""
    native, stub = getattr(_native, name), CLASSES[name]
    bases = [base.id for base in stub.bases if isinstance(base, ast.Name)]
    assert bases == ([] if native.__base__ is object else [native.__base__.__name__])
    final = any(isinstance(mark, ast.Name) and mark.id == "final" for mark in stub.decorator_list)
    try:
        type("Sub", (native,), {})
    except TypeError:
        assert final
    else:
        assert not final


@pytest.mark.parametrize("name", ["Board", "Game", "LegalMoves", "Move", "SquareSet"])
def test_members(name: str) -> None:
    native, stub = getattr(_native, name), members(name)
    unsaid = {"__module__", "__doc__", "__eq__", "__ne__", *MADE}
    there = {member for member, value in vars(native).items() if member not in unsaid and value is not None}
    assert there == set(stub) - unsaid
    for member, nodes in stub.items():
        value = vars(native)[member]
        described = inspect.isgetsetdescriptor(value)
        assert any(is_property(node) for node in nodes) == described, member
        if described or member.startswith("__"):
            continue
        assert list(inspect.signature(getattr(native, member)).parameters)[not isinstance(value, staticmethod) :] == (
            parameters(nodes[0], method=True)
        ), member


@pytest.mark.parametrize("name", ["Board", "Game", "Move"])
def test_constructors(name: str) -> None:
    """The parameters and their defaults, as the class tells them."""
    [node] = members(name)["__new__"]
    signature = inspect.signature(getattr(_native, name))
    assert list(signature.parameters) == parameters(node, method=True)
    optional = [parameter for parameter in signature.parameters.values() if parameter.default is not parameter.empty]
    assert len(optional) == len(node.args.defaults)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions(name: str) -> None:
    signature = inspect.signature(getattr(_native, name))
    assert list(signature.parameters) == parameters(FUNCTIONS[name], method=False)


def test_setters() -> None:
    board = _native.Board(_native.Game(None, "chess", []))
    for member, nodes in members("Board").items():
        if any(is_property(node) for node in nodes):
            writable = True
            try:
                setattr(board, member, getattr(board, member))
            except AttributeError:
                writable = False
            assert writable == any(is_setter(node) for node in nodes), member


def test_faults_of_a_definition() -> None:
    with pytest.raises(_native.DefinitionError) as caught:
        _native.Game("nonsense", "x.toml", [])
    [fault, *_] = caught.value.faults
    assert [type(part) for part in fault] == [str, int, int, str, str]
