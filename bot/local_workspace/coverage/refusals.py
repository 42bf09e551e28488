"""Which errors a method can give, read from the source: the raises of its handler, and of all that
the handler calls.

Read, not run: an error that is meant for a rare case counts like any other. What a function is
given to raise (`on_error="…"`) is followed to where it is given.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final

PACKAGE: Final = "bot.local_workspace"
FOLDER: Final = Path(__file__).parent.parent
OF_CLASSES: Final = ("Call", "World")
"""Whose methods are followed by their name alone, whatever they are called on."""
ERROR: Final = "SlackError"
Key = tuple[str, str]
"""A module and the name of a function in it."""


@dataclass(frozen=True)
class Parameter:
    """An error that is named by an argument of the function, which has a default or none."""

    name: str
    position: int
    default: str | None


@dataclass
class Source:
    """A module: its functions, and what the names in it stand for."""

    name: str
    functions: dict[str, ast.FunctionDef] = field(default_factory=dict)
    imported: dict[str, Key] = field(default_factory=dict)


def errors_of(handler: Callable[..., Any]) -> frozenset[str]:
    """Return the errors that a function of this package can give, by their names in Slack."""
    found = _raised((handler.__module__, handler.__name__), frozenset())
    return frozenset(each for each in found if isinstance(each, str))


@cache
def _sources() -> dict[str, Source]:
    sources = {}
    for path in sorted(FOLDER.rglob("*.py")):
        parts = path.relative_to(FOLDER).with_suffix("").parts
        name = ".".join([PACKAGE, *(part for part in parts if part != "__init__")])
        sources[name] = _read(name, ast.parse(path.read_text(encoding="utf-8")))
    return sources


def _read(name: str, tree: ast.Module) -> Source:
    source = Source(name)
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            for alias in node.names:
                source.imported[alias.asname or alias.name] = (node.module, alias.name)
    for top in tree.body:
        if isinstance(top, ast.FunctionDef):
            source.functions[top.name] = top
        elif isinstance(top, ast.ClassDef) and top.name in OF_CLASSES:
            for each in top.body:
                if isinstance(each, ast.FunctionDef):
                    source.functions[f"{top.name}.{each.name}"] = each
    return source


@cache
def _methods() -> dict[str, Key]:
    """Functions of OF_CLASSES by their names alone."""
    return {
        name.partition(".")[2]: (source.name, name)
        for source in _sources().values()
        for name in source.functions
        if "." in name
    }


def _raised(key: Key, above: frozenset[Key]) -> frozenset[str | Parameter]:
    """Return what a function can raise; `above` are those that are being looked at already."""
    if key in above:
        return frozenset()
    source = _sources()[key[0]]
    function = source.functions[key[1]]
    found: set[str | Parameter] = set()
    for node in ast.walk(function):
        if not isinstance(node, ast.Call):
            continue
        if isinstance(node.func, ast.Name) and node.func.id == ERROR:
            found.update(_named(node, function))
        elif (called := _called(node, source)) is not None:
            for each in _raised(called, above | {key}):
                found.update([each] if isinstance(each, str) else _given(each, node, function))
    return frozenset(found)


def _called(node: ast.Call, source: Source) -> Key | None:
    """Return which function of this package a call is of, as far as that can be read."""
    target = node.func
    if isinstance(target, ast.Name):
        if target.id in source.functions:
            return source.name, target.id
        return _known(source.imported.get(target.id))
    if not isinstance(target, ast.Attribute):
        return None
    if isinstance(target.value, ast.Name) and target.value.id in source.imported:
        module, name = source.imported[target.value.id]
        return _known((f"{module}.{name}", target.attr))
    return _methods().get(target.attr)


def _known(key: Key | None) -> Key | None:
    sources = _sources()
    return key if key and key[0] in sources and key[1] in sources[key[0]].functions else None


def _named(node: ast.Call, function: ast.FunctionDef) -> Iterator[str | Parameter]:
    """Yield the names that `SlackError(…)` is made with."""
    if node.args:
        yield from _values(node.args[0], function)


def _values(node: ast.expr, function: ast.FunctionDef) -> Iterator[str | Parameter]:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from _values(node.body, function)
        yield from _values(node.orelse, function)
    elif isinstance(node, ast.Name) and (parameter := _parameter(node.id, function)):
        yield parameter


def _parameter(name: str, function: ast.FunctionDef) -> Parameter | None:
    names = [each.arg for each in function.args.args]
    if name not in names:
        return None
    position = names.index(name)
    from_end = position - len(names)
    defaults = function.args.defaults
    default = defaults[from_end] if -from_end <= len(defaults) else None
    value = default.value if isinstance(default, ast.Constant) else None
    if names[0] == "self":
        position -= 1
    return Parameter(name, position, value if isinstance(value, str) else None)


def _given(
    parameter: Parameter, node: ast.Call, function: ast.FunctionDef
) -> Iterator[str | Parameter]:
    """Yield what a call gives for a parameter that names an error."""
    for keyword in node.keywords:
        if keyword.arg == parameter.name:
            yield from _values(keyword.value, function)
            return
    if len(node.args) > parameter.position:
        yield from _values(node.args[parameter.position], function)
    elif parameter.default is not None:
        yield parameter.default
