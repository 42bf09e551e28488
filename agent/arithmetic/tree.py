"""The parts of an expression."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True)
class Number:
    """A plain number that stands in the expression."""

    value: Decimal


@dataclass(frozen=True)
class Reference:
    """Cells of a query result: one, several of a column, a whole column, or all rows."""

    result: int
    """Counted from 1."""
    column: str = ""
    """As it is written; "" for the rows as such, which can only be counted."""
    first: int | None = None
    last: int | None = None
    """Rows counted from 1, both included; None for the whole column."""

    @property
    def is_cell(self) -> bool:
        return self.first is not None and self.first == self.last

    def __str__(self) -> str:
        plain = self.column.isidentifier()
        name = f".{self.column}" if plain else f'["{self.column}"]' if self.column else ""
        rows = "" if self.first is None else f"[{self.first}]"
        if not self.is_cell and self.first is not None:
            rows = f"[{self.first}:{self.last}]"
        return f"r{self.result}{name}{rows}"


@dataclass(frozen=True)
class Negative:
    """A sign before something."""

    operand: Node


@dataclass(frozen=True)
class Operation:
    """Two operands and one of + - * / %."""

    sign: str
    left: Node
    right: Node


@dataclass(frozen=True)
class Call:
    """A function of its arguments; `digits` is the second one of round()."""

    function: str
    arguments: tuple[Node, ...]
    digits: int = 0


Node = Number | Reference | Negative | Operation | Call


def parts(node: Node) -> Iterator[Node]:
    """Yield `node` and all that it is made of."""
    yield node
    match node:
        case Negative(operand):
            yield from parts(operand)
        case Operation(_, left, right):
            yield from parts(left)
            yield from parts(right)
        case Call(_, arguments, _):
            for argument in arguments:
                yield from parts(argument)


def with_references(node: Node, change: Callable[[Reference], Reference]) -> Node:
    """Return `node` with each of its references changed."""
    match node:
        case Reference():
            return change(node)
        case Negative(operand):
            return Negative(with_references(operand, change))
        case Operation(sign, left, right):
            return Operation(sign, with_references(left, change), with_references(right, change))
        case Call(function, arguments, digits):
            changed = tuple(with_references(each, change) for each in arguments)
            return Call(function, changed, digits)
    return node


def references(node: Node) -> list[Reference]:
    """Return the cells that `node` names, in order, repetitions too."""
    return [part for part in parts(node) if isinstance(part, Reference)]
