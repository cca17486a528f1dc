"""The stubs of the native module declare exactly what it contains."""

from __future__ import annotations

import ast
import copy
import inspect
import pickle
from pathlib import Path

import pytest

from acedrex import _native

#: The stub of the module, and those of its parts.
FILES = sorted((Path(__file__).parents[1] / "src" / "acedrex").glob("_native*.pyi"))
NODES = [node for path in FILES for node in ast.parse(path.read_text(encoding="utf-8")).body]
CLASSES = {node.name: node for node in NODES if isinstance(node, ast.ClassDef) and not node.name.startswith("_")}
FUNCTIONS = {node.name: node for node in NODES if isinstance(node, ast.FunctionDef)}
#: What every class has, and what the interpreter derives from another declaration.
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


def test_the_stubs_declare_exactly_the_exported_names() -> None:
    there = {name for name in vars(_native) if not name.startswith("_")}
    assert {*CLASSES, *FUNCTIONS} == there == set(_native.__all__)
    [named] = [node.value for node in NODES if isinstance(node, ast.Assign)]
    assert set(ast.literal_eval(named)) == there


@pytest.mark.parametrize("name", CLASSES)
def test_classes_have_the_declared_bases_and_finality(name: str) -> None:
    """Finality: whether a class can be subclassed."""
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


@pytest.mark.parametrize(
    "name", ["Actions", "Batch", "Board", "Fault", "Game", "LegalMoves", "Move", "Planes", "Reach", "SquareSet"]
)
def test_classes_have_exactly_the_declared_members(name: str) -> None:
    native, stub = getattr(_native, name), members(name)
    # Whoever asks a class for its annotations, perhaps in a test before this, gives it some.
    unsaid = {"__annotations__", "__module__", "__doc__", "__eq__", "__ne__", "__match_args__", *MADE}
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


@pytest.mark.parametrize("name", ["Actions", "Batch", "Board", "Fault", "Game", "Move", "Planes", "Reach"])
def test_constructors_have_the_declared_parameters(name: str) -> None:
    """The parameters and their defaults, as reported by the class."""
    [node] = members(name)["__new__"]
    signature = inspect.signature(getattr(_native, name))
    assert list(signature.parameters) == parameters(node, method=True)
    optional = [parameter for parameter in signature.parameters.values() if parameter.default is not parameter.empty]
    assert len(optional) == len(node.args.defaults)


@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_have_the_declared_parameters(name: str) -> None:
    signature = inspect.signature(getattr(_native, name))
    assert list(signature.parameters) == parameters(FUNCTIONS[name], method=False)


def test_properties_are_writable_only_if_declared() -> None:
    board = _native.Board(_native.Game(None, "chess", []))
    for member, nodes in members("Board").items():
        if any(is_property(node) for node in nodes):
            writable = True
            try:
                setattr(board, member, getattr(board, member))
            except AttributeError:
                writable = False
            assert writable == any(is_setter(node) for node in nodes), member


def test_a_definition_error_lists_its_faults() -> None:
    with pytest.raises(_native.DefinitionError) as caught:
        _native.Game("nonsense", "x.toml", [])
    [fault, *_] = caught.value.faults
    assert isinstance(fault, _native.Fault) and str(fault).startswith("x.toml:1:")


def keys(name: str) -> list[str]:
    """The keys of a dictionary that the stubs declare."""
    (found,) = [node for node in NODES if isinstance(node, ast.ClassDef) and node.name == name]
    return [ast.unparse(node.target) for node in found.body if isinstance(node, ast.AnnAssign)]


def test_dictionaries_have_the_declared_keys() -> None:
    game = _native.Game(None, "magi", [])
    board = _native.Board(game)
    over = _native.Board(game, "k9/2Q7/1K8/10/10/10/10/10/10/10 b - - 0 1")
    decision = _native.Engine(1, 1, None).search(board, _native.Watch(None, None, False), 1, None, None, 1, [], None)
    told = {
        "_PieceType": game._pieces[0],
        "_Option": game._options[0],
        "_Diagram": game._diagram("N"),
        "_Ended": over._outcome(False),
        "_MoveInfo": board._move_info(board.legal_moves[0]),
        "_Decision": decision,
        "_Line": decision["lines"][0],
    }
    assert {name: list(found or {}) for name, found in told.items()} == {name: keys(name) for name in told}
    with pytest.raises((KeyError, TypeError)):
        _native.Watch(None, {"left": 1.0}, False)  # type: ignore[typeddict-item]


def test_reach_and_fault_behave_as_immutable_records() -> None:
    reach = _native.Reach(2, "hop", None, [1, 2], legs=[2])
    assert repr(reach) == "Reach(to=2, kind='hop', mount=None, path=[1, 2], legs=[2])"
    assert reach == pickle.loads(pickle.dumps(reach)) == copy.deepcopy(reach) != _native.Reach(2, "hop", 1, [2], [2])
    with pytest.raises(_native.Error, match="kind"):
        _native.Reach(2, "jump", None, [], [])  # type: ignore[arg-type]
    with pytest.raises(AttributeError):
        reach.to = 3  # type: ignore[misc]
    fault = _native.Fault("x.toml", 1, 2, "game.id", "it's missing")
    assert repr(fault) == """Fault(file='x.toml', line=1, column=2, key='game.id', message="it's missing")"""
    assert {fault: str(fault)} == {pickle.loads(pickle.dumps(fault)): "x.toml:1:2: game.id: it's missing"}
    assert str(_native.Fault("x.toml", 1, 2, "", "it is empty")) == "x.toml:1:2: it is empty"
    match reach, fault:
        case _native.Reach(to, "hop"), _native.Fault(file, line):
            assert (to, file, line) == (2, "x.toml", 1)
        case _:
            pytest.fail("records are taken apart in the order of their fields")
