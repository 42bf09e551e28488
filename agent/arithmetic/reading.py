"""From the text of an expression to its parts. Python reads the text; only what is named here may
be in it.
"""

from __future__ import annotations

import ast
import re
from decimal import Decimal
from typing import Final

from agent.arithmetic.tree import Call, Negative, Node, Number, Operation, Reference
from agent.errors import CalculationRejected

AGGREGATES: Final = ("sum", "avg", "min", "max", "count", "median")
FUNCTIONS: Final = (*AGGREGATES, "round", "abs")
MAX_DEPTH: Final = 60
MAX_PARTS: Final = 120
MAX_DIGITS: Final = 20
"""Digits of one number in an expression."""
MAX_DECIMALS: Final = 10
"""What round() may round to."""

_SIGNS: Final[dict[type[ast.operator], str]] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.Mod: "%",
}  # fmt: skip
_RESULT: Final = re.compile(r"[rR]([1-9]\d{0,2})")
_PLAIN_NUMBER: Final = re.compile(r"\d[\d_]*(\.\d+)?|\.\d+")
HOW: Final = (
    "Write it like r1.revenue[1] / sum(r1.revenue) * 100: cells of results with + - * / % and "
    f"{', '.join(FUNCTIONS)}."
)


def read_expression(text: str) -> Node:
    """Return the parts of `text`. Raises `CalculationRejected`."""
    try:
        if "\\" in text:  # means nothing here, and Python would warn of some
            raise SyntaxError
        tree = ast.parse(text.strip(), mode="eval")
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        raise CalculationRejected("The expression cannot be read.", HOW) from error
    if sum(1 for _ in ast.walk(tree)) > 4 * MAX_PARTS:
        raise CalculationRejected("The expression is too long.", "Work it out in several steps.")
    return _Reader(text.strip()).read(tree.body, 0)


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text

    def read(self, node: ast.expr, depth: int) -> Node:
        if depth > MAX_DEPTH:
            raise CalculationRejected(
                "The expression is nested too deeply.", "Work it out in several steps."
            )
        match node:
            case ast.Constant():
                return Number(self._number(node))
            case ast.UnaryOp(op=ast.USub() | ast.UAdd(), operand=operand):
                inner = self.read(operand, depth + 1)
                return Negative(inner) if isinstance(node.op, ast.USub) else inner
            case ast.BinOp(left=left, op=op, right=right) if type(op) in _SIGNS:
                return Operation(
                    _SIGNS[type(op)], self.read(left, depth + 1), self.read(right, depth + 1)
                )
            case ast.Call(func=ast.Name(id=name), args=arguments, keywords=[]):
                return self._call(name.lower(), arguments, depth)
            case ast.Attribute() | ast.Subscript() | ast.Name():
                return self._reference(node)
        raise CalculationRejected(f"{self._source(node)} is not allowed.", HOW)

    def _number(self, node: ast.Constant) -> Decimal:
        # The text, not the value: 0.1 is no double here.
        source = self._source(node)
        if not _PLAIN_NUMBER.fullmatch(source) or len(source) > MAX_DIGITS:
            raise CalculationRejected(f"{source} is no plain number.", HOW)
        return Decimal(source.replace("_", ""))

    def _call(self, name: str, arguments: list[ast.expr], depth: int) -> Node:
        if name not in FUNCTIONS:
            raise CalculationRejected(
                f"There is no function {name}.", f"There are {', '.join(FUNCTIONS)}."
            )
        digits = 0
        if name == "round" and len(arguments) == 2:
            digits = self._digits(arguments.pop())
        if not arguments or (name not in AGGREGATES and len(arguments) != 1):
            raise CalculationRejected(f"{name}() does not take {len(arguments)} arguments.", HOW)
        return Call(name, tuple(self.read(each, depth + 1) for each in arguments), digits)

    def _digits(self, node: ast.expr) -> int:
        digits = node.value if isinstance(node, ast.Constant) else None
        if isinstance(digits, int) and not isinstance(digits, bool) and digits <= MAX_DECIMALS:
            return digits
        raise CalculationRejected(
            f"round() rounds to 0 to {MAX_DECIMALS} decimals, not to {self._source(node)}."
        )

    def _reference(self, node: ast.expr) -> Reference:
        rows: ast.expr | None = None
        match node:
            case ast.Subscript(value=ast.Attribute() | ast.Subscript() as value, slice=rows):
                node = value
        match node:
            case ast.Name(id=name):
                return Reference(self._result(name))
            case ast.Attribute(value=ast.Name(id=name), attr=column):
                return Reference(self._result(name), column, *self._rows(rows))
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Constant(value=str(column))) if (
                column
            ):
                return Reference(self._result(name), column, *self._rows(rows))
        raise CalculationRejected(
            f"{self._source(node)} names no cell.",
            'A cell is r1.column[row], or r1["any column"][row].',
        )

    def _result(self, name: str) -> int:
        match = _RESULT.fullmatch(name)
        if match is None:
            raise CalculationRejected(
                f"{name} is no query result.", "Results are called r1, r2 and so on."
            )
        return int(match[1])

    def _rows(self, rows: ast.expr | None) -> tuple[int | None, int | None]:
        match rows:
            case None:
                return None, None
            case ast.Constant(value=int(row)) if type(row) is int and row >= 1:
                return row, row
            case ast.Slice(
                lower=ast.Constant(value=int(first)), upper=ast.Constant(value=int(last)), step=None
            ) if 1 <= first <= last:
                return first, last
        raise CalculationRejected(
            f"[{self._source(rows)}] is no row.",
            "Rows are counted from 1: [1] is the first, [1:3] are the first three.",
        )

    def _source(self, node: ast.expr) -> str:
        found = ast.get_source_segment(self._text, node) or "this"
        return found if len(found) <= 60 else f"{found[:59]}…"
